"""How much better than HBB5 do our own mappings play three-player limit hold'em?

Each candidate meets the same two opponents with the same cards, in every seat; whoever sits in a
seat draws from the same random numbers there. So the difference to HBB5 is taken deal by deal; its
error is half that of the results for a mapping that plays much as HBB5 does, and about the same for
one that folds far more.

    python -m benchmarks.mappings measure TWO THREE [DEALS] [SEED]
    python -m benchmarks.mappings learn TWO THREE [HANDS] > three_player_correction.csv

TWO and THREE are strategies that ``pokerlab train`` left for two and three players (TWO of the
figures below: ``--buckets 169/kmeans:200,200,200 --iterations 67000000``). ``learn`` makes
the table of `pokerlab.players.bots.mapping.correction`. Without a command (``make bench``) the
strategies of the cache folder are used.

Measured 2026-11-15 with strategies of 20 and 25 minutes of training on a busy machine (two players
169/kmeans:200,200,200, 67 million deals; three players 169/kmeans:100,100,100, 30 million), in
mbb/g more than HBB5, 12,000 hands each, against two fair bots and two three-player strategies: HBB6
43 ± 22 and 59 ± 21, HBB7 224 ± 32 and 127 ± 32, HBB6 with bias 133 ± 32 and 102 ± 32, the
three-player strategy 246 ± 40 and 145 ± 37. HBB5 itself: −45 ± 39 and −145 ± 37. Against montecarlo
and hybrid:hbb2 together, in 18,000 hands: HBB6 145 ± 28 and HBB7 263 ± 41 more than HBB5 (−122 ±
40). The correction was learned from that three-player strategy; one learned from another of 80
seconds had 200 ± 35 and 101 ± 33 on the cards of the first two pairs, on which it was given up.

With strategies of 80 seconds (two players kmeans:8,50,50,50, three players ehs2:5,5,5,5) and a
correction learned from those: HBB6 72 ± 22 and 78 ± 22, HBB7 212 ± 36 and 198 ± 35; against one of
each (9,000 hands) 75 ± 30 and 219 ± 48, against two Monte Carlo bots (2,100 hands) 212 ± 120 and
422 ± 150.

The same strategies on the cards on which candidates were chosen (9,000 hands, the same two pairs of
opponents), so a little less to be trusted: let the three-player strategy decide for HBB5 in one
kind of decision, and the result changes by 131 ± 36 and 137 ± 38 with three in before the flop, 65
± 32 and 69 ± 25 with three in after it, −19 ± 16 and −9 ± 16 with two in before it, −150 ± 25 and
−91 ± 33 with two in after it. Beside HBB5, five nearest histories cost 194 ± 37 and 99 ± 40; the
price of a call per opponent won 72 ± 30 and 4 ± 31; a correction of HBB6 that does not look at the
chance to win 2 ± 40 and 139 ± 40, where HBB6 had 86 ± 27 and 137 ± 27.

A decision of HBB6 or HBB7 takes 0.12 ms of processor time, half of them under 0.07 ms.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Callable, Sequence
from itertools import permutations
from math import sqrt
from time import perf_counter

import numpy as np
import numpy.typing as npt

from benchmarks.common import Row
from pokerlab.arena.table import play_hand
from pokerlab.games import DealtState
from pokerlab.games.loading import load_betting_game
from pokerlab.players.bots.bot import Bot
from pokerlab.players.bots.catalogue import make_bot
from pokerlab.players.bots.limit_bot import ThreePlayerLimitBot
from pokerlab.players.bots.mapping.bot import MappingBot
from pokerlab.players.bots.mapping.correction import Example, chance_against_two, fit_correction
from pokerlab.players.strategies.limit_file import default_strategy_file

GAME = load_betting_game("holdem.limit.3p")
BASE = "hbb5"
OWN = ("hbb6", "hbb7")
CANDIDATES = (
    BASE,
    *("hbb1", "hbb2", "hbb3", "hbb4"),
    *OWN,
    *("hbb5:,bias", "hbb6:,bias", "hbb7:,bias", "hbb5:,greedy", "hbb6:,greedy"),
)
DEALS, HANDS = 2_000, 40_000

Results = npt.NDArray[np.float64]


def results(candidate: Bot, opponents: Sequence[Bot], deals: int, seed: int) -> Results:
    """What the candidate wins with each deal, in mbb/g, mean over all seats."""
    alike = type(opponents[0]) is type(opponents[1])
    orders = [(0, 1, 2), (1, 0, 2), (1, 2, 0)] if alike else list(permutations(range(3)))
    bots = (candidate, *opponents)
    for bot in bots:
        bot.reset(GAME, np.random.default_rng(seed))
    won = np.zeros(deals)
    for number, deal in enumerate(GAME.deals(np.random.default_rng(seed), deals)):
        for order in orders:
            seated = [bots[player] for player in order]
            for position, bot in enumerate(seated):
                bot.rng = np.random.default_rng((seed, number, position))
            hand = play_hand(GAME, deal, seated, players=order)
            if hand.faults:
                raise ValueError(f"deal {number}: {hand.faults[0].why}")
            won[number] += hand.payoffs[order.index(0)]
    return won / len(orders) * GAME.mbb


def mean_and_error(values: Results) -> tuple[float, float]:
    return float(values.mean()), float(values.std(ddof=1)) / sqrt(len(values))


def with_file(candidate: str, file: str) -> str:
    """The text of a bot with a strategy file before its options."""
    name, _, options = candidate.partition(":")
    return f"{name}:{file}{options}"


def measure(two: str, three: str, deals: int, seed: int) -> None:
    """Print results of all candidates, and how they differ from HBB5."""
    three_bot = f"cfr3:{three}"
    for pair in (("fair", "fair"), (three_bot, three_bot), ("fair", three_bot)):
        print("against", *(text.partition(":")[0] for text in pair))
        opponents = [make_bot(text) for text in pair]
        base = None
        for candidate in CANDIDATES:
            found = results(make_bot(with_file(candidate, two)), opponents, deals, seed)
            base = found if base is None else base
            mean, error = mean_and_error(found)
            more, more_error = mean_and_error(found - base)
            print(f"{candidate:14}{mean:7.0f} ±{error:3.0f}{more:+9.0f} ±{more_error:3.0f}")


def learn(two: str, three: str, hands: int) -> None:
    """Print the correction learned from the three-player strategy in play against itself."""
    mapping = MappingBot(two, order="stakes", opponents="both")
    mapping.reset(GAME, np.random.default_rng(0))
    examples: list[Example] = []

    class Teacher(ThreePlayerLimitBot):
        """Plays its strategy, and notes what the mapping would do in its place."""

        def act(self, view: DealtState) -> str:
            node, hole = view.node, view.holes[view.player]
            if len(node.live) == 3:
                mapped, wanted = mapping.probabilities(view), self.probabilities(view)
                examples.append(
                    Example(
                        node.street,
                        node.raises,
                        (mapped.get("f", 0.0), mapped.get("c", 0.0), mapped.get("r", 0.0)),
                        chance_against_two(node, hole, view.board),
                        (wanted.get("f", 0.0), wanted.get("c", 0.0), wanted.get("r", 0.0)),
                        can_raise=view.raise_bounds() is not None,
                        can_fold=node.to_call > 0,
                    )
                )
            return super().act(view)

    rng = np.random.default_rng(1)
    teachers = [Teacher(three) for _ in range(3)]
    for teacher in teachers:
        teacher.reset(GAME, rng)
    for deal in GAME.deals(rng, hands):
        play_hand(GAME, deal, teachers)
    rows = fit_correction(examples).rows()
    table = csv.DictWriter(sys.stdout, list(rows[0]), lineterminator="\n")
    table.writeheader()
    table.writerows(rows)


def seconds_per_decision(bot: Bot) -> float:
    """The mean time of a decision in a match against two fair bots."""
    spent: list[float] = []
    act: Callable[[DealtState], str] = bot.act

    def timed(view: DealtState) -> str:
        began = perf_counter()
        action = act(view)
        spent.append(perf_counter() - began)
        return action

    bot.act = timed  # type: ignore[method-assign]
    results(bot, [make_bot("fair"), make_bot("fair")], 300, 1)
    return sum(spent) / len(spent)


def run() -> list[Row]:
    if not all(default_strategy_file(f"holdem.limit.{players}p").is_file() for players in (2, 3)):
        print("mappings: train holdem.limit.2p and holdem.limit.3p first", file=sys.stderr)
        return []
    rows = []
    for name in ("fair", "cfr3"):
        opponents = [make_bot(name), make_bot(name)]
        base = results(make_bot(BASE), opponents, DEALS, 1)
        for candidate in OWN:
            found = results(make_bot(candidate), opponents, DEALS, 1)
            more, error = mean_and_error(found - base)
            note = f"± {error:.0f}, {3 * DEALS:,} hands"
            rows.append(Row(f"{candidate} against two {name}", more, "mbb/g", BASE, note=note))
    for candidate in (BASE, *OWN):
        seconds = seconds_per_decision(make_bot(candidate))
        rows.append(Row(f"a decision of {candidate}", 1000.0 * seconds, "ms"))
    return rows


def main(arguments: Sequence[str]) -> int:
    match arguments:
        case ["measure", two, three, *numbers] if all(map(str.isdecimal, numbers)):
            deals, seed = (*map(int, numbers), *(DEALS, 1)[len(numbers) :])
            measure(two, three, deals, seed)
        case ["learn", two, three, *numbers] if all(map(str.isdecimal, numbers)):
            learn(two, three, int(numbers[0]) if numbers else HANDS)
        case _:
            print("measure TWO THREE [DEALS] [SEED], or learn TWO THREE [HANDS]", file=sys.stderr)
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

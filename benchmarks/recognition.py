"""After how many hands does `exploiter` know who plays limit hold'em against it, and whom wrongly?

Every known player (those for whom responses are prepared) and some strangers sit against it, in
`RUNS` matches each of `HANDS` hands with seeds of their own. Rows: after how many hands a known
player is first taken for who he is (the median; a note has all of them, and in how large a share of
the hands after that he still is); of strangers, in how large a share of all hands they are taken
for somebody known, and for whom.

Strangers: the equilibrium that `exploiter` starts from; another one, of other groups of cards and
few deals; who folds, calls and raises by other chances than `random`; who folds
to blinds or to raises; and who draws one of two known players before every hand.

``POKERLAB_STRATEGY`` is the file of the strategy that it starts from (the default one of `limit2`
without it: ``pokerlab train holdem.limit.2p``). Responses that are not in the cache folder yet are
made first, which takes minutes.

Measured 2026-11-17 with a strategy of ``--buckets 169/kmeans:200,200,200 --iterations 8000000``:
see docs/measurements/exploitation.md.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np

from benchmarks.common import Row
from pokerlab.arena import play_match
from pokerlab.games import BettingGame, DealtState, load_betting_game
from pokerlab.holdem.limit.sampling.bucketed_game import BucketedGame
from pokerlab.holdem.limit.training.training import train
from pokerlab.players.bots.bot import Bot
from pokerlab.players.bots.catalogue import make_bot
from pokerlab.players.bots.exploiter.bot import ExploiterBot
from pokerlab.players.bots.exploiter.portfolio import PORTFOLIO, prepared_responses
from pokerlab.players.bots.limit_bot import TwoPlayerLimitBot
from pokerlab.players.strategies.limit_file import LimitStrategy

GAME = load_betting_game("holdem.limit.2p")
RUNS, HANDS = 5, 300
OTHER_GROUPS, OTHER_DEALS = "ehs2:8,6,5,4", 500_000
WEAK = "weak equilibrium"


class Drawn(Bot):
    """One of several bots, drawn before every hand."""

    def __init__(self, *names: str) -> None:
        self._bots = [make_bot(name) for name in names]
        self._now = self._bots[0]

    def reset(self, game: BettingGame, rng: np.random.Generator) -> None:
        """All of them forget."""
        super().reset(game, rng)
        for bot in self._bots:
            bot.reset(game, rng)

    def begin(self, position: int, players: Sequence[int]) -> None:
        """Draw who plays."""
        self._now = self._bots[int(self.rng.integers(len(self._bots)))]
        self._now.begin(position, players)

    def act(self, view: DealtState) -> str:
        """As he does."""
        return self._now.act(view)

    def end(self, view: DealtState) -> None:
        """Only who played learns."""
        self._now.end(view)


def taken_for(path: str, foe: Bot, seed: int) -> list[str | None]:
    """Whom `exploiter` took its opponent for after each hand of a match."""
    bot = ExploiterBot(path)
    found: list[str | None] = []
    play_match(GAME, [bot, foe], HANDS, seed, on_hand=lambda _: found.append(bot.taken_for))
    return found


def known_row(name: str, matches: Sequence[Sequence[str | None]]) -> Row:
    """When a known player is recognised."""
    right = [[who == name for who in match] for match in matches]
    first = [match.index(True) + 1 if any(match) else HANDS + 1 for match in right]
    after = [who for match, start in zip(right, first, strict=True) for who in match[start:]]
    wrong = Counter(
        who for match in matches for who in match if who not in (None, "stranger", name)
    )
    note = " ".join("-" if hand > HANDS else str(hand) for hand in sorted(first))
    note += f"; then in {100 * np.mean(after or [0]):.0f}% of the hands"
    note += "".join(f"; {who} in {count} hands" for who, count in wrong.items())
    return Row(f"{name} is known after", float(np.median(first)), "hands", note=note)


def stranger_row(name: str, matches: Sequence[Sequence[str | None]]) -> Row:
    """How often a stranger is taken for somebody known."""
    hands = Counter(who for match in matches for who in match)
    wrong = {who: count for who, count in hands.items() if who not in (None, "stranger")}
    total = sum(hands.values())
    shares = {"maybe the equilibrium": hands[None], "stranger": hands["stranger"], **wrong}
    return Row(
        f"{name}, taken for somebody known",
        100 * sum(wrong.values()) / total,
        "% of hands",
        note=", ".join(f"{who} {100 * count / total:.0f}%" for who, count in shares.items()),
    )


def run() -> list[Row]:
    path = os.environ.get("POKERLAB_STRATEGY", "")
    start = TwoPlayerLimitBot(path).strategy
    weak = prepared_responses(start)[WEAK].model
    known: dict[str, Callable[[], Bot]] = {
        name: lambda name=name: make_bot(name) for name in PORTFOLIO
    }
    known[WEAK] = lambda: TwoPlayerLimitBot(weak)
    other = LimitStrategy.of(
        train(BucketedGame.of(GAME, OTHER_GROUPS), iterations=OTHER_DEALS, threads=1, boards=2)
    )
    strangers: dict[str, Callable[[], Bot]] = {
        "the equilibrium itself": lambda: TwoPlayerLimitBot(start),
        "another equilibrium": lambda: TwoPlayerLimitBot(other),
        "random:1,2,1": lambda: make_bot("random:1,2,1"),
        "random:1,8,1": lambda: make_bot("random:1,8,1"),
        "folder": lambda: make_bot("folder"),
        "fold-to-raise": lambda: make_bot("fold-to-raise"),
        "caller or raiser": lambda: Drawn("caller", "raiser"),
        "random or fair": lambda: Drawn("random", "fair"),
    }
    rows = []
    for name, make in known.items():
        rows.append(known_row(name, [taken_for(path, make(), seed) for seed in range(RUNS)]))
    for name, make in strangers.items():
        rows.append(stranger_row(name, [taken_for(path, make(), seed) for seed in range(RUNS)]))
    return rows

"""What it costs to check and call to the turn with every hand, however well the rest is played.

A local best response that chooses on turn and river alone does that against `nolimit`. Here the
caller plays an equilibrium from the turn on, solved with the ranges that both really have, so
what they lose is what checking and calling costs. Flops are drawn as they are dealt in the study.
On each of them all lines to the turn count, by their chance. What a hand is worth without further
bets is exact; what betting adds from the turn on is taken from one turn, drawn of all 49.

``python -m pokerlab.studies.nolimit.calling --flops 10``
"""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from pokerlab.arena.flop_deals import deal_on_flops
from pokerlab.arena.responses.local_response import checked_down, public_state, tell
from pokerlab.cards.codes import N_CARDS, format_cards
from pokerlab.cards.ranges.blockers import met_weights
from pokerlab.games import BettingGame, DealtState
from pokerlab.holdem.spots.question.gadget import allowed_combos
from pokerlab.players.bots.bot import Bot
from pokerlab.players.bots.nolimit.bot import NolimitBot
from pokerlab.players.bots.nolimit.street import StreetRoot, StreetSolver
from pokerlab.players.strategies import load_table_game
from pokerlab.runtime.arrays import Floats
from pokerlab.studies.reporting.measure import mean_of

_RARE = 1e-5
"""Lines with a smaller chance are left out."""
_TURNS, _RIVERS = 49, 45
"""The turns that may come, and those that two hands leave."""
_MENU = "turn-1"


@dataclass(frozen=True)
class Calling:
    """Who calls whom.

    Attributes
    ----------
    game
        The rules.
    bot
        Has been `reset` for the game.
    solver
        Of turns.
    """

    game: BettingGame
    bot: Bot
    solver: StreetSolver

    def winnings(
        self, flop: tuple[int, ...], seat: int, rng: np.random.Generator
    ) -> Iterator[tuple[str, float, float]]:
        """For each line: the betting, its chance, and what the caller wins there in chips."""
        state = public_state(self.game, "", flop)
        everyone = allowed_combos(flop).astype(np.float64)
        pairs = float(everyone @ met_weights(everyone))
        for line, theirs in self._lines(state, seat, everyone):
            met = float(everyone @ met_weights(theirs))
            if met < _RARE * pairs:
                continue
            if len(line.node.live) == 1:
                won = line.payoffs()[seat]
            else:
                won = self._from_the_turn(line, seat, everyone, theirs, rng) / met
            yield line.betting, met / pairs, float(won)

    def _lines(
        self, state: DealtState, seat: int, theirs: Floats
    ) -> Iterator[tuple[DealtState, Floats]]:
        """The ways to the turn, or to a fold, and how often each hand of the bot takes them."""
        if state.player < 0 or state.street > 1:
            yield state, theirs
        elif state.player == seat:
            yield from self._lines(state.apply("c"), seat, theirs)
        else:
            told = tell(self.bot, _unseen(state))
            for action, often in zip(told.actions, told.probabilities.T, strict=True):
                yield from self._lines(state.apply(action), seat, theirs * often)

    def _from_the_turn(
        self, line: DealtState, seat: int, mine: Floats, theirs: Floats, rng: np.random.Generator
    ) -> float:
        """The sum over all pairs of hands of what the caller wins."""
        game, flop = self.game, line.deal.board
        found = float(mine @ checked_down(line, seat, theirs))
        pot, stack = line.node.pot, int(min(game.chips)) - min(line.node.spent)
        if line.player < 0 or not stack:
            return found
        turn = (*flop, int(rng.choice([card for card in range(N_CARDS) if card not in flop])))
        mine, theirs = mine * allowed_combos(turn), theirs * allowed_combos(turn)
        place = int(seat != game.streets[1].first)
        other = theirs / theirs.max()
        ranges = (mine, other) if place == 0 else (other, mine)
        root = StreetRoot(turn, pot, stack, game.big_blind, 1 - place, ranges)
        solution = self.solver.solve(root, menu_name=_MENU).solution
        value = (solution.values[place] - pot / 2) * float(mine @ met_weights(theirs))
        plain = float(mine @ checked_down(public_state(game, line.betting, turn), seat, theirs))
        return found + _TURNS / _RIVERS * (value - plain)


def _unseen(state: DealtState) -> DealtState:
    """The state with the cards that are public there, and no others."""
    shown = state.deal.board[: state.game.board_cards[state.street]]
    return public_state(state.game, state.betting, shown)


def main() -> None:
    """Read the arguments and print a line of JSON for each flop, and the mean of all."""
    parser = ArgumentParser(prog="python -m pokerlab.studies.nolimit.calling")
    parser.add_argument("--flops", type=int, default=10, help="how many are drawn; 1 or more")
    parser.add_argument("--iterations", type=int, default=30, help="of the bot")
    parser.add_argument("--turns", type=int, default=60, help="the iterations of turns")
    parser.add_argument("--seed", type=int, default=11)
    given = parser.parse_args()
    game = load_table_game("holdem.nolimit.2p")
    bot = NolimitBot(iterations=given.iterations, threads=1)
    bot.reset(game, np.random.default_rng(1))
    calling = Calling(game, bot, StreetSolver(1.0, given.turns, threads=1, device="cpu"))
    found = []
    for number in range(given.flops):
        rng = np.random.default_rng([given.seed, number])
        flop = deal_on_flops(game, "25", rng).board[:3]
        seats = [
            game.mbb * sum(chance * won for _, chance, won in calling.winnings(flop, seat, rng))
            for seat in range(2)
        ]
        found.append(float(np.mean(seats)))
        print(json.dumps({"flop": format_cards(flop), "mbb": seats}), flush=True)
    mean = mean_of(found)
    error = mean.error if len(found) > 1 else None
    print(json.dumps({"flops": len(found), "mbb": mean.value, "error": error}))


if __name__ == "__main__":
    main()

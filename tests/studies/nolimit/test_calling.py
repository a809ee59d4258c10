"""What checking and calling to the turn costs."""

from __future__ import annotations

import numpy as np
import pytest

from pokerlab.cards.codes import parse_cards
from pokerlab.games import load_game
from pokerlab.players.bots import Bot, Caller, Folder
from pokerlab.players.bots.nolimit.street import StreetSolver
from pokerlab.studies.nolimit.calling import Calling

FLOP = tuple(parse_cards("Ks7h2d"))
GAME = load_game("holdem.nolimit.2p").with_stacks([400, 400])


def winnings(bot: Bot, seat: int) -> list[tuple[str, float, float]]:
    bot.reset(GAME, np.random.default_rng(1))
    calling = Calling(GAME, bot, StreetSolver(1.0, 40, threads=1, device="cpu"))
    return list(calling.winnings(FLOP, seat, np.random.default_rng(3)))


def test_against_a_caller_both_seats_add_up_to_nothing() -> None:
    """Both have all hands, and the turn is the same: what position wins, the other seat loses."""
    ((line, chance, first),), ((_, _, second),) = winnings(Caller(), 0), winnings(Caller(), 1)
    assert (line, chance) == ("cc/cc/", pytest.approx(1.0))
    assert first < -1 and first + second == pytest.approx(0.0, abs=1.0)


def test_a_bot_that_folds_loses_its_blind() -> None:
    assert winnings(Folder(), 0) == [("f", pytest.approx(1.0), 50.0)]


class _Mixed(Caller):
    """Raises, bets, checks and folds with every hand, mixed; all-in on the flop."""

    def probabilities(self, view):  # type: ignore[no-untyped-def]
        if view.street:
            return {"c": 0.5, f"r{view.raise_bounds()[1]}": 0.5}
        return {"f": 0.25, "c": 0.5, "r250": 0.25} if view.to_call else {"c": 1.0}


def test_all_lines_to_the_turn_count() -> None:
    found = {line: chance for line, chance, _ in winnings(_Mixed(), 0)}
    expected = {"f": 0.25, "cc/cc/": 0.25, "cc/cr400c//": 0.25, "r250c/cc/": 0.125}
    assert found == pytest.approx({**expected, "r250c/cr400c//": 0.125})

import numpy as np
import pytest

from pokerlab.cards.codes import parse_cards
from pokerlab.players.bots.mapping.bot import HBB2
from pokerlab.studies.mapping.states import _most_frequent, state_views
from pokerlab.studies.mapping.thesis import STATES


class Folds:
    """Folds to every bet, and calls with what it knows not to be one."""

    def triple(self, history, hole, board):
        return (1.0, 0.0, 0.0) if history.endswith("r") else (0.0, 1.0, 0.0)


@pytest.mark.parametrize(("name", "price"), [("S1", 20), ("S2", 40)])
def test_states_are_those_of_the_thesis(name, price):
    state = STATES[name]
    views = state_views(state)
    for view in views:
        assert view.betting == state.betting
        assert (view.player, view.pot, view.to_call) == (2, 90, price)
        assert view.holes == ((), (), parse_cards(state.hole))
        assert view.board[:3] == parse_cards(state.flop)
    boards = [view.board for view in views]
    assert len(set(boards)) == len(boards) == (1 if name == "S1" else 47)


def test_what_hbb2_makes_of_them():
    bot = HBB2(Folds())
    for name, history in (("S1", "rc/r"), ("S2", "cc/cc/r")):
        views = state_views(STATES[name])
        bot.reset(views[0].game, np.random.default_rng(1))
        assert _most_frequent(bot, views) == (history, history)
        assert history == next(iter(STATES[name].histories))
        assert bot.probabilities(views[0]) == {"f": 1.0}

"""Sizes of games: against trees that were written out, plain walks, and the literature."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokerlab.games import CHANCE, TERMINAL, load_betting_game
from pokerlab.trees import GameTree, count_size
from pokerlab.trees.game_sizes import _Counted, _SizedBets, _Walk, _ways

NO_LIMIT = load_betting_game("holdem.nolimit.2p")


@pytest.mark.parametrize("name", ["kuhn", "kuhn2", "kuhn.3p", "onecard", "leduc", "leduc.reversed"])
def test_sizes_are_those_of_trees_that_were_written_out(name):
    game = load_betting_game(name)
    tree = GameTree.build(game)
    size = count_size(game)
    assert size.states == ((tree.player != CHANCE) & (tree.player != TERMINAL)).sum()
    assert size.information_sets == len(tree.infosets)
    assert size.ends == len(tree.terminals)


@given(st.integers(1, 3), st.integers(1, 3), st.integers(0, 9))
def test_sizes_of_bets_are_those_of_a_plain_walk(small, more, room):
    """The rules engine walks every line where there are few."""
    big = small + more
    stack = big + 1 + room % 9
    game = replace(NO_LIMIT, blinds=(big, small), stacks=(stack, stack), name="few")
    for counted in (
        _Counted(1, 0, _ways(game, 2)),
        _Counted(1, 0, _ways(game, 1)),
        _Counted(0, 1, _ways(game, 2)),
    ):
        assert _SizedBets(game, stack, counted).count() == _Walk(game, counted).count()


def test_limit_holdem_is_as_large_as_the_literature_says():
    """Johanson, "Measuring the size of large no-limit poker games", 2013."""
    size = count_size(load_betting_game("holdem.limit.2p"))
    assert size.information_sets == 319_365_922_522_608
    assert f"{size.states:.3e}" == "3.162e+17"


@pytest.mark.slow
def test_no_limit_holdem_with_500_big_blinds():
    """The same: 7.16e75 states and 7.23e72 information sets."""
    size = count_size(replace(NO_LIMIT, blinds=(2, 1), stacks=(1000, 1000)))
    assert f"{size.states:.2e}" == "7.16e+75"
    assert f"{size.information_sets:.2e}" == "7.23e+72"


@pytest.mark.parametrize(
    ("game", "message"),
    [
        (NO_LIMIT, "stacks of 20,000 chips are too many"),
        (load_betting_game("draw"), "cards are exchanged"),
        (load_betting_game("stud.small"), "cards are dealt face up"),
        (replace(NO_LIMIT, stacks=(100, 90)), "only limit games and no-limit games for two"),
    ],
)
def test_what_is_not_counted_is_said(game, message):
    with pytest.raises(ValueError, match=message):
        count_size(game)

"""Looking lines up in a betting tree."""

from __future__ import annotations

import numpy as np
import pytest

from pokerlab.cards import parse_card
from pokerlab.games.betting_trees import EdgeKind
from pokerlab.holdem.spots import Spot

SPOT = Spot("Td9d6h", "66+, AKs", "QQ-22", pot=100, stack=300, bet="50%, a", raise_="50%")


def test_cards_may_stand_in_a_line_or_be_left_out():
    tree = SPOT.tree
    whole, short = tree.find("x/x/Qc/b50/c/2s/x"), tree.find("x/x/b50/c/x")
    assert whole[:4] == short[:4]
    assert whole.level == 2 and whole.kind == EdgeKind.NODE
    assert whole.cards == (parse_card("Qc"), parse_card("2s"))
    assert short.cards == (-1, -1)
    assert tree.find("x/x/b50/c/2s/x").cards == (-1, parse_card("2s"))
    assert tree.line(whole.level, whole.node) == "x/x/b50/c/x"


def test_places_where_nobody_decides():
    tree = SPOT.tree
    waiting = tree.find("x/x")
    assert waiting.kind == EdgeKind.NEXT_STREET and waiting.level == 0
    assert tree.streets[0].label(waiting.edge) == "x"
    assert tree.find("b50/f").kind == EdgeKind.FOLD
    assert tree.find("a/c").kind == EdgeKind.ALLIN
    assert tree.find("x/x/x/x/x/x").kind == EdgeKind.SHOWDOWN
    assert tree.find("") == (0, EdgeKind.NODE, 0, -1, ())


def test_sizes_may_be_percentages_and_all_in_a_number():
    tree = SPOT.tree
    assert tree.find("b50%") == tree.find("b50")
    assert tree.find("b50/r50%") == tree.find("b50/r150")
    assert tree.find("b300") == tree.find("a") == tree.find("b900%")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("x/b60", "token 2, 'b60': not possible here; possible: x, b50, a"),
        ("r50", "token 1, 'r50': not possible here; possible: x, b50, a"),
        ("b50/b150", "token 2, 'b150': not possible here; possible: f, c, r150"),
        ("c", "token 1, 'c': not possible here; possible: x, b50, a"),
        ("b50/x", "token 2, 'x': not possible here; possible: f, c, r150"),
        ("x/Qc", "token 2, 'Qc': no card comes here; possible: x, b50, a"),
        ("x/x/Qc/Qd", "token 4, 'Qd': no card comes here; possible: x, b50, a"),
        ("x/x/b60", "token 3, 'b60': not possible here; possible: x, b50, a"),
        ("b50/f/x", "token 3, 'x': the hand is over here"),
        ("a/c/Qc", "token 3, 'Qc': no card comes here; possible: nothing, the hand is over"),
        ("b50/c/Qc/9d", "token 4, '9d': no card comes here; possible: x, b100, a"),
    ],
)
def test_impossible_lines_name_the_token_and_what_is_possible(line, message):
    with pytest.raises(ValueError) as caught:
        SPOT.tree.find(line)
    assert str(caught.value) == f"line '{line}': {message}"


def test_cards_of_the_board_do_not_come_again():
    with pytest.raises(ValueError, match=r"^line 'x/x/9d/x': token 3, '9d': the card lies on the"):
        SPOT.find("x/x/9d/x")
    assert SPOT.find("x/x/9c/x") == SPOT.tree.find("x/x/9c/x")


def test_later_streets_can_be_drawn():
    tree = SPOT.tree
    assert tree.draw(level=2, root=tree.streets[2].roots - 1).startswith("river, pot ")


def test_the_arrays_cannot_be_changed():
    street = SPOT.tree.streets[0]
    arrays = [value for value in vars(street).values() if isinstance(value, np.ndarray)]
    assert len(arrays) == 18
    assert not any(array.flags.writeable for array in arrays)


def test_counts_of_a_street():
    street = SPOT.tree.streets[0]
    assert street.actions_of(0) + street.actions_of(1) == street.edges
    assert sum(street.count(kind) for kind in EdgeKind) == street.edges
    assert street.nodes == street.roots + street.count(EdgeKind.NODE)

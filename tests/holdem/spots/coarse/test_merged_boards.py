"""Boards merged by suits that can make no flush: where it is exact, and where it is not."""

from __future__ import annotations

import numpy as np
import pytest

from pokerlab.cards.codes import COMBO_CARDS, parse_cards
from pokerlab.cards.isomorphism.card_maps import combo_images, to_card_map
from pokerlab.cards.isomorphism.merged_run_outs import deal_merged_run_outs, merged_classes
from pokerlab.cards.isomorphism.suits import symmetries
from pokerlab.holdem.spots import Spot
from pokerlab.holdem.spots.coarse.merged_boards import solve_merged
from pokerlab.studies.abstraction.sizes import merged_boards


@pytest.mark.parametrize("flop", ["QhJs5c", "QhJh2c", "QhJh2h"])
def test_as_many_boards_as_the_thesis_counts(flop: str) -> None:
    board = tuple(parse_cards(flop))
    streets = deal_merged_run_outs(board, symmetries(board))
    assert tuple(len(street.cards) for street in streets) == tuple(merged_boards(flop))
    stand_for = np.ones(1, np.int64)
    for above, street, dealt in zip(streets, streets[1:], (49, 49 * 48), strict=False):
        members = [each.multiplicity for each in street.classes if each is not None]
        stand_for = np.repeat(stand_for, np.diff(above.child_first)) * members
        assert int(stand_for.sum()) == dealt


def test_a_class_carries_its_card_to_each_member() -> None:
    board = tuple(parse_cards("QhJs5cQd"))
    for found in merged_classes(board, symmetries(board)):
        for member, cards in zip(found.members, found.permutations, strict=True):
            assert cards[found.card] == member
            assert sorted(cards.tolist()) == list(range(52))
            moved = np.sort(cards[COMBO_CARDS], axis=1)
            assert np.array_equal(np.sort(COMBO_CARDS[combo_images(cards)], axis=1), moved)
    assert to_card_map(range(52)).tolist() == list(range(52))


@pytest.mark.parametrize(
    ("hands", "exact"), [("AA, KK, JJ, AJ, KT", True), ("AA, KK, JJ, AJs, KTs", False)]
)
def test_it_is_exact_where_suits_do_not_matter(hands: str, *, exact: bool) -> None:
    # On this turn no flush is possible: hands that differ by suits alone are worth the same.
    spot = Spot("QhJs5cQd", hands, hands, pot=10, stack=10, bet="a", raise_="")
    apart, merged = (
        solve_merged(spot, iterations=300, threads=1, merge=each) for each in (False, True)
    )
    assert merged.boards < apart.boards and merged.entries < apart.entries
    if exact:
        assert merged.exploitability < 1.1 * apart.exploitability
    else:
        assert merged.exploitability > 3 * apart.exploitability

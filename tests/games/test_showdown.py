"""Hand ranking rules, and the pot shared out."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokerlab.cards.codes import parse_cards
from pokerlab.games import SHOWDOWN_RULES
from pokerlab.games.showdown import share_pot


def strength(rule: str, hole: str, board: str = "") -> int:
    return SHOWDOWN_RULES[rule].strength(parse_cards(hole), parse_cards(board))


@pytest.mark.parametrize(
    ("rule", "best_first"),
    [
        ("high-card", "As Kd 2c"),
        ("kinds", "AsAh 2s2h AsKh AsQh 3s2h"),
        ("kinds", "2s2h2d AsAhKs AsAhQs KsKhAs AsKhQd AsKhJd"),
        ("kinds", "2s2h2d2c AsAhAdKc AsAhKdKc KsKhQdQc AsAhKdQc KsKhQdJc AsKhQdJc"),
        ("three-card", "AsKsQs 4s3s2s 3s2sAs AsAhAd 2s2h2d AsKhQd 4s3h2d 3s2hAd AsKs9s AsQsJs"),
        ("three-card", "5s3s2s AsAhKd AsAhQd KsKhAd 2s2hAd AsKhJd AsKhTd AsQhJd 5s3h2d"),
        ("five-card", "AsKsQsJsTs 2s2h2d2cAs AsKhQdJcTs 7s5h4d3c2s"),
    ],
)
def test_order(rule: str, best_first: str) -> None:
    strengths = [strength(rule, hand) for hand in best_first.split()]
    assert strengths == sorted(set(strengths), reverse=True)


def test_suits_never_break_a_tie() -> None:
    assert strength("high-card", "As") == strength("high-card", "Ac")
    assert strength("kinds", "Js", "Qh") == strength("kinds", "Jh", "Qh")
    assert strength("three-card", "As", "KhQd") == strength("three-card", "Ac", "KhQd")
    assert strength("five-card", "AsKs", "QhQdQc2s3h") == strength(
        "five-card", "AcKc", "QhQdQc2s3h"
    )


def test_leduc_a_pair_beats_the_highest_card() -> None:
    assert strength("kinds", "Js", "Jh") > strength("kinds", "Ks", "Jh")
    assert strength("kinds", "Ks", "Jh") > strength("kinds", "Qs", "Jh")


def test_three_card_categories_have_the_counts_of_a_deck() -> None:
    """The order of the rule is the order of rarity, but for straights and flushes."""
    counts: dict[int, int] = {}
    for cards in combinations(range(52), 3):
        category = SHOWDOWN_RULES["three-card"].strength(cards, ()) >> 12
        counts[category] = counts.get(category, 0) + 1
    assert counts == {5: 48, 4: 52, 3: 720, 2: 1096, 1: 3744, 0: 16440}


def chips_by_hand(spent: list[int], strengths: dict[int, int]) -> list[float]:
    """The same pot shared chip by chip: the k-th chips of all go to the best who paid k."""
    won = [-float(chips) for chips in spent]
    for chip in range(max(spent)):
        entitled = [seat for seat in strengths if spent[seat] > chip]
        if not entitled:
            entitled = [max(strengths, key=lambda seat: spent[seat])]
        best = max(strengths[seat] for seat in entitled)
        winners = [seat for seat in entitled if strengths[seat] == best]
        for seat in winners:
            won[seat] += sum(chips > chip for chips in spent) / len(winners)
    return won


@given(st.data())
def test_pots_are_shared_chip_by_chip(data: st.DataObject) -> None:
    players = data.draw(st.integers(2, 6))
    spent = data.draw(st.lists(st.integers(1, 12), min_size=players, max_size=players))
    live = data.draw(st.sets(st.integers(0, players - 1), min_size=1))
    live.add(spent.index(max(spent)))  # whoever put in most has not folded
    strengths = {seat: data.draw(st.integers(1, 3)) for seat in sorted(live)}
    exact = share_pot(spent, strengths)
    assert exact == pytest.approx(chips_by_hand(spent, strengths))
    whole = share_pot(spent, strengths, whole_chips=True)
    assert sum(whole) == 0
    assert all(chips == int(chips) for chips in whole)
    assert all(abs(a - b) < players**2 for a, b in zip(exact, whole, strict=True))


def test_odd_chips_go_to_the_lowest_seat() -> None:
    assert share_pot([5, 5, 5], {1: 7, 2: 7}, whole_chips=True) == (-5.0, 3.0, 2.0)
    assert share_pot([1, 4, 4, 4], {0: 9, 1: 9, 2: 9, 3: 1}, whole_chips=True) == (1, 2, 1, -4)

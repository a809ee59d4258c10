"""What the ends of push or fold are worth: side pots, antes, prizes."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

import pokerlab as pl
from pokerlab.holdem.pushfold import PushFoldRules
from pokerlab.holdem.pushfold.rules import ORDERS

stack = some.integers(15, 400).map(lambda tenths: tenths / 10)


def by_chips(rules, seats, ranks):
    """Side pots tenth by tenth of a big blind: each goes to the best of those who paid for it."""
    paid = [round(20 * each) for each in rules.posted]
    for player in seats:
        paid[player] = round(20 * rules.stacks[player])
    left = [20 * each - put for each, put in zip(rules.stacks, paid, strict=True)]
    for coin in range(max(paid)):
        here = [player for player in range(rules.players) if paid[player] > coin]
        able = [place for place, player in enumerate(seats) if player in here]
        if not able:
            for player in here:
                left[player] += 1
            continue
        best = min(ranks[place] for place in able)
        winners = [seats[place] for place in able if ranks[place] == best]
        for player in winners:
            left[player] += len(here) / len(winners)
    return np.array(left) / 20


@given(some.lists(stack, min_size=3, max_size=6), some.data())
def test_side_pots(stacks, data):
    rules = PushFoldRules(tuple(stacks), ante=0.1)
    seats = data.draw(some.sampled_from([each for each in rules.ends if len(each) > 1]))
    for ranks in ORDERS[len(seats)]:
        found = rules.final_stacks(seats, ranks)
        assert found == pytest.approx(by_chips(rules, seats, ranks))
        assert found.sum() == pytest.approx(sum(stacks))


def test_nobody_calls():
    rules = PushFoldRules((10, 8, 12), ante=0.25)
    assert rules.final_stacks(()).tolist() == [9.75, 7.25, 13]
    assert rules.final_stacks((0,)).tolist() == [12, 7.25, 10.75]


def test_thirteen_orders_of_three():
    assert len(ORDERS[3]) == 13
    assert all(min(ranks) == 0 for ranks in ORDERS[3])


def test_prizes():
    rules = PushFoldRules((10, 10, 20), (50, 30, 20))
    assert rules.worth(np.array([10, 10, 20.0])) == pytest.approx(
        100 * pl.icm([10, 10, 20], [50, 30, 20]).equities
    )
    # Both are out: they had as much before the hand, so they share the prizes.
    assert rules.worth(np.array([0, 0, 40.0])).tolist() == [25, 25, 50]
    uneven = PushFoldRules((12, 8, 20), (50, 30, 20))
    assert uneven.worth(np.array([0, 0, 40.0])).tolist() == [30, 20, 50]
    bubble = PushFoldRules((12, 8, 20), (50, 30), (10,))
    assert bubble.worth(np.array([0, 20, 20.0])) == pytest.approx(
        [0, *(100 * pl.icm([20, 20, 10], [50, 30]).equities[:2])]
    )


@given(some.lists(stack, min_size=2, max_size=6))
def test_every_line_ends_once(stacks):
    rules = PushFoldRules(tuple(stacks))
    ends = []
    nodes = dict.fromkeys(rules.nodes)
    for line in product((False, True), repeat=rules.players):
        seats = ()
        for player, pushes in enumerate(line):
            if (player, seats) in nodes and pushes:
                seats = (*seats, player)
        ends.append(seats)
    assert set(ends) == set(rules.ends)


@pytest.mark.parametrize(
    "changes, words",
    [
        ({"stacks": (10,)}, "1 given"),
        ({"stacks": (10,) * 7}, "7 given"),
        ({"stacks": (0.1, 9, 0.5, 1), "ante": 0.2}, "CO, SB, BB have no more than they post"),
        ({"bounties": (5,)}, "bounties: needs payouts"),
        ({"bounties": (5, 5, 5), "payouts": (1,)}, "bounties: 3 for 2 players"),
        ({"progressive": True}, "progressive: needs bounties"),
        ({"stacks": (10, -1)}, "stacks: -1"),
        ({"ante": 2}, "ante: 2 is not"),
        ({"others": (5,)}, "others: needs payouts"),
        ({"payouts": (5, 4, 3)}, "3 prizes for 2 players"),
    ],
)
def test_bad_input_is_named(changes, words):
    with pytest.raises(ValueError, match=r"^[^\n]*$") as error:
        PushFoldRules(**({"stacks": (10, 10)} | changes))
    assert words in str(error.value)

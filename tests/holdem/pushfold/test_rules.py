"""What the ends of push or fold are worth: side pots, antes, prizes."""

from itertools import chain, combinations, product

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as some

import pokerlab as pl
from pokerlab.games.prizes.prize_money import PrizeMoney
from pokerlab.holdem.pushfold import PushFoldRules
from pokerlab.holdem.pushfold.rules import MOST_FORCED, ORDERS

stack = some.integers(1, 400).map(lambda tenths: tenths / 10)
"""Some have less than they post."""


def by_chips(rules, seats, ranks):
    """Side pots coin by coin: each goes to the best of those who paid for it.

    Gives stacks, and for each of `seats` who took the last coin they paid.
    """
    last = {}
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
        last |= {seats[place]: winners for place in able}
    return np.array(left) / 20, last


def rules_of(stacks, **others):
    """The rules, if not too many are all-in before the cards are dealt."""
    blinds = [0.1] * (len(stacks) - 2) + [0.6, 1.1]
    assume(sum(one <= two for one, two in zip(stacks, blinds, strict=True)) <= MOST_FORCED)
    return PushFoldRules(tuple(stacks), ante=0.1, **others)


def stays(rules, line):
    """Who may win the pot, act by act, and the decisions: with `line` those who may push do."""
    paid, folded, asked, pushed = list(rules.posted), set(), [], ()
    inside = [player for player in range(rules.players) if paid[player] == rules.stacks[player]]
    for player in range(rules.players):
        if player in inside:
            continue
        facing = [paid[each] for each in range(rules.players) if each not in {player, *folded}]
        if len(inside) == 3 or not facing:
            folded.add(player)
            continue
        if max(facing) <= paid[player] and set(range(player + 1, rules.players)) <= set(inside):
            inside.append(player)  # nothing to call, nobody behind who can raise
            continue
        asked.append((player, pushed))
        if player in line:
            pushed = (*pushed, player)
            paid[player] = rules.stacks[player]
            inside.append(player)
        else:
            folded.add(player)
    return tuple(sorted(inside)), asked, pushed


@given(some.lists(stack, min_size=3, max_size=6), some.data())
def test_side_pots(stacks, data):
    rules = rules_of(stacks)
    ends = [each for each in rules.ends if len(rules.shown(each)) > 1]
    seats = rules.shown(data.draw(some.sampled_from(ends)))
    for ranks in ORDERS[len(seats)]:
        found = rules.final_stacks(seats, ranks)
        assert found == pytest.approx(by_chips(rules, seats, ranks)[0])
        assert found.sum() == pytest.approx(sum(stacks))


@given(some.lists(stack, min_size=2, max_size=5))
@example([0.1, 0.2, 0.7, 0.1])  # a fourth has nothing to call
@example([0.2, 0.2, 0.1, 0.1])  # nothing to call, but a player behind may raise
def test_who_decides_and_who_sees_the_showdown(stacks):
    rules = rules_of(stacks)
    nodes, ends = set(), set()
    for line in chain.from_iterable(
        combinations(range(rules.players), count) for count in range(rules.players + 1)
    ):
        inside, asked, pushed = stays(rules, line)
        nodes |= set(asked)
        ends.add(pushed)
        shown = rules.shown(pushed)
        assert shown == inside or (len(shown) < 2 and len(inside) < 2)
    assert set(rules.nodes) == nodes
    assert set(rules.ends) == ends


@given(some.lists(stack, min_size=3, max_size=5), some.booleans(), some.data())
def test_bounties_go_to_who_takes_the_last_chips(stacks, progressive, data):
    payouts, heads = (50.0, 30.0, 20.0), tuple(range(10, 10 + len(stacks)))
    rules = rules_of(stacks, payouts=payouts, bounties=heads, progressive=progressive)
    ends = [each for each in rules.ends if len(rules.shown(each)) > 1]
    pushed = data.draw(some.sampled_from(ends))
    seats = rules.shown(pushed)
    pool = sum(payouts) + sum(heads)
    for ranks, result in zip(ORDERS[len(seats)], rules.results(pushed), strict=True):
        left, last = by_chips(rules, seats, ranks)
        out = [player for player in range(len(stacks)) if left[player] == 0]
        now, won = np.array(heads, float), np.zeros(len(stacks))
        for player in out:
            now[player] = 0
            for winner in last[player]:
                part = heads[player] / len(last[player])
                won[winner] += part / 2 if progressive else part
                now[winner] += part / 2 if progressive else 0
        assert result.won == pytest.approx(won)
        assert result.heads == pytest.approx(now)
        prizes = rules.pool / 100 * rules.worth(*result) - won
        plain = PushFoldRules(rules.stacks, payouts, ante=0.1).worth(left)
        assert prizes == pytest.approx(plain + now.sum() * left / left.sum())
        assert rules.pool == pool
        assert rules.worth(*result).sum() == pytest.approx(100)


@pytest.mark.parametrize("progressive", (False, True))
def test_bounties_are_those_of_spots(progressive):
    """Two players of 10 and 7 big blinds have called 1: what is worth a pot of all chips?"""
    payouts, others, heads = (50.0, 30.0, 20.0), (12.0, 5.0), (10.0, 20.0, 5.0, 0.0)
    rules = PushFoldRules((10, 7), payouts, others, bounties=heads, progressive=progressive)
    spot = PrizeMoney((9, 6), 2, payouts, others, heads, progressive)
    for player in range(2):
        ends = spot.worths(6)[player]
        shares = [100 * spot.share(player, end + 1) for end in ends]
        found = [rules.worth(*each)[player] for each in rules.results((0, 1))]
        assert found == pytest.approx(shares if player == 0 else shares[::-1])


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
    rules = rules_of(stacks)
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

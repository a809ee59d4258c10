"""The independent chip model beside brute force over all orders and published examples."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

import pokerlab as pl
from pokerlab.games.prizes.chip_model import (
    MOST_BY_SUBSETS,
    icm,
    integrate_prizes,
)
from pokerlab.games.prizes.finish_kernels import finish_by_subsets

stack = some.integers(1, 10**6)
prize = some.integers(0, 1000)


def by_orders(stacks, payouts):
    """Every order of finish, its chance and its prizes."""
    found = np.zeros(len(stacks))
    for order in permutations(range(len(stacks))):
        left, chance = sum(stacks), 1.0
        for player in order:
            chance *= stacks[player] / left if left else 1.0
            left -= stacks[player]
        for place, amount in enumerate(payouts):
            found[order[place]] += chance * amount
    return found


@given(some.lists(stack, min_size=2, max_size=6), some.data())
def test_all_orders(stacks, data):
    payouts = sorted(
        data.draw(some.lists(prize.filter(bool), min_size=1, max_size=len(stacks))), reverse=True
    )
    expected = by_orders(stacks, payouts)
    assert icm(stacks, payouts).prizes == pytest.approx(expected, rel=1e-11)
    shares, prizes = np.array(stacks) / sum(stacks), np.array(payouts, float)
    assert integrate_prizes(shares, prizes) == pytest.approx(expected, rel=1e-11)


@pytest.mark.parametrize("players", [2, 7, MOST_BY_SUBSETS, 18])
def test_both_ways_agree(players):
    rng = np.random.default_rng(players)
    for spread in (0.1, 1, 4):
        stacks = np.exp(rng.normal(0, spread, players))
        shares, payouts = stacks / stacks.sum(), np.sort(rng.random(players))[::-1]
        places = np.zeros((players, players))
        finish_by_subsets(shares, places)
        assert integrate_prizes(shares, payouts) == pytest.approx(places @ payouts, rel=1e-12)


def test_seven_players():
    stacks, payouts = [9000, 7000, 5200, 3000, 1500, 800, 100], [40, 25, 18, 12, 5]
    assert icm(stacks, payouts).prizes == pytest.approx(by_orders(stacks, payouts), rel=1e-12)


@pytest.mark.parametrize("players, paid", [(19, 3), (200, 30), (400, 400)])
def test_many_players_share_the_whole_pool(players, paid):
    stacks = np.exp(np.random.default_rng(1).normal(0, 1.5, players))
    payouts = np.arange(paid, 0, -1.0)
    found = icm(stacks, payouts)
    assert found.prizes.sum() == pytest.approx(payouts.sum(), rel=1e-12)
    order = np.argsort(stacks)
    assert (np.diff(found.prizes[order]) > 0).all()  # more chips are worth more
    # A chip of a small stack is worth more than one of a large stack.
    assert (np.diff((found.prizes / stacks)[order]) < 1e-12).all()


def test_published_examples():
    # pailiku.com/tools/icm-calculator and its result page, read in November 2026
    assert icm([5000, 3000, 2000], [50, 30, 20]).prizes.round(2).tolist() == [38.39, 32.75, 28.86]
    assert icm([5000, 3000, 1500, 500], [500, 300, 200]).prizes.round(2).tolist() == [
        *(377.78, 312.89, 225.60, 83.73)
    ]


@given(some.integers(2, 30), some.lists(prize.filter(bool), min_size=1, max_size=2))
def test_equal_stacks_are_worth_the_same(players, payouts):
    found = icm([1500] * players, sorted(payouts, reverse=True)).equities
    assert found == pytest.approx(np.full(players, 1 / players), rel=1e-11)


@given(some.lists(stack, min_size=2, max_size=30))
def test_winner_takes_all_is_the_share_of_chips(stacks):
    found = icm(stacks, [100])
    assert found.equities == pytest.approx(np.array(stacks) / sum(stacks), rel=1e-14)
    assert icm(stacks, [100, 0, 0]).equities.tolist() == found.equities.tolist()


@given(some.lists(stack, min_size=3, max_size=8))
def test_places_are_chances(stacks):
    places = icm(stacks, [3, 2, 1]).places
    assert (places >= 0).all()
    assert places.sum(axis=0) == pytest.approx(np.ones(3))
    assert (places.sum(axis=1) <= 1 + 1e-12).all()
    assert icm(stacks, [3, 2, 1]).first_places(2).tolist() == places[:, :2].tolist()


def test_deals_and_bounties():
    found = icm([60, 30, 10], [50, 30, 20], [10, 20, 30])
    assert found.pool == 160
    assert found.bounty_money.tolist() == [36, 18, 6]
    assert found.money.sum() == pytest.approx(160)
    assert found.chip_chop == pytest.approx([20 + 24 + 36, 20 + 12 + 18, 20 + 4 + 6])
    assert icm([6, 4, 2], [70, 30]).chip_chop == pytest.approx([50, 100 / 3, 50 / 3])
    assert icm([6, 4], [1], [5]).bounties.tolist() == [5, 5]


def test_satellite_seats_are_worth_the_same():
    assert icm([900, 50, 50], [1, 1, 1]).prizes.tolist() == [1, 1, 1]
    seats = icm([900, 50, 50], [1, 1]).prizes
    assert seats == pytest.approx(by_orders([900, 50, 50], [1, 1]))


@pytest.mark.parametrize(
    "stacks, payouts, bounties, words",
    [
        ([5], [1], (), "at least two"),
        ([5, 0], [1], (), "stacks: 0 is not"),
        ([5, -1], [1], (), "stacks: -1 is not"),
        ([5, float("nan")], [1], (), "stacks: nan is not"),
        ([5, "x"], [1], (), "stacks: 'x' is not"),
        ([5, True], [1], (), "stacks: True is not"),
        ([5, 5], [], (), "no prize"),
        ([5, 5], [0, 0], (), "no prize"),
        ([5, 5], [-1], (), "payouts: -1"),
        ([5, 5], [20, 30], (), "place 2 would win 30"),
        ([5, 5], [3, 2, 1], (), "3 prizes for 2 players"),
        ([5, 5, 5], [3, 2, 1], (1, 2), "bounties: 2 for 3 players"),
        ([5, 5], [3], (-1,), "bounties: -1"),
        ([1] * 2001, [3], (), "at most 2,000"),
    ],
)
def test_bad_input_is_named(stacks, payouts, bounties, words):
    with pytest.raises(ValueError, match=r"^[^\n]*$") as error:
        pl.icm(stacks, payouts, bounties)
    assert words in str(error.value)

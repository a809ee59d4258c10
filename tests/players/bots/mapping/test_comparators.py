import numpy as np
import pytest

from pokerlab.games import load_game
from pokerlab.players.bots.mapping.comparators import (
    COMPARATORS,
    Order,
    numeric_distances,
    preferred_position,
    rank,
)
from pokerlab.players.bots.mapping.filters import FILTERS
from pokerlab.players.bots.mapping.histories import (
    action_distances,
    decisions_of,
    two_player_histories,
)


@pytest.fixture(scope="module")
def histories():
    return two_player_histories()


def spot_of(betting, opponent=0):
    return decisions_of(load_game("holdem.limit.3p").replay(betting).node)[opponent]


def ranked(name, decision, histories):
    numbers = histories.on_street(decision.street)
    return rank(numbers, COMPARATORS.find(name)(decision, histories, numbers))


def test_the_numeric_distances_of_the_thesis():
    raise_possible, in_small_blind = np.array([1, 1, 0, 0]), np.array([1, 0, 0, 0])
    order = Order((1 - raise_possible, 1 - in_small_blind), np.array([4, 2, 3, 4]))
    ranking = rank(np.arange(4), order)
    assert ranking.numbers.tolist() == [0, 1, 2, 3]
    assert numeric_distances(ranking.groups, ranking.distance) == [4, 6, 9, 10]


def test_numeric_distances_of_the_standard_comparator_are_those_in_actions(histories):
    decision = spot_of("rcc/rr")
    ranking = ranked("standard", decision, histories)
    expected = np.sort(action_distances(decision, histories, histories.on_street(1)))
    assert numeric_distances(ranking.groups, ranking.distance) == expected.tolist()
    assert histories.texts[ranking.numbers[0]] == "rc/r"


@pytest.mark.parametrize(
    ("own", "opponent", "wanted"),
    [
        ("SB", "BU", "BB"),
        ("BB", "BU", "BB"),
        ("BU", "SB", "SB"),
        ("BU", "BB", "SB"),
        ("SB", "BB", None),
        ("BB", "SB", None),
    ],
)
def test_preferred_positions(own, opponent, wanted):
    assert preferred_position(own, opponent) == wanted


def test_the_advanced_order_is_raise_then_position_then_actions(histories):
    decision = spot_of("rcc/rr")  # on the button, a raise is possible
    numbers = ranked("advanced", decision, histories).numbers
    keys = [
        (
            not histories.raise_possible[number],
            not histories.in_small_blind[number],
            int(action_distances(decision, histories, np.array([number]))[0]),
        )
        for number in numbers
    ]
    assert keys == sorted(keys)
    assert {key[:2] for key in keys} == {(a, b) for a in (False, True) for b in (False, True)}


def test_where_no_raise_is_left_histories_without_one_come_first(histories):
    decision = spot_of("rrr")
    assert not decision.raise_possible
    numbers = ranked("advanced", decision, histories).numbers
    capped = [not histories.raise_possible[number] for number in numbers]
    assert capped == sorted(capped, reverse=True)
    assert capped[0]


def test_without_a_preferred_position_only_raise_and_actions_count(histories):
    decision = spot_of("fr", opponent=0)
    assert preferred_position(decision.position, decision.opponent_position) is None
    numbers = histories.on_street(0)
    assert len(COMPARATORS.find("advanced")(decision, histories, numbers).properties) == 1


@pytest.mark.parametrize(
    "betting", ["", "r", "ccr", "rcc/rr", "ccc/c", "rcc/rcc/rr", "rrcc/rcf/crc/cr", "fcc/cc/cc/c"]
)
def test_hbb5_begins_with_hbb4s_histories(betting, histories):
    decision = spot_of(betting)
    numbers = ranked("odds-first", decision, histories).numbers.astype(int)
    left = FILTERS.find("pot-odds")(decision, histories)
    order = COMPARATORS.find("advanced")(decision, histories, left)
    assert numbers[: len(left)].tolist() == rank(left, order).numbers.tolist()


def test_stakes_leave_out_the_chips_of_the_third(histories):
    decision = spot_of("rrcc/ccr", opponent=1)
    number = ranked("stakes", decision, histories).numbers[0]
    assert (histories.spent[number], histories.opponent_spent[number]) == (6.0, 8.0)
    assert decision.pot == histories.pot[number] + 6.0


@pytest.mark.parametrize("name", COMPARATORS.names)
@pytest.mark.parametrize("enough", [1, 20, 200])
def test_sorting_the_nearest_only_gives_the_beginning_of_all(name, enough, histories):
    for betting in ("rcc/rcc/ccc/r", "rrcc/rcf/crc/cr", "fcc/cc/cc/c"):
        decision = spot_of(betting)
        numbers = histories.on_street(3)
        order = COMPARATORS.find(name)(decision, histories, numbers)
        whole, some = rank(numbers, order), rank(numbers, order, enough)
        count = len(some.numbers)
        assert enough <= count
        for all_of_it, beginning in zip(whole, some, strict=True):
            assert np.array_equal(all_of_it[:count], beginning)


def test_equally_near_histories_keep_the_order_of_the_tree():
    ranking = rank(np.array([5, 6, 7, 8]), Order((), np.array([1, 0, 1, 0])))
    assert ranking.numbers.tolist() == [6, 8, 5, 7]


def test_an_unknown_comparator_is_named():
    with pytest.raises(ValueError, match="no comparator 'standart', did you mean standard"):
        COMPARATORS.find("standart")

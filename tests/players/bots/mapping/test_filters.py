from dataclasses import replace
from itertools import chain

import numpy as np
import pytest

from pokerlab.games import load_game
from pokerlab.players.bots.mapping.filters import FILTERS, odds_distances
from pokerlab.players.bots.mapping.histories import decisions_of, two_player_histories


@pytest.fixture(scope="module")
def histories():
    return two_player_histories()


def chosen(name, betting, histories):
    decision = decisions_of(load_game("holdem.limit.3p").replay(betting).node)[0]
    return decision, FILTERS.find(name)(decision, histories)


def pots(histories, numbers):
    return set(histories.pot[numbers].tolist())


def test_the_street_filter_leaves_the_street(histories):
    for betting, count in (("", 8), ("ccc/", 70), ("ccc/ccc/", 630), ("ccc/ccc/ccc/", 5670)):
        assert len(chosen("street", betting, histories)[1]) == count


def test_the_pot_size_filter_takes_the_nearest_pot(histories):
    decision, numbers = chosen("pot-size", "rcc/rr", histories)
    assert decision.pot == 18.0
    assert pots(histories, numbers) == {18.0}
    every = histories.on_street(1)
    assert len(numbers) == (histories.pot[every] == 18.0).sum()


def test_the_pot_size_filter_takes_both_neighbours_on_a_tie(histories):
    decision, numbers = chosen("pot-size", "rfc/", histories)
    assert decision.pot == 9.0
    assert pots(histories, numbers) == {8.0, 10.0}


def test_a_pot_beyond_all_others_gets_the_greatest(histories):
    decision, numbers = chosen("pot-size", "rrrcc/rrrrcc/rrrr", histories)
    greatest = float(histories.pot[histories.on_street(2)].max())
    assert decision.pot > greatest
    assert pots(histories, numbers) == {greatest}
    assert np.all(numbers < histories.first[3])


def test_the_pot_odds_filter_takes_the_nearest_odds(histories):
    decision, numbers = chosen("pot-odds", "rcc/rr", histories)
    assert decision.pot / decision.to_call == 4.5
    odds = set(zip(histories.pot[numbers], histories.to_call[numbers], strict=True))
    assert odds == {(10.0, 2.0)}


def test_the_pot_odds_filter_tells_76_classes_apart(histories):
    """Those of the thesis: for a decision like a history it leaves what has its pot and price."""
    left = []
    template = decisions_of(load_game("holdem.limit.3p").replay("").node)[0]
    for street in range(4):
        on_street = histories.on_street(street)
        stakes = list(zip(histories.pot[on_street], histories.to_call[on_street], strict=True))
        for pot, price in dict.fromkeys(stakes):
            decision = replace(template, street=street, pot=pot, to_call=price)
            numbers = FILTERS.find("pot-odds")(decision, histories)
            left.append(numbers.tolist())
            found = zip(histories.pot[numbers], histories.to_call[numbers], strict=True)
            assert set(found) == {(pot, price)}
    assert len(left) == 76
    assert sorted(chain(*left)) == list(range(6378))  # each history is in one class


def test_odds_between_two_others_get_the_nearer_pot(histories):
    decision, numbers = chosen("pot-odds", "r", histories)  # 7 : 3
    odds = set(zip(histories.pot[numbers], histories.to_call[numbers], strict=True))
    assert odds == {(6.0, 2.0)}  # not 3 : 1, though the ratio is the same
    decision, numbers = chosen("pot-odds", "ccr", histories)  # 8 : 2, between 3 and 5
    assert decision.pot / decision.to_call == 4.0
    odds = set(zip(histories.pot[numbers], histories.to_call[numbers], strict=True))
    assert odds == {(6.0, 2.0), (10.0, 2.0)}


def test_where_checking_is_free_it_is_free_in_the_candidates(histories):
    decision, numbers = chosen("pot-odds", "ccc/c", histories)
    assert set(histories.to_call[numbers].tolist()) == {0.0}
    assert decision.pot == 6.0
    assert pots(histories, numbers) == {4.0, 8.0}


def test_distances_between_odds_are_never_nan(histories):
    for betting in ("cc", "r"):
        decision = decisions_of(load_game("holdem.limit.3p").replay(betting).node)[0]
        distances = odds_distances(decision, histories, histories.on_street(0))
        assert not np.isnan(distances).any()
        assert np.isfinite(distances).any()


def test_the_filter_of_rounds_maps_street_by_street(histories):
    _, numbers = chosen("rounds", "rfc/crrc/rrc/", histories)  # the example of the thesis
    assert [histories.texts[number] for number in numbers] == ["rc/crrc/rrc/"]


def test_an_unknown_filter_is_named():
    with pytest.raises(ValueError, match="no filter 'pot-sise', did you mean pot-size"):
        FILTERS.find("pot-sise")

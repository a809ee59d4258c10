from itertools import pairwise
from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokerlab.games.betting_trees.translation import TRANSLATIONS, linear, nearest, pseudo_harmonic

MENUS = st.lists(st.integers(1, 400), min_size=1, max_size=6, unique=True).map(
    lambda sizes: [size / 100 for size in sorted(sizes)]
)


def test_figures_of_the_paper():
    # Ganzfried and Sandholm: between check (0) and pot (1), a bet of x stands for 0 with
    # probability (1 - x) / (1 + x).
    for size in (0.1, 0.25, 0.5, 0.9):
        assert pseudo_harmonic(size, [0.0, 1.0])[0] == pytest.approx((1 - size) / (1 + size))
    assert pseudo_harmonic(0.75, [0.5, 1.0])[0] == pytest.approx(0.25 * 1.5 / (0.5 * 1.75))


@pytest.mark.parametrize("name", TRANSLATIONS)
@given(st.floats(0.01, 5.0), MENUS)
def test_probabilities_are_those_of_the_two_neighbours(name, size, menu):
    found = TRANSLATIONS[name](size, menu)
    assert sum(found.values()) == pytest.approx(1.0)
    assert all(0.0 <= chance <= 1.0 for chance in found.values())
    below = [number for number, each in enumerate(menu) if each <= size]
    above = [number for number, each in enumerate(menu) if each >= size]
    neighbours = {*below[-1:], *above[:1]}
    assert set(found) <= neighbours


@given(MENUS.filter(lambda menu: len(menu) > 1))
def test_it_is_continuous_and_falls(menu):
    for lower, upper in pairwise(menu):
        sizes = [lower + (upper - lower) * step / 20 for step in range(21)]
        probabilities = [pseudo_harmonic(size, [lower, upper]).get(0, 0.0) for size in sizes]
        assert probabilities[0] == 1.0 and probabilities[-1] == pytest.approx(0.0, abs=1e-9)
        assert all(first > second for first, second in pairwise(probabilities))


def test_beyond_the_menu():
    assert pseudo_harmonic(9.0, [0.5, 1.0]) == {1: 1.0}
    assert pseudo_harmonic(9.0, [0.5, inf]) == {0: 1.0}
    assert pseudo_harmonic(inf, [0.5, inf]) == {1: 1.0}


@pytest.mark.parametrize(("size", "menu"), [(-1.0, [1.0]), (1.0, [1.0, 1.0]), (1.0, [2.0, 1.0])])
def test_bad_sizes(size, menu):
    with pytest.raises(ValueError, match="sizes grow, and a bet is at least 0"):
        pseudo_harmonic(size, menu)


@given(st.floats(0.01, 5.0), MENUS)
def test_the_nearest_is_the_likelier_neighbour(size, menu):
    mixed = linear(size, menu)
    (chosen,) = nearest(size, menu)
    assert mixed[chosen] >= max(mixed.values()) - 1e-9
    assert abs(menu[chosen] - size) <= min(abs(each - size) for each in menu) + 1e-12
    if len(mixed) == 2:
        assert sum(menu[each] * chance for each, chance in mixed.items()) == pytest.approx(size)

"""Matrices, heat maps, curves and tables."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.views.pictures.parsed import Parsed, check_safe

from pokerlab.cards.hand_classes import CLASS_NAMES
from pokerlab.views.pictures import block_html, curves_svg, heat_svg, matrix_svg, table_html
from pokerlab.views.pictures.hand_pictures import (
    card_map_svg,
    cards_html,
    class_shares,
    strategy_svg,
)

NASTY = "<script>alert(1)</script> & \"quoted\" 'single' [brackets]"


def bars(picture):
    """The fields of each colour of a matrix, the first painted first: left, top, width, height."""
    found = {}
    for colour, path in re.findall(r'<path fill="(#\w+)" d="([^"]+)"', picture):
        numbers = re.findall(r"M([\d.]+) ([\d.]+)h([\d.]+)v([\d.]+)H", path)
        found[colour] = [tuple(map(float, each)) for each in numbers]
    return found


def test_bars_are_as_wide_as_shares_and_as_high_as_weights():
    picture = matrix_svg(
        ["AA", "KK", "QQ"],
        [[0.2, 1.0, 0.5], [0.8, 0.0, 0.5]],
        [1.0, 0.5, 0.0],
        [(0, 0, 255), (255, 0, 0)],
        label="three hands",
        columns=3,
    )
    Parsed(picture)
    found = bars(picture)
    assert found["#0000ff"] == [(0, 0, 9, 33), (46, 16.5, 45, 16.5)]
    assert found["#ff0000"] == [(0, 0, 45, 33)]  # blue is painted over its left end
    assert list(found).index("#ff0000") < list(found).index("#0000ff")


def test_a_matrix_of_many_actions_is_small():
    rng = np.random.default_rng(1)
    actions = ["f", "c", "r20", "r40", "r60", "a"]
    shares = rng.dirichlet(np.ones(len(actions)), 169).T
    picture = strategy_svg(actions, shares, rng.random(169), 1e4 * rng.random(169), label="all")
    assert len(picture.encode()) < 60_000
    titles = Parsed(picture).texts
    for number, name in enumerate(CLASS_NAMES):
        assert any(
            each.startswith(f"{name} ") and f"r60 {shares[4, number]:.1%}" in each
            for each in titles
        )


def test_class_shares_count_the_combos_that_arrive():
    weights, strategy = np.zeros(1326), np.full((2, 1326), np.nan)
    weights[[0, 1, 2]] = 0.5, 0.25, 0.25  # three of the six pairs of deuces
    strategy[:, [0, 1, 2]] = [[1, 0, 0], [0, 1, 1]]
    shares, arriving = class_shares(weights, strategy)
    assert shares[:, -1].tolist() == [0.5, 0.5]
    assert arriving[-1] == pytest.approx(1 / 3)
    assert not arriving[:-1].any()


def test_a_map_of_cards_has_a_field_for_each_number():
    numbers = {card: card / 10 for card in range(52) if card not in (3, 17)}
    parsed = Parsed(card_map_svg({**numbers, 3: None}, label="EV"))
    assert parsed.count("title") == 50
    assert "As 5.10" in parsed.texts
    assert "♣" in parsed.texts
    same = card_map_svg({0: 2.0, 1: 2.0}, label="EV")
    assert same.count("#f7f7f7") == 2  # no number is lower than another


def test_curves_are_drawn_between_powers_of_ten():
    points = [(0, 9.0), (1, 5.0), (10, 0.5), (100, 0.05)]
    picture = curves_svg({"one": points}, label="a solve", across="iterations", up="chips")
    parsed = Parsed(picture)
    assert {"0.01", "0.1", "1", "10", "100"} <= set(parsed.texts)
    assert "0" not in parsed.texts  # the start has no place on a logarithmic axis
    line = next(attributes["points"] for tag, attributes in parsed.tags if tag == "polyline")
    places = [tuple(map(float, each.split(","))) for each in line.split()]
    assert len(places) == 3
    steps = np.diff(places, axis=0)
    assert steps[0] == pytest.approx(steps[1], abs=0.11)  # a power law is a straight line
    assert "nothing was measured" in curves_svg({"a": []}, label="none", across="x", up="y")


@given(st.lists(st.tuples(st.floats(0, 1e9), st.floats(1e-12, 1e12)), max_size=8))
def test_any_curve_can_be_drawn(points):
    picture = curves_svg({"a": points, "b": points[:1]}, label="any", across="x", up="y")
    Parsed(picture)
    assert "nan" not in picture


def test_everything_from_outside_is_escaped():
    cells = [[0.5]], [[NASTY]]
    for made in (
        table_html([NASTY], [[NASTY]], last=[NASTY], left=1, more=NASTY),
        matrix_svg(
            [NASTY], [[1.0]], [1.0], [(1, 2, 3)], label=NASTY, notes=[NASTY], titles=[NASTY]
        ),
        heat_svg(*cells, label=NASTY, rows=[NASTY], columns=[NASTY], titles=[NASTY]),
        curves_svg({NASTY: [(1, 1)], "b": [(1, 1)]}, label=NASTY, across=NASTY, up=NASTY),
        block_html("a title", table_html([NASTY], [[NASTY]])),
    ):
        parsed = Parsed(made)
        check_safe(parsed)
        assert NASTY in parsed.text


def test_rows_that_are_left_out_are_counted():
    parsed = Parsed(table_html(["a"], [["1"], ["2"]], left=1, more="; see there"))
    assert parsed.count("tr") == 3
    assert "1 more; see there" in parsed.texts


def test_cards_have_their_suits():
    assert Parsed(cards_html("AsTd")).texts == ["A♠", " ", "T♦"]

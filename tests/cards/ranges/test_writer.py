"""Range text out: it reads back to the same weights, in spans as people write them."""

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pokerlab.cards.codes import COMBO_CARDS
from pokerlab.cards.hand_classes import CLASS_OF_COMBO
from pokerlab.cards.ranges.range import Range
from pokerlab.cards.ranges.text import parse_range
from pokerlab.cards.ranges.writer import plain_text, range_text

THESIS = "A9o+,KTo+,QTo+,JTo,A4s+,K8s+,Q9s+,J9s+,T9s,55+"
OUT_OF_POSITION = "66+,A8s+,A5s-A4s,AJo+,K9s+,KQo,QTs+,JTs,96s+,85s+,75s+,65s,54s"
IN_POSITION = "QQ-22,AQs-A2s,ATo+,K5s+,KJo+,Q8s+,J8s+,T7s+,96s+,86s+,75s+,64s+,53s+"

Weights = npt.NDArray[np.float64]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ""),
        ("random", "any"),
        ("random:0.5", "any:0.5"),
        ("AA:0", ""),
        ("AA,KK,QQ", "QQ+"),
        ("AA", "AA"),
        ("22,33,44,66", "66,44-22"),
        ("AKs,AKo", "AK"),
        ("AKs,AQs,AJs,AKo,AQo,AJo", "AJ+"),
        ("A9s,A8s,A7s", "A9s-A7s"),
        ("A2s+,ATo+", "A2s+,ATo+"),
        ("A2s+,A7s:0.5", "A8s+,A7s:0.5,A6s-A2s"),
        ("A2+,A2o+:0.25", "A2s+,A2o+:0.25"),
        ("random,AhKd:0.5", "any,AhKd:0.5"),
        ("AKs,AKo:0.5,AhKd", "AKs,AKo:0.5,AhKd"),
        ("AhKh,AsKs,AdKd", "AKs,AcKc:0"),
        ("AsAh,AsAd", "AsAd,AsAh"),
        ("AA:0.5,QQ:0.5", "AA:0.5,QQ:0.5"),
        ("32s,32o", "32"),
    ],
)
def test_known_texts(text: str, expected: str) -> None:
    weights = parse_range(text)
    assert range_text(weights) == expected
    np.testing.assert_array_equal(parse_range(expected), weights)


@pytest.mark.parametrize("text", [THESIS, OUT_OF_POSITION, IN_POSITION])
def test_never_longer_than_what_a_person_wrote(text: str) -> None:
    written = range_text(parse_range(text))
    assert len(written) <= len(text)
    np.testing.assert_array_equal(parse_range(written), parse_range(text))


def check(weights: Weights) -> None:
    hands = Range(weights)
    assert Range(str(hands)) == hands
    assert Range(plain_text(weights)) == hands
    assert len(str(hands)) <= len(plain_text(weights))


weight = st.one_of(st.sampled_from([0.0, 1.0, 0.5, 0.25]), st.floats(0, 1))


@st.composite
def class_grids(draw: st.DrawFn) -> Weights:
    """Weights by class, in runs as people write them, with some noise."""
    palette = draw(st.lists(weight, min_size=1, max_size=6))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    keep = draw(st.sampled_from([0.0, 0.5, 0.8, 0.95]))
    grid = rng.choice(palette, 169)
    for number in range(1, 169):
        if rng.random() < keep:
            grid[number] = grid[number - 1]
    return np.ascontiguousarray(grid[CLASS_OF_COMBO])


@settings(max_examples=100, deadline=None)
@given(
    class_grids(),
    st.dictionaries(st.integers(0, 1325), weight, max_size=40),
    st.sets(st.integers(0, 51), max_size=3),
)
def test_every_range_reads_back(weights: Weights, others: dict[int, float], dead: set[int]) -> None:
    for combo, own in others.items():
        weights[combo] = own
    weights[np.isin(COMBO_CARDS, list(dead)).any(axis=1)] = 0.0
    check(weights)


@pytest.mark.parametrize("seed", range(3))
def test_noise_reads_back(seed: int) -> None:
    rng = np.random.default_rng(seed)
    check(rng.random(1326))
    check(rng.integers(0, 2, 1326).astype(float))
    check((rng.random(1326) < 0.9).astype(float))
    check(np.where(rng.random(1326) < 0.03, rng.random(1326), 0.0))

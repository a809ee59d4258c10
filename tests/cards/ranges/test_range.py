"""`Range`: construction, questions, set operations, bad input."""

import copy
import pickle
import subprocess
import sys

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokerlab.cards.codes import COMBO_CARDS, combo_index, parse_cards
from pokerlab.cards.ranges.range import Range

HANDS = Range("77+, A5s-A2s, AKs, AKo:0.5, AhKd")


@st.composite
def ranges(draw: st.DrawFn) -> Range:
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    weights = rng.choice([0.0, 0.25, 0.5, 1.0], 1326)
    return Range(weights)


def test_weights_stand_in_the_order_of_combo_numbers() -> None:
    hands = Range("AhKd:0.25, 2d2c")
    assert hands.weights[combo_index(*parse_cards("AhKd"))] == 0.25
    assert hands.weights[0] == 1
    assert hands.indices.tolist() == sorted([0, combo_index(*parse_cards("AhKd"))])
    assert hands.weights.dtype == np.float64
    assert hands.weights.shape == (1326,)


def test_a_range_never_changes() -> None:
    given_weights = np.full(1326, 0.5)
    hands = Range(given_weights)
    given_weights[:] = 1
    assert hands.combos == 663
    with pytest.raises(ValueError, match="read-only"):
        hands.weights[0] = 1
    with pytest.raises(AttributeError):
        hands.combos = 3  # type: ignore[misc]


def test_a_range_of_a_range_is_equal() -> None:
    assert Range(HANDS) == HANDS
    assert Range(HANDS.weights.tolist()) == HANDS
    assert Range() == Range("") == Range(np.zeros(1326))


def test_counting() -> None:
    assert (HANDS.combos, HANDS.count) == (74.5, 80)
    assert (Range().combos, Range().count) == (0, 0)
    assert (Range("any:0.5").combos, Range("any").count) == (663, 1326)
    assert HANDS
    assert not Range("AA:0")


def test_weight_of_a_combo_and_of_classes() -> None:
    assert HANDS.weight("AhKd") == 1
    assert HANDS.weight("AsKd") == 0.5
    assert HANDS.weight("A2s+") == 5 / 12
    with pytest.raises(ValueError, match="'' names no hand; write one such as AhKd"):
        HANDS.weight("")


def test_contains() -> None:
    assert "AhKd" in HANDS
    assert "AK" in HANDS
    assert "QQ+, A2s" in HANDS
    assert "66+" not in HANDS
    assert Range("QQ+") in HANDS


def test_iteration_gives_combos_with_their_weights() -> None:
    assert dict(Range("AhKd:0.25, 2d2c, AA:0")) == {"AhKd": 0.25, "2d2c": 1.0}
    assert sum(weight for _, weight in HANDS) == HANDS.combos


def test_class_weights() -> None:
    grid = Range("AA, AhKh, AKo:0.5, 32s:0.25").class_weights()
    assert grid.shape == (13, 13)
    assert (grid[0, 0], grid[0, 1], grid[1, 0], grid[11, 12]) == (1, 0.25, 0.5, 0.25)
    assert np.count_nonzero(grid) == 4


def test_removal_of_dead_cards() -> None:
    assert Range("AA").remove("AsAd") == Range("AhAc")
    assert Range("AA").remove([51]) == Range("AA").remove("As")
    assert Range("any").remove("Td9d6h").count == 49 * 48 // 2
    assert HANDS.remove("") == HANDS
    with pytest.raises(ValueError, match="'x' is not a suit"):
        HANDS.remove("Ax")


def test_set_operations_on_text() -> None:
    assert Range("QQ+") & "KK-JJ" == Range("KK-QQ")
    assert Range("QQ+:0.5") | "KK" == Range("QQ+:0.5, KK")
    assert Range("QQ+") - "KK" == Range("AA, QQ")
    assert Range("QQ+") - "KK:0.25" == Range("AA, KK:0.75, QQ")
    assert ~Range("AA") == Range("any, AA:0")
    assert (
        Range("AA") * 0.5 == 0.5 * Range("AA") == np.float64(0.5) * Range("AA") == Range("AA:0.5")
    )


@given(ranges(), ranges())
def test_set_laws(first: Range, second: Range) -> None:
    assert first & second == second & first
    assert first | second == second | first
    assert ~(first & second) == ~first | ~second
    assert ~~first == first
    assert not first - first
    assert first - second == first - (first & second)
    assert (first & second).combos + (first | second).combos == first.combos + second.combos
    assert (first & second) in first


@given(ranges(), st.sets(st.integers(0, 51), max_size=5))
def test_removal_keeps_all_other_combos(hands: Range, dead: set[int]) -> None:
    held = np.isin(COMBO_CARDS, list(dead)).any(axis=1)
    left = hands.remove(dead)
    assert not left.weights[held].any()
    np.testing.assert_array_equal(left.weights[~held], hands.weights[~held])


def test_equality_and_hash() -> None:
    same = Range("AKs, QQ+")
    assert same == Range("QQ+, AKs")
    assert hash(same) == hash(Range("QQ+, AKs"))
    assert same != Range("QQ+")
    assert same != "QQ+,AKs"
    assert len({same, Range("QQ+, AKs"), Range("QQ+")}) == 2
    zero = Range(np.full(1326, -0.0))
    assert (zero, hash(zero), str(zero)) == (Range(), hash(Range()), "")


def test_text() -> None:
    assert str(HANDS) == "77+,AKs,AKo:0.5,A5s-A2s,AhKd"
    assert eval(repr(HANDS), {"Range": Range}) == HANDS
    assert Range(HANDS.plain_text()) == HANDS
    assert Range("QQ+, AhKd").plain_text() == "AA,KK,QQ,AhKd"


def test_copies_are_equal_and_read_only() -> None:
    for other in (copy.copy(HANDS), copy.deepcopy(HANDS), pickle.loads(pickle.dumps(HANDS))):
        assert other == HANDS
        assert not other.weights.flags.writeable


@pytest.mark.parametrize(
    ("hands", "message"),
    [
        ("AKx", "bad range item 1 'AKx'"),
        (np.zeros(1325), r"a range has 1326 weights, not an array of shape \(1325,\)"),
        (np.zeros((13, 13)), r"not an array of shape \(13, 13\)"),
        (0.5, r"not an array of shape \(\)"),
        (["AA"], "a range is text, a Range or 1326 weights, not list"),
        (None, "a range has 1326 weights|a range is text"),
        ({"AA": 1}, "a range is text, a Range or 1326 weights, not dict"),
        (np.zeros(1326, complex), "a range has weights from 0 to 1, not complex numbers"),
        (np.full(1326, np.nan), r"weight nan of 2d2c \(combo 0\) is outside 0 to 1"),
    ],
)
def test_bad_input(hands: object, message: str) -> None:
    with pytest.raises(ValueError, match=message) as caught:
        Range(hands)  # type: ignore[arg-type]
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("weight", [-0.1, 1.0000001, np.inf, -np.inf, np.nan])
def test_bad_weights_name_the_combo(weight: float) -> None:
    weights: npt.NDArray[np.float64] = np.zeros(1326)
    weights[1325] = weight
    with pytest.raises(ValueError, match=r"of AsAh \(combo 1325\) is outside 0 to 1"):
        Range(weights)


@pytest.mark.parametrize("factor", [-0.5, 1.5, float("nan")])
def test_bad_factors(factor: float) -> None:
    with pytest.raises(ValueError, match="is multiplied by a number from 0 to 1, not by"):
        HANDS * factor
    with pytest.raises(TypeError):
        HANDS * "AA"  # type: ignore[operator]


def test_import_needs_neither_numba_nor_rich() -> None:
    program = (
        "import sys, pokerlab.cards.ranges.range as r; str(r.Range('AA'));"
        "sys.exit(any(name in sys.modules for name in ('numba', 'rich', 'scipy')))"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0

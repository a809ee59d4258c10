"""Whole chips and plain numbers."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokerlab.games.betting_trees.chips import read_amount, read_number, round_half_up, write_number


@given(pot=st.integers(1, 10**6), percent=st.integers(1, 5000))
def test_halves_go_up_whatever_the_last_bits_say(pot: int, percent: int) -> None:
    exact = Fraction(pot * percent, 100)
    assert round_half_up(pot * percent / 100) == (2 * exact + 1) // 2


@given(st.floats(0, 1e15, allow_nan=False))
def test_numbers_round_trip(number: float) -> None:
    text = write_number(number)
    assert read_number(text) == number
    assert not text.endswith(".") and "e" not in text


@pytest.mark.parametrize("text", ["", ".", "-1", "+1", "1e3", "nan", "inf", "1 0", "٣", "9" * 400])
def test_other_texts_are_not_numbers(text: str) -> None:
    assert read_number(text) is None


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -1, 10**10, "5b", True, None, [5]])
def test_what_is_not_a_number_of_chips_is_named(value: object) -> None:
    with pytest.raises(ValueError, match=r"^pot: .* is not a number of chips from 0 to 1000000000"):
        read_amount("pot", value)


@given(st.integers(0, 10**9), st.integers(1, 1000))
def test_amounts_are_exact(thousandths: int, blind: int) -> None:
    chips = thousandths / 1000
    assert read_amount("pot", chips) == read_amount("pot", f"{chips:.3f}") == chips
    whole = thousandths // 1000
    assert read_amount("pot", f"{whole}bb", blind / 1000) == whole * blind / 1000

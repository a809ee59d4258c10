"""Sixteen lanes at once, against NumPy, on this processor and compiled for lesser ones."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from numba import njit
from numba.extending import intrinsic
from tests.holdem.spots.two_numbers import second_numbers, two_numbers

from pokerlab.engine.cpu.kernels.float_mode_kernels import flush_denormals, restore_mode
from pokerlab.runtime import vector_kernels
from pokerlab.runtime.jit import kernel
from pokerlab.runtime.vector_kernels import (
    COLUMNS,
    FLUSHING,
    IS_ARM64,
    IS_X86,
    LANES,
    choose,
    gather,
    larger,
    load,
    load_as,
    load_second,
    place_at,
    place_in,
    positive,
    prefetch,
    read_places,
    read_starts,
    settle,
    splat,
    store,
    store_all,
    store_by_turns,
    store_two,
    take_near,
    transpose_from_rows,
    transpose_to_rows,
)

FLOATS = [np.float32, np.float64]
LARGEST_HALF = 65504.0


@kernel
def operate(left, right, test, number, out):
    first, second, tested = load(left, 0), load(right, 0), load(test, 0)
    store(out, 0, first + second)
    store(out, 16, first - second)
    store(out, 32, first * second)
    store(out, 48, first / second)
    store(out, 64, positive(tested))
    store(out, 80, choose(tested, first, second))
    store(out, 96, larger(first, second))
    store(out, 112, splat(number))
    total = first
    total += second
    store(out, 128, total)
    store(out, 144, first * second + tested)


@kernel
def copy(source, start, out, place):
    prefetch(source, start, 64)
    store(out, place, load(source, start))


@kernel
def copy_as(source, start, like, out, place):
    store(out, place, load_as(source, start, load(like, 0)))


@kernel
def copy_all(source, like, out):
    for place in range(0, source.size, 16):
        store(out, place, load_as(source, place, load(like, 0)))


@kernel
def write_two(numbers, first, mark, out):
    store_two(out, 1, load(numbers, 0), load(first, 0), mark)


@kernel
def write_and_read_two(numbers, first, out, words):
    """By marks that are constants, as in most kernels: 0 in the first row, 1 in the second."""
    store_two(words, 0, load(numbers, 0), load(first, 0), 0)
    store_two(words, LANES, load(numbers, 0), load(first, 0), 1)
    store(out, 0, load_second(words, LANES, load(numbers, 0), 0))
    store(out, LANES, load_second(words, LANES, load(numbers, 0), 1))


@kernel
def write_by_turns(numbers, row, turn, out):
    for column in range(0, numbers.size, 16):
        store_by_turns(out, row, column, load(numbers, column), turn)


@kernel
def read_second(source, mark, like, out):
    store(out, 0, load_second(source, 1, load(like, 0), mark))


@kernel
def halve(source, out):
    store(out, 0, load(source, 0) * splat(source.dtype.type(0.5)))


@kernel
def decide(test, above, otherwise, out):
    store(out, 0, positive(load(test, 0)))
    store(out, 16, choose(load(test, 0), load(above, 0), load(otherwise, 0)))


@kernel
def from_rows(source, starts, first, column, out, place):
    rows = read_starts(starts, first)
    for number in range(0, LANES, COLUMNS):
        lanes = transpose_from_rows(source, rows, first, column + number)
        store_all(out, place + number * LANES, lanes)


@kernel
def to_rows(source, places, out, starts, first, column):
    rows = read_starts(starts, first)
    for number in range(0, LANES, COLUMNS):
        lanes = load_four(source, places, number)
        if COLUMNS > 4:
            lanes = (
                lanes
                + load_four(source, places, 4)
                + load_four(source, places, 8)
                + load_four(source, places, 12)
            )
        transpose_to_rows(lanes, out, rows, first, column + number)


@kernel
def load_four(source, places, number):
    read = read_places(places, number)
    return (
        settle(load(source, place_at(places, number))),
        settle(load(source, place_in(places, read, 1))),
        settle(load(source, place_in(places, read, 2))),
        settle(load(source, place_in(places, read, 3))),
    )


@kernel
def look_up(source, start, places, index, out):
    store(out, 0, gather(source, start, places, index))
    store(out, LANES, take_near(source, start, places, index + LANES))


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(1)


@pytest.fixture(params=["kept", "flushed"])
def mode(request):
    """Denormal numbers as they are, and as zeros."""
    before = flush_denormals() if request.param == "flushed" else None
    yield request.param
    if before is not None:
        restore_mode(before)


@pytest.mark.parametrize("kind", FLOATS)
def test_operations(kind, rng):
    for _ in range(50):
        left, right, test = rng.normal(size=(3, LANES)).astype(kind)
        test[:3] = 0.0, -0.0, np.finfo(kind).tiny
        left[5] = right[5]
        number = kind(rng.normal())
        out = np.empty(160, kind)
        operate(left, right, test, number, out)
        expected = [
            left + right,
            left - right,
            left * right,
            left / right,
            np.maximum(test, 0),
            np.where(test > 0, left, right),
            np.maximum(left, right),
            np.full(LANES, number),
            left + right,
        ]
        np.testing.assert_array_equal(out[:144].reshape(9, LANES), expected)
        # A product and a sum may be rounded once or twice.
        close = 2 * np.finfo(kind).eps * (abs(left * right) + abs(test))
        assert (abs(out[144:] - (left * right + test)) <= close).all()


def test_a_division_by_zero_stays_in_its_lane():
    left, right = np.ones(LANES), np.arange(LANES, dtype=float)
    out = np.empty(160)
    operate(left, right, right, 1.0, out)
    assert np.isinf(out[48])
    np.testing.assert_array_equal(out[49:64], 1 / right[1:])


@pytest.mark.parametrize("kind", FLOATS)
def test_loads_and_stores_at_any_place(kind, rng):
    source = rng.normal(size=64).astype(kind)
    for start, place in [(0, 0), (3, 5), (47, 1), (48, 48)]:
        out = np.full(64, 7, kind)
        copy(source, start, out, place)
        expected = np.full(64, 7, kind)
        expected[place : place + LANES] = source[start : start + LANES]
        np.testing.assert_array_equal(out, expected)


@pytest.mark.parametrize("stored", FLOATS)
@pytest.mark.parametrize("computed", FLOATS)
@pytest.mark.parametrize("written", FLOATS)
def test_precisions_are_converted(stored, computed, written, rng):
    source = (rng.normal(size=LANES + 1) * 1e3).astype(stored)
    out = np.zeros(LANES + 1, written)
    copy_as(source, 1, np.zeros(LANES, computed), out, 1)
    np.testing.assert_array_equal(out[1:], source[1:].astype(computed).astype(written))
    assert out[0] == 0


def all_halves() -> np.ndarray:
    """Every finite half, as bits."""
    bits = np.arange(1 << 16, dtype=np.uint16)
    return bits[np.isfinite(bits.view(np.float16))]


@pytest.mark.parametrize("kind", FLOATS)
def test_every_half_is_read_and_written_back(kind, mode):
    bits = all_halves()
    numbers = np.empty(len(bits), kind)
    copy_all(bits, np.zeros(LANES, kind), numbers)
    np.testing.assert_array_equal(numbers, bits.view(np.float16).astype(kind))
    assert np.signbit(numbers[bits == 0x8000])
    back = np.empty(len(bits), np.uint16)
    copy_all(numbers, numbers, back)
    np.testing.assert_array_equal(back, bits)
    copy_all(bits, np.zeros(LANES, kind), back)
    np.testing.assert_array_equal(back, bits)


def test_halves_by_integers_are_those_of_the_processor(monkeypatch, rng):
    """What processors without conversions do, on any machine."""
    monkeypatch.setattr(vector_kernels, "_has", lambda feature: False)
    monkeypatch.setattr(vector_kernels, "IS_ARM64", False)
    convert, cut = njit(copy_all.py_func), njit(write_by_turns.py_func)
    bits = all_halves()
    singles = bits.view(np.float16).astype(np.float32)
    anything = rng.integers(0, 1 << 32, 1 << 16, np.uint32).view(np.float32)
    anything[::2] = rng.choice([-1, 1], 1 << 15) * 2.0 ** rng.uniform(-27, 17, 1 << 15)
    anything = anything[np.isfinite(anything)]
    anything = anything[: len(anything) // LANES * LANES]
    before = flush_denormals()
    try:
        numbers, back = np.empty(len(bits), np.float32), np.empty(len(bits), np.uint16)
        convert(bits, numbers, numbers)
        convert(singles, singles, back)
        nearest, turned, expected = np.empty((3, len(anything)), np.uint16)
        convert(anything, anything, nearest)
        cut(anything, 0, 5, turned)
    finally:
        restore_mode(before)
    np.testing.assert_array_equal(numbers.view(np.uint32), singles.view(np.uint32))
    np.testing.assert_array_equal(back, bits)
    limited = np.clip(anything, -LARGEST_HALF, LARGEST_HALF)
    np.testing.assert_array_equal(nearest, limited.astype(np.float16).view(np.uint16))
    write_by_turns(anything, 0, 5, expected)
    np.testing.assert_array_equal(turned, expected)


KINDS = {np.float16: (np.uint16, np.float32), np.float32: 2 * (np.float32,)}
KINDS[np.float64] = 2 * (np.float64,)
"""Numbers by how they are stored: what an array of them is, and what is computed in."""

sizes = st.floats(-14, 15).map(lambda power: 2.0**power)
amounts = st.one_of(st.just(0.0), sizes, sizes.map(lambda size: -size))


@pytest.mark.parametrize("kind", KINDS)
@given(st.lists(st.tuples(amounts, amounts), min_size=LANES, max_size=LANES))
@example(
    [(-3.0, 0.5), (-3.0, -0.5), (3.0, 0.5), (0.0, 0.5), (0.0, 0.0), (-1e-3, 7e-5)] * 2
    + [(1.001, 1.0)] * 4
)
def test_two_numbers_in_one_place(kind, pairs):
    check_two_numbers(kind, pairs)


def check_two_numbers(kind, pairs):
    array, lanes = KINDS[kind]
    numbers, first = np.array(pairs).T.astype(kind)
    stored = np.full(LANES + 2, 7, kind)
    write_two(numbers.astype(lanes), first.astype(lanes), 1, stored.view(array))
    assert stored[0] == stored[-1] == 7
    kept = stored[1:-1]
    np.testing.assert_array_equal(kept, two_numbers(numbers, first))
    seconds = np.empty(LANES, lanes)
    read_second(stored.view(array), 1, np.zeros(LANES, lanes), seconds)
    np.testing.assert_array_equal(seconds, second_numbers(kept))

    # What everybody counts on: who reads a place sees the first number, and the second is there.
    two = (numbers <= 0) & (first > 0)
    np.testing.assert_array_equal(kept > 0, two | (numbers > 0))
    assert (kept[two] >= first[two] * 0.66).all() and (kept[two] < first[two] * 1.5).all()
    close = 2 * np.finfo(kind).eps
    np.testing.assert_allclose(seconds[~two], numbers[~two], rtol=close)
    assert (seconds[two] <= 0).all() and (seconds[two] >= numbers[two] * (1 + close)).all()
    assert (seconds[two] <= numbers[two] * (0.88 if kind == np.float16 else 0.999)).all()

    write_two(numbers.astype(lanes), np.zeros(LANES, lanes), 0, stored.view(array))
    np.testing.assert_array_equal(stored[1:-1], numbers)
    read_second(stored.view(array), 0, np.zeros(LANES, lanes), seconds)
    np.testing.assert_array_equal(seconds, numbers)


@pytest.mark.parametrize("kind", KINDS)
def test_marks_that_are_constants_are_marks(kind, rng):
    array, lanes = KINDS[kind]
    numbers, first = (rng.choice([-1, 0, 1], LANES) * rng.random(LANES) for _ in range(2))
    numbers, first = numbers.astype(lanes), first.astype(lanes)
    words, expected = np.zeros(2 * LANES, array), np.zeros((2, LANES + 2), array)
    out, seconds = np.zeros(2 * LANES, lanes), np.zeros((2, LANES), lanes)
    write_and_read_two(numbers, first, out, words)
    for mark in range(2):
        write_two(numbers, first, mark, expected[mark])
    for mark in range(2):
        read_second(expected[1], mark, numbers, seconds[mark])
    np.testing.assert_array_equal(
        words.view(WORDS[kind]), expected[:, 1:-1].flatten().view(WORDS[kind])
    )
    np.testing.assert_array_equal(out, seconds.flatten())


@pytest.mark.skipif(not IS_ARM64, reason="another processor")
def test_two_numbers_take_eleven_instructions_on_arm():
    numbers, words = np.zeros(LANES, np.float32), np.zeros(2 * LANES, np.float32)
    both = njit(write_and_read_two.py_func)
    both(numbers, numbers, words.copy(), words)
    (code,) = both.inspect_asm().values()
    found = re.findall(r"\t(?:cm\w+|shl|ushr|bi[cft]|bsl|and|orr)\s+v", code)
    assert len(found) == (4 + 7) * 4  # and with a mark of 0 there are none


WORDS = {np.float16: np.uint16, np.float32: np.uint32, np.float64: np.uint64}
MODES = ["kept", "flushed"]


def bit_patterns(kind) -> st.SearchStrategy:
    """Words of numbers: those at the ends of all ranges, and any other but that of no number."""
    limits, word = np.finfo(kind), WORDS[kind]
    ends = [0.0, limits.smallest_subnormal, limits.smallest_normal, limits.max, np.inf, 1.0]
    ends += [limits.smallest_normal - limits.smallest_subnormal, limits.smallest_normal * 1.5]
    numbers = np.array([sign * end for end in ends for sign in (1, -1)], kind)
    words = st.integers(0, int(np.iinfo(word).max))
    # Few bits in the exponent: denormal numbers and their neighbours.
    small = words.map(
        lambda bits: bits & ~(int(np.iinfo(word).max) >> 1 & ~(2 << limits.nmant) + 1)
    )
    chosen = st.one_of(st.sampled_from([int(each.view(word)) for each in numbers]), words, small)
    return chosen.filter(lambda bits: not np.isnan(np.array(bits, word).view(kind)))


def in_mode(mode, call, *arguments):
    before = flush_denormals() if mode == "flushed" else None
    try:
        call(*arguments)
    finally:
        if before is not None:
            restore_mode(before)


@pytest.mark.parametrize("kind", KINDS)
@given(st.data())
def test_two_numbers_of_any_bits_are_the_same_in_all_modes(kind, data):
    array, lanes = KINDS[kind]
    words = st.lists(bit_patterns(kind), min_size=LANES, max_size=LANES)
    numbers, first, source = (np.array(data.draw(words), WORDS[kind]).view(kind) for _ in range(3))
    # What an action is tried with is never infinite, nor is a number that is to become a half.
    limits = np.finfo(kind)
    first = np.clip(first, limits.min, limits.max)
    if kind == np.float16:
        numbers = np.clip(numbers, limits.min, limits.max)
    for mark in (0, 1):
        stored = [np.zeros(LANES + 2, kind) for _ in MODES]
        seconds = [np.zeros(LANES, lanes) for _ in MODES]
        for place, mode in enumerate(MODES):
            out = stored[place].view(array)
            in_mode(mode, write_two, numbers.astype(lanes), first.astype(lanes), mark, out)
            there = np.concatenate([[0], source, [0]]).astype(kind).view(array)
            in_mode(mode, read_second, there, mark, np.zeros(LANES, lanes), seconds[place])
        np.testing.assert_array_equal(stored[0].view(WORDS[kind]), stored[1].view(WORDS[kind]))
        np.testing.assert_array_equal(seconds[0], seconds[1])
        assert not np.isnan(stored[0]).any()
        if mark:
            if kind != np.float16:
                np.testing.assert_array_equal(stored[0][1:-1], two_numbers(numbers, first))
            # Whatever stands in front of it, a number comes back; a denormal one as nearly nothing.
            found = np.zeros(LANES, lanes)
            read_second(stored[0].view(array), 1, np.zeros(LANES, lanes), found)
            is_normal = abs(numbers) >= limits.smallest_normal
            finite = np.clip(numbers, limits.min, limits.max)[is_normal & np.isfinite(numbers)]
            close = 0.13 if kind == np.float16 else 1e-3
            np.testing.assert_allclose(found[is_normal & np.isfinite(numbers)], finite, rtol=close)
            assert (abs(found[~is_normal]) < limits.smallest_normal * 1.01).all()


@pytest.mark.parametrize("kind", FLOATS)
@given(st.data())
def test_decisions_take_denormals_for_zeros_in_all_modes(kind, data):
    words = st.lists(bit_patterns(kind), min_size=LANES, max_size=LANES)
    test = np.array(data.draw(words), WORDS[kind]).view(kind)
    above, otherwise = np.full(LANES, 3, kind), np.full(LANES, 5, kind)
    is_above = test >= np.finfo(kind).smallest_normal
    for mode in MODES:
        out = np.zeros(2 * LANES, kind)
        in_mode(mode, decide, test, above, otherwise, out)
        np.testing.assert_array_equal(out[:LANES], np.where(is_above, test, 0))
        np.testing.assert_array_equal(out[LANES:], np.where(is_above, 3, 5))


def test_a_first_number_too_small_for_full_precision_is_none():
    numbers, first = np.full(LANES, -2.0, np.float32), np.full(LANES, 2.0**-15, np.float32)
    stored = np.zeros(LANES + 2, np.float16)
    write_two(numbers, first, 1, stored.view(np.uint16))
    np.testing.assert_array_equal(stored[1:-1], numbers)


def written_as_half(numbers: np.ndarray) -> np.ndarray:
    out = np.empty(len(numbers), np.uint16)
    copy_all(numbers, numbers, out)
    return out


def test_numbers_are_rounded_to_the_nearest_half(rng):
    sign = rng.choice([-1, 1], 1 << 16)
    numbers = (sign * 2.0 ** rng.uniform(-14, 15.99, 1 << 16)).astype(np.float32)
    halves = numbers.astype(np.float16)
    np.testing.assert_array_equal(written_as_half(numbers), halves.view(np.uint16))
    # Ties: in the middle between two neighbours, the even one.
    bits = all_halves()
    bits = bits[(bits & 0x7FFF >= 0x0400) & (bits & 0x7FFF < 0x7BFF)]
    bits = bits[: len(bits) // LANES * LANES]
    here, above = (each.view(np.float16).astype(np.float32) for each in (bits, bits + 1))
    middle = (here + above) / 2
    np.testing.assert_array_equal(
        written_as_half(middle), middle.astype(np.float16).view(np.uint16)
    )


def test_denormal_halves_are_the_nearest(rng, mode):
    numbers = (rng.choice([-1, 1], 1 << 16) * 2.0 ** rng.uniform(-30, -14, 1 << 16)).astype(
        np.float32
    )
    expected = numbers.astype(np.float16).view(np.uint16)
    np.testing.assert_array_equal(written_as_half(numbers), expected)


def test_numbers_too_large_for_a_half_become_the_largest():
    numbers = np.array([65504, 65519, 65520, 7e4, 1e10, 3e38, np.inf, 65500] * 2, np.float32)
    numbers[8:] *= -1
    expected = np.clip(numbers, -LARGEST_HALF, LARGEST_HALF).astype(np.float16)
    np.testing.assert_array_equal(written_as_half(numbers).view(np.float16), expected)


def test_a_double_too_large_for_a_half_becomes_the_largest():
    numbers = np.array([1e300, -1e300, 1e5, -1e5, 1.5, 1e-300, -1e-300, 0.0] * 2)
    expected = np.clip(numbers, -LARGEST_HALF, LARGEST_HALF).astype(np.float16)
    np.testing.assert_array_equal(written_as_half(numbers).view(np.float16), expected)


@pytest.mark.skipif(not FLUSHING, reason="a processor whose modes we do not know")
def test_denormals_are_flushed_on_demand_only():
    assert IS_X86 or IS_ARM64
    source = np.full(LANES, 1e-40, np.float32)
    out = np.ones(LANES, np.float32)
    mode = flush_denormals()
    halve(source, out)
    restore_mode(mode)
    assert (out == 0).all()
    halve(source, out)
    assert (out == source / 2).all() and (out > 0).all()
    assert np.float32(1e-40) * np.float32(0.5) > 0  # the thread is as it was before


def test_modes_are_those_of_a_thread_and_come_back():
    outer = flush_denormals()
    inner = flush_denormals()
    assert inner == outer | FLUSHING
    restore_mode(inner)
    assert flush_denormals() == inner
    restore_mode(outer)
    assert flush_denormals() == outer
    restore_mode(outer)


def rounded_in_turns(numbers: np.ndarray, turns: int) -> np.ndarray:
    """A row for each turn: what is stored of the numbers."""
    stored = np.zeros((turns, len(numbers) + 3), np.uint16)
    for turn in range(turns):
        write_by_turns(numbers, 3, turn, stored[turn])
    assert (stored[:, :3] == 0).all()
    return stored[:, 3:].view(np.float16).astype(np.float64)


def test_halves_are_right_on_average_over_turns(rng):
    numbers = (2.0 ** rng.uniform(-14, 15.9, 64 * LANES)).astype(np.float32)
    rounded = rounded_in_turns(numbers, 1000)
    below = numbers.astype(np.float16)
    below = np.where(below > numbers, np.nextafter(below, np.float16(0)), below)
    unit = np.spacing(below).astype(float)
    # Always one of the two neighbours, and together off by less than a hundredth of their distance:
    # thirty times less than by chance.
    assert ((rounded == below) | (rounded == below + unit)).all()
    off = (rounded.mean(axis=0) - numbers) / unit
    assert abs(off).max() < 0.01
    # So they are over any stretch of turns, and lanes do not all go up together.
    assert abs((rounded[300:400].mean(axis=0) - numbers) / unit).max() < 0.05
    up = (rounded - below) / unit
    middle = abs((numbers - below) / unit - 0.5) < 0.1
    together = up[:, middle].mean(axis=1)
    assert together.min() > 0.3 and together.max() < 0.7


def test_halves_stay_halves_and_finite_in_all_turns():
    numbers = np.array([0, 1, 1.5, 2.0**-14, 65504, 65519, 7e4, 3e38] * 2, np.float32)
    expected = np.minimum(numbers, LARGEST_HALF).astype(np.float16)
    np.testing.assert_array_equal(rounded_in_turns(numbers, 50), [expected] * 50)


@pytest.mark.parametrize("kind", FLOATS)
def test_other_precisions_take_no_turns(kind, rng):
    numbers, stored = rng.random(LANES).astype(kind), np.zeros(LANES + 3, kind)
    for turn in range(3):
        write_by_turns(numbers, 3, turn, stored)
        np.testing.assert_array_equal(stored[3:], numbers)


def test_the_largest_halves_are_not_taken_for_two_numbers():
    numbers = np.array([65504, 65520, 7e4, 1e10] * 4, np.float32) * np.repeat([1, -1], 8)
    stored, seconds = np.zeros(LANES + 2, np.float16), np.zeros(LANES, np.float32)
    write_two(numbers.astype(np.float32), np.zeros(LANES, np.float32), 1, stored.view(np.uint16))
    read_second(stored.view(np.uint16), 1, seconds, seconds)
    np.testing.assert_array_equal(seconds, np.repeat([65472, -65472], 8))


@pytest.mark.parametrize("kind", FLOATS)
def test_transposes(kind, rng):
    source = rng.normal(size=2000).astype(kind)
    first, column, place = 3, 5, 7
    starts = rng.integers(0, 2000 - LANES - column, first + LANES)
    block = np.array(
        [source[start + column : start + column + LANES] for start in starts[first:]], kind
    )
    out = np.full(place + LANES * LANES + 2, 9, kind)
    from_rows(source, starts, first, column, out, place)
    expected = np.full_like(out, 9)
    for each in range(LANES):
        expected[place + LANES * each :][:LANES] = block[:, each]
    np.testing.assert_array_equal(out, expected)

    apart = rng.permutation(first + LANES) * 40  # rows that do not overlap
    back = np.full(2000, 9, kind)
    places = (place + LANES * np.arange(LANES)).astype(np.uint16)
    to_rows(out, places, back, apart, first, column)
    expected = np.full_like(back, 9)
    for row, start in enumerate(apart[first:]):
        expected[start + column :][:LANES] = block[row]
    np.testing.assert_array_equal(back, expected)


@pytest.mark.parametrize("as_array", [True, False])
def test_an_array_is_held_as_often_as_it_is_let_go(as_array, monkeypatch):
    """Whoever lets go of an array once too often writes into memory that others have."""
    monkeypatch.setattr(vector_kernels, "IS_ARM64", not as_array)
    read_afresh = intrinsic(read_starts._defn)  # what was compiled before is for one of the two

    @njit(no_cpython_wrapper=True)
    def last_start(starts, first):
        return read_afresh(starts, first)[LANES - 1]

    last_start.compile("intp(intp[::1], intp)")
    (code,) = last_start.inspect_llvm().values()
    assert code.count("call void @NRT_decref(") == code.count("call void @NRT_incref(")


@pytest.mark.parametrize("kind", FLOATS)
def test_look_ups(kind, rng):
    source = rng.normal(size=300).astype(kind)
    start, index = 5, 3
    near = rng.permutation(LANES)
    places = np.concatenate(([7] * index, rng.integers(0, 290, LANES), near)).astype(np.int32)
    out = np.zeros(2 * LANES, kind)
    look_up(source, start, places, index, out)
    np.testing.assert_array_equal(out, source[start + places[index:]])


@pytest.mark.skipif(not IS_X86, reason="names of registers")
def test_vectors_are_as_wide_as_the_processor_has_them():
    """Also makes sure that a test for a lesser processor really compiles for it."""

    @njit
    def add(left, right, out):
        store(out, 0, load(left, 0) + load(right, 0))

    numbers = np.ones(LANES, np.float32)
    add(numbers, numbers, numbers.copy())
    (code,) = add.inspect_asm().values()
    widest = max(re.findall(r"%([xyz])mm\d", code))
    processor = os.environ.get("NUMBA_CPU_NAME")
    assert widest == {"generic": "x", "haswell": "y"}.get(processor or "", widest)
    assert re.search(r"v?addps\s", code)


@pytest.mark.slow
@pytest.mark.parametrize(
    "processor",
    [
        "generic",
        pytest.param("haswell", marks=pytest.mark.skipif(not IS_X86, reason="another processor")),
    ],
)
def test_other_processors(processor, tmp_path):
    """All tests of the vectors and of their main user with the instructions of a lesser machine."""
    environment = os.environ | {
        "NUMBA_CPU_NAME": processor,
        # Without this, Numba adds the instructions of the machine at hand to those of the name.
        "NUMBA_CPU_FEATURES": "",
        "POKERLAB_CACHE": str(tmp_path),
    }
    here = Path(__file__)
    tests = [str(here), str(here.parent / "kernels" / "test_leaf_kernels.py")]
    options = ["-q", "-p", "no:cacheprovider", "-k", "not other_processors"]
    run = subprocess.run(
        [sys.executable, "-m", "pytest", *options, *tests],
        env=environment,
        cwd=here.parents[3],
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stdout

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokerlab.runtime import short_register_kernels as registers
from pokerlab.runtime.jit import kernel
from pokerlab.runtime.vector_kernels import IS_ARM64

pytestmark = pytest.mark.skipif(not IS_ARM64, reason="this is no ARM64 processor")
SIXTEEN = st.binary(min_size=16, max_size=16)
PLACES = SIXTEEN.map(lambda text: bytes(byte % 20 for byte in text))


@kernel
def bytes_by_instruction(left, right):
    """A row of 16 bytes for each instruction that works on bytes, and a mask of common bits."""
    a = registers.load_sixteen(left, 0)
    b = registers.load_sixteen(right, 0)
    results = (
        a + b,
        (a ^ b) | (a & b),
        registers.look_up_bytes(a, b),
        registers.quarter_bytes(a),
        registers.larger_bytes(a, b),
        registers.equal_bytes(a, b),
    )
    out = np.zeros((len(results), 16), np.uint8)
    for row, result in enumerate(results):
        _read(result, out[row])
    return out, registers.bytes_with(a, b)


@kernel
def _read(register, out):
    """Write the bytes of a register to zeros: nothing stores one, so it is asked bit by bit."""
    for bit in range(8):
        mask = registers.bytes_with(register, registers.splat_byte(np.uint8(1 << bit)))
        for place in range(16):
            out[place] |= ((mask >> np.uint64(4 * place)) & np.uint64(1)) << np.uint64(bit)


@kernel
def columns(rows, size):
    out = np.zeros((8, 16), np.uint8)
    for column, register in enumerate(registers.load_columns(rows, 1, size)):
        _read(register, out[column])
    return out


@kernel
def every_fourth(array):
    out = np.zeros(16, np.uint8)
    _read(registers.load_every_fourth(array, 1), out)
    return out


@kernel
def sums_of_three(table, places):
    tables = (
        registers.load_sixteen(table, 0),
        registers.load_sixteen(table, 16),
        registers.load_sixteen(table, 32),
        registers.load_sixteen(table, 48),
    )
    where = (
        registers.load_sixteen(places, 0),
        registers.load_sixteen(places, 16),
        registers.load_sixteen(places, 32),
    )
    out = np.zeros(8, np.uint64)
    for place, pair in enumerate(registers.add_look_ups(tables, where)):
        out[place] = pair
    return out


@given(SIXTEEN, SIXTEEN | PLACES)
def test_bytes(left, right):
    a, b = np.frombuffer(left, np.uint8), np.frombuffer(right, np.uint8)
    (added, united, found, quarters, larger, equal), mask = bytes_by_instruction(a, b)
    np.testing.assert_array_equal(added, a + b)
    np.testing.assert_array_equal(united, a | b)
    np.testing.assert_array_equal(found, np.where(b < 16, a[b % 16], 0))
    np.testing.assert_array_equal(quarters, a // 4)
    np.testing.assert_array_equal(larger, np.maximum(a, b))
    np.testing.assert_array_equal(equal, np.where(a == b, 255, 0))
    assert mask == sum(15 << 4 * place for place in range(16) if a[place] & b[place])


@pytest.mark.parametrize("size", [5, 6, 7, 8, 11])
def test_columns_of_rows(size):
    rows = np.random.default_rng(size).integers(256, size=1 + 16 * size + 8, dtype=np.uint8)
    starts = 1 + size * np.arange(16)
    np.testing.assert_array_equal(columns(rows, size), rows[starts + np.arange(8)[:, None]])


def test_every_fourth_byte():
    array = np.arange(70, dtype=np.uint8)
    assert every_fourth(array).tolist() == list(range(1, 65, 4))


@given(
    st.binary(min_size=64, max_size=64) | st.just(bytes([255] * 64)),
    st.lists(st.integers(0, 20), min_size=48, max_size=48),
)
def test_sums_of_numbers_looked_up(table, places):
    table = np.frombuffer(table, np.uint8)
    numbers = np.zeros(256, np.uint32)
    numbers[:16] = np.ascontiguousarray(table.reshape(4, 16).T).view("<u4").ravel()
    where = np.array(places, np.uint8)
    expected = numbers[where].reshape(3, 16).sum(axis=0, dtype=np.uint32)
    np.testing.assert_array_equal(sums_of_three(table, where).view(np.uint32), expected)

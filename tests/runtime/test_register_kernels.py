import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokerlab.runtime import register_kernels as registers
from pokerlab.runtime.jit import kernel

pytestmark = pytest.mark.skipif(
    not registers.has_byte_permutations(), reason="this processor has no byte permutations"
)
SIXTY_FOUR = st.binary(min_size=64, max_size=64)


@kernel
def bytes_by_instruction(left, right, out):
    """A row of 64 bytes for each instruction that works on bytes."""
    a = registers.load_numbers(left, 0)
    b = registers.load_numbers(right, 0)
    registers.store_numbers(out, 0, registers.permute_bytes(a, b))
    registers.store_numbers(out, 8, registers.larger_bytes(a, b))
    registers.store_numbers(out, 16, registers.smaller_bytes(a, b))
    return registers.zero_bytes(a)


@kernel
def numbers_by_instruction(left, right, words, out, stored):
    """A row of eight numbers for each instruction that works on numbers."""
    a = registers.load_numbers(left, 0)
    b = registers.load_numbers(right, 0)
    few = b & registers.splat_number(np.uint64(63))
    three = registers.splat_number(np.uint64(3))
    registers.store_numbers(out, 0, a + b)
    registers.store_numbers(out, 8, (a ^ b) | (a & b))
    registers.store_numbers(out, 16, a << few)
    registers.store_numbers(out, 24, a >> few)
    registers.store_numbers(out, 32, registers.rotate(a, few))
    registers.store_numbers(out, 40, registers.sum_bytes(a))
    registers.store_numbers(out, 48, registers.smaller_numbers(a, b))
    registers.store_numbers(out, 56, registers.gather_words(words, few))
    registers.store_numbers(out, 64, a - b)
    registers.store_numbers(out, 72, a * b)
    registers.store_numbers(out, 80, registers.multiply_low(a, b))
    registers.store_numbers(out, 88, registers.larger_numbers(a, b))
    registers.store_numbers(out, 96, registers.gather_numbers(left, few >> three))
    registers.store_numbers(out, 104, registers.gather_bytes(words.view(np.uint8), few))
    some = registers.numbers_with(a, b)
    registers.store_numbers(out, 112, registers.pack_numbers(a, some))
    registers.store_numbers(out, 120, registers.choose_numbers(some, a, b))
    registers.store_words(stored, 1, a)
    return some, registers.count_bits(some)


@given(SIXTY_FOUR, SIXTY_FOUR)
def test_bytes(left, right):
    a, b = np.frombuffer(left, np.uint8), np.frombuffer(right, np.uint8)
    out = np.zeros(24, np.uint64)
    zeros = bytes_by_instruction(a, b, out)
    permuted, larger, smaller = out.view(np.uint8).reshape(3, 64)
    np.testing.assert_array_equal(permuted, a[b & 63])
    np.testing.assert_array_equal(larger, np.maximum(a, b))
    np.testing.assert_array_equal(smaller, np.minimum(a, b))
    assert zeros == sum(1 << place for place in range(64) if a[place] == 0)


@given(SIXTY_FOUR, SIXTY_FOUR)
def test_numbers(left, right):
    a, b = np.frombuffer(left, np.uint64), np.frombuffer(right, np.uint64)
    words = np.arange(65, dtype=np.uint16) * np.uint16(1009)
    out = np.zeros((16, 8), np.uint64)
    stored = np.zeros(10, np.uint16)
    having, count = numbers_by_instruction(a, b, words, out.reshape(-1), stored)
    few, low = b & np.uint64(63), np.uint64(0xFFFFFFFF)
    has = (a & b) != 0
    text = words.tobytes()
    expected = [
        a + b,
        a | b,
        a << few,
        a >> few,
        [_rotated(*pair) for pair in zip(a, few, strict=True)],
        a.view(np.uint8).reshape(8, 8).sum(axis=1),
        np.minimum(a, b),
        words[few],
        a - b,
        a * b,
        (a & low) * (b & low),
        np.maximum(a, b),
        a[few >> np.uint64(3)],
        [int.from_bytes(text[place : place + 8], "little") for place in few.tolist()],
        [*a[has], *[0] * np.count_nonzero(~has)],
        np.where(has, a, b),
    ]
    for found, wanted in zip(out, expected, strict=True):
        assert found.tolist() == [int(number) for number in wanted]
    assert stored.tolist() == [0, *(a & np.uint64(0xFFFF)), 0]
    assert having == sum(1 << place for place in range(8) if has[place])
    assert count == np.count_nonzero(has)


def _rotated(number, bits):
    number, bits = int(number), int(bits)
    return (number << bits | number >> (64 - bits)) & (2**64 - 1)


@kernel
def some_bytes(array, start, wanted, out):
    registers.store_numbers(out, 0, registers.load_bytes(array, start, wanted))


@given(st.binary(min_size=1, max_size=64), st.integers(0, 2**64 - 1))
def test_only_wanted_bytes_are_loaded(data, wanted):
    array = np.frombuffer(data, np.uint8)
    wanted &= (1 << len(data)) - 1
    out = np.zeros(8, np.uint64)
    some_bytes(array, 0, np.uint64(wanted), out)
    expected = [byte if wanted >> place & 1 else 0 for place, byte in enumerate(data)]
    assert out.view(np.uint8).tolist() == expected + [0] * (64 - len(data))


@kernel
def lowest_bit(bits):
    return registers.trailing_zeros(bits)


@given(st.integers(0, 63), st.integers(0, 2**64 - 1))
def test_the_lowest_bit(place, above):
    assert lowest_bit(np.uint64((above << place | 1 << place) & (2**64 - 1))) == place

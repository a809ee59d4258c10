"""Random numbers inside kernels are those of SplitMix64 in plain Python."""

import numpy as np

from pokerlab.cards.random_kernels import next_below, next_bits, next_uniform

MASK = 2**64 - 1


def split_mix(state):
    while True:
        state = (state + 0x9E3779B97F4A7C15) & MASK
        mixed = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & MASK
        yield mixed ^ (mixed >> 31)


def test_the_generator_is_splitmix64():
    expected = split_mix(12345)
    state = np.array([12345], np.uint64)
    for _ in range(100):
        assert next_bits(state) == next(expected)
        assert next_uniform(state) == (next(expected) >> 11) / 2**53
        assert next_below(state, 52) == (next(expected) >> 32) * 52 >> 32

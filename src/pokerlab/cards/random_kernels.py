"""Random numbers inside kernels: splitmix64 (Steele, Lea and Flood, 2014).

The state is one unsigned 64-bit number in an array of length 1, so a kernel's random numbers
depend on its seed alone, never on threads. A number costs an addition, three shifts and two
multiplications, about 1 ns, and 8 bytes that are read and written.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from pokerlab.runtime.arrays import Uint64s
from pokerlab.runtime.jit import kernel

STEP = np.uint64(0x9E3779B97F4A7C15)
MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
MIX_2 = np.uint64(0x94D049BB133111EB)


@kernel
def next_bits(state: Uint64s) -> Any:
    """64 random bits."""
    state[0] += STEP
    return mix_bits(state[0])


@kernel
def mix_bits(state: Any) -> Any:
    """The 64 random bits of a state. The next state is greater by `STEP`."""
    mixed = (state ^ (state >> np.uint64(30))) * MIX_1
    mixed = (mixed ^ (mixed >> np.uint64(27))) * MIX_2
    return mixed ^ (mixed >> np.uint64(31))


@kernel
def next_uniform(state: Uint64s) -> float:
    """A random number in [0, 1) with 53 random bits."""
    return float(next_bits(state) >> np.uint64(11)) * 2.0**-53


@kernel
def next_below(state: Uint64s, bound: int) -> int:
    """A random integer in [0, bound), bound below 2**20; its bias is under 2**-12 per mille."""
    return int((next_bits(state) >> np.uint64(32)) * np.uint64(bound) >> np.uint64(32))

"""Operators on types of our own; what they compute is tested with each type."""

import numpy as np
import pytest
from numba import njit
from numba.core.errors import TypingError

from pokerlab.runtime.vector_kernels import LANES, load, store


@njit
def add_rows(left, right, out):
    store(out, 0, load(left, 0) + load(right, 0))


def test_an_operator_takes_two_values_of_one_type():
    for kind in (np.float32, np.float64):
        row, out = np.arange(LANES, dtype=kind), np.empty(LANES, kind)
        add_rows(row, row, out)
        np.testing.assert_array_equal(out, 2 * row)
    with pytest.raises(TypingError, match="No implementation of function"):
        add_rows(np.zeros(LANES, np.float32), np.zeros(LANES), out)

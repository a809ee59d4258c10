"""The mean of what several threads have learned.

A row costs 12 bytes read and written for each thread and once more for the common table.
"""

from __future__ import annotations

import numpy as np

from pokerlab.runtime.arrays import Singles
from pokerlab.runtime.jit import kernel


@kernel(makes_arrays=False)
def merge_tables(common: Singles, own: Singles, first: int, last: int) -> None:
    """Write the mean of the threads' tables to the common one and to all of them.

    Parameters
    ----------
    common
        (rows, actions).
    own
        (threads, rows, actions).
    first, last
        The rows to merge.
    """
    for row in range(first, last):
        for action in range(common.shape[1]):
            total = 0.0
            for thread in range(len(own)):
                total += own[thread, row, action]
            mean = np.float32(total / len(own))
            common[row, action] = mean
            for thread in range(len(own)):
                own[thread, row, action] = mean

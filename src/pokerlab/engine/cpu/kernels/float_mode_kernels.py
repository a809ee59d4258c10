"""Walks take denormal numbers for zeros: a mode of the thread while it walks.

Regrets that are discounted again and again become denormal, and then cost a hundred cycles each on
x86 (2.6 times an iteration late in a solve). No result may depend on the mode (`vector_kernels`
says how); with ``POKERLAB_DENORMALS=keep`` in the environment denormal numbers stay what they are,
which shows that it does not.
"""

from __future__ import annotations

import os

from pokerlab.runtime.jit import kernel
from pokerlab.runtime.vector_kernels import FLUSHING, change_float_mode

flushes = os.environ.get("POKERLAB_DENORMALS") != "keep"
"""Whether threads that begin to walk from now on flush denormal numbers to zero."""


@kernel(makes_arrays=False)
def _change(keep: int, add: int) -> int:
    return change_float_mode(keep, add)  # type: ignore[no-any-return]


def flush_denormals() -> int:
    """Take denormal numbers for zeros in this thread; the mode before, for `restore_mode`."""
    return _change(-1, FLUSHING) if flushes else _change(-1, 0)


def restore_mode(mode: int) -> None:
    """Compute in this thread as before."""
    _change(0, mode)

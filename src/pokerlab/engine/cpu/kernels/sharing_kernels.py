"""Work that several threads share, inside of kernels.

Threads that Python starts for each walk over a spot need half a millisecond to begin, and a walk
over a turn takes a tenth of that on sixteen cores. So threads stay in one kernel for many walks.
One of them *drives*: it gives an *order*, the address of what is to be done, and opens phase after
phase, of a known number of items. It takes items itself, and goes on when all are done. The others
*help*: they take items of the open phase for as long as there are some, and wait for the next.
Nobody waits for a helper that has not begun, so helpers may come late or never.

When the order is done, the driver returns to Python. Helpers stay a while, for the next order: they
would need milliseconds to come back, all through Python's one lock. They know what an order is made
of only while they have *joined* it, and the driver waits until all have left.

Each thread has a *share* of the items of a phase, the same in all walks, so that it finds in its
cache what it left there, and its items are neighbours, so that the next may be fetched early. A
thread that is done with its own share takes from those of others.

What threads share are a few integers (`make_counters`): for each share the open phase and how many
items were taken, in one word, so that an item is always one of the phase for which it was taken.
"""

# Numba's extension decorators carry no types in any release.
# mypy: disable-error-code="untyped-decorator, misc"

from __future__ import annotations

import sys
from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from pokerlab.runtime.arrays import Int64s
from pokerlab.runtime.intrinsics import element_pointer
from pokerlab.runtime.jit import kernel
from pokerlab.runtime.vector_kernels import IS_ARM64, IS_X86

_PHASE = 1 << 32
"""Phases are counted in the upper half of a word, items in the lower."""
_LINE = 8
"""Words in a cache line: each counter has one for itself."""
_DONE, _ORDER, _JOINED, _DISMISSED, _SHARES = 0, _LINE, 2 * _LINE, 3 * _LINE, 4 * _LINE
"""Where the counters are: items done, the order or 0, how many helpers have joined it, whether they
are to go home, and the first of the shares."""
_SPINS, _YIELDS = 1000, 200
"""Looks at a counter before others may have the core, and before a thread goes to sleep: some tens
of microseconds each. Who waits longer would burn what others need, in a container with a quota of
processor time the driver too."""
_ON_WINDOWS = sys.platform == "win32"
_SLEEPS = 10 if _ON_WINDOWS else 200
"""How often a helper sleeps before it goes home, without an order: some twenty milliseconds in all.
On Windows nobody sleeps for less than one."""
_INT32, _INT64 = ir.IntType(32), ir.IntType(64)


def make_counters(threads: int) -> Int64s:
    """The integers that `threads` threads share: no phase is open yet."""
    return np.zeros(_SHARES + threads * _LINE, np.int64)


def dismiss_helpers(counters: Int64s) -> None:
    """Send all helpers home from Python, now or when they are done; nobody may come back."""
    counters[_DISMISSED] = 1


@intrinsic
def _read(typing: Any, counters: Any, index: Any) -> Any:
    """A counter, and all that was written before it; never before an earlier `_add`."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer = element_pointer(context, builder, signature.args[0], *arguments)
        return builder.load_atomic(pointer, "seq_cst", 8, typ=_INT64)

    return types.int64(counters, types.intp), generate


@intrinsic
def _write(typing: Any, counters: Any, index: Any, number: Any) -> Any:
    """Write a counter after all that was written before it."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer = element_pointer(context, builder, signature.args[0], *arguments[:2])
        builder.store_atomic(arguments[2], pointer, "release", 8)
        return context.get_dummy_value()

    return types.void(counters, types.intp, types.int64), generate


@intrinsic
def _add(typing: Any, counters: Any, index: Any, number: Any) -> Any:
    """Add to a counter: what it was before."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer = element_pointer(context, builder, signature.args[0], *arguments[:2])
        return builder.atomic_rmw("add", pointer, arguments[2], "seq_cst")

    return types.int64(counters, types.intp, types.int64), generate


@intrinsic
def _pause(typing: Any) -> Any:
    """Tell the processor that this is a loop which waits."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        if IS_X86:
            kind = ir.FunctionType(ir.VoidType(), [])
            pause = cgutils.get_or_insert_function(builder.module, kind, "llvm.x86.sse2.pause")
            builder.call(pause, [])
        elif IS_ARM64:
            kind = ir.FunctionType(ir.VoidType(), [_INT32])
            hint = cgutils.get_or_insert_function(builder.module, kind, "llvm.aarch64.hint")
            builder.call(hint, [ir.Constant(_INT32, 1)])
        return context.get_dummy_value()

    return types.void(), generate


@intrinsic
def _let_others_run(typing: Any) -> Any:
    """Give the core to another thread, of this process or not, if one waits for it."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        name = "SwitchToThread" if _ON_WINDOWS else "sched_yield"
        kind = ir.FunctionType(_INT32, [])
        builder.call(cgutils.get_or_insert_function(builder.module, kind, name), [])
        return context.get_dummy_value()

    return types.void(), generate


@intrinsic
def _sleep(typing: Any) -> Any:
    """Sleep for the shortest time that there is."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        name, units = ("Sleep", 1) if _ON_WINDOWS else ("usleep", 50)
        kind = ir.FunctionType(_INT32, [_INT32])
        function = cgutils.get_or_insert_function(builder.module, kind, name)
        builder.call(function, [ir.Constant(_INT32, units)])
        return context.get_dummy_value()

    return types.void(), generate


@kernel(makes_arrays=False, inner=True)
def _wait(tries: int) -> int:
    """Wait a moment; gives how often it was so far."""
    if tries < _SPINS:
        _pause()
    elif tries < _SPINS + _YIELDS:
        _let_others_run()
    else:
        _sleep()
    return tries + 1


@kernel(makes_arrays=False, inner=True)
def open_phase(counters: Int64s, phase: int) -> None:
    """Let everybody take items of a phase: 1, and each time one more."""
    _write(counters, _DONE, 0)
    for share in range(_SHARES, counters.size, _LINE):
        _write(counters, share, phase * _PHASE)


@kernel(makes_arrays=False, inner=True)
def take_item(counters: Int64s, items: tuple[int, ...], thread: int) -> int:
    """An item that nobody has, of a thread's own share first; −1 if there is none.

    `items` are how many the first phases have; then they begin again. What is given is the phase
    and the number of the item in one (`phase_and_item`).
    """
    shares = (counters.size - _SHARES) // _LINE
    for step in range(shares):
        share = (thread + step) % shares
        place = _SHARES + share * _LINE
        seen = _read(counters, place)
        if seen % _PHASE < _share_end(seen, items, share, shares):
            taken = _add(counters, place, 1)
            # Meanwhile it may be another phase.
            if taken % _PHASE < _share_end(taken, items, share, shares):
                return int(taken + _share_start(taken, items, share, shares))
    return -1


@kernel(makes_arrays=False, inner=True)
def _share_start(word: int, items: tuple[int, ...], share: int, shares: int) -> int:
    """The first item of a share, in the phase of a word."""
    return items[(word // _PHASE - 1) % len(items)] * share // shares


@kernel(makes_arrays=False, inner=True)
def _share_end(word: int, items: tuple[int, ...], share: int, shares: int) -> int:
    """How many items a share has, in the phase of a word: none before the first."""
    if word < _PHASE:
        return 0
    start = _share_start(word, items, share, shares)
    return _share_start(word, items, share + 1, shares) - start


@kernel(makes_arrays=False, inner=True)
def phase_and_item(taken: int) -> tuple[int, int]:
    """The two numbers that `take_item` gave in one."""
    return taken // _PHASE, taken % _PHASE


@kernel(makes_arrays=False, inner=True)
def finish_item(counters: Int64s) -> None:
    """Say that an item is done."""
    _add(counters, _DONE, 1)


@kernel(makes_arrays=False, inner=True)
def wait_for_helpers(counters: Int64s, items: int) -> None:
    """Wait until all items of the phase are done. The driver does."""
    tries = 0
    while _read(counters, _DONE) < items:
        tries = _wait(tries)


@kernel(makes_arrays=False, inner=True)
def give_order(counters: Int64s, order: int) -> None:
    """Let helpers join: an order is a number other than 0. No phase of it is open yet."""
    for share in range(_SHARES, counters.size, _LINE):
        _write(counters, share, 0)
    _write(counters, _ORDER, order)


@kernel(makes_arrays=False, inner=True)
def end_order(counters: Int64s) -> None:
    """Let nobody join any more, and wait until all have left. The driver does."""
    # Not `_write`: who looks at the joined next must not do it before this is seen by all.
    _add(counters, _ORDER, -_read(counters, _ORDER))
    tries = 0
    while _read(counters, _JOINED) > 0:
        tries = _wait(tries)


@kernel(makes_arrays=False, inner=True)
def join_order(counters: Int64s) -> int:
    """Wait for an order and join it; 0 if it is time to go home. A helper does."""
    tries = 0
    while _read(counters, _DISMISSED) == 0 and tries < _SPINS + _YIELDS + _SLEEPS:
        order = _read(counters, _ORDER)
        if order == 0:
            tries = _wait(tries)
            continue
        _add(counters, _JOINED, 1)
        # The driver ends an order and then looks who has joined; a helper does the reverse. So one
        # of them sees the other.
        if _read(counters, _ORDER) == order:
            return int(order)
        _add(counters, _JOINED, -1)
    return 0


@kernel(makes_arrays=False, inner=True)
def leave_order(counters: Int64s) -> None:
    """Say that an order is not looked at any more."""
    _add(counters, _JOINED, -1)


@kernel(makes_arrays=False, inner=True)
def wait_for_item(counters: Int64s, items: tuple[int, ...], thread: int) -> int:
    """Wait for an item that nobody has, as `take_item` gives it; −1 when the order has ended.

    A helper does that has joined.
    """
    place, tries = _SHARES + thread * _LINE, 0
    while _read(counters, _ORDER) != 0:
        phase = _read(counters, place) // _PHASE
        taken = take_item(counters, items, thread)
        if taken >= 0:
            return taken
        # In this phase there is nothing left.
        while _read(counters, place) // _PHASE == phase and _read(counters, _ORDER) != 0:
            tries = _wait(tries)
    return -1

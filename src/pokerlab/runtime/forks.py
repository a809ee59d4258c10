"""A process that is forked while other threads work: its copies of locks and pools work again.

A fork copies the memory and one thread. A lock that another thread held stays locked in the child
for ever, and a pool believes in threads that are not there. So the child gets new ones: for the
objects that ask for it (`renew_after_fork`), for Numba's compiler, and for cached properties, which
have a lock before Python 3.12.
"""

from __future__ import annotations

import os
import sys
import threading
import weakref
from functools import cached_property
from typing import Protocol


class Renewable(Protocol):
    """An object with locks or threads."""

    def renew(self) -> None:
        """Replace locks and threads: this is a child process, which has one thread."""


_renewable: weakref.WeakSet[Renewable] = weakref.WeakSet()


def renew_after_fork(thing: Renewable) -> None:
    """Have an object renewed in each child process that is forked while it lives."""
    _renewable.add(thing)


def _renew_all() -> None:
    for thing in list(_renewable):
        thing.renew()
    compiling = sys.modules.get("numba.core.compiler_lock")
    if compiling is not None:
        compiling.global_compiler_lock._lock = threading.RLock()
    if sys.version_info < (3, 12):
        for name, module in list(sys.modules.items()):
            if name.partition(".")[0] == "pokerlab":
                _renew_cached_properties(module)


def _renew_cached_properties(module: object) -> None:
    for owner in list(vars(module).values()):
        if isinstance(owner, type):
            for found in vars(owner).values():
                if isinstance(found, cached_property) and hasattr(found, "lock"):
                    found.lock = threading.RLock()


if hasattr(os, "register_at_fork"):  # all but Windows
    os.register_at_fork(after_in_child=_renew_all)

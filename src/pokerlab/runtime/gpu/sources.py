"""Which files a kernel is compiled from.

A folder that has kernels says so when it is imported, so that the machine knows nothing of what
they compute.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files

_COMMON = "types", "device"
"""Files that lie here, for the kernels of all folders."""

_registered: dict[str, tuple[str, tuple[str, ...]]] = {}
"""By kernel: the package it is of, and its files in order."""


def register_kernels(package: str, sources: Mapping[str, tuple[str, ...]]) -> None:
    """Make the kernels of a package known: by name, files of its ``kernels/`` in order.

    Examples
    --------
    >>> import pokerlab.engine.gpu  # registers its own
    >>> "void add_boards" in kernel_source("add_boards")
    True
    """
    _registered.update({name: (package, parts) for name, parts in sources.items()})


def kernel_source(name: str, without: str = "") -> str:
    """The source of a kernel, all its files in order, but for one of them."""
    package, parts = _registered[name]
    return "".join(
        (files(__package__ if part in _COMMON else package) / "kernels" / f"{part}.cu").read_text(
            encoding="utf-8"
        )
        for part in parts
        if part != without
    )

"""Package ``__init__`` files that name their public things without importing them.

``pokerlab --help`` must answer in a blink, and Numba alone takes half a second to import. So a
package says where each of its names lives, and the module is imported when the name is used.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any

__all__ = ["lazy_names"]


def lazy_names(package: str, homes: Mapping[str, Sequence[str]]) -> Callable[[str], Any]:
    """Make a module ``__getattr__`` that finds names in the modules that define them.

    Parameters
    ----------
    package
        The package's ``__name__``.
    homes
        For each module of the package (relative to it), the public names it defines.

    Examples
    --------
    >>> find = lazy_names("pokerlab.cards", {"codes": ["parse_card"]})
    >>> find("parse_card")("As")
    51
    >>> find("no_such_name")
    Traceback (most recent call last):
    AttributeError: module 'pokerlab.cards' has no attribute 'no_such_name'
    """
    home_of = {name: f"{package}.{module}" for module, names in homes.items() for name in names}

    def find(name: str) -> Any:
        if name not in home_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        found = getattr(import_module(home_of[name]), name)
        setattr(sys.modules[package], name, found)
        return found

    return find

"""Parts of a mapping by name: filters, orders, ways to combine what two opponents say."""

from __future__ import annotations

from collections.abc import Callable
from difflib import get_close_matches
from typing import Generic, TypeVar

Part = TypeVar("Part")


class Registry(Generic[Part]):
    """Functions of one kind by name, so that a text can ask for one.

    Examples
    --------
    >>> GREETINGS = Registry("greeting")
    >>> @GREETINGS.add("short")
    ... def hello():
    ...     return "Hi"
    >>> GREETINGS.find("short")()
    'Hi'
    >>> GREETINGS.find("shirt")
    Traceback (most recent call last):
    ValueError: no greeting 'shirt', did you mean short? (short)
    """

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self._parts: dict[str, Part] = {}

    def add(self, name: str) -> Callable[[Part], Part]:
        """Register the function that follows under a name."""

        def keep(part: Part) -> Part:
            if name in self._parts:
                raise ValueError(f"there is a {self.kind} {name!r} already")
            self._parts[name] = part
            return part

        return keep

    def find(self, name: str) -> Part:
        """The function of that name; `ValueError` lists those there are."""
        if name not in self._parts:
            near = get_close_matches(name, self._parts, n=1)
            hint = f", did you mean {near[0]}?" if near else ""
            raise ValueError(f"no {self.kind} {name[:60]!r}{hint} ({', '.join(self._parts)})")
        return self._parts[name]

    @property
    def names(self) -> tuple[str, ...]:
        """All names, in the order in which they were added."""
        return tuple(self._parts)

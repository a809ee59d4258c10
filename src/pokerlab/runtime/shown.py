"""`Shown`: a value that notebooks show as a picture, which is drawn elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions
    from rich.text import Text


def function_named(name: str) -> Callable[..., Any]:
    """The function that a text names, ``"module:function"``; the module is imported."""
    module, function = name.split(":")
    found: Callable[..., Any] = getattr(import_module(module), function)
    return found


class ShownPicture(Protocol):
    """A picture for terminals (Rich) and for notebooks."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Text]: ...

    def _repr_html_(self) -> str: ...


class Shown:
    """A value that a notebook shows as a picture.

    A class names the function that draws it by text, ``"module:function"``: drawing stands above
    what it draws, and is imported when a notebook asks.

    Examples
    --------
    >>> class Name(str, Shown):
    ...     _picture = "html:escape"
    >>> Name("A < K")._repr_html_()
    'A &lt; K'
    """

    _picture: ClassVar[str]

    def _repr_html_(self) -> str:
        return str(function_named(self._picture)(self))

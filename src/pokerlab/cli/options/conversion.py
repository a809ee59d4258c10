"""Values of options that are what they should be already, or plain text of it, need no Pydantic.

Typer converts every value by Pydantic, also those that nobody gave, and makes a validator for each
of them: importing and building that takes a tenth of a second. Here a value that was not given, a
text, a plain number and a path that can be read are converted at once. Typer converts all others,
and so says what is wrong with them; for a text that should be a number, in our words. A version of
Typer that works in another way converts all.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import typer
from typer.core import TyperGroup

_NUMBERS = {
    int: re.compile("-?[0-9]{1,15}"),
    float: re.compile(r"-?[0-9]{1,15}(\.[0-9]{1,15})?"),
}
_UNLIMITED = {
    "min": None,
    "max": None,
    "parser": None,
    "exists": False,
    "file_okay": True,
    "dir_okay": True,
    "writable": False,
    "resolve_path": False,
}
"""The default description of a parameter's values."""

_IN_OUR_WORDS = {
    "Input should be a valid integer, unable to parse string as an integer": (
        "must be a whole number"
    ),
    "Input should be a valid number, unable to parse string as a number": "must be a number",
}
"""What Pydantic says of a text that should be a number, and what a person reads."""


def convert_without_pydantic(command: Any, parent: typer.Context | None = None) -> None:
    """Let plain values of a command, and of those below it, be converted here."""
    context = typer.Context(command, parent=parent, **command.context_settings)
    for parameter in command.get_params(context):
        if getattr(parameter, "_runtime_param", ...) is None:
            parameter._runtime_param = _PlainFirst()
    if isinstance(command, TyperGroup):
        for inner in command.commands.values():
            convert_without_pydantic(inner, context)


class _PlainFirst:
    """Stands where a parameter keeps its converter, until a value needs Typer's own."""

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        several = param.multiple or param.nargs == -1
        if value is None:
            return () if several else None
        kind = param.type_descriptor.annotation
        info = param.type_descriptor.parameter_info
        if all(getattr(info, name, ...) is usual for name, usual in _UNLIMITED.items()):
            try:
                if not several:
                    return _plain(value, kind)
                if getattr(kind, "__origin__", None) is list and isinstance(value, list | tuple):
                    return [_plain(each, kind.__args__[0]) for each in value]
            except ValueError:
                pass
        param._runtime_param = None
        try:
            return param.get_runtime_param().coerce(value, param=param, ctx=ctx)
        except typer.BadParameter as error:
            error.message = _IN_OUR_WORDS.get(error.message, error.message)
            raise


def _plain(value: Any, kind: Any) -> Any:
    """A value of a kind, if that is plain to see; otherwise a `ValueError`."""
    if kind in (str, int, float, bool) and type(value) is kind:
        return value
    if isinstance(value, str) and kind in _NUMBERS and _NUMBERS[kind].fullmatch(value):
        return kind(value)
    readable = kind is Path and (os.access(value, os.R_OK) or not os.path.lexists(value))
    if readable:
        return Path(value)
    raise ValueError

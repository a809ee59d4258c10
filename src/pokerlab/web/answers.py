"""Answers to requests: JSON, and one line of JSON for every error.

Handlers raise a `ValueError` for bad input, `UnknownIdError` for what is not there, and return
`json_answer` for the rest. Nothing that somebody sends is answered with 500.
"""

from __future__ import annotations

import errno
import json
import math
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from pokerlab.runtime.errors import one_line, shorten

_LONGEST_MESSAGE = 500
_FULL = (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC))


class FieldError(ValueError):
    """Bad input in a field of a form, beside which the page shows the message.

    Examples
    --------
    >>> error = FieldError("board", "'Zz' is no card")
    >>> error.field, str(error)
    ('board', "'Zz' is no card")
    """

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


class UnknownIdError(LookupError):
    """An id that belongs to nothing, or to nothing any more."""


@contextmanager
def field_named(field: str) -> Iterator[None]:
    """Say of each `ValueError` in here which field it is about.

    Examples
    --------
    >>> with field_named("pot"):
    ...     raise ValueError("-1 is not a pot")
    Traceback (most recent call last):
    pokerlab.web.answers.FieldError: -1 is not a pot
    """
    try:
        yield
    except FieldError:
        raise
    except ValueError as error:
        raise FieldError(field, str(error)) from None


def json_answer(
    data: object, status: int = 200, headers: Mapping[str, str] | None = None
) -> Response:
    """Data as compact JSON; a number that is not finite becomes null, an array a list.

    Examples
    --------
    >>> json_answer({"ev": float("nan"), "line": "x/b50"}).body
    b'{"ev":null,"line":"x/b50"}'
    """
    return Response(json_bytes(data), status, headers, media_type="application/json")


def json_bytes(data: object) -> bytes:
    """The same as bytes, for caches."""
    try:
        return _dump(data)
    except ValueError:  # a number is not finite: look for it only now, as it seldom happens
        return _dump(_finite(data))


def _dump(data: object) -> bytes:
    text = json.dumps(
        data, allow_nan=False, separators=(",", ":"), ensure_ascii=False, default=_plain
    )
    return text.encode("utf-8", "replace")


def _plain(data: Any) -> Any:
    """What NumPy has, as Python has it."""
    if hasattr(data, "tolist"):
        return data.tolist()
    raise TypeError(f"{type(data).__name__} has no form in JSON")


def _finite(data: Any) -> Any:
    if isinstance(data, float):
        return data if math.isfinite(data) else None
    if isinstance(data, Mapping):
        return {key: _finite(each) for key, each in data.items()}
    if isinstance(data, list | tuple):
        return [_finite(each) for each in data]
    return _finite(data.tolist()) if hasattr(data, "tolist") else data


def whole_number(text: str, name: str, most: int, least: int = 0) -> int:
    """A whole number within bounds, as a request writes it.

    Examples
    --------
    >>> whole_number("12", "depth", 60)
    12
    >>> whole_number("1e9", "depth", 60)
    Traceback (most recent call last):
    pokerlab.web.answers.FieldError: depth: '1e9' is not a number from 0 to 60
    """
    number = int(text) if text.isascii() and text.isdecimal() and len(text) < 11 else -1
    if not least <= number <= most:
        raise FieldError(
            name, f"{name}: {shorten(text)!r} is not a number from {least} to {most:,}"
        )
    return number


def share_of(request: Request, name: str, otherwise: float = 0.02) -> float:
    """A share of the query in percent, as a part of 1."""
    text = request.query_params.get(name, "")
    if not text:
        return otherwise
    try:
        share = float(text[:20].removesuffix("%")) / 100
    except ValueError:
        share = -1.0
    if not 0 <= share <= 1:
        raise FieldError(name, f"{name}: {shorten(text)!r} is not a percentage from 0 to 100")
    return share


def file_answer(text: str, name: str, media_type: str) -> Response:
    """A text that a browser saves; of its name stays what every header and every disk takes.

    Examples
    --------
    >>> file_answer("a,b", "Züge x.csv", "text/csv").headers["content-disposition"]
    'attachment; filename="Z_ge_x.csv"'
    """
    safe = re.sub(r"[^\w.-]", "_", name, flags=re.ASCII)
    headers = {"content-disposition": f'attachment; filename="{safe}"'}
    return Response(text, media_type=media_type, headers=headers)


def error_answer(message: str, status: int = 400, field: str | None = None) -> Response:
    """An error in one line, and the field of the form that it is about."""
    return json_answer({"error": one_line(message, _LONGEST_MESSAGE), "field": field}, status)


async def json_body(request: Request) -> dict[str, Any]:
    """The JSON object that a request brings."""
    try:
        data = json.loads(await request.body() or b"{}")
    except (ValueError, RecursionError):
        raise ValueError("the request is no JSON") from None
    if not isinstance(data, dict):
        raise ValueError("the request is no JSON object")
    return data


_MISSING = object()


def text_of(data: Mapping[str, Any], name: str, default: Any = _MISSING) -> str:
    """A text in the JSON of a request.

    Examples
    --------
    >>> text_of({"name": "turn"}, "name"), text_of({}, "name", "")
    ('turn', '')
    >>> text_of({"name": 3}, "name")
    Traceback (most recent call last):
    pokerlab.web.answers.FieldError: name: 3 is not a text
    """
    found = data.get(name, default)
    if found is _MISSING:
        raise FieldError(name, f"{name} is missing")
    if found is default:
        return found  # type: ignore[no-any-return]
    if not isinstance(found, str):
        raise FieldError(name, f"{name}: {shorten(json.dumps(found))} is not a text")
    return found


def number_of(
    data: Mapping[str, Any],
    name: str,
    default: Any = _MISSING,
    *,
    low: float = -math.inf,
    high: float = math.inf,
) -> float:
    """A number in the JSON of a request, from `low` to `high`.

    Examples
    --------
    >>> number_of({"seat": 1}, "seat", low=0, high=1)
    1
    >>> number_of({"seat": 2}, "seat", low=0, high=1)
    Traceback (most recent call last):
    pokerlab.web.answers.FieldError: seat: 2 is not from 0 to 1
    """
    found = data.get(name, default)
    if found is _MISSING:
        raise FieldError(name, f"{name} is missing")
    if found is default:
        return found  # type: ignore[no-any-return]
    if isinstance(found, bool) or not isinstance(found, int | float) or found != found:
        raise FieldError(name, f"{name}: {shorten(json.dumps(found))} is not a number")
    if not low <= found <= high:
        raise FieldError(name, f"{name}: {shorten(str(found))} is not from {low:g} to {high:g}")
    return found


def whole_of(
    data: Mapping[str, Any], name: str, default: Any = _MISSING, *, low: int, high: int
) -> int:
    """A whole number in the JSON of a request, from `low` to `high`.

    Examples
    --------
    >>> whole_of({"seat": 0.5}, "seat", low=0, high=1)
    Traceback (most recent call last):
    pokerlab.web.answers.FieldError: seat: 0.5 is not a whole number
    """
    found = number_of(data, name, default, low=low, high=high)
    if isinstance(found, float) and not found.is_integer():
        raise FieldError(name, f"{name}: {found} is not a whole number")
    return found if found is default else int(found)


def flag_of(data: Mapping[str, Any], name: str, default: bool = False) -> bool:
    """True or false in the JSON of a request."""
    found = data.get(name, default)
    if not isinstance(found, bool):
        raise FieldError(name, f"{name}: {shorten(json.dumps(found))} is not true or false")
    return found


async def _bad_input(request: Request, error: Exception) -> Response:
    return error_answer(_without_folder(request, str(error)), field=getattr(error, "field", None))


def _without_folder(request: Request, message: str) -> str:
    """A message that names files as the Library does: from the folder on."""
    folder = str(request.app.state.site.folder)
    return message.replace(folder + os.sep, "").replace(folder, ".")


async def _unknown(request: Request, error: Exception) -> Response:
    return error_answer(str(error.args[0] if error.args else error), 404)


async def _system(request: Request, error: Exception) -> Response:
    """A full disk, a folder that has gone, a file that may not be read."""
    assert isinstance(error, OSError)
    folder = request.app.state.site.folder
    if not folder.is_dir():
        return error_answer(gone_text(folder), 404)
    if error.errno in _FULL:
        return error_answer("the disk is full: make room, and try again")
    reason = error.strerror or str(error) or "the system refused it"
    named = Path(str(error.filename)).name if error.filename else ""
    status = 404 if isinstance(error, FileNotFoundError) else 400
    return error_answer(f"{named}: {reason}" if named else reason, status)


def gone_text(folder: Path) -> str:
    """The message if the served folder was removed."""
    return f"the folder {folder.name} is gone: put it back, or serve another one"


async def _memory(request: Request, error: Exception) -> Response:
    return error_answer("there is too little memory for this", 503)


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return error_answer(error.detail, error.status_code)


async def _gone(request: Request, error: Exception) -> Response:
    return Response(status_code=499)  # nobody reads it


ERROR_HANDLERS: Mapping[Any, Any] = {
    ValueError: _bad_input,
    UnknownIdError: _unknown,
    OSError: _system,
    MemoryError: _memory,
    HTTPException: _refused,
    ClientDisconnect: _gone,
}
"""What Starlette does with what handlers raise."""

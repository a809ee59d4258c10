"""Files that are dropped into the Library: looked at first, and kept only if they are ours.

A spot or a model of a player (TOML) and a solution stay what they are. A range (text, or the 1,326
weights that PioSOLVER writes) is kept as a file that spots name by ``@``. A hand history (PHH, or
the text of a poker site) goes into the folder `HISTORIES`. Texts are recognised by their content.
"""

from __future__ import annotations

import contextlib
import secrets
import shutil
import time
from collections.abc import AsyncIterator
from pathlib import Path

from starlette.concurrency import run_in_threadpool

from pokerlab.arena.logs.histories import FoundHand, is_history, read_hands
from pokerlab.runtime.errors import one_line, shorten
from pokerlab.runtime.files.confined import confined_to
from pokerlab.runtime.machine import size_text
from pokerlab.web.answers import FieldError
from pokerlab.web.files.library import check_name, free_path
from pokerlab.web.files.summaries import summary_of

UPLOADS = Path(".pokerlab") / "uploads"
"""Where a file lies, below the folder that is served, until all of it has arrived."""

_SECONDS_STILL = 600.0
"""An upload that did not grow for so long is over."""

_SPARE = 50_000_000
"""Bytes that stay free on the disk."""

HISTORIES = "hands"
"""The folder, below the one that is served, in which hand histories are kept."""

_ENDINGS = (".toml", ".safetensors", ".txt", ".csv", ".tsv", ".phh", ".phhs", ".xml")
_MOST_TEXT = 4_000_000
_MOST_HISTORY = 400_000_000
"""Bytes of a history: about 400,000 hands."""
_SECONDS_TO_FIND = 5.0
"""A history must have a hand that can be read; so long is looked for it."""


async def receive(folder: Path, name: str, length: int, parts: AsyncIterator[bytes]) -> Path:
    """Write what arrives to a file in a folder, under a free name; the file that came of it."""
    ending = Path(name).suffix.lower()
    if ending not in _ENDINGS:
        raise FieldError(
            "name",
            f"{shorten(name)!r} is not a spot or a model of a player (.toml), a solution"
            " (.safetensors), a range (.txt, .csv) or a hand history (.txt, .xml, .phh, .phhs)",
        )
    stem = check_name(Path(name).stem)
    free = shutil.disk_usage(folder).free - _SPARE
    if length > free:
        raise ValueError(
            f"the disk is full: {name} has {size_text(length)}, and there is room for "
            f"{size_text(max(free, 0))}"
        )
    # With the right ending, which readers look at; on the same disk, so that it can be moved.
    place = folder / UPLOADS
    place.mkdir(parents=True, exist_ok=True)
    seen = place / f"{stem[:60]}.{secrets.token_hex(4)}{ending}"
    try:
        with seen.open("wb") as file:
            async for part in parts:
                await run_in_threadpool(file.write, part)
                if ending != ".safetensors" and file.tell() > _MOST_TEXT:
                    file.flush()
                    most = _MOST_HISTORY if is_history(seen) else _MOST_TEXT
                    if file.tell() > most:
                        raise ValueError(
                            f"{shorten(name)} is too long: at most {size_text(most)} are taken"
                        )
        return await run_in_threadpool(_keep, seen, folder / f"{stem}{ending}", name)
    except ValueError as error:
        message = str(error).replace(str(seen), name).replace(seen.name, name)
        raise FieldError("name", one_line(message, 300)) from None
    finally:
        seen.unlink(missing_ok=True)


def remove_left_over(folder: Path) -> None:
    """Remove the rest of uploads whose server was killed; a running upload stays."""
    for file in (folder / UPLOADS).glob("*"):
        with contextlib.suppress(OSError):
            if time.time() - file.stat().st_mtime > _SECONDS_STILL:
                file.unlink()


def _keep(seen: Path, path: Path, name: str) -> Path:
    """Check a file, and put it (or what is made of it) where it belongs."""
    if is_history(seen):
        return _keep_history(seen, path.parent / HISTORIES / path.name)
    if path.suffix in (".toml", ".safetensors"):
        found = summary_of(seen)
        if found["error"] is not None:
            raise ValueError(found["error"])
        if found["kind"] == "other":
            wanted = (
                "spot or a model of a player"
                if path.suffix == ".toml"
                else "solution of a spot, a chart or a trained strategy"
            )
            raise ValueError(f"{shorten(name)} is not a {wanted}")
    else:
        _check_range(seen)
    path = free_path(path)
    seen.replace(path)
    return path


def _keep_history(seen: Path, path: Path) -> Path:
    """Put a history beside the others; one that went on since it was dropped before is replaced."""
    _check_history(seen)
    path.parent.mkdir(exist_ok=True)
    if path.is_file() and _begins_with(seen, path):
        seen.replace(path)
        return path
    path = free_path(path)
    seen.replace(path)
    return path


def _begins_with(longer: Path, shorter: Path) -> bool:
    left = shorter.stat().st_size
    if left > longer.stat().st_size:
        return False
    with longer.open("rb") as one, shorter.open("rb") as other:
        while left > 0:
            size = min(left, 1 << 20)
            if one.read(size) != other.read(size):
                return False
            left -= size
    return True


def _check_history(path: Path) -> None:
    """A history must have a hand that can be read; the first that cannot says why."""
    began, reason = time.monotonic(), "there is no hand in it"
    for number, found in enumerate(read_hands(path)):
        if isinstance(found, FoundHand):
            return
        if number == 0:
            reason = found.reason
        if time.monotonic() - began > _SECONDS_TO_FIND:
            break
    raise ValueError(f"no hand of it can be read, for example: {reason}")


def _check_range(path: Path) -> None:
    """A range of cards; what is none is no history either, and the message says both."""
    from pokerlab.cards.ranges.range import Range

    try:
        with confined_to(path.parent):
            hands = Range(f"@{path.name}")  # by its name alone, as the message quotes it
    except ValueError as error:
        raise ValueError(f"neither a hand history nor a range: {error}") from None
    if not hands:
        raise ValueError("neither a hand history nor a range: no hand is in it")

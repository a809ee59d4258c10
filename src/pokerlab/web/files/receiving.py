"""Files that are dropped into the Library: looked at first, and kept only if they are ours.

A spot or a model of a player (TOML) and a solution stay what they are. A range (text, or the 1,326
weights that PioSOLVER writes) is kept as a file that spots name by ``@``. A hand history (PHH)
becomes a spot: the board, the pot and the stacks of the flop, with ranges to be filled in.
"""

from __future__ import annotations

import contextlib
import secrets
import shutil
import time
from collections.abc import AsyncIterator
from pathlib import Path

from starlette.concurrency import run_in_threadpool

from pokerlab.runtime.errors import one_line, shorten
from pokerlab.runtime.files.atomic import write_text
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

_ENDINGS = (".toml", ".safetensors", ".txt", ".csv", ".tsv", ".phh", ".phhs")
_MOST_TEXT = 4_000_000


async def receive(folder: Path, name: str, length: int, parts: AsyncIterator[bytes]) -> Path:
    """Write what arrives to a file in a folder, under a free name; the file that came of it."""
    ending = Path(name).suffix.lower()
    if ending not in _ENDINGS:
        raise FieldError(
            "name",
            f"{shorten(name)!r} is not a spot or a model of a player (.toml), a solution"
            " (.safetensors), a range (.txt, .csv) or a hand history (.phh)",
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
                if ending != ".safetensors" and file.tell() + len(part) > _MOST_TEXT:
                    raise ValueError(f"{shorten(name)} is too long for a text")
                await run_in_threadpool(file.write, part)
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
    if path.suffix in (".phh", ".phhs"):
        spot = free_path(path.with_suffix(".toml"))
        write_text(spot, _spot_of_history(seen))
        return spot
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


def _check_range(path: Path) -> None:
    from pokerlab.cards.ranges.range import Range

    with confined_to(path.parent):
        hands = Range(f"@{path.name}")  # by its name alone, as the message quotes it
    if not hands:
        raise ValueError("no hand is in this range")


def _spot_of_history(path: Path) -> str:
    """The first hand of a history that came to a flop for two."""
    from pokerlab.arena.logs.hand_spot import spot_of_hand
    from pokerlab.arena.logs.replay import read_log

    reason = "there is no hand in it"
    for hand in read_log(path):
        try:
            return spot_of_hand(hand).to_toml()
        except ValueError as error:
            reason = str(error)
    raise ValueError(reason)

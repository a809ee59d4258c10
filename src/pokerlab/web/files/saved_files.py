"""Ranges that people keep in the folder, and the files of stories before the flop."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pokerlab.cards.ranges.range import Range
from pokerlab.cards.ranges.text import MAX_LENGTH
from pokerlab.errors import shorten
from pokerlab.files.atomic import write_text
from pokerlab.files.toml_text import parse_toml
from pokerlab.web.answers import FieldError, UnknownIdError
from pokerlab.web.files.library import check_name

RANGES = "ranges"
"""The folder, below the one that is served, in which ranges are kept."""

_MOST_FILES = 500
_MOST_BYTES = 1_000_000


def range_data(hands: Range, board: tuple[int, ...] = ()) -> dict[str, Any]:
    """A range for a painter: its text, counts, and weights by class and by combo.

    Examples
    --------
    >>> data = range_data(Range("AA, AKs:0.5"))
    >>> data["text"], data["combos"], data["classes"][:2], len(data["weights"])
    ('AA,AKs:0.5', 8.0, [1.0, 0.5], 1326)
    """
    return {
        "text": str(hands),
        "combos": hands.combos,
        "share": hands.combos / len(hands.weights),
        "live": hands.remove(board).combos,
        "classes": hands.class_weights().ravel().tolist(),
        "weights": hands.weights.tolist(),
    }


def list_ranges(folder: Path) -> list[dict[str, Any]]:
    """The ranges in the folder, by name; other files are not listed."""
    found = []
    for path in _files(folder, (".txt", ".csv")):
        try:
            hands = Range(f"@{path}")
        except ValueError:
            continue
        if hands:
            name = path.relative_to(folder).as_posix()
            data = range_data(hands)
            del data["weights"]
            found.append(data | {"file": name, "name": path.stem})
    return sorted(found, key=lambda each: str(each["name"]).casefold())


def save_range(folder: Path, name: str, text: str, *, replace: bool = False) -> str:
    """Write a range under a name; gives the name of its file."""
    try:
        hands = Range(text)
    except ValueError as error:
        raise FieldError("text", str(error)) from None
    if not hands:
        raise FieldError("text", "there is no hand in this range")
    path = folder / RANGES / f"{check_name(name)}.txt"
    if path.exists() and not replace:
        raise FieldError("name", f"there is a range {shorten(path.stem)!r} already")
    path.parent.mkdir(exist_ok=True)
    write_text(path, f"{hands}\n")
    return path.relative_to(folder).as_posix()


def delete_range(folder: Path, file: str) -> None:
    """Remove a range that is listed."""
    for path in _files(folder, (".txt", ".csv")):
        if path.relative_to(folder).as_posix() == file:
            path.unlink()
            return
    raise UnknownIdError(f"there is no range {shorten(file)!r}")


def list_stories(folder: Path) -> list[dict[str, Any]]:
    """Files of ranges before the flop, each with the stories that it knows."""
    found = []
    for path in _files(folder, (".toml",)):
        try:
            table = parse_toml(path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            continue
        ranges = table.get("ranges")
        if isinstance(ranges, dict) and "board" not in table:
            stories = [story for story in ranges if story.count(",")]
            found.append({"file": path.relative_to(folder).as_posix(), "stories": stories})
    return found


def _files(folder: Path, suffixes: tuple[str, ...]) -> Iterator[Path]:
    """Files of the folder itself and of its `RANGES`, none of which leads out of it."""
    count = 0
    for place in (folder, folder / RANGES):
        if not place.is_dir() or not place.resolve().is_relative_to(folder):
            continue
        for path in sorted(place.iterdir()):
            if path.name.startswith(".") or path.suffix.lower() not in suffixes:
                continue
            if path.is_symlink() or not path.is_file():
                continue
            limit = MAX_LENGTH if suffixes != (".toml",) else _MOST_BYTES
            count += 1
            if count > _MOST_FILES:
                return
            if path.stat().st_size <= limit:
                yield path

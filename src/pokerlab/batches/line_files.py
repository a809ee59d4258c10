"""What the solutions of a batch say about lines, kept in its folder so that they are not opened.

``first_street/AsKh7d.json`` holds all decisions of the first street of a board, written when it is
solved; ``lines/x%2Fb33.json`` what all boards say about a line that was asked for. What some hands
do there is kept as a line with the filter after it: ``x set``.

A file can be deleted at any time. One that is not as it was written is not used, nor is what a
solution said before its board was solved anew.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote

from pokerlab.batches.decisions import LineDecision
from pokerlab.batches.rows import BoardRow
from pokerlab.files.atomic import write_text

__all__ = ["read_first_street", "read_line", "stamp", "write_first_street", "write_line"]

_LONGEST = 80
"""Letters of a file's name; a longer line or filter of hands is known by a hash."""


def stamp(row: BoardRow) -> str:
    """A board and how it was solved, whatever it weighs: what is kept is of this solution."""
    return f"{row.board} {_digest(row.to_json() | {'weight': None})}"


def read_line(folder: Path, line: str) -> dict[str, LineDecision]:
    """What is kept about a line, by `stamp`; nothing where there is no file or a damaged one."""
    return _read(_line_file(folder, line))


def write_line(folder: Path, line: str, decisions: Mapping[str, LineDecision]) -> None:
    """Keep what is known about a line; where the folder cannot be written to, nothing is kept."""
    with suppress(OSError):
        _write(_line_file(folder, line), decisions)


def read_first_street(folder: Path, row: BoardRow) -> dict[str, LineDecision]:
    """The decisions of the first street of a board, by line; nothing where they are not kept."""
    file = _first_street_file(folder, row.board)
    return _read(file, of=stamp(row))


def write_first_street(folder: Path, row: BoardRow, decisions: Mapping[str, LineDecision]) -> None:
    """Keep the decisions of the first street of a board."""
    _write(_first_street_file(folder, row.board), decisions, of=stamp(row))


def _read(file: Path, of: str = "") -> dict[str, LineDecision]:
    try:
        data = json.loads(file.read_bytes())
        if data["of"] != of or data["digest"] != _digest(data["decisions"]):
            return {}
        return {key: LineDecision.from_json(kept) for key, kept in data["decisions"].items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return {}


def _write(file: Path, decisions: Mapping[str, LineDecision], of: str = "") -> None:
    data = {key: decision.to_json() for key, decision in decisions.items()}
    file.parent.mkdir(exist_ok=True)
    write_text(file, json.dumps({"of": of, "digest": _digest(data), "decisions": data}))


def _line_file(folder: Path, line: str) -> Path:
    name = quote(line, safe="")
    return folder / "lines" / f"{name if len(name) <= _LONGEST else _digest(line)}.json"


def _first_street_file(folder: Path, board: str) -> Path:
    return folder / "first_street" / f"{board}.json"


def _digest(data: Any) -> str:
    return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()[:16]

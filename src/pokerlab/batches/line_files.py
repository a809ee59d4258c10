"""Results of lines of a batch, cached in its folder so that solutions need not be opened.

``first_street/AsKh7d.jsonl`` holds all decisions of the first street of a board, written when it is
solved; ``lines/x%2Fb33.jsonl`` what all boards say about a line that was asked for. What some hands
do there is kept as a line with the filter after it: ``x set``.

The first line of a file has a hash of the others, each of which is a decision, so that one of them
can be read without the rest. A file can be deleted at any time. One that is not as it was written
is not used, nor is what a solution said before its board was solved anew.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote

from pokerlab.batches.decisions import LineDecision
from pokerlab.batches.rows import BoardRow
from pokerlab.files.atomic import write_text
from pokerlab.files.hashes import digest

_LONGEST = 80
"""Letters of a file's name; a longer line or filter of hands is known by a hash."""


def stamp(row: BoardRow) -> str:
    """The key of a cached result: a board and how it was solved, without its weight."""
    return f"{row.board} {_digest(row.to_json() | {'weight': None})}"


def read_line(folder: Path, line: str) -> dict[str, LineDecision]:
    """The cached results of a line, by `stamp`; empty if the file is missing or damaged."""
    return _read(_line_file(folder, line)) or {}


def write_line(folder: Path, line: str, decisions: Mapping[str, LineDecision]) -> None:
    """Cache the results of a line; if the folder cannot be written to, do nothing."""
    with suppress(OSError):
        _write(_line_file(folder, line), decisions)


def read_first_street(folder: Path, row: BoardRow, line: str) -> dict[str, LineDecision] | None:
    """The decision at a line of the first street of a board, if it has such a line.

    None where its decisions are not kept.
    """
    return _read(_first_street_file(folder, row.board), of=stamp(row), only=line)


def write_first_street(folder: Path, row: BoardRow, decisions: Mapping[str, LineDecision]) -> None:
    """Keep the decisions of the first street of a board."""
    _write(_first_street_file(folder, row.board), decisions, of=stamp(row))


def _read(file: Path, of: str = "", only: str | None = None) -> dict[str, LineDecision] | None:
    try:
        head, _, body = file.read_bytes().partition(b"\n")
        if json.loads(head) != _head(of, body):
            return None
        wanted = b"" if only is None else _begin(only).encode()
        found = [json.loads(line) for line in body.splitlines() if line.startswith(wanted)]
        return {key: LineDecision.from_json(kept) for key, kept in found}
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


def _write(file: Path, decisions: Mapping[str, LineDecision], of: str = "") -> None:
    body = "".join(
        f"{_begin(key)}{json.dumps(decision.to_json())}]\n" for key, decision in decisions.items()
    )
    file.parent.mkdir(exist_ok=True)
    write_text(file, json.dumps(_head(of, body.encode())) + "\n" + body)


def _head(of: str, body: bytes) -> dict[str, str]:
    return {"of": of, "digest": digest(body, length=16)}


def _begin(key: str) -> str:
    """How the text of a decision begins."""
    return f"[{json.dumps(key)}, "


def _line_file(folder: Path, line: str) -> Path:
    name = quote(line, safe="")
    return folder / "lines" / f"{name if len(name) <= _LONGEST else _digest(line)}.jsonl"


def _first_street_file(folder: Path, board: str) -> Path:
    return folder / "first_street" / f"{board}.jsonl"


def _digest(data: Any) -> str:
    return digest(json.dumps(data, sort_keys=True), length=16)

"""What the solutions of a batch say about a line, kept: ``lines/x%2Fb33.json`` in its folder.

What some hands do there is kept as a line with the filter after it: ``x set``.

A file can be deleted at any time. One that is not as it was written is not used, nor is what a
solution said before its board was solved anew.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TypeAlias
from urllib.parse import quote

from pokerlab.batches.rows import BoardRow
from pokerlab.files.atomic import write_text

__all__ = ["LineDecision", "read_line", "stamp", "write_line"]

Known: TypeAlias = "float | None"

_LONGEST = 80
"""Letters of a file's name; a longer line or filter of hands is known by a hash."""


@dataclass(frozen=True, slots=True)
class LineDecision:
    """A decision on one board; None is a number that is not known, as where nobody arrives.

    `actions` are empty where the board has no such line, and `missing` says why then.
    """

    player: int
    pot: float
    deals: float
    ev: tuple[Known, Known]
    equity: tuple[Known, Known]
    actions: tuple[str, ...]
    frequencies: tuple[Known, ...]
    action_evs: tuple[Known, ...]
    missing: str = ""

    @classmethod
    def none(cls, reason: str) -> LineDecision:
        """There is no such decision."""
        return cls(0, 0.0, 0.0, (None, None), (None, None), (), (), (), reason)


def stamp(row: BoardRow) -> str:
    """A board and how it was solved, whatever it weighs: what is kept is of this solution."""
    return f"{row.board} {_digest(row.to_json() | {'weight': None})}"


def read_line(folder: Path, line: str) -> dict[str, LineDecision]:
    """What is kept about a line, by `stamp`; nothing where there is no file or a damaged one."""
    try:
        data = json.loads(_file(folder, line).read_bytes())
        if data["digest"] != _digest(data["decisions"]):
            return {}
        return {key: _decision(kept) for key, kept in data["decisions"].items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return {}


def write_line(folder: Path, line: str, decisions: Mapping[str, LineDecision]) -> None:
    """Keep what is known about a line; where the folder cannot be written to, nothing is kept."""
    data = {key: asdict(decision) for key, decision in decisions.items()}
    with suppress(OSError):
        file = _file(folder, line)
        file.parent.mkdir(exist_ok=True)
        write_text(file, json.dumps({"digest": _digest(data), "decisions": data}))


def _decision(kept: Mapping[str, Any]) -> LineDecision:
    """Read a decision; `ValueError` or `TypeError` for anything else."""
    fields: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in kept.items()
    }
    found = LineDecision(**fields)
    actions = len(found.actions)
    rows = ((found.ev, 2), (found.equity, 2), (found.frequencies, actions))
    good = (
        found.player in (0, 1)
        and all(map(_is_number, (found.pot, found.deals)))
        and all(isinstance(action, str) for action in found.actions)
        and isinstance(found.missing, str)
        and all(
            len(row) == size and all(each is None or _is_number(each) for each in row)
            for row, size in (*rows, (found.action_evs, actions))
        )
    )
    if not good:
        raise ValueError("this is not a decision")
    return found


def _is_number(value: object) -> bool:
    good = isinstance(value, int | float) and not isinstance(value, bool)
    return good and math.isfinite(value)  # type: ignore[arg-type]


def _file(folder: Path, line: str) -> Path:
    name = quote(line, safe="")
    return folder / "lines" / f"{name if len(name) <= _LONGEST else _digest(line)}.json"


def _digest(data: Any) -> str:
    return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()[:16]

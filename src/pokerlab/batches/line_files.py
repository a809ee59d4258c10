"""What the solutions of a batch say about a line, kept: ``lines/x%2Fb33.json`` in its folder.

A file can be deleted at any time. One that is not as it was written is not used, nor is what a
solution said before its board was solved anew.
"""

from __future__ import annotations

import hashlib
import json
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
    """A board and how it was solved: what is kept about it is of this solution."""
    return f"{row.board} {_digest(row.to_json())}"


def read_line(folder: Path, line: str) -> dict[str, LineDecision]:
    """What is kept about a line, by `stamp`; nothing where there is no file or a damaged one."""
    try:
        data = json.loads(_file(folder, line).read_bytes())
        if data["digest"] != _digest(data["decisions"]):
            return {}
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return {}
    return {key: _decision(kept) for key, kept in data["decisions"].items()}


def write_line(folder: Path, line: str, decisions: Mapping[str, LineDecision]) -> None:
    """Keep what is known about a line; where the folder cannot be written to, nothing is kept."""
    data = {key: asdict(decision) for key, decision in decisions.items()}
    with suppress(OSError):
        file = _file(folder, line)
        file.parent.mkdir(exist_ok=True)
        write_text(file, json.dumps({"digest": _digest(data), "decisions": data}))


def _decision(kept: Mapping[str, Any]) -> LineDecision:
    fields: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in kept.items()
    }
    return LineDecision(**fields)


def _file(folder: Path, line: str) -> Path:
    return folder / "lines" / f"{quote(line, safe='')}.json"


def _digest(data: Any) -> str:
    return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()[:16]

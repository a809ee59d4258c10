"""A programme: what is practised and how, in a file beside the solutions (``NAME.programme.json``).

The files of solutions and batches are named from the folder of the programme on, so a folder may be
moved. Results are not in it.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from pathlib import Path, PureWindowsPath
from typing import Any

from pokerlab.drills.setup import Setup
from pokerlab.runtime.errors import DamagedFileError, shorten
from pokerlab.runtime.files.atomic import write_text

SUFFIX = ".programme.json"
FORMAT = "pokerlab programme 1"
_SETTINGS = ("seat", "street", "close", "clear", "seconds", "due")
_MOST_BYTES = 1_000_000
_MOST_SOURCES = 500


@dataclass(frozen=True)
class ProgrammeSource:
    """A source of a programme.

    Attributes
    ----------
    file
        A solution or the folder of a batch, from the folder of the programme on; empty for whole
        hands against `nolimit`.
    weight
        How many hands, beside those of other sources.
    bot, stack, blinds
        Of whole hands: the bot with its settings (``nolimit:seconds=2``), stacks in big blinds, and
        the chips of the blinds; None and empty for those of the game.
    """

    file: str = ""
    weight: int = 1
    bot: str = ""
    stack: float | None = None
    blinds: str = ""

    def to_json(self) -> dict[str, Any]:
        """As JSON."""
        if self.file:
            return {"file": self.file, "weight": self.weight}
        whole = {"bot": self.bot, "stack": self.stack, "blinds": self.blinds}
        return {**whole, "weight": self.weight}

    @classmethod
    def from_json(cls, data: Any) -> ProgrammeSource:
        """Read what `to_json` made; `ValueError` for anything else."""
        known = {"file", "weight", "bot", "stack", "blinds"}
        if not isinstance(data, dict) or not known.issuperset(data):
            raise ValueError(f"source {shorten(repr(data))}")
        found = cls(**data)
        texts = (found.file, found.bot, found.blinds)
        if not all(isinstance(each, str) for each in texts) or bool(found.file) == bool(found.bot):
            raise ValueError(f"source {shorten(repr(data))} must name a file or a bot")
        path = PureWindowsPath(found.file)  # it knows both kinds of slashes, and drives
        if path.anchor or ".." in path.parts or "\0" in found.file:
            raise ValueError(
                f"file {shorten(found.file)!r} is not below the folder of the programme"
            )
        if isinstance(found.weight, bool) or not isinstance(found.weight, int):
            raise ValueError(f"weight {shorten(repr(found.weight))}")
        if not 1 <= found.weight <= 100:
            raise ValueError(f"weight {found.weight} must be from 1 to 100")
        stack = found.stack
        if stack is not None and (
            isinstance(stack, bool) or not isinstance(stack, int | float) or not 0 < stack <= 1e9
        ):
            raise ValueError(f"stack {shorten(repr(stack))}")
        return found


@dataclass(frozen=True)
class Programme:
    """What is practised, and how.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp(), "evening.programme.json")
    >>> Programme((ProgrammeSource("turn.safetensors", 2),), Setup("ip", close=1)).save(path)
    >>> found = Programme.load(path)
    >>> found.sources[0].weight, found.setup.close
    (2, 1)
    """

    sources: tuple[ProgrammeSource, ...]
    setup: Setup = field(default_factory=Setup)

    def to_json(self) -> dict[str, Any]:
        """As the file has it."""
        settings = {name: getattr(self.setup, name) for name in _SETTINGS}
        return {"format": FORMAT, "sources": [each.to_json() for each in self.sources], **settings}

    @classmethod
    def from_json(cls, data: Any) -> Programme:
        """Read what `to_json` made; `ValueError` for anything else."""
        if not isinstance(data, dict) or data.get("format") != FORMAT:
            raise ValueError(f"it is not a file of the format {FORMAT!r}")
        unknown = set(data) - {"format", "sources", *_SETTINGS}
        if unknown:
            raise ValueError(f"{shorten(min(unknown))}: unknown field")
        sources = data.get("sources")
        if not isinstance(sources, list) or not 1 <= len(sources) <= _MOST_SOURCES:
            raise ValueError(f"sources: 1 to {_MOST_SOURCES} are needed")
        found = tuple(map(ProgrammeSource.from_json, sources))
        if len({each.file for each in found}) < len(found):  # that of a bot is empty
            raise ValueError("sources: one of them stands twice")
        settings = {name: data[name] for name in _SETTINGS if name in data}
        for name in ("seat", "street"):
            if not isinstance(settings.get(name), str | None):
                raise ValueError(f"{name}: {shorten(repr(settings[name]))} is not a text")
        return cls(found, Setup(**settings))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the file, whole or not at all."""
        write_text(Path(path), json.dumps(self.to_json(), indent=1, ensure_ascii=False) + "\n")

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Programme:
        """Read a file; `DamagedFileError` if it is not a programme."""
        path = Path(path)
        if not path.is_file():
            raise ValueError(f"{path}: there is no such file")
        try:
            if path.stat().st_size > _MOST_BYTES:
                raise ValueError("it is too large")
            return cls.from_json(json.loads(path.read_bytes()))
        except RecursionError:
            raise DamagedFileError(path, "brackets inside brackets, too many to be read") from None
        except ValueError as error:
            raise DamagedFileError(path, shorten(str(error), 200)) from None

"""What `pokerlab practise` is given: files, folders of them, and programmes; and their results."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from pokerlab.runtime.errors import one_line, shorten

if TYPE_CHECKING:
    from pokerlab.drills import DrillSource, LogEntry, MixedSource, Programme, Setup
    from pokerlab.drills.log import DrillLog


@dataclass
class Practice:
    """What is practised.

    Attributes
    ----------
    files
        Solutions and folders of batches.
    weights
        One for each of them, and one for whole hands where `against` names the bot.
    against, stack
        Whole hands: the bot and the stacks, as the options name them; None without them.
    setup
        How hands are dealt, where a programme says so.
    left_out
        What was found in a folder and cannot be practised, in one line each.
    """

    files: list[Path]
    weights: list[int]
    against: str | None = None
    stack: str | None = None
    setup: Setup | None = None
    left_out: tuple[str, ...] = ()

    @property
    def mixed(self) -> bool:
        """Whether hands of several sources come in turn."""
        return len(self.files) + (self.against is not None) > 1

    def programme(self, folder: Path, setup: Setup) -> Programme:
        """The same as a programme of a folder; `ValueError` if a file is not below it."""
        from pokerlab.drills import Programme, ProgrammeSource

        sources = []
        for file, weight in zip(self.files, self.weights, strict=False):
            try:
                below = file.resolve().relative_to(folder.resolve())
            except ValueError:
                raise ValueError(
                    f"--save: {file} is not below {folder}, the folder of the programme"
                ) from None
            sources.append(ProgrammeSource(below.as_posix(), weight))
        if self.against is not None:
            stack = _big_blinds(self.stack)
            sources.append(ProgrammeSource("", self.weights[-1], self.against, stack))
        return Programme(tuple(sources), replace(setup, line="", mistakes=False, seed=0))


def find_practice(
    given: Sequence[Path], against: str | None, stack: str | None, weights: str | None
) -> Practice:
    """What the arguments of the command name.

    Parameters
    ----------
    given
        Solutions, folders of batches, folders of both, or one programme.
    against, stack, weights
        As the options say.
    """
    if len(given) == 1 and given[0].name.endswith(".json") and given[0].is_file():
        if against is not None or weights is not None or stack is not None:
            raise ValueError(
                f"{given[0]}: a programme says itself what is practised, and how often"
            )
        return _read_programme(given[0])
    files: list[Path] = []
    left_out: list[str] = []
    for path in given:
        files += _files_of(path, left_out)
    doubled = {path.resolve() for path in files}
    if len(doubled) < len(files):
        raise ValueError("a file is named twice; --weights gives it more hands")
    places = len(files) + (against is not None)
    return Practice(files, _weights(weights, places), against, stack, None, tuple(left_out))


def open_practice(practice: Practice, log: Path | None) -> list[MixedSource]:
    """Open all sources, each with the file of its results; `log` is one file for all."""
    from pokerlab.drills import MixedSource, open_log, open_source, own_log
    from pokerlab.drills.log import NOLIMIT_LOG

    one = None if log is None else open_log(log)
    opened: list[tuple[DrillSource | None, DrillLog]] = [
        (open_source(file), own_log(file) if one is None else one) for file in practice.files
    ]
    names = [source.name for source, _ in opened if source is not None]
    if one is not None and len(set(names)) < len(names):
        raise ValueError("--log: two sources have one name; leave it away, and each has its file")
    if practice.against is not None:
        folder = practice.files[0].parent if practice.files else None
        own = None if folder is None else folder / NOLIMIT_LOG
        opened.append((None, open_log(own) if one is None else one))
    return [
        MixedSource(source, each, weight)
        for (source, each), weight in zip(opened, practice.weights, strict=True)
    ]


def find_results(given: Sequence[Path], log: Path | None) -> dict[str, list[LogEntry]]:
    """The results of files, folders and programmes by the name of the source."""
    from pokerlab.drills import open_log
    from pokerlab.drills.log import BATCH_LOG, SUFFIX

    if log is not None:
        found: dict[str, list[LogEntry]] = {}
        for entry in open_log(log).entries():
            found.setdefault(entry.source, []).append(entry)
        return found
    logs: dict[str, Path] = {}
    for file in dict.fromkeys(file for path in given for file in _results_of(path)):
        alone = file.name == BATCH_LOG
        short = file.parent.resolve().name if alone else file.name.removesuffix(SUFFIX)
        # Of two with one name, the second by its path.
        logs[short if short not in logs else str(file.parent if alone else file)] = file
    return {name: open_log(file, name).entries() for name, file in logs.items()}


def _results_of(path: Path) -> Iterator[Path]:
    """The files of results of a solution, a batch, a programme, or all in a folder."""
    from pokerlab.drills import default_log
    from pokerlab.drills.log import BATCH_LOG, NOLIMIT_LOG, SUFFIX
    from pokerlab.holdem.batches import is_batch

    if path.suffix == ".json":
        practice = _read_programme(path)
        for file in practice.files:
            yield from _results_of(file)
        if practice.against is not None:
            yield path.with_name(NOLIMIT_LOG)
    elif path.is_dir() and not is_batch(path):
        yield from sorted(path.glob(f"*{SUFFIX}"))
        yield from sorted(path.glob(f"*/{BATCH_LOG}"))
    elif not path.exists():
        raise ValueError(f"{path}: there is no such file")
    else:
        yield default_log(path)


def _read_programme(path: Path) -> Practice:
    from pokerlab.drills import Programme

    found = Programme.load(path)
    files = [path.parent / each.file for each in found.sources if each.file]
    whole = next((each for each in found.sources if not each.file), None)
    weights = [each.weight for each in found.sources if each.file]
    if whole is None:
        return Practice(files, weights, None, None, found.setup)
    if whole.blinds:
        raise ValueError(f"{path}: its blinds {shorten(whole.blinds)} are for the pages")
    stack = None if whole.stack is None else f"{whole.stack:g}bb"
    return Practice(files, [*weights, whole.weight], whole.bot, stack, found.setup)


def _files_of(path: Path, left_out: list[str]) -> Iterator[Path]:
    """The file itself, or what can be practised in a folder."""
    from pokerlab.drills import open_source
    from pokerlab.holdem.batches import is_batch

    if not path.is_dir() or is_batch(path):
        yield path
        return
    found = False
    for each in sorted(path.iterdir()):
        if each.name.startswith(".") or not (each.suffix == ".safetensors" or is_batch(each)):
            continue
        try:
            open_source(each)
        except ValueError as error:
            left_out.append(f"left out: {one_line(str(error), 200)}")
            continue
        found = True
        yield each
    if not found:
        raise ValueError(
            f"{path}: this folder holds no batch and no solution of a spot; `pokerlab solve -o` and"
            " `pokerlab batch -o` make them"
        )


def _weights(text: str | None, count: int) -> list[int]:
    if text is None:
        return [1] * count
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isascii() and part.isdecimal() and 1 <= int(part) <= 100 for part in parts):
        raise ValueError(f"--weights {shorten(text)!r}: whole numbers from 1 to 100 are needed")
    if len(parts) != count:
        raise ValueError(f"--weights {shorten(text)!r}: there are {count} sources")
    return [int(part) for part in parts]


def _big_blinds(stack: str | None) -> float | None:
    if stack is None:
        return None
    try:
        return float(stack.lower().removesuffix("bb"))
    except ValueError:
        raise ValueError(f"--stack {shorten(stack)}: it is not a number of big blinds") from None

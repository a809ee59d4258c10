"""`Batch`: the folder of a batch: its settings, the finished rows, and the solutions."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from filelock import FileLock

from pokerlab.batches.question import BatchQuestion
from pokerlab.batches.question_file import QUESTION_FILE, is_batch
from pokerlab.batches.rows import BoardRow, write_csv
from pokerlab.errors import DamagedFileError, damage_named, shorten
from pokerlab.files.atomic import write_text
from pokerlab.files.columns import make_frame
from pokerlab.files.hashes import digest
from pokerlab.files.job_stores import FolderStore
from pokerlab.postflop.answer.solution import PostflopSolution, load_postflop
from pokerlab.postflop.answer.solution_file import check_solution
from pokerlab.postflop.solving import parse_target

_TABLE = "table.csv"
_SOLUTIONS = "solutions"


class Batch:
    """The folder of a batch and its settings; `begin_batch` and `load_batch` make it.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from pokerlab.postflop import Spot
    >>> spot = Spot("QhJh2c4d7h", "AA, KQs", "QQ, AJs", pot=100, stack=80)
    >>> question = BatchQuestion.of(spot, {"QhJh2c4d7h": 1.0, "QhJh2c4d7s": 1.0})
    >>> with TemporaryDirectory() as folder:
    ...     batch = Batch.begin(folder, question)
    ...     print(batch.rows(), load_batch(folder).question == question)
    [] True
    """

    def __init__(self, folder: str | Path, question: BatchQuestion) -> None:
        self.folder = Path(folder)
        self.question = question

    @classmethod
    def begin(cls, folder: str | Path, question: BatchQuestion) -> Batch:
        """Make the folder, or go on in it.

        Boards that are new are added to those of the folder, and a lower target takes the place of
        its own (`BatchQuestion.joined`); anything else that differs is a `ValueError`.
        """
        folder = Path(folder)
        if folder.exists() and not folder.is_dir():
            raise ValueError(f"{folder}: this is a file; name a folder")
        file = folder / QUESTION_FILE
        if folder.is_dir() and not file.exists() and any(folder.iterdir()):
            strangers = [path for path in folder.iterdir() if not path.name.startswith(".")]
            if strangers:
                raise ValueError(
                    f"{folder} holds {shorten(strangers[0].name)} and no batch; name another folder"
                )
        folder.mkdir(parents=True, exist_ok=True)
        with _one_writer(folder):
            before: BatchQuestion | None = None
            if file.exists():
                check_question(folder, question)
                before = load_batch(folder).question
                question = before.joined(question)
            if question != before:
                write_text(file, question.to_toml())
        # After the settings: a folder with solutions and no settings would be refused.
        (folder / _SOLUTIONS).mkdir(exist_ok=True)
        return cls(folder, question)

    @property
    def store(self) -> FolderStore[BoardRow]:
        """Where finished boards are kept; one whose solution is gone or damaged is not finished."""
        return self.store_of()

    def store_of(self, *, stall: bool = True) -> FolderStore[BoardRow]:
        """The same; without `stall`, a board that stood still above the target is not finished."""

        def finished(data: Any) -> BoardRow:
            row, wanted = self._read(data)
            if not self._is_final(row, wanted, stall=stall):
                raise ValueError("it is above the target")
            check_solution(self.solution_path(row.board))
            return row

        question = self.question
        return row_store(self.folder, question.solve_digest, question.target, finished)

    def solution_path(self, board: str) -> Path:
        """The file of a board's solution."""
        return self.folder / _SOLUTIONS / f"{board}.safetensors"

    def solution(self, board: str) -> PostflopSolution:
        """The solution of a board that is finished."""
        return load_postflop(self.solution_path(board))

    def rows(self, *, strict: bool = True) -> list[BoardRow]:
        """The rows of all boards that are solved, in the order of ``batch.toml``.

        A row that is not as it was written is a `DamagedFileError`; if not `strict`, it is left
        out. Rows of boards that are above a target which was lowered since are among them.
        """
        rows = (self._row(board, strict=strict) for board in self.question.boards)
        return [row for row in rows if row is not None]

    def to_frame(self) -> Any:
        """The rows as a ``pandas.DataFrame``, with the columns of ``table.csv``."""
        tables = [row.columns() for row in self.rows()]
        names = dict.fromkeys(name for table in tables for name in table)
        return make_frame({name: [table.get(name) for table in tables] for name in names})

    def row(self, board: str) -> BoardRow | None:
        """The row of a board; None while it is not solved, or where its file is damaged."""
        return self._row(board, strict=False)

    def final_boards(self, *, stall: bool = True) -> set[str]:
        """The boards that `store_of` calls finished, without a look into their solutions."""
        found = set()
        for board in self.question.boards:
            with suppress(OSError, ValueError, RecursionError):
                row, wanted = self._read(json.loads(self._row_path(board).read_bytes()))
                if row.board == board and self._is_final(row, wanted, stall=stall):
                    found.add(board)
        return found

    def _row(self, board: str, *, strict: bool) -> BoardRow | None:
        file = self._row_path(board)
        try:
            row, _ = self._read(json.loads(file.read_bytes()))
            if row.board != board:
                raise ValueError(f"it is the row of {shorten(row.board)}")
        except (OSError, _NotSolvedError):
            return None
        except (ValueError, RecursionError) as error:
            if not strict:
                return None
            reason = "brackets inside brackets" if isinstance(error, RecursionError) else error
            raise DamagedFileError(
                file, f"{reason}; `pokerlab batch {self.folder}` makes it again"
            ) from None
        return row

    def _row_path(self, board: str) -> Path:
        return self.folder / _SOLUTIONS / f"{board}.json"

    @property
    def table_path(self) -> Path:
        """The file of the table."""
        return self.folder / _TABLE

    def write_table(self) -> None:
        """Write ``table.csv`` anew, with all boards that are finished, whoever solved them."""
        with _one_writer(self.folder):  # boards that somebody else adds meanwhile count
            write_text(self.table_path, write_csv(load_batch(self.folder).rows(strict=False)))

    def _read(self, data: Any) -> tuple[BoardRow, str | float | None]:
        """A row that is as it was written, and the target that it was solved to."""
        if not isinstance(data, dict):
            raise ValueError("this is not a row of a batch")
        digest = data.pop("digest", None)
        if digest is None:
            raise ValueError("it has no digest, as in earlier versions")
        if digest != row_digest(data):
            raise ValueError("its content does not fit its digest")
        if data.pop("question", None) != self.question.solve_digest:
            raise ValueError("this is a row of another batch")
        wanted = data.pop("target", None)
        parse_target(wanted, 1.0)
        # The weight of a board stands in ``batch.toml``, where it changes as boards are added.
        weight = self.question.boards.get(str(data.get("board")))
        row = BoardRow.from_json(data | {"weight": weight})
        try:
            size = self.solution_path(row.board).stat().st_size
        except OSError:
            raise _NotSolvedError("its solution is gone") from None
        if size != row.bytes:  # also between the writing of a better solution and that of its row
            raise _NotSolvedError("this is not the solution of the row")
        return row, wanted

    def _is_final(self, row: BoardRow, wanted: str | float | None, *, stall: bool) -> bool:
        """Whether solving a board again would end where it is: at the target, or at a limit."""
        if self.question.target is None or row.percent == 0.0:
            return True
        pot = 100 * row.exploitability / row.percent
        target = parse_target(self.question.target, pot) or 0.0
        if row.exploitability <= target or row.stopped in ("iterations", "seconds"):
            return True
        if row.stopped == "stalled":
            return stall
        # A certificate may differ from what was measured in the last digits.
        before = parse_target(wanted, pot)
        return before is not None and before <= target


class _NotSolvedError(ValueError):
    """A row without its solution: nothing is damaged, but the board is to be solved."""


def row_store(
    folder: Path,
    solve_digest: str,
    target: str | float | None,
    from_json: Callable[[Any], BoardRow] = BoardRow.from_json,
) -> FolderStore[BoardRow]:
    """Where the rows of a batch are kept.

    Each has the `solve_digest` of its batch, the target that it was solved to, and a digest of
    all that.
    """

    def to_json(row: BoardRow) -> dict[str, Any]:
        kept = {name: value for name, value in row.to_json().items() if name != "weight"}
        data = {"question": solve_digest, "target": target, **kept}
        return {**data, "digest": row_digest(data)}

    return FolderStore(folder / _SOLUTIONS, to_json, from_json)


def row_digest(data: Mapping[str, Any]) -> str:
    """A hash of all that a row's file says."""
    return digest(json.dumps(data, sort_keys=True), length=32)


def _one_writer(folder: Path) -> FileLock:
    """The lock for changing what all processes on a folder share: its settings and its table."""
    return FileLock(folder / ".batch.lock")


def load_batch(folder: str | Path) -> Batch:
    """Open the folder of a batch, finished or not.

    `DamagedFileError` where ``batch.toml`` is not as it was written.
    """
    file = Path(folder) / QUESTION_FILE
    try:
        text = file.read_bytes()
    except OSError as error:
        raise ValueError(f"{folder} is not the folder of a batch: {error.strerror}") from None
    with damage_named(file):
        return Batch(folder, BatchQuestion.from_toml(text.decode()))


def check_question(folder: str | Path, now: BatchQuestion) -> None:
    """`ValueError` if a folder was begun with other settings; it says what differs.

    The list of boards and the target may differ.
    """
    if not is_batch(folder):
        return
    before = load_batch(folder).question
    if before.solve_digest == now.solve_digest:
        return
    if before.up_to_suits != now.up_to_suits:
        kinds = ("boards, each for itself (--boards)", "flops up to suits (--flops)")
        was, wanted = kinds[before.up_to_suits], kinds[now.up_to_suits]
        raise ValueError(f"{folder} holds {was}, not {wanted}: name another folder")
    old, new = _flat(before.data()), _flat(now.data())
    for name in {**old, **new}:
        if name != "target" and old.get(name) != new.get(name):
            was, wanted = (shorten(json.dumps(each.get(name)), 40) for each in (old, new))
            raise ValueError(
                f"{folder} was begun with {name} {was}, not {wanted}: name another folder, or "
                "remove this one"
            )


def _flat(data: Mapping[str, Any]) -> dict[str, Any]:
    """The settings field by field, as they are compared."""
    rest = {name: value for name, value in data.items() if name not in ("spot", "boards")}
    textures = list(data.get("textures", {}).items())  # their order counts
    return {**data["spot"], **rest, "textures": textures}

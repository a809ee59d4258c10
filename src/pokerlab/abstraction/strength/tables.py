"""Expected hand strength, and expected squared hand strength, of every hand on every board.

The strength of a hand on a complete board is its chance to win against a random hand, plus half
its chance to tie. On earlier streets `StrengthTables` have the mean over all boards to come, and
the mean of the square, which prefers hands that become strong or weak to those that stay in the
middle. All of them are exact: whole numbers are added up.

The tables have an entry for each class of hand and board that differ only by suits: 169 before
the flop, 1,286,792 on the flop, 13,960,050 on the turn and 123,156,254 on the river (see
`pokerlab.cards.isomorphism.hand_index`); 370 MB in all. They are built once, in a minute or two,
and kept in the cache folder. A build that was stopped goes on where it was.
"""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from pokerlab.abstraction.strength.strength_kernels import (
    STRENGTHS,
    Showdown,
    add_up_boards,
    write_river,
)
from pokerlab.arrays import AnyArray, Bytes, Floats, Int64s, Uint16s
from pokerlab.cards.codes import COMBO_CARDS, N_COMBOS, Cards, format_cards, to_cards
from pokerlab.cards.equities.showdowns import select_hands
from pokerlab.cards.equities.strength import parse_board
from pokerlab.cards.evaluator import tables as evaluator_tables
from pokerlab.cards.isomorphism.hand_index import HandIndexer
from pokerlab.cards.isomorphism.suits import board_orbits
from pokerlab.errors import DamagedFileError
from pokerlab.files.atomic import write_text
from pokerlab.files.builds import Report, build_once, check_room
from pokerlab.files.hashes import digest
from pokerlab.files.reader import Expected, read_checked
from pokerlab.files.tensor_files import write_hashed
from pokerlab.files.versions import check_version
from pokerlab.jit import cache_folder
from pokerlab.machine import core_count

STRENGTH_FORMAT = "pokerlab strength tables 2"
STREETS = ("pre-flop", "flop", "turn", "river")
BOARD_CARDS = (0, 3, 4, 5)
RUN_OUTS = (2_118_760, 1081, 46, 1)
"""The number of complete boards that may come, by street, once a hand and the board are known."""

_PARTS = 64
"""The number of parts in which each street is built."""
_SECONDS_AT_RISK = 20.0
"""How often what is finished is made safe against a machine that goes down."""
_SAME_BOOT = 1.0
"""Two guesses of when the machine was started differ by less, in seconds, if it is the same."""
ROOM = 800_000_000
"""Bytes that a build needs on the disk: the working copy and the file."""
_BOARDS = "boards"


@dataclass(frozen=True, eq=False)
class StrengthTables:
    """Sums of strengths by number of hand and board; see the module.

    Attributes
    ----------
    river
        The strengths on complete boards, of 1,980.
    sums, squares
        For the streets before the river: the sums of the strengths of all complete boards to
        come (`RUN_OUTS`), and of their squares.
    """

    river: Uint16s
    sums: tuple[AnyArray, ...]
    squares: tuple[AnyArray, ...]

    def strength_of(self, street: int, numbers: Int64s) -> Floats:
        """Expected hand strength, 0 to 1, by numbers of hand and board."""
        sums = self.river if street == 3 else self.sums[street]
        return np.asarray(sums[numbers] / (RUN_OUTS[street] * (STRENGTHS - 1)), np.float64)

    def squared_of(self, street: int, numbers: Int64s) -> Floats:
        """Expected squared hand strength, 0 to 1, by numbers of hand and board."""
        if street == 3:
            return np.square(self.strength_of(3, numbers))
        top = RUN_OUTS[street] * (STRENGTHS - 1) ** 2
        return np.asarray(self.squares[street][numbers] / top, np.float64)

    def look_up(self, hole: Cards, board: Cards = ()) -> tuple[float, float]:
        """Expected hand strength and expected squared hand strength of one hand.

        Examples
        --------
        >>> tables = strength_tables()  # doctest: +SKIP
        >>> tables.look_up("AsAd", "4h5h6h")  # doctest: +SKIP
        (0.6010470103439576, 0.39193982759221174)
        """
        hand, known = to_cards(hole), parse_board(board)
        if len(hand) != 2:
            raise ValueError(f"a hand has 2 cards, {format_cards(hand)!r} has {len(hand)}")
        street = BOARD_CARDS.index(len(known))
        number = np.array([hand_indexers()[street].index(to_cards([*hand, *known]))])
        return float(self.strength_of(street, number)[0]), float(self.squared_of(street, number)[0])


@cache
def hand_indexers() -> tuple[HandIndexer, ...]:
    """The indexers of hand and board, as two sets, on each street of hold'em."""
    return tuple(HandIndexer((2, board) if board else (2,)) for board in BOARD_CARDS)


@cache
def all_combos() -> Showdown:
    """The tables with which kernels compare all 1,326 combos."""
    return Showdown(select_hands(np.arange(N_COMBOS), np.ones(N_COMBOS)), evaluator_tables.load())


def strength_tables(report: Report | None = None) -> StrengthTables:
    """Give the tables from the cache folder; build them the first time."""
    path = tables_path()
    build_strength_tables(path, report)
    return _load(path)


def tables_path() -> Path:
    """Where the tables are kept; the name tells by which evaluator and numbering they are made."""
    indexers = (indexer.tables for indexer in hand_indexers())
    arrays = (array for tables in (evaluator_tables.load(), *indexers) for array in tables)
    name = digest(STRENGTH_FORMAT, *arrays, length=16)
    return cache_folder() / "strength" / f"{name}.safetensors"


def build_strength_tables(
    path: Path, report: Report | None = None, *, threads: int | None = None
) -> None:
    """Build the tables and write them to a file.

    Finished parts are kept beside the file until it is complete. A build that was stopped or
    killed loses the parts it was at; if the machine went down, those of the last seconds.

    Parameters
    ----------
    path
        The file.
    report
        Called with how many boards have been sorted, and of how many.
    threads
        By default as many as there are cores.
    """

    def make(report: Report) -> None:
        folder = path.with_suffix(".partial")
        check_room(path.parent, ROOM - _size_on_disk(folder), "the strength tables")
        folder.mkdir(exist_ok=True)
        works = _Works(folder)
        works.run(report, threads or core_count())
        write_hashed(path, works.tensors(), {"format": STRENGTH_FORMAT})
        shutil.rmtree(folder, ignore_errors=True)

    build_once(path, make, report)


def _size_on_disk(folder: Path) -> int:
    """Bytes that the files of a folder have; what was never written of a mapped file has none."""
    files = [file.stat() for file in folder.glob("*")]
    return sum(512 * getattr(file, "st_blocks", 0) for file in files)


@cache
def _load(path: Path) -> StrengthTables:
    again = "remove it, and it is built again"
    sizes = [indexer.size for indexer in hand_indexers()]
    schema = {"river": Expected(np.uint16, (sizes[3],), 0, STRENGTHS - 1)}
    for street, element in enumerate((np.uint64, np.uint32, np.uint32)):
        for name in ("sums", "squares"):
            schema[f"{name}_{street}"] = Expected(element, (sizes[street],))
    try:
        check_version(path, STRENGTH_FORMAT, "strength tables", again)
        tensors, _ = read_checked(path, STRENGTH_FORMAT, schema, verify=True)
    except DamagedFileError as error:
        raise ValueError(f"{error}; {again}") from None
    river: Any = tensors["river"]
    return StrengthTables(
        river,
        tuple(tensors[f"sums_{street}"] for street in range(3)),
        tuple(tensors[f"squares_{street}"] for street in range(3)),
    )


def _boot_time() -> float:
    """About when this machine was started; the same as long as it runs."""
    return time.time() - time.monotonic()


def _finished_parts(notes: Path) -> tuple[set[str], set[str]]:
    """The parts that an earlier build has finished and not lost; which of them are on the disk."""
    try:
        found = json.loads(notes.read_text())
        same = abs(found["boot"] - _boot_time()) < _SAME_BOOT
        return set(found["done" if same else "safe"]), set(found["safe"])
    except (OSError, ValueError, LookupError, TypeError):
        return set(), set()


class _Works:
    """The tables under construction, as files in a folder, and which parts are finished."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        flop, turn, river = (indexer.size for indexer in hand_indexers()[1:])
        self.before_flop = self._map("before_flop", np.uint64, (_PARTS, 2, N_COMBOS))
        self.flop = self._map("flop", np.uint32, (2, flop))
        self.turn = self._map("turn", np.uint32, (2, turn))
        self.river = self._map("river", np.uint16, (river,))
        self.done, self.safe = _finished_parts(folder / "done.json")

    def run(self, report: Report, threads: int) -> None:
        """Build the missing tables."""
        tasks = {name: (work, size) for name, work, size in self._parts()}
        total = sum(size for _, size in tasks.values())
        count = sum(size for name, (_, size) in tasks.items() if name in self.done)
        report(_BOARDS, count, total)
        safe = time.monotonic()
        with ThreadPoolExecutor(threads) as pool:
            running = {
                pool.submit(work): name
                for name, (work, _) in tasks.items()
                if name not in self.done
            }
            try:
                for finished in as_completed(running):
                    finished.result()
                    self.done.add(running[finished])
                    self._note()
                    count += tasks[running[finished]][1]
                    report(_BOARDS, count, total)
                    if time.monotonic() - safe > _SECONDS_AT_RISK:
                        self._make_safe()
                        safe = time.monotonic()
            finally:
                pool.shutdown(cancel_futures=True)
                self._make_safe()

    def tensors(self) -> dict[str, AnyArray]:
        """The finished tables."""
        # All combos of a class have the same sum over all boards. Here each board stands for
        # others that permute the combos of a class among themselves: the mean is that sum.
        by_combo = self.before_flop.sum(axis=0)
        numbers = hand_indexers()[0].index_batch(COMBO_CARDS)
        combos = np.bincount(numbers)
        totals = np.zeros((2, len(combos)), np.uint64)
        for row in range(2):
            np.add.at(totals[row], numbers, by_combo[row])
        start = totals // combos.astype(np.uint64)
        tables = (start, self.flop, self.turn)
        return {
            "river": self.river,
            **{f"sums_{street}": table[0] for street, table in enumerate(tables)},
            **{f"squares_{street}": table[1] for street, table in enumerate(tables)},
        }

    def _parts(self) -> Iterator[tuple[str, Callable[[], None], int]]:
        """Name, work and number of complete boards of every part."""
        for street in (3, 2, 1):
            boards, multiplicities = board_orbits(size=BOARD_CARDS[street])
            ends = np.linspace(0, len(boards), _PARTS + 1).astype(int)
            for part in range(_PARTS):
                here = slice(ends[part], ends[part + 1])
                work = self._work(street, part, boards[here], multiplicities[here])
                sorted_boards = {1: 1176, 2: 48, 3: 1}[street] * len(boards[here])
                yield f"{STREETS[street]} {part}", work, sorted_boards

    def _work(
        self,
        street: int,
        part: int,
        boards: Bytes,
        multiplicities: Int64s,
    ) -> Callable[[], None]:
        index = hand_indexers()[street].tables

        def work() -> None:
            if street == 3:
                # A part that is done again after a stop must not count twice.
                sums = np.zeros((2, N_COMBOS), np.uint64)
                write_river(boards, multiplicities, all_combos(), index, self.river, sums)
                self.before_flop[part] = sums
            else:
                table = self.flop if street == 1 else self.turn
                add_up_boards(boards, all_combos(), index, table[0], table[1])

        return work

    def _make_safe(self) -> None:
        """Write to the disk what is finished, and then that it is."""
        for array in (self.before_flop, self.flop, self.turn, self.river):
            array.flush()
        self.safe = set(self.done)
        self._note()

    def _note(self) -> None:
        """Say which parts are finished, and which of them are on the disk."""
        # The system keeps what a killed process has written; only if it was started again since,
        # what had not been written to the disk is lost.
        notes = {"safe": sorted(self.safe), "done": sorted(self.done), "boot": _boot_time()}
        write_text(self.folder / "done.json", json.dumps(notes))

    def _map(self, name: str, element: Any, shape: tuple[int, ...]) -> np.memmap[Any, Any]:
        file = self.folder / f"{name}.bin"
        size = int(np.prod(shape)) * np.dtype(element).itemsize
        exists = file.is_file() and file.stat().st_size == size
        if not exists:
            (self.folder / "done.json").unlink(missing_ok=True)
        return np.memmap(file, element, "r+" if exists else "w+", 0, shape)

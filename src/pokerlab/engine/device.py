"""`choose_device`: the processor or a GPU, by what is there and what would fit.

What a solve takes on a GPU is counted before anything is allocated: the rule's tables, the answer
that is certified, and what two walkers keep, the one that learns in float32 and the one that
certifies in float64.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pokerlab.engine.counts import padded_rows, possible_hands
from pokerlab.games.betting_trees.betting_tree import BettingTree, EdgeKind
from pokerlab.runtime.arrays import AnyArray
from pokerlab.runtime.errors import shorten
from pokerlab.runtime.machine import size_text

if TYPE_CHECKING:
    from pokerlab.engine.game import PublicGame
    from pokerlab.runtime.gpu.machine import Machine

DEVICES = ("auto", "cpu", "gpu")

_WORTH_A_CARD = 5_000_000
"""Entries from which on a GPU gains more than its preparation takes."""

_LIST_BYTES = 4 * (4 * 12 + 4)
"""The longest card list with what its lanes know, for each unseen card; see `gpu.shape`."""

_GROUP_BYTES = 8
"""For each hand of each board: its group, its place there, and where its group begins at most."""

_SPARE = 1.03, 50_000_000
"""What the parts of memory that nobody can use take, and what does not grow with the spot."""


@dataclass(frozen=True)
class GpuMemory:
    """What a solve keeps on a GPU.

    Attributes
    ----------
    entries
        How many numbers a table holds.
    arrays
        Tables of the rule.
    bits
        Of a stored number.
    walkers
        Bytes of the walker that learns, and of the one that certifies.
    """

    entries: int
    arrays: int
    bits: int
    walkers: tuple[int, int]

    @property
    def nbytes(self) -> int:
        """The most that is in use at any time: that is while the answer is certified."""
        tables = self.entries * self.arrays * self.bits // 8
        factor, base = _SPARE
        return int(factor * (tables + 2 * self.entries + sum(self.walkers))) + base

    def times(self, count: int) -> GpuMemory:
        """The memory of `count` spots of this size that are solved together."""
        first, second = self.walkers
        return replace(self, entries=count * self.entries, walkers=(count * first, count * second))

    @property
    def learning_bytes(self) -> int:
        """What is in use while it learns, as it is counted: without spare room."""
        return self.entries * self.arrays * self.bits // 8 + self.walkers[0]


def walker_bytes(
    tree: BettingTree,
    boards: Sequence[int] | AnyArray,
    lengths: Sequence[tuple[int, int]] | AnyArray,
    real_bytes: int,
    *,
    grouped: bool = False,
) -> int:
    """What a walker of the GPU keeps: index tables, rows between streets, margins of all-ins.

    Parameters
    ----------
    tree
        The betting, of one spot or of several.
    boards
        For each street how many there are, those of all spots together.
    lengths
        For each street the length of a row of hands of each player: see `row_lengths`.
    real_bytes
        Of a number in a row.
    grouped
        Whether hands are stored in groups: which hand belongs to which is kept, too.

    Examples
    --------
    >>> from pokerlab.holdem.spots import Spot
    >>> from pokerlab.engine.counts import street_boards
    >>> spot = Spot("Td9d6h", "random", "random", pot=200, stack=900, bet="50%, 100%, a",
    ...             raise_="100%, a")
    >>> boards = street_boards(spot)
    >>> lengths = row_lengths(spot, boards)
    >>> round(walker_bytes(spot.tree, [len(each) for each in boards], lengths, 4) / 1e6)
    508
    """
    total = 0
    first = lengths[0]
    for street, count, both in zip(tree.streets, boards, lengths, strict=True):
        if street.roots == 0:
            continue
        longest, unseen = max(both), 52 - (3 + street.number)
        all_ins, links = street.count(EdgeKind.ALLIN), street.count(EdgeKind.NEXT_STREET)
        rows = street.roots + 2 * links + 2 * all_ins
        total += rows * count * longest * real_bytes
        # For each player: where a hand meets the others, lists of cards, which hand stands where
        # and where the street above finds it.
        total += count * (2 * 8 * longest + 2 * unseen * _LIST_BYTES)
        total += 2 * count * (sum(both) + sum(first))
        if grouped:
            total += (_GROUP_BYTES + real_bytes) * count * sum(both)
        if all_ins:
            total += 2 * 2 * count * first[0] * first[1]
    return int(total)


def row_lengths(spot: PublicGame, boards: Sequence[AnyArray]) -> list[tuple[int, int]]:
    """For each street the longest row of hands of each player, given its boards.

    Before the river, rows hold all hands of the first board.
    """
    shown = (cards if cards.shape[1] == 5 else boards[0] for cards in boards)
    found = []
    for cards in shown:
        first, second = (
            int(padded_rows(possible_hands(hands, cards)).max()) for hands in spot.ranges
        )
        found.append((first, second))
    return found


def check_device(device: str) -> None:
    """Refuse what is not the name of a device."""
    if device not in DEVICES:
        raise ValueError(f"device: {shorten(str(device))!r} is not auto, cpu or gpu")


def choose_device(
    device: str, needs: GpuMemory, *, grouped: bool = False, reserve: bool = False
) -> str:
    """``"cpu"`` or ``"gpu"``.

    A GPU is taken where ``"gpu"`` asks for it, and by ``"auto"`` where the spot is large, a GPU
    is there and the solve fits on it. `grouped` says whether hands are stored in groups already.
    With `reserve` this process takes the memory at once, so that no other solve can.

    Raises ValueError with one line where ``"gpu"`` cannot be had, with the next thing to try.

    Examples
    --------
    >>> choose_device("auto", GpuMemory(1_000, 2, 32, (0, 0)))
    'cpu'
    >>> choose_device("tpu", GpuMemory(1_000, 2, 32, (0, 0)))
    Traceback (most recent call last):
    ValueError: device: 'tpu' is not auto, cpu or gpu
    """
    check_device(device)
    if device == "cpu" or (device == "auto" and needs.entries < _WORTH_A_CARD):
        return "cpu"
    try:
        _check_memory(needs, grouped=grouped, reserve=reserve)
    except ValueError:
        if device == "gpu":
            raise
        return "cpu"
    return "gpu"


def open_gpu(device: str) -> Machine | None:
    """The GPU that a device asks for: None for ``cpu``, and for ``auto`` where there is none.

    Raises ValueError with one line where ``"gpu"`` cannot be had.

    Examples
    --------
    >>> open_gpu("cpu") is None
    True
    """
    check_device(device)
    if device == "cpu":
        return None
    # Only those who use a GPU load what drives it.
    from pokerlab.runtime.gpu.machine import CudaMachine

    try:
        return CudaMachine()
    except ValueError:
        if device == "gpu":
            raise
        return None


def free_card_bytes() -> int:
    """What a solve may take on the GPU now; `ValueError` with one line where there is none."""
    # Only those who use a GPU load what drives it.
    from pokerlab.runtime.gpu.machine import CudaMachine

    return CudaMachine().free_bytes()


def _check_memory(needs: GpuMemory, *, grouped: bool, reserve: bool) -> None:
    from pokerlab.runtime.gpu.machine import CudaMachine

    machine = CudaMachine()
    free = machine.reserve(needs.nbytes) if reserve else machine.free_bytes()
    if needs.nbytes <= free:
        return
    halved = replace(needs, bits=16)
    way = "offer fewer bet sizes, narrow the ranges, or solve with --device cpu"
    if not grouped:
        way = f"try --groups view, {way}"
    if needs.bits > 16 and halved.nbytes <= free:
        way = f"--precision 16 fits ({size_text(halved.nbytes)})"
    raise ValueError(
        f"device: this solve needs about {size_text(needs.nbytes)} on the GPU, and "
        f"{size_text(free)} are free there; {way}"
    )

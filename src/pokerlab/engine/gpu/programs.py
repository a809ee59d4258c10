"""`compile_programs`: the programs of a street for both players, in the slots that a block has."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from pokerlab.engine.gpu.instructions import MOST_ACTIONS, Flag, Instruction, Kind
from pokerlab.engine.gpu.slots import (
    cut_into_chunks,
    fit_slots,
    place_barriers,
    prefetch_nodes,
)
from pokerlab.engine.gpu.street import GpuStreet
from pokerlab.engine.gpu.writer import OutOfSlotsError, Writer
from pokerlab.games.betting_trees.betting_tree import EdgeKind
from pokerlab.runtime.arrays import Floats, Int32s

FULL, REACH, RECORD_SUMS = "full", "reach", "record"
"""What a program does: down and up, down to the next street, or down to all nodes."""

_MOST_SLOTS = 250
"""Instructions have eight bits for a slot."""

_TABLES = 24, 48, 96, 192
"""Tables of card sums that a team may have; the first number that is enough is taken."""

_MOST_CHUNK = 128
"""Instructions that a team holds in shared memory."""

_Key: TypeAlias = tuple[int, str]
_Written: TypeAlias = dict[_Key, list[list[Instruction]]]


class TooFewSlotsError(Exception):
    """A block has no room for the rows of a single instruction."""


@dataclass(frozen=True)
class KernelNeeds:
    """What a block of a level needs for its programs."""

    slots: int
    tables: int
    chunk: int
    fewest: int = 4
    """Slots that a single instruction needs."""


@dataclass(frozen=True, eq=False)
class JobList:
    """The instructions of all jobs.

    Attributes
    ----------
    words : (instructions, 8)
        The jobs one after the other.
    first : (jobs + 1,)
        Where each begins.
    """

    words: npt.NDArray[np.uint32]
    first: Int32s

    @property
    def jobs(self) -> int:
        """How many there are."""
        return len(self.first) - 1


@dataclass(frozen=True, eq=False)
class Programs:
    """The programs of a street: by hero and by what they do."""

    lists: dict[_Key, JobList]
    needs: KernelNeeds
    spilled: int
    """Rows that a team keeps in global memory at once."""
    factors: Floats
    """The stakes of leaves, where instructions have their numbers."""
    has_ties: bool = False
    """Whether ties at showdowns count anything of their own."""

    @property
    def longest(self) -> int:
        """The instructions of the longest job."""
        return max(int(np.diff(found.first).max()) for found in self.lists.values())


class ProgramWriting:
    """Writes programs of a street for both heroes, and keeps what it has written.

    Parameters
    ----------
    streets
        The street as each hero sees it.
    jobs
        How many lists of roots there are at most.
    exact
        Whether stakes are kept in float64.
    """

    def __init__(self, streets: Sequence[GpuStreet], jobs: int, *, exact: bool = False) -> None:
        for street in streets:
            for node in range(len(street.mine)):
                if len(street.edges_of(node)) > MOST_ACTIONS:
                    raise ValueError(
                        f"device: a GPU takes nodes of {MOST_ACTIONS} actions at most; "
                        "solve with --device cpu, or with fewer sizes"
                    )
        self.streets = streets
        self.shares = share_roots(streets[0], jobs)
        self.factors: dict[float, int] | None = {} if exact else None
        self.kinds = (FULL, RECORD_SUMS) if streets[0].is_last else (FULL, REACH, RECORD_SUMS)
        self._write = cache(self._write_anew)
        self._fitted = cache(self._fit_anew)

    def within(self, fits: Callable[[KernelNeeds], bool]) -> Programs:
        """Programs with as many slots as fit; rows that find none go to global memory.

        Many slots let many leaves be evaluated together, so the first try has more than enough.
        """
        tables = _TABLES[0]
        slots = _MOST_SLOTS
        while True:
            found = self._write(slots, tables)
            if found is None:
                if slots == _MOST_SLOTS and tables < _TABLES[-1]:
                    tables = next(more for more in _TABLES if more > tables)
                    continue
                break
            _, needs = found
            if fits(needs):
                return self._fitted(slots, tables, needs)
            slots = min(_most_slots(needs, fits), needs.slots - 1)
        # The smallest number for which a program can be written keeps rows close to their use.
        while True:
            slots = min(slots + 4, _MOST_SLOTS)
            found = self._write(slots, tables)
            if found is not None:
                break
            if slots == _MOST_SLOTS:
                raise ValueError(
                    "device: a street of this spot is too deep for the GPU; "
                    "solve with --device cpu, or with fewer bets a street"
                )
        needs = replace(found[1], chunk=_MOST_CHUNK)
        room = min(_most_slots(needs, fits), needs.slots)
        return self._fitted(slots, tables, replace(needs, slots=room))

    def _write_anew(self, slots: int, tables: int) -> tuple[_Written, KernelNeeds] | None:
        """The programs down and up, and their needs; None with too few slots or tables."""
        try:
            written = {
                (hero, FULL): [Writer(street, slots, tables).write(roots) for roots in self.shares]
                for hero, street in enumerate(self.streets)
            }
        except OutOfSlotsError:
            return None
        return written, _needs(written)

    def _fit_anew(self, slots: int, tables: int, needs: KernelNeeds) -> Programs:
        """All programs, in the slots that there are."""
        found = self._write(slots, tables)
        assert found is not None  # else nobody would know its needs
        written = dict(found[0])
        for hero, street in enumerate(self.streets):
            for kind in self.kinds[1:]:
                record = kind == RECORD_SUMS
                written[hero, kind] = [
                    write_reach(street, roots, record=record) for roots in self.shares
                ]
        lists, spilled = {}, 0
        for key, programs in written.items():
            fitted = [fit_slots(program, needs.slots) for program in programs]
            spilled = max(spilled, *(away for _, away in fitted))
            lists[key] = _job_list([program for program, _ in fitted], needs.chunk, self.factors)
        exact = np.array(list(self.factors or (0.0,)), np.float64)
        has_ties = any(street.has_ties for street in self.streets)
        return Programs(lists, needs, spilled, exact, has_ties)


def compile_programs(
    writing: ProgramWriting,
    has_room: Callable[[KernelNeeds], bool],
    most_slots: int | None = None,
) -> Programs:
    """Compile a street for both heroes.

    Raises `TooFewSlotsError` where a block has no room for a single instruction.

    Parameters
    ----------
    writing
        The street, and what was written of it before.
    has_room
        Whether a block has room for what programs need.
    most_slots
        The most slots that programs may use.
    """
    return writing.within(
        lambda needs: needs.slots <= (most_slots or _MOST_SLOTS) and has_room(needs)
    )


def share_roots(street: GpuStreet, jobs: int) -> list[list[int]]:
    """Roots for each job, as equal as may be; the largest first."""
    shares: list[list[int]] = [[] for _ in range(min(jobs, street.roots))]
    load = [0] * len(shares)
    for root in sorted(range(street.roots), key=lambda root: -street.root_edges(root)):
        job = load.index(min(load))
        shares[job].append(root)
        load[job] += street.root_edges(root)
    order = sorted(range(len(shares)), key=lambda job: -load[job])
    return [sorted(shares[job], key=lambda root: -street.root_edges(root)) for job in order]


def _most_slots(needs: KernelNeeds, fits: Callable[[KernelNeeds], bool]) -> int:
    """How many slots fit beside tables and instructions."""
    slots = next((n for n in range(_MOST_SLOTS, 0, -1) if fits(replace(needs, slots=n))), 0)
    if slots < needs.fewest:
        raise TooFewSlotsError
    return slots


def _needs(written: _Written) -> KernelNeeds:
    # Programs that carry reach alone are not written yet: they need two rows at least.
    slots, tables, longest, fewest = 2, 1, 1, 4
    for programs in written.values():
        for program in programs:
            longest = max(longest, len(program))
            for each in program:
                used = each.read | each.written
                fewest = max(fewest, len(used))
                slots = max(slots, *(slot + 1 for slot in used), 0)
                tables = max(tables, *(leaf.table + 1 for leaf in each.leaves), 0)
                if each.kind == Kind.COMBINE:
                    tables = max(tables, each.number + 1)
    return KernelNeeds(slots, tables, min(-(-(longest + 8) // 8) * 8, _MOST_CHUNK), fewest)


def _job_list(
    programs: Sequence[list[Instruction]], chunk: int, factors: dict[float, int] | None
) -> JobList:
    """Barriers, prefetches and chunks; then words."""
    words: list[list[int]] = []
    first = [0]
    for program in programs:
        place_barriers(program)
        whole = [*prefetch_nodes(program), Instruction(Kind.STOP)]
        words += [each.pack(factors) for each in cut_into_chunks(whole, chunk)]
        first.append(len(words))
    packed = np.array(words, np.uint64).astype(np.uint32).reshape(-1, 8)
    return JobList(packed, np.array(first, np.int32))


def write_reach(street: GpuStreet, roots: Sequence[int], *, record: bool) -> list[Instruction]:
    """The instructions that carry reach from some roots to the next street and to all-ins.

    With `record` they go to all nodes of the opponent and add to the sums of strategies there.
    """
    program: list[Instruction] = []
    free: list[int] = []
    used = 0

    def take() -> int:
        nonlocal used
        if free:
            return free.pop()
        used += 1
        return used - 1

    @cache
    def leads_on(node: int) -> bool:
        """Whether anything below needs the reach."""
        return record or any(
            street.kind[edge] in (EdgeKind.NEXT_STREET, EdgeKind.ALLIN)
            or (street.kind[edge] == EdgeKind.NODE and leads_on(street.target[edge]))
            for edge in street.edges_of(node)
        )

    def go_down(node: int, slot: int) -> None:
        if not leads_on(node):
            return
        edges = street.edges_of(node)
        parts = [slot] * len(edges)
        if not street.mine[node]:
            parts = [take() for _ in edges]
            flags = Flag.SUMS if record else 0
            number = street.slot[node]
            split = Instruction(Kind.SPLIT, number, list(parts), source=slot, flags=flags)
            program.append(split)
        for edge, part in zip(edges, parts, strict=True):
            if street.kind[edge] == EdgeKind.NODE:
                go_down(street.target[edge], part)
            elif street.kind[edge] == EdgeKind.NEXT_STREET:
                number = street.target[edge]
                program.append(Instruction(Kind.PASS_DOWN, number, [0], source=part))
            elif street.kind[edge] == EdgeKind.ALLIN:
                number = street.all_in[edge]
                program.append(Instruction(Kind.PASS_DOWN, number, [1], source=part))
        if not street.mine[node]:
            free.extend(parts)

    for root in roots:
        slot = take()
        program.append(Instruction(Kind.ENTER, root, out=slot))
        go_down(street.first_node(root), slot)
        free.append(slot)
    return program

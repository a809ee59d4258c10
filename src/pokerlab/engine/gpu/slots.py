"""From programs with as many slots as they like to programs for the slots that there are.

Rows that find no slot go to global memory: when room is needed, the row whose next use is farthest
away gives up its slot, and is read back before that use. Then barriers are put where a thread
looks at what another one has written, instructions get what to prefetch, and long lists are cut
into chunks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pokerlab.engine.gpu.instructions import Flag, Instruction, Kind

_AHEAD = 3
"""How many nodes ahead a prefetch is: enough to hide memory, few enough to stay in the cache."""

_NEVER = 1 << 60


def fit_slots(program: Sequence[Instruction], slots: int) -> tuple[list[Instruction], int]:
    """The same program in `slots` slots; also how many rows lie in global memory at once.

    Examples
    --------
    >>> rows = [Instruction(Kind.ENTER, row, out=row) for row in range(3)]
    >>> uses = [Instruction(Kind.LEAVE, row, source=row) for row in range(3)]
    >>> found, spilled = fit_slots(rows + uses, 2)
    >>> [each.kind.name for each in found], spilled
    (['ENTER', 'ENTER', 'SPILL', 'ENTER', 'LEAVE', 'FILL', 'LEAVE', 'LEAVE'], 1)
    """
    following = _next_uses(program)
    place: dict[int, int] = {}  # the slot of each row that has one
    away: dict[int, int] = {}  # the number of each row in global memory
    next_use: dict[int, int] = {}
    fitted: list[Instruction] = []
    most_away = 0

    def make_room(keep: set[int]) -> int:
        nonlocal most_away
        taken = set(place.values())
        free = next((slot for slot in range(slots) if slot not in taken), None)
        if free is not None:
            return free
        candidates = [row for row in place if row not in keep]
        if not candidates:
            raise ValueError(f"an instruction needs more than {slots} slots")
        victim = max(candidates, key=lambda row: next_use[row])
        slot = place.pop(victim)
        number = next(n for n in range(len(away) + 1) if n not in away.values())
        away[victim] = number
        most_away = max(most_away, len(away))
        fitted.append(Instruction(Kind.SPILL, number, source=slot))
        return slot

    for at, instruction in enumerate(program):
        read, written = instruction.read, instruction.written
        for row in sorted(read):
            if row not in place:
                slot = make_room(read | written)
                fitted.append(Instruction(Kind.FILL, away.pop(row), out=slot))
                place[row] = slot
        uses = following[at]
        for row in sorted(written - place.keys()):
            away.pop(row, None)  # what it held is not needed any more
            place[row] = make_room(read | written)
        next_use.update(uses)
        moved = replace(instruction)
        moved.move(place)
        fitted.append(moved)
        for row in read | written:
            if uses[row] == _NEVER:
                del place[row]
    return fitted, most_away


def _next_uses(program: Sequence[Instruction]) -> list[dict[int, int]]:
    """For each instruction and row of it, where what it then holds is read next."""
    upcoming: dict[int, int] = {}
    found: list[dict[int, int]] = []
    for at in range(len(program) - 1, -1, -1):
        read, written = program[at].read, program[at].written
        found.append({row: upcoming.get(row, _NEVER) for row in read | written})
        for row in written:
            upcoming.pop(row, None)
        for row in read:
            upcoming[row] = at
    return found[::-1]


def place_barriers(program: Sequence[Instruction]) -> None:
    """Mark the instructions before which the threads of a team must wait for each other.

    Threads own their places of a row, so only three things matter: leaves write values and card
    sums for all; a fold reads the places of others, and so does a showdown where ties count, so its
    row and its card sums must not be written before all have read them; and a row that was read
    back must be there before others look at it.
    """
    being_read: set[int] = set()
    tables_read: set[int] = set()
    unseen = False  # something was written that others will read
    for instruction in program:
        kind = instruction.kind
        if kind == Kind.LEAVES or kind == Kind.ENTER:  # these begin with a barrier
            being_read = {leaf.reach for leaf in instruction.leaves if leaf.ties}
            tables_read.clear()
            unseen = kind == Kind.LEAVES
            continue
        if kind == Kind.COMBINE:
            if instruction.number in tables_read:
                instruction.flags |= Flag.SYNC
                being_read.clear()
                tables_read.clear()
            unseen = True
            continue
        looks = kind in (Kind.VALUE, Kind.ADD, Kind.LEAVE, Kind.SPILL)
        if (unseen and looks) or instruction.written & being_read:
            instruction.flags |= Flag.SYNC
            being_read.clear()
            tables_read.clear()
            unseen = False
        if instruction.flags & Flag.FOLD:
            being_read.add(instruction.rows[0])
            tables_read.add(instruction.table)
        if kind == Kind.FILL:
            unseen = True


def prefetch_nodes(program: list[Instruction]) -> list[Instruction]:
    """Let each node ask for the storage of one that comes soon."""
    nodes = [each for each in program if each.kind in (Kind.SPLIT, Kind.VALUE)]

    def ahead(node: Instruction) -> tuple[int, int, bool]:
        return node.number, len(node.rows), node.kind == Kind.SPLIT

    for node, later in zip(nodes, nodes[_AHEAD:], strict=False):
        node.next = ahead(later)
    head = [Instruction(Kind.PREFETCH, next=ahead(node)) for node in nodes[:_AHEAD]]
    return head + program


def cut_into_chunks(program: list[Instruction], chunk: int) -> list[Instruction]:
    """Put a MORE at the end of each chunk but the last."""
    cut: list[Instruction] = []
    for each in program:
        if len(cut) % chunk == chunk - 1:
            cut.append(Instruction(Kind.MORE))
        cut.append(each)
    return cut

"""From the betting of a street to a list of instructions, for one hero.

A *row* is the opponent's reach behind one of their actions; it is in a slot until its last use. As
many subtrees as the slots allow go down together, their leaves are evaluated two at a time, and
their values come up. A subtree that is too large is split at its first node.

Showdown values overwrite the reach they come from, unless a fold needs that reach too. Card sums of
rows that only fold are sums and differences of those that showdowns leave behind: the rows of an
opponent's node add up to the row before it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from pokerlab.engine.gpu.instructions import Flag, Instruction, Kind, Leaf, LeafKind
from pokerlab.engine.gpu.street import GpuStreet
from pokerlab.games.betting_trees.betting_tree import EdgeKind


class OutOfSlotsError(Exception):
    """A program needs more slots, or tables of card sums, than it was given."""


@dataclass(eq=False)
class Row:
    """The opponent's reach behind an action, or at a root."""

    slot: int
    parent: Row | None = None
    family: list[Row] = field(default_factory=list)
    """The rows behind all actions of the node, this one included."""
    parts: list[list[Row]] = field(default_factory=list)
    """For each node of the opponent that it arrives at, the rows behind the actions."""
    users: int = 0
    """Nodes of the opponent that will still split it, and one more if leaves need it."""
    showdown: float | None = None
    """The factor of its showdown."""
    ties: float | None = None
    """What a tie counts there; see `Leaf`."""
    folds: int = 0
    """How often its card sums will still be asked for."""
    values: int = -1
    """The slot of the showdown values."""
    table: int = -1
    """Its card sums."""


class Fold(NamedTuple):
    """A value that is made when it is used: the reach that a hand meets, times a factor."""

    row: Row
    factor: float


class _State(NamedTuple):
    """What is to be restored when a try has failed."""

    length: int
    free: set[int]
    free_tables: set[int]
    recent: set[int]
    lasting: list[int]
    parts: dict[int, list[Row]]


Value: TypeAlias = "int | Fold"
"""A slot, or a fold."""
Item: TypeAlias = tuple[int, Row]
"""A node, and the opponent's reach there."""


class Writer:
    """Writes the instructions for some roots of a street.

    Parameters
    ----------
    street
        The betting, seen by the hero.
    slots, tables
        How many there are; with too few, `OutOfSlotsError` is raised.
    """

    def __init__(self, street: GpuStreet, slots: int, tables: int) -> None:
        self.street = street
        self.slots, self.tables = slots, tables
        self.program: list[Instruction] = []
        self._free = set(range(slots))
        self._free_tables = set(range(tables))
        self._recent: set[int] = set()  # slots that folds have read: writing them needs a barrier
        self._lasting: list[int] = []  # tables that stay until the root is done
        self._parts: dict[int, list[Row]] = {}

    def write(self, roots: Sequence[int]) -> list[Instruction]:
        """The instructions for some roots, one group of them after the other."""
        at = 0
        while at < len(roots):
            group = roots[at : at + self._how_many(roots[at:])]
            values = self._process(self._enter(group))
            for root, value in zip(group, values, strict=True):
                self._emit(Kind.LEAVE, root, source=value)
                self._free.add(value)
            self._free_tables.update(self._lasting)
            self._lasting = []
            if len(self._free) != self.slots or len(self._free_tables) != self.tables:
                raise AssertionError("a slot or a table was not given back")
            at += len(group)
        return self.program

    def _how_many(self, roots: Sequence[int]) -> int:
        """How many of the next roots fit together."""
        count = 1
        while count < len(roots):
            saved = self._save()
            try:
                self._together(self._enter(roots[: count + 1]))
            except OutOfSlotsError:
                return count
            finally:
                self._restore(saved)
            count += 1
        return count

    def _enter(self, roots: Sequence[int]) -> list[Item]:
        items = []
        for root in roots:
            node = self.street.first_node(root)
            row = Row(self._take(), users=self.street.row_users(node))
            self._emit(Kind.ENTER, root, out=row.slot)
            self._recent.clear()
            if row.users == 0:
                self._free.add(row.slot)
            items.append((node, row))
        return items

    # ---- slots, tables, instructions

    def _take(self) -> int:
        if not self._free:
            raise OutOfSlotsError
        slot = min(self._free - self._recent or self._free)
        self._free.remove(slot)
        return slot

    def _take_table(self) -> int:
        if not self._free_tables:
            raise OutOfSlotsError
        table = min(self._free_tables)
        self._free_tables.remove(table)
        return table

    def _emit(
        self,
        kind: Kind,
        number: int = 0,
        rows: Sequence[int] = (),
        *,
        out: int = 0,
        source: int = 0,
        flags: int = 0,
        factor: float = 0.0,
        table: int = 0,
    ) -> None:
        self.program.append(
            Instruction(kind, number, list(rows), out, source, factor, table, flags)
        )

    def _save(self) -> _State:
        return _State(
            len(self.program),
            set(self._free),
            set(self._free_tables),
            set(self._recent),
            list(self._lasting),
            dict(self._parts),
        )

    def _restore(self, saved: _State) -> None:
        del self.program[saved.length :]
        self._free, self._free_tables = set(saved.free), set(saved.free_tables)
        self._recent, self._lasting = set(saved.recent), list(saved.lasting)
        self._parts = dict(saved.parts)

    # ---- going down

    def _split(self, node: int, row: Row) -> list[Row]:
        """Split a row at a node of the opponent."""
        self._release(row)
        edges = self.street.edges_of(node)
        parts = [Row(self._take(), row) for _ in edges]
        for part in parts:
            part.family = parts
        row.parts.append(parts)
        number = self.street.slot[node]
        slots = [part.slot for part in parts]
        self._emit(Kind.SPLIT, number, slots, source=row.slot, flags=Flag.SUMS)
        for edge, part in zip(edges, parts, strict=True):
            part.users = self.street.edge_users(edge)
            if part.users == 0:  # the reach below comes from elsewhere
                self._free.add(part.slot)
        return parts

    def _release(self, row: Row) -> None:
        row.users -= 1
        if row.users == 0:
            self._free.add(row.slot)

    def _mark(self, row: Row, edge: int) -> None:
        """Note what a leaf needs of its row."""
        kind = self.street.kind[edge]
        if kind == EdgeKind.FOLD:
            row.folds += 1
        elif kind == EdgeKind.SHOWDOWN:
            row.showdown = self.street.showdown(edge)[0]
            row.ties = self.street.tie_share(edge)
        if self.street.is_raked(edge):
            row.folds += 1

    def _go_down(self, node: int, row: Row, rows: list[Row]) -> None:
        """Split rows all the way to the leaves; `rows` gets all that there are."""
        street = self.street
        edges = street.edges_of(node)
        parts = [row] * len(edges)
        if not street.mine[node]:
            parts = self._parts[node] = self._split(node, row)
            rows += parts
        for edge, part in zip(edges, parts, strict=True):
            if street.kind[edge] == EdgeKind.NODE:
                self._go_down(street.target[edge], part, rows)
            else:
                self._mark(part, edge)

    # ---- leaves

    def _evaluate(self, rows: Sequence[Row]) -> list[int]:
        """Evaluate the leaves of rows: the tables that were taken for their card sums."""
        leaves, tables = [], []
        for row in rows:
            if row.showdown is not None and row.values < 0:
                if row.table < 0:
                    row.table = self._take_table()
                    tables.append(row.table)
                if row.folds:
                    row.values = self._take()  # the fold needs the reach
                else:
                    row.values = row.slot if row.users == 1 else self._take()
                    row.users -= 1
                slots = row.slot, row.values, row.table
                leaves.append(Leaf(*slots, LeafKind.SHOWDOWN, row.showdown, row.ties))
        combined = []
        for row in rows:
            if row.folds and row.table < 0:
                if self.street.is_last and self._sums_of(row) is not None:
                    combined.append(row)
                    continue
                row.table = self._take_table()
                tables.append(row.table)
                ties = 0.0 if self.street.has_ties else None
                leaves.append(Leaf(row.slot, 0, row.table, LeafKind.CARDS, 0.0, ties))
        for first in range(0, len(leaves), 2):
            pair = tuple(leaves[first : first + 2])
            self.program.append(Instruction(Kind.LEAVES, leaves=pair))
            self._recent.clear()
        for row in combined:
            sums = self._sums_of(row)
            if sums is None:
                raise AssertionError("card sums that were there are gone")
            row.table = self._take_table()
            tables.append(row.table)
            self._combine(row.table, sums)
        return tables

    def _sums_of(self, row: Row, without: list[Row] | None = None) -> dict[int, int] | None:
        """How often a row's card sums contain each table, if tables give them.

        From the rows that it is split into, or from the row before it less the other parts of that.
        """
        found = self._sums_below(row, without)
        if found is not None or row.parent is None:
            return found
        others = [self._sums_below(part) for part in row.family if part is not row]
        if None in others:
            return None
        whole = self._sums_of(row.parent, row.family)
        if whole is None:
            return None
        return _total([whole, *others], [1] + [-1] * len(others))

    def _sums_below(self, row: Row, without: list[Row] | None = None) -> dict[int, int] | None:
        if row.table >= 0:
            return {row.table: 1}
        for parts in row.parts:
            if parts is without:
                continue
            sums = []
            for part in parts:
                found = self._sums_below(part)
                if found is None:
                    break
                sums.append(found)
            else:
                return _total(sums, [1] * len(sums))
        return None

    def _combine(self, table: int, sums: dict[int, int]) -> None:
        terms = [
            (each, 1 if count > 0 else -1)
            for each, count in sums.items()
            for _ in range(abs(count))
        ]
        parts = [terms[:8], *(terms[k : k + 7] for k in range(8, len(terms), 7))]
        for number, part in enumerate(parts):
            here = [(table, 1), *part] if number else part
            signs = sum(1 << k for k, (_, sign) in enumerate(here) if sign < 0)
            rows = [each for each, _ in here]
            self.program.append(Instruction(Kind.COMBINE, table, rows, signs=signs))

    def _keep_sums(self, row: Row) -> None:
        """Card sums that a fold elsewhere may ask for stay until the root is done."""
        if self.street.is_last and row.table < 0 and (row.users > 0 or row.parent is not None):
            sums = self._sums_of(row)
            if sums is not None:
                row.table = self._take_table()
                self._combine(row.table, sums)
                self._lasting.append(row.table)

    # ---- going up

    def _go_up(self, node: int, row: Row) -> int:
        """The values of a node whose leaves are evaluated."""
        edges = self.street.edges_of(node)
        parts = [row] * len(edges) if self.street.mine[node] else self._parts[node]
        values = [self._value(edge, part) for edge, part in zip(edges, parts, strict=True)]
        return self._close(node, values)

    def _value(self, edge: int, row: Row) -> Value:
        street = self.street
        kind = street.kind[edge]
        if kind == EdgeKind.NODE:
            return self._go_up(street.target[edge], row)
        if kind == EdgeKind.FOLD:
            return Fold(row, street.fold(edge))
        if kind == EdgeKind.NEXT_STREET:
            slot = self._take()
            self._emit(Kind.FETCH_UP, street.target[edge], [0], out=slot, factor=1.0)
            return slot
        beaten, unblocked = street.showdown(edge)
        if kind == EdgeKind.SHOWDOWN:
            slot = row.values
        else:
            slot = self._take()
            self._emit(Kind.FETCH_UP, street.all_in[edge], [1], out=slot, factor=beaten)
        if street.is_raked(edge):
            return self._sum(Kind.ADD, 0, [Fold(row, unblocked), slot])
        return slot

    def _close(self, node: int, values: Sequence[Value]) -> int:
        mine = self.street.mine[node]
        return self._sum(Kind.VALUE if mine else Kind.ADD, self.street.slot[node], values)

    def _sum(self, kind: Kind, number: int, values: Sequence[Value]) -> int:
        """One row from several; of these the first may be a fold. Their slots are given back."""
        slots = [value for value in values if not isinstance(value, Fold)]
        out = slots[0] if slots else self._take()
        first = values[0]
        if isinstance(first, Fold):
            row, rows = first.row, [first.row.slot, *slots]
            factor, table = first.factor, row.table
            self._emit(kind, number, rows, out=out, flags=Flag.FOLD, factor=factor, table=table)
            self._recent.add(row.slot)
            row.folds -= 1
            if row.folds == 0:
                self._release(row)
        else:
            self._emit(kind, number, slots, out=out)
        self._free.update(slots[1:])
        return out

    # ---- subtrees

    def _together(self, items: Sequence[Item]) -> list[int]:
        """Walk over some subtrees in one go: the slots of their values."""
        entered = list(dict.fromkeys(row for _, row in items))
        rows = list(entered)
        for node, row in items:
            self._go_down(node, row, rows)
        tables = self._evaluate(rows)
        values = [self._go_up(node, row) for node, row in items]
        kept = []
        for row in entered:
            if row.table in tables and (row.users > 0 or row.parent is not None):
                kept.append(row.table)
                self._lasting.append(row.table)
            self._keep_sums(row)
        given_back = set(tables).difference(kept)
        self._free_tables |= given_back
        for row in rows:
            if row.table in given_back:
                row.table = -1
        return values

    def _process(self, items: Sequence[Item]) -> list[int]:
        """Values of subtrees whose rows are there, the largest first, as many as fit at a time."""
        order = sorted(range(len(items)), key=lambda k: -self.street.size(items[k][0]))
        found: dict[int, int] = {}
        while order:
            for count in range(len(order), 0, -1):
                values = self._try([items[k] for k in order[:count]])
                if values is not None:
                    break
            else:
                count, values = 1, [self._one_by_one(*items[order[0]])]
            found.update(zip(order[:count], values, strict=True))
            order = order[count:]
        return [found[k] for k in range(len(items))]

    def _try(self, items: Sequence[Item]) -> list[int] | None:
        saved = self._save()
        rows = [(row, {**vars(row), "parts": list(row.parts)}) for _, row in items]
        try:
            return self._together(items)
        except OutOfSlotsError:
            self._restore(saved)
            for row, before in rows:
                vars(row).update(before)
            return None

    def _one_by_one(self, node: int, row: Row) -> int:
        """A subtree that is too large to be walked over in one go: one child after the other."""
        street = self.street
        edges = street.edges_of(node)
        if street.mine[node]:
            # All values are needed at the end, so the largest subtree goes first, when there is
            # no other value yet.
            below = [edge for edge in edges if street.kind[edge] == EdgeKind.NODE]
            found = self._process([(street.target[edge], row) for edge in below])
            known: dict[int, Value] = dict(zip(below, found, strict=True))
            for edge in edges:
                if edge not in known:
                    self._mark(row, edge)
            tables = self._evaluate([row])
            found_values = [
                known[edge] if edge in known else self._value(edge, row) for edge in edges
            ]
            out = self._close(node, found_values)
            self._give_tables([row], tables)
            return out
        parts = self._split(node, row)
        inner, leaves = [], []
        for edge, part in zip(edges, parts, strict=True):
            if street.kind[edge] == EdgeKind.NODE:
                inner.append((street.target[edge], part))
            else:
                self._mark(part, edge)
                leaves.append((edge, part))
        # Values are only added up, so the largest subtree goes last, when all others are one row.
        inner.sort(key=lambda item: street.size(item[0]))
        values: list[Value] = list(self._process(inner[:-1]))
        tables = self._evaluate([part for _, part in leaves])
        values = [self._value(edge, part) for edge, part in leaves] + values
        values.sort(key=lambda value: not isinstance(value, Fold))
        if inner:
            if values:
                values = [self._close(node, values)]
            values.append(self._process(inner[-1:])[0])
        only = values[0]
        out = self._close(node, values) if len(values) > 1 or isinstance(only, Fold) else only
        self._keep_sums(row)
        self._give_tables(parts, tables)
        return out

    def _give_tables(self, rows: Sequence[Row], tables: Sequence[int]) -> None:
        for row in rows:
            if row.table in tables:
                row.table = -1
        self._free_tables.update(tables)


def _total(sums: Sequence[dict[int, int] | None], signs: Sequence[int]) -> dict[int, int]:
    total: dict[int, int] = {}
    for part, sign in zip(sums, signs, strict=True):
        for table, count in (part or {}).items():
            total[table] = total.get(table, 0) + sign * count
    return {table: count for table, count in total.items() if count}

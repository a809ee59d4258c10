"""`Level`: a street on all its boards, on the GPU: tables, programs, and rows between streets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from pokerlab.cards.codes import COMBO_CARDS, card_mask
from pokerlab.engine.gpu.level_boards import NO_HAND, LevelBoards, Pair, pair_maker
from pokerlab.engine.gpu.programs import (
    KernelNeeds,
    Programs,
    ProgramWriting,
    TooFewSlotsError,
    compile_programs,
)
from pokerlab.engine.gpu.shape import LIST_SHAPES, LevelShape, round_up
from pokerlab.engine.gpu.street import GpuStreet
from pokerlab.engine.tables.boards import Boards
from pokerlab.engine.tables.hand_groups import BoardGroups
from pokerlab.engine.tables.payoffs import Payoffs
from pokerlab.games.betting_trees.betting_tree import EdgeKind, StreetTree
from pokerlab.runtime.gpu.machine import Machine

_TOO_LONG = 1 << 20
_RESERVED_BYTES = 1024
"""Shared memory of each block that the system takes."""


@dataclass(frozen=True)
class Tuning:
    """What was found out by measuring.

    Attributes
    ----------
    jobs
        Lists of roots of the river, which the teams of a block share; None: 20, or 8 where a block
        walks several boards.
    teams
        Of a block on the river; None: as many as there are threads for.
    boards
        The most boards that a block walks at once, where ranges are narrow.
    river_blocks, upper_blocks
        Blocks on a multiprocessor: on the river, before it.
    slots
        The most slots of a team; None: as many as there is room for.
    sum_step
        Kernels are compiled for a number of card sums, a multiple of this, and for one of sums over
        hands, a multiple of half of it.
    options
        Further compile-time numbers of the river's kernel.
    """

    jobs: int | None = None
    teams: int | None = None
    boards: int = 4
    river_blocks: int = 1
    upper_blocks: int = 3
    slots: int | None = None
    sum_step: int = 64
    options: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, eq=False)
class KnownPrograms:
    """What levels of one betting tree, number of hands and precision have found, by street.

    To write programs takes seconds, and what they do depends on the tree alone.
    """

    writings: dict[int, ProgramWriting] = field(default_factory=dict)
    lists: dict[int, int] = field(default_factory=dict)
    """The first of `LIST_SHAPES` that has room."""


class Level:
    """A street on the GPU, of one spot or of several.

    Parameters
    ----------
    machine
        Where it is.
    tree, number
        The betting, and how many streets are before it.
    parts
        All boards of each spot.
    payoffs
        What leaves are worth.
    real
        The precision of rows.
    above
        The street before it.
    tuning
        How work is cut.
    groups
        Hands that share storage, for each spot; a block then walks one board. Empty where none do.
    known
        What was found for other boards with the same betting; this level adds to it.
    beside
        A level with the same boards and other betting, whose tables and rows this one uses, too.
        The two must not walk at the same time.
    """

    on: LevelBoards
    shape: LevelShape
    table_length: int
    d_tables: list[dict[str, Any]]
    d_combo_cards: Any
    d_combos: Pair
    table_sums: tuple[int, int]
    """The sums over cards and over hands that the tables need; betting may need more."""

    def __init__(
        self,
        machine: Machine,
        tree: StreetTree,
        number: int,
        parts: Sequence[Boards],
        payoffs: Payoffs,
        real: np.dtype[Any],
        above: Level | None,
        tuning: Tuning,
        groups: Sequence[BoardGroups] = (),
        known: KnownPrograms | None = None,
        beside: Level | None = None,
    ) -> None:
        self.machine, self.tree, self.number, self.real = machine, tree, number, real
        self.last_street = tree.number == 2
        self.tuning = replace(tuning, boards=1) if groups else tuning
        learned = [each for each in groups if not each.shared]
        self._most_groups = max(
            (int(each.at(number, player).counts.max()) for each in learned for player in range(2)),
            default=0,
        )
        self._known = known
        self._tables = [part.tables[number] for part in parts]
        self.on = found = LevelBoards.of(parts, number) if beside is None else beside.on
        self.boards = len(found)
        self.lengths = found.lengths
        """Of the rows in global memory."""
        first, second = (
            int(np.diff(tree.first_edge)[tree.player == player].sum()) for player in range(2)
        )
        self.slots = first, second
        self.d_first = self._on_machine((found.entries[0] * first, found.entries[1] * second))
        self.chance = parts[0].chances[number]
        self.card_sums = self.hand_sums = 0
        if beside is None:
            self._copy_boards()
            self._make_tables()
        else:
            self._share_tables(beside)
        self._make_room(above)
        self._make_programs(payoffs)
        self._make_rows(beside)

    def _on_machine(self, both: Pair) -> Pair:
        first = self.machine.array(both[0])
        return first, first if both[1] is both[0] else self.machine.array(both[1])

    def _copy_boards(self) -> None:
        machine, found = self.machine, self.on
        self.d_hands = self._on_machine(found.hands)
        self.d_order = self._on_machine(found.order)
        self.d_true_hands = self._on_machine(
            pair_maker(self._tables)(
                lambda player: (found.order[player] != NO_HAND).sum(axis=1).astype(np.int32)
            )
        )
        self.d_parent = machine.array(found.parent)
        self.d_owner = machine.array(found.owner)
        self.d_member_first = machine.array(found.member_first)
        self.d_positions = self._on_machine(found.positions)

    def _share_tables(self, beside: Level) -> None:
        self.d_hands, self.d_order = beside.d_hands, beside.d_order
        self.d_true_hands, self.d_positions = beside.d_true_hands, beside.d_positions
        self.d_parent, self.d_owner = beside.d_parent, beside.d_owner
        self.d_member_first, self.d_tables = beside.d_member_first, beside.d_tables
        self.shape, self.table_length = beside.shape, beside.table_length
        self.d_combo_cards, self.d_combos = beside.d_combo_cards, beside.d_combos
        self.table_sums = self.card_sums, self.hand_sums = beside.table_sums

    # ---- index tables

    def _make_tables(self) -> None:
        machine = self.machine
        self.d_combo_cards = machine.array(COMBO_CARDS.astype(np.uint8).ravel())
        self.d_combos = self._on_machine(self.on.combos)
        cards = self.on.cards
        self.d_board_cards = machine.array(
            np.array([card_mask(each) for each in cards.tolist()], np.uint64)
        )
        fitted = self._known.lists if self._known is not None else {}
        for lists in LIST_SHAPES[fitted.get(self.number, 0) :]:
            if self._try_tables(lists, 52 - cards.shape[1]):
                fitted[self.number] = LIST_SHAPES.index(lists)
                break
        else:
            raise ValueError("a card is held by more hands than a board has")

    def _make_room(self, above: Level | None) -> None:
        # The rows of the street above go through the place where leaves have their sums.
        longest = max(above.lengths if above is not None else self.lengths)
        if self._most_groups:  # what folded hands are worth, and what all groups play
            most_actions = int(np.diff(self.tree.first_edge).max())
            longest = max(longest, self.shape.row + self._most_groups * most_actions)
        self.card_sums = max(self.card_sums, round_up(-(-longest // 2) - self.hand_sums, 16))

    def _try_tables(self, lists: tuple[int, int], cards: int) -> bool:
        machine, on = self.machine, self.on
        most = max(int(each.max(initial=16)) for each in on.hands)
        together = min(self.tuning.boards, self.boards) if self.last_street else 1
        shape = LevelShape.of(most, cards, lists, together, self.real.itemsize)
        hand_lanes = 32 // shape.boards
        build = machine.kernel("build_tables", {}, 128)
        self.shape, self.table_length = shape, most
        self.d_tables = []
        needed: list[list[int]] = []
        for player in range(2):
            other = 1 - player
            if player and self.d_order[0] is self.d_order[1]:
                self.d_tables.append(self.d_tables[0])
                break
            found = {
                "showdowns": machine.zeros((self.boards, most), np.uint32),
                "cards": machine.zeros((self.boards, most), np.uint32),
                "lists": machine.zeros(
                    (self.boards, shape.entries_a_lane * shape.list_lanes), np.uint32
                ),
                "lane_info": machine.zeros((self.boards, shape.list_lanes), np.uint32),
                "ends": machine.zeros((self.boards, hand_lanes), np.uint64),
            }
            sums = (machine.zeros(self.boards, np.int32), machine.zeros(self.boards, np.int32))
            numbers = (
                shape.lanes_a_card,
                shape.entries_a_lane,
                shape.list_lanes,
                most,
                shape.hands_a_lane,
                hand_lanes,
            )
            build(
                (self.boards,),
                (
                    self.d_order[player],
                    np.int32(self.lengths[player]),
                    self.d_order[other],
                    np.int32(self.lengths[other]),
                    self.d_hands[player],
                    self.d_hands[other],
                    machine.array(on.spot),
                    self.d_combos[player],
                    np.int32(on.combos[player].shape[1]),
                    self.d_combos[other],
                    np.int32(on.combos[other].shape[1]),
                    self.d_combo_cards,
                    self.d_board_cards,
                    machine.array(on.groups[player]),
                    machine.array(on.group_first),
                    np.int32(self.last_street),
                    *map(np.int32, numbers),
                    *found.values(),
                    *sums,
                ),
            )
            needed.append([int(machine.fetch(each).max(initial=0)) for each in sums])
            self.d_tables.append(found)
        card_sums, hand_sums = (max(column) for column in zip(*needed, strict=True))
        if card_sums >= _TOO_LONG:
            return False
        step = self.tuning.sum_step
        self.card_sums, self.hand_sums = round_up(card_sums, step), round_up(hand_sums, step // 2)
        self.table_sums = self.card_sums, self.hand_sums
        return True

    # ---- programs

    def _writing(self, payoffs: Payoffs, jobs: int) -> ProgramWriting:
        known = self._known.writings if self._known is not None else {}
        if self.number not in known:
            streets = GpuStreet(self.tree, 0, payoffs), GpuStreet(self.tree, 1, payoffs)
            known[self.number] = ProgramWriting(streets, jobs, exact=self.real.itemsize == 8)
        return known[self.number]

    def _make_programs(self, payoffs: Payoffs) -> None:
        """Programs for as many blocks on a multiprocessor, and teams of a block, as have room."""
        machine, tuning, shape = self.machine, self.tuning, self.shape
        most_blocks = tuning.river_blocks if self.last_street else tuning.upper_blocks
        most_teams = (tuning.teams or shape.most_teams) if self.last_street else 1
        jobs = tuning.jobs or (20 if shape.boards == 1 else 8)
        if not self.last_street:
            jobs = 1 << 30
        # A team without a job would only hold memory: another block can use it.
        busy = min(most_teams, jobs, self.tree.roots)
        writing = self._writing(payoffs, jobs)
        most_blocks, most_teams = most_blocks * (most_teams // busy), busy
        for self.blocks, self.teams in (
            (blocks, teams)
            for blocks in range(most_blocks, 0, -1)
            for teams in range(most_teams, 0, -1)
        ):
            together = machine.shared_bytes_together // self.blocks - _RESERVED_BYTES
            room = min(machine.shared_bytes, together)
            try:
                found = compile_programs(
                    writing,
                    lambda needs, room=room: self._shared_bytes(needs) <= room,  # type: ignore[misc]
                    tuning.slots,
                )
            except TooFewSlotsError:
                continue
            if found.spilled == 0 or (self.blocks, self.teams) == (1, 1):
                break
        else:
            raise ValueError(
                "device: this GPU has too little shared memory; solve with --device cpu"
            )
        self.programs: Programs = found
        self.shared_bytes = self._shared_bytes(found.needs)
        self.d_factors = machine.array(found.factors)
        self.d_programs = {
            key: (machine.array(found.words), machine.array(found.first))
            for key, found in self.programs.lists.items()
        }

    def _shared_bytes(self, needs: KernelNeeds) -> int:
        return self.shape.shared_bytes(
            self.teams, needs, self.card_sums, self.hand_sums, last_street=self.last_street
        )

    def options(self) -> dict[str, int]:
        """The compile-time numbers of its kernel that do not depend on the walk."""
        shape, needs = self.shape, self.programs.needs
        most_actions = int(np.diff(self.tree.first_edge).max(initial=1))
        found = {
            "THREADS": shape.threads,
            "TEAMS": self.teams,
            "BOARDS": shape.boards,
            "HANDS_A_LANE": shape.hands_a_lane,
            "LANES_A_CARD": shape.lanes_a_card,
            "ENTRIES_A_LANE": shape.entries_a_lane,
            "LIST_LANES": shape.list_lanes,
            "CARD_SUMS": self.card_sums,
            "HAND_SUMS": self.hand_sums,
            "SUM_TABLES": needs.tables,
            "CHUNK": needs.chunk,
            "MOST_ACTIONS": max(4, most_actions),
            "CHUNKED": int(self.programs.longest > needs.chunk),
            "SPILLS": int(self.programs.spilled > 0),
            "LAST_STREET": int(self.last_street),
            "BLOCKS": self.blocks if self.last_street else 1,
            "REAL_BITS": 8 * self.real.itemsize,
        }
        if self.programs.has_ties:
            found["TIES"] = 1
        return found | (dict(self.tuning.options) if self.last_street else {})

    # ---- rows between streets

    def _make_rows(self, beside: Level | None) -> None:
        """Rows of reach and values. One place serves both heroes, who walk one after the other."""

        def zeros(name: str, size: int) -> Any:
            known = getattr(beside, name, None)
            if known is not None and len(known) >= size:
                return known
            return machine.zeros(max(size, 4), self.real)

        machine, longest = self.machine, max(self.lengths)
        self.all_ins = int((self.tree.kind == EdgeKind.ALLIN).sum())
        self.links = int((self.tree.kind == EdgeKind.NEXT_STREET).sum())
        self.halved_all_ins = machine.tensor_cores and self.real.itemsize == 4
        rows = self.boards * longest
        self.values = zeros("values", self.tree.roots * rows)
        self.next_reach = zeros("next_reach", self.links * rows)
        self.next_values = zeros("next_values", self.links * rows)
        # Two halves take as much room as a float.
        self.all_in_reach = zeros("all_in_reach", self.all_ins * rows)
        self.all_in_values = zeros("all_in_values", self.all_ins * rows)
        spilled = self.grid_size() * self.teams * self.programs.spilled * self.shape.row
        self.spilled = machine.zeros(max(spilled, 4), self.real)

    def grid_size(self) -> int:
        """How many blocks a walk has at most."""
        jobs = max(found.jobs for found in self.programs.lists.values())
        return (1 if self.last_street else jobs) * -(-self.boards // self.shape.boards)

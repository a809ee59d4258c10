"""How a level's kernel is cut: boards at once, lanes of sums, threads, and shared memory."""

from __future__ import annotations

from dataclasses import dataclass

from pokerlab.engine.gpu.programs import KernelNeeds

LIST_SHAPES = ((2, 12), (2, 16), (4, 12))
"""Lanes for each card list and entries for each lane; the last has room for all hands that hold a
card on any flop, 48."""

_WIDEST = 1216
"""Places of a row: the hands of a full range, or those of several narrow ones."""

_HEADER_WORDS = 16
_CARD_TABLE = 56
_CORES = 1024
"""Threads of a block that has a multiprocessor for itself."""


@dataclass(frozen=True)
class LevelShape:
    """The numbers of `kernels/program.cu` that a level's hands give.

    Attributes
    ----------
    boards
        How many a block walks at once.
    hands_a_lane
        Of a sum over hands.
    lanes_a_card, entries_a_lane, list_lanes
        How card lists are cut.
    real_bytes
        Of a number in a row.
    """

    boards: int
    hands_a_lane: int
    lanes_a_card: int
    entries_a_lane: int
    list_lanes: int
    real_bytes: int

    @classmethod
    def of(
        cls, hands: int, cards: int, lists: tuple[int, int], most_boards: int, real_bytes: int
    ) -> LevelShape:
        """The shape for boards with `hands` hands and `cards` unseen cards."""
        lanes_a_card, entries_a_lane = lists
        boards = next(
            count
            for count in (4, 2, 1)
            if count <= most_boards and (count == 1 or count * hands <= _WIDEST)
        )
        hands_a_lane = -(-hands * boards // 32)
        while hands_a_lane % 4 != 2:  # half of it is odd: no bank conflicts
            hands_a_lane += 1
        list_lanes = cards * lanes_a_card
        return cls(boards, hands_a_lane, lanes_a_card, entries_a_lane, list_lanes, real_bytes)

    @property
    def row(self) -> int:
        """Places of a row."""
        return self.hands_a_lane * 32

    @property
    def list_warps(self) -> int:
        """Warps that add up card lists."""
        return -(-self.boards * self.list_lanes // 32)

    @property
    def threads(self) -> int:
        """Threads of a team: for the places of a row, for sums, for tables of cards."""
        return 32 * max(-(-self.row // 128), self.list_warps + 2, 2 * self.boards)

    @property
    def most_teams(self) -> int:
        """How many teams a block may have."""
        return max(1, _CORES // self.threads)

    def shared_bytes(
        self, teams: int, needs: KernelNeeds, card_sums: int, hand_sums: int, *, last_street: bool
    ) -> int:
        """Shared memory of a block; see `kernels/walk.cu`."""
        lanes = 32 * self.list_warps
        words = _HEADER_WORDS + (self.entries_a_lane + 1) * lanes + 64 + 8 * self.boards
        words += self.row * (3 if last_street else 1) + self.row // 2
        scratch = 2 * self.boards * (card_sums + hand_sums) + 4
        tables = needs.tables * self.boards * _CARD_TABLE
        slots = needs.slots * (self.row + 4)
        team = self.real_bytes * (scratch + tables + slots) + 32 * needs.chunk
        return 4 * words + teams * team


def round_up(number: int, step: int) -> int:
    """The next multiple of a step."""
    return -(-number // step) * step

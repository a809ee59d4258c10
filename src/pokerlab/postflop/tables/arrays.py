"""What kernels take: the small arrays of boards, of streets and of what is stored.

Plain tuples of arrays without code, in a module of their own: machine code is compiled again when
a module changes that its kernels import.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

__all__ = [
    "AllIns",
    "BoardTables",
    "GroupTables",
    "Leaves",
    "Locks",
    "PlayerBoards",
    "PlayerGroups",
    "Program",
    "StreetStorage",
]

Ints: TypeAlias = npt.NDArray[np.int32]
Starts: TypeAlias = npt.NDArray[np.int64]
Flags: TypeAlias = npt.NDArray[np.bool_]
Floats: TypeAlias = npt.NDArray[np.floating[Any]]


class PlayerBoards(NamedTuple):
    """The hands of one player on all boards of a street, for kernels.

    Entries of board b are ``first[b]`` to ``first[b + 1]``, a multiple of `WalkerShape.hands`;
    offsets count elements of rows of `WalkerShape.leaves` numbers.
    """

    first: Starts
    order: Ints
    """Numbers of the hands; that of the empty place for padding and for impossible hands."""
    cards: Ints
    """Offsets of the two cards of each entry, card × leaves; 52 × leaves for padding."""
    same_hand: Ints
    """Offset of the same hand in the opponent's order; that of one past the last for none."""
    groups: Ints
    """For each group of equal hands: own from, own to, opposing from, opposing to."""
    positions: Ints
    """(members × padded hands): where the value of each hand is found on the board."""


class BoardTables(NamedTuple):
    """All boards of a street."""

    hands: tuple[PlayerBoards, PlayerBoards]
    group_first: Starts
    """Where the groups of equal hands of a board begin; empty before the river."""
    member_first: Starts
    """Where the members of a board begin: the cards that it stands for."""
    child_first: Starts
    """Where the boards of the next street begin, by board."""


class Leaves(NamedTuple):
    """The leaves of a street in blocks of `WalkerShape.leaves`, for one player."""

    reach_starts: Starts
    """Where the opponent's reach row of each leaf begins."""
    showdown_starts: Starts
    """Where the row of its showdown values begins; a scratch row for a leaf that has none."""
    fold_starts: Starts
    """The same for the reach that a hand meets."""


class AllIns(NamedTuple):
    """The all-ins of a street for one player, filled up to a multiple of `WalkerShape.all_ins`."""

    reach_starts: Starts
    """Where the opponent's reach row of each begins."""
    value_starts: Starts
    """Where its row of values begins: the reach it beats minus the reach that beats it."""


class Program(NamedTuple):
    """The arrays that kernels take. A *start* is where a row begins in the reach or value array."""

    batches: Starts
    """(batches, 8): nodes from, to; roots from, to; blocks of leaves from, to; raked
    showdowns from, to."""
    batch_slots: Starts
    """(batches, 3): own slots from, to; where the opponent's end (see `slot`)."""
    mine: Flags
    """(nodes): whether the hero decides."""
    first_edge: Starts
    """(nodes + 1)."""
    slot: Starts
    """(nodes): the number of the first action among all actions of the node's player."""
    reach_start: Starts
    """(nodes): the opponent's reach at the node."""
    split_start: Starts
    """(nodes): the first of the reach rows behind the opponent's actions."""
    value_start: Starts
    """(nodes)."""
    edge_start: Starts
    """(edges): the value row behind an action."""
    edge_factor: Floats
    """(edges): what that row is multiplied by."""
    leaves: Leaves
    block_showdowns: Flags
    block_folds: Flags
    raked_starts: Starts
    """(raked showdowns, 3): the row, and the showdown and the fold row that it is the sum of."""
    raked_factors: Floats
    """(raked showdowns, 2): the factors of the two rows."""
    all_ins: AllIns
    root_reach: Starts
    """(roots): where the reach of a root goes."""
    root_value: Starts
    """(roots): where its values come from."""
    next_reach: Starts
    """(roots of the next street): the reach that arrives there."""
    next_value: Starts
    """(roots of the next street): where their values are added up."""


class PlayerGroups(NamedTuple):
    """Which hands of one player share a number of storage, on all boards of a street.

    Hands are walked through sixteen groups at a time: a *block* has for each of sixteen groups a
    member, then for each the next one, and so on; where a group has no more members, the empty
    place of a row. Groups are sorted by size, so few places are empty; a large group is cut into
    *pieces*, all but the first of which stand in blocks behind those of the groups. Every place of
    a row is in some block, hands that are impossible too, with a share of zero.
    """

    column: Ints
    """For each entry of a board (see `PlayerBoards.first`): the place of its group in a row."""
    block_first: Starts
    """(boards + 1): where the blocks of a board begin."""
    block_start: Starts
    """(blocks + 1): where the members of a block begin."""
    main_blocks: Starts
    """(boards): how many of them are of first pieces: one for sixteen groups."""
    extra_first: Starts
    """(boards + 1): where the further pieces begin, sixteen for each further block."""
    extra_column: Ints
    """(pieces): the group that each belongs to; any for those without members."""
    members: Ints
    """The place of a hand in the rows of its board."""
    shares: Floats
    """Its weight, as a share of that of its group."""
    means: Floats
    """One divided by the number of hands of its group."""


class GroupTables(NamedTuple):
    """The groups of a street."""

    players: tuple[PlayerGroups, PlayerGroups]
    value_start: Starts
    """(edges): where in the group workspace the values of groups behind an action begin."""
    width: int
    """The length of a row of the group workspace."""
    actions: int
    """The most actions of a node."""


class StreetStorage(NamedTuple):
    """What is kept of a street, a pair of arrays for the two players: ``[board][action][row]``.

    A row has a number for each hand, or for each group of hands.
    """

    strategy_weights: Any
    """What strategies are proportional to (see `learning_kernels`)."""
    regret: Any
    """Regrets, for rules that predict and so keep something else; empty for others."""
    sums: Any
    """Sums of strategies; empty for rules that have no average."""
    first: Any
    """Where each board begins (see `layout`)."""
    rows: Any
    """The length of a row on each board."""


class Locks(NamedTuple):
    """Strategies of a street that are fixed from outside."""

    start: Starts
    """(boards × nodes): where the probabilities of a node begin; −1: free. Empty: no locks."""
    shares: npt.NDArray[np.float32]
    """``[action][row]`` for each locked node of a board; −1 for hands that are free."""

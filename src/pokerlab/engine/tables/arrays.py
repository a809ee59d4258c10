"""What kernels take: the small arrays of boards, of streets and of what is stored.

Plain tuples of arrays without code, in a module of their own: machine code is compiled again when
a module changes that its kernels import.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from pokerlab.runtime.arrays import Bools, Int32s, Int64s, Reals, Singles, Uint16s


class PlayerBoards(NamedTuple):
    """The hands of one player on all boards of a street, for kernels.

    Entries of board b are ``first[b]`` to ``first[b + 1]``, a multiple of `WalkerShape.hands`;
    offsets count elements of rows of `WalkerShape.leaves` numbers.
    """

    first: Int64s
    order: Int32s
    """Numbers of the hands; that of the empty place for padding and for impossible hands."""
    cards: Int32s
    """Offsets of the two cards of each entry, card × leaves; 52 × leaves for padding."""
    same_hand: Int32s
    """Offset of the same hand in the opponent's order; that of one past the last for none."""
    groups: Int32s
    """For each group of equal hands: own from, own to, opposing from, opposing to."""
    positions: Int32s
    """(members × padded hands): where the value of each hand is found on the board."""


class BoardTables(NamedTuple):
    """All boards of a street."""

    hands: tuple[PlayerBoards, PlayerBoards]
    group_first: Int64s
    """Where the groups of equal hands of a board begin; empty before the river."""
    member_first: Int64s
    """Where the members of a board begin: the cards that it stands for."""
    child_first: Int64s
    """Where the boards of the next street begin, by board."""


class Leaves(NamedTuple):
    """The leaves of a street in blocks of `WalkerShape.leaves`, for one player."""

    reach_starts: Int64s
    """Where the opponent's reach row of each leaf begins."""
    showdown_starts: Int64s
    """Where the row of its showdown values begins; a scratch row for a leaf that has none."""
    fold_starts: Int64s
    """The same for the reach that a hand meets."""
    tie_starts: Int64s
    """The same for the reach that ties, where prize money pays for it; empty elsewhere."""


class AllIns(NamedTuple):
    """The all-ins of a street for one player, filled up to a multiple of `WalkerShape.all_ins`."""

    reach_starts: Int64s
    """Where the opponent's reach row of each begins."""
    value_starts: Int64s
    """Where its row of values begins: the reach it beats minus the reach that beats it."""


class Program(NamedTuple):
    """The arrays that kernels take. A *start* is where a row begins in the reach or value array."""

    batches: Int64s
    """(batches, 8): nodes from, to; roots from, to; blocks of leaves from, to; raked
    showdowns from, to."""
    mine: Bools
    """(nodes): whether the hero decides."""
    first_edge: Int64s
    """(nodes + 1)."""
    slot: Int64s
    """(nodes): the number of the first action among all actions of the node's player."""
    reach_start: Int64s
    """(nodes): the opponent's reach at the node."""
    split_start: Int64s
    """(nodes): the first of the reach rows behind the opponent's actions."""
    value_start: Int64s
    """(nodes)."""
    edge_start: Int64s
    """(edges): the value row behind an action."""
    edge_factor: Reals
    """(edges): what that row is multiplied by."""
    leaves: Leaves
    block_showdowns: Bools
    block_folds: Bools
    raked_starts: Int64s
    """(raked showdowns, 4): the row, and the showdown, the fold and the tie row that it is the sum
    of; the last one means nothing where ties pay nothing of their own."""
    raked_factors: Reals
    """(raked showdowns, 3): the factors of these rows."""
    all_ins: AllIns
    root_reach: Int64s
    """(roots): where the reach of a root goes."""
    root_value: Int64s
    """(roots): where its values come from."""
    next_reach: Int64s
    """(roots of the next street): the reach that arrives there."""
    next_value: Int64s
    """(roots of the next street): where their values are added up."""
    next_stake: Reals
    """(roots of the next street × parts): what a check-down pays there (`Payoffs.check_down`)."""


class Subset(NamedTuple):
    """What a street has where cards are left out, for one hero; arrays are empty where none is."""

    board_factors: Reals
    """(boards): how many cards each card of a board stands for."""
    arriving: Reals
    """(entries of the opponent): how much more each hand counts on the board where it is."""
    scales: Reals
    """(boards × padded hands): how much more the hero's hands count on the cards that follow."""
    corrections: Uint16s
    """(boards × parts × opposing × own), IEEE halves: what is missed of a check-down; see
    `check_downs`."""


GROUP_HEAD = 5
"""Numbers at the head of a record of `GroupTables`."""
GROUP_VECTOR = 17
"""Numbers of a vector there."""


class GroupTables(NamedTuple):
    """Which hands share a number of storage, on all boards of a street.

    Everything is in two arrays, because a kernel that takes many takes long to call. A board has
    for each player a record in `numbers`: how many *vectors* of sixteen hands it has, how many
    blocks, how many further pieces, where its shares begin and how many members its blocks have;
    then the vectors, the depths of the blocks, the further pieces, the places of the columns, and
    the members.

    A vector says which columns sixteen hands have, in seventeen numbers: the least of them and how
    much more each is; or, where they do not fit into sixteen columns, −1 and the columns.

    Sums over the hands of groups are made sixteen groups at a time. A block has for each of them a
    member, then for each the next one, and so on, `depth` times; where a group has no more, the
    empty place of a row with a share of zero. The largest groups come first, so few places are
    empty. A group of many hands is cut into pieces, and a further piece says where it stands and to
    which place it belongs. The place of a column is where its sum stands then.
    """

    numbers: Int32s
    """For each player and board where its record begins; then the records."""
    shares: Reals
    """For each board the shares of its members: their weights, as parts of that of the group. Then
    their means: one divided by the number of hands of the group."""
    value_start: Int64s
    """(actions): where in the group workspace the values behind an action begin."""
    width: int
    """The length of a row of the group workspace."""
    actions: int
    """The most actions of a node."""
    boards: int
    """How many there are."""


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

    start: Int64s
    """(boards × nodes): where the probabilities of a node begin; −1: free. Empty: no locks."""
    shares: Singles
    """``[action][row]`` for each locked node of a board, times the weight of the lock; −1 for hands
    that are free."""
    free: Singles
    """(boards × nodes): what the weight of a lock leaves free, 0 where the lock is all."""

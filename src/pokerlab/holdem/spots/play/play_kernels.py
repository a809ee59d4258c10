"""Concrete games of a spot, dealt and played street by street in compiled loops.

Nothing here knows chips or values: a game is two hands, a board, and the actions that were drawn
from stored strategies; what it ends with is the number of its last action and who held the better
hand. What that is worth is a matter for the rules (`spot_rules`).

Many games are played side by side, an action of each in turn: the strategies of a flop lie far from
the processor, and so it waits for many of their rows at once instead of one after the other.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from pokerlab.cards.evaluator.evaluator_kernels import START, classify
from pokerlab.cards.evaluator.tables import EvaluatorTables
from pokerlab.cards.random_kernels import next_below, next_bits, next_uniform
from pokerlab.runtime.arrays import Bytes, Floats, Int8s, Int16s, Int32s, Int64s, Uint16s, Uint64s
from pokerlab.runtime.jit import kernel

_DECK = 52
_ONE = np.uint64(1)
_HALF_ONE = np.uint16(0x3C00)
_HALF_TO_SINGLE = 2.0**112
"""Moved to the place of a single's bits, a positive half is too small by this factor."""
_SUM_TOLERANCE = 2.0**-10
"""How far probabilities may be from a sum of 1: halves are exact to 2⁻¹¹ of themselves."""


class Dealing(NamedTuple):
    """How hands are drawn: pairs of hands by Walker's alias method."""

    cut: Floats
    """(pairs,): the part of a pair's column that is its own."""
    other: Int32s
    """(pairs,): the pair that the rest of the column belongs to."""
    cards: tuple[Bytes, Bytes]
    """For each player (hands, 2). Pair p is hand p // n of player 0 and p % n of player 1."""


class Games(NamedTuple):
    """The games of a block. Game g is deal g // seatings, in seating g % seatings."""

    hands: Int32s
    """(deals, 2): the numbers of the hands of both players."""
    cards: Bytes
    """(deals, 5): the board."""
    lead: Int8s
    """(deals,): 1 where player 0 has the better hand, −1 where player 1 has it, 0 for neither."""
    states: Uint64s
    """(games,): where the random numbers of a game stand."""
    node: Int64s
    """(games,): where it stands on the next street to be played; −1 when it is over."""
    end: Int64s
    """(games,): the number of its last action, all streets counted."""
    waiting: Int64s
    """(games,): scratch, the games in which somebody has to act."""
    start: Int64s
    """(games, 2): scratch, where the numbers of each player's hand begin on the board."""
    row: Int64s
    """(games, 2): scratch, how far apart the numbers of two actions are."""
    chosen: Int64s
    """(games,): scratch, the actions that were drawn."""


class StreetPlay(NamedTuple):
    """The betting of a street."""

    cards: int
    """How many cards come before this street is over, from the beginning of the spot."""
    known: int
    """How many cards lie on the board of the spot."""
    first_number: int
    """The number of the street's first action, all streets counted."""
    player: Int8s
    """(nodes,)."""
    slot: Int64s
    """(nodes,): the first slot of a node among those of its player."""
    first_edge: Int64s
    """(nodes + 1,)."""
    following: Int64s
    """(edges,): the node of this street behind an action, −1 for none."""
    next_street: Int64s
    """(edges,): the node of the next street behind an action, −1 for none."""


class HandTable(NamedTuple):
    """The strategy of one player on one street, and where a hand finds its numbers in it.

    A board is numbered by the cards that came, as digits to the base 52. On a board the numbers of
    a hand begin at ``start[board] + column[board, hand]``; those of slot s stand s rows further.
    """

    probabilities: Uint16s
    start: Int64s
    """(boards,)."""
    row: Int64s
    """(boards,)."""
    column: Int16s
    """(boards, hands)."""


@kernel(makes_arrays=False)
def fill_alias(shares: Floats, cut: Floats, other: Int32s, stack: Int32s) -> None:
    """Make the columns of Walker's alias method (Vose's way).

    Parameters
    ----------
    shares : (n,)
        Not negative, with a sum of n; they are used up.
    cut, other : (n,)
        The result.
    stack : (n,)
        Scratch: what is short of a column from the left, what has more from the right.
    """
    size = len(shares)
    short = 0
    long = size
    for each in range(size):
        cut[each] = 1.0
        other[each] = each
        if shares[each] < 1.0:
            stack[short] = each
            short += 1
        else:
            long -= 1
            stack[long] = each
    while short and long < size:
        short -= 1
        small, large = stack[short], stack[long]
        cut[small] = shares[small]
        other[small] = large
        shares[large] -= 1.0 - shares[small]
        if shares[large] < 1.0:
            long += 1
            stack[short] = large
            short += 1


@kernel(makes_arrays=False)
def deal_games(
    dealing: Dealing,
    known: int,
    seatings: int,
    card_state: Uint64s,
    action_state: Uint64s,
    games: Games,
    tables: EvaluatorTables,
) -> None:
    """Deal hands and boards, of which the first `known` cards lie there.

    All seatings of a deal have the same cards and the same random numbers for the decisions.
    """
    columns = len(dealing.cut)
    width = len(dealing.cards[1])
    for deal in range(len(games.hands)):
        draw = next_uniform(card_state) * columns
        pair = min(int(draw), columns - 1)
        if draw - pair >= dealing.cut[pair]:
            pair = dealing.other[pair]
        hands = pair // width, pair % width
        used = np.uint64(0)
        for player in range(2):
            games.hands[deal, player] = hands[player]
            for card in dealing.cards[player][hands[player]]:
                used |= _ONE << np.uint64(card)
        board = games.cards[deal]
        for place in range(known):
            used |= _ONE << np.uint64(board[place])
        for place in range(known, 5):
            card = next_below(card_state, _DECK)
            while used >> np.uint64(card) & _ONE:
                card = next_below(card_state, _DECK)
            used |= _ONE << np.uint64(card)
            board[place] = card
        first = _strength(board, dealing.cards[0][hands[0]], tables)
        second = _strength(board, dealing.cards[1][hands[1]], tables)
        games.lead[deal] = (first < second) - (first > second)
        state = next_bits(action_state)
        for seating in range(seatings):
            games.states[deal * seatings + seating] = state


@kernel(makes_arrays=False)
def _strength(board: Bytes, hand: Bytes, tables: EvaluatorTables) -> int:
    """The class of seven cards: 1 is best."""
    key = START
    bits = np.uint64(0)
    for card in board:
        key += tables.card_key[card]
        bits |= tables.card_bit[card]
    for card in hand:
        key += tables.card_key[card]
        bits |= tables.card_bit[card]
    return int(classify(key, bits, tables))


@kernel(makes_arrays=False)
def play_street(
    street: StreetPlay,
    players: tuple[HandTable, HandTable, HandTable, HandTable],
    seatings: int,
    games: Games,
) -> int:
    """Play a street of all games that reach it; returns −1, or a game that met no distribution.

    `players` are player 0 and 1 of the first profile, then those of the second. In seating 0 the
    first profile is player 0 and the second player 1, in seating 1 it is the other way round.
    """
    waiting = 0
    for game in range(len(games.node)):
        games.waiting[waiting] = game
        waiting += games.node[game] >= 0
    for place in range(waiting):
        game = games.waiting[place]
        deal = game // seatings
        board = 0
        for each in range(street.known, street.known + street.cards):
            board = board * _DECK + games.cards[deal, each]
        for player in range(2):
            table = players[_table(player, game % seatings)]
            hand = games.hands[deal, player]
            games.start[game, player] = table.start[board] + table.column[board, hand]
            games.row[game, player] = table.row[board]
    while waiting:
        bad = _choose(waiting, street, players, seatings, games)
        if bad >= 0:
            return bad
        waiting = _act(waiting, street, games)
    return -1


@kernel(makes_arrays=False)
def _table(player: int, seating: int) -> int:
    """Which of the four tables a player uses."""
    return 2 * (player ^ seating) + player


@kernel(makes_arrays=False)
def _choose(
    waiting: int,
    street: StreetPlay,
    players: tuple[HandTable, HandTable, HandTable, HandTable],
    seatings: int,
    games: Games,
) -> int:
    """Draw an action in each waiting game.

    Nothing here depends on another game, and no loop on what a row holds: so no row is waited for
    before the next is asked for.
    """
    bad = -1
    for place in range(waiting):
        game = games.waiting[place]
        node = games.node[game]
        player = street.player[node]
        probabilities = players[_table(player, game % seatings)].probabilities
        row = games.row[game, player]
        begin = games.start[game, player] + street.slot[node] * row
        actions = street.first_edge[node + 1] - street.first_edge[node]
        total = 0.0
        for action in range(actions):
            total += _number(probabilities[begin + action * row])
        draw = next_uniform(games.states[game : game + 1]) * total
        chosen = 0
        below = 0.0
        too_large = False
        for action in range(actions):
            half = probabilities[begin + action * row]
            too_large |= half > _HALF_ONE  # as are NaN and what is negative
            below += _number(half)
            chosen += draw >= below
        games.chosen[place] = min(chosen, actions - 1)
        if too_large | (abs(total - 1.0) > _SUM_TOLERANCE):
            bad = game
    return bad


@kernel(inline="always", makes_arrays=False)
def _number(half: Any) -> Any:
    """A positive IEEE half as a number."""
    return np.uint32(np.uint32(half) << np.uint32(13)).view(np.float32) * _HALF_TO_SINGLE


@kernel(makes_arrays=False)
def _act(waiting: int, street: StreetPlay, games: Games) -> int:
    """Take the actions; returns in how many games somebody has to act on this street."""
    left = 0
    for place in range(waiting):
        game = games.waiting[place]
        edge = street.first_edge[games.node[game]] + games.chosen[place]
        following = street.following[edge]
        here = following >= 0
        games.end[game] = street.first_number + edge
        games.node[game] = following if here else street.next_street[edge]
        games.waiting[left] = game
        left += here
    return left

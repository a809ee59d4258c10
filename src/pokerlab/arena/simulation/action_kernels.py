"""One action in each of many hands between tables, in compiled loops.

A hand that waits for an action is two numbers: its place (which hand, by how many positions the
players are moved, and the node where its betting stands) and the state of its random numbers. The
hands that wait lie one after the other; an action of all of them is one pass, which keeps those
that wait for another on the same street and moves the others away.

What an action reads: the two numbers, 8 bytes of the betting tree (where the three actions lead,
and who acts), 8 for the player's first row, 8 for the group of the cards, and 8 of the table.
Nothing depends on another hand and nothing branches on what a row holds, so no row is waited for
before the next is asked for. On processors with AVX-512 eight hands act at a time: four gathers and
about 50 instructions, 8 cycles an action where everything is in the cache.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from pokerlab.cards.random_kernels import MIX_1, MIX_2, STEP, mix_bits
from pokerlab.runtime.arrays import Int64s, Uint64s
from pokerlab.runtime.jit import kernel
from pokerlab.runtime.register_kernels import (
    count_bits,
    gather_numbers,
    has_byte_permutations,
    load_numbers,
    numbers_with,
    pack_numbers,
    splat_number,
    store_numbers,
)

PADDING = 8
"""Arrays of hands are longer than they have hands by so much."""

FIELD = 20
"""Bits of a move: the number of a node or of a leaf after the last node, and `SAME_STREET`."""
SAME_STREET = 1 << 19
PLAYER_SHIFT = 60
LIMIT_SHIFT = 32

_ONE = np.uint64(1)
_LOW = np.uint64(0xFFFFFFFF)
_NUMBER = np.uint64(SAME_STREET - 1)
_SAME = np.uint64(SAME_STREET)
_MOVE = np.uint64((1 << FIELD) - 1)
_FIELD = np.uint64(FIELD)
_PLAYER = np.uint64(PLAYER_SHIFT)
_LIMIT = np.uint64(LIMIT_SHIFT)
_DRAW = np.uint64(40)
_SIGN = np.uint64(63)
_TOP_BIT = np.uint64(1 << 63)


class SimulatedHands(NamedTuple):
    """Hands that lie one after the other."""

    place: Uint64s
    """From the top: the number of the hand; `turn_bits` for by how many positions the players are
    moved; `node_bits` for the node."""
    state: Uint64s
    """Where its random numbers stand."""


class Choices(NamedTuple):
    """The betting tree and what all players do in it; `play_tables` makes it."""

    nodes: int
    node_bits: np.uint64
    turn_bits: np.uint64
    moves: Uint64s
    """(turns << node_bits,): for each node, 20 bits each for what follows a fold, a call and a
    raise (a call where it is not legal): a node, or the number of nodes plus that of a leaf; bit 19
    is set where the street goes on. From bit 60 on the player who acts."""
    first_row: Int64s
    """(turns << node_bits,): where that player's rows of the node begin."""
    streets: Int64s
    """(nodes,): the street; empty where no betting leads past a street on which nobody acts."""
    limits: Uint64s
    """(rows,): of 2**24 numbers that may be drawn, those below the lower half fold, those from the
    upper half on raise."""


@kernel(makes_arrays=False)
def act_plainly(
    waiting: int,
    hands: SimulatedHands,
    alive: int,
    going_on: SimulatedHands,
    over: int,
    finished: Uint64s,
    choices: Choices,
    groups: Int64s,
) -> tuple[int, int, int]:
    """Act in each of the `waiting` first hands of `hands`.

    Hands that wait for another action on this street come to the front of `hands`; those in which
    somebody acts on a later street are added to `going_on` from `alive` on, and those that are over
    to `finished` from `over` on: the number of the hand above `FIELD` bits for that of the leaf,
    nodes counted. Returns how many the three then have. The group of a player's cards is
    ``groups[hand << turn_bits | player]``.
    """
    nodes, node_bits, turn_bits = np.uint64(choices.nodes), choices.node_bits, choices.turn_bits
    hand_shift = node_bits + turn_bits
    in_tree = (_ONE << hand_shift) - _ONE
    in_node = (_ONE << node_bits) - _ONE
    left = 0
    for index in range(waiting):
        place = hands.place[index]
        state = hands.state[index] + STEP
        hand = place >> hand_shift
        move = choices.moves[place & in_tree]
        row = choices.first_row[place & in_tree] + groups[hand << turn_bits | move >> _PLAYER]
        limits = choices.limits[row]
        draw = mix_bits(state) >> _DRAW
        folds = draw < (limits & _LOW)
        raises = (draw >= (limits >> _LIMIT)) & (not folds)
        target = (move >> (_FIELD * np.uint64(1 - folds + raises))) & _MOVE
        following = target & _NUMBER
        here = (target & _SAME) != 0
        done = following >= nodes
        place = place & ~in_node | following
        hands.place[left], hands.state[left] = place, state
        left += here
        going_on.place[alive], going_on.state[alive] = place, state
        alive += not (here | done)
        finished[over] = hand << _FIELD | following
        over += done
    return left, alive, over


@kernel(makes_arrays=False)
def act_in_registers(
    waiting: int,
    hands: SimulatedHands,
    alive: int,
    going_on: SimulatedHands,
    over: int,
    finished: Uint64s,
    choices: Choices,
    groups: Int64s,
) -> tuple[int, int, int]:
    """As `act_plainly`, eight hands at a time."""
    last_node = splat_number(np.uint64(choices.nodes - 1))
    turn_bits = splat_number(choices.turn_bits)
    hand_shift = splat_number(choices.node_bits + choices.turn_bits)
    in_tree = splat_number((_ONE << (choices.node_bits + choices.turn_bits)) - _ONE)
    above_node = splat_number(~((_ONE << choices.node_bits) - _ONE))
    one, two, four = splat_number(_ONE), splat_number(np.uint64(2)), splat_number(np.uint64(4))
    low, limit, sign = splat_number(_LOW), splat_number(_LIMIT), splat_number(_SIGN)
    field, same, top_bit = splat_number(_FIELD), splat_number(_SAME), splat_number(_TOP_BIT)
    left = 0
    for index in range(0, waiting, 8):
        # Behind the last hand lie others that were here before, or zeros: harmless, and not kept.
        counted = np.uint8(255) if waiting - index >= 8 else np.uint8((1 << (waiting - index)) - 1)
        place = load_numbers(hands.place, index)
        state = load_numbers(hands.state, index) + splat_number(STEP)
        hand = place >> hand_shift
        move = gather_numbers(choices.moves, place & in_tree)
        group = gather_numbers(groups, (hand << turn_bits) | (move >> splat_number(_PLAYER)))
        row = gather_numbers(choices.first_row, place & in_tree) + group
        limits = gather_numbers(choices.limits, row)
        draw = _mix(state) >> splat_number(_DRAW)
        # One where a difference is below zero.
        folds = (draw - (limits & low)) >> sign
        raises = (((limits >> limit) - one - draw) >> sign) & (folds ^ one)
        column = one - folds + raises
        target = (move >> ((column << four) + (column << two))) & splat_number(_MOVE)
        following = target & splat_number(_NUMBER)
        here = numbers_with(target, same) & counted
        done = numbers_with(last_node - following, top_bit) & counted
        goes_on = counted & ~(here | done)
        place = (place & above_node) | following
        store_numbers(hands.place, left, pack_numbers(place, here))
        store_numbers(hands.state, left, pack_numbers(state, here))
        left += count_bits(here)
        store_numbers(going_on.place, alive, pack_numbers(place, goes_on))
        store_numbers(going_on.state, alive, pack_numbers(state, goes_on))
        alive += count_bits(goes_on)
        store_numbers(finished, over, pack_numbers((hand << field) | following, done))
        over += count_bits(done)
    return left, alive, over


@kernel(inline="always", makes_arrays=False)
def _mix(state: Any) -> Any:
    """`mix_bits` of eight states."""
    mixed = (state ^ (state >> splat_number(np.uint64(30)))) * splat_number(MIX_1)
    mixed = (mixed ^ (mixed >> splat_number(np.uint64(27)))) * splat_number(MIX_2)
    return mixed ^ (mixed >> splat_number(np.uint64(31)))


act = act_in_registers if has_byte_permutations() else act_plainly

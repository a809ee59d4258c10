"""Equity kernels: a few hands against a wide range, several players, and random deals.

`add_duels` is the fast way when one side has few hands: all 1,326 classes of a board cost about
a nanosecond each, and comparing them with one class is a vector loop. Two wide ranges go
through `showdown_kernels` instead. Deals of several players cost the cards of each hand (two loads
of 8 bytes) and one look-up of its class, about 6 ns a player; random deals a random number a card
in addition.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from pokerlab.cards.evaluator.batch_kernels import classify_combos
from pokerlab.cards.evaluator.evaluator_kernels import START, classify
from pokerlab.cards.evaluator.tables import EvaluatorTables
from pokerlab.cards.random_kernels import next_below, next_uniform
from pokerlab.runtime.arrays import Bytes, Floats, Int32s, Int64s, Uint16s, Uint64s
from pokerlab.runtime.jit import kernel

_ONE = np.uint64(1)
_WORST = np.uint16(0xFFFF)


class Seats(NamedTuple):
    """The combos of all players, one player after the other."""

    first: Int64s
    """Where each player's combos begin (players + 1)."""
    masks: Uint64s
    keys: Uint64s
    bits: Uint64s
    weights: Floats


@kernel(fastmath={"reassoc", "nsz", "contract"})
def add_duels(
    boards: Bytes,
    multiplicities: Int64s,
    heroes: Int64s,
    opposing: Floats,
    sums: Floats,
    tables: EvaluatorTables,
) -> None:
    """Add up over boards the opposing weight that each hero combo beats, ties and does not block.

    `opposing` (heroes, 1326) is zero where the opponent's combo shares a card with the hero's;
    `sums` is (3, heroes).
    """
    classes = np.empty(1326, np.uint16)
    for board in range(boards.shape[0]):
        times = multiplicities[board]
        classify_combos(boards[board], classes, tables)
        for hero in range(heroes.size):
            own = classes[heroes[hero]]
            if own == 0:
                continue
            beaten = 0.0
            tied = 0.0
            unblocked = 0.0
            for combo in range(1326):
                weight = opposing[hero, combo]
                beaten += weight if classes[combo] > own else 0.0
                tied += weight if classes[combo] == own else 0.0
                unblocked += weight if classes[combo] > 0 else 0.0
            sums[0, hero] += times * beaten
            sums[1, hero] += times * tied
            sums[2, hero] += times * unblocked


@kernel
def list_deals(seats: Seats, deals: Int32s, weights: Floats) -> int:
    """List the ways to give every player a combo without using a card twice.

    Writes the combos' places in `seats` to `deals` (capacity, players) and the products of the
    weights; returns how many there are, or −1 if they do not fit.
    """
    players = seats.first.size - 1
    place = seats.first[:players].copy()
    used = np.zeros(players + 1, np.uint64)
    weight = np.ones(players + 1, np.float64)
    found = 0
    player = 0
    while player >= 0:
        if place[player] == seats.first[player + 1]:
            place[player] = seats.first[player]
            player -= 1
            if player >= 0:
                place[player] += 1
            continue
        mask = seats.masks[place[player]]
        if mask & used[player]:
            place[player] += 1
            continue
        used[player + 1] = used[player] | mask
        weight[player + 1] = weight[player] * seats.weights[place[player]]
        if player < players - 1:
            player += 1
            continue
        if found == deals.shape[0]:
            return -1
        for seat in range(players):
            deals[found, seat] = place[seat]
        weights[found] = weight[players]
        found += 1
        place[player] += 1
    return found


@kernel
def add_deals(
    boards: Bytes,
    multiplicities: Int64s,
    seats: Seats,
    deals: Int32s,
    weights: Floats,
    sums: Floats,
    tables: EvaluatorTables,
) -> None:
    """Play every deal on every board; `sums` (players + 1, 3) as in `_score`."""
    players = deals.shape[1]
    classes = np.empty(players, np.uint16)
    for board in range(boards.shape[0]):
        key = START
        bits = np.uint64(0)
        known = np.uint64(0)
        for place in range(boards.shape[1]):
            card = boards[board, place]
            key += tables.card_key[card]
            bits |= tables.card_bit[card]
            known |= _ONE << np.uint64(card)
        for deal in range(deals.shape[0]):
            possible = True
            for seat in range(players):
                place = deals[deal, seat]
                if seats.masks[place] & known:
                    possible = False
                    break
                classes[seat] = classify(key + seats.keys[place], bits | seats.bits[place], tables)
            if possible:
                _score(classes, multiplicities[board] * weights[deal], sums)


@kernel
def sample_deals(
    samples: int,
    seed: Any,
    board: Bytes,
    dead: Any,
    seats: Seats,
    cumulative: Floats,
    deals: Int32s,
    sums: Floats,
    tables: EvaluatorTables,
) -> int:
    """Play random deals on random boards; returns how many of the tries gave a deal.

    `seats` are the first players; the rows of `sums` beyond them stand for players with any two
    cards, who are dealt from what is left. With a list of `deals`, `cumulative` are their
    cumulated weights. Without one (no rows), it holds the cumulated weights of each player's
    combos, and the seats draw independently until no card is used twice, at most 1,000 times
    `samples`.
    """
    state = np.array([seed], np.uint64)
    players = sums.shape[0] - 1
    chosen = seats.first.size - 1
    keys = np.empty(players, np.uint64)
    bits = np.empty(players, np.uint64)
    classes = np.empty(players, np.uint16)
    key_of_board = START
    bits_of_board = np.uint64(0)
    known = np.uint64(dead)
    for place in range(board.size):
        key_of_board += tables.card_key[board[place]]
        bits_of_board |= tables.card_bit[board[place]]
        known |= _ONE << np.uint64(board[place])
    played = 0
    for _ in range(1000 * samples):
        if played == samples:
            break
        used = known
        deal = 0
        if deals.shape[0] > 0:
            deal = _draw(cumulative, 0, cumulative.size, next_uniform(state))
        collision = False
        for seat in range(chosen):
            if deals.shape[0] > 0:
                place = int(deals[deal, seat])
            else:
                first = seats.first[seat]
                place = _draw(cumulative, first, seats.first[seat + 1], next_uniform(state))
            if used & seats.masks[place]:
                collision = True
                break
            used |= seats.masks[place]
            keys[seat] = seats.keys[place]
            bits[seat] = seats.bits[place]
        if collision:
            continue
        for seat in range(chosen, players):
            card = _deal_card(used, state)
            used |= _ONE << card
            other = _deal_card(used, state)
            used |= _ONE << other
            keys[seat] = tables.card_key[card] + tables.card_key[other]
            bits[seat] = tables.card_bit[card] | tables.card_bit[other]
        key_of_all = key_of_board
        bits_of_all = bits_of_board
        for _ in range(5 - board.size):
            card = _deal_card(used, state)
            used |= _ONE << card
            key_of_all += tables.card_key[card]
            bits_of_all |= tables.card_bit[card]
        for seat in range(players):
            classes[seat] = classify(key_of_all + keys[seat], bits_of_all | bits[seat], tables)
        _score(classes, 1.0, sums)
        played += 1
    return played


@kernel
def _deal_card(used: Any, state: Uint64s) -> Any:
    """A random card that is not among the used ones."""
    card = np.uint64(next_below(state, 52))
    while used & (_ONE << card):
        card = np.uint64(next_below(state, 52))
    return card


@kernel
def _draw(cumulative: Floats, first: int, last: int, uniform: float) -> int:
    """First place in a range whose cumulated weight exceeds a uniform share of the total."""
    wanted = uniform * cumulative[last - 1]
    low = first
    high = last - 1
    while low < high:
        middle = (low + high) // 2
        if cumulative[middle] > wanted:
            high = middle
        else:
            low = middle + 1
    return low


@kernel
def _score(classes: Uint16s, weight: float, sums: Floats) -> None:
    """Add a showdown to `sums`: for each player the weight of sole wins, of ties, and of shares².

    The last row holds the total weight. Row sums: a tie among n counts 1/n in column 1, so that
    equity is column 0 plus column 1.
    """
    best = _WORST
    winners = 0
    for seat in range(classes.size):
        if classes[seat] < best:
            best = classes[seat]
            winners = 1
        elif classes[seat] == best:
            winners += 1
    share = weight / winners
    column = 0 if winners == 1 else 1
    for seat in range(classes.size):
        if classes[seat] == best:
            sums[seat, column] += share
            sums[seat, 2] += share / winners
    sums[classes.size, 0] += weight

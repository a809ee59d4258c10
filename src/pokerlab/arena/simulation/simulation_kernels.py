"""Hands between players whose strategies are tables, in one compiled loop.

The rules are in the arrays: the betting tree of the game, node by node, made by the rules
engine. A decision is one random number and one row of a table (`action_kernels`); cards are looked
at where a table asks for them, and all of them are evaluated together for the showdowns.

Cards and decisions take their random numbers from different streams, so the cards of a hand do
not depend on how earlier hands were played. The k-th number of a stream is a function of k: all
that a block needs are computed side by side.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pokerlab.arena.simulation.action_kernels import FIELD, Choices, SimulatedHands, act
from pokerlab.cards.evaluator.batch_kernels import HandLayout, evaluate_rows
from pokerlab.cards.isomorphism.index_rows_kernels import RowIndex, index_rows
from pokerlab.cards.random_kernels import STEP, mix_bits
from pokerlab.holdem.limit.buckets.look_up_kernels import (
    BLIND,
    BY_CARDS,
    BY_HAND,
    BucketLookUp,
    next_bucket,
)
from pokerlab.runtime.arrays import Bools, Bytes, Floats, Int64s, Uint16s, Uint64s
from pokerlab.runtime.jit import kernel
from pokerlab.trees.limit.cards_kernels import CardRules, cards_number, cards_strength

_ONE = np.uint64(1)
_HALF = np.uint64(32)
_IN_FIELD = np.uint64((1 << FIELD) - 1)
_WEAKEST = np.int64(-(2**62))


class SimulationTotals(NamedTuple):
    """What a block of hands came to."""

    by_position: Floats
    """(players, positions, 2): sum and sum of squares of the payoffs."""
    by_deal: Floats
    """(players, 2): sum and sum of squares of a player's mean payoff over the seatings."""
    endings: Int64s
    """(players, leaves): how often each betting was played, by how far the players were moved."""
    deal: Floats
    """(players,): scratch space, zeros."""


class Endings(NamedTuple):
    """The leaves of the betting tree, and what they pay; `play_tables` makes it."""

    live: Bools
    """(leaves, positions): who has not folded."""
    payoffs: Floats
    """(leaves, positions, 1 + 2 · players): what a position wins or loses. First if it does not
    win; then if it is the first of 1, 2, … winners, and each time after that if it is another."""


class PlayWorkspace(NamedTuple):
    """Room for the hands that are played side by side; after that, a record of the last ones."""

    cards: Bytes
    """(deals, positions, private cards + board): what each position sees at the end. Eight bytes
    may be read from any card on."""
    payoffs: Floats
    """(hands, positions)."""
    leaves: Int64s
    """(hands,): the leaf of the betting tree where each hand ended."""
    drawn: Bytes
    """(cards of a deal · deals,): which of the cards that are left is drawn."""
    dealt_from: Bytes
    """(positions · cards that each sees,): which card of a deal each of them is."""
    classes: Uint16s
    """(deals · positions,): of poker hands."""
    strengths: Int64s
    """(deals · positions,): greater wins."""
    groups: Int64s
    """(hands << turn bits,): the group of each player's cards on this street."""
    numbers: Int64s
    """(hands,): the numbers of some cards."""
    waiting: SimulatedHands
    """The hands in which somebody has to act on this street."""
    going_on: SimulatedHands
    """The hands that go on to the next street."""
    finished: Uint64s
    """(hands,): those that are over, above `FIELD` bits for their leaf."""


@kernel(makes_arrays=False)
def play_deals(
    deals: int,
    first: int,
    seatings: int,
    rules: CardRules,
    layout: HandLayout,
    choices: Choices,
    endings: Endings,
    look_ups: tuple[BucketLookUp, ...],
    row_indices: tuple[RowIndex, ...],
    card_state: Uint64s,
    action_state: Uint64s,
    totals: SimulationTotals,
    workspace: PlayWorkspace,
) -> None:
    """Play some deals, each in `seatings` rotations of the players, and add to `totals`.

    Player p sits at position (p + k) mod n in the first seating of deal k, counted from `first`.

    As many deals as the workspace has room for are played side by side, street by street, an action
    of each in turn. Big tables are far from the processor, and so it waits for many of their
    rows at once instead of one after the other.
    """
    room = len(workspace.cards)
    players = len(look_ups)
    waiting_hands, going_on = workspace.waiting, workspace.going_on
    for begin in range(0, deals, room):
        count = min(room, deals - begin)
        _deal(count, rules, card_state, workspace)
        _compare(count, rules, layout, workspace)
        alive = _start(
            count, first + begin, seatings, players, action_state, choices, going_on, workspace
        )
        over = 0
        if choices.nodes == 0:
            alive = 0
        for street in range(len(rules.board_cards)):
            for player in range(players):
                _find_groups(
                    alive,
                    street,
                    player,
                    seatings,
                    choices,
                    look_ups[player],
                    row_indices,
                    going_on,
                    workspace,
                )
            if len(choices.streets):
                waiting, alive = _wait(alive, street, choices, going_on, waiting_hands)
            else:
                waiting_hands, going_on = going_on, waiting_hands
                waiting, alive = alive, 0
            while waiting:
                waiting, alive, over = act(
                    waiting,
                    waiting_hands,
                    alive,
                    going_on,
                    over,
                    workspace.finished,
                    choices,
                    workspace.groups,
                )
        for index in range(over):
            hand = workspace.finished[index] >> np.uint64(FIELD)
            leaf = workspace.finished[index] & _IN_FIELD
            workspace.leaves[hand] = np.int64(leaf) - choices.nodes
        for deal in range(count):
            _end_deal(deal, first + begin, seatings, players, endings, totals, workspace)


@kernel(inner=True, makes_arrays=False)
def _deal(count: int, rules: CardRules, state: Uint64s, workspace: PlayWorkspace) -> None:
    """Draw private cards position by position, then the board, which every position sees.

    The deck is not sorted again between deals: a random place of any order is a random card.
    """
    deck, drawn, dealt_from = rules.deck, workspace.drawn, workspace.dealt_from
    room = np.uint64(len(workspace.cards))
    draws = np.uint64(drawn.size // len(workspace.cards))
    for draw in range(draws):
        left = np.uint64(deck.size) - draw
        first = state[0] + STEP * (draw + _ONE)
        for deal in range(np.uint64(count)):
            bits = mix_bits(first + STEP * draws * deal)
            drawn[draw * room + deal] = draw + ((bits >> _HALF) * left >> _HALF)
    state[0] += STEP * draws * np.uint64(count)
    cards = workspace.cards.reshape(workspace.cards.size)
    size = np.uint64(dealt_from.size)
    for deal in range(np.uint64(count)):
        for draw in range(draws):
            place = drawn[draw * room + deal]
            card = deck[place]
            deck[place] = deck[draw]
            deck[draw] = card
        for place in range(size):
            cards[deal * size + place] = deck[dealt_from[place]]


@kernel(inline="always", makes_arrays=False)
def _compare(count: int, rules: CardRules, layout: HandLayout, workspace: PlayWorkspace) -> None:
    """Write how strong the hands of all positions are at a showdown."""
    _, positions, seen = workspace.cards.shape
    rows = workspace.cards.reshape(len(workspace.strengths), seen)
    hands = count * positions
    if len(rules.strength):
        for hand in range(hands):
            workspace.strengths[hand] = cards_strength(rows[hand], rules)
    else:
        evaluate_rows(rows[:hands], workspace.classes[:hands], False, layout, rules.evaluator)
        for hand in range(hands):
            workspace.strengths[hand] = -np.int64(workspace.classes[hand])


@kernel(inner=True, makes_arrays=False)
def _start(
    count: int,
    first: int,
    seatings: int,
    players: int,
    state: Uint64s,
    choices: Choices,
    hands: SimulatedHands,
    workspace: PlayWorkspace,
) -> int:
    """All hands go on to the first street; returns how many there are."""
    hand = 0
    for deal in range(count):
        for seating in range(seatings):
            turn = np.uint64(_turn(first + deal + seating, players))
            hands.place[hand] = (np.uint64(hand) << choices.turn_bits | turn) << choices.node_bits
            hands.state[hand] = mix_bits(state[0] + STEP * np.uint64(hand + 1))
            hand += 1
    state[0] += STEP * np.uint64(hand)
    for place in range(len(workspace.groups)):
        workspace.groups[place] = 0
    return hand


@kernel(inline="always", makes_arrays=False)
def _turn(seating: int, players: int) -> int:
    """By how many positions the players are moved in a hand."""
    return seating & 1 if players == 2 else seating % players


@kernel(inner=True, makes_arrays=False)
def _find_groups(
    alive: int,
    street: int,
    player: int,
    seatings: int,
    choices: Choices,
    look_up: BucketLookUp,
    row_indices: tuple[RowIndex, ...],
    hands: SimulatedHands,
    workspace: PlayWorkspace,
) -> None:
    """Write the group of a player's cards on a street in all hands that go on."""
    players = workspace.cards.shape[1]
    groups, turn_bits = workspace.groups, choices.turn_bits
    kind, seen = look_up.kinds[street], look_up.seen[street]
    values, following = look_up.values[street], look_up.next_groups[street]
    if kind == BLIND and not len(following):
        before = max(street - 1, 0)
        if look_up.kinds[before] != BLIND or len(look_up.next_groups[before]):
            for place in range(player, len(groups), 1 << np.int64(turn_bits)):
                groups[place] = 0
        return
    # One pass for the numbers of the cards and one for their groups: the shorter a pass, the more
    # of its look-ups are under way at once.
    numbers = workspace.numbers
    cards_seen = workspace.cards.shape[2]
    for index in range(alive):
        moved = hands.place[index] >> choices.node_bits
        hand = np.int64(moved >> turn_bits)
        position = player + np.int64(moved & ((_ONE << turn_bits) - _ONE))
        if position >= players:
            position -= players
        deal = hand if seatings == 1 else hand // seatings
        numbers[index] = (deal * players + position) * cards_seen
    cards = workspace.cards.reshape(workspace.cards.size)
    if kind == BY_HAND:
        which = min(street, len(look_up.indexers) - 1)
        index_rows(cards, alive, numbers, look_up.indexers[which], row_indices[which])
    elif kind == BY_CARDS:
        for index in range(alive):
            begin = numbers[index]
            numbers[index] = cards_number(
                cards[begin : begin + seen], seen, look_up.place, look_up.deck
            )
    for index in range(alive):
        hand = hands.place[index] >> (choices.node_bits + turn_bits)
        place = hand << turn_bits | np.uint64(player)
        groups[place] = next_bucket(kind, values, following, numbers[index], groups[place])


@kernel(inner=True, makes_arrays=False)
def _wait(
    alive: int, street: int, choices: Choices, going_on: SimulatedHands, waiting: SimulatedHands
) -> tuple[int, int]:
    """Part the hands in which somebody acts on this street from those that only pass through."""
    in_node = (_ONE << choices.node_bits) - _ONE
    count = 0
    passing = 0
    for index in range(alive):
        place, state = going_on.place[index], going_on.state[index]
        here = choices.streets[place & in_node] == street
        waiting.place[count], waiting.state[count] = place, state
        count += here
        going_on.place[passing], going_on.state[passing] = place, state
        passing += not here
    return count, passing


@kernel(inline="always", makes_arrays=False)
def _end_deal(
    deal: int,
    first: int,
    seatings: int,
    players: int,
    endings: Endings,
    totals: SimulationTotals,
    workspace: PlayWorkspace,
) -> None:
    """Pay the hands of a deal, and add them to the totals."""
    for seating in range(seatings):
        hand = deal * seatings + seating
        turn = _turn(first + deal + seating, players)
        leaf = workspace.leaves[hand]
        # Without a branch on the cards: it would be guessed wrong every other time.
        best = _WEAKEST
        for position in range(players):
            strength = workspace.strengths[deal * players + position]
            best = max(best, strength if endings.live[leaf, position] else _WEAKEST)
        winners = 0
        for position in range(players):
            strength = workspace.strengths[deal * players + position]
            winners += endings.live[leaf, position] & (strength == best)
        paid = 0
        totals.endings[turn, leaf] += 1
        for position in range(players):
            strength = workspace.strengths[deal * players + position]
            wins = endings.live[leaf, position] & (strength == best)
            payoff = endings.payoffs[leaf, position, wins * (2 * winners - (paid == 0))]
            paid += wins
            workspace.payoffs[hand, position] = payoff
            player = position - turn
            if player < 0:
                player += players
            totals.by_position[player, position, 0] += payoff
            totals.by_position[player, position, 1] += payoff * payoff
            totals.deal[player] += payoff
    for player in range(players):
        mean = totals.deal[player] / seatings
        totals.deal[player] = 0.0
        totals.by_deal[player, 0] += mean
        totals.by_deal[player, 1] += mean * mean

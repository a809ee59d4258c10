"""Hands between players whose strategies are tables, in one compiled loop.

The rules are in the arrays: the betting tree of the game, node by node, made by the rules
engine. A decision is one random number and one row of a table; cards are looked at where a
table asks for them, and compared only at a showdown.

Cards and decisions take their random numbers from different streams, so the cards of a hand do
not depend on how earlier hands were played.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pokerlab.cards.random_kernels import next_bits
from pokerlab.groups.group_kernels import BLIND, GroupLookUp, next_group, number_of_cards
from pokerlab.jit import kernel
from pokerlab.strategies.table_strategy import Tables
from pokerlab.trees.limit.betting_kernels import CALL, FOLD, POSITION, RAISE, STREET, FlatTree
from pokerlab.trees.limit.cards_kernels import CardRules, deal_cards, settle

__all__ = ["PlayWorkspace", "Totals", "play_deals"]

Int32s = npt.NDArray[np.int32]
Int64s = npt.NDArray[np.int64]
Bytes = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float64]
RandomState = npt.NDArray[np.uint64]

_ONE = np.float32(1.0)
_UNIT = np.float32(2.0**-24)


class Totals(NamedTuple):
    """What a block of hands came to."""

    by_position: Floats
    """(players, positions, 3): hands, sum and sum of squares of the payoffs."""
    by_deal: Floats
    """(players, 2): sum and sum of squares of a player's mean payoff over the seatings."""
    actions: Int64s
    """(players, streets, 3): how often a player has folded, called and raised."""
    deal: Floats
    """(players,): scratch space, zeros."""


class PlayWorkspace(NamedTuple):
    """Room for the hands that are played side by side; after that, a record of the last ones."""

    cards: Bytes
    """(deals, positions, private cards + board): what each position sees at the end."""
    actions: npt.NDArray[np.int8]
    """(hands, most actions): what was done; after the last action −1."""
    payoffs: Floats
    """(hands, positions)."""
    states: RandomState
    """(hands,): where the random numbers of a hand stand."""
    node: Int64s
    """(hands,): where the betting stands."""
    steps: Int64s
    """(hands,): how many actions there were."""
    going_on: Int64s
    """(hands,): the hands that go on to the next street."""
    waiting: Int64s
    """(hands,): the hands in which somebody has to act on this street."""
    numbers: Int64s
    """(hands,): the numbers of some cards."""
    groups: Int64s
    """(hands, players): the group of a player's cards on this street."""


@kernel(makes_arrays=False)
def play_deals(
    deals: int,
    first: int,
    seatings: int,
    tree: FlatTree,
    rules: CardRules,
    players: tuple[Tables, ...],
    look_ups: tuple[GroupLookUp, ...],
    card_state: RandomState,
    action_state: RandomState,
    totals: Totals,
    workspace: PlayWorkspace,
) -> None:
    """Play some deals, each in `seatings` rotations of the players, and add to `totals`.

    Player p sits at position (p + k) mod n in the first seating of deal k, counted from `first`.

    As many deals as the workspace has room for are played side by side, street by street, an action
    of each in turn. Big tables are far from the processor, and so it waits for many of their
    rows at once instead of one after the other.
    """
    room = len(workspace.cards)
    for begin in range(0, deals, room):
        count = min(room, deals - begin)
        for deal in range(count):
            deal_cards(workspace.cards[deal], rules.deck, rules.hole, card_state)
        _start(count * seatings, action_state, workspace)
        alive = count * seatings if len(tree.nodes) else 0
        for street in range(len(rules.board_cards)):
            for player in range(len(players)):
                _find_groups(
                    alive, street, player, first + begin, seatings, look_ups[player], workspace
                )
            waiting, alive = _wait(alive, street, tree.nodes, workspace)
            while waiting:
                _choose(waiting, first + begin, seatings, tree.nodes, players, workspace)
                waiting, alive = _act(
                    waiting,
                    alive,
                    first + begin,
                    seatings,
                    tree.nodes,
                    totals.actions,
                    workspace,
                )
        for deal in range(count):
            _end_deal(deal, first + begin, seatings, tree, rules, totals, workspace)


@kernel(inline="always", makes_arrays=False)
def _start(hands: int, action_state: RandomState, workspace: PlayWorkspace) -> None:
    for hand in range(hands):
        workspace.states[hand] = next_bits(action_state)
        workspace.node[hand] = 0
        workspace.steps[hand] = 0
        workspace.going_on[hand] = hand
        for step in range(workspace.actions.shape[1]):
            workspace.actions[hand, step] = -1


@kernel(makes_arrays=False)
def _turn(hand: int, first: int, seatings: int, players: int) -> int:
    """By how many positions the players are moved in a hand."""
    deal = hand if seatings == 1 else hand // seatings
    turn = first + deal + hand - deal * seatings
    return turn & 1 if players == 2 else turn % players


@kernel(makes_arrays=False)
def _find_groups(
    alive: int,
    street: int,
    player: int,
    first: int,
    seatings: int,
    look_up: GroupLookUp,
    workspace: PlayWorkspace,
) -> None:
    """Write the group of a player's cards on a street in all hands that go on."""
    n_players = workspace.groups.shape[1]
    kind, seen = look_up.kinds[street], look_up.seen[street]
    values, following = look_up.values[street], look_up.next_groups[street]
    if kind == BLIND and not len(following):
        for place in range(alive):
            workspace.groups[workspace.going_on[place], player] = 0
        return
    indexer = look_up.indexers[min(street, len(look_up.indexers) - 1)]
    # One pass for the numbers of the cards and one for their groups: the shorter a pass, the more
    # of its look-ups are under way at once.
    for place in range(alive):
        hand = workspace.going_on[place]
        position = player + _turn(hand, first, seatings, n_players)
        if position >= n_players:
            position -= n_players
        cards = workspace.cards[hand if seatings == 1 else hand // seatings, position]
        workspace.numbers[place] = number_of_cards(
            kind, seen, look_up.place, look_up.deck, indexer, cards
        )
    for place in range(alive):
        hand = workspace.going_on[place]
        before = workspace.groups[hand, player]
        number = workspace.numbers[place]
        workspace.groups[hand, player] = next_group(kind, values, following, number, before)


@kernel(inline="always", makes_arrays=False)
def _wait(alive: int, street: int, nodes: Int32s, workspace: PlayWorkspace) -> tuple[int, int]:
    """Part the hands in which somebody acts on this street from those that only pass through."""
    waiting = 0
    passing = 0
    for place in range(alive):
        hand = workspace.going_on[place]
        here = nodes[workspace.node[hand], STREET] == street
        workspace.waiting[waiting] = hand
        waiting += here
        workspace.going_on[passing] = hand
        passing += not here
    return waiting, passing


@kernel(inline="always", makes_arrays=False)
def _choose(
    waiting: int,
    first: int,
    seatings: int,
    nodes: Int32s,
    players: tuple[Tables, ...],
    workspace: PlayWorkspace,
) -> None:
    """Draw an action in each waiting hand, legal or not.

    Nothing here depends on another hand, and nothing branches on what a row holds: so no row is
    waited for before the next is asked for.
    """
    for place in range(waiting):
        hand = workspace.waiting[place]
        node = workspace.node[hand]
        player = nodes[node, POSITION] - _turn(hand, first, seatings, len(players))
        if player < 0:
            player += len(players)
        tables = players[player]
        row = tables.first_row[node] + workspace.groups[hand, player]
        draw = np.float32(next_bits(workspace.states[hand : hand + 1]) >> np.uint64(40)) * _UNIT
        folds = draw < tables.chances[row, FOLD]
        raises = draw + tables.chances[row, RAISE] >= _ONE
        workspace.actions[hand, workspace.steps[hand]] = CALL - folds + (raises & ~folds)


@kernel(inline="always", makes_arrays=False)
def _act(
    waiting: int,
    alive: int,
    first: int,
    seatings: int,
    nodes: Int32s,
    counts: Int64s,
    workspace: PlayWorkspace,
) -> tuple[int, int]:
    """Take the actions; returns how many hands wait on this street, and go on to the next."""
    left = 0
    for place in range(waiting):
        hand = workspace.waiting[place]
        node = workspace.node[hand]
        street = nodes[node, STREET]
        player = nodes[node, POSITION] - _turn(hand, first, seatings, len(counts))
        if player < 0:
            player += len(counts)
        step = workspace.steps[hand]
        action = workspace.actions[hand, step]
        target = nodes[node, action]
        if target < 0:  # a call takes the place of what is not legal, as at a table of the arena
            workspace.actions[hand, step] = action = CALL
            target = nodes[node, CALL]
        counts[player, street, action] += 1
        workspace.steps[hand] = step + 1
        workspace.node[hand] = target
        decides = target < len(nodes)
        here = decides & (nodes[min(target, len(nodes) - 1), STREET] == street)
        workspace.waiting[left] = hand
        left += here
        workspace.going_on[alive] = hand
        alive += decides & ~here
    return left, alive


@kernel(inline="always", makes_arrays=False)
def _end_deal(
    deal: int,
    first: int,
    seatings: int,
    tree: FlatTree,
    rules: CardRules,
    totals: Totals,
    workspace: PlayWorkspace,
) -> None:
    """Pay the hands of a deal, and add them to the totals."""
    players = len(totals.by_deal)
    for seating in range(seatings):
        hand = deal * seatings + seating
        turn = _turn(hand, first, seatings, players)
        leaf = workspace.node[hand] - len(tree.nodes)
        payoffs = workspace.payoffs[hand]
        settle(workspace.cards[deal], tree.spent[leaf], tree.live[leaf], rules, payoffs)
        for position in range(players):
            player = position - turn
            if player < 0:
                player += players
            payoff = payoffs[position]
            totals.by_position[player, position, 0] += 1.0
            totals.by_position[player, position, 1] += payoff
            totals.by_position[player, position, 2] += payoff * payoff
            totals.deal[player] += payoff
    for player in range(players):
        mean = totals.deal[player] / seatings
        totals.deal[player] = 0.0
        totals.by_deal[player, 0] += mean
        totals.by_deal[player, 1] += mean * mean

"""What all walks through a bucketed limit game share: deals, rows of tables, leaves.

A deal is the private cards of all players and a whole board; the groups of all streets and the
strengths at showdown are found once (1 microsecond), and what is left is the betting.

Rows of ``regret`` and ``total`` (rows, 3: fold, call, raise) are ordered by street, group and
then node: all that one player can need on a street in one deal lies together, which is what the
processor fetches ahead. A row is 12 bytes of each table, and turning it into a strategy takes one
division.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pokerlab.cards.random_kernels import next_uniform
from pokerlab.holdem.limit.buckets.look_up_kernels import BucketLookUp, buckets_of_cards
from pokerlab.runtime.arrays import Bools, Bytes, Floats, Int32s, Int64s, Singles, Uint64s
from pokerlab.runtime.jit import kernel
from pokerlab.solvers.evaluation.restriction import Restriction
from pokerlab.trees.limit.cards_kernels import CardRules, cards_strength, deal_cards

_ACTIONS = 3


class TrainingTree(NamedTuple):
    """The betting, and where its rows are."""

    nodes: Int32s
    """(nodes, 5), as in `FlatTree`."""
    base: Int64s
    """(nodes,): the row of a node for group 0 of its street."""
    width: Int64s
    """(streets,): how far the rows of a node for two consecutive groups are apart."""
    spent: Int64s
    """(leaves, positions), as in `FlatTree`."""
    live: Bools
    """(leaves, positions), as in `FlatTree`."""


class IterationWeights(NamedTuple):
    """How an update rule counts iteration t."""

    regret_power: float
    """Regrets count t to this power."""
    average_power: float
    """Strategies count t to this power in the average."""
    floor: bool
    """Whether regrets are kept from falling below 0."""


class DealWorkspace(NamedTuple):
    """What one thread needs for a deal and a walk."""

    deck: Bytes
    """(cards,): its own, shuffled as it goes."""
    cards: Bytes
    """(positions, private cards + board)."""
    groups: Int64s
    """(positions, streets)."""
    strength: Int64s
    """(positions,): at a showdown."""
    node: Int64s
    """(depth,): the frames, from the first decision on."""
    row: Int64s
    """(depth,)."""
    action: Int64s
    """(depth,): what is being tried."""
    reach: Floats
    """(depth + 1, positions): the share of each player in coming here."""
    chance: Floats
    """(depth + 1, 3): the strategy."""
    worth: Floats
    """(depth + 1, 3): the value of each action."""


@kernel(makes_arrays=False)
def deal_and_look_up(
    rules: CardRules, look_up: BucketLookUp, work: DealWorkspace, state: Uint64s
) -> None:
    """Deal at random; find the groups and the strength of each position."""
    deal_cards(work.cards, work.deck, rules.hole, state)
    for position in range(len(work.cards)):
        buckets_of_cards(work.cards[position], look_up, work.groups[position])
        work.strength[position] = cards_strength(work.cards[position], rules)


@kernel(makes_arrays=False)
def match_row(regret: Singles, row: int, node: Int32s, chance: Floats) -> None:
    """Write the strategy that matches the regrets of a row; uniform where none is positive.

    What is not legal has no regret, so that nothing branches on it.
    """
    fold = max(float(regret[row, 0]), 0.0)
    call = max(float(regret[row, 1]), 0.0)
    raise_ = max(float(regret[row, 2]), 0.0)
    total = fold + call + raise_
    if total <= 0.0:
        fold = 1.0 if node[0] >= 0 else 0.0
        call = 1.0 if node[1] >= 0 else 0.0
        raise_ = 1.0 if node[2] >= 0 else 0.0
        total = fold + call + raise_
    share = 1.0 / total
    chance[0], chance[1], chance[2] = fold * share, call * share, raise_ * share


@kernel(makes_arrays=False)
def mix_in_model(restriction: Restriction, whole: bool, row: int, chance: Floats) -> None:
    """Mix the model into the bound player's free choice.

    `whole` is whether the player is bound for the whole deal.
    """
    share = 1.0 if whole else float(restriction.trust[row])
    for action in range(_ACTIONS):
        chance[action] += share * (restriction.model[row, action] - chance[action])


@kernel(makes_arrays=False)
def bound_worth(restriction: Restriction, row: int, worth: Floats, chosen: float) -> float:
    """The value of a row to the bound player, from those of its actions and of the free choice."""
    share = float(restriction.trust[row])
    by_model = 0.0
    for action in range(_ACTIONS):
        if restriction.model[row, action] > 0.0:
            by_model += restriction.model[row, action] * worth[action]
    return share * by_model + (1.0 - share) * chosen


@kernel(makes_arrays=False)
def leaf_worth(
    leaf: int, hero: int, tree: TrainingTree, strength: Int64s, whole_chips: bool, unit: float
) -> float:
    """What a position wins or loses where the betting is over."""
    spent = tree.spent[leaf]
    if not tree.live[leaf, hero]:
        return float(-spent[hero] / unit)
    pot = 0
    winners = 1
    first = True
    for position in range(len(spent)):
        pot += spent[position]
        if position != hero and tree.live[leaf, position]:
            if strength[position] > strength[hero]:
                return float(-spent[hero] / unit)
            if strength[position] == strength[hero]:
                winners += 1
                first = first and position > hero
    odd = pot % winners if whole_chips else 0
    won = (pot - odd) / winners - spent[hero]
    if first:
        won += odd
    return float(won / unit)


@kernel(makes_arrays=False)
def draw_action(chance: Floats, node: Int32s, state: Uint64s) -> int:
    """An action, each with its chance, never one that is not legal."""
    point = next_uniform(state)
    found = 1  # to call is always legal
    for action in range(_ACTIONS):
        if node[action] >= 0 and chance[action] > 0.0:
            found = action
            point -= chance[action]
            if point < 0.0:
                break
    return found


@kernel(makes_arrays=False)
def add_regret(
    regret: Singles,
    row: int,
    node: Int32s,
    worth: Floats,
    expected: float,
    weight: float,
    floor: bool,
) -> None:
    """Add what each action would have won more than what was expected."""
    for action in range(_ACTIONS):
        gain = weight * (worth[action] - expected)
        new = regret[row, action] + (gain if node[action] >= 0 else 0.0)
        regret[row, action] = max(new, 0.0) if floor else new


@kernel(makes_arrays=False)
def add_strategy(total: Singles, row: int, chance: Floats, weight: float) -> None:
    """Add a strategy to the sum whose normalised rows are the average."""
    for action in range(_ACTIONS):
        total[row, action] += weight * chance[action]


@kernel(makes_arrays=False)
def next_action(node: Int32s, after: int) -> int:
    """The next legal action, 3 if there is none."""
    action = after + 1
    while action < _ACTIONS and node[action] < 0:
        action += 1
    return action


@kernel(makes_arrays=False)
def write_average(
    here: Int64s,
    groups: int,
    tree: TrainingTree,
    total: Singles,
    uniform_where_unseen: bool,
    out: Singles,
) -> None:
    """Write the average strategy of the nodes of a street, `here`, in the order of their rows.

    Where training never was, legal actions are uniform, or all are NaN.
    """
    first = tree.base[here[0]]
    for group in range(groups):
        for place in range(len(here)):
            row = first + group * len(here) + place
            weights = total[row, 0] + total[row, 1] + total[row, 2]
            if weights > 0.0:
                for action in range(_ACTIONS):
                    out[row, action] = total[row, action] / weights
                continue
            legal = 0
            for action in range(_ACTIONS):
                legal += tree.nodes[here[place], action] >= 0
            for action in range(_ACTIONS):
                out[row, action] = np.nan
                if uniform_where_unseen:
                    is_legal = tree.nodes[here[place], action] >= 0
                    out[row, action] = 1.0 / legal if is_legal else 0.0

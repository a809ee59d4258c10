"""Deals of given ranges: what is left of a game after a line, trained and measured.

Cards are dealt until every position holds a hand of its range, which costs about 0.1 microseconds
a try; so hands come up together as often as they do in the game, those of a player who has folded
included.
"""

from __future__ import annotations

from pokerlab.cards.random_kernels import next_uniform
from pokerlab.holdem.limit.buckets.look_up_kernels import BucketLookUp, buckets_of_cards
from pokerlab.holdem.limit.sampling.walk_kernels import (
    DealWorkspace,
    TrainingTree,
    draw_action,
    leaf_worth,
    match_row,
)
from pokerlab.runtime.arrays import Floats, Singles, Uint64s
from pokerlab.runtime.jit import kernel
from pokerlab.trees.limit.betting_kernels import POSITION, STREET
from pokerlab.trees.limit.cards_kernels import CardRules, cards_strength, deal_cards

_ACTIONS = 3
_MOST_TRIES = 20_000_000
"""Deals that may be refused in a row: two seconds."""


@kernel(makes_arrays=False)
def deal_in_ranges(
    ranges: Floats, rules: CardRules, look_up: BucketLookUp, work: DealWorkspace, state: Uint64s
) -> None:
    """Deal until each position accepts its cards; find all buckets and strengths.

    `ranges` (positions, buckets of the first street) are the probabilities to accept.
    `ValueError` where no deal of `_MOST_TRIES` is accepted.
    """
    positions = len(work.cards)
    refused = True
    tries = 0
    while refused:
        tries += 1
        if tries > _MOST_TRIES:
            raise ValueError("ranges: hardly any deal gives every position a hand of its range")
        refused = False
        deal_cards(work.cards, work.deck, rules.hole, state)
        for position in range(positions):
            buckets_of_cards(work.cards[position], look_up, work.groups[position, :1])
            if next_uniform(state) >= ranges[position, work.groups[position, 0]]:
                refused = True
                break
    for position in range(positions):
        buckets_of_cards(work.cards[position], look_up, work.groups[position])
        work.strength[position] = cards_strength(work.cards[position], rules)


@kernel(makes_arrays=False)
def gain_in_ranges(
    deals: int,
    hero: int,
    tree: TrainingTree,
    rules: CardRules,
    look_up: BucketLookUp,
    probabilities: Singles,
    regret: Singles,
    ranges: Floats,
    state: Uint64s,
    work: DealWorkspace,
    sums: Floats,
) -> None:
    """Play each deal twice: the hero by `regret`, and by `probabilities` as the others do.

    Add to `sums` (2,) how much more the hero wins the first time, and its square.
    """
    nodes = tree.nodes
    chance = work.chance[0]
    for _ in range(deals):
        deal_in_ranges(ranges, rules, look_up, work, state)
        gained = 0.0
        for responds in range(2):
            node = 0
            while node < len(nodes):
                player, street = nodes[node, POSITION], nodes[node, STREET]
                row = tree.base[node] + work.groups[player, street] * tree.width[street]
                if player == hero and responds == 1:
                    match_row(regret, row, nodes[node], chance)
                else:
                    for action in range(_ACTIONS):
                        chance[action] = probabilities[row, action]
                node = nodes[node, draw_action(chance, nodes[node], state)]
            worth = leaf_worth(
                node - len(nodes), hero, tree, work.strength, rules.whole_chips, rules.unit
            )
            gained += worth if responds == 1 else -worth
        sums[0] += gained
        sums[1] += gained * gained

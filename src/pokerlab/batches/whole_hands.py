"""A spot as part of a whole hand, in the notation of the rules: what hand histories need."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from pokerlab.games.definition import BettingGame
from pokerlab.games.rules import Street
from pokerlab.postflop.answer.spot_rules import HALVES, rules_action
from pokerlab.postflop.question.spot import Spot
from pokerlab.postflop.tree.betting_tree import BettingTree

Path: TypeAlias = tuple[tuple[int, int], ...]
"""The actions of a hand: level and edge of each."""


class Paths:
    """The ways to the last actions of a tree, numbered over all streets as games end with them."""

    def __init__(self, tree: BettingTree) -> None:
        self._tree = tree
        self._first = np.cumsum([0, *(street.edges for street in tree.streets)])

    def to(self, number: int) -> Path:
        """All actions up to one."""
        level = int(np.searchsorted(self._first, number, side="right")) - 1
        edge = number - int(self._first[level])
        found = []
        while True:
            found.append((level, edge))
            street = self._tree.streets[level]
            node = int(street.node[edge])
            edge = int(street.parent_edge[node])
            if edge < 0:
                if level == 0:
                    return tuple(reversed(found))
                edge = int(street.root_parent_edge[street.root[node]])
                level -= 1


def write_betting(tree: BettingTree, path: Path) -> str:
    """The actions in the notation of the rules, a slash between streets."""
    streets: list[str] = [""] * (path[-1][0] + 1)
    for level, edge in path:
        streets[level] += rules_action(tree, level, edge)
    return "/".join(streets)


def hand_rules(spot: Spot) -> BettingGame:
    """The hold'em hand that a spot is part of, so that programs which know hands can read it.

    The player in position has the button. Before the flop they raised to half of the pot and were
    called, or called the blind where that is half of the pot; `opening` says so.

    Examples
    --------
    >>> spot = Spot("QhJh2c", "AA", "KK", pot=6, stack=97, big_blind=1)
    >>> game = hand_rules(spot)
    >>> state = game.replay(opening(spot))
    >>> state.pot / game.unit, [chips / game.unit for chips in state.stacks]
    (6.0, [97.0, 97.0])
    """
    tree = spot.tree
    blind = round(HALVES * tree.units * spot.big_blind)
    if not 0 < 2 * blind <= tree.pot:  # too small a pot for a raise
        blind = tree.pot
    stack = tree.pot + HALVES * tree.stack
    return BettingGame(
        name="holdem",
        players=2,
        betting="no-limit",
        streets=(
            Street(hole=2, first=1, bet=HALVES),
            Street(board=3, bet=HALVES),
            Street(board=1, bet=HALVES),
            Street(board=1, bet=HALVES),
        ),
        blinds=(blind, blind // 2),
        stacks=(stack, stack),
        unit=HALVES * tree.units,
    )


def opening(spot: Spot) -> str:
    """The betting before a spot in `hand_rules`; streets before it were checked."""
    game = hand_rules(spot)
    raised = "cc" if game.blinds[0] == spot.tree.pot else f"r{spot.tree.pot}c"
    return "/".join([raised, *(["cc"] * spot.street), ""])

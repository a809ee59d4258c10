"""A spot by the rules of the game (`pokerlab.games`): its actions, and payoffs of lines.

Every line that was played is replayed by the rules engine, and its result is what the rules say:
this shares nothing with the walks that compute values.
"""

from __future__ import annotations

import numpy as np

from pokerlab.games.betting import Betting
from pokerlab.games.betting_trees.betting_tree import BettingTree
from pokerlab.games.betting_trees.lines import ActionKind
from pokerlab.games.definition import BettingGame
from pokerlab.games.protocol import TERMINAL
from pokerlab.games.rules import Street
from pokerlab.games.showdown import share_pot
from pokerlab.holdem.spots.question.spot import Spot
from pokerlab.runtime.arrays import Floats

HALVES = 2
"""Half of the pot is an ante, so the rules count in halves of the smallest chip."""


def rules_of(spot: Spot) -> BettingGame:
    """The spot as a game of the rules engine: the pot is two antes.

    Chips are counted in halves of the smallest chip there, and payoffs in chips.

    Examples
    --------
    >>> spot = Spot("QhJh2c4d", "AA, KQs", "QQ, AJs", pot=101, stack=80)
    >>> state = rules_of(spot).replay("r201c/")
    >>> state.pot / HALVES, state.stacks, state.player
    (201.0, (60, 60), 0)
    """
    tree = spot.tree
    streets = [Street(hole=2, board=len(spot.board), bet=HALVES)]
    streets += [Street(board=1, bet=HALVES)] * (len(tree.streets) - 1)
    stack = tree.pot + HALVES * tree.stack
    return BettingGame(
        name="spot",
        players=2,
        betting="no-limit",
        streets=tuple(streets),
        ante=tree.pot,
        stacks=(stack, stack),
        unit=HALVES * tree.units,
    )


def rules_action(tree: BettingTree, level: int, edge: int) -> str:
    """An action of the betting tree as the rules engine names it.

    Examples
    --------
    >>> spot = Spot("QhJh2c4d7h", "AA, KQs", "QQ, AJs", pot=100, stack=80)
    >>> [rules_action(spot.tree, 0, edge) for edge in spot.tree.streets[0].edges_of(0)]
    ['c', 'r200', 'r260']
    """
    street = tree.streets[level]
    if street.action[edge] == ActionKind.FOLD:
        return "f"
    if street.action[edge] in (ActionKind.CHECK, ActionKind.CALL):
        return "c"
    before = int(street.root_matched[street.root[street.node[edge]]])
    return f"r{tree.pot + HALVES * (before + int(street.amount[edge]))}"


def settle(spot: Spot, won: Floats, spent: Floats) -> Floats:
    """The results of a hand as the spot counts: after the rake, or in prize money.

    Each player pays the rake from what they take. Prize money is in chips that are worth the same,
    and depends on what both have in the end.

    Parameters
    ----------
    spot
        The spot, whose pot is half of each player's `spent`.
    won, spent
        The result of each player in chips, before the rake, and the chips that they put in.

    Examples
    --------
    >>> spot = Spot("QhJh2c4d7h", "AA, KQs", "QQ, AJs", pot=100, stack=80, rake=0.05)
    >>> settle(spot, np.array([50.0, -50.0]), np.array([50.0, 50.0])).tolist()
    [45.0, -50.0]
    """
    if spot.prizes is not None and spot.pays_prizes:
        halves = HALVES * spot.units
        left = np.round((np.array(spot.prizes.stacks) + spot.pot / 2 + won) * halves) / halves
        return np.array(spot.prizes.won(float(left[0]), float(left[1])))
    pot = float(spent.sum())
    return won - spot.rake_from(pot) * (won + spent) / pot


class Settlement:
    """The payoffs of a spot's lines by the rules.

    Examples
    --------
    >>> spot = Spot("QhJh2c4d7h", "AA, KQs", "QQ, AJs", pot=100, stack=80, bet="a", raise_="")
    >>> print(spot.tree.draw())
    river, pot 100
      oop
        x   ip
          x   showdown for 100
          a   oop
            f   fold for 100
            c   showdown for 260
        a   ip
          f   fold for 100
          c   showdown for 260
    >>> Settlement(spot).at(0, 7).tolist()
    [[-130.0, 130.0], [0.0, 0.0], [130.0, -130.0]]
    """

    def __init__(self, spot: Spot) -> None:
        self.spot = spot
        self.rules = rules_of(spot)
        self._reached = {(0, 0): self.rules.first_betting}
        self._paid: dict[tuple[tuple[int, ...], tuple[int, ...]], Floats] = {}

    def at(self, level: int, edge: int) -> Floats:
        """The payoffs of both players at a leaf, 0 for an even split of the pot: (3, 2) chips.

        The rows are for a lead of −1, 0 and 1 of the first player's hand.
        """
        end = self._after(level, edge)
        if end.player != TERMINAL:
            raise ValueError(f"betting {end.text!r}: the hand is not over by the rules")
        if (end.spent, end.live) not in self._paid:
            self._paid[end.spent, end.live] = self._pay(end)
        return self._paid[end.spent, end.live]

    def _pay(self, end: Betting) -> Floats:
        unit = self.rules.unit
        spent = np.array(end.spent) / unit
        rows = []
        for lead in (-1, 0, 1):
            strengths = {0: lead, 1: 0} if len(end.live) == 2 else {end.live[0]: 0}
            won = np.array(share_pot(end.spent, strengths)) / unit
            rows.append(settle(self.spot, won, spent))
        return np.array(rows)

    def _after(self, level: int, edge: int) -> Betting:
        """The betting after an action; `ValueError` where tree and rules do not agree."""
        tree = self.spot.tree
        street = tree.streets[level]
        node = int(street.node[edge])
        betting = self._before(level, node)
        if not tree.stack:
            return betting  # nobody has chips to act with: the rules do not ask
        if betting.player != street.player[node]:
            raise ValueError(f"line {tree.line(level, node)!r}: the rules let another player act")
        return betting.after(rules_action(tree, level, edge))

    def _before(self, level: int, node: int) -> Betting:
        """The betting that leads to a node; each is asked of the rules once."""
        if (level, node) not in self._reached:
            street = self.spot.tree.streets[level]
            edge = int(street.parent_edge[node])
            if edge >= 0:
                self._reached[level, node] = self._after(level, edge)
            else:
                above = int(street.root_parent_edge[street.root[node]])
                self._reached[level, node] = self._after(level - 1, above)
        return self._reached[level, node]

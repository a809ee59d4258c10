"""A betting tree as nested data, as far as somebody wants to see it, and what menus mean in chips.

`tree_outline` is what a tree editor shows: the decisions of the lines that are open, each with its
actions, and with the lines that were added or removed by hand. `preview_sizes` says what the menus
of each street come to in the pots that occur.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from pokerlab.games.betting_trees.betting_tree import BettingTree, EdgeKind
from pokerlab.games.betting_trees.lines import ActionKind, Line
from pokerlab.games.betting_trees.menus import PLAYERS, STREETS
from pokerlab.runtime.arrays import Bools

if TYPE_CHECKING:
    from pokerlab.holdem.spots.question.spot import Spot


def tree_outline(spot: Spot, opened: Iterable[str] = ()) -> dict[str, Any]:
    """The first decision of a spot with its actions, and below them those of opened lines.

    Parameters
    ----------
    spot
        Whose tree.
    opened
        Lines without cards, as ``x/b66/c``; those that are not in the tree are ignored.

    Returns
    -------
    dict
        ``line``, ``street``, ``player``, ``pot`` (with what is bet), ``behind`` (what the player
        has left), ``to_call``, ``least`` (the smallest bet or raise, None without chips behind),
        ``actions``, and ``removed`` (the numbers of the removed lines that ended here). An action
        has a ``label``, its ``line``, ``action`` (fold, check, call, bet, raise, all-in),
        ``chips``, ``percent`` of the pot, ``added`` (the number of the added line that made it, or
        None), ``then`` (decision, street, fold, showdown or all-in), the ``pot`` after it, and
        ``below``, the next decision if the line is open.

    Examples
    --------
    >>> from pokerlab.holdem.spots import Spot
    >>> spot = Spot("QhJh2c4d7h", "AA, KQs", "QQ, AJs", pot=100, stack=80, bet="50%, a",
    ...             added=["x/b25"], removed=["b50"])
    >>> outline = tree_outline(spot, opened=["x"])
    >>> [action["label"] for action in outline["actions"]], outline["removed"]
    (['x', 'a'], [0])
    >>> after_check = outline["actions"][0]["below"]
    >>> [(action["label"], action["percent"], action["added"]) for action in after_check["actions"]]
    [('x', None, None), ('b25', 25.0, 0), ('b50', 50.0, None), ('a', 80.0, None)]
    """
    outline = _Outline(spot, set(opened))
    return outline.node(0, 0, "")


class _Outline:
    def __init__(self, spot: Spot, opened: set[str]) -> None:
        self.tree = spot.tree
        self.opened = opened
        self.removed_at: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
        for number, line in enumerate(spot.removed):
            self.removed_at[_node_of(self.tree, line)].append(number)
        self.added_at: dict[tuple[int, int], int] = {}
        for number, line in enumerate(spot.added):
            try:
                place = self.tree.find(line)
            except ValueError:  # removed again, with all above it
                continue
            self.added_at[place.level, place.edge] = number

    def node(self, level: int, node: int, line: str) -> dict[str, Any]:
        tree, street = self.tree, self.tree.streets[level]
        there = tree.situation(level, node)
        player = int(street.player[node])
        can_bet = there.most > there.facing
        return {
            "line": line,
            "street": STREETS[street.number],
            "player": PLAYERS[player],
            "pot": tree.chips(int(street.pot[node])),
            "behind": tree.chips(tree.stack - int(street.committed[node, player])),
            "to_call": tree.chips(there.to_call),
            "least": tree.chips(there.least) if can_bet else None,
            "actions": [self.action(level, edge, line) for edge in street.edges_of(node)],
            "removed": self.removed_at.get((level, node), []),
        }

    def action(self, level: int, edge: int, line: str) -> dict[str, Any]:
        tree, street = self.tree, self.tree.streets[level]
        label = street.label(edge)
        below_line = f"{line}/{label}" if line else label
        kind = EdgeKind(street.kind[edge])
        below = None
        if below_line in self.opened:
            if kind == EdgeKind.NODE:
                below = self.node(level, int(street.target[edge]), below_line)
            elif kind == EdgeKind.NEXT_STREET:
                first = tree.streets[level + 1].root_first_node[street.target[edge]]
                below = self.node(level + 1, int(first), below_line)
        return size_of(tree, level, edge) | {
            "line": below_line,
            "added": self.added_at.get((level, edge)),
            "then": _THEN[kind],
            "pot": tree.chips(_pot_after(tree, level, edge)),
            "below": below,
        }


_THEN = {
    EdgeKind.NODE: "decision",
    EdgeKind.NEXT_STREET: "street",
    EdgeKind.FOLD: "fold",
    EdgeKind.SHOWDOWN: "showdown",
    EdgeKind.ALLIN: "all-in",
}


def _node_of(tree: BettingTree, line: Line) -> tuple[int, int]:
    """The decision at which the last action of a line is, or was, possible."""
    place = tree.find(Line(line.actions[:-1]))
    if place.kind == EdgeKind.NEXT_STREET:
        place = tree.deal(place, -1)
    return place.level, place.node


def _pot_after(tree: BettingTree, level: int, edge: int) -> int:
    """The pot that the next player sees, or that is taken."""
    street = tree.streets[level]
    if street.kind[edge] != EdgeKind.NODE:
        return int(street.end_pot[edge])
    return int(street.pot[street.target[edge]])


def size_of(tree: BettingTree, level: int, edge: int) -> dict[str, Any]:
    """An action by its label, its name, its chips, and the part of the pot that it is.

    The part of a raise is what it adds to a call, of the pot after calling.
    """
    street = tree.streets[level]
    kind, amount = ActionKind(street.action[edge]), int(street.amount[edge])
    there = tree.situation(level, int(street.node[edge]))
    percent = 100 * (amount - there.facing) / there.pot if amount else None
    chips = tree.chips(there.to_call if kind == ActionKind.CALL else amount)
    return {
        "label": street.label(edge),
        "action": "all-in" if kind == ActionKind.ALLIN else kind.name.lower(),
        "chips": chips or None,
        "percent": percent,
    }


def preview_sizes(spot: Spot) -> dict[str, list[dict[str, Any]]]:
    """What the menus come to: for each street, in up to three of the pots with which it begins.

    The first is the pot after checks, where there is one; then one in the middle, and the largest.
    A fourth shows the donk bets, where the street begins after a bet of ip that oop called.

    Returns
    -------
    dict
        By street; of each pot its ``line``, ``pot``, ``behind``, whether a bet of oop would be a
        ``donk`` bet, and the sizes ``bet`` and ``raise`` by player: bets of oop are first actions,
        those of ip come after a check, raises answer the smallest bet.

    Examples
    --------
    >>> from pokerlab.holdem.spots import Spot
    >>> spot = Spot("QhJh2c4d", "AA, KQs", "QQ, AJs", pot=100, stack=500, bet="50%", raise_="3x",
    ...             donk="river: 20%")
    >>> turn, river = preview_sizes(spot).values()
    >>> [size["chips"] for size in turn[0]["bet"]["oop"] + turn[0]["raise"]["ip"]]
    [50, 150]
    >>> [(pot["line"], pot["pot"], pot["bet"]["oop"][0]["chips"]) for pot in river[::3]]
    [('x/x', 100, 50), ('x/b50/c', 200, 40)]
    """
    return {
        STREETS[street.number]: [
            _root_sizes(spot.tree, level, root, donk=donk)
            for root, donk in _shown_roots(spot, level)
        ]
        for level, street in enumerate(spot.tree.streets)
    }


def _shown_roots(spot: Spot, level: int) -> list[tuple[int, bool]]:
    """Some roots of a street, and whether a first bet there is a donk bet."""
    tree, street = spot.tree, spot.tree.streets[level]
    donk = _donk_roots(spot, level)
    playing = street.root_matched < tree.stack  # with nothing behind there is nothing to bet
    shown: list[tuple[int, bool]] = []
    plain = np.flatnonzero(playing & ~donk)
    if len(plain):
        pots, first = np.unique(street.root_matched[plain], return_index=True)
        places = sorted({0, len(pots) // 2, len(pots) - 1})
        shown = [(int(plain[first[place]]), False) for place in places]
    return shown + [(int(root), True) for root in np.flatnonzero(playing & donk)[:1]]


def _donk_roots(spot: Spot, level: int) -> Bools:
    """Which roots of a street begin after a bet of ip."""
    if level == 0:
        return np.array([spot.aggressor == PLAYERS[1]])
    before = spot.tree.streets[level - 1]
    edges = spot.tree.streets[level].root_parent_edge
    called = before.action[edges] == ActionKind.CALL
    first: Bools = called & (before.player[before.node[edges]] == 0)
    return first


def _root_sizes(tree: BettingTree, level: int, root: int, *, donk: bool) -> dict[str, Any]:
    street = tree.streets[level]
    first = int(street.root_first_node[root])
    matched = int(street.root_matched[root])
    after_check = _child(tree, level, first, ActionKind.CHECK)
    raised_by_ip = _child(tree, level, first, ActionKind.BET)
    raised_by_oop = -1 if after_check < 0 else _child(tree, level, after_check, ActionKind.BET)
    return {
        "line": tree.line(level, first),
        "pot": tree.chips(tree.pot + 2 * matched),
        "behind": tree.chips(tree.stack - matched),
        "donk": donk,
        "bet": {"oop": _sizes(tree, level, first), "ip": _sizes(tree, level, after_check)},
        "raise": {
            "oop": _sizes(tree, level, raised_by_oop),
            "ip": _sizes(tree, level, raised_by_ip),
        },
    }


def _child(tree: BettingTree, level: int, node: int, action: ActionKind) -> int:
    """The decision after the first action of a kind; −1 where there is none."""
    street = tree.streets[level]
    for edge in street.edges_of(node):
        if street.action[edge] == action and street.kind[edge] == EdgeKind.NODE:
            return int(street.target[edge])
    return -1


def _sizes(tree: BettingTree, level: int, node: int) -> list[dict[str, Any]]:
    if node < 0:
        return []
    street = tree.streets[level]
    return [
        size_of(tree, level, edge)
        for edge in street.edges_of(node)
        if street.action[edge] >= ActionKind.BET
    ]

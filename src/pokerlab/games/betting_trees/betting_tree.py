"""The betting tree of a spot: one set of small arrays for each street.

Betting does not depend on cards. So the tree holds each street once, and a solver replays it on
every board of that street. What differs between boards, the hands, is not here.

A street has *roots*: the situations in which it can begin, one for each line of the streets
before it (the first street of a spot has one). Below a root stand *nodes*, at which a player
decides, in preorder; from a node lead *edges*, one for each action. An edge leads to another
node of the same street, to a root of the next one, or it is a leaf (`EdgeKind`). All arrays of
a street are in one order:

- roots in the order of the edges that lead to them;
- the nodes of root 0 in preorder, then those of root 1, …;
- the edges of node 0, then those of node 1, …: ``f c r… a`` or ``x b… a``, small sizes first.

So a parent comes before its children: a loop over the nodes goes down the tree, a loop backwards
goes up.

Players are 0, who acts first, and 1: out of position and in position, or before the flop the small
blind and the big blind. A tree that begins before the flop ends where the flop comes. All amounts
are whole numbers of the smallest chip, `units` of which make a chip; texts are in chips. What a
player has put in counts from the beginning of the tree (blinds included), without the pot that was
there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple

import numpy as np

from pokerlab.cards.codes import format_cards
from pokerlab.games.betting_trees.chips import exact, plain_number, write_number
from pokerlab.games.betting_trees.lines import (
    Action,
    ActionKind,
    LineLike,
    line_error,
    to_line,
    token_text,
)
from pokerlab.games.betting_trees.menus import (
    BLINDS,
    PLAYERS,
    STREETS,
    Situation,
    percent_amount,
)
from pokerlab.runtime.arrays import Int8s, Int64s

_STREET_NAMES = ("preflop", *STREETS)


class EdgeKind(IntEnum):
    """Where an edge leads."""

    NODE = 0
    """To another decision on the same street."""
    FOLD = 1
    """The player of the node gives up, the other takes the pot."""
    SHOWDOWN = 2
    """On the river: the better hand takes the pot."""
    NEXT_STREET = 3
    """A card comes, and a root of the next street follows."""
    ALLIN = 4
    """Before the river, nobody has chips behind: the average of the showdowns on all run-outs."""


@dataclass(frozen=True, eq=False)
class StreetTree:
    """The betting on one street; it has no roots if all lines end before it.

    Attributes
    ----------
    number
        −1 before the flop, 0 for the flop, 1 for the turn, 2 for the river.
    units
        How many smallest chips make a chip.
    root_first_node : (roots + 1,)
        The nodes of root r are ``root_first_node[r]`` to ``root_first_node[r + 1] - 1``; the
        first of them is its first decision, always one of player 0.
    root_parent_edge : (roots,)
        The edge of the street before that leads to the root; −1 if there is none.
    root_matched : (roots,)
        What each player has put in when the street begins.
    player : (nodes,)
        Who decides.
    root : (nodes,)
        The root above.
    parent_edge : (nodes,)
        The edge of this street that leads to the node; −1 for the first node of a root.
    first_edge : (nodes + 1,)
        The edges of node n are ``first_edge[n]`` to ``first_edge[n + 1] - 1``.
    pot : (nodes,)
        All chips in the middle, an uncalled bet included.
    committed : (nodes, 2)
        What each player has put in since the beginning of the spot.
    facing : (nodes,)
        The bet to answer, counted on this street; 0 if there is none.
    bets : (nodes,)
        Bets and raises made on this street.
    node : (edges,)
        The node that an edge leaves.
    action, amount : (edges,)
        The `ActionKind`; for a bet, a raise or all-in, what the player will have put in on
        this street, otherwise 0.
    kind : (edges,)
        The `EdgeKind`.
    target : (edges,)
        The node (`EdgeKind.NODE`) or the root of the next street (`EdgeKind.NEXT_STREET`);
        −1 for a leaf.
    matched : (edges,)
        After the action, what each player has put in and the other has matched. An uncalled
        bet goes back, so at a leaf the loser loses this and the winner gains it.
    end_pot : (edges,)
        The pot of the spot and both `matched`: at a leaf, what is taken (before rake).
    """

    number: int
    units: int
    root_first_node: Int64s
    root_parent_edge: Int64s
    root_matched: Int64s
    player: Int8s
    root: Int64s
    parent_edge: Int64s
    first_edge: Int64s
    pot: Int64s
    committed: Int64s
    facing: Int64s
    bets: Int64s
    node: Int64s
    action: Int8s
    amount: Int64s
    kind: Int8s
    target: Int64s
    matched: Int64s
    end_pot: Int64s

    @property
    def roots(self) -> int:
        """How many roots the street has."""
        return len(self.root_matched)

    @property
    def nodes(self) -> int:
        """How many decisions the street has."""
        return len(self.player)

    @property
    def edges(self) -> int:
        """How many actions the street has."""
        return len(self.kind)

    def count(self, kind: EdgeKind) -> int:
        """How many edges are of a kind."""
        return int(np.count_nonzero(self.kind == kind))

    def actions_of(self, player: int) -> int:
        """How many actions the nodes of a player have together."""
        return int(np.count_nonzero(self.player[self.node] == player))

    def edges_of(self, node: int) -> range:
        """The numbers of the edges of a node."""
        return range(int(self.first_edge[node]), int(self.first_edge[node + 1]))

    def label(self, edge: int) -> str:
        """The action of an edge as a line names it: ``x``, ``b120``, ``r300``, ``c``, ``a``."""
        return action_text(int(self.action[edge]), int(self.amount[edge]), self.units)

    def player_name(self, node: int) -> str:
        """The player of a node: ``oop`` or ``ip``, before the flop ``sb`` or ``bb``."""
        return (BLINDS if self.number < 0 else PLAYERS)[self.player[node]]

    def labels(self, node: int) -> list[str]:
        """The actions of a node, in order."""
        return [self.label(edge) for edge in self.edges_of(node)]


class Place(NamedTuple):
    """Where a line ends.

    Attributes
    ----------
    level
        Index into `BettingTree.streets`.
    kind
        NODE where a player decides, NEXT_STREET where a card must come, otherwise the leaf.
    node
        The node (NODE), otherwise the one at which the last action was taken.
    edge
        The last action; −1 where the street begins.
    cards
        One card for each street after the first that the line reaches; −1 where it was left
        out.
    """

    level: int
    kind: EdgeKind
    node: int
    edge: int
    cards: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class BettingTree:
    """The betting of a spot, street by street; `Spot.tree` makes it.

    Attributes
    ----------
    pot, stack
        What lies in the middle at the beginning, and what each player can put in, in the smallest
        chip.
    units
        How many smallest chips make a chip.
    streets
        One `StreetTree` for each street from that of the spot on.

    Examples
    --------
    >>> from pokerlab.holdem.spots import Spot
    >>> tree = Spot("QhJh2c4d7h", "AA, KQs", "QQ, AJs", pot=100, stack=80, bet="50%, a",
    ...             raise_="a").tree
    >>> print(tree.draw())
    river, pot 100
      oop
        x   ip
          x   showdown for 100
          b50 oop
            f   fold for 100
            c   showdown for 200
            a   ip
              f   fold for 200
              c   showdown for 260
          a   oop
            f   fold for 100
            c   showdown for 260
        b50 ip
          f   fold for 100
          c   showdown for 200
          a   oop
            f   fold for 200
            c   showdown for 260
        a   ip
          f   fold for 100
          c   showdown for 260
    >>> place = tree.find("x/b50")
    >>> tree.streets[place.level].labels(place.node)
    ['f', 'c', 'a']
    >>> tree.line(place.level, place.node)
    'x/b50'
    >>> tree.find("x/b60")
    Traceback (most recent call last):
    ValueError: line 'x/b60': token 2, 'b60': not possible here; possible: x, b50, a
    """

    pot: int
    stack: int
    units: int
    streets: tuple[StreetTree, ...]

    @property
    def begins_preflop(self) -> bool:
        """Whether the tree is one of lines before the flop."""
        return self.streets[0].number < 0

    def situation(self, level: int, node: int) -> Situation:
        """What the sizes at a node depend on."""
        street = self.streets[level]
        own, other = street.committed[node][[street.player[node], 1 - street.player[node]]]
        return Situation(
            pot=int(self.pot + 2 * other),
            facing=int(street.facing[node]),
            to_call=int(other - own),
            most=int(street.facing[node] + self.stack - other),
            streets_left=len(STREETS) - street.number,
            bets=int(street.bets[node]),
            least_raise=int(street.facing[0]) if street.number < 0 else 1,  # the big blind
        )

    def chips(self, amount: float) -> float:
        """An amount of the tree in chips.

        Examples
        --------
        >>> from pokerlab.holdem.spots import Spot
        >>> tree = Spot("QhJh2c4d7h", "AA", "QQ", pot=5.5, stack=20).tree
        >>> tree.pot, tree.chips(tree.pot), tree.streets[0].labels(0)
        (550, 5.5, ['x', 'b2.75', 'a'])
        """
        return plain_number(amount / self.units)

    def find(self, line: LineLike) -> Place:
        """Follow a line from the beginning; cards may be left out.

        `ValueError` names the token that is not possible, its position, and what is.
        """
        line = to_line(line)
        place = Place(0, EdgeKind.NODE, 0, -1, ())
        for position, token in enumerate(line.tokens, 1):
            try:
                place = self._step(place, token)
            except ValueError as error:
                raise line_error(line, position, token_text(token), str(error)) from None
        return place

    def line(self, level: int, node: int, cards: Sequence[int] = ()) -> str:
        """The line that leads to a node; without cards, or with one for each later street."""
        actions: list[str] = []
        edge = int(self.streets[level].parent_edge[node])
        while True:
            while edge >= 0:
                street = self.streets[level]
                actions.append(street.label(edge))
                node = int(street.node[edge])
                edge = int(street.parent_edge[node])
            if level == 0:
                return "/".join(reversed(actions))
            if cards:
                actions.append(format_cards([cards[level - 1]]))
            edge = int(self.streets[level].root_parent_edge[self.streets[level].root[node]])
            level -= 1

    def walk(self) -> Iterator[tuple[int, int, str]]:
        """Give level, node and line of every decision, street by street, in order.

        Examples
        --------
        >>> from pokerlab.holdem.spots import Spot
        >>> tree = Spot("QhJh2c4d7h", "AA", "QQ", pot=2, stack=1, bet="a", raise_="").tree
        >>> [line for _, _, line in tree.walk()]
        ['', 'x', 'x/a', 'a']
        """
        for level, street in enumerate(self.streets):
            for node in range(street.nodes):
                yield level, node, self.line(level, node)

    def draw(self, level: int = 0, root: int = 0) -> str:
        """Draw the betting of one street below one of its roots, an action a line."""
        street = self.streets[level]
        first = int(street.root_first_node[root])
        pot = self.pot + 2 * int(street.root_matched[root])
        rows = [
            f"{_STREET_NAMES[street.number + 1]}, pot {self._text(pot)}",
            f"  {street.player_name(first)}",
        ]
        waiting = [(edge, 2) for edge in reversed(street.edges_of(first))]
        while waiting:
            edge, depth = waiting.pop()
            width = max(len(label) for label in street.labels(int(street.node[edge])))
            rows.append(f"{'  ' * depth}{street.label(edge):<{width}} {self._outcome(level, edge)}")
            if street.kind[edge] == EdgeKind.NODE:
                below = street.edges_of(int(street.target[edge]))
                waiting += [(each, depth + 1) for each in reversed(below)]
        return "\n".join(rows)

    def _outcome(self, level: int, edge: int) -> str:
        street = self.streets[level]
        kind = EdgeKind(street.kind[edge])
        if kind == EdgeKind.NODE:
            return street.player_name(int(street.target[edge]))
        if kind == EdgeKind.NEXT_STREET:
            pot = self._text(street.end_pot[edge])
            return f"{_STREET_NAMES[street.number + 2]} {street.target[edge]}, pot {pot}"
        name = "all-in" if kind == EdgeKind.ALLIN else kind.name.lower()
        return f"{name} for {self._text(street.end_pot[edge])}"

    def _text(self, amount: int) -> str:
        return write_number(amount / self.units)

    def _step(self, place: Place, token: Action | int) -> Place:
        dealt = place.kind == EdgeKind.NEXT_STREET and place.level + 1 < len(self.streets)
        if isinstance(token, int):
            if not dealt:
                raise ValueError(f"no card comes here; possible: {self._possible(place)}")
            return self.deal(place, token)
        if dealt:
            place = self.deal(place, -1)
        if place.kind != EdgeKind.NODE:
            raise ValueError(f"the {'betting' if self.begins_preflop else 'hand'} is over here")
        street = self.streets[place.level]
        edges = street.edges_of(place.node)
        choices = [(int(street.action[edge]), int(street.amount[edge])) for edge in edges]
        number = match_action(token, self.situation(place.level, place.node), choices, self.units)
        if number is None:
            raise ValueError(f"not possible here; possible: {self._possible(place)}")
        edge = edges[number]
        kind = EdgeKind(street.kind[edge])
        node = int(street.target[edge]) if kind == EdgeKind.NODE else place.node
        return Place(place.level, kind, node, edge, place.cards)

    def deal(self, place: Place, card: int) -> Place:
        """The first decision of the next street, after a card (−1: any) at a NEXT_STREET place."""
        root = self.streets[place.level].target[place.edge]
        first = int(self.streets[place.level + 1].root_first_node[root])
        return Place(place.level + 1, EdgeKind.NODE, first, -1, (*place.cards, card))

    def _possible(self, place: Place) -> str:
        if place.kind != EdgeKind.NODE:
            return f"nothing, the {'betting' if self.begins_preflop else 'hand'} is over"
        return ", ".join(self.streets[place.level].labels(place.node))


def match_action(
    action: Action, there: Situation, choices: Sequence[tuple[int, int]], units: int = 1
) -> int | None:
    """The number of the choice, an (`ActionKind`, amount), that a line's action names, or None.

    All-in may also be named as a bet or a raise of its amount.

    Examples
    --------
    >>> from pokerlab.games.betting_trees import Line
    >>> there = Situation(pot=100, facing=0, to_call=0, most=80, streets_left=1, bets=0)
    >>> choices = [(ActionKind.CHECK, 0), (ActionKind.BET, 50), (ActionKind.ALLIN, 80)]
    >>> [match_action(action, there, choices) for action in Line.parse("b50%/b80/b60").actions]
    [1, 2, None]
    """
    wanted = named_choice(action, there, units)
    return next((number for number, choice in enumerate(choices) if choice == wanted), None)


def action_text(kind: int, amount: int, units: int) -> str:
    """An action with an amount in the smallest chip, `units` a chip, as a line names it.

    Examples
    --------
    >>> action_text(ActionKind.BET, 275, units=100), action_text(ActionKind.BET, 275, units=1)
    ('b2.75', 'b275')
    """
    return str(Action(ActionKind(kind), amount if units == 1 else amount / units))


def named_choice(action: Action, there: Situation, units: int) -> tuple[int, int]:
    """The (`ActionKind`, amount) that a line's action names; all-in for all the chips.

    The amount of the choice is in the smallest chip, `units` a chip.
    """
    if action.kind == ActionKind.ALLIN:
        return ActionKind.ALLIN, there.most
    sized = ActionKind.RAISE if there.facing else ActionKind.BET
    if action.kind != sized:
        return action.kind, 0  # a bet where only a raise is possible matches nothing
    named = exact(action.amount) * units
    amount = percent_amount(action.percent, there) if action.percent else int(named)
    if named % 1:
        amount = -1  # not a whole number of the smallest chip: it matches nothing
    return (ActionKind.ALLIN if amount == there.most else sized), amount

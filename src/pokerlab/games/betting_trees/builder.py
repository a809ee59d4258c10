"""From menus to a betting tree: every line that the menus allow, with the edits made by hand.

`added` lines put one bet, raise or all-in into the tree that the menus do not offer; below it
the menus hold as everywhere. `removed` lines cut the last action of the line with all that
follows it. Edits are exact: thresholds and merging do not touch them. At a node, actions are
added before others are removed, so a removed line may run through an added one.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple, TypeAlias

import numpy as np

from pokerlab.games.betting_round import BettingRound, NoLimit
from pokerlab.games.betting_trees.betting_tree import (
    BettingTree,
    EdgeKind,
    StreetTree,
    action_text,
    match_action,
    named_choice,
)
from pokerlab.games.betting_trees.lines import Action, ActionKind, Line, line_error
from pokerlab.games.betting_trees.menus import STREETS, Menu, Situation, amounts
from pokerlab.games.betting_trees.rules import TreeRules
from pokerlab.runtime.arrays import Int64s

MAX_NODES = 250_000
"""Streets with more decisions are refused: after a flop they would fill hundreds of gigabytes."""

FIRST, SECOND = 0, 1


@lru_cache(maxsize=8)
def build_tree(rules: TreeRules, most: int | None = None) -> BettingTree:
    """Build a betting tree; spots with the same rules share it.

    `ValueError` refuses trees with more than `most` decisions on a street (`MAX_NODES`, if nothing
    is said); that is found long before they are all built.

    Examples
    --------
    >>> from pokerlab.games.betting_trees import Menus
    >>> from pokerlab.games.betting_trees.menus import SizeRules
    >>> rules = TreeRules(
    ...     street=2, pot=100, stack=80,
    ...     bet=Menus.of("bet", "50%"), raise_=Menus.of("raise", ""), donk=Menus.of("donk", {}),
    ...     sizes=SizeRules(), added=(Line.parse("b25"),), removed=(Line.parse("x/b50"),),
    ... )
    >>> print(build_tree(rules).draw())
    river, pot 100
      oop
        x   ip
          x showdown for 100
        b25 ip
          f fold for 100
          c showdown for 150
        b50 ip
          f fold for 100
          c showdown for 200
    """
    most = MAX_NODES if most is None else most
    edits = [_Edit("added", line, line.actions) for line in rules.added]
    edits += [_Edit("removed", line, line.actions) for line in rules.removed]
    for edit in edits:
        if edit.line.cards or not edit.rest:
            why = "the betting is the same on every card, leave cards out" if edit.rest else "empty"
            raise ValueError(f"{edit.field}: line '{edit.line}': {why} (x/b50/c/x/b100)")
    roots = [_Root(0, rules.aggressor == SECOND, tuple(edits))]
    parents = np.full(1, -1, np.int64)
    streets = []
    for number in rules.streets:
        growth = _growth(rules, number)
        below, room = [], most
        for root in roots:
            below.append(growth.below(root, room))
            room -= below[-1].decisions
            if room < 0:
                where = "before the flop" if number < 0 else f"on the {STREETS[number]}"
                cap = "" if number < 0 else ", or a cap (max_bets)"
                raise ValueError(
                    f"the menus give more than {most:,} decisions {where}; choose fewer sizes{cap}"
                )
        street = join_street(
            number,
            rules.units,
            rules.pot,
            [root.matched for root in roots],
            [(each.nodes, each.edges) for each in below],
            parents,
        )
        roots = [following for each in below for following in each.following]
        parents = np.flatnonzero(street.kind == EdgeKind.NEXT_STREET)
        streets.append(street)
    return BettingTree(rules.pot, rules.stack, rules.units, tuple(streets))


class _Edit(NamedTuple):
    """A line that changes the tree, and what of it is still to be followed."""

    field: str
    line: Line
    rest: tuple[Action, ...]

    def error(self, why: str) -> ValueError:
        position = len(self.line) - len(self.rest) + 1
        error = line_error(self.line, position, self.rest[0], why)
        return ValueError(f"{self.field}: {error}")


class _Root(NamedTuple):
    """Where a street begins; below roots that are equal, the betting is the same."""

    matched: int
    donk: bool  # the last bet of the street before was the second player's
    edits: tuple[_Edit, ...] = ()


class _Below(NamedTuple):
    """The betting below a root: its nodes in preorder, their edges, the roots that follow."""

    decisions: int
    """The number of nodes; where they are too many, of those that were found."""
    nodes: Int64s
    """(nodes, 4): the player, what both have put in, bets and raises."""
    edges: Int64s
    """(edges, 6): node, action, amount, kind, matched, the node that it leads to (−1: none)."""
    following: tuple[_Root, ...]


Choice: TypeAlias = tuple[ActionKind, int]
_Edge: TypeAlias = "tuple[int, int, int, int, int, _Root | None]"
"""Action, amount, kind, what is matched; the node or the root that it leads to (or −1, None)."""


class _StreetGrowth:
    """Grows the betting of one street below its roots, once for those that are equal."""

    def __init__(self, rules: TreeRules, number: int) -> None:
        self.rules = rules
        self.number = number
        # Without chips nobody can act: they check, as if there were something to check for.
        self.seats = NoLimit((max(rules.stack, 1),) * 2)
        self.known: dict[_Root, _Below] = {}

    def below(self, root: _Root, most: int) -> _Below:
        """The betting below a root; of one with more than `most` decisions, just their number."""
        if root not in self.known:
            found = self.grow(root, most)
            if found.decisions > most:
                return found
            self.known[root] = found
        return self.known[root]

    def grow(self, root: _Root, most: int) -> _Below:
        """Follow every action that the menus and the edits allow."""
        posted, least = (root.matched,) * 2, 1
        if self.rules.opening is not None:
            posted = self.rules.opening.blinds
            least = posted[SECOND]
        first = BettingRound(self.seats, posted, (FIRST, SECOND), smallest_bet=least)
        found = [(first, root.edits)]
        edges: list[list[_Edge]] = []
        while len(edges) < len(found) <= most:  # wide before deep: too many are found soonest
            here, edits = found[len(edges)]
            choices = self.choices(here, root)
            edits_below: list[tuple[_Edit, ...]] = [()] * len(choices)
            if edits:
                choices, edits_below = self.edited(here, root, edits, choices)
            edges.append([])
            for (action, amount), left in zip(choices, edits_below, strict=True):
                after = _act(here, action, root.matched + amount)
                kind, matched, target, following = self.kind_of(after), min(after.spent), -1, None
                if kind == EdgeKind.NODE:
                    target = len(found)
                    found.append((after, left))
                elif kind == EdgeKind.NEXT_STREET:
                    following = self.root_after(here, action, matched, left)
                elif left:
                    raise left[0].error("the hand is over here")
                edges[-1].append((int(action), amount, int(kind), matched, target, following))
        if len(found) > most:
            return _Below(len(found), _table([], 4), _table([], 6), ())
        return _in_preorder([here for here, _ in found], edges)

    def root_after(
        self, here: BettingRound, action: ActionKind, matched: int, edits: tuple[_Edit, ...]
    ) -> _Root:
        """The root of the next street."""
        into_aggressor = action == ActionKind.CALL and here.player == FIRST
        donk = into_aggressor and self.rules.donk.at(self.number + 1, FIRST) is not None
        return _Root(matched, donk, edits)

    def kind_of(self, after: BettingRound) -> EdgeKind:
        """Where an action leads."""
        if after.player >= 0:
            return EdgeKind.NODE
        if any(after.folded):
            return EdgeKind.FOLD
        if self.number == len(STREETS) - 1:
            return EdgeKind.SHOWDOWN
        return EdgeKind.ALLIN if after.price == self.rules.stack else EdgeKind.NEXT_STREET

    def situation(self, here: BettingRound, root: _Root) -> Situation:
        return Situation(
            pot=self.rules.pot + 2 * here.price,
            facing=here.price - root.matched,
            to_call=here.to_call,
            most=self.rules.stack - root.matched,
            streets_left=len(STREETS) - self.number,
            bets=here.raises,
            least_raise=here.least_raise,
        )

    def choices(self, here: BettingRound, root: _Root) -> list[Choice]:
        """The actions that the menus offer."""
        there, opening = self.situation(here, root), self.rules.opening
        sized = ActionKind.RAISE if there.facing else ActionKind.BET
        passive = [ActionKind.FOLD, ActionKind.CALL] if there.to_call else [ActionKind.CHECK]
        if opening is not None and here.player == FIRST and not here.raises:
            passive[-1:] = [ActionKind.CALL] if opening.limp else []
        return [(action, 0) for action in passive] + [
            (ActionKind.ALLIN if amount == there.most else sized, amount)
            for amount in amounts(self.menu(here, root), there, self.rules.sizes)
        ]

    def menu(self, here: BettingRound, root: _Root) -> Menu:
        """The sizes that the player has."""
        rules, player = self.rules, here.player
        if rules.opening is not None:
            return rules.opening.menu(player, here.raises)
        faced = here.price > root.matched
        menu = (rules.raise_ if faced else rules.bet).at(self.number, player) or ()
        if root.donk and player == FIRST and not faced:
            donk_menu = rules.donk.at(self.number, player)
            menu = menu if donk_menu is None else donk_menu
        return menu

    def edited(
        self, here: BettingRound, root: _Root, edits: tuple[_Edit, ...], choices: list[Choice]
    ) -> tuple[list[Choice], list[tuple[_Edit, ...]]]:
        """The choices after the edits that end here, and for each the edits that go on below."""
        there = self.situation(here, root)
        ending = [edit for edit in edits if len(edit.rest) == 1]
        for edit in ending:
            if edit.field == "added":
                choices.append(_addition(edit, there, choices, self.rules.units))
        choices.sort(key=lambda choice: (choice[0], choice[1]))
        for edit in ending:
            if edit.field == "removed":
                del choices[_followed(edit, there, choices, self.rules.units)]
                if not choices:
                    raise edit.error("it is the last action that is left here")
        below: list[tuple[_Edit, ...]] = [()] * len(choices)
        for edit in edits:
            if len(edit.rest) > 1:
                number = _followed(edit, there, choices, self.rules.units)
                below[number] += (edit._replace(rest=edit.rest[1:]),)
        return choices, below


def _act(here: BettingRound, action: ActionKind, total: int) -> BettingRound:
    if action == ActionKind.FOLD:
        return here.fold()
    return here.raise_to(total) if action >= ActionKind.BET else here.call()


def _in_preorder(nodes: list[BettingRound], edges: list[list[_Edge]]) -> _Below:
    """Write nodes that were found in the order of their depth, and their edges."""
    order, waiting = [], [0]
    while waiting:
        order.append(waiting.pop())
        waiting += [edge[4] for edge in reversed(edges[order[-1]]) if edge[4] >= 0]
    place = [-1] * (len(order) + 1)  # the last: no node
    for position, node in enumerate(order):
        place[node] = position
    return _Below(
        len(nodes),
        _table([(nodes[each].player, *nodes[each].spent, nodes[each].raises) for each in order], 4),
        _table(
            [(place[node], *edge[:4], place[edge[4]]) for node in order for edge in edges[node]], 6
        ),
        tuple(edge[5] for node in order for edge in edges[node] if edge[5] is not None),
    )


def _table(rows: Sequence[Sequence[int]], columns: int) -> Int64s:
    # A street that no line reaches has no rows.
    return np.array(rows, dtype=np.int64).reshape(-1, columns)


@lru_cache(maxsize=len(STREETS))
def _growth(rules: TreeRules, number: int) -> _StreetGrowth:
    """The betting of a street, kept for a second build with another limit."""
    return _StreetGrowth(rules, number)


def join_street(
    number: int,
    units: int,
    pot: int,
    root_matched: Sequence[int],
    below: Sequence[tuple[Int64s, Int64s]],
    parents: Int64s,
) -> StreetTree:
    """The arrays of a street: the betting below each root, one after the other.

    Parameters
    ----------
    number, units
        Those of a `StreetTree`.
    pot
        The pot at the beginning.
    root_matched
        For each root what each player has put in.
    below
        For each root its nodes in preorder (nodes, 4): the player, what both have put in, bets and
        raises; and their edges (edges, 6): node, action, amount, kind, matched, the node that it
        leads to.
    parents
        The edges of the street before that lead to the roots.
    """
    root_first_node = _starts([len(nodes) for nodes, _ in below])
    nodes = np.concatenate([_table([], 4), *(nodes for nodes, _ in below)]).T.copy()
    edges = np.concatenate([_table([], 6), *(edges for _, edges in below)]).T.copy()
    player, first_put_in, second_put_in, bets = nodes
    node, action, amount, kind, matched, target = edges
    committed = np.stack([first_put_in, second_put_in], axis=1)
    root = np.repeat(np.arange(len(below)), np.diff(root_first_node))
    matched_at = np.array(root_matched, dtype=np.int64)
    node += np.repeat(root_first_node[:-1], [len(edges) for _, edges in below])
    to_node = np.flatnonzero(kind == EdgeKind.NODE)
    target[to_node] += root_first_node[root[node[to_node]]]
    to_root = kind == EdgeKind.NEXT_STREET
    target[to_root] = np.arange(np.count_nonzero(to_root))
    parent_edge = np.full(len(player), -1, np.int64)
    parent_edge[target[to_node]] = to_node
    street = StreetTree(
        number=number,
        units=units,
        root_first_node=root_first_node,
        root_parent_edge=parents,
        root_matched=matched_at,
        player=player.astype(np.int8),
        root=root,
        parent_edge=parent_edge,
        first_edge=_starts(np.bincount(node, minlength=len(player))),
        pot=pot + committed.sum(axis=1),
        committed=committed,
        facing=committed.max(axis=1) - matched_at[root],
        bets=bets,
        node=node,
        action=action.astype(np.int8),
        amount=amount,
        kind=kind.astype(np.int8),
        target=target,
        matched=matched,
        end_pot=pot + 2 * matched,
    )
    for array in vars(street).values():
        if isinstance(array, np.ndarray):
            array.flags.writeable = False
    return street


def _starts(lengths: Sequence[int] | Int64s) -> Int64s:
    """Where pieces of these lengths begin, and the end of the last."""
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths, dtype=np.int64)])


def _labels(choices: list[Choice], units: int) -> str:
    return ", ".join(action_text(*choice, units) for choice in choices)


def _followed(edit: _Edit, there: Situation, choices: list[Choice], units: int) -> int:
    number = match_action(edit.rest[0], there, choices, units)
    if number is None:
        raise edit.error(f"not possible here; possible: {_labels(choices, units)}")
    return number


def _addition(edit: _Edit, there: Situation, choices: list[Choice], units: int) -> Choice:
    """The choice that an edit adds, after a check that it is legal and new."""
    sized = ActionKind.RAISE if there.facing else ActionKind.BET
    if there.most <= there.facing:
        raise edit.error("nobody has chips behind for another bet")
    kind, amount = named_choice(edit.rest[0], there, units)
    if kind not in (sized, ActionKind.ALLIN) or not there.least <= amount <= there.most:
        least, most = (action_text(sized, each, units) for each in (there.least, there.most))
        raise edit.error(f"only {least} to {most} (a) can be added here")
    if (kind, amount) in choices:
        raise edit.error(f"it is there already; the actions here are {_labels(choices, units)}")
    return ActionKind(kind), amount

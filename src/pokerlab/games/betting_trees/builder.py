"""From menus to a betting tree: every line that the menus allow, with the edits made by hand.

`added` lines put one bet, raise or all-in into the tree that the menus do not offer; below it
the menus hold as everywhere. `removed` lines cut the last action of the line with all that
follows it. Edits are exact: thresholds and merging do not touch them. At a node, actions are
added before others are removed, so a removed line may run through an added one.
"""

from __future__ import annotations

from collections import Counter, deque
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from pokerlab.games.betting_trees.betting_tree import (
    BettingTree,
    EdgeKind,
    StreetTree,
    action_text,
    match_action,
    named_choice,
)
from pokerlab.games.betting_trees.lines import Action, ActionKind, Line, line_error
from pokerlab.games.betting_trees.menus import STREETS, Situation, amounts
from pokerlab.games.betting_trees.rules import TreeRules

MAX_NODES = 250_000
"""Streets with more decisions are refused: after a flop they would fill hundreds of gigabytes."""

FIRST, SECOND = 0, 1


@lru_cache(maxsize=8)
def build_tree(rules: TreeRules) -> BettingTree:
    """Build a betting tree; spots with the same rules share it.

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
    edits = [_Edit("added", line, line.actions) for line in rules.added]
    edits += [_Edit("removed", line, line.actions) for line in rules.removed]
    for edit in edits:
        if edit.line.cards or not edit.rest:
            why = "the betting is the same on every card, leave cards out" if edit.rest else "empty"
            raise ValueError(f"{edit.field}: line '{edit.line}': {why} (x/b50/c/x/b100)")
    if not rules.removed:  # without those the menus alone may be too much, which is soon counted
        for number, decisions in enumerate(count_decisions(rules, MAX_NODES), rules.street):
            if decisions > MAX_NODES:
                raise _too_many(number)
    roots = [_Root(-1, 0, rules.aggressor == SECOND, edits)]
    streets = []
    for number in range(rules.street, len(STREETS)):
        builder = _StreetBuilder(rules, number)
        for root in roots:
            builder.grow(root)
        streets.append(builder.finish(roots))
        roots = builder.next_roots
    return BettingTree(rules.pot, rules.stack, rules.units, tuple(streets))


def count_decisions(rules: TreeRules, most: int = MAX_NODES) -> tuple[int, ...]:
    """How many decisions the menus give on each street, without the lines made by hand.

    Roots with the same pot are counted once, and nothing is written, so that this takes a part of
    the time of `build_tree`. It ends with the first street that has more than `most`.

    Examples
    --------
    >>> from pokerlab.holdem.spots import Spot
    >>> spot = Spot("Td9d6h", "66+", "QQ-22", pot=200, stack=900, bet="60%, a", raise_="2.5x")
    >>> count_decisions(spot.tree_rules), [street.nodes for street in spot.tree.streets]
    ((12, 56, 148), [12, 56, 148])
    """
    totals: list[int] = []
    roots = Counter({(0, rules.aggressor == SECOND): 1})
    for number in range(rules.street, len(STREETS)):
        builder = _StreetBuilder(rules, number)
        following: Counter[tuple[int, bool]] = Counter()
        total = 0
        for (matched, donk), times in roots.items():
            nodes, ends = builder.count(_Root(-1, matched, donk, []), most)
            total += times * nodes
            if total > most:
                return (*totals, total)
            for end, count in ends.items():
                following[end] += times * count
        totals.append(total)
        roots = following
    return tuple(totals)


def _too_many(street: int) -> ValueError:
    return ValueError(
        f"the menus give more than {MAX_NODES:,} decisions on the {STREETS[street]}; choose fewer "
        "sizes, or a cap (max_bets)"
    )


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
    """Where a street begins."""

    parent_edge: int
    matched: int
    donk: bool  # the last bet of the street before was the second player's
    edits: list[_Edit]


class _Node(NamedTuple):
    """A decision that is to be written; what each player has put in counts from the street."""

    parent_edge: int
    player: int
    own: int
    other: int
    bets: int
    edits: list[_Edit]


Choice = tuple[ActionKind, int]


class _StreetBuilder:
    """Writes the nodes and edges of one street, root after root."""

    def __init__(self, rules: TreeRules, number: int) -> None:
        self.rules = rules
        self.number = number
        self.root_first_node = [0]
        self.nodes: list[tuple[int, ...]] = []
        self.first_edge = [0]
        self.edges: list[tuple[int, ...]] = []
        self.targets: list[int] = []
        self.next_roots: list[_Root] = []
        self.known_choices: dict[tuple[int, ...], list[Choice]] = {}

    def grow(self, root: _Root) -> None:
        """Write everything below a root, in preorder."""
        waiting = [_Node(-1, FIRST, 0, 0, 0, root.edits)]
        while waiting:
            node = waiting.pop()
            if node.parent_edge >= 0:
                self.targets[node.parent_edge] = len(self.nodes)
            if len(self.nodes) >= MAX_NODES:
                raise _too_many(self.number)
            waiting += reversed(self.write(node, root))
        self.root_first_node.append(len(self.nodes))

    def count(self, root: _Root, most: int) -> tuple[int, Counter[tuple[int, bool]]]:
        """Count the decisions below a root, up to about `most`, and the roots that follow."""
        nodes = 1
        ends: Counter[tuple[int, bool]] = Counter()
        waiting = deque([(FIRST, 0, 0, 0)])
        while waiting and nodes <= most:  # wide before deep: too many are found soonest
            player, own, other, bets = waiting.popleft()
            for action, amount in self.choices(_Node(-1, player, own, other, bets, []), root):
                if action >= ActionKind.BET:
                    waiting.append((1 - player, other, amount, bets + 1))
                    nodes += 1
                elif action == ActionKind.CHECK and player == FIRST:
                    waiting.append((SECOND, 0, 0, 0))
                    nodes += 1
                elif action != ActionKind.FOLD:
                    matched = root.matched + other
                    if self.closing(matched) == EdgeKind.NEXT_STREET:
                        ends[matched, action == ActionKind.CALL and player == FIRST] += 1
        return nodes, ends

    def write(self, node: _Node, root: _Root) -> list[_Node]:
        """Write a node and its edges; give the nodes below it."""
        number = len(self.nodes)
        committed = (root.matched + node.own, root.matched + node.other)
        by_player = committed if node.player == FIRST else committed[::-1]
        self.nodes.append(
            (
                node.player,
                len(self.root_first_node) - 1,
                node.parent_edge,
                self.rules.pot + sum(committed),
                *by_player,
                node.other,
                node.bets,
            )
        )
        choices = self.choices(node, root)
        edits_below: list[list[_Edit]] = [[] for _ in choices]
        if node.edits:
            choices, edits_below = self.edited(node, root, choices)
        below = []
        for (action, amount), edits in zip(choices, edits_below, strict=True):
            edge = len(self.edges)
            matched = root.matched + min(node.own, node.other)
            target = -1
            if action == ActionKind.FOLD:
                kind = EdgeKind.FOLD
            elif action >= ActionKind.BET:
                kind = EdgeKind.NODE
                matched = root.matched + node.other
                below.append(_Node(edge, 1 - node.player, node.other, amount, node.bets + 1, edits))
            elif action == ActionKind.CHECK and node.player == FIRST:
                kind = EdgeKind.NODE
                below.append(_Node(edge, SECOND, 0, 0, 0, edits))
            else:
                matched = root.matched + node.other
                kind = self.closing(matched)
                if kind == EdgeKind.NEXT_STREET:
                    target = len(self.next_roots)
                    donk = action == ActionKind.CALL and node.player == FIRST
                    self.next_roots.append(_Root(edge, matched, donk, edits))
            if edits and kind not in (EdgeKind.NODE, EdgeKind.NEXT_STREET):
                raise edits[0].error("the hand is over here")
            self.edges.append((number, action, amount, kind, matched, self.rules.pot + 2 * matched))
            self.targets.append(target)
        self.first_edge.append(len(self.edges))
        return below

    def closing(self, matched: int) -> EdgeKind:
        """What follows when nobody has anything to answer any more."""
        if self.number == len(STREETS) - 1:
            return EdgeKind.SHOWDOWN
        return EdgeKind.ALLIN if matched == self.rules.stack else EdgeKind.NEXT_STREET

    def situation(self, node: _Node, root: _Root) -> Situation:
        return Situation(
            pot=self.rules.pot + 2 * (root.matched + node.other),
            facing=node.other,
            to_call=node.other - node.own,
            most=self.rules.stack - root.matched,
            streets_left=len(STREETS) - self.number,
            bets=node.bets,
        )

    def choices(self, node: _Node, root: _Root) -> list[Choice]:
        """What the menus offer at a node."""
        donk = root.donk and node.player == FIRST and not node.other
        key = (node.player, root.matched, node.own, node.other, node.bets, donk)
        if key not in self.known_choices:
            self.known_choices[key] = self.menu_choices(node, root, donk)
        return self.known_choices[key]

    def menu_choices(self, node: _Node, root: _Root, donk: bool) -> list[Choice]:
        rules = self.rules
        there = self.situation(node, root)
        menus = rules.raise_ if node.other else rules.bet
        menu = menus.at(self.number, node.player) or ()
        if donk:
            donk_menu = rules.donk.at(self.number, node.player)
            menu = menu if donk_menu is None else donk_menu
        sized = ActionKind.RAISE if node.other else ActionKind.BET
        passive = [ActionKind.FOLD, ActionKind.CALL] if node.other else [ActionKind.CHECK]
        return [(action, 0) for action in passive] + [
            (ActionKind.ALLIN if amount == there.most else sized, amount)
            for amount in amounts(menu, there, rules.sizes)
        ]

    def edited(
        self, node: _Node, root: _Root, choices: list[Choice]
    ) -> tuple[list[Choice], list[list[_Edit]]]:
        """The choices after the edits that end here, and for each the edits that go on below."""
        there = self.situation(node, root)
        choices = list(choices)
        ending = [edit for edit in node.edits if len(edit.rest) == 1]
        for edit in ending:
            if edit.field == "added":
                choices.append(_addition(edit, there, choices, self.rules.units))
        choices.sort(key=lambda choice: (choice[0], choice[1]))
        for edit in ending:
            if edit.field == "removed":
                del choices[_followed(edit, there, choices, self.rules.units)]
                if not choices:
                    raise edit.error("it is the last action that is left here")
        below: list[list[_Edit]] = [[] for _ in choices]
        for edit in node.edits:
            if len(edit.rest) > 1:
                number = _followed(edit, there, choices, self.rules.units)
                below[number].append(edit._replace(rest=edit.rest[1:]))
        return choices, below

    def finish(self, roots: list[_Root]) -> StreetTree:
        """The street as arrays."""
        # A street that no line reaches has no rows.
        nodes = np.array(self.nodes, dtype=np.int64).reshape(-1, 8).T.copy()
        edges = np.array(self.edges, dtype=np.int64).reshape(-1, 6).T.copy()
        player, root, parent_edge, pot, first_put_in, second_put_in, facing, bets = nodes
        node, action, amount, kind, matched, end_pot = edges
        street = StreetTree(
            number=self.number,
            units=self.rules.units,
            root_first_node=np.array(self.root_first_node, dtype=np.int64),
            root_parent_edge=np.array([each.parent_edge for each in roots], dtype=np.int64),
            root_matched=np.array([each.matched for each in roots], dtype=np.int64),
            player=player.astype(np.int8),
            root=root,
            parent_edge=parent_edge,
            first_edge=np.array(self.first_edge, dtype=np.int64),
            pot=pot,
            committed=np.stack([first_put_in, second_put_in], axis=1),
            facing=facing,
            bets=bets,
            node=node,
            action=action.astype(np.int8),
            amount=amount,
            kind=kind.astype(np.int8),
            target=np.array(self.targets, dtype=np.int64),
            matched=matched,
            end_pot=end_pot,
        )
        for array in vars(street).values():
            if isinstance(array, np.ndarray):
                array.flags.writeable = False
        return street


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

"""`PublicPlay`: from the public history of a hand to the player's strategy for all hands.

The player is a function of what is public: board, betting, stacks and its seat. So the history is
followed street by street, from the chart to the flop's solve, from its ranges and values to the
turn's, and so on; the solves on the way are kept, the last ones up to a number of bytes.

From the flop on suits are renamed to the standard form of the board (`canonical`): a solve of a
flop serves all flops that differ by suits alone.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Generic, NamedTuple, Protocol, TypeVar

import numpy as np

from pokerlab.cards.codes import N_COMBOS
from pokerlab.cards.isomorphism.suits import canonical, permute_combos
from pokerlab.engine.locks import LocksLike
from pokerlab.games import Betting, DealtState
from pokerlab.games.rules import GameRules
from pokerlab.players.bots.nolimit.menus import SolveMenu
from pokerlab.players.bots.nolimit.preflop import PreflopPlay, spread
from pokerlab.players.bots.nolimit.street import (
    MOST_ADDED,
    Followed,
    StreetRoot,
    StreetSolve,
    StreetSolver,
    Told,
    UnsolvedError,
    lock_of,
    match_size,
    neighbour,
    tell,
    usable,
    worth_below,
)
from pokerlab.runtime.arrays import Floats, Indices

_Kept = TypeVar("_Kept")
_RIVER_ROOM = 0.3
"""The part of the memory that is for solves of rivers: they are quickly solved again, so they do
not drive out the flop and the turn they belong to."""


class FlopSolver(Protocol):
    """Solves flops: a `StreetSolver`, or a library of them."""

    def choose(self, root: StreetRoot) -> SolveMenu:
        """The menu that a solve begins with."""

    def solve(
        self,
        root: StreetRoot,
        added: Sequence[str] = (),
        locks: LocksLike = (),
        menu_name: str = "",
    ) -> StreetSolve:
        """Solve a flop, or look it up."""


class Recent(Generic[_Kept]):
    """The values that were asked for last, up to a number of bytes.

    Examples
    --------
    >>> recent = Recent[str](10)
    >>> recent.put("a", "x", 6), recent.put("b", "y", 3), recent.get("a"), recent.put("c", "z", 3)
    (None, None, 'x', None)
    >>> recent.get("b"), recent.get("a"), recent.get("c")
    (None, 'x', 'z')
    """

    def __init__(self, nbytes: int) -> None:
        self._room = nbytes
        self._kept: OrderedDict[object, tuple[_Kept, int]] = OrderedDict()

    def get(self, key: object) -> _Kept | None:
        """The value of a key, if it is still there."""
        found = self._kept.get(key)
        if found is None:
            return None
        self._kept.move_to_end(key)
        return found[0]

    def put(self, key: object, value: _Kept, nbytes: int) -> None:
        """Keep a value; those that were not asked for the longest time go."""
        _, freed = self._kept.pop(key, (None, 0))
        self._room += freed - nbytes
        self._kept[key] = value, nbytes
        while self._room < 0 and len(self._kept) > 1:
            _, (_, freed) = self._kept.popitem(last=False)
            self._room += freed


@dataclass(frozen=True, eq=False)
class PublicHand:
    """What is public of a hand at a decision, seen from the seat that acts.

    Attributes
    ----------
    game, node
        The rules with blinds and stacks, and the betting.
    seat
        Of the player.
    board
        The cards with suits renamed.
    suits
        The suit permutation that leads from the table to `board`.
    """

    game: GameRules
    node: Betting
    seat: int
    board: tuple[int, ...] = ()
    suits: tuple[int, ...] = (0, 1, 2, 3)

    @classmethod
    def of(cls, view: DealtState) -> PublicHand:
        """What a view shows to everybody."""
        if not view.board:
            return cls(view.game, view.node, view.player)
        form = canonical(view.board[:3], *((card,) for card in view.board[3:]))
        return cls(view.game, view.node, view.player, form.cards, form.permutation)

    @property
    def image(self) -> Indices:
        """For each combo of the table its number with the suits of `board`."""
        return permute_combos(self.suits)

    @cached_property
    def streets(self) -> tuple[tuple[tuple[Betting, str], ...], ...]:
        """For each street what was done: the node, and the action there."""
        found: list[list[tuple[Betting, str]]] = [[] for _ in range(self.node.street + 1)]
        for node, action in self.node.path():
            found[node.street].append((node, action))
        return tuple(map(tuple, found))

    def begins(self, street: int) -> Betting:
        """The betting where a street begins."""
        return self.streets[street][0][0] if self.streets[street] else self.node

    def key(self, street: int, *, whole: bool = False) -> tuple[object, ...]:
        """What the root of a street depends on; with `whole`, its betting too."""
        game = self.game
        rules = game.stacks, game.blinds, game.ante, game.streets[0].first
        streets = self.streets[: street + whole]
        betting = "/".join("".join(action for _, action in each) for each in streets)
        return rules, self.seat, self.board[: street + 2], betting, whole

    @property
    def first(self) -> int:
        """The seat that acts first after the flop."""
        return self.game.streets[1].first

    @property
    def own(self) -> int:
        """The place of the player after the flop: 0 acts first."""
        return 0 if self.seat == self.first else 1

    def place(self, seat: int) -> int:
        """The place of a seat after the flop."""
        return 0 if seat == self.first else 1


class _Way(NamedTuple):
    """A `Followed` without its solve, which is dropped when there is no room for it."""

    line: tuple[str, ...]
    played: Floats
    added: tuple[str, ...]


class Standing(NamedTuple):
    """A decision of the player after the flop, in its solve.

    Hands and cards have the suits of `hand.board`; ``rows[hand.image]`` are in the order of the
    table's combos.
    """

    hand: PublicHand
    root: StreetRoot
    followed: Followed
    told: Told


class PublicPlay:
    """The play of a match: every public state has a strategy, and it is the same each time.

    Parameters
    ----------
    solver
        Solves streets.
    file
        A chart in place of those of the package.
    threshold
        Probabilities below it are not played.
    nbytes
        The memory for solves that are kept.
    flops
        Solves a flop in place of the solver: a library.
    most_added
        How many sizes are put into the tree of a street; later ones stand for their neighbours.
    """

    def __init__(
        self,
        solver: StreetSolver,
        file: str = "",
        threshold: float = 0.0,
        nbytes: int = 600_000_000,
        flops: FlopSolver | None = None,
        most_added: int = MOST_ADDED,
    ) -> None:
        self.solver = solver
        self.most_added = most_added
        self.threshold = threshold
        self._file = file
        self.flops: FlopSolver = flops or solver
        self._charts: dict[object, PreflopPlay] = {}
        rivers = int(nbytes * _RIVER_ROOM)
        earlier = Recent[StreetSolve](nbytes - rivers)
        self._solves = [earlier, earlier, Recent[StreetSolve](rivers)]
        self._roots = Recent[StreetRoot](20_000_000)
        self._ways = Recent[_Way](10_000_000)
        self.solved = 0
        """How many streets have been solved."""

    def preflop(self, game: GameRules) -> PreflopPlay:
        """The play before the flop with the blinds and stacks of a game."""
        key = game.stacks, game.blinds, game.ante, game.streets[0].first
        if key not in self._charts:
            if len(self._charts) >= 64:
                self._charts.clear()
            self._charts[key] = PreflopPlay(game, self._file)
        return self._charts[key]

    def stand(self, hand: PublicHand) -> Standing:
        """The decision after the flop at which a hand is; `UnsolvedError` if there is no solve."""
        street = hand.node.street
        followed = self.follow(hand, street)
        decision = followed.solve.solution.decision(followed.text)
        if decision.player != hand.own:
            raise UnsolvedError(f"the other player acts after {followed.text!r}")
        told = tell(followed.solve, followed.line, self.threshold)
        return Standing(hand, self.root(hand, street), followed, told)

    def root(self, hand: PublicHand, street: int) -> StreetRoot:
        """The root of a street of a hand."""
        key = hand.key(street)
        found = self._roots.get(key)
        if found is None:
            found = self._make_root(hand, street)
            self._roots.put(key, found, 40_000)
        return found

    def _make_root(self, hand: PublicHand, street: int) -> StreetRoot:
        node, board = hand.begins(street), hand.board[: street + 2]
        if street == 1:
            ranges = self.preflop(hand.game).ranges(node, hand.seat)
            return flop_root(hand.game, node, hand.seat, board, ranges)
        before = self.root(hand, street - 1)
        pot, stack = node.pot, int(min(hand.game.chips)) - min(node.spent)
        worth = None
        try:
            arriving, worth = self._below(hand, street, before, pot)
        except UnsolvedError:
            arriving = list(before.ranges)
        first, second = (
            usable(each, board, was, own=place == hand.own)
            for place, (each, was) in enumerate(zip(arriving, before.ranges, strict=True))
        )
        return StreetRoot(board, pot, stack, hand.game.big_blind, hand.own, (first, second), worth)

    def _below(
        self, hand: PublicHand, street: int, before: StreetRoot, pot: int
    ) -> tuple[list[Floats], Floats | None]:
        """The ranges after a street, and what the opponent's hands are worth then."""
        followed = self.follow(hand, street - 1)
        solution, own = followed.solve.solution, hand.own
        arriving = list(solution.weights_after(solution.spot.find(followed.text)))
        arriving[own] = before.ranges[own] * followed.played
        worth = worth_below(followed, hand.board[street + 1], 1 - own, pot)
        return arriving, worth

    def keeps(self, hand: PublicHand, street: int) -> bool:
        """Whether the solve of a street is at hand that a decision was taken from."""
        return self._kept_way(hand, street) is not None

    def follow(self, hand: PublicHand, street: int) -> Followed:
        """The line of a street in its solves, up to where the hand is; else `UnsolvedError`."""
        found = self._kept_way(hand, street)
        if found is None:
            found = self._follow(hand, street)
            way = _Way(found.line, found.played, found.added)
            self._ways.put(hand.key(street, whole=True), way, 15_000)
        return found

    def _kept_way(self, hand: PublicHand, street: int) -> Followed | None:
        way = self._ways.get(hand.key(street, whole=True))
        solve = None if way is None else self._solves[street - 1].get((hand.key(street), way.added))
        return None if way is None or solve is None else Followed(solve, *way)

    def _follow(self, hand: PublicHand, street: int) -> Followed:
        root, key = self.root(hand, street), hand.key(street)
        spent = min(hand.begins(street).spent)
        solve, added = self._open(key, root, self._opening(hand, street, spent))
        first, locks = solve, dict[str, dict[str, Floats]]()
        line: tuple[str, ...] = ()
        played = np.ones(N_COMBOS)
        mine: list[tuple[str, ...]] = []
        for table, action in hand.streets[street]:
            token = _token(table, action, spent, int(min(hand.game.chips)))
            label = match_size(solve.solution.spot, line, token)
            if label is None and len(added) < self.most_added:
                wider = (*added, "/".join((*line, token)))
                for before in mine:
                    text = "/".join(before)
                    if text not in locks:
                        locks[text] = lock_of(tell(solve, before, self.threshold))
                try:
                    solve = self._solve(key, root, wider, locks, first.menu)
                    added, label = wider, token
                except UnsolvedError:
                    label = None
            if label is None:
                label = neighbour(solve.solution.spot, line, token)
            if hand.place(table.player) == hand.own:
                told = tell(solve, line, self.threshold)
                played = played * told.shares[told.labels.index(label)]
                mine.append(line)
            line = (*line, label)
        return Followed(solve, line, played, added)

    def _opening(self, hand: PublicHand, street: int, spent: int) -> str:
        """The bet of the opponent that opens a street and may be put into it; empty without one."""
        for table, action in hand.streets[street][: min(self.most_added, 1)]:
            token = _token(table, action, spent, int(min(hand.game.chips)))
            if hand.place(table.player) != hand.own and token[0] in "ba":
                return token
        return ""

    def _open(
        self, key: object, root: StreetRoot, opening: str
    ) -> tuple[StreetSolve, tuple[str, ...]]:
        """The first solve of a street, with the bet that opens it in the tree.

        Before that the player has decided nothing, so one solve is enough.
        """
        solves = self._solves[root.street]
        if opening and solves.get((key, (opening,))) is not None:
            return self._solve(key, root, (opening,)), (opening,)
        if opening and solves.get((key, ())) is None:
            menu = (self.flops if root.street == 0 else self.solver).choose(root)
            try:
                if match_size(self.solver.pose(root, menu), (), opening) is None:
                    return self._solve(key, root, (opening,), None, menu.name), (opening,)
            except UnsolvedError:
                pass  # as if it stood for its neighbour
        return self._solve(key, root), ()

    def _solve(
        self,
        key: object,
        root: StreetRoot,
        added: Sequence[str] = (),
        locks: dict[str, dict[str, Floats]] | None = None,
        menu: str = "",
    ) -> StreetSolve:
        kept, solves = (key, tuple(added)), self._solves[root.street]
        found = solves.get(kept)
        if found is None:
            solver = self.flops if root.street == 0 else self.solver
            found = solver.solve(root, added, locks or {}, menu)
            self.solved += 1
            solves.put(kept, found, found.nbytes)
        return found


def flop_root(
    game: GameRules,
    node: Betting,
    seat: int,
    board: tuple[int, ...],
    ranges: tuple[Floats, Floats],
) -> StreetRoot:
    """The root of a flop, given the ranges by seat and class (169)."""
    first = game.streets[1].first
    own = 0 if seat == first else 1
    oop, ip = (usable(spread(ranges[each]), board, own=each == seat) for each in (first, 1 - first))
    stack = int(min(game.chips)) - min(node.spent)
    return StreetRoot(board, node.pot, stack, game.big_blind, own, (oop, ip))


def _token(table: Betting, action: str, spent: int, most: int) -> str:
    """An action at the table as lines of a street name it.

    `spent` is what each has put in before the street, `most` all that both can put in.
    """
    if action == "f":
        return "f"
    if action == "c":
        return "c" if table.to_call else "x"
    total = int(action[1:])
    if total >= most:
        return "a"
    return f"{'r' if table.price > spent else 'b'}{total - spent}"

"""The top of a tree: a view of a betting game to a depth, from the rules, without the tree.

What players may do in a betting game depends on chips and never on cards. So a view of it, to any
depth, can be made without the game tree: a node is a betting node, the cards that who looks has
seen, and the cards that are still to come. A deal that is not seen is one edge. How many nodes lie
below a node is counted, not walked: all deals of the same number of cards have the same subtree.

In a no-limit game without a menu there are thousands of sizes: three of them are kept (the
smallest raise, the size of the pot, all-in), and those that a path names. In the action tree,
where nobody sees cards, a draw is the number of cards, ``0(2)``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, islice
from math import comb
from typing import NamedTuple, TypeAlias

from pokerlab.cards.codes import format_cards
from pokerlab.games.betting import Betting, NoLimitActions
from pokerlab.games.chance import BOARD, Pending, street_deals
from pokerlab.games.definition import BettingGame
from pokerlab.games.protocol import CHANCE, TERMINAL
from pokerlab.games.showdown import SHOWDOWN_RULES, share_pot
from pokerlab.trees.outline_counts import NodeCounter
from pokerlab.trees.paths import PathPattern
from pokerlab.trees.views import check_view_name

_MAX_VISITED = 300_000
"""How many nodes are looked at to find those of a path."""


class OutlineNode(NamedTuple):
    """A node of an outline.

    Attributes
    ----------
    parent
        The place of the node before; -1 at the root.
    depth
        Moves from the root.
    player
        Who moves: a seat, `CHANCE` or `TERMINAL`.
    move
        The edge into it, as `View.edge` writes it.
    payoffs
        What each seat wins, at an end where that does not depend on hidden cards.
    chance
        In the chance tree, the absolute probability.
    left_out
        How many nodes below it, but not below one of its children in the outline, are left out;
        None where there are too many to count.
    moves_left_out
        Where that is so, how many of its own moves are left out.
    """

    parent: int
    depth: int
    player: int
    move: str
    payoffs: tuple[float, ...] | None
    chance: float | None
    left_out: int | None
    moves_left_out: int


@dataclass(frozen=True, eq=False)
class Outline:
    """The nodes of a view to a depth, in preorder.

    Attributes
    ----------
    game
        The rules.
    name
        ``game``, ``player:0``, ``observer``, ``chance`` or ``action``.
    nodes
        The nodes.
    """

    game: BettingGame
    name: str
    nodes: tuple[OutlineNode, ...]

    def __len__(self) -> int:
        return len(self.nodes)

    def path(self, place: int) -> str:
        """The way to a node."""
        moves = []
        while place > 0:
            moves.append(self.nodes[place].move)
            place = self.nodes[place].parent
        return " ".join(reversed(moves))


def make_outline(
    game: BettingGame, name: str, depth: int | None = None, *, path: str = "", limit: int = 2000
) -> Outline:
    """Make the top of a view.

    Parameters
    ----------
    game
        The rules, of a game of any size.
    name
        Which view (see `view_names`).
    depth
        Only nodes up to this number of moves from the root.
    path
        Only nodes that fit a pattern (see `paths`), and the way to them.
    limit
        The most nodes; `ValueError` beyond says which depth has fewer.

    Examples
    --------
    >>> from pokerlab.games import load_betting_game
    >>> top = make_outline(load_betting_game("holdem.limit.2p"), "action", 2)
    >>> for place, node in enumerate(top.nodes):
    ...     print(node.depth, top.path(place), node.left_out)
    0  0
    1 1f 0
    1 1c 0
    2 1c 0c 2366
    2 1c 0r 7106
    1 1r 0
    2 1r 0f 0
    2 1r 0c 2366
    2 1r 0r 4737
    """
    check_view_name(game, name)
    pattern = PathPattern(path) if path.strip(" /") else None
    walker = _Walker(game, name, sizes=[int(size) for size in _SIZE.findall(path)])
    kept = _walk(walker, depth, pattern, limit, f"{game.name}, {name} tree")
    return Outline(game, name, tuple(_numbered(walker, kept)))


class _Place(NamedTuple):
    """A node of a view: the betting, the cards that are seen, and those to come."""

    node: Betting
    holes: tuple[tuple[int, ...], ...]
    board: tuple[int, ...]
    thrown: tuple[int, ...]
    pending: tuple[Pending, ...]
    swapping: tuple[int, ...]  # what the next cards replace, where they are seen
    dealt: int  # how many cards have been dealt, seen or not
    chance: float

    @property
    def seen(self) -> set[int]:
        """All cards that who looks has seen."""
        return {card for hand in self.holes for card in hand}.union(self.board, self.thrown)

    @property
    def player(self) -> int:
        """Who moves."""
        return CHANCE if self.pending else self.node.player


class _Walker:
    """From a node of a view to the next ones."""

    def __init__(self, game: BettingGame, name: str, sizes: Sequence[int] = ()) -> None:
        self.game, self.name, self._sizes = game, name, sizes
        kind, _, seat = name.partition(":")
        self.seers = (
            (int(seat),) if seat else tuple(range(game.players)) if kind in _ALL_SEEN else ()
        )
        if kind == "chance":
            self._check_chance_alone()
        self.counter = NodeCounter(game, name, self.seers)

    def start(self) -> _Place:
        node = self.game.first_betting
        pending = street_deals(node, range(node.street + 1))
        holes = ((),) * self.game.players
        return self._settled(_Place(node, holes, (), (), pending, (), 0, 1.0))

    def moves(self, place: _Place, wanted: Wanted | None = None) -> Iterator[tuple[str, _Place]]:
        """The edges of a node with the nodes they lead to, in order.

        `wanted` tells which cards a path names at a deal, so that not millions are made for one.
        """
        if place.pending:
            yield from self._deals(place, wanted)
        elif place.node.player >= 0:
            if place.node.drawing:
                yield from self._draws(place)
                return
            for action in self._listed(place.node):
                after = self._acted(place, action)
                yield f"{place.node.player}{action}", self._settled(after)

    def payoffs(self, place: _Place) -> tuple[float, ...] | None:
        """What is won at an end, where the cards that are seen tell."""
        node = place.node
        if place.player != TERMINAL or self.name == "chance":
            return None
        strengths = {node.live[0]: 0}
        if len(node.live) > 1:
            if not all(place.holes[seat] for seat in node.live):
                return None
            rule = SHOWDOWN_RULES[self.game.showdown].strength
            strengths = {seat: rule(place.holes[seat], place.board) for seat in node.live}
        whole = self.game.odd_chips == "first"
        won = share_pot(node.spent, strengths, whole_chips=whole and len(node.live) > 1)
        return tuple(chips / self.game.unit for chips in won)

    def count(self, place: _Place) -> int | None:
        """How many nodes the subtree of a node has, itself included."""
        return self.counter.count(place.node, place.pending, len(place.seen))

    def _settled(self, place: _Place) -> _Place:
        """Skip what the view does not show: all cards, or all that players do."""
        if self.name == "action":
            return place._replace(pending=())
        while self.name == "chance" and not place.pending and place.node.player >= 0:
            place = self._acted(place, "c")
        return place

    def _listed(self, node: Betting) -> Sequence[str]:
        """The actions to show: of thousands of sizes, three and those of the path."""
        actions, bounds = node.actions(), node.raise_bounds()
        if not isinstance(actions, NoLimitActions) or bounds is None:
            return actions
        lowest, highest = bounds
        pot = node.price + node.pot + node.to_call
        sizes = {lowest, min(max(pot, lowest), highest), highest}
        sizes.update(size for size in self._sizes if lowest <= size <= highest)
        stay = ("f", "c") if node.to_call else ("c",)
        return [*stay, *(f"r{size}" for size in sorted(sizes))]

    def n_moves(self, place: _Place) -> int:
        """How many edges a node has in the whole view."""
        node = place.node
        if place.pending:
            _, owner, number = place.pending[0]
            seen = owner == BOARD or owner in self.seers
            return comb(len(self.game.deck) - len(place.seen), number) if seen else 1
        if node.player < 0:
            return 0
        if node.drawing and node.player in self.seers:
            hand = len(place.holes[node.player])
            return sum(comb(hand, count) for count in range(len(node.actions())))
        return len(node.actions())

    def _acted(self, place: _Place, action: str) -> _Place:
        node = place.node.after(action)
        pending = place.pending
        if node.street != place.node.street:
            pending += street_deals(node, range(place.node.street + 1, node.street + 1))
        return place._replace(node=node, pending=pending)

    def _deals(self, place: _Place, wanted: Wanted | None) -> Iterator[tuple[str, _Place]]:
        _, owner, number = place.pending[0]
        who = "" if owner == BOARD else str(owner)
        after = place._replace(pending=place.pending[1:], dealt=place.dealt + number)
        if owner != BOARD and owner not in self.seers:
            yield f"{who}d{{}}", self._settled(after)
            return
        if after.dealt > len(self.game.deck):
            raise ValueError(
                f"{self.game.name}: the deck runs out, and which discards come back is not drawn"
            )
        seen = place.seen
        free = [card for card in self.game.deck if card not in seen]
        share = place.chance / comb(len(free), number)
        named = wanted(f"{who}d") if wanted else None
        for cards in (
            combinations(free, number) if named is None else _dealable(named, free, number)
        ):
            text = f"{who}d{{{format_cards(cards)}}}"
            yield text, self._settled(self._with_cards(after, owner, cards)._replace(chance=share))

    def _with_cards(self, place: _Place, owner: int, cards: tuple[int, ...]) -> _Place:
        if owner == BOARD:
            return place._replace(board=place.board + cards)
        hand = tuple(card for card in place.holes[owner] if card not in place.swapping) + cards
        holes = (*place.holes[:owner], hand, *place.holes[owner + 1 :])
        thrown = place.thrown + place.swapping
        return place._replace(holes=holes, thrown=thrown, swapping=())

    def _draws(self, place: _Place) -> Iterator[tuple[str, _Place]]:
        """The draws of a player: card by card where they are seen, else by their number."""
        seat, street = place.node.player, place.node.street
        most = self.game.streets[street].draw
        for count in range(most + 1):
            after = self._acted(place, f"({count})")
            if count:
                after = after._replace(pending=(Pending(street, seat, count), *after.pending))
            if seat in self.seers:
                for thrown in combinations(sorted(place.holes[seat]), count):
                    yield (
                        f"{seat}d{format_cards(thrown)}",
                        self._settled(after._replace(swapping=thrown)),
                    )
            elif self.name == "action":
                yield f"{seat}({count})", self._settled(after)
            else:
                yield f"{seat}{{({count})}}" if count else f"{seat}d", self._settled(after)

    def _check_chance_alone(self) -> None:
        """There is a chance tree only if what is dealt does not depend on what players do."""
        for number, street in enumerate(self.game.streets):
            if street.draw or street.up or (number and street.hole):
                what = "are drawn" if street.draw else "are dealt to who is left"
                raise ValueError(
                    f"{self.game.name} has no chance tree: cards {what}, so they depend on what"
                    " players do"
                )


_ALL_SEEN = ("game", "chance")
"""The views in which the cards of all seats are seen."""
_SIZE = re.compile(r"\dr(\d{1,15})", re.ASCII)


Wanted: TypeAlias = Callable[[str], "list[tuple[int, ...]] | None"]
"""From the beginning of a deal (``0d``) to the cards that a path names; None: any cards."""


def _wanted(pattern: PathPattern | None, fit: frozenset[int] | None) -> Wanted | None:
    if pattern is None or fit is None:
        return None
    return lambda mover: pattern.named_cards(fit, mover)


def _dealable(
    named: list[tuple[int, ...]], free: Sequence[int], number: int
) -> Iterator[tuple[int, ...]]:
    return (cards for cards in named if len(cards) == number and set(cards) <= set(free))


class _Visit(NamedTuple):
    """A node that was looked at: its place, edge, parent (in order of visits), fit to the path."""

    place: _Place
    move: str
    parent: int
    depth: int
    fit: frozenset[int] | None


def _walk(
    walker: _Walker, depth: int | None, pattern: PathPattern | None, limit: int, what: str
) -> list[_Visit]:
    """All nodes to a depth that are on the way to nodes of the path, level by level."""
    if depth is not None and depth < 0:
        raise ValueError(f"depth: {depth} must be a number of moves, 0 or more")
    start = pattern.start() if pattern else None
    visits = [_Visit(walker.start(), "", -1, 0, start)]
    first = 0
    while first < len(visits) and (depth is None or visits[first].depth < depth):
        last = len(visits)
        for number in range(first, last):
            visit = visits[number]
            for move, place in walker.moves(visit.place, _wanted(pattern, visit.fit)):
                fit = None
                if pattern is not None and visit.fit is not None:
                    fit = pattern.step(visit.fit, move)
                    if not fit:
                        continue
                visits.append(_Visit(place, move, number, visit.depth + 1, fit))
                if pattern is None and len(visits) > limit:
                    ways = f"a depth of {visit.depth} ({last:,} nodes) or by a path"
                    raise ValueError(f"{what}: {_TOO_MANY.format(limit)}; limit them by {ways}")
                if len(visits) > _MAX_VISITED:
                    raise ValueError(f"{what}: too many nodes to look through; {_SHORTER}")
        first = last
    if pattern is None:
        return visits
    return _kept(walker, visits, pattern, limit, what)


def _kept(
    walker: _Walker, visits: list[_Visit], pattern: PathPattern, limit: int, what: str
) -> list[_Visit]:
    """The nodes that fit, and those on the way to them, renumbered."""
    keep = [visit.fit is not None and pattern.ends(visit.fit) for visit in visits]
    if not any(keep):
        raise ValueError(f"no path {pattern.text!r} in {what}: {_fits_up_to(walker, visits)}")
    for number in range(len(visits) - 1, 0, -1):
        if keep[number]:
            keep[visits[number].parent] = True
    if sum(keep) > limit:
        raise ValueError(f"{what}: {_TOO_MANY.format(limit)}; {_SHORTER}")
    kept = [number for number, wanted in enumerate(keep) if wanted]
    place = {number: index for index, number in enumerate(kept)}
    return [visits[each]._replace(parent=place.get(visits[each].parent, -1)) for each in kept]


def _fits_up_to(walker: _Walker, visits: list[_Visit]) -> str:
    """How far a path fits, and what may follow there."""
    visit = max(visits, key=lambda visit: max(visit.fit or {0}))
    known = [move for move, _ in islice(walker.moves(visit.place), _NAMED + 1)]
    following = ", ".join(known[:_NAMED]) + (", …" if len(known) > _NAMED else "")
    moves = []
    while visit.parent >= 0:
        moves.append(visit.move)
        visit = visits[visit.parent]
    if not moves:
        return f"it starts with {following}"
    return f"after {' '.join(reversed(moves))!r} comes {following or 'nothing, it ends'}"


_NAMED = 6
"""How many moves a message names."""
_TOO_MANY = "too many nodes to draw (more than {:,})"
_SHORTER = "name more moves in the path, or a smaller depth"


def _numbered(walker: _Walker, visits: list[_Visit]) -> Iterator[OutlineNode]:
    """The nodes in preorder, with what is left out below each."""
    children: list[list[int]] = [[] for _ in visits]
    for number, visit in enumerate(visits[1:], start=1):
        children[visit.parent].append(number)
    place_of: dict[int, int] = {}
    waiting = [0]
    while waiting:
        number = waiting.pop()
        visit = visits[number]
        place_of[number] = len(place_of)
        waiting.extend(reversed(children[number]))
        drawn = [visits[child] for child in children[number]]
        left_out, moves = _left_out(walker, visit.place, drawn)
        yield OutlineNode(
            parent=place_of[visit.parent] if number else -1,
            depth=visit.depth,
            player=visit.place.player,
            move=visit.move,
            payoffs=walker.payoffs(visit.place),
            chance=visit.place.chance if walker.name == "chance" else None,
            left_out=left_out,
            moves_left_out=moves,
        )


def _left_out(walker: _Walker, place: _Place, drawn: Sequence[_Visit]) -> tuple[int | None, int]:
    """How many nodes below a node are not drawn; if nobody can tell, how many of its moves."""
    whole = walker.count(place)
    parts = [walker.count(visit.place) for visit in drawn]
    known = [part for part in parts if part is not None]
    if whole is None or len(known) < len(parts):
        return None, walker.n_moves(place) - len(drawn)
    return whole - 1 - sum(known), 0

"""Which decisions of a spot to make simple: those of a player, of a street, of some lines."""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase
from typing import NamedTuple

from pokerlab.games.betting_trees.betting_tree import EdgeKind
from pokerlab.games.betting_trees.lines import Line
from pokerlab.games.betting_trees.menus import PLAYERS, STREETS
from pokerlab.holdem.spots.prepared import PreparedSpot
from pokerlab.runtime.errors import shorten


class SimpleDecision(NamedTuple):
    """A decision of the betting tree, on all boards."""

    level: int
    node: int
    player: int
    line: str
    """Without cards."""
    street: str


def find_decisions(
    prepared: PreparedSpot,
    *,
    player: str | int | None = None,
    street: str | None = None,
    lines: str | Sequence[str] | None = None,
) -> list[SimpleDecision]:
    """The decisions that are not locked, of one player, one street or some lines.

    Parameters
    ----------
    prepared
        The spot.
    player
        ``oop`` or ``ip`` (0 or 1); both by default.
    street
        ``flop``, ``turn`` or ``river``; all by default.
    lines
        Lines without cards, as a list or with commas between them: ``"x, x/b50"``. An empty one
        is the first decision, and ``*`` stands for anything: ``"x/*"`` is all that follows a check.

    Examples
    --------
    >>> from pokerlab.holdem.spots import Spot
    >>> prepared = PreparedSpot.of(Spot("KsTs7d4c2h", "77, 65s", "AA", pot=100, stack=100, bet="a"))
    >>> [each.line for each in find_decisions(prepared)]
    ['', 'x', 'x/a', 'a']
    >>> [each.line for each in find_decisions(prepared, player="ip", lines="x*")]
    ['x']
    """
    seat = _seat(player)
    if street is not None and street not in STREETS:
        raise ValueError(f"street: {shorten(street)!r} is not one of {', '.join(STREETS)}")
    tree = prepared.spot.tree
    wanted = None if lines is None else _patterns(prepared, lines)
    locked = {(lock.level, lock.node) for lock in prepared.locks}
    found = []
    for level, node, line in tree.walk():
        here = tree.streets[level]
        owner, name = int(here.player[node]), STREETS[here.number]
        if (level, node) in locked or seat not in (None, owner) or street not in (None, name):
            continue
        if wanted is None or any(fnmatchcase(line, each) for each in wanted):
            found.append(SimpleDecision(level, node, owner, line, name))
    if not found:
        raise ValueError("no decision is left to make simple: they are locked, or excluded")
    return found


def _seat(player: str | int | None) -> int | None:
    if player is None or (player in (0, 1) and not isinstance(player, bool)):
        return None if player is None else int(player)
    if player not in PLAYERS:
        raise ValueError(f"player: {shorten(str(player))!r} is not one of {', '.join(PLAYERS)}")
    return PLAYERS.index(player)


def _patterns(prepared: PreparedSpot, lines: str | Sequence[str]) -> list[str]:
    """Lines as the tree writes them; `ValueError` for one that no decision has."""
    tree, every = prepared.spot.tree, [line for _, _, line in prepared.spot.tree.walk()]
    found = []
    for text in lines.split(",") if isinstance(lines, str) else lines:
        pattern = text.strip()
        if "*" in pattern:
            pattern = pattern.replace("[", "[[]").replace("?", "[?]")
            if not any(fnmatchcase(line, pattern) for line in every):
                raise ValueError(f"lines: no decision is at {shorten(pattern)!r}")
            found.append(pattern)
            continue
        place = tree.find(Line.parse(pattern))
        if place.cards and place.kind == EdgeKind.NODE and any(card >= 0 for card in place.cards):
            raise ValueError(
                f"line {shorten(pattern)!r}: leave out the cards, all boards are meant"
            )
        if place.kind == EdgeKind.NEXT_STREET and place.level + 1 < len(tree.streets):
            place = tree.deal(place, -1)
        if place.kind != EdgeKind.NODE:
            raise ValueError(f"line {shorten(pattern)!r}: nobody decides there, the hand is over")
        found.append(tree.line(place.level, place.node))
    return found

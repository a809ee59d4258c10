"""Node locking: fix what a player does at a line, wholly or for some hands, and solve the rest.

A lock says for the actions of a decision who takes them:

- a range, ``{"c": "AA, KK:0.5", "f": "KK:0.5"}``: aces call, half of the kings call and half fold.
  For every hand that a range names, the weights of the actions are its probabilities, and must sum
  to 1. Hands that no range names are free.
- a frequency, ``{"b120": 0.3}`` (or ``"30%"``): all hands that no range names bet so often. The
  rest goes to the action without a frequency; where several have none, all but one must be given.

A lock may have a *weight* below 1, ``{"b120": 0.3, "weight": 0.7}``: then the player follows the
lock with probability 0.7, and otherwise does whatever is best. In a solve, the player plays that
mixture, and a best response is free in its own part alone (a data-biased response, see
docs/exploitation.md). Without a weight the lock is all.

A line without cards locks the decision on all boards; where a card comes at its end, ``x/x``, the
first decision after any card. One with cards locks it there alone, and goes before one without;
suits can then no longer be exchanged, so boards are not merged.

In a file of a spot::

    [locks."x/b120"]
    f = "KQs, 55"
    c = "AA"

    [locks.x]
    b120 = 0.3
    weight = 0.7

or as the command line has them: ``locks = ["x/b120: f=KQs, 55; c=AA", "x: b120=30% @ 0.7"]``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol, TypeAlias

import numpy as np

from pokerlab.cards.codes import COMBO_CARDS, N_COMBOS, Cards, format_cards
from pokerlab.cards.ranges.range import Range
from pokerlab.games.betting_trees.betting_tree import BettingTree, EdgeKind, Place
from pokerlab.games.betting_trees.chips import plain_number, read_number, write_number
from pokerlab.games.betting_trees.lines import Line, LineLike
from pokerlab.runtime.arrays import Floats
from pokerlab.runtime.errors import shorten

LocksLike: TypeAlias = "Mapping[str, Mapping[str, Range | Floats | str | float]] | Sequence[str]"
"""By line, by action, who takes it: a range, or the frequency of all hands; or texts that
`read_locks` reads."""

WEIGHT = "weight"
"""What stands among the actions of a lock for its weight."""


class Lock(NamedTuple):
    """What is fixed at a line: by action, the hands that take it or how often all do."""

    line: Line
    actions: tuple[tuple[str, Range | float], ...]
    weight: float = 1.0
    """How much of what the player does is the lock; the rest is free."""


class _Lines(Protocol):
    """What locks need of a game; games hold locks, so they come later."""

    @property
    def tree(self) -> BettingTree: ...
    def find(self, line: LineLike) -> Place: ...


@dataclass(frozen=True, eq=False)
class NodeLock:
    """A decision that is fixed for some hands.

    Attributes
    ----------
    line
        As it was given.
    level, node, cards
        Where it is; cards are empty where all boards are meant.
    shares
        (actions, 1326): probabilities; −1 for hands that are free.
    weight
        How much of what the others do is the lock, above 0 and up to 1.
    """

    line: str
    level: int
    node: int
    cards: tuple[int, ...]
    shares: Floats
    weight: float = 1.0


def read_locks(texts: Sequence[str]) -> dict[str, dict[str, str]]:
    """Read locks as they are typed: the line, a colon, and for each action hands or a frequency.

    A weight follows at the end, after an ``@``.

    Examples
    --------
    >>> read_locks(["x: b50=AA, KK:0.5; x=KK:0.5", ": x=70%"])
    {'x': {'b50': 'AA, KK:0.5', 'x': 'KK:0.5'}, '': {'x': '70%'}}
    >>> read_locks(["x: b50=30% @ 0.7"])
    {'x': {'b50': '30%', 'weight': '0.7'}}
    >>> read_locks(["x"])
    Traceback (most recent call last):
    ValueError: lock 'x': give the line, a colon and actions, as in 'x: b50=AA, KK:0.5; x=KK:0.5'
    """
    locks: dict[str, dict[str, str]] = {}
    for text in texts:
        line, colon, rest = text.partition(":")
        rest, at, weight = rest.partition("@")
        parts = [part.partition("=") for part in rest.split(";") if part.strip()]
        if not (colon and parts and all(action.strip() and equals for action, equals, _ in parts)):
            raise ValueError(
                f"lock {shorten(text)!r}: give the line, a colon and actions, as in"
                " 'x: b50=AA, KK:0.5; x=KK:0.5'"
            )
        if at:
            parts.append((WEIGHT, "=", weight))
        actions = locks.setdefault(line.strip(), {})
        for action, _, hands in parts:
            if action.strip() in actions:
                raise ValueError(
                    f"lock {shorten(text)!r}: {action.strip()} is given twice for this line"
                )
            actions[action.strip()] = hands.strip()
    return locks


def to_locks(locks: LocksLike | Sequence[Lock]) -> tuple[Lock, ...]:
    """Read locks without asking whether a tree has such lines; `ValueError` names what is wrong.

    Examples
    --------
    >>> to_locks({"x": {"b120": "30%"}})
    (Lock(line=Line(tokens=(Action(kind=<ActionKind.CHECK: 1>, amount=0, percent=0.0),)),
    actions=(('b120', 0.3),), weight=1.0),)
    >>> to_locks(["x: b120=30%"]) == to_locks({"x": {"b120": 0.3}})
    True
    >>> to_locks({"x": {"b120": 30}})
    Traceback (most recent call last):
    ValueError: lock 'x': b120: 30 is not a range such as 'AA, KK:0.5', nor a frequency from 0 to 1
    """
    if isinstance(locks, tuple | list) and all(isinstance(lock, Lock) for lock in locks):
        return tuple(locks)
    if isinstance(locks, tuple | list) and all(isinstance(lock, str) for lock in locks):
        locks = read_locks(locks)
    if not isinstance(locks, Mapping):
        raise ValueError(
            f"locks: {shorten(repr(locks))} is not a table of lines and actions ([locks.x] with"
            " b50 = 0.3), nor a list such as ['x: b50=30%']"
        )
    found: dict[str, Lock] = {}
    for text, actions in locks.items():
        line = Line.parse(text)
        where = f"lock {shorten(str(text))!r}"
        if not isinstance(actions, Mapping) or not actions:
            shown = shorten(repr(actions))
            raise ValueError(f"{where}: {shown} is not a table of actions and who takes them")
        if str(line) in found:
            raise ValueError(f"{where}: the line is locked twice")
        shares = tuple(
            (action, _share(f"{where}: {action}", who))
            for action, who in actions.items()
            if action != WEIGHT
        )
        weight = _weight(where, actions.get(WEIGHT, 1.0))
        if not shares:
            raise ValueError(f"{where}: a weight and no action; say who takes which action")
        found[str(line)] = Lock(line, shares, weight)
    return tuple(found.values())


def _weight(where: str, given: object) -> float:
    number: float | None = None
    if isinstance(given, str):
        text = given.strip()
        number = read_number(text.removesuffix("%").rstrip())
        if number is not None and text.endswith("%"):
            number /= 100
    elif isinstance(given, int | float) and not isinstance(given, bool):
        number = given
    if number is None or not 0 < number <= 1:  # NaN too
        shown = shorten(repr(given))
        raise ValueError(f"{where}: {shown} is not a weight, above 0 and up to 1 (or 100%)")
    return float(number)


def _share(where: str, who: object) -> Range | float:
    accepted = "a range such as 'AA, KK:0.5', nor a frequency from 0 to 1"
    if isinstance(who, str):
        text = who.strip()
        number = read_number(text.removesuffix("%").rstrip())
        if number is not None and text.endswith("%"):
            who = number / 100
        elif number is not None and number <= 1:  # 22 is a pair
            who = number
    if isinstance(who, int | float) and not isinstance(who, bool):
        if not 0 <= who <= 1:
            raise ValueError(f"{where}: {shorten(repr(who))} is not {accepted}")
        return float(who)
    if not isinstance(who, str | Range | np.ndarray):
        raise ValueError(f"{where}: {shorten(repr(who))} is not {accepted}")
    try:
        return Range(who)
    except ValueError as error:
        raise ValueError(f"{where}: {error}") from None


def lock_texts(locks: Sequence[Lock]) -> dict[str, dict[str, str]]:
    """Locks as texts by line and action, which `to_locks` reads.

    Examples
    --------
    >>> lock_texts(to_locks({"x": {"b120": "30%", "x": "QQ+"}}))
    {'x': {'b120': '0.3', 'x': 'AA,KK,QQ'}}
    >>> lock_texts(to_locks({"x": {"b120": "30%", "weight": 0.7}}))
    {'x': {'b120': '0.3', 'weight': '0.7'}}
    """
    return {
        line: {
            name: who if isinstance(who, str) else write_number(who) for name, who in parts.items()
        }
        for line, parts in lock_fields(locks).items()
    }


def lock_fields(locks: Sequence[Lock]) -> dict[str, dict[str, str | float]]:
    """Locks as a file of a spot has them: ranges as texts, frequencies and weights as numbers.

    Examples
    --------
    >>> lock_fields(to_locks({"x": {"b120": "30%", "x": "QQ+", "weight": "70%"}}))
    {'x': {'b120': 0.3, 'x': 'AA,KK,QQ', 'weight': 0.7}}
    """
    fields: dict[str, dict[str, str | float]] = {}
    for line, actions, weight in locks:
        parts = fields[str(line)] = {
            action: who.plain_text() if isinstance(who, Range) else plain_number(who)
            for action, who in actions
        }
        if weight < 1:
            parts[WEIGHT] = weight
    return fields


def parse_locks(spot: _Lines, locks: LocksLike | Sequence[Lock]) -> list[NodeLock]:
    """Find where locks are; `ValueError` names the line, the action or the hand that does not fit.

    Examples
    --------
    >>> from pokerlab.holdem.spots import Spot
    >>> spot = Spot("QhJh2c4d7h", "AA, KQs", "QQ, AJs", pot=100, stack=80)
    >>> [lock.line for lock in parse_locks(spot, {"x": {"x": "QQ, AJs"}})]
    ['x']
    >>> turn = Spot("QhJh2c4d", "AA, KQs", "QQ, AJs", pot=100, stack=80)
    >>> first, = parse_locks(turn, {"x/x": {"x": 1}})  # the first decision on any river
    >>> first.level, first.cards
    (1, ())
    >>> parse_locks(spot, {"x": {"x": "QQ:0.5"}})
    Traceback (most recent call last):
    ValueError: lock 'x': the actions of QdQc sum to 0.5, not to 1
    >>> parse_locks(spot, {"x": {"b50": 0.5}})
    Traceback (most recent call last):
    ValueError: lock 'x': the frequencies leave 0.5 for x, a; give all but one
    """
    placed: dict[tuple[object, ...], NodeLock] = {}
    for lock in to_locks(locks):
        found = _parse_lock(spot, lock)
        place = (found.level, found.node, found.cards)
        if place in placed:
            raise ValueError(f"lock {found.line!r}: {placed[place].line!r} locks it already")
        placed[place] = found
    # What is placed later wins: a lock on one board goes before one on all boards.
    return sorted(placed.values(), key=lambda lock: bool(lock.cards))


def _parse_lock(spot: _Lines, lock: Lock) -> NodeLock:
    line = str(lock.line)
    place = spot.find(lock.line)
    if place.kind == EdgeKind.NEXT_STREET and place.level + 1 < len(spot.tree.streets):
        place = spot.tree.deal(place, -1)  # the first decision after any card
    if place.kind != EdgeKind.NODE:
        raise ValueError(f"lock {line!r}: nobody decides there, the hand is over")
    if -1 in place.cards and any(card >= 0 for card in place.cards):
        raise ValueError(f"lock {line!r}: name all the cards on the way, or none")
    labels = spot.tree.streets[place.level].labels(place.node)
    for action, _ in lock.actions:
        if action not in labels:
            raise ValueError(
                f"lock {line!r}: no action {shorten(action)!r}; possible: {', '.join(labels)}"
            )
    shares = _range_shares(line, labels, lock)
    frequencies = {action: who for action, who in lock.actions if isinstance(who, float)}
    if frequencies:
        free = shares[0] < 0
        shares[:, free] = _frequencies(line, labels, frequencies)[:, None]
    cards = () if -1 in place.cards else place.cards
    return NodeLock(line, place.level, place.node, cards, shares, lock.weight)


def _range_shares(line: str, labels: list[str], lock: Lock) -> Floats:
    """What the ranges of a lock say; −1 for hands that none of them names."""
    shares = np.zeros((len(labels), N_COMBOS))
    for action, who in lock.actions:
        if isinstance(who, Range):
            shares[labels.index(action)] = who.weights
    total = shares.sum(axis=0)
    named = total > 0
    wrong = np.flatnonzero(named & (np.abs(total - 1) > 1e-6))
    if len(wrong):
        hand = format_cards(COMBO_CARDS[wrong[0]].tolist())
        raise ValueError(
            f"lock {line!r}: the actions of {hand} sum to {total[wrong[0]]:g}, not to 1"
        )
    shares[:, ~named] = -1.0
    return shares


def _frequencies(line: str, labels: list[str], given: Mapping[str, float]) -> Floats:
    """The frequency of each action; the one that has none takes what is left."""
    left = 1.0 - sum(given.values())
    others = [label for label in labels if label not in given]
    if left < -1e-6 or (left > 1e-6 and not others):
        raise ValueError(f"lock {line!r}: the frequencies sum to {1 - left:g}, not to 1")
    if left > 1e-6 and len(others) > 1:
        raise ValueError(
            f"lock {line!r}: the frequencies leave {left:g} for {', '.join(others)};"
            " give all but one"
        )
    shares = np.array([given.get(label, 0.0) for label in labels])
    if left > 1e-6:
        shares[labels.index(others[0])] = left
    return shares


def keeps_suits(locks: Sequence[NodeLock], board: Cards, ranges: Sequence[Range]) -> bool:
    """Whether boards can still be merged: no lock names cards or tells equal hands apart.

    Two hands are equal if a suit permutation that keeps the board and both ranges exchanges them.
    """
    if not locks:
        return True
    from pokerlab.cards.isomorphism.suits import permute_combos, symmetries  # compiles

    group = symmetries(board, np.stack([hands.weights for hands in ranges]))
    return all(
        not lock.cards
        and all(
            np.array_equal(lock.shares[:, permute_combos(suits)], lock.shares) for suits in group
        )
        for lock in locks
    )

"""Node locking: fix what a player does at a line, wholly or for some hands, and solve the rest.

A lock says for each action which hands take it, as ranges: ``{"c": "AA, KK:0.5", "f": "KK:0.5"}``
calls with aces and with half of the kings and folds the other half; all other hands are free. For
every hand that is named, the weights of the actions are its probabilities, and must sum to 1.

A line without cards locks the decision on all boards. One with cards locks it there alone; suits
are then no longer alike, so boards are not merged.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from pokerlab.cards.codes import COMBO_CARDS, format_cards
from pokerlab.cards.isomorphism.suits import SUIT_PERMUTATIONS, permute_combos
from pokerlab.cards.ranges.range import Range
from pokerlab.postflop.question.spot import Spot
from pokerlab.postflop.tree.betting_tree import EdgeKind

__all__ = [
    "LocksLike",
    "NodeLock",
    "keeps_suits",
    "parse_locks",
    "read_locks",
]

LocksLike: TypeAlias = "Mapping[str, Mapping[str, Range | str]]"
"""By line, by action, the hands that take it."""


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
    """

    line: str
    level: int
    node: int
    cards: tuple[int, ...]
    shares: npt.NDArray[np.float64]


def read_locks(texts: Sequence[str]) -> dict[str, dict[str, str]]:
    """Read locks as they are typed: the line, a colon, and the hands of each action.

    Examples
    --------
    >>> read_locks(["x: b50=AA, KK:0.5; x=KK:0.5"])
    {'x': {'b50': 'AA, KK:0.5', 'x': 'KK:0.5'}}
    >>> read_locks(["x"])
    Traceback (most recent call last):
    ValueError: lock 'x': give the line, a colon and actions, as in 'x: b50=AA, KK:0.5; x=KK:0.5'
    """
    locks: dict[str, dict[str, str]] = {}
    for text in texts:
        line, colon, rest = text.partition(":")
        parts = [part.partition("=") for part in rest.split(";") if part.strip()]
        if not (colon and parts and all(action.strip() and equals for action, equals, _ in parts)):
            raise ValueError(
                f"lock {text!r}: give the line, a colon and actions, as in"
                " 'x: b50=AA, KK:0.5; x=KK:0.5'"
            )
        actions = locks.setdefault(line.strip(), {})
        for action, _, hands in parts:
            if action.strip() in actions:
                raise ValueError(f"lock {text!r}: {action.strip()} is given twice for this line")
            actions[action.strip()] = hands.strip()
    return locks


def parse_locks(spot: Spot, locks: LocksLike) -> list[NodeLock]:
    """Read locks; `ValueError` names the line, the action or the hand that does not fit.

    Examples
    --------
    >>> spot = Spot("QhJh2c4d7h", "AA, KQs", "QQ, AJs", pot=100, stack=80)
    >>> [lock.line for lock in parse_locks(spot, {"x": {"x": "QQ, AJs"}})]
    ['x']
    >>> parse_locks(spot, {"x": {"x": "QQ:0.5"}})
    Traceback (most recent call last):
    ValueError: lock 'x': the actions of QdQc sum to 0.5, not to 1
    """
    return [_parse_lock(spot, line, actions) for line, actions in locks.items()]


def _parse_lock(spot: Spot, line: str, actions: Mapping[str, Range | str]) -> NodeLock:
    place = spot.find(line)
    if place.kind != EdgeKind.NODE:
        raise ValueError(f"lock {line!r}: nobody decides there")
    if -1 in place.cards and any(card >= 0 for card in place.cards):
        raise ValueError(f"lock {line!r}: name all the cards on the way, or none")
    labels = spot.tree.streets[place.level].labels(place.node)
    shares = np.zeros((len(labels), 1326))
    for action, hands in actions.items():
        if action not in labels:
            raise ValueError(f"lock {line!r}: no action {action!r}; possible: {', '.join(labels)}")
        shares[labels.index(action)] = Range(hands).weights
    total = shares.sum(axis=0)
    named = total > 0
    wrong = np.flatnonzero(named & (np.abs(total - 1) > 1e-6))
    if len(wrong):
        hand = format_cards(COMBO_CARDS[wrong[0]].tolist())
        raise ValueError(
            f"lock {line!r}: the actions of {hand} sum to {total[wrong[0]]:g}, not to 1"
        )
    shares[:, ~named] = -1.0
    cards = () if -1 in place.cards else place.cards
    return NodeLock(line, place.level, place.node, cards, shares)


def keeps_suits(locks: Sequence[NodeLock]) -> bool:
    """Whether suits that were alike are still alike: no cards named, and whole classes locked."""
    return all(
        not lock.cards
        and all(
            np.array_equal(lock.shares[:, permute_combos(suits)], lock.shares)
            for suits in SUIT_PERMUTATIONS
        )
        for lock in locks
    )

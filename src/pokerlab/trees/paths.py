"""Path patterns: which nodes of a tree a text such as ``0d{J} 1d{K} 0c …`` speaks of.

Moves are written as `GameTree.path` writes them; blanks and slashes between them may be there or
not. ``…`` (or ``...`` or ``*``) stands for any moves, also none. A card may be cut short, and
then stands for all that begin like that: ``0d{J}`` is any jack, ``0d{}`` any card. Several cards
may stand in any order. Where a view
hides a card (its edge is ``0d{}``), any card in the pattern fits. ``|`` parts alternatives.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Protocol

import numpy as np

from pokerlab.cards.codes import format_cards, parse_cards
from pokerlab.runtime.arrays import Int32s

_ANY = "…"
_BETWEEN = " /"


class _Walkable(Protocol):
    """What a pattern is matched on: a tree in preorder whose edges have texts."""

    def __len__(self) -> int: ...

    def children(self, node: int) -> list[int]: ...

    def edge(self, node: int) -> str: ...

    def path(self, node: int) -> str: ...


def matching_nodes(tree: _Walkable, pattern: str, where: str) -> Int32s:
    """The nodes whose path fits a pattern.

    `ValueError` if there is none; it says how far the pattern fits. `where` names the tree in
    that message.

    Examples
    --------
    >>> from pokerlab.games import load_game
    >>> from pokerlab.trees import GameTree
    >>> tree = GameTree.build(load_game("kuhn"))
    >>> [tree.path(node) for node in matching_nodes(tree, "0d{J}1d{}0c1r…0f", "kuhn")]
    ['0d{Js} 1d{Qs} 0c 1r 0f', '0d{Js} 1d{Ks} 0c 1r 0f']
    """
    if "|" in pattern:
        parts = [matching_nodes(tree, part, where) for part in pattern.split("|")]
        return np.unique(np.concatenate(parts))
    text = _plain(pattern)
    places: dict[int, frozenset[int]] = {0: _settle(text, {0})}
    found = []
    furthest, furthest_node = min(places[0]), 0
    for node in range(len(tree)):
        here = places.pop(node, None)
        if here is None:
            continue
        if len(text) in here:
            found.append(node)
        if max(here) > furthest:
            furthest, furthest_node = max(here), node
        for child in tree.children(node):
            after = _step(text, here, tree.edge(child))
            if after:
                places[child] = after
    if not found:
        known = ", ".join(tree.edge(child) for child in tree.children(furthest_node))
        after_path = tree.path(furthest_node)
        comes = f"after {after_path!r} comes " if after_path else "it starts with "
        raise ValueError(f"no path {pattern!r} in {where}: {comes}{known or 'nothing, it ends'}")
    return np.array(found, np.int32)


class PathPattern:
    """A pattern that is followed move by move, for trees that are made as they are walked.

    Examples
    --------
    >>> pattern = PathPattern("1d{} 0r …")
    >>> after = pattern.step(pattern.start(), "1d{As}")
    >>> pattern.ends(after), pattern.ends(pattern.step(after, "0r")), pattern.step(after, "0c")
    (False, True, frozenset())
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self._parts = [_plain(part) for part in text.split("|")]
        # One text for all alternatives; a place in it tells which one.
        self._first = [0]
        for part in self._parts[:-1]:
            self._first.append(self._first[-1] + len(part) + 1)

    def start(self) -> frozenset[int]:
        """Where in the pattern one is before the first move."""
        return self._joined(_settle(part, {0}) for part in self._parts)

    def step(self, places: frozenset[int], edge: str) -> frozenset[int]:
        """Where one may be after a move; nowhere if it does not fit."""
        return self._joined(
            _step(part, self._inside(places, number), edge)
            for number, part in enumerate(self._parts)
        )

    def named_cards(self, places: frozenset[int], mover: str) -> list[tuple[int, ...]] | None:
        """The cards that the next move, a deal such as ``0d``, may be; None: any, or cut short."""
        named = set()
        for number, part in enumerate(self._parts):
            for place in self._inside(places, number):
                if part[place : place + 1] == _ANY:
                    return None
                if not part.startswith(mover + "{", place):
                    continue
                inside = part[place + len(mover) + 1 :].partition("}")[0].replace(" ", "")
                if not _WHOLE.fullmatch(inside):
                    return None
                named.add(parse_cards(inside))
        return sorted(named)

    def ends(self, places: frozenset[int]) -> bool:
        """Whether all of the pattern, or of one alternative, has been met."""
        return any(
            len(part) in self._inside(places, number) for number, part in enumerate(self._parts)
        )

    def _joined(self, places: Iterable[frozenset[int]]) -> frozenset[int]:
        return frozenset(
            first + place for first, part in zip(self._first, places, strict=True) for place in part
        )

    def _inside(self, places: frozenset[int], number: int) -> frozenset[int]:
        first, length = self._first[number], len(self._parts[number])
        return frozenset(place - first for place in places if first <= place <= first + length)


def _plain(pattern: str) -> str:
    """A pattern with one sign for "any moves", none for any card, and cards lowest first."""
    text = re.sub(r"\{\s*\*?\s*\}", "{}", pattern).replace("...", _ANY).replace("*", _ANY)
    return _CARDS.sub(lambda cards: _lowest_first(cards.group()), text)


_WHOLE = re.compile(r"(?:[2-9TJQKA][cdhs])+")
_CARDS = re.compile(r"(?<=\{)\s*(?:[2-9TJQKA][cdhs]\s*){2,}(?=\})")


def _lowest_first(text: str) -> str:
    try:
        return format_cards(sorted(parse_cards(text)))
    except ValueError:
        return text  # a card twice: it fits nowhere


def _settle(text: str, places: set[int]) -> frozenset[int]:
    """Skip what stands between moves; at a ``…`` it may also be over."""
    settled: set[int] = set()
    waiting = list(places)
    while waiting:
        place = waiting.pop()
        while place < len(text) and text[place] in _BETWEEN:
            place += 1
        if place not in settled:
            settled.add(place)
            if text[place : place + 1] == _ANY:
                waiting.append(place + 1)
    return frozenset(settled)


def _step(text: str, places: frozenset[int], edge: str) -> frozenset[int]:
    """Where in the pattern one may be after a move."""
    after: set[int] = set()
    for place in places:
        if text[place : place + 1] == _ANY:
            after.add(place)
        length = _fit(text, place, edge)
        if length:
            after.add(place + length)
    return _settle(text, after)


def _fit(text: str, place: int, edge: str) -> int:
    """How much of the pattern at a place is the move `edge`; 0 if it is another."""
    mover, brace, outcome = edge.partition("{")
    if not text.startswith(mover + brace, place):
        return 0
    if not brace:
        return len(edge)
    start = place + len(mover) + 1
    close = text.find("}", start)
    if close < 0:
        return 0
    hidden = outcome == "}"
    fits = hidden or outcome[:-1].startswith(text[start:close].strip())
    return close + 1 - place if fits else 0

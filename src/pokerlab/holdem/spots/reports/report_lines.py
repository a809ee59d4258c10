"""Lines as reports read them: which one is meant, how it is shown, and sizes in percent."""

from __future__ import annotations

import re

from pokerlab.games.betting_trees.betting_tree import EdgeKind, Place, match_action
from pokerlab.games.betting_trees.lines import Action, ActionKind, Line, LineLike, Token, to_line
from pokerlab.holdem.spots.question.spot import Spot
from pokerlab.runtime.errors import shorten

_PERCENT = re.compile(r"(?<![\w.])[br][0-9]+(?:\.[0-9]+)?%", re.IGNORECASE | re.ASCII)


def calm_line(spot: Spot, line: LineLike = "") -> Line | None:
    """The line on which nobody bets any more until a card comes; None where none comes.

    Examples
    --------
    >>> spot = Spot("Td9d6h", "66+", "QQ-22", pot=200, stack=900)
    >>> str(calm_line(spot)), str(calm_line(spot, "x/b50%")), calm_line(spot, "x/x/Qc/x/x/2s")
    ('x/x', 'x/b50%/c', None)
    """
    tokens = list(to_line(line).tokens)
    place = spot.find(line)
    while place.kind == EdgeKind.NODE:
        street = spot.tree.streets[place.level]
        calm = [
            edge
            for edge in street.edges_of(place.node)
            if street.action[edge] in (ActionKind.CHECK, ActionKind.CALL)
        ]
        if not calm:
            return None
        tokens.append(Action(ActionKind(int(street.action[calm[0]]))))
        place = spot.find(Line(tuple(tokens)))
    return Line(tuple(tokens)) if place.kind in (EdgeKind.NEXT_STREET, EdgeKind.ALLIN) else None


def first_choice(spot: Spot, line: LineLike = "") -> Line:
    """The line up to the first decision with two actions: forced ones are taken.

    Examples
    --------
    >>> spot = Spot("Td9d6h", "66+", "QQ-22", pot=200, stack=900, donk="", aggressor="ip")
    >>> str(first_choice(spot)), str(first_choice(spot, "x/b50%/c")), str(first_choice(spot, "x/x"))
    ('x', 'x/b50%/c/x', 'x/x')
    """
    found = to_line(line)
    while True:
        place = _decision(spot, found)
        labels = spot.tree.streets[place.level].labels(place.node)
        if place.kind != EdgeKind.NODE or len(labels) > 1:
            return found
        found = Line((*found.tokens, *Line.parse(labels[0]).tokens))


def card_line(spot: Spot, line: LineLike, cards: int = 0) -> str:
    """A line with ``(card)`` in the place of each card that it leaves out.

    At its end stand as many more as `cards` names, where that is more.

    Examples
    --------
    >>> spot = Spot("Td9d6h", "66+", "QQ-22", pot=200, stack=900)
    >>> card_line(spot, "x/b50%/c/x"), card_line(spot, "x/x"), card_line(spot, "a/c", 2)
    ('x/b50%/c/(card)/x', 'x/x/(card)', 'a/c/(card)/(card)')
    """
    known: list[Token] = []
    parts: list[str] = []
    for token in (*to_line(line).tokens, None):
        comes = spot.find(Line(tuple(known))).kind == EdgeKind.NEXT_STREET
        if comes and not isinstance(token, int):
            parts.append("(card)")
        if token is not None:
            known.append(token)
            parts.append(str(Line((token,))))
    parts += ["(card)"] * max(cards - parts.count("(card)"), 0)
    return "/".join(parts)


def name_sizes(spot: Spot, line: LineLike, text: str) -> str:
    """The text with sizes in percent as the actions at a line are called: ``b50%`` as ``b100``.

    Examples
    --------
    >>> spot = Spot("Td9d6h", "66+", "QQ-22", pot=200, stack=900)
    >>> name_sizes(spot, "x", "b50% > 30% and ev < 20"), name_sizes(spot, "x/x", "b50%_ev asc")
    ('b100 > 30% and ev < 20', 'b100_ev asc')
    >>> name_sizes(spot, "x", "b33%")
    Traceback (most recent call last):
    ValueError: 'b33%': no such action; possible: x, b100, a
    """

    def named(found: re.Match[str]) -> str:
        place = _decision(spot, to_line(line))
        if place.kind != EdgeKind.NODE:
            raise ValueError(f"{found[0]!r}: nobody acts there")
        street = spot.tree.streets[place.level]
        choices = [
            (int(street.action[edge]), int(street.amount[edge]))
            for edge in street.edges_of(place.node)
        ]
        (action,) = Line.parse(found[0].lower()).actions
        situation = spot.tree.situation(place.level, place.node)
        number = match_action(action, situation, choices, spot.tree.units)
        labels = street.labels(place.node)
        if number is None:
            possible = ", ".join(labels)
            raise ValueError(f"{shorten(found[0])!r}: no such action; possible: {possible}")
        return labels[number]

    return _PERCENT.sub(named, text)


def _decision(spot: Spot, line: Line) -> Place:
    """Where a line leads, past a card that comes there."""
    place = spot.find(line)
    return spot.tree.deal(place, -1) if place.kind == EdgeKind.NEXT_STREET else place

"""Choosing among many hands: filters, order, rows for lists, and statistics of what was chosen."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from pokerlab.arena.logs.hand_index import SHOWDOWN, HandIndex
from pokerlab.arena.logs.histories import POTS, HandFilter
from pokerlab.arena.logs.statistics import PlayStatistics, WonTotals
from pokerlab.cards.codes import COMBO_CARDS, format_cards
from pokerlab.cards.hand_classes import CLASS_OF_COMBO
from pokerlab.cards.ranges.range import Range
from pokerlab.holdem.spots.question.preflop_story import POSITIONS
from pokerlab.runtime.arrays import AnyArray, Bools
from pokerlab.runtime.errors import shorten

REACHED = ("before the flop", "flop", "turn", "river", "showdown")
RESULTS = ("won", "lost", "even")
ORDERS = (
    "place",
    "when",
    "players",
    "stakes",
    "position",
    "cards",
    "kind",
    "pot",
    "reached",
    "won",
)
"""What hands can be sorted by."""
_MOST_BB = 1e9
_OWN = ("position", "cards", "result")
_DIGITS = re.compile(r"[0-9]{1,24}")
_DATE = re.compile(r"(\d{4})(?:-(\d\d))?(?:-(\d\d))?")


@dataclass(frozen=True)
class HandQuery:
    """Which hands, in which order; an empty text stands for any.

    Attributes
    ----------
    player
        Only hands of this player; needed for `position`, `cards` and `result`.
    position
        Of the player, such as ``BTN``.
    cards
        Range of the player's cards, as text.
    result
        One of `RESULTS`.
    pot, stakes, seats
        As `pokerlab.arena.logs.histories.HandFilter.parse` takes them.
    flop
        Hands in which the player saw the flop; without a player, two or more.
    two
        Hands in which two players saw the flop: those make spots.
    reached
        The street on which the hand ended, one of `REACHED`.
    least, most
        The pot, in big blinds.
    text
        The beginning of the hand's number, or of its date as 2024-01-02.
    order, descending
        One of `ORDERS`.

    Examples
    --------
    >>> HandQuery.of({"position": "XX", "player": "ann"})
    Traceback (most recent call last):
    ValueError: position: 'XX' is not one of UTG, UTG1, UTG2, LJ, HJ, CO, BTN, SB, BB
    """

    player: str = ""
    position: str = ""
    cards: str = ""
    result: str = ""
    pot: str = ""
    stakes: str = ""
    seats: str = ""
    flop: bool = False
    two: bool = False
    reached: str = ""
    least: float = 0.0
    most: float = _MOST_BB
    text: str = ""
    order: str = "place"
    descending: bool = False

    @classmethod
    def of(cls, asked: Mapping[str, str]) -> HandQuery:
        """Read the texts of a form; `ValueError` names the field that is wrong first."""
        values: dict[str, Any] = {}
        for each in fields(cls):
            text = asked.get(each.name, "").strip()
            if not text:
                continue
            if each.type == "bool":
                values[each.name] = text in ("1", "true", "yes")
            elif each.type == "float":
                try:
                    values[each.name] = float(text[:20])
                except ValueError:
                    values[each.name] = -1.0
                if not 0 <= values[each.name] <= _MOST_BB:
                    raise ValueError(f"{each.name}: {shorten(text)!r} is not a pot in big blinds")
            else:
                values[each.name] = text[:500]
        found = cls(**values)
        for name, accepted in (
            ("position", POSITIONS),
            ("result", RESULTS),
            ("reached", REACHED),
            ("order", ORDERS),
        ):
            value = getattr(found, name)
            if value and value not in accepted:
                raise ValueError(f"{name}: {shorten(value)!r} is not one of {', '.join(accepted)}")
        for name in _OWN:
            if getattr(found, name) and not found.player:
                raise ValueError(f"{name}: whose? choose a player")
        found.filter()
        if found.cards:
            try:
                Range(found.cards)
            except ValueError as error:
                raise ValueError(f"cards: {error}") from None
        if found.text and not (_DIGITS.fullmatch(found.text) or _DATE.fullmatch(found.text)):
            raise ValueError(
                f"text: {shorten(found.text)!r} is not a number of a hand, nor a date as 2024-01-02"
            )
        return found

    def filter(self) -> HandFilter:
        """The part that hands are counted by, too."""
        return HandFilter.parse(self.stakes or None, self.seats or None, self.pot or None)


def select(index: HandIndex, query: HandQuery) -> AnyArray:
    """The rows of hands that fit, in the order of the query."""
    hands, plays = index.hands, index.plays
    chosen = _by_filter(index, query.filter())
    own = own_plays(index, query.player)
    if query.player:
        chosen &= own >= 0
        position, cards, reached, won = (
            plays[name][own] for name in ("position", "cards", "reached", "won")
        )
        if query.position:
            chosen &= position == POSITIONS.index(query.position)
        if query.cards:
            chosen &= (cards >= 0) & (Range(query.cards).weights > 0)[cards]
        if query.flop:
            chosen &= reached > 0
        if query.result:
            with np.errstate(invalid="ignore"):
                sign = np.sign(np.where(np.abs(won) < 1e-6, 0.0, won))
            chosen &= sign == {"won": 1, "lost": -1, "even": 0}[query.result]
    elif query.flop:
        chosen &= hands["flop"] >= 2
    if query.two:
        chosen &= hands["flop"] == 2
    if query.reached:
        chosen &= hands["reached"] == REACHED.index(query.reached)
    chosen &= (hands["pot"] >= query.least) & (hands["pot"] <= query.most)
    if query.text:
        chosen &= _by_text(index, query.text)
    rows = np.flatnonzero(chosen)
    keys = _order_keys(index, query, own)[rows]
    unknown = np.isnan(keys)
    keys = np.where(unknown, np.inf, -keys if query.descending else keys)
    return rows[np.argsort(keys, kind="stable")]


def own_plays(index: HandIndex, player: str) -> AnyArray:
    """The row of a player in each hand; −1 where they do not play."""
    own = np.full(len(index), -1)
    if player in index.names:
        rows = np.flatnonzero(index.plays["player"] == index.names.index(player))
        own[index.hand_of_play[rows]] = rows
    return own


def _by_filter(index: HandIndex, chosen: HandFilter) -> Bools:
    hands = index.hands
    fits = (hands["players"] >= chosen.seats[0]) & (hands["players"] <= chosen.seats[1])
    if chosen.raises is not None:
        fits &= hands["raises"] == chosen.raises
    if chosen.stakes:
        stakes = np.zeros(len(index), bool)
        for small, big in chosen.stakes:
            here = np.abs(hands["big"] - float(big)) < 1e-9
            if small is not None:
                here &= np.abs(hands["small"] - float(small)) < 1e-9
            stakes |= here
        fits &= stakes
    return fits


def _by_text(index: HandIndex, text: str) -> Bools:
    numbers = index.hands["number"]
    wanted = np.frombuffer(text.encode(), np.uint8)
    fits = np.asarray((numbers[:, : len(wanted)] == wanted).all(axis=1))
    date = _DATE.fullmatch(text)
    if date is not None:
        digits = "".join(part for part in date.groups() if part)
        fits |= index.hands["when"] // 10 ** (12 - len(digits)) == int(digits)
    return fits


def _order_keys(index: HandIndex, query: HandQuery, own: AnyArray) -> AnyArray:
    hands, order = index.hands, query.order
    if order in ("pot", "players", "reached"):
        return hands[order].astype(float)
    if order == "when":
        return np.where(hands["when"] > 0, hands["when"], np.nan)
    if order == "stakes":
        return hands["big"] + 1e-6 * hands["small"]
    if order == "kind":
        return hands["raises"].astype(float)
    if order in ("position", "cards", "won"):
        if not query.player:
            return np.full(len(index), np.nan)
        values = index.plays[order][own].astype(float)
        if order == "cards":
            combos = index.plays["cards"][own]
            values = np.where(combos >= 0, CLASS_OF_COMBO[combos], np.nan)
        return np.where(own >= 0, values, np.nan)
    return np.arange(len(index), dtype=float)


def rows_of(index: HandIndex, rows: AnyArray, player: str = "") -> list[dict[str, Any]]:
    """Hands of a list, as JSON."""
    hands, own = index.hands, own_plays(index, player)
    found = []
    for row in rows.tolist():
        mine = int(own[row])
        plays = {name: column[mine].item() for name, column in index.plays.items()}
        board = hands["board"][row]
        number = hands["number"][row].tobytes().rstrip(b"\0").decode("ascii", "replace")
        known = mine >= 0
        found.append(
            {
                "file": int(hands["file"][row]),
                "place": int(hands["place"][row]),
                "number": number,
                "when": when_text(int(hands["when"][row])),
                "players": int(hands["players"][row]),
                "stakes": f"{hands['small'][row]:g}/{hands['big'][row]:g}",
                "kind": POTS[min(int(hands["raises"][row]), len(POTS) - 1)],
                "pot": round(float(hands["pot"][row]), 2),
                "reached": REACHED[int(hands["reached"][row])],
                "two": int(hands["flop"][row]) == 2,
                "board": format_cards(board[board >= 0].tolist()),
                "position": POSITIONS[plays["position"]] if known else None,
                "cards": _combo(plays["cards"]) if known else "",
                "won": None if not known else round(plays["won"], 2),
            }
        )
    return found


def _combo(combo: int) -> str:
    return format_cards(COMBO_CARDS[combo].tolist()) if combo >= 0 else ""


def when_text(when: int) -> str:
    """The minute of a hand for people; empty if it is not known.

    Examples
    --------
    >>> when_text(202401020304), when_text(0)
    ('2024-01-02 03:04', '')
    """
    text = f"{when:012}"
    return f"{text[:4]}-{text[4:6]}-{text[6:8]} {text[8:10]}:{text[10:]}" if when else ""


def totals(index: HandIndex, rows: AnyArray, player: str) -> dict[str, Any]:
    """How many hands were chosen, and what a player won in them."""
    found: dict[str, Any] = {"hands": len(rows)}
    if player:
        won = index.plays["won"][own_plays(index, player)[rows]]
        known = won[~np.isnan(won)]
        found["known"] = len(known)
        found["won"] = float(known.sum(dtype=float))
        found["per_hundred"] = 100 * float(known.mean(dtype=float)) if len(known) else None
    return found


def played_statistics(
    index: HandIndex, rows: AnyArray | None = None, most: int = 200
) -> list[PlayStatistics]:
    """The statistics of the players of chosen hands, most hands first; winnings in big blinds.

    VPIP, PFR, aggression and showdowns; what is done by street, `pokerlab.arena.count_files`
    counts.
    """
    chosen = np.zeros(len(index), bool)
    chosen[slice(None) if rows is None else rows] = True
    plays = {name: column[chosen[index.hand_of_play]] for name, column in index.plays.items()}
    who, size = plays["player"], len(index.names)

    def summed(values: AnyArray | None = None) -> AnyArray:
        return np.bincount(who, values, minlength=size)

    shown = plays["reached"] == SHOWDOWN
    known = ~np.isnan(plays["won"])
    won = np.where(known, plays["won"], 0.0).astype(float)
    counts = {
        "hands": summed(),
        "entered": summed(plays["entered"]),
        "raised_first": summed(plays["raised"]),
        "bets": summed(plays["bets"]),
        "calls": summed(plays["calls"]),
        "showdowns": summed(shown),
        "showdowns_won": summed(shown & (won > 0)),
        "showdowns_hidden": summed(shown & ~known),
    }
    results = summed(known), summed(won), summed(won**2)
    order = np.argsort(-counts["hands"], kind="stable")[:most]
    found = []
    for row in order.tolist():
        facts: dict[str, Any] = {name: int(column[row]) for name, column in counts.items()}
        if not facts["hands"]:
            break
        known_hands, total, squares = (float(column[row]) for column in results)
        winnings = WonTotals(int(known_hands), total, squares)
        found.append(PlayStatistics(index.names[row], winnings=winnings, **facts))
    return found

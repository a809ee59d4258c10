"""Range text: the way players and their tools write down which hands they hold.

A text is a list of *items*, separated by commas, semicolons, blanks or line ends. Items are
read from left to right, and an item that names a combo again replaces its weight, so
``A2s+, A7s:0.5`` is every suited ace, A7s half of the time, and ``random, AA:0`` is everything
but aces. No items at all is the empty range. Case does not matter, ten is ``T`` or ``10``, and
the two ranks of a hand may stand in either order.

============================  ===================================================================
``AA``                        a pair: 6 combos
``AKs``, ``AKo``, ``AK``      suited (4 combos), offsuit (12), both (16)
``AhKd``, ``A♥K♦``            one combo
``77+``                       this pair and all higher ones
``A5s+``, ``KTo+``, ``QT+``   the kicker rises to one below the high card: QT+ is QT and QJ
``QQ-22``, ``22-QQ``          a span of pairs, in either direction
``A5s-A2s``, ``AQ-AT``        a span of kickers of one high card
``JTs-54s``, ``K9o-T6o``      both ranks step down together, the gap between them stays
``random``, ``any``           all 1,326 combos
``20%``, ``top 20%``          the best hands: whole classes, best first, as long as all of them
                              together hold at most 20% of the combos; the order is the exact
                              equity against one random hand before the flop
``AKs:0.5``, ``77+:0.25``     any item with a weight from 0 to 1 (PioSOLVER); without one it is 1
``AKs 0.5``, ``AA 1``         the same, the weight after a blank
``[50]AA,KK[/50]``            a weight in percent for the items between the brackets, which then
                              carry no weight of their own (Equilab, GTO+)
``2d2c: 1,2h2c: 0.5``         weights of single combos (GTO Wizard)
============================  ===================================================================

In place of items a text may be a list of 1,326 weights, one for each combo from 2d2c to AsAh, as
PioSOLVER writes them (`pokerlab.cards.ranges.pasted`).

Blanks around ``-``, ``:`` and ``%`` are allowed; digits of other alphabets are not. Anything else
is a `ValueError` that says which item is wrong and why.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from pokerlab.cards.codes import N_COMBOS, RANKS, combo_index, parse_cards
from pokerlab.cards.hand_classes import class_combos, class_number, top_classes
from pokerlab.cards.ranges.pasted import parse_weights
from pokerlab.runtime.arrays import Floats, Indices
from pokerlab.runtime.errors import shorten

MAX_LENGTH = 100_000
"""Characters of a range text: three times the longest that names each combo with its weight."""


_NUMBER = r"(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:e[+-]?[0-9]{1,4})?"
_RANK = r"(?:10|[2-9TJQKA])"
_HAND = rf"{_RANK}{_RANK}[SO]?"
_CARD = rf"{_RANK}[CDHS♣♦♥♠♧♢♡♤]\ufe0f?"
_FLAGS = re.IGNORECASE | re.ASCII  # ASCII: no Kelvin sign for K, no long s for s

_BETWEEN = re.compile(r"[\s,;\u00a0]*", _FLAGS)
_SELECTION = re.compile(
    rf"""(?:top\s*)?(?P<percent>{_NUMBER})\s*%
       | (?P<everything>random|any)
       | (?P<combo>{_CARD}{_CARD})
       | (?P<hand>{_HAND}) (?:(?P<plus>\+) | \s*[-–−]\s*(?P<last>{_HAND}))?""",
    _FLAGS | re.VERBOSE,
)
_WEIGHT = re.compile(
    r"\s*:\s*(?P<weight>[^\s,;:\[\]]*)"
    # After a blank only what cannot be an item of its own: 10 begins a hand, 1% is a share.
    r"|[ \t]+(?P<spaced>0(?:\.[0-9]*)?|1(?:\.0*)?|\.[0-9]+)(?=[\s,;\u00a0\[]|$)(?!\s*%)",
    _FLAGS,
)
_ITEM_ENDS = re.compile(r"[\s,;\u00a0\[]|$", _FLAGS)
_BRACKET = re.compile(r"\[(?P<closes>/?)(?P<percent>[^\[\]]*)\]", _FLAGS)
_CHUNK = re.compile(r"[^\s,;\u00a0]+", _FLAGS)
_PLAIN_NUMBER = re.compile(_NUMBER, _FLAGS)

_ACCEPTED = "accepted: AA, AKs, AKo, AK, AhKd, 77+, A5s-A2s, JTs-54s, 20%, random, AKs:0.5"


def parse_range(text: str) -> Floats:
    """Read the weights of the 1,326 combos; the module has the grammar.

    Examples
    --------
    >>> float(parse_range("QQ+, AKs:0.5").sum())
    20.0
    >>> parse_range("QQ+, AKx")
    Traceback (most recent call last):
    ValueError: bad range item 2 'AKx' (character 6): after AK stands 'x', not s, o, + or -; ...
    """
    if len(text) > MAX_LENGTH:
        raise ValueError(
            f"bad range {shorten(text, 40)!r}: it has {len(text):,} characters, {MAX_LENGTH:,} are"
            " accepted"
        )
    listed = parse_weights(text)
    if listed is not None:
        return listed
    weights = np.zeros(N_COMBOS)
    for combos, weight in _items(text):
        weights[combos] = weight
    return weights


def _items(text: str) -> Iterator[tuple[Indices, float]]:
    """Give the combos and the weight of every item."""
    count = 1
    bracket: str | None = None
    bracket_weight = 1.0
    position = _skip(text, 0)
    while position < len(text):
        if text[position] == "[":
            found = _BRACKET.match(text, position)
            if found is None:
                raise _bad_item(text, position, count, "a bracket is written [50]AA,KK[/50]")
            try:
                bracket, bracket_weight = _bracket_state(found, bracket)
            except ValueError as error:
                raise _bad_item(text, position, count, str(error), found.end()) from None
            position = _skip(text, found.end())
            continue
        try:
            combos, weight, end = _item(text, position)
        except ValueError as error:
            raise _bad_item(text, position, count, str(error)) from None
        if weight is not None and bracket is not None:
            why = f"it has a weight of its own between [{bracket}] and [/{bracket}]"
            raise _bad_item(text, position, count, why, end)
        yield combos, bracket_weight if weight is None else weight
        position = _skip(text, end)
        count += 1
    if bracket is not None:
        shown = shorten(bracket, 40)
        raise ValueError(f"bad range: [{shown}] is never closed; write [{shown}]AA,KK[/{shown}]")


def _item(text: str, position: int) -> tuple[Indices, float | None, int]:
    """Give the combos and the weight, if any, of the item at `position`, and where it ends."""
    found = _SELECTION.match(text, position)
    if found is None:
        raise ValueError(_complaint(text, position))
    end = found.end()
    weighted = _WEIGHT.match(text, end)
    if weighted is not None:
        end = weighted.end()
    if not _ITEM_ENDS.match(text, end):
        raise ValueError(_unexpected(text[position:end], text[end]))
    weight = None if weighted is None else _weight(weighted["weight"] or weighted["spaced"] or "")
    if found["hand"] is not None:
        combos = _hands(found["hand"], found["plus"] is not None, found["last"])
    elif found["combo"] is not None:
        combos = _combo(found["combo"])
    elif found["percent"] is not None:
        combos = _top(found["percent"])
    else:
        combos = np.arange(N_COMBOS)
    return combos, weight, end


@lru_cache(maxsize=2048)
def _hands(hand: str, plus: bool, last: str | None) -> Indices:
    high, low, kind = _ranks_and_kind(hand)
    if plus:
        # Pairs rise to aces, kickers to one below the high card.
        steps = range(13 - high) if high == low else range(high - low)
        ranks = [(high + step if high == low else high, low + step) for step in steps]
    elif last is None:
        ranks = [(high, low)]
    else:
        ranks = _span(hand, last)
    numbers = []
    for upper, lower in ranks:
        if upper == lower or kind != "s":
            numbers.append(class_number(upper, lower))
        if upper != lower and kind != "o":
            numbers.append(class_number(upper, lower, suited=True))
    return np.concatenate([class_combos()[number] for number in numbers])


def _span(hand: str, last: str) -> list[tuple[int, int]]:
    """Give the ranks of all hands from `hand` to `last`."""
    (high, low, kind), (last_high, last_low, last_kind) = map(_ranks_and_kind, (hand, last))
    if kind != last_kind:
        raise ValueError(
            "both ends of a span must be pairs, or both suited (A5s-A2s), "
            "or both offsuit (A5o-A2o), or both without a letter (A5-A2)"
        )
    if high - low == last_high - last_low:
        steps = range(min(high, last_high), max(high, last_high) + 1)
        return [(step, step - (high - low)) for step in steps]
    if high == last_high and last_low < last_high:
        return [(high, kicker) for kicker in range(min(low, last_low), max(low, last_low) + 1)]
    raise ValueError(
        "a span runs over pairs (QQ-22), over the kickers of one high card (A5s-A2s), "
        "or over hands of one gap (JTs-54s)"
    )


def _ranks_and_kind(hand: str) -> tuple[int, int, str]:
    """Give the higher rank, the lower one, and ``s``, ``o``, ``pair`` or nothing for both."""
    text = hand.upper().replace("10", "T")
    first, second = RANKS.index(text[0]), RANKS.index(text[1])
    kind = text[2:].lower()
    if first == second:
        if kind:
            raise ValueError(f"a pair is neither suited nor offsuit; write {text[:2]}")
        kind = "pair"
    return max(first, second), min(first, second), kind


@lru_cache(maxsize=2048)
def _combo(text: str) -> Indices:
    return np.array([combo_index(*parse_cards(text))])


@lru_cache(maxsize=64)
def _top(text: str) -> Indices:
    percent = float(text)
    if percent > 100:
        raise ValueError("a share lies between 0% and 100%")
    numbers = top_classes(percent)
    if not numbers:
        return np.arange(0)
    return np.concatenate([class_combos()[number] for number in numbers])


def _weight(text: str) -> float:
    if not _PLAIN_NUMBER.fullmatch(text):
        raise ValueError(
            f"{shorten(text, 40)!r} is not a weight; write a number from 0 to 1: AKs:0.5"
        )
    weight = float(text)
    if weight > 1:
        shown = shorten(text, 40)
        why = f"weight {shown} is outside 0 to 1"
        if weight <= 100:
            why += f"; {shown}% is {weight / 100:g}, or [{shown}]AKs[/{shown}]"
        raise ValueError(why)
    return weight


def _bracket_state(found: re.Match[str], opened: str | None) -> tuple[str | None, float]:
    """Give the bracket that is open after `found`, and the weight of the items that follow."""
    percent = found["percent"].strip()
    if not _PLAIN_NUMBER.fullmatch(percent):
        raise ValueError(f"{shorten(percent, 40)!r} is not a percentage; write [50]AA,KK[/50]")
    weight = _hundredth(percent)
    if found["closes"]:
        if opened is None:
            raise ValueError("nothing is open here; write [50]AA,KK[/50]")
        if weight != _hundredth(opened):
            raise ValueError(f"[{shorten(opened, 40)}] is open here and must be closed first")
        return None, 1.0
    if opened is not None:
        raise ValueError(f"[{shorten(opened, 40)}] is still open; close it before the next bracket")
    if weight > 1:
        raise ValueError("a percentage in brackets lies between 0 and 100")
    return percent, weight


def _hundredth(percent: str) -> float:
    """Move the decimal point in the text, so that [12.3] is exactly the weight 0.123."""
    digits, _, exponent = percent.lower().partition("e")
    return float(f"{digits}e{int(exponent or 0) - 2}")


def _complaint(text: str, position: int) -> str:
    """Say what is wrong with an item that begins like none of the accepted ones."""
    found = _CHUNK.match(text, position)
    chunk = text[position] if found is None else found.group()
    if chunk[:3].lower() == "top":
        return "after 'top' comes a percentage: top 20%"
    if re.fullmatch(rf"(?!10$){_NUMBER}", chunk, _FLAGS):
        return f"a number is no hand; did you mean {shorten(chunk, 40)}%?"
    if re.fullmatch(rf"{_RANK}O?|{_CARD}", chunk, _FLAGS):
        return f"a hand has two cards; {_ACCEPTED}"
    if re.match(_CARD, chunk, _FLAGS):
        return "after the first card comes a second one: AhKd"
    rank = re.match(_RANK, chunk, _FLAGS)
    if rank is not None:
        following = chunk[rank.end() : rank.end() + 1]
        return f"after {rank.group()} stands {following!r}, not a rank; {_ACCEPTED}"
    return f"{chunk[0]!r} is not a rank (2 to 9, T or 10, J, Q, K, A); {_ACCEPTED}"


def _unexpected(good: str, following: str) -> str:
    """Say what is wrong with the character that follows a good beginning."""
    if following in "-–−":
        return "a span has two ends: A5s-A2s"
    wanted = "s, o, + or -" if re.fullmatch(f"{_RANK}{_RANK}", good, _FLAGS) else "a comma or blank"
    return f"after {shorten(good, 40)} stands {following!r}, not {wanted}; {_ACCEPTED}"


def _skip(text: str, position: int) -> int:
    found = _BETWEEN.match(text, position)
    return position if found is None else found.end()


def _bad_item(text: str, position: int, count: int, why: str, end: int = 0) -> ValueError:
    """Name the item that begins at `position` and reaches to `end` or to the next separator."""
    if not end:
        end = position + 1
        for part in (_SELECTION, _WEIGHT):  # these may hold blanks
            found = part.match(text, position if part is _SELECTION else end)
            end = end if found is None else found.end()
        rest = _CHUNK.match(text, end)
        end = end if rest is None else rest.end()
    item = shorten(text[position:end], 40)
    return ValueError(f"bad range item {count} {item!r} (character {position + 1}): {why}")

"""Filters of hands on a board: made hands, draws and ranges in one text.

A text is a list of alternatives, separated by commas or semicolons. An alternative is one
condition or several that must all hold, joined by ``&``; ``!`` before a condition turns it around.
A condition is a made hand, a draw, a word for several of them, or a range:

=====================================  ===========================================================
``top-pair, flush-draw``               top pair, or a flush draw, or both
``top-pair & flush-draw``              both at once
``flush-draw & !overcards``            a flush draw without overcards
``set, AK, 76s & straight-draw``       sets, all A-K, and the suited 7-6 that have a straight draw
=====================================  ===========================================================

Case does not matter, and a name may be written with blanks in place of hyphens. A text without
names is a range text (see `pokerlab.cards.ranges.text`) and means what it means there.
"""

from __future__ import annotations

import re

import numpy as np

from pokerlab.cards.board_hands.draws import DRAW_FAMILIES, DRAWS, draws
from pokerlab.cards.board_hands.made_hands import MADE_HAND_FAMILIES, MADE_HANDS, made_hands
from pokerlab.cards.codes import COMBO_CARDS, N_COMBOS, Cards, to_cards
from pokerlab.cards.ranges.range import Range
from pokerlab.runtime.arrays import Bools
from pokerlab.runtime.errors import shorten

FILTER_NAMES: tuple[str, ...] = (*MADE_HANDS, *MADE_HAND_FAMILIES, *DRAWS, *DRAW_FAMILIES)
"""All names that a filter may use besides ranges."""

_LONGEST = 20_000
"""Characters of a filter: a range of all 1,326 combos with their weights has 15,000."""


def filter_hands(text: str, board: Cards = ()) -> Bools:
    """Which of the 1,326 combos a filter lets through on a board: shape (1326,).

    Combos that hold a card of the board never pass.

    Parameters
    ----------
    text
        The filter; the module says what it may hold.
    board
        Three to five cards. Without a board only ranges have a meaning.

    Examples
    --------
    >>> int(filter_hands("set, 76s & !flush-draw", "Kh7c2d").sum())
    12
    >>> filter_hands("top-par", "Kh7c2d")
    Traceback (most recent call last):
    ValueError: hands: 'top-par' is neither a made hand nor a draw (did you mean top-pair?) ...
    """
    if len(text) > _LONGEST:
        raise ValueError(
            f"hands: the filter has {len(text):,} characters; it must have at most {_LONGEST:,}"
        )
    cards = to_cards(board)
    passed = np.zeros(N_COMBOS, np.bool_)
    ranges: list[str] = []
    for alternative in re.split("[,;]", text):
        conditions = alternative.split("&")
        if len(conditions) == 1 and not _is_ours(alternative):
            # Range items may change one another's weights: they are read together.
            ranges.append(alternative)
            continue
        passed |= np.logical_and.reduce([_read_condition(each, cards) for each in conditions])
    if any(each.strip() for each in ranges):
        passed |= _read_range(",".join(each for each in ranges if each.strip()))
    return passed & ~np.isin(COMBO_CARDS, cards).any(axis=1)


def _is_ours(condition: str) -> bool:
    return "!" in condition or _plain_name(condition) in FILTER_NAMES


def _plain_name(text: str) -> str:
    return re.sub(r"[\s_]+", "-", text.strip().lower())


def _read_condition(text: str, board: tuple[int, ...]) -> Bools:
    condition = text.strip()
    turned = False
    while condition.startswith("!"):
        condition, turned = condition[1:].lstrip(), not turned
    passed = _read_plain_condition(condition, board)
    return ~passed if turned else passed


def _read_plain_condition(condition: str, board: tuple[int, ...]) -> Bools:
    """The hands that fulfil one condition without ``!``."""
    if not condition:
        raise ValueError(
            "hands: a condition is missing beside & or !, as in top-pair & !flush-draw"
        )
    name = _plain_name(condition)
    if name not in FILTER_NAMES:
        return _read_range(condition)
    if len(board) < 3:
        raise ValueError(f"hands: {name} needs a board of three to five cards")
    return _named(name, board)


def _named(name: str, board: tuple[int, ...]) -> Bools:
    if name in MADE_HANDS or name in MADE_HAND_FAMILIES:
        members = MADE_HAND_FAMILIES.get(name, (name,))
        return np.isin(made_hands(board), [MADE_HANDS.index(each) for each in members])
    return np.asarray(
        draws(board)[[DRAWS.index(each) for each in DRAW_FAMILIES.get(name, (name,))]].any(axis=0)
    )


def _read_range(text: str) -> Bools:
    try:
        return Range(text).weights > 0
    except ValueError as error:
        words = [_plain_name(each) for each in re.split("[,;]", text)]
        unknown = next((each for each in words if re.fullmatch("[a-z-]{4,}", each)), None)
        if unknown is None:
            names = "made hands and draws may be named too: set, top-pair, flush-draw, overcards, …"
            raise ValueError(f"hands: {error}; {names}") from None
        raise _unknown_name(unknown) from error


def _unknown_name(name: str) -> ValueError:
    from difflib import get_close_matches

    close = get_close_matches(name, FILTER_NAMES, 1)
    hint = f" (did you mean {close[0]}?)" if close else ""
    return ValueError(
        f"hands: {shorten(name)!r} is neither a made hand nor a draw{hint} nor a range; "
        "accepted: top-pair, flush-draw, AK, QQ+, joined by , & and !"
    )

"""Cards and the 169 classes of hands as notebooks show them: in HTML and SVG."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from pokerlab.cards.codes import RANKS, SUIT_SYMBOLS, Cards, format_cards, to_cards
from pokerlab.cards.hand_classes import CLASS_NAMES, CLASS_OF_COMBO, GRID
from pokerlab.runtime.arrays import Floats
from pokerlab.views.pictures.grids import heat_svg, matrix_svg
from pokerlab.views.pictures.palette import action_colours
from pokerlab.views.pictures.tables import Markup, number_text, percent_text

SUIT_COLOURS: Final = ("#3c9a4e", "#3d7fd9", "#d9424b", "currentColor")
"""Clubs, diamonds, hearts and spades; all can be read on white and on black."""


def cards_html(cards: Cards) -> Markup:
    """Cards with the symbols of their suits in four colours.

    Examples
    --------
    >>> cards_html("Ah").count("♥"), len(cards_html(""))
    (1, 0)
    """
    return Markup(
        " ".join(
            f'<span style="color:{SUIT_COLOURS[card & 3]}">{RANKS[card >> 2]}'
            f"{SUIT_SYMBOLS[card & 3]}</span>"
            for card in to_cards(cards)
        )
    )


def class_shares(weights: Floats, strategy: Floats) -> tuple[Floats, Floats]:
    """How often each class of hands does what, and how likely it is to arrive.

    Parameters
    ----------
    weights
        (1326,): how likely each combo arrives.
    strategy
        (actions, 1326): what it does; NaN where it cannot be there.

    Returns
    -------
    tuple
        (actions, 169), the shares of each class, and (169,), the mean weight of those of its
        combos that arrive at all.
    """
    cells = GRID * GRID
    possible = np.bincount(CLASS_OF_COMBO, weights > 0, cells)
    arriving = np.bincount(CLASS_OF_COMBO, weights, cells)
    played = np.array(
        [np.bincount(CLASS_OF_COMBO, weights * np.nan_to_num(row), cells) for row in strategy]
    )
    return played / np.where(arriving > 0, arriving, 1), arriving / np.maximum(possible, 1)


def strategy_svg(
    actions: Sequence[str],
    shares: Floats,
    weights: Floats,
    evs: Floats | None = None,
    *,
    label: str,
) -> str:
    """The 13×13 matrix of a decision: bars for each action, as high as the hand is likely.

    Parameters
    ----------
    actions
        What may be done.
    shares
        (actions, 169): how often each class does what.
    weights
        (169,): how likely it arrives; the largest fills its cell.
    evs
        (169,): what it is worth, written into the cell.
    label
        What the picture shows, for those who do not see it.

    Examples
    --------
    >>> picture = strategy_svg(["x", "a"], np.full((2, 169), 0.5), np.ones(169), label="even")
    >>> "AKs 100.0%: x 50.0%, a 50.0%" in picture, len(picture) < 60_000
    (True, True)
    """
    by_class = shares.T.tolist()
    titles, notes = [], []
    for number, name in enumerate(CLASS_NAMES):
        if not weights[number] > 0:
            titles.append("")
            notes.append("")
            continue
        plays = zip(actions, by_class[number], strict=True)
        title = f"{name} {percent_text(float(weights[number]))}: " + ", ".join(
            f"{action} {percent_text(share)}" for action, share in plays
        )
        note = "" if evs is None else number_text(float(evs[number]), 1)
        titles.append(
            f"{title}, EV {number_text(float(evs[number]))}" if evs is not None else title
        )
        notes.append(note if note != "–" else "")
    return matrix_svg(
        CLASS_NAMES,
        shares.tolist(),
        (weights / max(float(weights.max()), 1e-300)).tolist(),
        action_colours(actions),
        label=label,
        notes=notes,
        titles=titles,
    )


def card_map_svg(numbers: dict[int, float | None], *, label: str, percent: bool = False) -> str:
    """A number for each card that may come, as a heat map with a row for each suit.

    Examples
    --------
    >>> card_map_svg({51: 0.5, 50: 0.25}, label="equity", percent=True).count("<rect")
    2
    """
    suits = range(3, -1, -1)
    ranks = range(len(RANKS) - 1, -1, -1)
    grid = [[numbers.get(4 * rank + suit) for rank in ranks] for suit in suits]

    def text(number: float | None) -> str:
        if number is None:
            return ""
        return f"{100 * number:.0f}" if percent else number_text(number, int(abs(number) < 100))

    return heat_svg(
        grid,
        [[text(number) for number in row] for row in grid],
        label=label,
        rows=[SUIT_SYMBOLS[suit] for suit in suits],
        columns=[RANKS[rank] for rank in ranks],
        row_colours=[SUIT_COLOURS[suit] for suit in suits],
        titles=[
            ""
            if (number := numbers.get(4 * rank + suit)) is None
            else f"{format_cards([4 * rank + suit])} "
            + (percent_text(number) if percent else number_text(number))
            for suit in suits
            for rank in ranks
        ],
    )

"""What a rule may ask about a hand: made hand, draw, strength within the range, blockers."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pokerlab.cards.board_hands.draws import DRAW_FAMILIES, DRAWS, draws
from pokerlab.cards.board_hands.made_hands import MADE_HANDS, made_hands
from pokerlab.cards.codes import COMBO_CARDS, RANKS, SUITS
from pokerlab.cards.isomorphism.suits import symmetries
from pokerlab.runtime.arrays import Bools, Floats

_TOPS = tuple(range(5, 100, 5))
"""In percent of the range."""

_SAME = 1e-6
"""Equities that differ by less are equal."""


class HandCondition(NamedTuple):
    """What a hand fulfils or not.

    Attributes
    ----------
    kind
        ``made`` (the made hand or a better one), ``draw``, ``top`` (among the strongest, in percent
        of the range), ``rank`` and ``suit`` (the hand holds such a card).
    value
        Which: ``top-pair-good-kicker``, ``flush-draw``, ``20``, ``A``, ``h``.
    """

    kind: str
    value: str

    def __str__(self) -> str:
        return f"{self.kind} {self.value}"

    def implies(self, other: HandCondition) -> bool:
        """Whether who fulfils this one fulfils the other one, too.

        Examples
        --------
        >>> HandCondition("top", "5").implies(HandCondition("top", "20"))
        True
        >>> HandCondition("made", "set").implies(HandCondition("made", "overpair"))
        True
        """
        if self.kind != other.kind:
            return False
        if self.kind == "made":
            return MADE_HANDS.index(self.value) <= MADE_HANDS.index(other.value)
        if self.kind == "top":
            return int(self.value) <= int(other.value)
        return self == other


def hand_conditions(
    board: tuple[int, ...], ranges: Floats, weights: Floats, equity: Floats
) -> list[tuple[HandCondition, Bools]]:
    """All conditions that part the hands of a range, with the combos (1326) that fulfil them.

    Parameters
    ----------
    board
        The cards on the table.
    ranges
        (players, 1326): suits that a permutation exchanges without changing these are not asked
        for.
    weights, equity
        (1326,): how likely each hand is, and its equity.

    Examples
    --------
    >>> from pokerlab.cards import Range
    >>> from pokerlab.cards.codes import parse_cards
    >>> weights = Range("AA, 9s9h, 6s5s").weights
    >>> found = hand_conditions(parse_cards("KsTs7d4c2h"), weights[None], weights, weights * 0)
    >>> [str(each) for each, _ in found if each.kind == "made"]
    ['made overpair', 'made pair-below-second']
    """
    found: list[tuple[HandCondition, Bools]] = []
    made = made_hands(board)
    for number, name in enumerate(MADE_HANDS):
        if (weights[made == number] > 0).any():
            found.append((HandCondition("made", name), (made >= 0) & (made <= number)))
    drawing = draws(board)
    families = {name: (name,) for name in DRAWS[:-1]} | DRAW_FAMILIES
    for name, members in families.items():
        has = drawing[[DRAWS.index(each) for each in members]]
        found.append((HandCondition("draw", name), np.asarray(has.any(axis=0))))
    found += _tops(weights, equity)
    for rank in reversed(range(len(RANKS))):
        held = np.isin(COMBO_CARDS >> 2, rank)
        found.append((HandCondition("rank", RANKS[rank]), np.asarray(held.any(axis=1))))
    group = symmetries(board, ranges)
    for suit in range(4):
        if (group[:, suit] == suit).all():
            held = np.isin(COMBO_CARDS & 3, suit)
            found.append((HandCondition("suit", SUITS[suit]), np.asarray(held.any(axis=1))))
    there = weights > 0
    return [
        (condition, holds)
        for condition, holds in found
        if holds[there].any() and not holds[there].all()
    ]


def _tops(weights: Floats, equity: Floats) -> list[tuple[HandCondition, Bools]]:
    """Shares of the range by equity."""
    known = np.flatnonzero((weights > 0) & ~np.isnan(equity))
    order = known[np.argsort(-equity[known], kind="stable")]
    above = np.cumsum(weights[order]) / max(weights[known].sum(), 1e-300)
    found = []
    for percent in _TOPS:
        last = min(int(np.searchsorted(above, percent / 100)), len(order) - 1)
        holds = np.nan_to_num(equity, nan=-1.0) >= equity[order[last]] - _SAME
        found.append((HandCondition("top", str(percent)), holds))
    return found

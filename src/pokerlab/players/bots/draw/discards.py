"""Which cards to throw away at a draw: every way, over every possible replacement.

The measure is the one of a hand's strength: ``1 − class / 7462``, 1 for the best hand and 0 for
the worst, and for a draw its mean over all replacements from the cards that the player has not
seen. There are 32 ways to keep cards of five, and 2,598,960 hands to weigh; see
`pokerlab.players.bots.draw.discard_kernels` for how it takes a fraction of a millisecond.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import comb

import numpy as np

from pokerlab.cards.codes import N_COMBOS, Cards, format_cards, to_cards
from pokerlab.cards.evaluator import tables as evaluator_tables
from pokerlab.cards.evaluator.evaluation import evaluate_cards
from pokerlab.cards.evaluator.hand_names import N_CLASSES
from pokerlab.runtime.arrays import Int64s

HAND_SIZE = 5


@dataclass(frozen=True, slots=True)
class Discard:
    """One way to draw.

    Attributes
    ----------
    thrown
        The cards to throw away, lowest first; none to stand pat.
    mean
        The mean strength of the hand afterwards, 0 to 1.
    hands
        How many replacements there are.
    """

    thrown: tuple[int, ...]
    mean: float
    hands: int

    @property
    def action(self) -> str:
        """The draw as an action of the game: ``d2c7h``."""
        return "d" + format_cards(self.thrown)


def strength(hand: Cards) -> float:
    """How good a hand of five cards is: 1 − class / 7462.

    Examples
    --------
    >>> round(strength("AsKsQsJsTs"), 5), strength("2c3d4h5s7c")
    (0.99987, 0.0)
    """
    return 1.0 - evaluate_cards(_five_cards(hand)) / N_CLASSES


def rank_discards(hand: Cards, dead: Cards = "") -> tuple[Discard, ...]:
    """All 32 ways to draw, the best mean first; of equal ones, the one that throws fewer cards.

    Parameters
    ----------
    hand
        Five cards.
    dead
        Other cards that cannot be dealt: those thrown at an earlier draw.

    Examples
    --------
    A pair is worth more than four cards to a flush, and an ace as a kicker is worth keeping:

    >>> for discard in rank_discards("AsKs9s5s5d")[:3]:
    ...     print(f"{discard.action:8} {discard.mean:.4f} {discard.hands}")
    d9sKs    0.3841 1081
    d9sKsAs  0.3816 16215
    d9sAs    0.3783 1081
    """
    cards = _five_cards(hand)
    gone = to_cards(dead)
    both = [card for card in gone if card in cards]
    if both:
        raise ValueError(f"card {format_cards(both[:1])} is in the hand and among the dead cards")
    if len(gone) > 52 - 2 * HAND_SIZE:
        raise ValueError(
            f"{len(gone)} dead cards leave fewer than five to draw (at most {52 - 2 * HAND_SIZE})"
        )
    from pokerlab.players.bots.draw.discard_kernels import sum_by_kept

    sums = np.empty(1 << HAND_SIZE, dtype=np.int64)
    seen = np.array([*cards, *gone], dtype=np.int64)
    sum_by_kept(seen, HAND_SIZE, _pair_sums(), sums, evaluator_tables.load())
    left = 52 - len(seen)
    ways = []
    for kept, total in enumerate(sums.tolist()):
        thrown = tuple(sorted(card for place, card in enumerate(cards) if not kept >> place & 1))
        hands = comb(left, len(thrown))
        ways.append(Discard(thrown, 1.0 - total / (hands * N_CLASSES), hands))
    return tuple(sorted(ways, key=lambda way: (-way.mean, len(way.thrown), way.thrown)))


def best_discard(hand: Cards, dead: Cards = "", most: int = HAND_SIZE) -> Discard:
    """The draw with the best mean strength, of at most `most` cards.

    Standing pat is one of them: a hand is broken only if that is better on average.

    Examples
    --------
    >>> best_discard("TsTdKh5c4c").action, best_discard("9s8s7s6s5s").action
    ('d4c5cKh', 'd')
    """
    return next(way for way in rank_discards(hand, dead) if len(way.thrown) <= most)


def _five_cards(hand: Cards) -> tuple[int, ...]:
    cards = to_cards(hand)
    if len(cards) != HAND_SIZE:
        raise ValueError(
            f"a hand of five-card draw has 5 cards, {format_cards(cards)!r} has {len(cards)}"
        )
    return cards


@cache
def _pair_sums() -> Int64s:
    """The sum of the classes of all hands with a combo, made once."""
    from pokerlab.players.bots.draw.discard_kernels import sum_over_pairs

    sums = np.empty(N_COMBOS, dtype=np.int64)
    sum_over_pairs(sums, evaluator_tables.load())
    sums.flags.writeable = False
    return sums

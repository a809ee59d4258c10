"""Which cards to throw away at a draw: every way, over every possible replacement.

The measure is the one of a hand's strength: ``1 − class / 7462``, 1 for the best hand and 0 for
the worst, and for a draw its mean over all replacements from the cards that the player has not
seen. There are 32 ways to keep cards of five, and 2,598,960 hands to weigh; see
`pokerlab.players.bots.draw.discard_kernels` for how it takes a fraction of a millisecond. Another
measure, such as the chance to win, is another `Criterion`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from math import comb
from pathlib import Path

import numpy as np

from pokerlab.cards.codes import N_COMBOS, Cards, format_cards, to_cards
from pokerlab.cards.evaluator import tables as evaluator_tables
from pokerlab.cards.evaluator.evaluation import evaluate_cards
from pokerlab.cards.evaluator.hand_names import N_CLASSES
from pokerlab.runtime.arrays import Floats, Int64s

HAND_SIZE = 5
_DIGITS = 10**9
FILE = Path(__file__).parent / "data" / "winning_chances.npz"
"""The chances of `equity_criterion`."""


@dataclass(frozen=True, eq=False)
class Criterion:
    """The worth of a hand by its class, whose mean the best draw makes largest.

    Attributes
    ----------
    worth
        (7463,): a whole number for each class; classes begin at 1.
    scale
        What stands for a worth of 1.

    Examples
    --------
    >>> mean_class = Criterion.mean_class()
    >>> mean_class.worth[1] / mean_class.scale, mean_class.worth[7462]
    (np.float64(0.99986...), np.int64(0))
    """

    worth: Int64s
    scale: int

    @classmethod
    def mean_class(cls) -> Criterion:
        """The measure of the module: 1 − class / 7462."""
        return _mean_class()

    @classmethod
    def chances(cls, chances: Floats) -> Criterion:
        """The chance to win (7463,) by class, to nine digits."""
        return cls(np.rint(np.asarray(chances) * _DIGITS).astype(np.int64), _DIGITS)

    @cached_property
    def pair_sums(self) -> Int64s:
        """The sum of the worth of all hands with each combo (1,326), made once."""
        from pokerlab.players.bots.draw.discard_kernels import sum_over_pairs

        sums = np.empty(N_COMBOS, dtype=np.int64)
        sum_over_pairs(sums, self.worth, evaluator_tables.load())
        sums.flags.writeable = False
        return sums


@cache
def equity_criterion() -> Criterion:
    """The chance to win against one opponent who draws by this criterion too.

    `pokerlab.studies.draw.criteria` computes the chances; the file is made by
    ``python -m pokerlab.studies.draw.criteria``.

    Examples
    --------
    A pair of twos wins more often than an ace, though its mean class is worse:

    >>> best_discard("2c2d5hAs9c", criterion=equity_criterion()).action
    'd5h9cAs'
    >>> best_discard("2c2d5hAs9c").action
    'd2c2d5h9c'
    """
    with np.load(FILE, allow_pickle=False) as arrays:
        return Criterion.chances(arrays["chances"])


@cache
def _mean_class() -> Criterion:
    return Criterion(N_CLASSES - np.arange(N_CLASSES + 1, dtype=np.int64), N_CLASSES)


@dataclass(frozen=True, slots=True)
class Discard:
    """One way to draw.

    Attributes
    ----------
    thrown
        The cards to throw away, lowest first; none to stand pat.
    mean
        The mean worth of the hand afterwards, 0 to 1: its strength, or another criterion.
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


def rank_discards(
    hand: Cards, dead: Cards = "", criterion: Criterion | None = None
) -> tuple[Discard, ...]:
    """All 32 ways to draw, the best mean first; of equal ones, the one that throws fewer cards.

    Parameters
    ----------
    hand
        Five cards.
    dead
        Other cards that cannot be dealt: those thrown at an earlier draw.
    criterion
        What is best; by default the mean class.

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
    by = criterion or Criterion.mean_class()
    sum_by_kept(seen, HAND_SIZE, by.pair_sums, sums, by.worth, evaluator_tables.load())
    left = 52 - len(seen)
    ways = []
    for kept, total in enumerate(sums.tolist()):
        thrown = tuple(sorted(card for place, card in enumerate(cards) if not kept >> place & 1))
        hands = comb(left, len(thrown))
        ways.append(Discard(thrown, total / (hands * by.scale), hands))
    return tuple(sorted(ways, key=lambda way: (-way.mean, len(way.thrown), way.thrown)))


def best_discard(
    hand: Cards, dead: Cards = "", most: int = HAND_SIZE, criterion: Criterion | None = None
) -> Discard:
    """The draw with the best mean strength, of at most `most` cards.

    Standing pat is one of them: a hand is broken only if that is better on average.

    Examples
    --------
    >>> best_discard("TsTdKh5c4c").action, best_discard("9s8s7s6s5s").action
    ('d4c5cKh', 'd')
    """
    ways = rank_discards(hand, dead, criterion)
    return next(way for way in ways if len(way.thrown) <= most)


def _five_cards(hand: Cards) -> tuple[int, ...]:
    cards = to_cards(hand)
    if len(cards) != HAND_SIZE:
        raise ValueError(
            f"a hand of five-card draw has 5 cards, {format_cards(cards)!r} has {len(cards)}"
        )
    return cards

"""Mean class against the chance to win as the criterion of a discard, over all hands.

All 2,598,960 hands are 134,459 up to suits. For each of them the best of all 32 ways to draw is
found, and the hands that come of it are counted exactly. That gives the chance of every class to
win against an opponent who draws by the same rule; by this chance the discards are judged. Cards
that one player holds are not taken from the other's deck: each draws from 47.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import combinations
from math import comb

import numpy as np

from pokerlab.cards import evaluate_batch
from pokerlab.cards.evaluator import tables as evaluator_tables
from pokerlab.cards.evaluator.hand_names import N_CLASSES
from pokerlab.cards.isomorphism.suits import board_orbits
from pokerlab.players.bots.draw.discards import FILE, HAND_SIZE, Criterion
from pokerlab.runtime.arrays import Bytes, Floats, Int64s
from pokerlab.studies.draw.discard_study_kernels import count_results, find_best_discards

MOST_ROUNDS = 6
"""Rounds after which the discards by the chance to win are taken as they are."""
_WAYS = np.array([comb(47, thrown) for thrown in range(6)], np.float64)


@dataclass(frozen=True, eq=False)
class AllHands:
    """Hands (n, 5), and how many hands each stands for."""

    cards: Int64s
    times: Int64s

    @classmethod
    def of(cls, step: int = 1) -> AllHands:
        """All hands up to suits, or every `step`-th of them."""
        cards, times = board_orbits(size=HAND_SIZE)
        return cls(cards[::step].astype(np.int64), times[::step].astype(np.int64))

    @property
    def shares(self) -> Floats:
        """How often each is dealt."""
        return np.asarray(self.times / self.times.sum())


@dataclass(frozen=True, eq=False)
class Discards:
    """What all hands keep by a criterion.

    Attributes
    ----------
    kept
        (n,): a set of bits, one for each card.
    means
        (n, 32): the mean worth of every way, by what it keeps.
    """

    kept: Bytes
    means: Floats

    @property
    def best(self) -> Floats:
        """(n,): the mean worth of the best way."""
        return np.asarray(self.means[np.arange(len(self.kept)), self.kept])

    @property
    def thrown(self) -> Int64s:
        """(n,): how many cards each hand throws away."""
        return HAND_SIZE - np.array([int(mask).bit_count() for mask in range(32)])[self.kept]


def best_discards(hands: AllHands, criterion: Criterion) -> Discards:
    """The best way to draw for each hand."""
    kept = np.empty(len(hands.cards), np.uint8)
    means: Floats = np.empty((len(hands.cards), 32))
    find_best_discards(
        hands.cards,
        criterion.pair_sums,
        criterion.worth,
        _WAYS,
        evaluator_tables.load(),
        kept,
        means,
    )
    return Discards(kept, means / criterion.scale)


def results(hands: AllHands, kept: Bytes) -> Floats:
    """(7463,): how likely each class is after the draw."""
    direct, pairs, cards, none = (np.zeros(count) for count in (N_CLASSES + 1, 1326, 52, 1))
    count_results(
        hands.cards, hands.shares, kept, _WAYS, evaluator_tables.load(), direct, pairs, cards, none
    )
    every, classes = _every_hand()
    weights = none[0] + cards[every].sum(axis=1)
    for first, second in combinations(range(HAND_SIZE), 2):
        weights += pairs[combo_index_of(every[:, second], every[:, first])]
    return np.asarray(direct + np.bincount(classes, weights, N_CLASSES + 1))


def combo_index_of(high: Int64s, low: Int64s) -> Int64s:
    """The number of combos (see `pokerlab.cards.codes.combo_index`).

    Examples
    --------
    >>> from pokerlab.cards.codes import combo_index
    >>> int(combo_index_of(np.array([51]), np.array([3]))[0]) == combo_index(51, 3)
    True
    """
    return np.asarray(high * (high - 1) // 2 + low)


def winning_chances(classes: Floats) -> Floats:
    """(7463,): the chance of each class to win, ties as half, against a hand of this distribution.

    Examples
    --------
    >>> winning_chances(np.array([0.0, 0.25, 0.75])).tolist()
    [1.0, 0.875, 0.375]
    """
    better = np.cumsum(classes) - classes
    return np.asarray(1.0 - better - classes / 2)


@dataclass(frozen=True, eq=False)
class CriteriaComparison:
    """The two criteria on all hands.

    Attributes
    ----------
    mean, equity
        The discards by mean class, and by the chance to win against a player who draws as one does.
    chances
        (7463,): these chances by class.
    lost
        (n,): what the discard by mean class loses of the chance to win.
    rounds
        After how many rounds the discards by the chance to win were those of the round before;
        None if they still changed after `MOST_ROUNDS`.
    """

    hands: AllHands
    mean: Discards
    equity: Discards
    chances: Floats
    lost: Floats
    rounds: int | None


def compare_criteria(hands: AllHands, most_rounds: int = MOST_ROUNDS) -> CriteriaComparison:
    """Draw by mean class; then by the chance to win, until nothing changes."""
    mean = best_discards(hands, Criterion.mean_class())
    kept, rounds = mean.kept, None
    for number in range(1, most_rounds + 1):
        chances = winning_chances(results(hands, kept))
        equity = best_discards(hands, Criterion.chances(chances))
        if (equity.kept == kept).all():
            rounds = number
            break
        kept = equity.kept
    lost = equity.best - equity.means[np.arange(len(mean.kept)), mean.kept]
    return CriteriaComparison(hands, mean, equity, chances, lost, rounds)


@cache
def _every_hand() -> tuple[Int64s, Int64s]:
    """All 2,598,960 hands (n, 5), cards ascending, and their classes."""
    cards = np.array(list(combinations(range(52), HAND_SIZE)), np.uint8)
    return cards.astype(np.int64), evaluate_batch(cards, check=False).astype(np.int64)


if __name__ == "__main__":  # makes the file that the bot's criterion reads
    FILE.parent.mkdir(exist_ok=True)
    found = compare_criteria(AllHands.of())
    if found.rounds is None:
        raise SystemExit(f"not settled after {MOST_ROUNDS} rounds: nothing was written")
    np.savez_compressed(FILE, chances=found.chances)
    print(f"settled after {found.rounds} rounds; wrote {FILE.name}")

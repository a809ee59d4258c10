"""Measures of a hand on a complete board, as whole numbers: equal numbers, equal worth.

- **rank**: the class of the hand, 1 to 7,462.
- **strength**: twice the opposing combos that it beats plus those that it ties with, of all 990.
- **strength-range**: the same against the weights of the opponent's range, as a share of the
  weight that shares no card with the hand. Weights are rounded to millionths (`GRID`); from there
  on everything is exact, and shares are compared as fractions.
- **view**: the strength, and the strengths of all 990 opposing combos, sorted.

Values of different boards can be compared. No number is ever rounded but the weights of a range.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from pokerlab.arrays import Bytes, Floats, Int16s, Int32s, Uint64s
from pokerlab.cards.codes import COMBO_CARDS, N_COMBOS
from pokerlab.cards.equities.showdowns import select_hands
from pokerlab.cards.evaluator import tables as evaluator_tables
from pokerlab.groups.hands.measure_kernels import (
    compare_rivers,
    fingerprint_views,
    histograms_of_strength,
    same_views,
)
from pokerlab.groups.hands.numbering import number_exactly, number_rows, random_numbers
from pokerlab.groups.hands.numbering_kernels import number_keys
from pokerlab.groups.hands.run_outs import in_threads

GRID = 1_000_000
"""A weight of 1 in the whole numbers that weights of ranges are rounded to."""
STRENGTHS = 1981
"""How many different strengths there are: 0 to 1,980."""


def river_values(measure: str, rivers: Bytes, opposing: Floats, threads: int) -> tuple[Int32s, int]:
    """Give every combo on complete boards (n, 5) the number of its worth.

    Parameters
    ----------
    measure
        ``rank``, ``strength``, ``strength-range`` or ``view``.
    opposing
        The opponent's weights of the 1,326 combos, for ``strength-range``.
    threads
        How many to use; the numbers do not depend on it.

    Returns
    -------
    The numbers (n, 1326), −1 where a combo is impossible, and a bound that all are below.
    """
    if measure == "rank":
        return _compare(rivers, np.ones(N_COMBOS), threads)[0], 7463
    if measure == "strength":
        return river_strengths(rivers, threads), STRENGTHS
    if measure == "view":
        return _number_views(river_strengths(rivers, threads), threads)
    _, scores, unblocked = _compare(rivers, np.rint(opposing * GRID), threads)
    return _number_shares(scores, unblocked)


def river_strengths(rivers: Bytes, threads: int) -> Int32s:
    """Strengths 0 to 1,980 against all combos on complete boards (n, 5); −1 if impossible."""
    return _compare(rivers, np.ones(N_COMBOS), threads)[1]


def _compare(rivers: Bytes, opposing: Floats, threads: int) -> tuple[Int32s, Int32s, Int32s]:
    hands = select_hands(np.arange(N_COMBOS), opposing)
    tables = evaluator_tables.load()
    classes, scores, unblocked = (np.empty((len(rivers), N_COMBOS), np.int32) for _ in range(3))
    in_threads(
        lambda part: compare_rivers(
            rivers[part], hands, tables, classes[part], scores[part], unblocked[part]
        ),
        len(rivers),
        threads,
    )
    return classes, scores, unblocked


def _number_shares(scores: Int32s, unblocked: Int32s) -> tuple[Int32s, int]:
    """Number scores over the weight that is not blocked as fractions in lowest terms."""
    possible = scores >= 0
    top, bottom = scores[possible].astype(np.uint64), unblocked[possible].astype(np.uint64)
    common = np.maximum(np.gcd(top, bottom), np.uint64(1))
    fractions = (top // common << np.uint64(32)) | (bottom // common)
    firsts, places = np.empty(fractions.size, np.int32), np.empty(fractions.size, np.int32)
    count = number_keys(fractions, firsts, places)
    numbers = np.full(scores.shape, -1, np.int32)
    numbers[possible] = places
    return numbers, count


def _number_views(strengths: Int32s, threads: int) -> tuple[Int32s, int]:
    histograms = np.empty((len(strengths), STRENGTHS), np.int16)
    histograms_of_strength(strengths, histograms)
    histogram_classes, _ = number_rows(histograms.astype(np.int32))
    blocked = np.sort(strengths[:, _combos_with_card()], axis=2)
    card_classes = number_rows(blocked.reshape(-1, blocked.shape[2]))[0].reshape(-1, 52)

    def fingerprint(seed: int) -> Uint64s:
        random = random_numbers(seed, STRENGTHS)
        keys = np.empty(strengths.shape, np.uint64)
        in_threads(
            lambda part: fingerprint_views(strengths[part], COMBO_CARDS, random, keys[part]),
            len(strengths),
            threads,
        )
        return keys.ravel()

    def same(firsts: Int32s, numbers: Int32s) -> bool:
        by_board = numbers.reshape(strengths.shape)
        return all(
            in_threads(
                lambda part: same_views(
                    strengths,
                    histograms,
                    histogram_classes,
                    card_classes,
                    COMBO_CARDS,
                    _combos_with_card(),
                    firsts,
                    by_board,
                    part.start,
                    part.stop,
                ),
                len(strengths),
                threads,
            )
        )

    numbers, count = number_exactly(fingerprint, same)
    numbers = numbers.reshape(strengths.shape)
    numbers[strengths < 0] = -1
    return numbers, count


@cache
def _combos_with_card() -> Int16s:
    """The combos that hold each card: (52, 51)."""
    rows = [np.flatnonzero(np.isin(COMBO_CARDS, card).any(axis=1)) for card in range(52)]
    return np.array(rows, np.int16)

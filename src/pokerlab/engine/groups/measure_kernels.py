"""What all hands are worth on complete boards, in compiled loops.

A board costs about 10 microseconds for classes, sort and sweep. The *view* of a hand is its
strength and the multiset of the strengths of the hands that share no card with it. A fingerprint of
a multiset is the sum of a random number for each element, so the one of a view costs four
additions: all hands, minus those that hold either card, plus the hand itself, which was taken
away twice. Two views are equal if the boards have the same histogram of strengths and the two cards
of one hand block the same strengths as those of the other. That is nearly always so where the
fingerprints are equal, and costs a few comparisons; otherwise the views are compared in full.
"""

from __future__ import annotations

import numpy as np

from pokerlab.cards.equities.showdown_kernels import Hands, compare_on_board, make_workspace
from pokerlab.cards.evaluator.tables import EvaluatorTables
from pokerlab.runtime.arrays import Bytes, Int16s, Int32s, Uint64s
from pokerlab.runtime.jit import kernel

_ODD = np.uint64(0x9E3779B97F4A7C15)
_COMBOS = 1326


@kernel
def compare_rivers(
    rivers: Bytes,
    hands: Hands,
    tables: EvaluatorTables,
    classes: Int32s,
    scores: Int32s,
    unblocked: Int32s,
) -> None:
    """Compare all 1,326 combos with the opposing ones on complete boards (n, 5).

    Writes (n, 1326) each: the `classes`, the `scores` (twice the opposing weight that is beaten,
    plus that which ties), and the opposing weight that shares no card; −1 where a combo is
    impossible. Weights are whole numbers, at most a million for each combo.
    """
    work = make_workspace(_COMBOS)
    for river in range(len(rivers)):
        classes[river] = -1
        scores[river] = -1
        unblocked[river] = -1
        count = compare_on_board(rivers[river], hands, work, tables)
        for place in range(count):
            hand = work.order[place]
            classes[river, hand] = work.classes[hand]
            scores[river, hand] = np.int32(2.0 * work.beaten[hand] + work.tied[hand])
            unblocked[river, hand] = np.int32(work.unblocked[hand])


@kernel
def fingerprint_views(strengths: Int32s, cards: Bytes, random: Uint64s, keys: Uint64s) -> None:
    """Write the fingerprint of the view of each hand on each board (n, 1326) to `keys`.

    `strengths` are −1 where a combo is impossible (all of them have the same key); `random` has a
    number for each strength.
    """
    of_card = np.empty(52, np.uint64)
    for river in range(len(strengths)):
        of_card[:] = 0
        total = np.uint64(0)
        for hand in range(_COMBOS):
            strength = strengths[river, hand]
            if strength >= 0:
                total += random[strength]
                of_card[cards[hand, 0]] += random[strength]
                of_card[cards[hand, 1]] += random[strength]
        for hand in range(_COMBOS):
            strength = strengths[river, hand]
            keys[river, hand] = 0
            if strength >= 0:
                own = random[strength]
                others = total - of_card[cards[hand, 0]] - of_card[cards[hand, 1]] + own
                keys[river, hand] = others * _ODD + own


@kernel(makes_arrays=False)
def histograms_of_strength(strengths: Int32s, histograms: Int16s) -> None:
    """Count how many combos have each strength on each board: (n, strengths)."""
    for river in range(len(strengths)):
        histograms[river] = 0
        for hand in range(_COMBOS):
            if strengths[river, hand] >= 0:
                histograms[river, strengths[river, hand]] += 1


@kernel
def same_views(
    strengths: Int32s,
    histograms: Int16s,
    histogram_classes: Int32s,
    card_classes: Int32s,
    cards: Bytes,
    with_card: Int16s,
    firsts: Int32s,
    numbers: Int32s,
    begin: int,
    end: int,
) -> bool:
    """Whether each hand of boards `begin` to `end` has the view of the first hand of its number.

    `histograms` count the combos of each strength on each board, and `histogram_classes` (n) number
    them; `card_classes` (n, 52) number the sorted strengths of the combos that hold a card, and
    `with_card` (52, 51) lists these combos. Where the classes of two hands are equal, so are
    their views; where not, the views themselves are compared. `numbers` (n, 1326) and the places
    `firsts` are those of `number_keys`.
    """
    excess = np.zeros(histograms.shape[1], np.int16)
    for river in range(begin, end):
        for hand in range(_COMBOS):
            strength = strengths[river, hand]
            if strength < 0:
                continue
            first = firsts[numbers[river, hand]]
            first_river, first_hand = first // _COMBOS, first % _COMBOS
            if strength != strengths[first_river, first_hand]:
                return False
            high = card_classes[river, cards[hand, 0]]
            low = card_classes[river, cards[hand, 1]]
            first_high = card_classes[first_river, cards[first_hand, 0]]
            first_low = card_classes[first_river, cards[first_hand, 1]]
            if histogram_classes[river] == histogram_classes[first_river] and (
                (high == first_high and low == first_low)
                or (high == first_low and low == first_high)
            ):
                continue
            _add_view(strengths[river], histograms[river], cards[hand], with_card, 1, excess)
            _add_view(
                strengths[first_river],
                histograms[first_river],
                cards[first_hand],
                with_card,
                -1,
                excess,
            )
            if excess.any():
                return False
    return True


@kernel(makes_arrays=False)
def _add_view(
    strengths: Int32s,
    histogram: Int16s,
    pair: Bytes,
    with_card: Int16s,
    times: int,
    excess: Int16s,
) -> None:
    """Count the strengths of all hands that share no card with a hand, `times` each.

    The hand itself is taken away twice: hands that are compared have the same strength.
    """
    for strength in range(histogram.size):
        excess[strength] += times * histogram[strength]
    for card in pair:
        for combo in with_card[card]:
            if strengths[combo] >= 0:
                excess[strengths[combo]] -= times

"""What a subset of run-outs misses of a check-down: a number for each pair of hands.

Where cards are left out, the value of a pot without further bets would be that of the cards which
are left. So each pair of hands has a correction, the win margin over all run-outs less the weighted
one over those of the subset, and

    value = Σ over the subset of weight · value on the board + stake · correction

that is, the exact check-down plus the weighted sum of what bets add to it. As a control variate in
a simulation it changes no mean, but takes most of the noise of the choice away.

A hand never meets a card that it holds. With the weights W of the N cards that may come, two hands
h and o meet the card c with the weight ::

    W(c) · s(h) · s(o) / (N − 4)        s(h) = (N − 2) / (N − W of the cards of h)

as if each card had been dealt from those that h leaves, and from those that o leaves. It is 1 /
(N − 4) where no card is left out, and the product makes what one player wins what the other loses.

Prize money pays for ties, and for the meeting itself, what wins and losses do not balance. Then
there are three corrections for each pair, of the margin, of the ties and of how often the two
meet, and a check-down is exact again.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import TypeAlias
from weakref import WeakKeyDictionary

import numpy as np

from pokerlab.cards.codes import COMBO_CARDS, N_CARDS
from pokerlab.cards.equities.showdowns import COMBO_MASKS
from pokerlab.cards.evaluator import tables as evaluator_tables
from pokerlab.engine.subsets.subset_kernels import (
    add_carried_margins,
    add_showdowns_of_pairs,
    add_ties_of_pairs,
    turn_corrections,
    write_corrections,
)
from pokerlab.engine.tables.boards import Boards
from pokerlab.engine.tables.margin_kernels import classify_run_outs
from pokerlab.engine.tables.win_margins import WinMargins
from pokerlab.runtime.arrays import Bytes, Floats, Indices, Int16s, Singles, Uint16s, Uint64s

_Known: TypeAlias = "dict[tuple[int, int], tuple[Uint16s, Uint16s]]"
_CORRECTIONS: WeakKeyDictionary[Boards, _Known] = WeakKeyDictionary()


def hand_scales(boards: Boards, level: int, player: int) -> Floats | None:
    """How much more each hand of a player counts after the boards of a street.

    (boards, padded hands), 1 for padding; None where no card is left out.
    """
    weights = following_weights(boards, level)
    if weights is None:
        return None
    cards, combos = boards.cards[level], boards.combos[player]
    found = np.ones((len(cards), boards.padded[player]))
    found[:, : len(combos)] = live_scales(weights, combos, N_CARDS - cards.shape[1])
    return found


def check_down_corrections(
    boards: Boards, level: int, threads: int = 1, parts: int = 1
) -> tuple[Uint16s, Uint16s]:
    """For each player what a subset of run-outs misses of a check-down, on all boards of a street.

    IEEE halves, ``[board][part][opposing hand][own hand]``, as win margins are; one array for both
    where they hold the same hands. The first of 1 or 3 `parts` is the margin, then come ties and
    how often two hands meet. Empty where no card is left out.
    """
    if not boards.leaves_out(level):
        none = np.zeros(0, np.uint16)
        return none, none
    known = _CORRECTIONS.setdefault(boards, {})
    if (level, parts) not in known:
        known[level, parts] = _correct(boards, level, threads, parts)
    return known[level, parts]


def live_scales(card_weights: Floats, combos: Indices, cards: int) -> Floats:
    """How much more a hand counts on the cards that it leaves: (boards, hands).

    Parameters
    ----------
    card_weights : (boards, 52)
        What each card weighs that may come after each board.
    combos
        The hands.
    cards
        How many cards may come.

    Examples
    --------
    >>> from pokerlab.cards.codes import combo_index, parse_cards
    >>> weights = np.zeros((1, 52))
    >>> weights[0, parse_cards("As2d")] = 29.0, 20.0
    >>> combos = np.array([combo_index(*parse_cards(text)) for text in ("KdKc", "AsAd")])
    >>> live_scales(weights, combos, 49).round(3)
    array([[0.959, 2.35 ]])
    """
    held = card_weights[:, COMBO_CARDS[combos]].sum(axis=2)
    # A hand with all cards of the subset meets none of them: whatever it counts, it is nothing.
    return np.asarray((cards - 2) / np.maximum(cards - held, 1.0))


def _correct(boards: Boards, level: int, threads: int, parts: int) -> tuple[Uint16s, Uint16s]:
    """For both players what is counted over all run-outs less what a walk finds."""
    margins, others = boards.win_margins(level, threads=threads)
    same = np.shares_memory(margins, others)
    count, (own, opposing) = len(boards.cards[level]), boards.padded
    found = np.empty((count, parts, opposing * own), np.uint16)
    turned = found if same else np.empty_like(found)
    counted = [margins.reshape(count, -1)]
    if parts > 1:
        counted.append(_count_ties(boards, level, threads).reshape(count, -1))
    # On the first street, what comes on the turn is counted over all rivers.
    on_turns = []
    if level == 0:
        on_turns = [boards.win_margins(1, threads=threads)[0]]
        on_turns += [_count_ties(boards, 1, threads)] if parts > 1 else []
    once = np.full(opposing * own, np.float16(1).view(np.uint16))
    chances = np.array(boards.chances, np.float32)
    own_masks, other_masks = (
        _masks(*each) for each in zip(boards.combos, boards.padded, strict=True)
    )

    def write(board: int) -> None:
        scales = _scales_on(boards, level, board)
        for part in range(parts):
            here, there = found[board, part], turned[board, part]
            if part == 2:
                whole, times, sums = once, np.float32(1), _meetings(boards, level, board)
            else:
                whole, times = counted[part][board], chances[level + 1 :].prod()
                sums = (
                    _turn_sums(boards, board, ties=part == 1)
                    if level
                    else _flop_sums(boards, on_turns[part], pool, threads)
                )
            chance = chances[level + 1]
            write_corrections(whole, times, sums, chance, *scales, own_masks, other_masks, here)
            if not same:
                turn_corrections(here, own, there)
                if part:  # what one player wins the other loses, but both tie, and meet
                    there ^= 0x8000

    with ThreadPoolExecutor(threads) as pool:
        for _ in (pool.map if level else map)(write, range(count)):
            pass
    return found.reshape(-1), turned.reshape(-1)


def _scales_on(boards: Boards, level: int, board: int) -> tuple[Singles, Singles]:
    """By what sums over the cards after a board become means, for the hands of both players."""
    own, opposing = (np.ones(padded, np.float32) for padded in boards.padded)
    weights = following_weights(boards, level)
    if weights is not None:
        cards = N_CARDS - boards.cards[level].shape[1]
        for scales, combos in zip((own, opposing), boards.combos, strict=True):
            scales[: len(combos)] = live_scales(weights[board : board + 1], combos, cards)[0]
    return own, opposing


def _count_ties(boards: Boards, level: int, threads: int) -> Uint16s:
    """How many run-outs two hands tie, as halves, in the order of win margins."""
    margins = boards.win_margins(level, threads=threads)[0]
    both = WinMargins(boards.cards[level], boards.combos, boards.padded, (1.0, 1.0))
    both.count(range(len(boards.cards[level])), threads)
    return (both.first.reshape(-1).view(np.float16) - margins.view(np.float16)).view(np.uint16)


def _meetings(boards: Boards, level: int, board: int) -> Singles:
    """(opposing, own): the weight of the cards of a subset on which two hands meet."""
    cards = N_CARDS - boards.cards[level].shape[1]
    weights = following_weights(boards, level)
    held = [np.zeros(padded, np.float32) for padded in boards.padded]
    for each, combos in zip(held, boards.combos, strict=True):
        shown = np.isin(COMBO_CARDS[combos], boards.cards[level][board], invert=True)
        by_card = shown if weights is None else weights[board][COMBO_CARDS[combos]]
        each[: len(combos)] = by_card.sum(axis=1)
    return np.float32(cards) - held[1][:, None] - held[0]


def _turn_sums(boards: Boards, turn: int, *, ties: bool) -> Singles:
    """(opposing, own): who wins on the rivers of a turn that are solved, summed by weights.

    Or who ties.
    """
    first, last = boards.tables[1].child_first[turn : turn + 2].tolist()
    weights = boards.board_weights[2]
    complete, counts = [], []
    for number in range(first, last):
        found = boards.classes[2][number]
        if found is not None:
            complete += [(*boards.cards[1][turn], card) for card in found.members]
            counts += [1.0 if weights is None else weights[number]] * found.multiplicity
    rivers = np.array(complete, np.uint8)
    own, other = (
        _classes(rivers, combos, padded)
        for combos, padded in zip(boards.combos, boards.padded, strict=True)
    )
    margins = np.zeros((boards.padded[1], boards.padded[0]), np.float32)
    add = add_ties_of_pairs if ties else add_showdowns_of_pairs
    add(own, other, np.array(counts, np.float32), margins)
    return margins


def _flop_sums(boards: Boards, counted: Uint16s, pool: ThreadPoolExecutor, threads: int) -> Singles:
    """(opposing, own): who wins on the turns that are solved, over all rivers of each, summed.

    `counted` are win margins on all turns, or ties.
    """
    tables, weights = boards.tables[1], boards.board_weights[1]
    total = np.zeros((boards.padded[1], boards.padded[0]), np.float32)
    own, opposing = (
        hands.positions.reshape(-1, padded)
        for hands, padded in zip(tables.hands, boards.padded, strict=True)
    )
    turns = np.repeat(np.arange(len(boards.cards[1])), np.diff(tables.member_first))
    each = np.ones(len(turns)) if weights is None else weights[turns]
    counts = (each * boards.chances[2]).astype(np.float32)
    ends = np.linspace(0, len(total), threads + 1).astype(int).tolist()

    def add(others: tuple[int, int]) -> None:
        add_carried_margins(counted, turns, counts, own, opposing, others, total)

    for _ in pool.map(add, pairwise(ends)):
        pass
    return total


def _masks(combos: Indices, padded: int) -> Uint64s:
    """The cards of each hand; all of them for padding, which shares one with every hand."""
    found = np.full(padded, np.uint64((1 << N_CARDS) - 1))
    found[: len(combos)] = COMBO_MASKS[combos]
    return found


def _classes(complete: Bytes, combos: Indices, padded: int) -> Int16s:
    found = np.zeros((len(complete), padded), np.int16)
    classify_run_outs(complete, COMBO_CARDS[combos], evaluator_tables.load(), found)
    return found


def following_weights(boards: Boards, level: int) -> Floats | None:
    """What each card weighs that may come after each board of a street: (boards, 52).

    None where no card is left out. The weights after a board sum to the cards that may come.
    """
    weights = boards.board_weights[level + 1] if boards.leaves_out(level) else None
    if weights is None:
        return None
    first = boards.tables[level].child_first
    found = np.zeros((len(boards.cards[level]), N_CARDS))
    for board in range(len(found)):
        for number in range(first[board], first[board + 1]):
            each = boards.classes[level + 1][number]
            if each is not None:
                found[board, list(each.members)] = weights[number]
    return found

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
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from weakref import WeakKeyDictionary

import numpy as np

from pokerlab.cards.codes import COMBO_CARDS, N_CARDS
from pokerlab.cards.equities.showdowns import COMBO_MASKS
from pokerlab.cards.evaluator import tables as evaluator_tables
from pokerlab.engine.subsets.subset_kernels import add_carried_margins, add_showdowns_of_pairs
from pokerlab.engine.tables.boards import Boards
from pokerlab.engine.tables.margin_kernels import classify_run_outs
from pokerlab.runtime.arrays import Bools, Bytes, Floats, Indices, Int16s, Singles, Uint16s

_CORRECTIONS: WeakKeyDictionary[Boards, dict[int, tuple[Uint16s, Uint16s]]] = WeakKeyDictionary()


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


def check_down_corrections(boards: Boards, level: int, threads: int = 1) -> tuple[Uint16s, Uint16s]:
    """For each player what a subset of run-outs misses of a check-down, on all boards of a street.

    IEEE halves, ``[board][opposing hand][own hand]``, as win margins are; one array for both where
    they hold the same hands. Empty where no card is left out.
    """
    if not boards.leaves_out(level):
        none = np.zeros(0, np.uint16)
        return none, none
    known = _CORRECTIONS.setdefault(boards, {})
    if level not in known:
        known[level] = _correct(boards, level, threads)
    return known[level]


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


def _correct(boards: Boards, level: int, threads: int) -> tuple[Uint16s, Uint16s]:
    """For both players the margins over all run-outs less those that a walk finds."""
    margins, others = boards.win_margins(level, threads=threads)
    count, (length, opposing) = len(boards.cards[level]), boards.padded
    counted = margins.view(np.float16).reshape(count, opposing, length)
    whole = np.float32(np.prod(boards.chances[level + 1 :]))
    apart = _share_no_card(boards.combos, boards.padded)
    found = np.empty(counted.shape, np.float16)
    with ThreadPoolExecutor(threads) as pool:
        walked: Iterable[Singles] = (
            [_flop_margins(boards, threads)]
            if level == 0
            else pool.map(partial(_turn_margins, boards), range(count))
        )
        for board, subset in enumerate(walked):
            found[board] = np.where(apart, counted[board] * whole - subset, 0)
    if others is margins:
        return found.view(np.uint16).reshape(-1), found.view(np.uint16).reshape(-1)
    turned = np.ascontiguousarray(-found.swapaxes(1, 2))
    return found.view(np.uint16).reshape(-1), turned.view(np.uint16).reshape(-1)


def _scale(boards: Boards, level: int, board: int, margins: Singles) -> None:
    """Turn sums over the cards after a board into means, by what hands count there."""
    weights = following_weights(boards, level)
    if weights is not None:
        cards = N_CARDS - boards.cards[level].shape[1]
        own, opposing = np.ones(boards.padded[0]), np.ones(boards.padded[1])
        for scales, combos in zip((own, opposing), boards.combos, strict=True):
            scales[: len(combos)] = live_scales(weights[board : board + 1], combos, cards)[0]
        margins *= (opposing[:, None] * own).astype(np.float32)
    margins *= np.float32(boards.chances[level + 1])


def _turn_margins(boards: Boards, turn: int) -> Singles:
    """(opposing, own): who wins on the rivers of a turn that are solved, with their weights."""
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
    add_showdowns_of_pairs(own, other, np.array(counts, np.float32), margins)
    _scale(boards, 1, turn, margins)
    return margins


def _flop_margins(boards: Boards, threads: int) -> Singles:
    """(opposing, own): who wins on the turns that are solved, over all rivers of each."""
    tables, weights = boards.tables[1], boards.board_weights[1]
    total = np.zeros((boards.padded[1], boards.padded[0]), np.float32)
    counted = boards.win_margins(1, threads=threads)[0].view(np.float16)
    own, opposing = (
        each.positions.reshape(-1, padded)
        for each, padded in zip(tables.hands, boards.padded, strict=True)
    )
    for turn, halves in enumerate(counted.reshape(-1, *total.shape)):
        margins = halves.astype(np.float32)
        weight = np.float32(boards.chances[2] * (1.0 if weights is None else weights[turn]))
        for member in range(tables.member_first[turn], tables.member_first[turn + 1]):
            add_carried_margins(margins, own[member], opposing[member], weight, total)
    _scale(boards, 0, 0, total)
    return total


def _share_no_card(combos: Sequence[Indices], padded: Sequence[int]) -> Bools:
    """(opposing, own): which pairs of hands can be dealt."""
    masks = [COMBO_MASKS[each] for each in combos]
    found = np.zeros((padded[1], padded[0]), np.bool_)
    found[: len(masks[1]), : len(masks[0])] = masks[1][:, None] & masks[0] == 0
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

"""Margins against all run-outs one by one, and all-ins against a matrix product."""

from itertools import combinations, permutations

import numpy as np
import pytest

from pokerlab.cards import Range, evaluate_batch
from pokerlab.cards.codes import COMBO_CARDS, parse_cards
from pokerlab.engine.cpu.kernels.product_kernels import (
    LISTS,
    evaluate_all_ins,
    list_room,
    tile_room,
)
from pokerlab.engine.cpu.walker import CPU_SHAPE
from pokerlab.engine.tables.arrays import AllIns
from pokerlab.engine.tables.boards import Boards

RANGES = ("AA, 87s, Ah2d, KJo", "QQ, A5s, 72o, KsJs")


def boards_of(board: str) -> Boards:
    weights = (Range(RANGES[0]).weights, Range(RANGES[1]).weights)
    return Boards.of(parse_cards(board), weights, CPU_SHAPE)


def margins_of(boards: Boards, level: int, number: int, player: int) -> np.ndarray:
    """Margins of a player's hands on a board: (own, opposing)."""
    flat = boards.win_margins(level)[player].view(np.float16).astype(float)
    own, other = boards.padded[player], boards.padded[1 - player]
    table = flat.reshape(-1, other, own)[number].T
    hands = len(boards.combos[player]), len(boards.combos[1 - player])
    assert not table[hands[0] :].any()
    assert not table[:, hands[1] :].any()
    return table[: hands[0], : hands[1]]


@pytest.mark.parametrize("board", ["Td9d6h", "Td9d6hQc"])
def test_equal_ranges_share_one_table(board):
    weights = Range(RANGES[0]).weights
    boards = Boards.of(parse_cards(board), (weights, 0.5 * weights), CPU_SHAPE)
    first, second = boards.win_margins(0)
    assert np.shares_memory(first, second)
    own, other = (margins_of(boards, 0, 0, player) for player in range(2))
    assert own.any()
    assert (own == -other.T).all()


def margin(own: np.ndarray, other: np.ndarray, board: np.ndarray) -> int:
    """Run-outs, in every order, that one hand wins minus those that the other wins."""
    known = {*own.tolist(), *other.tolist(), *board.tolist()}
    if len(known) < 4 + len(board):
        return 0
    deck = [card for card in range(52) if card not in known]
    missing = 5 - len(board)
    outs = np.array(list(combinations(deck, missing)))
    common = np.concatenate([np.tile(board, (len(outs), 1)), outs], axis=1)
    mine, theirs = (
        evaluate_batch(np.concatenate([common, np.tile(hand, (len(outs), 1))], axis=1)).astype(int)
        for hand in (own, other)
    )
    orders = len(list(permutations(range(missing))))
    return orders * int(np.sign(theirs - mine).sum())


@pytest.mark.parametrize("board", ["Td9d6h", "Td9d6hQc", "AsKsQs"])
def test_margins_count_run_outs(board):
    boards = boards_of(board)
    rng = np.random.default_rng(1)
    for level in range(5 - len(parse_cards(board))):
        number = int(rng.integers(len(boards.cards[level])))
        cards = boards.cards[level][number]
        tables = [margins_of(boards, level, number, player) for player in range(2)]
        assert (tables[0] == -tables[1].T).all()
        hands = [COMBO_CARDS[combos] for combos in boards.combos]
        for own, other in zip(
            rng.integers(len(hands[0]), size=60), rng.integers(len(hands[1]), size=60), strict=True
        ):
            assert tables[0][own, other] == margin(hands[0][own], hands[1][other], cards)


@pytest.mark.parametrize(("vectors", "other"), [(2, 48), (4, 64), (9, 144), (17, 336)])
@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_all_ins_are_products_of_margins_and_reach(kind, vectors, other):
    rng = np.random.default_rng(2)
    own, lanes, boards = 16 * vectors, LISTS + 5, 2
    margins = rng.integers(-1980, 1981, (boards, other, own)).astype(np.float16)
    reach = rng.random((lanes + 1, other + 16)).astype(kind)
    reach[rng.random(reach.shape) < 0.6] = 0
    reach[3] = 0
    values = np.full((lanes + 1, own + 16), 7, kind)
    order = rng.permutation(lanes)
    all_ins = AllIns(order * (other + 16), np.arange(lanes) * (own + 16))
    evaluate_all_ins(
        reach.reshape(-1),
        values.reshape(-1),
        all_ins,
        margins.view(np.uint16).reshape(-1),
        other * own,
        own,
        other,
        kind(1 / 1980),
        np.empty(list_room(other), np.uint16),
        np.full(tile_room(own), np.nan, kind),
    )
    expected = reach[order, :other].astype(float) @ margins[1].astype(float) / 1980
    np.testing.assert_allclose(values[:lanes, :own], expected, rtol=3e-5, atol=4e-4)
    assert (values[:, own:] == 7).all()
    assert (values[lanes] == 7).all()


def test_margins_of_one_board_are_counted_without_those_of_others():
    every = boards_of("Td9d6h").win_margins(1)
    boards = boards_of("Td9d6h")
    for player, margins in enumerate(boards.win_margins(1, [7])):
        shape = len(boards.cards[1]), boards.padded[1 - player], boards.padded[player]
        found, expected = margins.reshape(shape), every[player].reshape(shape)
        assert expected[7].any()
        np.testing.assert_array_equal(found[7], expected[7])
        assert not np.delete(found, 7, axis=0).any()
    # The arrays are the same ones: kernels that hold them see what is counted later.
    later = boards.win_margins(1)
    for player in range(2):
        assert np.shares_memory(later[player], boards.win_margins(1, [])[player])
        np.testing.assert_array_equal(later[player], every[player])

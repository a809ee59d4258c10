import numpy as np
import pytest

from pokerlab.cards.board_index import BoardIndexer
from pokerlab.cards.board_index_kernels import board_hand_index, board_rank, fill_boards
from pokerlab.cards.codes import combo_cards, combo_index
from pokerlab.cards.hand_index import HandIndexer
from pokerlab.cards.isomorphism import canonical, permute_cards


def random_deals(cards, count=300):
    rng = np.random.default_rng(cards)
    return [rng.permutation(52)[: 2 + cards].tolist() for _ in range(count)]


@pytest.mark.parametrize("cards", [1, 3, 4, 5])
def test_number_is_the_standard_board_and_the_hand_carried_along(cards):
    indexer = BoardIndexer(cards)
    for deal in random_deals(cards):
        hand, board = deal[:2], deal[2:]
        standard = canonical(board)
        number, combo = divmod(indexer.index(hand, board), 1326)
        assert tuple(indexer.boards[number].tolist()) == standard.cards
        # Where suits of a board are alike, there are several ways to the standard form.
        moved = [permute_cards(hand, suits) for suits in all_suits(board, standard.cards)]
        assert combo in [combo_index(*image) for image in moved]


def all_suits(board, standard):
    from pokerlab.cards.isomorphism import SUIT_PERMUTATIONS

    return [
        suits
        for suits in SUIT_PERMUTATIONS
        if sorted(permute_cards(board, suits)) == sorted(standard)
    ]


def test_board_rank_numbers_all_sets_once():
    from itertools import combinations

    ranks = [
        board_rank(np.array([0, 0, *cards], np.uint8), 2, 5) for cards in combinations(range(52), 3)
    ]
    assert sorted(ranks) == list(range(22100))
    shuffled = np.array([7, 50, 3], np.uint8)
    assert board_rank(shuffled, 0, 3) == board_rank(np.sort(shuffled), 0, 3)


def test_fill_boards_walks_in_the_order_of_the_ranks():
    indexer = HandIndexer((3,))
    boards = np.zeros(22100, np.uint32)
    fill_boards(3, indexer.tables, np.zeros(256, np.uint8), boards)
    for deal in random_deals(3, 100):
        board = np.array(deal[2:], np.uint8)
        assert boards[board_rank(board, 0, 3)] >> 5 == indexer.index(board)


@pytest.mark.parametrize("cards", [3, 4])
def test_spread_agrees_with_the_hand_index(cards):
    own, other = BoardIndexer(cards), HandIndexer((2, cards))
    values = np.random.default_rng(0).integers(1, 60000, other.size, dtype=np.uint16)
    spread = own.spread(values)
    for deal in random_deals(cards):
        row = np.array(deal, np.uint8)
        assert spread[board_hand_index(own.tables, row, cards)] == values[other.index(deal)]
    blocked = combo_index(int(own.boards[5][0]), int(own.boards[5][1]))
    assert combo_cards(blocked) and spread[5 * 1326 + blocked] == 0


def test_bad_input():
    with pytest.raises(ValueError, match="a board has 1 to 5 cards, not 6"):
        BoardIndexer(6)
    with pytest.raises(ValueError, match=r"'AsKsQs' has 3 cards; a hand and a board of 3 have 5"):
        BoardIndexer(3).index("AsKs", "Qs")
    with pytest.raises(ValueError, match=r"values of shape \(5,\): expected \(1286792,\)"):
        BoardIndexer(3).spread(np.zeros(5))

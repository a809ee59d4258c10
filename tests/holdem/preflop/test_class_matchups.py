from pathlib import Path

import numpy as np
import pytest

from pokerlab.cards import equity, evaluate_batch
from pokerlab.cards import hand_classes as classes
from pokerlab.cards.codes import COMBO_CARDS, to_cards
from pokerlab.cards.hand_classes import CLASS_NAMES, CLASS_OF_COMBO
from pokerlab.holdem.preflop.class_matchups import class_tables, count_pairs, count_showdowns


def test_all_pairs_of_hands_are_counted():
    pairs = class_tables().pairs
    assert pairs.sum() == 1326 * 1225
    assert (pairs == pairs.T).all()
    masks = 1 << COMBO_CARDS.astype(np.int64)
    masks = masks.sum(axis=1)
    for name, other in [("AKs", "AKs"), ("AA", "AKo"), ("72o", "72o"), ("QQ", "JTs")]:
        own, foes = (masks[CLASS_NAMES.index(each) == CLASS_OF_COMBO] for each in (name, other))
        apart = (own[:, None] & foes == 0).sum()
        assert pairs[CLASS_NAMES.index(name), CLASS_NAMES.index(other)] == apart


def test_equities_against_a_random_hand_are_those_of_the_order_of_hands():
    """They were found by another way: one hand against all others."""
    tables = class_tables()
    text = (Path(classes.__file__).parent / "data" / "preflop_order.txt").read_text()
    known = dict(line.split() for line in text.splitlines() if not line.startswith("#"))
    found = (tables.pairs * tables.equities).sum(axis=1) / tables.pairs.sum(axis=1)
    for name, value in zip(CLASS_NAMES, found, strict=True):
        assert value == pytest.approx(float(known[name]), abs=6e-9)


def test_equities_of_both_sides_sum_to_one():
    equities = class_tables().equities
    np.testing.assert_allclose(equities + equities.T, 1, atol=1e-15)


def test_one_pair_of_classes_on_a_turn_against_the_equity_of_ranges():
    turn = "9h5d2cKs"
    sevens, other = CLASS_NAMES.index("77"), CLASS_NAMES.index("A5s")
    found = count_showdowns(turn)[sevens, other] / count_pairs(turn)[sevens, other] / 2 / 44
    assert found == pytest.approx(equity("77", "A5s", board=turn).value, abs=1e-12)


@pytest.mark.parametrize("board", ["QhJh2c4d7h", "9s9h9d9cAs"])
def test_showdowns_on_a_board_against_all_pairs(board):
    cards = to_cards(board)
    possible = np.flatnonzero(~np.isin(COMBO_CARDS, cards).any(axis=1))
    hands = np.column_stack([COMBO_CARDS[possible], np.tile(cards, (len(possible), 1))])
    ranks = evaluate_batch(hands).astype(int)
    own = COMBO_CARDS[possible]
    apart = (own[:, None, :, None] != own[None, :, None, :]).all(axis=(2, 3))
    halves = np.where(ranks[:, None] < ranks, 2, np.where(ranks[:, None] == ranks, 1, 0)) * apart
    by_class = np.zeros((169, len(possible)))
    by_class[CLASS_OF_COMBO[possible], np.arange(len(possible))] = 1
    assert (count_showdowns(board) == by_class @ halves @ by_class.T).all()
    assert (count_pairs(board) == by_class @ apart @ by_class.T).all()


def test_showdowns_after_a_flop_are_those_of_its_turns_and_rivers():
    board = "AsKsQs2d"
    rivers = [card for card in range(52) if card not in to_cards(board)]
    one_by_one = sum(count_showdowns((*to_cards(board), card)) for card in rivers)
    assert (count_showdowns(board) == one_by_one).all()


@pytest.mark.slow
def test_the_table_of_the_package_is_what_the_boards_give():
    tables = class_tables()
    halves = count_showdowns()
    np.testing.assert_allclose(halves / (2 * 1_712_304 * tables.pairs), tables.equities, atol=1e-15)

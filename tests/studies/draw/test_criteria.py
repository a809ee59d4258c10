from itertools import combinations
from math import comb

import numpy as np
import pytest

from pokerlab.cards import evaluate_batch
from pokerlab.cards.codes import format_cards
from pokerlab.cards.evaluator import tables as evaluator_tables
from pokerlab.players.bots.draw.discards import (
    Criterion,
    best_discard,
    equity_criterion,
    rank_discards,
)
from pokerlab.studies.draw.criteria import (
    AllHands,
    best_discards,
    compare_criteria,
    winning_chances,
)
from pokerlab.studies.draw.discard_study_kernels import count_results

WAYS = np.array([comb(47, thrown) for thrown in range(6)], float)


@pytest.fixture(scope="module")
def few():
    return AllHands.of(20_000)


def test_all_hands_are_those_of_the_bot(few):
    for criterion in (Criterion.mean_class(), equity_criterion()):
        found = best_discards(few, criterion)
        for cards, kept, best in zip(few.cards, found.kept, found.best, strict=True):
            way = rank_discards(format_cards(cards.tolist()), criterion=criterion)[0]
            assert best == pytest.approx(way.mean, abs=1e-12)
            assert len(way.thrown) == 5 - int(kept).bit_count()


@pytest.mark.parametrize("kept", [31, 15, 7])
def test_results_are_those_of_dealing_all_replacements(few, kept):
    hand = few.cards[1]
    found, pairs, cards, none = (np.zeros(count) for count in (7463, 1326, 52, 1))
    keep = np.array([kept], np.uint8)
    tables = evaluator_tables.load()
    count_results(hand[None], np.ones(1), keep, WAYS, tables, found, pairs, cards, none)
    held = [card for place, card in enumerate(hand.tolist()) if kept >> place & 1]
    left = [card for card in range(52) if card not in hand]
    dealt = [(*held, *more) for more in combinations(left, 5 - len(held))]
    classes = evaluate_batch(np.array(dealt, np.uint8))
    assert not pairs.any() and not cards.any() and not none.any()
    assert found == pytest.approx(np.bincount(classes, minlength=7463) / len(dealt), abs=1e-12)


def test_what_is_counted_by_pairs_adds_up(few):
    for kept in (3, 1, 0):  # inclusion and exclusion leave one hand in all
        found, pairs, cards, none = (np.zeros(count) for count in (7463, 1326, 52, 1))
        keep = np.array([kept], np.uint8)
        tables = evaluator_tables.load()
        count_results(few.cards[:1], np.ones(1), keep, WAYS, tables, found, pairs, cards, none)
        total = found.sum() + pairs.sum() * comb(50, 3) + cards.sum() * comb(51, 4)
        assert total + none[0] * comb(52, 5) == pytest.approx(1.0, abs=1e-6)


def test_chances_of_the_file_are_those_of_players_who_draw():
    criterion = equity_criterion()
    worth = criterion.worth[1:] / criterion.scale
    assert (np.diff(worth) <= 0).all() and worth[0] == pytest.approx(1, abs=1e-4)
    # A pair of aces wins against most hands after the draw, one of twos against few.
    pair = evaluate_batch(np.array([[51, 50, 0, 5, 10], [0, 1, 20, 25, 30]], np.uint8))
    assert worth[pair[0] - 1] > 0.5 > worth[pair[1] - 1]


@pytest.mark.slow
def test_rounds_that_were_too_few_are_none():
    hands = AllHands.of(2_000)
    assert compare_criteria(hands, most_rounds=1).rounds is None
    assert compare_criteria(hands).rounds == 2


def test_ties_are_half():
    assert winning_chances(np.array([0.0, 0.5, 0.5])).tolist() == [1.0, 0.75, 0.25]


def test_a_pair_of_twos_is_kept_where_the_chance_to_win_counts():
    assert best_discard("2c2d5hAs9c").action == "d2c2d5h9c"
    assert best_discard("2c2d5hAs9c", criterion=equity_criterion()).action == "d5h9cAs"

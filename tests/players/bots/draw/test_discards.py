from itertools import chain, combinations

import numpy as np
import phevaluator
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pokerlab.cards import evaluate_batch
from pokerlab.cards.codes import COMBO_CARDS, RANKS, SUITS, parse_cards
from pokerlab.cards.evaluator import tables as evaluator_tables
from pokerlab.players.bots.draw.discard_kernels import sum_by_kept, sum_over_pairs
from pokerlab.players.bots.draw.discards import best_discard, rank_discards, strength

RIGHT_DISCARDS = {
    "AsKsQsJsTs": "d",  # royal flush
    "9s8s7s6s5s": "d",  # straight flush
    "7c7d7h7sAc": "d",  # four of a kind with the best fifth card
    "7c7d7h7s2c": "d2c",  # and with the worst
    "7c7d7hKsKc": "d",  # full house
    "AsJs9s6s2s": "d",  # flush
    "9c8d7h6s5c": "d",  # straight
    "7c7d7h5s2c": "d2c5s",  # three of a kind: two cards
    "KcKd7h7s2c": "d2c",  # two pairs: one card
    "TsTdKh5c4c": "d4c5cKh",  # a pair: three cards
    "2c2dKh9s5c": "d5c9sKh",  # the smallest pair too
    "2c2d5hAs9c": "d2c2d5h9c",  # but an ace alone has a better mean class than a pair of twos
    "AhKh9h4h2c": "d2c",  # four to a flush
    "JcTd9h8s2c": "d2c",  # four to an open straight, with high cards
    "9c8d7h6s2c": "d2c6s7h8d",  # without: the mean class counts the many misses
    "KsQsJsTs2c": "d2c",  # four to a royal flush
    "9s9d8s7s6s": "d6s7s8s",  # a pair of nines rather than four to a straight flush
    "KcQd9h5s3c": "d3c5s9h",  # nothing: keep the two highest
    "7c5d4h3s2c": "d2c3s4h5d7c",  # the worst hand of all: five new cards
}


@pytest.fixture(scope="module")
def every_hand():
    """All 2,598,960 hands as sets of 52 bits, with their classes."""
    flat = chain.from_iterable(combinations(range(52), 5))
    cards = np.fromiter(flat, np.uint8).reshape(-1, 5)
    sets = (np.int64(1) << cards.astype(np.int64)).sum(axis=1)
    return sets, evaluate_batch(cards, check=False).astype(np.int64)


def brute_force(every_hand, hand, dead=()):
    """Mean strength by thrown cards, from every hand of the deck, whatever is thrown."""
    sets, classes = every_hand
    if dead:
        alive = (sets & sum(1 << card for card in dead)) == 0
        sets, classes = sets[alive], classes[alive]
    kept = sum((sets >> card & 1) << place for place, card in enumerate(hand))
    totals, counts = np.bincount(kept, classes, 32), np.bincount(kept, minlength=32)
    return {
        tuple(sorted(card for place, card in enumerate(hand) if not mask >> place & 1)): (
            1 - totals[mask] / counts[mask] / 7462,
            counts[mask],
        )
        for mask in range(32)
    }


@pytest.mark.parametrize(("text", "action"), RIGHT_DISCARDS.items())
def test_right_discards(every_hand, text, action):
    hand = parse_cards(text)
    expected = brute_force(every_hand, hand)
    thrown, (mean, hands) = max(expected.items(), key=lambda entry: entry[1][0])
    assert thrown == tuple(sorted(parse_cards(action[1:])))
    best = best_discard(text)
    assert best.action == action
    assert best.mean == pytest.approx(mean, abs=1e-12)
    assert best.hands == hands


@settings(max_examples=12, deadline=None)
@given(st.permutations(range(52)), st.integers(0, 7))
def test_all_ways_of_any_hand_with_any_dead_cards(every_hand, deck, dead):
    hand, gone = deck[:5], deck[5 : 5 + dead]
    expected = brute_force(every_hand, hand, gone)
    ways = rank_discards(hand, gone)
    assert len(ways) == 32
    assert [way.mean for way in ways] == sorted((way.mean for way in ways), reverse=True)
    for way in ways:
        mean, hands = expected[way.thrown]
        assert way.hands == hands
        assert way.mean == pytest.approx(mean, abs=1e-12)


@pytest.mark.parametrize(("text", "most"), [("AsKs9s5s5d", 3), ("9c8d7h6s2c", 2)])
def test_one_replacement_after_the_other_with_another_evaluator(text, most):
    # As the search is told in words: for every card thrown, every card of the deck.
    hand = parse_cards(text)
    names = [rank + suit for rank in RANKS for suit in SUITS]
    peer = {name: phevaluator.Card(name).id_ for name in names}
    deck = [card for card in range(52) if card not in hand]
    means = {way.thrown: way.mean for way in rank_discards(hand)}
    for count in range(most + 1):
        for thrown in combinations(sorted(hand), count):
            kept = [peer[names[card]] for card in hand if card not in thrown]
            classes = [
                phevaluator.evaluate_cards(*kept, *(peer[names[card]] for card in new))
                for new in combinations(deck, count)
            ]
            assert means[thrown] == pytest.approx(1 - np.mean(classes) / 7462, abs=1e-12)


def test_the_draw_may_be_limited():
    assert best_discard("7c5d4h3s2c", most=3).action == "d2c3s4h"
    assert best_discard("7c5d4h3s2c", most=0).action == "d"


def test_strength_is_the_mean_of_standing_pat():
    for text in RIGHT_DISCARDS:
        pat = next(way for way in rank_discards(text) if not way.thrown)
        assert (pat.mean, pat.hands) == (pytest.approx(strength(text)), 1)


def test_sums_over_pairs(every_hand):
    sets, classes = every_hand
    sums = np.empty(1326, dtype=np.int64)
    sum_over_pairs(sums, np.arange(7463), evaluator_tables.load())
    for combo in np.random.default_rng(1).integers(1326, size=25):
        pair = sum(1 << int(card) for card in COMBO_CARDS[combo])
        assert sums[combo] == classes[(sets & pair) == pair].sum()


def test_sums_by_kept_cards(every_hand):
    sets, classes = every_hand
    tables = evaluator_tables.load()
    pairs, sums = np.empty(1326, dtype=np.int64), np.empty(32, dtype=np.int64)
    sum_over_pairs(pairs, np.arange(7463), tables)
    seen = np.random.default_rng(2).permutation(52)[:9]
    sum_by_kept(seen, 5, pairs, sums, np.arange(7463), tables)
    alive = (sets & sum(1 << int(card) for card in seen[5:])) == 0
    kept = sum((sets[alive] >> int(card) & 1) << place for place, card in enumerate(seen[:5]))
    assert (sums == np.bincount(kept, classes[alive], 32)).all()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["AsKsQsJs"], "a hand of five-card draw has 5 cards, 'AsKsQsJs' has 4"),
        (["AsKsQsJsTs", "As"], "card As is in the hand and among the dead cards"),
        (["2c2d2h2s3c", range(4, 52)], "card 3c is in the hand"),
        (["2c2d2h2s3c", range(5, 52)], "47 dead cards leave fewer than five to draw"),
    ],
)
def test_bad_input(arguments, message):
    with pytest.raises(ValueError, match=message):
        rank_discards(*arguments)

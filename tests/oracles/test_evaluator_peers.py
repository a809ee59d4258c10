"""The evaluator against phevaluator, eval7 and treys on random hands."""

import numpy as np
import pytest

from pokerlab.cards.codes import RANKS, SUITS
from pokerlab.cards.evaluator.evaluation import evaluate_batch

HANDS = 20_000


def random_hands(size):
    keys = np.random.default_rng(size).random((HANDS, 52))
    return np.argpartition(keys, size, axis=1)[:, :size].astype(np.uint8)


@pytest.mark.parametrize("size", [5, 6, 7])
def test_classes_are_those_of_phevaluator(size):
    phevaluator = pytest.importorskip("phevaluator")
    hands = random_hands(size)
    # phevaluator numbers cards as we do and classes from 1 (royal flush) to 7462 as well.
    theirs = [phevaluator.evaluate_cards(*hand) for hand in hands.tolist()]
    assert evaluate_batch(hands).tolist() == theirs


@pytest.mark.parametrize("size", [5, 6, 7])
def test_order_is_that_of_eval7(size):
    eval7 = pytest.importorskip("eval7")
    hands = random_hands(size)
    deck = [eval7.Card(RANKS[card >> 2] + SUITS[card & 3]) for card in range(52)]
    theirs = np.array([eval7.evaluate([deck[card] for card in hand]) for hand in hands.tolist()])
    ours = evaluate_batch(hands)
    # eval7 gives a larger number to a better hand; equal and ordered where ours are.
    better = ours[:-1] < ours[1:]
    equal = ours[:-1] == ours[1:]
    assert ((theirs[:-1] > theirs[1:]) == better).all()
    order = np.argsort(ours, kind="stable")
    assert (np.diff(theirs[order]) <= 0).all()
    assert ((np.diff(theirs[order]) == 0) == (np.diff(ours[order].astype(int)) == 0)).all()
    assert equal.any()


def test_classes_are_those_of_treys():
    treys = pytest.importorskip("treys")
    hands = random_hands(7)[:3_000]
    deck = [treys.Card.new(RANKS[card >> 2] + SUITS[card & 3]) for card in range(52)]
    evaluator = treys.Evaluator()
    theirs = [
        evaluator.evaluate([deck[card] for card in hand[:2]], [deck[card] for card in hand[2:]])
        for hand in hands.tolist()
    ]
    assert evaluate_batch(hands).tolist() == theirs

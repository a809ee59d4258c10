"""The numbers by which differences.md contradicts a document, computed without the engine.

What a study computes is tested with the study.
"""

import csv
from collections import Counter
from functools import cache
from itertools import combinations, product

import pytest
from tests.docs.snippets import ROOT

import pokerlab as pl
from pokerlab.cards.codes import parse_cards
from pokerlab.cards.evaluator.evaluation import evaluate_cards
from pokerlab.cards.hand_classes import CLASS_NAMES
from pokerlab.players.bots.mapping.bias import reference_actions
from pokerlab.solvers import Strategy
from pokerlab.solvers.evaluation.tree_values import values
from pokerlab.trees import GameTree

PAGE = (ROOT / "docs" / "differences.md").read_text("utf-8")


@cache
def betting_round(queue, acted, owing, raises, free):
    """How many times somebody must act, and how often each set of players is left at the end.

    `queue` has still to act, `acted` has. `owing` owes chips, all others nothing. With `free` a
    player who owes nothing may fold as well.
    """
    if len(queue) + len(acted) == 1:
        return 0, Counter()
    if not queue:
        return 0, Counter([tuple(sorted(acted))])
    seat, rest = queue[0], queue[1:]
    after = [(rest, (*acted, seat), owing - {seat}, raises)]
    if raises:
        after.append((rest + acted, (seat,), frozenset(rest + acted), raises - 1))
    if seat in owing or free:
        after.append((rest, acted, owing - {seat}, raises))
    count, ends = 1, Counter()
    for each in after:
        more, left = betting_round(*each, free)
        count += more
        ends += left
    return count, ends


def open_histories(players, free, before=3, after_flop=4):
    """All histories of limit hold'em at which somebody must act: 3 raises, then 4 a street."""
    first, later = ((0, 1), (1, 0)) if players == 2 else ((2, 0, 1), (0, 1, 2))
    total, left = betting_round(first, (), frozenset(first) - {1}, before, free)
    for _ in range(3):
        after = Counter()
        for live, often in left.items():
            order = tuple(seat for seat in later if seat in live)
            count, ends = betting_round(order, (), frozenset(), after_flop, free)
            total += often * count
            for end, ways in ends.items():
                after[end] += often * ways
        left = after
    return total


def test_unfinished_histories():
    assert open_histories(2, free=False) == open_histories(2, free=True) == 6378  # as printed
    found = [open_histories(3, free=free) for free in (False, True)]
    assert found == [9_711_806, 10_611_306]  # printed: 12,827,520
    for count in found:
        assert f"{count:,}" in PAGE
    readings = list(product((False, True), range(2, 6), range(3, 6)))
    assert len(readings) == 24
    assert 12_827_520 not in [open_histories(3, *reading) for reading in readings]


def test_strengths_on_the_flop():
    for hand, text in (("7s7c", "58.10%"), ("7s7d", "58.03%")):
        assert f"{pl.equity(hand, 'random', board='QhJh2c').value:.2%}" == text
        assert text in PAGE


def test_kickers_count_on_two_pairs():
    board = parse_cards("QhJh2cQdJc")
    deck = [card for card in range(52) if card not in board]
    ranks = Counter(evaluate_cards([*board, *hand]) for hand in combinations(deck, 2))
    assert (len(ranks), max(ranks.values())) == (17, 156)
    assert "17 groups by rank, the largest of 156 hands" in PAGE


def test_hyperborean_folds_q2s():
    fold, _, _ = reference_actions()[CLASS_NAMES.index("Q2s")]
    *_, raised = reference_actions()[CLASS_NAMES.index("K2s")]
    assert (fold, raised) == pytest.approx((0.95, 0.481), abs=0.003)  # our rows sum to 1


def test_what_elimination_saves_in_rhode_island():
    assert f"{1 - 1_181_084 / 1_237_238:.1%}" == "4.5%"  # as printed
    assert f"{1 - 89_121_538 / 91_224_226:.1%}" == "2.3%"  # printed: 3.5%


def test_three_coins_against_two_who_agree():
    tree = GameTree.build(pl.load_game("coins.3p"))
    assert len(tree.infosets) == 3
    heads = {name: {"heads": 1.0} for name in tree.infosets.names[1:]}
    even = {tree.infosets.names[0]: {"heads": 0.5, "tails": 0.5}}
    found = values(tree, Strategy.of(tree.infosets, {**even, **heads}))
    assert found.tolist() == pytest.approx([-0.5, 0.25, 0.25])


@pytest.mark.parametrize("study", ["abstraction/", "bets/", "mapping/", "documents/regret/adam-"])
def test_every_conclusion_that_does_not_hold_is_listed(study):
    """Of those that a document draws, in the runs that the pages show."""
    with (ROOT / "docs" / f"{study}verdicts.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    refuted = {
        row["conclusion"].split(" (")[0]  # not the game, or the margin
        for row in rows
        if row["answer"] == "does not hold" and row["source"] != "ours"
    }
    assert refuted
    missing = [conclusion for conclusion in sorted(refuted) if conclusion not in PAGE]
    assert not missing

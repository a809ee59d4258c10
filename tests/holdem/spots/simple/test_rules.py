"""Rules for a decision: read as a person reads them, and priced by another walk."""

from __future__ import annotations

import numpy as np
import pytest
from tests.holdem.spots.solved_spots import solved

from pokerlab.cards.board_hands.made_hands import MADE_HANDS
from pokerlab.cards.codes import COMBO_CARDS
from pokerlab.cards.ranges.blockers import unblocked_weights
from pokerlab.holdem.spots import find_rules, solve_spot
from pokerlab.holdem.spots.checks.independent_walk import BEST, Verifier
from pokerlab.holdem.spots.simple.conditions import HandCondition, hand_conditions
from pokerlab.holdem.spots.simple.rounding import Rounding
from pokerlab.holdem.spots.simple.rule_tree import (
    PlayRule,
    RangeHands,
    RuleNode,
    best_splits,
    list_rules,
)


def played_by(sheet, full):
    """(actions, 1326): what the list of rules says, the first that fits."""
    view = full.at(sheet.line)
    weights = view.weights[view.player] * unblocked_weights(view.weights[1 - view.player])
    ranges = np.stack([each.weights for each in full.spot.ranges])
    equity = view.equity[view.player]
    holds = dict(hand_conditions(view.board, ranges, weights, equity))
    found = np.full(view.strategy.shape, np.nan)
    for rule in reversed(sheet.rules):
        fits = np.zeros(1326, bool)
        for some in rule.alternatives:
            fits |= np.logical_and.reduce([np.ones(1326, bool), *(holds[each] for each in some)])
        found[:, fits] = np.array(rule.play)[:, None]
    return found, weights


@pytest.mark.parametrize(
    ("name", "line"), [("river", ""), ("river", "x"), ("river", "x/b51"), ("turn", "x/x/7h/x")]
)
def test_the_list_is_what_is_played_and_priced(name, line):
    full = solved(name)
    sheet = find_rules(full, line, loss="0.2%", step="50%", most=5)
    expected, weights = played_by(sheet, full)
    made = sheet.solution.at(line)
    there = weights > 0
    assert made.strategy[:, there] == pytest.approx(expected[:, there], abs=1e-3)
    assert sum(rule.share for rule in sheet.rules) == pytest.approx(1)
    best = Verifier(sheet.solution).totals()[BEST]
    assert best == pytest.approx(sheet.solution.best_values, abs=2e-3)
    lost = best[1 - sheet.player] - full.best_values[1 - sheet.player]
    assert sheet.losses[sheet.player] == pytest.approx(lost, abs=4e-3)
    assert sheet.within == (sheet.loss.percent <= 0.2)
    assert len(sheet.rules) <= 5
    # All else is as it was.
    assert sheet.losses[1 - sheet.player] == 0


def test_more_rules_lose_less():
    full = solved("river")
    losses = [find_rules(full, "x", loss=0, most=most).loss.chips for most in (1, 3, 6)]
    assert losses[0] > losses[2] and losses[0] >= losses[1]


def test_rules_that_lose_nothing_are_not_extended():
    sheet = find_rules(solved("river"), "x", loss="100%")
    assert len(sheet.rules) == 1 and sheet.rules[0].alternatives == ((),)


def test_a_tree_becomes_a_list_of_positive_conditions():
    hands = np.arange(6)
    conditions = tuple(HandCondition("rank", rank) for rank in "AKQ")
    holds = np.stack([hands < 2, hands < 4, hands % 2 == 0])
    strategy = np.eye(2)[[0, 0, 1, 1, 0, 0]].T
    range_hands = RangeHands(np.ones(6), strategy, strategy, conditions, holds)
    root = RuleNode(np.ones(6, bool), np.array([1.0, 0.0]), 9.0)
    best_splits(range_hands, root, Rounding(1, balanced=False), 4)[0].apply()
    while splits := [
        each
        for each in best_splits(range_hands, root, Rounding(1, balanced=False), 4)
        if each.gain > 1e-9
    ]:
        splits[0].apply()
    assert np.array_equal(root.strategy(), strategy)
    rules = list_rules(root, np.ones(6))
    named = [[str(each) for each in rule.alternatives[0]] for rule in rules]
    assert named == [["rank K", "rank A"], ["rank K"], []]
    assert [rule.play for rule in rules] == [(1.0, 0.0), (0.0, 1.0), (1.0, 0.0)]
    assert isinstance(rules[0], PlayRule)


def test_conditions_imply_one_another_as_their_hands_do():
    full = solved("river")
    view = full.at("")
    weights = (COMBO_CARDS >= 0).all(axis=1).astype(float)
    ranges = np.stack([each.weights for each in full.spot.ranges])
    found = hand_conditions(view.board, ranges, weights, np.linspace(0, 1, 1326))
    assert {each.kind for each, _ in found} >= {"made", "top", "rank", "suit"}
    for one, holds in found:
        for other, others in found:
            if one.implies(other):
                assert not (holds & ~others).any(), (one, other)
    assert HandCondition("made", MADE_HANDS[3]).implies(HandCondition("made", MADE_HANDS[9]))


def test_suits_that_can_be_exchanged_are_not_asked_for():
    full = solved("turn, one suit")
    view = full.at("")
    ranges = np.stack([each.weights for each in full.spot.ranges])
    found = hand_conditions(view.board, ranges, view.weights[0], view.equity[0])
    assert {each.value for each, _ in found if each.kind == "suit"} <= {"h"}


def test_what_has_no_rules_is_refused():
    full = solved("river")
    for line, settings, message in (
        ("x/x", {}, "nobody decides here"),
        ("x", {"loss": "-1%"}, "is not 0.5%"),
        ("x", {"most": 0}, "most: 0 must be from 1 to 100"),
    ):
        with pytest.raises(ValueError, match=message):
            find_rules(full, line, **settings)
    locked = solve_spot(full.spot, iterations=5, locks={"x": {"x": 1.0}})
    with pytest.raises(ValueError, match="is locked"):
        find_rules(locked, "x")

"""EVs and losses beside numbers that are added up hand by hand."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokerlab.cards import evaluate
from pokerlab.cards.codes import COMBO_CARDS, format_cards
from pokerlab.drills import GRADES, DrillDeal, DrillHand, Judgement, judge
from pokerlab.drills.hand import combo_of
from pokerlab.games.betting_trees import EdgeKind, Line
from pokerlab.players.strategies import SpotLookUp


def enumerated(solution, line, player, combo, others):
    """What a hand takes after a line on a river, from there on, by the rules of the pot alone.

    `others` are the weights of the other player's combos; they change as he acts.
    """
    spot = solution.spot
    place = spot.find(line)
    street = spot.tree.streets[0]
    if place.kind == EdgeKind.NODE:
        view = solution.at(line)
        total = 0.0
        for number, action in enumerate(view.actions):
            below = f"{line}/{action}" if line else action
            if view.player == player:
                share = view.strategy[number][combo]
                total += share * enumerated(solution, below, player, combo, others)
            else:
                taken = {each: w * view.strategy[number][each] for each, w in others.items()}
                total += enumerated(solution, below, player, combo, taken)
        return total
    pot, matched = float(street.end_pot[place.edge]), float(street.matched[place.edge])
    if place.kind == EdgeKind.FOLD:
        folds = int(street.player[street.node[place.edge]])
        won = 0.0 if folds == player else pot
        return sum(others.values()) * (won - matched)
    own = evaluate(format_cards([*COMBO_CARDS[combo], *spot.board]))
    total = 0.0
    for other, weight in others.items():
        theirs = evaluate(format_cards([*COMBO_CARDS[other], *spot.board]))
        share = 1.0 if own < theirs else 0.5 if own == theirs else 0.0
        total += weight * (share * pot - matched)
    return total


@pytest.mark.parametrize("line", ["", "x", "x/b50", "b50", "b50/a"])
def test_every_action_is_worth_what_enumeration_says(river, line):
    view = river.at(line)
    player, spot = view.player, river.spot
    place = spot.find(line)
    committed = float(spot.tree.streets[0].committed[place.node][player])
    for combo in np.flatnonzero(view.weights[player] > 0)[::3].tolist():
        cards = set(COMBO_CARDS[combo].tolist())
        others = {
            other: view.weights[1 - player][other]
            for other in np.flatnonzero(view.weights[1 - player]).tolist()
            if not cards & set(COMBO_CARDS[other].tolist())
        }
        found = judge(view, combo, view.actions[0], board="QhJh2c4d7h", big_blind=2)
        values = []
        for action in view.actions:
            below = f"{line}/{action}" if line else action
            value = enumerated(river, below, player, combo, others)
            values.append(value / sum(others.values()) + committed)
        np.testing.assert_allclose(found.ev, values, atol=1e-3)
        assert found.loss == pytest.approx(max(values) - values[0], abs=2e-3)
        assert found.loss_percent == pytest.approx(100 * found.loss / view.pot)
        assert found.loss_bb == pytest.approx(found.loss / 2)


def test_folding_loses_what_a_call_is_worth(river):
    """Always to fold against all-in: the loss is the value of a call, where that is above 0."""
    view = river.at("a")
    for combo in np.flatnonzero(view.weights[1] > 0).tolist():
        found = judge(view, combo, "f", board="QhJh2c4d7h")
        assert found.ev[0] == pytest.approx(0, abs=1e-4)
        others = river.at("a").weights[0] * ~np.isin(COMBO_CARDS, COMBO_CARDS[combo]).any(axis=1)
        wins = 0.0
        own = evaluate(format_cards([*COMBO_CARDS[combo], *river.spot.board]))
        for other in np.flatnonzero(others).tolist():
            theirs = evaluate(format_cards([*COMBO_CARDS[other], *river.spot.board]))
            wins += others[other] * ((own < theirs) + 0.5 * (own == theirs))
        call = wins / others.sum() * 400 - 150
        assert found.loss == pytest.approx(max(call, 0), abs=1e-3)


def hand_of(solution, own, other, player, seed=0, line=""):
    combos = combo_of(own), combo_of(other)
    deal = DrillDeal(Line.parse(line), combos if player == 0 else combos[::-1], solution.spot.board)
    return DrillHand(SpotLookUp(solution), deal, player, np.random.default_rng(seed))


def test_a_hand_to_its_end(river):
    hand = hand_of(river, "AsAd", "QsQd", 0)
    decision = hand.decision
    assert decision.actions == river.at("").actions and decision.pot == 100
    assert decision.stacks == (150, 150) and decision.to_call == 0
    assert [choice.words for choice in decision.choices] == ["check", "bet 50", "all-in 150"]
    assert [choice.cost for choice in decision.choices] == [0, 50, 150]
    judged = hand.act("a")
    assert judged.hand == "AsAd" and judged.line == "" and judged.seat == "oop"
    assert hand.result.won in (100, -150)
    called = hand.line == "a/c"
    assert hand.result.shown == called and hand.result.opponent == "QsQd"
    assert hand.decision is None
    with pytest.raises(ValueError, match="the hand is over"):
        hand.act("x")


def test_who_wins_what(river):
    """Chips count from where the hand begins."""
    hand = hand_of(river, "QsQd", "AsAd", 1, line="b50")
    assert hand.decision.to_call == 50 and hand.pot == 150 and hand.stacks == (100, 150)
    assert [choice.words for choice in hand.decision.choices] == ["fold", "call 50", "all-in 150"]
    hand.act("c")
    assert hand.result.won == 150 and hand.result.names[0].startswith("three queens")
    hand = hand_of(river, "QsQd", "AsAd", 1, line="b50")
    hand.act("f")
    assert hand.result.won == 0 and not hand.result.shown


def test_the_other_plays_the_solution(river):
    """Its actions with one hand are as frequent as the strategy of that hand."""
    view = river.at("x")
    mixed = np.nan_to_num(view.strategy).max(axis=0) + (view.weights[1] <= 0)
    combo = int(np.argmin(mixed))
    expected = view.strategy[:, combo]
    assert expected.max() < 0.9
    name = format_cards(COMBO_CARDS[combo])
    seen = np.zeros(len(view.actions))
    for seed in range(200):
        hand = hand_of(river, "AdAc", name, 0, seed)
        hand.act("x")
        seen[view.actions.index(hand.line.split("/")[1])] += 1
    error = np.sqrt(expected * (1 - expected) / 200)
    assert (abs(seen / 200 - expected) <= 4 * error + 0.01).all()


def test_what_is_not_in_the_tree_is_refused(river):
    hand = hand_of(river, "AsAd", "QsQd", 0)
    with pytest.raises(ValueError, match="'b60' is not possible here; possible: x, b50, a"):
        hand.act("b60")
    assert hand.decision is not None and not hand.judgements


def test_rivers_that_are_left_out_know_hands_that_do_not_arrive(turn):
    """A hand that plays what the solution never does has EVs after it, as in the whole one."""
    part = turn.without_river()
    line = next(
        line
        for line in ("x/b50/c/2d", "b50/c/2d", "x/x/2d")
        if (turn.at(line).weights[0][~np.isnan(turn.at(line).ev[0])] <= 0).any()
    )
    whole, again = turn.at(line), part.at(line)
    np.testing.assert_array_equal(np.isnan(again.ev[0]), np.isnan(whole.ev[0]))
    np.testing.assert_array_equal(again.weights[0] > 0, whole.weights[0] > 0)
    gone = (whole.weights[0] <= 0) & ~np.isnan(whole.ev[0])
    assert (again.ev[0][gone] > whole.ev[0][gone] - 3).all()


def test_judgements_are_read_back(river):
    found = judge(river.at("x"), combo_of("AsJs"), "b50", board="QhJh2c4d7h", big_blind=2)
    data = json.loads(json.dumps(found.to_json()))
    assert Judgement.from_json(data) == found
    assert data["best"] in data["actions"] and data["loss_bb"] == found.loss / 2


GOOD = {
    "board": "QhJh2c4d7h",
    "line": "x",
    "seat": "ip",
    "hand": "AsJs",
    "pot": 100,
    "big_blind": 2,
    "actions": ["x", "b50"],
    "strategy": [0.5, 0.5],
    "ev": [10.0, 9.0],
    "action": "b50",
    "loss": 1.0,
    "grade": "good",
    "arrives": True,
}
PLAIN = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5)
JSON = PLAIN | st.lists(PLAIN, max_size=3) | st.dictionaries(st.text(max_size=3), PLAIN, max_size=2)


@given(st.sampled_from(sorted(GOOD)), JSON)
def test_anything_else_is_one_line(name, value):
    try:
        found = Judgement.from_json({**GOOD, name: value})
    except ValueError as error:
        assert "\n" not in str(error) and len(str(error)) < 200
    else:
        assert Judgement.from_json(found.to_json()) == found
        assert found.grade in GRADES and found.loss_percent is not None

"""Simple solutions and their price, against explicit trees and walks without kernels."""

from __future__ import annotations

import numpy as np
import pytest
from tests.holdem.spots.explicit_game import SpotGame as ExplicitGame
from tests.holdem.spots.explicit_game import split_name
from tests.holdem.spots.solved_spots import solved

from pokerlab.holdem.spots import PostflopSolution, Spot, simplify, solve_spot
from pokerlab.holdem.spots.checks.independent_walk import BEST, Verifier
from pokerlab.holdem.spots.simple import choosing
from pokerlab.holdem.spots.simple.origins import best_response_strategy, loss_origins
from pokerlab.holdem.spots.simple.pricing import PricedStrategies
from pokerlab.holdem.spots.simple.rounding import Rounding, round_strategy
from pokerlab.solvers import Strategy, best_response
from pokerlab.trees import GameTree


def explicit_best_values(solution: PostflopSolution) -> list[float]:
    """What best responses take, in the game written out."""
    tree = GameTree.build(ExplicitGame(solution.spot))
    infosets = tree.infosets
    numbers = np.zeros(infosets.slots)
    for number, name in enumerate(infosets.names):
        combo, line = split_name(name)
        slots = slice(infosets.offset[number], infosets.offset[number + 1])
        numbers[slots] = solution.decision(line).strategy[:, combo]
    strategy = Strategy(infosets, numbers)
    return [best_response(tree, strategy, seat).value for seat in range(2)]


@pytest.mark.parametrize("settings", [{"step": "50%"}, {"step": "100%", "loss": "1%"}])
def test_the_price_is_that_of_the_game_written_out(settings):
    full = solved("river")
    found = simplify(full, **settings)
    before, after = (explicit_best_values(each) for each in (full, found.solution))
    half = full.spot.pot / 2
    assert [each + half for each in after] == pytest.approx(found.solution.best_values, abs=2e-3)
    assert found.losses[0] == pytest.approx(after[1] - before[1], abs=4e-3)
    assert found.losses[1] == pytest.approx(after[0] - before[0], abs=4e-3)


@pytest.mark.parametrize("name", ["river", "turn", "turn, one suit"])
@pytest.mark.parametrize("by", ["hand", "class", "made"])
def test_certificates_hold_and_losses_sum_to_them(name, by):
    full = solved(name)
    found = simplify(full, "50%", by=by, max_actions=2)
    grown = found.solution.exploitability.chips - full.exploitability.chips
    assert sum(found.losses) == pytest.approx(2 * grown, abs=1e-6)
    totals = Verifier(found.solution).totals()
    assert totals[BEST] == pytest.approx(found.solution.best_values, abs=2e-3)
    for level, pair in enumerate(found.solution.strategies):
        for player, array in enumerate(pair):
            shares = np.asarray(array).astype(float)
            assert shares * 2 == pytest.approx(np.round(shares * 2)), (level, player)


def test_what_was_measured_is_kept(tmp_path):
    file, full = tmp_path / "simple.jsonl", solved("river")
    plain = simplify(full, "100%", loss="0.5%")
    first = simplify(full, "100%", loss="0.5%", resume=file)
    again = simplify(full, "100%", loss="0.5%", resume=file)
    assert plain.responses >= first.responses > again.responses == 0
    assert first.losses == again.losses == plain.losses and first.lines == again.lines
    for text in ("[1]\n", '["key", NaN]\n', '["key", "1"]\n'):
        file.write_text(text)
        with pytest.raises(ValueError, match="not a checkpoint of simple strategies"):
            simplify(full, "100%", loss="0.5%", resume=file)


def test_suits_that_are_equal_stay_equal():
    full = solved("turn, one suit")
    view = simplify(full, "100%").solution.decision()
    known = ~np.isnan(view.strategy[0])
    from pokerlab.cards.isomorphism.suits import permute_combos, symmetries

    ranges = np.stack([each.weights for each in full.spot.ranges])
    for suits in symmetries(full.spot.board, ranges):
        image = permute_combos(suits)
        assert np.array_equal(view.strategy[:, known], view.strategy[:, image][:, known])


@pytest.mark.parametrize("name", ["river", "turn"])
def test_without_steps_nothing_changes(name):
    full = solved(name)
    found = simplify(full, 0)
    assert found.losses == (0.0, 0.0)
    for old, new in zip(full.strategies, found.solution.strategies, strict=True):
        for before, after in zip(old, new, strict=True):
            assert np.array_equal(np.asarray(before), np.asarray(after))


@pytest.mark.parametrize("name", ["river", "turn"])
def test_parts_of_a_loss_are_what_is_lost_against_the_best_response(name):
    rounding = Rounding.of("100%", balanced=False)
    priced = PricedStrategies(solved(name), lambda *given: round_strategy(*given, rounding))
    for player in range(2):
        before, after = priced.full[player], priced.simple[player]
        parts = loss_origins(priced.prepared, player, before, after)
        response = best_response_strategy(priced.prepared, player, after)
        values = []
        for own in (before, after):
            pair = (own, response) if player == 0 else (response, own)
            values.append(priced.game.certify(tuple(zip(*pair, strict=True))).values)
        assert values[1][1 - player] == pytest.approx(priced.game.best_value(1 - player, after))
        assert parts.total == pytest.approx(values[0][player] - values[1][player], abs=2e-3)
        assert parts.hands.sum() == pytest.approx(parts.nodes[0].sum(), abs=1e-6)
        assert parts.total >= priced.loss_of(player, after) - 2e-3


def test_the_loss_keeps_within_its_bound_and_says_what_is_left():
    full = solved("river")
    whole = simplify(full, "100%")
    found = simplify(full, "100%", loss=0.5)
    assert whole.loss.chips > 0.5 >= found.loss.chips
    assert 0 < len(found.complicated) < len(found.lines) == len(whole.lines)
    assert all(each.alone is not None for each in found.lines)
    assert simplify(full, "100%", loss="100%").complicated == ()


def test_decisions_are_chosen():
    full = solved("turn")
    found = simplify(full, "100%", player="ip", street="turn")
    assert {(each.player, each.street) for each in found.lines} == {(1, "turn")}
    assert found.losses[0] == 0
    for player in range(2):
        assert np.array_equal(found.solution.strategies[1][player], full.strategies[1][player])
    assert [each.line for each in simplify(full, lines="x, ").lines if each.simple] in (
        ["", "x"],
        ["x", ""],
    )
    below = simplify(full, lines="x/*").lines
    assert below and all(each.line.startswith("x/") for each in below)


def test_locked_decisions_stay():
    spot = Spot("QhJh2c4d7h", "AA, KQs, JTs", "QQ, AJs, T9s", pot=100, stack=80)
    full = solve_spot(spot, target="0.1%", locks={"x": {"b50": "33%", "x": "67%"}})
    found = simplify(full, "100%")
    assert "x" not in [each.line for each in found.lines]
    assert all(each.given is None for each in found.lines)
    assert found.solution.at("x").frequencies[:2] == pytest.approx([0.67, 0.33], abs=1e-3)


def test_what_cannot_be_priced_is_refused():
    full = solved("turn")
    for settings, message in (
        ({"player": "bb"}, "player: 'bb' is not one of oop, ip"),
        ({"street": "flop2"}, "street: 'flop2' is not one of flop, turn, river"),
        ({"street": "flop"}, "no decision is left"),
        ({"lines": "x/b1"}, "not possible here"),
        ({"lines": "q*"}, "no decision is at 'q\\*'"),
        ({"lines": "x/x/7c"}, "leave out the cards"),
        ({"loss": "much"}, "loss: 'much' is not 0.5%"),
    ):
        with pytest.raises(ValueError, match=message):
            simplify(full, **settings)
    with pytest.raises(ValueError, match="leaves out the last streets"):
        simplify(full.without_river())
    grouped = solve_spot(full.spot, iterations=2, groups="rank/river")
    with pytest.raises(ValueError, match="without groups"):
        simplify(grouped)


@pytest.mark.parametrize("name", ["river, rake", "turn, rake, all-in"])
def test_with_rake_the_loss_is_what_the_opponent_takes_more(name):
    full = solved(name)
    found = simplify(full, "100%")
    for player in range(2):
        more = found.solution.best_values[1 - player] - full.best_values[1 - player]
        assert found.losses[player] == pytest.approx(more, abs=1e-6)
    best = Verifier(found.solution).totals()[BEST]
    assert best == pytest.approx(found.solution.best_values, abs=2e-3)


def test_where_run_outs_are_left_out_lines_are_measured_alone(monkeypatch):
    spot = Spot("QsJh2h", "AA, KQs", "KK, AJs", 100, 80, bet="a", raise_="", runouts="1x1")
    full = solve_spot(spot, iterations=50)
    monkeypatch.setattr(choosing, "MEASURED_ALONE", 0)
    found = simplify(full, "100%", loss="0.01%", balanced=False)
    assert all(each.given is None and each.alone is not None for each in found.lines)
    assert found.loss.percent <= 0.01
    other = solved("river")
    ordered = simplify(other, "100%", loss=0.5)
    assert all(each.alone is None for each in ordered.lines)
    assert 0 < ordered.loss.chips <= 0.5

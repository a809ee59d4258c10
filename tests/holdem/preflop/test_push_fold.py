"""The game before the flop: its two ways to an equilibrium, and the published charts."""

import numpy as np
import pytest
from scipy.optimize import linprog
from tests.holdem.preflop.published_charts import CALL, PUSH

from pokerlab.cards.hand_classes import CLASS_NAMES
from pokerlab.holdem.preflop import (
    BIG_BLIND,
    SMALL_BLIND,
    PreflopGame,
    PreflopRules,
    PreflopSolver,
    class_tables,
    push_fold_chart,
    solve_push_fold,
    solve_without_flop,
)
from pokerlab.holdem.preflop.linear_program import solve_exactly

PUBLISHED = [np.array(text.split(), float) for text in (PUSH, CALL)]


@pytest.mark.parametrize("stack", [2.0, 7.0, 10.0, 15.0, 20.0])
def test_every_hand_is_played_as_published(stack):
    chart = push_fold_chart([stack])
    for played, published in zip((chart.push[0], chart.call[0]), PUBLISHED, strict=True):
        assert ((played > 0.5) == (published >= stack)).all()


@pytest.mark.slow
def test_all_published_depths():
    """336 of 338 to the tenth; the other two hands mix where ours and the published depth differ.

    (The smallest depth is 1.1: at 1 bb the blinds are all-in.)
    """
    chart = push_fold_chart([step / 10 for step in range(11, 201)])
    different = {}
    for player, published in ((SMALL_BLIND, PUBLISHED[0]), (BIG_BLIND, PUBLISHED[1])):
        for name, ours, theirs in zip(
            CLASS_NAMES, chart.thresholds(player), published, strict=True
        ):
            if ours != theirs:
                different[player, name] = (float(ours), float(theirs))
    assert different == {(SMALL_BLIND, "Q4o"): (8.3, 7.9), (BIG_BLIND, "K7o"): (12.3, 12.4)}
    # Between the two depths of Q4o, pushing and folding win the same.
    for stack in (8.0, 8.1, 8.2, 8.3):
        evs = solve_push_fold(stack).at("").ev[:, CLASS_NAMES.index("Q4o")]
        assert abs(evs[1] - evs[0]) < 1e-9


def test_the_linear_program_as_a_plain_one():
    """The same game in normal form by class, written down from the tables alone."""
    stack, ante = 9.0, 0.1
    tables = class_tables()
    chances = tables.pairs / tables.pairs.sum()
    called = chances * ((2 * tables.equities - 1) * (stack + ante) - (1 + ante))
    stolen = chances.sum(axis=1) * (0.5 + ante + 1 + ante)
    found = linprog(
        -np.r_[stolen, np.ones(169)],
        A_ub=np.hstack([-called.T, np.eye(169)]),
        b_ub=np.zeros(169),
        bounds=[(0, 1)] * 169 + [(None, 0)] * 169,
    )
    solution = solve_push_fold(stack, ante=ante)
    assert solution.value == pytest.approx(-found.fun - 0.5 - ante, abs=1e-7)


@pytest.mark.parametrize(
    "rules",
    [PreflopRules.push_fold(6, ante=0.12), PreflopRules(4, "a", small_blind=0.4)],
    ids=["push or fold", "limps"],
)
def test_the_program_and_regret_matching_agree(rules):
    exact = solve_without_flop(rules)
    learnt = solve_without_flop(rules, "cfr+", target=2e-4)
    assert exact.exploitability == pytest.approx(0, abs=1e-9)
    assert learnt.exploitability <= 2e-4
    assert learnt.value == pytest.approx(exact.value, abs=4e-4)
    assert learnt.method == "cfr+(1)"


def test_values_of_both_players_sum_to_zero_and_best_responses_are_no_worse():
    game = PreflopGame(PreflopRules(8, "2x, a; 3x; a", ante=0.1))
    rng = np.random.default_rng(3)
    rows = rng.random(game.uniform()[0].shape) * game.uniform()[0]
    strategy = [rows / rows.sum(axis=1, keepdims=True)]
    values = [game.values(strategy, hero) for hero in (SMALL_BLIND, BIG_BLIND)]
    assert sum(each.sum() for each in values) == pytest.approx(0, abs=1e-12)
    for hero, own in enumerate(values):
        assert (game.best_values(strategy, hero) >= own - 1e-15).all()


def test_evs_of_actions_are_those_of_the_hands():
    """Deal every pair of classes by hand."""
    solution = solve_push_fold(10)
    tables = class_tables()
    aces, call = CLASS_NAMES.index("AA"), solution.at("a").strategy[1]
    met = tables.pairs[aces] / tables.pairs[aces].sum()
    won = met @ (call * (2 * tables.equities[aces] - 1) * 10 + (1 - call) * 1)
    assert solution.at("").ev[:, aces] == pytest.approx([-0.5, won], abs=1e-12)
    facing = solution.at("a").ev[:, aces]
    push = solution.at("").strategy[1] * tables.pairs[aces]
    won = push @ ((2 * tables.equities[aces] - 1) * 10) / push.sum()
    assert facing == pytest.approx([-1, won], abs=1e-12)


def test_a_state_goes_on_as_if_nothing_had_happened():
    game = PreflopGame(PreflopRules(5, "2x, a; a"))
    whole, half, rest = (PreflopSolver(game) for _ in range(3))
    whole.iterate(10)
    half.iterate(5)
    rest.restore({name: array.copy() for name, array in half.state().items()})
    rest.iterate(5)
    assert rest.exploitability() == whole.exploitability()
    assert rest.iteration == 10


def test_rules_without_regret_and_programs_with_flops_are_refused():
    game = PreflopGame(PreflopRules(5))
    with pytest.raises(ValueError, match="takes rules of regret"):
        PreflopSolver(game, "cgh")
    with pytest.raises(ValueError, match="nobody bets in after the flop"):
        solve_exactly(PreflopGame(game.rules, flops=object()))


def test_lines_and_ranges():
    solution = solve_push_fold(10)
    lines = {line: (player, hands) for line, player, hands in solution.lines()}
    assert list(lines) == ["a", "a/c"]
    assert lines["a"][0] == SMALL_BLIND
    assert lines["a/c"][0] == BIG_BLIND
    assert lines["a/c"][1].combos / 1326 == pytest.approx(0.3738, abs=1e-4)
    assert "22+, A2+, K2+" in lines["a"][1]
    with pytest.raises(ValueError, match="line 'f': nobody acts there"):
        solution.at("f")

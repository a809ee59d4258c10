"""CFR and CGH on groups: against the engine, against dense matrices, and in all readings."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from pokerlab.holdem.spots import PostflopSolver, Spot
from pokerlab.studies.cgh.spot_answers import SpotAnswers
from pokerlab.studies.grouped.group_game import GroupGame
from pokerlab.studies.grouped.group_solver import GroupSolver, Reading

HANDS = "88+, ATs+, KTs+, QTs+, JTs, AQo+, 65s"


def spot(board: str, hands: str = HANDS, menu: str = "a") -> Spot:
    return Spot(board, hands, hands, pot=2, stack=5, bet=menu, raise_=menu)


@pytest.mark.slow  # groups in 64 bits have a kernel of their own
@pytest.mark.parametrize("groups", ["rank", "view"])
def test_cgh_on_groups_equals_the_engine_on_a_turn(groups: str) -> None:
    # All hands have many exact ties between checking and betting; see `_sum_groups` of the engine.
    turn = spot("QhJh2c4d", "random")
    ours = GroupSolver(GroupGame.of(turn, groups), "cgh-return(0.175)")
    engine = PostflopSolver(turn, "cgh-return(0.175)", threads=1, precision=64, groups=groups)
    ours.iterate(6)
    engine.iterate(6)
    assert ours.epsilon() == pytest.approx(
        (2000 * (engine.exploitability_abstract() or 0), 2000 * engine.exploitability()), rel=1e-9
    )


@pytest.mark.parametrize(
    "rule", ["cfr", "cgh(0.2)", pytest.param("cgh-return(0.2)", marks=pytest.mark.slow)]
)
def test_single_hands_equal_the_engine_on_a_flop(rule: str) -> None:
    # One iteration: later the engine's rounding decides where an opponent hardly ever arrives.
    flop = spot("QhJh2c", "88+, ATs+, KTs+, QTs+, JTs, AQo+")
    ours = GroupSolver(GroupGame.of(flop), rule)
    engine = SpotAnswers(PostflopSolver(flop, rule, threads=1, precision=64))
    ours.iterate(1)
    engine.iterate(1)
    with engine.answered("plain mean" if rule.startswith("cfr") else "last") as solver:
        real = 2000 * solver.exploitability()
    assert ours.epsilon() == pytest.approx((real, real), rel=1e-9)


@pytest.mark.slow
def test_merged_suits_change_nothing() -> None:
    flop = spot("QhJh2c", "AA, KQs, JTs, 22")
    reading = Reading("ip", "call", "mean")
    answers = []
    for merged in (True, False):
        solver = GroupSolver(
            GroupGame.of(flop, "strength", isomorphism=merged), "cgh-return(0.175)", reading
        )
        solver.iterate(3)
        answers.append(solver.epsilon())
    assert answers[0] == pytest.approx(answers[1], rel=1e-9)


@pytest.mark.parametrize(
    "reading", list(product(("oop", "ip"), ("uniform", "call"), ("hand", "mean")))
)
def test_all_readings_approach_the_same_equilibrium(reading: tuple[str, str, str]) -> None:
    solver = GroupSolver(
        GroupGame.of(spot("QhJh2c4d7h"), "view"), "cgh-return(0.175)", Reading(*reading)
    )
    solver.iterate(400)
    assert 0 <= solver.epsilon()[0] < 5


def test_mean_of_a_group_is_passed_up_by_the_formula() -> None:
    # u(G_up) = Σ u(G_low) |G_up ∩ G_low| / |G_up|, group by group, from the leaves' own values.
    game = GroupGame.of(spot("QhJh2c4d", "random"), "rank")
    solver = GroupSolver(game, "cgh-return(0.175)", Reading(passing="mean"))
    by_hand, by_mean = (
        solver._walk(0, 4, solver.strategies, passing=passing, collisions="exact")
        for passing in ("hand", "mean")
    )
    top, label = game.streets[0], game.streets[0].label[0]
    hand, mean = (
        np.bincount(label, top.share[0] * values, int(top.groups[0]))
        for values in (by_hand, by_mean)
    )
    # Uniform play of both: what is lost on the way up moves between groups and adds up to nothing.
    sizes = np.bincount(label)
    assert sizes @ hand == pytest.approx(sizes @ mean, abs=1e-6)
    assert not np.allclose(hand, mean)


def test_mean_collisions_matter_only_with_groups() -> None:
    turn = spot("QhJh2c4d")
    for groups, same in (("", True), ("rank", False)):
        found = []
        for collisions in ("exact", "mean"):
            reading = Reading(collisions=collisions)
            solver = GroupSolver(GroupGame.of(turn, groups), "cfr", reading)
            solver.iterate(5)
            found.append(solver.epsilon()[0])
        assert (found[0] == pytest.approx(found[1], rel=1e-9)) is same


def test_many_bet_sizes_equal_the_engine() -> None:
    menu = ", ".join(f"{percent}%" for percent in range(5, 205, 5))
    hands = "AA, KQs, JTs, 22"
    river = Spot("QhJh2c4d7h", hands, hands, pot=200, stack=500, bet=menu, raise_="a")
    assert np.diff(river.tree.streets[0].first_edge).max() > 32
    ours = GroupSolver(GroupGame.of(river), "cfr")
    engine = SpotAnswers(PostflopSolver(river, "cfr", threads=1, precision=64))
    ours.iterate(1)
    engine.iterate(1)
    with engine.answered("plain mean") as solver:
        real = 2000 * solver.exploitability()
    assert ours.epsilon()[1] == pytest.approx(real, rel=1e-9)


def test_bad_input_is_one_line() -> None:
    with pytest.raises(ValueError, match="passing 'all': must be hand or mean"):
        Reading(passing="all")
    with pytest.raises(ValueError, match="same range"):
        GroupGame.of(Spot("QhJh2c4d7h", "AA", "KK", pot=2, stack=5))
    with pytest.raises(ValueError, match="must be cfr, cfr-return"):
        GroupSolver(GroupGame.of(spot("QhJh2c4d7h")), "dcfr")

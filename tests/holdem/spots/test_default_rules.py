"""The default rule gets somewhere: on small spots of unlike shape, in every precision."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from pokerlab.engine.cpu.kernels import float_mode_kernels as float_mode
from pokerlab.holdem.spots import PostflopSolver, Spot
from pokerlab.holdem.spots.solver import DEFAULT_RULE, SPACING
from pokerlab.solvers.rules import parse_rule

GROUPED = ("river, groups", 16)
LONGEST = ("flop", 16)
WITHOUT_TRIALS = "dcfr(1.3,0.5,3)"
"""The default rule, whose actions without a positive regret are not tried."""
TARGET = 0.003
MOST = 3
"""Times the iterations of the rule without trials."""

STOOD_STILL = Spot(
    "Ks7h2d", "QQ-88, AJs, KQs", "JJ-66, AQs, KJs", pot=60, stack=120, bet="75%", raise_="a"
)
"""Here the rule stopped at 1.46% of the pot on processors that keep denormal numbers."""

NARROW = "AA, KQs", "QQ, JTs"
WIDE = "22+, A2s+, K9s+, QTs+, JTs, T9s, A9o+, KTo+", "22-TT, A2s-AJs, K5s+, Q8s+, J8s+, 54s+, ATo+"

SPOTS: dict[str, tuple[Spot, dict[str, Any]]] = {
    "flop": (
        Spot(
            "Kh7h2h", "QQ-TT, KQs, AJs", "JJ-99, KJs, AQs", pot=60, stack=120, bet="75%", raise_="a"
        ),
        {},
    ),
    "monotone flop": (
        Spot("9h6h3h", "TT-77, AhJh", "99, 66, KhQh", pot=20, stack=60, bet="flop: 50%; turn: ; a"),
        {},
    ),
    "turn": (
        Spot("QhJh2c4d", "AA, KQs, T9s", "JJ, AQs, 98s", pot=50, stack=150, bet="66%, a"),
        {},
    ),
    "turn, one hand each": (
        Spot("Kc9d5s2h", "AsAd", "9h8h", pot=100, stack=300, bet="75%", raise_="a"),
        {},
    ),
    "turn, deep": (Spot("Tc8c4d2s", *NARROW, pot=10, stack=1000, bet="75%", raise_="60%"), {}),
    "turn, equal ranges": (
        Spot("7s6s5d2c", "99-55, A5s", "99-55, A5s", pot=40, stack=80, bet="50%, a"),
        {},
    ),
    "river": (
        Spot("QhJh2c4d7h", *WIDE, pot=100, stack=260, bet="50%, a", raise_="60%, a"),
        {},
    ),
    "river, tiny stack": (Spot("AhKd9c5s3h", *WIDE, pot=100, stack=3, bet="a"), {}),
    "river, deep": (
        Spot("AhKd9c5s3h", *WIDE, pot=4, stack=900, bet="33%, 150%, a", raise_="a"),
        {},
    ),
    "river, rake": (
        Spot("Ts9s8d3c3h", *WIDE, pot=61, stack=200, bet="75%, a", rake=0.05, rake_cap=7.5),
        {},
    ),
    "river, lock": (
        Spot("QhJh2c4d7h", *WIDE, pot=100, stack=150, bet="60%, a", raise_="a"),
        {"locks": {"x": {"b60": 0.5, "x": 0.5}}},
    ),
    "river, groups": (
        Spot("QhJh2c4d7h", *WIDE, pot=100, stack=260, bet="50%, a", raise_="60%, a"),
        {"groups": "view"},
    ),
}


def iterations_to_target(rule: str, precision: int, spot: Spot, **options: Any) -> int:
    """How many iterations a rule needs to reach the target, measured as a solve does."""
    solver = PostflopSolver(spot, rule, precision=precision, threads=1, **options)
    for _ in range(250):
        solver.iterate(SPACING)
        if solver.exploitability() <= TARGET * spot.pot:
            return solver.iteration
    raise AssertionError(f"{rule} in {precision} bits stands at {solver.exploitability()}")


def test_the_rule_without_trials_is_the_default_without_them():
    rule, plain = parse_rule(DEFAULT_RULE), parse_rule(WITHOUT_TRIALS)
    assert rule.at(7)._replace(trial=0) == plain.at(7) != rule.at(7)


@pytest.mark.parametrize(
    ("name", "precision"),
    [
        pytest.param(
            name,
            bits,
            # Groups in 16 bits have a kernel of their own.
            marks=[pytest.mark.slow] if bits == 64 or (name, bits) in (GROUPED, LONGEST) else [],
        )
        for name in SPOTS
        for bits in (16, 32, 64)
    ],
)
def test_the_default_rule_reaches_its_target(name, precision, monkeypatch):
    spot, options = SPOTS[name]
    plain = iterations_to_target(WITHOUT_TRIALS, precision, spot, **options)
    tried = iterations_to_target(DEFAULT_RULE, precision, spot, **options)
    assert tried <= MOST * plain
    # Nor does it need more where denormal numbers are not flushed to zero.
    monkeypatch.setattr(float_mode, "flushes", False)
    kept = iterations_to_target(DEFAULT_RULE, precision, spot, **options)
    assert abs(kept - tried) <= max(0.1 * tried, SPACING)


def test_denormal_numbers_do_no_harm(monkeypatch):
    monkeypatch.setattr(float_mode, "flushes", False)
    solver = PostflopSolver(STOOD_STILL)
    solver.iterate(32)
    for street in solver.storage:
        for numbers in (*street.strategy_weights, *street.sums):
            assert np.isfinite(numbers).all()
    assert solver.exploitability() < 0.03 * STOOD_STILL.pot


@pytest.mark.slow
def test_where_a_solve_stood_still(monkeypatch):
    flushed = iterations_to_target(DEFAULT_RULE, 32, STOOD_STILL)
    monkeypatch.setattr(float_mode, "flushes", False)
    kept = iterations_to_target(DEFAULT_RULE, 32, STOOD_STILL)
    assert abs(kept - flushed) <= 0.1 * flushed

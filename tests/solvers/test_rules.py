from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pokerlab
from pokerlab.holdem.spots import Spot
from pokerlab.solvers import RULES, Rule, Step, parse_rule
from pokerlab.solvers.rules import (
    Cfr,
    CfrPlus,
    Cgh,
    Dcfr,
    FictitiousPlay,
    LinearCfr,
    PcfrPlus,
    PdcfrPlus,
)


def test_all_names_parse_to_the_defaults() -> None:
    expected = "cfr cfr-return cfr+ linear dcfr pcfr+ pdcfr+ cgh cgh-return fp fp-naive"
    assert " ".join(RULES) == expected
    for name, kind in RULES.items():
        assert parse_rule(name) == parse_rule(name.upper()) == kind()
    assert parse_rule(" dcfr ( 1.5 , .25,3 ) ") == Dcfr(1.5, 0.25, 3)
    assert parse_rule("cgh()") == Cgh(0.2)
    rule = CfrPlus(2)
    assert parse_rule(rule) is rule


numbers = st.floats(0, 10).map(lambda number: round(number, 6))
rules = st.one_of(
    st.sampled_from([kind() for kind in RULES.values()]),
    st.builds(Dcfr, st.floats(-10, 10), st.floats(-10, 10), numbers, st.none() | numbers),
    st.builds(Cgh, numbers, st.none() | numbers),
    st.builds(CfrPlus, numbers),
    st.builds(PcfrPlus, numbers),
    st.builds(PdcfrPlus, numbers, numbers),
)


@given(rules)
def test_text_of_a_rule_parses_back(rule: Rule) -> None:
    assert parse_rule(str(rule)) == rule


@given(rules, st.integers(1, 10**7))
def test_coefficients_are_sane(rule: Rule, iteration: int) -> None:
    step = rule.at(iteration)
    assert 0 <= step.positive <= 1
    assert 0 <= step.negative <= 1
    assert 0 <= step.average <= 1
    assert 0 <= step.greedy <= 1
    assert step.hedge >= 0


@given(rules, st.integers(1, 3) | st.integers(1, 10**6), st.integers(0, 40), st.integers(0, 40))
def test_coefficients_of_many_iterations(rule: Rule, first: int, count: int, more: int) -> None:
    steps = rule.steps(first, count + more)
    assert steps.shape == (count + more, len(Step._fields))
    for row, iteration in zip(steps, range(first, first + count + more), strict=True):
        assert row == pytest.approx(rule.at(iteration), rel=1e-13)
    # To the bit: a solve does not depend on how many iterations it runs at a time.
    parts = [*rule.steps(first, count), *rule.steps(first + count, more)]
    assert [list(row) for row in steps] == [list(row) for row in parts]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "sfr",
            "unknown rule 'sfr'; known rules are cfr, cfr-return, cfr+, linear, dcfr, pcfr+",
        ),
        ("", "unknown rule ''"),
        ("dcfr(1", "unknown rule 'dcfr(1'"),
        (
            "dcfr(1,2,3,4,5)",
            "rule 'dcfr(1,2,3,4,5)' has 5 numbers; dcfr takes alpha, beta, gamma, t",
        ),
        ("dcfr(1,2,3,-1)", "dcfr: trial = -1 is not in 0 … 10"),
        ("cfr(1)", "rule 'cfr(1)' has 1 numbers; cfr takes no numbers"),
        ("cgh(x)", "rule 'cgh(x)': 'x' is not a number; cgh takes c, gamma"),
        ("cgh(-1)", "cgh: c = -1 is not in 0 … 10"),
        ("dcfr(nan)", "dcfr: alpha = nan is not in -10 … 10"),
        ("dcfr(inf)", "dcfr: alpha = inf is not in -10 … 10"),
    ],
)
def test_bad_rules(text: str, message: str) -> None:
    with pytest.raises(ValueError) as raised:
        parse_rule(text)
    assert str(raised.value).startswith(message)


def own_rule(given: object, **members: object) -> type[Rule]:
    """The class of a rule whose `at` gives this."""
    return type("Own", (Rule,), {"name": "own", **members, "at": lambda self, iteration: given})


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"positive": 1}, "at(1) gave {'positive': 1}; it must give a Step(positive, negative, "),
        ((1, 0), "at(1) gave (1, 0); it must give a Step(positive, negative, average, prediction"),
        (None, "at(1) gave None; it must give a Step(positive, "),
        (Step(average=float("nan")), "at(1) gave Step(positive=1.0, negative=1.0, average=nan, "),
        (Step(positive=None), "at(1) gave Step(positive=None, negative=1.0, "),  # type: ignore
    ],
)
def test_mistakes_in_the_coefficients_of_an_own_rule(given: object, message: str) -> None:
    river = Spot("QhJh2c4d7h", "AA, KQs", "QQ, AJs", pot=100, stack=80)
    for game in ("kuhn", river):
        with pytest.raises(ValueError) as raised:
            pokerlab.solve(game, own_rule(given)(), iterations=2)  # type: ignore[call-overload]
        assert str(raised.value).startswith(f"rule own: {message}")


def test_mistakes_in_the_class_of_an_own_rule() -> None:
    for members in ({"name": None}, {"name": 3}):
        with pytest.raises(
            ValueError, match=r'^rule Own: write name: ClassVar\[str\] = "…" in the'
        ):
            own_rule(Step(), **members)()

    @dataclass(frozen=True)
    class Named(Cfr):
        name: str = "named"  # type: ignore[misc]

    with pytest.raises(ValueError, match=r"^rule Named: write name: ClassVar"):
        Named()

    @dataclass(frozen=True)
    class Worded(Cfr):
        speed: str = "fast"

    with pytest.raises(ValueError, match=r"^rule Worded: speed = 'fast' is not a number$"):
        Worded()
    with pytest.raises(ValueError, match=r"is not a rule: give a name, for example 'cfr\+', or an"):
        parse_rule(Cfr)  # type: ignore[arg-type]


def test_a_mistake_in_a_later_iteration_is_found() -> None:
    @dataclass(frozen=True)
    class Late(Rule):
        name: ClassVar[str] = "late"

        def at(self, iteration: int) -> Step:
            return Step(average=1.0 if iteration < 5 else float("inf"))

    with pytest.raises(ValueError, match=r"^rule late: at\(5\) gave Step\(.*must be finite$"):
        pokerlab.solve("kuhn", Late(), iterations=9)


def test_coefficients_of_the_papers() -> None:
    assert Cfr().at(7) == Step(1, 1, 1)
    # Regrets of iteration t weigh t in the end: the product of the factors after it is t / T.
    weight = 1.0
    for iteration in range(4, 11):
        weight *= LinearCfr().at(iteration).positive
    assert weight == pytest.approx(3 / 10)
    # DCFR multiplies by s^α/(s^α + 1) after iteration s, that is before iteration s + 1.
    step = Dcfr(1.5, 0.5, 2).at(10)
    assert step.positive == pytest.approx(27 / 28)
    assert step.negative == pytest.approx(3 / 4)
    assert step.average == pytest.approx((9 / 10) ** 2)
    assert CfrPlus().at(4) == Step(negative=0.0, average=0.75)
    assert PcfrPlus().at(2) == Step(negative=0.0, average=0.25, prediction=1.0)
    assert Cgh(0.2).at(5) == Step(greedy=0.2, hedge=pytest.approx(0.04))
    assert FictitiousPlay().at(1) == Step(average=0.5, greedy=1.0)
    assert Dcfr().at(1) == Step(0, 0, 0)
    assert Dcfr(1, 1, 1, 0.1).at(2) == Step(0.5, 0.5, 0.5, trial=0.1)
    assert Dcfr(trial=0.1).at(1) == Step(0, 0, 0, trial=0.1)

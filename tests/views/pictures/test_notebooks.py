"""What a notebook shows of results, and what pandas gets of them."""

from __future__ import annotations

import re
import sys

import numpy as np
import pytest
from tests.views.pictures.parsed import Parsed, check_safe

import pokerlab as pl
from pokerlab.arena import MatchPlan, MatchResult, Tournament
from pokerlab.cards.hand_classes import CLASS_NAMES
from pokerlab.holdem.preflop import push_fold_chart, solve_push_fold
from pokerlab.holdem.spots import LineReport, PostflopSolution, breakdown, report_run_outs
from pokerlab.solvers import History, Point

NASTY = "<script>alert('[x]')</script>"


@pytest.fixture(scope="module")
def turn() -> PostflopSolution:
    spot = pl.Spot("KsTs7d4c", "77, 65s", "AA", pot=100, stack=100, bet="a", raise_="")
    return pl.solve(spot, target="1%")


def shown(thing, limit=60_000) -> Parsed:
    html = thing._repr_html_()
    assert len(html.encode()) < limit
    parsed = Parsed(html)
    check_safe(parsed)
    return parsed


def test_a_decision(turn):
    view = turn.at("x")
    parsed = shown(view)
    for action, often in zip(("check", "all-in"), view.frequencies, strict=True):
        assert action in parsed.texts
        assert f"{often:.1%}" in parsed.texts
    aces = breakdown(view, "class")[0]
    title = next(text for text in parsed.texts if text.startswith("AA "))
    x, a = aces.strategy
    assert title == f"AA 100.0%: x {x:.1%}, a {a:.1%}, EV {aces.ev:.2f}"
    assert f"{view.mean_equity(0):.1%}" in parsed.texts
    assert "in position acts, pot 100" in parsed.text


def test_a_plain_prompt_shows_one_short_line(turn):
    shown = [
        (turn, r"<PostflopSolution KsTs7d4c .*, [\d,]+ iterations, exploitability .*% of the pot>"),
        (turn.at("x"), r"<NodeView 'x': ip, pot [\d.]+, x, .*>"),
        (turn.decision(""), r"<Decision '': oop, pot [\d.]+, x, .*>"),
        (
            pl.solve("kuhn", "cfr+", iterations=9),
            r"<Solution kuhn cfr\+\(1\), 9 iterations, expl.*>",
        ),
        (solve_push_fold(10), r"<PreflopSolution 10 bb lp, exploitability .* bb>"),
        (pl.load_game("leduc"), "<BettingGame leduc: 2 players, limit>"),
        (pl.load_game("rps"), "<MatrixGame rps: 2 players>"),
        (pl.load_game("seminar1"), "<WrittenGame seminar1: 2 players>"),
    ]
    for thing, expected in shown:
        assert re.fullmatch(expected, repr(thing)), repr(thing)
        assert len(repr(thing)) < 100


def test_a_decision_that_nobody_reaches(turn):
    view = turn.at("")
    nobody = type(view)(**{**vars(view), "weights": (np.zeros(1326), view.weights[1])})
    assert "no hand out of position arrives here" in shown(nobody).text


def test_a_decision_without_evs(turn):
    decision = turn.decision("x")
    parsed = shown(decision)
    assert f"{decision.frequencies[1]:.1%}" in parsed.texts
    assert "EV" not in parsed.text


def test_hands_and_parts_of_a_range_for_pandas(turn):
    view = turn.at("x")
    hands = view.to_frame()
    assert hands["weight"].sum() == pytest.approx(view.weights[1].sum())
    assert np.allclose(hands["x"] + hands["a"], 1)
    assert set(hands["class"]) == {"AA"}
    made = view.to_frame("made")
    assert made["share"].sum() == pytest.approx(1)
    with pytest.raises(ValueError, match="known are class, made, draws"):
        view.to_frame("suits")


def test_a_solution_with_its_curve(turn):
    parsed = shown(turn)
    assert f"{turn.exploitability.percent:.3g}% of the pot" in parsed.text
    assert f"{turn.values[0]:.3f}" in parsed.texts
    assert parsed.count("polyline") == 1
    assert turn.history.to_frame()["exploitability"].tolist() == [
        point.exploitability for point in turn.history
    ]
    assert isinstance(turn.history, History)


def test_a_report_of_run_outs(turn):
    report = report_run_outs(turn, "x/x")
    parsed = shown(report, 100_000)
    ace = report.rows[0]
    assert f"As {ace.ev[0]:.2f}" in parsed.texts
    assert parsed.count("tr") == 1 + 48 + 1
    frame = report.to_frame()
    assert frame["weight"].sum() == pytest.approx(1)
    assert frame.loc[0, "card"] == "As"


def test_a_small_game():
    solution = pl.solve("kuhn", "cfr+", target=1e-3)
    parsed = shown(solution)
    for name, chosen in solution.strategy.items():
        assert name in parsed.texts
        assert (
            "  ".join(f"{action} {chance:.4f}" for action, chance in chosen.items()) in parsed.text
        )
    frame = solution.strategy.to_frame()
    assert frame.groupby("infoset")["probability"].sum().tolist() == pytest.approx([1.0] * 12)
    many = pl.solve("leduc", iterations=1).strategy
    assert f"{len(many) - 40:,} more: strategy.to_frame() has them all" in shown(many).texts


def test_measurements_inside_an_abstraction_are_a_second_curve():
    history = History([Point(1, 0.1, 4.0, 2.0), Point(30, 1.0, 0.4, 0.1)])
    assert shown(history).count("polyline") == 2
    assert "exploitability_abstract" in history.to_frame()
    assert "exploitability_abstract" not in History([Point(1, 0.1, 4.0)]).to_frame()


def test_before_the_flop():
    solution = solve_push_fold(10)
    parsed = shown(solution, 120_000)
    push = solution.at("").frequencies[1]
    assert f"{push:.1%}" in parsed.texts
    assert "big blind after a" in parsed.texts
    frame = solution.at("a").to_frame()
    assert frame["hand"].tolist() == list(CLASS_NAMES)
    assert frame.set_index("hand").loc["K7s", "c"] == pytest.approx(1.0)
    assert "big blind after a" in shown(solution.at("a")).text
    chart = push_fold_chart([9.0, 10.0])
    assert "AA 10.0+" in shown(chart).texts
    assert len(chart.to_frame()) == 2 * 169


def boards(names, count=2):
    size = len(names)
    shares = np.full((size, 2), 0.5)
    return LineReport(
        "x", 1, tuple(names), np.ones(size), np.full(size, 10.0),
        np.column_stack([np.arange(size), 10.0 - np.arange(size)]), shares, ("x", "b5"), shares,
        np.where(np.arange(size)[:, None] > 0, shares, np.nan), np.ones(size),
    )  # fmt: skip


def test_a_report_over_boards():
    report = boards(["AsKh7d", "QsJh2d", "8s8h2s"])
    parsed = shown(report)
    assert "3 boards · after x · in position acts" in parsed.texts
    assert "paired two-tone" in parsed.texts
    assert "9.00" in parsed.texts  # the mean of what the player in position takes
    assert report.to_frame()["ip_ev"].tolist() == [10.0, 9.0, 8.0]


def test_all_flops_stay_small():
    from pokerlab.cards.flops import all_flops

    report = boards([flop.name for flop in all_flops()])
    parsed = shown(report, 120_000)
    assert "1,715 more: to_frame() has them all" in parsed.texts


def match(first, second, chips):
    plan = MatchPlan("kuhn", (first, second), 100, 1)
    return MatchResult(
        plan, (first, second), 100, (chips, -chips), (10 * chips, -10 * chips), (1.0, 1.0), (0, 0),
        ("", ""), 0.1,
    )  # fmt: skip


def test_matches_and_tournaments():
    result = match("caller", "raiser", 12.0)
    assert {"caller", "12", "-120.0"} <= set(shown(result).texts)
    assert result.to_frame()["chips"].tolist() == [12.0, -12.0]
    tournament = Tournament(("caller", "raiser"), (result,))
    assert "2 bots, 1 matches" in shown(tournament).texts
    assert tournament.to_frame()["bankroll"].tolist() == [1, 2]


def test_names_of_bots_and_games_are_escaped():
    result = match(NASTY, "raiser", 1.0)
    assert NASTY in shown(result).texts
    assert NASTY in shown(Tournament((NASTY, "raiser"), (result,))).texts
    game = pl.solve("kuhn", iterations=1)
    named = type(game)(**{**vars(game), "game": NASTY, "rule": NASTY, "stopped": NASTY})
    assert shown(named).text.count(NASTY) == 3


def test_without_pandas_one_line_says_what_to_install(turn, monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ValueError, match=r"^a table for pandas needs the package: pip install"):
        turn.history.to_frame()

"""The compact data of a page: what ``show --json`` says, rounded."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.holdem.spots.solved_spots import SPOTS, solved

from pokerlab.holdem.spots.reports.run_outs import report_run_outs
from pokerlab.holdem.spots.reports.study import decision_data, solution_data, value_data
from pokerlab.views.payloads.node_payload import node_payload
from pokerlab.views.report_tables import report_data

LINES = {
    "turn": ["", "x", "x/b50", "x/x/Ks", "b50/c/7h/x"],
    "flop, one suit, rake": ["", "x", "x/x/2c", "b15/c/8h/x/x/9s"],
    "river, rake": ["", "x/b46", "b18/a"],
}
EVERY = [(name, line) for name, lines in LINES.items() for line in lines]


def differs(found: Sequence[float | None], expected: Sequence[float | None]) -> float:
    """The largest difference; infinite where one is known and the other is not."""
    assert len(found) == len(expected)
    if any((one is None) != (other is None) for one, other in zip(found, expected, strict=True)):
        return float("inf")
    return max(
        (abs(one - other) for one, other in zip(found, expected, strict=True) if one is not None),
        default=0.0,
    )


def test_stack_to_pot_and_equities_are_those_of_the_place() -> None:
    solution = solved("turn")
    tree = solution.spot.tree
    pot, stack = tree.chips(tree.pot), tree.chips(tree.stack)
    expected = {
        "": stack / pot,
        "x/b50": (stack - 50) / (pot + 50),
        "x/b50/c": (stack - 50) / (pot + 100),
        "x/b50/c/Ks": (stack - 50) / (pot + 100),
        "x/b50/f": None,
    }
    for line, ratio in expected.items():
        assert decision_data(solution, line)["stack_to_pot"] == pytest.approx(ratio), line
    card = decision_data(solution, "x/b50/c")
    report = report_data(report_run_outs(solution, "x/b50/c"))
    assert card["kind"] == "card" and len(card["cards"]) == len(report["rows"])
    assert card["equities"] == pytest.approx(report["mean"]["equity"], abs=1e-6)
    assert sum(card["equities"]) == pytest.approx(1)


@pytest.mark.parametrize(("name", "line"), EVERY)
def test_what_show_says(name: str, line: str) -> None:
    solution = solved(name)
    once, here, worth = (
        solution_data(solution),
        decision_data(solution, line),
        value_data(solution, line),
    )
    shown = node_payload(solution, solution.at(line))
    for key in ("line", "player", "seat", "pot", "actions", "combos"):
        assert here[key] == shown[key], key
    assert "".join(here["board"]) == shown["board"]
    assert [each["frequency"] for each in here["options"]] == shown["frequencies"]
    assert [each["line"] for each in here["options"]] == [each["line"] for each in shown["next"]]
    assert [each["leads_to"] for each in here["options"]] == [
        each["kind"] for each in shown["next"]
    ]
    seat, pot = here["seat"], here["pot"]
    for player, key in ((seat, "hands"), (1 - seat, "opponent")):
        rows = shown[key]
        arrive = [number for number, weight in enumerate(here["weights"][player]) if weight > 0]
        names = [once["hands"][player][number] for number in arrive]
        assert names == list(rows)

        def column(values: Sequence[Any], chosen: list[int] = arrive) -> list[Any]:
            return [values[number] for number in chosen]

        largest = max(row["weight"] for row in rows.values())
        assert (
            differs(column(here["weights"][player]), [row["weight"] for row in rows.values()])
            <= 1e-4 * largest
        )
        assert differs(column(worth["ev"][player]), [row["ev"] for row in rows.values()]) <= (
            1e-4 * pot
        )
        assert (
            differs(column(worth["equity"][player]), [row["equity"] for row in rows.values()])
            <= 1e-4
        )
        if player == seat:
            for number in range(len(here["actions"])):
                strategy = [row["strategy"][number] for row in rows.values()]
                assert differs(column(here["strategy"][number]), strategy) <= 1e-4
                action_ev = [row["action_ev"][number] for row in rows.values()]
                assert differs(column(worth["action_ev"][number]), action_ev) <= 1e-4 * pot
    assert worth["curves"] == shown["curves"]
    assert [each["ev"] for each in worth["totals"]] == shown["ev"]


@pytest.mark.parametrize(("name", "line"), EVERY)
def test_sums_over_hands_are_those_of_the_breakdowns(name: str, line: str) -> None:
    """What a page adds up: frequencies by weight, EVs and equities by `met`."""
    solution = solved(name)
    once, here, worth = (
        solution_data(solution),
        decision_data(solution, line),
        value_data(solution, line),
    )
    shown = node_payload(solution, solution.at(line))
    seat = here["seat"]
    weights, met = np.array(here["weights"][seat]), np.array(worth["met"][seat])
    strategy = np.array(here["strategy"], float)
    ev = np.array(worth["ev"][seat], float)
    parts = {
        "classes": [once["class_names"][number] for number in once["classes"][seat]],
        "made": [once["made_names"][number] for number in here["made"][seat]],
    }
    for key, names in parts.items():
        for part, row in shown[key].items():
            inside = np.array([name == part for name in names]) & (weights > 0)
            assert weights[inside].sum() == pytest.approx(row["weight"], abs=1e-3)
            played = strategy[:, inside] @ weights[inside] / weights[inside].sum()
            assert played == pytest.approx(row["strategy"], abs=1e-3)
            counted = inside & ~np.isnan(ev) & (met > 0)
            if row["ev"] is not None:
                mean = ev[counted] @ met[counted] / met[counted].sum()
                assert mean == pytest.approx(row["ev"], abs=1e-3 * here["pot"])
    for number, draw in enumerate(once["draw_names"]):
        inside = np.array(here["draws"][seat]) >> number & 1 == 1
        expected = shown["draws"].get(draw, {"weight": 0.0})["weight"]
        assert weights[inside].sum() == pytest.approx(expected, abs=1e-3)


def test_the_way_to_a_decision() -> None:
    data = decision_data(solved("turn"), "x/b50/c/Qc/x")
    steps = [
        (step["player"], step["options"][step["chosen"]]["name"])
        if step["kind"] == "decision"
        else step["card"]
        for step in data["path"]
    ]
    assert steps == [("oop", "Check"), ("ip", "Bet 50"), ("oop", "Call 50"), "Qc", ("oop", "Check")]
    assert [step["line"] for step in data["path"]] == ["", "x", "x/b50", "x/b50/c/Qc", "x/b50/c/Qc"]
    card = data["path"][3]
    assert (card["before"], card["street"], len(card["cards"])) == ("x/b50/c", "river", 48)
    facing = data["path"][2]
    assert (facing["pot"], facing["to_call"], facing["pot_odds"]) == (150, 50, 0.25)
    assert (facing["stack"], data["stack"], data["pot"]) == (300, 250, 200)
    bet = data["path"][1]["options"][1]
    assert (bet["size"], bet["action"]) == (0.5, "b50")


def test_a_card_to_come_and_ends() -> None:
    solution = solved("turn")
    card = decision_data(solution, "x/b50/c")
    assert (card["kind"], card["street"], card["pot"], len(card["cards"])) == (
        "card",
        "river",
        200,
        48,
    )
    assert card["path"][-1]["chosen"] == 1
    before = decision_data(solution, "x/b50/c/Ks")
    free = [
        number
        for number, hand in enumerate(solution_data(solution)["hands"][0])
        if "Ks" not in hand
    ]
    for number in free:
        assert card["weights"][0][number] == pytest.approx(before["weights"][0][number], abs=1e-4)
    assert decision_data(solution, "b50/f")["text"] == "OOP takes 100"
    assert decision_data(solution, "a/c")["text"].startswith("All-in: showdown for 700")
    assert decision_data(solution, "x/x/Ks/x/x")["text"] == "Showdown for 100"


def test_a_partial_solution_has_the_same_places() -> None:
    partial = solved("turn").without_river()
    assert decision_data(partial, "x/x")["weights"] is not None
    end = decision_data(partial, "x/x/Ks/x/x")
    assert (end["kind"], end["weights"]) == ("end", None)
    assert "solved again" in solution_data(partial)["certificate"]


def test_locked_hands_are_numbers_in_the_order() -> None:
    from pokerlab.holdem.spots import solve_spot

    spot = SPOTS["river"]
    solution = solve_spot(spot, iterations=5, locks={"x": {"x": "TdTs, AcQs"}})
    hands = solution_data(solution)["hands"][1]
    assert [hands[number] for number in decision_data(solution, "x")["locked"]] == ["AcQs", "TsTd"]


TOKENS = st.sampled_from(["x", "b50", "c", "f", "a", "Ks", "Qc", "2s", "b51", "?", "", "r100"])


@given(st.lists(TOKENS, max_size=7))
def test_any_line_is_data_or_one_line_of_error(tokens: list[str]) -> None:
    solution = solved("turn")
    for make in (decision_data, value_data):
        try:
            data = make(solution, "/".join(tokens))
        except ValueError as error:
            assert "\n" not in str(error)
        else:
            assert "NaN" not in json.dumps(data)

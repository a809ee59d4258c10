"""What changed between two solutions."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.holdem.spots.solved_spots import SPOTS, solved

from pokerlab.cards.codes import combo_index, parse_cards
from pokerlab.holdem.spots import PostflopSolution, Spot, solve_spot
from pokerlab.holdem.spots.reports.breakdown import breakdown
from pokerlab.holdem.spots.reports.diff import HandChange, diff, diff_frequencies


def other_river(**changes: object) -> Spot:
    spot = SPOTS["river"]
    fields = {
        "board": spot.board,
        "oop": spot.oop,
        "ip": spot.ip,
        "pot": spot.pot,
        "stack": spot.stack,
        "bet": "50%, a",
        "raise_": "60%, a",
    }
    return Spot(**(fields | changes))


def test_nothing_changed() -> None:
    assert diff(solved("river"), solved("river")) == []
    assert diff(solved("turn"), solved("turn"), "x/x/Kc") == []


def test_a_hand_that_was_changed() -> None:
    solution = solved("river")
    own = solution.strategies[0][0].copy()
    hands = len(own) // solution.spot.tree.streets[0].actions_of(0)
    # Entries are in the order of strength: at the root, 6d5d, the weakest hand, now goes all-in.
    own[[0, hands, 2 * hands]] = 0, 0, 1
    changed = replace(solution, strategies=((own, solution.strategies[0][1]),))
    changes = diff(solution, changed, "")
    moved = [change for change in changes if change.strategy_change > 0]
    assert [change.hand for change in moved] == ["6d5d"]
    assert moved[0] is changes[0]
    assert moved[0].strategies[1] == (0, 0, 1)
    view = solution.at("")
    combo = combo_index(*parse_cards("6d5d"))
    assert moved[0].strategies[0] == tuple(view.strategy[:, combo])
    assert moved[0].evs[0] == view.ev[0][combo]
    assert moved[0].ev_change == changed.at("").ev[0][combo] - view.ev[0][combo]


def test_a_lock_costs_the_locked_and_helps_the_other() -> None:
    locks = {"x": {"x": "JsJd, 9h8h, AcQs"}}
    solution = solved("river")
    locked = solve_spot(solution.spot, target="0.2%", threads=1, locks=locks)
    changes = diff(solution, locked, "x")
    by_hand = {change.hand: change for change in changes}
    flush = by_hand["9h8h"]
    assert flush.player == 1 and flush.actions == ("x", "b51", "a")
    assert flush.strategies[1] == (1, 0, 0)
    assert flush.ev_change < 0 and flush.exceeds
    assert flush.epsilon == solution.exploitability.chips + locked.exploitability.chips
    importance = [change.weight * abs(change.ev_change) for change in changes]
    assert importance == sorted(importance, reverse=True)
    everywhere = diff(solution, locked)
    assert {change.line for change in everywhere} == {
        line for _, _, line in solution.spot.tree.walk()
    }
    root = [change for change in everywhere if change.line == ""]
    gained = sum(change.weight * change.ev_change for change in root)
    assert gained == pytest.approx(locked.values[0] - solution.values[0], abs=1e-3)
    assert gained > 1


def test_weights_are_parts_of_all_deals() -> None:
    changes = diff(solved("river"), slightly_moved(solved("river")), "")
    assert sum(change.weight for change in changes) == pytest.approx(1, abs=1e-3)


def slightly_moved(solution: PostflopSolution) -> PostflopSolution:
    return solve_spot(solution.spot, "cfr+", iterations=100, threads=1)


def test_small_changes_do_not_exceed_the_exploitability() -> None:
    solution = replace(solved("river"), best_values=(100.0, 100.0))
    changes = diff(solution, slightly_moved(solution), "x")
    assert changes and not any(change.exceeds for change in changes)


def test_other_menus() -> None:
    spot = other_river(bet="50%, 100%, a", raise_="a")
    solution, other = solved("river"), solve_spot(spot, target="0.2%", threads=1)
    changes = diff(solution, other)
    lines = {change.line for change in changes}
    assert {"", "x", "x/b51"} <= lines
    assert "x/b101" not in lines  # the first solution does not have it
    assert "b51/r173" not in lines  # the second does not
    root = next(change for change in changes if change.line == "")
    assert root.actions == ("x", "b51", "a", "b101")
    assert root.strategies[0][3] == 0
    assert sum(root.strategies[1]) == pytest.approx(1)
    with pytest.raises(ValueError, match=r"line 'b101': .* possible: x, b51, a"):
        diff(solution, other, "b101")
    with pytest.raises(ValueError, match=r"line 'b51/r173': .* possible: f, c, a"):
        diff(solution, other, "b51/r173")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"board": "QhJh2c4d7s"}, "board QhJh2c4d7h and QhJh2c4d7s"),
        ({"pot": 100}, "pot 101 and 100"),
        ({"stack": (900, 250)}, "stack 260 and 250"),
        ({"rake": 0.05}, r"rake \(0.0, 0.0\) and \(0.05, 0.0\)"),
        ({"ip": "AsAd, AhJc"}, "ip holds AhJc with the weight 0.79 and 1"),
    ],
)
def test_other_spots(changes: dict[str, object], message: str) -> None:
    solution = solved("river")
    other = replace(solution, spot=other_river(**changes))
    with pytest.raises(ValueError, match=f"^the solutions are of different spots: {message}"):
        diff(solution, other)


def test_the_order_of_the_flop_and_unequal_stacks_do_not_matter() -> None:
    solution = solved("river")
    same = replace(solution, spot=other_river(board="2cQhJh4d7h", stack=(500, 260)))
    assert diff(solution, same, "x") == []


def test_an_ev_that_is_not_known_counts_for_nothing() -> None:
    known = HandChange("", 0, 7, 0.1, ("x", "a"), ((1, 0), (1, 0)), (1.0, 2.0), 0.5)
    unknown = replace(known, evs=(1.0, np.nan))
    assert known.exceeds and not unknown.exceeds


def test_frequencies_by_class() -> None:
    first, second = solved("river"), solve_spot(other_river(bet="30%, a"), target="0.2%")
    change = diff_frequencies(first, second, "x")[0]
    views = first.at("x"), second.at("x")
    assert change.actions == tuple(dict.fromkeys(views[0].actions + views[1].actions))
    for side, view in enumerate(views):
        # The same numbers as `show` has, with 0 for the actions of the other solution.
        shares = dict(zip(view.actions, view.frequencies, strict=True))
        assert change.total.frequencies[side] == pytest.approx(
            [shares.get(action, 0.0) for action in change.actions]
        )
        assert change.total.weights[side] == pytest.approx(view.weights[1].sum())
        rows = {row.name: row for row in breakdown(view, "class")}
        assert set(rows) <= set(change.classes)
        for name, row in rows.items():
            each = change.classes[name]
            played = dict(zip(change.actions, each.frequencies[side], strict=True))
            assert [played[action] for action in view.actions] == pytest.approx(row.strategy)
            assert each.weights[side] == row.weight
    assert sum(change.total.changes) == pytest.approx(0, abs=1e-9)
    assert 0 < change.total.moved <= 1


@pytest.mark.parametrize("by", ["made", "draws"])
def test_frequencies_by_made_hand_and_draw_with_what_they_earn(by: str) -> None:
    first, second = solved("river"), solve_spot(other_river(bet="30%, a"), target="0.2%")
    change = diff_frequencies(first, second, "x", by=by)[0]
    for side, view in enumerate((first.at("x"), second.at("x"))):
        rows = {row.name: row for row in breakdown(view, by)}
        assert set(rows) == set(change.classes)
        for name, row in rows.items():
            assert change.classes[name].weights[side] == row.weight
            assert change.classes[name].evs[side] == row.ev
        assert change.total.evs[side] == pytest.approx(view.mean_ev(1))
    some = diff_frequencies(first, second, "x", by=by, hands="AJ, pair")[0]
    for name, each in some.classes.items():
        assert each.weights[0] <= change.classes[name].weights[0]
    chosen = diff(first, second, "x", hands="pair")
    everything = diff(first, second, "x")
    assert 0 < len(chosen) < len(everything)
    assert set(chosen) < set(everything)


def test_all_lines_of_the_first_street_have_frequencies() -> None:
    lines = diff_frequencies(solved("turn"), solved("turn"))
    assert [each.line for each in lines[:2]] == ["", "x"]
    assert all(each.total.moved == 0 for each in lines)
    for each in lines:
        assert sum(each.total.frequencies[0]) == pytest.approx(1)

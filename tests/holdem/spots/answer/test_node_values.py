"""EVs of all nodes of a board at once: against the game written out, and asked by many threads."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.holdem.spots.explicit_game import SpotGame, split_name
from tests.holdem.spots.solved_spots import SPOTS, solved

from pokerlab.engine.tables.runouts import find_run_out
from pokerlab.holdem.spots import NodeView, PostflopSolution, load_postflop
from pokerlab.holdem.spots.answer.node_values import NodeValues
from pokerlab.solvers import Strategy, reach
from pokerlab.solvers.evaluation.tree_values import node_values
from pokerlab.trees import GameTree

LINES = {
    "turn": ["", "x", "b50", "x/b50", "x/x/Ks", "x/x/2s/x", "b50/c/7h", "x/b50/c/Qc/x"],
    "flop, one suit, rake": [
        "",
        "x",
        "b15",
        "x/x/2c",
        "x/x/2d",
        "x/x/2c/x/x/3d",
        "b15/c/8h/x/x/9s",
    ],
    "river, rake": ["", "x", "b18", "x/b46", "b18/a"],
}
EVERY = [(name, line) for name, lines in LINES.items() for line in lines]


def fresh(name: str) -> PostflopSolution:
    """A solution that has been asked nothing yet."""
    solution = solved(name)
    return PostflopSolution(
        **{
            field: getattr(solution, field)
            for field in PostflopSolution.__dataclass_fields__
            if field not in ("known", "boards", "layout", "storage", "_node_values")
        }
    )


def same(first: NodeView, second: NodeView) -> bool:
    return all(
        np.array_equal(one, other, equal_nan=True)
        for one, other in [
            (first.strategy, second.strategy),
            (first.action_ev, second.action_ev),
            *zip(first.ev, second.ev, strict=True),
            *zip(first.weights, second.weights, strict=True),
            *zip(first.equity, second.equity, strict=True),
        ]
    )


@cache
def explicit(name: str) -> tuple[GameTree, Strategy]:
    """The game written out, and the solution in it."""
    solution, spot = solved(name), SPOTS[name]
    tree = GameTree.build(SpotGame(spot))
    weights = np.zeros(tree.infosets.slots)
    for number, information in enumerate(tree.infosets.names):
        combo, line = split_name(information)
        place = spot.find(line)
        run_out = find_run_out(solution.boards, place.cards)[-1]
        start = int(tree.infosets.offset[number])
        played = solution._node_strategy(run_out, place.node)[:, combo]
        weights[start : start + len(played)] = played
    return tree, Strategy.from_weights(tree.infosets, weights)


@pytest.mark.parametrize("name", ["river", "river, rake", "turn, rake, all-in"])
def test_every_ev_is_that_of_the_game_written_out(name: str) -> None:
    """EV of a hand: the mean over the nodes of its information set, and of those below them."""
    tree, strategy = explicit(name)
    solution, spot = replace(solved(name), first_values=()), SPOTS[name]
    arrival = reach(tree, strategy)
    worth = node_values(tree, strategy)
    views: dict[str, NodeView] = {}
    checked = 0
    for infoset, information in enumerate(tree.infosets.names):
        combo, line = split_name(information)
        nodes = np.flatnonzero(tree.infoset == infoset)
        weight = arrival[nodes]
        if weight.sum() < 1e-6:
            continue
        view = views.setdefault(line, solution.at(line))
        player = view.player
        place = spot.find(line)
        committed = spot.tree.chips(
            int(spot.tree.streets[place.level].committed[place.node][player])
        )
        before = spot.pot / 2 + committed
        mean = float(worth[nodes, player] @ weight / weight.sum())
        assert view.ev[player][combo] == pytest.approx(mean + before, abs=1e-9)
        for action in range(len(view.actions)):
            children = np.flatnonzero(tree.slot == tree.infosets.offset[infoset] + action)
            np.testing.assert_array_equal(tree.parent[children], nodes)
            mean = float(worth[children, player] @ weight / weight.sum())
            assert view.action_ev[action, combo] == pytest.approx(mean + before, abs=1e-9)
        checked += 1
    assert checked > 20


@pytest.mark.parametrize(("name", "line"), EVERY)
def test_the_mean_over_the_strategy_is_the_ev(name: str, line: str) -> None:
    view = solved(name).at(line)
    ev = view.ev[view.player]
    known = ~np.isnan(ev)
    assert known.any()
    assert view.action_ev.shape == view.strategy.shape
    mean = (view.strategy * view.action_ev).sum(axis=0)
    np.testing.assert_allclose(mean[known], ev[known], atol=1e-9)
    assert np.isnan(view.action_ev[:, ~known]).all()
    if view.actions[0] == "f":
        np.testing.assert_allclose(view.action_ev[0][known], 0, atol=1e-9)


@pytest.mark.parametrize("name", ["turn", "flop, one suit, rake"])
def test_the_ev_of_an_action_is_that_of_the_next_decision(name: str) -> None:
    solution = solved(name)
    root = solution.at("")
    for action, action_ev in zip(root.actions, root.action_ev, strict=True):
        after = solution.at(action)
        paid = after.pot - root.pot
        known = ~np.isnan(after.ev[0]) & (root.weights[0] > 0)
        # The opponent's reach is the same: the EV behind the action, less what it costs.
        np.testing.assert_allclose(action_ev[known], after.ev[0][known] - paid, atol=1e-9)


@pytest.mark.parametrize("name", ["turn", "flop, one suit, rake"])
def test_evs_of_the_first_street_need_no_walk_where_values_were_kept(
    name: str, tmp_path: Path
) -> None:
    solved(name).save(tmp_path / "solution.safetensors")
    kept = load_postflop(tmp_path / "solution.safetensors", check=True)
    walked = replace(kept, first_values=())
    assert len(kept.first_values) == 2
    for line in (each for each in LINES[name] if len(SPOTS[name].find(each).cards) == 0):
        expected, found = walked.at(line), kept.at(line)
        np.testing.assert_allclose(found.action_ev, expected.action_ev, atol=1e-5)
        for player in range(2):
            np.testing.assert_allclose(found.ev[player], expected.ev[player], atol=1e-5)
    nothing = [tuple(map(np.zeros_like, pair)) for pair in kept.strategies[1:]]
    emptied = replace(kept, strategies=(kept.strategies[0], *nothing))
    np.testing.assert_array_equal(emptied.at("x").action_ev, kept.at("x").action_ev)


@pytest.mark.parametrize(("name", "line"), EVERY)
def test_a_decision_is_a_view_without_evs_and_walks_nowhere(name: str, line: str) -> None:
    solution = fresh(name)
    decision, view = solution.decision(line), solved(name).at(line)
    assert solution._node_values._walker is None
    for field in ("line", "board", "player", "pot", "actions"):
        assert getattr(decision, field) == getattr(view, field)
    np.testing.assert_array_equal(decision.strategy, view.strategy)
    np.testing.assert_array_equal(decision.weights, view.weights)
    np.testing.assert_array_equal(decision.frequencies, view.frequencies)


def test_partial_solutions_have_the_same_evs() -> None:
    whole = solved("turn")
    partial = whole.without_river()
    for line in ("", "x", "b50", "x/b50"):
        expected = whole.at(line).action_ev
        np.testing.assert_allclose(partial.at(line).action_ev, expected, atol=1e-3)
    river = partial.at("x/x/Ks/x")
    assert river.action_ev.shape == (len(river.actions), 1326)


@pytest.mark.parametrize("name", ["turn", "flop, one suit, rake"])
def test_threads_see_what_one_thread_sees(name: str) -> None:
    serial, together = fresh(name), fresh(name)
    expected = [serial.at(line) for line in LINES[name]]
    with ThreadPoolExecutor(8) as threads:
        asked = LINES[name] * 4
        found = list(threads.map(together.at, asked))
    for line, view in zip(asked, found, strict=True):
        assert same(view, expected[LINES[name].index(line)]), line


def test_a_board_is_walked_over_once(monkeypatch: pytest.MonkeyPatch) -> None:
    solution = fresh("flop, one suit, rake")
    solution.at("")
    walker = solution._node_values.walker
    asked = []
    walk = walker.board_values

    def count(storage: Any, hero: int, boards: tuple[int, ...], *rest: Any, **how: Any) -> object:
        asked.append((hero, tuple(boards)))
        return walk(storage, hero, boards, *rest, **how)

    monkeypatch.setattr(walker, "board_values", count)
    for line in ("", "x", "b15"):
        solution.at(line)
    assert not asked
    turn = find_run_out(solution.boards, [0])[-1].number
    for line in ("x/x/2c", "x/x/2c/x", "b15/c/2c"):
        solution.at(line)
    assert asked == [(0, (turn,)), (1, (turn,))]


def test_what_nobody_asked_for_lately_is_forgotten() -> None:
    solution = solved("turn")
    rivers = [(number,) for number in range(6)]
    parts = solution.spot, solution.boards, solution.layout, solution.strategies
    one = NodeValues(*parts)
    size = one.at(rivers[0], 0).nbytes
    few = NodeValues(*parts, max_bytes=3 * size)
    first = few.at(rivers[0], 0)
    for number in rivers[1:3]:
        few.at(number, 0)
        assert few.at(rivers[0], 0) is first
    for number in rivers[3:]:
        few.at(number, 0)
    assert len(few._kept) <= 3
    again = few.at(rivers[0], 0)
    assert again is not first
    np.testing.assert_array_equal(again.nodes, first.nodes)
    tiny = NodeValues(*parts, max_bytes=0)
    np.testing.assert_array_equal(tiny.at((), 1).nodes, one.at((), 1).nodes)

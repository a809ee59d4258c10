"""Solutions whose hands are stored in groups: all that works on solutions works on them."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.holdem.spots.answer.test_solution_file import refused, rewrite

from pokerlab.cards.codes import combo_index, parse_cards
from pokerlab.engine.groups import HandGrouping
from pokerlab.engine.tables.group_counts import count_spot_groups
from pokerlab.engine.tables.hand_groups import group_hands
from pokerlab.engine.walker import deal_boards
from pokerlab.holdem.spots import (
    PostflopSolution,
    PostflopSolver,
    Spot,
    load_postflop,
    simulate_match,
    simulate_solution,
    solve_spot,
)
from pokerlab.holdem.spots.checks.verify import Certificate, verify
from pokerlab.holdem.spots.reports.diff import diff, diff_frequencies
from pokerlab.players.strategies import SpotLookUp, open_strategy
from pokerlab.views.payloads.node_payload import node_payload

SPOTS = {
    "river": Spot(
        "QhJh2c4d7h",
        "AA, KQs, T9s, 98s, A5s, 65s:0.4",
        "QQ:0.5, AJs, T9s, KTs, 55, A3s",
        pot=100,
        stack=180,
        bet="50%, a",
        raise_="a",
    ),
    "river, rake": Spot(
        "QhJh2c4d7h",
        "AA, KQs, T9s, 98s, A5s",
        "QQ, AJs, T9s, KTs",
        pot=100,
        stack=80,
        bet="a",
        raise_="",
        rake=0.05,
        rake_cap=7.5,
    ),
    "turn": Spot(
        "QhJh2c4d",
        "AA, KQs, 98s",
        "QQ, AJs:0.7, T9s",
        pot=100,
        stack=150,
        bet="turn: 50%; river: a",
        raise_="",
    ),
    "flop, one suit": Spot(
        "AhKh7h",
        "QJs, 98s, 65s",
        "JTs, 88, 54s",
        pot=30,
        stack=60,
        bet="flop: 50%, a; turn: ; river: a",
        raise_="",
    ),
}
FLOP = pytest.param("flop, one suit", marks=pytest.mark.slow)


@cache
def grouped(name: str, groups: str | None = "rank") -> PostflopSolution:
    return solve_spot(SPOTS[name], iterations=100, threads=1, groups=groups)


def agrees(solution: PostflopSolution, tolerance: float = 1e-5) -> Certificate:
    """The certificate of a solution, which must be what the solution says itself."""
    certificate = verify(solution)
    assert certificate.problems == ()
    inside = solution.exploitability_abstract
    assert inside is not None
    assert certificate.exploitability_abstract is not None
    close = tolerance * solution.spot.pot
    found, claimed = certificate.exploitability.chips, solution.exploitability.chips
    assert found == pytest.approx(claimed, abs=close)
    assert certificate.exploitability_abstract.chips == pytest.approx(inside.chips, abs=20 * close)
    assert -1e-9 < inside.chips <= claimed + 1e-9
    return certificate


@pytest.mark.parametrize("name", ["river", "river, rake", "turn", FLOP])
def test_both_exploitabilities_are_confirmed(name: str, tmp_path: Path) -> None:
    solution = grouped(name)
    certificate = agrees(solution)
    assert certificate.groups == "rank/river"
    solution.save(tmp_path / "file")
    again = load_postflop(tmp_path / "file", check=True)
    assert again.best_by_group == solution.best_by_group
    assert again.history == solution.history
    assert again.groups is not None
    assert solution.groups is not None
    assert again.groups.text == solution.groups.text
    for ours, theirs in zip(again.groups.streets, solution.groups.streets, strict=True):
        for player in range(2):
            np.testing.assert_array_equal(ours[player].column, theirs[player].column)
    assert verify(tmp_path / "file") == certificate


@pytest.mark.parametrize("name", ["river", "turn"])
def test_groups_are_counted_after_a_solve_as_before(name: str) -> None:
    before, after = count_spot_groups(SPOTS[name], "rank"), grouped(name).group_counts
    assert after is not None
    assert after.to_json() == before.to_json()
    assert grouped(name, None).group_counts is None


def test_hands_of_a_group_play_alike() -> None:
    solution = grouped("river")
    assert solution.groups is not None
    hands, column = solution.boards.tables[0].hands[0], solution.groups.at(0, 0).column
    known = hands.order < len(solution.boards.combos[0])
    combos = solution.boards.combos[0][hands.order[known]]
    strategy = solution.at("").strategy[:, combos]
    by_group = [strategy[:, column[known] == number] for number in set(column[known].tolist())]
    assert max(rows.shape[1] for rows in by_group) > 1
    for rows in by_group:
        np.testing.assert_array_equal(rows, rows[:, :1].repeat(rows.shape[1], axis=1))
    found = node_payload(solution, solution.at("x"))
    assert found["groups"] == "rank/river"
    assert 0 <= found["exploitability_abstract"] < found["exploitability"]
    assert node_payload(grouped("river", None), solution.at("x"))["groups"] is None


@pytest.mark.parametrize("line", ["", "x", "x/x/7c", "b50/c/Kh/x"])
def test_views_of_a_turn(line: str) -> None:
    solution = grouped("turn")
    view = solution.at(line)
    # What the hands take together is the pot: reach and showdowns are those of hands.
    arriving = [view._arriving(player).sum() for player in range(2)]
    assert arriving[0] == pytest.approx(arriving[1])
    assert view.mean_ev(0) + view.mean_ev(1) == pytest.approx(view.pot, abs=1e-3)
    if not line:
        assert view.mean_ev(0) == pytest.approx(solution.values[0], abs=1e-3)


def test_a_difference_to_hands_on_their_own() -> None:
    pair = grouped("turn"), grouped("turn", None)
    changes = diff(*pair, "x")
    assert changes
    assert changes[0].epsilon == pytest.approx(sum(each.exploitability.chips for each in pair))
    assert [each.line for each in diff_frequencies(*pair)] == ["", "x", "x/b50", "b50"]
    assert diff(pair[0], pair[0]) == []


def test_a_partial_solution_solves_rivers_hand_by_hand(tmp_path: Path) -> None:
    solution = grouped("turn")
    solution.without_river().save(tmp_path / "file")
    partial = load_postflop(tmp_path / "file")
    assert partial.partial
    whole, left = solution.at("x"), partial.at("x")
    np.testing.assert_array_equal(left.strategy, whole.strategy)
    np.testing.assert_allclose(left.ev[0], whole.ev[0], atol=1e-2)
    river = partial.at("x/x/7c")
    assert (river.actions, river.player) == (solution.at("x/x/7c").actions, 0)
    assert all(solved.groups is None for solved in partial._below.values())
    with pytest.raises(ValueError, match="holds no strategies of the river"):
        verify(partial)


def test_it_goes_on_from_groups() -> None:
    solution = grouped("turn")
    more = solve_spot(solution.spot, iterations=300, threads=1, groups="rank/river", start=solution)
    assert more.iterations == 300
    assert more.history[: len(solution.history)] == solution.history
    inside, before = more.exploitability_abstract, solution.exploitability_abstract
    assert inside is not None
    assert before is not None
    assert inside.chips < before.chips
    agrees(more)
    solver = PostflopSolver(solution.spot, groups="rank", threads=1)
    solver.start_from(solution)
    close = 2e-4 * solution.spot.pot
    assert solver.exploitability() == pytest.approx(solution.exploitability.chips, abs=close)
    for groups, text in (("strength", "strength/river"), (None, "none")):
        with pytest.raises(ValueError, match=f"^start: its groups are rank/river, not {text}$"):
            PostflopSolver(solution.spot, groups=groups, threads=1).start_from(solution)


LOCKS: dict[str, Any] = {"": {"x": "AsAd", "b50": "AcAh"}, "x/b50": {"f": "KhQh", "c": "KsQs"}}


def test_a_lock_splits_groups_and_is_kept() -> None:
    spot = SPOTS["river"]
    locked = solve_spot(spot, iterations=100, threads=1, groups="rank", locks=LOCKS)
    agrees(locked, 2.0**-12)
    view = locked.at("")
    for hand, action in (("AsAd", "x"), ("AcAh", "b50")):
        played = view.strategy[view.actions.index(action), combo_index(*parse_cards(hand))]
        assert played == 1
    free = view.strategy[:, combo_index(*parse_cards("AsAc"))]
    assert 0 < free.max() <= 1
    # It goes on from groups that no lock has split, and back.
    before = grouped("river")
    from_free = solve_spot(
        spot, iterations=300, threads=1, groups="rank", locks=LOCKS, start=before
    )
    agrees(from_free, 2.0**-12)
    assert from_free.values[0] == pytest.approx(locked.values[0], abs=1)
    back = solve_spot(spot, iterations=300, threads=1, groups="rank", start=from_free)
    assert back.values[0] == pytest.approx(before.values[0], abs=1)


def test_a_response_keeps_to_locks_of_everything() -> None:
    spot = replace(SPOTS["river"], bet="a", raise_="")
    locks = {"": {"x": 0.4}, "x": {"a": 0.3}, "a": {"f": 0.8}, "x/a": {"c": 0.5}}
    solution = solve_spot(spot, iterations=2, threads=1, groups="rank", locks=locks)
    assert solution.exploitability.chips == pytest.approx(0, abs=1e-9)
    assert solution.best_by_group == pytest.approx(solution.values)


@pytest.mark.parametrize("name", ["river", "turn"])
def test_play_agrees_with_exact_values(name: str) -> None:
    played = simulate_solution(grouped(name), 100_000, 5)
    assert max(map(abs, played.z)) < 4
    result = simulate_match(
        grouped(name), grouped(name, None), 100_000, 3, names=("groups", "hands")
    )
    for seats in result.seats.values():
        assert max(abs(seat.z) for seat in seats.values()) < 4


@pytest.mark.parametrize("name", ["river", "turn"])
def test_a_bot_plays_the_strategy_of_the_group(name: str, tmp_path: Path) -> None:
    solution = grouped(name)
    solution.save(tmp_path / "file")
    strategy = open_strategy(tmp_path / "file")
    assert isinstance(strategy, SpotLookUp)
    board = "QhJh2c4d7h"
    state = strategy.game.start(strategy.game.make_deal(["AsAd", "QsQd"], board))
    lines, seen = {"": "", "c": "x", "cc/": "x/x/7h", "cc/c": "x/x/7h/x"}, 0
    for history, line in lines.items():
        if name == "river" and "/" in history:
            break
        state = strategy.game.replay(history, state.deal)
        found = strategy.probabilities(state.node, state.view(state.player))
        assert found is not None
        hand = combo_index(*parse_cards(["AsAd", "QsQd"][state.player]))
        expected = solution.at(line).strategy[:, hand].tolist()
        assert list(found.values()) == pytest.approx(expected, abs=1e-3)
        seen += 1
    assert seen == {"river": 2, "turn": 4}[name]


def test_an_interrupted_solve_is_the_uninterrupted_one(tmp_path: Path) -> None:
    spot, file = SPOTS["turn"], tmp_path / "checkpoint"
    solve_spot(spot, iterations=40, threads=1, groups="rank", checkpoint=file)
    resumed = solve_spot(spot, iterations=100, threads=1, groups="rank", checkpoint=file)
    assert resumed.values == grouped("turn").values
    assert resumed.best_by_group == grouped("turn").best_by_group
    for groups in ("strength", None):
        with pytest.raises(ValueError, match="groups"):
            solve_spot(spot, iterations=100, threads=1, groups=groups, checkpoint=file)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    grouped("river").save(tmp_path / "file")
    return tmp_path / "file"


def test_a_tampered_file_is_refused(path: Path) -> None:
    def swap(tensors: dict[str, Any], metadata: dict[str, str]) -> None:
        tensors["groups.0.0"][0] ^= 1

    rewrite(path, swap, sign=False)
    assert "hash" in refused(path)


def test_groups_that_are_none_are_refused(path: Path) -> None:
    def swap(tensors: dict[str, Any], metadata: dict[str, str]) -> None:
        tensors["groups.0.0"] = tensors["groups.0.0"][::-1].copy()

    rewrite(path, swap)
    assert "the groups of oop on street 1 are not groups of the hands on its boards" in (
        refused(path)
    )


def test_groups_of_another_board_do_not_hold(path: Path) -> None:
    spot = replace(SPOTS["river"], board="KdKs3s8c9c")
    other = group_hands(spot, deal_boards(spot, isomorphism=True), HandGrouping.parse("rank"))

    def swap(tensors: dict[str, Any], metadata: dict[str, str]) -> None:
        for player in range(2):
            tensors[f"groups.0.{player}"] = other.at(0, player).column.astype(np.uint16)

    rewrite(path, swap)
    problems = verify(path).problems
    assert {f"groups of {name} on street 1: not rank/river" for name in ("oop", "ip")} <= {
        *problems
    }


@pytest.mark.parametrize(
    ("name", "text"),
    [("groups", "null"), ("groups", "colour"), ("groups", "kmeans:0"), ("best_by_group", "null")],
)
def test_metadata_of_groups_that_do_not_fit(path: Path, name: str, text: str) -> None:
    def change(tensors: dict[str, Any], metadata: dict[str, str]) -> None:
        metadata[name] = text

    rewrite(path, change)
    assert "group" in refused(path)

"""Certificates against the engine, the written-out game, results by hand, and tampering."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.holdem.spots.explicit_game import SpotGame, split_name
from tests.holdem.spots.solved_spots import SPOTS, solved

from pokerlab.engine.tables.board_values import BoardValues
from pokerlab.engine.tables.boards import Boards
from pokerlab.engine.tables.runouts import find_run_out
from pokerlab.engine.walker import deal_boards
from pokerlab.holdem.spots import PostflopSolution, PostflopSolver, Spot, solve_spot
from pokerlab.holdem.spots.answer.solution import make_solution
from pokerlab.holdem.spots.answer.solution_file import POSTFLOP_FORMAT
from pokerlab.holdem.spots.checks.checked_boards import CheckedSuits
from pokerlab.holdem.spots.checks.independent_walk import _multiply
from pokerlab.holdem.spots.checks.verify import Certificate, verify
from pokerlab.runtime.errors import DamagedFileError
from pokerlab.runtime.files.hashes import content_hash
from pokerlab.runtime.files.tensor_files import write_tensors
from pokerlab.solvers import Strategy, best_response, values
from pokerlab.trees import GameTree


def with_strategies(
    solution: PostflopSolution, boards: Boards, source: Any, **changes: Any
) -> PostflopSolution:
    """The solution with other strategies in float64; `source` gives a node's (actions, hands)."""
    strategies = []
    for level, street in enumerate(solution.spot.tree.streets):
        pair = []
        for player in range(2):
            nodes = np.flatnonzero(street.player == player).tolist()
            parts = [
                source(level, player, board, node).ravel()
                for board in range(len(boards.cards[level]))
                for node in nodes
            ]
            pair.append(np.concatenate([*parts, np.zeros(0)]))
        strategies.append(tuple(pair))
    return replace(solution, strategies=tuple(strategies), **changes)


def unrounded(solver: PostflopSolver) -> PostflopSolution:
    """What a solver has reached, with the averages as they are."""
    slots = {}
    for level, street in enumerate(solver.spot.tree.streets):
        edges = np.diff(street.first_edge)
        for player in range(2):
            own = np.where(street.player == player, edges, 0)
            slots[level, player] = np.cumsum(own) - own

    def average(level: int, player: int, board: int, node: int) -> Any:
        first = solver.boards.tables[level].hands[player].first
        hands = int(first[board + 1] - first[board])
        actions = len(solver.spot.tree.streets[level].edges_of(node))
        start = solver.storage[level].first[player][board] + slots[level, player][node] * hands
        sums = solver.storage[level].sums[player][start : start + actions * hands]
        rows = sums.reshape(actions, hands).astype(np.float64)
        total = rows.sum(axis=0)
        return np.where(total > 0, rows / np.where(total > 0, total, 1), 1 / actions)

    made = replace(make_solution(solver, 0.0, "iterations"), first_values=())
    solution = with_strategies(made, solver.boards, average)
    worth, best, *_ = solver.certify()
    return replace(solution, values=worth, best_values=best)


@pytest.mark.parametrize("isomorphism", [True, False])
@pytest.mark.parametrize("name", SPOTS)
def test_the_engine_in_float64(name: str, isomorphism: bool) -> None:
    solver = PostflopSolver(SPOTS[name], precision=64, threads=1, isomorphism=isomorphism)
    solver.iterate(12)
    solution = unrounded(solver)
    certificate = verify(solution)
    np.testing.assert_allclose(certificate.values, solution.values, atol=1e-9)
    np.testing.assert_allclose(certificate.best_values, solution.best_values, atol=1e-9)
    assert certificate.exploitability.chips == pytest.approx(solver.exploitability(), abs=1e-9)
    assert certificate.ok, certificate.problems
    for player in range(2):
        low, high = certificate.bounds[player]
        assert low <= certificate.values[player] <= high == certificate.best_values[player]
        if not solution.spot.rake:
            assert low == pytest.approx(solution.spot.pot - solution.best_values[1 - player])


@pytest.mark.parametrize("name", ["river", "river, rake", "turn, rake, all-in"])
def test_the_game_written_out(name: str) -> None:
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
    strategy = Strategy.from_weights(tree.infosets, weights)
    certificate = verify(solution)
    expected = values(tree, strategy) + spot.pot / 2
    best = [best_response(tree, strategy, seat).value + spot.pot / 2 for seat in range(2)]
    np.testing.assert_allclose(certificate.values, expected, atol=1e-9)
    np.testing.assert_allclose(certificate.best_values, best, atol=1e-9)


def test_boards_up_to_suits_are_all_boards() -> None:
    merged = solved("turn, one suit")
    boards = deal_boards(merged.spot, isomorphism=False)
    known = len(merged.spot.board)
    assert len(merged.boards.cards[1]) < len(boards.cards[1])

    def strategy(level: int, player: int, board: int, node: int) -> Any:
        cards = boards.cards[level][board, known:].tolist()
        played = merged._node_strategy(find_run_out(merged.boards, cards)[-1], node)
        hands = find_run_out(boards, cards)[-1].combos(boards, player)
        return np.where(hands >= 0, played[:, hands], 1 / len(played))

    every = with_strategies(merged, boards, strategy, isomorphism=False)
    first, second = verify(merged), verify(every)
    np.testing.assert_allclose(first.values, second.values, atol=1e-9)
    np.testing.assert_allclose(first.bounds, second.bounds, atol=1e-9)


def test_bounds_with_rake_by_hand() -> None:
    # The board is everybody's hand. Shares of the pot of 100 less 10%: 45 each after checks;
    # a bet of 100 gets 90 if it is not called, and 135 − 100 = 35 for each if it is.
    spot = Spot("AsKsQsJsTs", "2c2d", "3c3d", pot=100, stack=100, bet="a", raise_="", rake=0.1)
    certificate = verify(make_solution(PostflopSolver(spot, threads=1), 0.0, "iterations"))
    # Both choose all actions alike. Harm to the first: bet after his check ((0 + 35) / 2),
    # call his bet (35). His own best: bet ((90 + 35) / 2).
    assert certificate.bounds[0] == pytest.approx(((17.5 + 35) / 2, 62.5))
    # Harm to the second: bet ((0 + 35) / 2). His best: bet ((90 + 35) / 2), call (35).
    assert certificate.bounds[1] == pytest.approx((17.5, (62.5 + 35) / 2))


def test_locks_bind_best_responses() -> None:
    locks = {"x": {"x": "JsJd, AdKd, 7s7c, KsTs"}}
    locked = solve_spot(SPOTS["river"], target="0.2%", threads=1, locks=locks)
    assert verify(locked).ok
    free = verify(replace(locked, locks={}))
    assert [problem.split(":")[0] for problem in free.problems] == ["best response of ip"]
    assert free.best_values[1] > locked.best_values[1] + 1


def test_a_lock_on_one_board() -> None:
    locks = {"x/x/Kc/x": {"b75": "JsJd, 5c5s, AhKh, QsTs"}}
    locked = solve_spot(SPOTS["turn"], target="0.2%", threads=1, locks=locks)
    bound = verify(locked)
    assert bound.ok
    assert verify(replace(locked, locks={})).best_values[1] > bound.best_values[1] + 0.01


def test_locks_that_halves_cannot_hold() -> None:
    locks = {"x": {"x": "JsJd:0.3, KsTs:0.1", "a": "JsJd:0.7, KsTs:0.9"}}
    locked = solve_spot(SPOTS["river"], target="0.2%", threads=1, locks=locks)
    certificate = verify(locked)
    assert certificate.ok, certificate.problems
    np.testing.assert_allclose(certificate.values, locked.values, atol=5e-5 * locked.spot.pot)


@pytest.mark.parametrize("name", SPOTS)
def test_files_keep_what_they_claim(name: str, tmp_path: Path) -> None:
    solution = solved(name)
    solution.save(tmp_path / "solution")
    certificate = verify(tmp_path / "solution")
    assert certificate.ok, certificate.problems
    assert certificate == verify(solution)
    np.testing.assert_allclose(certificate.values, solution.values, atol=1e-9)
    np.testing.assert_allclose(certificate.best_values, solution.best_values, atol=1e-9)


def test_claims_that_do_not_hold() -> None:
    solution = solved("river")
    worth = solution.values
    false = replace(solution, values=(worth[0] + 0.002, worth[1]), equities=(0.9, 0.1))
    certificate = verify(false)
    assert not certificate.ok
    assert [problem.split(":")[0] for problem in certificate.problems] == [
        "value of oop",
        "equity of oop",
        "equity of ip",
    ]
    found = f"{worth[0] + 0.002:.8g} chips is claimed, {certificate.values[0]:.8g} was found"
    assert certificate.problems[0] == f"value of oop: {found}"
    assert not verify(replace(solution, best_values=(np.nan, np.nan))).ok


@pytest.mark.parametrize(
    "name", ["turn", pytest.param("flop, one suit, rake", marks=pytest.mark.slow)]
)
def test_evs_that_do_not_hold(name: str) -> None:
    solution = solved(name)
    assert verify(solution).ok
    tables = solution.boards.tables[0].hands
    for player, kind in product(range(2), ("nodes", "actions")):
        forged = [
            BoardValues(each.nodes.copy(), each.actions.copy()) for each in solution.first_values
        ]
        numbers = getattr(forged[player], kind)
        hand = int(np.flatnonzero(tables[player].order < len(solution.boards.combos[player]))[-1])
        numbers[-1, hand] = np.nan if kind == "nodes" else 5.0
        (problem,) = verify(replace(solution, first_values=tuple(forged))).problems
        assert f" of {('oop', 'ip')[player]} at " in problem
        assert " was found" in problem


def test_changed_files(tmp_path: Path) -> None:
    path = tmp_path / "solution"
    solved("river").save(path)
    good = path.read_bytes()
    for place in (len(good) - 1, len(good) // 2, good.index(b"pot = 101") + 7):
        path.write_bytes(good[:place] + bytes([good[place] ^ 1]) + good[place + 1 :])
        with pytest.raises(DamagedFileError, match=r"^'.*solution' is damaged"):
            verify(path)
    for size in (0, 5, 300, len(good) - 1):
        path.write_bytes(good[:size])
        with pytest.raises(ValueError, match=r"^'.*solution' is damaged"):
            verify(path)
    with pytest.raises(ValueError, match="there is no file"):
        verify(tmp_path / "nothing")
    path.write_bytes(good)
    assert isinstance(verify(path), Certificate)


def test_another_spot_in_the_header(tmp_path: Path) -> None:
    solution, path = solved("river"), tmp_path / "solution"
    for name in ("river, rake", "turn, one suit", "flop, one suit, rake"):
        with pytest.raises(ValueError, match=r"the strategies do not fit the spot: those of oop"):
            replace(solution, spot=SPOTS[name])
    with pytest.raises(ValueError, match=r"the strategies do not fit the spot: 2 of 1 streets"):
        replace(solution, strategies=2 * solution.strategies)
    spot = solution.spot
    cards = "QhJh2c4d7s"  # the same tree and as many hands
    replace(solution, spot=Spot(cards, spot.oop, spot.ip, spot.pot, 260)).save(path)
    assert not verify(path).ok


def test_a_header_without_a_spot(tmp_path: Path) -> None:
    metadata = {"format": POSTFLOP_FORMAT}
    metadata["hash"] = content_hash({}, metadata)
    write_tensors(tmp_path / "solution", {}, metadata)
    with pytest.raises(ValueError, match="is damaged: there is no 'spot' in the metadata"):
        verify(tmp_path / "solution")


@pytest.mark.parametrize(("number", "total"), [(1.5, "2.5"), (-0.5, "1"), (np.nan, "nan")])
def test_strategies_that_are_no_distributions(number: float, total: str) -> None:
    solution = solved("river")
    hands = len(solution.strategies[0][0]) // solution.spot.tree.streets[0].actions_of(0)
    changed = solution.strategies[0][0].copy()
    # The root has three actions, and the weakest hand of its first player is 6d5d.
    changed[[0, hands, 2 * hands]] = number, 1 - (number if number < 0 else 0), 0
    with pytest.raises(
        ValueError,
        match="the strategy of 6d5d on QhJh2c4d7h at line '' is not a distribution: numbers from "
        f"0 to 1 with the sum 1 are expected, their sum is {total}$",
    ):
        verify(replace(solution, strategies=((changed, solution.strategies[0][1]),)))


def test_partial_solutions_have_no_certificate() -> None:
    with pytest.raises(ValueError, match="holds no strategies of the river: its hash, shapes"):
        verify(solved("turn").without_river())


def test_suits_that_are_merged_wrongly() -> None:
    boards = solved("turn, one suit").boards
    classes = list(boards.classes[1])
    merged = next(number for number, found in enumerate(classes) if len(found.members) > 1)
    found = classes[merged]
    lost = replace(found, members=found.members[:-1], permutations=found.permutations[:-1])
    moved = replace(found, permutations=np.full_like(found.permutations, [2, 1, 0, 3]))
    for wrong in (lost, moved):
        classes[merged] = wrong
        with pytest.raises(ValueError, match="merged wrongly: the cards after AhKh7h2h"):
            CheckedSuits(replace(boards, classes=(boards.classes[0], tuple(classes))))
    suits = CheckedSuits(replace(boards, combos=(boards.combos[0][:-1], boards.combos[1])))
    with pytest.raises(ValueError, match=r"merged wrongly: .* changes a range"):
        list(suits.of(1, merged))


@pytest.mark.parametrize("hands", [(3, 5), (60, 50), (300, 400)])
def test_products_in_parts(hands: tuple[int, int]) -> None:
    rng = np.random.default_rng(7)
    rows, matrices = rng.random((2, 101, hands[0])), rng.random((2, *hands))
    np.testing.assert_allclose(_multiply(rows, matrices), rows @ matrices, rtol=1e-12)

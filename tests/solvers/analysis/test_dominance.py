from __future__ import annotations

from collections.abc import Callable
from itertools import product

import numpy as np
import pytest

from pokerlab.solvers import exploitability, obvious_moves, solve_lp, values
from pokerlab.solvers.analysis.dominance import Elimination
from pokerlab.trees import GameTree

Trees = Callable[..., GameTree]


def moves(steps: tuple[Elimination, ...], number: int) -> set[tuple[str, str, str]]:
    """Information set, removed action and preferred action of a round."""
    return {(step.infoset, step.action, step.preferred) for step in steps if step.round == number}


def test_kuhn_as_in_the_document(catalogue_tree: Trees) -> None:
    found = obvious_moves(catalogue_tree("kuhn")).eliminations
    first = {
        ("Js:cr", "c", "f"),  # 0.1: the jack folds to a bet
        ("Ks:cr", "f", "c"),  # 0.2: the king calls
        ("Js:r", "c", "f"),  # 1.1
        ("Ks:r", "f", "c"),  # 1.2
        ("Ks:c", "c", "r"),  # the king bets when it may: nothing is lost by it
    }
    assert moves(found, 1) == first
    # 1.3: player 1 checks back the queen; 0.3: player 0 passes with it, to call later.
    assert moves(found, 2) == {("Qs:c", "r", "c"), ("Qs", "r", "c")}
    assert {step.round for step in found} == {1, 2}
    by_name = {(step.infoset, step.action): step for step in found}
    assert by_name["Qs", "r"].plan == {"Qs:cr": "c"}


def test_coefficients_of_table_2(catalogue_tree: Trees) -> None:
    found = obvious_moves(catalogue_tree("kuhn"), rounds=1).eliminations
    step = next(step for step in found if step.infoset == "Js:cr")
    assert [one.hidden for one in step.clusters] == ["1d{Qs}", "1d{Ks}"]
    assert [one.preferred for one in step.clusters] == pytest.approx([-1 / 6, -1 / 6])
    assert [one.removed for one in step.clusters] == pytest.approx([-1 / 3, -1 / 3])
    assert step.explain() == (
        "Player 0 at 'Js:cr' prefers f to c: in each cluster its coefficient is at least as large "
        "(1d{Qs}: -0.1667 ≥ -0.3333; 1d{Ks}: -0.1667 ≥ -0.3333)."
    )


def test_words_for_later_rounds_and_plans(catalogue_tree: Trees) -> None:
    found = obvious_moves(catalogue_tree("kuhn")).eliminations
    words = next(step for step in found if step.infoset == "Qs").explain()
    assert words.startswith(
        "Player 0 at 'Qs' prefers c to r (then c at 'Qs:cr'), now that other moves are gone: "
    )


def test_rock_paper_scissors(catalogue_tree: Trees) -> None:
    assert obvious_moves(catalogue_tree("rps")).eliminations == ()
    found = obvious_moves(catalogue_tree("rps.dynamite"))
    assert moves(found.eliminations, 1) == {
        ("0:", "dynamite", "paper"),
        ("1:", "dynamite", "paper"),
    }
    assert found.alive.sum() == 6
    # Player 0 moves first, so no cluster shows it: it holds against every answer all the same.
    assert not found.eliminations[0].plain
    assert "whatever the others do" in found.eliminations[0].explain()
    assert found.eliminations[1].plain


def test_backward_induction(catalogue_tree: Trees) -> None:
    found = obvious_moves(catalogue_tree("seminar1"))
    assert moves(found.eliminations, 1) == {("X", "x", "w"), ("Y", "z", "y")}
    assert moves(found.eliminations, 2) == {("", "Y", "X")}


def test_three_players(catalogue_tree: Trees) -> None:
    found = moves(obvious_moves(catalogue_tree("kuhn.3p")).eliminations, 1)
    assert {("Js:ccr", "c", "f"), ("As:ccr", "f", "c")} <= found


@pytest.mark.parametrize(
    "name", ["kuhn", "kuhn2", "onecard", pytest.param("leduc", marks=pytest.mark.slow)]
)
def test_the_value_stays(name: str, catalogue_tree: Trees) -> None:
    """Play without the removed moves loses nothing: LP restricted to what is left."""
    tree = catalogue_tree(name)
    found = obvious_moves(tree)
    assert len(found.eliminations) == (~found.alive).sum() > 0
    # A best response of either player to the equilibrium needs no removed move.
    equilibrium = solve_lp(tree)
    payoffs = tree.payoffs.copy()
    blocked = ~np.append(found.alive, True)[tree.terminal_slots]
    for player in (0, 1):
        # Whoever plays a removed move pays for it so much that nobody would.
        payoffs[blocked[:, player], player] = -1e3
        payoffs[blocked[:, player], 1 - player] = 1e3
    punished = GameTree(**{**vars_of(tree), "payoffs": payoffs})
    assert solve_lp(punished).values[0] == pytest.approx(equilibrium.values[0], abs=1e-9)
    assert exploitability(tree, solve_lp(punished).strategy) == pytest.approx(0, abs=1e-9)


def vars_of(tree: GameTree) -> dict[str, object]:
    names = GameTree.__dataclass_fields__
    return {name: getattr(tree, name) for name in names}


@pytest.mark.slow
def test_dominated_is_never_better(random_tree: Trees) -> None:
    """First-round moves of random games, against all pure strategies of both players."""
    checked = 0
    for seed in (2, 3, 4, 6, 11):
        tree = random_tree(seed, 2, zero_sum=True)
        infosets = tree.infosets
        rng = np.random.default_rng(seed)
        for step in obvious_moves(tree, rounds=1).eliminations:
            infoset = infosets.number(step.infoset)
            first = infosets.offset[infoset]
            actions = infosets.actions[infoset]
            for _ in range(50):
                pure = np.zeros(infosets.slots)
                for one in range(len(infosets)):
                    pure[rng.integers(infosets.offset[one], infosets.offset[one + 1])] = 1
                for name, action in step.plan.items():
                    force(infosets, pure, name, action)
                worse, better = pure.copy(), pure.copy()
                force(infosets, worse, step.infoset, step.action)
                force(infosets, better, step.infoset, step.preferred)
                assert first >= 0
                assert step.action in actions
                gain = values(tree, better)[step.player] - values(tree, worse)[step.player]
                assert gain >= -1e-12
                checked += 1
    assert checked > 100


def force(infosets, pure: np.ndarray, name: str, action: str) -> None:
    infoset = infosets.number(name)
    here = slice(infosets.offset[infoset], infosets.offset[infoset + 1])
    pure[here] = [float(text == action) for text in infosets.actions[infoset]]


def test_matrix_games_against_a_table(catalogue_tree: Trees) -> None:
    tree = catalogue_tree("rps.dynamite")
    actions = tree.infosets.actions[0]
    table = np.zeros((4, 4))
    for (row, mine), (column, other) in product(enumerate(actions), repeat=2):
        table[row, column] = values(tree, {"0:": {mine: 1}, "1:": {other: 1}})[0]
    dominated = {
        (actions[b], actions[a])
        for a, b in product(range(4), repeat=2)
        if (table[a] >= table[b]).all() and (table[a] > table[b]).any()
    }
    found = obvious_moves(tree, rounds=1).eliminations
    assert {(step.action, step.preferred) for step in found if step.player == 0} == dominated

from dataclasses import dataclass

import numpy as np
import pytest

from pokerlab.abstraction.bucket_games.independent_game import (
    IndependentBucketGame,
    independent_bucket_game,
)
from pokerlab.abstraction.bucket_games.solver import BucketSolver
from pokerlab.abstraction.buckets.making import make_buckets
from pokerlab.abstraction.strength.tables import strength_tables
from pokerlab.games import Betting, load_betting_game
from pokerlab.games.protocol import CHANCE, TERMINAL
from pokerlab.solvers import run
from pokerlab.solvers.evaluation.tree_values import best_response, values
from pokerlab.trees import GameTree

START = np.array([0.3, 0.7])
MOVES = np.array([[0.2, 0.5, 0.3], [0.0, 0.25, 0.75]])
WINS = np.array([[0, -0.4, -1], [0.4, 0, -0.3], [1, 0.3, 0]])


@pytest.fixture(scope="module")
def tiny():
    return IndependentBucketGame(load_betting_game("leduc"), START, (MOVES,), WINS)


@dataclass(frozen=True)
class Explicit:
    """The same game with a node for every pair of buckets: players remember all of theirs."""

    name: str = "tiny buckets"
    players: int = 2

    def start(self):
        return Position(load_betting_game("leduc").first_betting, ())


@dataclass(frozen=True)
class Position:
    node: Betting
    dealt: tuple[tuple[int, int], ...]

    @property
    def player(self):
        if self.node.player >= 0 and len(self.dealt) <= self.node.street:
            return CHANCE
        if self.node.player < 0 and len(self.node.live) == 2 and len(self.dealt) < 2:
            return CHANCE
        return self.node.player if self.node.player >= 0 else TERMINAL

    def _outcomes(self):
        rows = [MOVES[bucket] for bucket in self.dealt[-1]] if self.dealt else [START, START]
        return {
            f"{one}{other}": rows[0][one] * rows[1][other]
            for one in range(len(rows[0]))
            for other in range(len(rows[1]))
            if rows[0][one] * rows[1][other] > 0
        }

    def actions(self):
        if self.player == CHANCE:
            return list(self._outcomes())
        return self.node.actions() if self.player >= 0 else ()

    def chances(self):
        return list(self._outcomes().values())

    def apply(self, action):
        if self.player == CHANCE:
            return Position(self.node, (*self.dealt, (int(action[0]), int(action[1]))))
        return Position(self.node.after(action), self.dealt)

    def payoffs(self):
        spent = self.node.spent
        unit = self.node.game.unit
        if len(self.node.live) == 1:
            winner = self.node.live[0]
            won = spent[1 - winner] / unit
            return (won, -won) if winner == 0 else (-won, won)
        won = WINS[self.dealt[-1]] * spent[0] / unit
        return won, -won

    def seen_by(self, seat):
        return f"{seat} {[buckets[seat] for buckets in self.dealt]} {self.node.text}"

    def public(self):
        return f"{len(self.dealt)} {self.node.text}"


def choices(tree, game, strategy):
    """A strategy of the game of buckets, for the explicit tree."""
    rows = {}
    for name in tree.infosets.names:
        buckets, _, betting = name.partition("[")[2].partition("] ")
        bucket = int(buckets.split(", ")[-1])
        node = game.betting.number_of[betting]
        street = int(game.betting.streets[node])
        place = int(np.flatnonzero(game.streets[street].nodes == node)[0])
        chances = dict(zip("fcr", strategy[street][place, :, bucket].tolist(), strict=True))
        legal = tree.infosets.actions[tree.infosets.number(name)]
        rows[name] = {action: chances[action] for action in legal}
    return rows


@pytest.mark.parametrize("rule", ["cfr", "cfr+", "dcfr", "linear", "pcfr+", "fp", "cgh"])
def test_values_and_best_responses_are_those_of_the_explicit_tree(tiny, rule):
    solver = BucketSolver(tiny, rule)
    tree = GameTree.build(Explicit())
    for iterations in (0, 3, 20):
        solver.iterate(iterations)
        strategy = solver.strategy()
        explicit = choices(tree, tiny, strategy)
        assert solver.values(strategy) == pytest.approx(values(tree, explicit), abs=1e-12)
        best = [best_response(tree, explicit, player).value for player in (0, 1)]
        assert solver.best_responses(strategy) == pytest.approx(best, abs=1e-12)
        assert solver.exploitability() == pytest.approx(sum(best) / 2, abs=1e-12)


@pytest.mark.parametrize(
    ("rule", "target"), [("cfr", 0.02), ("cfr+", 0.002), ("dcfr", 0.002), ("fp", 0.1)]
)
def test_rules_converge(tiny, rule, target):
    solver = BucketSolver(tiny, rule)
    solver.iterate(600)
    assert solver.exploitability() < target


def test_the_loop_of_the_laboratory_drives_it_and_states_restore(tiny):
    solver = BucketSolver(tiny, "dcfr")
    result = run(solver, target=0.01, iterations=1000)
    assert result.stopped == "target"
    again = BucketSolver(tiny, "dcfr")
    again.restore(solver.state())
    for each in (solver, again):
        each.iterate(5)
    assert again.exploitability() == solver.exploitability()
    assert again.identity == solver.identity


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"transitions": ()}, "buckets for 1 streets, but leduc has 2"),
        ({"transitions": (MOVES[:, :2],)}, "rows of the transitions to street 1 do not sum to 1"),
        ({"showdown": np.ones((3, 3))}, "the showdown matrix is not antisymmetric"),
        ({"showdown": np.zeros((2, 2))}, r"a showdown matrix of shape \(2, 2\) for 3 buckets"),
        ({"start": np.array([0.3, 0.3])}, "the first buckets have no probabilities"),
        ({"start": np.full(3, 1 / 3)}, "the transitions to street 1 do not fit the buckets"),
        ({"game": load_betting_game("kuhn.3p")}, "kuhn.3p has 3 players: bucket games have 2"),
    ],
)
def test_arrays_that_do_not_fit_are_refused(changed, message):
    parts = {
        "game": load_betting_game("leduc"),
        "start": START,
        "transitions": (MOVES,),
        "showdown": WINS,
    } | changed
    with pytest.raises(ValueError, match=message):
        IndependentBucketGame(**parts)


@pytest.mark.slow  # needs the strength tables
def test_hold_em_with_few_buckets_is_solved_on_all_6378_histories():
    tables = strength_tables()
    buckets = make_buckets("ehs2-flat:3,3,3,3")
    game = independent_bucket_game(load_betting_game("holdem.limit.2p"), buckets, tables)
    assert sum(len(street.nodes) for street in game.streets) == 6378
    assert game.information_sets == 3 * 6378
    solver = BucketSolver(game, "dcfr")
    uniform = solver.exploitability()
    solver.iterate(200)
    assert solver.exploitability() < uniform / 500

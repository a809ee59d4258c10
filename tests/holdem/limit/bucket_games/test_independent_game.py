from dataclasses import dataclass

import numpy as np
import pytest

from pokerlab.games import Betting, load_betting_game
from pokerlab.games.protocol import CHANCE, TERMINAL
from pokerlab.holdem.limit.bucket_games.independent_game import (
    IndependentBucketGame,
    independent_bucket_game,
)
from pokerlab.holdem.limit.bucket_games.solver import BucketSolver
from pokerlab.holdem.limit.buckets.making import make_buckets
from pokerlab.holdem.limit.strength.tables import strength_tables
from pokerlab.solvers import run, solve_lp
from pokerlab.solvers.evaluation.tree_values import best_response, values
from pokerlab.trees import GameTree

START = np.array([[0.3, 0.7], [0.45, 0.55]])
LATER = np.array([[0.2, 0.2, 0.6], [0.5, 0.4, 0.1]])
MOVES = np.array([[0.2, 0.5, 0.3], [0.0, 0.25, 0.75]])
WINS = np.array([[0, -0.4, -1], [0.4, 0, -0.3], [1, 0.3, 0]])


@pytest.fixture(scope="module")
def tiny():
    return IndependentBucketGame(load_betting_game("leduc"), START, (MOVES,), WINS)


@pytest.fixture(scope="module")
def second_street():
    """What is left after a raise and a call."""
    return IndependentBucketGame(load_betting_game("leduc"), LATER, (), WINS, "rc/")


@dataclass(frozen=True)
class Explicit:
    """The same game with a node for every pair of buckets: players remember all of theirs."""

    line: str = ""
    name: str = "tiny buckets"
    players: int = 2

    def start(self):
        node = load_betting_game("leduc").replay(self.line).node
        return Position(node, (), node.street)


@dataclass(frozen=True)
class Position:
    node: Betting
    dealt: tuple[tuple[int, int], ...]
    first: int

    @property
    def player(self):
        streets = self.first + len(self.dealt)
        if self.node.player >= 0 and streets <= self.node.street:
            return CHANCE
        if self.node.player < 0 and len(self.node.live) == 2 and streets < 2:
            return CHANCE
        return self.node.player if self.node.player >= 0 else TERMINAL

    def _outcomes(self):
        starts = LATER if self.first else START
        rows = [MOVES[bucket] for bucket in self.dealt[-1]] if self.dealt else list(starts)
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
            dealt = *self.dealt, (int(action[0]), int(action[1]))
            return Position(self.node, dealt, self.first)
        return Position(self.node.after(action), self.dealt, self.first)

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
        street = int(game.betting.streets[node]) - (2 - len(game.streets))
        place = int(np.flatnonzero(game.streets[street].nodes == node)[0])
        probabilities = dict(zip("fcr", strategy[street][place, :, bucket].tolist(), strict=True))
        legal = tree.infosets.actions[tree.infosets.number(name)]
        rows[name] = {action: probabilities[action] for action in legal}
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


@pytest.mark.parametrize("line", ["", "rc/"])
def test_fictitious_play_comes_to_the_value_of_a_linear_program(tiny, second_street, line):
    """The value lies between what both can secure, and the gap between those closes."""
    game = second_street if line else tiny
    tree = GameTree.build(Explicit(line))
    value = solve_lp(tree).values[0]
    gaps = []
    for iterations in (100, 1500):
        solver = BucketSolver(game, "fp")
        solver.iterate(iterations)
        best = solver.best_responses(solver.strategy())
        assert -best[1] - 1e-9 <= value <= best[0] + 1e-9
        gaps.append(sum(best))
        explicit = choices(tree, game, solver.strategy())
        exact = [best_response(tree, explicit, player).value for player in (0, 1)]
        assert best == pytest.approx(exact, abs=1e-12)
    assert gaps[1] < 0.3 * gaps[0] < 0.3


def test_a_game_that_begins_later_is_that_part_of_the_betting(tiny, second_street):
    whole, part = tiny.streets[1], second_street.streets[0]
    assert len(tiny.streets) == 2 and len(second_street.streets) == 1
    assert set(part.nodes) < set(whole.nodes)
    texts = [tiny.betting.nodes[node].text for node in part.nodes]
    assert texts[0] == "rc/" and all(text.startswith("rc/") for text in texts)
    assert second_street.digest != tiny.digest


def test_fictitious_play_begins_from_a_strategy(second_street):
    """After one more best response the average is that of both, by weight."""
    rng = np.random.default_rng(5)
    street = second_street.streets[0]
    legal = (street.child >= 0)[:, :, None]
    given = rng.random((len(street.nodes), 3, 3)) * legal
    given /= given.sum(axis=1, keepdims=True)
    solver = BucketSolver(second_street, "fp")
    solver.begin_from([given], weight=7)
    assert solver.strategy()[0] == pytest.approx(given)
    solver.iterate(1)
    first = solver.strategy()[0][0]  # at the root nothing is weighed by reach
    answer = 8 * first - 7 * given[0]
    assert answer.max(axis=0) == pytest.approx(np.ones(3))  # a pure best response
    assert answer.sum(axis=0) == pytest.approx(np.ones(3))
    with pytest.raises(ValueError, match="cfr has no average to begin from"):
        BucketSolver(second_street, "cfr").begin_from([given])


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
        ({"start": np.full((2, 2), 0.3)}, "the first buckets have no probabilities"),
        ({"start": START[0]}, r"first buckets of shape \(2,\), not \(2, buckets\)"),
        ({"start": np.full((2, 3), 1 / 3)}, "the transitions to street 1 do not fit the buckets"),
        ({"line": "rc/"}, "buckets for 2 streets, but leduc has 1 after 'rc/'"),
        ({"line": "rc"}, "no street of leduc begins after 'rc'"),
        ({"line": "rr"}, "no street of leduc begins after 'rr'"),
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

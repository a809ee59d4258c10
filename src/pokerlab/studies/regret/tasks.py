"""The tasks of the study of the seminar: small games, matrices, averages and bounds."""

from __future__ import annotations

from dataclasses import dataclass
from math import comb, log10
from typing import ClassVar

import numpy as np

from pokerlab.cards import evaluate
from pokerlab.games import load_betting_game, load_game
from pokerlab.holdem.limit.bucket_games.independent_tables import count_independent_game
from pokerlab.holdem.limit.bucket_games.street_betting import cut_streets
from pokerlab.holdem.limit.buckets.plan import parse_buckets
from pokerlab.holdem.limit.sampling.bucketed_game import BucketedGame
from pokerlab.solvers import (
    CfrSolver,
    Strategy,
    best_response,
    exploitability,
    find_errors,
    pure_equilibria,
    solve_lp,
    values,
)
from pokerlab.studies.regret_bounds import measure_bounds
from pokerlab.studies.reporting.data import read_data
from pokerlab.studies.reporting.study import Kept, kept_with
from pokerlab.trees import GameTree
from pokerlab.trees.limit.betting import flatten_betting

RULES = ("cfr", "fp", "cgh", "dcfr")
"""The ways to solve rock, paper, scissors beside the linear program."""


def _tree(game: str) -> GameTree:
    return GameTree.build(load_game(game))


@dataclass(frozen=True)
class GamesTask:
    """Rock, paper, scissors in all ways, dominated errors, and the two examples."""

    iterations: int

    @property
    def key(self) -> str:
        """What it is, in one line."""
        return f"games {self.iterations}"

    def run(self) -> Kept:
        """Strategies, errors and equilibria."""
        rps, dynamite = _tree("rps"), _tree("rps.dynamite")
        strategies = {"linear program": solve_lp(rps).strategy}
        for rule in RULES:
            solver = CfrSolver(rps, rule)
            solver.iterate(self.iterations)
            strategies[rule] = solver.strategy()
        mixed = {
            rule: {
                "probabilities": [found["0:"][move] for move in ("rock", "paper", "scissors")],
                "exploitability": exploitability(rps, found),
            }
            for rule, found in strategies.items()
        }
        errors = {}
        for tree, move in ((rps, "rock"), (dynamite, "dynamite")):
            names = tree.infosets.names
            always = Strategy.of(tree.infosets, {name: {move: 1.0} for name in names})
            found = [each for each in find_errors(tree, always, 0) if each.action == move]
            errors[move] = {
                "dominated": any(each.dominated for each in found),
                "loss": float(best_response(tree, always, 1).value),
            }
        found_pure = {
            name: [
                [each[infoset] for infoset in sorted(each)] for each in pure_equilibria(_tree(name))
            ]
            for name in ("rps", "seminar1", "seminar2")
        }
        second = _tree("seminar2").infosets
        return {
            "mixed": mixed,
            "errors": errors,
            "pure": found_pure,
            "information_sets": int((second.player == 1).sum()),
        }


@dataclass(frozen=True)
class MatricesTask:
    """Buckets, transition matrices on Leduc, and sizes of limit hold'em."""

    key: ClassVar[str] = "matrices"

    def run(self) -> Kept:
        """Counts and distances."""
        seminar = read_data("regret", "seminar.toml")
        leduc = count_independent_game(BucketedGame.of(load_betting_game("leduc"), "each"))
        (move,) = leduc.transitions
        limit = load_betting_game("holdem.limit.2p")
        nodes = [len(street.nodes) for street in cut_streets(flatten_betting(limit))]
        deals = [comb(52, 2) * comb(50, 2)]
        for cards in (comb(48, 3), 45, 44):
            deals.append(deals[-1] * cards)
        adam = (169, *(seminar["buckets_later"],) * 3)
        nested = parse_buckets(f"ehs2:{','.join([str(seminar['nested_parts'])] * 4)}").counts
        return {
            "classes": [int(evaluate(cards)) for cards in seminar["same_bucket"]],
            "columns": float(np.abs(move.sum(axis=1) - 1).max()),
            "uniform": float(np.abs(leduc.start[0] @ move - 1 / move.shape[1]).max()),
            "nested": list(nested),
            "betting": nodes,
            "states": log10(sum(n * deal for n, deal in zip(nodes, deals, strict=True))),
            "adam_sets": log10(sum(n * count for n, count in zip(nodes, adam, strict=True))),
            "adam_states": log10(sum(n * count**2 for n, count in zip(nodes, adam, strict=True))),
            "nested_states": log10(sum(n * c**2 for n, c in zip(nodes, nested, strict=True))),
        }


@dataclass(frozen=True)
class AveragesTask:
    """Average and last strategies of CFR, and what a round of it is worth."""

    game: str
    iterations: int

    @property
    def key(self) -> str:
        """What it is, in one line."""
        return f"averages {self.game} {self.iterations}"

    def run(self) -> Kept:
        """Exploitability of both, and the value of the strategies of the first round."""
        tree = _tree(self.game)
        solver = CfrSolver(tree, "cfr", alternating=False)
        first = values(tree, Strategy.uniform(tree.infosets))
        solver.iterate(self.iterations)
        last = Strategy(tree.infosets, np.asarray(solver.state()["strategy"], np.float64))
        return {
            "value": solve_lp(tree).values[0],
            "first_round": float(first[0]),
            "average": solver.exploitability(),
            "last": exploitability(tree, last),
        }


@dataclass(frozen=True)
class BoundsTask:
    """Bounds and measurements of a method on a game."""

    game: str
    method: str
    iterations: int
    seed: int

    @property
    def key(self) -> str:
        """What it is, in one line."""
        return f"bounds {self.game} {self.method} {self.iterations} {self.seed}"

    def run(self) -> Kept:
        """All points."""
        points = measure_bounds(
            [self.game], iterations=self.iterations, seed=self.seed, methods=[self.method]
        )
        return {"points": [list(point) for point in points]}


checked_task = kept_with({"mixed"}, {"columns"}, {"average", "last"}, {"points"})
"""Check what is kept of a task."""

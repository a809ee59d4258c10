"""A limit game with buckets instead of cards, solved exactly by any rule of the laboratory.

Each of the two players has a bucket of his own; from street to street it moves by the transition
matrix, whatever the other's does, and at showdown a matrix says what it wins. That is the game
which chance node elimination leaves of hold'em: no cards are removed, and no board is shared.

Because a player's past tells him nothing about his future but through his bucket now, and
nothing about the other's, (betting, bucket) is all he needs to know: strategies have an entry for
each of the 6,378 betting histories and bucket. How often a player comes to such a place is linear
in how often he came to the places before, so that averages, best responses and exploitability
are exact. All is float64. One iteration updates both players, one after the other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from pokerlab.abstraction.abstract_kernels import (
    add_average,
    best_values,
    go_down,
    hedge,
    match_regrets,
)
from pokerlab.abstraction.buckets import Buckets
from pokerlab.abstraction.strength_tables import StrengthTables
from pokerlab.abstraction.transitions import showdown_matrix, transition_matrix
from pokerlab.games import BettingGame
from pokerlab.solvers.checkpoint import content_hash
from pokerlab.solvers.rules import Rule, parse_rule
from pokerlab.trees.flat_betting import FlatBetting, flatten_betting

__all__ = ["AbstractGame", "AbstractSolver", "StreetBetting", "abstract_game"]

Floats = npt.NDArray[np.float64]
Int64s = npt.NDArray[np.int64]
_Learn: TypeAlias = Callable[[int, Floats], None]
"""Updates the nodes of a street by the values of its leaves and of what follows."""

MOST_BYTES = 8_000_000_000
"""Memory of the largest game that is solved."""


class StreetBetting(NamedTuple):
    """The betting of one street: nodes in preorder, then leaves, then ways to the next street."""

    nodes: Int64s
    """The number of each node in the whole betting tree."""
    child: Int64s
    """(nodes, 3): the place after a fold, a call and a raise; −1 where it is not legal."""
    actor: Int64s
    """(nodes,): who acts."""
    roots: Int64s
    """The nodes at which the street begins, in the order of the ways that lead there."""
    folds: Int64s
    """The places where somebody has folded."""
    fold_gains: Floats
    """(folds, 2): what each player wins there."""
    showdowns: Int64s
    stakes: Floats
    """(showdowns,): what the winner wins."""
    ways: Int64s
    """The places from which the next street begins."""

    @property
    def places(self) -> int:
        """How many there are of all kinds."""
        return len(self.nodes) + len(self.folds) + len(self.showdowns) + len(self.ways)


@dataclass(frozen=True, eq=False)
class AbstractGame:
    """The betting of a two-player limit game, with buckets in place of cards.

    Attributes
    ----------
    game
        The rules of betting.
    start
        (buckets,): the probability of each bucket at first.
    transitions
        For each later street (buckets before, buckets): rows sum to 1, or to 0 where a bucket
        is never met.
    showdown
        (buckets, buckets) of the last street: P(win) − P(lose), antisymmetric.

    Examples
    --------
    Three buckets in the betting of Kuhn poker:

    >>> from pokerlab.games import load_betting_game
    >>> wins = np.array([[0.0, -1, -1], [1, 0, -1], [1, 1, 0]])
    >>> game = AbstractGame(load_betting_game("kuhn"), np.full(3, 1 / 3), (), wins)
    >>> solver = AbstractSolver(game, "cfr+")
    >>> solver.iterate(500)
    >>> solver.exploitability() < 1e-3
    True
    """

    game: BettingGame
    start: Floats
    transitions: tuple[Floats, ...]
    showdown: Floats

    def __post_init__(self) -> None:
        name = self.game.name
        if self.game.players != 2:
            raise ValueError(f"{name} has {self.game.players} players: bucket games have 2")
        sizes = [len(self.start), *(matrix.shape[1] for matrix in self.transitions)]
        if len(sizes) != len(self.game.streets):
            raise ValueError(
                f"buckets for {len(sizes)} streets, but {name} has {len(self.game.streets)}"
            )
        for street, matrix in enumerate(self.transitions):
            sums = matrix.sum(axis=1)
            if len(matrix) != sizes[street] or matrix.min() < 0:
                raise ValueError(f"the transitions to street {street + 1} do not fit the buckets")
            if not np.all((np.abs(sums - 1) < 1e-9) | (sums == 0)):
                raise ValueError(f"rows of the transitions to street {street + 1} do not sum to 1")
        if self.showdown.shape != (sizes[-1], sizes[-1]):
            raise ValueError(
                f"a showdown matrix of shape {self.showdown.shape} for {sizes[-1]} buckets"
            )
        if not np.allclose(self.showdown, -np.transpose(self.showdown)):
            raise ValueError("the showdown matrix is not antisymmetric: one wins what one loses")
        if not np.isclose(self.start.sum(), 1) or self.start.min() < 0:
            raise ValueError("the first buckets have no probabilities that sum to 1")

    @property
    def counts(self) -> tuple[int, ...]:
        """How many buckets each street has."""
        return (len(self.start), *(matrix.shape[1] for matrix in self.transitions))

    @cached_property
    def betting(self) -> FlatBetting:
        """The betting tree."""
        return flatten_betting(self.game)

    @cached_property
    def streets(self) -> tuple[StreetBetting, ...]:
        """The betting tree, street by street."""
        found: list[StreetBetting] = []
        roots = np.zeros(1, np.int64)
        for street in range(len(self.game.streets)):
            betting, roots = _street(self.betting, street, roots)
            found.append(betting)
        return tuple(found)

    @property
    def information_sets(self) -> int:
        """Betting histories times buckets, of both players together."""
        return sum(
            len(street.nodes) * count
            for street, count in zip(self.streets, self.counts, strict=True)
        )

    @cached_property
    def digest(self) -> str:
        """A SHA-256 of the numbers of the game."""
        arrays = {f"to_{street}": matrix for street, matrix in enumerate(self.transitions)}
        every = {"start": self.start, "showdown": self.showdown, **arrays}
        return content_hash(every, {"game": self.game.name})


def abstract_game(
    game: BettingGame,
    buckets: Buckets,
    tables: StrengthTables,
    *,
    boards: int | None = None,
    rng: np.random.Generator | None = None,
) -> AbstractGame:
    """Make the game of some buckets of hold'em; `boards` and `rng` as in `showdown_matrix`."""
    return AbstractGame(
        game,
        buckets.shares[0],
        tuple(transition_matrix(buckets, street, tables) for street in (1, 2, 3)),
        showdown_matrix(buckets, tables, boards=boards, rng=rng),
    )


def _street(betting: FlatBetting, street: int, roots: Int64s) -> tuple[StreetBetting, Int64s]:
    """Cut a street out of a betting tree; also the nodes at which the next one begins."""
    tree = betting.tree
    nodes = np.flatnonzero(betting.streets == street)
    local = {int(node): place for place, node in enumerate(nodes)}
    folds: list[int] = []
    showdowns: list[int] = []
    following: list[int] = []
    for targets in tree.nodes[nodes, :3]:
        for target in targets[targets >= 0].tolist():
            leaf = target - len(tree.nodes)
            if leaf >= 0:
                (showdowns if tree.live[leaf].all() else folds).append(target)
            elif target not in local:
                following.append(target)
    for place, target in enumerate([*folds, *showdowns, *following], len(nodes)):
        local[target] = place
    child = np.array(
        [[local.get(int(target), -1) for target in row] for row in tree.nodes[nodes, :3]], np.int64
    ).reshape(-1, 3)
    unit = float(betting.game.unit)
    spent = {target: tree.spent[target - len(tree.nodes)] for target in (*folds, *showdowns)}
    gains = [
        # Who has folded loses what he has put in.
        np.where(tree.live[target - len(tree.nodes)], spent[target][::-1], -spent[target]) / unit
        for target in folds
    ]
    first_fold = len(nodes)
    first_showdown = first_fold + len(folds)
    first_way = first_showdown + len(showdowns)
    return StreetBetting(
        nodes,
        child,
        tree.nodes[nodes, 3].astype(np.int64),
        np.array([local[int(root)] for root in roots], np.int64),
        np.arange(first_fold, first_showdown),
        np.array(gains, np.float64).reshape(-1, 2),
        np.arange(first_showdown, first_way),
        np.array([spent[target].min() for target in showdowns], np.float64) / unit,
        np.arange(first_way, first_way + len(following)),
    ), np.array(following, np.int64)


class AbstractSolver:
    """Iterates an update rule on a game of buckets; `pokerlab.solvers.run` drives it.

    Parameters
    ----------
    game
        The game.
    rule
        A rule or its text: ``"fp"``, ``"cfr"``, ``"cfr+"``, ``"dcfr"``, …
    """

    def __init__(self, game: AbstractGame, rule: str | Rule = "dcfr") -> None:
        self.game = game
        self.rule = parse_rule(rule)
        self.iteration = 0
        keeps_regret = not self.rule.greedy
        keeps_sum = self.rule.averages and not self.rule.faces_average
        shapes = [
            (len(street.nodes), 3, count)
            for street, count in zip(game.streets, game.counts, strict=True)
        ]
        tables = 1 + keeps_regret + keeps_sum
        places = sum(
            street.places * count for street, count in zip(game.streets, game.counts, strict=True)
        )
        size = 8 * (tables * sum(int(np.prod(shape)) for shape in shapes) + 5 * places)
        if size > MOST_BYTES:
            raise ValueError(
                f"this game of buckets needs {size / 1e9:.1f} GB; at most {MOST_BYTES / 1e9:.0f}"
                " GB are taken: use fewer buckets"
            )
        self._strategy = [np.zeros(shape) for shape in shapes]
        for street, strategy in zip(game.streets, self._strategy, strict=True):
            legal = street.child >= 0
            strategy[:] = (legal / legal.sum(axis=1, keepdims=True))[:, :, None]
        self._regret = [np.zeros(shape) for shape in shapes] if keeps_regret else []
        self._total = [np.zeros(shape) for shape in shapes] if keeps_sum else []
        self._reach = [self._follow(player, self._strategy) for player in (0, 1)]

    def iterate(self, iterations: int) -> None:
        """Run some more iterations."""
        for _ in range(iterations):
            self.iteration += 1
            for player in (0, 1):
                self._update(player)

    def strategy(self) -> list[Floats]:
        """The answer so far, by street (nodes, actions, buckets)."""
        if self.rule.faces_average:
            return [self._normalised(self._slots(street), street) for street in self._streets]
        if self.rule.averages:
            return [self._normalised(self._total[street], street) for street in self._streets]
        return [strategy.copy() for strategy in self._strategy]

    def exploitability(self) -> float:
        """What the players could win by best responses against `strategy`, divided by two."""
        return sum(self.best_responses(self.strategy())) / 2

    def best_responses(self, strategy: Sequence[Floats]) -> tuple[float, float]:
        """What each player wins by a best response to a strategy of the other."""
        best = []
        for player in (0, 1):
            reach = self._follow(1 - player, strategy)

            def respond(street: int, value: Floats, player: int = player) -> None:
                betting = self.game.streets[street]
                best_values(player, betting.child, betting.actor, value)

            best.append(self._climb(player, reach, respond))
        return best[0], best[1]

    def values(self, strategy: Sequence[Floats]) -> tuple[float, float]:
        """What each player wins when both play a strategy."""
        reach = self._follow(1, strategy)
        own = self._follow(0, strategy)
        won = 0.0
        for street, betting in enumerate(self.game.streets):
            folds, showdowns = betting.folds, betting.showdowns
            both = own[street][folds].sum(axis=1) * reach[street][folds].sum(axis=1)
            won += float(both @ betting.fold_gains[:, 0])
            if len(showdowns):
                margins = own[street][showdowns] @ self.game.showdown
                margins = (margins * reach[street][showdowns]).sum(axis=1)
                won += float(margins @ betting.stakes)
        return won, -won

    @property
    def identity(self) -> dict[str, str]:
        """What a saved state belongs to."""
        return {"game": self.game.game.name, "buckets": self.game.digest, "rule": str(self.rule)}

    def state(self) -> dict[str, npt.NDArray[np.generic]]:
        """All that the next iteration depends on."""
        arrays: dict[str, npt.NDArray[np.generic]] = {"iteration": np.array([self.iteration])}
        for name, tables in self._kept().items():
            arrays |= {f"{name}_{street}": table.copy() for street, table in enumerate(tables)}
        return arrays

    def restore(self, state: Mapping[str, npt.NDArray[np.generic]]) -> None:
        """Go back to a `state` of a solver with the same `identity`."""
        self.iteration = int(state["iteration"][0])
        for name, tables in self._kept().items():
            for street, table in enumerate(tables):
                table[:] = state[f"{name}_{street}"]

    def _kept(self) -> dict[str, list[Floats]]:
        reach = {f"reach_{player}": self._reach[player] for player in (0, 1)}
        return {
            "strategy": self._strategy,
            "regret": self._regret,
            "total": self._total,
            **reach,
        }

    @property
    def _streets(self) -> range:
        return range(len(self.game.streets))

    def _update(self, player: int) -> None:
        step, rule = self.rule.at(self.iteration), self.rule
        for street, total in enumerate(self._total):
            betting = self.game.streets[street]
            reach = self._reach[player][street]
            add_average(player, step.average, betting.child, betting.actor, reach, total)

        def learn(street: int, value: Floats) -> None:
            betting, strategy = self.game.streets[street], self._strategy[street]
            tree = betting.child, betting.actor
            if rule.greedy:
                returned = int(rule.returned)
                hedge(player, step.greedy, step.hedge, returned, *tree, strategy, value)
            else:
                match_regrets(
                    player,
                    step.positive,
                    step.negative,
                    step.prediction,
                    bool(rule.returned),
                    *tree,
                    self._regret[street],
                    strategy,
                    value,
                )

        self._climb(player, self._reach[1 - player], learn)
        played = self._follow(player, self._strategy)
        for street in self._streets:
            if rule.faces_average:
                self._reach[player][street] *= step.average
                self._reach[player][street] += (1 - step.average) * played[street]
            else:
                self._reach[player][street][:] = played[street]

    def _follow(self, player: int, strategy: Sequence[Floats]) -> list[Floats]:
        """How often a player comes to each place with each bucket, if the other lets him."""
        reach: list[Floats] = []
        for street, betting in enumerate(self.game.streets):
            here = np.zeros((betting.places, self.game.counts[street]))
            if street == 0:
                here[betting.roots] = self.game.start
            else:
                before = reach[-1][self.game.streets[street - 1].ways]
                here[betting.roots] = before @ self.game.transitions[street - 1]
            go_down(player, betting.child, betting.actor, strategy[street], here)
            reach.append(here)
        return reach

    def _climb(self, player: int, others: Sequence[Floats], learn: _Learn) -> float:
        """Bring values from the leaves to the root; returns what the player wins there."""
        value = np.zeros((0, 0))
        for street in reversed(self._streets):
            betting = self.game.streets[street]
            later, value = value, np.zeros((betting.places, self.game.counts[street]))
            folded = others[street][betting.folds].sum(axis=1)
            value[betting.folds] = (betting.fold_gains[:, player] * folded)[:, None]
            if len(betting.showdowns):
                margins = others[street][betting.showdowns] @ np.transpose(self.game.showdown)
                value[betting.showdowns] = betting.stakes[:, None] * margins
            if len(betting.ways):
                roots = later[self.game.streets[street + 1].roots]
                value[betting.ways] = roots @ self.game.transitions[street].T
            learn(street, value)
        return float(value[0] @ self.game.start)

    def _slots(self, street: int) -> Floats:
        """What the player who acts reaches by each action."""
        betting = self.game.streets[street]
        reach = np.stack([self._reach[player][street] for player in (0, 1)])
        slots = reach[betting.actor[:, None], betting.child]
        return np.asarray(np.where((betting.child >= 0)[:, :, None], slots, 0.0))

    def _normalised(self, weights: Floats, street: int) -> Floats:
        """Weights of actions as probabilities; uniform where nobody came."""
        legal = (self.game.streets[street].child >= 0)[:, :, None]
        totals = weights.sum(axis=1, keepdims=True)
        uniform = legal / legal.sum(axis=1, keepdims=True)
        return np.where(totals > 0, weights / np.where(totals > 0, totals, 1.0), uniform)

"""`CfrSolver`: any update rule on a whole tree, all players in each iteration.

Precision: everything is float64. An iteration updates every player once: one after the other,
each against the new strategies of the ones before (alternating, the default), or all at once
against the old strategies (simultaneous).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from pokerlab.solvers.cfr.cfr_kernels import follow, iterate
from pokerlab.solvers.cfr.sequences import Sequences
from pokerlab.solvers.checkpoints import check_state, game_identity
from pokerlab.solvers.evaluation.restricted_player import RestrictedPlayer
from pokerlab.solvers.evaluation.tree_values import exploitability
from pokerlab.solvers.rules import Rule, parse_rule
from pokerlab.solvers.strategy import Strategy
from pokerlab.trees.game_tree import GameTree


class CfrSolver:
    """Iterates an update rule on a tree.

    Parameters
    ----------
    tree
        The game.
    rule
        A rule or its text, such as ``"cfr+"`` or ``"dcfr(1.5,0,2)"``.
    alternating
        Whether players are updated one after the other.
    restricted
        A player who partly plays by a model: `strategy` and `exploitability` are then those of
        the game against that player (see `RestrictedPlayer`).

    Examples
    --------
    >>> from pokerlab.games import load_game
    >>> solver = CfrSolver(GameTree.build(load_game("kuhn")), "cfr+")
    >>> solver.iterate(1000)
    >>> solver.exploitability() < 1e-3
    True
    """

    def __init__(
        self,
        tree: GameTree,
        rule: str | Rule = "dcfr",
        *,
        alternating: bool = True,
        restricted: RestrictedPlayer | None = None,
    ) -> None:
        self.tree = tree
        self.restricted = restricted
        self.rule = parse_rule(rule)
        self.alternating = alternating
        self.iteration = 0
        self._sequences = Sequences.of(tree, restricted)
        self._held = np.zeros(0) if restricted is None else restricted.held
        self._free = np.zeros(0) if restricted is None else restricted.free
        slots, sequences = tree.infosets.slots, tree.infosets.slots + tree.players
        self._strategy = Strategy.uniform(tree.infosets).array.copy()
        self._regret = np.zeros(0 if self.rule.greedy else slots)
        keeps_sum = self.rule.averages and not self.rule.plays_against_average
        self._total = np.zeros(slots if keeps_sum else 0)
        self._reach = np.ones(sequences)
        self._played = np.ones(sequences if self.rule.plays_against_average else 0)
        self._value = np.zeros(sequences)
        follow(
            0,
            len(tree.infosets),
            self._sequences.offset,
            self._sequences.parent,
            self._strategy,
            False,
            0.0,
            self._reach,
            self._played,
            self._held,
            self._free,
        )
        self.iterate(0)  # compile now, so that the first iteration is not the slowest

    def iterate(self, iterations: int) -> None:
        """Run some more iterations."""
        steps = self.rule.steps(self.iteration + 1, iterations)
        game = self._sequences
        iterate(
            steps,
            self.alternating,
            self.rule.greedy,
            int(self.rule.passes_up),
            self.rule.plays_against_average,
            game.first,
            game.offset,
            game.parent,
            game.row,
            game.coefficient,
            game.others,
            self._regret,
            self._strategy,
            self._total,
            self._reach,
            self._played,
            self._value,
            self._held,
            self._free,
        )
        self.iteration += iterations

    def strategy(self) -> Strategy:
        """The answer so far: the average where the rule keeps one, else the current strategy.

        A restricted player's part is the whole mixture: by the model and by own choice.
        """
        infosets = self.tree.infosets
        if self.rule.plays_against_average:
            chosen = Strategy.from_weights(infosets, self._reach[: infosets.slots])
        elif self.rule.averages:
            chosen = Strategy.from_weights(infosets, self._total)
        elif self.restricted is None:
            return self.current()
        else:
            chosen = Strategy.from_weights(infosets, self._reach[: infosets.slots])
        return chosen if self.restricted is None else self.restricted.mix_whole_hands(chosen)

    def current(self) -> Strategy:
        """The strategy that the next iteration starts from."""
        return Strategy(self.tree.infosets, self._strategy)

    def exploitability(self) -> float:
        """NashConv of `strategy`, divided by the number of players."""
        if self.restricted is None:
            return exploitability(self.tree, self.strategy())
        return self.restricted.exploitability(self.strategy())

    _weights: ClassVar[tuple[str, ...]] = ("total", "reach")
    """What in the state cannot be negative."""

    @property
    def nbytes(self) -> int:
        """The memory that the rule keeps between iterations: regret, strategy, average."""
        strategy_weights = self._reach if self.rule.plays_against_average else self._total
        return self._regret.nbytes + self._strategy.nbytes + strategy_weights.nbytes

    @property
    def identity(self) -> dict[str, str]:
        """The game and the rule of a saved state."""
        order = "alternating" if self.alternating else "simultaneous"
        own = {**game_identity(self.tree), "rule": str(self.rule), "updates": order}
        if self.restricted is not None:
            own["restricted"] = self.restricted.restriction.digest
        return own

    def state(self) -> dict[str, npt.NDArray[np.generic]]:
        """All that the next iteration depends on."""
        return {
            "iteration": np.array([self.iteration]),
            "regret": self._regret.copy(),
            "strategy": self._strategy.copy(),
            "total": self._total.copy(),
            "reach": self._reach.copy(),
        }

    def restore(self, state: Mapping[str, npt.NDArray[np.generic]]) -> None:
        """Go back to a `state` of a solver with the same `identity`."""
        check_state(state, self.state(), self._weights)
        Strategy(self.tree.infosets, np.asarray(state["strategy"], np.float64))  # checks it
        self.iteration = int(state["iteration"][0])
        self._regret[:] = state["regret"]
        self._strategy[:] = state["strategy"]
        self._total[:] = state["total"]
        self._reach[:] = state["reach"]

"""Monte Carlo CFR: iterations that look at a random part of the tree.

Three kinds ("Monte Carlo sampling for regret minimization in extensive games", 2009; the last,
"Efficient Nash equilibrium approximation through Monte Carlo CFR", 2012):

- ``external``: the moves of chance and of the opponents are sampled, all own actions are tried;
- ``outcome``: one path is sampled, own actions with some exploration;
- ``public``: public cards are sampled, all private cards and all actions are looked at.

The average counts each strategy with its owner's reach, as full CFR does. With two players the
sampled walks do so by themselves; with more, each player has a second walk for it, in which
his own moves and those of chance are sampled and all moves of the others are followed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from pokerlab.games.protocol import CHANCE
from pokerlab.solvers.checkpoints import check_state, game_identity
from pokerlab.solvers.evaluation.evaluation_kernels import flow_down
from pokerlab.solvers.evaluation.tree_values import exploitability
from pokerlab.solvers.rules import Cfr, LinearCfr, Rule, parse_rule
from pokerlab.solvers.sampling.sampling_kernels import (
    external_sampling,
    outcome_sampling,
    public_chance_sampling,
)
from pokerlab.solvers.strategy import Strategy
from pokerlab.trees.game_tree import GameTree

__all__ = ["SAMPLING_KINDS", "SamplingSolver"]

Floats: TypeAlias = npt.NDArray[np.float64]

SAMPLING_KINDS = ("external", "outcome", "public")


class SamplingSolver:
    """Iterates Monte Carlo CFR on a tree; each iteration samples once for every player.

    Parameters
    ----------
    tree
        The game.
    kind
        ``"external"``, ``"outcome"`` or ``"public"``.
    rule
        ``"cfr"`` or ``"linear"``: rules that discount all regrets by the same factor.
    rng
        What the seed of all random numbers is drawn from.
    exploration
        With ``"outcome"``, the share of own actions that are taken at random.

    Examples
    --------
    >>> from pokerlab.games import load_game
    >>> rng = np.random.default_rng(1)
    >>> solver = SamplingSolver(GameTree.build(load_game("kuhn")), "external", rng=rng)
    >>> solver.iterate(10_000)
    >>> solver.exploitability() < 0.05
    True
    """

    def __init__(
        self,
        tree: GameTree,
        kind: str,
        rule: str | Rule = "cfr",
        *,
        rng: np.random.Generator,
        exploration: float = 0.6,
    ) -> None:
        if kind not in SAMPLING_KINDS:
            raise ValueError(f"unknown sampling {kind!r}; it is one of {', '.join(SAMPLING_KINDS)}")
        self.rule = parse_rule(rule)
        if type(self.rule) not in (Cfr, LinearCfr):
            raise ValueError(f"sampling goes with the rules cfr and linear, not with {self.rule}")
        if not 0 < exploration <= 1:
            raise ValueError(f"exploration is {exploration}; it must be above 0 and at most 1")
        self.tree = tree
        self.kind = kind
        self.exploration = exploration
        self.iteration = 0
        self._seed = rng.integers(2**64, size=1, dtype=np.uint64)
        self._first_seed = int(self._seed[0])
        self._regret = np.zeros(tree.infosets.slots)
        self._total = np.zeros(tree.infosets.slots)
        self._kernel = self._prepare()
        self.iterate(0)  # compile now, so that the first iteration is not the slowest

    def iterate(self, iterations: int) -> None:
        """Run some more iterations."""
        first = self.iteration + 1
        weights = np.ones((iterations, 2))
        if isinstance(self.rule, LinearCfr):
            weights *= np.arange(first, first + iterations)[:, None]
        self._kernel(weights, self._seed)
        self.iteration += iterations

    def strategy(self) -> Strategy:
        """The average so far."""
        return Strategy.from_weights(self.tree.infosets, self._total)

    def exploitability(self) -> float:
        """NashConv of `strategy`, divided by the number of players; exact, not sampled."""
        return exploitability(self.tree, self.strategy())

    @property
    def nbytes(self) -> int:
        """The memory of what is kept between iterations."""
        return self._regret.nbytes + self._total.nbytes

    @property
    def identity(self) -> dict[str, str]:
        """What a saved state belongs to."""
        return {
            **game_identity(self.tree),
            "rule": str(self.rule),
            "sampling": f"{self.kind} {self.exploration}" if self.kind == "outcome" else self.kind,
            "seed": str(self._first_seed),
        }

    def state(self) -> dict[str, npt.NDArray[np.generic]]:
        """All that the next iteration depends on."""
        return {
            "iteration": np.array([self.iteration]),
            "seed": self._seed.copy(),
            "regret": self._regret.copy(),
            "total": self._total.copy(),
        }

    def restore(self, state: Mapping[str, npt.NDArray[Any]]) -> None:
        """Go back to a `state` of a solver with the same `identity`."""
        check_state(state, self.state(), ["total"])
        self.iteration = int(state["iteration"][0])
        self._seed[:] = state["seed"]
        self._regret[:] = state["regret"]
        self._total[:] = state["total"]

    def _prepare(self) -> Callable[[Floats, npt.NDArray[np.uint64]], None]:
        """The kernel with all that stays the same."""
        tree, infosets = self.tree, self.tree.infosets
        nodes, slots = len(tree), infosets.slots
        leaf = np.full(nodes, -1, np.int32)
        leaf[tree.terminals] = np.arange(len(tree.terminals))
        learned: dict[str, Any] = {
            "leaf": leaf,
            "payoffs": tree.payoffs,
            "offset": infosets.offset,
            "regret": self._regret,
            "total": self._total,
            "current": np.zeros(slots),
        }
        shape: dict[str, Any] = {"mover": tree.player, "end": tree.end, "infoset": tree.infoset}
        if self.kind == "public":
            return partial(
                public_chance_sampling,
                **shape,
                **learned,
                **_public_chance(tree),
                parent=tree.parent,
                slot=tree.slot,
                slot_player=infosets.slot_player,
                chance=tree.chance,
                seen=np.zeros(len(infosets), np.int64),
                touched=np.zeros(len(infosets), np.int32),
                last=np.zeros(nodes, np.int32),
                others=np.zeros(nodes),
                own=np.zeros(nodes),
                worth=np.zeros(slots),
                clock=np.zeros(1, np.int64),
            )
        shape |= {"n_children": tree.n_children, "chance": tree.chance}
        if self.kind == "outcome":
            return partial(
                outcome_sampling,
                **shape,
                **learned,
                exploration=self.exploration,
                mixed=np.zeros(slots),
                taken=np.zeros(2 * nodes, np.int32),
                waiting=np.zeros(nodes, np.int32),
            )
        return partial(
            external_sampling,
            **shape,
            **learned,
            waiting=np.zeros(nodes, np.int32),
            visited=np.zeros(nodes, np.int32),
            value=np.zeros(nodes),
        )


def _public_chance(tree: GameTree) -> dict[str, Any]:
    """What a spectator sees of chance: the places where it moves, and its outcomes there.

    An outcome is sampled with the probability that it has for the spectator, whatever the
    players do; a private deal is one outcome.
    """
    arrival = np.empty(len(tree))
    flow_down(tree.parent, tree.slot, tree.chance, np.ones(tree.infosets.slots), arrival)
    seen: dict[str, dict[str, float]] = {}
    place_name: dict[int, str] = {}
    outcome_name: dict[int, tuple[str, str]] = {}
    for node, state in tree.states():
        before = int(tree.parent[node])
        if before in place_name:
            outcomes = seen[place_name[before]]
            after = state.public()
            outcomes[after] = outcomes.get(after, 0.0) + arrival[node]
            outcome_name[node] = place_name[before], after
        if tree.player[node] == CHANCE:
            place_name[node] = state.public()
            seen.setdefault(place_name[node], {})
    counts = [len(outcomes) for outcomes in seen.values()]
    offset = np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)
    place_number = {name: number for number, name in enumerate(seen)}
    outcome_number = {
        (name, after): offset[place_number[name]] + number
        for name, outcomes in seen.items()
        for number, after in enumerate(outcomes)
    }
    place, outcome = np.full(len(tree), -1, np.int32), np.full(len(tree), -1, np.int32)
    for node, name in place_name.items():
        place[node] = place_number[name]
    for node, key in outcome_name.items():
        outcome[node] = outcome_number[key]
    chances = [
        weight / sum(outcomes.values())
        for outcomes in seen.values()
        for weight in outcomes.values()
    ]
    return {
        "place": place,
        "outcome": outcome,
        "place_offset": offset,
        "outcome_chance": np.array(chances, np.float64),
        "chosen": np.zeros(len(seen), np.int32),
    }

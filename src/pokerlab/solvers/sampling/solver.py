"""Monte Carlo CFR and CGH: iterations that look at a random part of the tree.

Three kinds ("Monte Carlo sampling for regret minimization in extensive games", 2009; the last,
"Efficient Nash equilibrium approximation through Monte Carlo CFR", 2012):

- ``external``: the moves of chance and of the opponents are sampled, all own actions are tried;
- ``outcome``: one path is sampled, own actions with some exploration;
- ``public``: public cards are sampled, all private cards and all actions are looked at.

The average counts each strategy with its owner's reach, as full CFR does. With two players the
sampled walks do so by themselves; with more, each player has a second walk for it, in which
the player's own moves and those of chance are sampled and all moves of the others are followed.

CGH compares the values of all actions, which outcome sampling does not have. With the other two it
does what the thesis says for iterations that do not come to all nodes: the n of its step is that of
the information set, how often it has been updated. The best action is the best in the sample.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from pokerlab.games.protocol import CHANCE
from pokerlab.runtime.arrays import AnyArray, Floats, Uint64s
from pokerlab.solvers.checkpoints import check_state, game_identity
from pokerlab.solvers.evaluation.tree_values import arrival, exploitability
from pokerlab.solvers.rules import Cfr, Cgh, CghReturn, LinearCfr, PassedUpValue, Rule, parse_rule
from pokerlab.solvers.sampling.sampling_kernels import (
    external_sampling,
    outcome_sampling,
    public_chance_sampling,
)
from pokerlab.solvers.strategy import Strategy
from pokerlab.trees.game_tree import GameTree

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
        ``"cfr"`` or ``"linear"``: rules that discount all regrets by the same factor; with
        ``"external"`` and ``"public"`` also ``"cgh"`` and ``"cgh-return"``.
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
            raise ValueError(
                f"unknown sampling {kind!r}; it must be one of {', '.join(SAMPLING_KINDS)}"
            )
        self.rule = parse_rule(rule)
        if type(self.rule) not in (Cfr, LinearCfr, Cgh, CghReturn):
            raise ValueError(
                f"rule: {self.rule} does not work with sampling (cfr, linear, cgh, cgh-return)"
            )
        if self.rule.greedy and kind == "outcome":
            raise ValueError(
                f"{self.rule} compares all actions, and outcome sampling sees only one: use"
                " external or public sampling"
            )
        if not 0 < exploration <= 1:
            raise ValueError(f"exploration is {exploration}; it must be above 0 and at most 1")
        self.tree = tree
        self.kind = kind
        self.exploration = exploration
        self.iteration = 0
        self._seed = rng.integers(2**64, size=1, dtype=np.uint64)
        self._first_seed = int(self._seed[0])
        slots = tree.infosets.slots
        self._regret = np.zeros(0 if self.rule.greedy else slots)
        self._total = np.zeros(slots)
        # What CGH learns; the others write down here what they play.
        self._current = Strategy.uniform(tree.infosets).array.copy()
        self._visits = np.zeros(len(tree.infosets) if self.rule.greedy else 0, np.int64)
        self._touched = np.zeros(1, np.int64)
        self._kernel = self._prepare()
        self.iterate(0)  # compile now, so that the first iteration is not the slowest

    def iterate(self, iterations: int) -> None:
        """Run some more iterations."""
        first = self.iteration + 1
        weights = np.ones((iterations, 2))
        numbers = np.arange(first, first + iterations, dtype=np.float64)
        if isinstance(self.rule, LinearCfr):
            weights *= numbers[:, None]
        elif isinstance(self.rule, Cgh):
            weights[:, 1] = 0.0 if self.rule.gamma is None else numbers**self.rule.gamma
        self._kernel(weights, self._seed)
        self.iteration += iterations

    def strategy(self) -> Strategy:
        """The answer so far: the average, or the current strategy where the rule keeps none."""
        if self.rule.averages:
            return Strategy.from_weights(self.tree.infosets, self._total)
        return Strategy(self.tree.infosets, self._current)

    @property
    def touched(self) -> int:
        """How many nodes all iterations so far have visited, each counted every time."""
        return int(self._touched[0])

    def exploitability(self) -> float:
        """NashConv of `strategy`, divided by the number of players; exact, not sampled."""
        return exploitability(self.tree, self.strategy())

    @property
    def nbytes(self) -> int:
        """The memory that the rule needs between iterations."""
        learned = self._current.nbytes + self._visits.nbytes
        average = self._total.nbytes if self.rule.averages else 0
        return average + (learned if self.rule.greedy else self._regret.nbytes)

    @property
    def identity(self) -> dict[str, str]:
        """The game, kind and rule of a saved state."""
        return {
            **game_identity(self.tree),
            "rule": str(self.rule),
            "sampling": f"{self.kind} {self.exploration}" if self.kind == "outcome" else self.kind,
            "seed": str(self._first_seed),
        }

    def state(self) -> dict[str, npt.NDArray[np.generic]]:
        """All that the next iteration depends on."""
        learned = {"strategy": self._current, "visits": self._visits}
        arrays = {
            "seed": self._seed,
            "touched": self._touched,
            "total": self._total,
            **(learned if self.rule.greedy else {"regret": self._regret}),
        }
        copies = {name: array.copy() for name, array in arrays.items()}
        return {"iteration": np.array([self.iteration]), **copies}

    def restore(self, state: Mapping[str, AnyArray]) -> None:
        """Go back to a `state` of a solver with the same `identity`."""
        check_state(state, self.state(), ["total", "touched", "visits"])
        if self.rule.greedy:
            if state["visits"].max() > state["iteration"][0]:
                raise ValueError("visits: more updates than there were iterations")
            strategy = np.asarray(state["strategy"], np.float64)
            Strategy(self.tree.infosets, strategy)  # checks it
            self._current[:] = strategy
            self._visits[:] = state["visits"]
        else:
            self._regret[:] = state["regret"]
        self.iteration = int(state["iteration"][0])
        self._seed[:] = state["seed"]
        self._touched[:] = state["touched"]
        self._total[:] = state["total"]

    def _prepare(self) -> Callable[[Floats, Uint64s], None]:
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
            "current": self._current,
            "touched": self._touched,
        }
        greedy: dict[str, Any] = {
            "greedy": self.rule.greedy,
            "hedge": self.rule.c if isinstance(self.rule, Cgh) else 0.0,
            "new_value": self.rule.passes_up == PassedUpValue.NEW,
            "visits": self._visits,
        }
        shape: dict[str, Any] = {"mover": tree.player, "end": tree.end, "infoset": tree.infoset}
        if self.kind == "public":
            return partial(
                public_chance_sampling,
                **shape,
                **learned,
                **greedy,
                **_public_chance(tree),
                parent=tree.parent,
                slot=tree.slot,
                slot_player=infosets.slot_player,
                chance=tree.chance,
                seen=np.zeros(len(infosets), np.int64),
                updated=np.zeros(len(infosets), np.int32),
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
            **greedy,
            waiting=np.zeros(nodes, np.int32),
            visited=np.zeros(nodes, np.int32),
            value=np.zeros(nodes),
            worth=np.zeros(slots),
        )


def _public_chance(tree: GameTree) -> dict[str, Any]:
    """What a spectator sees of chance: the places where it moves, and its outcomes there.

    An outcome is sampled with the probability that it has for the spectator, whatever the
    players do; a private deal is one outcome.
    """
    reached = arrival(tree, np.ones(tree.infosets.slots))
    seen: dict[str, dict[str, float]] = {}
    place_name: dict[int, str] = {}
    outcome_name: dict[int, tuple[str, str]] = {}
    for node, state in tree.states():
        before = int(tree.parent[node])
        if before in place_name:
            outcomes = seen[place_name[before]]
            after = state.public()
            outcomes[after] = outcomes.get(after, 0.0) + reached[node]
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

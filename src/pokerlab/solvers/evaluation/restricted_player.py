"""`RestrictedPlayer`: somebody who partly plays by a model, and for the rest as well as he can.

Two ways to mix the model in, each with a paper:

*restricted Nash response* ("Computing robust counter-strategies", 2007)
    Before the cards are dealt he is bound to the model with probability p, for the whole hand.
*data-biased response* ("Data biased robust counter strategies", 2009)
    At each of his information sets he is bound to the model with a probability of its own: the
    more was observed there, the larger.

Both leave him a set of strategies that is convex: in probabilities of sequences x, with the model
m, x ≥ p·m in the first case, and x(action) ≥ p(set)·m(action)·x(before the set) in the second. So
the game against him is an ordinary zero-sum game, and its equilibrium is the response to the model.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property
from math import isfinite

import numpy as np
import numpy.typing as npt

from pokerlab.arrays import Floats
from pokerlab.solvers.evaluation.tree_values import best_response, reach
from pokerlab.solvers.strategy import Strategy, StrategyLike, probabilities
from pokerlab.trees.game_tree import GameTree


def confidence(observations: npt.ArrayLike, most: float = 1.0, half_at: float = 10.0) -> Floats:
    """How far numbers of observations are to be trusted: ``most · n / (n + half_at)``.

    Parameters
    ----------
    observations
        How many there are; at least 0.
    most
        What no number of observations exceeds, from 0 to 1.
    half_at
        With so many observations, half of `most` is reached.

    Examples
    --------
    >>> print(confidence([0, 10, 90], most=0.9))
    [0.   0.45 0.81]
    """
    counts = np.asarray(observations, np.float64)
    check_share(most, "most")
    if not (isfinite(half_at) and half_at > 0.0):
        raise ValueError(f"half_at: {half_at:g} is not a number of observations above 0")
    if not (np.isfinite(counts) & (counts >= 0.0)).all():
        raise ValueError("observations must be finite numbers from 0 on")
    trusted: Floats = most * counts / (counts + half_at)
    return trusted


def check_share(share: float, name: str) -> None:
    """Refuse what is not a probability."""
    if not 0.0 <= share <= 1.0:
        raise ValueError(f"{name}: {share:g} is not a probability (0 to 1)")


def sequence_plan(tree: GameTree, chosen: Floats) -> Floats:
    """For each slot, the product of its owner's own probabilities on the way to and with it.

    One more entry, the last, is 1: slot -1, no move yet.
    """
    infosets = tree.infosets
    plan = np.ones(infosets.slots + 1)
    for infoset, before in enumerate(infosets.parent.tolist()):
        slots = slice(infosets.offset[infoset], infosets.offset[infoset + 1])
        plan[slots] = plan[before] * chosen[slots]
    return plan


@dataclass(frozen=True, eq=False)
class RestrictedPlayer:
    """A player of a two-player zero-sum game who partly plays by a model.

    Attributes
    ----------
    tree
        The game.
    player
        Who he is.
    model
        What he plays where he is bound to it (only his part counts).
    whole
        How likely he is bound to the model for a whole hand.
    at_infosets
        Otherwise: how likely he is bound to it at each information set, one number for each of
        the game; those of the other player do not count.

    Examples
    --------
    >>> from pokerlab.games import load_game
    >>> tree = GameTree.build(load_game("kuhn"))
    >>> caller = RestrictedPlayer.of(tree, {"Js:r": {"c": 1}, "Qs:r": {"c": 1}}, 1, 0.5)
    >>> caller.whole, caller.at_infosets[:2].tolist()
    (0.5, [0.0, 0.0])
    >>> RestrictedPlayer.of(tree, {}, 1, 1.5)
    Traceback (most recent call last):
    ValueError: p: 1.5 is not a probability (0 to 1)
    """

    tree: GameTree
    player: int
    model: Strategy
    whole: float
    at_infosets: Floats

    @classmethod
    def of(
        cls, tree: GameTree, model: StrategyLike, player: int, p: float | npt.ArrayLike
    ) -> RestrictedPlayer:
        """Check and make one; `p` is one number for whole hands, or one for each set."""
        check_zero_sum(tree)
        if player not in (0, 1):
            raise ValueError(f"no player {player}: {tree.game.name} has 2, from 0")
        strategy = Strategy(tree.infosets, probabilities(tree, model))
        shares = np.asarray(p, np.float64)
        if shares.ndim == 0:
            check_share(float(shares), "p")
            return cls(tree, player, strategy, float(shares), np.zeros(len(tree.infosets)))
        if shares.shape != (len(tree.infosets),):
            raise ValueError(
                f"p: {shares.size} numbers for the {len(tree.infosets)} information sets"
                f" of {tree.game.name}"
            )
        for share in shares.tolist():
            check_share(share, "p")
        return cls(tree, player, strategy, 0.0, shares)

    @cached_property
    def free(self) -> Floats:
        """For each information set, how likely the player may choose there: 1 for the other's."""
        own = self.tree.infosets.player == self.player
        return np.where(own, 1.0 - self.at_infosets, 1.0)

    @cached_property
    def held(self) -> Floats:
        """For each slot, how likely it is played because of the model."""
        infosets = self.tree.infosets
        bound: Floats = np.repeat(1.0 - self.free, infosets.n_actions) * self.model.array
        return bound

    @cached_property
    def digest(self) -> str:
        """A fingerprint: what saved states of a solver belong to."""
        seen = hashlib.sha256(f"{self.player} {self.whole!r}".encode())
        for column in (self.model.array, self.at_infosets):
            seen.update(np.ascontiguousarray(column).tobytes())
        return seen.hexdigest()

    def model_plan(self, slots: npt.NDArray[np.integer]) -> Floats:
        """How likely the model plays up to some slots of this player; 1 for -1, no move yet."""
        found: Floats = self._model_plan[slots]
        return found

    def mix_whole_hands(self, chosen: Strategy) -> Strategy:
        """The profile in which he plays the model in a share `whole` of the hands."""
        if self.whole == 0.0:
            return chosen
        infosets = self.tree.infosets
        own = infosets.slot_player == self.player
        plan = sequence_plan(self.tree, chosen.array)
        mixed = (self.whole * self._model_plan + (1.0 - self.whole) * plan)[:-1]
        return Strategy.from_weights(infosets, np.where(own, mixed, chosen.array))

    def best_reply(self, strategy: StrategyLike) -> float:
        """The most that he can win against what the other plays, model included."""
        tree, infosets = self.tree, self.tree.infosets
        payoffs = tree.payoffs[:, self.player]
        arrival = reach(tree, strategy, without=self.player)[tree.terminals]
        ends = tree.terminal_slots[:, self.player]
        by_model = float(arrival * payoffs @ self.model_plan(ends))
        # The last entry is that of slot -1: what is won before he has made a move.
        worth = np.bincount(ends % (infosets.slots + 1), arrival * payoffs, infosets.slots + 1)
        for infoset in np.flatnonzero(infosets.player == self.player)[::-1].tolist():
            slots = slice(infosets.offset[infoset], infosets.offset[infoset + 1])
            value = self.held[slots] @ worth[slots] + self.free[infoset] * worth[slots].max()
            worth[infosets.parent[infoset]] += value
        return self.whole * by_model + (1.0 - self.whole) * float(worth[-1])

    def exploitability(self, strategy: StrategyLike) -> float:
        """How far a profile is from equilibrium in the game against this player.

        Half of what the two could gain together by best responses, his within his limits.
        """
        return (
            best_response(self.tree, strategy, 1 - self.player).value + self.best_reply(strategy)
        ) / 2

    @cached_property
    def _model_plan(self) -> Floats:
        return sequence_plan(self.tree, self.model.array)


def check_zero_sum(tree: GameTree) -> None:
    """Refuse games that are not for two players whose payoffs sum to 0."""
    if tree.players != 2:
        raise ValueError(
            f"responses to models are for two players; {tree.game.name} has {tree.players}"
        )
    if np.abs(tree.payoffs.sum(axis=1)).max() > 1e-9:
        raise ValueError(
            f"responses to models are for zero-sum games; payoffs of {tree.game.name} do not sum"
            " to 0"
        )

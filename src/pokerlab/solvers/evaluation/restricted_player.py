"""`RestrictedPlayer`: a `Restriction` on the tree of a game."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from pokerlab.runtime.arrays import Floats
from pokerlab.solvers.evaluation.restriction import Restriction
from pokerlab.solvers.evaluation.tree_values import best_response, reach
from pokerlab.solvers.strategy import Strategy, StrategyLike, probabilities
from pokerlab.trees.game_tree import GameTree


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
    restriction
        The model by slot and the trust by information set; only those of the restricted player
        count.

    Examples
    --------
    >>> from pokerlab.games import load_game
    >>> tree = GameTree.build(load_game("kuhn"))
    >>> caller = RestrictedPlayer.of(tree, {"Js:r": {"c": 1}, "Qs:r": {"c": 1}}, 1, 0.5)
    >>> caller.restriction.whole, caller.restriction.trust[:2].tolist()
    (0.5, [0.0, 0.0])
    >>> RestrictedPlayer.of(tree, {}, 1, 1.5)
    Traceback (most recent call last):
    ValueError: p: 1.5 is not a probability (0 to 1)
    """

    tree: GameTree
    restriction: Restriction

    @classmethod
    def of(
        cls, tree: GameTree, model: StrategyLike, player: int, p: float | npt.ArrayLike
    ) -> RestrictedPlayer:
        """Check and make one; `p` is one number for whole hands, or one for each set."""
        check_zero_sum(tree)
        if player not in (0, 1):
            raise ValueError(f"no player {player}: {tree.game.name} has 2, from 0")
        chosen = Strategy(tree.infosets, probabilities(tree, model)).array
        places = f"information sets of {tree.game.name}"
        return cls(tree, Restriction.of(chosen, p, len(tree.infosets), places, player))

    @property
    def player(self) -> int:
        """Who is restricted."""
        return self.restriction.player

    @cached_property
    def free(self) -> Floats:
        """For each information set, how likely the player may choose there: 1 for the other's."""
        own = self.tree.infosets.player == self.player
        return np.where(own, 1.0 - self.restriction.trust, 1.0)

    @cached_property
    def held(self) -> Floats:
        """For each slot, how likely it is played because of the model."""
        infosets = self.tree.infosets
        bound: Floats = np.repeat(1.0 - self.free, infosets.n_actions) * self.restriction.model
        return bound

    def model_plan(self, slots: npt.NDArray[np.integer]) -> Floats:
        """How likely the model plays up to some slots of this player; 1 for -1, no move yet."""
        found: Floats = self._model_plan[slots]
        return found

    def mix_whole_hands(self, chosen: Strategy) -> Strategy:
        """The profile in which the player plays the model in its share of whole hands."""
        if self.restriction.whole == 0.0:
            return chosen
        infosets = self.tree.infosets
        own = infosets.slot_player == self.player
        plan = sequence_plan(self.tree, chosen.array)
        mixed = self.restriction.over_hands(self._model_plan, plan)[:-1]
        return Strategy.from_weights(infosets, np.where(own, mixed, chosen.array))

    def best_reply(self, strategy: StrategyLike) -> float:
        """The most that the player can win against the other strategy, model included."""
        tree, infosets = self.tree, self.tree.infosets
        payoffs = tree.payoffs[:, self.player]
        arrival = reach(tree, strategy, without=self.player)[tree.terminals]
        ends = tree.terminal_slots[:, self.player]
        by_model = float(arrival * payoffs @ self.model_plan(ends))
        # The last entry is that of slot -1: winnings before the player has made a move.
        worth = np.bincount(ends % (infosets.slots + 1), arrival * payoffs, infosets.slots + 1)
        for infoset in np.flatnonzero(infosets.player == self.player)[::-1].tolist():
            slots = slice(infosets.offset[infoset], infosets.offset[infoset + 1])
            value = self.held[slots] @ worth[slots] + self.free[infoset] * worth[slots].max()
            worth[infosets.parent[infoset]] += value
        return self.restriction.over_hands(by_model, float(worth[-1]))

    def exploitability(self, strategy: StrategyLike) -> float:
        """How far a profile is from equilibrium in the game against this player.

        Half of what the two could gain together by best responses, this player's within the limits.
        """
        return (
            best_response(self.tree, strategy, 1 - self.player).value + self.best_reply(strategy)
        ) / 2

    @cached_property
    def _model_plan(self) -> Floats:
        return sequence_plan(self.tree, self.restriction.model)


def check_zero_sum(tree: GameTree, what: str = "responses to models are for") -> None:
    """Refuse games that are not for two players whose payoffs sum to 0.

    Parameters
    ----------
    tree
        The game.
    what
        What needs such a game: the beginning of the message.
    """
    if tree.players != 2:
        raise ValueError(f"{what} two-player games; {tree.game.name} has {tree.players} players")
    if np.abs(tree.payoffs.sum(axis=1)).max() > 1e-9:
        raise ValueError(f"{what} zero-sum games; payoffs of {tree.game.name} do not sum to 0")

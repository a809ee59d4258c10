"""Gadgets at the root of a spot: the opponent's hands may stop for a value, or play on.

The kinds are those of `pokerlab.solvers.resolving.kinds`, with the same definitions. The *hero*
learns against a range that the *opponent* chooses anew in every iteration, hand by hand: before
the hero's walk over the public tree that range is set, and what the opponent's own walk finds at
the root says what each hand gains by playing on. These choices are learnt by the rule of the
solve, regrets and average discounted as everywhere else. Both walks are those of any solve, so a
gadget works on every walker::

    resolve, combined   range(h) = must(h) + free(h) · s(h)    s: how often h plays on
    maxmargin           range(h) = q(h) / mass(h)              q: how often the opponent chooses h

`mass` is what a hand meets of the hero's range. Values here are sums over what a hand meets, as
those of a walker; margins are for each hand by itself, in chips. Everything is in float64, but for
the walks.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from pokerlab.engine.cpu.records import as_record
from pokerlab.engine.cpu.walker import CpuWalker
from pokerlab.engine.gadget_kernels import (
    RootChoices,
    add_choices,
    come_by_choice,
    learn_choices,
)
from pokerlab.engine.walker import LARGEST_WEIGHT, Learner, Storage
from pokerlab.runtime.arrays import AnyArray, Floats, Reals
from pokerlab.solvers.resolving.kinds import entry_weights
from pokerlab.solvers.rules import Rule


class RootGadget(NamedTuple):
    """What a gadget says of the opponent's hands, in the order of the boards.

    Attributes
    ----------
    player
        The opponent, whose hands may stop.
    kind
        ``resolve``, ``combined`` or ``maxmargin``.
    values
        What each hand gets when it stops: chips against an even split of the pot.
    prior
        The opponent's range.
    mass
        The sum of the weights of the hero's hands that each hand can meet; where it is 0, a hand
        is never held.
    """

    player: int
    kind: str
    values: Floats
    prior: Floats
    mass: Floats


class GadgetLearner:
    """Iterates a rule on a spot behind a gadget.

    Parameters
    ----------
    walker
        Learns on the spot; it has all hands of the opponent.
    rule
        Matches regrets (not greedy, no update of its own).
    gadget
        What the opponent may do at the root.
    weights
        The weights of the hero's hands.
    """

    def __init__(self, walker: Learner, rule: Rule, gadget: RootGadget, weights: Floats) -> None:
        self._walker = walker
        self._rule = rule
        self._weights = weights
        self._prior = gadget.prior
        self.player = gadget.player
        self._met = gadget.mass > 0
        self._mass = np.where(self._met, gadget.mass, 1.0)
        self._values = np.where(self._met, gadget.values * gadget.mass, 0.0) * walker.unit
        self._chooses = gadget.kind == "maxmargin"
        hands = len(gadget.values)
        # The walker's unit is made for ranges as large as the larger one of the boards.
        room = max(float(gadget.prior.sum()), float(weights.sum()))
        if self._chooses:
            self._must, self._free = np.zeros(hands), self._met / self._mass
            # One hand may have all of it.
            self._scale = min(room, LARGEST_WEIGHT) * float(gadget.mass[self._met].min())
            self._first = (self._met / self._met.sum())[:, None]
        else:
            must, free = entry_weights(gadget.kind, gadget.prior, gadget.mass)
            self._must, self._free = must * self._met, free * self._met
            whole = self._must + self._free
            self._scale = min(room / float(whole.sum()), LARGEST_WEIGHT / float(whole.max()))
            self._arrives = float(gadget.prior @ gadget.mass) / float(gadget.prior.max())
            self._first = np.stack([np.ones(hands), np.zeros(hands)])
        # (choices, decisions): two choices for each hand, or one choice among all hands.
        self._regrets = np.zeros(self._first.shape)
        self._played = self._first.copy()
        self._sums = np.zeros(self._first.shape)
        self._choices = as_record(
            RootChoices(
                self.player,
                int(self._chooses),
                self._scale,
                self._must,
                self._free,
                self._values,
                self._met,
                self._first,
                self._regrets,
                self._played,
                self._sums,
                np.zeros(self._first.shape),
            )
        )

    def iterate(self, storage: Storage, first: int, iterations: int) -> None:
        """Run iterations, the number `first` and those after it: the players learn in turn."""
        if isinstance(self._walker, CpuWalker):
            self._walker.iterate(storage, self._rule, first, iterations, self._choices)
        else:
            self._iterate_from_here(storage, first, iterations)
        self._walker.set_range(self.player, self._prior)

    def _iterate_from_here(self, storage: Storage, first: int, iterations: int) -> None:
        """The same for walkers that know no gadgets: what is between their walks is done here."""
        for number, step in enumerate(self._rule.steps(first, iterations), first):
            positive, negative, average, prediction, _, _, trial = step
            for hero in range(2):
                if hero == self.player:
                    rows = self._walker.learn(storage, self._rule, number, hero)
                    worth = self._by_hand(rows)
                    learn_choices(self._choices, worth, positive, negative, prediction, trial)
                else:
                    weights = np.zeros(len(self._values))
                    come_by_choice(self._choices, weights)
                    self._walker.set_range(self.player, weights)
                    add_choices(self._choices, average)
                    self._walker.learn(storage, self._rule, number, hero)

    def exploitability(self, storage: Storage) -> float:
        """Half of what both could gain in the game with the gadget, in chips.

        For ``maxmargin`` of a margin, else for each time that the opponent's range gets there:
        beside the same number of a plain solve, and a bound of what the strategies of all subgames
        together may lose.
        """
        average = self._average
        self._set_range(average)
        hero = 1 - self.player
        rows = self._walker.best_values(storage, hero, average=True)[: len(self._weights)]
        lost = float(rows.astype(np.float64) @ self._weights) / self._scale
        best = self._by_hand(self._walker.best_values(storage, self.player, average=True))
        self._walker.set_range(self.player, self._prior)
        if self._chooses:
            gain = float(((best - self._values) * self._free)[self._met].max())
            kept, whole = float(average[:, 0] @ (self._free * self._values)), 1.0
        else:
            free = self._free * np.maximum(best, self._values)
            gain = float((self._must * best + free).sum())
            kept = -float((self._free * average[1]) @ self._values)
            whole = self._arrives
        return (gain + kept + lost) / (2 * whole * self._walker.unit)

    def state(self) -> dict[str, Floats]:
        """What the next iteration depends on, beside the storage."""
        return {
            "gadget.regrets": self._regrets,
            "gadget.played": self._played,
            "gadget.sums": self._sums,
        }

    def restore(self, state: Mapping[str, AnyArray]) -> None:
        """Go back to a `state`."""
        for name, array in self.state().items():
            array[:] = state[name]

    @property
    def _average(self) -> Floats:
        total = self._sums.sum(axis=0)
        return np.where(total > 0, self._sums / np.where(total > 0, total, 1.0), self._played)

    def _by_hand(self, rows: Reals) -> Floats:
        return rows[: len(self._values)].astype(np.float64)

    def _set_range(self, played: Floats) -> None:
        """Let the opponent come with the hands that they choose, or play on with."""
        share = played[:, 0] if self._chooses else played[0]
        self._walker.set_range(self.player, self._scale * (self._must + self._free * share))

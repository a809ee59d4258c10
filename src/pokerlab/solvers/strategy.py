"""`Strategy`: a probability for each action of each information set."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from pokerlab.runtime.arrays import AnyArray, Floats
from pokerlab.runtime.files.columns import make_frame
from pokerlab.runtime.shown import Shown
from pokerlab.trees.game_tree import GameTree
from pokerlab.trees.infosets import Infosets

_TOLERANCE = 1e-9


class Strategy(Mapping[str, dict[str, float]], Shown):
    """How all players play: by name of an information set, or as one flat array.

    Parameters
    ----------
    infosets
        What the probabilities belong to: ``tree.infosets``.
    array
        A probability for each slot. It is checked: at each information set they are at least
        0 and sum to 1 (within 1e-9); `ValueError` names the set where they do not.

    Examples
    --------
    >>> from pokerlab.games import load_game
    >>> from pokerlab.trees import GameTree
    >>> tree = GameTree.build(load_game("kuhn"))
    >>> strategy = Strategy.of(tree.infosets, {"Ks:r": {"c": 1}})
    >>> strategy["Ks:r"], strategy["Qs:r"]
    ({'f': 0.0, 'c': 1.0}, {'f': 0.5, 'c': 0.5})
    >>> strategy.changed({"Qs:r": {"f": 0.7, "c": 0.7}})
    Traceback (most recent call last):
    ValueError: information set 'Qs:r' of player 1: probabilities must be at least 0 and sum to 1,
    not f 0.7, c 0.7 (sum 1.4)
    """

    _picture = "pokerlab.views.pictures.solution_picture:strategy_html"

    def __init__(self, infosets: Infosets, array: npt.ArrayLike) -> None:
        self.infosets = infosets
        self.array = _checked(infosets, np.array(array, np.float64))
        self.array.setflags(write=False)

    @classmethod
    def uniform(cls, infosets: Infosets) -> Strategy:
        """Every action of an information set with the same probability."""
        return cls(infosets, 1 / np.repeat(infosets.n_actions, infosets.n_actions))

    @classmethod
    def from_weights(cls, infosets: Infosets, weights: Floats) -> Strategy:
        """Normalise weights at each information set; uniform where all are 0."""
        count = np.repeat(infosets.n_actions, infosets.n_actions)
        sums = np.repeat(np.add.reduceat(weights, infosets.offset[:-1]), infosets.n_actions)
        return cls(infosets, np.where(sums > 0, weights / np.where(sums > 0, sums, 1), 1 / count))

    @classmethod
    def of(cls, infosets: Infosets, choices: Mapping[str, Mapping[str, float]]) -> Strategy:
        """Read ``{name: {action: probability}}``; sets that are not named play uniformly."""
        return cls.uniform(infosets).changed(choices)

    def changed(self, choices: Mapping[str, Mapping[str, float]]) -> Strategy:
        """The same with other probabilities at some information sets; actions not named get 0."""
        array = self.array.copy()
        for name, chosen in choices.items():
            infoset = self.infosets.number(name)
            actions = self.infosets.actions[infoset]
            for action in chosen:
                if action not in actions:
                    raise ValueError(
                        f"{self.infosets.describe(infoset)} has no action {action!r}; "
                        f"it has {', '.join(actions)}"
                    )
            array[self._slots(infoset)] = [chosen.get(action, 0.0) for action in actions]
        return Strategy(self.infosets, array)

    def __getitem__(self, name: str) -> dict[str, float]:
        # A mapping answers a missing key with KeyError; `Infosets.number` says what there is.
        if name not in self:
            raise KeyError(name)
        infoset = self.infosets.number(name)
        chosen = self.array[self._slots(infoset)].tolist()
        return dict(zip(self.infosets.actions[infoset], chosen, strict=True))

    def __iter__(self) -> Iterator[str]:
        return iter(self.infosets.names)

    def __len__(self) -> int:
        return len(self.infosets)

    def __contains__(self, name: object) -> bool:
        return name in self.infosets

    def to_frame(self) -> Any:
        """A row for each action of each information set, as a ``pandas.DataFrame``.

        Examples
        --------
        >>> from pokerlab.games import load_game
        >>> from pokerlab.trees import GameTree
        >>> strategy = Strategy.uniform(GameTree.build(load_game("kuhn")).infosets)
        >>> strategy.to_frame().head(2).values.tolist()
        [[0, 'Js', 'c', 0.5], [0, 'Js', 'r', 0.5]]
        """
        sets = self.infosets
        of_slot = sets.slot_infoset.tolist()
        return make_frame(
            {
                "player": [int(sets.player[number]) for number in of_slot],
                "infoset": [sets.names[number] for number in of_slot],
                "action": [action for actions in sets.actions for action in actions],
                "probability": self.array.tolist(),
            }
        )

    def __repr__(self) -> str:
        return f"<Strategy of {len(self)} information sets>"

    def _slots(self, infoset: int) -> slice:
        return slice(self.infosets.offset[infoset], self.infosets.offset[infoset + 1])


StrategyLike: TypeAlias = Strategy | Floats | Mapping[str, Mapping[str, float]]
"""What functions take as a strategy; whatever it is, it is checked."""


def probabilities(tree: GameTree, strategy: StrategyLike) -> Floats:
    """The flat array of a strategy of this tree, checked."""
    if isinstance(strategy, np.ndarray):
        return _checked(tree.infosets, strategy)
    if not isinstance(strategy, Strategy):
        return Strategy.of(tree.infosets, strategy).array
    if strategy.infosets is not tree.infosets and not _same(strategy.infosets, tree.infosets):
        raise ValueError(
            f"the strategy belongs to another game: it has {len(strategy)} information sets, "
            f"{tree.game.name} has {len(tree.infosets)} or other names or actions for them"
        )
    return strategy.array


def _same(one: Infosets, other: Infosets) -> bool:
    return one.names == other.names and one.actions == other.actions


def _checked(infosets: Infosets, array: AnyArray) -> Floats:
    if array.shape != (infosets.slots,):
        raise ValueError(
            f"a strategy of this game has {infosets.slots} probabilities, not {array.shape}"
        )
    array = np.ascontiguousarray(array, np.float64)
    wrong = ~np.isfinite(array) | (array < 0)
    sums = np.add.reduceat(array, infosets.offset[:-1]) if len(infosets) else np.ones(0)
    bad = ~(np.abs(sums - 1) <= _TOLERANCE)
    bad[infosets.slot_infoset[wrong]] = True
    if bad.any():
        infoset = int(np.argmax(bad))
        chosen = array[infosets.offset[infoset] : infosets.offset[infoset + 1]].tolist()
        listed = ", ".join(
            f"{action} {number:g}"
            for action, number in zip(infosets.actions[infoset], chosen, strict=True)
        )
        raise ValueError(
            f"{infosets.describe(infoset)}: probabilities must be at least 0 and sum to 1, "
            f"not {listed} (sum {sum(chosen):.12g})"
        )
    return array

"""Rows of any strategy of a bucketed game as probabilities of legal actions."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pokerlab.holdem.limit.sampling.bucketed_game import BucketedGame
from pokerlab.runtime.arrays import Bools, Singles
from pokerlab.trees.limit.betting import ACTIONS

_ROUNDING = 0.005
"""What the probabilities of a row may lack: three numbers of half precision."""


def legal_actions(game: BucketedGame) -> Bools:
    """(rows, 3) node by node: what may be done."""
    sizes = np.array(game.counts)[game.betting.streets]
    return np.repeat(game.betting.tree.nodes[:, : len(ACTIONS)] >= 0, sizes, axis=0)


def legal_rows(game: BucketedGame, probabilities: npt.ArrayLike) -> Singles:
    """Rows of a strategy (node by node) without NaN, which become uniform.

    What is not legal is a call, as at the table.

    Examples
    --------
    >>> from pokerlab.games import load_betting_game
    >>> kuhn = BucketedGame.of(load_betting_game("kuhn"), "none")
    >>> print(legal_rows(kuhn, [[0, 0, 1], [1, 0, 0], [0, 0, 1], [np.nan] * 3]))
    [[0.  0.  1. ]
     [0.  1.  0. ]
     [0.  1.  0. ]
     [0.5 0.5 0. ]]
    """
    found = np.array(probabilities, np.float32)
    if found.shape != (game.rows, len(ACTIONS)):
        raise ValueError(
            f"a strategy of shape {found.shape}: {game} needs ({game.rows}, {len(ACTIONS)})"
        )
    legal = legal_actions(game)
    unseen = np.isnan(found).any(axis=1)
    found[unseen] = (legal / legal.sum(axis=1, keepdims=True))[unseen]
    total = found.sum(axis=1)
    if found.min(initial=0.0) < 0.0 or (np.abs(total - 1.0) > _ROUNDING).any():
        raise ValueError("a strategy has rows that are not probability distributions")
    found[:, 1] += np.where(legal, 0.0, found).sum(axis=1)
    found[~legal] = 0.0
    found /= found.sum(axis=1, keepdims=True)
    return found

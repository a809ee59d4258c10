"""Sparse matrices of linear programs on sequences."""

from __future__ import annotations

import numpy as np
from scipy.sparse import coo_array, csr_array

from pokerlab.runtime.arrays import Floats, Indices
from pokerlab.trees.infosets import Infosets


def sparse_rows(
    *entries: tuple[Indices, Indices, Floats | float], shape: tuple[int, int]
) -> csr_array:
    """A matrix from rows, columns and numbers; what stands in one place is added.

    Examples
    --------
    >>> places = np.arange(2)
    >>> sparse_rows((places, places, 1.0), (places, places[::-1], -1.0), shape=(2, 2)).toarray()
    array([[ 1., -1.],
           [-1.,  1.]])
    """
    rows, columns = (np.concatenate([entry[axis] for entry in entries]) for axis in (0, 1))
    numbers = [np.broadcast_to(number, len(where)) for where, _, number in entries]
    return coo_array((np.concatenate(numbers), (rows, columns)), shape=shape).tocsr()


def plan_rows(
    infosets: Infosets, sets: Indices, column: Indices, columns: int
) -> tuple[csr_array, Floats]:
    """What makes variables a plan: the left and the right sides of equations.

    The empty sequence is 1, and a sequence is the sum of those that go on from it by the actions of
    a set.

    Parameters
    ----------
    infosets
        Of the game.
    sets
        Those of the player.
    column
        The column of each slot's sequence; the last one (slot −1) is that of the empty sequence.
    columns
        How many there are.

    Examples
    --------
    >>> from pokerlab.games import load_game
    >>> from pokerlab.trees import GameTree
    >>> infosets = GameTree.build(load_game("kuhn")).infosets
    >>> column = np.append(1 + np.arange(infosets.slots), 0)
    >>> equal, right = plan_rows(infosets, np.arange(2), column, infosets.slots + 1)
    >>> equal.toarray()[:, :5], right
    (array([[ 1.,  0.,  0.,  0.,  0.],
           [-1.,  1.,  1.,  0.,  0.],
           [ 0., -1.,  0.,  1.,  1.]]), array([1., 0., 0.]))
    """
    slots = np.flatnonzero(np.isin(infosets.slot_infoset, sets))
    row = 1 + np.arange(len(sets))
    equal = sparse_rows(
        (np.zeros(1, int), column[-1:], 1.0),
        (np.repeat(row, infosets.n_actions[sets]), column[slots], 1.0),
        (row, column[infosets.parent[sets]], -1.0),
        shape=(len(sets) + 1, columns),
    )
    right = np.zeros(len(sets) + 1)
    right[0] = 1.0
    return equal, right

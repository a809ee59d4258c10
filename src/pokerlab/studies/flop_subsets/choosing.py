"""Few weighted flops in place of all of them: the choice with the smallest expected error.

What is averaged over flops (an equity, an EV, how often a bet is made) is a number for each flop,
and its error with weights w in place of the multiplicities p is the sum of (w − p) times that
number. Over many kinds of numbers with covariance Q between flops, the mean squared error is
``(w − p)ᵀ Q (w − p)``. Numbers are measured from their mean, so that p gives 0 and ``wᵀ Q w``
remains. For a given set of flops the best weights that add up to 1 are ``Q⁻¹ 1``, scaled, and the
error is ``1 / (1ᵀ Q⁻¹ 1)``: so the set is built up flop by flop, each time by the one that lowers
the error most, and then flops are exchanged one by one until no exchange lowers it.

Q holds what was measured, and on its diagonal a part of each flop's own that no other flop tells
about. Without that part, weights would fit what was measured and nothing else.
"""

from __future__ import annotations

import numpy as np

from pokerlab.runtime.arrays import Floats, Indices

LEAST_SHARE = 0.2
"""No chosen flop weighs less than this part of the mean weight: it would not be worth solving."""
MAX_ROUNDS = 30


def deviations(values: Floats, multiplicities: Floats, chances: Floats | None = None) -> Floats:
    """Columns of numbers by flop as deviations from their means, in standard deviations.

    Parameters
    ----------
    values : (flops, columns)
        What is averaged over flops.
    multiplicities : (flops,)
        Deals that each flop stands for.
    chances : (flops, columns) or (flops, 1)
        How often the hands are dealt on a flop that lies there: ranges miss the cards of the
        board. The mean over flops is weighted by it, so the deviation is, too.

    Examples
    --------
    >>> deviations(np.array([[1.0], [3.0]]), np.array([1.0, 1.0]))
    array([[-1.], [ 1.]])
    """
    shares = multiplicities / multiplicities.sum()
    if chances is None:
        chances = np.ones((len(values), 1))
    relative = np.broadcast_to(chances / (shares @ chances), values.shape)
    off = values - (shares[:, None] * relative * values).sum(axis=0)
    spread = np.sqrt((shares[:, None] * relative * off**2).sum(axis=0))
    return np.asarray(relative * off / np.where(spread > 0, spread, 1.0))


def covariance(groups: list[tuple[float, Floats]], own: float) -> Floats:
    """Q from groups of deviations, each with its weight; `own` is each flop's own part."""
    flops = len(groups[0][1])
    found = own * np.eye(flops)
    for weight, columns in groups:
        found += weight / columns.shape[1] * (columns @ columns.T)
    return found


def choose_flops(errors: Floats, size: int, start: Indices | None = None) -> tuple[Indices, Floats]:
    """Choose flops and their weights so that the expected error is small.

    Parameters
    ----------
    errors
        The covariance Q of the deviations.
    size
        How many flops.
    start
        Flops that must be among them.

    Returns
    -------
    The numbers of the flops, ascending, and their weights, which add up to 1.

    Examples
    --------
    Two kinds of flops, and each flop tells all about its kind:

    >>> kinds = np.array([[-1.0], [-1.0], [3.0]])
    >>> numbers, weights = choose_flops(covariance([(1.0, kinds)], own=1e-6), 2)
    >>> numbers, weights.round(3)
    (array([0, 2]), array([0.75, 0.25]))
    """
    kept = 0 if start is None else len(start)
    chosen = [] if start is None else list(map(int, start))
    while len(chosen) < size:
        place, _ = _best_addition(errors, chosen)
        chosen.append(place)
    current = _error(errors, chosen)
    for _ in range(MAX_ROUNDS):
        before = current
        for position in range(kept, size):
            rest = chosen[:position] + chosen[position + 1 :]
            place, error = _best_addition(errors, rest)
            if error < current * (1 - 1e-9):
                chosen[position], current = place, error
        if current >= before * (1 - 1e-6):
            break
    numbers = np.sort(np.array(chosen, dtype=np.intp))
    weights = np.linalg.solve(errors[np.ix_(numbers, numbers)], np.ones(size))
    return numbers, weights / weights.sum()


def _error(errors: Floats, chosen: list[int]) -> float:
    ones = np.ones(len(chosen))
    return float(1 / np.linalg.solve(errors[np.ix_(chosen, chosen)], ones).sum())


def _best_addition(errors: Floats, chosen: list[int]) -> tuple[int, float]:
    """The flop that lowers the error most beside those that are chosen, and the error then."""
    diagonal = errors.diagonal()
    if not chosen:
        place = int(np.argmin(diagonal))
        return place, float(diagonal[place])
    rows = errors[chosen]
    carried = np.linalg.solve(rows[:, chosen], np.column_stack([rows, np.ones(len(chosen))]))
    through, weights = carried[:, :-1], carried[:, -1]
    left = diagonal - np.einsum("ij,ij->j", rows, through)
    left[chosen] = np.inf  # they are there already
    own = (1 - weights @ rows) / left
    total = weights.sum() + own * (1 - weights @ rows)
    smallest = np.minimum((weights[:, None] - own * through).min(axis=0), own)
    smallest[chosen] = -np.inf
    allowed = smallest * (len(chosen) + 1) >= LEAST_SHARE * total
    place = int(np.argmax(np.where(allowed, total, -np.inf) if allowed.any() else smallest))
    return place, float(1 / total[place])

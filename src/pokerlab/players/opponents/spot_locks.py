"""From a model of lines to locks of a spot: as sure as there are observations.

A model knows how often all hands of a player together do something, and a solve needs to know which
hands do it. Two answers:

*in the order of a solution*
    The strategy of the equilibrium is moved as a whole until its frequencies are those of the
    model, at the least cost (`pokerlab.holdem.spots.answer.locking.towards_frequencies` with what
    each action is worth): who folds too often folds first what is hardly worth a call. It needs a
    solution of the spot, and locks its first street.
*uniform*
    Every hand does it as often. That needs no solution and goes for all streets, but says that the
    nuts are folded as often as nothing: for rough looks.

A lock seen n times gets the weight n / (n + half); lines that were never seen are not locked.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from pokerlab.engine.locks import WEIGHT
from pokerlab.games.betting_trees.betting_tree import BettingTree
from pokerlab.holdem.spots import PostflopSolution, Spot
from pokerlab.holdem.spots.answer.locking import lock_actions, towards_frequencies
from pokerlab.players.opponents.line_model import (
    ALL_IN,
    SIZES,
    LineFrequencies,
    LineKey,
    LineModel,
    size_class,
)
from pokerlab.runtime.arrays import Floats
from pokerlab.solvers import confidence

_STREETS = "flop", "turn", "river"
_PLAYERS = "oop", "ip"
_DIGITS = 4


class LineLock(NamedTuple):
    """A lock made from a model, at a line of a spot.

    Attributes
    ----------
    line
        In the spot.
    key
        The line of the model.
    observations
        How many there were of it.
    weight
        Of the lock.
    frequencies
        By action, how often it is locked to be taken.
    before
        The same in the solution; None without one.
    lock
        As a spot takes it.
    """

    line: str
    key: LineKey
    observations: float
    weight: float
    frequencies: dict[str, float]
    before: dict[str, float] | None
    lock: dict[str, str | float]


def line_locks(
    model: LineModel,
    spot: Spot | PostflopSolution,
    player: str,
    *,
    most: float = 1.0,
    half_at: float = 10.0,
    uniform: bool = False,
) -> list[LineLock]:
    """The locks of a spot for a player who plays by a model.

    Parameters
    ----------
    model
        The model of the player.
    spot
        The spot, or a solution of it: without `uniform`, the order of hands is its own.
    player
        The seat of the player, ``"oop"`` or ``"ip"``.
    most
        The largest weight of a lock, above 0 and up to 1.
    half_at
        The number of observations with which a lock has half of that weight.
    uniform
        Whether every hand does everything as often. Then later streets have locks, too, on all
        cards.

    Examples
    --------
    >>> from pokerlab.holdem.spots import solve_spot
    >>> spot = Spot("KsTs7d", "77, 65s", "AA, QQ", pot=100, stack=40, bet="a", raise_="")
    >>> facing = LineKey("flop", "ip", "other", "small!")
    >>> model = LineModel("bob", 40, {facing: {"fold": 27, "call": 3}}, prior_weight=0)
    >>> found, = line_locks(model, spot, "ip", uniform=True)
    >>> found.line, found.observations, found.lock
    ('a', 30, {'f': 0.9, 'c': 0.1, 'weight': 0.75})
    """
    if player not in _PLAYERS:
        raise ValueError(f"player: {player!r} is not a seat, oop or ip")
    if not 0 < most <= 1:
        raise ValueError(f"most: {most:g} is not a weight, above 0 and up to 1")
    solution = spot if isinstance(spot, PostflopSolution) else None
    game = spot.spot if isinstance(spot, PostflopSolution) else spot
    if solution is None and not uniform:
        raise ValueError("the order of hands is that of a solution: give one, or uniform=True")
    found = []
    for level, node, line in game.tree.walk():
        if game.tree.streets[level].player[node] != _PLAYERS.index(player):
            continue
        if level > 0 and not uniform:
            break
        key = line_key(game, level, node)
        known = model.at(key, any_initiative=level == 0 and game.aggressor is None)
        if known.observations > 0:
            weight = float(confidence(known.observations, most, half_at))
            order = None if uniform else solution
            lock = _lock(game.tree, order, (level, node, line), known)
            if lock is not None and weight > 0:
                before, frequencies, texts = lock
                texts[WEIGHT] = round(max(weight, 10.0**-_DIGITS), _DIGITS)
                found.append(
                    LineLock(line, key, known.observations, weight, frequencies, before, texts)
                )
    return found


def line_key(spot: Spot, level: int, node: int) -> LineKey:
    """The key of a decision of a spot in a model.

    Who was the aggressor before the spot is what the spot says; if it does not, ``nobody``.

    Examples
    --------
    >>> spot = Spot("KsTs7d", "77, 65s", "AA, QQ", pot=100, stack=400, aggressor="ip")
    >>> place = spot.find("x/b50")
    >>> line_key(spot, place.level, place.node)
    LineKey(street='flop', position='oop', initiative='other', line='x/medium')
    """
    street = spot.tree.streets[level]
    seat = int(street.player[node])
    bettor = None
    if level > 0:
        above = int(street.root_parent_edge[street.root[node]])
        bettor = _last_bettor(spot.tree, level - 1, above)
    elif spot.aggressor is not None:
        bettor = _PLAYERS.index(spot.aggressor)
    initiative = "nobody" if bettor is None else "self" if bettor == seat else "other"
    tokens = list(_tokens(spot.tree, level, int(street.parent_edge[node])))[::-1]
    if tokens and tokens[-1] != "x" and street.committed[node].max() >= spot.tree.stack:
        tokens[-1] += ALL_IN
    return LineKey(_STREETS[street.number], _PLAYERS[seat], initiative, "/".join(tokens))


def _tokens(tree: BettingTree, level: int, edge: int) -> Iterator[str]:
    """What was done on a street up to an edge, the last first."""
    street = tree.streets[level]
    while edge >= 0:
        yield _outcome(tree, level, edge)
        edge = int(street.parent_edge[street.node[edge]])


def _outcome(tree: BettingTree, level: int, edge: int) -> str:
    """An action as a line of a model has it; `x` for a check."""
    street = tree.streets[level]
    label = street.label(edge)
    if label in ("f", "c", "x"):
        return {"f": "fold", "c": "call", "x": "x"}[label]
    where = tree.situation(level, int(street.node[edge]))
    return size_class((int(street.amount[edge]) - where.facing) / where.pot)


def _last_bettor(tree: BettingTree, level: int, edge: int) -> int | None:
    street = tree.streets[level]
    while edge >= 0:
        if street.label(edge) not in ("f", "c", "x"):
            return int(street.player[street.node[edge]])
        edge = int(street.parent_edge[street.node[edge]])
    return None


def _lock(
    tree: BettingTree,
    solution: PostflopSolution | None,
    place: tuple[int, int, str],
    known: LineFrequencies,
) -> tuple[dict[str, float] | None, dict[str, float], dict[str, str | float]] | None:
    """Frequencies before and now, and the lock; None where no hand arrives."""
    level, node, line = place
    street = tree.streets[level]
    labels = street.labels(node)
    outcomes = [_outcome(tree, level, edge) for edge in street.edges_of(node)]
    if solution is None:
        wanted = _by_action(outcomes, known.shares, np.ones(len(labels)))
        shares = dict(zip(labels, _rounded(wanted), strict=True))
        return None, shares, dict(shares)
    decision = solution.at(line)
    if not (decision.weights[decision.player] > 0).any():
        return None
    wanted = _by_action(outcomes, known.shares, decision.frequencies)
    strategy = towards_frequencies(
        decision, dict(zip(labels, wanted.tolist(), strict=True)), decision.action_ev
    )
    return (
        dict(zip(labels, decision.frequencies.tolist(), strict=True)),
        dict(zip(labels, wanted.tolist(), strict=True)),
        dict(lock_actions(decision, strategy)),
    )


def _by_action(outcomes: Sequence[str], shares: dict[str, float], before: Floats) -> Floats:
    """How often each action is to be taken.

    A class of sizes that the spot does not have goes to the nearest that it has, or to a check or
    call where it has none; several sizes of a class share it as they did `before`.
    """
    sizes = list(SIZES)
    offered = [name for name in sizes if name in outcomes]
    passive = "x" if "x" in outcomes else "call"
    by_outcome: dict[str, float] = {}
    for action, share in shares.items():
        goal = "x" if action == "check" else action
        if goal in sizes:
            near = sorted(offered, key=lambda name: abs(sizes.index(name) - sizes.index(goal)))
            goal = near[0] if near else passive
        by_outcome[goal] = by_outcome.get(goal, 0.0) + share
    wanted = np.zeros(len(outcomes))
    for outcome, share in by_outcome.items():
        own = np.array([each == outcome for each in outcomes])
        weights = np.where(own, np.nan_to_num(before), 0.0)
        weights = weights if weights.sum() > 1e-9 else own.astype(float)
        wanted += share * weights / weights.sum()
    return wanted


def _rounded(shares: Floats) -> list[float]:
    """With few digits; what is missing to 1 is added to the largest."""
    rounded = np.round(shares, _DIGITS)
    rounded[rounded.argmax()] += 1 - rounded.sum()
    return [float(share) for share in np.round(rounded, _DIGITS)]

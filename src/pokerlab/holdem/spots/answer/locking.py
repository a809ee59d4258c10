"""Strategies to lock: changed by hand, or as a whole towards wanted frequencies, and as texts.

See `pokerlab.engine.locks` for what the solver takes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from pokerlab.cards.ranges.blockers import unblocked_weights
from pokerlab.cards.ranges.range import Range
from pokerlab.holdem.spots.answer.node_view import Decision
from pokerlab.runtime.arrays import Floats
from pokerlab.runtime.errors import shorten

_DIGITS = 4
_STEPS = 1000
_CLOSE = 1e-4
_LITTLE = 1e-3
_SOFT = 0.05
_LOWEST = -100.0


def towards_frequencies(
    decision: Decision, wanted: Mapping[str, float], action_ev: Floats | None = None
) -> Floats:
    """The strategy of a decision, moved as a whole until actions are as frequent as wanted.

    The odds of an action change by one factor for all hands, so that hands which take it often
    stay those which do; hands that never take it begin to only where it does not go without them.
    What `wanted` leaves goes to the other actions in proportion.

    With `action_ev`, hands begin to take an action which they never took in the order of what it
    costs them, softly: 5% of the pot more make it e times less likely. So somebody who folds too
    often folds first what is hardly worth a call, and who does not raise calls with what was
    raised.

    Parameters
    ----------
    decision
        What is changed.
    wanted
        By action a frequency from 0 to 1, together at most 1.
    action_ev
        (actions, 1326): what each action is worth, as in `NodeView`.

    Returns
    -------
    (actions, 1326), NaN as in `Decision.strategy`.

    Examples
    --------
    >>> from pokerlab.holdem.spots import Spot, solve_spot
    >>> spot = Spot("KsTs7d4c2h", "77, 65s", "AA, QQ", pot=100, stack=100, bet="a", raise_="")
    >>> decision = solve_spot(spot, target="0.1%").decision("a")
    >>> changed = towards_frequencies(decision, {"f": 0.9})
    >>> met = decision.weights[1] > 0
    >>> round(float(changed[0, met].mean()), 3)
    0.9
    """
    for action, share in wanted.items():
        if action not in decision.actions:
            raise ValueError(
                f"action {shorten(str(action))!r} is not possible here; possible: "
                f"{', '.join(decision.actions)}"
            )
        if not 0 <= share <= 1:
            raise ValueError(f"{action}: {share} is not a frequency from 0 to 1")
    given = sum(wanted.values())
    if given > 1 + 1e-9:
        raise ValueError(f"the frequencies sum to {given:.4g}, which is more than 1")
    player = decision.player
    often = decision.weights[player] * unblocked_weights(decision.weights[1 - player])
    if not often.sum() > 0:
        often = decision.weights[player]
    here = np.flatnonzero(often > 0)
    changed = decision.strategy.copy()
    if not len(here):
        return changed
    own, weight = decision.strategy[:, here], often[here] / often[here].sum()
    goal = _goal(decision.actions, wanted, own @ weight)
    if action_ev is not None:
        worth = np.nan_to_num(action_ev[:, here])
        loss = (worth - worth.max(axis=0)) / (_SOFT * decision.pot)
        own = (own + _LITTLE) * np.exp(np.maximum(loss, _LOWEST))
    found = _scaled(own, weight, goal)
    if abs(found @ weight - goal).max() > _CLOSE:
        # Too many hands never take what is wanted: they begin with a little of it.
        found = _scaled((1 - _LITTLE) * own + _LITTLE * (goal > 0)[:, None], weight, goal)
    changed[:, here] = found
    return changed


def _scaled(own: Floats, weight: Floats, goal: Floats) -> Floats:
    """Strategies (actions, hands), times a factor for each action, whose mean is the goal."""
    factor = np.ones(len(goal))
    scaled = own
    for _ in range(_STEPS):
        scaled = own * factor[:, None]
        total = scaled.sum(axis=0)
        scaled = np.where(total > 0, scaled / np.where(total > 0, total, 1), goal[:, None])
        now = scaled @ weight
        if abs(now - goal).max() < _CLOSE / 10:
            break
        factor *= np.where(goal > 0, goal / np.maximum(now, 1e-12), 0.0)
        factor /= factor.max()
    return scaled


def _goal(actions: tuple[str, ...], wanted: Mapping[str, float], now: Floats) -> Floats:
    """What all actions are to be: those that are not wanted share the rest as before."""
    goal = np.array([wanted.get(action, np.nan) for action in actions])
    free = np.isnan(goal)
    rest = max(1.0 - float(np.nansum(goal)), 0.0)
    before = now[free]
    shares = before / before.sum() if before.sum() > 1e-9 else np.ones(len(before)) / len(before)
    goal[free] = rest * shares
    if not free.any() and goal.sum() > 0:
        goal /= goal.sum()
    return goal


def lock_actions(decision: Decision, strategy: Floats) -> dict[str, str]:
    """A strategy (actions, 1326) as the texts of a lock.

    Hands with NaN, and those that never arrive, are left free.

    Examples
    --------
    >>> from pokerlab.holdem.spots import Spot, solve_spot
    >>> spot = Spot("KsTs7d4c2h", "77, 65s", "AA, QQ", pot=100, stack=100, bet="a", raise_="")
    >>> decision = solve_spot(spot, target="0.1%").decision("a")
    >>> lock_actions(decision, 0 * decision.strategy + [[0.25], [0.75]])
    {'f': 'AA:0.25,QQ:0.25', 'c': 'AA:0.75,QQ:0.75'}
    """
    if strategy.shape != decision.strategy.shape:
        raise ValueError(
            f"the strategy has the shape {strategy.shape}, not {decision.strategy.shape}"
        )
    arrives = decision.weights[decision.player] > 0
    return lock_of_shares(decision.actions, np.where(arrives, strategy, np.nan))


def lock_of_shares(actions: Sequence[str], strategy: Floats) -> dict[str, str]:
    """A strategy (actions, 1326) as the texts of a lock; hands with NaN are left free.

    Examples
    --------
    >>> from pokerlab.cards import combo_index, parse_cards
    >>> strategy = np.full((2, 1326), np.nan)
    >>> strategy[:, combo_index(*parse_cards("AsAh"))] = 0.25, 0.75
    >>> lock_of_shares(("f", "c"), strategy)
    {'f': 'AsAh:0.25', 'c': 'AsAh:0.75'}
    """
    locked = ~np.isnan(strategy).any(axis=0)
    shares = np.where(locked, strategy, 0.0)
    if not (locked.any() and (shares >= 0).all()):
        raise ValueError("a lock needs a hand that arrives, and shares that are not negative")
    total = shares.sum(axis=0)
    if (abs(total[locked] - 1) > 1e-2).any():
        raise ValueError("the shares of a hand's actions must sum to 1")
    shares = np.round(shares / np.where(locked, total, 1), _DIGITS)
    # What rounding leaves goes to the largest share, so that the sum is 1 again.
    largest = shares.argmax(axis=0)
    hands = np.flatnonzero(locked)
    shares[largest[hands], hands] += np.round(1 - shares[:, hands].sum(axis=0), _DIGITS)
    return {
        action: Range(np.clip(row, 0, 1)).plain_text()
        for action, row in zip(actions, np.round(shares, _DIGITS), strict=True)
        if row.any()
    }

"""Bias: fold as often before the flop as a strong player of the three-player game does.

The reference is how hyperborean, the winner of the 2012 competition, played each hand class
before the flop with three players in and something to pay. A mapped two-player strategy folds
far less there: it does not know that there are two to beat.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Mapping
from functools import cache
from importlib.resources import files

import numpy as np

from pokerlab.cards.hand_classes import CLASS_NAMES, CLASS_SIZES
from pokerlab.games import Betting
from pokerlab.runtime.arrays import Floats

Triple = tuple[float, float, float]
"""The probabilities of (fold, call, raise)."""


@cache
def reference_actions() -> Floats:
    """How often hyperborean folds, calls and raises each hand class: shape (169, 3).

    Examples
    --------
    >>> reference_actions()[CLASS_NAMES.index("Q2s")].tolist()
    [0.95, 0.047, 0.003]
    """
    source = files("pokerlab.players.bots.mapping") / "data" / "three_player_preflop.csv"
    rows = {
        row["hand"]: [float(row[name]) for name in ("fold", "call", "raise")]
        for row in csv.DictReader(source.read_text("utf-8").splitlines())
    }
    table = np.array([rows[name] for name in CLASS_NAMES])
    table.flags.writeable = False
    return table


def class_table(folds: Mapping[str, float]) -> dict[int, float]:
    """Fold frequencies by class number, from those by class name.

    Examples
    --------
    >>> class_table({"AA": 0.0, "72o": 0.5})
    {0: 0.0, 163: 0.5}
    >>> class_table({"AKx": 0.5})
    Traceback (most recent call last):
    ValueError: 'AKx' is not a hand class (AA, AKs, AKo, ...)
    """
    found = {}
    for name, frequency in folds.items():
        if name not in CLASS_NAMES:
            raise ValueError(f"{name[:30]!r} is not a hand class (AA, AKs, AKo, ...)")
        if not 0.0 <= frequency <= 1.0:
            raise ValueError(f"{name}: {frequency} is not a frequency of folds (0 to 1)")
        found[CLASS_NAMES.index(name)] = float(frequency)
    return found


def expected_folds(first: Betting, decide: Callable[[Betting], Mapping[str, float]]) -> float:
    """How often a player folds before the flop, with three in and something to pay.

    The player sits in each seat equally often. Others play as hyperborean does on average over
    all hands, whatever was bet before; so this can differ from what is counted in a match.

    Parameters
    ----------
    first
        Where the betting of the three-player game begins.
    decide
        The probabilities of the player's actions.

    Examples
    --------
    >>> from pokerlab.games import load_game
    >>> first = load_game("holdem.limit.3p").first_betting
    >>> expected_folds(first, lambda node: {"f": 0.25, "c": 0.75})
    0.25
    """
    mean = CLASS_SIZES @ reference_actions() / CLASS_SIZES.sum()
    others = dict(zip("fcr", mean.tolist(), strict=True))
    decisions = folds = 0.0
    for hero in range(3):
        reached = [(first, 1.0)]
        while reached:
            node, weight = reached.pop()
            if node.street > 0:
                continue
            probabilities = decide(node) if node.player == hero else others
            legal = [action for action in node.actions() if probabilities.get(action, 0.0) > 0.0]
            if node.player == hero and node.to_call > 0:
                decisions += weight
                folds += weight * probabilities.get("f", 0.0)
            total = sum(probabilities[action] for action in legal)
            reached += [
                (node.after(action), weight * probabilities[action] / total)
                for action in legal
                if action != "f"  # then they are no longer three
            ]
    return folds / decisions


def with_fold(triple: Triple, fold: float) -> Triple:
    """The triple with another probability to fold; raise and call keep their proportion.

    Examples
    --------
    >>> with_fold((0.25, 0.25, 0.5), 0.5)
    (0.5, 0.16666666666666666, 0.3333333333333333)
    >>> with_fold((1.0, 0.0, 0.0), 0.75)
    (0.75, 0.25, 0.0)
    """
    _, call, raise_ = triple
    stay = 1.0 - fold
    others = call + raise_
    if others == 0.0:
        return fold, stay, 0.0
    # Shares first: the product of a tiny probability and `stay` could vanish.
    return fold, stay * (call / others), stay * (raise_ / others)

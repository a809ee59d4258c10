"""The statistics that players use, from lines: c-bets, check-raises and folds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from pokerlab.opponents.line_model import SIZES, STREETS, LineKey, LineModel


class LineStatistic(NamedTuple):
    """How often a player did something when they could, as counted.

    Attributes
    ----------
    name
        What players call it.
    street
        ``flop``, ``turn`` or ``river``.
    did, could
        How often the player did it, and how often they decided there.
    """

    name: str
    street: str
    did: float
    could: float


_BET = tuple(SIZES)


def _faces_a_bet(key: LineKey) -> bool:
    """Whether the player faces a bet that nobody has raised."""
    return key.facing not in ("", "x") and not key.kind[1]


_STATISTICS: dict[str, tuple[Callable[[LineKey], bool], tuple[str, ...]]] = {
    "continuation bet": (lambda key: key.initiative == "self" and key.facing in ("", "x"), _BET),
    "fold to continuation bet": (
        lambda key: key.initiative == "other" and _faces_a_bet(key),
        ("fold",),
    ),
    "raise of continuation bet": (
        lambda key: key.initiative == "other" and _faces_a_bet(key),
        _BET,
    ),
    "bet into the aggressor": (lambda key: key.initiative == "other" and key.line == "", _BET),
    "bet after a check": (lambda key: key.line == "x", _BET),
    "check back": (lambda key: key.line == "x", ("check",)),
    "check-raise": (lambda key: key.position == "oop" and _faces_a_bet(key), _BET),
    "fold to a bet": (_faces_a_bet, ("fold",)),
    "fold to a raise": (lambda key: key.facing not in ("", "x") and key.kind[1], ("fold",)),
}
"""Where each is counted, and which actions are it; a bet that nobody can raise is no chance to."""


def line_summary(model: LineModel) -> Iterator[LineStatistic]:
    """The statistics of a model, by name and street, without those that never applied.

    Examples
    --------
    >>> facing = LineKey("flop", "oop", "other", "x/small")
    >>> model = LineModel("bob", 9, {facing: {"fold": 6, "call": 2, "large": 1}})
    >>> for each in line_summary(model):
    ...     print(each.name, f"{each.did} of {each.could}")
    fold to continuation bet 6 of 9
    raise of continuation bet 1 of 9
    check-raise 1 of 9
    fold to a bet 6 of 9
    """
    for name, (belongs, actions) in _STATISTICS.items():
        for street in STREETS:
            here = [
                counts
                for key, counts in model.counts.items()
                if key.street == street and belongs(key) and actions[0] in key.actions
            ]
            could = sum(sum(counts.values()) for counts in here)
            did = sum(counts.get(action, 0) for counts in here for action in actions)
            if could:
                yield LineStatistic(name, street, did, could)

"""How opponents play, counted from what they do: how often they open, check, raise and call."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from pokerlab.games import Betting

ROUNDS_OF_DOUBT = 4
"""For so many rounds what was counted about a player is not yet believed in full."""
MIN_RATIO, MAX_RATIO = 0.5, 4.0
"""Between these a ratio of actions counts: a player who never checked is not infinitely bold."""


class Move(NamedTuple):
    """Something that a player did.

    Attributes
    ----------
    seat
        Who.
    street
        When.
    kind
        ``fold``, ``check``, ``call``, ``open`` (the first bet of a street), ``raise`` or ``draw``.
    price
        What it had cost before to stay in, over the whole hand.
    cards
        At a draw, how many cards.
    """

    seat: int
    street: int
    kind: str
    price: int
    cards: int = 0


def moves_of(node: Betting) -> Iterator[Move]:
    """All that was done in a hand so far, in order.

    Examples
    --------
    >>> from pokerlab.games import load_game
    >>> state = load_game("draw").replay("cr50c/(3)(1)")
    >>> [(move.seat, move.kind) for move in moves_of(state.node)]
    [(0, 'check'), (1, 'open'), (0, 'call'), (0, 'draw'), (1, 'draw')]
    """
    for at, action in node.path():
        if at.drawing:
            kind = "draw"
        elif action == "f":
            kind = "fold"
        elif action == "c":
            kind = "call" if at.to_call else "check"
        else:
            kind = "raise" if at.raises else "open"
        cards = int(action[1:-1]) if kind == "draw" else 0
        yield Move(at.player, at.street, kind, at.price, cards)


@dataclass
class OpponentStyle:
    """What one opponent has done in the rounds that were watched.

    Examples
    --------
    A player who opens three times as often as it checks, known for two rounds only:

    >>> style = OpponentStyle()
    >>> for kind in ("open", "open", "check", "open"):
    ...     style.count(kind)
    >>> style.rounds = 2
    >>> style.boldness("open"), style.boldness("raise")
    (2.0, 1.0)
    """

    opens: int = 0
    checks: int = 0
    raises: int = 0
    calls: int = 0
    rounds: int = 0

    def count(self, kind: str) -> None:
        """Add an action; folds and draws tell nothing of the two ratios."""
        if kind == "open":
            self.opens += 1
        elif kind == "check":
            self.checks += 1
        elif kind == "raise":
            self.raises += 1
        elif kind == "call":
            self.calls += 1

    def boldness(self, kind: str) -> float:
        """Open/check for ``open``, raise/call for ``raise``: 1 is usual, more is reckless.

        In the first rounds the ratio is drawn towards 1, the less is known the more: this is
        the uncertainty factor.
        """
        often, seldom = (self.opens, self.checks) if kind == "open" else (self.raises, self.calls)
        if often + seldom == 0:
            return 1.0
        ratio = often / seldom if seldom else MAX_RATIO
        ratio = min(max(ratio, MIN_RATIO), MAX_RATIO)
        certainty = min(self.rounds, ROUNDS_OF_DOUBT) / ROUNDS_OF_DOUBT
        return 1.0 + certainty * (ratio - 1.0)

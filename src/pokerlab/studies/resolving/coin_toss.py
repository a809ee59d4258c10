"""`CoinToss`: the game in which a subgame cannot be solved without a look outside.

From "Safe and nested subgame solving for imperfect-information games" (2017): seat 0 sees a coin
and sells it, or plays. Seat 1 then guesses. Heads sell for ½ and tails for −½, so seat 1 must guess
heads a quarter of the time, although the coins that they see are as often heads as tails.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from pokerlab.games.protocol import CHANCE, TERMINAL

_SIDES = ("heads", "tails")


@dataclass(frozen=True)
class CoinToss:
    """The rules.

    Examples
    --------
    >>> from pokerlab.solvers import solve
    >>> round(abs(solve(CoinToss(), "lp").values[0]), 9)
    0.0
    """

    name: ClassVar[str] = "coin toss"
    players: ClassVar[int] = 2

    def start(self) -> CoinState:
        """The coin is in the air."""
        return CoinState(())


@dataclass(frozen=True)
class CoinState:
    """The coin, what seat 0 did, and what seat 1 guessed, as far as the game has come."""

    moves: tuple[str, ...]

    @property
    def player(self) -> int:
        """Who moves."""
        over = len(self.moves) == 3 or self.moves[1:] == ("sell",)
        return TERMINAL if over else (CHANCE, 0, 1)[len(self.moves)]

    def actions(self) -> Sequence[str]:
        """What they may do."""
        return (
            () if self.player == TERMINAL else (_SIDES, ("sell", "play"), _SIDES)[len(self.moves)]
        )

    def chances(self) -> Sequence[float]:
        """A fair coin."""
        return (0.5, 0.5)

    def apply(self, action: str) -> CoinState:
        """The next state."""
        if action not in self.actions():
            raise ValueError(f"illegal action {action!r}: {' or '.join(self.actions())}")
        return CoinState((*self.moves, action))

    def payoffs(self) -> tuple[float, float]:
        """What both win."""
        won = 0.5 if self.moves[0] == "heads" else -0.5
        if len(self.moves) == 3:
            won = -1.0 if self.moves[0] == self.moves[2] else 1.0
        return won, -won

    def seen_by(self, seat: int) -> str:
        """Seat 0 sees the coin."""
        return " ".join(self.moves if seat == 0 else self.moves[1:])

    def public(self) -> str:
        """The moves without the coin."""
        return " ".join(self.moves[1:])

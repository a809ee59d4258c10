"""The protocol of games, for everything that walks one: trees, solvers, the arena.

A game of our catalogue and a class of thirty lines that a user wrote look the same from here.
Actions are text (``"c"``, ``"r"``, ``"r300"``, ``"heads"``; at a chance node the outcome,
``"Js"``), unique among the actions of a state, so a path through a game can be read, stored and
replayed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Protocol, runtime_checkable

CHANCE: Final = -1
"""`State.player` where chance moves."""
TERMINAL: Final = -2
"""`State.player` where the game is over."""


@runtime_checkable
class State(Protocol):
    """A point in a game. States are values: `apply` returns a new one and changes nothing."""

    @property
    def player(self) -> int:
        """The seat that acts (0, 1, …), `CHANCE` or `TERMINAL`."""

    def actions(self) -> Sequence[str]:
        """The legal actions, or the outcomes of chance, in a fixed order; empty at the end."""

    def chances(self) -> Sequence[float]:
        """The probability of each of `actions`, at a chance node."""

    def apply(self, action: str) -> State:
        """The state after `action`; `ValueError` names an action that is not legal."""

    def payoffs(self) -> Sequence[float]:
        """The payoff of each seat, at the end."""

    def seen_by(self, seat: int) -> str:
        """All that a seat has seen so far (its cards, public cards, every action).

        Two states that a player cannot tell apart give the same text, and no others do: it
        names the information set. Perfect recall: the text grows along a path.
        """

    def public(self) -> str:
        """All that a spectator has seen: `seen_by` without any private card."""


@runtime_checkable
class Game(Protocol):
    """The rules of a game: where it starts, and who plays."""

    @property
    def name(self) -> str:
        """Its name in the catalogue."""

    @property
    def players(self) -> int:
        """How many seats it has."""

    def start(self) -> State:
        """The state before anything has happened."""

"""`PublicGame`: what the engine is asked to solve; `PublicBetting`: what its walkers need of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from pokerlab.cards.ranges.range import Range
from pokerlab.engine.locks import Lock
from pokerlab.games.betting_trees.betting_tree import BettingTree, Place
from pokerlab.games.betting_trees.lines import LineLike
from pokerlab.games.prizes.prize_money import PrizeMoney


class PublicBetting(Protocol):
    """A betting tree and what its ends pay: what walkers take beside the boards."""

    @property
    def tree(self) -> BettingTree:
        """Every line of the betting."""
        ...

    @property
    def pot(self) -> float:
        """In chips, where the betting begins."""
        ...

    @property
    def effective_stack(self) -> float:
        """The most that each player can put in, in chips."""
        ...

    def rake_from(self, pot: float) -> float:
        """What the house takes of a pot that is contested."""
        ...

    @property
    def prizes(self) -> PrizeMoney | None:
        """What the ends pay in prize money; None where they pay chips."""
        ...


class PublicGame(PublicBetting, Protocol):
    """A board, two ranges, a betting tree, and what the ends pay; a spot is one."""

    @property
    def board(self) -> tuple[int, ...]:
        """The cards that are known, three to five."""
        ...

    @property
    def street(self) -> int:
        """Where the betting begins: 0 on the flop, 1 on the turn, 2 on the river."""
        ...

    @property
    def ranges(self) -> tuple[Range, Range]:
        """Of the player out of position, and of the one in position."""
        ...

    @property
    def locks(self) -> Sequence[Lock]:
        """Decisions whose strategies are given."""
        ...

    @property
    def runouts(self) -> str | None:
        """How many turns and rivers of a flop are solved, such as ``12x10``; None for all."""
        ...

    def find(self, line: LineLike) -> Place:
        """Where a line leads."""
        ...

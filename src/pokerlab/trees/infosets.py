"""`Infosets`: the information sets of a game, which are all that a strategy refers to.

A *slot* is the number of a decision: ``offset[infoset] + action``. All nodes of an information set
share its slots, so a strategy is one flat array with a probability for each slot. Sets are
numbered by player, then by first visit; along a path their numbers grow for each player, so the
sets of one player from last to first are an order in which children come before parents.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pokerlab.runtime.arrays import Int8s, Int32s, Int64s


@dataclass(frozen=True, eq=False)
class Infosets:
    """The information sets of a game: all that a strategy refers to.

    Attributes
    ----------
    player
        Whose decision it is.
    offset
        The first slot of each set; one more entry than sets, the last is the number of slots.
    parent
        The slot of the player's own last action before the set, -1 if there is none.
    names
        What the player has seen, as text. Names are unique: in a game where two players can
        have seen the same text, each name begins with the player's number and a colon.
    actions
        The texts of the actions of each set.

    Examples
    --------
    Iterating gives the names:

    >>> from pokerlab.games import load_game
    >>> from pokerlab.trees import GameTree
    >>> infosets = GameTree.build(load_game("kuhn")).infosets
    >>> infosets, list(infosets)[:3], "Ks:r" in infosets
    (<Infosets: 12 of 2 players>, ['Js', 'Js:cr', 'Qs'], True)
    >>> infosets.actions[infosets.number("Ks:r")]
    ('f', 'c')
    """

    player: Int8s
    offset: Int32s
    parent: Int32s
    names: tuple[str, ...]
    actions: tuple[tuple[str, ...], ...]

    def __len__(self) -> int:
        return len(self.names)

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __contains__(self, name: object) -> bool:
        return name in self._numbers

    def __repr__(self) -> str:
        return f"<Infosets: {len(self):,} of {int(self.player.max(initial=-1)) + 1} players>"

    @property
    def slots(self) -> int:
        """How many decision edges a strategy has a probability for."""
        return int(self.offset[-1])

    @cached_property
    def n_actions(self) -> Int32s:
        """How many actions each set has."""
        return np.diff(self.offset)

    @cached_property
    def slot_infoset(self) -> Int32s:
        """The information set of each slot."""
        return np.repeat(np.arange(len(self), dtype=np.int32), self.n_actions)

    @cached_property
    def slot_player(self) -> Int8s:
        """Whose action each slot is."""
        return self.player[self.slot_infoset]

    def slots_of(self, player: int) -> Int64s:
        """The slots of a player, which are one stretch of numbers."""
        here, end = np.searchsorted(self.player, [player, player + 1])
        return np.arange(self.offset[here], self.offset[end])

    def action(self, slot: int) -> str:
        """The text of the action of a slot."""
        infoset = int(self.slot_infoset[slot])
        return self.actions[infoset][int(slot - self.offset[infoset])]

    def number(self, name: str) -> int:
        """The number of the set called `name`."""
        try:
            return self._numbers[name]
        except KeyError:
            some = ", ".join(repr(known) for known in self.names[:6])
            raise ValueError(
                f"no information set {name!r}; there are {len(self)}: {some}"
                + (", …" if len(self) > 6 else "")
            ) from None

    def describe(self, infoset: int) -> str:
        """A set in words, for messages."""
        return f"information set {self.names[infoset]!r} of player {self.player[infoset]}"

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {name: number for number, name in enumerate(self.names)}

"""How many nodes lie below a node of a view, counted from the rules.

All deals of the same number of cards lead to subtrees of the same size, so a deal that is seen
multiplies the size of one subtree, and one that is not seen is a single edge. A street is walked
once for each set of players who are left at its beginning (and what they have put in, where
stacks may run out).
"""

from __future__ import annotations

from collections.abc import Hashable
from math import comb

from pokerlab.games.betting import Betting
from pokerlab.games.chance import BOARD, Pending, street_deals
from pokerlab.games.definition import BettingGame

_MAX_WALKED = 50_000
"""How many betting nodes are walked before a count is given up: about a second."""
_MAX_WALKED_LATER = 500
"""The same, once a count was given up: there may be thousands of nodes to count from."""


class _TooManyError(Exception):
    """More betting nodes than are to be walked."""


class NodeCounter:
    """Counts the nodes of subtrees of one view of one game.

    Parameters
    ----------
    game
        The rules.
    name
        The view.
    seers
        The seats whose cards are seen in it.
    """

    def __init__(self, game: BettingGame, name: str, seers: tuple[int, ...]) -> None:
        self._game, self._name, self._seers = game, name, seers
        self._known: dict[Hashable, int] = {}
        self._allowed = _MAX_WALKED
        self._left = 0

    def count(self, node: Betting, pending: tuple[Pending, ...], seen: int) -> int | None:
        """The nodes of a subtree, its root included; None where there are too many to count.

        Parameters
        ----------
        node
            The betting so far.
        pending
            The cards that come before the next decision.
        seen
            How many cards who looks at the view has seen.
        """
        self._left = self._allowed
        try:
            return self._count(node, pending, seen)
        except _TooManyError:
            self._allowed = _MAX_WALKED_LATER
            return None

    def _count(self, node: Betting, pending: tuple[Pending, ...], seen: int) -> int:
        if self._name == "action":
            pending = ()
        if pending:
            _, owner, number = pending[0]
            ways = 1
            if owner == BOARD or owner in self._seers:
                ways = comb(len(self._game.deck) - seen, number)
                seen += number
            return 1 + ways * self._count(node, pending[1:], seen)
        if node.player < 0:
            return 1
        if self._name == "chance":
            return self._after(node, "c", (), seen)
        key: Hashable = (node.text, seen)
        if node.text.endswith("/"):  # bettings that differ before are the same from here on
            key = (node.street, node.folded, seen, node.spent if self._game.stacks else ())
        if key in self._known:
            return self._known[key]
        actions = node.actions()
        self._left -= len(actions)
        if self._left < 0:
            raise _TooManyError
        if node.drawing:
            total = 1 + sum(self._drawn(node, count, seen) for count in range(len(actions)))
        else:
            total = 1 + sum(self._after(node, action, (), seen) for action in actions)
        self._known[key] = total
        return total

    def _drawn(self, node: Betting, count: int, seen: int) -> int:
        """The nodes after all draws of `count` cards."""
        ways = 1
        if node.player in self._seers:
            ways = comb(self._game.hole_cards[node.street], count)
        new = (Pending(node.street, node.player, count),) if count else ()
        return ways * self._after(node, f"({count})", new, seen)

    def _after(self, node: Betting, action: str, new: tuple[Pending, ...], seen: int) -> int:
        after = node.after(action)
        if after.street != node.street:
            new += street_deals(after, range(node.street + 1, after.street + 1))
        return self._count(after, new, seen)

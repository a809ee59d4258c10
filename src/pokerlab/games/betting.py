"""The betting of a hand without its cards: who acts, for how much, and when it is over.

What a player may do depends on chips and never on cards. So the betting is a tree of its own
(the *action tree*): each `Betting` is a node of it, made when it is first asked for and then
kept, and all hands that were bet the same way share it. A state of a game is a node of this tree
and some cards. `BettingRound` has the rules of one street; here are streets, draws and texts.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from typing import Self, overload

from pokerlab.games.betting_round import BettingRound
from pokerlab.games.rules import GameRules
from pokerlab.runtime.errors import shorten

ACTION = r"f|c|r[0-9]*|d(?:[2-9TJQKA][cdhs])*|\([0-9]+\)"
"""An action in a betting text; a draw shows its cards, or their number in parentheses."""

_ACTIONS = re.compile(ACTION)


class NoLimitActions(Sequence[str]):
    """Every legal action of a no-limit player, without a list of 20,000 texts.

    Examples
    --------
    >>> actions = NoLimitActions(("f", "c"), 200, 20000)
    >>> len(actions), actions[0], actions[2], actions[-1], "r345" in actions, "r19" in actions
    (19803, 'f', 'r200', 'r20000', True, False)
    """

    __slots__ = ("_first", "_raises")

    def __init__(self, first: tuple[str, ...], lowest: int, highest: int) -> None:
        self._first = first
        self._raises = range(lowest, highest + 1)

    def __len__(self) -> int:
        return len(self._first) + len(self._raises)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> list[str]: ...
    def __getitem__(self, index: int | slice) -> str | list[str]:
        if isinstance(index, slice):
            return [self[position] for position in range(*index.indices(len(self)))]
        position = range(len(self))[index]
        if position < len(self._first):
            return self._first[position]
        return f"r{self._raises[position - len(self._first)]}"

    def __contains__(self, action: object) -> bool:
        if action in self._first:
            return True
        return isinstance(action, str) and raise_size(action) in self._raises

    def __iter__(self) -> Iterator[str]:
        yield from self._first
        for size in self._raises:
            yield f"r{size}"


def split_betting(text: str) -> list[str]:
    """The actions of a betting text, without the marks between streets.

    Examples
    --------
    >>> split_betting("r300c/cr600f"), split_betting("cc/d2c7h(0)")
    (['r300', 'c', 'c', 'r600', 'f'], ['c', 'c', 'd2c7h', '(0)'])
    """
    return _ACTIONS.findall(text)


def raise_size(action: str) -> int:
    """The N of ``rN``; −1 for any other text, leading zeros and endless digits included."""
    digits = action[1:]
    if action[:1] != "r" or not digits.isascii() or not digits.isdigit() or len(digits) > 15:
        return -1
    return -1 if digits[0] == "0" else int(digits)


class Betting(BettingRound):
    """A node of the action tree of a game.

    Amounts are totals over the whole hand, as in the ACPC protocol: `spent` is what each seat
    has put in, ante and blinds included; ``r300`` makes the total of the player 300.

    Attributes
    ----------
    game
        The rules.
    street
        Number of the street, 0 for the first.
    player, waiting, acted, folded, price, raises, least_raise
        See `BettingRound`; `player` is `TERMINAL` at the end of the hand only.
    spent
        Chips put in by each seat; at the end of a street, what nobody called goes back.
    drawing
        Whether the player must discard rather than bet.
    text
        The betting so far in the ACPC notation, streets parted by ``/``; a draw shows as the
        number of cards in parentheses.

    Examples
    --------
    >>> from pokerlab.games import load_game
    >>> node = load_game("holdem.nolimit.2p").first_betting
    >>> node.player, node.actions()[:3], node.raise_bounds()
    (1, ['f', 'c', 'r200'], (200, 20000))
    >>> node = node.after("r300").after("c")
    >>> node.text, node.street, node.player, node.spent
    ('r300c/', 1, 0, (300, 300))
    >>> node.after("r350")
    Traceback (most recent call last):
    ValueError: illegal action 'r350' after 'r300c/': seat 0 may play c or r400 to r20000
    """

    __slots__ = ("_actions", "_next", "drawing", "game", "street", "text")

    game: GameRules
    street: int
    drawing: bool
    text: str
    _actions: Sequence[str] | None
    _next: dict[str, Betting]

    def __init__(self, game: GameRules) -> None:
        """Post antes and blinds and open the first street."""
        blinds = game.blinds or (0,) * game.players
        self.game = self.rules = game
        self.spent = tuple(
            int(min(game.ante + blind, chips))
            for blind, chips in zip(blinds, game.chips, strict=True)
        )
        self.folded = (False,) * game.players
        self.price = max(self.spent)
        self.text = ""
        self._open_street(0)

    def __repr__(self) -> str:
        return f"<betting {self.text!r} of {self.game.name}>"

    def path(self) -> Iterator[tuple[Betting, str]]:
        """All decisions on the way here, in order: the node, and what was done there.

        Examples
        --------
        >>> from pokerlab.games import load_game
        >>> [(node.player, action) for node, action in load_game("leduc").replay("cr").node.path()]
        [(0, 'c'), (1, 'r')]
        """
        node = first_betting(self.game)
        for action in split_betting(self.text):
            yield node, action
            node = node.after(action)

    @property
    def pot(self) -> int:
        """All chips put in so far."""
        return sum(self.spent)

    def raise_bounds(self) -> tuple[int, int] | None:
        """The smallest and the greatest total that the player may raise to; None: no raise.

        See `BettingRound.raise_bounds`; a street may cap the number of raises.
        """
        most = self.game.streets[self.street].max_raises
        if self.drawing or (most is not None and self.raises >= most):
            return None
        return super().raise_bounds()

    def actions(self) -> Sequence[str]:
        """What the player may do: fold, call (or check), raise; with a menu, its raises only.

        At a draw: how many cards to exchange, ``(0)``, ``(1)``, ….
        """
        if self._actions is None:
            self._actions = self._list_actions()
        return self._actions

    def after(self, action: str) -> Betting:
        """The node after an action; `ValueError` says what would have been legal."""
        known = self._next.get(action)
        if known is not None:
            return known
        node = self._copy()
        node.text = self.text + action
        if self.drawing or self.player < 0:
            if action not in self.actions():
                raise self.illegal(action)
        elif action == "c":
            node._call()
        elif action == "f" and self.to_call > 0:
            node._fold()
        else:
            node._raise_to(self._legal_raise(action))
        node._end_turn()
        if self.game.notebook.room:
            self.game.notebook.room -= 1
            self._next[action] = node
        return node

    def fold(self) -> Betting:
        """The node after a fold."""
        return self.after("f")

    def call(self) -> Betting:
        """The node after a call or a check."""
        return self.after("c")

    def raise_to(self, total: int) -> Betting:
        """The node after a bet or a raise to a total."""
        return self.after("r" if self.game.betting == "limit" else f"r{total}")

    def illegal(self, action: str) -> ValueError:
        """The error for an action that the player may not take."""
        shown = f"illegal action {shorten(action, 30)!r} after {shorten(self.text)!r}"
        if self.player < 0:
            return ValueError(f"{shown}: the hand is over")
        bounds = self.raise_bounds()
        if bounds is None or self.game.betting == "limit":
            legal = list(self.actions())
        else:
            stay = ["f", "c"] if self.to_call > 0 else ["c"]
            legal = [*stay, f"r{bounds[0]} to r{bounds[1]}"]
        either = ", ".join(legal[:-1]) + " or " + legal[-1] if len(legal) > 1 else legal[0]
        return ValueError(f"{shown}: seat {self.player} may play {either}")

    def _list_actions(self) -> Sequence[str]:
        if self.player < 0:
            return ()
        if self.drawing:
            return tuple(f"({count})" for count in range(self.game.streets[self.street].draw + 1))
        stay = ("f", "c") if self.to_call > 0 else ("c",)
        bounds = self.raise_bounds()
        if bounds is None:
            return stay
        if self.game.betting == "limit":
            return (*stay, "r")
        if not self.game.menu:
            return NoLimitActions(stay, *bounds)
        lowest, highest = bounds
        pot_after_call = self.pot + self.price - self.spent[self.player]
        wanted = (
            highest if math.isinf(share) else self.price + round(share * pot_after_call)
            for share in self.game.menu_shares
        )
        sizes = sorted({min(max(size, lowest), highest) for size in wanted})
        return (*stay, *(f"r{size}" for size in sizes))

    def _legal_raise(self, action: str) -> int:
        bounds = self.raise_bounds()
        if bounds is not None:
            lowest, highest = bounds
            if self.game.betting == "limit":
                if action == "r":
                    return lowest
            else:
                size = raise_size(action)
                if lowest <= size <= highest:
                    return size
        raise self.illegal(action)

    # What follows writes a node that nobody has seen yet; a finished node never changes.

    def _copy(self) -> Self:
        node = super()._copy()
        node.game = self.game
        node.street = self.street
        node.drawing = self.drawing
        node.text = self.text
        node._actions = None
        node._next = {}
        return node

    def _end_turn(self) -> None:
        super()._end_turn()
        if self.player >= 0:
            return
        if self.drawing:
            self._open_betting()
            return
        self._return_uncalled()
        if sum(self.folded) < len(self.folded) - 1:
            self._leave_street()

    def _return_uncalled(self) -> None:
        second, most = sorted(self.spent)[-2:]
        if most > second:
            self._set_spent(self.spent.index(most), second)
            self.price = second

    def _open_street(self, street: int) -> None:
        """Begin with a draw, where there is one, by everybody still in, all-in or not."""
        rules = self.game.streets[street]
        self.street = street
        self.raises = 0
        self.drawing = rules.draw > 0
        self.acted = frozenset()
        self.least_raise = self.game.smallest_bet(street)
        self._actions = None
        self._next = {}
        if self.drawing:
            order = self.game.order_from(rules.first)
            self.waiting = tuple(seat for seat in order if not self.folded[seat])
            self.player = self.waiting[0]
        else:
            self._open_betting()

    def _open_betting(self) -> None:
        """Let the players bet, where anybody has something to decide."""
        self.drawing = False
        first = self.game.streets[self.street].first
        # The ACPC server asks after the blinds, even if only one player has chips.
        self._give_turn(self.game.order_from(first), even_one=self.street == 0)
        if self.player < 0:
            self._leave_street()

    def _leave_street(self) -> None:
        if self.street + 1 < len(self.game.streets):
            self.text += "/"
            self._open_street(self.street + 1)


def first_betting(game: GameRules) -> Betting:
    """The root of the action tree: antes and blinds are in, nobody has acted."""
    if game.notebook.root is None:
        game.notebook.root = Betting(game)
    root: Betting = game.notebook.root
    return root

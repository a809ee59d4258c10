"""The betting of a hand without its cards: who acts, for how much, and when it is over.

What a player may do depends on chips and never on cards. So the betting is a tree of its own
(the *action tree*): each `Betting` is a node of it, made when it is first asked for and then
kept, and all hands that were bet the same way share it. A state of a game is a node of this tree
and some cards.

The rules are those of the ACPC server and of card rooms; where the two differ (only ever with
unequal stacks), `BettingGame.reopen` says which holds.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from typing import overload

from pokerlab.games.protocol import TERMINAL
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


class Betting:
    """A node of the action tree of a game.

    Amounts are totals over the whole hand, as in the ACPC protocol: `spent` is what each seat
    has put in, ante and blinds included; ``r300`` makes the total of the player 300.

    Attributes
    ----------
    game
        The rules.
    street
        Number of the street, 0 for the first.
    player
        The seat that acts, or `TERMINAL`.
    spent
        Chips put in by each seat; at the end of a street, what nobody called goes back.
    folded
        Who has given up.
    price
        What a seat must have spent to stay in.
    raises
        Bets and raises made on this street.
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

    __slots__ = (
        "_acted",
        "_actions",
        "_full_raise",
        "_next",
        "_queue",
        "drawing",
        "folded",
        "game",
        "player",
        "price",
        "raises",
        "spent",
        "street",
        "text",
    )

    game: GameRules
    street: int
    player: int
    spent: tuple[int, ...]
    folded: tuple[bool, ...]
    price: int
    raises: int
    drawing: bool
    text: str
    _queue: tuple[int, ...]  # the seats that will act on this street if nobody raises
    _acted: frozenset[int]  # the seats that have acted since the last full raise
    _full_raise: int  # by how much a raise must go up at least
    _actions: Sequence[str] | None
    _next: dict[str, Betting]

    def __init__(self, game: GameRules) -> None:
        """Post antes and blinds and open the first street."""
        blinds = game.blinds or (0,) * game.players
        self.game = game
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

    @property
    def to_call(self) -> int:
        """The chips that the player must add to stay in: all that is left, if that is less."""
        if self.player < 0:
            return 0
        spent = self.spent[self.player]
        return int(min(self.price, self.game.chips[self.player])) - spent

    @property
    def live(self) -> tuple[int, ...]:
        """The seats that have not folded."""
        return tuple(seat for seat, gone in enumerate(self.folded) if not gone)

    def raise_bounds(self) -> tuple[int, int] | None:
        """The smallest and the greatest total that the player may raise to; None: no raise.

        In a limit game both are the one size there is. A player with fewer chips than the
        smallest raise may still raise with all of them.
        """
        game, seat, price = self.game, self.player, self.price
        if seat < 0 or self.drawing:
            return None
        chips = game.chips[seat]
        max_raises = game.streets[self.street].max_raises
        if chips <= price or (max_raises is not None and self.raises >= max_raises):
            return None
        owed = price - self.spent[seat]
        others = [other for other in self.live if other != seat]
        if game.reopen == "full":
            if seat in self._acted and owed < self._full_raise:
                return None  # only a short all-in came since this player's last turn
            if all(game.chips[other] <= price for other in others):
                return None  # nobody could call any of it
        elif all(game.chips[other] <= self.spent[other] for other in others):
            return None
        lowest = int(min(price + self._full_raise, chips))
        if game.betting == "limit":
            return lowest, lowest
        if game.betting == "pot-limit":
            return lowest, int(min(chips, max(lowest, price + owed + self.pot)))
        return lowest, int(chips)

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
            node._set_spent(self.player, self.spent[self.player] + self.to_call)
        elif action == "f" and self.to_call > 0:
            node.folded = (*self.folded[: self.player], True, *self.folded[self.player + 1 :])
        else:
            node._raise_to(self._legal_raise(action))
        node._end_turn()
        if self.game.notebook.room:
            self.game.notebook.room -= 1
            self._next[action] = node
        return node

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

    def _copy(self) -> Betting:
        node = Betting.__new__(Betting)
        node.game = self.game
        node.street = self.street
        node.player = self.player
        node.spent = self.spent
        node.folded = self.folded
        node.price = self.price
        node.raises = self.raises
        node.drawing = self.drawing
        node.text = self.text
        node._acted = self._acted
        node._full_raise = self._full_raise
        node._queue = self._queue
        node._actions = None
        node._next = {}
        return node

    def _set_spent(self, seat: int, total: int) -> None:
        self.spent = (*self.spent[:seat], total, *self.spent[seat + 1 :])

    def _raise_to(self, size: int) -> None:
        game, seat = self.game, self.player
        increase = size - self.price
        if increase >= self._full_raise:
            self._acted = frozenset()
        if game.betting != "limit":
            # The ACPC server lets the next raise end where it could have ended before a short
            # all-in; in a card room it must go up by a full raise again.
            least = self._full_raise if game.reopen == "full" else self._full_raise - increase
            self._full_raise = max(increase, least)
        self._set_spent(seat, size)
        self.price = size
        self.raises += 1
        answering = [
            other
            for other in game.order_from(seat)[1:]
            if not self.folded[other] and self.spent[other] < game.chips[other]
        ]
        self._queue = (seat, *answering)

    def _end_turn(self) -> None:
        self._acted = self._acted | {self.player}
        self._queue = self._queue[1:]
        if sum(self.folded) == len(self.folded) - 1:
            self._return_uncalled()
            self.player = TERMINAL
        elif self._queue:
            self.player = self._queue[0]
        elif self.drawing:
            self._open_betting()
        else:
            self._return_uncalled()
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
        self._acted = frozenset()
        self._full_raise = self.game.smallest_bet(street)
        self._actions = None
        self._next = {}
        if self.drawing:
            order = self.game.order_from(rules.first)
            self._queue = tuple(seat for seat in order if not self.folded[seat])
            self.player = self._queue[0]
        else:
            self._open_betting()

    def _open_betting(self) -> None:
        """Give the turn to the first player with something to decide, if there is one."""
        game, spent, live = self.game, self.spent, self.live
        self.drawing = False
        self._acted = frozenset()
        queue = [
            seat
            for seat in game.order_from(game.streets[self.street].first)
            if seat in live and spent[seat] < game.chips[seat]
        ]
        if game.reopen == "full":
            # A player faces a decision where somebody else could put in more than this player has.
            queue = [
                seat
                for seat in queue
                if any(game.chips[other] > spent[seat] for other in live if other != seat)
            ]
            idle = len(queue) == 1 and spent[queue[0]] >= self.price
        else:
            idle = len(queue) == 1 and self.street > 0  # the ACPC server asks after the blinds
        if queue and not idle:
            self._queue = tuple(queue)
            self.player = queue[0]
        else:
            self._leave_street()

    def _leave_street(self) -> None:
        if self.street + 1 < len(self.game.streets):
            self.text += "/"
            self._open_street(self.street + 1)
        else:
            self.player = TERMINAL
            self._queue = ()


def first_betting(game: GameRules) -> Betting:
    """The root of the action tree: antes and blinds are in, nobody has acted."""
    if game.notebook.root is None:
        game.notebook.root = Betting(game)
    root: Betting = game.notebook.root
    return root

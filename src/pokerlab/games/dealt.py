"""States of a hand whose cards are given: how the arena plays, and how logs are read."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pokerlab.cards.codes import format_cards
from pokerlab.games.betting import ACTION, Betting, first_betting
from pokerlab.games.deal import Deal
from pokerlab.games.exchange import Swap, earlier_discards, exchanged
from pokerlab.games.protocol import TERMINAL
from pokerlab.games.rules import GameRules
from pokerlab.games.state import HandState
from pokerlab.runtime.errors import shorten

_ACTION = re.compile(f"{ACTION}|/")


class DealtState(HandState):
    """A state of a hand whose cards are given (see `BettingGame.start`).

    Examples
    --------
    >>> from pokerlab.games import load_game
    >>> game = load_game("holdem.limit.2p")
    >>> state = game.start(game.make_deal(["AsKd", "QhQc"], "2c3d4h5s6c"))
    >>> for action in "rc" "cc" "rc" "cc":
    ...     state = state.apply(action)
    >>> state.betting, state.pot, state.payoffs()
    ('rc/cc/rc/cc', 80, (0.0, 0.0))
    """

    __slots__ = ("deal",)

    deal: Deal

    @classmethod
    def first(cls, game: GameRules, deal: Deal) -> DealtState:
        """The state before anybody has acted."""
        dealt = game.hole_cards[-1]
        if len(deal.holes) != game.players or any(
            len(hole) not in (0, dealt) for hole in deal.holes
        ):
            raise ValueError(
                f"the deal {deal} does not fit {game.name}: {game.players} hands of {dealt} cards"
            )
        state = cls()
        node = first_betting(game)
        state.node = node
        state.player = node.player
        state.deal = deal
        hole = game.hole_cards[node.street]
        state.holes = deal.holes if hole == dealt else tuple(hand[:hole] for hand in deal.holes)
        state.swaps = ()
        return state

    @property
    def board(self) -> tuple[int, ...]:
        """The public cards so far."""
        node = self.node
        return self.deal.board[: node.game.board_cards[node.street]]

    def chances(self) -> Sequence[float]:
        """Nothing: the cards are given, chance never moves."""
        return ()

    def apply(self, action: str) -> DealtState:
        """The state after `action`; `ValueError` says what would have been legal."""
        before = self.node
        state = DealtState()
        state.deal = self.deal
        if before.drawing:
            node = self._exchange(action, state)
        else:
            node = before.after(action)
            state.holes = self.holes
            state.swaps = self.swaps
        state.node = node
        state.player = node.player
        if node.street != before.street:
            old, new = before.game.hole_cards[before.street], before.game.hole_cards[node.street]
            if new > old:
                state.holes = tuple(
                    hand if node.folded[seat] else hand + self.deal.holes[seat][old:new]
                    for seat, hand in enumerate(state.holes)
                )
        return state

    def view(self, seat: int) -> DealtState:
        """The same state with no card in it that a seat may not see.

        At a showdown it sees the hands of those who are still in.
        """
        self._check_seat(seat)
        hidden = ((),) * len(self.holes)
        state = DealtState()
        state.node = self.node
        state.player = self.player
        state.holes = (*hidden[:seat], self.holes[seat], *hidden[seat + 1 :])
        state.swaps = self.swaps and tuple(
            swap if swap.seat == seat else Swap(swap.seat, (), ()) for swap in self.swaps
        )
        live = self.node.live if self.player == TERMINAL else ()
        if len(live) > 1:
            state.holes = tuple(
                hand if owner == seat or owner in live else ()
                for owner, hand in enumerate(self.holes)
            )
        state.deal = Deal(state.holes, self.board)
        if self.game.up_cards:
            state.deal = state.deal._replace(up=tuple(map(self._face_down, range(len(hidden)))))
        return state

    def holding(self, hand: tuple[int, ...]) -> DealtState:
        """What the seat that acts would see with another hand, and nothing else.

        Examples
        --------
        >>> from pokerlab.games import load_game
        >>> game = load_game("leduc")
        >>> state = game.replay("rc/", game.make_deal(["Js", "Kh"], "Jh"))
        >>> state.holding((47,)).holes
        ((47,), ())
        """
        held: list[tuple[int, ...]] = [()] * len(self.holes)
        held[self.player] = hand
        state = DealtState()
        state.node = self.node
        state.player = self.player
        state.holes = tuple(held)
        state.swaps = ()
        state.deal = Deal(state.holes, self.board)
        return state

    def _face_down(self, seat: int) -> tuple[int, ...]:
        """A hand as others see it: -1 for every card that is not an up-card."""
        hand = self.holes[seat] or self._known_up(seat)
        return tuple(card if place in self.game.up_cards else -1 for place, card in enumerate(hand))

    def _known_up(self, seat: int) -> tuple[int, ...]:
        return self.deal.up[seat] if self.deal.up else ()

    def _exchange(self, action: str, state: DealtState) -> Betting:
        """Write hands and exchanges after a draw into the next state."""
        seat = self.player
        hand = self.holes[seat]
        if not hand:
            node = self.node.after(action)
            swap = Swap(seat, (), ())
        else:
            thrown = self._thrown(action)
            node = self.node.after(f"({len(thrown)})")
            swap = Swap(seat, thrown, self._replacements(thrown))
            hand = exchanged(hand, swap)
        state.holes = (*self.holes[:seat], hand, *self.holes[seat + 1 :])
        state.swaps = (*self.swaps, swap)
        return node

    def _replacements(self, thrown: tuple[int, ...]) -> tuple[int, ...]:
        taken = sum(len(swap.received) for swap in self.swaps)
        cards = self.deal.stub[taken : taken + len(thrown)]
        if len(cards) < len(thrown):
            back = earlier_discards(self.swaps, self.holes)
            order = self.deal.reshuffled or self.game.deck
            cards += tuple(card for card in order if card in back)[: len(thrown) - len(cards)]
        if len(cards) < len(thrown):
            raise ValueError(
                f"the deal has no card left to replace {format_cards(thrown)}: give it a stub"
            )
        return tuple(sorted(cards))


def replay(game: GameRules, betting: str, deal: Deal | None = None) -> DealtState:
    """Play the actions of a betting text (see `BettingGame.replay`)."""
    state = DealtState.first(game, deal or Deal(((),) * game.players))
    position = 0
    while position < len(betting):
        match = _ACTION.match(betting, position)
        if match is None:
            raise ValueError(
                f"bad betting {shorten(betting)!r}: {betting[position : position + 10]!r} is not"
                " an action (f, c, r, r300, d2c7h, or / between streets)"
            )
        position = match.end()
        if match.group() != "/":
            state = state.apply(match.group())
    played = state.betting
    if betting not in (played, played.rstrip("/")):
        raise ValueError(
            f"bad betting {shorten(betting)!r}: streets end elsewhere, as in {played!r}"
        )
    return state

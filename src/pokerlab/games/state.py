"""States of a hand of poker: chips, cards, betting, payoffs, and the view of each seat.

Two kinds of state share it. In a `DealtState` the cards are given by a `Deal`, and only players
move: hands are played so. In a `ChanceState` cards come by chance nodes: trees are built so.

Actions of a player are those of the ACPC protocol: ``f`` folds, ``c`` checks or calls, ``r``
bets or raises in a limit game, ``r300`` raises in a pot-limit or no-limit game to a total of 300
chips over the whole hand. At a draw, ``d`` keeps all cards and ``d2c7h`` exchanges two. The
outcome of a chance node is the cards that come, ``Js`` or ``JsKd``, lowest first.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from itertools import combinations

from pokerlab.cards.codes import format_cards, parse_cards
from pokerlab.games.betting import Betting
from pokerlab.games.exchange import DRAW, Swap, swap_action, swap_seen
from pokerlab.games.protocol import TERMINAL
from pokerlab.games.rules import GameRules
from pokerlab.games.showdown import SHOWDOWN_RULES, share_pot
from pokerlab.runtime.errors import shorten

_DISCARD = re.compile(r"d((?:[2-9TJQKA][cdhs])*)")


class HandState(ABC):
    """The common part of states with given cards and states with chance nodes.

    Attributes
    ----------
    node
        The betting so far.
    player
        The seat that acts, `CHANCE` or `TERMINAL`.
    holes
        The private cards of each seat now; empty where they are not known.
    swaps
        The exchanges of cards so far.
    """

    __slots__ = ("holes", "node", "player", "swaps")

    node: Betting
    player: int
    holes: tuple[tuple[int, ...], ...]
    swaps: tuple[Swap, ...]

    @property
    @abstractmethod
    def board(self) -> tuple[int, ...]:
        """The public cards so far."""

    @abstractmethod
    def apply(self, action: str) -> HandState:
        """The state after `action`; `ValueError` says what would have been legal."""

    @abstractmethod
    def chances(self) -> Sequence[float]:
        """The probability of each of `actions`, at a chance node; empty elsewhere."""

    def actions(self) -> Sequence[str]:
        """The legal actions, or the outcomes of chance, in a fixed order; empty at the end."""
        return self._draw_actions() if self.node.drawing else self.node.actions()

    @property
    def game(self) -> GameRules:
        """The rules."""
        return self.node.game

    @property
    def street(self) -> int:
        """Number of the street, 0 for the first."""
        return self.node.street

    @property
    def pot(self) -> int:
        """All chips put in so far, by anybody."""
        return sum(self.node.spent)

    @property
    def to_call(self) -> int:
        """The chips that the player must add to stay in."""
        return self.node.to_call if self.player >= 0 else 0

    @property
    def spent(self) -> tuple[int, ...]:
        """The chips that each seat has put in over the whole hand."""
        return self.node.spent

    @property
    def stacks(self) -> tuple[float, ...]:
        """The chips that each seat has left; infinity in a game without stacks."""
        chips = self.node.game.chips
        return tuple(had - spent for had, spent in zip(chips, self.node.spent, strict=True))

    @property
    def folded(self) -> tuple[bool, ...]:
        """Which seats have folded."""
        return self.node.folded

    @property
    def all_in(self) -> tuple[bool, ...]:
        """Which seats have put in all they had and not folded."""
        return tuple(
            left == 0 and not gone for left, gone in zip(self.stacks, self.folded, strict=True)
        )

    def raise_bounds(self) -> tuple[int, int] | None:
        """The smallest and the greatest total to raise to; None where no raise is legal."""
        return self.node.raise_bounds() if self.player >= 0 else None

    @property
    def betting(self) -> str:
        """The betting, as text that `BettingGame.replay` takes."""
        if not self.swaps:
            return self.node.text
        swaps = iter(self.swaps)

        def action(draw: re.Match[str]) -> str:
            swap = next(swaps)
            return swap_action(swap, draw.group(), self.holes[swap.seat])

        return DRAW.sub(action, self.node.text)

    def payoffs(self) -> tuple[float, ...]:
        """The payoff of each seat, at the end.

        Shares are exact: where a pot does not divide, fractions of a chip (see
        `BettingGame.odd_chips`). Counted in `BettingGame.unit` chips.
        """
        if self.player != TERMINAL:
            raise ValueError(
                f"the hand is not over after {shorten(self.node.text)!r}: nobody has won yet"
            )
        node = self.node
        game, live = node.game, node.live
        if len(live) == 1:
            won = share_pot(node.spent, {live[0]: 0})
        else:
            won = share_pot(
                node.spent, self._strengths(live), whole_chips=game.odd_chips == "first"
            )
        return won if game.unit == 1 else tuple(chips / game.unit for chips in won)

    def _strengths(self, live: tuple[int, ...]) -> dict[int, int]:
        game, board = self.game, self.board
        if len(board) < game.board_cards[-1]:
            raise ValueError(
                f"no showdown after {shorten(self.node.text)!r}: the board is not known"
            )
        for seat in live:
            if not self.holes[seat]:
                raise ValueError(
                    f"no showdown after {shorten(self.node.text)!r}: the cards of seat {seat} are"
                    " not known"
                )
        strength = SHOWDOWN_RULES[game.showdown].strength
        return {seat: strength(self.holes[seat], board) for seat in live}

    def seen_by(self, seat: int) -> str:
        """All that a seat has seen, in the order in which it happened.

        Streets are parted by ``/``; cards come first, then a colon and the betting. A draw is
        ``(2c7h)+KsKd`` for the player who makes it and ``(2)`` for others. Up-cards of all seats
        follow the private ones, ``Ks^Qh^Jd``.

        Examples
        --------
        >>> from pokerlab.games import load_game
        >>> leduc = load_game("leduc")
        >>> state = leduc.replay("cr", leduc.make_deal(["Js", "Kh"], "Qs"))
        >>> state.seen_by(0), state.apply("c").seen_by(1), state.apply("c").public()
        ('Js:cr', 'Kh:crc/Qs', ':crc/Qs')
        """
        self._check_seat(seat)
        return self._seen(seat)

    def public(self) -> str:
        """All that a spectator has seen."""
        return self._seen(None)

    def up_cards(self, seat: int, street: int) -> tuple[int, ...]:
        """The cards that a seat was dealt face up on a street; none that have not come yet."""
        hand = self.holes[seat] or self._known_up(seat)
        return tuple(hand[place] for place in self.game.up_places[street] if place < len(hand))

    def _known_up(self, seat: int) -> tuple[int, ...]:
        """A hand of which up-cards alone are known, in their places."""
        return ()

    def hand_as_dealt(self, seat: int) -> tuple[int, ...]:
        """The cards of a seat before all of its exchanges, in their places."""
        hand = list(self.holes[seat])
        for swap in reversed(self.swaps):
            if swap.seat == seat:
                for new, old in zip(swap.received, swap.thrown, strict=False):
                    hand[hand.index(new)] = old
        return tuple(hand)

    def _check_seat(self, seat: int) -> None:
        if not 0 <= seat < self.game.players:
            raise ValueError(
                f"{seat} is not a seat of {self.game.name} (0 to {self.game.players - 1})"
            )

    def _seen(self, seat: int | None) -> str:
        game, board = self.game, self.board
        hand = () if seat is None else self.hand_as_dealt(seat)
        swaps = iter(self.swaps)
        parts = []
        hole_before = board_before = 0
        for street, text in enumerate(self.node.text.split("/")[: self.street + 1]):
            hole, public = game.hole_cards[street], game.board_cards[street]
            cards = _card_text(hand[hole_before : hole - game.streets[street].up])
            if game.streets[street].up:
                shown = [self.up_cards(each, street) for each in range(game.players)]
                cards += "".join(f"^{_card_text(each)}" for each in shown if each)
            cards += _card_text(board[board_before:public])
            hole_before, board_before = hole, public
            if "(" in text:
                text = DRAW.sub(lambda draw: swap_seen(next(swaps), draw.group(), seat), text)
            parts.append(f"{cards}:{text}" if text else cards)
        return "/".join(parts)

    def _draw_actions(self) -> tuple[str, ...]:
        """Every way to exchange cards, fewest first; by number where the hand is not known."""
        hand = sorted(self.holes[self.player])
        if not hand:
            return tuple(self.node.actions())
        most = self.game.streets[self.street].draw
        return tuple(
            "d" + format_cards(thrown)
            for count in range(most + 1)
            for thrown in combinations(hand, count)
        )

    def _thrown(self, action: str) -> tuple[int, ...]:
        """The cards that a draw action throws away; `ValueError` if it may not."""
        hand = self.holes[self.player]
        match = _DISCARD.fullmatch(action)
        if match is not None:
            thrown = parse_cards(match.group(1))
            if set(thrown) <= set(hand) and len(thrown) <= self.game.streets[self.street].draw:
                return tuple(sorted(thrown))
        shown = shorten(action, 30)
        raise ValueError(
            f"illegal action {shown!r} after {shorten(self.node.text)!r}: seat {self.player} may"
            f" exchange up to {self.game.streets[self.street].draw} of {format_cards(hand)}"
            " (d and the cards; d alone keeps all)"
        )

    def __repr__(self) -> str:
        holes = "|".join(format_cards(hole) for hole in self.holes)
        return f"<{self.game.name} {self.betting!r} {holes}/{format_cards(self.board)}>"


def _card_text(cards: tuple[int, ...]) -> str:
    """Cards dealt together, in an order that does not tell which was dealt first."""
    return format_cards(sorted(cards)) if cards else ""

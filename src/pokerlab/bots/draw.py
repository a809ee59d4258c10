"""The five-card draw bot: a stake that it is ready to pay, and a decision with brakes.

The stake is a number of chips by how rich the bot is, times factors: how good its hand is, how
many players have yet to act, and how bold the opponent is that has opened or raised. The bot
answers a bet by comparing it with the stake. At the draw it searches every way to keep cards
(`pokerlab.bots.discards`).

The description that this follows gives the bases and the factors in numbers, and the brakes, the
all-in rule and the size of a raise in words. The numbers for these are named below. They were
measured in freeze-outs: the brake on weak hands is what beats a player of pot odds.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

import numpy as np

from pokerlab.bots.bot import Bot
from pokerlab.bots.discards import HAND_SIZE, best_discard, strength
from pokerlab.bots.draw_opponents import Move, OpponentStyle, moves_of
from pokerlab.games import BettingGame, DealtState

__all__ = ["DrawBot", "base_stake", "position_factor"]

AHEAD = ((0.18, 0.36, 0.43, 0.48, 0.51), (0.40, 0.52, 0.58, 0.63, 0.66))
"""The strength that beats 1, 2, … 5 others half of the time, before the draw and after it."""
MONSTER = 0.669
"""Three of a kind or better: no brake holds."""
MANY_BETS = 3
"""After so many bets and raises of a street, only a monster or a reckless opponent is raised."""
TOCALL = True
LEFT=1.0
RAISE_SHARE = 1.0
"""A raise takes this share of what the stake leaves. With a half, the smallest re-raise ends
just at the stake, so the bot does not have to give up a hand that it has raised with."""
ALL_IN_CAUTION = 1.3
"""How far above `AHEAD` a hand must be for all chips."""
DRAWN_CARDS_TELL = (1.5, 1.3, 1.1, 1.0, 0.9, 0.8)
"""How much more it must be against an opponent who has drawn 0, 1, … 5 cards."""


def base_stake(chips: float, opponents: int) -> int:
    """The chips from which a stake is reckoned, by own chips and opponents still in the hand.

    Examples
    --------
    >>> [base_stake(chips, 1) for chips in (99, 100, 799, 800)]
    [100, 400, 400, 600]
    >>> [base_stake(chips, 3) for chips in (99, 100, 799, 800)]
    [100, 200, 200, 300]
    """
    if chips < 100:
        return 100
    few = 200 if chips < 800 else 300
    return 2 * few if opponents == 1 else few


def position_factor(players_after: int) -> float:
    """1 for the last to act, less by 0.1 for each player who acts later, down to 0.6.

    Examples
    --------
    >>> position_factor(0), position_factor(4), position_factor(5)
    (1.0, 0.6, 0.6)
    """
    return max(0.6, round(1.0 - 0.1 * players_after, 1))


class DrawBot(Bot):
    """Plays five-card draw, for any number of opponents.

    Examples
    --------
    >>> from pokerlab.games import load_game
    >>> game = load_game("draw").with_stacks([1000, 1000, 1000])
    >>> bot = DrawBot()
    >>> bot.reset(game, np.random.default_rng(1))
    >>> deal = game.make_deal(["TsTdKh5c4c", "2c3d4h5s7c", "AsAdAcAh9s"], stub="9c8c2d")
    >>> bot.act(game.start(deal).view(0))
    'r61'
    >>> bot.act(game.replay("r50fc/", deal).view(0))
    'd4c5cKh'
    """

    _styles: dict[int, OpponentStyle]
    _players: tuple[int, ...]

    def reset(self, game: BettingGame, rng: np.random.Generator) -> None:
        """Forget all opponents; a game without five private cards and a draw is refused."""
        if (
            game.hole_cards[-1] != HAND_SIZE
            or game.board_cards[-1]
            or game.showdown != "five-card"
            or not any(street.draw for street in game.streets)
        ):
            raise ValueError(f"the draw bot plays five-card draw, not {game.name}")
        super().reset(game, rng)
        self._styles = {}
        self._players = tuple(range(game.players))

    def begin(self, position: int, players: Sequence[int]) -> None:
        """Remember who sits where."""
        self._players = tuple(players)

    def end(self, view: DealtState) -> None:
        """Count what everybody did."""
        for move in moves_of(view.node):
            self._style(move.seat).count(move.kind)
        for seat in range(len(self._players)):
            self._style(seat).rounds += 1

    def act(self, view: DealtState) -> str:
        """Draw, or bet by the stake."""
        hand = view.holes[view.player]
        if view.node.drawing:
            dead = [card for swap in view.swaps if swap.seat == view.player for card in swap.thrown]
            return best_discard(hand, dead, view.game.streets[view.street].draw).action
        rank = strength(hand)
        moves = list(moves_of(view.node))
        street = [move for move in moves if move.street == view.street]
        before = street[0].price if street else view.node.price
        bets = [move for move in street if move.kind in ("open", "raise")]
        if not bets:
            return _answer(view, before, rank, 1.0, 0)
        boldness = self._style(bets[-1].seat).boldness(bets[-1].kind)
        if view.node.price >= view.game.chips[view.player]:
            return _all_in_or_fold(view, rank, boldness, _cards_drawn(moves, bets[-1].seat))
        return _answer(view, before, rank, boldness, len(bets))

    def _style(self, seat: int) -> OpponentStyle:
        return self._styles.setdefault(self._players[seat], OpponentStyle())


PROP=True
def _base(view, before):
    b=base_stake(view.game.chips[view.player] - before, len(view.node.live) - 1)
    eff=min(view.game.chips[view.player], max(view.game.chips[o] for o in view.node.live if o!=view.player))-before
    return b*max(1.0, eff/1000) if PROP else b


def _answer(view: DealtState, before: int, rank: float, boldness: float, bets: int) -> str:
    """Compare the stake with the bet of this street, which began at the price `before`."""
    node = view.node
    if rank >= MONSTER: boldness = max(boldness, 1.0)
    stake = (
        _base(view, before)
        * rank
        * position_factor(_players_after(view))
        * boldness
    )
    most = (node.spent[view.player] if TOCALL else before) + stake
    if node.to_call and node.price > most:
        return "f"
    bounds = view.raise_bounds()
    if bounds is None or bounds[0] > most or _brake(view, rank, boldness, bets):
        return "c"
    if view.game.betting == "limit":
        return "r"
    wanted = node.price + round(RAISE_SHARE * (most - node.price))
    return f"r{min(max(wanted, bounds[0]), bounds[1])}"


def _brake(view: DealtState, rank: float, boldness: float, bets: int) -> bool:
    """Whether to check or call although the stake would allow a bet or raise.

    A hand that is likely behind only calls; against a reckless opponent a worse one raises too.
    A cautious opponent who has bet is believed, and an exchange of raises ends.
    """
    if rank >= MONSTER:
        return False
    if rank * sqrt(boldness) < _ahead(view):
        return True
    return bets > 0 and (boldness < 1.0 or (bets >= MANY_BETS and boldness == 1.0))


def _all_in_or_fold(view: DealtState, rank: float, boldness: float, drawn: int | None) -> str:
    """Answer a bet that takes all that is left, or more."""
    tell = 1.0 if drawn is None else DRAWN_CARDS_TELL[min(drawn, HAND_SIZE)]
    left = (view.to_call / view.game.chips[view.player]) ** LEFT
    return "c" if rank * sqrt(boldness) >= ALL_IN_CAUTION * tell * _ahead(view) * left else "f"


def _ahead(view: DealtState) -> float:
    by_opponents = AHEAD[any(street.draw for street in view.game.streets[: view.street + 1])]
    return by_opponents[min(len(view.node.live) - 1, len(by_opponents)) - 1]


def _players_after(view: DealtState) -> int:
    """How many act after this player on this street if nobody raises."""
    count = 0
    node = view.node.after("c")
    while node.player >= 0 and node.street == view.street and not node.drawing:
        count += 1
        node = node.after("c")
    return count


def _cards_drawn(moves: Sequence[Move], seat: int) -> int | None:
    """How many cards a player took at the last draw; None before it."""
    draws = [move.cards for move in moves if move.seat == seat and move.kind == "draw"]
    return draws[-1] if draws else None

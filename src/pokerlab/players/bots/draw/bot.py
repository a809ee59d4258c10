"""The five-card draw bot: a stake that it is ready to pay, and a decision with brakes.

The stake is a number of chips by how rich the bot is, times factors: how good its hand is (before
the draw: how good it will be on average), how many players have yet to act, and how bold the
opponent is that has opened or raised. The bot answers a bet by comparing the stake with what it has
to pay, and when no brake holds it raises by the rest of the stake. At the draw it searches every
way to keep cards (`pokerlab.players.bots.draw.discards`).

The description that this follows gives the bases in numbers, the factors by their limits, and
the brakes and the all-in rule in words. The numbers for these are named below. They were chosen
in freeze-outs; what counts most is the brake on weak hands, and never to fold a strong one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from pokerlab.games import Betting, BettingGame, DealtState
from pokerlab.players.bots.bot import Bot
from pokerlab.players.bots.draw.discards import (
    HAND_SIZE,
    best_discard,
    equity_criterion,
    strength,
)
from pokerlab.runtime.errors import shorten

AHEAD = ((0.18, 0.36, 0.43, 0.48, 0.51), (0.40, 0.52, 0.58, 0.63, 0.66))
"""The strength that beats 1, 2, … 5 others half of the time, before the draw and after it."""
STRONG = 0.554
"""Two pairs or better: no brake holds, and the bot does not fold."""
RAISE_CAUTION = 1.3
"""To bet or raise, a hand must be so far above `AHEAD`."""
DRAWN_CARDS_TELL = (1.5, 1.3, 1.1, 1.0, 0.9, 0.8)
"""How far above `AHEAD` it must be for an all-in against one who has drawn 0, 1, … 5 cards."""
ROUNDS_OF_DOUBT = 4
"""Rounds until what was counted about a player is believed in full."""
MIN_RATIO, MAX_RATIO = 0.5, 4.0
"""Between these a ratio of actions counts: a player who never checked is not infinitely bold."""


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


def best_rank(view: DealtState) -> float:
    """The strength from which the document reckons the stake of the player to act.

    Before a draw the mean strength after the best one, which is never less than that of the hand
    as it is: one may stand pat. After the last draw the strength of the hand.

    Examples
    --------
    Four cards to a flush are worth more than the high cards they are now:

    >>> from pokerlab.games import load_game
    >>> game = load_game("draw")
    >>> deal = game.make_deal(["AsKs9s5s2d", "2c3d4h5c7c"])
    >>> round(strength("AsKs9s5s2d"), 3), round(best_rank(game.start(deal)), 3)
    (0.154, 0.381)
    """
    hand = view.holes[view.player]
    for street in view.game.streets[view.street + 1 :]:
        if street.draw:
            return best_discard(hand, _thrown(view), street.draw).mean
    return strength(hand)


def hand_rank(view: DealtState) -> float:
    """The strength of the hand of the player to act, as it is."""
    return strength(view.holes[view.player])


def _thrown(view: DealtState) -> list[int]:
    """The cards that the player to act has thrown away at earlier draws."""
    return [card for swap in view.swaps if swap.seat == view.player for card in swap.thrown]


class Move(NamedTuple):
    """Something that a player did.

    Attributes
    ----------
    seat
        Who.
    street
        When.
    kind
        ``fold``, ``check``, ``call``, ``open`` (the first bet of a street), ``raise`` or ``draw``.
    price
        What it had cost before to stay in, over the whole hand.
    cards
        At a draw, how many cards.
    """

    seat: int
    street: int
    kind: str
    price: int
    cards: int = 0


def moves_of(node: Betting) -> Iterator[Move]:
    """All that was done in a hand so far, in order.

    Examples
    --------
    >>> from pokerlab.games import load_game
    >>> state = load_game("draw").replay("cr50c/(3)(1)")
    >>> [(move.seat, move.kind) for move in moves_of(state.node)]
    [(0, 'check'), (1, 'open'), (0, 'call'), (0, 'draw'), (1, 'draw')]
    """
    for at, action in node.path():
        if at.drawing:
            kind = "draw"
        elif action == "f":
            kind = "fold"
        elif action == "c":
            kind = "call" if at.to_call else "check"
        else:
            kind = "raise" if at.raises else "open"
        cards = int(action[1:-1]) if kind == "draw" else 0
        yield Move(at.player, at.street, kind, at.price, cards)


@dataclass
class OpponentStyle:
    """The actions of one opponent in the rounds that were watched.

    Examples
    --------
    A player who opens three times as often as it checks, known for two rounds only:

    >>> style = OpponentStyle()
    >>> for kind in ("open", "open", "check", "open"):
    ...     style.count(kind)
    >>> style.rounds = 2
    >>> style.boldness("open"), style.boldness("raise")
    (2.0, 1.0)
    """

    opens: int = 0
    checks: int = 0
    raises: int = 0
    calls: int = 0
    rounds: int = 0

    def count(self, kind: str) -> None:
        """Add an action; folds and draws tell nothing of the two ratios."""
        if kind == "open":
            self.opens += 1
        elif kind == "check":
            self.checks += 1
        elif kind == "raise":
            self.raises += 1
        elif kind == "call":
            self.calls += 1

    def boldness(self, kind: str) -> float:
        """Open/check for ``open``, raise/call for ``raise``: 1 is usual, more is reckless.

        In the first rounds the ratio is drawn towards 1, the less is known the more: this is
        the uncertainty factor.
        """
        often, seldom = (self.opens, self.checks) if kind == "open" else (self.raises, self.calls)
        if often + seldom == 0:
            return 1.0
        ratio = often / seldom if seldom else MAX_RATIO
        ratio = min(max(ratio, MIN_RATIO), MAX_RATIO)
        certainty = min(self.rounds, ROUNDS_OF_DOUBT) / ROUNDS_OF_DOUBT
        return 1.0 + certainty * (ratio - 1.0)


class DrawBot(Bot):
    """Plays five-card draw, for any number of opponents.

    Parameters
    ----------
    discard
        ``mean``: the best mean class, as the document has it. ``equity``: the best chance to win
        against one opponent who draws in the same way (`pokerlab.studies.draw.criteria`).
    stake
        What the stake before the draw is reckoned from. ``mean``: the mean strength after the best
        draw, as the document has it. ``rank``: the strength of the hand.

    Examples
    --------
    >>> from pokerlab.games import load_game
    >>> game = load_game("draw").with_stacks([1000, 1000, 1000])
    >>> bot = DrawBot()
    >>> bot.reset(game, np.random.default_rng(1))
    >>> deal = game.make_deal(["AsAdKh5c4c", "2c3d4h5s7c", "TsTdTcTh9s"], stub="9c8c2d")
    >>> bot.act(game.start(deal).view(0))
    'r152'
    >>> bot.act(game.replay("r152fc/", deal).view(0))
    'd4c5c'
    """

    _styles: dict[int, OpponentStyle]
    _players: tuple[int, ...]

    def __init__(self, discard: str = "mean", stake: str = "mean") -> None:
        for name, text, known in (
            ("discard", discard, ("mean", "equity")),
            ("stake", stake, ("mean", "rank")),
        ):
            if text not in known:
                raise ValueError(f"{name} is {shorten(text)}; it must be {' or '.join(known)}")
        self._criterion = equity_criterion() if discard == "equity" else None
        self._stake = best_rank if stake == "mean" else hand_rank

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
            most = view.game.streets[view.street].draw
            return best_discard(hand, _thrown(view), most, self._criterion).action
        rank = strength(hand)
        moves = list(moves_of(view.node))
        street = [move for move in moves if move.street == view.street]
        before = street[0].price if street else view.node.price
        bets = [move for move in street if move.kind in ("open", "raise")]
        if not bets:
            return self._answer(view, before, rank, 1.0)
        boldness = self._style(bets[-1].seat).boldness(bets[-1].kind)
        if view.node.price >= view.game.chips[view.player]:
            return _all_in_or_fold(view, rank, boldness, _cards_drawn(moves, bets[-1].seat))
        return self._answer(view, before, rank, boldness)

    def _style(self, seat: int) -> OpponentStyle:
        return self._styles.setdefault(self._players[seat], OpponentStyle())

    def _answer(self, view: DealtState, before: int, rank: float, boldness: float) -> str:
        """Compare the stake with what is to pay; the street began at the price `before`."""
        if rank >= STRONG:
            boldness = max(boldness, 1.0)
        stake = (
            base_stake(view.game.chips[view.player] - before, len(view.node.live) - 1)
            * self._stake(view)
            * position_factor(_players_after(view))
            * boldness
        )
        if view.to_call > stake and rank < STRONG:
            return "f"
        most = int(view.spent[view.player] + stake)
        bounds = view.raise_bounds()
        if bounds is None or bounds[0] > most or _brake(view, rank, boldness):
            return "c"
        return "r" if view.game.betting == "limit" else f"r{min(most, bounds[1])}"


def _brake(view: DealtState, rank: float, boldness: float) -> bool:
    """Whether to check or call although the stake would allow a bet or raise.

    A hand that is not clearly ahead only calls; against a reckless opponent a worse one raises
    too. A cautious opponent who has bet is believed.
    """
    if rank >= STRONG:
        return False
    return boldness < 1.0 or rank * _courage(view, boldness) < RAISE_CAUTION * _ahead(view)


def _all_in_or_fold(view: DealtState, rank: float, boldness: float, drawn: int | None) -> str:
    """Answer a bet that takes all that is left, or more: the less is left, the less it takes."""
    tell = 1.0 if drawn is None else DRAWN_CARDS_TELL[min(drawn, HAND_SIZE)]
    left = view.to_call / view.game.chips[view.player]
    if rank >= STRONG or rank * _courage(view, boldness) >= tell * left * _ahead(view):
        return "c"
    return "f"


def _courage(view: DealtState, boldness: float) -> float:
    """What the boldness of one opponent is worth: less, the more others there are."""
    return float(boldness ** (0.5 / (len(view.node.live) - 1)))


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

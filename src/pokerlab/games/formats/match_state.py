"""States of a hand as text, in the form of the ACPC protocol, version 2.0.0.

What a dealer sends to a seat is ``MATCHSTATE:position:hand:betting:cards``; what it writes into
its log begins with ``STATE:hand:betting:cards``. The private cards of the positions are parted
by ``|``, those that may not be seen are left out, and the public cards of each street follow
after a ``/``::

    MATCHSTATE:1:42:r300c/cr600:|QhQc/2c3d4h

Position 1 of hand 42 holds two queens, called a raise, and has just been raised on the flop.
The protocol has no words for draws, nor for private cards that come later.

For logs, `format_state` adds words for draws: a draw stands in the betting with the cards thrown
away (``d2c7h``; ``d`` alone for none), the hands are those that were dealt, and the replacements
follow after the ``/`` of their street, in the order in which they were dealt::

    STATE:7:cc/d2c7hd4s/cc:AsAdKh2c7h|QsQdQc3h4s/9c8dJd
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from pokerlab.cards.codes import format_cards, parse_cards
from pokerlab.errors import shorten
from pokerlab.games.deal import Deal, make_deal
from pokerlab.games.dealt import DealtState
from pokerlab.games.definition import BettingGame
from pokerlab.games.exchange import DRAW, exchanged
from pokerlab.games.protocol import TERMINAL
from pokerlab.games.rules import GameRules

_MATCH_STATE = re.compile(r"MATCHSTATE:(0|[1-9]\d?):([^:]*:[^:]*:[^:]*)", re.ASCII)
_STATE = re.compile(r"(0|[1-9]\d{0,9}):([^:]*):([^:]*)", re.ASCII)


@dataclass(frozen=True, slots=True)
class MatchState:
    """The message of a dealer to a seat.

    Attributes
    ----------
    position
        Where the seat sits in this hand.
    hand
        The number of the hand, from 0.
    view
        What the seat sees.
    """

    position: int
    hand: int
    view: DealtState

    def __str__(self) -> str:
        return format_match_state(self.view, self.position, self.hand)


def parse_match_state(text: str, game: BettingGame) -> MatchState:
    """Read a state as a dealer sends it; `ValueError` says what is wrong with it.

    The text must be just as `format_match_state` writes it, without an end of line.

    Examples
    --------
    >>> from pokerlab.games import load_game
    >>> game = load_game("holdem.nolimit.2p")
    >>> state = parse_match_state("MATCHSTATE:1:42:r300c/cr600:|QhQc/2c3d4h", game)
    >>> state.position, state.hand, state.view.player, state.view.to_call
    (1, 42, 0, 300)
    >>> parse_match_state("MATCHSTATE:1:42:r300c/cr600:QhQc|/2c3d4h", game)
    Traceback (most recent call last):
    ValueError: bad state 'MATCHSTATE:1:42:r300c/cr600:QhQc|/2c3d4h': the cards of position 1 ...
    """
    try:
        match = _MATCH_STATE.fullmatch(text)
        if match is None:
            raise ValueError("not of the form MATCHSTATE:position:hand:betting:cards")
        position = int(match.group(1))
        if position >= game.players:
            raise ValueError(f"{game.name} has positions 0 to {game.players - 1}")
        check_acpc_game(game)
        hand, state = _parse_fields(match.group(2), game)
        if not state.holes[position]:
            raise ValueError(f"the cards of position {position} are missing")
        view = state.view(position)
        _check_same(text, format_match_state(view, position, hand))
    except ValueError as error:
        raise ValueError(f"bad state {shorten(text)!r}: {error}") from None
    return MatchState(position, hand, view)


def format_match_state(state: DealtState, position: int, hand: int) -> str:
    """Write a state as a position sees it; the state may be its view, or hold all cards.

    Examples
    --------
    >>> from pokerlab.games import load_game
    >>> game = load_game("holdem.limit.2p")
    >>> state = game.replay("rc/", game.make_deal(["AsKd", "QhQc"], "2c3d4h5s6c"))
    >>> format_match_state(state, 0, 7), format_match_state(state, 1, 7)
    ('MATCHSTATE:0:7:rc/:AsKd|/2c3d4h', 'MATCHSTATE:1:7:rc/:|QhQc/2c3d4h')
    """
    check_acpc_game(state.game)
    node = state.node
    shown = node.live if state.player == TERMINAL and len(node.live) > 1 else ()
    holes = "|".join(
        format_cards(hole) if seat == position or seat in shown else ""
        for seat, hole in enumerate(state.holes)
    )
    return f"MATCHSTATE:{position}:{hand}:{node.text}:{holes}{_format_board(state)}"


def parse_state(text: str, game: BettingGame) -> tuple[int, DealtState]:
    """Read the number of a hand and its state, as they stand in a log; all cards may be known.

    Examples
    --------
    >>> from pokerlab.games import load_game
    >>> game = load_game("holdem.limit.2p")
    >>> hand, state = parse_state("STATE:3:rf:AsKd|QhQc", game)
    >>> hand, state.payoffs()
    (3, (-10.0, 10.0))
    """
    try:
        if not text.startswith("STATE:"):
            raise ValueError("not of the form STATE:hand:betting:cards")
        hand, state = _parse_fields(text.removeprefix("STATE:"), game)
        _check_same(text, format_state(state, hand))
    except ValueError as error:
        raise ValueError(f"bad state {shorten(text)!r}: {error}") from None
    return hand, state


def format_state(state: DealtState, hand: int) -> str:
    """Write a state with all private cards, as a log holds it.

    Examples
    --------
    >>> from pokerlab.games import load_game
    >>> game = load_game("holdem.limit.2p")
    >>> format_state(game.replay("rf", game.make_deal(["AsKd", "QhQc"], "2c3d4h5s6c")), 3)
    'STATE:3:rf:AsKd|QhQc'
    >>> draw = load_game("draw")
    >>> deal = draw.make_deal(["AsAdKh2c7h", "QsQdQc3h4s"], stub="9c8dJdTs")
    >>> format_state(draw.replay("cc/d2c7hd4scr60f", deal), 4)
    'STATE:4:cc/d2c7hd4scr60f:AsAdKh2c7h|QsQdQc3h4s/8d9cJd'
    """
    _check_private_cards(state.game)
    holes = "|".join(format_cards(state.hand_as_dealt(seat)) for seat in range(len(state.holes)))
    return f"STATE:{hand}:{state.betting}:{holes}{_format_dealt(state)}"


@lru_cache(maxsize=64)
def check_acpc_game(game: BettingGame) -> None:
    """Raise a `ValueError` if the ACPC protocol has no words for what happens in a game."""
    for street in game.streets:
        if street.draw:
            raise ValueError(f"{game.name} has a draw: the ACPC protocol has no words for it")
    _check_private_cards(game)


def _check_private_cards(game: GameRules) -> None:
    if game.hole_cards[-1] > game.streets[0].hole:
        raise ValueError(
            f"{game.name} deals private cards after the first street: the ACPC protocol has no"
            " words for it"
        )


def _parse_fields(text: str, game: BettingGame) -> tuple[int, DealtState]:
    """Read ``hand:betting:cards``."""
    _check_private_cards(game)
    match = _STATE.fullmatch(text)
    if match is None:
        raise ValueError("after the position come hand:betting:cards, the hand a whole number")
    number, betting, cards = match.groups()
    state = game.replay(betting, _parse_deal(cards, game))
    _check_replacements(state)
    if len(state.deal.board) != game.board_cards[state.street]:
        raise ValueError(
            f"{len(state.deal.board)} public cards given, there are"
            f" {game.board_cards[state.street]} after {shorten(state.betting)!r}"
        )
    shown = state.node.live if state.player == TERMINAL and len(state.node.live) > 1 else ()
    for seat in shown:
        if not state.holes[seat]:
            raise ValueError(f"the cards of position {seat}, shown down, are missing")
    return int(number), state


def _parse_deal(text: str, game: BettingGame) -> Deal:
    private, *later = text.split("/")
    holes = private.split("|")
    if len(holes) != game.players:
        raise ValueError(f"private cards of {len(holes)} positions, there are {game.players}")
    at_once = 2 * game.board_cards[0]
    board, stub = [], []
    if at_once:  # public cards of the first street follow the last hand, with nothing between
        board.append(holes[-1][-at_once:])
        holes[-1] = holes[-1][:-at_once]
    for number, dealt in enumerate(later, start=1):
        draws = number < len(game.streets) and game.streets[number].draw
        public = 2 * game.streets[number].board if draws else len(dealt)
        board.append(dealt[:public])
        stub.append(dealt[public:])
    deal = make_deal(game, [parse_cards(hole) for hole in holes], parse_cards("".join(board)))
    # A card that was thrown away may be dealt again, so these are looked at one by one.
    return deal._replace(stub=tuple(card for street in stub for card in parse_cards(street)))


def _check_replacements(state: DealtState) -> None:
    """Refuse cards that could not be dealt for those thrown away.

    A card comes from the deck, or from earlier discards when no other is left.
    """
    deck, hands = state.game.deck, list(state.deal.holes)
    fresh = set(deck).difference(state.deal.board, *hands)
    for swap in state.swaps:
        for card in sorted(swap.received, key=lambda card: card not in fresh):
            if card not in deck:
                raise ValueError(f"{format_cards([card])} is not in the deck of {state.game.name}")
            held = any(card in hand for hand in hands)
            if card not in fresh and (fresh or held):
                raise ValueError(f"{format_cards([card])} cannot be drawn: it was dealt before")
            fresh.discard(card)
        hands[swap.seat] = exchanged(hands[swap.seat], swap)


def _format_dealt(state: DealtState) -> str:
    """The public cards and the replacements, street by street."""
    received = [swap.received for swap in state.swaps]
    drawn = [""] * len(state.game.streets)
    for street, text in enumerate(state.node.text.split("/")):
        for _ in DRAW.finditer(text):
            drawn[street] += format_cards(received.pop(0))
    first, *later = _public_cards(state)
    return first + "".join(
        f"/{public}{drawn[street]}" for street, public in enumerate(later, start=1)
    )


def _format_board(state: DealtState) -> str:
    """The public cards, street by street."""
    return "/".join(_public_cards(state))


def _public_cards(state: DealtState) -> list[str]:
    """The public cards of each street so far."""
    ends = state.game.board_cards[: state.street + 1]
    board = format_cards(state.board)
    return [board[2 * start : 2 * end] for start, end in zip((0, *ends), ends, strict=False)]


def _check_same(text: str, written: str) -> None:
    """What can be read in one way should be written in one way."""
    if text != written:
        raise ValueError(f"it would be written {shorten(written)!r}")

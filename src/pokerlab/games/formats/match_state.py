"""States of a hand as text, in the form of the ACPC protocol, version 2.0.0.

What a dealer sends to a seat is ``MATCHSTATE:position:hand:betting:cards``; what it writes into
its log begins with ``STATE:hand:betting:cards``. The private cards of the positions are parted
by ``|``, those that may not be seen are left out, and the public cards of each street follow
after a ``/``::

    MATCHSTATE:1:42:r300c/cr600:|QhQc/2c3d4h

Position 1 of hand 42 holds two queens, called a raise, and has just been raised on the flop.
There are no words for draws, nor for private cards that come later.
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
from pokerlab.games.protocol import TERMINAL

__all__ = [
    "MatchState",
    "check_acpc_game",
    "format_match_state",
    "format_state",
    "parse_match_state",
    "parse_state",
]

_MATCH_STATE = re.compile(r"MATCHSTATE:(0|[1-9]\d?):([^:]*:[^:]*:[^:]*)", re.ASCII)
_STATE = re.compile(r"(0|[1-9]\d{0,9}):([^:]*):([^:]*)", re.ASCII)


@dataclass(frozen=True, slots=True)
class MatchState:
    """What a dealer tells a seat.

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
        hand, state = _parse_fields(match.group(2), game)
        if not state.holes[position]:
            raise ValueError(f"the cards of position {position} are missing")
        view = state.view(position)
        _check_same(text, format_match_state(view, position, hand))
    except ValueError as error:
        raise ValueError(f"bad state {shorten(text)!r}: {error}") from None
    return MatchState(position, hand, view)


def format_match_state(state: DealtState, position: int, hand: int) -> str:
    """Write what a position sees of a state; the state may be its view, or hold all cards.

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
    """
    check_acpc_game(state.game)
    holes = "|".join(map(format_cards, state.holes))
    return f"STATE:{hand}:{state.node.text}:{holes}{_format_board(state)}"


@lru_cache(maxsize=64)
def check_acpc_game(game: BettingGame) -> None:
    """Raise a `ValueError` if the ACPC protocol has no words for what happens in a game."""
    for street in game.streets:
        if street.draw:
            raise ValueError(f"{game.name} has a draw: the ACPC protocol has no words for it")
    if game.hole_cards[-1] > game.streets[0].hole:
        raise ValueError(
            f"{game.name} deals private cards after the first street: the ACPC protocol has no"
            " words for it"
        )


def _parse_fields(text: str, game: BettingGame) -> tuple[int, DealtState]:
    """Read ``hand:betting:cards``."""
    check_acpc_game(game)
    match = _STATE.fullmatch(text)
    if match is None:
        raise ValueError("after the position come hand:betting:cards, the hand a whole number")
    number, betting, cards = match.groups()
    state = game.replay(betting, _parse_deal(cards, game))
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
    private, *public = text.split("/")
    holes = private.split("|")
    if len(holes) != game.players:
        raise ValueError(f"private cards of {len(holes)} positions, there are {game.players}")
    at_once = 2 * game.board_cards[0]
    if at_once:  # public cards of the first street follow the last hand, with nothing between
        public.insert(0, holes[-1][-at_once:])
        holes[-1] = holes[-1][:-at_once]
    return make_deal(game, [parse_cards(hole) for hole in holes], parse_cards("".join(public)))


def _format_board(state: DealtState) -> str:
    """The public cards, street by street."""
    counts = state.game.board_cards
    board = format_cards(state.board)
    return board[: 2 * counts[0]] + "".join(
        "/" + board[2 * counts[street - 1] : 2 * counts[street]]
        for street in range(1, state.street + 1)
    )


def _check_same(text: str, written: str) -> None:
    """What can be read in one way should be written in one way."""
    if text != written:
        raise ValueError(f"it would be written {shorten(written)!r}")

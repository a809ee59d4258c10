"""A bot of ours at a seat of any dealer that speaks the ACPC protocol."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic

import numpy as np

from pokerlab.arena.table import legal_answer
from pokerlab.games import TERMINAL, BettingGame
from pokerlab.games.formats.match_state import MatchState, check_acpc_game, parse_match_state
from pokerlab.players.bots.bot import Bot
from pokerlab.players.bots.external.acpc_connection import VERSION, LineConnection, connection_to
from pokerlab.players.bots.failures import failure_text, reset_bot


@dataclass(frozen=True)
class ClientMatch:
    """How a match went, as far as one player can know.

    Attributes
    ----------
    hands
        How many hands were finished.
    total
        What the bot won or lost in them, in chips.
    faults
        How often it raised an error or chose what is not legal.
    """

    hands: int
    total: float
    faults: int


def play_acpc(
    host: str,
    port: int,
    bot: Bot,
    game: BettingGame,
    *,
    rng: np.random.Generator | None = None,
    seconds: float | None = None,
    warn: Callable[[str], None] | None = None,
) -> ClientMatch:
    """Join a dealer and play until it ends the match.

    Parameters
    ----------
    host, port
        Where the dealer waits for this seat.
    bot
        Who plays. Players are numbered round the table from the positions of the first hand.
    game
        What is played: a dealer does not tell.
    rng
        The source of the bot's randomness.
    seconds
        How long to wait for the dealer's next line; None: as long as it takes.
    warn
        Takes one line about each error of the bot, which then calls.

    Examples
    --------
    >>> from pokerlab.players.bots import Caller
    >>> from pokerlab.games import load_game
    >>> play_acpc("127.0.0.1", 1, Caller(), load_game("kuhn"))
    Traceback (most recent call last):
    ValueError: no dealer at 127.0.0.1, port 1: Connection refused
    """
    check_acpc_game(game)
    reset_bot(bot, type(bot).__name__, game, rng or np.random.default_rng(), timed=True)
    connection = connection_to(host, port)
    try:
        return _Client(connection, bot, game, seconds, warn or (lambda line: None)).play()
    finally:
        connection.close()


class _Client:
    """A seat at a dealer's table."""

    def __init__(
        self,
        connection: LineConnection,
        bot: Bot,
        game: BettingGame,
        seconds: float | None,
        warn: Callable[[str], None],
    ) -> None:
        self.connection = connection
        self.bot = bot
        self.game = game
        self.seconds = seconds
        self.warn = warn
        self.first_position = -1
        self.hand = -1
        self.hands = 0
        self.total = 0.0
        self.faults = 0

    def play(self) -> ClientMatch:
        self.connection.send(VERSION, self.seconds)
        while True:
            try:
                line = self.connection.receive(
                    None if self.seconds is None else monotonic() + self.seconds
                )
            except ConnectionError:
                return ClientMatch(self.hands, self.total, self.faults)
            except TimeoutError:
                raise ValueError(
                    f"the dealer has sent nothing for {self.seconds:g} s, after {self.hands} hands"
                ) from None
            if line and not line.startswith(("#", ";")):
                self._take(line)

    def _take(self, line: str) -> None:
        """Take note of a state, and answer where it is our turn."""
        try:
            state = parse_match_state(line, self.game)
        except ValueError as error:
            raise ValueError(f"the dealer does not play {self.game.name}: {error}") from None
        if state.hand != self.hand:
            self._begin(state)
        if state.view.player == TERMINAL:
            self.hands += 1
            self.total += state.view.payoffs()[state.position]
            self._try("end", lambda: self.bot.end(state.view))
        elif state.view.player == state.position:
            answer = self._try("act", lambda: self.bot.act(state.view))
            action = legal_answer(state.view, answer)
            if answer is not None and action != answer:
                self.faults += 1
                self.warn(f"hand {state.hand}: {str(answer)[:60]!r} is not legal, played {action}")
            try:
                self.connection.send(f"{line}:{action}", self.seconds)
            except ConnectionError:
                return  # the next wait for a line tells, once all that was sent is read

    def _begin(self, state: MatchState) -> None:
        self.hand = state.hand
        if self.first_position < 0:
            self.first_position = state.position
        # However the dealer moves the button, who sits next to whom stays the same.
        shift = self.first_position - state.position
        players = [(place + shift) % self.game.players for place in range(self.game.players)]
        self._try("begin", lambda: self.bot.begin(state.position, players))

    def _try(self, what: str, step: Callable[[], object]) -> object:
        """Run a step of the bot; its error is not the end of the match."""
        try:
            return step()
        except BaseException as error:
            self.faults += 1
            self.warn(f"hand {self.hand}: {what} failed, {failure_text(error)}")
            return None

"""A dealer for players that speak the ACPC protocol, version 2.0.0, over sockets.

It does what the official dealer does: every seat is sent every state as it may see it, and the
answer is the state and an action. Lines that do not answer the state that was sent are ignored,
an action that is not legal becomes a call, a raise out of bounds the nearest legal one. A player
that is out of time or gone ends the match; hands already played stay played.

There are four differences, all for the sake of a server that strangers can reach. It listens on
loopback unless told otherwise. Who connects and does not say its version is sent away, and keeps
nobody else from the seat (see `Lobby`). Comments do not stop the clock. A player that does not
read what it is sent is out of time too, where the official dealer would wait for ever.
"""

from __future__ import annotations

import socket
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pokerlab.arena.acpc.lobby import Lobby
from pokerlab.arena.acpc.match import AcpcMatch, SeatLostError, TimeLimits
from pokerlab.arena.chosen_deals import DealsLike, MatchCards, Pockets
from pokerlab.arena.hands import PlayedHand
from pokerlab.games import BettingGame
from pokerlab.games.formats.match_state import check_acpc_game
from pokerlab.players.bots.bot import Bot
from pokerlab.players.bots.external.acpc_connection import LineConnection, listen


@dataclass(frozen=True)
class DealtMatch:
    """How a match went.

    Attributes
    ----------
    names
        Who sat at each seat.
    hands
        How many hands were played to the end.
    totals
        What each seat won or lost in them, in chips.
    faults
        How often each seat answered against the rules.
    ended
        Why the match ended before its last hand, in one line that names the seat; else empty.
    """

    names: tuple[str, ...]
    hands: int
    totals: tuple[float, ...]
    faults: tuple[int, ...]
    ended: str = ""


class AcpcDealer:
    """A table with seats for programs that connect, and for bots of our own.

    Parameters
    ----------
    game
        What is played.
    seats
        The bot at each seat; None for one that waits for a connection.
    names
        Who sits there, for logs and messages; by default ``player1``, ``player2``, ….
    host
        The address to listen on.
    ports
        A port for each seat that waits; 0, or none given: a free one.
    limits
        How long players may think. Bots of our own take the time they take.
    warn
        Takes one line about each thing that a player did wrong.

    Attributes
    ----------
    ports
        Where each seat that waits can be reached.

    Examples
    --------
    >>> from threading import Thread
    >>> from pokerlab.arena.acpc.client import play_acpc
    >>> from pokerlab.players.bots import Caller, Raiser
    >>> from pokerlab.games import load_game
    >>> game = load_game("holdem.limit.2p")
    >>> with AcpcDealer(game, [None, Raiser()], ["ann", "bob"]) as dealer:
    ...     guest = Thread(target=play_acpc, args=("127.0.0.1", dealer.ports[0], Caller(), game))
    ...     guest.start()
    ...     match = dealer.play(hands=10, seed=1)
    ...     guest.join()
    >>> match.hands, sum(match.totals), match.ended
    (10, 0.0, '')
    """

    def __init__(
        self,
        game: BettingGame,
        seats: Sequence[Bot | None],
        names: Sequence[str] | None = None,
        *,
        host: str = "127.0.0.1",
        ports: Sequence[int] = (),
        limits: TimeLimits | None = None,
        warn: Callable[[str], None] | None = None,
    ) -> None:
        check_acpc_game(game)
        self.game = game
        self.bots = tuple(seats)
        self.names = tuple(names or (f"player{seat + 1}" for seat in range(len(seats))))
        for what, count in (("seats", len(self.bots)), ("names", len(self.names))):
            if count != game.players:
                raise ValueError(f"{count} {what} given, {game.name} has {game.players}")
        self.limits = limits or TimeLimits()
        self._warn = warn or (lambda line: None)
        waiting = [seat for seat, bot in enumerate(self.bots) if bot is None]
        wanted = tuple(ports) or (0,) * len(waiting)
        if len(wanted) != len(waiting):
            raise ValueError(
                f"{len(wanted)} ports given, {len(waiting)} seats of {game.name} wait for players"
            )
        self._doors: dict[int, socket.socket] = {}
        self._guests: dict[int, LineConnection] = {}
        self._lobby = Lobby(self._doors, self.limits.action, self._warn_of)
        try:
            for seat, port in zip(waiting, wanted, strict=True):
                self._doors[seat] = listen(host, port)
        except ValueError:
            self.close()
            raise
        self.ports = tuple(door.getsockname()[1] for door in self._doors.values())

    def __enter__(self) -> AcpcDealer:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of ports and players."""
        self._send_away()
        self._lobby.close()
        for door in self._doors.values():
            door.close()

    def play(
        self,
        hands: int,
        seed: int,
        *,
        deals: DealsLike | None = None,
        pockets: Pockets | None = None,
        fixed_button: bool = False,
        record: Callable[[PlayedHand], None] | None = None,
        start_seconds: float | None = None,
    ) -> DealtMatch:
        """Wait until all seats are taken, and play a match; more can follow on the same ports.

        Parameters
        ----------
        hands
            How many hands.
        seed
            Seed of the cards, which do not depend on what the players do.
        deals
            The cards of each hand, to play these instead, or the file of them that
            ``pokerlab deals`` made.
        pockets
            By position: private cards, or a range of them.
        fixed_button
            Whether the button stays: then every seat keeps its position.
        record
            Takes each hand as soon as it is over.
        start_seconds
            How long to wait for players; None: as long as it takes.
        """
        cards = MatchCards(self.game, deals, pockets)
        cards.check_enough(hands)
        match = AcpcMatch(
            self.game,
            self.names,
            self.bots,
            self._guests,
            self.limits,
            hands=hands,
            seed=seed,
            cards=cards,
            fixed_button=fixed_button,
            warn=self._warn_of,
            record=record or (lambda hand: None),
        )
        ended = ""
        try:
            self._lobby.fill(self._guests, start_seconds)
            match.play()
        except SeatLostError as lost:
            ended = f"{self._seat_text(lost.seat)} {lost}"
        finally:
            self._send_away()
        return DealtMatch(
            self.names, match.played, tuple(match.totals), tuple(match.fault_counts), ended
        )

    def _seat_text(self, seat: int) -> str:
        """A seat as messages name it, counted from 1 as the official dealer does."""
        return f"seat {seat + 1} ({self.names[seat]})"

    def _warn_of(self, seat: int, what: str) -> None:
        self._warn(f"{self._seat_text(seat)}: {what}")

    def _send_away(self) -> None:
        for guest in self._guests.values():
            guest.close()
        self._guests.clear()

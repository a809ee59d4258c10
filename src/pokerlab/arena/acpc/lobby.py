"""The lobby: players who state their version get a seat, and a silent one blocks nobody.

A connection that says nothing costs a place in a short list, never a seat: all doors and all
connections are watched together.
"""

from __future__ import annotations

import re
import selectors
import socket
from collections.abc import Callable, Mapping
from time import monotonic
from typing import NamedTuple

from pokerlab.arena.acpc.match import SeatLostError
from pokerlab.bots.external.acpc_connection import VERSION, LineConnection

MAX_STRANGERS = 64
"""Connections that have said nothing yet; if there are more, the oldest is sent away."""

_VERSION = re.compile(r"VERSION:(\d+)\.(\d+)\.\d+", re.ASCII)


class _Stranger(NamedTuple):
    """Somebody who has connected, to which seat, and until when a version must be said."""

    connection: LineConnection
    seat: int
    deadline: float


class Lobby:
    """The doors of a table, and who stands there.

    Parameters
    ----------
    doors
        The listening socket of each seat that waits for a player.
    greeting_seconds
        How long a connection may take to say its version.
    warn
        Takes a seat and one line about whoever is sent away from it.
    """

    def __init__(
        self,
        doors: Mapping[int, socket.socket],
        greeting_seconds: float,
        warn: Callable[[int, str], None],
    ) -> None:
        self._doors = doors
        self._greeting_seconds = greeting_seconds
        self._warn = warn
        self._strangers: list[_Stranger] = []

    def fill(self, guests: dict[int, LineConnection], seconds: float | None) -> None:
        """Wait until `guests` has a player for every seat.

        Who connects to a seat that is taken stays for the next match. `SeatLostError` if a seat
        is empty after some seconds (None: as long as it takes).
        """
        end = None if seconds is None else monotonic() + seconds
        while empty := [seat for seat in self._doors if seat not in guests]:
            if end is not None and monotonic() >= end:
                raise SeatLostError(empty[0], f"has not connected within {seconds:g} s")
            for ready in self._wait(empty, end):
                if isinstance(ready, int):
                    self._open(ready)
                elif ready.seat not in guests:
                    self._hear(ready, guests)
            self._send_away_late()

    def close(self) -> None:
        """Send everybody away."""
        for stranger in self._strangers:
            stranger.connection.close()
        self._strangers.clear()

    def _wait(self, seats: list[int], end: float | None) -> list[int | _Stranger]:
        """The seats at whose doors somebody stands, and the strangers who have said something."""
        there = [stranger for stranger in self._strangers if stranger.seat in seats]
        ends = [stranger.deadline for stranger in there] + ([] if end is None else [end])
        with selectors.DefaultSelector() as selector:
            for stranger in there:
                selector.register(stranger.connection, selectors.EVENT_READ, stranger)
            for seat in seats:
                selector.register(self._doors[seat], selectors.EVENT_READ, seat)
            timeout = max(min(ends) - monotonic(), 0.0) if ends else None
            return [key.data for key, _ in selector.select(timeout)]

    def _open(self, seat: int) -> None:
        try:
            self._doors[seat].setblocking(False)
            connection = LineConnection(self._doors[seat].accept()[0])
        except OSError as error:  # it had left again before it was let in
            self._warn(seat, f"a connection failed: {error.strerror}")
            return
        self._strangers.append(_Stranger(connection, seat, monotonic() + self._greeting_seconds))
        if len(self._strangers) > MAX_STRANGERS:
            self._send_away(self._strangers[0], "makes room for others")

    def _hear(self, stranger: _Stranger, guests: dict[int, LineConnection]) -> None:
        try:
            line = stranger.connection.receive_now()
        except ConnectionError as error:
            self._send_away(stranger, str(error))
            return
        if line is None:
            return
        version = _VERSION.match(line)
        if version is None:
            self._strangers.remove(stranger)
            stranger.connection.close()
            self._warn(stranger.seat, f"who connected said {line[:40]!r}, not {VERSION}: sent away")
            return
        if version.groups() != ("2", "0"):
            self._warn(stranger.seat, f"speaks {line[:40]!r}, this is {VERSION}; the match goes on")
        self._strangers.remove(stranger)
        guests[stranger.seat] = stranger.connection

    def _send_away_late(self) -> None:
        now = monotonic()
        for stranger in [each for each in self._strangers if each.deadline <= now]:
            self._send_away(stranger, "does not answer in time")

    def _send_away(self, stranger: _Stranger, why: str) -> None:
        self._strangers.remove(stranger)
        stranger.connection.close()
        self._warn(stranger.seat, f"who connected {why} and has not said {VERSION}: sent away")

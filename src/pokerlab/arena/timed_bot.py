"""`TimedBot`: a bot whose actions have a time limit, so that one that hangs does not stop a match.

The bot acts on a thread of its own. One that does not answer in time is left behind there: whoever
waits for it goes on, and Python ends without it. (Code that never lets go of Python's own lock
cannot be left behind.)
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Mapping, Sequence
from contextvars import copy_context
from queue import Empty, SimpleQueue
from time import perf_counter
from typing import Any

import numpy as np

from pokerlab.bots.bot import Bot
from pokerlab.games import BettingGame, DealtState


class TimedBot(Bot):
    """Plays as another bot does; an action that is too late is a `TimeoutError`.

    A late bot gets the limit once more when it is asked the next time. Until it has answered, it
    is out of time at once whenever it is asked, and sees nothing of the hands that are played.

    Parameters
    ----------
    bot
        Who plays.
    seconds
        For an action.

    Examples
    --------
    >>> import time
    >>> from pokerlab.bots import Caller
    >>> from pokerlab.games import load_game
    >>> class Slow(Caller):
    ...     def act(self, view):
    ...         time.sleep(1000)
    >>> bot = TimedBot(Slow(), 0.01)
    >>> bot.act(load_game("kuhn").replay("").view(0))
    Traceback (most recent call last):
    TimeoutError: no answer within 0.01 s
    """

    def __init__(self, bot: Bot, seconds: float) -> None:
        self.bot = bot
        self.seconds = seconds
        self._questions: SimpleQueue[DealtState | None] | None = None
        self._answers: SimpleQueue[tuple[Any, BaseException | None]] = SimpleQueue()
        self._busy = False
        self._waited = False
        self._next_match: tuple[BettingGame, np.random.Generator] | None = None

    def reset(self, game: BettingGame, rng: np.random.Generator) -> None:
        """Begin a match; one that is busy does so when it has answered."""
        self._next_match = game, rng
        self._is_free(wait=True)

    def begin(self, position: int, players: Sequence[int]) -> None:
        """Begin a hand, unless it is busy."""
        if self._is_free():
            self.bot.begin(position, players)

    def act(self, view: DealtState) -> str:
        """Act in time, or raise a `TimeoutError`."""
        if not self._is_free(wait=True):
            raise self._too_late()
        if self._questions is None:
            self._questions = _start(self.bot, self._answers)
            weakref.finalize(self, self._questions.put, None)  # which ends the thread
        began = perf_counter()
        self._questions.put(view)
        self._busy, self._waited = True, False
        try:
            answer, error = self._answers.get(timeout=self.seconds)
        except Empty:
            raise self._too_late() from None
        self._busy = False
        if perf_counter() - began > self.seconds:
            raise self._too_late()
        if error is not None:
            raise error
        return answer  # type: ignore[no-any-return]  # the table checks what it is

    def end(self, view: DealtState) -> None:
        """See how a hand ended, unless it is busy."""
        if self._is_free():
            self.bot.end(view)

    def probabilities(self, view: DealtState) -> Mapping[str, float] | None:
        """The bot's probabilities."""
        return self.bot.probabilities(view)

    def close(self) -> None:
        """Close the bot, unless it is busy: then it is left to the end of the program."""
        if self._is_free():
            self.bot.close()

    def _is_free(self, *, wait: bool = False) -> bool:
        """Whether the bot does nothing; with `wait`, it gets its time again, once."""
        if self._busy:
            try:
                self._answers.get(timeout=self.seconds if wait and not self._waited else 0)
            except Empty:
                self._waited |= wait
                return False
            self._busy = False
        if self._next_match is not None:
            match, self._next_match = self._next_match, None
            self.bot.reset(*match)
        return True

    def _too_late(self) -> TimeoutError:
        return TimeoutError(f"no answer within {self.seconds:g} s")


def _start(
    bot: Bot, answers: SimpleQueue[tuple[Any, BaseException | None]]
) -> SimpleQueue[DealtState | None]:
    """Start the thread on which a bot acts; it reads what is put in the queue, up to None."""
    questions: SimpleQueue[DealtState | None] = SimpleQueue()

    def work() -> None:
        while (view := questions.get()) is not None:
            try:
                answers.put((bot.act(view), None))
            except BaseException as error:  # the one who asked judges it
                answers.put((None, error))

    name = f"act of {type(bot).__name__}"
    threading.Thread(target=copy_context().run, args=(work,), name=name, daemon=True).start()
    return questions

"""Bots that hang: the match goes on, and a bot that answers late plays on."""

from __future__ import annotations

import threading
from time import monotonic

import numpy as np
import pytest

from pokerlab.arena.matches import play_match
from pokerlab.arena.timed_bot import TimedBot
from pokerlab.games import DealtState, load_game
from pokerlab.players.bots import Bot

KUHN = load_game("kuhn")
VIEW = KUHN.replay("").view(0)


class Waits(Bot):
    """Answers when it is allowed to, and notes what it is called for."""

    def __init__(self) -> None:
        self.goes = threading.Event()
        self.calls: list[str] = []

    def reset(self, game: object, rng: object) -> None:
        self.calls.append("reset")

    def begin(self, position: int, players: object) -> None:
        self.calls.append("begin")

    def act(self, view: DealtState) -> str:
        self.calls.append("act")
        self.goes.wait()
        return "r"

    def end(self, view: DealtState) -> None:
        self.calls.append("end")

    def close(self) -> None:
        self.calls.append("close")


def test_a_match_goes_on_without_a_bot_that_hangs() -> None:
    bot = Waits()
    began = monotonic()
    result = play_match("kuhn", [bot, "caller"], 400, time_limit=0.05, duplicate=True)
    assert monotonic() - began < 10
    assert result.hands == 400
    assert result.faults[0] >= 400
    assert result.faults[1] == 0
    assert result.first_faults[0].endswith("out of time")
    assert bot.calls == ["reset", "begin", "act"]  # nobody calls it while it thinks
    bot.goes.set()


def test_a_bot_that_answers_late_plays_on() -> None:
    bot = Waits()
    timed = TimedBot(bot, 0.02)
    timed.reset(KUHN, np.random.default_rng(1))
    with pytest.raises(TimeoutError, match=r"no answer within 0\.02 s"):
        timed.act(VIEW)
    timed.begin(0, [0, 1])
    timed.end(VIEW)
    timed.close()
    timed.reset(KUHN, np.random.default_rng(2))
    with pytest.raises(TimeoutError):
        timed.act(VIEW)
    assert bot.calls == ["reset", "act"]
    bot.goes.set()
    timed.seconds = 10.0
    while True:  # its late answer does not count
        try:
            assert timed.act(VIEW) == "r"
            break
        except TimeoutError:
            continue
    assert bot.calls == ["reset", "act", "reset", "act"]
    timed.close()
    assert bot.calls[-1] == "close"

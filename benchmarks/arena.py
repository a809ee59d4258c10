"""How many hands a second do bots play through the Python interface, on one core?

Heads-up limit hold'em, caller against raiser: on every street a bet is made and called, so all
hands go to a showdown, after 9 or 11 actions and the same pot.

Floor. The rules engine alone, measured in the same run on the same deals: dealing (about 3 µs),
the actions of the hand (about 0.7 µs each) and the payoffs with two evaluations (about 5 µs), no
bots and no views. What the table adds to an action is a view (1.5 µs), two calls, and the bot's
own thoughts.

Peer in the same run: PokerKit's state, with all automations, playing the same betting; it asks
nobody, so it does less.

Measured 2026-11-15 on a shared Xeon with other work beside it, one core, two runs: 17,600 and
14,100 hands a second, 69 and 73 times PokerKit, 0.26 and 0.27 of the bare engine.
"""

from __future__ import annotations

import numpy as np

from benchmarks.common import Row, best_seconds, peer, row_beside
from pokerlab.arena.matches import play_match
from pokerlab.games import load_betting_game

OURS = 5_000
THEIRS = 30
GAME = "holdem.limit.2p"
BOTS = ("caller", "raiser")
# The raiser has the button in the first hand, and then in every other one.
BETTING = ("rccrccrccrc", "crcrcrcrc")
pokerkit = peer("pokerkit")


def play_engine() -> None:
    game = load_betting_game(GAME)
    for number, deal in enumerate(game.deals(np.random.default_rng(1), OURS)):
        state = game.start(deal)
        for action in BETTING[number % 2]:
            state = state.apply(action)
        state.payoffs()


def play_pokerkit() -> None:
    for number in range(THEIRS):
        state = pokerkit.FixedLimitTexasHoldem.create_state(
            tuple(pokerkit.Automation), True, 0, (5, 10), 10, 20, 1_000, 2
        )
        for action in BETTING[number % 2]:
            if action == "r":
                state.complete_bet_or_raise_to()
            else:
                state.check_or_call()


def run() -> list[Row]:
    jobs = {
        "match": lambda: play_match(GAME, BOTS, OURS, 1),
        "timed": lambda: play_match(GAME, BOTS, OURS, 1, time_limit=60.0),
        "engine": play_engine,
    }
    if pokerkit is not None:
        jobs["PokerKit"] = play_pokerkit
    seconds = best_seconds(jobs)
    speed = OURS / seconds["match"]
    their_speed = THEIRS / seconds["PokerKit"] if pokerkit is not None else None
    engine = OURS / seconds["engine"]
    return [
        row_beside(
            "caller against raiser, limit hold'em",
            speed,
            "hands/s",
            "PokerKit, no bots",
            their_speed,
            f"PokerKit {their_speed or 0:.0f}/s",
        ),
        Row(
            "the same, beside the rules engine alone",
            speed,
            "hands/s",
            "engine, no bots",
            speed / engine,
            f"engine {engine:,.0f}/s",
        ),
        Row("the same with a clock", OURS / seconds["timed"], "hands/s"),
    ]

"""A table that waits for a person: the rules, what is shown and hidden, every game."""

import json

import numpy as np
import pytest

from pokerlab.arena import play_hand
from pokerlab.arena.person_table import PersonTable
from pokerlab.games import BettingGame, game_names, load_game
from pokerlab.players.bots import Bot, Caller, make_bot
from pokerlab.views.payloads.person_payload import table_data

CARD_GAMES = [name for name in game_names() if isinstance(load_game(name), BettingGame)]


def table_of(name, bot="caller", **settings):
    game = load_game(name)
    names = [bot if place == 0 else f"{bot}#{place + 1}" for place in range(game.players - 1)]
    return PersonTable(game, [make_bot(bot) for _ in names], names, **settings)


def answer(table, rng):
    """One of the answers that a page offers."""
    decision = table_data(table)["decision"]
    if decision["drawing"]:
        cards = table_data(table)["seats"][0]["cards"]
        return cards[: 2 * int(rng.integers(decision["most"] + 1))] or "0"
    choices = [choice["answer"] for choice in decision["choices"]]
    if decision["sizes"]:
        low, high = decision["sizes"]["low"], decision["sizes"]["high"]
        choices += [str(int(low)), str(int(rng.integers(low, high + 1)))]
    return choices[rng.integers(len(choices))]


@pytest.mark.parametrize("name", CARD_GAMES)
def test_every_game_is_played_with_what_the_page_offers(name):
    rng = np.random.default_rng(5)
    table = table_of(name, "random", seed=3)
    for number in range(4):
        table.deal()
        while table.waiting:
            data = table_data(table)
            assert json.dumps(data) and data["number"] == number + 1
            assert data["seats"][0]["name"] == "you" and data["seats"][0]["cards"]
            assert all(seat["cards"] == "" for seat in data["seats"][1:])
            table.act(answer(table, rng))
        data = table_data(table)
        assert data["result"] is not None and data["decision"] is None
        assert all(seat["cards"] for seat in data["seats"])
        hand = table.hands[-1]
        assert hand.final.payoffs() == hand.payoffs and hand.faults == ()
    assert sum(table.scores) == pytest.approx(0, abs=1e-9)
    assert len(data["last_hands"]) == 4 and data["last_hands"][0]["number"] == 4


def test_a_hand_is_as_at_any_other_table():
    """With a person who calls, the hand is what `play_hand` makes of two callers."""
    table = table_of("holdem.limit.2p", seed=9)
    table.deal()
    while table.waiting:
        table.act("c")
    hand = table.hands[0]
    again = play_hand(table.game, hand.deal, [Caller(), Caller()], names=hand.players)
    assert again == hand


def test_seats_go_round_or_stay():
    for seat, expected in ((None, [0, 2, 1, 0]), (1, [1, 1, 1, 1])):
        table = table_of("holdem.limit.3p", "folder", seat=seat)
        seats = []
        for _ in range(4):
            table.deal()
            seats.append(table.position)
            while table.waiting:
                table.act("f" if table.view.to_call else "c")
        assert seats == expected


def test_sizes_of_no_limit_are_those_of_the_street():
    table = table_of("holdem.nolimit.2p", seat=0, seed=1)
    table.deal()
    table.act("300")
    decision = table_data(table)["decision"]
    assert [choice["words"] for choice in decision["choices"]] == [
        "Check",
        "Bet 300",
        "Bet 450",
        "Bet 600",
        "All-in 19,700",
    ]
    assert decision["sizes"] == {"low": 100, "high": 19700, "what": "Bet", "step": 1}
    table.act("450")
    assert [event["words"] for event in table_data(table)["events"]][-4:-1] == [
        "flop",
        "bet 450",
        "calls 450",
    ]


class Broken(Bot):
    def act(self, view):
        raise RuntimeError("no idea")


def test_a_bot_that_fails_is_named_and_the_hand_goes_on():
    table = PersonTable(load_game("kuhn"), [Broken()], ["broken"], seat=0)
    table.deal()
    table.act("bet")
    result = table_data(table)["result"]
    assert table.hands[0].betting == "rc"
    assert "broken made a fault" in result["faults"][0] and "no idea" in result["faults"][0]


def test_what_cannot_be_done():
    table = table_of("kuhn", seat=0)
    with pytest.raises(ValueError, match="it is not your turn"):
        table.act("c")
    table.deal()
    with pytest.raises(ValueError, match="this hand is not over"):
        table.deal()
    with pytest.raises(ValueError, match=r"'dunno'\? c checks, r bets 1"):
        table.act("dunno")
    with pytest.raises(ValueError, match="kuhn is a game for 2: 1 bots and you"):
        PersonTable(load_game("kuhn"), [], [])
    with pytest.raises(ValueError, match="seat 2: kuhn has the seats 0 to 1"):
        table_of("kuhn", seat=2)

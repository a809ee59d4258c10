"""What a definition accepts, and what it says of one that it does not."""

from __future__ import annotations

import math
import pickle
from dataclasses import replace
from typing import Any

import pytest

from pokerlab.games import BettingGame, Street, load_betting_game

LIMIT = BettingGame(
    name="limit",
    players=2,
    betting="limit",
    ante=1,
    streets=(Street(hole=2, bet=1, max_raises=3), Street(board=3, bet=2, max_raises=3)),
)
NO_LIMIT = replace(LIMIT, name="no-limit", betting="no-limit", stacks=(100, 50))


@pytest.mark.parametrize(
    ("game", "changes", "message"),
    [
        (LIMIT, {"players": 1}, "players: 1 is not a number of seats (2 to 10)"),
        (LIMIT, {"players": 11}, "players: 11 is not a number of seats (2 to 10)"),
        (LIMIT, {"players": "2"}, "players: '2' is not a number of seats (2 to 10)"),
        (LIMIT, {"betting": "fixed"}, "betting: 'fixed' is not known (limit, pot-limit, no-limit)"),
        (LIMIT, {"reopen": "no"}, "reopen: 'no' is not known (full, any)"),
        (LIMIT, {"odd_chips": "no"}, "odd_chips: 'no' is not known (split, first)"),
        (
            LIMIT,
            {"showdown": "omaha"},
            "showdown: 'omaha' is not known (high-card, kinds, three-card, five-card)",
        ),
        (LIMIT, {"ante": -1}, "ante: -1 is not a whole number (0 to 1000000000000)"),
        (LIMIT, {"ante": 0.5}, "ante: 0.5 is not a whole number (0 to 1000000000000)"),
        (LIMIT, {"unit": 0}, "unit: 0 is not a whole number (1 to 1000000000000)"),
        (LIMIT, {"blinds": (1,)}, "blinds: 1 given, 2 players need one each (or none)"),
        (LIMIT, {"stacks": (1, 2, 3)}, "stacks: 3 given, 2 players need one each (or none)"),
        (LIMIT, {"stacks": (5, 0)}, "stacks: 0 is not a whole number (1 to 1000000000000)"),
        (
            NO_LIMIT,
            {"stacks": ()},
            "stacks: missing, a no-limit game needs one for each player",
        ),
        (
            LIMIT,
            {"menu": "50%"},
            "menu: a limit game has one bet size (only pot-limit and no-limit)",
        ),
        (
            NO_LIMIT,
            {"menu": "50%, b"},
            "menu: 'b' is not a bet size (a share of the pot, 50%, or a: all-in)",
        ),
        (
            NO_LIMIT,
            {"menu": "0%"},
            "menu: '0%' is not a bet size (a share of the pot, 50%, or a: all-in)",
        ),
        (LIMIT, {"ranks": "1"}, "ranks: '1' are not different ranks out of 23456789TJQKA"),
        (LIMIT, {"ranks": "KK"}, "ranks: 'KK' are not different ranks out of 23456789TJQKA"),
        (LIMIT, {"suits": ""}, "suits: '' are not different suits out of cdhs"),
        (LIMIT, {"streets": ()}, "streets: none given, a game needs one or more"),
        (
            LIMIT,
            {"streets": (Street(board=5, bet=1),)},
            "streets[0].hole: a player needs a private card to begin with",
        ),
        (
            LIMIT,
            {"streets": (Street(hole=5, bet=1, first=2),)},
            "streets[0].first: 2 is not a seat (0 to 1)",
        ),
        (
            LIMIT,
            {"streets": (Street(hole=5, bet=1), Street())},
            "streets[1].bet: missing, a limit game needs a bet size on each street",
        ),
        (
            LIMIT,
            {"streets": (Street(hole=5, bet=1), Street(bet=1, draw=6))},
            "streets[1].draw: 6 cards cannot be exchanged, a player has 5",
        ),
        (
            LIMIT,
            {"streets": (Street(hole=5, bet=1, max_raises=-1),)},
            "streets[0].max_raises: -1 is not a whole number (0 to 1000)",
        ),
        (
            LIMIT,
            {"ranks": "A"},
            "streets: 2 × 2 private, 3 public and 0 exchanged cards do not fit into a deck of 4",
        ),
        (
            LIMIT,
            {"showdown": "three-card"},
            "showdown: three-card ranks 3 to 3 cards, this game has 2 private and 3 public ones",
        ),
    ],
)
def test_contradictions_are_named(game: BettingGame, changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError) as caught:
        replace(game, **changes)
    assert str(caught.value) == message


def test_a_deck_has_no_order() -> None:
    assert replace(LIMIT, ranks="AKQJ", suits="sh") == replace(LIMIT, ranks="JQKA", suits="hs")


def test_stacks_without_end() -> None:
    assert LIMIT.chips == (math.inf, math.inf)
    assert NO_LIMIT.chips == (100, 50)


def test_the_unit_divides_payoffs() -> None:
    deal = LIMIT.make_deal(["AsAh", "2s3h"], "KsKh9d")
    assert LIMIT.replay("rc/rc", deal).payoffs() == (4.0, -4.0)
    assert replace(LIMIT, unit=8).replay("rc/rc", deal).payoffs() == (0.5, -0.5)


def test_other_stacks_other_seats() -> None:
    draw = load_betting_game("draw")
    assert draw.with_stacks([5, 6, 7]).players == 3
    with pytest.raises(ValueError, match=r"stacks: 3 given, holdem.nolimit.2p has 2 seats"):
        load_betting_game("holdem.nolimit.2p").with_stacks([5, 6, 7])


def test_another_process_gets_the_rules_and_no_nodes() -> None:
    game = load_betting_game("leduc")
    game.replay("rrc/rrc")
    copy = pickle.loads(pickle.dumps(game))
    assert copy == game
    assert hash(copy) == hash(game)
    assert "first_betting" not in vars(copy)
    assert copy.replay("rrc/rrc").spent == (13, 13)


def test_every_street_is_checked_before_cards_are_counted():
    streets = (Street(hole=1, bet=1), Street(hole="x", bet=1))
    with pytest.raises(ValueError, match=r"streets\[1\].hole: 'x' is not a whole number"):
        BettingGame(name="bad", players=2, betting="limit", streets=streets, showdown="high-card")

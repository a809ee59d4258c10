"""Games in the format of the ACPC server."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokerlab.games import BettingGame, Street, load_betting_game, read_acpc, write_acpc

LIMIT_2P = """
GAMEDEF
limit
numPlayers = 2
numRounds = 4
blind = 10 5
raiseSize = 10 10 20 20
firstPlayer = 2 1 1 1
maxRaises = 3 4 4 4
numSuits = 4
numRanks = 13
numHoleCards = 2
numBoardCards = 0 3 1 1
END GAMEDEF
"""
LIMIT_3P = (
    LIMIT_2P.replace("numPlayers = 2", "numPlayers = 3")
    .replace("blind = 10 5", "blind = 5 10 0")
    .replace("firstPlayer = 2", "firstPlayer = 3")
)
NO_LIMIT_2P = """# comments stand at the beginning of a line
gamedef
NOLIMIT
numboardcards 0 3 1 1
numholecards = 2
numranks = 13

numsuits=4
firstplayer = 2 1 1 1
Blind = 100 50
STACK = 20000 20000
numRounds 4
numPlayers 2
end gamedef
whatever comes after the end is not read
"""
NO_LIMIT_3P = (
    NO_LIMIT_2P.replace("Players 2", "Players 3")
    .replace("100 50", "50 100 0")
    .replace("20000 20000", "20000 20000 20000")
    .replace("firstplayer = 2", "firstplayer = 3")
)
KUHN_3P = """GAMEDEF
limit
numPlayers = 3
numRounds = 1
blind = 1 1 1
raiseSize = 1
firstPlayer = 1
maxRaises = 1
numSuits = 1
numRanks = 4
numHoleCards = 1
numBoardCards = 0
END GAMEDEF
"""


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (LIMIT_2P, "holdem.limit.2p"),
        (LIMIT_3P, "holdem.limit.3p"),
        (NO_LIMIT_2P, "holdem.nolimit.2p"),
        (NO_LIMIT_3P, "holdem.nolimit.3p"),
        (KUHN_3P, "kuhn.3p"),
    ],
)
def test_the_games_of_the_server_are_those_of_the_catalogue(text: str, name: str) -> None:
    game = read_acpc(text, name)
    assert game == load_betting_game(name)
    assert read_acpc(write_acpc(game), name) == game


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("limit\n", "", "betting: a file says limit or nolimit"),
        ("limit\n", "limit\nnolimit\n", "limit and nolimit: a file says limit or nolimit"),
        ("numPlayers = 2", "", "numPlayers: missing"),
        ("numPlayers = 2", "numPlayers = two", "numPlayers: 'two' are not whole numbers"),
        ("numPlayers = 2", "numPlayers = 2 2", "numPlayers: 2 given, 1 needed"),
        ("numPlayers = 2", "numPlayers = 2\nnumPlayers = 2", "numPlayers: stands twice"),
        ("numPlayers = 2", "numPlayers = 3", "blind: 2 given, 3 needed"),
        ("numRounds = 4", "numRounds = 3", "numBoardCards: 4 given, 3 needed"),
        ("numRounds = 4", "", "numRounds: missing"),
        ("blind = 10 5", "", "blind: missing"),
        ("blind = 10 5", "blinds = 10 5", "blinds: unknown field (limit, nolimit, numPlayers,"),
        ("blind = 10 5", "blind = 10 -5", "blinds: -5 is not a whole number (0 to"),
        ("blind = 10 5", "blind = 10 5\nstack = 7 9", "blind: 10 of player 1 is more than the st"),
        ("raiseSize = 10 10 20 20", "", "raiseSize: missing"),
        ("limit\n", "nolimit\nstack = 50 50\n", "raiseSize: a nolimit game has none"),
        ("firstPlayer = 2", "firstPlayer = 0", "streets[0].first: -1 is not a seat (0 to 1)"),
        ("firstPlayer = 2", "firstPlayer = 3", "streets[0].first: 2 is not a seat (0 to 1)"),
        ("numSuits = 4", "numSuits = 5", "numSuits: 5 is not a number of them (1 to 4)"),
        ("numRanks = 13", "numRanks = 0", "numRanks: 0 is not a number of them (1 to 13)"),
        ("numHoleCards = 2", "numHoleCards = 0", "streets[0].hole: a player needs a private card"),
        ("numHoleCards = 2", "numHoleCards = 3", "showdown: five-card ranks 5 to 7 cards, this"),
        ("numRanks = 13", "numRanks = 2", "streets: 2 × 2 private, 5 public and 0 exchanged"),
    ],
)
def test_bad_files_are_named(old: str, new: str, message: str) -> None:
    with pytest.raises(ValueError) as caught:
        read_acpc(LIMIT_2P.replace(old, new), "bad", "dir/bad.game")
    assert str(caught.value).startswith("dir/bad.game: " + message)
    assert "\n" not in str(caught.value)


def test_no_limit_needs_stacks() -> None:
    with pytest.raises(ValueError, match="bad: stack: missing"):
        read_acpc(NO_LIMIT_2P.replace("STACK = 20000 20000", ""), "bad")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("leduc", "leduc: ranks: 'JQK' cannot be written in the ACPC format"),
        ("rhodeisland", "rhodeisland: showdown: 'three-card' cannot be written in the ACPC format"),
        ("onecard2", "onecard2: unit: 2 cannot be written in the ACPC format"),
        ("draw", "draw: streets: .* cannot be written in the ACPC format"),
    ],
)
def test_what_the_format_cannot_say_is_named(name: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        write_acpc(load_betting_game(name))


@st.composite
def games(draw: st.DrawFn) -> BettingGame:
    """Games that the format can say."""
    players = draw(st.integers(2, 5))
    limit = draw(st.booleans())
    seats = st.lists(st.integers(50, 99), min_size=players, max_size=players).map(tuple)
    stacks = draw(seats | st.just(()) if limit else seats)
    blinds = tuple(draw(st.lists(st.integers(0, 9), min_size=players, max_size=players)))
    same = len(set(blinds)) == 1
    cap = st.none() | st.integers(0, 9) if stacks else st.integers(0, 9)
    streets = [
        Street(
            hole=0 if number else 2,
            board=draw(st.just(3)) if number == 1 else 1 if number else 0,
            first=draw(st.integers(0, players - 1)),
            bet=draw(st.integers(1, 20)) if limit else 0,
            max_raises=draw(cap),
        )
        for number in range(draw(st.integers(2, 4)))
    ]
    return BettingGame(
        name="game",
        players=players,
        betting="limit" if limit else "no-limit",
        ante=blinds[0] if same else 0,
        blinds=() if same else blinds,
        stacks=stacks,
        reopen="any" if len(set(stacks)) > 1 else "full",
        ranks=draw(st.sampled_from(["23456789TJQKA", "789TJQKA"])),
        suits=draw(st.sampled_from(["cdhs", "dhs"])),
        streets=tuple(streets),
    )


@given(games())
def test_round_trip(game: BettingGame) -> None:
    assert read_acpc(write_acpc(game), "game") == game

"""Games as TOML."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokerlab.games import BettingGame, Street, load_betting_game, read_toml, write_toml

KUHN = """
players = 2
betting = "limit"
showdown = "high-card"
ante = 1
[[streets]]
hole = 1
bet = 1
"""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("players =", "not a TOML file: Invalid value (at end of document)"),
        ("", "players: missing (2 to 10)"),
        ("players = " + "[" * 100_000, "not a TOML file: its brackets are nested too deeply"),
        ("c" * 5000 + " = 1", f"{'c' * 57}...: unknown field"),
        (f"name = {[1] * 5000}\n{KUHN}", "name: [1, 1, 1, 1, 1,"),
        ("players = 2", "betting: missing (limit, pot-limit, no-limit)"),
        ('players = 2\nbetting = "limit"', "streets: missing"),
        (KUHN + "rake = 1", "streets[0].rake: unknown field (bet, board, draw, first, hole, max"),
        (KUHN + "max_raise = 1", "streets[0].max_raise: unknown field, did you mean max_raises?"),
        ("colour = 1\n" + KUHN, "colour: unknown field (ante, betting, blinds, description, menu"),
        ("blind = [1, 2]\n" + KUHN, "blind: unknown field, did you mean blinds? (ante, betting"),
        ("blinds = 3\n" + KUHN, "blinds: 3 is not a list of whole numbers, one a player"),
        ("blinds = [1, 2, 3]\n" + KUHN, "blinds: 3 given, 2 players need one each (or none)"),
        ('blinds = ["a", 2]\n' + KUHN, "blinds: 'a' is not a whole number (0 to 1000000000000)"),
        ("ranks = 13\n" + KUHN, "ranks: 13 is not a text"),
        ("name = 13\n" + KUHN, "name: 13 is not a text"),
        (KUHN.replace("ante = 1", "ante = true"), "ante: True is not a whole number (0 to"),
        (KUHN.replace("bet = 1", ""), "streets[0].bet: missing, a limit game needs a bet size"),
        ('players = 2\nbetting = "limit"\nstreets = 3', "streets: not a list of tables (one [["),
        ('players = 2\nbetting = "limit"\nstreets = [3]', "streets: not a list of tables (one [["),
    ],
)
def test_bad_files_are_named(text: str, message: str) -> None:
    with pytest.raises(ValueError) as caught:
        read_toml(text, "game", "dir/game.toml")
    assert str(caught.value).startswith("dir/game.toml: " + message)
    assert "\n" not in str(caught.value)


def test_the_name_is_that_of_the_file_or_in_it() -> None:
    text = KUHN + "max_raises = 1"
    assert read_toml(text, "file").name == "file"
    assert read_toml('name = "mine"\n' + text, "file").name == "mine"


@pytest.mark.parametrize("name", ["../../../x/evil", "a/b", "", ".hidden", "x" * 65, "a b", "ä"])
def test_a_name_that_is_no_file_name_is_refused(name: str) -> None:
    # Strategies and tables are kept in files that are named by the game.
    with pytest.raises(ValueError, match=r"file: name: .* is not the name of a game \(1 to 64"):
        read_toml(f'name = "{name}"\n' + KUHN + "max_raises = 1", "file")


def test_a_limit_game_that_never_ends_is_refused() -> None:
    with pytest.raises(ValueError, match=r"file: streets\[0\].max_raises: missing, players could"):
        read_toml(KUHN, "file")
    deep = "stacks = [1_001, 1_001]\n" + KUHN
    with pytest.raises(ValueError, match="the stacks hold more than 1,000 bets of 1"):
        read_toml(deep, "file")
    assert read_toml("stacks = [1_000, 1_000]\n" + KUHN, "file").streets[0].max_raises is None
    assert read_toml(deep + "max_raises = 4", "file").streets[0].max_raises == 4


@st.composite
def games(draw: st.DrawFn) -> BettingGame:
    players = draw(st.integers(2, 4))
    chips = st.integers(1, 50)
    betting = draw(st.sampled_from(["limit", "pot-limit", "no-limit"]))
    street = st.builds(
        Street,
        first=st.integers(0, players - 1),
        bet=chips,
        board=st.integers(0, 1),
        draw=st.integers(0, 1),
        max_raises=st.none() | st.integers(0, 5),
    )
    first = Street(hole=1, bet=1, first=draw(st.integers(0, players - 1)))
    seats = st.lists(chips, min_size=players, max_size=players).map(tuple)
    return BettingGame(
        name=draw(st.from_regex(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}", fullmatch=True)),
        description=draw(st.text()),
        players=players,
        betting=betting,
        ante=draw(st.integers(0, 3)),
        blinds=draw(st.just(()) | seats),
        stacks=draw(seats),
        menu="" if betting == "limit" else draw(st.sampled_from(["", "50%, a", "33.3%"])),
        showdown=draw(st.sampled_from(["high-card", "kinds"])),
        reopen=draw(st.sampled_from(["full", "any"])),
        odd_chips=draw(st.sampled_from(["split", "first"])),
        unit=draw(st.integers(1, 3)),
        streets=(first, *draw(st.lists(street, max_size=3))),
    )


@given(games())
def test_round_trip(game: BettingGame) -> None:
    back = read_toml(write_toml(game), "other")
    assert back == game
    assert back.description == game.description


def test_the_catalogue_round_trips(card_game: BettingGame) -> None:
    assert read_toml(write_toml(card_game), "other") == card_game


def test_written_files_say_what_differs_from_the_defaults() -> None:
    assert "max_raises" not in write_toml(load_betting_game("holdem.nolimit.2p"))

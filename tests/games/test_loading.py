"""Games by name and from files."""

from __future__ import annotations

from pathlib import Path

import pytest

from pokerlab.games import (
    BettingGame,
    Game,
    State,
    game_names,
    load_betting_game,
    load_game,
    write_acpc,
    write_toml,
)

FIXED_NAMES = {
    *("kuhn", "kuhn.3p", "kuhn2", "onecard", "onecard2", "leduc", "leduc.reversed"),
    *("rhodeisland", "holdem.limit.2p", "holdem.limit.3p", "holdem.nolimit.2p"),
    *("holdem.nolimit.3p", "draw", "rps", "rps.dynamite", "pennies", "coins.3p"),
    *("seminar1", "seminar2", "stud", "stud.small"),
}


def test_the_catalogue_has_its_names_and_a_line_about_each() -> None:
    names = game_names()
    assert names.keys() >= FIXED_NAMES
    for name, description in names.items():
        game = load_game(name)
        assert game.name == name
        assert isinstance(game, Game)
        assert isinstance(game.start(), State)
        assert 10 < len(description) < 110
        assert "\n" not in description


def test_a_game_is_loaded_once() -> None:
    assert load_game("leduc") is load_betting_game("leduc")


def test_files(tmp_path: Path) -> None:
    game = load_betting_game("holdem.nolimit.3p")
    for name, text in (("mine.toml", write_toml(game)), ("mine.GAME", write_acpc(game))):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        for spelled in (path, str(path)):
            loaded = load_game(spelled)
            assert isinstance(loaded, BettingGame)
            assert loaded.streets == game.streets
    assert load_game(tmp_path / "mine.GAME").name == "mine"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("nope", "no game 'nope' (coins.3p, draw, holdem.limit.2p,"),
        ("leduk", "no game 'leduk', did you mean leduc? (coins.3p,"),
        ("kuhn3", "no game 'kuhn3', did you mean kuhn or kuhn.3p or kuhn2? ("),
        ("", "no game '' (coins.3p,"),
        ("../leduc", "no game '../leduc', did you mean leduc? (coins.3p,"),
        ("nowhere/x.toml", "nowhere/x.toml: cannot be read: No such file or directory"),
    ],
)
def test_unknown_games_are_named(name: str, message: str) -> None:
    with pytest.raises(ValueError) as caught:
        load_game(name)
    assert str(caught.value).startswith(message)
    assert str(caught.value).count("\n") == 0


def test_unreadable_files(tmp_path: Path) -> None:
    (tmp_path / "binary.game").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ValueError, match=r"binary.game: not a text file in UTF-8"):
        load_game(tmp_path / "binary.game")
    (tmp_path / "folder.toml").mkdir()
    with pytest.raises(ValueError, match=r"folder.toml: cannot be read: "):
        load_game(tmp_path / "folder.toml")
    (tmp_path / "bad.toml").write_text("players = 1", encoding="utf-8")
    with pytest.raises(ValueError, match=r"bad.toml: betting: missing"):
        load_game(tmp_path / "bad.toml")


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("my game.toml", "my-game"),
        ("ä.game", "game"),
        (".toml.toml", "toml"),
        ("a.b_c.toml", "a.b_c"),
    ],
)
def test_the_name_of_a_file_becomes_the_name_of_a_game(
    file: str, name: str, tmp_path: Path
) -> None:
    game = load_betting_game("kuhn.3p" if file.endswith(".toml") else "holdem.limit.2p")
    path = tmp_path / file
    text = write_toml(game) if path.suffix == ".toml" else write_acpc(game)
    path.write_text(text.replace(f'name = "{game.name}"\n', ""))
    assert load_game(path).name == name


def test_files_that_are_far_too_long_are_not_read(tmp_path: Path) -> None:
    for name in ("endless.toml", "endless.game"):
        (tmp_path / name).write_bytes(b"#" * 100_001)
        with pytest.raises(ValueError, match=f"{name}: not the file of a game: it has more than"):
            load_game(tmp_path / name)

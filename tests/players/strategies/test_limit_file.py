"""Strategies of limit games on disk."""

import os
import re
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from pokerlab.games import BettingGame, load_betting_game, load_game
from pokerlab.games.formats.toml_game import read_toml, write_toml
from pokerlab.games.loading import game_names
from pokerlab.holdem.limit.sampling.bucketed_game import BucketedGame
from pokerlab.holdem.limit.training.training import train
from pokerlab.players.bots.limit_bot import TwoPlayerLimitBot
from pokerlab.players.strategies import limit_file
from pokerlab.players.strategies.limit_file import (
    LIMIT_FORMAT,
    LimitStrategy,
    default_strategy_file,
    file_bytes,
)
from pokerlab.runtime.errors import DamagedFileError
from pokerlab.runtime.files.tensor_files import write_hashed
from pokerlab.runtime.files.tensor_map import read_tensors


@pytest.fixture(scope="module")
def leduc():
    game = BucketedGame.of(load_betting_game("leduc"), "each")
    return LimitStrategy.of(train(game, iterations=2_000, threads=1))


@pytest.fixture
def file(leduc, tmp_path):
    path = tmp_path / "leduc.safetensors"
    leduc.save(path)
    return path


def test_what_is_written_is_read(leduc, file):
    found = LimitStrategy.load(file)
    assert file.stat().st_size <= file_bytes(leduc.game.rows)
    os.truncate(file, 100)  # it was read as a whole
    np.testing.assert_array_equal(found.probabilities, leduc.probabilities)
    for name in ("iterations", "seconds", "method", "rule", "exploitability", "error", "exact"):
        assert getattr(found, name) == getattr(leduc, name)
    assert found.game.digest == leduc.game.digest


def test_triples_are_rows_of_the_table(leduc):
    game = leduc.game
    table = leduc.table()
    deck = game.game.deck
    for hole, card in [(deck[0], deck[3]), (deck[5], deck[1])]:
        group = int(game.groups[1].values[deck.index(hole) * 6 + deck.index(card)])
        for history in ("cc/", "cc/r", "crc/c", "rc/rr"):
            expected = table.probabilities[table.row(history, group)]
            found = leduc.triple(history, [hole], [card])
            if np.isnan(expected[0]):
                assert found is None
            else:
                np.testing.assert_allclose(found, expected, atol=1e-3)
            assert leduc.triple(history, (hole,), [(), (card,)]) == found
    # Cards of later streets do not count.
    assert leduc.triple("c", [deck[0]], [deck[3]]) == leduc.triple("c", [deck[0]], [])


def test_nobody_decides(leduc):
    with pytest.raises(ValueError, match="nobody decides after 'rf' in leduc"):
        leduc.triple("rf", [leduc.game.game.deck[0]], [])


@pytest.mark.parametrize(("hole", "board"), [((), ()), ((0, 4), ()), ((0,), (4, 8))])
def test_cards_that_no_street_has(leduc, hole, board):
    with pytest.raises(ValueError, match=f"no street with {len(hole)} private and {len(board)}"):
        leduc.at(leduc.game.game.first_betting, hole, board)


@pytest.mark.slow
def test_merged_betting_finds_the_same_node():
    game = BucketedGame.of(load_betting_game("holdem.limit.3p"), "classes")
    strategy = LimitStrategy.of(train(game, iterations=200, threads=1, boards=1))
    hole, board = [51, 47], [0, 5, 10]
    # The same chips by another order of the betting before the flop.
    first, second = (strategy.triple(text, hole, board) for text in ("rrcc/", "crrcc/"))
    assert strategy._number("rrcc/") == strategy._number("crrcc/")
    assert first == second
    with pytest.raises(ValueError, match=r"holdem.limit.3p is merged"):
        strategy.table()


def test_other_groups_are_refused(leduc, file, monkeypatch):
    coarse = BucketedGame.of(load_betting_game("leduc"), "none")
    message = r"trained for the groups each \(6, 30\), not for none \(1, 1\)"
    with pytest.raises(ValueError, match=message):
        LimitStrategy.load(file, coarse)
    kuhn = BucketedGame.of(load_betting_game("kuhn"), "each")
    with pytest.raises(ValueError, match="it is for leduc, not for kuhn"):
        LimitStrategy.load(file, kuhn)
    groups = leduc.game.groups
    swapped = BucketedGame(
        leduc.game.game, (groups[0], type(groups[1])(30, groups[1].values[::-1].copy())), "each"
    )
    with pytest.raises(ValueError, match="another version of the groups each; train it again"):
        LimitStrategy.load(file, swapped)


def rewritten(file, probabilities=None, **metadata):
    """The file with another table or other metadata, and a hash that fits."""
    tensors, entries = read_tensors(file, LIMIT_FORMAT)
    table = tensors["chances"] if probabilities is None else probabilities
    entries = {key: text for key, text in (entries | metadata).items() if text and key != "hash"}
    write_hashed(file, {"chances": table}, entries)


@pytest.mark.parametrize(
    ("metadata", "message"),
    [
        (
            {"format": "pokerlab limit strategy 2"},
            "has a limit strategy of version 2, this pokerlab reads version 3: train it again with",
        ),
        ({"format": "something else"}, "is not a pokerlab limit strategy 3 but something"),
        ({"game": "chess"}, "is damaged: a game: not a TOML file"),
        ({"game": ""}, "is damaged: there is no 'game'"),
        ({"iterations": "many"}, "is damaged: iterations is many, not a whole number"),
        ({"seconds": "NaN"}, "is damaged: seconds: nan is not a finite number"),
        ({"counts": "[6]"}, r"trained for the groups each \(6,\), not for each \(6, 30\)"),
        ({"groups": "kings"}, "kings"),
    ],
)
def test_metadata_that_no_training_writes(file, metadata, message):
    rewritten(file, **metadata)
    with pytest.raises(ValueError, match=message) as raised:
        LimitStrategy.load(file)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    "row",
    [
        (0.5, 0.5, np.nan),
        (0.5, -0.5, 1.0),
        (60000.0, 0.0, 0.0),
        (0.5, 0.0, 0.0),
        (np.inf, 0.0, 0.0),
    ],
)
def test_a_row_that_is_no_strategy_is_refused_although_the_hash_fits(leduc, file, row):
    probabilities = leduc.probabilities.copy()
    probabilities[77] = row
    rewritten(file, probabilities)
    with pytest.raises(DamagedFileError, match=r"row 77 is .*: not a probability distribution"):
        LimitStrategy.load(file)


def test_tables_of_another_shape_or_type(file):
    for table, message in (
        (np.full((5, 3), 1 / 3, np.float16), "it has 5 rows, .* needs 936"),
        (np.full((936, 2), 0.5, np.float16), r"float16 of shape \(936, 2\), not float16 of shape"),
        (np.full((936, 3), 1 / 3, np.float32), "is float32 of shape"),
    ):
        rewritten(file, table)
        with pytest.raises(ValueError, match=message):
            LimitStrategy.load(file)


def test_any_flipped_bit_is_noticed(file, tmp_path):
    content = bytearray(file.read_bytes())
    rng = np.random.default_rng(4)
    bad = tmp_path / "bad.safetensors"
    for place in rng.integers(0, len(content), 400).tolist():
        changed = bytearray(content)
        changed[place] ^= 1 << int(rng.integers(8))
        bad.write_bytes(changed)
        with pytest.raises(ValueError) as raised:
            LimitStrategy.load(bad)
        assert "\n" not in str(raised.value)
        assert len(str(raised.value)) < 600


def test_a_file_cut_anywhere_is_noticed(file, tmp_path):
    content = file.read_bytes()
    bad = tmp_path / "bad.safetensors"
    for length in (0, 7, 8, 100, len(content) // 2, len(content) - 1):
        bad.write_bytes(content[:length])
        with pytest.raises(DamagedFileError):
            LimitStrategy.load(bad)


MINE = """
name = "mine"
players = 2
betting = "limit"
ranks = "JQKA"
suits = "sh"
showdown = "high-card"
ante = 1

[[streets]]
hole = 1
bet = 2
max_raises = 2
"""


def test_a_game_of_ones_own_travels_in_the_file(tmp_path):
    """Nothing but the strategy file is needed to play it."""
    mine = read_toml(MINE, "mine")
    file = tmp_path / "m.st"
    LimitStrategy.of(train(BucketedGame.of(mine, "each"), iterations=500, threads=1)).save(file)
    found = LimitStrategy.load(file)
    assert found.game.game == mine
    bot = TwoPlayerLimitBot(file)
    bot.reset(replace(mine, name="yours", description="The same."), np.random.default_rng(1))
    other = read_toml(MINE.replace("bet = 2", "bet = 3"), "mine")
    with pytest.raises(ValueError, match="a strategy of mine cannot play mine"):
        bot.reset(other, np.random.default_rng(1))
    with pytest.raises(ValueError, match="it is for mine, not for one with other rules"):
        LimitStrategy.load(file, BucketedGame.of(other, "each"))


@pytest.mark.parametrize("name", [n for n in game_names() if isinstance(load_game(n), BettingGame)])
def test_rules_of_every_game_read_back(name):
    game = load_betting_game(name)
    assert read_toml(write_toml(game), "a game") == game


def test_default_files_stay_in_their_folder():
    mine = read_toml(MINE, "mine")
    folder = default_strategy_file("leduc").parent
    assert default_strategy_file(load_betting_game("leduc")) == folder / "leduc.safetensors"
    # A game that only calls itself so has a file of its own.
    files = {default_strategy_file(replace(mine, name=name)) for name in ("leduc", "mine")}
    files.add(default_strategy_file(replace(mine, name="mine", ante=2)))
    assert len(files) == 3
    assert folder / "leduc.safetensors" not in files
    assert all(file.parent == folder for file in files)
    odd = SimpleNamespace(name="../../../x/evil\n" + 80 * "é")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(limit_file, "write_toml", lambda game: game.name)
        file = default_strategy_file(odd)
    assert file.parent == folder
    assert file.resolve().parent == folder.resolve()
    assert re.fullmatch(r"[A-Za-z0-9-]{1,60}\.safetensors", file.name)


def test_no_file(tmp_path):
    with pytest.raises(ValueError, match="there is no file"):
        LimitStrategy.load(tmp_path / "nothing")

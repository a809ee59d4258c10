"""Strategies of limit games on disk."""

import numpy as np
import pytest
from safetensors.numpy import save_file

from pokerlab.abstraction.sampling.bucketed_game import BucketedGame
from pokerlab.abstraction.training.training import train
from pokerlab.games import load_betting_game
from pokerlab.strategies.limit_file import LIMIT_FORMAT, LimitStrategy, file_bytes


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
    np.testing.assert_array_equal(found.chances, leduc.chances)
    assert isinstance(found.chances, np.memmap)
    for name in ("iterations", "seconds", "method", "rule", "exploitability", "error", "exact"):
        assert getattr(found, name) == getattr(leduc, name)
    assert found.game.digest == leduc.game.digest
    assert file.stat().st_size <= file_bytes(leduc.game)


def test_triples_are_rows_of_the_table(leduc):
    game = leduc.game
    table = leduc.table()
    deck = game.game.deck
    for hole, card in [(deck[0], deck[3]), (deck[5], deck[1])]:
        group = int(game.groups[1].values[deck.index(hole) * 6 + deck.index(card)])
        for history in ("cc/", "cc/r", "crc/c", "rc/rr"):
            expected = table.chances[table.row(history, group)]
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


@pytest.mark.parametrize(
    ("metadata", "chances", "message"),
    [
        (
            {"format": "pokerlab limit strategy 1"},
            None,
            "has a limit strategy of version 1, this pokerlab reads version 2: train it again with",
        ),
        ({"format": "something else"}, None, "is not a pokerlab limit strategy 2 but something"),
        ({"game": "chess"}, None, "chess"),
        ({"iterations": "many"}, None, "iterations is many, not a whole number"),
        ({}, np.zeros((5, 3), np.float16), r"a table of shape \(5, 3\), .* needs \(936, 3\)"),
        ({}, np.zeros((936, 3), np.float32), "of type float32, not float16"),
    ],
)
def test_damaged_files(leduc, tmp_path, metadata, chances, message):
    good = tmp_path / "good.safetensors"
    leduc.save(good)
    from pokerlab.files.tensor_files import read_tensors

    tensors, entries = read_tensors(good, LIMIT_FORMAT)
    bad = tmp_path / "bad.safetensors"
    table = tensors["chances"] if chances is None else chances
    save_file({"chances": np.ascontiguousarray(table)}, bad, metadata=entries | metadata)
    with pytest.raises(ValueError, match=message) as raised:
        LimitStrategy.load(bad)
    assert "\n" not in str(raised.value)


def test_no_file(tmp_path):
    with pytest.raises(ValueError, match="there is no file"):
        LimitStrategy.load(tmp_path / "nothing")

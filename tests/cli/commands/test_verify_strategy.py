"""`pokerlab verify` reads a trained strategy from end to end."""

import pytest


@pytest.fixture
def mine(run, tmp_path):
    """A game of one's own and its strategy; the game's file is gone afterwards."""
    game, file = tmp_path / "mine.toml", tmp_path / "m.st"
    game.write_text(
        'players = 2\nbetting = "limit"\nranks = "JQKA"\nsuits = "s"\nshowdown = "high-card"\n'
        "ante = 1\n[[streets]]\nhole = 1\nbet = 1\nmax_raises = 1\n"
    )
    trained = run("train", game, "--buckets", "each", "--iterations", "2000", "-o", file)
    assert trained.code == 0, trained.err
    match = run("match", game, f"cfr2:{file}", "caller", "--hands", "20", "--json")
    assert match.json["hands"] == 20
    game.unlink()
    return file


def test_a_strategy_is_as_it_was_written(run, mine):
    data = run("verify", mine, "--json").json
    assert data["ok"] is True
    assert (data["game"], data["groups"], data["rows"]) == ("mine", "each", 16)
    assert "as it was written" in run("verify", mine).out
    content = bytearray(mine.read_bytes())
    content[-1] ^= 1
    mine.write_bytes(content)
    outcome = run("verify", mine)
    assert outcome.code == 2
    assert "is damaged: its content does not fit its hash" in outcome.err
    assert outcome.err.count("\n") == 1

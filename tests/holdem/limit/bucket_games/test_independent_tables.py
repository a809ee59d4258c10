import numpy as np
import pytest

from pokerlab.games import load_betting_game
from pokerlab.holdem.limit.bucket_games import independent_tables as module
from pokerlab.holdem.limit.bucket_games.independent_game import IndependentBucketGame
from pokerlab.holdem.limit.sampling.bucketed_game import BucketedGame
from pokerlab.holdem.limit.training.trainer import checkpoint_bytes
from pokerlab.holdem.limit.training.training import train


def test_the_matrices_of_leduc_are_what_anybody_can_count():
    """Six cards, one of which is public later; (hand, board) is a group of its own then."""
    leduc = BucketedGame.of(load_betting_game("leduc"), "each")
    game = module.independent_game_of(leduc)
    assert game.start == pytest.approx(np.full((2, 6), 1 / 6))
    (moves,) = game.transitions
    assert moves.shape == (6, 30)
    assert sorted(moves.ravel())[-30:] == pytest.approx([1 / 5] * 30)
    assert (moves > 0).sum(axis=0) == pytest.approx(np.ones(30))  # each has one past
    before = moves.argmax(axis=0)
    # On each of the six boards five hands meet, four others each.
    assert set(np.unique(game.showdown)) == {-1.0, 0.0, 1.0}
    wins = (game.showdown > 0).sum(axis=1)
    # A pair beats the 4 other hands; the others tie with one hand at most and never beat all.
    assert sorted(wins)[-6:] == [4] * 6
    assert len(set(before[wins == 4])) == 6
    assert np.array_equal(game.showdown, -game.showdown.T)


def test_training_by_fictitious_play_goes_on_where_it_was(tmp_path):
    game = BucketedGame.of(load_betting_game("leduc"), "each")
    kept = tmp_path / "kept"
    options = {"method": "independent", "checkpoint": kept, "checkpoint_seconds": 0.0}
    half = train(game, iterations=100, **options)
    assert kept.stat().st_size < checkpoint_bytes(game.rows, "independent")
    training = train(game, iterations=200, **options)
    assert (training.method, training.rule) == ("independent", "fp")
    assert training.measured.exact
    assert training.run.exploitability < half.run.exploitability
    again = train(game, iterations=200, method="independent")
    assert np.array_equal(again.probabilities, training.probabilities, equal_nan=True)
    best = train(game, iterations=200, method="independent", rule="dcfr")
    assert best.run.exploitability < 0.3 * training.run.exploitability


def test_counted_once_and_kept(monkeypatch, tmp_path):
    """The file is made the first time; a damaged one is noticed."""
    leduc = load_betting_game("leduc")
    moves = np.array([[0.2, 0.8], [0.5, 0.5], [1.0, 0.0]])
    wins = np.array([[0.0, 0.4], [-0.4, 0.0]])
    made = IndependentBucketGame(leduc, np.full((2, 3), 1 / 3), (moves,), wins)

    class Some:
        name, digest, counts = "some", "ab" * 32, made.counts

    calls = []

    def build(*arguments, **options):
        calls.append(1)
        return made

    monkeypatch.setenv("POKERLAB_CACHE", str(tmp_path))
    monkeypatch.setattr(module, "strength_tables", lambda report: None)
    monkeypatch.setattr(module, "independent_bucket_game", build)
    for _ in range(2):
        found = module.cached_independent_game(leduc, Some())
        assert found.digest == made.digest
    assert calls == [1]
    path = module.independent_game_file(Some())
    content = bytearray(path.read_bytes())
    content[-3] ^= 1
    for damaged in (content, content[:-100]):
        path.write_bytes(damaged)
        with pytest.raises(ValueError, match=r"is damaged.*; remove it, and it is counted again"):
            module.cached_independent_game(leduc, Some())


@pytest.mark.parametrize(
    ("game", "groups", "message"),
    [
        ("holdem.limit.2p", "classes", "classes: only buckets of hold'em have a game of"),
        ("holdem.limit.2p", "ehs2:5,5,5,5", "ehs2:5,5,5,5 remembers earlier streets"),
        ("rhodeisland", "each", "rhodeisland has too many deals"),
    ],
)
def test_groups_without_such_a_game_are_refused(game, groups, message):
    with pytest.raises(ValueError, match=message):
        module.check_independent_groups(load_betting_game(game), groups)

"""Training on small games comes to the exact solution, judged by the laboratory."""

import numpy as np
import pytest

from pokerlab.arena.simulation.compiled_match import simulate
from pokerlab.games import load_betting_game, load_game
from pokerlab.holdem.limit.sampling.bucketed_game import (
    BucketedGame,
    groups_by_name,
    planned_rows,
)
from pokerlab.holdem.limit.training import training as training_module
from pokerlab.holdem.limit.training.merging_kernels import merge_tables
from pokerlab.holdem.limit.training.thread_tables import round_length
from pokerlab.holdem.limit.training.trainer import (
    METHODS,
    Trainer,
    checkpoint_bytes,
    training_bytes,
)
from pokerlab.holdem.limit.training.training import train
from pokerlab.players.strategies import LimitStrategy, TableStrategy
from pokerlab.solvers import Strategy, exploitability, run, values
from pokerlab.solvers.checkpoints import load_checkpoint
from pokerlab.trees import GameTree

LEDUC_VALUE = -0.0856064
ITERATIONS = {"external": 300_000, "outcome": 4_000_000, "chance": 200_000, "public": 20_000}


def bucketed(name, groups="each"):
    return BucketedGame.of(load_betting_game(name), groups)


def in_laboratory(strategy):
    """The same strategy for the tree of the whole game."""
    tree = GameTree.of(load_game(strategy.game.game.name))
    array = Strategy.uniform(tree.infosets).array.copy()
    for node, state in tree.states():
        if tree.player[node] < 0:
            continue
        hole = tuple(state.holes[state.player])
        triple = strategy.triple(state.node.text, hole, state.board)
        if triple is None:
            continue
        infoset = tree.infoset[node]
        actions = tree.infosets.actions[infoset]
        chosen = dict(zip("fcr", triple, strict=True))
        first = tree.infosets.offset[infoset]
        row = np.array([chosen[action] for action in actions])
        array[first : first + len(actions)] = row / row.sum()
    return tree, Strategy(tree.infosets, array)


@pytest.mark.parametrize(
    "method",
    [
        pytest.param(method, marks=[pytest.mark.slow] if method in ("outcome", "external") else [])
        for method in METHODS
        if method != "situations"  # fictitious play is slow: 0.14 after 4,000,000 deals
    ],
)
def test_leduc_comes_to_its_value(method):
    training = train(
        bucketed("leduc"), method=method, iterations=ITERATIONS[method], threads=1, seed=3
    )
    assert training.measured.exact
    assert training.run.exploitability < 0.06
    tree, strategy = in_laboratory(LimitStrategy.of(training))
    # The file rounds to half precision; the best responses are found by different code.
    assert exploitability(tree, strategy) == pytest.approx(training.run.exploitability, abs=2e-3)
    assert values(tree, strategy)[0] == pytest.approx(LEDUC_VALUE, abs=0.03)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("rule", ["cfr", "linear"])
def test_kuhn_comes_to_its_value(method, rule):
    training = train(
        bucketed("kuhn"), method=method, rule=rule, iterations=100_000, threads=1, seed=1
    )
    assert training.run.exploitability < 0.006
    tree, strategy = in_laboratory(LimitStrategy.of(training))
    assert values(tree, strategy)[0] == pytest.approx(-1 / 18, abs=0.005)


@pytest.mark.parametrize("method", ["chance", "public"])
def test_cfr_plus_where_it_is_sound(method):
    trainer = Trainer(bucketed("leduc"), method, "cfr+", threads=1, seed=2)
    trainer.iterate(20_000)
    assert trainer.exploitability() < 0.15


def test_exploitability_falls():
    trainer = Trainer(bucketed("leduc"), threads=1, seed=5)
    found = []
    for iterations in (1_000, 20_000, 300_000):
        trainer.iterate(iterations - trainer.iteration)
        found.append(trainer.exploitability())
    assert found[0] > 2 * found[1] > 4 * found[2]


@pytest.mark.slow
def test_three_players():
    """Kuhn poker for three has an equilibrium that regret matching finds."""
    training = train(bucketed("kuhn.3p"), iterations=400_000, threads=1, seed=1)
    tree, strategy = in_laboratory(LimitStrategy.of(training))
    assert exploitability(tree, strategy) < 0.02


def test_one_thread_is_reproducible_and_resumes(tmp_path):
    game = bucketed("leduc")
    whole = Trainer(game, threads=1, seed=9)
    whole.iterate(5_000)
    parts = Trainer(game, threads=1, seed=9)
    for _ in range(5):
        parts.iterate(1_000)
    np.testing.assert_array_equal(whole.strategy(), parts.strategy())
    other = Trainer(game, threads=1, seed=10)
    other.iterate(5_000)
    assert not np.array_equal(whole.strategy(), other.strategy(), equal_nan=True)
    file = tmp_path / "state"
    broken = Trainer(game, threads=1, seed=9)
    run(broken, iterations=2_000, checkpoint=file)
    resumed = Trainer(game, threads=1, seed=9)
    run(resumed, iterations=5_000, checkpoint=file)
    np.testing.assert_array_equal(whole.strategy(), resumed.strategy())
    assert resumed.visited == whole.visited
    more = Trainer(game, threads=2, seed=9)
    run(more, iterations=6_000, checkpoint=file)
    assert more.iteration == 6_000
    with pytest.raises(ValueError, match="another solve: its method is external, not outcome"):
        run(Trainer(game, "outcome", threads=1), iterations=9_000, checkpoint=file)
    with pytest.raises(ValueError, match="its seed is 9, not 1"):
        run(Trainer(game, threads=1, seed=1), iterations=9_000, checkpoint=file)
    with pytest.raises(ValueError, match="its groups is"):
        run(Trainer(bucketed("leduc", "none"), threads=1), iterations=9_000, checkpoint=file)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("threads", [2, 3])
def test_a_seed_fixes_what_several_threads_learn(method, threads, tmp_path):
    """Whenever they are interrupted: by a call, or by a checkpoint in the middle of a round."""
    game = bucketed("leduc")
    deals = 400 if method == "public" else 20_000

    def trainer():
        return Trainer(game, method, threads=threads, seed=4)

    whole = trainer()
    whole.iterate(deals)
    parts = trainer()
    for last in (1, 2, 130, deals // 3, deals):
        parts.iterate(last - parts.iteration)
    file = tmp_path / "state"
    broken, resumed = trainer(), trainer()
    run(broken, iterations=deals // 2 + 1, checkpoint=file)
    assert broken.iteration != broken._round_end
    run(resumed, iterations=deals, checkpoint=file)
    expected = whole.state()
    for other in (parts, resumed):
        found = other.state()
        assert found.keys() == expected.keys()
        for name, array in expected.items():
            np.testing.assert_array_equal(found[name], array, err_msg=name)
        np.testing.assert_array_equal(whole.strategy(), other.strategy())
        assert whole.exploitability() == other.exploitability()


def test_a_training_goes_on_with_another_number_of_threads(tmp_path):
    game = bucketed("leduc")
    file = tmp_path / "state"
    run(Trainer(game, threads=3, seed=4), iterations=100_001, checkpoint=file)
    for threads in (1, 2):
        other = Trainer(game, threads=threads, seed=4)
        before = load_checkpoint(file, other.identity)
        own = {name.removeprefix("state."): array for name, array in before.items()}
        other.restore({name: array for name, array in own.items() if name not in before})
        np.testing.assert_allclose(
            other._tables.total(), before["state.total"].sum(axis=0), rtol=1e-6
        )
        assert other.exploitability() < 0.1
        other.iterate(100_000)
        assert other.iteration == 200_001
        assert other.exploitability() < 0.06


def states_that_no_training_leaves(state):
    """Each with a part of the message that refuses it."""

    def with_(**changes):
        return {name: array for name, array in (state | changes).items() if array is not None}

    def changed(name, place, value):
        array = np.array(state[name])
        array[place] = value
        return with_(**{name: array})

    yield with_(regret=None), "there is no tensor 'regret'"
    yield with_(surprise=np.zeros(1)), "tensor 'surprise' does not belong there"
    yield with_(random=np.zeros(2, np.uint64)), "tensor 'random' is uint64 of shape"
    yield with_(regret=state["regret"][:-1]), "tensor 'regret' is float32 of shape"
    yield with_(regret=state["regret"].astype(np.float64)), "tensor 'regret' is float64"
    yield with_(total=state["total"][:1]), "tensor 'total' is float32 of shape"
    yield with_(own_regret=state["regret"][None]), "tensor 'own_regret' is float32 of shape"
    yield with_(decks=state["decks"][:, :-1]), "tensor 'decks' is uint8 of shape"
    yield changed("decks", (0, 0), state["decks"][0, 1]), "does not hold the cards of the game"
    yield changed("decks", (0, 0), 255), "does not hold the cards of the game"
    yield changed("regret", (5, 1), np.nan), "tensor 'regret' holds nan"
    yield changed("total", (0, 5, 1), -1.0), "tensor 'total' holds -1"
    yield changed("total", (1, 5, 1), np.inf), "tensor 'total' holds inf"
    yield changed("iteration", 0, -1), "tensor 'iteration' holds -1"
    yield changed("iteration", 1, 2**60), "tensor 'iteration' holds"
    yield changed("iteration", 2, 0), "a round that ended before"


def test_states_that_no_training_leaves():
    game = bucketed("leduc")
    trainer = Trainer(game, threads=2)
    trainer.iterate(1_000)
    state = {name: np.array(array) for name, array in trainer.state().items()}
    for bad, message in states_that_no_training_leaves(state):
        with pytest.raises(ValueError, match=message):
            trainer.restore(bad)
    # Nothing was changed by any of them.
    for name, array in trainer.state().items():
        np.testing.assert_array_equal(array, state[name])


def test_the_mean_of_what_threads_learned():
    rng = np.random.default_rng(3)
    own = rng.normal(size=(3, 50, 3)).astype(np.float32)
    common = np.zeros((50, 3), np.float32)
    expected = own.astype(np.float64).mean(axis=0).astype(np.float32)
    before = own.copy()
    merge_tables(common, own, 10, 40)
    np.testing.assert_array_equal(common[10:40], expected[10:40])
    for each in own:
        np.testing.assert_array_equal(each[10:40], expected[10:40])
    assert not common[:10].any()
    assert not common[40:].any()
    np.testing.assert_array_equal(own[:, :10], before[:, :10])


def test_rounds_are_whole_and_grow_to_a_limit():
    lengths = [round_length(deals, 20 * deals, 936, 3) for deals in (0, 1, 10**4, 10**6, 10**9)]
    assert all(length % 3 == 0 for length in lengths)
    assert lengths[1:] == sorted(lengths[1:])
    assert lengths[-1] == lengths[-2] < 10**5


@pytest.mark.parametrize("method", METHODS)
def test_threads_share_the_work(method):
    trainer = Trainer(bucketed("leduc"), method, threads=3, seed=1)
    trainer.iterate(1)
    trainer.iterate(20_000)
    assert trainer.iteration == 20_001
    assert trainer.exploitability() < 1.0
    assert trainer.visited > 20_001


def test_rows_that_never_came_are_nan():
    trainer = Trainer(bucketed("leduc"), threads=1, seed=1)
    assert np.isnan(trainer.strategy()).all()
    trainer.iterate(3)
    probabilities = trainer.strategy()
    seen = ~np.isnan(probabilities[:, 0])
    assert 0 < seen.sum() < len(seen)
    assert np.isnan(probabilities[~seen]).all()
    np.testing.assert_allclose(probabilities[seen].sum(axis=1), 1.0, rtol=1e-6)


def test_what_is_not_legal_is_never_learned():
    game = bucketed("leduc")
    for method in METHODS:
        trainer = Trainer(game, method, threads=1)
        trainer.iterate(2_000)
        probabilities = trainer.strategy()
        for node, betting in enumerate(game.betting.nodes):
            rows = probabilities[game.first_row[node] :][: game.counts[betting.street]]
            for column, action in enumerate("fcr"):
                if action not in betting.actions():
                    assert not np.nan_to_num(rows[:, column]).any()


@pytest.mark.slow
def test_holdem_is_trained():
    """Remembering nothing but the class of the hand beats a caller and a random player."""
    game = bucketed("holdem.limit.2p", "classes")
    trainer = Trainer(game, boards=2, threads=2)
    trainer.iterate(60_000)
    assert trainer.exploitability() < 20.0
    assert not trainer.measured.exact
    assert trainer.measured.error > 0
    table = TableStrategy(game.game, game.groups, trainer.strategy())
    for opponent in ("caller", "random"):
        result = simulate("holdem.limit.2p", [table, opponent], 400_000, 1)
        assert result.mbb_per_hand[0] > 6 * result.stderr[0]


def test_memory_is_told():
    game = bucketed("holdem.limit.2p", "classes")
    assert game.rows == 6_378 * 169
    for threads in (1, 4):
        assert training_bytes(game.rows, threads=threads) > 2 * threads * 12 * game.rows
        assert checkpoint_bytes(game.rows, threads=threads) > 2 * threads * 12 * game.rows


@pytest.mark.parametrize("name", ["each", "none"])
def test_rows_are_known_before_groups_are_made(name):
    for game in map(load_betting_game, ("kuhn", "leduc", "kuhn.3p")):
        assert planned_rows(game, name) == BucketedGame.of(game, name).rows
    three = load_betting_game("holdem.limit.3p")
    assert planned_rows(three, "classes") == BucketedGame.of(three, "classes").rows


def test_what_measures_is_compiled_before_the_clock_runs(monkeypatch):
    order = []
    measure, loop = Trainer.exploitability, training_module.run
    monkeypatch.setattr(
        Trainer, "exploitability", lambda self: order.append("measured") or measure(self)
    )
    monkeypatch.setattr(
        training_module, "run", lambda *one, **two: order.append("clock") or loop(*one, **two)
    )
    training = train(bucketed("kuhn"), iterations=10, threads=2)
    assert order[:2] == ["measured", "clock"]
    other = Trainer(bucketed("kuhn"), threads=2)
    other.iterate(10)
    np.testing.assert_array_equal(training.probabilities, other.strategy())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": "full"}, r"is not known \(external, outcome, chance, public, situations\)"),
        ({"rule": "dcfr"}, r"rule: dcfr.* does not work with sampling \(cfr, linear, cfr\+\)"),
        ({"rule": "best"}, "unknown rule 'best'"),
        ({"rule": "cfr+"}, r"cfr\+ is for the methods chance and public, not external"),
        ({"threads": 0}, "threads: 0 is not a number of threads"),
        ({"seed": -1}, "seed: -1 is not a seed"),
    ],
)
def test_bad_input(options, message):
    with pytest.raises(ValueError, match=message):
        Trainer(bucketed("kuhn"), **options)


def test_methods_for_two_players():
    with pytest.raises(ValueError, match=r"chance is for two players, kuhn.3p has 3"):
        Trainer(bucketed("kuhn.3p"), "chance")


def test_groups_by_name():
    game = load_betting_game("leduc")
    assert [each.groups for each in groups_by_name(game, "none")] == [1, 1]
    with pytest.raises(ValueError, match="classes are for two private cards of 52, not for leduc"):
        BucketedGame.of(game, "classes")
    with pytest.raises(ValueError, match="rhodeisland has too many hands on street 2"):
        BucketedGame.of(load_betting_game("rhodeisland"), "each")
    two = load_betting_game("holdem.limit.2p")
    assert BucketedGame.of(two, "none").digest != BucketedGame.of(two, "classes").digest

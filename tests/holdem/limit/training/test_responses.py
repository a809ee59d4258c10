"""Responses to models of limit players, against the linear program on the tree."""

import numpy as np
import pytest
from tests.holdem.limit.bucket_games.test_exact_game import group_order
from tests.holdem.limit.bucket_games.test_exact_game import leduc as exact_leduc
from tests.holdem.limit.tree_rows import on_tree, random_rows, row_of_infosets

from pokerlab.games import load_betting_game
from pokerlab.holdem.limit.bucket_games.exact_game import ExactBucketGame
from pokerlab.holdem.limit.sampling.bucketed_game import BucketedGame
from pokerlab.holdem.limit.sampling.legal_rows import legal_rows
from pokerlab.holdem.limit.training import training as module
from pokerlab.holdem.limit.training.responses import (
    bucket_response,
    restrict_rows,
    sampled_response,
)
from pokerlab.holdem.limit.training.training import train
from pokerlab.solvers import RestrictedPlayer, judge, respond
from pokerlab.trees import GameTree

KUHN = BucketedGame.of(load_betting_game("kuhn"), "each")
LEDUC = BucketedGame.of(load_betting_game("leduc"), "each")


def shares(game, kind):
    """p for rows and p for information sets."""
    if kind != "biased":
        return kind, kind
    by_row = np.random.default_rng(3).uniform(0.0, 1.0, game.rows).astype(np.float32)
    return by_row, by_row[row_of_infosets(game, GameTree.of(game.game))].astype(np.float64)


def loss(game, model, kind, probabilities):
    """How much less than the linear program a response reaches, in the mean of both seats."""
    tree = GameTree.of(game.game)
    return loss_on_tree(game, model, kind, on_tree(game, tree, probabilities))


def loss_on_tree(game, model, kind, strategy):
    tree = GameTree.of(game.game)
    his, p = on_tree(game, tree, model), shares(game, kind)[1]
    best = respond(tree, his, p).strategy
    opponents = [RestrictedPlayer.of(tree, his, seat, p) for seat in (0, 1)]
    return sum(each.best_reply(strategy) - each.best_reply(best) for each in opponents) / 2


@pytest.mark.parametrize("kind", [0.4, "biased"])
@pytest.mark.parametrize(
    "method",
    [
        "external",
        pytest.param("chance", marks=pytest.mark.slow),
        pytest.param("public", marks=pytest.mark.slow),
    ],
)
def test_sampled_training_comes_to_the_linear_program(method, kind):
    model = random_rows(KUHN, 1)
    restriction = restrict_rows(KUHN, model, shares(KUHN, kind)[0])
    deals = 8_000 if method == "public" else 150_000
    found = train(KUHN, method=method, iterations=deals, threads=1, restriction=restriction)
    assert -1e-9 <= loss(KUHN, model, kind, legal_rows(KUHN, found.probabilities)) < 0.004


@pytest.mark.parametrize("kind", [0.4, "biased"])
def test_others_are_far_from_the_linear_program(kind):
    """Neither an equilibrium nor a best response to the model would pass the test before."""
    model = random_rows(KUHN, 1)
    for p in (0.0, 1.0):
        other = respond(
            GameTree.of(KUHN.game), on_tree(KUHN, GameTree.of(KUHN.game), model), p
        ).strategy
        assert loss_on_tree(KUHN, model, kind, other) > 0.01


@pytest.mark.slow
@pytest.mark.parametrize("kind", [0.5, "biased"])
def test_sampled_training_of_leduc(kind):
    """150,000 deals leave 0.031 and 0.019, 600,000 0.014 and 0.005, 2,400,000 0.007 and 0.002."""
    model = random_rows(LEDUC, 2)
    restriction = restrict_rows(LEDUC, model, shares(LEDUC, kind)[0])
    found = train(LEDUC, iterations=150_000, threads=1, restriction=restriction)
    assert -1e-9 <= loss(LEDUC, model, kind, legal_rows(LEDUC, found.probabilities)) < 0.05
    tree = GameTree.of(LEDUC.game)
    played = on_tree(LEDUC, tree, legal_rows(LEDUC, found.probabilities))
    judged = judge(tree, played, on_tree(LEDUC, tree, model))
    assert found.measured.exact
    assert found.run.exploitability == pytest.approx(judged.exploitability, abs=1e-5)


def kuhn_buckets():
    wins = np.array([[0.0, -1, -1], [1, 0, -1], [1, 1, 0]]) / 6
    return ExactBucketGame(KUHN.game, (), np.abs(wins), wins)


def ordered_leduc():
    """Leduc whose buckets are numbered as groups of the trainer are."""
    exact = exact_leduc()
    first, second = group_order(LEDUC)
    place = np.argsort(first)
    before = place[exact.before[0][second]]
    return ExactBucketGame(
        exact.game,
        (before,),
        exact.pairs[np.ix_(second, second)],
        exact.margin[np.ix_(second, second)],
    )


@pytest.mark.parametrize("rule", ["dcfr", "fp"])
@pytest.mark.parametrize("kind", [0.4, "biased"])
def test_a_game_of_buckets_comes_to_the_linear_program(kind, rule):
    model = random_rows(KUHN, 1)
    restriction = restrict_rows(KUHN, model, shares(KUHN, kind)[0])
    solver = bucket_response(KUHN, kuhn_buckets(), restriction, rule)
    solver.iterate(1_000)
    tables = solver.strategy()
    rows = np.moveaxis(tables[0], 1, 2).reshape(-1, 3)
    lost, gap = loss(KUHN, model, kind, rows), solver.exploitability()
    assert gap < (0.02 if rule == "fp" else 1e-4)
    assert -1e-6 <= lost <= gap * 2 + 1e-6


@pytest.mark.parametrize("kind", [0.5, "biased"])
def test_buckets_of_leduc(kind, monkeypatch):
    model = random_rows(LEDUC, 2)
    buckets = ordered_leduc()
    monkeypatch.setattr(module, "bucket_game_of", lambda game, method: buckets)
    restriction = restrict_rows(LEDUC, model, shares(LEDUC, kind)[0])
    found = train(LEDUC, method="exact", iterations=300, restriction=restriction)
    assert found.run.exploitability < 2e-3
    assert -1e-6 <= loss(LEDUC, model, kind, legal_rows(LEDUC, found.probabilities)) < 4e-3


def test_a_training_goes_on_where_it_stopped():
    restriction = restrict_rows(KUHN, random_rows(KUHN, 1), 0.5)
    whole, part, other = (sampled_response(KUHN, restriction, threads=1, seed=4) for _ in range(3))
    whole.iterate(2_000)
    part.iterate(1_200)
    other.restore({name: np.array(tensor) for name, tensor in part.state().items()})
    other.iterate(800)
    assert other.iteration == 2_000
    assert np.array_equal(other.strategy(), whole.strategy(), equal_nan=True)
    assert part.identity == whole.identity
    mixed = whole.state() | {n: t for n, t in part.state().items() if n.startswith("1.")}
    with pytest.raises(ValueError, match="the two seats have gone through different iterations"):
        other.restore(mixed)
    changed = restrict_rows(KUHN, random_rows(KUHN, 1), 0.6)
    assert sampled_response(KUHN, changed, threads=1, seed=4).identity != whole.identity


def test_bad_input_is_one_line():
    model = random_rows(KUHN, 1)
    with pytest.raises(ValueError, match=r"p: 1.2 is not a probability"):
        restrict_rows(KUHN, model, 1.2)
    with pytest.raises(ValueError, match=r"p: -1 is not a probability"):
        restrict_rows(KUHN, model, np.full(KUHN.rows, -1.0))
    with pytest.raises(ValueError, match=r"p: 3 numbers for the 12 rows"):
        restrict_rows(KUHN, model, np.ones(3))
    with pytest.raises(ValueError, match=r"not probability distributions"):
        restrict_rows(KUHN, model * 2, 0.5)
    with pytest.raises(ValueError, match=r"a strategy of shape \(3, 3\)"):
        restrict_rows(KUHN, model[:3], 0.5)
    three = BucketedGame.of(load_betting_game("kuhn.3p"), "each")
    with pytest.raises(ValueError, match=r"for two players; kuhn.3p has 3"):
        restrict_rows(three, np.ones((three.rows, 3)) / 3, 0.5)
    with pytest.raises(ValueError, match=r"outcome learns no responses"):
        sampled_response(KUHN, restrict_rows(KUHN, model, 0.5), method="outcome")

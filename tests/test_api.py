"""`pokerlab.solve` and `pokerlab.load`: one function for games and spots."""

from __future__ import annotations

import inspect
from typing import get_overloads

import pytest

import pokerlab as pl
from pokerlab.api import GameOptions, SpotOptions, solve
from pokerlab.arena import Match, write_acpc_log
from pokerlab.games import load_betting_game, load_game
from pokerlab.holdem.batches import Batch
from pokerlab.holdem.limit.sampling.bucketed_game import BucketedGame
from pokerlab.holdem.limit.training.training import train
from pokerlab.holdem.spots import solve_spot
from pokerlab.players.opponents import (
    LimitModel,
    LineModel,
    PlayerModel,
    estimate_limit_model,
    estimate_model,
    model_tree,
    observe,
)
from pokerlab.players.strategies import LimitStrategy
from pokerlab.runtime.files.tensor_files import write_tensors
from pokerlab.solvers import AnySolution
from pokerlab.solvers import solve as solve_game
from pokerlab.trees import GameTree

RIVER = pl.Spot("QhJh2c4d7h", "AA, KQs", "QQ, AJs", pot=100, stack=80)


@pytest.mark.parametrize("rule", [None, "dcfr", "cfr+", "dcfr(1,0.5,2)"])
def test_a_rule_means_the_same_everywhere(rule):
    chosen = () if rule is None else (rule,)
    by_api = pl.solve(RIVER, rule, iterations=5)
    assert by_api.rule == solve_spot(RIVER, *chosen, iterations=5).rule
    game = pl.solve("kuhn", rule, iterations=5).rule
    assert game == solve_game("kuhn", *chosen, iterations=5).rule
    if rule is not None:
        assert by_api.rule == game


@pytest.mark.parametrize(
    ("game", "options", "message"),
    [
        ("kuhn", {"threads": 2}, "threads applies only to spots"),
        ("kuhn", {"locks": {}}, "locks applies only to spots"),
        ("kuhn", {"target": "1%"}, "target: '1%' is not a number; percent works for spots only"),
        (RIVER, {"seed": 0}, "seed applies only to games"),
        (RIVER, {"sampling": "external"}, "sampling applies only to games"),
        (RIVER, {"device": "tpu"}, "device: 'tpu' is not auto, cpu or gpu"),
        ("kuhn", {"device": "gpu"}, "device: 'gpu' is not one for games (auto or cpu)"),
    ],
)
def test_options_that_do_not_fit_are_refused(game, options, message):
    with pytest.raises(ValueError) as caught:
        pl.solve(game, **options)
    assert str(caught.value).startswith(message)


def test_every_option_of_the_solvers_is_named():
    """What is solved has other names there; warm starts, how much of a solution is kept, and a look
    at what is reached are the post-flop solver's own."""
    for solver, options in ((solve_spot, SpotOptions), (solve_game, GameOptions)):
        named = {*inspect.signature(solve).parameters, *options.__optional_keys__}
        own = {"spot", "start", "streets", "look"}
        assert {*inspect.signature(solver).parameters} - named <= own
    with pytest.raises(TypeError, match="unexpected keyword argument 'streets'"):
        pl.solve(RIVER, streets=1)


def test_each_kind_of_game_has_its_own_type_of_result():
    kinds = [inspect.signature(each).return_annotation for each in get_overloads(solve)]
    assert kinds == ["PostflopSolution", "Solution"]


def test_a_file_is_loaded_as_what_it_is(tmp_path):
    game = BucketedGame.of(load_betting_game("leduc"), "each")
    solution, tree = pl.solve("kuhn", iterations=3), model_tree(load_betting_game("kuhn"))
    kuhn = tree.game.start(tree.game.make_deal(["Js", "Ks"])).apply("c").apply("c")
    leduc = game.game.replay("cc/cc", game.game.make_deal(["Js", "Ks"], "Qs"))
    hands = {observe(leduc, 0): 1.0}
    solution.save(tmp_path / "kuhn.safetensors")
    pl.solve(RIVER, iterations=3).save(tmp_path / "river.safetensors")
    LimitStrategy.of(train(game, iterations=100, threads=1)).save(tmp_path / "limit.safetensors")
    estimate_limit_model(game, hands, "Ann").save(tmp_path / "limit-model.safetensors")
    estimate_model(tree, {observe(kuhn, 0): 1}, "Ann").save(tmp_path / "model.safetensors")
    LineModel("Ann", 0, {}).save(tmp_path / "lines.toml")
    pl.batch(RIVER, tmp_path / "batch", boards="QhJh2c4d7h", iterations=3)
    for name, kind in {
        "kuhn.safetensors": pl.Solution,
        "river.safetensors": pl.PostflopSolution,
        "limit.safetensors": LimitStrategy,
        "limit-model.safetensors": LimitModel,
        "model.safetensors": PlayerModel,
        "lines.toml": LineModel,
        "batch": Batch,
    }.items():
        assert isinstance(pl.load(tmp_path / name), kind)


def test_a_file_of_another_kind_is_one_line(tmp_path):
    write_tensors(tmp_path / "other.safetensors", {}, {"format": "tea"})
    with pytest.raises(ValueError, match=r"other\.safetensors"):
        pl.load(tmp_path / "other.safetensors")


def test_a_batch_names_its_boards_in_one_way(tmp_path):
    for given in ({}, {"flops": 5, "boards": "QhJh2c"}):
        with pytest.raises(ValueError, match="flops, boards: give one of them"):
            pl.batch(RIVER, tmp_path / "batch", **given)


def test_solutions_of_games_and_spots_have_the_same_members(tmp_path):
    members = [name for name in vars(AnySolution) if not name.startswith("_")]
    assert {"values", "exploitability", "at", "save"} < {*members}
    for solution, line in ((pl.solve("leduc", iterations=9), "Jh"), (pl.solve(RIVER), "x")):
        assert all(hasattr(solution, name) for name in members)
        assert 0 < float(solution.exploitability) < 1
        found = solution.at(line)
        assert (found.line, len(found.actions)) == (line, len(found.frequencies))
        assert found.player in (0, 1)
        assert found.frequencies.sum() == pytest.approx(1)
        solution.save(tmp_path / "solution.safetensors")
        again = pl.load(tmp_path / "solution.safetensors")
        assert again.at(line).frequencies.tolist() == found.frequencies.tolist()
        assert (again.values, again.rule) == (solution.values, solution.rule)
        with pytest.raises(ValueError, match="Zz"):
            solution.at("Zz")


def test_a_model_is_estimated_from_logs_and_from_hands(tmp_path):
    kuhn = list(Match("kuhn", ["random", "fair"], 60))
    log = tmp_path / "kuhn.log"
    write_acpc_log(log, kuhn)
    model = pl.model(kuhn, "random", prior_weight=2)
    for hands in (log, str(log), [log], iter(kuhn), [*kuhn[:20], *kuhn[20:]]):
        again = pl.model(hands, "random", game="kuhn", prior_weight=2)
        assert again.counts.tolist() == model.counts.tolist()
        assert (again.player, again.hands, again.prior_weight) == ("random", 60, 2)
    assert pl.model([log, log], "fair", game="kuhn").hands == 120
    assert pl.respond("kuhn", model).gain > 0
    leduc = pl.model(Match("leduc", ["random", "fair"], 60), "random")
    assert len(leduc.strategy) == 288  # up to suits, and whoever answers it need not know
    for game in ("leduc", leduc.tree):
        assert pl.respond(game, leduc).gain > 1
        assert pl.exploitability(game, leduc) > 1
        assert pl.best_response(game, leduc, 1).value > 1
    assert isinstance(pl.model(kuhn, "random", buckets="each"), LimitModel)
    lines = Match("holdem.nolimit.2p", ["caller", "random"], 4)
    assert isinstance(pl.model(lines, "random"), LineModel)


@pytest.mark.parametrize(
    ("games", "options", "message"),
    [
        ((), {}, "there are no hands"),
        (("kuhn",), {}, "whose play? name the player: fair, random"),
        (("kuhn",), {"player": "bob"}, "player bob: the hands know fair, random"),
        (("kuhn", "leduc"), {"player": "fair"}, "a hand of leduc with other rules"),
        (("kuhn",), {"player": "fair", "prior": "x"}, "prior x: there are uniform, equilibrium"),
        (("kuhn",), {"player": "fair", "prior_weight": -1.0}, "prior weight: -1 is not a number"),
        (
            ("holdem.nolimit.2p", "kuhn"),
            {"player": "fair"},
            "a hand of kuhn among hands of no-limit hold'em",
        ),
    ],
)
def test_hands_that_give_no_model_are_one_line(games, options, message):
    hands = [hand for game in games for hand in Match(game, ["fair", "random"], 2)]
    with pytest.raises(ValueError) as caught:
        pl.model(hands, **options)
    assert str(caught.value).startswith(message)


def test_best_responses_take_games_and_strategies_of_every_kind():
    solution = pl.solve("kuhn2", "lp")
    tree = GameTree.of(load_game("kuhn2"))
    for game in ("kuhn2", load_game("kuhn2"), tree):
        for strategy in (solution, solution.strategy, solution.strategy.array):
            assert pl.exploitability(game, strategy) == pytest.approx(0, abs=1e-9)
            value = pl.best_response(game, strategy, 1).value
            assert value == pytest.approx(solution.values[1], abs=1e-9)
    assert pl.respond("kuhn2", solution, p=0.5).exploitability == pytest.approx(0, abs=1e-9)

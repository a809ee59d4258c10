"""`pokerlab.solve` and `pokerlab.load`: one function for games and spots."""

from __future__ import annotations

import inspect
from typing import get_overloads

import pytest

import pokerlab as pl
from pokerlab.api import solve
from pokerlab.postflop import solve_spot
from pokerlab.solvers import solve as solve_game

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
        ("kuhn", {"threads": 2}, "threads: this option is for spots only"),
        ("kuhn", {"locks": {}}, "locks: this option is for spots only"),
        ("kuhn", {"target": "1%"}, "target: '1%' is not a number; percent works for spots only"),
        (RIVER, {"seed": 0}, "seed: this option is for games only"),
        (RIVER, {"sampling": "external"}, "sampling: this option is for games only"),
        (RIVER, {"device": "tpu"}, "device: 'tpu' is not auto, cpu or gpu"),
        ("kuhn", {"device": "gpu"}, "device: 'gpu' is not one for games (auto or cpu)"),
    ],
)
def test_options_that_do_not_fit_are_refused(game, options, message):
    with pytest.raises(ValueError) as caught:
        pl.solve(game, **options)
    assert str(caught.value).startswith(message)


def test_every_option_of_the_solvers_is_named():
    """What is solved has other names there; warm starts, and how much of a solution is kept, are
    the post-flop solver's own."""
    named = {*inspect.signature(solve).parameters}
    for solver in (solve_spot, solve_game):
        assert {*inspect.signature(solver).parameters} - named <= {
            "spot",
            "start",
            "stop",
            "streets",
        }


def test_each_kind_of_game_has_its_own_type_of_result():
    kinds = [inspect.signature(each).return_annotation for each in get_overloads(solve)]
    assert kinds == ["PostflopSolution", "Solution"]


def test_a_file_is_loaded_as_what_it_is(tmp_path):
    pl.solve("kuhn", iterations=3).save(tmp_path / "kuhn.safetensors")
    pl.solve(RIVER, iterations=3).save(tmp_path / "river.safetensors")
    assert isinstance(pl.load(tmp_path / "kuhn.safetensors"), pl.Solution)
    assert isinstance(pl.load(tmp_path / "river.safetensors"), pl.PostflopSolution)

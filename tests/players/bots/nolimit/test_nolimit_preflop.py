"""Play before the flop: every line has an answer, and ranges are products of the answers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokerlab.cards.hand_classes import CLASS_NAMES
from pokerlab.games import BettingGame, load_game
from pokerlab.games.betting import Betting
from pokerlab.holdem.charts import shipped_chart
from pokerlab.holdem.charts.shipped import chart_path
from pokerlab.players.bots.nolimit.preflop import PreflopPlay, push_or_fold

GAME = load_game("holdem.nolimit.2p")


def game_with(*stacks: int, ante: int = 0) -> BettingGame:
    return replace(GAME.with_stacks(stacks), ante=ante)


def test_the_chart_is_played_where_it_has_the_line() -> None:
    chart = shipped_chart(100)
    play = PreflopPlay(game_with(10_000, 10_000))
    node = play.game.first_betting.after("r250").after("r1000")
    told = play.choices(node)
    number = chart.by_line["r2.5/r10"]
    for label, action in (("f", "f"), ("c", "c"), ("r23", "r2300"), ("a", "r10000")):
        place = chart.decisions[number].actions.index(label)
        assert told.get(action, np.zeros(169)) == pytest.approx(chart.strategy[number, place])


def test_short_stacks_push_or_fold() -> None:
    play = PreflopPlay(game_with(800, 30_000))
    push, call = push_or_fold(8)
    told = play.choices(play.game.first_betting)
    assert set(told) == {"f", "r800"} and told["r800"] == pytest.approx(push)
    answer = play.choices(play.game.first_betting.after("r800"))
    assert answer["c"] == pytest.approx(call)
    assert play.choices(play.game.first_betting.after("c"))["c"].min() >= 0  # a limp has an answer


def test_a_shove_that_the_chart_lacks_is_called_by_good_hands_alone() -> None:
    play = PreflopPlay(GAME)
    told = play.choices(GAME.first_betting.after("r20000"))
    assert set(told) == {"f", "c"}
    assert told["c"][CLASS_NAMES.index("AA")] > 0.99 and told["c"].mean() < 0.1


def test_small_raises_are_called_more_often() -> None:
    play = PreflopPlay(GAME)
    opened = GAME.first_betting.after("r250")
    folds = [
        float(
            (play.ranges(node, 1)[1] * play.choices(node)["f"]).sum()
            / play.ranges(node, 1)[1].sum()
        )
        for node in (opened.after(f"r{size}") for size in (400, 600, 800, 1000))
    ]
    assert folds == sorted(folds) and folds[0] < 0.6 * folds[-1]


def test_a_file_replaces_the_charts() -> None:
    play = PreflopPlay(GAME, str(chart_path(30)))
    assert set(play.choices(GAME.first_betting)) <= {"f", "c", "r200", "r250", "r20000"}
    with pytest.raises(ValueError, match=r"no-such\.chart"):
        PreflopPlay(GAME, "no-such.chart")


stacks = st.integers(50, 30_000)


@given(
    chips=st.tuples(stacks, stacks),
    ante=st.sampled_from([0, 10]),
    choices=st.lists(st.integers(0, 10**6), min_size=1, max_size=12),
)
def test_every_line_has_a_legal_answer_and_ranges_are_products(
    chips: tuple[int, int], ante: int, choices: list[int]
) -> None:
    """Each seat in turn takes a random legal action; what is told multiplies to the ranges."""
    play = PreflopPlay(game_with(*chips, ante=ante))
    node: Betting = play.game.first_betting
    products = [np.ones(169), np.ones(169)]
    own = choices[0] % 2  # this seat does what it is told to do, the other anything
    for choice in choices:
        if node.player < 0 or node.street:
            break
        told = play.choices(node)
        assert told, f"no answer to {node.text}"
        actions = list(told)
        assert all(action in node.actions() for action in actions)
        assert sum(told.values()) == pytest.approx(np.ones(169))
        if node.player == own:
            action = actions[choice % len(actions)]
            products[own] = products[own] * told[action]
        else:
            legal = node.actions()
            action = legal[choice % len(legal)]
            if action == "f":
                action = "c"
        node = node.after(action)
    assert play.ranges(node, own)[own] == pytest.approx(products[own], abs=1e-5)

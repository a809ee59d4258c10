"""Hostile sizes: neither time nor memory grow past what was set, and every answer is legal."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator
from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from tests.players.bots.nolimit.small_menus import SMALL

from pokerlab.arena.matches import play_match
from pokerlab.games import DealtState, load_game
from pokerlab.players.bots import NolimitBot, Raiser, make_bot
from pokerlab.players.bots.nolimit import street
from pokerlab.players.bots.nolimit.street import MOST_ADDED
from pokerlab.players.bots.nolimit.tracking import Recent

GAME = load_game("holdem.nolimit.2p").with_stacks([25_000, 25_000])
BOARD = "KsQs4h9c2s"


@pytest.fixture(autouse=True, scope="module")
def small_menus() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(street, "LADDERS", SMALL)
        yield


def made(text: str = "iterations=1", game: Any = GAME) -> NolimitBot:
    bot = make_bot(f"nolimit:{text}")
    assert isinstance(bot, NolimitBot)
    bot.reset(game, np.random.default_rng(1))
    return bot


def at(betting: str) -> DealtState:
    return GAME.replay(betting, GAME.make_deal(["7h2c", "AsAd"], BOARD))


def least_raise(state: DealtState, bot: NolimitBot) -> int:
    bounds = state.raise_bounds()
    assert bounds is not None
    return bounds[0]


def beside_every_size(state: DealtState, bot: NolimitBot) -> int:
    """A chip more than what still counts as one of the tree's."""
    bounds = state.raise_bounds()
    assert bounds is not None
    told = bot.hand_strategy(state.view(state.player)).actions
    sizes = [int(each[1:]) for each in told if each[0] == "r"]
    near = max(bounds[0], min((size for size in sizes if size < bounds[1]), default=0))
    return min(near + int(0.01 * (state.node.pot + near)) + 2, bounds[1])


@pytest.mark.parametrize(
    ("size", "start"),
    [
        (least_raise, "cr300c/cc/"),
        pytest.param(least_raise, "cr300c/cc/cc/", marks=pytest.mark.slow),
        pytest.param(beside_every_size, "cr300c/cc/", marks=pytest.mark.slow),
        pytest.param(beside_every_size, "cr300c/", marks=pytest.mark.slow),
    ],
)
def test_raises_without_end_need_few_solves(size: Any, start: str) -> None:
    bot, state = made(), at(start)
    sizes: list[int] = []
    for solves in bot.play._solves[1:]:
        solves.put = partial(_noted, sizes, solves.put)  # type: ignore[method-assign]
    raises = 0
    while state.player >= 0 and state.street == at(start).street and raises < 14:
        told = bot.hand_strategy(state.view(state.player))
        assert set(told.actions) <= {"f", "c"} or state.raise_bounds() is not None
        for action in told.actions:
            state.apply(action)  # legal
        if state.raise_bounds() is None:
            break
        action, raises = f"r{size(state, bot)}", raises + 1
        state = state.apply(action)
    assert raises >= 4
    # Both seats were asked: for each of them every street on the way has a first solve.
    streets = state.street
    assert len(sizes) <= 2 * (streets + MOST_ADDED)
    first = max(sizes[:2])
    assert max(sizes) <= 8 * first, "inserted sizes multiply the tree"


def _noted(sizes: list[int], put: Any, key: object, value: Any, nbytes: int) -> None:
    sizes.append(nbytes)
    put(key, value, nbytes)


@pytest.mark.parametrize("stack", [500, 25_000])
def test_all_in_every_hand(stack: int) -> None:
    game = GAME.with_stacks([stack, stack])
    bot = made(game=game)
    result = play_match(game, [bot, Raiser(all_in=True)], 12, 3)
    assert result.faults == (0, 0), result.first_faults


def test_a_solve_that_cannot_finish_falls_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """To a smaller menu, and without any to a plain rule."""
    tried: list[int] = []
    real = street.PostflopSolver

    def solver(spot: Any, **options: Any) -> Any:
        tried.append(len(tried))
        if len(tried) < fails:
            raise MemoryError("no room")
        return real(spot, **options)

    monkeypatch.setattr(street, "PostflopSolver", solver)
    flop = SMALL[0][0]
    monkeypatch.setattr(
        street, "LADDERS", ((flop._replace(name="richer"), flop._replace(name="last")), *SMALL[1:])
    )
    view = at("cr300c/").view(at("cr300c/").player)
    fails = 2
    bot = made()
    assert bot.decide(view).source == "solved"
    standing = bot.standing(view)
    assert standing is not None
    assert standing.followed.solve.menu == "last"
    tried.clear()
    fails = 10**6
    decided = made().decide(view)
    assert decided.source == "fallback"
    assert len(tried) == 2
    for action in decided.strategy.actions:
        at("cr300c/").apply(action)


def test_a_turn_ends_in_time_however_short_that_is() -> None:
    """The last menu has at least its 25 iterations; nothing larger is begun."""
    bot = made("seconds=0.01,threads=1")
    there = at("cr300c/cc/")
    before = bot.play.solved
    view = there.view(there.player)
    assert bot.decide(view).source == "solved"
    standing = bot.standing(view)
    assert standing is not None
    solve = standing.followed.solve
    assert solve.menu == SMALL[1][-1].name
    assert 25 <= solve.solution.iterations <= 40
    assert bot.play.solved - before == 2  # the flop, and the turn


@pytest.mark.parametrize(
    ("seconds", "device", "goals"),
    [(8.0, "cpu", (8.0, 2.5, 0.1)), (3.0, "cpu", (3.0, 0.7, 0.1)), (3.0, "gpu", (3.0, 0.3, 0.1))],
)
def test_iterations_end_before_the_goals(
    seconds: float, device: str, goals: tuple[float, ...]
) -> None:
    """A part of each street's time is left for its answer."""
    solver = street.StreetSolver(seconds, device=device)
    for number, goal in enumerate(goals):
        spot: Any = SimpleNamespace(street=number)
        assert 0.4 * goal <= solver._time(spot) <= 0.82 * goal


def test_solves_for_which_there_is_no_room_are_let_go() -> None:
    """What a decision was taken from is kept by the store of solves alone."""
    bot = made()
    bot.play._solves = [Recent(1)] * 3  # room for one solve
    solves = []
    for start in ("cr300c/", "cr300c/cc/", "cr300c/cc/cc/"):
        state = at(start)
        bot.hand_strategy(state.view(state.player))
        standing = bot.standing(state.view(state.player))
        assert standing is not None
        solves.append(weakref.ref(standing.followed.solve.solution))
    del standing
    gc.collect()
    assert [solve() is None for solve in solves] == [True, True, False]


def test_what_is_put_again_takes_its_room_once() -> None:
    recent = Recent[str](10)
    for _ in range(5):
        recent.put("a", "x", 4)
    recent.put("b", "y", 4)
    assert (recent.get("a"), recent.get("b")) == ("x", "y")

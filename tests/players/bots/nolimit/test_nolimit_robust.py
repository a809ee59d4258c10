"""Whatever the other player does, the no-limit player answers legally and keeps usable ranges."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

import numpy as np
import psutil
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.players.bots.nolimit.small_menus import SMALL

from pokerlab.arena.freeze_out import play_freeze_out
from pokerlab.arena.hands import PlayedHand
from pokerlab.arena.matches import play_match
from pokerlab.games import TERMINAL, DealtState, load_betting_game
from pokerlab.players.bots import Bot, make_bot
from pokerlab.players.bots.nolimit import street
from pokerlab.players.bots.nolimit.bot import NolimitBot
from pokerlab.players.bots.nolimit.street import OWN_FLOOR
from pokerlab.players.bots.nolimit.tracking import PublicHand
from pokerlab.runtime.arrays import Floats

GAME = load_betting_game("holdem.nolimit.2p")


@pytest.fixture(autouse=True, scope="module")
def small_menus() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(street, "LADDERS", SMALL)
        yield


def made(text: str = "iterations=1") -> NolimitBot:
    bot = make_bot(f"nolimit:{text},threads=1")
    assert isinstance(bot, NolimitBot)
    bot.reset(GAME, np.random.default_rng(1))
    return bot


STYLES = ("least", "one more", "all-in", "any", "small", "half a chip less than all")


class Hostile(Bot):
    """Raises in one way all match long, as often as it may, and seldom calls."""

    def __init__(self, style: str) -> None:
        self.style = style

    def act(self, view: DealtState) -> str:
        bounds = view.raise_bounds()
        if bounds is None or self.rng.random() < 0.15:
            return "c"
        lowest, highest = bounds
        total = {
            "least": lowest,
            "one more": lowest + 1,
            "all-in": highest,
            "any": int(self.rng.integers(lowest, highest + 1)),
            "small": int(lowest * (highest / lowest) ** (self.rng.random() / 3)),
            "half a chip less than all": highest - 1,
        }[self.style]
        return f"r{min(max(total, lowest), highest)}"


def play_random_line(view: DealtState, draw: st.DrawFn) -> DealtState:
    """Some actions, of both players, any sizes."""
    for _ in range(draw(st.integers(0, 9))):
        kinds = ["c", "c", "r"] if view.raise_bounds() is not None else ["c"]
        action = draw(st.sampled_from(kinds))
        if action == "r":
            lowest, highest = view.raise_bounds() or (0, 0)
            sizes = [lowest, min(lowest + 1, highest), highest, (3 * lowest + highest) // 4]
            action = f"r{draw(st.sampled_from(sizes))}"
        after = view.apply(action)
        if after.player == TERMINAL:
            return view
        view = after
    return view


@st.composite
def states(draw: st.DrawFn) -> DealtState:
    """A decision in a game of any depth, blinds and ante, after a line of any sizes."""
    big = draw(st.sampled_from([2, 25, 100]))
    deep = [draw(st.floats(5, 250)) for _ in range(2)]
    game = replace(
        GAME,
        blinds=(big, max(big // 2, 1)),
        stacks=tuple(round(each * big) for each in deep),
        ante=draw(st.sampled_from([0, 0, big // 2, big, 4 * big])),
    )
    deal = game.deal(np.random.default_rng(draw(st.integers(0, 2**32))))
    return play_random_line(game.start(deal), draw)


@settings(deadline=None, max_examples=settings().max_examples // 4)
@given(states())
def test_every_state_has_a_legal_strategy_and_usable_ranges(state: DealtState) -> None:
    bot = shared()
    view = state.view(state.player)
    told = bot.hand_strategy(view)
    rows = told.probabilities
    assert np.isfinite(rows).all() and (rows >= 0).all()
    sums = rows.sum(axis=1)
    assert np.allclose(sums[sums > 0], 1.0)
    assert np.isin([action[0] for action in told.actions], list("fcr")).all()
    for action in told.actions:
        state.apply(action)  # legal
    hand = PublicHand.of(view)
    for number in range(1, view.street + 1):
        for weights in bot.play.root(hand, number).ranges:
            check_usable(weights)
    assert bot.probabilities(view)


def check_usable(weights: Floats) -> None:
    kept = weights[weights > 0]
    assert np.isfinite(weights).all() and kept.size >= 1000
    assert weights.max() == 1.0 and kept.min() >= OWN_FLOOR


_SHARED: list[NolimitBot] = []


def shared() -> NolimitBot:
    if not _SHARED:
        _SHARED.append(made())
    return _SHARED[0]


def test_actions_that_no_hand_takes_leave_all_hands() -> None:
    """The button limps, is raised, and raises the least; then it bets one chip more."""
    bot = made()
    lines = ["cr300r500r700r900c/", "cr300r500r700r900c/cr1001c/"]
    deal = GAME.make_deal(["7h2c", "AsAd"], "KsQs4h9c2s")
    for text in lines:
        view = GAME.replay(text, deal).view(0)
        root = bot.play.root(PublicHand.of(view), view.street)
        for weights in root.ranges:
            check_usable(weights)
        assert sum(bot.probabilities(view).values()) == pytest.approx(1)


@pytest.mark.parametrize(("style", "deep"), [("least", 5), ("one more", 250), ("all-in", 250)])
def test_one_way_to_raise_all_match_long(style: str, deep: int) -> None:
    game = GAME.with_stacks([100 * deep] * 2)
    result = play_match(game, [shared(), Hostile(style)], 2, 9)
    assert result.faults == (0, 0), result.first_faults


def test_a_freeze_out_to_the_end() -> None:
    game = replace(GAME.with_stacks([1500, 2500]), ante=10)
    played = []
    end = play_freeze_out(
        game, [shared(), Hostile("any")], 3, names=["n", "h"], watch=played.append
    )
    assert end.finished and end.faults == (0, 0) and sum(end.stacks) == 4000
    assert len({hand.game.stacks for hand in played}) == len(played)
    assert all(sum(before.game.stacks) == 4000 for before, _ in pairwise(played))


def test_the_same_seed_is_the_same_play() -> None:
    def play(seed: int) -> list[str]:
        hands: list[PlayedHand] = []
        bots = [make_bot("nolimit:iterations=1,threads=1"), Hostile("small")]
        play_match(GAME.with_stacks([2000, 2000]), bots, 4, seed, on_hand=hands.append)
        return [f"{hand.betting} {hand.deal} {hand.payoffs}" for hand in hands]

    assert play(3) == play(3) != play(4)


@pytest.mark.slow
@pytest.mark.parametrize("style", STYLES)
def test_many_hands_of_each_style(style: str) -> None:
    rng = np.random.default_rng(STYLES.index(style))
    bot = made()
    for _ in range(20):
        stacks = [int(each) for each in 100 * np.exp(rng.uniform(np.log(5), np.log(250), 2))]
        game = replace(GAME.with_stacks(stacks), ante=int(rng.choice([0, 10, 100])))
        result = play_match(game, [bot, Hostile(style)], 2, int(rng.integers(10**6)))
        assert result.faults == (0, 0), result.first_faults


@pytest.mark.slow
def test_memory_stays_bounded() -> None:
    """Solves are kept up to 600 MB and all else is small; so the second hundred adds little."""
    bot = made()
    for solves in bot.play._solves[1:]:
        solves._room //= 10
    process, seen = psutil.Process(), []
    for block in range(3):
        result = play_match(GAME, [bot, Hostile("any")], 100, block)
        assert result.faults == (0, 0), result.first_faults
        seen.append(process.memory_info().rss)
    assert seen[2] - seen[1] < 60_000_000, seen

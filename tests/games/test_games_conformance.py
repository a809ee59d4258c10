"""What every game must keep, whatever its rules: random play-outs over the whole catalogue.

Some games that the catalogue does not have stand beside it, for the rules that it does not use.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.effort import some_of

from pokerlab.cards.codes import RANKS, SUITS
from pokerlab.games import (
    CHANCE,
    TERMINAL,
    BettingGame,
    Deal,
    DealtState,
    Game,
    HandState,
    State,
    Street,
    game_names,
    load_game,
)

MORE_GAMES = [
    BettingGame(
        name="test.potlimit.4p",
        players=4,
        betting="pot-limit",
        blinds=(1, 2, 0, 0),
        stacks=(7, 30, 18, 60),
        showdown="kinds",
        ranks="9TJQKA",
        streets=(Street(hole=2, first=2), Street(board=1), Street(board=1)),
    ),
    BettingGame(
        name="test.menu",
        players=2,
        betting="no-limit",
        ante=1,
        stacks=(40, 25),
        menu="50%, 100%, a",
        showdown="kinds",
        ranks="JQK",
        suits="hs",
        streets=(Street(hole=1), Street(board=1)),
    ),
    BettingGame(
        name="test.acpc",
        players=3,
        betting="no-limit",
        blinds=(5, 10, 0),
        stacks=(40, 70, 120),
        reopen="any",
        showdown="kinds",
        ranks="TJQKA",
        streets=(Street(hole=1, first=2), Street(board=1)),
    ),
    BettingGame(
        name="test.stud",
        players=3,
        betting="limit",
        ante=1,
        stacks=(5, 9, 30),
        showdown="kinds",
        ranks="TJQKA",
        odd_chips="first",
        streets=(Street(hole=1, bet=2), Street(hole=1, bet=2), Street(hole=1, board=1, bet=4)),
    ),
    BettingGame(
        name="test.draw",
        players=3,
        betting="limit",
        ante=1,
        stacks=(3, 10, 10),
        showdown="kinds",
        ranks="QKA",
        suits="dhs",
        streets=(
            Street(hole=2, bet=1, max_raises=2),
            Street(draw=2, first=1, bet=1, max_raises=2),
            Street(draw=1, first=2, bet=2),
        ),
    ),
]
GAMES: dict[str, Game] = {name: load_game(name) for name in game_names()}
GAMES |= {game.name: game for game in MORE_GAMES}
CARD_GAMES = [name for name, game in GAMES.items() if isinstance(game, BettingGame)]
WITH_CHANCE_NODES = [name for name in GAMES if name != "draw"]  # a hand of it: 2,598,960 outcomes

each_game = pytest.mark.parametrize("name", GAMES)
each_card_game = pytest.mark.parametrize("name", CARD_GAMES)
each_tree = pytest.mark.parametrize("name", WITH_CHANCE_NODES)

NONSENSE = ["", "x", "F", "cc", " c", "r-5", "r007", "r1e3", "r99999999999999", "d2c2c", "(9)", "♠"]


def choose(state: State, rng: np.random.Generator) -> str:
    """A random action; few folds and few huge raises, so that hands get far."""
    actions = state.actions()
    if "f" in actions and rng.random() < 0.8:
        actions = [action for action in actions[:40] if action != "f"]
    few = min(len(actions), 10) if rng.random() < 0.7 else len(actions)
    return actions[int(rng.integers(few))]


def playout(state: State, rng: np.random.Generator) -> Iterator[State]:
    """All states of a random way to the end, the first and the last included."""
    yield state
    while state.player != TERMINAL:
        state = state.apply(choose(state, rng))
        yield state


def hands(name: str, count: int, seed: int = 1) -> Iterator[list[Any]]:
    """Some hands with given cards, all states of each."""
    game = GAMES[name]
    assert isinstance(game, BettingGame)
    rng = np.random.default_rng(seed)
    for deal in game.deals(rng, count):
        yield list(playout(game.start(deal), rng))


def paths(name: str, count: int, seed: int = 2) -> Iterator[list[Any]]:
    """Some ways through the tree, chance nodes included."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        yield list(playout(GAMES[name].start(), rng))


def some_paths(name: str) -> Iterator[list[Any]]:
    if name in WITH_CHANCE_NODES:
        yield from paths(name, 4 if name.startswith("holdem") else some_of(40))
    if name in CARD_GAMES:
        yield from hands(name, some_of(40))


@each_game
def test_chips_are_conserved(name: str) -> None:
    for states in some_paths(name):
        payoffs = states[-1].payoffs()
        assert len(payoffs) == GAMES[name].players
        if not name.startswith("seminar"):  # the others are games for what the opponent loses
            assert sum(payoffs) == pytest.approx(0, abs=1e-9)
        if name in CARD_GAMES:
            state = states[-1]
            assert all(chips <= state.pot for chips in payoffs)
            unit = state.game.unit
            for seat, chips in enumerate(payoffs):
                assert chips >= -state.spent[seat] / unit
                assert state.spent[seat] <= state.game.chips[seat]
            if state.game.odd_chips == "first":
                assert all(chips == int(chips) for chips in payoffs)


@each_game
def test_legal_actions_are_consistent(name: str) -> None:
    for number, states in enumerate(some_paths(name)):
        for state in states:
            actions = state.actions()
            if state.player == TERMINAL:
                assert not actions
                assert not state.chances()
            else:
                assert actions
            every = list(actions[:30]) + list(actions[-3:])
            if number < 5:
                assert len(set(actions)) == len(actions)
                for action in every:
                    state.apply(action)
            for action in NONSENSE:
                if action not in actions:
                    with pytest.raises(ValueError, match=r"^(illegal|bad|card|expected)"):
                        state.apply(action)


@each_card_game
def test_raises_off_the_list_are_refused(name: str) -> None:
    for states in hands(name, some_of(20)):
        for state in states:
            if state.player < 0 or state.node.drawing:
                continue
            bounds = state.raise_bounds()
            if state.game.betting == "limit":
                assert ("r" in state.actions()) == (bounds is not None)
                refused = [] if bounds else ["r"]
            elif bounds is None:
                refused = [f"r{state.node.price + 1}", f"r{int(state.game.chips[state.player])}"]
            else:
                lowest, highest = bounds
                assert f"r{highest}" in state.actions()
                refused = [f"r{lowest - 1}", f"r{highest + 1}"]
            for action in refused:
                with pytest.raises(ValueError, match=r"^illegal action"):
                    state.apply(action)


@each_game
def test_states_do_not_change(name: str) -> None:
    for states in some_paths(name):
        for state in states[:-1]:
            before = [state.seen_by(seat) for seat in range(GAMES[name].players)]
            state.apply(state.actions()[0])
            assert [state.seen_by(seat) for seat in range(GAMES[name].players)] == before


@each_tree
def test_chances_sum_to_one(name: str) -> None:
    for states in paths(name, 3):
        for state in states:
            if state.player == CHANCE:
                assert len(state.chances()) == len(state.actions())
                assert sum(state.chances()) == pytest.approx(1)
                assert min(state.chances()) > 0
            else:
                assert not state.chances()


@each_game
def test_what_a_seat_has_seen_grows(name: str) -> None:
    for states in some_paths(name):
        for before, after in pairwise(states):
            assert after.public().startswith(before.public())
            for seat in range(GAMES[name].players):
                assert after.seen_by(seat).startswith(before.seen_by(seat))
            if before.player >= 0:
                assert after.seen_by(before.player) != before.seen_by(before.player)


@each_game
def test_the_same_text_means_the_same_decision(name: str) -> None:
    decisions: dict[tuple[int, str], tuple[str, ...]] = {}
    for states in some_paths(name):
        for state in states:
            if state.player >= 0:
                key = state.player, state.seen_by(state.player)
                actions = tuple(state.actions()[:50])
                assert decisions.setdefault(key, actions) == actions
    assert decisions


@each_card_game
def test_nobody_sees_the_cards_of_others(name: str) -> None:
    """The same betting over other cards of the others looks the same to a seat."""
    game = GAMES[name]
    assert isinstance(game, BettingGame)
    rng = np.random.default_rng(8)
    for states in hands(name, some_of(20)):
        last: DealtState = states[-1]
        if last.swaps:
            continue
        for seat in range(game.players):
            mine, board = last.deal.holes[seat], last.deal.board
            up = {place for places in game.up_places for place in places}
            shown = tuple(hole[place] for hole in last.deal.holes for place in up)
            hidden = [card for card in game.deck if card not in mine + board + shown]
            rng.shuffle(hidden)
            others = iter(hidden)
            holes = tuple(
                mine
                if owner == seat
                else tuple(card if place in up else next(others) for place, card in enumerate(hole))
                for owner, hole in enumerate(last.deal.holes)
            )
            again = game.replay(last.betting, Deal(holes, board))
            assert again.seen_by(seat) == last.seen_by(seat)
            assert again.public() == last.public()


@each_card_game
def test_views_hold_no_hidden_card(name: str) -> None:
    for states in hands(name, some_of(15)):
        for state in states[:-1]:
            for seat in range(state.game.players):
                view = state.view(seat)
                assert view.seen_by(seat) == state.seen_by(seat)
                known = {*state.holes[seat], *state.board}
                known.update(
                    card for swap in state.swaps if swap.seat == seat for card in swap.thrown
                )
                found = {card for hole in (*view.holes, *view.deal.holes) for card in hole}
                found.update(view.deal.board, view.deal.stub, view.deal.reshuffled)
                found.update(card for swap in view.swaps for card in swap.thrown + swap.received)
                assert found <= known


@each_card_game
def test_betting_texts_round_trip(name: str) -> None:
    for states in hands(name, some_of(25)):
        for state in states:
            again = state.game.replay(state.betting, state.deal)
            assert same(again, state)
            assert again.betting == state.betting


@pytest.mark.parametrize("name", [name for name in CARD_GAMES if name in WITH_CHANCE_NODES])
def test_given_cards_and_cards_by_chance_agree(name: str) -> None:
    """A way through the tree, replayed with its cards given, is the same hand."""
    for states in paths(name, 5):
        last = states[-1]
        if last.swaps or len(last.board) < last.game.board_cards[-1]:
            continue
        if any(len(hole) < last.game.hole_cards[-1] for hole in last.holes):
            continue
        again = last.game.replay(last.betting, Deal(last.holes, last.board))
        assert same(again, last)
        assert again.payoffs() == last.payoffs()


def same(one: HandState, other: HandState) -> bool:
    """Whether two states of a hand are the same to everybody."""
    return (
        (one.player, one.spent, one.folded, one.holes, one.board, one.raise_bounds())
        == (other.player, other.spent, other.folded, other.holes, other.board, other.raise_bounds())
        and list(one.actions()[:40]) == list(other.actions()[:40])
        and all(one.seen_by(seat) == other.seen_by(seat) for seat in range(one.game.players))
    )


@each_card_game
@settings(max_examples=30, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_any_text_is_an_action_or_a_clear_error(name: str, data: st.DataObject) -> None:
    game = GAMES[name]
    assert isinstance(game, BettingGame)
    rng = np.random.default_rng(data.draw(st.integers(0, 1000)))
    states: list[Any] = list(playout(game.start(game.deal(rng)), rng))
    state = states[data.draw(st.integers(0, len(states) - 1))]
    cards = st.lists(st.sampled_from([r + s for r in RANKS for s in SUITS]), max_size=6).map(
        "".join
    )
    text = data.draw(
        st.text(max_size=5)
        | st.integers(-5, 30000).map("r{}".format)
        | cards
        | cards.map("d{}".format)
    )
    try:
        after = state.apply(text)
    except ValueError as error:
        assert text not in state.actions()
        assert "\n" not in str(error)
    else:
        assert text[0] in "rdcf"
        assert state.player >= 0
        assert len(after.betting) > len(state.betting)


@each_card_game
@settings(max_examples=30, suppress_health_check=[HealthCheck.too_slow])
@given(text=st.text(max_size=8) | st.text("fcr/0123d", max_size=12))
def test_any_betting_text_is_replayed_or_a_clear_error(name: str, text: str) -> None:
    game = GAMES[name]
    assert isinstance(game, BettingGame)
    try:
        state = game.replay(text, game.deal(np.random.default_rng(1)))
    except ValueError as error:
        assert "\n" not in str(error).replace(repr(text), "")
    else:
        assert state.betting.startswith(text)

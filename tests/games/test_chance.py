"""Hands whose cards come by chance."""

from __future__ import annotations

from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokerlab.games import CHANCE, TERMINAL, BettingGame, ChanceState, Street, load_betting_game
from pokerlab.games.chance import _Deals

LITTLE_DRAW = BettingGame(
    name="little-draw",
    players=3,
    betting="limit",
    ranks="QKA",
    suits="hs",
    showdown="high-card",
    ante=1,
    streets=(Street(hole=1, bet=1, max_raises=1), Street(draw=1, bet=2, max_raises=1)),
)


def play(game: BettingGame, *actions: str) -> ChanceState:
    state = game.start()
    for action in actions:
        state = state.apply(action)
    return state


def test_private_cards_come_seat_by_seat_and_public_ones_at_once() -> None:
    game = load_betting_game("holdem.limit.2p")
    state = play(game, "AsAh")
    assert (state.player, len(state.actions()), state.seen_by(0)) == (CHANCE, comb(50, 2), "AhAs")
    state = play(game, "AsAh", "2c7d", "c", "c")
    assert (state.player, len(state.actions())) == (CHANCE, comb(48, 3))
    assert len(state.chances()) == comb(48, 3)
    assert state.apply("3d4h9s").seen_by(1) == "2c7d:cc/3d4h9s"


def test_the_order_of_cards_that_come_together_does_not_matter() -> None:
    game = load_betting_game("holdem.limit.2p")
    assert play(game, "AsAh").seen_by(0) == play(game, "AhAs").seen_by(0)


def test_nobody_owes_anything_while_cards_come() -> None:
    state = load_betting_game("holdem.nolimit.2p").start()
    assert (state.to_call, state.raise_bounds()) == (0, None)


def test_streets_are_dealt_one_by_one_after_an_all_in() -> None:
    game = load_betting_game("holdem.nolimit.2p")
    state = play(game, "AsAh", "2c7d", "r20000", "c")
    assert state.player == CHANCE
    state = state.apply("3d4h9s")
    assert (state.player, len(state.actions())) == (CHANCE, 45)
    state = state.apply("Tc").apply("Jd")
    assert state.player == TERMINAL
    assert state.payoffs() == (20000.0, -20000.0)


def test_a_hand_without_showdown_ends_without_cards() -> None:
    state = play(load_betting_game("leduc"), "Js", "Ks", "r", "f")
    assert (state.player, state.board, state.payoffs()) == (TERMINAL, (), (1.0, -1.0))


@pytest.mark.parametrize("outcome", ["Js", "As", "", "JhQh", "J", "c"])
def test_impossible_outcomes_are_named(outcome: str) -> None:
    with pytest.raises(ValueError, match=r"illegal outcome .* may come|bad card"):
        play(load_betting_game("leduc"), "Js", outcome)


def test_draws() -> None:
    state = play(LITTLE_DRAW, "Qh", "Kh", "Ah", "c", "c", "c")
    assert state.actions() == ("d", "dQh")
    state = state.apply("dQh")
    assert (state.player, state.actions()) == (CHANCE, ("Qs", "Ks", "As"))
    assert (state.seen_by(0), state.seen_by(1)) == ("Qh:ccc/:(Qh)", "Kh:ccc/:(1)")
    state = state.apply("As")
    assert (state.player, state.seen_by(0), state.seen_by(1)) == (
        1,
        "Qh:ccc/:(Qh)+As",
        "Kh:ccc/:(1)",
    )
    state = state.apply("d").apply("dAh")
    assert state.actions() == ("Qs", "Ks")
    state = state.apply("Ks")
    assert (state.player, state.node.drawing) == (0, False)
    state = state.apply("r").apply("c").apply("c")
    assert state.betting == "ccc/dQhddAhrcc"
    assert state.payoffs() == (6.0, -3.0, -3.0)


def test_earlier_discards_come_back_when_the_deck_runs_out() -> None:
    """Two cards are left for three draws: the third gets one of the first two discards."""
    game = BettingGame(
        name="short",
        players=3,
        betting="limit",
        ranks="JQKA",
        suits="s",
        showdown="high-card",
        ante=1,
        streets=(Street(hole=1, bet=1, max_raises=1), Street(draw=1, bet=1, max_raises=1)),
    )
    state = play(game, "Js", "Qs", "Ks", "c", "c", "c", "dJs")
    assert state.actions() == ("As",)
    state = state.apply("As").apply("dQs")
    assert state.actions() == ("Js",)
    state = state.apply("Js").apply("dKs")
    assert state.actions() == ("Qs",)
    assert sum(state.chances()) == 1
    assert state.apply("Qs").seen_by(2) == "Ks:ccc/:(1)(1)(Ks)+Qs"


@given(
    st.sets(st.integers(0, 11), max_size=9).map(sorted).map(tuple),
    st.integers(0, 9),
)
def test_deals_by_number_are_those_of_the_list(choice: tuple[int, ...], count: int) -> None:
    deals = _Deals((50, 51), choice, count)
    listed = list(deals)
    assert len(listed) == len(deals)
    assert [deals[number] for number in range(len(deals))] == listed
    assert [deals[-1 - number] for number in range(len(deals))] == listed[::-1]
    assert deals[1:4] == listed[1:4]
    with pytest.raises(IndexError):
        deals[len(deals)]


def test_many_deals_are_made_one_by_one() -> None:
    state = load_betting_game("draw").start()
    actions, chances = state.actions(), state.chances()
    assert len(actions) == len(chances) == 2_598_960
    assert (actions[0], actions[-1], chances[7]) == ("2c2d2h2s3c", "KsAcAdAhAs", 1 / 2_598_960)
    assert chances[:2] == (1 / 2_598_960,) * 2
    assert state.apply(actions[12345]).holes[0]

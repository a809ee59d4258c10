"""Hands with given cards: replay, views, showdowns, draws."""

from __future__ import annotations

import numpy as np
import pytest

from pokerlab.cards.codes import format_cards
from pokerlab.games import TERMINAL, BettingGame, Street, load_betting_game

HOLDEM = load_betting_game("holdem.nolimit.3p")
DEAL = HOLDEM.make_deal(["AsAh", "KsKh", "2c7d"], "3d4h9sTcJd")
DRAW = load_betting_game("draw")


def test_what_bots_look_at() -> None:
    state = HOLDEM.replay("r300cc/r600", DEAL)
    assert (state.player, state.street, state.pot, state.to_call) == (1, 1, 1200, 300)
    assert state.spent == (600, 300, 300)
    assert state.stacks == (19400, 19700, 19700)
    assert state.raise_bounds() == (900, 20000)
    assert format_cards(state.board) == "3d4h9s"
    state = state.apply("f").apply("r20000")
    assert state.folded == (False, True, False)
    assert state.all_in == (False, False, True)
    assert state.actions() == ("f", "c")


def test_side_pots() -> None:
    game = HOLDEM.with_stacks([300, 1000, 2000])
    state = game.replay("r2000cc", DEAL)
    assert state.player == TERMINAL
    # Aces win 300 of each, kings the 700 more that seat 2 had to call, 1,000 go back.
    assert state.payoffs() == (600.0, 400.0, -1000.0)


def test_payoffs_only_at_the_end() -> None:
    with pytest.raises(ValueError, match="the hand is not over after 'r300': nobody has won yet"):
        HOLDEM.replay("r300", DEAL).payoffs()


def test_a_hand_won_without_showdown_needs_no_cards() -> None:
    assert HOLDEM.replay("ff").payoffs() == (-50.0, 50.0, 0.0)


def test_a_showdown_needs_cards() -> None:
    with pytest.raises(ValueError, match="no showdown after 'ccc/ccc/ccc/ccc': the board is not"):
        HOLDEM.replay("ccc/ccc/ccc/ccc").payoffs()
    deal = HOLDEM.make_deal(["AsAh", "", "2c7d"], "3d4h9sTcJd")
    with pytest.raises(ValueError, match="the cards of seat 1 are not known"):
        HOLDEM.replay("ccc/ccc/ccc/ccc", deal).payoffs()


@pytest.mark.parametrize(
    ("betting", "message"),
    [
        ("cx", "bad betting 'cx': 'x' is not an action (f, c, r, r300, d2c7h, or / between"),
        ("r300c/c", "bad betting 'r300c/c': streets end elsewhere, as in 'r300cc/'"),
        ("ccc//", "bad betting 'ccc//': streets end elsewhere, as in 'ccc/'"),
        ("c/cc", "bad betting 'c/cc': streets end elsewhere, as in 'ccc/'"),
        ("r", "illegal action 'r' after '': seat 2 may play f, c or r200 to r20000"),
        ("r150", "illegal action 'r150' after '': seat 2 may play f, c or r200 to r20000"),
        ("ffc", "illegal action 'c' after 'ff': the hand is over"),
    ],
)
def test_bad_betting_is_named(betting: str, message: str) -> None:
    with pytest.raises(ValueError) as caught:
        HOLDEM.replay(betting, DEAL)
    assert str(caught.value).startswith(message)


def test_the_slash_at_the_end_may_be_missing() -> None:
    assert HOLDEM.replay("ccc").betting == HOLDEM.replay("ccc/").betting == "ccc/"


class TestView:
    def test_hides_the_others_and_the_future(self) -> None:
        view = HOLDEM.replay("ccc/ccc", DEAL).view(1)
        assert [format_cards(hole) for hole in view.holes] == ["", "KsKh", ""]
        assert format_cards(view.deal.board) == format_cards(view.board) == "3d4h9sTc"
        assert view.deal.holes == view.holes
        assert view.betting == "ccc/ccc/"

    def test_shows_the_hands_at_a_showdown(self) -> None:
        view = HOLDEM.replay("fcc/cc/cc/cc", DEAL).view(2)
        assert [format_cards(hole) for hole in view.holes] == ["AsAh", "KsKh", "2c7d"]
        view = HOLDEM.replay("fcc/cc/cc/cc", DEAL).view(1)
        assert [format_cards(hole) for hole in view.holes] == ["AsAh", "KsKh", ""]

    def test_shows_nothing_when_all_folded(self) -> None:
        view = HOLDEM.replay("ff", DEAL).view(2)
        assert [format_cards(hole) for hole in view.holes] == ["", "", "2c7d"]

    def test_can_be_played_on(self) -> None:
        state = HOLDEM.replay("ccc/", DEAL)
        assert state.view(0).apply("r500").seen_by(0) == state.apply("r500").seen_by(0)

    def test_hides_what_others_exchange(self) -> None:
        deal = DRAW.make_deal(["AsKsQsJs2c", "2d2h3c3d9s"], stub="TsTdThTc")
        state = DRAW.replay("cc/d2cd9s", deal)
        assert state.view(0).betting == "cc/d2c(1)"
        assert state.view(0).seen_by(0) == state.seen_by(0)
        known = DRAW.make_deal(["AsKsQsJs2c", ""], stub="Ts")
        assert DRAW.replay("cc/d2c(1)", known).seen_by(0) == state.seen_by(0)
        with pytest.raises(ValueError, match=r"seat 1 may play \(0\), \(1\), .* or \(5\)"):
            DRAW.replay("cc/d2c(6)", known)
        assert [format_cards(hole) for hole in state.view(0).holes] == ["AsKsQsJsTs", ""]


class TestDraw:
    DEAL = DRAW.make_deal(["AsKsQsJs2c", "2d2h3c3d9s"], stub="Ts9dThTc")

    def test_new_cards_come_from_the_stub(self) -> None:
        state = DRAW.replay("cc/d2c", self.DEAL)
        assert format_cards(state.holes[0]) == "AsKsQsJsTs"
        state = state.apply("d9s3d")
        assert sorted(map(format_cards, zip(state.holes[1]))) == ["2d", "2h", "3c", "9d", "Th"]
        assert state.apply("r100").apply("c").payoffs() == (100.0, -100.0)

    def test_all_ways_to_exchange_are_listed(self) -> None:
        actions = DRAW.replay("cc/", self.DEAL).actions()
        assert len(actions) == len(set(actions)) == 32
        assert actions[:3] == ("d", "d2c", "dJs")
        assert actions[-1] == "d2cJsQsKsAs"

    def test_the_order_of_discards_does_not_matter(self) -> None:
        state = DRAW.replay("cc/", self.DEAL)
        assert state.apply("dAs2c").betting == state.apply("d2cAs").betting == "cc/d2cAs"

    def test_others_see_the_number_of_cards(self) -> None:
        state = DRAW.replay("cc/d2cdcr30", self.DEAL)
        assert state.seen_by(0) == "2cJsQsKsAs:cc/:(2c)+Ts(0)cr30"
        assert state.seen_by(1) == "2d2h3c3d9s:cc/:(1)(0)cr30"
        assert state.public() == ":cc/:(1)(0)cr30"

    @pytest.mark.parametrize(("thrown", "seen"), [("d", "(0)"), ("d2c", "(1)"), ("d2cAs", "(2)")])
    def test_what_others_see_replays(self, thrown: str, seen: str) -> None:
        state = DRAW.replay("cc/", self.DEAL).apply(thrown)
        view = state.view(1)
        assert view.betting == f"cc/{seen}"
        assert DRAW.replay(view.betting, view.deal).betting == view.betting
        assert state.betting == state.view(0).betting != view.betting

    def test_players_who_are_all_in_draw(self) -> None:
        state = DRAW.replay("r1000c/", self.DEAL)
        assert state.player == 0
        assert state.apply("d2c").player == 1
        assert state.apply("d2c").apply("d").payoffs() == (1000.0, -1000.0)

    @pytest.mark.parametrize(
        "action", ["dTs", "c", "d2", "d2c2c", "d2C", "(1)", "", "d2cKsQsJsAs2d"]
    )
    def test_bad_discards_are_named(self, action: str) -> None:
        with pytest.raises(ValueError) as caught:
            DRAW.replay("cc/", self.DEAL).apply(action)
        if action != "d2c2c":
            assert str(caught.value) == (
                f"illegal action {action!r} after 'cc/': seat 0 may exchange up to 5 of"
                " AsKsQsJs2c (d and the cards; d alone keeps all)"
            )

    def test_no_card_left(self) -> None:
        with pytest.raises(ValueError, match="no card left to replace 2cJsQsKsAs: give it a stub"):
            DRAW.replay("cc/d2cAsKsQsJs", self.DEAL)

    def test_earlier_discards_come_back_when_the_deck_runs_out(self) -> None:
        """Six players throw 30 cards, 22 are left: the last ones get what others threw."""
        game = DRAW.with_stacks([100] * 6)
        for deal in game.deals(np.random.default_rng(1), 20):
            state = game.replay("cccccc/", deal)
            while state.node.drawing:
                state = state.apply(state.actions()[-1])
            in_hands = [card for hole in state.holes for card in hole]
            assert len(set(in_hands)) == 30
            back = {*in_hands} - {*deal.stub}
            assert len(back) == 8
            last_thrown = {card for swap in state.swaps[-1:] for card in swap.thrown}
            assert not {*state.holes[5]} & last_thrown


def test_private_cards_on_later_streets() -> None:
    game = BettingGame(
        name="stud",
        players=3,
        betting="limit",
        ante=1,
        showdown="kinds",
        streets=(
            Street(hole=1, bet=1, max_raises=1),
            Street(hole=2, board=1, bet=1, max_raises=1),
        ),
    )
    deal = game.make_deal(["AsAhAd", "KsKhKd", "QsQhQd"], "2c")
    state = game.replay("rfc", deal)
    assert [format_cards(hole) for hole in state.holes] == ["AsAhAd", "Ks", "QsQhQd"]
    assert state.seen_by(0) == "As:rfc/AdAh2c"
    assert state.seen_by(1) == "Ks:rfc/2c"
    assert state.apply("c").apply("c").payoffs() == (3.0, -1.0, -2.0)


def test_bad_seat() -> None:
    for look in (HOLDEM.replay("").seen_by, HOLDEM.replay("").view):
        for seat in (3, -1):
            with pytest.raises(ValueError, match=rf"{seat} is not a seat of holdem.nolimit.3p"):
                look(seat)

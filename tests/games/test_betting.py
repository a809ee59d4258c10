"""The action tree: counts, who may raise to what, all-ins, streets that pass by."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokerlab.games import TERMINAL, Betting, BettingGame, Street, load_betting_game
from pokerlab.games.betting import NoLimitActions


def no_limit(
    *stacks: int, reopen: str = "full", menu: str = "", betting: str = "no-limit"
) -> BettingGame:
    """Two streets, blinds 5 and 10 on the last two seats, seat 0 first."""
    players = len(stacks)
    return BettingGame(
        name="test",
        players=players,
        betting=betting,
        blinds=(0,) * (players - 2) + (5, 10),
        stacks=stacks,
        showdown="high-card",
        reopen=reopen,
        menu=menu,
        streets=(Street(hole=1), Street(board=1)),
    )


def play(game: BettingGame, betting: str) -> Betting:
    return game.replay(betting).node


def decisions(node: Betting) -> Counter[int]:
    """How many histories there are at which somebody must act, by street."""
    if node.player == TERMINAL:
        return Counter()
    below = Counter({node.street: 1})
    for action in node.actions():
        below += decisions(node.after(action))
    return below


def test_heads_up_limit_holdem_has_6378_decisions() -> None:
    root = load_betting_game("holdem.limit.2p").first_betting
    assert decisions(root) == {0: 8, 1: 70, 2: 630, 3: 5670}


def test_rhode_island_has_the_size_known_from_the_literature() -> None:
    """Gilpin and Sandholm's linear program has 91,224,226 rows and as many columns."""
    sequences, infosets = [1, 1], [0, 0]
    cards_seen = [52, 52 * 51, 52 * 51 * 50]

    def walk(node: Betting) -> None:
        if node.player != TERMINAL:
            infosets[node.player] += cards_seen[node.street]
            sequences[node.player] += cards_seen[node.street] * len(node.actions())
            for action in node.actions():
                walk(node.after(action))

    walk(load_betting_game("rhodeisland").first_betting)
    assert 1 + sequences[0] + infosets[1] == 91_224_226
    assert 1 + sequences[1] + infosets[0] == 91_224_226


@pytest.mark.parametrize("name", ["holdem.limit.2p", "holdem.nolimit.2p"])
def test_the_button_acts_first_before_the_flop_and_last_after(name: str) -> None:
    game = load_betting_game(name)
    assert game.first_betting.player == 1
    assert game.first_betting.to_call == game.big_blind // 2
    assert play(game, "cc/").player == 0


def test_three_players_begin_left_of_the_big_blind() -> None:
    game = load_betting_game("holdem.limit.3p")
    assert game.first_betting.player == 2
    assert play(game, "ccc/").player == 0
    assert play(game, "cfc/").player == 1


def test_limit_raises_are_capped() -> None:
    game = load_betting_game("holdem.limit.2p")
    assert play(game, "rr").actions() == ("f", "c", "r")
    assert play(game, "rrr").actions() == ("f", "c")
    assert play(game, "rrrc/rrr").actions() == ("f", "c", "r")
    assert play(game, "rrrc/rrrr").actions() == ("f", "c")
    assert play(game, "rrrc/rrrrc/rrrrc/rrrrc").spent == (240, 240)


def test_nobody_folds_to_no_bet() -> None:
    node = play(load_betting_game("holdem.nolimit.2p"), "c")
    assert "f" not in node.actions()
    with pytest.raises(ValueError, match="illegal action 'f' after 'c': seat 0 may play c or r200"):
        node.after("f")


def test_the_smallest_raise_is_the_last_raise() -> None:
    game = load_betting_game("holdem.nolimit.2p")
    assert game.first_betting.raise_bounds() == (200, 20000)
    assert play(game, "r500").raise_bounds() == (900, 20000)
    assert play(game, "r500c/").raise_bounds() == (600, 20000)
    assert play(game, "r500c/r600r1000").raise_bounds() == (1400, 20000)


def test_pot_limit_raises_to_the_pot_after_calling() -> None:
    game = no_limit(500, 500, betting="pot-limit")
    # Blinds 5 and 10: seat 0 calls 5, then raises by 20.
    assert game.first_betting.raise_bounds() == (20, 30)
    assert play(game, "r30").raise_bounds() == (50, 90)
    assert play(game, "r30c/").raise_bounds() == (40, 90)


def test_a_stack_shorter_than_the_smallest_raise_may_go_all_in() -> None:
    game = no_limit(100, 15, 100)
    assert play(game, "c").raise_bounds() == (15, 15)


def test_all_in_runs_through_the_streets_that_are_left() -> None:
    game = load_betting_game("holdem.nolimit.2p")
    node = play(game, "r20000c")
    assert (node.text, node.player, node.street) == ("r20000c///", TERMINAL, 3)
    node = play(game, "r300c/r20000c")
    assert node.text == "r300c/r20000c//"


def test_what_nobody_calls_goes_back() -> None:
    assert play(no_limit(300, 50), "r300c").spent == (50, 50)
    assert play(no_limit(300, 300), "r200f").spent == (10, 10)


def test_nothing_to_decide_for_those_whom_nobody_can_cover() -> None:
    """The small blind is all in with 10: the big blind, with 500, is not asked."""
    node = play(no_limit(10, 500), "c")
    assert node.player == TERMINAL
    assert node.text == "c/"


def test_blinds_beyond_a_stack_are_paid_in_part() -> None:
    game = no_limit(100, 100, 3)
    assert game.first_betting.spent == (0, 5, 3)
    assert game.first_betting.price == 5


class TestShortAllIn:
    """Seat 0 bets 40, seat 1 goes all in for 50: less than a full raise of 30."""

    STACKS = (500, 50, 500, 500)
    BETTING = "r40r50"

    def test_the_next_raise_is_a_full_one_on_top(self) -> None:
        node = play(no_limit(*self.STACKS), self.BETTING)
        assert node.player == 2
        assert node.raise_bounds() == (80, 500)

    def test_who_has_acted_may_not_raise(self) -> None:
        node = play(no_limit(*self.STACKS), self.BETTING + "cc")
        assert node.player == 0
        assert node.actions() == ("f", "c")

    def test_a_full_raise_behind_it_lets_all_raise_again(self) -> None:
        node = play(no_limit(*self.STACKS), self.BETTING + "r80c")
        assert node.player == 0
        assert node.raise_bounds() == (110, 500)

    def test_any_raise_counts_in_the_acpc_server(self) -> None:
        game = no_limit(*self.STACKS, reopen="any")
        assert play(game, self.BETTING).raise_bounds() == (70, 500)
        assert play(game, self.BETTING + "cc").raise_bounds() == (70, 500)


def test_short_all_ins_together_make_a_full_raise() -> None:
    game = no_limit(500, 55, 70, 500, 500)
    node = play(game, "r40r55r70cc")
    assert node.player == 0
    assert node.to_call == 30
    assert node.raise_bounds() == (100, 500)


def test_no_raise_when_nobody_could_call_it() -> None:
    assert play(no_limit(500, 50), "c").raise_bounds() == (20, 50)
    node = play(no_limit(50, 500), "r50")
    assert node.actions() == ("f", "c")


def test_menu_lists_shares_of_the_pot_and_all_in() -> None:
    game = no_limit(500, 500, menu="50%, 100%, a")
    # The pot after calling is 20: half of it is too little, so the smallest raise stands there.
    assert game.first_betting.actions() == ("f", "c", "r20", "r30", "r500")
    assert play(game, "r30c/").actions() == ("c", "r60", "r90", "r500")
    assert play(game, "r480c/").actions() == ("c", "r500")


def test_the_menu_does_not_narrow_what_is_legal() -> None:
    game = no_limit(500, 500, menu="100%, a")
    assert "r77" not in game.first_betting.actions()
    assert game.first_betting.after("r77").price == 77


@pytest.mark.parametrize(
    "action",
    ["", "x", "cc", "R20", "r", "r19", "r501", "r020", "r-20", "r2e1", "r٣٠", "r" + "9" * 5000],
)
def test_illegal_actions_are_named(action: str) -> None:
    with pytest.raises(ValueError, match="seat 0 may play f, c or r20 to r500") as caught:
        no_limit(500, 500).first_betting.after(action)
    assert len(str(caught.value)) < 150


def test_no_action_after_the_end() -> None:
    with pytest.raises(ValueError, match="illegal action 'c' after 'f': the hand is over"):
        play(no_limit(500, 500), "f").after("c")


def test_nodes_are_kept_up_to_a_limit() -> None:
    game = no_limit(500, 500)
    game.notebook.room = 1
    kept = game.first_betting.after("r20")
    assert game.first_betting.after("r20") is kept
    assert game.first_betting.after("r21") is not game.first_betting.after("r21")
    assert game.first_betting.after("r21").spent == (21, 10)


@given(
    st.lists(st.sampled_from(["f", "c"]), unique=True),
    st.integers(1, 50),
    st.integers(0, 20),
    st.data(),
)
def test_the_lazy_list_of_actions_is_a_list(
    stay: list[str], lowest: int, more: int, data: st.DataObject
) -> None:
    lazy = NoLimitActions(tuple(stay), lowest, lowest + more)
    plain = [*stay, *(f"r{size}" for size in range(lowest, lowest + more + 1))]
    assert list(lazy) == plain
    assert len(lazy) == len(plain)
    index = data.draw(st.integers(-len(plain), len(plain) - 1))
    assert lazy[index] == plain[index]
    assert lazy[index : index + 3] == plain[index : index + 3]
    action = data.draw(st.sampled_from(plain) | st.integers(0, 80).map("r{}".format) | st.text())
    assert (action in lazy) == (action in plain)
    with pytest.raises(IndexError):
        lazy[len(plain)]


def test_stacks_of_another_size_make_another_tree() -> None:
    game = no_limit(500, 500)
    assert replace(game, stacks=(40, 500)).first_betting.raise_bounds() == (20, 40)

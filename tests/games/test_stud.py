"""Stud: several deals to each player, some of them face up."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokerlab.cards.codes import format_cards
from pokerlab.games import CHANCE, TERMINAL, BettingGame, Street, load_betting_game, merge_suits
from pokerlab.solvers import Strategy, exploitability, solve_lp, values
from pokerlab.trees import GameTree


def play_out(state, seed):
    rng = np.random.default_rng(seed)
    while state.player != TERMINAL:
        state = state.apply(str(rng.choice(state.actions())))
    return state


@given(st.sampled_from(["stud", "stud.small"]), st.integers(0, 2**32 - 1))
def test_a_view_has_the_up_cards_of_all_and_no_other_card(name, seed):
    game = load_betting_game(name)
    rng = np.random.default_rng(seed)
    deal = game.deal(rng)
    state = game.start(deal)
    while state.player != TERMINAL:
        for seat in (0, 1):
            view = state.view(seat)
            assert view.seen_by(seat) == state.seen_by(seat)
            assert view.public() == state.public()
            assert view.view(seat).seen_by(seat) == state.seen_by(seat)
            assert view.holes[1 - seat] == ()
            hidden = set(state.holes[1 - seat]) - {
                card
                for street in range(state.street + 1)
                for card in state.up_cards(1 - seat, street)
            }
            assert hidden == {deal.holes[1 - seat][0]}  # one card lies face down
            assert view.deal.up[1 - seat][0] == -1
            assert format_cards(hidden) not in view.seen_by(seat)
        state = state.apply(str(rng.choice(state.actions())))
    assert sum(state.payoffs()) == 0.0


@given(st.integers(0, 2**32 - 1))
def test_chance_deals_what_a_given_deal_has(seed):
    game = load_betting_game("stud")
    played = play_out(game.start(game.deal(np.random.default_rng(seed))), seed)
    state, actions = game.start(), list(played.betting.replace("/", ""))
    waiting = [list(hand) for hand in played.holes]
    while state.player == CHANCE or actions:
        if state.player == CHANCE:
            seat = state._pending[0].owner
            state = state.apply(format_cards([waiting[seat].pop(0)]))
        else:
            state = state.apply(actions.pop(0))
    assert state.payoffs() == played.payoffs()
    assert [state.seen_by(seat) for seat in (0, 1)] == [played.seen_by(seat) for seat in (0, 1)]


def test_even_play_is_worth_what_all_deals_say():
    """Small stud by brute force: every deal, every line of betting, hands compared by hand."""
    game = load_betting_game("stud.small")
    tree = GameTree.build(game)
    found = values(tree, Strategy.uniform(tree.infosets))[0]

    def worth(down, up):
        first, second = sorted((down // 2, up // 2))
        return (first == second, second, first)

    total = 0.0
    deals = list(permutations(range(6), 4))
    lines = list(_lines(game.first_betting))
    for one, other, mine, theirs in deals:
        a, b = worth(one, mine), worth(other, theirs)
        for chance, node in lines:
            stake = min(node.spent)
            if any(node.folded):
                total += chance * (stake if node.folded[1] else -stake)
            else:
                total += chance * stake * ((a > b) - (a < b))
    assert found == pytest.approx(total / len(deals), abs=1e-12)


def _lines(node, chance=1.0):
    if node.player == TERMINAL:
        yield chance, node
        return
    actions = list(node.actions())
    for action in actions:
        yield from _lines(node.after(action), chance / len(actions))


@pytest.mark.slow
def test_small_stud_is_solved():
    tree = GameTree.of(load_betting_game("stud.small"))
    assert (len(tree), len(tree.infosets)) == (28_057, 3_636)
    found = solve_lp(tree)
    assert found.values[0] == pytest.approx(-0.0520108622, abs=1e-9)
    assert exploitability(tree, found.strategy) < 1e-9


def test_up_cards_are_in_the_names_of_information_sets():
    tree = GameTree.of(load_betting_game("stud.small"))
    assert "Jh:cc/^Qh^Qs:cr" in tree.infosets.names
    assert "d{Qs}" in " ".join(tree.path(node) for node in tree.terminals[:400].tolist())


def test_what_cannot_be_is_refused():
    with pytest.raises(ValueError, match=r"suits of stud cannot be merged: streets\[0\].up is 1"):
        merge_suits(load_betting_game("stud"))
    with pytest.raises(ValueError, match="a game has up-cards or draws, not both"):
        BettingGame(
            name="mixed", players=2, betting="limit", showdown="kinds", ante=1,
            streets=(Street(hole=1, up=1, draw=1, bet=1, max_raises=1),),
        )  # fmt: skip
    with pytest.raises(ValueError, match=r"streets\[0\].up: -1 is not a whole number"):
        BettingGame(
            name="below", players=2, betting="limit", showdown="kinds", ante=1,
            streets=(Street(hole=1, up=-1, bet=1, max_raises=1),),
        )  # fmt: skip

"""A round of bets without a game: turns, prices, raises and ends."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pokerlab.games import TERMINAL
from pokerlab.games.betting_round import BettingRound, NoLimit


def begin(*chips: int, spent: tuple[int, ...] = (), price: int = 0) -> BettingRound:
    return BettingRound(NoLimit(chips), spent or (0,) * len(chips), range(len(chips)), 10, price)


def test_a_round_goes_round_the_table() -> None:
    first = begin(100, 100, 100)
    bet = first.call().raise_to(30)
    assert (bet.player, bet.waiting, bet.raises, bet.least_raise) == (2, (2, 0), 1, 30)
    assert (first.player, first.raises) == (0, 0)  # it has not changed
    over = bet.fold().call()
    assert (over.player, over.waiting, over.live, over.spent) == (TERMINAL, (), (0, 1), (30, 30, 0))


def test_the_last_player_wins_without_acting() -> None:
    alone = begin(100, 100, 100, spent=(0, 5, 10)).fold().fold()
    assert (alone.player, alone.live, alone.spent) == (TERMINAL, (2,), (0, 5, 10))


def test_the_price_may_be_more_than_anybody_has_put_in() -> None:
    """The big blind of 10 has 4 chips: the others still call 10."""
    short = begin(100, 100, 4, spent=(0, 5, 4), price=10)
    assert (short.player, short.to_call, short.raise_bounds()) == (0, 10, (20, 100))
    assert short.call().call().spent == (10, 10, 4)


def test_nobody_acts_without_chips_to_answer() -> None:
    assert begin(100, 4, spent=(4, 4)).player == TERMINAL
    assert begin(0, 0).player == TERMINAL


@given(
    st.lists(st.integers(1, 60), min_size=2, max_size=5),
    st.lists(st.sampled_from(["fold", "call", "least", "most"]), max_size=40),
)
def test_every_round_ends_with_its_price_paid(chips: list[int], acts: list[str]) -> None:
    here, turns = begin(*chips), 0
    while here.player != TERMINAL:
        assert here.player == here.waiting[0] and not here.folded[here.player]
        assert here.spent[here.player] < chips[here.player]
        act, bounds = acts[turns] if turns < len(acts) else "call", here.raise_bounds()
        turns += 1
        if act in ("least", "most") and bounds:
            assert here.price < bounds[0] <= bounds[1] == chips[here.player]
            here = here.raise_to(bounds[act == "most"])
        elif act == "fold" and here.to_call:
            here = here.fold()
        else:
            here = here.call()
    for seat in here.live:
        assert len(here.live) == 1 or here.spent[seat] == min(here.price, chips[seat])

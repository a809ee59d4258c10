from collections import Counter
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokerlab.arena.deal_generator import DealGenerator
from pokerlab.cards import Range
from pokerlab.cards.codes import format_cards, parse_cards
from pokerlab.games import BettingGame, Street, load_betting_game

KUHN = load_betting_game("kuhn")
LEDUC = load_betting_game("leduc")
HOLDEM = load_betting_game("holdem.limit.2p")


def all_of(generator):
    deals = list(generator.enumerate())
    assert len(deals) == generator.count
    assert generator.count_up_to(len(deals)) == len(deals)
    for most in (0, len(deals) // 3, len(deals) - 1):
        assert generator.count_up_to(most) > most
    assert sum(weight for _, weight in deals) == pytest.approx(1)
    keys = [
        (tuple(map(frozenset, deal.holes)), deal.board[:3], deal.board[3:]) for deal, _ in deals
    ]
    assert len(set(keys)) == len(keys)
    for deal, _ in deals:
        cards = [card for hole in deal.holes for card in hole] + list(deal.board)
        assert len(set(cards)) == len(cards)
        generator.game.start(deal)
    return deals


def test_every_deal_of_small_games():
    kuhn = all_of(DealGenerator(KUHN))
    assert sorted(str(deal) for deal, _ in kuhn) == [
        "Js|Ks",
        "Js|Qs",
        "Ks|Js",
        "Ks|Qs",
        "Qs|Js",
        "Qs|Ks",
    ]
    assert len(all_of(DealGenerator(LEDUC))) == 6 * 5 * 4
    assert len(all_of(DealGenerator(load_betting_game("kuhn.3p")))) == 24


def test_fixed_cards():
    deals = all_of(DealGenerator(HOLDEM, {0: "AsKd"}, "2c3d4h5s", dead="6c6d"))
    assert len(deals) == comb(44, 2) * 42
    for deal, _ in deals[::997]:
        assert format_cards(deal.holes[0]) == "AsKd"
        assert format_cards(deal.board[:4]) == "2c3d4h5s"
        assert not {*parse_cards("6c6d")} & {*deal.holes[1], *deal.board}


def test_a_board_that_ends_within_a_street():
    deals = all_of(DealGenerator(HOLDEM, {0: "AsKd", 1: "QhQc"}, "2c3d", dead=range(9, 36)))
    left = 52 - 27 - 6
    assert len(deals) == left * (left - 1) * (left - 2)


def test_ranges_have_weights():
    generator = DealGenerator(HOLDEM, {0: "AsAh", 1: Range("AdAc, KsKh:0.5, AsKs")}, "2c3d4h5s6c")
    weights = {format_cards(deal.holes[1]): weight for deal, weight in all_of(generator)}
    assert weights == pytest.approx({"AdAc": 2 / 3, "KsKh": 1 / 3})
    same = DealGenerator(HOLDEM, {0: "AsAh", 1: "AdAc, KsKh:0.5, AsKs"}, "2c3d4h5s6c")
    assert list(same.enumerate()) == list(generator.enumerate())


def test_samples_have_the_same_distribution_as_the_enumeration():
    rng = np.random.default_rng(1)
    generator = DealGenerator(HOLDEM, {0: "AsAh", 1: "AdAc, KsKh:0.5, AsKs"}, "2c3d4h5s6c")
    counts = Counter(format_cards(deal.holes[1]) for deal, _ in generator.sample(3000, rng))
    assert counts.keys() == {"AdAc", "KsKh"}
    assert abs(counts["AdAc"] / 3000 - 2 / 3) < 4 * np.sqrt(2 / 9 / 3000)
    leduc = Counter(str(deal) for deal, _ in DealGenerator(LEDUC, {0: "Js"}).sample(6000, rng))
    assert len(leduc) == 20
    assert max(abs(count - 300) for count in leduc.values()) < 5 * np.sqrt(300)


@given(
    st.sampled_from(["kuhn.3p", "leduc", "holdem.nolimit.3p", "draw", "rhodeisland"]),
    st.integers(0, 1000),
)
def test_samples_can_be_played(name, seed):
    game = load_betting_game(name)
    rng = np.random.default_rng(seed)
    full = game.deal(rng)
    fixed = int(rng.integers(len(full.board) + 1))
    generator = DealGenerator(game, {1: full.holes[1]}, full.board[:fixed])
    for deal, weight in generator.sample(3, rng):
        assert weight == pytest.approx(1 / 3)
        assert deal.holes[1] == full.holes[1]
        assert deal.board[:fixed] == full.board[:fixed]
        state = game.start(deal)
        while state.player >= 0:
            actions = state.actions()
            state = state.apply(actions[int(rng.integers(min(len(actions), 40)))])
        assert sum(state.payoffs()) == pytest.approx(0)


def test_private_cards_that_come_later_are_dealt_in_their_turn():
    game = BettingGame(
        name="two-turns",
        players=2,
        betting="limit",
        ranks="JQK",
        suits="hs",
        showdown="kinds",
        ante=1,
        streets=(Street(hole=1, bet=1, max_raises=1), Street(hole=1, bet=1, max_raises=1)),
    )
    generator = DealGenerator(game, {0: "JhQh"})
    hands = [deal.holes[1] for deal, _ in generator.enumerate()]
    assert len(hands) == len(set(hands)) == generator.count == 4 * 3


@pytest.mark.parametrize(
    ("game", "arguments", "message"),
    [
        (HOLDEM, ({2: "AsKd"},), "pocket of seat 2: holdem.limit.2p has seats 0 to 1"),
        (HOLDEM, ({0: "AsKdQc"},), "pocket 'AsKdQc' of seat 0: holdem.limit.2p deals 2 private"),
        (HOLDEM, ({0: "AsKd", 1: "AsQd"},), "card As is given twice"),
        (HOLDEM, ({0: "AsKd"}, "As2c3d"), "card As is given twice"),
        (HOLDEM, ({}, "2c3c4c5c6c7c"), "public cards: 6 given, and holdem.limit.2p deals 5"),
        (HOLDEM, ({}, "", range(50)), "50 dead cards are too many: holdem.limit.2p deals 9 of 52"),
        (HOLDEM, ({0: "AsKx"},), "AsKx"),
        (LEDUC, ({0: "As"},), "pocket 'As' of seat 0: 'As' is not a card of leduc"),
        (LEDUC, ({0: "QQ"},), "'QQ' is not a card of leduc, which deals 1 private card"),
        (LEDUC, ({0: "A"},), "'A' is not a card of leduc"),
        (LEDUC, ({0: "KsQs"},), "'KsQs' is not a card of leduc"),
        (LEDUC, ({0: "K, Ks"},), "Ks stands twice"),
        (LEDUC, ({0: " , "},), "there is no card"),
        (LEDUC, ({}, "Jx"), "'x' is not a suit"),
    ],
)
def test_bad_input(game, arguments, message):
    with pytest.raises(ValueError) as error:
        DealGenerator(game, *arguments)
    assert message in str(error.value)


def test_what_cannot_be_dealt():
    clash = DealGenerator(HOLDEM, {0: "AsKs, AsKd", 1: "AsQs, AsQd"})
    with pytest.raises(ValueError, match="the pockets cannot be dealt together"):
        next(clash.enumerate())
    with pytest.raises(ValueError, match="the pockets can hardly be dealt together"):
        next(clash.sample(1, np.random.default_rng(1)))
    with pytest.raises(ValueError, match="draw has a draw: its deals can be sampled, not enumer"):
        next(DealGenerator(load_betting_game("draw")).enumerate())
    with pytest.raises(ValueError, match="0 deals cannot be sampled"):
        next(DealGenerator(KUHN).sample(0, np.random.default_rng(1)))


@pytest.mark.parametrize(
    ("game", "pocket", "expected"),
    [
        (KUHN, "K", {"Ks|Js", "Ks|Qs"}),
        (KUHN, "k", {"Ks|Js", "Ks|Qs"}),
        (KUHN, "K, J", {"Ks|Js", "Ks|Qs", "Js|Ks", "Js|Qs"}),
    ],
)
def test_the_one_private_card_may_be_a_rank(game, pocket, expected):
    deals = all_of(DealGenerator(game, {0: pocket}))
    assert {str(deal) for deal, _ in deals} == expected


def test_a_rank_is_any_of_its_suits():
    deals = all_of(DealGenerator(LEDUC, {1: "K"}))
    assert Counter(format_cards(deal.holes[1]) for deal, _ in deals) == {"Kh": 20, "Ks": 20}
    rhode_island = DealGenerator(load_betting_game("rhodeisland"), {0: "A"})
    drawn = rhode_island.sample(200, np.random.default_rng(3))
    assert {format_cards(deal.holes[0]) for deal, _ in drawn} == {"Ac", "Ad", "Ah", "As"}


def test_up_cards_are_dealt_to_everybody():
    stud = load_betting_game("stud.small")
    deals = dict(DealGenerator(stud).enumerate())
    assert {len(hand) for deal in deals for hand in deal.holes} == {2}
    assert sum(deals.values()) == pytest.approx(1.0)
    # A range says which cards, not which of them is shown.
    by_range = dict(DealGenerator(stud, {0: "random"}).enumerate())
    assert by_range.keys() == deals.keys()
    assert list(by_range.values()) == pytest.approx([1 / len(deals)] * len(deals))
    kings = DealGenerator(stud, {1: "KK"}).sample(40, np.random.default_rng(1))
    assert {format_cards(deal.holes[1]) for deal, _ in kings} == {"KhKs", "KsKh"}
    one = DealGenerator(stud, {1: "KhKs"}).enumerate()
    assert {format_cards(deal.holes[1]) for deal, _ in one} == {"KhKs"}

"""Random and chosen cards."""

from __future__ import annotations

from collections import Counter
from itertools import islice

import numpy as np
import pytest

from pokerlab.games import Deal, load_betting_game
from pokerlab.games.deal import check_deal


@pytest.mark.parametrize("name", ["kuhn", "leduc", "holdem.limit.3p", "draw"])
def test_random_deals_are_deals(name: str) -> None:
    game = load_betting_game(name)
    for deal in game.deals(np.random.default_rng(1), 50):
        check_deal(game, deal)
        assert len(deal.board) == game.board_cards[-1]


@pytest.mark.parametrize("players", [2, 6])
def test_the_first_hands_do_not_depend_on_how_many_follow(players: int) -> None:
    game = load_betting_game("draw").with_stacks([100] * players)
    few = list(game.deals(np.random.default_rng(3), 5))
    many = list(islice(game.deals(np.random.default_rng(3), 2500), 5))
    assert few == many


def test_the_deck_is_dealt_to_the_end() -> None:
    game = load_betting_game("draw").with_stacks([100] * 6)
    deal = game.deal(np.random.default_rng(1))
    dealt = [card for hole in deal.holes for card in hole] + list(deal.stub)
    assert sorted(dealt) == sorted(deal.reshuffled) == list(range(52))


def test_all_deals_are_equally_likely() -> None:
    game = load_betting_game("kuhn")
    counts = Counter(game.deals(np.random.default_rng(1), 6000))
    assert len(counts) == 6
    assert all(abs(count - 1000) < 150 for count in counts.values())


@pytest.mark.parametrize(
    ("holes", "board", "message"),
    [
        (["Js"], "", "Js deals 1 hands, leduc has 2"),
        (["JsQs", "Ks"], "", "seat 0 gets JsQs, leduc deals 1 private cards (or none, if they"),
        (["Js", "Ks"], "QsQh", "the board QsQh is too long: public cards of leduc: 1"),
        (["Js", "Ks"], "Ks", "card Ks is dealt twice in Js|Ks/Ks"),
        (["Jc", "Ks"], "", "Jc is not in the deck of leduc (ranks JQK, suits hs)"),
        (["Jx", "Ks"], "", "bad card 'Jx': 'x' is not a suit (c, d, h, s or ♣ ♦ ♥ ♠)"),
    ],
)
def test_impossible_cards_are_named(holes: list[str], board: str, message: str) -> None:
    with pytest.raises(ValueError) as caught:
        load_betting_game("leduc").make_deal(holes, board)
    assert str(caught.value).startswith(message)


def test_a_hand_may_be_unknown() -> None:
    game = load_betting_game("leduc")
    assert game.make_deal(["", "Ks"]) == Deal(((), (47,)))
    with pytest.raises(ValueError, match="does not fit leduc: 2 hands of 1 cards"):
        game.start(Deal(((47, 43), ())))

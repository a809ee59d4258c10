import re
from dataclasses import replace
from functools import cache
from itertools import combinations
from math import comb

import numpy as np
import phevaluator
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokerlab.arena.table import play_hand
from pokerlab.cards import evaluate_batch, parse_cards
from pokerlab.games import Street, load_betting_game
from pokerlab.players.bots.bot import Bot
from pokerlab.players.bots.draw.bot import (
    DrawBot,
    OpponentStyle,
    base_stake,
    best_rank,
    moves_of,
    position_factor,
)
from pokerlab.players.bots.draw.discards import strength
from pokerlab.players.bots.simple import RandomBot

DRAW = load_betting_game("draw")
JUNK, PAIR, TRIPS = "2c3d5h7s9c", "TsTdKh5c4c", "8c8d8hQsJd"


def bot_at(game):
    bot = DrawBot()
    bot.reset(game, np.random.default_rng(1))
    bot.begin(0, range(game.players))
    return bot


def answer(hand, betting="", stacks=(1000, 1000), seat=None, style=None):
    """What the bot does with a hand after some betting, in the seat whose turn it is."""
    game = DRAW.with_stacks(stacks)
    seat = game.replay(betting).player if seat is None else seat
    holes = ["6c6d6h6s3c", *("" for _ in stacks[1:])]
    holes[seat] = hand
    state = game.replay(betting, game.make_deal(holes, stub="2d2h2s"))
    bot = bot_at(game)
    if style is not None:
        bot._styles = {player: style for player in range(len(stacks)) if player != seat}
    return bot.act(state.view(seat))


@pytest.mark.parametrize(
    ("chips", "many", "one"),
    [(99, 100, 100), (100, 200, 400), (799, 200, 400), (800, 300, 600), (5000, 300, 600)],
)
def test_base_of_the_stake(chips, many, one):
    assert (base_stake(chips, 3), base_stake(chips, 1)) == (many, one)


def test_factor_of_players_yet_to_act():
    assert [position_factor(count) for count in range(7)] == [1, 0.9, 0.8, 0.7, 0.6, 0.6, 0.6]


ACES = "AsAdKh5c4c"


@cache
def mean_after_best_draw(hand):
    """The mean strength over all replacements, the best of all ways to throw cards, one by one.

    Throwing four or five cards is left out: it is never best with these hands.
    """
    cards = parse_cards(hand)
    deck = [card for card in range(52) if card not in cards]
    means = []
    for count in range(4):
        new = np.array([*combinations(deck, count)], np.int64).reshape(comb(47, count), count)
        for kept in combinations(cards, 5 - count):
            hands = np.hstack([np.tile(kept, (len(new), 1)), new])
            means.append(1 - evaluate_batch(hands).mean() / 7462)
    return max(means)


def test_the_stake_before_the_draw_is_by_the_mean_of_the_best_draw():
    pat = "2c3d4h5s6c"  # a straight stands pat
    assert mean_after_best_draw(pat) == strength(pat)
    for hand in (ACES, PAIR, "AsKs9s5s2d", pat):
        deal = DRAW.make_deal([hand, ""])
        assert best_rank(DRAW.start(deal)) == pytest.approx(mean_after_best_draw(hand), abs=1e-12)
        after = DRAW.replay("cc/d(0)", deal)
        assert best_rank(after) == strength(hand)
    assert strength(PAIR) < best_rank(DRAW.start(DRAW.make_deal([PAIR, ""])))


def test_what_was_thrown_before_does_not_come_back_in_the_mean():
    game = replace(DRAW, streets=(*DRAW.streets, Street(draw=1)))
    deal = game.make_deal(["AsKsQsJs2d", ""], stub="3d")
    later = best_rank(game.replay("cc/d2d(0)", deal))
    # One draw is left, and the two of diamonds is gone: 46 cards, none of them paired with it.
    kept = re.findall("..", "AsKsQsJs")
    deck = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]
    left = [card for card in deck if card not in (*kept, "2d", "3d")]
    classes = [phevaluator.evaluate_cards(*kept, card) for card in left]
    assert later == pytest.approx(1 - sum(classes) / 46 / 7462, abs=1e-12)


def test_opens_with_the_stake():
    rank = mean_after_best_draw(ACES)
    # 990 chips, one opponent: 600 × rank × 0.9, because one acts later.
    assert answer(ACES) == f"r{10 + int(600 * rank * 0.9)}"
    # Last to act: the factor is 1.
    assert answer(ACES, "c") == f"r{10 + int(600 * rank)}"
    # Two opponents: base 300, two act later.
    assert answer(ACES, stacks=(1000,) * 3) == f"r{10 + int(300 * rank * 0.8)}"
    # A poorer player: 310 chips are left after the ante.
    assert answer(ACES, "c", stacks=(320, 320)) == f"r{10 + int(400 * rank)}"
    # After the draw the hand is what it is.
    assert answer(ACES, "cc/ddc", seat=1) == f"r{10 + int(600 * (1 - 3375 / 7462))}"


def test_never_bets_more_than_it_has():
    assert answer(TRIPS, "c", stacks=(1000, 200)) == "r200"


def test_weak_hands_check_and_fold():
    assert answer(JUNK) == "c"
    assert answer(JUNK, "r200") == "f"
    assert answer(PAIR, stacks=(1000,) * 5) == "c"  # four others: a pair of tens is behind


def test_the_stake_is_compared_with_what_is_to_pay():
    stake = int(600 * mean_after_best_draw(PAIR))
    assert answer(PAIR, f"r{10 + stake}") == "c"
    assert answer(PAIR, f"r{10 + stake + 1}") == "f"
    # What it has bet before is not counted again.
    assert answer(PAIR, f"r100r{100 + stake}") == "c"
    assert answer(PAIR, f"r100r{100 + stake + 1}") == "f"


def test_strong_hands_are_not_folded():
    cautious = OpponentStyle(opens=1, checks=10, raises=1, calls=10, rounds=11)
    assert answer("KcKd7h7s2c", "r900", style=cautious) == "c"
    assert answer(ACES, "r900", style=cautious) == "f"
    assert answer("KcKd7h7s2c", "r1000", style=cautious) == "c"


def test_opponents_style_moves_the_stake():
    cautious = OpponentStyle(opens=1, checks=10, raises=1, calls=10, rounds=11)
    reckless = OpponentStyle(opens=10, checks=1, raises=10, calls=1, rounds=11)
    assert answer(PAIR, "r200") == "c"
    assert answer(PAIR, "r200", style=cautious) == "f"
    assert answer(PAIR, "r200", style=reckless).startswith("r")
    assert answer(PAIR, "r600") == "f"
    assert answer(PAIR, "r600", style=reckless) != "f"


def test_a_cautious_opponent_is_called_and_not_raised():
    cautious = OpponentStyle(opens=2, checks=3, rounds=5)
    assert answer(PAIR, "r30").startswith("r")
    assert answer(PAIR, "r30", style=cautious) == "c"
    assert answer(TRIPS, "r30", style=cautious).startswith("r")  # no brake with two pairs or more


def test_a_reckless_opponent_is_raised_with_less():
    # After the draw a pair of tens is not clearly ahead.
    reckless = OpponentStyle(opens=10, checks=1, rounds=11)
    assert answer(PAIR, "cc/ddr30", seat=1) == "c"
    assert answer(PAIR, "cc/ddr30", seat=1, style=reckless).startswith("r")


def test_all_in_or_fold():
    short = (1000, 60)
    assert answer(PAIR, "r500", stacks=short) == "c"
    assert answer(JUNK, "r500", stacks=short) == "f"
    # After the draw: who has drawn three cards is called with less than who stands pat.
    assert answer(PAIR, "cc/d3c6c6ddr500", stacks=short, seat=1) == "c"
    assert answer(PAIR, "cc/ddr500", stacks=short, seat=1) == "f"
    reckless = OpponentStyle(opens=10, checks=1, rounds=11)
    assert answer(PAIR, "cc/ddr500", stacks=short, seat=1, style=reckless) == "c"
    # The less is left of its chips, the less it takes.
    assert answer(PAIR, "r40c/ddr500", stacks=short, seat=1) == "c"


def test_uncertainty_in_the_first_four_rounds():
    style = OpponentStyle(opens=3, checks=1, raises=1, calls=4)
    seen = []
    for style.rounds in range(6):
        seen.append((style.boldness("open"), style.boldness("raise")))
    assert seen == [(1, 1), (1.5, 0.875), (2, 0.75), (2.5, 0.625), (3, 0.5), (3, 0.5)]
    assert OpponentStyle(rounds=9).boldness("open") == 1.0
    assert OpponentStyle(opens=9, rounds=9).boldness("open") == 4.0


def test_counts_what_each_player_did_wherever_it_sat():
    bot = bot_at(DRAW)
    final = DRAW.replay("r50r100c/(3)(2)cr200f")
    bot.begin(1, [7, 3])
    bot.end(final.view(1))
    bot.begin(0, [3, 7])
    bot.end(final.view(0))
    assert bot._styles[7] == OpponentStyle(opens=2, checks=1, raises=1, calls=1, rounds=2)
    assert bot._styles[7] == bot._styles[3]
    bot.reset(DRAW, bot.rng)
    assert bot._styles == {}


def test_moves_of_a_hand():
    moves = moves_of(DRAW.replay("r50r100c/(3)(2)cr200f").node)
    kinds = [(move.seat, move.street, move.kind, move.cards) for move in moves]
    assert kinds == [
        (0, 0, "open", 0),
        (1, 0, "raise", 0),
        (0, 0, "call", 0),
        (0, 1, "draw", 3),
        (1, 1, "draw", 2),
        (0, 1, "check", 0),
        (1, 1, "open", 0),
        (0, 1, "fold", 0),
    ]


def test_cards_thrown_before_do_not_come_back():
    game = replace(DRAW, streets=(*DRAW.streets, Street(draw=3)))
    deal = game.make_deal([PAIR, JUNK], stub="2d3h6s8sJsQs")
    state = game.replay("cc/d4c5cKhdcc/", deal)
    assert bot_at(game).act(state.view(0)) == "d2d3h6s"


@given(st.integers(0, 10**6), st.lists(st.integers(1, 1500), min_size=2, max_size=6))
def test_never_breaks_the_rules(seed, stacks):
    rng = np.random.default_rng(seed)
    game = DRAW.with_stacks(stacks)
    bots: list[Bot] = [DrawBot(), *(RandomBot(1, 3, 2) for _ in stacks[2:]), DrawBot()]
    for bot in bots:
        bot.reset(game, rng)
    for deal in game.deals(rng, 5):
        hand = play_hand(game, deal, bots)
        assert hand.faults == ()
        assert sum(hand.payoffs) == pytest.approx(0)


def test_plays_limit_draw():
    limit = replace(DRAW, betting="limit", streets=(Street(hole=5, bet=10), Street(draw=3, bet=20)))
    rng = np.random.default_rng(3)
    bots = [DrawBot(), DrawBot()]
    for bot in bots:
        bot.reset(limit, rng)
    hands = [play_hand(limit, deal, bots) for deal in limit.deals(rng, 50)]
    assert not any(hand.faults for hand in hands)
    assert any("r" in hand.betting for hand in hands)


def test_other_games_are_refused():
    with pytest.raises(ValueError, match="the draw bot plays five-card draw, not leduc"):
        DrawBot().reset(load_betting_game("leduc"), np.random.default_rng(1))

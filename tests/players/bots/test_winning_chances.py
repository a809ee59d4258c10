from itertools import combinations

import numpy as np
import pytest

from pokerlab.cards import equity
from pokerlab.cards.codes import format_cards, parse_cards
from pokerlab.cards.evaluator.evaluation import evaluate_cards
from pokerlab.games import load_game
from pokerlab.players.bots.winning_chances import plain_discards, winning_chance

HOLDEM = load_game("holdem.limit.3p")


@pytest.mark.parametrize("hand", ["AsAd", "7h2c", "Th9h"])
@pytest.mark.parametrize("board", ["4h5h6h", "4h5h6hTc", "4h5h6hTc2d"])
def test_against_one_it_is_the_exact_equity(hand, board):
    chance = winning_chance(HOLDEM, parse_cards(hand), parse_cards(board), exact=True)
    assert chance == pytest.approx(equity(hand, "random", board=board).value, abs=1e-12)


@pytest.mark.parametrize("opponents", [1, 2, 5])
def test_samples_are_near_the_truth(opponents):
    hand, board = "JhTh", "4h5h6s"
    others = ["random"] * opponents
    true = equity(hand, *others, board=board, samples=200_000).value
    few = winning_chance(HOLDEM, parse_cards(hand), parse_cards(board), opponents)
    many = winning_chance(HOLDEM, parse_cards(hand), parse_cards(board), opponents, samples=100_000)
    assert abs(few - true) < 0.07
    assert abs(many - true) < 0.007


def test_the_table_before_the_flop():
    for hand, value in (("AsAd", 0.85204), ("AsKs", 0.67044), ("3d2c", 0.32303)):
        assert winning_chance(HOLDEM, parse_cards(hand)) == pytest.approx(value, abs=0.012)
    suited = [winning_chance(HOLDEM, parse_cards(hand), (), 2) for hand in ("AsKs", "KhAh")]
    assert suited[0] == suited[1]  # one entry for a class


def test_the_same_question_has_the_same_answer():
    ask = [winning_chance(HOLDEM, parse_cards("JhTh"), parse_cards("4h5h6s"), 2)] * 2
    turned = winning_chance(HOLDEM, parse_cards("ThJh"), parse_cards("6s4h5h"), 2)
    assert ask[0] == ask[1] == turned


def brute_force(game, hole, board):
    """One opponent, all deals, no short cuts; kinds only."""
    from pokerlab.games import SHOWDOWN_RULES

    strength = SHOWDOWN_RULES[game.showdown].strength
    left = [card for card in game.deck if card not in hole + board]
    won = total = 0.0
    for other in combinations(left, game.hole_cards[-1]):
        rest = [card for card in left if card not in other]
        for come in combinations(rest, game.board_cards[-1] - len(board)):
            mine, theirs = strength(hole, board + come), strength(other, board + come)
            won += 1.0 if mine > theirs else 0.5 if mine == theirs else 0.0
            total += 1
    return won / total


@pytest.mark.parametrize("name", ["kuhn", "leduc", "onecard"])
def test_small_games_by_brute_force(name):
    game = load_game(name)
    for hole in combinations(game.deck, 1):
        assert winning_chance(game, hole) == pytest.approx(brute_force(game, hole, ()))
        for board in combinations([card for card in game.deck if card not in hole], 1):
            if game.board_cards[-1]:
                expected = brute_force(game, hole, board)
                assert winning_chance(game, hole, board) == pytest.approx(expected)


def test_three_players_of_kuhn():
    game = load_game("kuhn.3p")  # four cards
    probabilities = [winning_chance(game, (card,), (), 2) for card in game.deck]
    assert probabilities == pytest.approx([0, 0, 1 / 3, 1])


def test_rhode_island_up_to_suits():
    game = load_game("rhodeisland")
    first = winning_chance(game, parse_cards("Ah"), parse_cards("Kh"))
    assert first == winning_chance(game, parse_cards("Ac"), parse_cards("Kc"))
    assert first == pytest.approx(brute_force(game, parse_cards("Ah"), parse_cards("Kh")))


def test_draw_hands():
    game = load_game("draw")
    rng = np.random.default_rng(1)
    hole = parse_cards("KsKd7h4c2s")
    left = [card for card in range(52) if card not in hole]
    beaten = [
        evaluate_cards(rng.choice(left, 5, replace=False).tolist()) > evaluate_cards(hole)
        for _ in range(4000)
    ]
    before = winning_chance(game, hole)
    assert before == pytest.approx(np.mean(beaten), abs=0.03)
    after = winning_chance(game, hole, drawn=True)
    assert after < before - 0.05  # others have improved
    assert winning_chance(game, hole, opponents=3) == pytest.approx(before**3)


@pytest.mark.parametrize(
    ("hand", "thrown"),
    [
        ("AsKsQsJsTs", ""),
        ("9c8d7h6s5s", ""),
        ("KsKdKh4c4s", ""),
        ("KsKdKh4c2s", "2s4c"),
        ("KsKd4h4c2s", "2s"),
        ("KsKd7h4c2s", "2s4c7h"),
        ("As9s7s4s2d", "2d"),
        ("Tc9d8h7s2s", "2s"),
        ("AcKdQhJs2s", "2sJsQh"),
        ("AhQd9c5s2h", "2h5s9c"),
    ],
)
def test_plain_discards(hand, thrown):
    assert format_cards(plain_discards(parse_cards(hand))) == thrown


def test_no_more_cards_than_allowed():
    assert len(plain_discards(parse_cards("KsKd7h4c2s"), 2)) == 2

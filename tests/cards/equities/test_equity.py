from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pokerlab.cards.codes import combo_cards, parse_cards
from pokerlab.cards.equities.equity import equity
from pokerlab.cards.evaluator.evaluation import evaluate_cards
from pokerlab.cards.ranges.range import Range


def brute_force(players, board, dead=""):
    """Play every deal on every board, one at a time."""
    known = parse_cards(board)
    gone = set(known) | set(parse_cards(dead))
    holdings = [
        [(combo_cards(combo), Range(player).weights[combo]) for combo in Range(player).indices]
        for player in players
    ]
    shares = np.zeros(len(players))
    for deal in product(*holdings):
        hands = [hand for hand, _ in deal]
        used = gone.union(*hands)
        if len(used) < len(gone) + 2 * len(players):
            continue
        weight = np.prod([weight for _, weight in deal])
        rest = [card for card in range(52) if card not in used]
        for run_out in combinations(rest, 5 - len(known)):
            classes = [evaluate_cards((*known, *run_out, *hand)) for hand in hands]
            winners = np.array(classes) == min(classes)
            shares += weight * winners / winners.sum()
    return shares / shares.sum()


@pytest.mark.parametrize(
    ("players", "value"),
    [
        (("AA", "72o"), 0.881996),
        (("AA", "AKo"), 0.931719),
        (("AA", "AKs"), 0.878595),
        pytest.param(("AsAd", "random"), 0.85204, marks=pytest.mark.slow),
    ],
)
def test_published_values_before_the_flop(players, value):
    result = equity(*players)
    assert result.exact
    assert result.error == 0
    assert result.value == pytest.approx(value, abs=5e-6)
    assert equity(*players[::-1]).values == pytest.approx(result.values[::-1])


@pytest.mark.parametrize(
    ("hand", "board", "value"),
    [
        ("AsAd", "4h5h6h", 0.60105),
        ("7s7c", "QhJh2c", 0.58100),
        ("7s7d", "QhJh2c", 0.58027),
        ("AhKs", "QhJh2c4d7h", 0.37121),
        ("KhAs", "QhJh2c4d7h", 0.37121),
    ],
)
def test_values_of_the_thesis(hand, board, value):
    assert equity(hand, "random", board=board).value == pytest.approx(value, abs=5e-6)


SITUATIONS = [
    (("AhKh", "QdQc"), "2h5h9c3d", ""),
    (("AA,KQs:0.5,72o:0.25", "TT,AhKh,QJs:0.75"), "2h5h9c3d", "AcTd"),
    (("22+,AK", "A2s+,KQo,54s"), "AhKd7s7c2d", ""),
    (("AhKh", "QdQc", "7s7c"), "2h5h9c3d", ""),
    (("AA", "AK:0.5,QQ", "KK,AQs:0.1"), "2h5h9c3d", "Th"),
    (("AsKs", "QhQd", "7c7d", "Th9h"), "2c3c4c5c", ""),
    (("AsKs", "KhQh"), "AdAhAc", ""),
]


@pytest.mark.parametrize(("players", "board", "dead"), SITUATIONS)
def test_exact_equals_brute_force(players, board, dead):
    result = equity(*players, board=board, dead=dead)
    assert result.exact
    assert result.values == pytest.approx(brute_force(players, board, dead), abs=1e-12)
    assert sum(result.values) == pytest.approx(1)
    assert np.add(result.wins, result.ties) == pytest.approx(result.values)


@pytest.mark.parametrize(("players", "board", "dead"), SITUATIONS)
def test_sampling_agrees_with_enumeration(players, board, dead):
    exact = equity(*players, board=board, dead=dead, exact=True)
    sampled = equity(*players, board=board, dead=dead, samples=200_000, rng=7)
    assert not sampled.exact
    assert sampled.samples == 200_000
    assert sampled.error < 0.002
    assert np.abs(np.subtract(exact.values, sampled.values)).max() <= 5 * sampled.error
    assert sampled.wins == pytest.approx(exact.wins, abs=0.01)


def test_the_three_ways_to_enumerate_agree():
    """Few hands against many, two wide ranges, and the lists of deals of three players."""
    board = "Td9d6h"
    wide = "22+,A2+,K9s+,QTs+"
    duel = equity("AhKd:1", wide, board=board)
    # A hair of weight on many more combos takes the other path and changes nothing else.
    many = Range(np.maximum(Range("AhKd").weights, 1e-13 * Range("top 50%").weights))
    assert equity(many, wide, board=board).value == pytest.approx(duel.value, abs=1e-9)
    # The third player holds two cards that are dead for the others and never wins.
    third = equity("AhKd", "QQ,JTs", "2c2s", board="Td9d6hTh9h")
    two = equity("AhKd", "QQ,JTs", board="Td9d6hTh9h", dead="2c2s")
    assert third.values == pytest.approx((*two.values, 0.0))


def test_random_players_are_dealt_from_what_is_left():
    listed = equity("AA", "random", "random", samples=400_000, rng=1)
    assert listed.value == pytest.approx(0.7343, abs=5 * listed.error)
    mirrored = equity("random", "random", "AA", samples=400_000, rng=2)
    assert mirrored.values[2] == pytest.approx(listed.value, abs=7 * listed.error)
    nine = equity(*["random"] * 9, samples=200_000)
    assert nine.values == pytest.approx([1 / 9] * 9, abs=5 * nine.error)


@pytest.mark.slow
def test_wide_ranges_of_several_players_are_rejected_into_shape():
    """Too many deals to list: independent draws, thrown away when a card is used twice."""
    players = ["22+,A2+,K2+", "22+,A2+,K2+,Q2+", "22+,A2+,K2+,Q2+"]
    sampled = equity(*players, board="AhKd7s7c2d", samples=300_000, rng=3)
    exact = brute_force_on_river(players, "AhKd7s7c2d")
    assert np.abs(np.subtract(exact, sampled.values)).max() <= 5 * sampled.error


def brute_force_on_river(players, board):
    cards = set(parse_cards(board))
    combos = [combo for combo in Range(players[1]).indices if not cards & set(combo_cards(combo))]
    masks = np.array([sum(1 << card for card in combo_cards(combo)) for combo in combos])
    classes = np.array([evaluate_cards((*cards, *combo_cards(combo))) for combo in combos])
    weights = [Range(player).weights[combos] for player in players]
    shares = np.zeros(3)
    for first in range(len(combos)):
        if weights[0][first] == 0:
            continue
        apart = np.flatnonzero(masks & masks[first] == 0)
        second, third = np.meshgrid(apart, apart, indexing="ij")
        fits = masks[second] & masks[third] == 0
        second, third = second[fits], third[fits]
        weight = weights[1][second] * weights[2][third]
        hand = np.stack([np.full(len(second), classes[first]), classes[second], classes[third]])
        wins = hand == hand.min(axis=0)
        shares += (wins / wins.sum(axis=0) * weight).sum(axis=1)
    return shares / shares.sum()


def test_the_seed_decides():
    def sample(rng):
        return equity("AKs", "QQ", "JJ", samples=5_000, rng=rng)

    assert sample(1) == sample(1) == sample(np.random.default_rng(1))
    assert sample(1) != sample(2)


@settings(max_examples=30, deadline=None)
@given(st.permutations(range(52)), st.integers(2, 9), st.sampled_from([3, 4, 5]))
def test_any_hands_on_any_board(deck, players, board_size):
    hands = [Range(one_combo(deck[2 * seat : 2 * seat + 2])) for seat in range(players)]
    board = deck[-board_size:]
    result = equity(*hands, board=board)
    assert result.exact
    assert sum(result.values) == pytest.approx(1)
    assert all(0 <= value <= 1 for value in result.values)
    turned = equity(*hands[::-1], board=board)
    assert turned.values == pytest.approx(result.values[::-1])


def one_combo(cards):
    weights = np.zeros(1326)
    high, low = max(cards), min(cards)
    weights[high * (high - 1) // 2 + low] = 1
    return weights


@pytest.mark.parametrize(
    ("players", "options", "message"),
    [
        (["AA"], {}, "equity is for 2 to 9 players, got 1"),
        (["AA"] * 10, {}, "equity is for 2 to 9 players, got 10"),
        (["AsAd", "AsKs"], {}, "^players 1 and 2 both hold As$"),
        (["QQ", "AdAh", "KhAh, AhQh"], {}, "^players 2 and 3 both hold Ah$"),
        (["AhAd, AhAc", "KK", "AhKs"], {"samples": 10}, "^players 1 and 3 both hold Ah$"),
        (["AA", "AA", "AA"], {}, "cannot all be dealt"),
        (["AsAd", "KK"], {"board": "AsKsQs"}, r"player 1 \('AsAd'\) has no hand left"),
        (["AsAd", "KK"], {"board": "2c3d"}, "a board has 0, 3, 4 or 5 cards, '2c3d' has 2"),
        (["AsAd", "KK"], {"board": "2c3d4h5s6c7d"}, "a board has 0, 3, 4 or 5 cards"),
        (["AsAd", "KK"], {"board": "2c3d4h", "dead": "2c"}, "card 2c stands twice"),
        (["AsAdKhKc", "QQ"], {}, "AsAdKhKc"),
        (["AA", "KK"], {"samples": 0}, "samples must be a whole number from 1 to 1,000.*, got 0"),
        (["AA", "KK"], {"samples": float("nan")}, "samples must be a whole number .*, got nan"),
        (["AA", "KK"], {"samples": 1.5}, "samples must be a whole number .*, got 1.5"),
        (["AA", "KK"], {"samples": 10**30}, "samples must be a whole number .*, got 1000"),
        (["AA", "KK"], {"samples": 5, "exact": True}, "give either samples or exact=True"),
        (["random"] * 4, {"exact": True}, "too many to enumerate"),
    ],
)
def test_bad_input_is_one_clear_line(players, options, message):
    with pytest.raises(ValueError, match=message) as error:
        equity(*players, **options)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("weight", [1e-300, 1e-200, 0.3])
@pytest.mark.parametrize("players", [["AsAd", "KK"], ["AA", "KK"], ["AsAd", "KK", "QhQd"]])
def test_weights_of_all_hands_alike_change_nothing(players, weight):
    expected = equity(*players, board="2c3d4h")
    found = equity(*(f"{player}:{weight}" for player in players), board="2c3d4h")
    assert found.values == pytest.approx(expected.values, abs=1e-12)

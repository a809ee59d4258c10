"""Decisions of trained strategies, against the bots that play them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokerlab.cards.codes import format_cards
from pokerlab.cards.hand_classes import CLASS_SIZES
from pokerlab.games import load_betting_game
from pokerlab.holdem.limit.sampling.bucketed_game import BucketedGame
from pokerlab.players.bots.limit_bot import TwoPlayerLimitBot
from pokerlab.players.strategies.limit_file import LimitStrategy
from pokerlab.players.strategies.limit_view import find_decision, view_limit

LIMIT = load_betting_game("holdem.limit.2p")


def random_strategy(name, groups, seed=1, holes=0.1):
    """A strategy of random numbers; in some rows training never came."""
    game = BucketedGame.of(load_betting_game(name), groups)
    rng = np.random.default_rng(seed)
    probabilities = rng.dirichlet([0.5, 1, 1], game.rows).astype(np.float16)
    probabilities[rng.random(game.rows) < holes] = np.nan
    return LimitStrategy(game, probabilities, 1, 1.0, "random", "none", 0.1, 0.0, True)


@pytest.fixture(scope="module")
def leduc():
    return random_strategy("leduc", "each")


@pytest.fixture(scope="module")
def holdem():
    return random_strategy("holdem.limit.2p", "classes")


def played(bot, game, line, hole, board):
    """Weight and strategy of a hand, asked from a bot decision by decision."""
    final = game.replay(line)
    seat = final.player
    holes = [""] * game.players
    holes[seat] = format_cards(hole)
    state = game.start(game.make_deal(holes, format_cards(board)))
    weight = 1.0
    for _, action in final.node.path():
        if state.player == seat:
            weight *= bot.probabilities(state.view(seat)).get(action, 0.0)
        state = state.apply(action)
    return weight, bot.probabilities(state.view(seat))


def check_against_bot(strategy, line, view):
    game = strategy.game.game
    bot = TwoPlayerLimitBot(strategy)
    bot.reset(game, np.random.default_rng(0))
    hole = game.hole_cards[0]
    for hand in range(len(view)):
        cards = view.cards[hand].tolist()
        weight, chosen = played(bot, game, line, cards[:hole], cards[hole:])
        assert view.weights[hand] == pytest.approx(weight, abs=1e-12)
        for action, chance in zip(view.actions, view.strategy[hand], strict=True):
            assert chance == pytest.approx(chosen.get(action, 0.0), abs=1e-12)


@pytest.mark.parametrize("line", ["", "r", "crr", "cc/", "cc/cr", "rrc/rr", "crc/crr"])
def test_every_hand_of_leduc_plays_as_its_bot(leduc, line):
    view = view_limit(leduc, line)
    assert view.complete and view.board is None
    assert len(view) == (30 if "/" in line else 6)
    check_against_bot(leduc, line, view)
    weights = view.weights if view.weights.any() else np.ones(len(view))
    assert view.frequencies == pytest.approx(np.average(view.strategy, axis=0, weights=weights))
    rows = view.group_rows()
    assert sum(row.share for row in rows) == pytest.approx(1)
    assert {row.group for row in rows} == set(view.groups.tolist())


def test_three_players_whose_betting_is_merged():
    strategy = random_strategy("kuhn.3p", "each")
    for line in ("", "r", "ccr", "crc"):
        check_against_bot(strategy, line, view_limit(strategy, line))
    game = random_strategy("holdem.limit.3p", "none", holes=0.0)
    # Two orders of betting that lead to the same chips are one node.
    one, other = (view_limit(game, line, "QhJh2c") for line in ("rrcc/r", "crrcc/r"))
    assert one.strategy[0] == pytest.approx(other.strategy[0]) and one.line != other.line


def test_one_board(leduc):
    view = view_limit(leduc, "crc/r", "Qs")
    assert len(view) == 5 and {view.hand_text(hand)[-2:] for hand in range(5)} == {"Qs"}
    check_against_bot(leduc, "crc/r", view)


def test_classes_before_the_flop_and_on_a_flop(holdem):
    view = view_limit(holdem, "r")
    assert len(view) == 1326
    rows = view.group_rows()
    assert [round(row.share * 1326) for row in rows] == CLASS_SIZES.tolist()
    some = np.random.default_rng(1).choice(1326, 40, replace=False)
    for hand in some.tolist():
        triple = holdem.triple("r", view.cards[hand].tolist(), [])
        assert bool(view.trained[hand]) == (triple is not None)
        expected = triple or (0.0, 1.0, 0.0)
        assert view.strategy[hand] == pytest.approx(np.array(expected) / sum(expected))
    flop = view_limit(holdem, "rc/", "QhJh2c")
    assert len(flop) == 49 * 48 // 2 and not set(flop.cards[:, :2].ravel()) & set(flop.board)
    # Player 0 called a raise before: with how much of each hand is a row of the table.
    for hand in range(0, len(flop), 97):
        triple = holdem.triple("r", flop.cards[hand, :2].tolist(), []) or (0.0, 1.0, 0.0)
        assert flop.weights[hand] == pytest.approx(triple[1] / sum(triple))
    assert flop.strengths[0] == pytest.approx(0.5, abs=0.5)


def test_random_deals_where_there_are_too_many_hands(holdem):
    view = view_limit(holdem, "rc/c", deals=4000, rng=np.random.default_rng(2))
    assert not view.complete and view.cards.shape == (4000, 5)
    assert all(len(set(cards)) == 5 for cards in view.cards[:200].tolist())
    first = view_limit(holdem)
    raised = dict(zip(first.groups.tolist(), first.strategy[:, 2].tolist(), strict=True))
    assert len(raised) == 169
    for row in view.group_rows():  # player 1 raised before, and its class is remembered
        assert row.weight == pytest.approx(raised[row.group])


@given(st.text("fcr/x ", max_size=12))
def test_lines_are_those_of_the_rules_or_one_line(text):
    try:
        node = find_decision(LIMIT, text)
    except ValueError as error:
        assert "\n" not in str(error) and len(str(error)) < 300
    else:
        assert node.text.replace("/", "") == text.strip().replace("/", "")
        assert LIMIT.replay(node.text).player == node.player


@pytest.mark.parametrize(
    ("line", "board", "message"),
    [
        ("rx", None, r"line 'rx': 'x' after 'r': player 0 may f \(fold\), c \(call or check\) or"),
        ("rrrrr", None, r"'r' after 'rrr': player 0 may f \(fold\) or c \(call or check\)"),
        ("f", None, "line 'f': the hand is over"),
        ("fc", None, "'c' after 'f': the hand is over"),
        ("r/c", None, "'/' after 'r': a street does not end here; player 0 may"),
        ("rc/", "QhJh", "board QhJh: 2 cards; after 'rc/' there are 3"),
        ("rc/", "QhJhQh", "Qh"),
        ("", "QhJh2c", "board QhJh2c: 3 cards; after '' there are 0"),
    ],
)
def test_bad_lines_and_boards(holdem, line, board, message):
    with pytest.raises(ValueError, match=message) as error:
        view_limit(holdem, line, board)
    assert "\n" not in str(error.value)


def test_a_card_of_another_deck(leduc):
    with pytest.raises(ValueError, match="board As: As is not in the deck of leduc"):
        view_limit(leduc, "cc/", "As")

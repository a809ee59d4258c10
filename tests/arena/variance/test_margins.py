import numpy as np
import pytest

from pokerlab.arena.variance.margins import BoardMargins, ShowdownCards, board_margins
from pokerlab.arena.variance.shares import showdown_shares
from pokerlab.cards.codes import parse_cards
from pokerlab.games import load_game
from pokerlab.holdem.spots.answer.node_view import equity_against


def share_margin(game, first, second, board):
    """The same by the share of the pot."""
    return 2 * showdown_shares(game, [first, second], board)[0] - 1


@pytest.mark.parametrize(
    ("name", "board"), [("kuhn", ""), ("leduc", ""), ("leduc", "Qs"), ("rhodeisland", "QsQh")]
)
def test_margins_of_small_games(name, board):
    game = load_game(name)
    cards = parse_cards(board)
    margins = board_margins(ShowdownCards.of(game), cards)
    assert np.array_equal(margins.matrix, -margins.matrix.T)
    for first in range(0, len(margins.hands), 5):
        for second in range(len(margins.hands)):
            hands = margins.hands[first], margins.hands[second]
            apart = len({*hands[0], *hands[1], *cards}) == len(hands[0]) * 2 + len(cards)
            expected = share_margin(game, *hands, cards) if apart else 0.0
            assert margins.matrix[first, second] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("board", ["Kd7c2s9h4c", "Kd7c2s9h"])
def test_margins_of_holdem(board):
    game = load_game("holdem.nolimit.2p")
    margins = BoardMargins(ShowdownCards.of(game), parse_cards(board))
    rng = np.random.default_rng(1)
    hand = int(rng.choice(np.flatnonzero(margins.possible)))
    column = margins.against(np.eye(1326)[hand])
    np.testing.assert_allclose(column, margins.matrix[:, hand], atol=1e-6)
    for other in rng.choice(np.flatnonzero(margins.possible & margins.apart[hand]), 5).tolist():
        expected = share_margin(game, margins.hands[other], margins.hands[hand], margins.board)
        assert column[other] == pytest.approx(expected)
    weights = rng.random(1326) * margins.possible
    met = margins.rules.met(weights)
    equity = equity_against(margins.board, weights)
    ahead = margins.against(weights)[margins.possible] / met[margins.possible]
    np.testing.assert_allclose(ahead, 2 * equity[margins.possible] - 1, atol=1e-5)


def test_margins_before_the_flop_are_those_of_classes():
    rules = ShowdownCards.of(load_game("holdem.nolimit.2p"))
    margins = board_margins(rules, ())
    aces, kings = (rules.hands.index(parse_cards(text)) for text in ("AsAh", "KsKh"))
    assert margins.matrix[aces, kings] == pytest.approx(2 * 0.819461 - 1, abs=1e-5)
    assert margins.against(np.ones(1326))[aces] / 1225 == pytest.approx(2 * 0.852037 - 1, abs=1e-5)


def test_games_whose_hands_are_not_compared():
    assert ShowdownCards.of(load_game("draw")) is None
    assert ShowdownCards.of(load_game("stud")) is None

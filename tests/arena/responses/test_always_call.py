"""Against a bot that always calls, what the responder wins can be computed without it."""

import numpy as np
import pytest

from pokerlab.arena.deal_generator import DealGenerator
from pokerlab.arena.responses.local_best_response import LocalBestResponse
from pokerlab.cards.codes import COMBO_CARDS, format_cards, parse_cards
from pokerlab.cards.equities.strength import hand_strength
from pokerlab.games import load_game
from pokerlab.players.bots import Caller

STACK = 200
"""In big blinds; a caller pays all of them whenever it is asked."""


def exact_after(board: tuple[int, ...], first: int) -> np.ndarray:
    """What each hand wins in big blinds from a board on, NaN if it is impossible.

    Ahead of a random hand it goes all-in at once, on boards of `first` cards or more; behind, it
    checks. Nobody learns anything before.
    """
    margins = 2 * hand_strength(board) - 1
    if len(board) == 5:
        return np.where(margins > 0, STACK * margins, margins)
    left = [card for card in range(52) if card not in board]
    after = np.array([exact_after((*board, card), first) for card in left])
    possible = (~np.isnan(after)).sum(axis=0)
    later = np.nansum(after, axis=0) / np.where(possible, possible, np.nan)
    if len(board) < first:
        return later
    return np.where(margins > 1e-12, STACK * margins, later)


@pytest.mark.parametrize(
    ("board", "streets"),
    [
        ("Td9d6h2c", [2, 3]),
        pytest.param("Td9d6h2c", [3], marks=pytest.mark.slow),
        pytest.param("Ks7h2d", [1, 2, 3], marks=pytest.mark.slow),
    ],
)
def test_all_in_as_soon_as_it_is_ahead(board, streets):
    game = load_game("holdem.nolimit.2p")
    cards = parse_cards(board)
    values = exact_after(cards, streets[0] + 2)
    responder = LocalBestResponse(game, Caller(), "fcpa", streets)
    rng = np.random.default_rng(4)
    won, exact = [], []
    place = {tuple(sorted(hand)): number for number, hand in enumerate(COMBO_CARDS.tolist())}
    for deal, _ in DealGenerator(game, board=format_cards(cards)).sample(40, rng):
        won.append(responder.play(deal, 0, rng).won / game.big_blind)
        exact.append(values[place[tuple(sorted(deal.holes[0]))]])
    # The luck of the starting hand is in both: only that of the cards to come is left.
    differences = np.array(won) - exact
    assert np.mean(won) > 10
    assert abs(differences.mean()) <= 4 * differences.std() / np.sqrt(len(won)) + 1e-9

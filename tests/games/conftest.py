"""The games of the catalogue, one by one."""

from __future__ import annotations

import pytest

from pokerlab.games import BettingGame, game_names, load_betting_game, load_game

NAMES = sorted(game_names())
CARD_GAMES = [name for name in NAMES if isinstance(load_game(name), BettingGame)]


@pytest.fixture(params=CARD_GAMES)
def card_game(request: pytest.FixtureRequest) -> BettingGame:
    """Each betting game of the catalogue."""
    return load_betting_game(request.param)

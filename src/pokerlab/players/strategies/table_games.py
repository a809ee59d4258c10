"""Playable games, by name or file."""

from __future__ import annotations

import os
from pathlib import Path

from pokerlab.games import BettingGame, load_betting_game
from pokerlab.holdem.spots import Spot
from pokerlab.holdem.spots.question.spot_file import is_spot_file
from pokerlab.players.strategies.look_up import open_strategy
from pokerlab.players.strategies.spot_game import SpotGame
from pokerlab.runtime.files.tensor_map import is_tensor_file


def load_table_game(name_or_path: str | os.PathLike[str]) -> BettingGame:
    """Load a playable game: a catalogue name, a game or spot file, or that of a saved solution.

    A game is a name of the catalogue or a ``.toml`` or ``.game`` file; a spot is a ``.toml`` file
    of its fields; a solution is what ``pokerlab solve -o`` wrote.

    Examples
    --------
    >>> load_table_game("leduc").name
    'leduc'
    """
    path = Path(os.fspath(name_or_path))
    if is_tensor_file(path):
        game: BettingGame = open_strategy(path).game
    elif is_spot_file(path):
        game = SpotGame.of(Spot.from_file(path))
    else:
        game = load_betting_game(name_or_path)
    if isinstance(game, SpotGame):
        game.spot.check_pays_chips("a table")
    return game

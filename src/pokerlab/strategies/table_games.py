"""Playable games, by name or file."""

from __future__ import annotations

import os
from pathlib import Path

from pokerlab.files.tensor_map import is_tensor_file
from pokerlab.games import BettingGame, load_betting_game
from pokerlab.postflop import Spot
from pokerlab.postflop.question.spot_file import is_spot_file
from pokerlab.strategies.look_up import open_strategy
from pokerlab.strategies.spot_game import SpotGame


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
        return open_strategy(path).game
    if is_spot_file(path):
        return SpotGame.of(Spot.from_file(path))
    return load_betting_game(name_or_path)

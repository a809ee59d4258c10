"""A spot of hold'em as a game that can be played at a table."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from pathlib import Path

import numpy as np

from pokerlab.cards.codes import COMBO_CARDS
from pokerlab.games import BettingGame, Deal, load_betting_game
from pokerlab.postflop import Spot
from pokerlab.postflop.answer.simulation import deal_cards, deal_hands, rules_of

__all__ = ["SpotGame", "load_table_game"]

_BATCH = 500


@dataclass(frozen=True, kw_only=True)
class SpotGame(BettingGame):
    """The rules of a spot: hands come from its ranges, its board lies there from the beginning.

    Seat 0 is out of position. The pot is the ante of both, so a payoff is what a player takes
    from the pot less half of it, in chips; mbb are thousandths of the spot's big blind. Any size
    may be bet, on the menu of the spot or not. A table takes no rake.

    Attributes
    ----------
    spot
        The board, the ranges and the chips.

    Examples
    --------
    >>> game = SpotGame.of(Spot("QhJh2c4d", "AA, KQs", "QQ, AJs", pot=100, stack=80))
    >>> deal = game.deal(np.random.default_rng(1))
    >>> print(deal)
    AhAc|AdJd/QhJh2c4dQd
    >>> game.replay("r200f", deal).payoffs()
    (50.0, -50.0)
    """

    spot: Spot = field(hash=False)

    @classmethod
    def of(cls, spot: Spot) -> SpotGame:
        """The game of a spot."""
        rules = rules_of(spot)
        values = {entry.name: getattr(rules, entry.name) for entry in fields(rules)}
        return cls(**values, spot=spot)

    @property
    def mbb(self) -> float:
        """A chip in thousandths of the spot's big blind."""
        return 1000.0 / self.spot.big_blind

    def deals(self, rng: np.random.Generator, count: int) -> Iterator[Deal]:
        """Deal `count` hands from the ranges; the first are the same however many are dealt."""
        weights = (self.spot.ranges[0].weights, self.spot.ranges[1].weights)
        while count > 0:
            combos = deal_hands(weights, _BATCH, rng)
            boards = deal_cards(combos, self.spot.board, rng).tolist()
            holes = COMBO_CARDS[combos].tolist()
            for (first, second), board in zip(holes[:count], boards[:count], strict=True):
                yield Deal((tuple(first), tuple(second)), tuple(board))
            count -= _BATCH

    def deal(self, rng: np.random.Generator) -> Deal:
        """Deal one hand from the ranges."""
        return next(self.deals(rng, 1))


def load_table_game(name_or_path: str | os.PathLike[str]) -> BettingGame:
    """Load what can be played at a table: a game, a spot, or what a solution is one of.

    A game is a name of the catalogue or a ``.toml`` or ``.game`` file; a spot is a ``.toml`` file
    with a board; a solution is what ``pokerlab solve -o`` wrote.

    Examples
    --------
    >>> load_table_game("leduc").name
    'leduc'
    """
    path = Path(os.fspath(name_or_path))
    if path.suffix.lower() == ".safetensors":
        from pokerlab.strategies.look_up import open_book  # which imports this module

        return open_book(path).game
    if path.suffix.lower() == ".toml" and _is_spot(path):
        return SpotGame.of(Spot.from_file(path))
    return load_betting_game(name_or_path)


def _is_spot(path: Path) -> bool:
    """Whether a file looks like a spot; who loads it says what is wrong with it."""
    try:
        return "board" in tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return False

"""Strategies of limit games whose best response is asked for: files, and bots that are tables."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pokerlab.arena.simulation.tables import as_table
from pokerlab.games import BettingGame, load_betting_game
from pokerlab.holdem.limit.sampling.bucketed_game import BucketedGame
from pokerlab.players.strategies.limit_file import LIMIT_FORMAT, LimitStrategy
from pokerlab.runtime.arrays import Reals
from pokerlab.runtime.errors import shorten
from pokerlab.runtime.files.tensor_map import file_kind, is_tensor_file, kind_of


@dataclass(frozen=True)
class TableOpponent:
    """A trained strategy, or a bot that is a table, for `best_responses`.

    Attributes
    ----------
    text
        A file of `pokerlab train`, or a bot by name: ``caller``, ``random:0,1,1``.
    game
        The game that a bot plays, by name or file; empty for a file, which says it itself.

    Examples
    --------
    >>> game, probabilities = TableOpponent("caller", "leduc").load()
    >>> game.name, probabilities[0].tolist()
    ('caller', [0.0, 1.0, 0.0])
    >>> TableOpponent("caller").load()
    Traceback (most recent call last):
    ValueError: 'caller': a bot needs the game that it plays (--game)
    """

    text: str
    game: str = ""

    def load(self) -> tuple[BucketedGame, Reals]:
        """The game with its groups, and the table node by node."""
        path = Path(self.text)
        if is_tensor_file(path):
            return self._of_file(path)
        if not self.game:
            raise ValueError(f"{shorten(self.text)!r}: a bot needs the game that it plays (--game)")
        rules = load_betting_game(self.game)
        _check(rules)
        table = as_table(rules, self.text)
        return BucketedGame(rules, table.groups, self.text), table.probabilities

    def _of_file(self, path: Path) -> tuple[BucketedGame, Reals]:
        if self.game:
            raise ValueError(f"--game {shorten(self.game)}: {path} says itself which game it is of")
        if not path.is_file():
            raise ValueError(f"{str(path)!r}: there is no such file")
        if file_kind(path) != kind_of(LIMIT_FORMAT):
            raise ValueError(
                f"{str(path)!r} is not a strategy of `pokerlab train`; `pokerlab verify` proves how"
                " good other solutions are"
            )
        strategy = LimitStrategy.load(path)
        _check(strategy.game.game)
        return strategy.game, strategy.probabilities


def _check(game: BettingGame) -> None:
    if game.players != 2:
        raise ValueError(
            f"{game.name} has {game.players} players: exploitability is for games of two"
        )
    if game.betting != "limit":
        raise ValueError(
            f"{game.name} is a {game.betting} game: exploitability is for limit games;"
            " `pokerlab verify` proves how good a solved spot is"
        )

"""Trained strategies of limit games on disk: one safetensors file, mapped into memory for play.

The file has the chances of all rows (float16, NaN where training never came), and says in its
metadata for which game and which groups of cards they are, and how they were trained. The groups
themselves are not in it; they are found again by their name, and a digest tells whether they are
the same.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from pokerlab.abstraction.sampling.bucketed_game import BucketedGame
from pokerlab.abstraction.training.training import Training
from pokerlab.files.reader import Metadata
from pokerlab.files.tensor_files import write_tensors
from pokerlab.files.tensor_map import map_tensors
from pokerlab.files.versions import check_version
from pokerlab.games import Betting, BettingGame
from pokerlab.games.loading import load_betting_game
from pokerlab.groups.group_kernels import groups_of_cards
from pokerlab.jit import cache_folder
from pokerlab.strategies.table_strategy import TableStrategy
from pokerlab.trees.limit.betting import ACTIONS

__all__ = ["LIMIT_FORMAT", "LimitStrategy", "Triple", "default_strategy_file", "file_bytes"]

LIMIT_FORMAT = "pokerlab limit strategy 2"

Triple = tuple[float, float, float]
"""The probability to raise, to call and to fold."""


def default_strategy_file(game: str) -> Path:
    """The strategy of a game that bots use if none is named."""
    return cache_folder() / "strategies" / f"{game}.safetensors"


def file_bytes(game: BucketedGame) -> int:
    """About how large the strategy file of a game is."""
    return 2 * len(ACTIONS) * game.rows + 4096


@lru_cache(maxsize=4)
def _bucketed_game(game: BettingGame, name: str) -> BucketedGame:
    """Groups are large: bots of one process share them."""
    return BucketedGame.of(game, name)


@dataclass(frozen=True, eq=False)
class LimitStrategy:
    """A trained strategy of a limit game.

    Attributes
    ----------
    game
        The game with its groups of cards.
    chances
        (rows, 3): to fold, call and raise, node by node as in `TableStrategy`; NaN where
        training never came.
    iterations, seconds, method, rule
        How it was trained.
    exploitability, error, exact
        In the bucketed game, in units of the game; a lower bound with a standard error where it
        is not exact.

    Examples
    --------
    >>> from pokerlab.abstraction.training.training import train
    >>> kuhn = BucketedGame.of(load_betting_game("kuhn"), "each")
    >>> strategy = LimitStrategy.of(train(kuhn, iterations=100_000, threads=1))
    >>> fold, call, raise_ = strategy.triple("r", [43], [])  # a queen: bluffs are called at times
    >>> raise_ == 0.0, 0.2 < call < 0.5
    (True, True)
    """

    game: BucketedGame
    chances: npt.NDArray[np.float16]
    iterations: int
    seconds: float
    method: str
    rule: str
    exploitability: float
    error: float
    exact: bool

    @classmethod
    def of(cls, training: Training) -> LimitStrategy:
        """What a training came to."""
        return cls(
            training.game,
            training.chances.astype(np.float16),
            training.run.iterations,
            training.run.seconds,
            training.method,
            training.rule,
            training.run.exploitability,
            training.measured.error,
            training.measured.exact,
        )

    def save(self, path: str | Path) -> None:
        """Write the file; one that is there is replaced when all is written."""
        write_tensors(
            path,
            {"chances": self.chances},
            {
                "format": LIMIT_FORMAT,
                "game": self.game.game.name,
                "groups": self.game.name,
                "counts": json.dumps(self.game.counts),
                "digest": self.game.digest,
                "iterations": str(self.iterations),
                "seconds": repr(self.seconds),
                "method": self.method,
                "rule": self.rule,
                "exploitability": repr(self.exploitability),
                "error": repr(self.error),
                "exact": str(int(self.exact)),
            },
        )

    @classmethod
    def load(cls, path: str | Path, game: BucketedGame | None = None) -> LimitStrategy:
        """Map a file into memory; `ValueError` if it is of other groups than those here.

        Parameters
        ----------
        path
            The file.
        game
            The game with its groups; by default found by the names in the file.
        """
        check_version(
            path, LIMIT_FORMAT, "a limit strategy", "train it again with `pokerlab train`"
        )
        tensors, entries = map_tensors(path, LIMIT_FORMAT)
        metadata = Metadata(entries)
        try:
            if game is None:
                rules = load_betting_game(metadata.text("game"))
                game = _bucketed_game(rules, metadata.text("groups"))
            counts = tuple(int(count) for count in metadata.numbers("counts"))
            _check_groups(game, metadata, counts)
            chances = tensors.get("chances")
            if chances is None or chances.shape != (game.rows, len(ACTIONS)):
                found = "no table" if chances is None else f"a table of shape {chances.shape}"
                raise ValueError(f"{found}, {game} needs ({game.rows}, {len(ACTIONS)})")
            if chances.dtype != np.float16:
                raise ValueError(f"its table is of type {chances.dtype}, not float16")
            return cls(
                game,
                chances,
                metadata.count("iterations"),
                metadata.number("seconds"),
                metadata.text("method"),
                metadata.text("rule"),
                metadata.number("exploitability"),
                metadata.number("error"),
                metadata.count("exact") == 1,
            )
        except ValueError as error:
            raise ValueError(f"strategy {str(path)!r}: {error}") from None

    def triple(
        self, history: str, hole: Sequence[int], board: Sequence[int] | Sequence[Sequence[int]]
    ) -> Triple | None:
        """The probabilities of (fold, call, raise); None where training never came.

        Parameters
        ----------
        history
            The betting so far (``"rc/c"``); ``"rc/"`` before anybody has acted on the flop.
        hole
            Private cards.
        board
            Public cards, in one row or street by street; more than the street has do not count.
        """
        number = self._number(history)
        street = int(self.game.betting.streets[number])
        cards = tuple(card for part in board for card in _cards(part))
        row = self.row(number, tuple(hole), cards[: self.game.game.board_cards[street]])
        fold, call, raise_ = self.chances[row].tolist()
        return None if fold != fold else (fold, call, raise_)

    def at(self, node: Betting, hole: tuple[int, ...], board: tuple[int, ...]) -> Triple | None:
        """The same for a node of the rules engine and the board of its street."""
        row = self.row(self.game.betting.find(node), hole, board)
        fold, call, raise_ = self.chances[row].tolist()
        return None if fold != fold else (fold, call, raise_)

    def row(self, number: int, hole: tuple[int, ...], board: tuple[int, ...]) -> int:
        """The row of a betting node and some cards."""
        return int(self.game.first_row[number]) + self._group(hole, board)

    def table(self) -> TableStrategy:
        """The strategy for the compiled loop of `pokerlab.arena.simulate` (two players)."""
        if self.game.merged:
            raise ValueError(f"the betting of {self.game.game.name} is merged: it has no table")
        return TableStrategy(self.game.game, self.game.groups, np.asarray(self.chances, np.float32))

    def _number(self, history: str) -> int:
        found = self._numbers.get(history)
        if found is None:
            node = self.game.game.replay(history).node if self.game.merged else None
            if node is None or node.player < 0:
                raise ValueError(f"nobody decides after {history!r} in {self.game.game.name}")
            found = self._numbers[history] = self.game.betting.find(node)
        return found

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return dict(self.game.betting.number_of)

    @cached_property
    def _groups(self) -> dict[tuple[tuple[int, ...], tuple[int, ...]], int]:
        return {}

    def _group(self, hole: tuple[int, ...], board: tuple[int, ...]) -> int:
        """The group of some cards on their street; those of the last hands are remembered."""
        known = self._groups
        found = known.get((hole, board))
        if found is None:
            street = self.game.game.board_cards.index(len(board))
            groups = np.zeros(street + 1, np.int64)
            cards = np.array(hole + board, np.uint8)
            groups_of_cards(cards, self.game.look_up, groups)
            if len(known) >= _REMEMBERED:
                known.clear()
            found = known[hole, board] = int(groups[-1])
        return found


_REMEMBERED = 10_000


def _cards(part: int | Sequence[int]) -> Sequence[int]:
    return (part,) if isinstance(part, int | np.integer) else part


def _check_groups(game: BucketedGame, metadata: Metadata, counts: tuple[int, ...]) -> None:
    name = metadata.text("groups")
    if game.game.name != metadata.text("game"):
        raise ValueError(f"it is for {metadata.text('game')}, not for {game.game.name}")
    if name != game.name or counts != game.counts:
        raise ValueError(
            f"it was trained for the groups {name} {counts}, not for {game.name} {game.counts}"
        )
    if game.digest != metadata.text("digest"):
        raise ValueError(
            f"it was trained for another version of the groups {name}; train it again, or bring"
            " back the bucket file it was trained with"
        )

"""Trained strategies of limit games on disk: one safetensors file, read as a whole for play.

The file has the probabilities of all rows (float16, NaN where training never came), the rules of
the game as TOML, the name of its groups of cards, and how they were trained. The groups themselves
are not in it; they are found again by their name, and a digest tells whether they are the same. All
of it is checked against a hash before anybody plays it (see `pokerlab.runtime.files.checked_once`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

import numpy as np

from pokerlab.games import Betting, BettingGame
from pokerlab.games.formats.toml_game import read_toml, write_toml
from pokerlab.games.loading import game_names, load_game
from pokerlab.holdem.limit.buckets.look_up_kernels import buckets_of_cards
from pokerlab.holdem.limit.sampling.bucketed_game import BucketedGame, same_rules, verify_groups
from pokerlab.holdem.limit.training.training import Training
from pokerlab.players.strategies.hand_group_kernels import last_buckets
from pokerlab.players.strategies.table_strategy import TableStrategy
from pokerlab.runtime.arrays import AnyArray, Floats, Halves, Int64s
from pokerlab.runtime.errors import damage_named
from pokerlab.runtime.files.checked_once import check_once
from pokerlab.runtime.files.hashes import check_hash, digest
from pokerlab.runtime.files.reader import Expected, Metadata, read_checked
from pokerlab.runtime.files.tensor_files import write_hashed
from pokerlab.runtime.files.versions import check_version
from pokerlab.runtime.jit import cache_folder
from pokerlab.trees.limit.betting import ACTIONS

LIMIT_FORMAT = "pokerlab limit strategy 3"
_OBSERVATIONS = {
    name: Expected(np.float32, (None, len(ACTIONS)), low=0.0, optional=True)
    for name in ("counts", "shown")
}
"""What a model of a player has beside its strategy (`pokerlab.players.opponents.LimitModel`)."""

Triple = tuple[float, float, float]
"""The probabilities to fold, to call and to raise."""


def default_strategy_file(game: BettingGame | str) -> Path:
    """The strategy of a game, or of a game of the catalogue by name, if no file is named.

    Games that are not in the catalogue have a digest of their rules in the name of the file, so
    that neither another game of the same name nor an odd name leads to the wrong place.

    Examples
    --------
    >>> default_strategy_file("holdem.limit.2p").name
    'holdem.limit.2p.safetensors'
    """
    if isinstance(game, str):
        return _strategies() / f"{game}.safetensors"
    if game.name in game_names() and load_game(game.name) == game:
        return default_strategy_file(game.name)
    plain = "".join(char if char.isascii() and char.isalnum() else "-" for char in game.name)
    return _strategies() / f"{plain[:40]}-{digest(write_toml(game), length=16)}.safetensors"


def _strategies() -> Path:
    return cache_folder() / "strategies"


def file_bytes(rows: int) -> int:
    """About how large the file of a strategy with `rows` rows is."""
    return 2 * len(ACTIONS) * rows + 8192


@lru_cache(maxsize=4)
def _bucketed_game(game: BettingGame, name: str) -> BucketedGame:
    """Groups are large: bots of one process share them."""
    return BucketedGame.of(game, name)


@lru_cache(maxsize=64)
def _part(game: BettingGame, name: str, line: str) -> BucketedGame:
    """The game after a line, with the same groups."""
    if not line:
        return _bucketed_game(game, name)
    return BucketedGame(game, _bucketed_game(game, name).groups, name, line=line)


@dataclass(frozen=True, eq=False)
class LimitStrategy:
    """A trained strategy of a limit game.

    Attributes
    ----------
    game
        The game with its groups of cards.
    probabilities
        (rows, 3): to fold, call and raise, node by node as in `TableStrategy`; NaN where
        training never came.
    iterations, seconds, method, rule
        How it was trained.
    exploitability, error, exact
        In the bucketed game, in units of the game; a lower bound with a standard error where it
        is not exact.

    Examples
    --------
    >>> from pokerlab.holdem.limit.training.training import train
    >>> from pokerlab.games import load_betting_game
    >>> kuhn = BucketedGame.of(load_betting_game("kuhn"), "each")
    >>> strategy = LimitStrategy.of(train(kuhn, iterations=100_000, threads=1))
    >>> fold, call, raise_ = strategy.triple("r", [43], [])  # a queen: bluffs are called at times
    >>> raise_ == 0.0, 0.2 < call < 0.5
    (True, True)
    """

    game: BucketedGame
    probabilities: Halves
    iterations: int
    seconds: float
    method: str
    rule: str
    exploitability: float
    error: float
    exact: bool

    @classmethod
    def of(cls, training: Training) -> LimitStrategy:
        """The strategy of a training."""
        return cls(
            training.game,
            training.probabilities.astype(np.float16),
            training.run.iterations,
            training.run.seconds,
            training.method,
            training.rule,
            training.run.exploitability,
            training.measured.error,
            training.measured.exact,
        )

    def at_nodes(self, nodes: Int64s, street: int) -> Floats:
        """(nodes, 3, groups): the strategy at nodes of a street; uniform where it is unknown."""
        rows = self.game.first_row[nodes][:, None] + np.arange(self.game.counts[street])
        probabilities = np.moveaxis(np.asarray(self.probabilities[rows], np.float64), 2, 1)
        legal = (self.game.betting.tree.nodes[nodes, :3] >= 0)[:, :, None]
        probabilities = np.where(legal, np.nan_to_num(probabilities), 0.0)
        totals = probabilities.sum(axis=1, keepdims=True)
        uniform = legal / legal.sum(axis=1, keepdims=True)
        return np.where(totals > 0, probabilities / np.where(totals > 0, totals, 1.0), uniform)

    def save(
        self,
        path: str | Path,
        tensors: Mapping[str, AnyArray] | None = None,
        entries: Mapping[str, str] | None = None,
    ) -> None:
        """Write the file; one that is there is replaced when all is written.

        `tensors` and `entries` are what a model of a player adds (`LimitModel`), or where an
        expert comes from.
        """
        write_hashed(
            path,
            {"chances": self.probabilities, **(tensors or {})},
            {
                "format": LIMIT_FORMAT,
                "game": write_toml(self.game.game),
                "groups": self.game.name,
                "counts": json.dumps(self.game.counts),
                "digest": self.game.digest,
                **({"line": self.game.line} if self.game.line else {}),
                "iterations": str(self.iterations),
                "seconds": repr(self.seconds),
                "method": self.method,
                "rule": self.rule,
                "exploitability": repr(self.exploitability),
                "error": repr(self.error),
                "exact": str(int(self.exact)),
                **(entries or {}),
            },
        )

    @classmethod
    def load(
        cls, path: str | Path, game: BucketedGame | None = None, *, verify: bool = False
    ) -> LimitStrategy:
        """Read a file; `ValueError` if it is of other groups than those here.

        Parameters
        ----------
        path
            The file.
        game
            The game with its groups; by default the rules are those in the file, and the groups
            are found by their name.
        verify
            Whether to read all of it and of its groups, even if that has been done before.
        """
        check_version(
            path, LIMIT_FORMAT, "a limit strategy", "train it again with `pokerlab train`"
        )
        schema = {"chances": Expected(np.float16, (None, len(ACTIONS))), **_OBSERVATIONS}
        tensors, metadata = read_checked(path, LIMIT_FORMAT, schema, values=False)
        probabilities: Halves = tensors["chances"]
        with damage_named(path):

            def check() -> None:
                check_hash(tensors, metadata.entries)
                _check_rows(probabilities)

            check_once(path, check, always=verify)
            rules = read_toml(metadata.text("game"), "a game")
            counts = tuple(int(count) for count in metadata.numbers("counts", low=1))
            trained = (
                metadata.count("iterations"),
                metadata.number("seconds", low=0.0),
                metadata.text("method"),
                metadata.text("rule"),
                metadata.number("exploitability"),
                metadata.number("error", low=0.0),
                metadata.count("exact") == 1,
            )
        try:
            if game is None and verify:
                verify_groups(metadata.text("groups"))
            if game is None:
                line = metadata.entries.get("line", "")
                game = _part(rules, metadata.text("groups"), line)
            _check_groups(game, rules, metadata, counts)
            if len(probabilities) != game.rows:
                raise ValueError(f"it has {len(probabilities):,} rows, {game} needs {game.rows:,}")
        except ValueError as error:
            raise ValueError(f"strategy {str(path)!r}: {error}") from None
        return cls(game, probabilities, *trained)

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
        fold, call, raise_ = self.probabilities[row].tolist()
        return None if fold != fold else (fold, call, raise_)

    def at(self, node: Betting, hole: tuple[int, ...], board: tuple[int, ...]) -> Triple | None:
        """The same for a node of the rules engine and the board of its street."""
        row = self.row(self.game.betting.find(node), hole, board)
        fold, call, raise_ = self.probabilities[row].tolist()
        return None if fold != fold else (fold, call, raise_)

    def at_hands(
        self, node: Betting, hands: Sequence[tuple[int, ...]], board: tuple[int, ...]
    ) -> Floats:
        """(hands, 3): the same for many hands; NaN where training never came.

        So are the rows of hands that hold a card of the board.
        """
        groups = self._hand_groups(tuple(hands), board)
        first = int(self.game.first_row[self.game.betting.find(node)])
        # Only the rows of this node are read from the file.
        count = self.game.counts[node.street]
        table = np.asarray(self.probabilities[first : first + count], np.float64)
        return np.where(groups[:, None] >= 0, table[groups], np.nan)

    def _hand_groups(self, hands: tuple[tuple[int, ...], ...], board: tuple[int, ...]) -> Int64s:
        """The group of each hand on a board, −1 for those that it blocks; the last is kept."""
        kept = self._last_board
        if (hands, board) not in kept:
            street = self.game.game.board_cards.index(len(board))
            free = np.array([not set(board).intersection(hand) for hand in hands])
            cards = np.array([[*hand, *board] for hand in hands], np.uint8)[free]
            found = np.zeros(len(cards), np.int64)
            last_buckets(cards, self.game.look_up, street + 1, found)
            groups = np.full(len(hands), -1, np.int64)
            groups[free] = found
            kept.clear()
            kept[hands, board] = groups
        return kept[hands, board]

    @cached_property
    def _last_board(self) -> dict[tuple[tuple[tuple[int, ...], ...], tuple[int, ...]], Int64s]:
        return {}

    def row(self, number: int, hole: tuple[int, ...], board: tuple[int, ...]) -> int:
        """The row of a betting node and some cards."""
        return int(self.game.first_row[number]) + self._group(hole, board)

    def table(self) -> TableStrategy:
        """The strategy for the compiled loop of `pokerlab.arena.simulate` (two players)."""
        if self.game.merged:
            raise ValueError(f"the betting of {self.game.game.name} is merged: it has no table")
        return TableStrategy(
            self.game.game, self.game.groups, np.asarray(self.probabilities, np.float32)
        )

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
            game = self.game.game
            if len(hole) != game.hole_cards[0] or len(board) not in game.board_cards:
                # The look-up itself checks nothing, and would read what is not there.
                raise ValueError(
                    f"{game.name} has no street with {len(hole)} private and {len(board)} public"
                    " cards"
                )
            street = game.board_cards.index(len(board))
            groups = np.zeros(street + 1, np.int64)
            cards = np.array(hole + board, np.uint8)
            buckets_of_cards(cards, self.game.look_up, groups)
            if len(known) >= _REMEMBERED:
                known.clear()
            found = known[hole, board] = int(groups[-1])
        return found


_REMEMBERED = 10_000


def _cards(part: int | Sequence[int]) -> Sequence[int]:
    return (part,) if isinstance(part, int | np.integer) else part


def _check_rows(probabilities: Halves) -> None:
    """Refuse rows that are neither probabilities nor NaN from end to end."""
    for first in range(0, len(probabilities), _BLOCK):
        # Column by column: to reduce rows of three numbers takes NumPy four times as long.
        columns = np.asarray(probabilities[first : first + _BLOCK], np.float32).T
        unseen = np.logical_and.reduce([np.isnan(column) for column in columns])
        fine = np.abs(sum(columns) - 1.0) < _ROUNDING
        for column in columns:
            fine &= column >= 0.0
        if not (fine | unseen).all():
            row = first + int(np.argmin(fine | unseen))
            found = ", ".join(f"{chance:g}" for chance in probabilities[row].tolist())
            raise ValueError(f"row {row:,} is ({found}): not a probability distribution")


_BLOCK = 1 << 20
_ROUNDING = 0.005
"""What the probabilities of a row may lack: three numbers of half precision."""


def _check_groups(
    game: BucketedGame, rules: BettingGame, metadata: Metadata, counts: tuple[int, ...]
) -> None:
    name = metadata.text("groups")
    if not same_rules(game.game, rules):
        other = "one with other rules" if game.game.name == rules.name else game.game.name
        raise ValueError(f"it is for {rules.name}, not for {other}")
    if name != game.name or counts != game.counts:
        raise ValueError(
            f"it was trained for the groups {name} {counts}, not for {game.name} {game.counts}"
        )
    if game.digest != metadata.text("digest"):
        raise ValueError(
            f"it was trained for another version of the groups {name}; train it again, or bring"
            " back the bucket file it was trained with"
        )

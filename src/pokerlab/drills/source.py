"""The source of hands: one solution, or the solutions of a batch, a board at random."""

from __future__ import annotations

import os
import re
from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import Callable
from functools import cached_property
from pathlib import Path

import numpy as np

from pokerlab.cards.codes import format_cards
from pokerlab.cards.textures import TextureFilter
from pokerlab.drills.log import source_name
from pokerlab.games.betting_trees.menus import STREETS
from pokerlab.holdem.batches import Batch, is_batch, load_batch, parse_boards
from pokerlab.holdem.spots import PostflopSolution, load_postflop
from pokerlab.players.strategies import SpotLookUp, open_strategy
from pokerlab.runtime.errors import shorten

_MAX_OPEN = 8


class UnfinishedError(ValueError):
    """A board of a batch that is not solved yet, or is solved again just now."""


class DrillSource(ABC):
    """Solutions by the boards that they begin on.

    Attributes
    ----------
    name
        What results are filed under: the name of the file or folder.
    """

    name: str

    @abstractmethod
    def draw(self, rng: np.random.Generator) -> str:
        """A board, as likely as it is dealt."""

    @abstractmethod
    def get(self, board: str) -> SpotLookUp:
        """The solution on a board."""

    @property
    @abstractmethod
    def note(self) -> str:
        """The parts that the files leave out, in one line; empty if none."""

    @property
    @abstractmethod
    def first_street(self) -> int:
        """The street that the solutions begin on: 0 for the flop."""

    @property
    @abstractmethod
    def kept_streets(self) -> int:
        """How many streets the files hold strategies of."""


class SolutionSource(DrillSource):
    """One solution.

    Examples
    --------
    >>> from pokerlab.holdem.spots import Spot, solve_spot
    >>> spot = Spot("KsTs7d4c2h", "77, 65s", "AA", pot=100, stack=100, bet="a", raise_="")
    >>> source = SolutionSource(solve_spot(spot, target="0.1%"))
    >>> source.draw(np.random.default_rng(0))
    'KsTs7d4c2h'
    """

    def __init__(self, solution: PostflopSolution, name: str = "solution") -> None:
        self.name = name
        self.solution = solution
        self._look_up = SpotLookUp(solution)

    @property
    def board(self) -> str:
        """The board of the spot."""
        return format_cards(self.solution.spot.board)

    def draw(self, rng: np.random.Generator) -> str:
        """The board of the spot; no random number is used."""
        return self.board

    def get(self, board: str) -> SpotLookUp:
        """The solution, if this is its board."""
        if board != self.board:
            raise ValueError(f"{self.name} begins on {self.board}, not on {shorten(board)}")
        return self._look_up

    @property
    def note(self) -> str:
        """The parts that the file leaves out."""
        if self.solution.partial:
            return _left_out("the file", self.first_street + self.kept_streets)
        if self.solution.spot.runouts is not None:
            subset = f"the file has {self.solution.spot.runouts} run-outs"
            return f"{subset}: others are solved again when a hand comes to them"
        return ""

    @property
    def first_street(self) -> int:
        """The street of the spot."""
        return self.solution.spot.street

    @property
    def kept_streets(self) -> int:
        """How many streets the file holds."""
        return len(self.solution.strategies)


class BatchSource(DrillSource):
    """The solutions of a batch: boards as likely as their weight times the deals on them.

    Parameters
    ----------
    batch
        The folder.
    load
        How to open the file of a solution, for those who share open ones.
    most_open
        Solutions that are kept open.
    boards
        Only these boards are dealt: a texture (`pokerlab.cards.TextureFilter`) or a list of boards,
        as for `pokerlab batch --boards`; empty for all.
    """

    boards = ""
    not_chosen = 0
    """Boards that are finished, and are not among `boards`."""

    def __init__(
        self,
        batch: Batch,
        load: Callable[[Path], PostflopSolution] = load_postflop,
        most_open: int = _MAX_OPEN,
        boards: str = "",
    ) -> None:
        self.name = source_name(batch.folder)
        self.batch = batch
        self.boards = boards.strip()
        finished = batch.rows()
        if not finished:
            raise ValueError(f"{batch.folder}: no board is finished")
        is_chosen = _chosen_by(self.boards)
        self.rows = [row for row in finished if is_chosen(row.board)]
        self.not_chosen = len(finished) - len(self.rows)
        if not self.rows:
            raise ValueError(
                f"{batch.folder}: no board that is finished is {shorten(self.boards)!r}"
            )
        weights = np.array([row.weight * row.deals for row in self.rows])
        if not weights.sum() > 0:
            raise ValueError(f"{batch.folder}: no hands can be dealt on its boards")
        self._likely = weights / weights.sum()
        self._load, self._most_open = load, most_open
        self._open: OrderedDict[str, SpotLookUp] = OrderedDict()

    def draw(self, rng: np.random.Generator) -> str:
        """A board that is finished."""
        return self.rows[int(rng.choice(len(self.rows), p=self._likely))].board

    def get(self, board: str) -> SpotLookUp:
        """The solution on a board."""
        if board not in self._open:
            if self.batch.row(board) is None:
                kind = UnfinishedError if board in self.batch.question.boards else ValueError
                raise kind(f"{self.batch.folder}: {shorten(board)} is not a finished board")
            self._open[board] = SpotLookUp(self._load(self.batch.solution_path(board)))
        self._open.move_to_end(board)
        while len(self._open) > self._most_open:
            self._open.popitem(last=False)
        return self._open[board]

    @property
    def note(self) -> str:
        """The parts that the folder leaves out."""
        finished = len(self.rows) + self.not_chosen
        unfinished = len(self.batch.question.boards) - finished
        parts = []
        if self.boards:
            chosen = shorten(self.boards, 60)
            parts.append(f"{len(self.rows)} of {finished} boards: {chosen}")
        if unfinished:
            parts.append(f"{unfinished} of {len(self.batch.question.boards)} boards are not solved")
        if self.batch.question.keep != "full" and self._last_street >= self.kept_streets:
            parts.append(_left_out("the folder", self.first_street + self.kept_streets))
        return "; ".join(parts)

    @cached_property
    def first_street(self) -> int:
        """The street of its boards."""
        return len(self.rows[0].board) // 2 - 3

    @property
    def _last_street(self) -> int:
        return len(STREETS) - 1 - self.first_street

    @property
    def kept_streets(self) -> int:
        """How many streets its files hold."""
        left = {"full": 0, "partial": 1, "root": self._last_street}[self.batch.question.keep]
        return max(self._last_street + 1 - left, 1)


def _chosen_by(boards: str) -> Callable[[str], bool]:
    """Tells whether a board is one of a list of boards, or of a texture; any, if none is named."""
    if not boards:
        return lambda board: True
    if _BOARD.match(boards):
        return parse_boards(boards).__contains__
    return TextureFilter(boards).matches


_BOARD = re.compile(r"([2-9TJQKA][shdc]\s*){3}", re.ASCII)


def open_source(path: str | os.PathLike[str]) -> DrillSource:
    """Open a solution of a spot, or the folder of a batch.

    Examples
    --------
    >>> open_source("nothing.safetensors")
    Traceback (most recent call last):
    ValueError: 'nothing.safetensors': there is no such file; name one of `pokerlab solve -o`
    """
    path = Path(path)
    if path.is_dir():
        if not is_batch(path):
            raise ValueError(f"{path}: this folder holds no batch; name one of `pokerlab batch -o`")
        return BatchSource(load_batch(path))
    strategy = open_strategy(path)
    if not isinstance(strategy, SpotLookUp):
        raise ValueError(
            f"{path} is a solution of {strategy.game.name}; hands can be practised with those of a"
            " spot after the flop (`pokerlab solve SPOT.toml -o`)"
        )
    return SolutionSource(strategy.solution, source_name(path))


def _left_out(where: str, street: int) -> str:
    missing = " and ".join(f"{each}s" for each in STREETS[street:])
    return f"{where} leaves out {missing}: each is solved again when a hand comes to it"

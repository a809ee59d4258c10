"""From board to board: the villain's reach goes down, what the hero's hands are worth comes back.

`PublicWalk.deal` and `PublicWalk.play` call each other, street by street. Where the last street
follows, one call of `respond` works out all boards of it: that is nearly all of the time, and what
another device takes over (`PublicWalk.last_street`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from threading import local

import numpy as np
import numpy.typing as npt

from pokerlab.holdem.limit.best_response.boards import Board, FlopBoards, NextBoards
from pokerlab.holdem.limit.best_response.lines import StreetLines, villain_lines
from pokerlab.holdem.limit.best_response.street_kernels import (
    StreetWorkspace,
    respond,
    street_workspace,
)
from pokerlab.holdem.limit.sampling.bucketed_game import BucketedGame
from pokerlab.runtime.arrays import AnyArray, Floats, Reals

Pair = tuple[AnyArray, AnyArray]
"""An array (hands, lines) for each hero."""

_HEROES = (0, 1)


class PublicWalk:
    """Best responses of both players to a table, on any part of the public tree.

    Parameters
    ----------
    game, probabilities
        The strategy, node by node (see `villain_lines`).
    threads
        Boards of the last street but one that are worked on at the same time.
    dtype
        Of the numbers; sums over boards are float64.
    symmetric
        See `FlopBoards`.

    Examples
    --------
    >>> from pokerlab.games import load_betting_game
    >>> kuhn = BucketedGame.of(load_betting_game("kuhn"), "none")
    >>> walk = PublicWalk(kuhn, np.tile([0.0, 1.0, 0.0], (kuhn.rows, 1)))
    >>> first, second = walk.deal(0, walk.boards.empty, walk.start())
    >>> (first[:, 0] / walk.boards.pairs).tolist()  # against a caller: the king bets
    [-1.0, 0.0, 2.0]
    """

    def __init__(
        self,
        game: BucketedGame,
        probabilities: Reals,
        *,
        threads: int = 1,
        dtype: npt.DTypeLike = np.float32,
        symmetric: bool | None = None,
    ) -> None:
        self.boards = FlopBoards(game, symmetric=symmetric)
        self.dtype = np.dtype(dtype)
        self.threads = threads
        self.last = len(game.groups) - 1
        first, second = (villain_lines(game, probabilities, hero, dtype) for hero in _HEROES)
        self.lines: tuple[tuple[StreetLines, ...], tuple[StreetLines, ...]] = (first, second)
        self._workspaces = local()

    def start(self) -> Pair:
        """The villain's reach before anything has happened: 1 with every hand, on the one line."""
        first, second = (
            np.zeros((len(self.boards.hands), self.lines[hero][0].width), self.dtype)
            for hero in _HEROES
        )
        first[:, 0] = second[:, 0] = 1.0
        return first, second

    def deal(self, street: int, board: Board, reach: Pair) -> Pair:
        """What hands are worth before the cards of a street are dealt on a board."""
        values = self.on_boards(street, board, self.boards.following(board, street), reach)
        ways = self.boards.ways(street)
        first, second = (self.boards.symmetrised(board, each) / ways for each in values)
        return first, second

    def on_boards(self, street: int, board: Board, following: NextBoards, reach: Pair) -> Pair:
        """The sum, by weight, of what hands are worth on some boards that follow a board."""
        values = self._zeros(board, street)
        if street == self.last:
            self.last_street(board, following, reach, values)
        else:
            self._add(street, board, following, reach, values)
        return values

    def last_street(self, board: Board, following: NextBoards, reach: Pair, values: Pair) -> None:
        """Add to `values` what hands are worth on all boards of the last street, by weight."""
        for hero in _HEROES:
            self._respond(hero, self.last, board, following, reach[hero], None, values[hero])

    def play(self, street: int, board: Board, reach: Pair) -> Pair:
        """What hands are worth where a street that is not the last begins, on its board."""
        sent = self.send(street, board, reach)
        given = self.deal(street + 1, board, sent)
        return self.answer(street, board, reach, given)

    def send(self, street: int, board: Board, reach: Pair) -> Pair:
        """The villain's reach at the end of a street, by lines of the next."""
        first, second = (self._send(hero, street, board, reach[hero]) for hero in _HEROES)
        return first, second

    def answer(self, street: int, board: Board, reach: Pair, given: Pair) -> Pair:
        """What hands are worth where a street begins, from what they are at its end."""
        values = self._zeros(board, street)
        itself = _itself(board)
        for hero in _HEROES:
            self._respond(hero, street, board, itself, reach[hero], given[hero], values[hero])
        return values

    @cached_property
    def first_board(self) -> Board:
        """The board of the first street: none, in all games that have `first_boards`."""
        return self.boards.chosen(self.boards.empty, self.boards.following(self.boards.empty, 0), 0)

    @cached_property
    def first_boards(self) -> NextBoards | None:
        """The boards of the second street, which can be worked out one by one.

        None where there is no second street, or the first has a board already.
        """
        if self.last == 0 or self.boards.game.rules.board_cards[0] > 0:
            return None
        return self.boards.following(self.first_board, 1)

    @property
    def boards_at_once(self) -> int:
        """How many of `first_boards` are best asked for together."""
        return 1

    @property
    def first_board_shape(self) -> tuple[int, int, int]:
        """Of `first_board_values`."""
        lines = max(self.lines[hero][1].lines for hero in _HEROES)
        return len(_HEROES), lines, int(self.boards.classes.max()) + 1

    def first_board_values(self, number: int) -> Floats:
        """What classes of hands are worth on one of `first_boards`: (heroes, lines, classes).

        They are by the weight of the board, and means over the classes of `FlopBoards.classes`, in
        which a hand that cannot be held counts 0.
        """
        assert self.first_boards is not None
        return self._by_class(
            self.on_boards(1, self.first_board, self.first_boards.only(number), self._sent)
        )

    def first_boards_values(self, numbers: Sequence[int]) -> Iterator[Floats]:
        """`first_board_values` of several boards."""
        return map(self.first_board_values, numbers)

    def _by_class(self, values: Pair) -> Floats:
        classes = self.boards.classes
        found = np.zeros(self.first_board_shape)
        for hero in _HEROES:
            for place, line in enumerate(self.lines[hero][1].entered.values()):
                found[hero, place] = np.bincount(classes, values[hero][:, line])
        found /= np.bincount(classes)
        return found

    def spread_classes(self, hero: int, found: Floats) -> Floats:
        """From sums of `first_board_values` of a hero what hands are worth where street 1 begins.

        (hands, lines), before its cards are dealt.
        """
        values = np.zeros((len(self.boards.hands), self.lines[hero][1].width))
        for place, line in enumerate(self.lines[hero][1].entered.values()):
            values[:, line] = found[place][self.boards.classes]
        values /= self.boards.ways(1)
        return values

    @cached_property
    def _sent(self) -> Pair:
        """The villain's reach where the second street begins."""
        return self.send(0, self.first_board, self.start())

    def _add(
        self, street: int, board: Board, following: NextBoards, reach: Pair, values: Pair
    ) -> None:
        """Play on each of the boards that follow, and add up."""

        def play(number: int) -> Pair:
            places = following.order[number]
            behind = self.boards.chosen(board, following, number)
            first, second = (each[places] for each in reach)
            return self.play(street, behind, (first, second))

        for number, found in enumerate(self._map(street, play, range(len(following)))):
            places, weight = following.order[number], following.weight[number]
            for hero in _HEROES:
                values[hero][places] += weight * found[hero]

    def _map(
        self, street: int, work: Callable[[int], Pair], numbers: Iterable[int]
    ) -> Iterable[Pair]:
        if self.threads == 1 or street < self.last - 1:
            return map(work, numbers)
        executor = ThreadPoolExecutor(self.threads)
        try:
            return list(executor.map(work, numbers))
        finally:
            executor.shutdown(cancel_futures=True)  # Ctrl-C waits for no more than one board each

    def _zeros(self, board: Board, street: int) -> Pair:
        first, second = (
            np.zeros((len(board.hands), self.lines[hero][street].width)) for hero in _HEROES
        )
        return first, second

    def _send(self, hero: int, street: int, board: Board, reach: Reals) -> Reals:
        out = np.zeros((len(board.hands), self.lines[hero][street + 1].width), self.dtype)
        for block in self.lines[hero][street].blocks:
            here = reach[:, block.first : block.first + block.width]
            for leaf, sent in block.spread(1 - hero, board.groups, here):
                goes_on = block.into[leaf] >= 0
                out[:, block.into[leaf][goes_on]] = sent[:, goes_on]
        return out

    def _respond(
        self,
        hero: int,
        street: int,
        board: Board,
        following: NextBoards,
        reach: Reals,
        given: Floats | None,
        value: Floats,
    ) -> None:
        for block in self.lines[hero][street].blocks:
            respond(
                block.steps,
                block.first,
                block.amount,
                block.into,
                block.plan.shape[1],
                block.plan.reshape(-1),
                self.boards.slots[board.hands],
                following.weight,
                following.order,
                following.tie_end,
                following.group,
                reach,
                np.empty((0, 0)) if given is None else given,
                value,
                self._workspace(),
            )

    def _workspace(self) -> StreetWorkspace:
        """The memory of this thread."""
        if not hasattr(self._workspaces, "own"):
            slots = max(
                block.slots for lines in self.lines for street in lines for block in street.blocks
            )
            self._workspaces.own = street_workspace(
                slots, len(self.boards.hands), self.boards.slot_count, self.dtype
            )
        own: StreetWorkspace = self._workspaces.own
        return own


def _itself(board: Board) -> NextBoards:
    """A board as the only one that follows itself."""
    places = np.arange(len(board.hands), dtype=np.int16)[None]
    return NextBoards(
        np.empty((1, 0), np.uint8), np.ones(1), places, places, board.groups.astype(np.int32)[None]
    )

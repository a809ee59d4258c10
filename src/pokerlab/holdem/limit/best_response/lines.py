"""All lines of betting, street by street, with what the villain does on them.

The lines that enter a street with the same shape are a *block*: kernels work them out at once, and
they are the innermost index of all arrays. Lines that the villain never goes are left out: against
a player who always calls, 8 of the 567 are left on the river of hold'em.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pokerlab.holdem.limit.best_response.street_shapes import (
    FIRST_FOLDS,
    GOES_ON,
    SECOND_FOLDS,
    SHOWS,
    StreetLine,
    StreetShape,
    follow_line,
    street_steps,
)
from pokerlab.holdem.limit.sampling.bucketed_game import BucketedGame
from pokerlab.runtime.arrays import AnyArray, Bools, Floats, Int64s, Reals
from pokerlab.runtime.vector_kernels import LANES

_GROUPS_AT_ONCE = 4096


@dataclass(frozen=True, eq=False)
class Block:
    """The lines that enter a street with the same shape; `width` is a multiple of `LANES`.

    What is behind the last line is 0, or −1 in `into`.

    Attributes
    ----------
    shape, steps
        The betting of the street.
    lines
        How many.
    first
        Where they begin among all lines of the street.
    amount
        (leaves, width): what is won and lost there, in units of the game; 0 where the next street
        follows.
    into
        (leaves, width): the line of the next street that follows; −1 where there is none, or the
        villain never goes there.
    plan
        (groups, edges, width): how likely the villain takes each edge (`StreetShape.edges`).
    """

    shape: StreetShape
    steps: Int64s
    lines: int
    first: int
    amount: Reals
    into: Int64s
    plan: Reals

    @property
    def width(self) -> int:
        """Lines, and what fills them up."""
        return int(self.amount.shape[1])

    @property
    def slots(self) -> int:
        """Slots that the steps need, of reaches and of worths."""
        return int(self.steps[:, 2:4].max()) + 2

    def spread(self, villain: int, groups: Int64s, reach: Reals) -> Iterator[tuple[int, AnyArray]]:
        """Give leaves with the villain's reach there, from that at the root (hands, width)."""
        return self.shape.spread(villain, reach, lambda edge: self.plan[groups, edge])


@dataclass(frozen=True, eq=False)
class StreetLines:
    """All lines that enter a street.

    Attributes
    ----------
    blocks
        By shape, one after the other.
    entered
        How lines enter, by betting node or leaf (`FlatTree`), with the number of the line.
    """

    blocks: tuple[Block, ...]
    entered: dict[int, int]

    @property
    def width(self) -> int:
        """The lines of all blocks, and what fills them up."""
        return sum(block.width for block in self.blocks)

    @property
    def lines(self) -> int:
        """How many lines there are."""
        return len(self.entered)


def villain_lines(
    game: BucketedGame,
    probabilities: Reals,
    hero: int,
    dtype: npt.DTypeLike = np.float32,
) -> tuple[StreetLines, ...]:
    """The lines of each street against a villain who plays a table.

    Parameters
    ----------
    game
        A limit game of two players.
    probabilities
        (rows, 3): the table node by node, as in a strategy file (see `played_rows`).
    hero
        The position of the hero, 0 or 1.
    dtype
        Of the villain's probabilities and of the chips.

    Examples
    --------
    >>> from pokerlab.games import load_betting_game
    >>> holdem = BucketedGame.of(load_betting_game("holdem.limit.2p"), "none")
    >>> uniform = np.full((holdem.rows, 3), 1 / 3)
    >>> [street.lines for street in villain_lines(holdem, uniform, 0)]
    [1, 7, 63, 567]
    >>> calls = np.tile([0.0, 1.0, 0.0], (holdem.rows, 1))
    >>> [street.lines for street in villain_lines(holdem, calls, 0)]
    [1, 2, 4, 8]
    """
    streets: list[StreetLines] = []
    codes = [0]
    for street in range(len(game.groups)):
        lines = _street_lines(game, probabilities, hero, street, codes, dtype)
        if streets:
            _lead_into(streets[-1], lines)
        streets.append(lines)
        codes = _following(lines)
    return tuple(streets)


def _street_lines(
    game: BucketedGame,
    probabilities: Reals,
    hero: int,
    street: int,
    codes: Sequence[int],
    dtype: npt.DTypeLike,
) -> StreetLines:
    by_shape: dict[StreetShape, list[tuple[int, StreetLine]]] = {}
    for code in codes:
        line = follow_line(game.betting, street, code)
        by_shape.setdefault(line.shape, []).append((code, line))
    blocks: list[Block] = []
    entered: dict[int, int] = {}
    first = 0
    for shape, members in by_shape.items():
        lines = [line for _, line in members]
        entered |= {code: first + number for number, (code, _) in enumerate(members)}
        width = -(-len(lines) // LANES) * LANES
        plan = np.zeros((game.counts[street], len(shape.edges[1 - hero]), width), dtype)
        _write_plan(game, probabilities, 1 - hero, shape, lines, plan)
        blocks.append(
            Block(
                shape,
                street_steps(shape, hero),
                len(lines),
                first,
                _amounts(game, shape, lines, width).astype(dtype),
                _ends(shape, lines, width, plan, hero),
                plan,
            )
        )
        first += width
    return StreetLines(tuple(blocks), entered)


def _amounts(
    game: BucketedGame, shape: StreetShape, lines: Sequence[StreetLine], width: int
) -> Floats:
    """The chips spent by the player who folds; at a showdown both have spent the same."""
    amount = np.zeros((len(shape.leaves), width))
    nodes, spent = len(game.betting.nodes), game.betting.tree.spent
    payer = {FIRST_FOLDS: 0, SECOND_FOLDS: 1, SHOWS: 0}
    for leaf, kind in enumerate(shape.leaves):
        if kind != GOES_ON:
            for number, line in enumerate(lines):
                amount[leaf, number] = spent[line.leaves[leaf] - nodes, payer[kind]]
    return amount / game.rules.unit


def _ends(
    shape: StreetShape,
    lines: Sequence[StreetLine],
    width: int,
    plan: Reals,
    hero: int,
) -> Int64s:
    """What follows each leaf where a street follows that the villain may reach; −1 elsewhere."""
    into = np.full((len(shape.leaves), width), -1, np.int64)
    taken: Bools = np.any(plan > 0.0, axis=0)  # (edges, width)
    everywhere = np.ones(width, np.bool_)
    for leaf, reached in shape.spread(1 - hero, everywhere, lambda edge: taken[edge]):
        if shape.leaves[leaf] == GOES_ON:
            for number in np.flatnonzero(reached[: len(lines)]).tolist():
                into[leaf, number] = lines[number].leaves[leaf]
    return into


def _following(lines: StreetLines) -> list[int]:
    """What the next street is entered by, leaf by leaf, so that lines of a leaf stay together."""
    return [
        int(code) for block in lines.blocks for codes in block.into for code in codes if code >= 0
    ]


def _lead_into(lines: StreetLines, following: StreetLines) -> None:
    """Replace what follows a leaf by its line on the next street."""
    for block in lines.blocks:
        there = block.into >= 0
        block.into[there] = [following.entered[int(code)] for code in block.into[there]]


def _write_plan(
    game: BucketedGame,
    probabilities: Reals,
    villain: int,
    shape: StreetShape,
    lines: Sequence[StreetLine],
    plan: Reals,
) -> None:
    edges = shape.edges[villain]
    for node in sorted({node for node, _ in edges}):
        first = game.first_row[[line.nodes[node] for line in lines]]
        legal = np.array([child is not None for child in shape.nodes[node][1]])
        chosen = [(edge, action) for edge, (of, action) in enumerate(edges) if of == node]
        for begin in range(0, len(plan), _GROUPS_AT_ONCE):
            groups = np.arange(begin, min(begin + _GROUPS_AT_ONCE, len(plan)))
            rows = played_rows(probabilities[groups[:, None] + first], legal)
            for edge, action in chosen:
                plan[begin : begin + len(groups), edge, : len(lines)] = rows[..., action]


def played_rows(rows: Reals, legal: Bools) -> Floats:
    """What is played by rows (…, 3) of a table: as the bot of a strategy file plays them.

    A row of NaN, where training never came, calls; so does what is not legal. A row of half
    precision has a sum that is not quite 1, and is divided by it.

    Examples
    --------
    >>> rows = np.array([[0.5, 0.25, 0.25], [np.nan, np.nan, np.nan], [0.0, 0.0, 0.5]])
    >>> played_rows(rows, np.array([False, True, True])).tolist()
    [[0.0, 0.75, 0.25], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    """
    played = np.array(rows, np.float64)
    played[np.isnan(played[..., 0])] = 0.0, 1.0, 0.0
    for action in (0, 2):
        if not legal[action]:
            played[..., 1] += played[..., action]
            played[..., action] = 0.0
    shares: Floats = played / played.sum(axis=-1, keepdims=True)
    return shares

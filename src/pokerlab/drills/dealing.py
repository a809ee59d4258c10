"""Which hand is dealt, and where it begins: as likely as equilibrium play brings it there.

Both hands are drawn together, by the weights of the two ranges at the line and without shared
cards; the board comes from the rest of the deck. If a line leaves cards out, or hands begin on a
later street, the solution plays whole hands until one gets there. So each hand is as likely as it
is at the table, given that it gets there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pokerlab.cards.codes import N_COMBOS
from pokerlab.games.betting_trees import EdgeKind, Line
from pokerlab.games.betting_trees.betting_tree import BettingTree, Place
from pokerlab.games.betting_trees.lines import Action, Token
from pokerlab.holdem.spots import PostflopSolution, Spot
from pokerlab.holdem.spots.play.dealing import DealtPairs, deal_cards, deal_hands
from pokerlab.players.strategies import SpotLookUp
from pokerlab.runtime.arrays import Floats

MAX_TRIES = 20_000
"""The most hands that are played to find one that gets to the line."""
_BLOCK = 250


@dataclass(frozen=True)
class Position:
    """A decision to play again: the board of the solution, the line to it, and the hand."""

    board: str
    line: str
    hand: str


@dataclass(frozen=True)
class DrillDeal:
    """Cards for one hand, and the line where it begins.

    Attributes
    ----------
    line
        What has happened before, cards included.
    combos
        The hands of the player out of position and of the other.
    board
        Five cards, those of the line among them.
    """

    line: Line
    combos: tuple[int, int]
    board: tuple[int, ...]


class Dealer:
    """Deals hands that begin at a line, or where play from there first reaches a street.

    Parameters
    ----------
    strategy
        The solution.
    line
        Where they begin; cards may be left out.
    level
        How many streets after the first of the spot they are to begin at the earliest.
    """

    def __init__(self, strategy: SpotLookUp, line: Line, level: int) -> None:
        solution = strategy.solution
        self.strategy, self.line, self.level = strategy, line, level
        self.known = _known_part(solution, line)
        self.wanted = _edges_after(solution.spot, self.known, line)
        weights = arriving_weights(solution, self.known)
        self.board = (*solution.spot.board, *self.known.cards)
        try:
            self.pairs = DealtPairs(weights)
        except ValueError as error:
            raise ValueError(f"line {str(line)!r}: {error}") from None

    def deal(self, rng: np.random.Generator) -> DrillDeal:
        """Deal a hand; `ValueError` if play gets there too seldom."""
        searching = bool(self.wanted) or self.level > len(self.known.cards)
        for _ in range(MAX_TRIES // _BLOCK if searching else 1):
            combos = self.pairs.draw(_BLOCK if searching else 1, rng)
            boards = deal_cards(combos, self.board, rng).tolist()
            for pair, cards in zip(combos.tolist(), boards, strict=True):
                found = _play_to(
                    self.strategy, self.known, self.wanted, self.level, pair, cards, rng
                )
                if found is not None:
                    return DrillDeal(found, (pair[0], pair[1]), tuple(cards))
        where = f"line {str(self.line)!r}" if len(self.line) else "the street"
        raise ValueError(
            f"{where}: none of {MAX_TRIES:,} hands that the solution played got there; name the"
            " cards of the line, or begin earlier"
        )


def deal_position(
    strategy: SpotLookUp, position: Position, combo: int, player: int, rng: np.random.Generator
) -> DrillDeal:
    """Deal a decision again: the player holds the same hand, the opponent one that arrives."""
    line = Line.parse(position.line)
    weights = list(arriving_weights(strategy.solution, line))
    weights[player] = np.zeros(N_COMBOS)
    weights[player][combo] = 1.0
    board = (*strategy.solution.spot.board, *line.cards)
    combos, boards = _deal((weights[0], weights[1]), board, 1, rng, line)
    return DrillDeal(line, (combos[0][0], combos[0][1]), tuple(boards[0]))


def arriving_weights(solution: PostflopSolution, line: Line) -> tuple[Floats, Floats]:
    """How likely each combo of both players is after a line whose cards are all named (1326)."""
    place = solution.spot.find(line)
    if place.level < solution.streets_kept(place.cards):
        return solution.weights_after(place)
    if place.edge < 0:
        return solution.at(line).weights
    view = solution.at(Line(line.tokens[:-1]))
    weights = [view.weights[0].copy(), view.weights[1].copy()]
    street = solution.spot.tree.streets[place.level]
    number = place.edge - int(street.first_edge[street.node[place.edge]])
    weights[view.player] *= np.nan_to_num(view.strategy[number])
    return weights[0], weights[1]


def _known_part(solution: PostflopSolution, line: Line) -> Line:
    """The line up to the first card that it leaves out; `ValueError` if nothing can follow it."""
    place = solution.spot.find(line)
    if place.kind not in (EdgeKind.NODE, EdgeKind.NEXT_STREET):
        raise ValueError(f"line {str(line)!r}: the hand is over here")
    for length, token in enumerate(line.tokens):
        before = Line(line.tokens[:length])
        if isinstance(token, Action) and solution.spot.find(before).kind == EdgeKind.NEXT_STREET:
            return before
    return line


def _edges_after(spot: Spot, known: Line, line: Line) -> list[int]:
    """The actions that follow the known part of a line, by number."""
    lengths = range(len(known) + 1, len(line) + 1)
    return [
        spot.find(Line(line.tokens[:length])).edge
        for length in lengths
        if isinstance(line.tokens[length - 1], Action)
    ]


def _deal(
    weights: tuple[Floats, Floats],
    board: tuple[int, ...],
    deals: int,
    rng: np.random.Generator,
    line: Line,
) -> tuple[list[list[int]], list[list[int]]]:
    try:
        combos = deal_hands(weights, deals, rng)
    except ValueError as error:
        raise ValueError(f"line {str(line)!r}: {error}") from None
    return combos.tolist(), deal_cards(combos, board, rng).tolist()


def _play_to(
    strategy: SpotLookUp,
    line: Line,
    wanted: list[int],
    level: int,
    combos: list[int],
    board: list[int],
    rng: np.random.Generator,
) -> Line | None:
    """Play a hand by the solution along the wanted edges, and on to a street.

    None if it takes another way, or ends before.
    """
    spot = strategy.solution.spot
    place = spot.find(line)
    tokens: list[Token] = list(line.tokens)
    left = list(wanted)
    while left or place.level < level:
        if place.kind == EdgeKind.NEXT_STREET:
            card = board[len(spot.board) + place.level]
            tokens.append(card)
            place = spot.tree.deal(place, card)
            continue
        if place.kind != EdgeKind.NODE:
            return None
        street = spot.tree.streets[place.level]
        player = int(street.player[place.node])
        row = strategy.row(place.level, place.node, place.cards, combos[player])
        if row is None:
            return None
        edge = int(street.first_edge[place.node]) + draw_action(row, rng)
        if left and edge != left.pop(0):
            return None
        tokens += Line.parse(street.label(edge)).tokens
        place = take_edge(spot.tree, place, edge)
    return Line(tuple(tokens))


def take_edge(tree: BettingTree, place: Place, edge: int) -> Place:
    """Where an action leads."""
    street = tree.streets[place.level]
    kind = EdgeKind(street.kind[edge])
    node = int(street.target[edge]) if kind == EdgeKind.NODE else place.node
    return Place(place.level, kind, node, edge, place.cards)


def draw_action(row: Sequence[float], rng: np.random.Generator) -> int:
    """The number of an action, as likely as a row of weights says.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> np.bincount([draw_action([0, 1, 3, 0], rng) for _ in range(4000)]).tolist()
    [0, 1014, 2986]
    """
    total = np.cumsum(row)
    return int(np.searchsorted(total, rng.random() * total[-1], side="right"))

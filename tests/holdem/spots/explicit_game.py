"""A spot as a game with one node for each deal and each history: the slow truth.

`SpotGame` follows `pokerlab.games.protocol`, so `GameTree.build` writes a small spot out, and the
solvers of the laboratory, which know nothing of public trees, rows or suits, can be asked about
it. First chance deals the hand of each seat, then the players bet; cards come as public chance
nodes. An all-in before the river ends the game at once with the average over all run-outs.

What a seat sees is its hand, a blank and the line, as in ``AsKd x/b50/c/Qc/x``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import combinations, permutations

import numpy as np
import numpy.typing as npt

from pokerlab.cards import evaluate_batch
from pokerlab.cards.codes import combo_cards, combo_index, format_cards, parse_card, parse_cards
from pokerlab.games.betting_trees import EdgeKind, StreetTree
from pokerlab.games.protocol import CHANCE, TERMINAL
from pokerlab.holdem.spots import Spot

__all__ = ["SpotGame", "SpotState", "split_name"]


def split_name(name: str) -> tuple[int, str]:
    """The combo and the line of an information set.

    Examples
    --------
    >>> split_name("3c2c x/b50")
    (6, 'x/b50')
    """
    hand, _, line = name.partition(" ")
    return combo_index(*parse_cards(hand)), line


@dataclass(frozen=True, eq=False)
class SpotGame:
    """The rules of a spot.

    Examples
    --------
    >>> from pokerlab.trees import GameTree
    >>> spot = Spot("QhJh2c4d7h", "AA:0.5", "AsKs", pot=10, stack=10, bet="a", raise_="")
    >>> tree = GameTree.build(SpotGame(spot))
    >>> tree.path(int(tree.terminals[0])), tree.payoffs[0].tolist()
    ('0d{AdAc} 1d{AsKs} 0x 1x', [5.0, -5.0])
    """

    spot: Spot

    @property
    def name(self) -> str:
        return "spot"

    @property
    def players(self) -> int:
        return 2

    def start(self) -> SpotState:
        return SpotState(self, (), 0, 0, -1, EdgeKind.NODE, (), "")

    @cached_property
    def labels(self) -> list[list[list[str]]]:
        """The actions of each node of each street."""
        return [
            [street.labels(node) for node in range(street.nodes)]
            for street in self.spot.tree.streets
        ]

    @cached_property
    def chance_of_pair(self) -> npt.NDArray[np.float64]:
        """The probability of each pair of hands (1326, 1326)."""
        weights = [hands.weights for hands in self.spot.ranges]
        apart = np.zeros((1326, 1326), bool)
        for first in np.flatnonzero(weights[0]).tolist():
            for second in np.flatnonzero(weights[1]).tolist():
                apart[first, second] = not set(combo_cards(first)) & set(combo_cards(second))
        joint = weights[0][:, None] * weights[1] * apart
        return np.asarray(joint / joint.sum())

    @cached_property
    def chance_of_first(self) -> npt.NDArray[np.float64]:
        """The probability of each hand of seat 0 (1326)."""
        return np.asarray(self.chance_of_pair.sum(axis=1))


@cache
def win_tie_lose(board: tuple[int, ...], first: int, second: int) -> tuple[float, float, float]:
    """How often one hand beats another over all run-outs of a board."""
    hands = [combo_cards(first), combo_cards(second)]
    known = {*board, *hands[0], *hands[1]}
    deck = [card for card in range(52) if card not in known]
    boards = [(*board, *more) for more in combinations(deck, 5 - len(board))]
    classes = [
        evaluate_batch(np.array([(*cards, *hand) for cards in boards])).astype(int)
        for hand in hands
    ]
    sign = np.sign(classes[1] - classes[0])
    return float(np.mean(sign > 0)), float(np.mean(sign == 0)), float(np.mean(sign < 0))


def money_of(spot: Spot, ends: Sequence[float]) -> npt.NDArray[np.float64]:
    """The prize money of both players with some chips, by all orders of finish."""
    stacks = [*ends, *spot.others]
    heads = list(spot.bounty or [0.0] * len(stacks))
    money = [0.0] * len(stacks)
    left = [player for player, stack in enumerate(stacks) if stack > 0]
    for player in set(range(2)) - set(left):
        won = heads[player] / (2 if spot.progressive else 1)
        money[1 - player] += won
        heads[1 - player] += heads[player] - won
        heads[player] = 0
        if len(spot.payouts) == len(stacks):
            money[player] += spot.payouts[-1]
    for order in permutations(left):
        rest, chance = sum(stacks), 1.0
        for place, player in enumerate(order):
            chance *= stacks[player] / rest
            rest -= stacks[player]
            if rest <= 0 and place < len(order) - 1:
                raise AssertionError("chips are missing")
        for place, player in enumerate(order[: len(spot.payouts)]):
            money[player] += chance * spot.payouts[place]
    for player in left:
        money[player] += sum(heads) * stacks[player] / sum(stacks)
    return np.array(money[:2])


@dataclass(frozen=True, eq=False)
class SpotState:
    """A point in a `SpotGame`: the last action was `edge` of the street `level`."""

    game: SpotGame
    hands: tuple[int, ...]
    level: int
    node: int
    edge: int
    kind: EdgeKind
    cards: tuple[int, ...]
    line: str

    @property
    def player(self) -> int:
        if len(self.hands) < 2 or self.kind == EdgeKind.NEXT_STREET:
            return CHANCE
        if self.kind == EdgeKind.NODE:
            return int(self._street.player[self.node])
        return TERMINAL

    @property
    def _street(self) -> StreetTree:
        return self.game.spot.tree.streets[self.level]

    @property
    def _labels(self) -> list[str]:
        return self.game.labels[self.level][self.node]

    @property
    def _board(self) -> tuple[int, ...]:
        return (*self.game.spot.board, *self.cards)

    def _possible_hands(self) -> npt.NDArray[np.intp]:
        game = self.game
        chances = game.chance_of_pair[self.hands[0]] if self.hands else game.chance_of_first
        return np.flatnonzero(chances)

    def _possible_cards(self) -> list[int]:
        known = {*self._board, *combo_cards(self.hands[0]), *combo_cards(self.hands[1])}
        return [card for card in range(52) if card not in known]

    def actions(self) -> Sequence[str]:
        if len(self.hands) < 2:
            return [format_cards(combo_cards(int(hand))) for hand in self._possible_hands()]
        if self.kind == EdgeKind.NEXT_STREET:
            return [format_cards([card]) for card in self._possible_cards()]
        return self._labels if self.kind == EdgeKind.NODE else []

    def chances(self) -> Sequence[float]:
        game = self.game
        if not self.hands:
            return list(game.chance_of_first[self._possible_hands()].tolist())
        if len(self.hands) == 1:
            row = game.chance_of_pair[self.hands[0]]
            return list((row[self._possible_hands()] / row.sum()).tolist())
        cards = len(self._possible_cards())
        return [1 / cards] * cards

    def apply(self, action: str) -> SpotState:
        if len(self.hands) < 2:
            hands = (*self.hands, combo_index(*parse_cards(action)))
            return SpotState(self.game, hands, 0, 0, -1, EdgeKind.NODE, (), "")
        line = f"{self.line}/{action}" if self.line else action
        street = self._street
        if self.kind == EdgeKind.NEXT_STREET:
            cards = (*self.cards, parse_card(action))
            below = self.game.spot.tree.streets[self.level + 1]
            first = int(below.root_first_node[street.target[self.edge]])
            return SpotState(
                self.game, self.hands, self.level + 1, first, -1, EdgeKind.NODE, cards, line
            )
        edge = street.edges_of(self.node)[self._labels.index(action)]
        kind = EdgeKind(street.kind[edge])
        node = int(street.target[edge]) if kind == EdgeKind.NODE else self.node
        return SpotState(self.game, self.hands, self.level, node, edge, kind, self.cards, line)

    def payoffs(self) -> Sequence[float]:
        """Chips against an even split of the first pot; the winner pays the rake."""
        spot, street = self.game.spot, self._street
        if spot.payouts:
            return self._prizes(int(street.matched[self.edge]) / street.units)
        lost = spot.pot / 2 + int(street.matched[self.edge])
        rake = spot.rake_from(int(street.end_pot[self.edge]))
        if self.kind == EdgeKind.FOLD:
            loser = int(street.player[self.node])
            return [-lost if seat == loser else lost - rake for seat in range(2)]
        win, tie, lose = win_tie_lose(self._board, *self.hands)
        return [
            win * (lost - rake) - tie * rake / 2 - lose * lost,
            lose * (lost - rake) - tie * rake / 2 - win * lost,
        ]

    def _prizes(self, matched: float) -> Sequence[float]:
        """The mean of the prize money, in shares of all chips, against giving up at once."""
        spot, stacks = self.game.spot, list(np.broadcast_to(self.game.spot.stack, 2).tolist())
        pot = spot.pot + 2 * matched
        if self.kind == EdgeKind.FOLD:
            loser = int(self._street.player[self.node])
            chances = {1 - loser: 1.0}
        else:
            win, tie, lose = win_tie_lose(self._board, *self.hands)
            chances = {0: win, 1: lose, -1: tie}
        total = np.zeros(2)
        for winner, chance in chances.items():
            shares = [0.5, 0.5] if winner < 0 else [1 - winner, winner]
            ends = [
                stack - matched + share * pot for stack, share in zip(stacks, shares, strict=True)
            ]
            total += chance * money_of(spot, ends)
        up = [money_of(spot, [stacks[0], stacks[1] + spot.pot])[0]]
        up.append(money_of(spot, [stacks[0] + spot.pot, stacks[1]])[1])
        chips = sum(stacks) + spot.pot + sum(spot.others)
        pool = sum(spot.payouts) + sum(spot.bounty)
        return list((chips / pool * (total - up) - spot.pot / 2).tolist())

    def seen_by(self, seat: int) -> str:
        hand = format_cards(combo_cards(self.hands[seat])) if len(self.hands) > seat else ""
        return f"{hand} {self.line}"

    def public(self) -> str:
        return self.line

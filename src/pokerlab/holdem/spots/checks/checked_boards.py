"""The strategies of a solution, read board by board in float64 and checked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from pokerlab.cards.codes import N_CARDS, N_COMBOS, combo_cards, format_cards
from pokerlab.cards.isomorphism.suits import CardClass, permute_combos
from pokerlab.engine.tables.boards import Boards
from pokerlab.holdem.spots.answer.solution import SUM_TOLERANCE, PostflopSolution
from pokerlab.runtime.arrays import Bools, Floats, Indices


class CheckedStrategy:
    """The strategy of a player on a street of a solution; `ValueError` where it is none."""

    def __init__(self, solution: PostflopSolution, level: int, player: int) -> None:
        self.level = level
        self.player = player
        self.tree = solution.spot.tree
        self.boards = solution.boards
        self.stored = solution.strategies[level][player]
        self.layout = solution.layout.at(level, player)
        self.nodes = np.flatnonzero(self.tree.streets[level].player == player)
        self.tables = self.boards.tables[level].hands[player]

    def read(self, numbers: Sequence[int], free: Bools) -> Floats:
        """Probabilities (boards, actions of all nodes, hands), zero for impossible hands."""
        hands = free.shape[1]
        strategy = np.zeros((len(numbers), self.layout.slots, hands))
        for place, number in enumerate(numbers):
            first, last = self.tables.first[number : number + 2].tolist()
            order = self.tables.order[first:last]
            known = order < hands
            by_hand = self.layout.by_hand(self.layout.board(self.stored, number), number)
            strategy[place][:, order[known]] = by_hand[:, known]
        slot = 0
        own_actions = self.layout.own_actions.tolist()
        for node, actions in zip(self.nodes.tolist(), own_actions, strict=True):
            rows = strategy[:, slot : slot + actions]
            slot += actions
            totals = rows.sum(axis=1)
            bad = ~(np.abs(totals - 1) <= SUM_TOLERANCE) & free  # NaN too
            if bad.any() or rows.min() < 0:
                bad |= rows.min(axis=1) < 0
                place, hand = np.argwhere(bad)[0].tolist()
                raise self._error(numbers[place], node, hand, float(totals[place, hand]))
            rows /= np.where(free, totals, 1)[:, None]
        return strategy

    def groups(self, number: int, hands: int) -> Indices:
        """The group of each hand on a board; −1 for impossible ones."""
        first, last = self.tables.first[number : number + 2].tolist()
        order = self.tables.order[first:last]
        known = order < hands
        columns = self.layout.by_hand(np.arange(self.layout.rows[number]), number)
        found = np.full(hands, -1, np.intp)
        found[order[known]] = columns[known]
        return found

    def _error(self, number: int, node: int, hand: int, total: float) -> ValueError:
        combo = format_cards(combo_cards(int(self.boards.combos[self.player][hand])))
        board = format_cards(self.boards.cards[self.level][number].tolist())
        line = self.tree.line(self.level, node)
        return ValueError(
            f"the strategy of {combo} on {board} at line {line!r} is not a distribution: "
            f"numbers from 0 to 1 with the sum 1 are expected, their sum is {total:.4g}"
        )


class CheckedSuits:
    """How values on a board become those on the boards that it stands for.

    That they stand for them is not taken on trust: the cards of the classes must be all cards
    that may come, each once (or some of them, where a solve leaves cards out), and their suit
    permutations must change neither the cards that lay before, nor their streets, nor which hands a
    range has.
    """

    def __init__(self, boards: Boards) -> None:
        self.boards = boards
        self.known: dict[tuple[int, ...], tuple[Indices, Indices]] = {}
        for level in range(len(boards.classes) - 1):
            first = boards.tables[level].child_first
            for number, cards in enumerate(boards.cards[level].tolist()):
                classes = boards.classes[level + 1][first[number] : first[number + 1]]
                found = [each for each in classes if each is not None]
                self._check(cards, found, some=boards.leaves_out(level))

    def of(self, level: int, number: int) -> Iterator[tuple[Indices, Indices]]:
        """For each card that a board stands for, the hand on the board for each player's hand."""
        found = self.boards.classes[level][number]
        if found is not None:
            for suits in found.permutations.tolist():
                yield self._sources(tuple(suits))

    def _sources(self, suits: tuple[int, ...]) -> tuple[Indices, Indices]:
        if suits not in self.known:
            image = permute_combos(suits)
            sources = []
            for combos in self.boards.combos:
                number = np.full(N_COMBOS, -1, np.intp)
                number[image[combos]] = np.arange(len(combos))
                source = number[combos]
                if source.min() < 0:
                    raise ValueError(f"suits are merged wrongly: {list(suits)} changes a range")
                sources.append(source)
            self.known[suits] = sources[0], sources[1]
        return self.known[suits]

    def _check(self, cards: list[int], classes: list[CardClass], *, some: bool) -> None:
        """Make sure that classes give each card that may come once, or `some`, by symmetries."""
        known = self.boards.cards[0].shape[1]
        come = sorted(member for found in classes for member in found.members)
        may_come = [
            card for card in range(N_CARDS) if card not in cards and (not some or card in come)
        ]
        good = come == may_come
        for found in classes:
            for member, suits in zip(found.members, found.permutations.tolist(), strict=True):
                moved = [card & ~3 | suits[card & 3] for card in [*cards, found.card]]
                good &= {*moved[:known]} == {*cards[:known]}
                good &= moved[known:] == [*cards[known:], member]
        if not good:
            raise ValueError(f"suits are merged wrongly: the cards after {format_cards(cards)}")

"""How small the linear program of Rhode Island hold'em becomes, and whether anything is lost.

A *view* says what a player tells apart: before the flop a function of their card, then of card and
flop, then of card, flop and turn. Four of them:

- every card;
- cards up to suits (`merge_suits`);
- cards up to suits that still count, which is all that renaming can merge (see `boards`);
- by counts: on the turn how many of the other cards the hand beats, loses to and ties; on the flop
  the counts of these over all turns; before it those of the flops. This view gives the numbers of
  A. Gilpin and T. Sandholm, "Lossless abstraction of imperfect information games" (2007), one by
  one. A player who looks at the counts does not know which flop lies there.

`MergedGame` is the game between two players with such a view.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import cached_property
from itertools import permutations
from typing import NamedTuple, TypeAlias

import numpy as np
from scipy import sparse

from pokerlab.games.showdown import SHOWDOWN_RULES
from pokerlab.runtime.arrays import Floats, Int64s
from pokerlab.studies.rhode_island.boards import (
    Plan,
    RhodeIslandBoards,
    RoundBetting,
    StreetGame,
    rhode_island,
    street_betting,
)

Counts: TypeAlias = tuple[int, int, int]
View: TypeAlias = tuple[Callable[..., Hashable], Callable[..., Hashable], Callable[..., Hashable]]
"""What a player tells apart, by street: of a card, of card and flop, of card, flop and turn."""

_strength = SHOWDOWN_RULES["three-card"].strength


class ProgramSize(NamedTuple):
    """The linear program of one player: columns (variables), rows, and coefficients."""

    columns: int
    rows: int
    nonzeros: int


def count_program(
    betting: RoundBetting,
    classes: tuple[int, ...],
    pairs: tuple[int, ...],
    decided: int,
    safe: int = 0,
) -> ProgramSize:
    """Count the program of a player by what the players tell apart.

    Parameters
    ----------
    betting
        Of a street.
    classes
        By street: how many hands a player tells apart.
    pairs
        By street: how many pairs of them both players can hold at once.
    decided
        How many pairs of the last street do not come out even on average.
    safe
        How many classes of the last street never lose: their moves that are obvious are left out.
        Such a hand does not fold, raises rather than calls, and bets when it was checked to.

    Examples
    --------
    >>> betting = street_betting(rhode_island())
    >>> count_program(betting, (52, 52 * 51, 52 * 51 * 50), (0, 0, 0), 0).columns
    91224226
    """
    lines = [len(stakes) for stakes in betting.stakes]
    sets, slots = [len(each) for each in betting.sets], betting.slots
    seen = sum(count * line for count, line in zip(classes, lines, strict=True))
    folds = len(betting.ends) - len(betting.calls)
    payoffs = sum(folds * count * line for count, line in zip(pairs, lines, strict=True))
    payoffs += len(betting.calls) * decided * lines[-1]
    # Columns: the slots of one player, the values of the sets of the other, and the two roots.
    columns, rows = (seen * (slots[a] + sets[1 - a]) + 2 for a in (1, 0))
    constraints = sum(seen * (slots[player] + sets[player]) for player in (0, 1)) + 2
    obvious = [_safe_moves(betting, player) * safe * lines[-1] for player in (1, 0)]
    return ProgramSize(columns - obvious[0], rows - obvious[1], payoffs + constraints)


def _safe_moves(betting: RoundBetting, player: int) -> int:
    """The moves of a player on the last street that are worse than another with a hand that wins.

    A fold loses what a call wins; an action that ends the betting wins no more than a raise, since
    who folds to the raise has paid the same.
    """
    folds = {end.slots[player] for end in betting.ends if end.folds == player}
    calls = {
        slot
        for _, slots in betting.sets[player]
        for slot in slots[:-1]  # the last action is a raise, where there is one
        if slot not in folds and _ends_betting(betting, player, slot)
    }
    return len(folds | calls)


def _ends_betting(betting: RoundBetting, player: int, slot: int) -> bool:
    """Whether nobody acts after a slot: it belongs to one end, at which it was the last move."""
    here = [end for end in betting.ends if end.slots[player] == slot]
    later = any(before == slot for before, _ in betting.sets[player])
    other = {end.slots[1 - player] for end in here}
    return len(here) == 1 and not later and len(other) == 1 and here[0].folds != 1 - player


@dataclass(frozen=True, eq=False)
class Deck:
    """The cards of Rhode Island hold'em as numbers, 4 × rank + suit, and what beats what."""

    ranks: int
    suits: int

    @cached_property
    def cards(self) -> list[int]:
        """All of them."""
        return [
            4 * (13 - self.ranks + rank) + suit
            for rank in range(self.ranks)
            for suit in range(self.suits)
        ]

    @cached_property
    def flops(self) -> list[int]:
        """One card of each rank: the others differ by the name of the suit alone."""
        return [card for card in self.cards if card % 4 == 0]

    @cached_property
    def counts(self) -> dict[tuple[int, int, int], Counts]:
        """Of card, flop and turn: how many other cards it beats, loses to and ties."""
        found = {}
        for flop in self.flops:
            for turn in self.cards:
                if turn == flop:
                    continue
                cards = [card for card in self.cards if card not in (flop, turn)]
                values = np.array([_strength((card,), (flop, turn)) for card in cards])
                for card, value in zip(cards, values, strict=True):
                    wins, ties = int((values < value).sum()), int((values == value).sum()) - 1
                    found[card, flop, turn] = wins, len(cards) - 1 - wins - ties, ties
        return found

    def by_suits(self) -> View:
        """Cards up to suits that still count: nothing is lost."""
        return (
            lambda card: card >> 2,
            lambda card, flop: (card >> 2, flop >> 2, (card ^ flop) & 3 == 0),
            lambda card, flop, turn: (
                (card >> 2, flop >> 2, (card ^ flop) & 3 == 0),
                (turn >> 2, (turn ^ flop) & 3 == 0),
            ),
        )

    def by_counts(self) -> View:
        """Cards by counts of wins, losses and ties, and the counts of those."""
        turns, flops = self.counts, {}
        found: dict[tuple[int, int], Counter[Counts]] = {}
        for (card, flop, _), counts in turns.items():
            found.setdefault((card, flop), Counter())[counts] += 1
        names: dict[Hashable, int] = {}
        for key, each in found.items():
            flops[key] = names.setdefault(frozenset(each.items()), len(names))
        firsts = {
            rank: tuple(
                sorted(
                    Counter(
                        flop_class for (card, _), flop_class in flops.items() if card >> 2 == rank
                    ).items()
                )
            )
            for rank in {card >> 2 for card in self.cards}
        }
        return (
            lambda card: firsts[card >> 2],
            lambda card, flop: flops[card, flop],
            lambda card, flop, turn: (flops[card, flop], turns[card, flop, turn]),
        )


@dataclass(frozen=True, eq=False)
class MergedGame(StreetGame):
    """The game between two players who tell cards apart by a view; there is one board a street.

    Attributes
    ----------
    betting
        Of a street.
    before
        By street: the class of the street before of each class.
    weights
        By street: how likely each pair of classes is.
    showdowns
        The weights of wins less those of losses of player 0, by pair of classes.
    names
        By street: the number of each class.
    """

    betting: RoundBetting
    before: list[Int64s]
    weights: list[sparse.csr_array]
    showdowns: sparse.csr_array
    names: list[dict[Hashable, int]]

    @classmethod
    def of(cls, deck: Deck, view: View, raises: int = 3) -> MergedGame:
        """Deal all cards.

        Examples
        --------
        >>> deck = Deck(3, 4)
        >>> [MergedGame.of(deck, view, 1).classes for view in (deck.by_suits(), deck.by_counts())]
        [(3, 15, 69), (3, 11, 39)]
        """
        names: list[dict[Hashable, int]] = [{}, {}, {}]
        parents: list[dict[int, int]] = [{}, {}, {}]
        pairs: list[Counter[tuple[int, int]]] = [Counter(), Counter(), Counter()]
        won: Counter[tuple[int, int]] = Counter()

        def number(street: int, label: Hashable, before: int) -> int:
            found = names[street].setdefault(label, len(names[street]))
            parents[street][found] = before
            return found

        for two in permutations(deck.cards, 2):
            first = [number(0, view[0](card), 0) for card in two]
            pairs[0][first[0], first[1]] += 1
        for flop in deck.flops:
            left = [card for card in deck.cards if card != flop]
            second = {
                card: number(1, view[1](card, flop), names[0][view[0](card)]) for card in left
            }
            for one, other in permutations(left, 2):
                pairs[1][second[one], second[other]] += 1
            for turn in left:
                cards = [card for card in left if card != turn]
                third = [number(2, view[2](card, flop, turn), second[card]) for card in cards]
                values = [_strength((card,), (flop, turn)) for card in cards]
                for one, other in permutations(range(len(cards)), 2):
                    pairs[2][third[one], third[other]] += 1
                    won[third[one], third[other]] += (values[one] > values[other]) - (
                        values[one] < values[other]
                    )
        counts = [len(each) for each in names]
        betting = street_betting(rhode_island(deck.ranks, deck.suits, raises))
        before = [np.array([each[place] for place in range(len(each))]) for each in parents]
        weights = [_matrix(each, count) for each, count in zip(pairs, counts, strict=True)]
        deals = weights[2].sum()
        showdowns = _matrix(won, counts[2]) / deals
        showdowns.eliminate_zeros()
        return cls(betting, before, [each / each.sum() for each in weights], showdowns, names)

    @property
    def classes(self) -> tuple[int, ...]:
        """How many hands a player tells apart, by street."""
        return tuple(len(each) for each in self.names)

    @property
    def safe(self) -> int:
        """How many classes of the last street never lose."""
        total = np.abs(self.showdowns).sum(axis=1) - self.showdowns.sum(axis=1)
        return int((total < 1e-15).sum())

    def hands(self, street: int) -> int:
        """How many a player can hold."""
        return len(self.names[street])

    def shape(self, street: int) -> tuple[int, int]:
        """Boards and lines."""
        return 1, len(self.betting.stakes[street])

    def up(self, street: int, values: Floats) -> Floats:
        """Sum what a street is worth to the hands before it."""
        lines, calls = self.shape(street - 1)[1], len(self.betting.calls)
        summed = np.zeros((self.hands(street - 1), lines * calls))
        np.add.at(summed, self.before[street], values[0].T)
        return summed.T.reshape(1, lines, calls, -1)

    def down(self, street: int, player: int, plan: Floats) -> Floats:
        """The plan of a player at the beginning of a street."""
        slots = [self.betting.ends[call].slots[player] for call in self.betting.calls]
        before = plan[:, :, slots].reshape(1, -1, plan.shape[3])
        return np.asarray(before[:, :, self.before[street]])

    def against(self, street: int, player: int, other: Floats) -> Floats:
        """What the ends of a street are worth to the slots of a player."""
        values = np.zeros((*other.shape[:2], self.betting.slots[player], other.shape[3]))
        for end, stakes in self.betting.signed_stakes(street):
            matrix = self.weights[street] if end.folds >= 0 else self.showdowns
            mine, theirs = end.slots[player], end.slots[1 - player]
            turned = matrix if player == 0 else -matrix.T
            values[0, :, mine] += stakes[:, None] * (turned @ other[0, :, theirs].T).T
        return values

    def spread(self, boards: RhodeIslandBoards, view: View, plan: Plan) -> Plan:
        """The plan of a player in the game itself: the same for all hands of a class.

        Hands that cannot be held on a board play as the first class.
        """
        low, ranks = 13 - boards.ranks, boards.ranks
        first = [self.names[0][view[0](4 * (low + rank))] for rank in range(ranks)]
        second = np.zeros((ranks, 2 * ranks), np.int64)
        third = np.zeros((boards.shape(2)[0], 2 * ranks), np.int64)
        row = 0
        for flop in range(ranks):
            public = 4 * (low + flop)
            for turn, suited in boards.turns(flop):
                last = 4 * (low + turn) + (0 if suited else 1)
                for hand in range(2 * ranks):
                    card = 4 * (low + hand // 2) + (0 if hand % 2 else 2 if boards.suits > 2 else 1)
                    if card != public:
                        second[flop, hand] = self.names[1][view[1](card, public)]
                        if card != last:
                            third[row, hand] = self.names[2][view[2](card, public, last)]
                row += 1
        return [
            np.moveaxis(each[0][:, :, places], 2, 0)
            for each, places in zip(plan, (np.array([first]), second, third), strict=True)
        ]


def _matrix(counts: Counter[tuple[int, int]], size: int) -> sparse.csr_array:
    rows, columns = np.array(list(counts)).T
    data = np.array(list(counts.values()), np.float64)
    return sparse.coo_array((data, (rows, columns)), shape=(size, size)).tocsr()

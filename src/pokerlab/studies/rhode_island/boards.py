"""Rhode Island hold'em as small arrays: boards × lines of betting × hands, losslessly.

Suits have names only. Before the flop a card is its rank. The flop gives one suit a meaning: a
private card is of its suit or not, and the other suits can be exchanged rank by rank, because they
can make no flush any more. The same holds for the turn card. So a hand is a rank and whether it
has the flop's suit (26 hands for 13 ranks), a board is the rank of the flop, the rank of the turn
and whether the turn has the flop's suit (13 flops, 325 turns). Nothing is lost: the renamings keep
all results and probabilities, and players see at every street what they saw before.

All streets have the same betting. A player's *slots* are the actions of their decisions of a
street, for each of the hands, lines and boards; the *plan* of a player is the probability of each.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple, TypeAlias, TypeVar

import numpy as np

from pokerlab.cards.codes import RANKS, SUITS
from pokerlab.games import TERMINAL, Betting, BettingGame, load_betting_game
from pokerlab.games.showdown import SHOWDOWN_RULES
from pokerlab.runtime.arrays import Floats, Int64s

STREETS = 3
Result = TypeVar("Result")
Plan: TypeAlias = list[Floats]
"""By street: boards × lines × slots × hands."""


class End(NamedTuple):
    """How the betting of a street can end: the last slot of each player, and who folds (or -1)."""

    slots: tuple[int, int]
    folds: int


@dataclass(frozen=True, eq=False)
class RoundBetting:
    """The betting of one street, the same on all.

    Attributes
    ----------
    sets
        The decisions of each player: the player's slot before (-1: none on this street) and the
        slots of its actions.
    slots
        How many each player has.
    ends
        All ends; those without a fold lead to the next street or to the showdown, in this order.
    stakes
        By street: lines × ends, what the loser loses.
    """

    sets: tuple[list[tuple[int, tuple[int, ...]]], list[tuple[int, tuple[int, ...]]]]
    slots: tuple[int, int]
    ends: list[End]
    stakes: list[Floats]

    @cached_property
    def calls(self) -> list[int]:
        """The ends without a fold."""
        return [number for number, end in enumerate(self.ends) if end.folds < 0]

    def signed_stakes(self, street: int) -> list[tuple[End, Floats]]:
        """The ends at which chips change hands, with what player 0 wins by line.

        At a showdown it is what the winner wins.
        """
        return [
            (end, stakes * (-1.0 if end.folds == 0 else 1.0))
            for end, stakes in zip(self.ends, self.stakes[street].T, strict=True)
            if end.folds >= 0 or street == STREETS - 1
        ]

    def constraints(self, player: int) -> Floats:
        """Sets × slots: 1 for the actions of a set, -1 for the slot before it."""
        sets = self.sets[player]
        matrix = np.zeros((len(sets), self.slots[player]))
        for number, (before, slots) in enumerate(sets):
            matrix[number, list(slots)] = 1.0
            if before >= 0:
                matrix[number, before] = -1.0
        return matrix

    def rows(self, player: int) -> Int64s:
        """Sets × 3: the slot before, the first slot and how many there are, as kernels read it."""
        return np.array([(before, slots[0], len(slots)) for before, slots in self.sets[player]])

    def roots(self, player: int) -> Floats:
        """By set: 1 where the player has not acted on this street, else 0."""
        return np.array([float(before < 0) for before, _ in self.sets[player]])


def rhode_island(ranks: int = 13, suits: int = 4, raises: int = 3) -> BettingGame:
    """Rhode Island hold'em with the highest ranks only, the first suits, and maybe fewer raises."""
    game = load_betting_game("rhodeisland")
    streets = tuple(replace(street, max_raises=raises) for street in game.streets)
    return replace(game, ranks=RANKS[-ranks:], suits=SUITS[:suits], streets=streets)


def street_betting(game: BettingGame) -> RoundBetting:
    """The betting of a street, by the rules.

    Examples
    --------
    >>> betting = street_betting(rhode_island())
    >>> betting.slots, [len(sets) for sets in betting.sets], len(betting.ends), len(betting.calls)
    ((10, 10), [4, 4], 13, 7)
    """
    sets: tuple[list[tuple[int, tuple[int, ...]]], ...] = ([], [])
    counts = [0, 0]
    ends: list[End] = []

    def visit(node: Betting, last: tuple[int, int], folds: int) -> None:
        if node.player == TERMINAL or node.street > 0:
            ends.append(End(last, folds))
            return
        player, actions = node.player, list(node.actions())
        first = counts[player]
        counts[player] += len(actions)
        sets[player].append((last[player], tuple(range(first, counts[player]))))
        for number, action in enumerate(actions):
            now = (first + number, last[1]) if player == 0 else (last[0], first + number)
            visit(node.after(action), now, player if action == "f" else -1)

    visit(game.first_betting, (-1, -1), -1)
    stakes: list[Floats] = []
    lines = [game.first_betting]
    for street in range(STREETS):
        found = [_ends_of(line, street) for line in lines]
        stakes.append(np.array([[float(min(end.spent)) for end in each] for each in found]))
        lines = [end for each in found for end in each if not any(end.folded)]
    return RoundBetting((sets[0], sets[1]), (counts[0], counts[1]), ends, stakes)


def _ends_of(node: Betting, street: int) -> list[Betting]:
    if node.player == TERMINAL or node.street > street:
        return [node]
    return [end for action in node.actions() for end in _ends_of(node.after(action), street)]


class StreetGame(ABC):
    """A game of three streets with the same betting, as arrays: plans, values, best responses.

    Attributes
    ----------
    betting
        Of a street.
    """

    betting: RoundBetting

    @abstractmethod
    def hands(self, street: int) -> int:
        """How many a player can hold."""

    @abstractmethod
    def shape(self, street: int) -> tuple[int, int]:
        """Boards and lines."""

    @property
    def slots(self) -> int:
        """Actions that have a probability, of both players in the whole game."""
        rows = (math.prod(self.shape(street)) * self.hands(street) for street in range(STREETS))
        return sum(rows) * sum(self.betting.slots)

    @abstractmethod
    def up(self, street: int, values: Floats) -> Floats:
        """Sum what lines and hands of a street are worth to the hands before it.

        From boards × lines × hands to boards × lines × calls × hands of the street before.
        """

    @abstractmethod
    def down(self, street: int, player: int, plan: Floats) -> Floats:
        """The plan of a player at the beginning of a street: boards × lines × hands.

        `plan` is that of the street before.
        """

    @abstractmethod
    def against(self, street: int, player: int, other: Floats) -> Floats:
        """What the ends of a street are worth to the slots of a player, by the other's plan."""

    def walk(
        self,
        player: int,
        other: Plan,
        choose: Callable[[int, int, Floats, Sequence[int]], Floats],
    ) -> float:
        """The value of the game to a player, who chooses set by set, the last sets first.

        `choose` gets the street, the set, the values of its actions (boards × lines × actions ×
        hands) and their slots, and says what the set is worth.
        """
        following: Floats | None = None
        total: Floats = np.zeros(0)
        for street in reversed(range(STREETS)):
            values = self.against(street, player, other[street])
            if following is not None:
                for place, call in enumerate(self.betting.calls):
                    values[:, :, self.betting.ends[call].slots[player]] += following[:, :, place]
            total = np.zeros((*values.shape[:2], values.shape[3]))
            sets = self.betting.sets[player]
            for number in reversed(range(len(sets))):
                before, slots = sets[number]
                worth = choose(street, number, values[:, :, list(slots)], slots)
                if before < 0:
                    total += worth
                else:
                    values[:, :, before] += worth
            if street:
                following = self.up(street, total)
        return float(total.sum())

    def best_response(self, player: int, other: Plan) -> float:
        """The most that a player can win against the other's plan, exactly."""
        return self.walk(player, other, lambda street, number, values, slots: values.max(axis=2))

    def bounds(self, mine: Plan, theirs: Plan) -> tuple[float, float]:
        """What player 0 wins at least by their plan, and at most against the other's: exact."""
        return -self.best_response(1, mine), self.best_response(0, theirs)

    def plan_of(self, player: int, choices: Plan) -> Plan:
        """The plan of a player who chooses with these probabilities, slot by slot."""
        plan: Plan = []
        for street in range(STREETS):
            choice = choices[street]
            if street == 0:
                start = np.ones((*choice.shape[:2], choice.shape[3]))
            else:
                start = self.down(street, player, plan[-1])
            here = np.empty_like(choice)
            for before, slots in self.betting.sets[player]:
                base = start if before < 0 else here[:, :, before]
                here[:, :, list(slots)] = base[:, :, None] * choice[:, :, list(slots)]
            plan.append(here)
        return plan

    def choices_of(self, player: int, plan: Plan) -> Plan:
        """The probabilities that a plan plays with; uniform where it never comes."""
        choices: Plan = []
        for here in plan:
            choice = np.empty_like(here)
            for _, slots in self.betting.sets[player]:
                part = np.maximum(here[:, :, list(slots)], 0.0)
                total = part.sum(axis=2, keepdims=True)
                even = np.full_like(part, 1.0 / len(slots))
                choice[:, :, list(slots)] = np.divide(part, total, out=even, where=total > 0)
            choices.append(choice)
        return choices

    def uniform(self, player: int) -> Plan:
        """The plan of a player who chooses evenly."""
        count = self.betting.slots[player]
        shapes = [(*self.shape(street), count, self.hands(street)) for street in range(STREETS)]
        return self.plan_of(player, self.choices_of(player, [np.ones(shape) for shape in shapes]))


@dataclass(frozen=True, eq=False)
class RhodeIslandBoards(StreetGame):
    """The game as arrays (see the module).

    Attributes
    ----------
    ranks, suits
        Of the deck.
    betting
        Of a street.
    weights
        By street: boards × hands × hands, how likely the hands of both players are there; what a
        fold is worth.
    showdowns
        Boards × hands × hands: the weight, times 1, 0 or -1 as player 0 wins, ties or loses.
    threads
        How many work on the boards.
    """

    ranks: int
    suits: int
    betting: RoundBetting
    weights: list[Floats]
    showdowns: Floats
    threads: int = 1

    @classmethod
    def of(
        cls, ranks: int = 13, suits: int = 4, raises: int = 3, *, threads: int = 1
    ) -> RhodeIslandBoards:
        """The game with some cards and raises.

        Examples
        --------
        >>> boards = RhodeIslandBoards.of(3, 4, 1)
        >>> [weights.shape for weights in boards.weights]
        [(1, 3, 3), (3, 6, 6), (15, 6, 6)]
        >>> [round(float(weights.sum()), 12) for weights in boards.weights]
        [1.0, 1.0, 1.0]
        """
        if not 2 <= suits <= 4 or not 2 <= ranks <= 13:
            raise ValueError(f"{ranks} ranks of {suits} suits: from 2 to 13 ranks, 2 to 4 suits")
        cards = ranks * suits
        first = _pairs(np.full((1, ranks), float(suits))) / (cards * (cards - 1))
        flops = np.tile([suits - 1.0, 1.0], (ranks, ranks, 1))
        flops[np.arange(ranks), np.arange(ranks), 1] = 0.0
        second = suits * _pairs(flops.reshape(ranks, -1)) / np.prod(cards - np.arange(3.0))
        turns, multiples, signs = [], [], []
        for flop in range(ranks):
            for turn, suited in _turns(ranks, flop):
                left = flops[flop].copy()
                left[turn, int(suited)] -= 1.0
                turns.append(left.ravel())
                multiples.append(1.0 if suited else suits - 1.0)
                signs.append(_signs(ranks, flop, turn, suited=suited))
        third = _pairs(np.array(turns)) * np.array(multiples)[:, None, None]
        third *= suits / np.prod(cards - np.arange(4.0))
        betting = street_betting(rhode_island(ranks, suits, raises))
        showdowns = third * np.array(signs)
        return cls(ranks, suits, betting, [first, second, third], showdowns, threads)

    def hands(self, street: int) -> int:
        """How many a player can hold."""
        return int(self.weights[street].shape[1])

    def shape(self, street: int) -> tuple[int, int]:
        """Boards and lines."""
        return len(self.weights[street]), len(self.betting.stakes[street])

    def turns(self, flop: int) -> list[tuple[int, bool]]:
        """The turn cards on a flop, in the order of boards: ranks, and whether of its suit."""
        return _turns(self.ranks, flop)

    def ends(self, street: int) -> list[tuple[End, Floats, Floats]]:
        """The ends at which chips change hands: with signed stakes by line, and their matrix."""
        return [
            (end, stakes, self.weights[street] if end.folds >= 0 else self.showdowns)
            for end, stakes in self.betting.signed_stakes(street)
        ]

    def up(self, street: int, values: Floats) -> Floats:
        """Sum what a street is worth to the hands before it."""
        lines = self.shape(street - 1)[1]
        boards, calls, hands = (
            self.shape(street - 1)[0],
            len(self.betting.calls),
            self.hands(street),
        )
        values = values.reshape(boards, -1, lines, calls, hands).sum(axis=1)
        if street == 1:  # a rank is of the flop's suit or not
            values = values.reshape(boards, lines, calls, -1, 2).sum(axis=-1)
        return values

    def down(self, street: int, player: int, plan: Floats) -> Floats:
        """The plan of a player at the beginning of a street."""
        slots = [self.betting.ends[call].slots[player] for call in self.betting.calls]
        boards, lines = self.shape(street)
        before = plan[:, :, slots]
        before = before.reshape(len(before), lines, -1)
        if street == 1:
            before = np.repeat(before, 2, axis=-1)
        return np.repeat(before, boards // len(before), axis=0)

    def against(self, street: int, player: int, other: Floats) -> Floats:
        """What the ends of a street are worth to the slots of a player."""
        values = np.zeros((*other.shape[:2], self.betting.slots[player], other.shape[3]))
        ends = self.ends(street)

        def add(part: slice) -> None:
            for end, stakes, matrix in ends:
                mine, theirs = end.slots[player], end.slots[1 - player]
                # Rows of a matrix are hands of player 0.
                turned = matrix[part].transpose(0, 2, 1) if player == 0 else -matrix[part]
                values[part, :, mine] += stakes[:, None] * (other[part, :, theirs] @ turned)

        if self.threads == 1:
            add(slice(None))
        else:
            self.each(len(values), lambda board: add(slice(board, board + 1)))
        return values

    def each(self, count: int, work: Callable[[int], Result]) -> list[Result]:
        """Do something for each of some boards, by all threads."""
        if self.threads == 1:
            return [work(number) for number in range(count)]
        with ThreadPoolExecutor(self.threads) as pool:
            return list(pool.map(work, range(count)))


def _pairs(left: Floats) -> Floats:
    """Boards × hands × hands: the ways to deal two cards of these numbers of cards."""
    pairs: Floats = left[:, :, None] * (left[:, None, :] - np.eye(left.shape[1]))
    return pairs


def _turns(ranks: int, flop: int) -> list[tuple[int, bool]]:
    """The turn cards on a flop: their ranks, and whether they have its suit."""
    return [
        (turn, suited)
        for turn in range(ranks)
        for suited in (False, True)
        if (turn, suited) != (flop, True)
    ]


def _signs(ranks: int, flop: int, turn: int, *, suited: bool) -> Floats:
    """Hands × hands: 1 where the first wins, -1 where it loses."""
    strength = SHOWDOWN_RULES["three-card"].strength
    lowest = len(RANKS) - ranks
    board = (4 * (lowest + flop), 4 * (lowest + turn) + (0 if suited else 1))
    # Suit 0 is the flop's; suit 2 makes no flush with anything.
    hands: Int64s = np.array(
        [strength((4 * (lowest + rank) + suit,), board) for rank in range(ranks) for suit in (2, 0)]
    )
    return np.asarray(np.sign(hands[:, None] - hands[None, :]), np.float64)

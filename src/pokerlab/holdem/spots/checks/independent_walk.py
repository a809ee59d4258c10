"""A walk over the strategies of a solution without the engine's kernels.

No kernel of the engine takes part in the walk, no program, no float32: two hands that meet are an
entry of a matrix, and a walk over the betting tree is a product of matrices in float64. It shares
with the engine the betting tree, the evaluator that ranks hands, the reading of locks, and what the
numbers in the file stand for: which boards there are, which boards each of them stands for, and in
which order a board keeps its hands. What of that can be checked is checked (`checked_boards`).

How it works, for one player, the *hero*: going down a street, the opponent's reach is multiplied
by the opponent's strategy, a row for each root and for each action of the opponent. Going up,
every edge has for each of the hero's hands the sum, over the opposing hands that it can meet, of
reach times chips. Where cards decide, that is the row of reach times a matrix of signs (+1: our
hand wins); before the river it is the average of the matrices of the boards below.

Where a board stands for others, the reach of each of them is carried to it and the values back:
because of rounding, the strategies before it may differ between suits that can be exchanged.

Where a solve leaves cards out, the others have weights, hands count by the weight of the cards that
they leave, and the difference of the two matrices of signs, over all run-outs and over those that
are left, is added to what is behind a street (`pokerlab.engine.subsets.check_downs` says why).

Up to four *plans* go up together: what the hero's saved strategy is worth, what a best response
is worth, where there is rake what the best response of a hero is worth who wants nothing but harm
the opponent (without rake that is the best response itself), and where hands are in groups what a
response is worth that takes for each group the action which is best for its hands together.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from itertools import combinations
from math import comb
from typing import NamedTuple, TypeAlias

import numpy as np

from pokerlab.cards.codes import COMBO_CARDS, N_CARDS
from pokerlab.cards.evaluator.evaluation import evaluate_batch
from pokerlab.engine.locks import NodeLock, parse_locks
from pokerlab.engine.tables.runouts import find_run_out
from pokerlab.games.betting_trees.betting_tree import EdgeKind, StreetTree
from pokerlab.games.prizes.prize_money import PrizeMoney
from pokerlab.holdem.spots.answer.solution import PostflopSolution
from pokerlab.holdem.spots.checks.checked_boards import CheckedStrategy, CheckedSuits
from pokerlab.holdem.spots.question.spot import Spot
from pokerlab.runtime.arrays import Bools, Bytes, Floats, Halves, Indices, Int8s, Int16s
from pokerlab.runtime.machine import core_count

Pair: TypeAlias = tuple[float, float]

SAVED, BEST, HARM, BY_GROUP = range(4)

_BYTES_AT_ONCE = 2**27
_PRODUCT_OF_ONE_THREAD = 2**18


class _Rows(NamedTuple):
    """On a street, which row of the opponent's reach belongs where, for one hero."""

    rows: int
    node: Indices
    """(nodes): the row that arrives at a node."""
    edge: Indices
    """(edges): the row behind an action; the hero's own actions do not change it."""


def _number_rows(street: StreetTree, hero: int) -> _Rows:
    """Rows of the roots first, then one for each action of the opponent."""
    node = np.zeros(street.nodes, np.intp)
    edge = np.zeros(street.edges, np.intp)
    count = street.roots
    for number in range(street.nodes):
        parent = int(street.parent_edge[number])
        node[number] = edge[parent] if parent >= 0 else street.root[number]
        edges = street.edges_of(number)
        if street.player[number] == hero:
            edge[edges] = node[number]
        else:
            edge[edges] = np.arange(count, count + len(edges))
            count += len(edges)
    return _Rows(count, node, edge)


class _Stakes(NamedTuple):
    """What leaves are worth to a hero in chips, against an even split of the first pot.

    Each is an array (plans, edges): an edge is worth `unblocked` for each opposing hand that is
    possible, `sign` more where the hero's hand wins, less where it loses, and `tie` more where it
    does neither.
    """

    unblocked: Floats
    sign: Floats
    tie: Floats


def _count_chips(
    spot: Spot,
    street: StreetTree,
    hero: int,
    plans: Sequence[int],
    by_cards_alone: Sequence[int] = (EdgeKind.SHOWDOWN, EdgeKind.ALLIN),
) -> _Stakes:
    if spot.prizes is not None and not spot.prizes.linear:
        return _count_prizes(spot.prizes, street, hero, plans, by_cards_alone)
    rake = np.array([spot.rake_from(int(pot) / street.units) for pot in street.end_pot])
    put_in = spot.pot / 2 + street.matched / street.units
    unblocked, sign = np.zeros((2, len(plans), street.edges))
    by_cards = np.isin(street.kind, by_cards_alone)
    folds = street.kind == EdgeKind.FOLD
    hero_folds = folds & (street.player[street.node] == hero)
    for plan, kind in enumerate(plans):
        # To harm is to count what the opponent does not get: the rake is then a gain.
        paid, kept = (0 * rake, rake) if kind == HARM else (rake, 0 * rake)
        unblocked[plan, folds] = (put_in - paid)[folds]
        unblocked[plan, hero_folds] = (kept - put_in)[hero_folds]
        unblocked[plan, by_cards] = ((kept - paid) / 2)[by_cards]
        sign[plan, by_cards] = (put_in - rake / 2)[by_cards]
    return _Stakes(unblocked, sign, np.zeros_like(sign))


def _count_prizes(
    prizes: PrizeMoney,
    street: StreetTree,
    hero: int,
    plans: Sequence[int],
    by_cards_alone: Sequence[int],
) -> _Stakes:
    unblocked, sign, tie = np.zeros((3, len(plans), street.edges))
    for edge in range(street.edges):
        worths = prizes.worths(int(street.matched[edge]) / street.units)
        for plan, kind in enumerate(plans):
            win, even, loss = worths[hero]
            if kind == HARM:  # to harm is to count what the opponent does not get
                win, even, loss = (-each for each in reversed(worths[1 - hero]))
            if street.kind[edge] == EdgeKind.FOLD:
                folds = street.player[street.node[edge]] == hero
                unblocked[plan, edge] = loss if folds else win
            elif street.kind[edge] in by_cards_alone:
                unblocked[plan, edge], sign[plan, edge] = (win + loss) / 2, (win - loss) / 2
                tie[plan, edge] = even - (win + loss) / 2
    return _Stakes(unblocked, sign, tie)


class FirstStreet(NamedTuple):
    """The values of a hero's hands at the decisions of the first street, with opposing weights.

    Arrays are (nodes or edges of the street, hands); a value is the sum over the opposing hands of
    their reach times the chips won against an even split of the first pot.
    """

    nodes: Floats
    edges: Floats
    meets: Floats
    """For each node the sum of the reach of the opposing hands that a hand can meet."""


class Verifier:
    """Walks over a solution, board by board."""

    def __init__(self, solution: PostflopSolution) -> None:
        self.spot = solution.spot
        self.boards = solution.boards
        self.locks = parse_locks(solution.spot, solution.locks)
        self.streets = solution.spot.tree.streets
        self.plans = [SAVED, BEST]
        if not self.spot.constant_sum:
            self.plans.append(HARM)
        self.by_hand = slice(BEST, len(self.plans))
        if solution.groups is not None:
            self.plans.append(BY_GROUP)
        self.hands = len(self.boards.combos[0]), len(self.boards.combos[1])
        if solution.partial:
            raise ValueError(
                "the solution holds no strategies of the river: its hash, shapes and metadata are "
                "right, but values and exploitability follow from a whole one alone"
            )
        cards = [COMBO_CARDS[combos] for combos in self.boards.combos]
        shared = cards[0][:, None, :, None] == cards[1][None, :, None, :]
        self.apart = ~shared.any(axis=(2, 3))
        self.suits = CheckedSuits(self.boards)
        self._signs: dict[tuple[int, int], tuple[Int16s, Int16s]] = {}
        self.missed_parts = 3 if self.spot.pays_prizes else 1
        levels, players = range(len(self.streets)), range(2)
        self.readers = [
            [CheckedStrategy(solution, level, player) for player in players] for level in levels
        ]
        self.rows = [[_number_rows(street, hero) for hero in players] for street in self.streets]
        self.stakes = [
            [_count_chips(self.spot, street, hero, self.plans) for hero in players]
            for street in self.streets
        ]
        self.checked_down = [
            [
                _count_chips(self.spot, street, hero, self.plans, [EdgeKind.NEXT_STREET])
                for hero in players
            ]
            for street in self.streets
        ]

    @cached_property
    def root(self) -> tuple[list[Floats], Floats]:
        """For each hero the values by hand (plans, hands), and the signs of the hands."""
        weights = self.boards.weights
        values, signs, _ = self.walk(0, [0], [weights[1][None, None], weights[0][None, None]])
        return [rows[:, 0, 0] for rows in values], signs[0]

    @property
    def first_street(self) -> list[FirstStreet]:
        """For each hero the values of the saved strategies on the first street."""
        _ = self.root  # the walk leaves them behind
        return self._first_street

    def totals(self) -> dict[int, Pair]:
        """The EVs of both players, by plan."""
        first, second = (
            rows @ own / self.deals + self.spot.pot / 2
            for rows, own in zip(self.root[0], self.boards.weights, strict=True)
        )
        return {
            kind: (float(first[plan]), float(second[plan])) for plan, kind in enumerate(self.plans)
        }

    def equities(self) -> Pair:
        """Of both ranges."""
        lead = float(self.boards.weights[0] @ self.root[1] @ self.boards.weights[1])
        first = (1 + lead / self.deals) / 2
        return first, 1 - first

    @cached_property
    def deals(self) -> float:
        """The sum over all deals of the product of the weights."""
        return float(self.boards.weights[0] @ self.apart @ self.boards.weights[1])

    def walk(
        self, level: int, numbers: Sequence[int], arriving: Sequence[Floats]
    ) -> tuple[list[Floats], Floats, Floats]:
        """Walk over the betting of a street on some boards.

        Parameters
        ----------
        level, numbers
            The street and its boards; a board may come again, with another reach.
        arriving
            For each hero the opponent's reach (boards, roots, opposing hands).

        Returns
        -------
        For each hero the values (plans, boards, roots, hands), and the signs (boards, hands of
        oop, hands of ip) of the hands that meet: who wins a check-down, on average. Then likewise
        how often they tie, zeros where nothing is paid for it.
        """
        street = self.streets[level]
        cards = self.boards.cards[level][list(numbers)]
        free = [_possible(cards, combos) for combos in self.boards.combos]
        unblocked = (self.apart & free[0][:, :, None] & free[1][:, None, :]).astype(np.float64)
        strategies = [reader.read(numbers, free[reader.player]) for reader in self.readers[level]]
        reach = [
            self._descend(level, hero, arriving[hero] * free[1 - hero][:, None], strategies)
            for hero in range(2)
        ]
        shape = len(self.plans), len(numbers), street.edges
        edges = [np.zeros((*shape, hands)) for hands in self.hands]
        if level + 1 == len(self.streets):
            signs = unblocked * _compare(cards, self.boards.combos, free)
            ties = unblocked * (signs == 0) if self.spot.pays_prizes else np.zeros_like(signs)
        else:
            signs, ties = np.zeros_like(unblocked), np.zeros_like(unblocked)
            links = self.streets[level + 1].root_parent_edge

            def walk_below(place: int) -> None:
                below = [
                    rows[place, self.rows[level][hero].edge[links]]
                    for hero, rows in enumerate(reach)
                ]
                values, found, tied, met = self._average(level, numbers[place], below)
                signs[place], ties[place] = found, tied
                if self.boards.leaves_out(level):
                    both = self._all_signs(level, numbers[place])
                    signs[place], ties[place] = (unblocked[place] * each for each in both)
                    missed = [
                        (whole - part).astype(np.float16)
                        for whole, part in (
                            (signs[place], found),
                            (ties[place], tied),
                            (unblocked[place], unblocked[place] * met),
                        )
                    ]
                    self._correct(level, below, missed, values)
                for hero in range(2):
                    edges[hero][:, place, links] = values[hero]

            with ThreadPoolExecutor(core_count()) as threads:
                list(threads.map(walk_below, range(len(numbers))))
        for hero, matrices in enumerate(
            (
                (signs, unblocked, ties),
                (-signs.swapaxes(1, 2), unblocked.swapaxes(1, 2), ties.swapaxes(1, 2)),
            )
        ):
            self._settle(level, hero, reach[hero], matrices, edges[hero])
        roots = [
            self._ascend(level, hero, numbers, strategies[hero], edges[hero]) for hero in range(2)
        ]
        if level == 0:
            self._first_street = [
                self._keep_first_street(hero, roots[hero], edges[hero], reach[hero], unblocked[0])
                for hero in range(2)
            ]
        return roots, signs, ties

    def _keep_first_street(
        self, hero: int, roots: Floats, edges: Floats, reach: Floats, unblocked: Floats
    ) -> FirstStreet:
        street, rows = self.streets[0], self.rows[0][hero]
        own = edges[SAVED, 0]
        below = street.parent_edge >= 0
        nodes = np.where(below[:, None], own[street.parent_edge], roots[SAVED, 0, street.root])
        return FirstStreet(
            nodes, own.copy(), reach[0, rows.node] @ (unblocked.T if hero == 0 else unblocked)
        )

    def _average(
        self, level: int, number: int, arriving: Sequence[Floats]
    ) -> tuple[list[Floats], Floats, Floats, Floats]:
        """The mean value of a board over the cards that may come.

        Likewise signs and ties, and for how much of it two hands meet.
        """
        street = self.streets[level + 1]
        first, last = self.boards.tables[level].child_first[number : number + 2].tolist()
        chance = 1 / (N_CARDS - self.boards.cards[level].shape[1] - 4)
        weights, counts = self._weigh(level, number)
        values = [np.zeros((len(self.plans), street.roots, hands)) for hands in self.hands]
        signs, ties, met = np.zeros((3, *self.hands))
        most = max(self.hands)
        size = 8 * most * (4 * most + 5 * (street.edges + street.roots))
        step = max(_BYTES_AT_ONCE // size, 1)
        come = [
            (child, sources)
            for child in range(first, last)
            for sources in self.suits.of(level + 1, child)
        ]
        for begin in range(0, len(come), step):
            some = come[begin : begin + step]
            reach = [np.empty((len(some), *rows.shape)) for rows in arriving]
            for place, (_, sources) in enumerate(some):
                for hero in range(2):
                    arrives = arriving[hero] * counts[1 - hero]
                    reach[hero][place][:, sources[1 - hero]] = arrives
            found, below, tied = self.walk(level + 1, [child for child, _ in some], reach)
            for place, (child, sources) in enumerate(some):
                weight = chance * weights[child - first]
                for hero in range(2):
                    here = found[hero][:, place][..., sources[hero]]
                    values[hero] += weight * counts[hero] * here
                signs += weight * below[place][np.ix_(*sources)]
                ties += weight * tied[place][np.ix_(*sources)]
                shown = self.boards.cards[level + 1][[child]]
                free = [_possible(shown, combos)[0] for combos in self.boards.combos]
                met += weight * np.outer(*free)[np.ix_(*sources)]
        signs, ties, met = (each * counts[0][:, None] * counts[1] for each in (signs, ties, met))
        return values, signs, ties, met

    def _weigh(self, level: int, number: int) -> tuple[Floats, list[Floats]]:
        """How many cards each one that follows a board stands for, and how much hands count then.

        A hand counts more the more of the weight lies on cards that it holds itself.
        """
        first, last = self.boards.tables[level].child_first[number : number + 2].tolist()
        known = self.boards.board_weights[level + 1]
        if known is None:
            return np.ones(last - first), [np.ones(hands) for hands in self.hands]
        by_card = np.zeros(N_CARDS)
        for child in range(first, last):
            found = self.boards.classes[level + 1][child]
            if found is not None:
                by_card[list(found.members)] = known[child]
        cards = N_CARDS - self.boards.cards[level].shape[1]
        if abs(by_card.sum() - cards) > 1e-6:
            raise ValueError(f"the weights of run-outs sum to {by_card.sum():g}, not to {cards}")
        counts = [
            (cards - 2) / np.maximum(cards - by_card[COMBO_CARDS[combos]].sum(axis=1), 1)
            for combos in self.boards.combos
        ]
        return known[first:last], counts

    def _all_signs(self, level: int, number: int) -> tuple[Floats, Floats]:
        """Who wins a check-down over all run-outs of a board, on average; once for each board.

        And how often it is a tie, zeros where nothing is paid for it.
        """
        known = self.boards.cards[level][number]
        if (level, number) not in self._signs:
            self._signs[level, number] = self._sum_signs(known)
        run_outs = comb(N_CARDS - len(known) - 4, 5 - len(known))
        signs, ties = self._signs[level, number]
        return np.asarray(signs / run_outs), np.asarray(ties / run_outs)

    def _sum_signs(self, known: Bytes) -> tuple[Int16s, Int16s]:
        """Run-outs won less run-outs lost, and those tied: (hands of oop, hands of ip)."""
        deck = np.setdiff1d(np.arange(N_CARDS, dtype=np.uint8), known)
        coming = np.array(list(combinations(deck, 5 - len(known))), np.uint8)
        total, ties = np.zeros((2, *self.hands), np.int16)
        step = max(_BYTES_AT_ONCE // (8 * self.hands[0] * self.hands[1]), 1)
        for begin in range(0, len(coming), step):
            some = coming[begin : begin + step]
            complete = np.concatenate([np.tile(known, (len(some), 1)), some], axis=1)
            free = [_possible(complete, combos) for combos in self.boards.combos]
            both = free[0][:, :, None] & free[1][:, None, :]
            signs = both * _compare(complete, self.boards.combos, free)
            total += signs.sum(axis=0, dtype=np.int16)
            if self.spot.pays_prizes:
                ties += (both & (signs == 0)).sum(axis=0, dtype=np.int16)
        return total, ties

    def _correct(
        self, level: int, arriving: Sequence[Floats], missed: Sequence[Halves], values: list[Floats]
    ) -> None:
        """Add what a subset of run-outs misses of a check-down to the values of the next street.

        It is missed of signs, of ties and of meetings; only prize money pays for the last two.
        """
        edges = self.streets[level + 1].root_parent_edge
        signs, ties, met = missed
        for hero, matrices in enumerate(((signs, ties, met), (-signs.T, ties.T, met.T))):
            stakes = self.checked_down[level][hero]
            paid_for = stakes.sign, stakes.tie, stakes.unblocked
            for matrix, chips in list(zip(matrices, paid_for, strict=True))[: self.missed_parts]:
                sums = arriving[hero] @ matrix.astype(np.float64).T
                for plan in range(len(self.plans)):
                    values[hero][plan] += chips[plan, edges][:, None] * sums

    def _descend(
        self, level: int, hero: int, arriving: Floats, strategies: Sequence[Floats]
    ) -> Floats:
        """The opponent's reach (boards, rows, opposing hands)."""
        street, rows = self.streets[level], self.rows[level][hero]
        reach = np.zeros((len(arriving), rows.rows, arriving.shape[2]))
        reach[:, : street.roots] = arriving
        slot = 0
        for node in np.flatnonzero(street.player != hero).tolist():
            edges = street.edges_of(node)
            played = strategies[1 - hero][:, slot : slot + len(edges)]
            reach[:, rows.edge[edges]] = reach[:, rows.node[node], None] * played
            slot += len(edges)
        return reach

    def _settle(
        self, level: int, hero: int, reach: Floats, matrices: Sequence[Floats], edges: Floats
    ) -> None:
        """Add the values of all leaves to `edges`.

        Matrices are (boards, hands, opposing hands): signs, who meets whom, and ties.
        """
        rows, stakes = self.rows[level][hero], self.stakes[level][hero]
        paid_for = stakes.sign, stakes.unblocked, stakes.tie
        for matrix, chips in zip(matrices, paid_for, strict=True):
            paid = np.flatnonzero(chips.any(axis=0))
            needed, places = np.unique(rows.edge[paid], return_inverse=True)
            sums = _multiply(reach[:, needed], matrix.swapaxes(1, 2))
            for edge, place in zip(paid.tolist(), places.tolist(), strict=True):
                for plan, factor in enumerate(chips[:, edge].tolist()):
                    edges[plan][:, edge] += factor * sums[:, place]

    def _ascend(
        self, level: int, hero: int, numbers: Sequence[int], strategy: Floats, edges: Floats
    ) -> Floats:
        """The values of the roots (plans, boards, roots, hands); fills in `edges` on the way."""
        street = self.streets[level]
        _, boards, _, hands = edges.shape
        roots = np.zeros((len(self.plans), boards, street.roots, hands))
        groups = None
        if BY_GROUP in self.plans:
            reader = self.readers[level][hero]
            groups = [reader.groups(number, hands) for number in numbers]
        slot = strategy.shape[1]
        for node in reversed(range(street.nodes)):
            own = street.edges_of(node)
            choices = edges[:, :, own.start : own.stop]
            parent = int(street.parent_edge[node])
            value = edges[:, :, parent] if parent >= 0 else roots[:, :, street.root[node]]
            if street.player[node] != hero:
                choices.sum(axis=2, out=value)
                continue
            played = strategy[:, slot - len(own) : slot]
            slot -= len(own)
            np.einsum("bah,bah->bh", played, choices[SAVED], out=value[SAVED])
            choices[self.by_hand].max(axis=2, out=value[self.by_hand])
            if groups is not None:
                for place, members in enumerate(groups):
                    self._choose_by_group(hero, members, choices[-1, place], value[-1, place])
            here_locked = [each for each in self.locks if (each.level, each.node) == (level, node)]
            if here_locked:
                free = value[BEST:].copy()
                for lock in here_locked:
                    bound = self._bound(lock, hero, played, choices[BEST:], free)
                    here = self._boards_of(lock, numbers)
                    value[BEST:] = np.where(here[:, None], bound, value[BEST:])
        return roots

    def _choose_by_group(self, hero: int, groups: Indices, choices: Floats, value: Floats) -> None:
        """Write for each hand what the best action of its group is worth to it.

        Arrays are (actions, hands) and (hands); `groups` is −1 for impossible hands.
        """
        here = np.flatnonzero(groups >= 0)
        own, weights = groups[here], self.boards.weights[hero][here]
        together = np.array([np.bincount(own, weights * row[here]) for row in choices])
        last_of_equals = len(choices) - 1 - together[::-1].argmax(axis=0)
        value[:] = 0.0
        value[here] = choices[last_of_equals[own], here]

    def _bound(
        self, lock: NodeLock, hero: int, played: Floats, choices: Floats, free: Floats
    ) -> Floats:
        """What responses that keep to a lock are worth, given the value of free ones.

        Where the lock is all, they keep to the saved strategy; a soft lock takes its weight of them
        and leaves the rest free.
        """
        shares = lock.shares[:, self.boards.combos[hero]]
        if lock.weight == 1:
            kept = np.einsum("bah,pbah->pbh", played, choices)
        else:
            fixed = np.einsum("ah,pbah->pbh", shares, choices)
            kept = lock.weight * fixed + (1 - lock.weight) * free
        return np.where(shares[0] >= 0, kept, free)

    def _boards_of(self, lock: NodeLock, numbers: Sequence[int]) -> Bools:
        """On which boards a lock holds. One that names its cards goes before one that does not."""
        if not lock.cards:
            return np.ones(len(numbers), np.bool_)
        number = find_run_out(self.boards, lock.cards)[-1].number
        return np.asarray(np.asarray(numbers) == number)


def _multiply(rows: Floats, matrices: Floats) -> Floats:
    """Products board by board: (boards, rows, n) and (boards, n, m).

    BLAS shares out a product of more than 2¹⁸ multiplications among threads, and waits for the
    slowest after each. Some rows at a time are as fast and wait for nobody.
    """
    boards, inner, outer = matrices.shape
    step = _PRODUCT_OF_ONE_THREAD // max(inner * outer, 1)
    if step < 4:  # the products are so long that threads pay
        return np.asarray(np.ascontiguousarray(rows) @ matrices)
    sums = np.empty((boards, rows.shape[1], outer))
    for first in range(0, rows.shape[1], step):
        some = slice(first, first + step)
        np.matmul(rows[:, some], matrices, out=sums[:, some])
    return sums


def _possible(cards: Bytes, combos: Indices) -> Bools:
    """Which combos hold no card of a board: (boards, combos)."""
    held = COMBO_CARDS[combos]
    shared = (held[None, :, :, None] == cards[:, None, None, :]).any(axis=(2, 3))
    return np.asarray(~shared)


def _compare(cards: Bytes, combos: Sequence[Indices], free: Sequence[Bools]) -> Int8s:
    """Who wins on complete boards: (boards, combos of oop, combos of ip), 1 for oop, −1 for ip.

    What stands at combos that are not free means nothing.
    """
    classes = []
    for own, possible in zip(combos, free, strict=True):
        board, hand = np.nonzero(possible)
        complete = np.concatenate([cards[board], COMBO_CARDS[own[hand]]], axis=1)
        found = np.zeros(possible.shape, np.int16)
        found[possible] = evaluate_batch(complete)
        classes.append(found)
    return np.asarray(np.sign(classes[1][:, None, :] - classes[0][:, :, None]), np.int8)

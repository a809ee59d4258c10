"""The certificate of a solution, computed anew from its file.

Nothing of the engine takes part in the walk: none of its kernels, no program, no float32. Hands
are ranked by the evaluator, two hands that meet are an entry of a matrix, and a walk over the
betting tree is a product of matrices in float64. From the engine's side comes only what the
numbers in the file stand for: which boards there are and in which order a board keeps its hands.
What of it can be checked is checked (`checked_boards`).

How it works, for one player, the *hero*: going down a street, the opponent's reach is multiplied
by the opponent's strategy, a row for each root and for each action of the opponent. Going up,
every edge has for each of the hero's hands the sum, over the opposing hands that it can meet, of
reach times chips. Where cards decide, that is the row of reach times a matrix of signs (+1: our
hand wins); before the river it is the average of the matrices of the boards below.

Where a board stands for others, the reach of each of them is carried to it and the values back:
the strategies before need not be alike for suits that are alike, as rounding makes them.

Up to four *plans* go up together: what the hero's saved strategy is worth, what a best response
is worth, where there is rake what the best response of a hero is worth who wants nothing but harm
the opponent (without rake that is the best response itself), and where hands are in groups what a
response is worth that takes for each group the action which is best for its hands together.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from pokerlab.cards.codes import COMBO_CARDS, N_CARDS
from pokerlab.cards.evaluator.evaluation import evaluate_batch
from pokerlab.groups import HandGrouping
from pokerlab.postflop.answer.checked_boards import CheckedStrategy, CheckedSuits
from pokerlab.postflop.answer.node_view import Exploitability
from pokerlab.postflop.answer.solution import PostflopSolution, load_postflop
from pokerlab.postflop.question.locks import NodeLock, parse_locks
from pokerlab.postflop.question.spot import Spot
from pokerlab.postflop.tables.hand_groups import BoardGroups, group_hands
from pokerlab.postflop.tables.runouts import find_run_out
from pokerlab.postflop.tree.betting_tree import EdgeKind, StreetTree

__all__ = ["BEST", "SAVED", "Certificate", "Verifier", "verify"]

Floats: TypeAlias = npt.NDArray[np.float64]
Flags: TypeAlias = npt.NDArray[np.bool_]
Ints: TypeAlias = npt.NDArray[np.intp]
Pair: TypeAlias = tuple[float, float]

TOLERANCE = 1e-5
"""How far a claimed value may be from the computed one, as a part of the pot. Both are those of
the saved strategies in float64, so they agree to 1e-15, but for one thing: the engine computes one
of several boards that are alike, although rounding has made the strategies before them a little
different (1e-7 where it was seen)."""

LOCKED_TOLERANCE = 2.0**-12
"""The same where decisions are locked: the engine takes a locked probability as it was given, the
file has it in half precision, 2⁻¹¹ of itself away at most."""

GROUP_TOLERANCE = 2.0**-12
"""The same for responses by group: where two actions are equal for a group but not for its hands,
rounding decides what is passed up."""

SAVED, BEST, HARM, BY_GROUP = range(4)

_BYTES_AT_ONCE = 2**27
_PRODUCT_OF_ONE_THREAD = 2**18


@dataclass(frozen=True)
class Certificate:
    """What the strategies of a solution are worth, whoever made them.

    Attributes
    ----------
    values
        What each player takes from the pot on average, in chips.
    best_values
        What each would take with a best response against the other's strategy.
    bounds
        For each player the least that the own strategy takes against anybody, and the most
        that anybody takes against the other's strategy. Without rake, the value of the game
        lies between them.
    exploitability
        Half of what both would gain by best responses.
    exploitability_abstract
        The same for responses that play the hands of a group alike; None without groups.
    groups
        What the groups are called, as ``view/river``; None without groups.
    problems
        What the solution claims and the computation does not find, a line each.
    """

    values: Pair
    best_values: Pair
    bounds: tuple[Pair, Pair]
    exploitability: Exploitability
    exploitability_abstract: Exploitability | None = None
    groups: str | None = None
    problems: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether the solution claims nothing but what was found."""
        return not self.problems


def verify(solution: str | Path | PostflopSolution) -> Certificate:
    """Compute values, best responses and bounds of a solution, or of its file alone.

    A file that is truncated or changed, or whose strategies do not fit its spot or are not
    probabilities, is a `ValueError`. Numbers in its header that the computation does not
    confirm are the `problems` of the certificate. Where decisions were locked, best responses
    keep to what is saved there.

    Examples
    --------
    >>> from pokerlab.postflop import Spot, solve_spot
    >>> spot = Spot("QhJh2c4d7h", "AA, KQs, JTs", "QQ, AJs, T9s", pot=100, stack=80)
    >>> certificate = verify(solve_spot(spot, target="0.1%"))
    >>> certificate.ok, certificate.exploitability.percent < 0.1
    (True, True)
    >>> low, high = certificate.bounds[0]
    >>> low < certificate.values[0] < high < low + 0.3
    True
    """
    if not isinstance(solution, PostflopSolution):
        solution = load_postflop(solution, check=True)
    spot = solution.spot
    verifier = Verifier(solution)
    totals = verifier.totals()
    saved, best, harm = totals[SAVED], totals[BEST], totals.get(HARM, totals[BEST])
    tolerance = spot.pot * (LOCKED_TOLERANCE if solution.locks else TOLERANCE)
    problems = [
        *_disagreements("value", "chips", solution.values, saved, tolerance),
        *_disagreements("best response", "chips", solution.best_values, best, tolerance),
        *_disagreements("equity", "", solution.equities, verifier.equities(), TOLERANCE),
    ]

    def gain(responses: Pair) -> Exploitability:
        chips = (sum(responses) - sum(saved)) / 2
        return Exploitability(chips, spot.pot, spot.big_blind)

    by_group = totals.get(BY_GROUP)
    if solution.groups is not None and by_group is not None:
        problems += _other_groups(solution, solution.groups)
        claimed = solution.best_by_group or (np.nan, np.nan)
        tolerance = spot.pot * GROUP_TOLERANCE
        problems += _disagreements("response by group", "chips", claimed, by_group, tolerance)
    return Certificate(
        values=saved,
        best_values=best,
        bounds=((spot.pot - harm[1], best[0]), (spot.pot - harm[0], best[1])),
        exploitability=gain(best),
        exploitability_abstract=None if by_group is None else gain(by_group),
        groups=None if solution.groups is None else solution.groups.text,
        problems=tuple(problems),
    )


def _other_groups(solution: PostflopSolution, groups: BoardGroups) -> Iterator[str]:
    """Whether hands are in the groups that the solution names; counted, so always the same.

    Groups by number of hands are not made again: their sums are rounded.
    """
    grouping = HandGrouping.parse(groups.text)
    if not grouping.identity:
        return
    found = group_hands(solution.spot, solution.boards, grouping)
    for level, both in enumerate(found.streets):
        for player, columns in enumerate(both):
            if not np.array_equal(columns.column, groups.at(level, player).column):
                yield f"groups of {('oop', 'ip')[player]} on street {level + 1}: not {groups.text}"


def _disagreements(
    name: str, unit: str, claimed: Pair, found: Pair, tolerance: float
) -> Iterator[str]:
    for player, told, computed in zip(("oop", "ip"), claimed, found, strict=True):
        if not abs(told - computed) <= tolerance:  # NaN too
            told_text = f"{told:.8g} {unit}".strip()
            yield f"{name} of {player}: {told_text} is claimed, {computed:.8g} was found"


class _Rows(NamedTuple):
    """On a street, which row of the opponent's reach belongs where, for one hero."""

    rows: int
    node: Ints
    """(nodes): the row that arrives at a node."""
    edge: Ints
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
    possible, and `sign` more where the hero's hand wins, less where it loses.
    """

    unblocked: Floats
    sign: Floats


def _count_chips(spot: Spot, street: StreetTree, hero: int, plans: Sequence[int]) -> _Stakes:
    rake = np.array([spot.rake_from(int(pot) / street.units) for pot in street.end_pot])
    put_in = spot.pot / 2 + street.matched / street.units
    unblocked, sign = np.zeros((2, len(plans), street.edges))
    by_cards = np.isin(street.kind, (EdgeKind.SHOWDOWN, EdgeKind.ALLIN))
    folds = street.kind == EdgeKind.FOLD
    hero_folds = folds & (street.player[street.node] == hero)
    for plan, kind in enumerate(plans):
        # To harm is to count what the opponent does not get: the rake is then a gain.
        paid, kept = (0 * rake, rake) if kind == HARM else (rake, 0 * rake)
        unblocked[plan, folds] = (put_in - paid)[folds]
        unblocked[plan, hero_folds] = (kept - put_in)[hero_folds]
        unblocked[plan, by_cards] = ((kept - paid) / 2)[by_cards]
        sign[plan, by_cards] = (put_in - rake / 2)[by_cards]
    return _Stakes(unblocked, sign)


class Verifier:
    """Walks over a solution, board by board."""

    def __init__(self, solution: PostflopSolution) -> None:
        self.spot = solution.spot
        self.boards = solution.boards
        self.locks = parse_locks(solution.spot, solution.locks)
        self.streets = solution.spot.tree.streets
        self.plans = [SAVED, BEST]
        if self.spot.rake:
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
        levels, players = range(len(self.streets)), range(2)
        self.readers = [
            [CheckedStrategy(solution, level, player) for player in players] for level in levels
        ]
        self.rows = [[_number_rows(street, hero) for hero in players] for street in self.streets]
        self.stakes = [
            [_count_chips(self.spot, street, hero, self.plans) for hero in players]
            for street in self.streets
        ]

    @cached_property
    def root(self) -> tuple[list[Floats], Floats]:
        """For each hero the values by hand (plans, hands), and the signs of the hands."""
        weights = self.boards.weights
        values, signs = self.walk(0, [0], [weights[1][None, None], weights[0][None, None]])
        return [rows[:, 0, 0] for rows in values], signs[0]

    def totals(self) -> dict[int, Pair]:
        """What both players take, by plan."""
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
    ) -> tuple[list[Floats], Floats]:
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
        oop, hands of ip) of the hands that meet.
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
        else:
            signs = np.zeros_like(unblocked)
            links = self.streets[level + 1].root_parent_edge

            def walk_below(place: int) -> None:
                below = [
                    rows[place, self.rows[level][hero].edge[links]]
                    for hero, rows in enumerate(reach)
                ]
                values, signs[place] = self._average(level, numbers[place], below)
                for hero in range(2):
                    edges[hero][:, place, links] = values[hero]

            with ThreadPoolExecutor(os.cpu_count()) as threads:
                list(threads.map(walk_below, range(len(numbers))))
        self._settle(level, 0, reach[0], signs, unblocked, edges[0])
        self._settle(level, 1, reach[1], -signs.swapaxes(1, 2), unblocked.swapaxes(1, 2), edges[1])
        roots = [
            self._ascend(level, hero, numbers, strategies[hero], edges[hero]) for hero in range(2)
        ]
        return roots, signs

    def _average(
        self, level: int, number: int, arriving: Sequence[Floats]
    ) -> tuple[list[Floats], Floats]:
        """What a board is worth on average over the cards that may come."""
        street = self.streets[level + 1]
        first, last = self.boards.tables[level].child_first[number : number + 2].tolist()
        chance = 1 / (N_CARDS - self.boards.cards[level].shape[1] - 4)
        values = [np.zeros((len(self.plans), street.roots, hands)) for hands in self.hands]
        signs = np.zeros(self.hands)
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
                    reach[hero][place][:, sources[1 - hero]] = arriving[hero]
            found, below = self.walk(level + 1, [child for child, _ in some], reach)
            for place, (_, sources) in enumerate(some):
                for hero in range(2):
                    values[hero] += chance * found[hero][:, place][..., sources[hero]]
                signs += chance * below[place][np.ix_(*sources)]
        return values, signs

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
        self, level: int, hero: int, reach: Floats, signs: Floats, unblocked: Floats, edges: Floats
    ) -> None:
        """Add the values of all leaves to `edges`; matrices are (boards, hands, opposing hands)."""
        rows, stakes = self.rows[level][hero], self.stakes[level][hero]
        for matrix, chips in ((signs, stakes.sign), (unblocked, stakes.unblocked)):
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
            for lock in self.locks:
                if (lock.level, lock.node) == (level, node):
                    kept = self._locked(lock, hero, numbers)
                    saved = np.einsum("bah,pbah->pbh", played, choices[BEST:])
                    value[BEST:] = np.where(kept, saved, value[BEST:])
        return roots

    def _choose_by_group(self, hero: int, groups: Ints, choices: Floats, value: Floats) -> None:
        """Write for each hand what the best action of its group is worth to it.

        Arrays are (actions, hands) and (hands); `groups` is −1 for impossible hands.
        """
        here = np.flatnonzero(groups >= 0)
        own, weights = groups[here], self.boards.weights[hero][here]
        together = np.array([np.bincount(own, weights * row[here]) for row in choices])
        last_of_equals = len(choices) - 1 - together[::-1].argmax(axis=0)
        value[:] = 0.0
        value[here] = choices[last_of_equals[own], here]

    def _locked(self, lock: NodeLock, player: int, numbers: Sequence[int]) -> Flags:
        """Which hands must keep to the saved strategy: (boards, hands)."""
        hands = lock.shares[0, self.boards.combos[player]] >= 0
        here = np.ones(len(numbers), bool)
        if lock.cards:
            here = np.asarray(numbers) == find_run_out(self.boards, lock.cards)[-1].number
        return np.asarray(here[:, None] & hands)


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


def _possible(cards: npt.NDArray[np.uint8], combos: Ints) -> Flags:
    """Which combos hold no card of a board: (boards, combos)."""
    held = COMBO_CARDS[combos]
    shared = (held[None, :, :, None] == cards[:, None, None, :]).any(axis=(2, 3))
    return np.asarray(~shared)


def _compare(
    cards: npt.NDArray[np.uint8], combos: Sequence[Ints], free: Sequence[Flags]
) -> npt.NDArray[np.int8]:
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

"""`solve_push_fold_table`: an equilibrium of push or fold for two to six players.

With two and three players the hands of all are dealt from one deck. With more, the hands of the
others are independent of each other, and each shares no card with the hand of the player whose
values are computed; a showdown of three is that of their classes in `HandTables`.

Each player acts once, so a best response takes at each decision and with each class the better of
two values. Regrets are learnt in turn, by a rule of `pokerlab.solvers.rules`; with three players
and more nothing promises that they end in an equilibrium, and `gains` says how near they came.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from pokerlab.cards.hand_classes import CLASS_OF_COMBO
from pokerlab.cards.ranges.range import Range
from pokerlab.holdem.preflop.class_matchups import N_CLASSES
from pokerlab.holdem.pushfold.hand_tables import HandTables
from pokerlab.holdem.pushfold.rules import MOST_ALL_IN, PushFoldRules, Seats, TableResult
from pokerlab.runtime.arrays import Floats, Singles
from pokerlab.runtime.machine import free_memory, size_text
from pokerlab.solvers.rules import parse_rule

_NEVER = 1e-12
"""A decision that is met less often is never met but for rounding."""
_FIRST_LOOK = 10
"""Iterations before gains are measured; then at each half as many more."""


@dataclass(frozen=True, eq=False)
class PushFoldSolution:
    """How often each class goes all-in at each decision.

    Attributes
    ----------
    rules
        The table.
    shares : (nodes, classes)
        Of going all-in, by decision (`PushFoldRules.nodes`).
    chances : (classes,)
        Of each class to be dealt.
    values, gains
        For each player what the hand is worth, and what a best response would add: in big blinds,
        or with payouts in percent of the prize pool.
    reach
        How often each decision is met.
    iterations
        How many were run.
    """

    rules: PushFoldRules
    shares: Floats
    chances: Floats
    values: Floats
    gains: Floats
    reach: Floats
    iterations: int
    error: float = 0.0
    """The standard error of a sampled chance of a triple of classes (`HandTables.error`)."""

    def is_met(self, node: int) -> bool:
        """Whether play comes to a decision at all; what is done there otherwise is arbitrary."""
        return bool(self.reach[node] > _NEVER)

    def range_text(self, node: int) -> str:
        """The hands that are all-in more often than not."""
        if not self.is_met(node):
            return "never met"
        kept = np.where(self.shares[node] > 0.5, 1.0, 0.0)
        return str(Range(kept[CLASS_OF_COMBO])) if kept.any() else "–"

    def share(self, node: int) -> float:
        """How often a decision is all-in, over all hands."""
        return float(self.shares[node] @ self.chances)

    @property
    def capped(self) -> float:
        """How often a player would be asked to call three all-ins, who folds here instead."""
        rules = self.rules
        total = 0.0
        for (player, before), reach, shares in zip(
            rules.nodes, self.reach, self.shares, strict=True
        ):
            behind = {*range(player + 1, rules.players)} - {*rules.forced}
            if len(before) + len(rules.forced) == MOST_ALL_IN - 1 and behind:
                total += reach * float(shares @ self.chances)
        return total


def solve_push_fold_table(
    rules: PushFoldRules,
    *,
    target: float = 1e-4,
    iterations: int = 1000,
    rule: str = "dcfr",
    tables: HandTables | None = None,
    worth: Callable[[TableResult], Floats] | None = None,
    independent: bool = False,
    report: Callable[[str, int, int], None] | None = None,
) -> PushFoldSolution:
    """Solve push or fold until no player gains more than a target.

    Parameters
    ----------
    rules
        The table.
    target
        The gain of each player to stop at: big blinds, or with payouts percent of the prize pool.
    iterations
        The most.
    rule
        A rule of regret (see `pokerlab.solvers.parse_rule`).
    tables
        Those of the hands; `HandTables.load` by default, which samples three-way all-ins when they
        are first needed.
    worth
        What each player has of a result; `PushFoldRules.worth` by default.
    independent
        Whether the hands of the others are independent of each other with three players, too, as
        they are with more: to see what that changes.
    report
        Called with what is being done, how much of it is done, and how much there is.

    Examples
    --------
    >>> found = solve_push_fold_table(PushFoldRules((10, 10)), target=1e-4)
    >>> round(float(found.values[0]) - 10, 3), bool(found.gains.max() < 1e-4)
    (-0.045, True)
    """
    tell = report or (lambda what, done, total: None)
    _check_memory(rules)
    table = PushFoldTable(
        rules, tables or HandTables.load(rules.players), worth, independent=independent
    )
    table.prepare(lambda done, total: tell("all-ins of three prepared", done, total))
    chosen = parse_rule(rule)
    if chosen.greedy:
        raise ValueError(f"rule {chosen}: push or fold takes rules of regret")
    classes, nodes = len(table.tables.chances), len(rules.nodes)
    regrets, sums = np.zeros((2, nodes, classes)), np.zeros((nodes, classes))
    weight, look, done = 0.0, _FIRST_LOOK, 0
    average = np.full((nodes, classes), 0.5)
    values, gains, reach = table.measure(average)
    for number in range(1, iterations + 1 if nodes else 1):
        tell("iterations, at most", done, iterations)
        step = chosen.at(number)
        current = _match(regrets)
        for hero in range(rules.players):
            push, fold = table.action_values(current, hero)
            for place, node in enumerate(table.own_nodes[hero]):
                mean = current[node] * push[place] + (1 - current[node]) * fold[place]
                for action, worth in enumerate((push[place], fold[place])):
                    old = regrets[action, node]
                    regrets[action, node] = (
                        np.where(old > 0, old * step.positive, old * step.negative) + worth - mean
                    )
            own = table.own_nodes[hero]
            current[own] = _match(regrets)[own]
        sums = sums * step.average + current
        weight = weight * step.average + 1.0
        done = number
        if number in (look, iterations):
            average = sums / weight
            look += max(look // 2, 1)
            values, gains, reach = table.measure(average)
            if gains.max() <= target:
                break
    chances, error = table.tables.chances, table.tables.error
    return PushFoldSolution(rules, average, chances, values, gains, reach, done, error)


def memory_needed(rules: PushFoldRules) -> int:
    """About how many bytes a solve takes, beside the tables of the hands.

    Examples
    --------
    >>> [memory_needed(PushFoldRules((10,) * players)) // 1_000_000 for players in (2, 3, 6)]
    [0, 77, 1158]
    """
    tensors = sum(MOST_ALL_IN for pushed in rules.ends if len(rules.shown(pushed)) == MOST_ALL_IN)
    return 4 * N_CLASSES**3 * (tensors + (rules.players == MOST_ALL_IN))


def _check_memory(rules: PushFoldRules) -> None:
    needed, free = memory_needed(rules), free_memory()
    if needed > free:
        raise ValueError(
            f"memory: push or fold for {rules.players} players needs about {size_text(needed)}, and"
            f" {size_text(free)} are free; take fewer players"
        )


def _match(regrets: Floats) -> Floats:
    """The share of the first of two actions by regret matching."""
    positive = np.maximum(regrets, 0.0)
    total = positive.sum(axis=0)
    return np.where(total > 0, positive[0] / np.where(total > 0, total, 1.0), 0.5)


class PushFoldTable:
    """The values of a table's ends for each class of a hero, given what the others do."""

    def __init__(
        self,
        rules: PushFoldRules,
        tables: HandTables,
        worth: Callable[[TableResult], Floats] | None = None,
        *,
        independent: bool = False,
    ) -> None:
        self.rules, self.tables = rules, tables
        self._one_deck = rules.players == MOST_ALL_IN and not independent
        worth = worth or (lambda result: rules.worth(*result))
        self.own_nodes = [
            [place for place, (player, _) in enumerate(rules.nodes) if player == hero]
            for hero in range(rules.players)
        ]
        self._node = {node: place for place, node in enumerate(rules.nodes)}
        # Against what is there at the beginning: only differences matter, and these are small.
        self.start = rules.worth(np.array(rules.stacks))
        self._worths = {
            pushed: np.array([worth(result) for result in rules.results(pushed)]) - self.start
            for pushed in rules.ends
        }
        self._given = tables.pairs / tables.chances[:, None]
        self._three: dict[tuple[Seats, int], Singles] = {}
        self._means: dict[Seats, Floats] = {}

    def prepare(self, report: Callable[[int, int], None]) -> None:
        """Compute now what each all-in of three is worth, with progress."""
        wanted = [
            (pushed, hero)
            for pushed in self.rules.ends
            if len(self.rules.shown(pushed)) == MOST_ALL_IN
            for hero in self.rules.shown(pushed)
            if np.ptp(self._worths[pushed][:, hero]) != 0
        ]
        for done, (pushed, hero) in enumerate(wanted):
            report(done, len(wanted))
            self._three_way(pushed, hero, self._worths[pushed][:, hero])

    def measure(self, shares: Floats) -> tuple[Floats, Floats, Floats]:
        """For each player the value and the gain of a best response; how often nodes are met."""
        players, chances = self.rules.players, self.tables.chances
        values, gains = np.zeros(players), np.zeros(players)
        reach = np.zeros(len(self.rules.nodes))
        self._means.clear()
        for hero in range(players):
            push, fold = self.action_values(shares, hero)
            own = shares[self.own_nodes[hero]]
            played = own * push + (1 - own) * fold
            gains[hero] = float(((np.maximum(push, fold) - played) @ chances).sum())
            values[hero] = float((played @ chances).sum())
            reach[self.own_nodes[hero]] = self._reach(shares, hero) @ chances
            values[hero] += float(self._unasked(shares, hero) @ chances)
        return values + self.start, gains, reach

    def action_values(self, shares: Floats, hero: int) -> tuple[Floats, Floats]:
        """(own nodes, classes): what all-in and fold are worth, times the others' reach."""
        nodes = self.own_nodes[hero]
        place_of = {self.rules.nodes[node][1]: place for place, node in enumerate(nodes)}
        found = np.zeros((2, len(nodes), len(self.tables.chances)))
        for pushed in self.rules.ends:
            before = tuple(player for player in pushed if player < hero)
            if before in place_of:  # otherwise nobody asks the hero
                action = 0 if hero in pushed else 1
                found[action, place_of[before]] += self._end(shares, pushed, hero)
        return found[0], found[1]

    def _unasked(self, shares: Floats, hero: int) -> Floats:
        """(classes,): the value of ends before which the hero does not act."""
        asked = {self.rules.nodes[node][1] for node in self.own_nodes[hero]}
        found = np.zeros(len(self.tables.chances))
        for pushed in self.rules.ends:
            before = tuple(player for player in pushed if player < hero)
            if before not in asked:
                found += self._end(shares, pushed, hero)
        return found

    def _reach(self, shares: Floats, hero: int) -> Floats:
        """(own nodes, classes): how often the others let the hero come to a decision."""
        found = np.zeros((len(self.own_nodes[hero]), len(self.tables.chances)))
        for place, node in enumerate(self.own_nodes[hero]):
            before = self.rules.nodes[node][1]
            line = [self._play(shares, before, player) for player in range(hero)]
            if self._one_deck:
                rows = [*line, *[np.ones_like(found[0])] * (2 - len(line))]
                found[place] = self._sum_pairs(rows[0], rows[1])
            else:
                found[place] = np.prod([self._given @ each for each in line], axis=0)
        return found

    def _play(self, shares: Floats, pushed: Seats, player: int) -> Floats:
        """(classes,): how often a player does what leads to an end."""
        before = tuple(each for each in pushed if each < player)
        node = self._node.get((player, before))
        if node is None:
            return np.ones(len(self.tables.chances))
        return np.asarray(shares[node] if player in pushed else 1 - shares[node])

    def _sum_pairs(self, first: Floats, second: Floats) -> Floats:
        """Of three players the chance of what both others do, given the hero's hand."""
        return np.asarray((self._over_last(second) * first).sum(axis=1))

    def _over_last(self, reach: Floats) -> Floats:
        classes = len(reach)
        rows = self.tables.given_one.reshape(-1, classes) @ reach.astype(np.float32)
        return rows.reshape(classes, classes).astype(np.float64)

    def _end(self, shares: Floats, pushed: Seats, hero: int) -> Floats:
        """(classes,): the hero's value of an end times the chance of what the others do."""
        reach = {
            player: self._play(shares, pushed, player)
            for player in range(self.rules.players)
            if player != hero
        }
        worths = self._worths[pushed][:, hero]
        if self._one_deck:
            return self._end_of_three(pushed, hero, reach, worths)
        seats = self.rules.shown(pushed)
        chance = {player: self._given @ each for player, each in reach.items()}
        folded = [chance[player] for player in reach if player not in seats]
        rest = np.prod(folded, axis=0) if folded else 1.0
        inside = [player for player in seats if player != hero]
        if len(seats) < 2 or np.ptp(worths) == 0:
            met = [chance[player] for player in inside]
            return np.asarray(worths[0] * rest * (np.prod(met, axis=0) if met else 1.0))
        held = [self._given * reach[player] for player in inside]
        if len(seats) == 2 and hero in seats:
            paid = self.tables.pay_pairs(worths if seats[0] == hero else worths[::-1])
            return np.asarray((held[0] * paid).sum(axis=1) * rest)
        if len(seats) == 2:
            return np.asarray(((held[0] @ self.tables.pay_pairs(worths)) * held[1]).sum(1) * rest)
        if hero in seats:
            tensor = self._three_way(pushed, hero, worths)
            inner = np.matmul(tensor, held[1].astype(np.float32)[:, :, None])[:, :, 0]
            return np.asarray((inner * held[0]).sum(axis=1) * rest)
        if pushed not in self._means:
            own = [self.tables.chances * reach[player] for player in seats]
            orders = self.tables.count_orders(own)
            self._means[pushed] = orders / max(orders.sum(), 1e-300)
        mean = float(self._means[pushed] @ worths)
        return np.asarray(mean * rest * np.prod([chance[player] for player in seats], axis=0))

    def _end_of_three(
        self, pushed: Seats, hero: int, reach: dict[int, Floats], worths: Floats
    ) -> Floats:
        """The same with three players, whose hands come from one deck."""
        seats = self.rules.shown(pushed)
        one, other = sorted(reach)
        if len(seats) < 2 or np.ptp(worths) == 0:
            return np.asarray(worths[0] * self._sum_pairs(reach[one], reach[other]))
        if len(seats) == 2 and hero in seats:
            caller = seats[0] if seats[1] == hero else seats[1]
            folder = one if caller == other else other
            paid = self.tables.pay_pairs(worths if seats[0] == hero else worths[::-1])
            return np.asarray((self._over_last(reach[folder]) * paid * reach[caller]).sum(axis=1))
        if len(seats) == 2:
            paid = self.tables.pay_pairs(worths) * np.outer(reach[one], reach[other])
            classes = len(paid)
            flat = self.tables.given_one.reshape(classes, -1) @ paid.astype(np.float32).ravel()
            return np.asarray(flat, np.float64)
        tensor = self._three_way(pushed, hero, worths)
        classes = len(reach[one])
        inner = tensor.reshape(-1, classes) @ reach[other].astype(np.float32)
        return np.asarray((inner.reshape(classes, classes) * reach[one]).sum(axis=1), np.float64)

    def _three_way(self, pushed: Seats, hero: int, worths: Floats) -> Singles:
        """(hero's class, the others' classes in their order): what an all-in of three is worth."""
        if (pushed, hero) not in self._three:
            seats = self.rules.shown(pushed)
            order = (hero, *(player for player in seats if player != hero))
            paid = self.tables.pay_triples(worths, [seats.index(player) for player in order])
            if self._one_deck:
                paid *= self.tables.given_one
            self._three[pushed, hero] = paid
        return self._three[pushed, hero]

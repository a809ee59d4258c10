"""`solve_ahead`: what a hand leaves is worth what the hands after it are worth.

The independent chip model knows no blinds. Here the blinds move on: after a hand the players who
are left play push or fold again, and only what the last of these hands leaves is valued by the
model (or in chips). The results of a hand are few: an end of three players has 1, 3 or 13. Each is
solved once, to the target of the first hand; equal tables share their solve.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from pokerlab.holdem.pushfold.hand_tables import HandTables
from pokerlab.holdem.pushfold.rules import MOST_FORCED, PushFoldRules, TableResult
from pokerlab.holdem.pushfold.solving import PushFoldSolution, solve_push_fold_table
from pokerlab.runtime.arrays import Floats
from pokerlab.runtime.files.hashes import digest
from pokerlab.runtime.files.job_stores import KeptValues, value_store
from pokerlab.runtime.files.jobs import run_jobs

MOST_PLAYERS_AHEAD = 4
MOST_AHEAD = 5
_STORED = range(2, MOST_PLAYERS_AHEAD + 1)
"""How many values are kept of a hand."""
_LEAST_STACK = 0.001
"""Of a next hand, in big blinds: below it the model values what is left."""


class NextTable(NamedTuple):
    """The table of the next hand.

    Attributes
    ----------
    rules
        Of those who are left.
    seats
        For each of them where they sat before.
    """

    rules: PushFoldRules
    seats: tuple[int, ...]


def next_table(rules: PushFoldRules, result: TableResult) -> NextTable | None:
    """The next hand after a result; None where the table plays no more, or cannot be solved.

    The big blind moves to the next player who is left, and the others keep their order: of three
    players the first to act is the next big blind.

    Examples
    --------
    >>> rules = PushFoldRules((10, 8, 12))
    >>> found = next_table(rules, rules.results((0,))[0])
    >>> found.rules.stacks, found.seats
    ((7.5, 11.0, 11.5), (1, 2, 0))
    """
    # Chips are made round: rounding must not tell apart what is the same table.
    stacks = [round(chips, 9) for chips in result.stacks.tolist()]
    left = [player for player, chips in enumerate(stacks) if chips > 0]
    if len(left) < 2 or min(stacks[player] for player in left) < _LEAST_STACK:
        return None
    seats = (*left[1:], left[0])
    heads = result.heads.tolist()
    players = len(left) + len(rules.others)
    bounties = [heads[player] for player in seats] + heads[rules.players :]
    if _count_forced(rules, [stacks[player] for player in seats]) > MOST_FORCED:
        return None
    following = PushFoldRules(
        tuple(stacks[player] for player in seats),
        rules.payouts[:players],
        rules.others,
        rules.small_blind,
        rules.ante,
        tuple(bounties) if any(bounties) else (),
        rules.progressive and any(bounties),
    )
    return NextTable(following, seats)


def _count_forced(rules: PushFoldRules, stacks: list[float]) -> int:
    blinds = [0.0] * (len(stacks) - 2) + [rules.small_blind, 1.0]
    return sum(stack <= blind + rules.ante for stack, blind in zip(stacks, blinds, strict=True))


def solve_ahead(
    rules: PushFoldRules,
    ahead: int,
    *,
    target: float = 1e-4,
    iterations: int = 1000,
    rule: str = "dcfr",
    tables: HandTables | None = None,
    resume: str | Path | None = None,
    jobs: int = 1,
    report: Callable[[str, int, int], None] | None = None,
) -> PushFoldSolution:
    """Solve push or fold with some hands after it: future-game simulation.

    Parameters
    ----------
    rules
        The table; with `ahead`, of at most four players.
    ahead
        How many hands are played after this one; 0 is `solve_push_fold_table`.
    target, iterations, rule, tables
        Of every hand: see `solve_push_fold_table`.
    resume
        A file that keeps the hands that were solved: the same call goes on from it.
    jobs
        How many hands to solve at a time, in processes; 0: as many as there are processors.
    report
        Called with what is being done, how much of it is done, and how much there is.

    Examples
    --------
    >>> now, later = (solve_ahead(PushFoldRules((4, 6)), ahead, target=1e-3) for ahead in (0, 1))
    >>> [round(float(each.share(0)), 2) for each in (now, later)]
    [0.74, 0.76]
    """
    check_ahead(rules, ahead)
    settings: dict[str, Any] = {"target": target, "iterations": iterations, "rule": rule}
    hands = _Hands(tables or HandTables.load(rules.players), settings, {})
    store = None if resume is None else value_store(resume, "push or fold", _STORED)
    for level, wanted in enumerate(_following(rules, ahead)):
        tasks = {hands.key(each, level): (hands, each, level) for each in wanted}
        for done, (key, (_, values)) in enumerate(run_jobs(tasks, _solve, store, workers=jobs), 1):
            hands.values[key] = values
            if report is not None:
                report("hands ahead solved", done, len(tasks))
    return hands.solve(rules, ahead, report)


def check_ahead(rules: PushFoldRules, ahead: int) -> None:
    """`ValueError` if this number of hands cannot be played after one of this table."""
    if ahead < 0 or ahead > MOST_AHEAD:
        raise ValueError(f"ahead: {ahead} is not from 0 to {MOST_AHEAD} hands")
    if ahead and rules.players > MOST_PLAYERS_AHEAD:
        raise ValueError(
            f"ahead: {rules.players} players; hands ahead are for at most {MOST_PLAYERS_AHEAD}"
        )


def _following(rules: PushFoldRules, ahead: int) -> list[list[PushFoldRules]]:
    """The tables with 0 hands after them, with 1, and so on, without the first of all."""
    found: list[list[PushFoldRules]] = []
    here = [rules]
    for _ in range(ahead):
        following = dict.fromkeys(
            after.rules
            for each in here
            for pushed in each.ends
            for result in each.results(pushed)
            if (after := next_table(each, result)) is not None
        )
        here = list(following)
        found.append(here)
    return found[::-1]


@dataclass(frozen=True)
class _Hands:
    """How hands are solved, and the values of those that are."""

    tables: HandTables
    settings: dict[str, Any]
    values: dict[str, tuple[float, ...]]

    def solve(
        self,
        rules: PushFoldRules,
        ahead: int,
        report: Callable[[str, int, int], None] | None = None,
    ) -> PushFoldSolution:
        """An equilibrium of a table, if the hands after it are known."""
        return solve_push_fold_table(
            rules,
            tables=self.tables,
            worth=lambda result: self._worth(rules, result, ahead),
            report=report,
            **self.settings,
        )

    def key(self, rules: PushFoldRules, ahead: int) -> str:
        """What names the solve of a table for good."""
        return digest(repr(rules), str(ahead), repr(sorted(self.settings.items())), length=32)

    def _worth(self, rules: PushFoldRules, result: TableResult, ahead: int) -> Floats:
        """What each player has of a result, if some hands are played after it."""
        after = next_table(rules, result) if ahead else None
        if after is None:
            return rules.worth(*result)
        values = np.array(self.values[self.key(after.rules, ahead - 1)])
        seats = list(after.seats)
        if not rules.payouts:
            found = np.zeros(rules.players)
            found[seats] = values
            return found
        alive = np.ones(rules.players + len(rules.others), bool)
        alive[: rules.players] = np.isin(np.arange(rules.players), seats)
        money = rules.prizes_of_those_out(alive)[: rules.players] + result.won
        money[seats] += values / 100 * after.rules.pool
        return np.asarray(100 * money / rules.pool)


def _solve(task: tuple[_Hands, PushFoldRules, int]) -> KeptValues:
    hands, rules, ahead = task
    values = hands.solve(rules, ahead).values
    return hands.key(rules, ahead), tuple(values.tolist())

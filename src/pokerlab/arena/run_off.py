"""Who won a tournament: by total bankroll, by instant run-off, and where nobody can be said to."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

from pokerlab.arena.results import significance

_EQUAL = 1e-9
"""Scores that are closer than this are a tie: they differ by rounding only."""
_CLEAR = 0.05
"""A cycle with a smaller p is clear."""


def bankroll_ranking(scores: Mapping[str, float]) -> dict[str, int]:
    """Rank by score, the highest first; a tie shares the better rank.

    Examples
    --------
    >>> bankroll_ranking({"ann": 5.0, "bob": -5.0, "cid": 5.0})
    {'ann': 1, 'cid': 1, 'bob': 3}
    """
    return {
        name: 1 + sum(other > scores[name] + _EQUAL for other in scores.values())
        for name in sorted(scores, key=lambda name: -scores[name])
    }


def run_off_ranking(
    bots: Sequence[str], scores: Callable[[Sequence[str]], Mapping[str, float]], last: int
) -> dict[str, int]:
    """Rank by instant run-off: again and again the lowest is dropped, and its matches with it.

    Those who are left at the end are ranked by what they won from each other. A tie for the
    lowest place is dropped together and shares a rank; if fewer than `last` would be left then,
    all are ranked as they stand.

    Parameters
    ----------
    bots
        Who takes part.
    scores
        Given some of the bots, the score of each in the matches among them alone.
    last
        How many are left at the end: as many as sit at a table.

    Examples
    --------
    Bob wins most by beating the weak; without them, Ann beats Bob.

    >>> won = {("ann", "bob"): 1, ("ann", "cid"): 2, ("bob", "cid"): 9}
    >>> def scores(among):
    ...     return {
    ...         name: sum(
    ...             (chips if name == pair[0] else -chips)
    ...             for pair, chips in won.items()
    ...             if name in pair and set(pair) <= set(among)
    ...         )
    ...         for name in among
    ...     }
    >>> bankroll_ranking(scores(["ann", "bob", "cid"]))
    {'bob': 1, 'ann': 2, 'cid': 3}
    >>> run_off_ranking(["ann", "bob", "cid"], scores, last=2)
    {'ann': 1, 'bob': 2, 'cid': 3}
    """
    left = list(bots)
    dropped: list[dict[str, int]] = []
    while True:
        current = scores(left)
        lowest = min(current.values())
        losers = [name for name in left if current[name] <= lowest + _EQUAL]
        if len(left) - len(losers) < last:
            break
        left = [name for name in left if name not in losers]
        dropped.append(dict.fromkeys(losers, len(left) + 1))
    ranks = bankroll_ranking(current)
    for group in reversed(dropped):
        ranks |= group
    return ranks


@dataclass(frozen=True, slots=True)
class Cycle:
    """Three bots of which each beats the next and the last one the first.

    Attributes
    ----------
    bots
        The three, in the order in which they beat each other.
    wins
        What each wins from the next, in mbb a hand.
    z
        The same in standard errors.
    p
        The chance to find a cycle so clear among all triples that were looked at, if there is
        none: that of the weakest edge (two-sided, as a cycle may turn either way) times the number
        of triples (Bonferroni), at most 1.
    """

    bots: tuple[str, str, str]
    wins: tuple[float, float, float]
    z: tuple[float, float, float]
    p: float

    @property
    def weakest(self) -> float:
        """The smallest of the three z: the cycle is as sure as this edge."""
        return min(self.z)

    @property
    def clear(self) -> bool:
        """Whether the cycle is more than chance, at the level of 5 percent."""
        return self.p < _CLEAR


def find_cycles(
    bots: Sequence[str], results: Mapping[tuple[str, str], tuple[float, float]]
) -> tuple[list[Cycle], int]:
    """The triples that beat each other in a circle, the clearest first; and how many were seen.

    A cycle holds only if all three edges do, so its p is that of the weakest. Longer cycles need
    not be looked for: among bots that all meet, there is none without one of three.

    Parameters
    ----------
    bots
        Who takes part.
    results
        For pairs of bots, what the first wins from the second in mbb a hand, and its standard
        error. A triple counts only if all of its pairs and their errors are known.

    Examples
    --------
    >>> won = {("rock", "scissors"): (90, 10), ("scissors", "paper"): (80, 10)}
    >>> won |= {("paper", "rock"): (30, 10), ("rock", "folder"): (500, 10)}
    >>> found, looked_at = find_cycles(["rock", "paper", "scissors", "folder"], won)
    >>> looked_at, found[0].bots, found[0].weakest, round(found[0].p, 4)
    (1, ('rock', 'scissors', 'paper'), 3.0, 0.0027)
    """
    edges = dict(results)
    edges |= {(loser, winner): (-won, error) for (winner, loser), (won, error) in results.items()}
    found, looked_at = [], 0
    for first, second, third in combinations(bots, 3):
        for order in ((first, second, third), (first, third, second)):
            around = [edges.get(pair) for pair in pairwise((*order, first))]
            if any(edge is None or math.isnan(edge[1]) for edge in around):
                break
            wins = [edge for edge in around if edge is not None and edge[0] > 0]
            if len(wins) == 3:
                found.append((order, wins))
        else:
            looked_at += 1
    cycles = []
    for order, wins in found:
        one, two, three = wins
        chance = max(significance(*edge) for edge in wins)
        cycles.append(
            Cycle(
                order,
                (one[0], two[0], three[0]),
                (_z(*one), _z(*two), _z(*three)),
                min(1.0, chance * looked_at),
            )
        )
    return sorted(cycles, key=lambda cycle: -cycle.weakest), looked_at


def _z(mean: float, stderr: float) -> float:
    return mean / stderr if stderr > 0 else math.inf

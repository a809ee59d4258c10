"""Who won a tournament: by total bankroll, and by bankroll instant run-off."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

_EQUAL = 1e-9
"""Scores that are closer than this are a tie: they differ by rounding only."""


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

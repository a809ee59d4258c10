"""What locks are worth: a solution with them beside one of the same spot without.

All numbers are those of the two certificates. What a lock wins the opponent is the change of the
value between two solutions, each of which is known to its ε; a best response is what the second
certificate has found against what the locked player does there.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from pokerlab.games.betting_trees.lines import Line
from pokerlab.games.betting_trees.menus import PLAYERS, STREETS
from pokerlab.holdem.spots.answer.solution import PostflopSolution
from pokerlab.holdem.spots.question.spot import Spot

Pair = tuple[float, float]


@dataclass(frozen=True)
class LockedPlayer:
    """The locks of a player.

    Attributes
    ----------
    seat
        0 out of position, 1 in position.
    lines
        The lines, as they are given.
    decisions
        The lines without their cards: a decision that is locked on many boards counts once.
    streets
        The streets that they are on.
    everywhere
        Whether all of them are on later streets and name no cards.
    """

    seat: int
    lines: tuple[str, ...]
    decisions: tuple[str, ...]
    streets: tuple[str, ...]
    everywhere: bool = False

    @property
    def where(self) -> str:
        """Where the player is locked, in a few words."""
        if len(self.decisions) > 1:
            places = f"at {len(self.decisions)} decisions"
            places += "" if self.everywhere else f" on the {_listed(self.streets)}"
        elif not self.decisions[0]:
            places = "at the first decision"
        else:
            places = f"after {self.decisions[0]}"
        if self.everywhere:
            return f"{places}, on all {' and '.join(f'{street}s' for street in self.streets)}"
        if len(self.decisions) == 1 and len(self.lines) > 1:
            return f"{places}, on {len(self.lines)} {self.streets[0]}s"
        return places


@dataclass(frozen=True)
class LockGain:
    """What locks are worth, in chips; for each player what they have more in the second solution.

    Attributes
    ----------
    locked
        Who keeps to locks in the second solution, and where.
    changes
        By player, the value in the second solution less that in the first.
    responses
        By player, what a best response takes against what the other player does in the second
        solution, less the value in the first.
    epsilon
        The exploitability of both.
    """

    locked: tuple[LockedPlayer, ...]
    changes: Pair
    responses: Pair
    epsilon: Pair

    @property
    def winner(self) -> int:
        """The seat of the gain: the opponent of the locked player."""
        return 1 - self.locked[0].seat if len(self.locked) == 1 else 1

    @property
    def told(self) -> bool:
        """Whether the winner's change is larger than the exploitability of both together."""
        return abs(self.changes[self.winner]) > sum(self.epsilon)


def without_locks(spot: Spot) -> Spot:
    """The same spot with all decisions free.

    Examples
    --------
    >>> spot = Spot("QhJh2c4d7h", "AA, KQs", "QQ, AJs", pot=100, stack=80)
    >>> without_locks(spot.with_locks({"x": {"x": 1}})) == spot
    True
    """
    return replace(spot, locks=())


def locked_players(solution: PostflopSolution) -> tuple[LockedPlayer, ...]:
    """Who is locked, and where.

    Examples
    --------
    >>> from pokerlab.holdem.spots import solve_spot
    >>> spot = Spot("QhJh2c4d7h", "AA, KQs", "QQ, AJs", pot=100, stack=80)
    >>> locked_players(solve_spot(spot, iterations=1, locks={"x": {"x": 1}}))[0].where
    'after x'
    """
    found = []
    for seat in range(len(PLAYERS)):
        own = [
            lock
            for lock in solution.node_locks
            if solution.spot.tree.streets[lock.level].player[lock.node] == seat
        ]
        if own:
            decisions = dict.fromkeys(str(Line(Line.parse(lock.line).actions)) for lock in own)
            streets = [
                STREETS[solution.spot.street + level] for level in sorted({x.level for x in own})
            ]
            lines = tuple(lock.line for lock in own)
            everywhere = all(lock.level > 0 and not lock.cards for lock in own)
            found.append(LockedPlayer(seat, lines, tuple(decisions), tuple(streets), everywhere))
    return tuple(found)


def lock_gain(first: PostflopSolution, second: PostflopSolution) -> LockGain:
    """What the locks of the second solution are worth, compared with the first.

    Examples
    --------
    >>> from pokerlab.holdem.spots import solve_spot
    >>> spot = Spot("QhJh2c4d7h", "AA, KQs", "QQ, AJs", pot=100, stack=80)
    >>> free = solve_spot(spot, target="0.1%")
    >>> gain = lock_gain(free, solve_spot(spot, target="0.1%", locks={"x": {"a": 1}}))
    >>> gain.winner, gain.changes[0] > 1, gain.told
    (0, True, True)
    """
    if without_locks(first.spot) != without_locks(second.spot):
        raise ValueError("the solutions differ in more than their locks")
    locked = locked_players(second)
    if not locked or second.locks == first.locks:
        raise ValueError("the second solution has no locks of its own")
    values = tuple(zip(first.values, second.values, second.best_values, strict=True))
    changes = tuple(after - value for value, after, _ in values)
    responses = tuple(best - value for value, _, best in values)
    return LockGain(
        locked,
        (changes[0], changes[1]),
        (responses[0], responses[1]),
        (first.exploitability.chips, second.exploitability.chips),
    )


def _listed(words: tuple[str, ...]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else words[0]

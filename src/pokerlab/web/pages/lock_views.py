"""Locks in words, and as the pages show them: lists, copies, models of players, what they win."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from pokerlab.engine.locks import parse_locks
from pokerlab.games.betting_trees.lines import Line, to_line
from pokerlab.games.betting_trees.menus import PLAYERS, STREETS
from pokerlab.holdem.spots.answer.copied_locks import RUN_OUTS, CopiedLock
from pokerlab.holdem.spots.reports.lock_gain import LockGain, lock_gain
from pokerlab.views.texts import number_text

if TYPE_CHECKING:
    from pokerlab.holdem.spots import PostflopSolution, Spot
    from pokerlab.holdem.spots.answer.node_view import Decision
    from pokerlab.players.opponents import LineModel
    from pokerlab.players.opponents.spot_locks import LineLock
    from pokerlab.runtime.arrays import Floats

Part = str | dict[str, float | str]
"""A piece of a sentence: words, an amount of ``chips`` that the page writes in its unit, or words
in chips and big blinds alone (``aside``)."""


def locked_shares(solution: PostflopSolution, decision: Decision, lock: Any) -> Floats:
    """What a lock's texts make the hands of a decision do: (actions, 1326), NaN for free ones.

    Examples
    --------
    >>> from pokerlab.holdem.spots import Spot, solve_spot
    >>> spot = Spot("QhJh2c4d7h", "AA, KQs", "QQ, AJs", pot=100, stack=80, bet="a", raise_="")
    >>> solution = solve_spot(spot, iterations=1)
    >>> shares = locked_shares(solution, solution.decision("x"), {"a": "AhJh"})
    >>> np.nansum(shares, axis=1).tolist()
    [0.0, 1.0]
    """
    (found,) = parse_locks(solution.spot, {decision.line: lock})
    return np.where(found.shares < 0, np.nan, found.shares)


def lock_list(solution: PostflopSolution) -> list[dict[str, Any]]:
    """The locks of a solution: who is locked where, with what weight, and a line to look at.

    Examples
    --------
    >>> from pokerlab.holdem.spots import Spot, solve_spot
    >>> spot = Spot("QhJh2c4d", "AA, KQs", "QQ, AJs", pot=100, stack=80, bet="a", raise_="")
    >>> found, = lock_list(solve_spot(spot, iterations=1, locks={"x/x/x": {"x": 0.5}}))
    >>> found["words"], found["look"], found["player"], found["weight"]
    ('after x/x/x, on all rivers', 'x/x', 'ip', 1.0)
    """
    spot = solution.spot
    found = []
    for lock in solution.node_locks:
        street = STREETS[spot.street + lock.level]
        where = f"after {lock.line}" if lock.line else "first decision"
        later = lock.level > 0 and not lock.cards
        found.append(
            {
                "line": lock.line,
                "player": PLAYERS[int(spot.tree.streets[lock.level].player[lock.node])],
                "street": street,
                "weight": lock.weight,
                "words": f"{where}, on all {street}s" if later else where,
                "look": _up_to_the_card(spot, lock.line) if later else lock.line,
            }
        )
    return found


def _up_to_the_card(spot: Spot, line: str) -> str:
    """A line without cards as far as the first card, which the page asks for."""
    actions = Line.parse(line).actions
    for count in range(len(actions) + 1):
        if spot.find(Line(actions[:count])).kind.name == "NEXT_STREET":
            return str(Line(actions[:count]))
    return line


def copy_words(copied: CopiedLock, to: str, by: str) -> str:
    """What a copied lock will do.

    Examples
    --------
    >>> copy_words(CopiedLock({"x/x": {"x": "AA"}}, 48, 30, filled=4, free=1), "rivers", "hand")
    '48 rivers by one lock, 30 hands as here; 4 with a card that came here do what the others of
    their class do, 1 stays free.'
    >>> copy_words(CopiedLock({"x/x/Ks": {}, "x/x/Qs": {}}, 2, 30), "rivers", "made")
    '2 rivers, 2 locks: each hand does what its made hand, with its draws, does here.'
    """
    count = len(copied.locks)
    locks = "by one lock" if count == 1 else f"{count} locks"
    where = f"{copied.boards:,} {to}" if to != RUN_OUTS else f"all {copied.boards:,} run-outs"
    if by == "made":
        return f"{where}, {locks}: each hand does what its made hand, with its draws, does here."
    words = f"{where} {locks}" if count == 1 else f"{where}, {locks}"
    words += f", {copied.hands} {'hand' if copied.hands == 1 else 'hands'} as here"
    more = []
    if copied.filled:
        more.append(
            f"{copied.filled} with a card that came here"
            f" {'does' if copied.filled == 1 else 'do'} what the others of their class do"
        )
    if copied.free:
        more.append(f"{copied.free} {'stays' if copied.free == 1 else 'stay'} free")
    return f"{words}; {', '.join(more)}." if more else f"{words}."


def model_locks(
    model: LineModel,
    solution: PostflopSolution,
    player: str,
    streets: Sequence[str] | None = None,
    *,
    uniform: bool = False,
    half_at: float = 10.0,
    most: float = 1.0,
) -> list[LineLock]:
    """The locks of a model on some streets: by default the first, as ``pokerlab lock-from``.

    On the first street the hands keep the order of the solution, unless `uniform`; on later ones
    every hand does everything as often.
    """
    from pokerlab.players.opponents import line_locks

    spot = solution.spot
    own = [STREETS[spot.street + level] for level in range(len(spot.tree.streets))]
    wanted = list(streets) if streets is not None else own if uniform else own[:1]
    for each in wanted:
        if each not in own:
            raise ValueError(f"streets: {each[:20]!r} is not one of {', '.join(own)}")
    found: list[LineLock] = []
    if not uniform and own[0] in wanted:
        found += line_locks(model, solution, player, most=most, half_at=half_at)
    if uniform or wanted != own[:1]:
        later = line_locks(model, spot, player, most=most, half_at=half_at, uniform=True)
        found += [lock for lock in later if uniform or lock.key.street != own[0]]
    found = [lock for lock in found if lock.key.street in wanted]
    if not found:
        raise ValueError(
            f"streets: {model.player} was never seen at the decisions of {player.upper()} on the"
            f" {' or '.join(wanted)}"
        )
    return found


def model_rows(spot: Spot, found: Sequence[LineLock]) -> list[dict[str, Any]]:
    """The locks of a model for a table."""
    return [
        {
            "line": each.line,
            "street": each.key.street,
            "observations": each.observations,
            "weight": each.lock["weight"],
            "actions": list(each.frequencies),
            "frequencies": list(each.frequencies.values()),
            "before": None if each.before is None else list(each.before.values()),
            "look": _up_to_the_card(spot, each.line),
        }
        for each in found
    ]


def gain_data(first: PostflopSolution, second: PostflopSolution) -> dict[str, Any] | None:
    """What the locks of the second solution are worth: numbers, and a sentence in parts.

    None if the second has no locks of its own, or if more than locks differs.

    Examples
    --------
    >>> from pokerlab.holdem.spots import Spot, solve_spot
    >>> spot = Spot("QhJh2c4d7h", "AA, KQs", "QQ, AJs", pot=100, stack=80)
    >>> free = solve_spot(spot, target="0.1%")
    >>> found = gain_data(free, solve_spot(spot, target="0.1%", locks={"x": {"a": 1}}))
    >>> found["parts"][0], found["told"], gain_data(free, free)
    ('Locking IP after x wins OOP ', True, None)
    """
    try:
        gain = lock_gain(first, second)
    except ValueError:
        return None
    winner = gain.winner
    return {
        "winner": PLAYERS[winner],
        "changes": list(gain.changes),
        "responses": list(gain.responses),
        "epsilon": list(gain.epsilon),
        "told": gain.told,
        "parts": _sentence(gain, second.spot, bool(first.locks)),
    }


def _sentence(gain: LockGain, spot: Spot, other_locks: bool) -> list[Part]:
    winner, change = gain.winner, gain.changes[gain.winner]
    name, response = PLAYERS[winner].upper(), gain.responses[gain.winner]
    locked = " and ".join(f"{PLAYERS[each.seat].upper()} {each.where}" for each in gain.locked)
    start = f"Locking {locked}" + ("," if gain.locked[-1].everywhere else "")
    if other_locks:
        start = start.rstrip(",") + ", in place of the locks of the other solution,"
    exact: list[Part] = [
        " (ε ",
        {"chips": gain.epsilon[0]},
        " without and " if not other_locks else " before and ",
        {"chips": gain.epsilon[1]},
        " with the locks)",
    ]
    if not gain.told:
        return [
            f"{start}: what it is worth to {name} cannot be told, as a change of ",
            {"chips": abs(change)},
            " is below both exploitabilities together",
            *exact,
            ".",
        ]
    share = f", {number_text(100 * abs(change) / spot.pot)}% of the pot"
    parts: list[Part] = [
        f"{start} {'wins' if change > 0 else 'costs'} {name} ",
        {"chips": abs(change)},
        " a hand",
        {"aside": share},
        *exact,
    ]
    other = gain.changes[1 - winner]
    if not spot.constant_sum:
        parts += [
            f"; {PLAYERS[1 - winner].upper()} {'gains' if other > 0 else 'loses'} ",
            {"chips": abs(other)},
        ]
    kept = " that keeps to its own locks" if len(gain.locked) == 2 else ""
    parts += [
        f". Exploiting it: a best response of {name}{kept} to what"
        f" {PLAYERS[1 - winner].upper()} does then wins ",
        {"chips": response},
        " more than the equilibrium." if not other_locks else " more than before.",
    ]
    return parts


def lock_sides(
    solutions: Sequence[PostflopSolution], steps: Sequence[dict[str, Any]]
) -> list[list[dict[str, Any] | None]]:
    """For each step of a line, the lock of that decision in each of some solutions."""
    from pokerlab.holdem.spots.reports.locked import lock_summary

    found = []
    for step in steps:
        sides: list[dict[str, Any] | None] = []
        for solution in solutions:
            try:
                sides.append(lock_summary(solution, solution.decision(to_line(step["line"]))))
            except ValueError:  # the menus of this one do not offer it
                sides.append(None)
        found.append(sides)
    return found

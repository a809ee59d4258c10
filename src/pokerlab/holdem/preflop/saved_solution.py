"""Solutions before the flop as files: `save_preflop` and `load_preflop`, and the menus of charts.

A file is a chart (`pokerlab.holdem.charts`): strategy, values and ranges by class at every line.
The flops are not in it, so what is read back knows its values and its exploitability, but cannot be
solved further.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, replace
from math import isfinite
from pathlib import Path
from types import NoneType
from typing import Any, TypeVar, get_args, get_type_hints

import numpy as np

from pokerlab.games.betting_trees.menus import BLINDS
from pokerlab.holdem.charts.chart import ChartDecision, PreflopChart
from pokerlab.holdem.charts.chart_file import read_chart, round_strategy, write_chart
from pokerlab.holdem.charts.shipped import DEPTHS, shipped_chart, shipped_depth
from pokerlab.holdem.preflop.betting import BIG_BLIND, SMALL_BLIND, PreflopRules
from pokerlab.holdem.preflop.flop_bets import FlopBets, flop_edges
from pokerlab.holdem.preflop.game import PreflopGame
from pokerlab.holdem.preflop.solution import PreflopSolution
from pokerlab.holdem.preflop.solving import EpsilonParts, SolveFacts
from pokerlab.runtime.errors import damage_named, one_line

_Record = TypeVar("_Record")


def save_preflop(
    path: str | Path, solution: PreflopSolution, facts: SolveFacts | None = None
) -> None:
    """Write a solution; `facts` are those of a solve with flops (`SolvedWithFlops.facts`).

    What was read from a file is written as it was read, with the facts of that file.

    Examples
    --------
    >>> import tempfile
    >>> from pokerlab.holdem.preflop import solve_push_fold
    >>> file = Path(tempfile.mkdtemp()) / "pushes.safetensors"
    >>> save_preflop(file, solve_push_fold(10))
    >>> load_preflop(file)
    <PreflopSolution 10 bb lp, exploitability ... bb>
    """
    write_chart(path, solution.chart or _chart(solution, facts))


def load_preflop(path: str | Path) -> PreflopSolution:
    """Read what `save_preflop` wrote; `ValueError` names the file and what is wrong with it."""
    chart = read_chart(path)
    with damage_named(path):
        facts_of(chart)
        return solution_of(chart)


def usual_menus(stack: float) -> tuple[PreflopRules, FlopBets]:
    """The menus before and after the flop for a stack in big blinds.

    From 20 big blinds on they are those of the chart of the package whose depth is nearest, by the
    ratio of the stacks. With fewer, all-in is the only raise that is larger than the smallest, and
    the only bet of turns and rivers.

    Examples
    --------
    >>> rules, bets = usual_menus(90)
    >>> rules.stack, rules.raises, rules.limp_raises
    (90, '2.5x, 3.5x; 4x, a; 2.3x, a; a', '3x; 3x; a')
    >>> bets.bet
    'flop: 50%; turn: 75%; river: 100%'
    >>> usual_menus(10)[0].raises
    '2x, a; a'
    """
    if stack < DEPTHS[0]:
        return PreflopRules(stack), FlopBets()
    chart = shipped_chart(shipped_depth(min(stack, DEPTHS[-1])))
    facts = facts_of(chart)
    bets = FlopBets() if facts is None else facts.bets
    return replace(solution_of(chart).rules, stack=stack), bets


def solution_of(chart: PreflopChart) -> PreflopSolution:
    """The solution of a chart of two players; `ValueError` if it is not one."""
    if len(chart.players) != 2:
        raise ValueError(f"it is for {len(chart.players)} players; only two can be shown")
    rules = _read("rules", PreflopRules, chart.facts.get("rules"))
    posted = rules.small_blind, rules.ante
    if chart.stacks != (rules.stack,) * 2 or (chart.small_blind, chart.ante) != posted:
        raise ValueError("its stacks and blinds are not those of its rules")
    game = PreflopGame(rules)
    if _decisions(game) != chart.decisions:
        raise ValueError("its decisions are not those of its rules")
    method = _typed("method", chart.facts.get("method"), str)
    exploitability = _typed("exploitability", chart.facts.get("exploitability"), float)
    return PreflopSolution(game, [chart.strategy], exploitability, method, chart)


def facts_of(chart: PreflopChart) -> SolveFacts | None:
    """How the solution of a chart was found; None if nobody bets after the flop."""
    found = chart.facts.get("solve")
    return None if found is None else _read("solve", SolveFacts, found)


def _chart(solution: PreflopSolution, facts: SolveFacts | None) -> PreflopChart:
    game, rules = solution.game, solution.rules
    rounded = [round_strategy(each) for each in solution.strategy]
    if (rounded[0] != solution.strategy[0]).any():  # what the file says is true of what it holds
        exploitability = game.exploitability(rounded)
        solution = PreflopSolution(game, rounded, exploitability, solution.method)
    street = game.streets[0]
    nodes = len(street.child)
    ways = street.ways
    values = [solution.place_values(player) for player in (SMALL_BLIND, BIG_BLIND)]
    action_values = np.zeros(solution.strategy[0].shape, np.float32)
    for node, player in enumerate(street.actor):
        following = street.child[node]
        legal = following[following >= 0]
        action_values[node, : len(legal)] = values[player][legal]
    reach = [solution.reaches(player)[ways] for player in (SMALL_BLIND, BIG_BLIND)]
    return PreflopChart(
        players=tuple(each.upper() for each in BLINDS),
        stacks=(float(rules.stack),) * 2,
        small_blind=float(rules.small_blind),
        ante=float(rules.ante),
        decisions=_decisions(game),
        strategy=solution.strategy[0],
        values=np.array([each[:nodes] for each in values], np.float32),
        action_values=action_values,
        flop_lines=_flop_lines(game),
        flop_reach=np.array(reach, np.float32),
        facts={
            "rules": asdict(rules),
            "method": solution.method,
            "exploitability": float(solution.exploitability),
            "solve": None
            if facts is None
            else facts._asdict() | {"parts": facts.parts._asdict(), "bets": asdict(facts.bets)},
        },
    )


def _decisions(game: PreflopGame) -> tuple[ChartDecision, ...]:
    tree = game.tree
    street = tree.streets[0]
    return tuple(
        ChartDecision(tree.line(0, node), int(street.player[node]), tuple(street.labels(node)))
        for node in range(street.nodes)
    )


def _flop_lines(game: PreflopGame) -> tuple[str, ...]:
    """The lines to a flop, in the order of `StreetBetting.ways`."""
    tree, lines = game.tree, []
    street = tree.streets[0]
    for edge in flop_edges(tree).tolist():
        node = int(street.node[edge])
        label = street.labels(node)[edge - int(street.first_edge[node])]
        lines.append(f"{tree.line(0, node)}/{label}".lstrip("/"))
    return tuple(lines)


def _read(name: str, kind: Callable[..., _Record], found: object) -> _Record:
    """A record of the facts; `ValueError` where a field is missing, unknown or of another type."""
    hints = get_type_hints(kind)
    if not isinstance(found, dict):
        raise ValueError(f"facts: {name} is not a mapping")
    if unknown := set(found) - set(hints):
        raise ValueError(f"facts: {name} has an unknown field {one_line(min(unknown), 60)!r}")
    fields = {each: _typed(f"{name}, {each}", value, hints[each]) for each, value in found.items()}
    try:
        return kind(**fields)
    except TypeError:
        raise ValueError(f"facts: a field of {name} is missing") from None


def _typed(name: str, value: object, hint: Any) -> Any:
    """A value of a file as what a field takes; files have floats for whole numbers."""
    accepted = get_args(hint) or (hint,)
    if value is None and NoneType in accepted:
        return None
    kind = accepted[0]
    if kind in (EpsilonParts, FlopBets):
        return _read(name, kind, value)
    if kind in (str, bool) and isinstance(value, kind):
        return value
    number = isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)
    if kind in (int, float) and number and kind(value) == value:
        return kind(value)
    raise ValueError(f"facts: {name} cannot be {one_line(repr(value), 60)}")

"""Solutions before the flop as files: `save_preflop` and `load_preflop`.

A file is a chart (`pokerlab.holdem.charts`): strategy, values and ranges by class at every line.
The flops are not in it, so what is read back knows its values and its exploitability, but cannot be
solved further.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from pokerlab.games.betting_trees.menus import BLINDS
from pokerlab.holdem.charts.chart import ChartDecision, PreflopChart
from pokerlab.holdem.charts.chart_file import read_chart, round_strategy, write_chart
from pokerlab.holdem.preflop.betting import BIG_BLIND, SMALL_BLIND, PreflopRules
from pokerlab.holdem.preflop.flop_bets import FlopBets, flop_edges
from pokerlab.holdem.preflop.game import PreflopGame
from pokerlab.holdem.preflop.solution import PreflopSolution
from pokerlab.holdem.preflop.solving import EpsilonParts, SolveFacts
from pokerlab.runtime.errors import damage_named


def save_preflop(
    path: str | Path, solution: PreflopSolution, facts: SolveFacts | None = None
) -> None:
    """Write a solution; `facts` are those of a solve with flops (`SolvedWithFlops.facts`).

    Examples
    --------
    >>> import tempfile
    >>> from pokerlab.holdem.preflop import solve_push_fold
    >>> file = Path(tempfile.mkdtemp()) / "pushes.safetensors"
    >>> save_preflop(file, solve_push_fold(10))
    >>> load_preflop(file)
    <PreflopSolution 10 bb lp, exploitability ... bb>
    """
    write_chart(path, _chart(solution, facts))


def load_preflop(path: str | Path) -> PreflopSolution:
    """Read what `save_preflop` wrote; `ValueError` names the file and what is wrong with it."""
    chart = read_chart(path)
    with damage_named(path):
        return solution_of(chart)


def solution_of(chart: PreflopChart) -> PreflopSolution:
    """The solution of a chart of two players; `ValueError` if it is not one."""
    if len(chart.players) != 2:
        raise ValueError(f"it is for {len(chart.players)} players; only two can be shown")
    rules = _read_rules(chart.facts)
    game = PreflopGame(rules)
    if _decisions(game) != chart.decisions:
        raise ValueError("its decisions are not those of its rules")
    method, exploitability = chart.facts.get("method"), chart.facts.get("exploitability")
    if not isinstance(method, str) or not isinstance(exploitability, float):
        raise ValueError("facts: method and exploitability must be there")
    return PreflopSolution(game, [chart.strategy], exploitability, method, chart)


def facts_of(chart: PreflopChart) -> SolveFacts | None:
    """How the solution of a chart was found; None if nobody bets after the flop."""
    found = chart.facts.get("solve")
    if found is None:
        return None
    try:
        parts = EpsilonParts(**found["parts"])
        bets = FlopBets(**_with_counts(found["bets"], "max_bets"))
        rest = _with_counts(
            {name: found[name] for name in SolveFacts._fields[2:]},
            "flops",
            "precision",
            "iterations",
        )
    except (KeyError, TypeError, ValueError):
        raise ValueError("facts: what is said of the solve cannot be read") from None
    return SolveFacts(parts, bets, **rest)


def _chart(solution: PreflopSolution, facts: SolveFacts | None) -> PreflopChart:
    game, rules = solution.game, solution.rules
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
        strategy=round_strategy(solution.strategy[0]),
        values=np.array([each[:nodes] for each in values], np.float32),
        action_values=action_values,
        flop_lines=_flop_lines(game),
        flop_reach=np.array(reach, np.float32),
        facts={
            "rules": asdict(rules),
            "method": solution.method,
            "exploitability": float(solution.exploitability),
            "value": solution.value,
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


def _read_rules(facts: Mapping[str, Any]) -> PreflopRules:
    found = facts.get("rules")
    try:
        if not isinstance(found, dict):
            raise TypeError
        return PreflopRules(**found)
    except TypeError:
        raise ValueError("facts: the rules cannot be read") from None


def _with_counts(found: Mapping[str, Any], *names: str) -> dict[str, Any]:
    """The same with whole numbers in place of floats, which is what files have."""
    return {
        name: int(value) if name in names and value is not None else value
        for name, value in found.items()
    }

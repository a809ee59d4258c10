"""Pictures of the reproduction: figures 17 to 21, and what memory costs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import BytesIO
from typing import TYPE_CHECKING, Any

from pokerlab.studies.abstraction.costs import cost_cells
from pokerlab.studies.abstraction.plan import (
    CGH,
    CONSTANTS,
    COST_OPTIONS,
    FIGURE_18_GAMES,
    FIGURE_18_RULES,
    FIGURE_19_GAMES,
    FIGURE_20_RULES,
    OLD_CGH,
    OURS,
    VIEW,
)
from pokerlab.studies.abstraction.results import AbstractionResults
from pokerlab.studies.abstraction.solves import SolveRecord
from pokerlab.studies.abstraction.thesis import FIGURE_18
from pokerlab.views.figure_file import COLOURS, panel_file

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_LOOKS = {"own reach": "-", "plain mean": "--"}
_LABELS = {
    "cfr": "CFR",
    "cfr-return": "CFR, new value",
    OLD_CGH: "CGH",
    CGH: "CGH, new value",
    OURS: "DCFR",
}


def draw_overfitting(results: AbstractionResults) -> bytes:
    """Figure 17: ε in both games to 2,000 iterations (SVG)."""
    with _panels(1, "ε, mbb a game") as (panels, file):
        for colour, groups in zip(COLOURS, ("strength/hierarchical", VIEW), strict=False):
            points = results.solve(results.plan.table_6(groups)).own
            x = [point.iteration for point in points]
            real, abstract = ([point[place] for point in points] for place in (2, 3))
            panels[0].plot(x, real, color=colour, label=f"{groups}, real game")
            panels[0].plot(x, abstract, "--", color=colour, label=f"{groups}, abstraction")
        panels[0].set_yscale("log")
        _name(panels[0], "", "iterations")
    return file.getvalue()


def draw_rules(results: AbstractionResults) -> bytes:
    """Figure 18: CFR, CFR with the new value, CGH and DCFR in view groups (SVG)."""
    plan = results.plan
    with _panels(len(FIGURE_18_GAMES)) as (panels, file):
        for axes, game in zip(panels, FIGURE_18_GAMES, strict=True):
            for colour, rule in zip(COLOURS, FIGURE_18_RULES, strict=False):
                _answers(axes, results.solve(plan.figure_18(game, rule, VIEW)), rule, colour)
            thesis = {} if plan.quick else {"cfr": FIGURE_18["cfr"], CGH: FIGURE_18[OLD_CGH]}
            for rule, value in thesis.items():
                colour = COLOURS[FIGURE_18_RULES.index(rule)]
                last = plan.figure_18(game, rule, VIEW).iterations
                axes.plot([last], [value], "x", color=colour, markersize=7)
            _name(axes, game if plan.quick else f"{game} (× thesis)", "iterations")
    return file.getvalue()


def draw_constants(results: AbstractionResults) -> bytes:
    """Figure 19: CGH by its constant (SVG)."""
    plan = results.plan
    with _panels(len(FIGURE_19_GAMES)) as (panels, file):
        for axes, game in zip(panels, FIGURE_19_GAMES, strict=True):
            for colour, constant in zip(COLOURS, CONSTANTS, strict=False):
                points = results.solve(plan.figure_19(game, constant)).own
                _curve(axes, points, colour, f"c = {constant:g}")
            _name(axes, game, "iterations")
    return file.getvalue()


def draw_thousand(results: AbstractionResults) -> bytes:
    """Figure 20: CFR and CGH over 1,000 iterations on Th6s3c (SVG)."""
    plan = results.plan
    with _panels(1) as (panels, file):
        for colour, rule in zip(COLOURS, FIGURE_20_RULES, strict=False):
            _answers(panels[0], results.solve(plan.figure_20(rule)), rule, colour)
        ranges = plan.range_name(plan.figure_20("cfr").game.hands)
        _name(panels[0], f"Th6s3c, {ranges}, all-in only", "iterations")
    return file.getvalue()


def draw_duel(results: AbstractionResults) -> bytes:
    """Figure 21: what CGH wins from CFR (SVG)."""
    record = results.duel(results.plan.duel("plain mean"))
    with _panels(1, "big blinds won by CGH") as (panels, file):
        games = [point[0] for point in record.curve]
        for place, (colour, seat) in enumerate(
            zip(COLOURS, ("out of position", "in position", "both"), strict=False), 1
        ):
            panels[0].plot(
                games, [point[place] for point in record.curve], color=colour, label=seat
            )
        _name(panels[0], "CGH against CFR (plain mean)", "games")
    return file.getvalue()


def draw_cost(results: AbstractionResults) -> bytes:
    """Memory against ε in the real game at equal time (SVG)."""
    cells = cost_cells(results)
    ranges = list(dict.fromkeys(cell.ranges for cell in cells))
    with _panels(len(ranges), "ε in the real game, mbb a game") as (panels, file):
        for axes, wanted in zip(panels, ranges, strict=True):
            for number, option in enumerate(COST_OPTIONS):
                here = [cell for cell in cells if cell.ranges == wanted and cell.option == option]
                axes.plot(
                    [cell.nbytes / 1e6 for cell in here],
                    [cell.real for cell in here],
                    "os^Dvp*"[number],
                    color=(*COLOURS, "#000000")[number],
                    label=option,
                )
            axes.set_xscale("log")
            axes.set_yscale("log")
            _name(axes, f"ranges: {wanted}", "megabytes of tables", legend=False)
        # Points are everywhere: the legend has a place of its own.
        panels[-1].legend(frameon=False, fontsize=8, loc="upper left", bbox_to_anchor=(1.0, 1.0))
    return file.getvalue()


def _answers(axes: Axes, record: SolveRecord, rule: str, colour: str) -> None:
    """The curves of a rule's answers; the last strategy only where there is no other."""
    for answer, points in record.curves.items():
        if len(record.curves) == 1:
            _curve(axes, points, colour, _LABELS[rule])
        elif answer != "last":
            label = _LABELS[rule] + (", plain mean" if answer == "plain mean" else "")
            _curve(axes, points, colour, label, _LOOKS[answer])


def _curve(axes: Axes, points: Sequence[Any], colour: str, label: str, look: str = "-") -> None:
    x = [point.iteration for point in points]
    axes.plot(x, [point.abstract for point in points], look, color=colour, label=label)
    axes.set_xscale("log")
    axes.set_yscale("log")


def _name(axes: Axes, title: str, across: str, *, legend: bool = True) -> None:
    axes.set_title(title, loc="left", fontsize=10)
    axes.set_xlabel(across)
    if legend:
        axes.legend(frameon=False, fontsize=8)


@contextmanager
def _panels(
    count: int, upwards: str = "ε in the abstraction, mbb a game"
) -> Iterator[tuple[Sequence[Any], BytesIO]]:
    """Panels, two in a row; when they are drawn, the file."""
    with panel_file(-(-count // 2), min(count, 2), 5.4, 3.8) as (panels, file):
        for axes in panels:
            axes.set_ylabel(upwards)
        yield panels, file

"""The figure of the race: exploitability against iterations and against time, game by game.

Colours are those of Okabe and Ito, which people with any kind of colour vision can tell apart;
line styles and labels at the ends of the curves say the same again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from pokerlab.runtime.arrays import Floats
from pokerlab.solvers import Rule, parse_rule
from pokerlab.solvers.rules import Cgh, CghReturn
from pokerlab.studies.cgh.curve import RaceCurve, RaceResult, thinned
from pokerlab.views.figure_file import figure_file, plain_axes, with_few_colours

if TYPE_CHECKING:
    from matplotlib.axes import Axes


_PLAIN = "cgh(0.2)"
"""The CGH that the thesis found best."""
_LOWEST = 1e-8
"""The axis ends here: nobody needs a better strategy."""
_WIDTH, _HEIGHT, _DOTS = 5.4, 4.2, 90
"""Inches a panel with its labels, dots an inch."""
_BESIDE, _ABOVE = 2.1, 0.8
"""Inches of a panel that are not axes."""
_LABEL, _LEADING = 8.5, 1.25
_WINDOW = 1.25
"""Curves that go up and down are shown by their median in windows of this factor."""
_FINE = 1.08
"""Where the going up and down is the point, every measurement that lies so far apart is drawn."""
_CAPTION = 0.25
_NOTE = (
    "Comparisons show the median in windows of 25 %; the band is the lowest and highest of CGH 0.2 "
    "in each."
)
_NOTE_3 = " The last row shows single measurements."


@dataclass(frozen=True)
class _Look:
    """How a curve is drawn."""

    label: str
    colour: str
    style: str | tuple[float, tuple[float, ...]] = "-"
    width: float = 1.4


@dataclass(frozen=True, eq=False)
class _Line:
    """A curve in a panel; `band` is the lowest and the highest around it."""

    look: _Look
    x: Floats
    y: Floats
    band: tuple[Floats, Floats] | None = None


_DASHED, _DOTTED, _MIXED = (0.0, (5.0, 2.0)), (0.0, (1.2, 1.2)), (0.0, (6.0, 1.5, 1.2, 1.5))
_BLACK, _GREY, _BLUE, _SKY, _GREEN = "#000000", "#777777", "#0072B2", "#56B4E9", "#009E73"
_PURPLE, _OLIVE, _VERMILLION, _ORANGE = "#CC79A7", "#7A7A00", "#D55E00", "#E69F00"
_INDIGO = "#332288"  # not one of theirs, but far from all of them in lightness

_LOOKS = {
    "cfr": _Look("CFR", _BLACK, width=2.2),
    "cfr-return": _Look("CFR-return", _GREY, _DASHED),
    "cfr+(1)": _Look("CFR+", _BLUE, width=1.8),
    "linear": _Look("linear CFR", _SKY, _DASHED, 1.8),
    "dcfr(1.5,0,2)": _Look("DCFR", _GREEN, width=1.8),
    "dcfr(1.5,0,2,0.1)": _Look("DCFR, trials", _GREEN, _DASHED, 1.8),
    "dcfr(1.3,0.5,3)": _Look("DCFR 1.3", _INDIGO, width=1.4),
    "dcfr(1.3,0.5,3,0.1)": _Look("DCFR 1.3, trials", _INDIGO, _DASHED, 2.0),
    "pcfr+(2)": _Look("PCFR+", _PURPLE, width=1.8),
    "fp": _Look("fictitious play", _OLIVE, _MIXED, 1.6),
    "fp-naive": _Look("naive fict. play", _OLIVE, _DOTTED, 1.6),
    "cgh(0)": _Look("CGH 0", "#EFA35C", _DOTTED, 1.8),
    "cgh(0.1)": _Look("CGH 0.1", _ORANGE, _DASHED, 1.6),
    "cgh(0.175)": _Look("CGH 0.175", "#EE7733", width=1.2),
    "cgh(0.2)": _Look("CGH 0.2", _VERMILLION, width=2.4),
    "cgh(0.3)": _Look("CGH 0.3", "#8B3A00", _MIXED, 1.6),
    "cgh-return(0.2)": _Look("new value returned", _SKY, _DASHED),
    "cgh(0.2,0)": _Look("mean", _PURPLE, _DOTTED, 2.0),
    "cgh(0.2,1)": _Look("linear mean", _BLUE, width=1.8),
    "cgh(0.2,2)": _Look("quadratic mean", _GREEN, _DASHED, 1.8),
}
_KEPT = _Look("best iterate kept", "#8B3A00", _DASHED, 1.4)
_FALLBACK = (_BLUE, _GREEN, _PURPLE, _ORANGE, _SKY, _OLIVE)


def draw_race(result: RaceResult, kind: str) -> bytes:
    """Draw a race as ``"png"`` or ``"svg"``; `ValueError` where matplotlib is not installed.

    A column a game: against iterations, against seconds, and what is done against the rises
    of CGH where rules for that have raced.
    """
    rows = 3 if any(_damps(parse_rule(rule)) for rule in result.rules) else 2
    width, height = _WIDTH * len(result.games), _HEIGHT * rows + _CAPTION
    with figure_file(width, height, kind, dots=_DOTS) as (figure, file):
        panels = figure.subplots(rows, len(result.games), squeeze=False)
        figure.subplots_adjust(
            left=0.65 / width,
            right=1 - 1.45 / width,
            top=1 - 0.35 / height,
            bottom=(0.5 + _CAPTION) / height,
            wspace=_BESIDE / (_WIDTH - _BESIDE),
            hspace=_ABOVE / (_HEIGHT - _ABOVE),
        )
        panel = _HEIGHT - _ABOVE  # without what is above and below the axes
        for column, game in enumerate(result.games):
            curves = [curve for curve in result.curves if curve.game == game]
            racers = [curve for curve in curves if not _damps(parse_rule(curve.rule))]
            lines = _comparison(racers, time=False)
            _paint(panels[0][column], lines, "iterations", f"{game}: against iterations", panel)
            lines = _comparison(racers, time=True)
            axis = "seconds (iterations × time of one)"
            _paint(panels[1][column], lines, axis, f"{game}: against seconds", panel)
            if rows == 3:
                title = f"{game}: can the rises of CGH 0.2 be damped?"
                _paint(panels[2][column], _damping(curves), "iterations", title, panel)
        for row in panels:
            row[0].set_ylabel("exploitability (chips a game)")
        note = _NOTE + _NOTE_3 if rows == 3 else _NOTE
        figure.text(0.65 / width, 0.12 / height, note, fontsize=_LABEL, color="#444444")
    return file.getvalue() if kind == "svg" else with_few_colours(file.getvalue(), 255)


def _damps(rule: Rule) -> bool:
    """Whether a rule is there to be compared with plain CGH, in a panel of its own."""
    return isinstance(rule, CghReturn) or (isinstance(rule, Cgh) and rule.averages)


def _comparison(curves: Sequence[RaceCurve], *, time: bool) -> list[_Line]:
    lines = []
    for number, curve in enumerate(curves):
        x, low, middle, high = _windows(curve)
        if time:
            x = x * curve.microseconds / 1e6
        band = (low, high) if curve.rule == _PLAIN else None
        lines.append(_Line(_look(curve.rule, number), x, middle, band))
    return lines


def _windows(curve: RaceCurve) -> tuple[Floats, Floats, Floats, Floats]:
    """The middles of windows, and the lowest, median and highest exploitability in each."""
    starts = thinned(curve.iterations, _WINDOW)
    windows = [slice(here, end) for here, end in pairwise([*starts, len(curve.points)])]
    x = np.array([np.exp(np.log(curve.iterations[window]).mean()) for window in windows])
    x[-1] = curve.iterations[-1]  # the curve ends where the race does
    low, middle, high = (
        np.array([of(curve.exploitability[window]) for window in windows])
        for of in (np.min, np.median, np.max)
    )
    return x, low, middle, high


def _damping(curves: Sequence[RaceCurve]) -> list[_Line]:
    lines = []
    for number, curve in enumerate(curves):
        if curve.rule not in ("cfr", _PLAIN) and not _damps(parse_rule(curve.rule)):
            continue
        place = thinned(curve.iterations, _FINE)
        x = curve.iterations[place].astype(np.float64)
        lines.append(_Line(_look(curve.rule, number), x, curve.exploitability[place]))
        if curve.rule == _PLAIN:
            lines.append(_Line(_KEPT, x, curve.best[place]))
    return lines


def _look(rule: str, number: int) -> _Look:
    return _LOOKS.get(rule) or _Look(rule, _FALLBACK[number % len(_FALLBACK)], _MIXED)


def _paint(axes: Axes, lines: Sequence[_Line], across: str, title: str, inches: float) -> None:
    for line in lines:
        look = line.look
        axes.plot(
            line.x,
            line.y,
            color=look.colour,
            linestyle=look.style,
            linewidth=look.width,
            zorder=2 + look.width,
        )
        if line.band is not None:
            axes.fill_between(line.x, *line.band, color=look.colour, alpha=0.18, linewidth=0)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.minorticks_off()
    axes.set_xlim(min(line.x[0] for line in lines), max(line.x[-1] for line in lines))
    low = max(0.6 * min(line.y.min() for line in lines), _LOWEST)
    high = 1.6 * max(line.y.max() for line in lines)
    axes.set_ylim(low, high)
    axes.set_xlabel(across)
    axes.set_title(title, loc="left", fontsize=10.5, fontweight="bold")
    plain_axes(axes)
    _label(axes, lines, low, high, inches)


def _label(axes: Axes, lines: Sequence[_Line], low: float, high: float, inches: float) -> None:
    """Write the name of each curve beside its end, pushed apart where ends are close."""
    from matplotlib.colors import to_rgb

    ends = []
    for line in lines:
        visible = np.flatnonzero(line.y >= low)
        last = visible[-1] if len(visible) else 0
        ends.append((float(line.x[last]), max(float(line.y[last]), low)))
    heights = [float(np.log(y / low) / np.log(high / low)) for _, y in ends]
    places = spread(heights, _LABEL * _LEADING / (72 * inches))
    for line, end, place in zip(lines, ends, places, strict=True):
        red, green, blue = to_rgb(line.look.colour)
        axes.annotate(
            line.look.label,
            xy=end,
            xytext=(1.07, place),
            textcoords="axes fraction",
            va="center",
            fontsize=_LABEL,
            color=(0.8 * red, 0.8 * green, 0.8 * blue),  # thin letters look paler than lines
            annotation_clip=False,
            arrowprops={
                "arrowstyle": "-",
                "color": line.look.colour,
                "linewidth": 0.6,
                "shrinkA": 1,
                "shrinkB": 0,
                "relpos": (0, 0.5),
            },
        )


def spread(places: Sequence[float], step: float) -> list[float]:
    """Move places in 0 … 1 apart to at least `step`, their order kept.

    Examples
    --------
    >>> [round(place, 2) for place in spread([0.5, 0.5, 0.9], 0.1)]
    [0.45, 0.55, 0.9]
    >>> [round(place, 2) for place in spread([0.0, 0.0, 0.05], 0.1)]
    [0.0, 0.1, 0.2]
    """
    groups: list[list[int]] = []  # of neighbours that touch, in order
    for number in sorted(range(len(places)), key=lambda number: places[number]):
        groups.append([number])
        while len(groups) > 1 and _overlap(groups[-2], groups[-1], places, step):
            groups[-2:] = [groups[-2] + groups[-1]]
    found = list(places)
    for group in groups:
        for rank, number in enumerate(group):
            found[number] = _bottom(group, places, step) + rank * step
    return found


def _overlap(
    lower: Sequence[int], upper: Sequence[int], places: Sequence[float], step: float
) -> bool:
    top = _bottom(lower, places, step) + len(lower) * step
    return top > _bottom(upper, places, step) + 1e-9


def _bottom(group: Sequence[int], places: Sequence[float], step: float) -> float:
    """Where the lowest of a group is put: the group is centred on the mean of its places."""
    size = (len(group) - 1) * step
    middle = sum(places[number] for number in group) / len(group)
    return max(0.0, min(middle - size / 2, 1.0 - size))

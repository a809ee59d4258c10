"""Curves as SVG, with a logarithmic axis upwards: how a solve came closer."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape
from typing import TypeAlias

Points: TypeAlias = Sequence[tuple[float, float]]

_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
"""Those of Okabe and Ito, which people with any kind of colour vision can tell apart; all can be
seen on white and on black."""
_LEAST = 1e-9
_WIDTH, _HEIGHT = 460, 260
_LEFT, _RIGHT, _TOP, _BOTTOM = 62, 26, 14, 40
_FONT = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',sans-serif"


def curves_svg(curves: Mapping[str, Points], *, label: str, across: str, up: str) -> str:
    """Draw curves of positive numbers; both axes are logarithmic where the first allows it.

    Parameters
    ----------
    curves
        By name, the points (across, up). Those that are not above 0 upwards are left out.
    label
        What the picture shows, for those who do not see it.
    across, up
        What the axes mean.

    Examples
    --------
    >>> picture = curves_svg({"cfr": [(1, 1.0), (10, 0.1), (100, 0.01)]}, label="a race",
    ...                      across="iterations", up="exploitability")
    >>> picture.count("<polyline"), ">0.01</text>" in picture, ">100</text>" in picture
    (1, True, True)
    """
    every = [
        (name, x, y)
        for name, points in curves.items()
        for x, y in points
        if x >= 0 and 0 < y < math.inf
    ]
    # The beginning of a solve, 0 iterations, has no logarithm.
    positive = [x for _, x, _ in every if x > _LEAST]
    logarithmic = bool(positive) and max(positive) >= 20 * min(positive)
    drawn: dict[str, list[tuple[float, float]]] = {}
    for name, x, y in every:
        if x > _LEAST or not logarithmic:
            drawn.setdefault(name, []).append((x, y))
    if not drawn:
        return f'<p class="quiet">{escape(label)}: nothing was measured</p>'
    ups = _decades([y for points in drawn.values() for _, y in points])
    columns = _decades(positive) if logarithmic else _steps(max(positive, default=1.0))
    found = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" '
        f'width="{_WIDTH}" height="{_HEIGHT}" role="img" aria-label="{escape(label)}" '
        f'style="max-width:100%;height:auto;{_FONT}" font-size="11">',
        '<g stroke="currentColor" stroke-opacity=".18">',
    ]
    horizontal = [_up(tick, ups) for tick in ups]
    vertical = [_across(tick, columns, logarithmic=logarithmic) for tick in columns]
    found += [f'<path d="M{_LEFT} {y:.1f}H{_WIDTH - _RIGHT}"/>' for y in horizontal]
    found += [f'<path d="M{x:.1f} {_TOP}V{_HEIGHT - _BOTTOM}"/>' for x in vertical]
    found.append('</g><g fill="currentColor" fill-opacity=".8" text-anchor="end">')
    for tick, y in _thinned(ups, horizontal, 14):
        found.append(f'<text x="{_LEFT - 6}" y="{y + 4:.1f}">{_tick(tick)}</text>')
    found.append('</g><g fill="currentColor" fill-opacity=".8" text-anchor="middle">')
    for tick, x in _thinned(columns, vertical, 46):
        found.append(f'<text x="{x:.1f}" y="{_HEIGHT - _BOTTOM + 16}">{_tick(tick)}</text>')
    middle = (_LEFT + _WIDTH - _RIGHT) / 2
    half = (_TOP + _HEIGHT - _BOTTOM) / 2
    found += [
        f'<text x="{middle:.0f}" y="{_HEIGHT - 6}">{escape(across)}</text>',
        f'<text transform="translate(12 {half:.0f}) rotate(-90)">{escape(up)}</text></g>',
    ]
    for number, (name, points) in enumerate(drawn.items()):
        colour = _COLOURS[number % len(_COLOURS)]
        places = [(_across(x, columns, logarithmic=logarithmic), _up(y, ups)) for x, y in points]
        line = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        found.append(
            f'<polyline fill="none" stroke="{colour}" stroke-width="2" points="{line}">'
            f"<title>{escape(name)}</title></polyline>"
        )
        x, y = places[-1]
        found.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>')
        if len(drawn) > 1:
            found.append(
                f'<text x="{_WIDTH - _RIGHT - 4}" y="{_TOP + 14 + 15 * number}" text-anchor="end" '
                f'fill="{colour}">{escape(name)}</text>'
            )
    return "".join([*found, "</svg>"])


def _decades(values: Sequence[float]) -> list[float]:
    """The powers of ten around some numbers, at least two of them."""
    low = math.floor(math.log10(min(values)) + 1e-9)
    high = max(math.ceil(math.log10(max(values)) - 1e-9), low + 1)
    return [10.0**power for power in range(low, high + 1)]


def _steps(most: float) -> list[float]:
    """A few round numbers from 0 to at least `most`."""
    size = 10.0 ** math.floor(math.log10(most))
    step = next(size * part for part in (0.2, 0.5, 1, 2, 5) if most <= 5 * size * part + 1e-12)
    return [step * number for number in range(math.ceil(most / step - 1e-9) + 1)]


def _up(value: float, ticks: Sequence[float]) -> float:
    low, high = math.log10(ticks[0]), math.log10(ticks[-1])
    share = (math.log10(value) - low) / (high - low)
    return _HEIGHT - _BOTTOM - share * (_HEIGHT - _BOTTOM - _TOP)


def _across(value: float, ticks: Sequence[float], *, logarithmic: bool) -> float:
    low, high = ticks[0], ticks[-1]
    if logarithmic:
        low, high, value = math.log10(low), math.log10(high), math.log10(value)
    return _LEFT + (value - low) / (high - low) * (_WIDTH - _LEFT - _RIGHT)


def _thinned(
    ticks: Sequence[float], places: Sequence[float], least: float
) -> list[tuple[float, float]]:
    """Those with so much room between them that their names do not touch."""
    kept: list[tuple[float, float]] = []
    for tick, place in zip(ticks, places, strict=True):
        if not kept or abs(place - kept[-1][1]) >= least:
            kept.append((tick, place))
    return kept


def _tick(value: float) -> str:
    return f"{value:,.10g}" if 1e-4 <= value < 1e7 or value == 0 else f"{value:.0e}"

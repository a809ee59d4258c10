"""The ranges of a solution as a file that spots take (``--ranges``)."""

from __future__ import annotations

import tomli_w

from pokerlab.holdem.preflop.solution import PreflopSolution

_POSITIONS = ("SB", "BB")
_DIGITS = 4
"""Weights are rounded, and hands that are there less often than that are left out."""


def ranges_toml(solution: PreflopSolution) -> str:
    """The ranges after every line, by story.

    See `pokerlab.holdem.spots.question.preflop_ranges` for the format.

    Examples
    --------
    >>> from pokerlab.holdem.preflop import solve_push_fold
    >>> ranges_toml(solve_push_fold(2.5)).splitlines()[:2]
    ['players = 2', 'stack = 2.5']
    """
    rules = solution.rules
    ranges = {}
    for line, _, hands in solution.lines():
        rounded = type(hands)(hands.weights.round(_DIGITS))
        if rounded:
            ranges[_story(line)] = str(rounded)
    fields = {
        "players": 2,
        "stack": rules.stack,
        "small_blind": rules.small_blind,
        "ante": rules.ante,
        "ranges": ranges,
    }
    return tomli_w.dumps(fields)


def _story(line: str) -> str:
    """A line as players tell it; the players act in turn.

    Examples
    --------
    >>> _story("c/r2/c")
    'SB limp, BB raise 2, SB call'
    """
    parts = []
    for turn, label in enumerate(line.split("/")):
        verb = {"x": "check", "c": "call", "a": "all-in"}.get(label, f"raise {label[1:]}")
        if turn == 0 and label == "c":
            verb = "limp"
        parts.append(f"{_POSITIONS[turn % 2]} {verb}")
    return ", ".join(parts)

"""The ranges of a solution as a file that spots take (``--ranges``)."""

from __future__ import annotations

import tomli_w

from pokerlab.holdem.preflop.betting import PreflopTree
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
    rules, tree = solution.rules, solution.game.tree
    ranges = {}
    for line, _, hands in solution.lines():
        rounded = type(hands)(hands.weights.round(_DIGITS))
        if rounded:
            ranges[_story(tree, line)] = str(rounded)
    fields = {
        "players": 2,
        "stack": rules.stack,
        "small_blind": rules.small_blind,
        "ante": rules.ante,
        "ranges": ranges,
    }
    return tomli_w.dumps(fields)


def _story(tree: PreflopTree, line: str) -> str:
    """A line as players tell it.

    Examples
    --------
    >>> from pokerlab.holdem.preflop import PreflopRules
    >>> _story(PreflopTree(PreflopRules(10, "2x; a")), "c/r2/c")
    'SB limp, BB raise 2, SB call'
    """
    parts, here = [], 0
    for label in line.split("/"):
        node = tree.nodes[here]
        assert node.player is not None
        verb = {"x": "check", "c": "call", "a": "all-in"}.get(label, f"raise {label[1:]}")
        if label == "c" and node.aggressor is None:
            verb = "limp"
        parts.append(f"{_POSITIONS[node.player]} {verb}")
        here = node.children[node.actions.index(label)]
    return ", ".join(parts)

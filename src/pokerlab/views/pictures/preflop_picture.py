"""Play before the flop in a notebook: matrices of decisions, and charts by depth."""

from __future__ import annotations

from html import escape
from typing import Final

import numpy as np

from pokerlab.cards.codes import RANKS
from pokerlab.cards.hand_classes import CLASS_NAMES, GRID
from pokerlab.games.betting_trees.lines import action_words
from pokerlab.holdem.preflop.push_fold import PushFoldChart
from pokerlab.holdem.preflop.solution import PreflopSolution, PreflopView
from pokerlab.views.pictures.grids import heat_svg
from pokerlab.views.pictures.hand_pictures import strategy_svg
from pokerlab.views.pictures.palette import action_colours
from pokerlab.views.pictures.tables import block_html, percent_text, row_html, swatch, table_html

_PLAYERS: Final = ("small blind", "big blind")
_MOST = 4
"""Decisions of a solution that are drawn; a tree with raises has more."""


def solution_html(solution: PreflopSolution) -> str:
    """The value of the game, and the first decisions."""
    lines = solution.decisions
    matrices = [
        f"<p><b>{_title(view)}</b></p>{_decision(view)}" for view in _views(solution, lines)
    ]
    rest = len(lines) - len(matrices)
    more = f'<p class="quiet">{rest} more decisions: .at(LINE) shows one</p>' if rest > 0 else ""
    how = (
        f"<p>the small blind wins {solution.value:+.4f} bb a hand; exploitability "
        f"{solution.exploitability:.3g} bb</p>"
    )
    title = f"{solution.rules.stack:g} big blinds before the flop, by {escape(solution.method)}"
    return block_html(title, how, row_html(*matrices), more)


def view_html(view: PreflopView) -> str:
    """A decision."""
    return block_html(_title(view), _decision(view))


def chart_html(chart: PushFoldChart) -> str:
    """The largest depth at which each hand is played, of both players."""
    most = float(chart.stacks[-1])
    maps = []
    for player, words in enumerate(("small blind pushes up to", "big blind calls up to")):
        depths = chart.thresholds(player)
        shown = [
            "" if np.isnan(depth) else f"{depth:.1f}{'+' if depth == most else ''}"
            for depth in depths
        ]
        ranks = list(RANKS[::-1])
        picture = heat_svg(
            depths.reshape(GRID, GRID).tolist(),
            [shown[row : row + GRID] for row in range(0, GRID * GRID, GRID)],
            label=f"{words}, in big blinds",
            rows=ranks,
            columns=ranks,
            titles=[
                f"{name} {text or 'never'}" for name, text in zip(CLASS_NAMES, shown, strict=True)
            ],
        )
        maps.append(f"<p>{words}</p>{picture}")
    title = f"push or fold, {chart.stacks[0]:g} to {most:g} big blinds; suited above the diagonal"
    return block_html(title, row_html(*maps))


def _views(solution: PreflopSolution, lines: list[str]) -> list[PreflopView]:
    return [solution.at(line) for line in lines[:_MOST]]


def _title(view: PreflopView) -> str:
    after = f" after {view.line}" if view.line else ""
    return f"{_PLAYERS[view.player]}{after}"


def _decision(view: PreflopView) -> str:
    actions = view.actions
    table = table_html(
        ["action", "frequency"],
        [
            [swatch(colour, action_words(action)), percent_text(share)]
            for action, colour, share in zip(
                actions, action_colours(actions), view.frequencies.tolist(), strict=True
            )
        ],
    )
    return table + strategy_svg(actions, view.strategy, view.reach, label=_title(view))

"""A solved small game in a notebook: its ε, its strategy, the curve."""

from __future__ import annotations

from html import escape

from pokerlab.pictures.palette import action_colours, css
from pokerlab.pictures.tables import Markup, block_html, row_html, table_html
from pokerlab.solvers.solution import Solution
from pokerlab.solvers.strategy import Strategy

_MOST = 40
"""Information sets that are shown."""


def solution_html(solution: Solution) -> str:
    """Values, exploitability, the strategy and the curve."""
    values = "&ensp;".join(f"{value:+.6f}" for value in solution.values)
    how = (
        f"<p>exploitability {solution.exploitability:.6g} (NashConv {solution.nash_conv:.6g}); "
        f"{solution.iterations:,} iterations in {solution.seconds:,.2f} s "
        f"({escape(solution.stopped)})</p><p>values {values}</p>"
    )
    curve = solution.history.svg() if solution.history else ""
    title = f"{escape(solution.game)} by {escape(solution.rule)}"
    return block_html(title, how, row_html(_table(solution.strategy), curve))


def strategy_html(strategy: Strategy) -> str:
    """The information sets, each with its strategy."""
    return block_html(f"{len(strategy):,} information sets", _table(strategy))


def _table(strategy: Strategy) -> str:
    sets = strategy.infosets
    rows = []
    for number, name in enumerate(sets.names[:_MOST]):
        chosen = strategy[name]
        plays = "  ".join(f"{action} {chance:.4f}" for action, chance in chosen.items())
        rows.append([name, str(sets.player[number]), _bar(chosen), plays])
    return table_html(
        ["has seen", "player", "", "plays"],
        rows,
        left=len(sets) - len(rows),
        more=": strategy.to_frame() has them all",
    )


def _bar(chosen: dict[str, float]) -> Markup:
    """What is played, as parts of a bar; the actions of games without bets have their order."""
    actions = list(chosen)
    colours = action_colours(actions)
    stops, end = [], 0.0
    for colour, share in zip(colours, chosen.values(), strict=True):
        stops.append(f"{css(colour)} {100 * end:.1f}% {100 * (end + share):.1f}%")
        end += share
    style = (
        "display:inline-block;width:90px;height:.9em;vertical-align:middle;"
        f"background:linear-gradient(to right,{','.join(stops)})"
    )
    return Markup(f'<span style="{style}"></span>')

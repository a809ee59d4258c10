"""A solution in a notebook: the spot, its ε, the first decision, the curve."""

from __future__ import annotations

from pokerlab.cards.hand_pictures import cards_html, class_shares, strategy_svg
from pokerlab.pictures.palette import action_colours
from pokerlab.pictures.tables import (
    block_html,
    number_text,
    percent_text,
    row_html,
    swatch,
    table_html,
)
from pokerlab.postflop.answer.solution import PostflopSolution
from pokerlab.postflop.question.menus import SEATS


def solution_html(solution: PostflopSolution) -> str:
    """The whole block, without EVs of single hands, which may take a walk over the tree."""
    spot, reached = solution.spot, solution.exploitability
    title = f"{cards_html(spot.board)} · pot {spot.pot:,.6g}, stacks {spot.stack:,.6g}"
    inside = solution.exploitability_abstract
    abstract = "" if inside is None else f", {inside.percent:.3g}% inside the groups"
    locked = f", {len(solution.locks)} locked" if solution.locks else ""
    how = (
        f"<p>exploitability {reached.chips:.3g} chips, {reached.percent:.3g}% of the pot{abstract}"
        f"{locked}; {solution.iterations:,} iterations in {solution.seconds:,.2f} s</p>"
    )
    players = table_html(
        ["player", "combos", "equity", "takes", "bound"],
        [
            [
                name,
                f"{spot.ranges[seat].remove(spot.board).combos:,.1f}",
                percent_text(solution.equities[seat]),
                number_text(solution.values[seat], 3),
                number_text(solution.best_values[seat], 3),
            ]
            for seat, name in enumerate(SEATS)
        ],
    )
    curve = solution.history.svg(1 / spot.pot * 100, "% of the pot")
    return block_html(title, how, row_html(_first_decision(solution), players + curve))


def _first_decision(solution: PostflopSolution) -> str:
    view = solution.decision()
    shares, arriving = class_shares(view.weights[view.player], view.strategy)
    legend = " &nbsp; ".join(
        swatch(colour, f"{action} {percent_text(share)}")
        for action, colour, share in zip(
            view.actions, action_colours(view.actions), view.frequencies.tolist(), strict=True
        )
    )
    label = f"the first decision, {SEATS[view.player]}"
    return f"<p>{label}: {legend}</p>{strategy_svg(view.actions, shares, arriving, label=label)}"

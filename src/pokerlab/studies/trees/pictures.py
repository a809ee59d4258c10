"""A picture of any game from any side, with what a strategy does in it.

This is what ``pokerlab game tree`` draws: a view, limited by depth or path, with probabilities on
the edges and values, reach, differences and information sets at the nodes.
"""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from pokerlab.runtime.arrays import Floats
from pokerlab.solvers.strategy import StrategyLike, probabilities
from pokerlab.trees import GameTree, View, influence, make_view, showdowns, view_names
from pokerlab.trees.chance_tree import chance_reach
from pokerlab.trees.drawing import Mark, draw
from pokerlab.trees.drawing.drawing import DRAW_LIMIT, Drawing, number_text

SHOWN = ("strategy", "values", "reach", "deltas", "infosets")
"""What a picture can show."""


def tree_picture(
    tree: GameTree,
    view: str = "game",
    *,
    strategy: StrategyLike | None = None,
    compare: StrategyLike | None = None,
    show: Collection[str] = (),
    seat: int | None = None,
    move: tuple[int, str] | None = None,
    path: str = "",
    depth: int | None = None,
    title: str = "",
    limit: int = DRAW_LIMIT,
) -> Drawing:
    """Draw a view of a game.

    Parameters
    ----------
    tree
        The game.
    view
        Its name (see `view_names`).
    strategy
        How all play.
    compare
        Another strategy; ``deltas`` are by how much values differ from what they are there.
    show
        Any of `SHOWN`; all but ``infosets`` need a strategy. Without, a strategy shows its
        probabilities. A chance tree has no player in it: it shows deals and their results,
        takes no strategy and none of `SHOWN`.
    seat
        Whose values; by default of the owner of a player tree, else of seat 0.
    move
        A seat and a path in its tree; what that move influences is drawn in blue.
    path, depth, title, limit
        See `draw`.

    Examples
    --------
    >>> from pokerlab.games import load_game
    >>> from pokerlab.solvers import Strategy
    >>> tree = GameTree.build(load_game("kuhn"))
    >>> evenly = Strategy.uniform(tree.infosets)
    >>> shown = ["strategy", "values"]
    >>> picture = tree_picture(tree, "action", strategy=evenly, show=shown, depth=2)
    >>> print(picture.text())
    kuhn, action tree
    #0: player 0; v 0.125
    ├─ 0c 0.5 → #1: player 1; v −0.25
    │  ├─ 1c 0.5 → #2: end; v 0
    │  └─ 1r 0.5 → #3: player 0; v −0.5; … 2 nodes
    └─ 0r 0.5 → #6: player 1; v 0.5
       ├─ 1f 0.5 → #7: end; 1 −1; v 1
       └─ 1c 0.5 → #8: end; v 0
    >>> tree_picture(tree, "chance", strategy=evenly, show=["values"])
    Traceback (most recent call last):
    ValueError: a chance tree cannot show values: it has deals and their results only, no player
    moves in it (other views can: game, player:0, player:1, observer, action)
    """
    for word in show:
        if word not in SHOWN:
            raise ValueError(f"cannot show {word!r} in a tree: {', '.join(SHOWN)}")
    seen = make_view(tree, view)
    if seat is not None and not 0 <= seat < tree.players:
        raise ValueError(f"no player {seat}: {tree.game.name} has {tree.players}, from 0")
    whose = seat if seat is not None else (seen.seat or 0)
    if strategy is None and (missing := [word for word in show if word != "infosets"]):
        raise ValueError(f"to show {missing[0]} a strategy is needed")
    if "deltas" in show and compare is None:
        raise ValueError("to show deltas, a strategy to compare with is needed")
    if seen.name == "chance":
        _refuse_in_chance_tree(tree, strategy, compare, show)
    nodes: dict[str, Floats | list[str]] = {}
    edges: dict[str, Floats | list[str]] = {}
    if seen.name == "chance":
        nodes |= _deals(seen)
    elif strategy is not None:
        if "strategy" in show or not show:
            edges["p"] = edge_probabilities(seen, strategy)
        if "values" in show:
            nodes["v"] = view_values(seen, strategy, whose)
        if compare is not None and "deltas" in show:
            before = view_values(seen, compare, whose)
            nodes["Δ"] = view_values(seen, strategy, whose) - before
        if "reach" in show:
            nodes["reach"] = seen.sum(_reach(tree, strategy))
    mark = None
    if move is not None:
        mark = Mark(f"influenced by player {move[0]}", influence(tree, *move).on(seen))
    return draw(
        seen,
        nodes=nodes,
        edges=edges,
        highlight=mark,
        path=path,
        depth=depth,
        infosets="infosets" in show,
        title=title,
        limit=limit,
    )


def _refuse_in_chance_tree(
    tree: GameTree,
    strategy: StrategyLike | None,
    compare: StrategyLike | None,
    show: Collection[str],
) -> None:
    given = [*show]
    given += ["a strategy"] if strategy is not None or compare is not None else []
    if given:
        others = ", ".join(name for name in view_names(tree) if name != "chance")
        raise ValueError(
            f"a chance tree cannot show {given[0]}: it has deals and their results only, "
            f"no player moves in it (other views can: {others})"
        )


def edge_probabilities(view: View, strategy: StrategyLike) -> Floats:
    """How likely the move into each node is, after the node before; nan where nobody gets.

    In a player tree, moves of others and of chance are as likely as the owner must think.
    """
    chosen = probabilities(view.tree, strategy)
    arrival = view.sum(_weights(view, chosen))
    likely = np.full(len(view), np.nan)
    own = view.slot >= 0
    likely[own] = chosen[view.slot[own]]
    others = np.flatnonzero(~own)[1:]
    before = arrival[view.parent[others]]
    # The weights leave out what the owner of a player tree does: the owner's moves have a slot.
    possible = before > 0
    likely[others[possible]] = arrival[others[possible]] / before[possible]
    return likely


def view_values(view: View, strategy: StrategyLike, seat: int) -> Floats:
    """What `seat` wins on average from each node on; nan where nobody gets.

    In a player tree, what its owner must expect there, whether or not they play to get there.
    """
    from pokerlab.solvers.evaluation.tree_values import (
        node_values,  # only who has a strategy pays for Numba
    )

    values: Floats = node_values(view.tree, strategy)[:, seat]
    if view.name == "game":
        return values
    weights = _weights(view, probabilities(view.tree, strategy))
    arrival, total = view.sum(weights), view.sum(weights * values)
    expected = np.full(len(view), np.nan)
    expected[arrival > 0] = total[arrival > 0] / arrival[arrival > 0]
    return expected


def _weights(view: View, chosen: Floats) -> Floats:
    """How likely each game node is to who looks at the view."""
    return _reach(view.tree, chosen, without=view.seat)


def _reach(tree: GameTree, strategy: StrategyLike, *, without: int | None = None) -> Floats:
    from pokerlab.solvers.evaluation.tree_values import reach

    return reach(tree, strategy, without=without)


def _deals(view: View) -> dict[str, Floats | list[str]]:
    """The probabilities of deals, and the results of showdowns at the leaves."""
    found = showdowns(view)
    results = [""] * len(view)
    for leaf, result in zip(found.leaves.tolist(), found.results, strict=True):
        rows = []
        for seats, row in zip(found.sets, result, strict=True):
            won = " ".join(number_text(row[seat], 2, signed=True) for seat in seats)
            rows.append(f"{','.join(map(str, seats))}: {won}")
        results[leaf] = "\n".join(rows)
    return {"p": chance_reach(view), "showdown": results}

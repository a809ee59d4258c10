"""The page of small games: rules, trees, strategies, values and races.

All of it is about games of the catalogue, so that it is computed once and kept. What is larger
than `MOST_NODES` is not written out; its top is drawn from the rules.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from pokerlab.drawing import Drawing, draw_outline
from pokerlab.errors import shorten
from pokerlab.games import TERMINAL, BettingGame, Game, game_names, load_game, write_toml
from pokerlab.solvers import RULES, Solution, parse_rule, solve
from pokerlab.studies import tree_picture
from pokerlab.studies.trees.pictures import SHOWN
from pokerlab.trees import GameTree, make_outline, view_names
from pokerlab.trees.builder import TreeTooLargeError
from pokerlab.web.answers import FieldError, UnknownIdError

MOST_NODES = 20_000
_MOST_DRAWN = 600
_SECONDS = 10.0
"""The longest solve: the server has other things to do."""


def list_games() -> list[dict[str, str]]:
    """The games of the catalogue, by name."""
    return [{"name": name, "description": words} for name, words in game_names().items()]


@lru_cache(maxsize=32)
def _game(name: str) -> Game:
    if name not in game_names():
        raise UnknownIdError(f"there is no game {shorten(name)!r} in the catalogue")
    return load_game(name)


@lru_cache(maxsize=32)
def _tree(name: str) -> GameTree | None:
    try:
        return GameTree.build(_game(name), limit=MOST_NODES)
    except TreeTooLargeError:
        return None


def tree_of_game(name: str) -> GameTree:
    """The tree of a small game."""
    tree = _tree(name)
    if tree is None:
        raise FieldError(
            "game", f"{name} has more than {MOST_NODES:,} nodes: solve it on the command line"
        )
    return tree


def game_data(name: str) -> dict[str, Any]:
    """The rules of a game, the size of its tree, and how it can be looked at."""
    game, tree = _game(name), _tree(name)
    size = None
    if tree is not None:
        size = {
            "nodes": len(tree),
            "information_sets": len(tree.infosets),
            "ends": int((tree.player == TERMINAL).sum()),
        }
    return {
        "name": name,
        "description": getattr(game, "description", ""),
        "players": game.players,
        "rules": write_toml(game) if isinstance(game, BettingGame) else "",
        "tree": size,
        "views": view_names(game),
        "shown": list(SHOWN),
        "update_rules": list(RULES),
        "exact": tree is not None and game.players == 2,
    }


def check_rule(text: str) -> str:
    """An update rule in its standard form, or ``lp``."""
    if text.strip().lower() == "lp":
        return "lp"
    try:
        return str(parse_rule(text))
    except ValueError as error:
        raise FieldError("rule", str(error)) from None


@lru_cache(maxsize=32)
def _solution(name: str, rule: str, iterations: int) -> Solution:
    tree = tree_of_game(name)
    if rule == "lp":
        return solve(tree, "lp")
    return solve(tree, rule, iterations=iterations, seconds=_SECONDS)


def solution_data(name: str, rule: str, iterations: int) -> dict[str, Any]:
    """How a game is played after `iterations` iterations, and how good that is.

    Examples
    --------
    >>> data = solution_data("kuhn", "lp", 1)
    >>> round(18 * data["values"][0], 6), data["rows"][0]["seen"]
    (-1.0, 'Js')
    """
    solution = _solution(name, rule, iterations)
    strategy = solution.strategy
    infosets = strategy.infosets
    rows = [
        {
            "player": int(infosets.player[number]),
            "seen": seen,
            "actions": list(choices),
            "shares": list(choices.values()),
        }
        for number, (seen, choices) in enumerate(strategy.items())
    ]
    return {
        "game": name,
        "rule": solution.rule,
        "iterations": solution.iterations,
        "seconds": solution.seconds,
        "stopped": solution.stopped,
        "values": list(solution.values),
        "exploitability": solution.exploitability,
        "rows": rows,
    }


def draw_game(
    name: str,
    view: str,
    *,
    depth: int | None = None,
    path: str = "",
    solved: tuple[str, int] | None = None,
    show: tuple[str, ...] = (),
) -> dict[str, Any]:
    """A tree as SVG; `solved` are the rule and the iterations of the strategy that is shown."""
    game, tree = _game(name), _tree(name)
    drawing: Drawing
    if tree is None:
        if not isinstance(game, BettingGame):
            raise FieldError("depth", f"{name} is too large to be drawn")
        top = make_outline(game, view, 2 if depth is None else depth, path=path, limit=_MOST_DRAWN)
        drawing = draw_outline(top)
    else:
        strategy = None if solved is None or view == "chance" else _solution(name, *solved).strategy
        drawing = tree_picture(
            tree,
            view,
            strategy=strategy,
            show=() if view == "chance" else show,
            path=path,
            depth=depth,
            limit=_MOST_DRAWN,
        )
    return {"svg": drawing.svg(), "nodes": len(drawing.nodes)}

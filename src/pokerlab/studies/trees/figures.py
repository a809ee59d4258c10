"""The figures of "Poker Articles" on trees, best response and equilibrium, drawn again.

All but the last are about Kuhn poker. Each is computed from the rules: views and influence from
the game tree, strategies from the linear program, values from best responses. Nodes have the
numbers that they have in the document. Left out is figure 13, a sketch without a game. Figures 16
and 20 are plots (see `pokerlab.studies.trees.plots`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Protocol

import numpy as np

from pokerlab.games import load_game
from pokerlab.runtime.arrays import Bools
from pokerlab.solvers import (
    Exploitation,
    ObviousMoves,
    Strategy,
    exploitation,
    obvious_moves,
    solve_lp,
)
from pokerlab.studies.reporting.study_report import write_files
from pokerlab.studies.trees.pictures import tree_picture
from pokerlab.studies.trees.plots import Plot, plot_best_move, plot_convex, plot_pockets
from pokerlab.trees import GameTree, View, influence, make_view
from pokerlab.trees.drawing import Mark, draw
from pokerlab.trees.drawing.drawing import Drawing, number_text

_MOVE = "0d{} 1d{K} 0c"
"""Player 1 holds K and player 0 has checked: the move of figures 1 to 3."""
_SET = "Qs:r"
"""Player 1 holds Q and faces a bet: the move of figures 5 to 8, in node 17 of player 1's tree."""
_STEP = 0.1
"""By how much the document changes the probability of folding there, in either direction."""
_SAME = 1e-9


class Picture(Protocol):
    """What becomes a file: a drawing of a tree, or a plot."""

    def render(self, ending: str) -> bytes:
        """The content of a file of the kind that the ending says."""
        ...


@dataclass(frozen=True)
class TreeFigure:
    """A figure of the document.

    Attributes
    ----------
    number
        Its number there; 0 for one of ours.
    caption
        What it shows.
    draw
        Draws it.
    """

    number: int
    caption: str
    draw: Callable[[], Picture]


TREE_FIGURES: dict[str, TreeFigure] = {}
"""The figures by name, in the order of the document."""


def _figure(
    name: str, number: int, caption: str
) -> Callable[[Callable[[str], Picture]], Callable[[str], Picture]]:
    """Enter a function in `TREE_FIGURES`; it gets the title to draw."""

    def enter(function: Callable[[str], Picture]) -> Callable[[str], Picture]:
        title = f"Figure {number}. {caption}" if number else caption
        TREE_FIGURES[name] = TreeFigure(number, caption, lambda: function(title))
        return function

    return enter


def write_tree_figures(
    folder: str | Path, names: Iterable[str] = (), formats: Sequence[str] = ("png", "svg")
) -> list[Path]:
    """Draw figures into a folder, ``NAME.svg`` and ``NAME.png`` each; all, if none are named.

    Returns
    -------
    list of Path
        The files.
    """
    chosen = list(names) or list(TREE_FIGURES)
    for name in chosen:
        if name not in TREE_FIGURES:
            raise ValueError(f"no figure {name!r}: there are {', '.join(TREE_FIGURES)}")
    files = {
        f"{name}.{ending}": picture.render(f".{ending}")
        for name in chosen
        for picture in [TREE_FIGURES[name].draw()]
        for ending in formats
    }
    return write_files(folder, files)


@dataclass(frozen=True)
class Deviation:
    """A row of the document's table 1: what a change of one move does.

    Attributes
    ----------
    fold
        The probability with which player 1 folds Q to a bet.
    bluff, value_bet
        By how much the values of nodes 8 and 28 change for player 1: player 0 bets J, or K.
    game
        By how much the value of the game changes for player 1.
    """

    fold: float
    bluff: float
    value_bet: float
    game: float


def deviation_table() -> list[Deviation]:
    """Table 1: the same change of a move in two directions has effects of different size.

    Examples
    --------
    >>> for row in deviation_table():
    ...     print(f"{row.fold:.3f} {row.bluff:+.4f} {row.value_bet:+.4f} {row.game:+.4f}")
    0.767 -0.0500 +0.0167 -0.0500
    0.567 +0.0500 -0.0167 -0.0167
    """
    view = _view("player:0")
    rows = []
    for step in (_STEP, -_STEP):
        deltas = view.sum(_study(step).deltas[:, 1])
        bluff, value_bet = view.find_one("0d{J} 1d{} 0r"), view.find_one("0d{K} 1d{} 0r")
        rows.append(
            Deviation(
                _equilibrium()[_SET]["f"] + step,
                float(deltas[bluff]),
                float(deltas[value_bet]),
                float(deltas[0]),
            )
        )
    return rows


@_figure("influence-own", 1, "What player 1's move with K after a check influences: the own tree")
def _influence_own(title: str) -> Drawing:
    return tree_picture(_kuhn(), "player:1", move=(1, _MOVE), title=title)


@_figure("influence-game", 2, "The same move in the game tree: two clusters")
def _influence_game(title: str) -> Drawing:
    return tree_picture(_kuhn(), "game", move=(1, _MOVE), title=title)


@_figure("influence-opponent", 3, "The same move in the opponent's tree")
def _influence_opponent(title: str) -> Drawing:
    return tree_picture(_kuhn(), "player:0", move=(1, _MOVE), title=title)


@_figure(
    "best-response", 4, "Best response of player 0 to a player 1 who chooses evenly; v of player 1"
)
def _best_response(title: str) -> Drawing:
    evenly = exploitation(_kuhn(), Strategy.uniform(_kuhn().infosets), {}, exploiter=0)
    return _draw_response(title, evenly)


@_figure("equilibrium", 5, "Equilibrium strategy of player 1")
def _equilibrium_strategy(title: str) -> Drawing:
    view = _view("player:1")
    own = _own_moves(view, 1)
    chosen = np.where(own, _equilibrium().array[view.slot], np.nan)
    return draw(view, edges={"p": chosen}, highlight=Mark("node 17", [17]), title=title)


@_figure("exploit-none", 6, "Best response of player 0 to the equilibrium; v of player 1")
def _exploit_none(title: str) -> Drawing:
    return _draw_response(title, _study(0.0), highlight=_touched())


@_figure("exploit-folds", 7, "Player 1 folds Q more often (0.767, 0.233): Δ to the equilibrium")
def _exploit_folds(title: str) -> Drawing:
    return _draw_response(title, _study(_STEP), highlight=_touched(), deltas=True)


@_figure("exploit-calls", 8, "Player 1 folds Q less often (0.567, 0.433): Δ to the equilibrium")
def _exploit_calls(title: str) -> Drawing:
    return _draw_response(title, _study(-_STEP), highlight=_touched(), deltas=True)


@_figure("obvious-0", 9, "Obvious moves of player 0: strategy variables; what is removed is pale")
def _obvious_0(title: str) -> Drawing:
    return _draw_obvious(title, 0)


@_figure("obvious-1", 10, "Obvious moves of player 1: strategy variables; what is removed is pale")
def _obvious_1(title: str) -> Drawing:
    return _draw_obvious(title, 1)


@_figure("opponent-0", 11, "Opponent's tree for hero 0: holdings, coefficients and variables")
def _opponent_0(title: str) -> Drawing:
    return _draw_opponent(title, 0)


@_figure("opponent-1", 12, "Opponent's tree for hero 1: holdings, coefficients and variables")
def _opponent_1(title: str) -> Drawing:
    return _draw_opponent(title, 1)


@_figure("pockets", 0, "An equilibrium cannot be found pocket by pocket: player 0 of Kuhn poker")
def _pockets(title: str) -> Plot:
    return plot_pockets(title)


@_figure("best-move", 14, "Against the equilibrium of player 1 some moves of player 0 are worse")
def _best_move(title: str) -> Drawing:
    view, study = _view("player:0"), _study(0.0)
    values = view.sum(study.values_after[:, 1])
    unequal = [
        node
        for node in np.flatnonzero(view.player == 0).tolist()
        if np.ptp(values[view.children(node)]) > _SAME
    ]
    mark = Mark("decisions of player 0 whose moves differ in value", unequal)
    return _draw_response(title, study, highlight=mark)


@_figure("best-move-variables", 15, "Tree of player 0 with the variables of player 1; Q is marked")
def _best_move_variables(title: str) -> Drawing:
    view = _view("player:0")
    queen = Mark("player 0 holds Q", view.find("0d{Q} 1d{} …"))
    return draw(view, nodes={"k": _holdings(view, 1)}, highlight=queen, payoffs=False, title=title)


@_figure("best-move-values", 16, "Player 0 holds Q: values by how often player 1 raises J")
def _best_move_values(title: str) -> Plot:
    return plot_best_move(title)


@_figure("program-hero", 17, "Linear program, hero's tree: variables h, passed on in parentheses")
def _program_hero(title: str) -> Drawing:
    view = _view("player:0")
    own = _own_moves(view, 0)
    texts = []
    for node, variable in enumerate(_variables(view, own)):
        name = f"h{variable}" if variable >= 0 else "1"
        texts.append(name if own[node] else f"({name})")
    return draw(view, nodes={"h": texts}, payoffs=False, title=title)


@_figure("program-game", 18, "Linear program, game tree: coefficients k; hero's K is left out")
def _program_game(title: str) -> Drawing:
    tree = _kuhn()
    texts = [""] * len(tree)
    for node, (_, term, _) in _terms(0).items():
        texts[node] = term
    path = "0d{J}… | 0d{Q}…"
    return draw(_view("game"), nodes={"k": texts}, path=path, payoffs=False, title=title)


@_figure("program-opponent", 19, "Linear program, opponent's tree: values v; K is left out")
def _program_opponent(title: str) -> Drawing:
    view = _view("player:1")
    terms = _terms(0)
    texts = []
    for node in range(len(view)):
        below = [f"v{child}" for child in view.children(node)]
        if not below:
            lines = [terms[game_node][1] for game_node in view.nodes(node).tolist()]
            more = [
                line.replace("−", "− ") if line[0] == "−" else f"+ {line}" for line in lines[1:]
            ]
            texts.append("\n    ".join([f"v{node} = {lines[0]}", *more]))
        elif view.player[node] == view.seat:
            texts.append("\n".join(f"v{node} ≤ {value}" for value in below))
        else:
            texts.append(f"v{node} = " + " + ".join(below))
    path = "0d{} 1d{J}… | 0d{} 1d{Q}…"
    return draw(view, nodes={"v": texts}, path=path, payoffs=False, title=title)


@_figure("convex", 20, "A convex function: at (0, 0) and s no single variable makes it larger")
def _convex(title: str) -> Plot:
    return plot_convex(title)


def _kuhn() -> GameTree:
    return GameTree.of(load_game("kuhn"))


@cache
def _view(name: str) -> View:
    return make_view(_kuhn(), name)


@cache
def _equilibrium() -> Strategy:
    return solve_lp(_kuhn()).strategy


@cache
def _obvious() -> ObviousMoves:
    return obvious_moves(_kuhn())


@cache
def _study(step: float) -> Exploitation:
    """Player 1 folds Q to a bet by `step` more than in equilibrium, and player 0 answers."""
    usual = _equilibrium()[_SET]
    changed = {"f": usual["f"] + step, "c": usual["c"] - step}
    return exploitation(_kuhn(), _equilibrium(), {_SET: changed}, exploiter=0)


def _touched() -> Mark:
    """The nodes that the changed move of player 1 influences in the tree of player 0."""
    nodes = influence(_kuhn(), 1, "0d{} 1d{Q} 0r").on(_view("player:0"))
    return Mark("influenced by player 1 with Q facing a bet", nodes)


def _draw_response(
    title: str, study: Exploitation, *, highlight: Mark | None = None, deltas: bool = False
) -> Drawing:
    """The tree of player 0 with values for player 1, which player 0 makes small."""
    view = _view("player:0")
    notes = {"v": view.sum(study.values_after[:, 1])}
    if deltas:
        notes["Δ"] = view.sum(study.deltas[:, 1])
    infosets = _kuhn().infosets
    worth = study.after.action_values
    best = np.full(infosets.slots, -np.inf)
    for infoset in range(len(infosets)):
        slots = slice(infosets.offset[infoset], infosets.offset[infoset + 1])
        best[slots] = worth[slots].max()
    own = _own_moves(view, 0)
    chosen = np.zeros(len(view), np.bool_)
    chosen[own] = (worth >= best - _SAME)[view.slot[own]]
    return draw(
        view,
        nodes=notes,
        thick=Mark("best moves of player 0", chosen),
        highlight=highlight,
        payoffs=False,
        title=title,
    )


def _draw_obvious(title: str, seat: int) -> Drawing:
    """A player's tree with variables; dead moves and what follows them are pale."""
    view = _view(f"player:{seat}")
    own = _own_moves(view, seat)
    names = [f"h{node}" if own[node] else "" for node in range(len(view))]
    rounds = {(step.infoset, step.action): step.round for step in _obvious().eliminations}
    infosets = _kuhn().infosets
    steps = []
    for slot, mine in zip(view.slot.tolist(), own, strict=True):
        name = infosets.names[infosets.slot_infoset[slot]] if mine else ""
        number = rounds.get((name, infosets.action(slot))) if mine else None
        steps.append(f"(round {number})" if number else "")
    dead = Mark("removed, with the round of elimination", _dead(view, seat))
    return draw(
        view,
        nodes={"h": names},
        edges={"round": steps},
        faint=dead,
        payoffs=False,
        title=title,
    )


def _draw_opponent(title: str, hero: int) -> Drawing:
    """The opponent's tree; at its leaves what the hero may hold, each with its coefficient."""
    view = _view(f"player:{1 - hero}")
    terms = _terms(hero)
    dead = _dead(view, 1 - hero)
    for node in range(len(view)):
        if not view.children(node):
            dead[node] |= all(terms[game_node][2] for game_node in view.nodes(node).tolist())
    faint = Mark("not played after elimination", dead)
    return draw(view, nodes={"k": _holdings(view, hero)}, faint=faint, payoffs=False, title=title)


def _holdings(view: View, hero: int) -> list[str]:
    """At each leaf of the opponent's tree what the hero may hold, with coefficient and variable."""
    terms = _terms(hero)
    texts = [""] * len(view)
    for node in range(len(view)):
        if not view.children(node):
            found = [terms[game_node] for game_node in view.nodes(node).tolist()]
            texts[node] = "\n".join(f"{holding}: {term}" for holding, term, _ in found)
    return texts


def _own_moves(view: View, seat: int) -> Bools:
    """Into which nodes a move of `seat` leads, in the tree of that seat."""
    own = np.zeros(len(view), np.bool_)
    own[1:] = view.player[view.parent[1:]] == seat
    return own


def _variables(view: View, own: Bools) -> list[int]:
    """The node after the owner's last move on the way to each node; -1 before the first."""
    found = [-1]
    for node in range(1, len(view)):
        found.append(node if own[node] else found[view.parent[node]])
    return found


def _dead(view: View, seat: int) -> Bools:
    """Nodes of a player's tree after a removed move of that player."""
    dead = np.zeros(len(view), np.bool_)
    own = _own_moves(view, seat)
    alive = _obvious().alive
    for node in range(1, len(view)):
        dead[node] = dead[view.parent[node]] or (own[node] and not alive[view.slot[node]])
    return dead


def _terms(hero: int) -> dict[int, tuple[str, str, bool]]:
    """At each terminal node: the hero's card, the text of k·h, and whether h is dead."""
    tree, view = _kuhn(), _view(f"player:{hero}")
    variables = _variables(view, _own_moves(view, hero))
    dead = _dead(view, hero)
    gains = tree.terminal_chance * tree.payoffs[:, hero]
    terms = {}
    for node, gain in zip(tree.terminals.tolist(), gains.tolist(), strict=True):
        seen = int(view.node_of[node])
        card = next(move for move in tree.path(node).split() if move.startswith(f"{hero}d"))
        terms[node] = (
            card[card.index("{") + 1 : -1],
            f"{number_text(gain, 2)} h{variables[seen]}",
            bool(dead[seen]),
        )
    return terms

"""Figures 16 and 20 of "Poker Articles": plots of functions, not of trees.

Figure 16 asks whether player 1 of Kuhn poker can play so that player 0, who holds Q, is
indifferent between check (node 13 of their tree) and bet (node 18). The only move of player 1 that
is not obvious there is to raise J after a check, with probability h5. The values are those of the
game tree with this one probability changed.

Figure 20 shows that a convex function cannot always be maximised one variable after the other.
The document does not name its function; `convex_value` is one with all that its text says.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from pokerlab.games import load_game
from pokerlab.runtime.arrays import Floats
from pokerlab.solvers import best_response, reach, solve_lp
from pokerlab.trees import GameTree, make_view
from pokerlab.views.figure_file import COLOURS, figure_file

CONVEX_REGION: Final = ((0.0, 0.0), (1.0, 0.0), (0.6, 1.2), (0.0, 1.0))
"""The corners of where x and y may be in figure 20."""
CONVEX_STUCK: Final = (0.8, 0.6)
"""The point s of figure 20: neither x alone nor y alone can be changed for the better."""
CONVEX_BEST: Final = (0.6, 1.2)
"""The point m of figure 20: the maximum."""


@dataclass(frozen=True)
class Plot:
    """A figure with axes, which becomes a file like a `Drawing` of a tree."""

    title: str
    size: tuple[float, float]
    plot: Callable[[Any], None]

    def render(self, ending: str) -> bytes:
        """The content of a file; its ending says which kind: .svg or .png."""
        with figure_file(*self.size, ending.lstrip("."), title=self.title) as (figure, file):
            axes = figure.add_subplot()
            axes.set_title(self.title, fontsize=9)
            for side in ("top", "right"):
                axes.spines[side].set_visible(False)
            self.plot(axes)
            figure.tight_layout()
        return file.getvalue()


@dataclass(frozen=True, eq=False)
class QueenValues:
    """What player 1 wins when player 0 holds Q, for each probability to raise J after a check.

    Attributes
    ----------
    raises
        The probabilities h5.
    folds, calls
        If player 0 checks and answers a raise with a fold (f16) or a call (f17).
    bets
        If player 0 bets: the value of node 18, which h5 does not change.
    """

    raises: Floats
    folds: Floats
    calls: Floats
    bets: Floats

    @property
    def checks(self) -> Floats:
        """The value of node 13: player 0 chooses the answer that is worse for player 1."""
        return np.minimum(self.folds, self.calls)


def queen_values(points: int = 61) -> QueenValues:
    """The values of figure 16, by the game tree.

    Examples
    --------
    >>> found = queen_values(4)
    >>> found.raises.round(3).tolist(), found.checks.round(3).tolist()
    ([0.0, 0.333, 0.667, 1.0], [0.0, 0.111, 0.056, 0.0])
    """
    tree = GameTree.build(load_game("kuhn"))
    view = make_view(tree, "player:0")
    equilibrium = solve_lp(tree).strategy
    leaves = [view.find_one(f"0d{{Q}} 1d{{}} {end}") for end in ("0c1c", "0c1r0f", "0c1r0c")]
    bet = view.find("0d{Q} 1d{} 0r …")
    rows = []
    raises = np.linspace(0.0, 1.0, points)
    for share in raises.tolist():
        strategy = equilibrium.changed({"Js:c": {"c": 1 - share, "r": share}})
        arrival = reach(tree, strategy, without=0)[tree.terminals]
        worth = np.zeros(len(view))
        np.add.at(worth, view.node_of[tree.terminals], arrival * tree.payoffs[:, 1])
        check, fold, call = worth[leaves].tolist()
        rows.append((check + fold, check + call, worth[bet].sum()))
    folds, calls, bets = np.array(rows).T
    return QueenValues(raises, folds, calls, bets)


def plot_best_move(title: str) -> Plot:
    """Figure 16."""
    found = queen_values()

    def plot(axes: Any) -> None:
        axes.plot(found.raises, found.folds, color=COLOURS[0], label="f16: player 0 folds")
        axes.plot(found.raises, found.calls, color=COLOURS[1], label="f17: player 0 calls")
        axes.plot(found.raises, found.checks, color="black", linewidth=2.5, label="v13: the less")
        axes.plot(found.raises, found.bets, ":", color=COLOURS[2], label="v18: player 0 bets")
        best = int(found.checks.argmax())
        at, value = float(found.raises[best]), float(found.checks[best])
        axes.plot([at], [value], "o", color="black")
        axes.annotate(
            f"h5 = {at:.3f}, v13 = {value:.3f}",
            (at, value),
            xytext=(0, -46),
            textcoords="offset points",
            ha="center",
            fontsize=8,
        )
        axes.set_xlabel("h5: how often player 1 raises J after a check")
        axes.set_ylabel("value for player 1")
        axes.set_xlim(0.0, 1.0)
        axes.set_ylim(0.0, 0.36)
        axes.legend(frameon=False, fontsize=8, loc="upper center")

    return Plot(title, (5.6, 3.8), plot)


def family(jack: float, queen: float, king: float) -> dict[str, dict[str, float]]:
    """Player 0 of Kuhn poker with each pocket played as in the equilibrium of some α.

    Examples
    --------
    >>> family(0.0, 0.0, 1 / 3)["Ks"]
    {'c': 0.0, 'r': 1.0}
    """
    call = queen + 1 / 3
    return {
        "Js": {"c": 1.0 - jack, "r": jack},
        "Qs": {"c": 1.0, "r": 0.0},
        "Ks": {"c": 1.0 - 3.0 * king, "r": 3.0 * king},
        "Js:cr": {"f": 1.0, "c": 0.0},
        "Qs:cr": {"f": 1.0 - call, "c": call},
        "Ks:cr": {"f": 0.0, "c": 1.0},
    }


def plot_pockets(title: str) -> Plot:
    """What player 0 of Kuhn poker loses by taking each pocket from another equilibrium."""
    tree = GameTree.build(load_game("kuhn"))
    equilibrium = solve_lp(tree)
    steps = np.linspace(0.0, 1.0 / 3.0, 25)

    def lost(jack: float, queen: float, king: float) -> float:
        strategy = equilibrium.strategy.changed(family(jack, queen, king))
        return best_response(tree, strategy, 1).value - equilibrium.values[1]

    def plot(axes: Any) -> None:
        for colour, king in zip(COLOURS, (0.0, 1 / 6, 1 / 3), strict=False):
            curve = [lost(jack, jack, king) for jack in steps.tolist()]
            axes.plot(
                steps, curve, color=colour, label=f"K as in the equilibrium of α = {king:.3f}"
            )
            axes.plot([king], [0.0], "o", color=colour, clip_on=False)
        together = [lost(each, each, each) for each in steps.tolist()]
        axes.plot(steps, together, color="black", linewidth=2.5, label="all pockets of one α")
        axes.set_xlabel("α of the equilibrium that J and Q are taken from")
        axes.set_ylabel("lost to a best response, antes a hand")
        axes.set_xlim(0.0, 1 / 3)
        axes.set_ylim(bottom=-0.004)
        axes.legend(frameon=False, fontsize=8)

    return Plot(title, (5.6, 3.8), plot)


def convex_value(x: npt.ArrayLike, y: npt.ArrayLike) -> Floats:
    """The function of figure 20: convex, and 0 on both axes of its region.

    Examples
    --------
    >>> float(convex_value(1.0, 0.0)), float(convex_value(0.0, 1.0))
    (0.0, 0.0)
    >>> round(float(convex_value(*CONVEX_STUCK)), 3), round(float(convex_value(*CONVEX_BEST)), 3)
    (0.4, 0.8)
    """
    value: Floats = np.maximum(0.0, np.asarray(x, np.float64) + np.asarray(y, np.float64) - 1.0)
    return value


def plot_convex(title: str) -> Plot:
    """Figure 20."""

    def plot(axes: Any) -> None:
        from matplotlib.patches import Polygon

        x, y = np.meshgrid(np.linspace(-0.1, 1.25, 200), np.linspace(-0.1, 1.4, 200))
        region = Polygon(CONVEX_REGION, closed=True, fill=False, edgecolor="black", linewidth=1.5)
        axes.add_patch(region)
        levels = np.linspace(0.0, 0.9, 10)
        shades = axes.contourf(x, y, convex_value(x, y), levels, cmap="Blues", extend="max")
        shades.set_clip_path(region)
        axes.figure.colorbar(shades, ax=axes, label="f(x, y)")
        for name, point, way in (
            ("(0, 0)", (0.0, 0.0), (-4, -13)),
            ("s", CONVEX_STUCK, (6, 2)),
            ("m", CONVEX_BEST, (5, 3)),
        ):
            axes.plot(*point, "o", color=COLOURS[1])
            axes.annotate(name, point, xytext=way, textcoords="offset points")
        _arrows(axes, CONVEX_STUCK, "less", -0.22)
        _arrows(axes, (0.0, 0.0), "the same", 0.3)
        axes.set_xlabel("x")
        axes.set_ylabel("y")
        axes.set_xlim(-0.1, 1.25)
        axes.set_ylim(-0.1, 1.4)
        axes.set_aspect("equal")

    return Plot(title, (6.4, 4.8), plot)


def _arrows(axes: Any, start: tuple[float, float], word: str, length: float) -> None:
    """Where one variable can go from a point, and what that does to the function."""
    style = {"arrowstyle": "->", "color": COLOURS[1]}
    x, y = start
    for end, way in (((x + length, y), (0, 5)), ((x, y + length), (5, 0))):
        axes.annotate("", end, start, arrowprops=style)
        axes.annotate(word, end, xytext=way, textcoords="offset points", fontsize=8)

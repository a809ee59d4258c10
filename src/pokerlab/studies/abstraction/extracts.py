"""The appendix: KhJh against two aces on Qs Th 7h 8s 5s, on every way to the river."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from pokerlab.cards.codes import combo_index, parse_cards
from pokerlab.games.betting_trees import EdgeKind
from pokerlab.holdem.spots import PostflopSolution, Spot
from pokerlab.studies.abstraction.solves import SolveTask

BLUFFER = "KhJh"
CALLERS = ("AcAs", "AcAd")
RIVER = ("8s", "5s")
THESIS_BET = 12.0
"""The bet on the river beside all-in; a menu with 50% and 100% of the pot is needed to get it."""


@dataclass(frozen=True)
class ExtractTask:
    """What the strategies of a kept solve do at the end of every line to the river."""

    solve: SolveTask
    answer: str

    def run(self, folder: Path, threads: int) -> dict[str, Any]:
        """Look it up; the record as JSON."""
        from pokerlab.holdem.spots import load_postflop

        solution = load_postflop(folder / self.solve.file(self.answer))
        rows = [extract_row(solution, line) for line in river_lines(solution.spot)]
        return {"epsilon": 2 * solution.exploitability.mbb, "rows": [list(row) for row in rows]}


class ExtractRow(NamedTuple):
    """A line to the river.

    Attributes
    ----------
    line, pot
        Where.
    bluffer, callers
        How likely KhJh and each of the aces are to be there, by their own actions.
    bets
        What KhJh does, by action.
    folds
        How often each of the aces folds to each bet.
    """

    line: str
    pot: float
    bluffer: float
    callers: list[float]
    bets: dict[str, float]
    folds: dict[str, list[float]]

    @property
    def bluffs(self) -> float:
        """How often KhJh bets."""
        return sum(share for action, share in self.bets.items() if action != "x")


@dataclass(frozen=True, eq=False)
class ExtractRecord:
    """What was found.

    Attributes
    ----------
    epsilon
        Of the strategies, as the thesis counts it.
    rows
        One for each line.
    """

    epsilon: float
    rows: tuple[ExtractRow, ...]

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> ExtractRecord:
        """The record that a task made."""
        return cls(float(data["epsilon"]), tuple(ExtractRow(*row) for row in data["rows"]))

    def with_thesis_bet(self) -> list[ExtractRow]:
        """The lines on which the thesis's bet may be made, most likely first."""
        wanted = f"b{THESIS_BET:g}"
        rows = [row for row in self.rows if wanted in row.bets]
        return sorted(rows, key=lambda row: -row.bluffer * min(row.callers))

    def mean_bluffs(self) -> float:
        """How often KhJh bets the river, over all lines, by how likely they are."""
        weights = [row.bluffer * sum(row.callers) for row in self.rows]
        bluffs = sum(weight * row.bluffs for weight, row in zip(weights, self.rows, strict=True))
        return bluffs / max(sum(weights), 1e-300)

    def mean_folds(self, caller: int, *, all_in: bool) -> float:
        """How often an ace hand folds to all-in, or to other bets, over all lines."""
        total = folded = 0.0
        for row in self.rows:
            for action, folds in row.folds.items():
                if (action == "a") == all_in:
                    weight = row.bluffer * row.callers[caller] * row.bets[action]
                    total += weight
                    folded += weight * folds[caller]
        return folded / max(total, 1e-300)


def river_lines(spot: Spot) -> Iterator[str]:
    """All lines from the flop to the given river.

    Examples
    --------
    >>> spot = Spot("QsTh7h", "KhJh", "AA", pot=2, stack=9, bet="a", raise_="")
    >>> list(river_lines(spot))
    ['x/x/8s/x/x/5s']
    """
    tree = spot.tree
    river = tree.streets[2]
    for first in river.root_first_node[:-1]:
        actions = str(tree.line(2, int(first))).split("/")
        for place in range(1, len(actions)):  # where the turn comes is where the line fits the tree
            flop, turn = actions[:place], actions[place:]
            line = "/".join([*flop, RIVER[0], *turn, RIVER[1]])
            if _fits(spot, line):
                yield line


def _fits(spot: Spot, line: str) -> bool:
    try:
        place = spot.find(line)
    except ValueError:
        return False
    return place.level == 2


def extract_row(solution: PostflopSolution, line: str) -> ExtractRow:
    """What the hands of the appendix do at the end of a line to the river."""
    here = solution.decision(line)
    bluffer, *callers = (combo_index(*parse_cards(hand)) for hand in (BLUFFER, *CALLERS))
    bets = {
        action: float(share)
        for action, share in zip(here.actions, here.strategy[:, bluffer], strict=True)
    }
    folds = {}
    for action in here.actions:
        after = f"{line}/{action}"
        if action != "x" and solution.spot.find(after).kind == EdgeKind.NODE:
            answer = solution.decision(after)
            fold = answer.strategy[answer.actions.index("f")]
            folds[action] = [float(fold[caller]) for caller in callers]
    weights = here.weights
    return ExtractRow(
        line,
        here.pot,
        float(weights[0][bluffer]),
        [float(weights[1][caller]) for caller in callers],
        bets,
        folds,
    )

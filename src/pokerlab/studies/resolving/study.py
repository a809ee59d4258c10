"""The study of solving again: strategies of many strengths, every gadget, exact exploitability."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import as_file, files
from pathlib import Path
from typing import Final

from pokerlab.games import load_game
from pokerlab.games.protocol import Game
from pokerlab.runtime.files.job_stores import FolderStore
from pokerlab.solvers import Strategy, solve
from pokerlab.solvers.resolving.kinds import KINDS, REACH
from pokerlab.solvers.resolving.resolving import VALUES, resolve
from pokerlab.solvers.resolving.subgames import Subgame, subgames_at, subgames_from
from pokerlab.studies.reporting.report_table import Record, ReportTable
from pokerlab.studies.reporting.study import Kept, Study, kept_with
from pokerlab.studies.reporting.study_report import StudyReport, trial_note
from pokerlab.studies.reporting.verdict import Verdict
from pokerlab.studies.resolving.coin_toss import CoinToss
from pokerlab.trees import GameTree

COIN_TOSS: Final = "coin toss"
GAMES: Final = ("leduc", "leduc.nolimit", "rhodeisland.small")
GADGETS: Final = (*KINDS, *(f"{REACH}{kind}" for kind in ("resolve", "maxmargin")))
SAFE: Final = tuple(gadget for gadget in GADGETS if gadget.endswith(("resolve", "maxmargin")))
ITERATIONS: Final = (0, 10, 30, 100, 300, 1000)
"""Of CFR, after which the strategies are solved again; 0 is the uniform one."""
_ROUNDING: Final = 1e-8


@dataclass(frozen=True)
class ResolvingTask:
    """A strategy of a game, solved again with every gadget.

    Attributes
    ----------
    game
        Its name.
    iterations
        How many iterations of CFR made the strategy.
    """

    game: str
    iterations: int

    @property
    def key(self) -> str:
        """What the result is kept under."""
        return f"{self.game} {self.iterations}"

    def run(self) -> Kept:
        """The exploitability before, and after each gadget with each kind of values."""
        tree, subgames = _game(self.game)
        strategy = (
            solve(tree.game, "cfr", iterations=self.iterations).strategy
            if self.iterations
            else Strategy.uniform(tree.infosets)
        )
        after: dict[str, dict[str, list[float]]] = {}
        before = 0.0
        for worth in VALUES:
            for gadget in GADGETS:
                found = resolve(tree, strategy, subgames, gadget=gadget, worth=worth)
                before = found.before
                after.setdefault(worth, {})[gadget] = [found.after, found.margin]
        return {"before": before, "after": after, "subgames": len(subgames)}


@cache
def _game(name: str) -> tuple[GameTree, tuple[Subgame, ...]]:
    if name == COIN_TOSS:
        tree = GameTree.build(CoinToss())
        sides = (tree.find(f"0d{{{side}}} 0play") for side in ("heads", "tails"))
        return tree, subgames_at(tree, sides)
    tree = GameTree.build(_load(name))
    return tree, subgames_from(tree, 2)


def _load(name: str) -> Game:
    place = files("pokerlab.studies") / "resolving" / f"{name}.toml"
    if not place.is_file():
        return load_game(name)
    with as_file(place) as path:
        return load_game(path)


def resolving_study(folder: Path, *, quick: bool = False) -> Study[ResolvingTask]:
    """All games and strengths; with `quick` Leduc's uniform strategy alone."""
    if quick:
        tasks = [ResolvingTask("leduc", 0)]
    else:
        tasks = [ResolvingTask(game, count) for game in GAMES for count in ITERATIONS]
        tasks.append(ResolvingTask(COIN_TOSS, 1000))

    def make_report(done: Mapping[ResolvingTask, Kept]) -> StudyReport:
        return make_resolving_report(done, quick=quick)

    return Study(
        [tasks],
        FolderStore(folder, from_json=kept_with({"before", "after", "subgames"})),
        make_report,
    )


def make_resolving_report(done: Mapping[ResolvingTask, Kept], *, quick: bool) -> StudyReport:
    """The table, and what it says of the literature's claims."""
    rows: list[Record] = [
        {
            "game": task.game,
            "iterations": task.iterations,
            "values": worth,
            "before": kept["before"],
            **{gadget: kept["after"][worth][gadget][0] for gadget in GADGETS},
        }
        for task, kept in done.items()
        for worth in VALUES
    ]
    heads = {"game": "{game}", "iterations": "{iterations:,}", "values": "{values}"}
    numbers = {name: f"{{{name}:.4f}}" for name in ("before", *GADGETS)}
    table = ReportTable.of(
        "resolving",
        "Exploitability before and after the subgames were solved again",
        rows,
        {**heads, **numbers},
    )
    notes = (
        "Strategies of CFR after some iterations (0: uniform); every subgame from the second street"
        " on is solved again for both players by a linear program; chips a hand.",
        "Values: what a hand is worth to a best response (exact) or to the strategy itself.",
    )
    return StudyReport(
        "Solving again",
        () if quick else _verdicts(done),
        "beyond rounding",
        (table,),
        (*notes, *([trial_note("one strategy")] if quick else [])),
        facts={"quick": quick, "tasks": len(done)},
    )


def _verdicts(done: Mapping[ResolvingTask, Kept]) -> tuple[Verdict, ...]:
    played = {task: kept for task, kept in done.items() if task.game != COIN_TOSS}

    def gains(gadget: str, worth: str = "exact") -> dict[str, float]:
        return {
            task.key: kept["before"] - kept["after"][worth][gadget][0]
            for task, kept in played.items()
        }

    def against(one: str, other: str, worth: str) -> dict[str, float]:
        return {
            task.key: kept["after"][worth][other][0] - kept["after"][worth][one][0]
            for task, kept in played.items()
        }

    def judged(
        conclusion: str, source: str, evidence: Mapping[str, float], *, at_least: bool = False
    ) -> Verdict:
        return Verdict.above_zero(
            conclusion, source, evidence, "chips", _ROUNDING, at_least=at_least
        )

    def safe() -> Iterator[Verdict]:
        for gadget in SAFE:
            yield judged(
                f"{gadget} with exact values never makes a strategy easier to exploit",
                "theorem",
                gains(gadget),
                at_least=True,
            )

    coin = next((kept for task, kept in done.items() if task.game == COIN_TOSS), None)
    lost = (
        {} if coin is None else {"coin toss": coin["after"]["exact"]["unsafe"][0] - coin["before"]}
    )
    return (
        *safe(),
        judged("Without a gadget the coin toss gets worse", "Brown and Sandholm 2017", lost),
        judged("Without a gadget every strategy gets better", "ours", gains("unsafe")),
        judged(
            "maxmargin is harder to exploit than resolve",
            "Moravčík and others 2016",
            against("maxmargin", "resolve", "exact"),
        ),
        judged(
            "reach-maxmargin is harder to exploit than maxmargin",
            "Brown and Sandholm 2017",
            against("reach-maxmargin", "maxmargin", "exact"),
        ),
        judged(
            "combined with the strategy's values is harder to exploit than resolve",
            "Slumbot 2019",
            against("combined", "resolve", "strategy"),
        ),
    )

"""Which solves, matches and counts the reproduction needs.

Which games they are: the thesis does not say it everywhere, and what it says does not fit its own
numbers everywhere.

- Its reference tree has bets of half the pot and all-in and no others (`sizes`), so without "the
  bet of 0.5" only all-in is left: 9 nodes a street and board.
- With that menu and stacks of 5, which it names for tables 6 and 7, its two numbers for figure 18
  come out within 11%: CFR with the plain mean, CGH that hands up the new value. With stacks of 49,
  or with bets of the pot (the text of section 7.1), they do not. This was found by trying.
- With that menu, full ranges and stacks of 49, the value of Th6s3c is that of table 8, and no other
  game that we tried has it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

from pokerlab.studies.abstraction.counting import GroupCountTask
from pokerlab.studies.abstraction.duels import DuelTask
from pokerlab.studies.abstraction.extracts import ExtractTask
from pokerlab.studies.abstraction.solves import FlopGame, SolveTask
from pokerlab.studies.abstraction.thesis import MEASURES, TOP_20_PERCENT, TOP_22_PERCENT

VIEW = "view/river"
OURS = "dcfr(1.5,0.25,3)"
CGH = "cgh-return(0.2)"
"""CGH as it fits the numbers of the thesis: it hands up the new value."""
OLD_CGH = "cgh(0.2)"
FIGURE_18_RULES = ("cfr", "cfr-return", OLD_CGH, CGH, OURS)
FIGURE_20_RULES = ("cfr", OLD_CGH, CGH, OURS)
SMALL_CGH = "cgh-return(0.175)"
FIGURE_18_GAMES: dict[str, tuple[float, str]] = {
    "stacks 5, all-in": (5, "a"),
    "stacks 5, pot and all-in": (5, "100%, a"),
    "stacks 49, all-in": (49, "a"),
    "stacks 49, pot and all-in": (49, "100%, a"),
}
"""What figure 18 may be of: stacks and menu; the first is what fits."""
RISE_RULES = ("cfr", OLD_CGH, CGH)
"""Rules whose ε is measured in every iteration, as the thesis does for figure 18."""
FIGURE_19_GAMES = ("stacks 5, all-in", "stacks 5, pot and all-in")
CONSTANTS = (0.0, 0.05, 0.1, 0.15, 0.2, 0.3)
"""Of CGH, for figure 19."""
COST_FLOPS = {
    "dry": "AhKs2d",
    "two suits": "Th9h6c",
    "straights": "8s7d6c",
    "paired": "QsQd4h",
    "one suit": "Jh8h3h",
}
"""Five flops of different texture."""
COST_OPTIONS = {
    "32 bits": ("", 32),
    "16 bits": ("", 16),
    "view": (VIEW, 32),
    "strength": ("strength/river", 32),
    "rank": ("rank/river", 32),
    "kmeans 100": ("kmeans:100,100,100", 32),
    "view, 16 bits": (VIEW, 16),
}
"""What a solve may save memory by: groups, and bits of the tables."""
PARTS = (
    "figure-18",
    "figure-20",
    "appendix",
    "tables-06-07",
    "figure-19",
    "cost",
    "table-04",
)
"""What can be done by itself, the longest first; table 8 and figure 21 belong to figure 20."""
SAMPLE_FLOPS = ("QhJh2c", "Th6s3c", "QsTh7h")
"""The flops that the thesis names."""

_FLOPS_A_TASK = 27
NARROW = "88+, ATs+, KTs+, QTs+, JTs, AQo+"
"""What both players have in quick runs."""
_GAMES = 10_000_000
_QUICK_FLOPS = 14
_FORMAT = 1


class StudyTask(Protocol):
    """A piece of work that is kept once it is done."""

    def run(self, folder: Path, threads: int) -> dict[str, Any]:
        """Do it; what is kept of it, as JSON. Files are kept in the folder."""


def task_key(task: StudyTask) -> str:
    """What the result of a task is kept under."""
    return json.dumps([_FORMAT, type(task).__name__, asdict(task)])  # type: ignore[call-overload]


@dataclass(frozen=True)
class AbstractionPlan:
    """All tasks.

    Attributes
    ----------
    quick
        Small games, few iterations: minutes instead of hours.

    Examples
    --------
    >>> plan = AbstractionPlan(quick=True)
    >>> plan.figure_18("stacks 5, all-in", "cfr", VIEW) in plan.first_tasks()
    True
    """

    quick: bool = False

    def iterations(self, whole: int) -> int:
        """The number of iterations that stand for `whole` iterations of the thesis.

        Examples
        --------
        >>> AbstractionPlan().iterations(200), AbstractionPlan(quick=True).iterations(200)
        (200, 10)
        """
        return max(whole // 20, 1) if self.quick else whole

    def length(self, whole: int) -> str:
        """The same for people.

        Examples
        --------
        >>> AbstractionPlan().length(2000), AbstractionPlan(quick=True).length(2000)
        ('2,000', '100 (of 2,000)')
        """
        return f"{self.iterations(whole):,}" + (f" (of {whole:,})" if self.quick else "")

    def range_name(self, hands: str) -> str:
        """What tables call the range of a game."""
        if self.quick:
            return "small ranges"
        return "all hands" if hands == "random" else "20%"

    @property
    def sizes(self) -> str:
        """What a quick run has in place of the whole, for people."""
        ranges = f"{NARROW} (in place of 20% of all hands, or all)"
        return (
            f"both players have {ranges}, at most one bet a street where the menu has several;"
            f" {self.length(400)} and {self.length(1000)} iterations,"
            f" {self.duel('own reach').games:,} games (of {_GAMES:,}),"
            f" {len(self.counted_flops):,} flops (of 1,755)"
        )

    def first_tasks(self, parts: Sequence[str] = PARTS) -> list[StudyTask]:
        """The tasks of some parts that need nothing but themselves, the longest first."""
        made: dict[str, Callable[[], Iterable[StudyTask]]] = {
            "figure-18": self._figure_18_solves,
            "figure-20": self._figure_20_solves,
            "appendix": lambda: [self.appendix],
            "tables-06-07": self._table_6_solves,
            "figure-19": self._figure_19_solves,
            "cost": self._cost_solves,
            "table-04": lambda: self.counts,
        }
        return list(dict.fromkeys(task for part in PARTS if part in parts for task in made[part]()))

    def last_tasks(self, parts: Sequence[str] = PARTS) -> list[StudyTask]:
        """Those that need the strategies of the first ones."""
        tasks: list[StudyTask] = []
        if "figure-20" in parts:
            tasks += [self.duel("own reach"), self.duel("plain mean")]
        if "appendix" in parts:
            tasks.append(self.extract)
        return tasks

    def figure_18(self, game: str, rule: str, groups: str) -> SolveTask:
        """A curve of figure 18: flop QhJh2c, the best 20% of hands, one of `FIGURE_18_GAMES`."""
        stack, menu = FIGURE_18_GAMES[game]
        return SolveTask(
            self._game("QhJh2c", menu, stack=stack),
            rule,
            groups,
            self.iterations(400),
            plain=True,
        )

    def every_iteration(self, rule: str) -> SolveTask:
        """The game that fits figure 18, with ε measured in every iteration."""
        stack, menu = next(iter(FIGURE_18_GAMES.values()))
        game = self._game("QhJh2c", menu, stack=stack)
        return SolveTask(game, rule, VIEW, self.iterations(400), every=1)

    def figure_19(self, game: str, constant: float) -> SolveTask:
        """A curve of figure 19: CGH with a constant, on a game of figure 18."""
        return self.figure_18(game, f"cgh-return({constant:g})", VIEW)

    def figure_20(self, rule: str) -> SolveTask:
        """A curve of figure 20: flop Th6s3c, all hands, all-in only, stacks of 49."""
        game = self._full_game("Th6s3c", stack=49)
        plays = rule in ("cfr", CGH)
        return SolveTask(game, rule, VIEW, self.iterations(1000), plain=True, keep=plays)

    def other_game(self, number: int) -> SolveTask:
        """Other games that table 8 might be of: their values."""
        games = (
            self._full_game("Th6s3c", stack=5),
            self._game("Th6s3c", "a"),
            self._game("Th6s3c", "100%, a"),
        )
        return SolveTask(games[number], OURS, VIEW, self.iterations(60), every=30)

    def table_6(self, groups: str, rule: str = SMALL_CGH) -> SolveTask:
        """A cell of tables 6 and 7, and the curves of figure 17: stacks of 5, all hands."""
        long = groups in ("strength/hierarchical", VIEW) and rule == SMALL_CGH
        iterations = self.iterations(2000 if long else 400)
        game = self._full_game("QhJh2c", stack=5)
        return SolveTask(game, rule, groups, iterations, every=self.iterations(50))

    def cost(self, flop: str, option: str, *, narrow: bool) -> SolveTask:
        """A solve of the answer to what groups cost, ended by the clock."""
        groups, precision = COST_OPTIONS[option]
        hands = TOP_20_PERCENT if narrow else "random"
        game = FlopGame(flop, hands, 20, "66%, a" if narrow else "a", max_bets=2)
        seconds = 12.0
        if self.quick:
            game, seconds = FlopGame(flop, NARROW, 5, "a"), 0.2
        return SolveTask(game, OURS, groups, 4000, precision=precision, seconds=seconds)

    @property
    def cost_ranges(self) -> tuple[bool, ...]:
        """Whether the ranges of the answer are narrow; quick: only those."""
        return (True,) if self.quick else (True, False)

    def duel(self, answer: str) -> DuelTask:
        """Table 8: CGH against an answer of CFR."""
        games, curve = (20_000, 5_000) if self.quick else (_GAMES, 150_000)
        first, second = self.figure_20(CGH), self.figure_20("cfr")
        return DuelTask((first, "last"), (second, answer), games, curve)

    @property
    def appendix(self) -> SolveTask:
        """The appendix: flop QsTh7h, the best 22% of hands, bets of half and all of the pot."""
        game = self._game("QsTh7h", "50%, 100%, a", hands=TOP_22_PERCENT, raises="a")
        return SolveTask(game, OURS, VIEW, self.iterations(300), keep=True)

    @property
    def extract(self) -> ExtractTask:
        """What the appendix shows of it."""
        return ExtractTask(self.appendix, "own reach")

    @cached_property
    def counts(self) -> tuple[GroupCountTask, ...]:
        """Table 4: all flops, or a few spread over them, and those that the thesis names."""
        names = [name for name, _ in self.counted_flops]
        names = list(dict.fromkeys([*SAMPLE_FLOPS, *names]))
        return tuple(
            GroupCountTask(tuple(names[first : first + _FLOPS_A_TASK]))
            for first in range(0, len(names), _FLOPS_A_TASK)
        )

    @cached_property
    def counted_flops(self) -> list[tuple[str, int]]:
        """The flops of table 4 that stand for all, and how many deals each class has."""
        from pokerlab.cards import format_cards
        from pokerlab.cards.isomorphism.suits import board_orbits

        flops, often = board_orbits(size=3)
        chosen = range(0, len(flops), len(flops) // _QUICK_FLOPS if self.quick else 1)
        return [(format_cards(flops[place].tolist()), int(often[place])) for place in chosen]

    def _figure_18_solves(self) -> Iterator[SolveTask]:
        for game in reversed(FIGURE_18_GAMES):
            for groups in ("", VIEW):
                yield from (self.figure_18(game, rule, groups) for rule in FIGURE_18_RULES)
        yield from (self.every_iteration(rule) for rule in RISE_RULES)

    def _figure_20_solves(self) -> Iterator[SolveTask]:
        yield from (self.figure_20(rule) for rule in FIGURE_20_RULES)
        yield from (self.other_game(number) for number in range(3))

    def _table_6_solves(self) -> Iterator[SolveTask]:
        for groups in (VIEW, "strength/hierarchical", *MEASURES, ""):
            yield self.table_6(groups)
        for groups in (VIEW, "strength/river", "rank/river", ""):
            yield self.table_6(groups, OURS)
        yield self.table_6(VIEW, "cgh(0.175)")

    def _figure_19_solves(self) -> Iterator[SolveTask]:
        for game in FIGURE_19_GAMES:
            yield from (self.figure_19(game, constant) for constant in CONSTANTS)

    def _cost_solves(self) -> Iterator[SolveTask]:
        for narrow in self.cost_ranges:
            for flop in COST_FLOPS.values():
                yield from (self.cost(flop, each, narrow=narrow) for each in COST_OPTIONS)

    def _game(
        self,
        board: str,
        menu: str,
        *,
        stack: float = 49,
        hands: str = TOP_20_PERCENT,
        raises: str = "",
    ) -> FlopGame:
        if self.quick:
            return FlopGame(board, f"{NARROW}, KhJh, AcAs, AcAd", stack, menu, raises, max_bets=1)
        return FlopGame(board, hands, stack, menu, raises)

    def _full_game(self, board: str, stack: float) -> FlopGame:
        if self.quick:
            return FlopGame(board, NARROW, stack, "a")
        return FlopGame(board, "random", stack, "a")

"""Which solves the study needs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Protocol

from pokerlab.cards.flops import parse_flops
from pokerlab.games.betting_trees.menus import STREETS
from pokerlab.holdem.spots.coarse.lifting import ANSWERS
from pokerlab.studies.abstraction.plan import NARROW, AbstractionPlan
from pokerlab.studies.abstraction.solves import FlopGame
from pokerlab.studies.abstraction.thesis import TOP_20_PERCENT, TOP_22_PERCENT
from pokerlab.studies.bets.appendix import AppendixTask
from pokerlab.studies.bets.boards import BoardTask
from pokerlab.studies.bets.findings import FindingTask
from pokerlab.studies.bets.games import BetGame
from pokerlab.studies.bets.hands import HandsTask
from pokerlab.studies.bets.menus import MenuTask
from pokerlab.studies.bets.starts import FEWER, UNIFORM, StartTask, nearest_flop

PARTS = ("appendix", "findings", "menus", "boards", "hands", "starts")
"""What can be done by itself."""
BOARDS = {
    "river": ("QhJh2c4d7s", "As9h6d6c2s", "Th9h6c3hKd"),
    "turn": ("QhJh2c4d", "As9h6d6c", "Th9h6c3h"),
    "flop": ("QhJh2c", "As9h6d", "Th9h6c"),
}
"""By the street on which a game begins: a dry, a paired and a wet board on turn and river."""
MERGED_BOARDS = {
    "turn": ("QhJs5cQd", "QhJh2c4d", "As9h6d6c", "Th9h6c3h", "7s5s3h2d"),
    "flop": ("QhJh2c", "Th6s3c", "As9h6d", "Th9h6c", "Jh8h3h"),
}
"""Turns and flops on which boards are merged."""
GROUPS = ("", "view/river", "strength/river", "rank/river")
"""How hands are merged; the first not at all."""
COARSE = ("50%, a", "50%, 100%, a", "33%, 75%, 150%, a")
"""Bet sizes of the coarse player: the thesis's tree, the thesis's text, and a usual one."""
FINE = "25%, 33%, 50%, 75%, 100%, 150%, 200%, a"
"""Bet sizes of the opponent, with all coarse ones."""
RULES = ("dcfr(1.3,0.5,3,0.1)", "cfr+")
"""Two ways to the equilibrium of the appendix."""
START_BOARDS = ("QhJh2c4d", "As9h6d6c", "As9h6d", "KsJs7h", "9s4h2h")
"""Two turns, and flops that have one of the same suits among the 25 that stand for all."""

_NARROW = f"{NARROW}, KhJh, AcAs, AcAd"
_FORMAT = 1


class BetsTask(Protocol):
    """A piece of work that is kept once it is done."""

    @property
    def game(self) -> BetGame | FlopGame:
        """What is solved."""

    def run(self, device: str, threads: int) -> dict[str, Any]:
        """Do it; what is kept of it, as JSON."""


def task_key(task: BetsTask) -> str:
    """What the result of a task is kept under."""
    return json.dumps([_FORMAT, type(task).__name__, asdict(task)])  # type: ignore[call-overload]


@dataclass(frozen=True)
class BetsPlan:
    """All tasks.

    Attributes
    ----------
    quick
        Narrow ranges and rough solves of few boards: a minute or two.
    """

    quick: bool = False

    def tasks(
        self, parts: Sequence[str] = PARTS, streets: Sequence[str] = STREETS
    ) -> list[BetsTask]:
        """The tasks of some parts, whose games begin on some streets."""
        made: dict[str, Iterable[BetsTask]] = {
            "appendix": self.appendix,
            "findings": self.findings,
            "menus": self.menus,
            "boards": self.boards,
            "hands": self.hands,
            "starts": self.starts,
        }
        return [
            task
            for part in PARTS
            if part in parts
            for task in made[part]
            if STREETS[len(task.game.board) // 2 - 3] in streets
        ]

    @property
    def sizes(self) -> str:
        """What a quick run has in place of the whole, for people."""
        return f"both players have {_NARROW}, few boards, and solves end early"

    @property
    def appendix(self) -> list[AppendixTask]:
        """The appendix by two rules."""
        game = AbstractionPlan(quick=self.quick).appendix.game
        if self.quick:
            return [AppendixTask(game, RULES[0], 1000.0, 40)]
        assert game.hands == TOP_22_PERCENT
        return [AppendixTask(game, rule, 0.9, 8_000) for rule in RULES]

    @property
    def findings(self) -> list[FindingTask]:
        """How 25 flops are played that stand for all."""
        game = BetGame("QhJh2c", 2, 49, "50%, a", "50%, a", max_bets=4)
        flops = list(parse_flops("25"))
        if self.quick:
            game = BetGame("QhJh2c", 2, 5, "50%, a", "a", _NARROW)
            flops = [flop for flop in flops if flop.name in ("QsTs2s", "AsQs5s")]
        target, turns, rivers = (5.0, 2, 1) if self.quick else (0.3, 10, 2)
        return [
            FindingTask(replace(game, board=flop.name), flop.weight, target, turns, rivers)
            for flop in flops
        ]

    @property
    def menus(self) -> list[MenuTask]:
        """Coarse menus against finer ones: on the first street of a game, and on the river."""
        tasks = []
        for street, boards in BOARDS.items():
            for board in boards:
                for sizes in COARSE if street != "flop" else COARSE[::2]:
                    tasks.append(self._menu(street, board, sizes))
        if self.quick:
            return [replace(task, target=2.0) for task in tasks[: len(COARSE)]]
        return tasks

    def _menu(self, street: str, board: str, sizes: str) -> MenuTask:
        hands = _NARROW if self.quick else TOP_20_PERCENT
        if street == "river":
            game = BetGame(board, 6, 20, sizes, "50%, a", hands, max_bets=3)
            return MenuTask(game, FINE, "50%, 100%, a", ANSWERS, 0.05)
        # The opponent has more sizes for the first bets; after that both have one and all-in.
        later = "; ".join(f"{each}: 50%, a" for each in ("turn", "river"))
        coarse, fine = (f"flop: {each}; {later}" for each in (sizes, FINE))
        if street == "turn":
            later = "flop: a; river: 50%, a"
            coarse, fine = (f"turn: {each}; {later}" for each in (sizes, FINE))
        game = BetGame(board, 6, 20, coarse, "a", hands)
        return MenuTask(game, fine, "a", ANSWERS, 0.1)

    @property
    def boards(self) -> list[BoardTask]:
        """Turns and flops with boards merged as in the thesis."""
        if self.quick:
            return [BoardTask(BetGame("QhJs5cQd", 6, 20, "50%, a", "a", _NARROW), 50)]
        tasks = [
            BoardTask(BetGame(board, 6, 20, "50%, a", "a"), 1000) for board in MERGED_BOARDS["turn"]
        ]
        # Where all hands of a range have the same weight, merging is exact: a control.
        tasks.append(BoardTask(BetGame("QhJs5cQd", 6, 20, "50%, a", "a", "random"), 500))
        return tasks + [
            BoardTask(BetGame(board, 6, 20, "50%, a", "a"), 1000) for board in MERGED_BOARDS["flop"]
        ]

    @property
    def hands(self) -> list[HandsTask]:
        """The same turns with merged hands."""
        if self.quick:
            game = BetGame("QhJs5cQd", 6, 20, "50%, a", "a", _NARROW)
            return [HandsTask(game, groups, 50) for groups in ("", "view/river")]
        return [
            HandsTask(BetGame(board, 6, 20, "50%, a", "a"), groups, 1000)
            for board in MERGED_BOARDS["turn"]
            for groups in GROUPS
        ]

    @property
    def starts(self) -> list[StartTask]:
        """Turns and flops from different starts."""
        game = BetGame("QhJh2c", 2, 20, "50%, 100%, a", "a")
        boards: tuple[str, ...] = START_BOARDS
        weights: tuple[int, ...] = (8, 64)
        target = 0.3
        if self.quick:
            game = BetGame("QsTs2s4d", 2, 10, "50%, 100%, a", "a", _NARROW)
            boards, weights, target = ("QsTs2s4d",), (8,), 1.0
        tasks = []
        for board in boards:
            here = replace(game, board=board)
            sources = {
                UNIFORM: here,
                "itself": here,
                "other ranges": replace(
                    here, hands=f"{_NARROW}, AJo, 77" if self.quick else TOP_22_PERCENT
                ),
                FEWER: replace(here, bet="50%, a"),
            }
            if here.street == "flop":
                sources["nearest flop"] = replace(here, board=nearest_flop(board))
            tasks += [
                StartTask(here, start, source, weights, target) for start, source in sources.items()
            ]
        return tasks

"""The tasks of the study: flops that are solved ahead, and a part of what is measured each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from time import perf_counter
from typing import Any

import numpy as np

from pokerlab.arena.flop_deals import deal_on_flops
from pokerlab.arena.responses.measuring import LocalResponsePlan, close_responders, play_block
from pokerlab.arena.responses.street_gains import StreetTask, forget_bots
from pokerlab.arena.table import play_hand
from pokerlab.arena.variance import corrected_payoffs
from pokerlab.cards.flops import parse_flops
from pokerlab.games import BettingGame
from pokerlab.players.bots.bot import Bot
from pokerlab.players.bots.catalogue import make_bot
from pokerlab.players.bots.nolimit.library import FlopLibrary, likely_lines
from pokerlab.players.bots.nolimit.preflop import PreflopPlay
from pokerlab.players.bots.nolimit.street import StreetRoot, StreetSolver
from pokerlab.players.bots.nolimit.tracking import flop_root
from pokerlab.players.strategies import load_table_game
from pokerlab.studies.reporting.study import Kept


@dataclass(frozen=True)
class Setting:
    """What all tasks share.

    Attributes
    ----------
    game, flops, seed
        What is dealt.
    lines, iterations
        Of the flops that are solved ahead, and of all solves.
    folder
        Where those flops are.
    """

    game: str
    flops: str
    seed: int
    lines: int
    iterations: int
    folder: str

    def bot(self, option: str = "", iterations: int = 0) -> str:
        """The player, as `make_bot` takes it."""
        count = iterations or self.iterations
        parts = [f"iterations={count}", f"library={self.folder}", "threads=1", option]
        return f"nolimit:{','.join(filter(None, parts))}"


@dataclass(frozen=True)
class FlopTask:
    """A flop that is solved ahead: after a line of the chart, for a seat.

    Attributes
    ----------
    setting
        Which game.
    number
        Of the flops.
    """

    setting: Setting
    number: int

    @property
    def key(self) -> str:
        """What the result is kept under."""
        return f"flop {self.number}"

    def run(self) -> Kept:
        """Solve it, unless it is in the library."""
        root = _roots(self.setting)[self.number]
        solver = StreetSolver(1.0, self.setting.iterations, threads=1, device="cpu")
        library = FlopLibrary(self.setting.folder, solver, keep=True)
        found = library.find(root) or library.solve(root)
        return {"percent": found.solution.exploitability.percent}


def flop_tasks(setting: Setting) -> list[FlopTask]:
    """All flops that are solved ahead."""
    return [FlopTask(setting, number) for number in range(len(_roots(setting)))]


@dataclass(frozen=True)
class MeasureTask:
    """Some hands or a street of a part of the study.

    Attributes
    ----------
    setting
        Which game and player.
    part
        The name of the part.
    number
        Of the task in its part.
    plan
        What the part is, as pairs.
    """

    setting: Setting
    part: str
    number: int
    plan: tuple[tuple[str, Any], ...]

    @property
    def key(self) -> str:
        """What the result is kept under."""
        return f"{self.part} {self.number}"

    @property
    def rank(self) -> float:
        """When its turn is."""
        plan = dict(self.plan)
        return float((self.number + 0.5) / plan["tasks"] * plan["order"])

    def run(self) -> Kept:
        """Measure."""
        began, plan = perf_counter(), dict(self.plan)
        try:
            found = _KINDS[plan["kind"]](self, plan)
        finally:
            forget()  # what a bot has solved is large
        return {**found, "seconds": perf_counter() - began}

    @property
    def bot(self) -> str:
        """The player."""
        plan = dict(self.plan)
        return self.setting.bot(plan.get("option", ""), plan.get("iterations", 0))


def _respond(task: MeasureTask, plan: Mapping[str, Any]) -> Kept:
    setting = task.setting
    streets, seed, flops = tuple(plan.get("streets", ())), setting.seed, setting.flops
    local = LocalResponsePlan(setting.game, task.bot, plan["menu"], streets, seed=seed, flops=flops)
    first = task.number * plan["hands"]
    played = play_block(local, first, first + plan["hands"])
    return {"won": [hand.won for hand in played], "plain": [hand.plain for hand in played]}


def _respond_exactly(task: MeasureTask, plan: Mapping[str, Any]) -> Kept:
    setting = task.setting
    bot, game, street = task.bot, setting.game, plan["street"]
    street_task = StreetTask(
        bot,
        game,
        street,
        plan["responder"],
        plan["raises"],
        setting.seed,
        task.number,
        setting.flops,
    )
    found = street_task.run()
    gains = [best - own for best, own in zip(found.best, found.own, strict=True)]
    where = {"board": found.board, "betting": found.betting}
    return {"gains": gains, "hands": found.hands, **where}


def _play(task: MeasureTask, plan: Mapping[str, Any]) -> Kept:
    opponent = plan["opponent"]
    if "against" in plan:
        opponent = task.setting.bot(plan["against"])
    game, *bots = _players(task.setting.game, task.bot, opponent)
    names = ("nolimit", "opponent")
    known = dict(zip(names, bots, strict=True))
    won, plain = [], []
    for hand in range(plan["hands"] // 2):
        number = task.number * plan["hands"] // 2 + hand
        deal = deal_on_flops(game, task.setting.flops, np.random.default_rng([2, number]))
        for seat in range(2):
            order = bots if seat == 0 else bots[::-1]
            for place, bot in enumerate(bots):
                bot.reset(game, np.random.default_rng([3, number, seat, place]))
            players = names if seat == 0 else names[::-1]
            played = play_hand(game, deal, order, names=players, number=number)
            plain.append(played.payoffs[seat])
            won.append(corrected_payoffs(played, known, flop_first=True)[seat])
    return {"won": won, "plain": plain}


def forget() -> None:
    """Let go of the bots of this process, and of their solves."""
    close_responders()
    forget_bots()
    _players.cache_clear()


_KINDS = {"lbr": _respond, "street": _respond_exactly, "match": _play}


@lru_cache(maxsize=1)
def _players(game: str, bot: str, opponent: str) -> tuple[BettingGame, Bot, Bot]:
    return load_table_game(game), make_bot(bot), make_bot(opponent)


@lru_cache(maxsize=4)
def _roots(setting: Setting) -> list[StreetRoot]:
    game, flops = load_table_game(setting.game), parse_flops(setting.flops)
    play, found = PreflopPlay(game), []
    for line in likely_lines(play.chart, setting.lines):
        node = play.betting(line)
        for seat in range(2):
            ranges = play.ranges(node, seat)
            found += [flop_root(game, node, seat, tuple(each.cards), ranges) for each in flops]
    return found

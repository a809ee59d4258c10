"""After a hand against `nolimit`: the next one, or why it went as it did."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.text import Text

from pokerlab.arena.hands import PlayedHand
from pokerlab.cli.tables.why_tables import print_decision, print_decisions
from pokerlab.cli.terminal.human import HumanBot
from pokerlab.games import BettingGame, DealtState
from pokerlab.players.bots.bot import Bot
from pokerlab.players.bots.nolimit.bot import NolimitBot
from pokerlab.players.bots.nolimit.why import ExplainedDecision, explain
from pokerlab.runtime.errors import shorten
from pokerlab.views.payloads.why_payload import why_data

_WHY = re.compile(r"why(?:\s+(?P<what>\d{1,3}|all))?(?:\s+-o\s*(?P<file>\S.*))?", re.IGNORECASE)


def patience(bot: NolimitBot) -> str:
    """How long the bot thinks, to be said before the first hand.

    Examples
    --------
    >>> patience(NolimitBot(seconds=2))
    'nolimit solves each street as it comes: about 2 s on a flop, 0.4 s on a turn'
    """
    solver, told = bot.play.solver, "nolimit solves each street as it comes"
    if solver.iterations:
        return f"{told}, with {solver.iterations:,} iterations"
    told += f": about {solver.seconds:g} s on a flop, {solver.street_seconds(1):.1g} s on a turn"
    return told if solver.seconds <= 2 else f"{told}; --against nolimit:seconds=2 is quicker"


class ThinkingBot(Bot):
    """Plays as `nolimit` does; the hand so far is shown before it thinks, and that it does."""

    def __init__(self, bot: NolimitBot, human: HumanBot, name: str) -> None:
        self.bot, self.human, self.name = bot, human, name

    def reset(self, game: BettingGame, rng: np.random.Generator) -> None:
        """Begin a match."""
        super().reset(game, rng)
        self.bot.reset(game, rng)

    def begin(self, position: int, players: Sequence[int]) -> None:
        """Begin a hand."""
        self.bot.begin(position, players)

    def act(self, view: DealtState) -> str:
        """Think, and say so at a terminal."""
        if not view.street:
            return self.bot.act(view)
        self.human.show_events(view)
        with self.human.console.status(f"{self.name} thinks…"):
            return self.bot.act(view)

    def end(self, view: DealtState) -> None:
        """See how the hand ended."""
        self.bot.end(view)

    def close(self) -> None:
        """Let the bot go."""
        self.bot.close()


class Explainer:
    """Asks after each hand what to do next; ``why`` explains it.

    Parameters
    ----------
    bot, console, ask
        Who was played against, where to show it, and how to ask.
    """

    def __init__(self, bot: NolimitBot, console: Console, ask: Callable[[str], str]) -> None:
        self.bot, self.console, self.ask = bot, console, ask
        self.asked: list[dict[str, Any]] = []
        """The hands that were asked for, as JSON."""

    def __call__(self, hand: PlayedHand) -> bool:
        """Answer until the next hand is wanted; False where the person leaves."""
        found: tuple[ExplainedDecision, ...] = ()
        data: list[dict[str, Any]] = []
        hint = "  Enter goes on, why explains this hand, q leaves"
        self.console.print(Text(hint, style="cyan"))
        while True:
            try:
                answer = self.ask("> ").strip()
            except (EOFError, KeyboardInterrupt):
                return False
            if answer.lower() in ("q", "quit", "exit"):
                return False
            if answer.lower() in ("", "n", "next"):
                return True
            asked = _WHY.fullmatch(answer)
            if asked is None:
                self._say(f"{shorten(answer)!r}? Enter goes on, why explains this hand, q leaves")
                continue
            if not found:
                found = explain_hand(self.bot, hand)
                data = why_data(found, hand.players)
                self.asked.append({"hand": hand.number + 1, "decisions": data})
            try:
                self._answer(found, data, asked["what"], asked["file"])
            except (ValueError, OSError) as error:
                self._say(str(error))

    def _answer(
        self,
        found: Sequence[ExplainedDecision],
        data: Sequence[dict[str, Any]],
        what: str | None,
        file: str | None,
    ) -> None:
        if what is None or what.lower() == "all":
            if file is not None:
                raise ValueError("name the decision to keep, for example why 3 -o turn.safetensors")
            print_decisions(self.console, data)
            for each in data if what else ():
                print_decision(self.console, each)
            self.console.print(
                Text(
                    "  why 3 shows the ranges at decision 3, why 3 -o FILE keeps its solve",
                    style="dim",
                )
            )
            return
        number = int(what)
        if not 1 <= number <= len(found):
            raise ValueError(f"why {number}: this hand has the decisions 1 to {len(found)}")
        if file is None:
            print_decision(self.console, data[number - 1])
            return
        path = Path(file.strip())
        if path.suffix != ".safetensors":
            raise ValueError(f"{shorten(str(path))}: the name must end in .safetensors")
        if path.exists():
            raise ValueError(f"{shorten(str(path))}: this file exists already")
        found[number - 1].keep(path)
        line = found[number - 1].line
        self.console.print(
            Text(f"  kept; pokerlab show {path}{f' {line}' if line else ''} opens it, or the pages")
        )

    def _say(self, text: str) -> None:
        self.console.print(Text(f"  {text}", style="yellow"), soft_wrap=True)


def explain_hand(bot: NolimitBot, hand: PlayedHand) -> tuple[ExplainedDecision, ...]:
    """The decisions of a hand that the bot has just played against a person."""
    return explain(bot, hand.final, 1 - hand.players.index("you"))

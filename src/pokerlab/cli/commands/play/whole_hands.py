"""`pokerlab practise --against nolimit`: whole hands, judged when they are over."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import TYPE_CHECKING

from pokerlab.cli.commands.play.match import game_with_stack
from pokerlab.cli.commands.play.play import PlayingTable
from pokerlab.cli.tables.why_tables import GRADE_STYLES
from pokerlab.cli.terminal.asking import asker
from pokerlab.cli.terminal.debugging import let_go
from pokerlab.views import Table

if TYPE_CHECKING:
    from rich.console import Console

    from pokerlab.arena.hands import PlayedHand
    from pokerlab.cli.shared.explaining import Explainer
    from pokerlab.drills import DrillScore, Judgement, MixedSession
    from pokerlab.drills.log import DrillLog
    from pokerlab.players.bots.nolimit.bot import NolimitBot

_GAME = "holdem.nolimit.2p"


def play_whole_hands(
    console: Console,
    against: str,
    stack: str | None,
    hands: int | None,
    seed: int,
    log: Path | None,
) -> DrillScore:
    """Play hands against `nolimit` and judge them; gives the score of the session."""
    from pokerlab.cli.shared.explaining import Explainer, ThinkingBot, patience
    from pokerlab.cli.terminal.human import HumanBot
    from pokerlab.drills import open_log
    from pokerlab.games import load_betting_game

    bot = _make_bot(against)
    rules = load_betting_game(game_with_stack(_GAME, stack))
    human = HumanBot(console, asker(console), ["you", "nolimit"])
    explainer = Explainer(bot, console, human.ask)
    judging = _Judging(bot, console, open_log(log), explainer)
    console.print(patience(bot))
    opponent = ThinkingBot(bot, human, "nolimit")
    try:
        PlayingTable(rules, human, [opponent], None, seed, judging).play(hands)
    finally:
        let_go(opponent, "nolimit")
    return judging.score


def _make_bot(against: str) -> NolimitBot:
    from pokerlab.players.bots.catalogue import make_bot
    from pokerlab.players.bots.nolimit.bot import NolimitBot
    from pokerlab.runtime.errors import shorten

    if against.partition(":")[0] != "nolimit":
        raise ValueError(
            f"--against {shorten(against)}: only nolimit says what hands were worth;"
            " `pokerlab play` plays against any bot"
        )
    bot = make_bot(against)
    assert isinstance(bot, NolimitBot)
    return bot


class WholeHands:
    """Whole hands against `nolimit` that come in turn with those of other sources.

    `session` is the session whose turn it is, and `number` that of the first hand.
    """

    def __init__(
        self, console: Console, against: str, stack: str | None, seed: int, session: MixedSession
    ) -> None:
        from pokerlab.cli.shared.explaining import Explainer, ThinkingBot, patience
        from pokerlab.cli.terminal.human import HumanBot
        from pokerlab.games import load_betting_game

        bot = _make_bot(against)
        rules = load_betting_game(game_with_stack(_GAME, stack))
        human = HumanBot(console, asker(console), ["you", "nolimit"])
        explainer = Explainer(bot, console, human.ask)
        log = next(each.log for each in session.sources if each.source is None)
        self._judging = _Judging(bot, console, log, explainer, session)
        self._opponent = ThinkingBot(bot, human, "nolimit")
        console.print(patience(bot))
        self._table = PlayingTable(rules, human, [self._opponent], None, seed, None)

    def play_one(self) -> None:
        """Play and judge a hand; `EOFError` where the person leaves."""
        from pokerlab.cli.terminal.human import PlayerLeft

        try:
            hand = self._table.play_one()
        except PlayerLeft as left:
            raise (left.__cause__ or EOFError()) from None
        if not self._judging(hand):
            raise EOFError

    def close(self) -> None:
        """Let the bot go."""
        let_go(self._opponent, "nolimit")


class _Judging:
    """Judges each hand, shows its loss street by street, and asks what comes next."""

    def __init__(
        self,
        bot: NolimitBot,
        console: Console,
        log: DrillLog,
        explainer: Explainer,
        mixed: MixedSession | None = None,
    ) -> None:
        self.bot, self.console, self.log, self.explainer = bot, console, log, explainer
        self.mixed = mixed
        self.session = secrets.token_hex(8) if mixed is None else mixed.name

    def __call__(self, hand: PlayedHand) -> bool:
        from pokerlab.cli.shared.explaining import explain_hand
        from pokerlab.drills import LogEntry, judge_hand
        from pokerlab.drills.log import local_time
        from pokerlab.drills.mixed import NOLIMIT

        explained = explain_hand(self.bot, hand)
        judged = judge_hand(explained)
        won = hand.payoffs[hand.players.index("you")]
        if self.mixed is not None:
            self.mixed.add_whole_hand(judged, hand.betting, won)
        else:
            name, number, at = self.session, hand.number, local_time()
            for each in judged:
                self.log.add(LogEntry(name, number, NOLIMIT, each.line, each, at=at))
            self.log.add(LogEntry(name, number, NOLIMIT, hand.betting, won=won, at=at))
        unjudged = sum(not each.own for each in explained) - len(judged)
        self._show(judged, unjudged)
        return self.explainer(hand)

    @property
    def score(self) -> DrillScore:
        from pokerlab.drills import DrillScore
        from pokerlab.drills.mixed import NOLIMIT

        entries = self.log.entries()
        own = [entry for entry in entries if entry.session == self.session]
        return DrillScore.of(entry for entry in own if entry.source == NOLIMIT)

    def _show(self, judged: list[Judgement], unjudged: int) -> None:
        from rich.text import Text

        from pokerlab.drills import action_words
        from pokerlab.drills.score import street_of
        from pokerlab.drills.words import amount_text

        columns = {
            "street": "name",
            "you": "name",
            "best": "name",
            "loss in bb": "chips.3",
            "% of pot": "chips",
            "": "text",
        }
        rows = [
            (
                street_of(each),
                action_words(each.action),
                action_words(each.best) if each.loss else "the same",
                each.loss_bb,
                each.loss_percent,
                Text(each.grade, style=GRADE_STYLES[each.grade]),
            )
            for each in judged
        ]
        if rows:
            self.console.print(Table(columns, rows, options={"header_style": "dim"}))
        lost = sum(each.loss_bb or 0.0 for each in judged)
        line = Text(f"  this hand lost {amount_text(lost, 1)}", style="bold")
        mean = self.score.loss_bb_hand
        if mean is not None:
            line.append(f"  mean {amount_text(mean, 1)} a hand", style="dim")
        self.console.print(line)
        if unjudged:
            word = "decision does" if unjudged == 1 else "decisions do"
            self.console.print(
                Text(f"  {unjudged} {word} not count: nothing says what it was worth", style="dim")
            )

"""`pokerlab practise --against nolimit`: whole hands, judged when they are over."""

from __future__ import annotations

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
    from pokerlab.players.bots.nolimit.bot import NolimitBot

_GAME = "holdem.nolimit.2p"


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
    """Whole hands of a session against `nolimit`, alone or in turn with those of other sources."""

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
        self._judging = _Judging(bot, console, explainer, session)
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
        self, bot: NolimitBot, console: Console, explainer: Explainer, session: MixedSession
    ) -> None:
        self.bot, self.console, self.explainer, self.session = bot, console, explainer, session

    def __call__(self, hand: PlayedHand) -> bool:
        from pokerlab.cli.shared.explaining import explain_hand
        from pokerlab.drills import judge_hand

        explained = explain_hand(self.bot, hand)
        judged = judge_hand(explained)
        won = hand.payoffs[hand.players.index("you")]
        self.session.add_whole_hand(judged, hand.betting, won)
        unjudged = sum(not each.own for each in explained) - len(judged)
        self._show(judged, unjudged)
        return self.explainer(hand)

    @property
    def _score(self) -> DrillScore:
        from pokerlab.drills import DrillScore
        from pokerlab.drills.mixed import NOLIMIT

        own = (entry for entry in self.session.entries() if entry.source == NOLIMIT)
        return DrillScore.of(own)

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
        mean = self._score.loss_bb_hand
        if mean is not None:
            line.append(f"  mean {amount_text(mean, 1)} a hand", style="dim")
        self.console.print(line)
        if unjudged:
            word = "decision does" if unjudged == 1 else "decisions do"
            self.console.print(
                Text(f"  {unjudged} {word} not count: nothing says what it was worth", style="dim")
            )

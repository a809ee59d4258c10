"""Hands of a drill at the terminal: they are shown, asked, judged, and summed up."""

from __future__ import annotations

import sys
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

from pokerlab.cli.tables.why_tables import GRADE_STYLES
from pokerlab.views import Table

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.console import Console

    from pokerlab.drills import DrillHand, DrillScore, Judgement, MixedSession


class DrillPlay:
    """Hands one after the other, until all are played or the person leaves.

    `whole` plays a whole hand against `nolimit` where it is its turn.
    """

    def __init__(
        self,
        session: MixedSession,
        console: Console,
        ask: Callable[[str], str],
        whole: Callable[[], None] | None = None,
    ) -> None:
        self.session, self.console, self.ask, self.whole = session, console, ask, whole
        self._events = 0

    def play(self, hands: int | None) -> None:
        """Play, and say when nothing is left."""
        try:
            while (hands is None or self.session.number < hands) and not self.session.over:
                self._play_hand()
            if self.session.over:
                self.console.print(self.session.end)
        except (EOFError, KeyboardInterrupt):
            self.console.print("you leave the table")

    def _play_hand(self) -> None:
        from rich.text import Text

        from pokerlab.games.betting_trees.menus import SEATS

        known = len(self.session.ended)
        hand = self.session.deal()
        for place in list(self.session.ended)[known:]:
            self.console.print(self.session.left_out(place), soft_wrap=True)
        if hand is None:
            assert self.whole is not None
            self.whole()
            return
        self._events = 0
        left = f", {self.session.left} to play again" if self.session.setup.mistakes else ""
        if self.session.setup.due and self.session.left:
            left = f", {self.session.left} due"
        own = self.session.session
        name = f", {own.source.name}" if own and len(self.session.sources) > 1 else ""
        title = f"hand {self.session.number}{name}, you are {SEATS[hand.player]}{left}"
        self.console.rule(Text(title), align="left")
        while hand.decision is not None:
            self._show_events(hand)
            self._decide(hand)
        self._show_events(hand)
        self._show_result(hand)

    def _decide(self, hand: DrillHand) -> None:
        from rich.text import Text

        from pokerlab.cards.codes import parse_cards
        from pokerlab.cli.terminal.human import card_text
        from pokerlab.drills import read_answer

        decision = hand.decision
        if decision is None:
            return
        text = Text("  you hold ").append_text(card_text(parse_cards(hand.hand)))
        text.append("  board ").append_text(card_text(decision.board))
        own, other = decision.stacks[hand.player], decision.stacks[1 - hand.player]
        text.append(f"  pot {decision.pot:,}  you have {own:,}")
        if own != other:
            text.append(f" (solution {other:,})", style="dim")
        self.console.print(text, soft_wrap=True)
        choices = [f"{key} {choice.words}" for key, choice in enumerate(decision.choices, 1)]
        self.console.print(Text(f"  {', '.join(choices)}; q leaves", style="cyan"))
        began, limit = monotonic(), self.session.setup.seconds
        while True:
            answer = self.ask("> ").strip()
            if answer.lower() in ("q", "quit", "exit"):
                raise EOFError
            try:
                action = read_answer(decision.actions, answer)
                break
            except ValueError as error:
                self.console.print(Text(f"  {error}", style="yellow"))
        took = monotonic() - began if limit is not None or sys.stdin.isatty() else None
        self._events = len(hand.events) + 1  # what one did oneself need not be said
        if limit is not None and took is not None and took > limit:
            self.console.print(Text(f"  {took:.1f} s, of {limit:g}", style="yellow"))
            self._show_judgement(self.session.run_out_of_time())
        else:
            self._show_judgement(self.session.act(action, took))

    def _show_events(self, hand: DrillHand) -> None:
        from rich.text import Text

        from pokerlab.cards.codes import parse_cards
        from pokerlab.cli.terminal.human import card_text

        for event in hand.events[self._events :]:
            if event.who == "board":
                line = Text(f"  {event.words}  ", style="bold")
                line.append_text(card_text(parse_cards(event.text)))
                line.append(f"  pot {event.pot:,}", style="dim")
            else:
                who = "you" if event.who == "you" else "the solution"
                line = Text(f"  {who} {event.words}", style="dim" if event.before else "")
            self.console.print(line)
        self._events = len(hand.events)

    def _show_judgement(self, judged: Judgement) -> None:
        from rich.text import Text

        from pokerlab.drills import action_words

        line = Text("  ").append(judged.grade, style=GRADE_STYLES[judged.grade])
        if judged.loss_percent >= 0.005:
            line.append(f"  −{judged.loss_text}, {judged.loss_percent:.2f}% of the pot")
        if not judged.arrives:
            line.append("  (the solution does not come here with this hand)", style="dim")
        self.console.print(line)
        unit, factor = ("chips", 1.0) if judged.big_blind is None else ("bb", judged.big_blind)
        if judged.prize_chips is not None:
            unit, factor = "% of the prizes", judged.prize_chips / 100
        columns = {
            "": "text",
            "action": "name",
            "frequency": "share",
            "EV": "chips",
            f"loss in {unit}": "chips.3",
            "% of pot": "chips",
        }
        best, rows = max(judged.ev), []
        for action, frequency, ev in zip(judged.actions, judged.strategy, judged.ev, strict=True):
            lost = best - ev
            rows.append(
                (
                    "  ▸" if action == judged.action else "",
                    action_words(action),
                    frequency,
                    ev,
                    lost / factor if lost else "",
                    100 * lost / judged.pot if lost else "best",
                )
            )
        chosen = ["bold" if action == judged.action else "" for action in judged.actions]
        options = {"header_style": "dim", "row_styles": chosen}
        self.console.print(Table(columns, rows, options=options))

    def _show_result(self, hand: DrillHand) -> None:
        from rich.text import Text

        from pokerlab.cards.codes import parse_cards
        from pokerlab.cli.terminal.human import card_text

        result = hand.result
        if result is None:
            return
        for who, cards, name in (
            ("you have", hand.hand, result.names[0]),
            ("the solution has", result.opponent, result.names[1]),
        ):
            line = Text(f"  {who} ").append_text(card_text(parse_cards(cards)))
            self.console.print(line.append(f", {name}" if name else ""), soft_wrap=True)
        if result.late:
            self.console.print(Text("  the time was over; the decision comes back", style="bold"))
            return
        won = result.won
        word = "you win" if won > 0 else "you lose" if won < 0 else "nothing won or lost"
        amount = "" if won == 0 else f" {abs(won):,.10g}"
        if won and hand.prize_chips is not None:
            amount = f" {abs(won) / hand.prize_chips:.3%} of the prizes"
        score = self.session.score
        line = Text(f"  {word}{amount}", style="bold")
        line.append(f"  mean loss {score.loss_percent:.2f}% of the pot", style="dim")
        self.console.print(line)


def show_score(console: Console, score: DrillScore, *paths: Path) -> None:
    """Show the score of a session, and where its results are."""
    from rich.text import Text

    if not score.decisions and not score.slow:
        console.print("no decision was made")
        return
    console.rule(Text("score"), align="left")
    console.print(
        f"{count_text(score.hands, 'hand')}, {count_text(score.decisions, 'decision')}: mean loss"
        f" {score.loss_percent:.2f}% of the pot"
    )
    console.print(
        f"{score.text(score.loss, score.loss_bb)} a decision,"
        f" {score.text(score.loss_hand, score.loss_bb_hand)} a hand"
    )
    line = Text()
    for grade, count in score.grades.items():
        line.append(f"{grade} {count}", style=GRADE_STYLES[grade]).append("  ")
    console.print(line)
    if score.seconds is not None:
        slow = f", {score.slow} too slow" if score.slow else ""
        console.print(f"{score.seconds:.1f} s a decision{slow}")
    elif score.slow:
        console.print(f"{score.slow} too slow")
    if not score.decisions:
        return
    streets = [f"{street} {loss:.2f}% ({count})" for street, (count, loss) in score.streets.items()]
    console.print(f"by street: {', '.join(streets)}")
    if score.worst:
        texts = dict.fromkeys(("worst", "board", "after", "you", "better"), "fold")
        rows = map(_worst_row, score.worst)
        options = {"header_style": "dim"}
        console.print(Table({**texts, "% of pot": "chips"}, rows, options=options))
    if paths:
        console.print(Text(f"results are in {', '.join(map(str, paths))}", style="dim"))


def _worst_row(each: Judgement) -> tuple[Any, ...]:
    from pokerlab.cards.codes import parse_cards
    from pokerlab.cli.terminal.human import card_text
    from pokerlab.drills import action_words

    return (
        card_text(parse_cards(each.hand)),
        each.board,
        each.line or "–",
        action_words(each.action),
        action_words(each.best),
        f"{each.loss_percent:.2f}",
    )


def count_text(number: int, what: str) -> str:
    """A number of things: ``1 hand``, ``2,000 hands``."""
    return f"{number:,} {what}{'' if number == 1 else 's'}"

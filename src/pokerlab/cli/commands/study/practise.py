"""`pokerlab practise`: play a solution's hands against the solution, and see what you lose."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pokerlab.cli.options import declared as options
from pokerlab.cli.options.bounds import bounded
from pokerlab.cli.tables.why_tables import GRADE_STYLES
from pokerlab.cli.terminal.asking import asker
from pokerlab.cli.terminal.output import new_console, print_json
from pokerlab.views import Table

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from rich.console import Console

    from pokerlab.drills import DrillHand, DrillScore, DrillSession, Judgement


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("practise")(_practise)
    app.command("train-hands", hidden=True)(_practise)  # its name in earlier versions


def _practise(
    file: Annotated[
        Path | None, typer.Argument(help="A solution, or the folder of a batch: random boards.")
    ] = None,
    against: Annotated[
        str | None,
        "In place of a file: whole hands against nolimit, judged by what it solves;"
        " nolimit:seconds=2 is quicker.",
    ] = None,
    stack: options.GameStack = None,
    seat: Annotated[str | None, "oop or ip; by default both in turn."] = None,
    street: Annotated[str | None, "Begin where play comes to flop, turn or river."] = None,
    line: Annotated[str, "Begin after this line, for example x/b50/c; cards may be left out."] = "",
    hands: Annotated[options.Hands, "Until q by default."] = None,
    mistakes: Annotated[bool, "Only decisions that went wrong, until they go well."] = False,
    log: Annotated[
        Path | None, "Where results are kept; by default FILE.training.jsonl beside it."
    ] = None,
    seed: Annotated[
        int | None,
        "Seed of the random numbers: the same seed, the same hands; new ones by default.",
        bounded(0, 2**63 - 1),
    ] = None,
    as_json: options.Json = False,
) -> None:
    """Practise against a solution: it plays the other seat, and judges each of your actions.

    Hands are dealt as often as they arrive. After each action you see what every action is worth
    with your hand, how often the solution takes it, and what yours lost. Hands against nolimit are
    judged when they are over, street by street.
    """
    if file is None or against is not None:
        spot_only = {"--seat": seat, "--street": street, "--line": line, "--mistakes": mistakes}
        _practise_whole_hands(file, against, spot_only, stack, hands, log, seed, as_json=as_json)
        return
    if stack is not None:
        raise ValueError(f"--stack {stack}: it is for hands --against nolimit")
    from pokerlab.drills import DrillSession, Setup, open_log, open_source
    from pokerlab.drills.log import default_log

    chosen = secrets.randbits(62) if seed is None else seed
    setup = Setup(seat, street, line, mistakes, chosen)
    source = open_source(file)
    path = default_log(file) if log is None else log
    session = DrillSession(source, setup, open_log(path))
    console = new_console(stderr=as_json)
    if source.note:
        console.print(source.note)
    _DrillPlay(session, console, asker(console)).play(hands)
    score = session.score
    if as_json:
        print_json({**score.to_json(), "seed": chosen, "log": str(path)})
    else:
        show_score(console, score, path)


def _practise_whole_hands(
    file: Path | None,
    against: str | None,
    spot_only: Mapping[str, object],
    stack: str | None,
    hands: int | None,
    log: Path | None,
    seed: int | None,
    *,
    as_json: bool,
) -> None:
    if against is None:
        raise ValueError("name a solution or a batch to practise on, or play --against nolimit")
    if file is not None:
        raise ValueError(f"{file}: name a file or --against {against}, not both")
    given = [name for name, value in spot_only.items() if value]
    if given:
        raise ValueError(f"{given[0]}: it is for solutions; hands --against {against} are whole")
    from pokerlab.cli.commands.play.whole_hands import play_whole_hands

    chosen = secrets.randbits(62) if seed is None else seed
    console = new_console(stderr=as_json)
    score = play_whole_hands(console, against, stack, hands, chosen, log)
    if as_json:
        print_json({**score.to_json(), "seed": chosen, "log": None if log is None else str(log)})
    else:
        show_score(console, score, log)


class _DrillPlay:
    """Hands one after the other, until all are played or the person leaves."""

    def __init__(self, session: DrillSession, console: Console, ask: Callable[[str], str]) -> None:
        self.session, self.console, self.ask = session, console, ask
        self._events = 0

    def play(self, hands: int | None) -> None:
        try:
            while (hands is None or self.session.number < hands) and not self.session.over:
                self._play_hand()
            if self.session.over:
                self.console.print("all mistakes have been played well")
        except (EOFError, KeyboardInterrupt):
            self.console.print("you leave the table")

    def _play_hand(self) -> None:
        from rich.text import Text

        from pokerlab.games.betting_trees.menus import SEATS

        hand = self.session.deal()
        self._events = 0
        left = f", {self.session.left} to play again" if self.session.setup.mistakes else ""
        title = f"hand {self.session.number}, you are {SEATS[hand.player]}{left}"
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
        while True:
            answer = self.ask("> ").strip()
            if answer.lower() in ("q", "quit", "exit"):
                raise EOFError
            try:
                action = read_answer(decision.actions, answer)
                break
            except ValueError as error:
                self.console.print(Text(f"  {error}", style="yellow"))
        self._events = len(hand.events) + 1  # what one did oneself need not be said
        self._show_judgement(self.session.act(action))

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
        won = result.won
        word = "you win" if won > 0 else "you lose" if won < 0 else "nothing won or lost"
        amount = "" if won == 0 else f" {abs(won):,.10g}"
        if won and hand.prize_chips is not None:
            amount = f" {abs(won) / hand.prize_chips:.3%} of the prizes"
        score = self.session.score
        line = Text(f"  {word}{amount}", style="bold")
        line.append(f"  mean loss {score.loss_percent:.2f}% of the pot", style="dim")
        self.console.print(line)


def show_score(console: Console, score: DrillScore, path: Path | None) -> None:
    """Show the score of a session, and where its results are."""
    from rich.text import Text

    if not score.decisions:
        console.print("no decision was made")
        return
    console.rule(Text("score"), align="left")
    console.print(
        f"{_count(score.hands, 'hand')}, {_count(score.decisions, 'decision')}: mean loss"
        f" {score.loss_percent:.2f}% of the pot, {score.text(score.loss, score.loss_bb)};"
        f" {score.text(score.loss_hand, score.loss_bb_hand)} a hand"
    )
    line = Text()
    for grade, count in score.grades.items():
        line.append(f"{grade} {count}", style=GRADE_STYLES[grade]).append("  ")
    console.print(line)
    streets = [f"{street} {loss:.2f}% ({count})" for street, (count, loss) in score.streets.items()]
    console.print(f"by street: {', '.join(streets)}")
    if score.worst:
        texts = dict.fromkeys(("worst", "board", "after", "you", "better"), "fold")
        rows = map(_worst_row, score.worst)
        options = {"header_style": "dim"}
        console.print(Table({**texts, "% of pot": "chips"}, rows, options=options))
    if path is not None:
        console.print(Text(f"results are in {path}", style="dim"))


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


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"

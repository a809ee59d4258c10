"""A hand against `nolimit`, explained at the terminal: a list of decisions, and one of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pokerlab.views import Table

if TYPE_CHECKING:
    from rich.console import Console

GRADE_STYLES = {
    "best": "bold green",
    "good": "green",
    "inaccuracy": "yellow",
    "mistake": "bold yellow",
    "blunder": "bold red",
    "too slow": "bold magenta",
}
"""How the grades of decisions are written."""


def print_decisions(console: Console, decisions: Sequence[Mapping[str, Any]]) -> None:
    """A row for each decision of `why_data`: what it was worth, and the best there was."""
    columns = {
        "": "count",
        "street": "name",
        "decision": "fold.30",
        "EV": "chips.0",
        "best": "fold.24",
        "its EV": "chips.0",
        "loss in bb": "chips.2",
    }
    rows = []
    for each in decisions:
        best, chosen = each["best"], each["chosen"]
        options = each["options"]
        rows.append(
            (
                each["number"],
                each["street"],
                each["words"],
                ev_text(options[chosen]) if chosen is not None else None,
                None if best is None else "the same" if best == chosen else options[best]["words"],
                None if best is None else ev_text(options[best]),
                loss_text(each),
            )
        )
    console.print(Table(columns, rows, options={"header_style": "dim"}))


def ev_text(option: Mapping[str, Any]) -> str | None:
    """An EV in chips; lower bounds are marked."""
    ev = option["ev"]
    return None if ev is None else f"{'' if option['firm'] else '≥ '}{ev:,.1f}"


def loss_text(decision: Mapping[str, Any]) -> str | None:
    """What a decision lost in big blinds; where its EV is a lower bound, at most."""
    loss = decision["loss_bb"]
    if loss is None:
        return None
    return f"{'' if decision['firm'] or not loss else '≤ '}{loss:,.2f}"


def print_decision(console: Console, each: Mapping[str, Any]) -> None:
    """One decision: its options, and the ranges of both players as matrices."""
    from rich.text import Text

    from pokerlab.cards.codes import parse_cards
    from pokerlab.cli.terminal.human import card_text

    title = Text(f"  {each['number']}  {each['street']}: {each['words']}", style="bold")
    console.print(title)
    line = Text("  ").append_text(card_text(parse_cards(each["hand"])))
    if each["board"]:
        line.append("  board ").append_text(card_text(parse_cards(each["board"])))
    line.append(f"  pot {each['pot']:,.10g}")
    console.print(line)
    if each["note"]:
        console.print(Text(f"  {each['note']}", style="dim"), soft_wrap=True)
    if not each["options"]:
        return
    columns = {"": "text", "action": "name", "range": "share", "this hand": "share", "EV": "name"}
    rows = [
        (
            "  ▸" if number == each["chosen"] else "",
            option["words"],
            option["frequency"],
            option["hand_frequency"],
            ev_text(option) or "–",
        )
        for number, option in enumerate(each["options"])
    ]
    styles = ["bold" if number == each["chosen"] else "" for number in range(len(rows))]
    console.print(Table(columns, rows, options={"header_style": "dim", "row_styles": styles}))
    for name, chosen in each["ranges"].items():
        _print_range(console, each, name, chosen)
    if each["solve"] is not None:
        console.print(Text(f"  {solve_text(each['solve'])}", style="dim"), soft_wrap=True)


def _print_range(
    console: Console, each: Mapping[str, Any], name: str, chosen: Mapping[str, Any]
) -> None:
    import numpy as np
    from rich.text import Text

    from pokerlab.cards.hand_classes import CLASS_OF_COMBO
    from pokerlab.cards.ranges.range import Range
    from pokerlab.cli.tables.matrix import StrategyMatrix, action_letters, action_styles

    weights = np.array(chosen["weights"])
    weights = np.where(weights < _RARE, 0.0, weights)
    line = Text(f"  {'your range' if name == 'you' else f'the range of {name}'}", style="bold")
    if chosen["parts"] is None:
        console.print(line)
        console.print(Range(weights[CLASS_OF_COMBO]))
        return
    labels = [option["label"] for option in each["options"]]
    keys = zip(action_letters(labels), action_styles(labels), each["options"], strict=True)
    for letter, style, option in keys:
        line.append("  ").append(f" {letter} ", style=style).append(f" {option['words']}")
    console.print(line, soft_wrap=True)
    console.print(StrategyMatrix(labels, np.array(chosen["parts"]).T, weights))


_RARE = 0.005
"""Every hand stays possible for the bot; those that are this rare are not shown."""


def solve_text(solve: Mapping[str, Any]) -> str:
    """How the street was solved."""
    whole = "" if solve["whole"] else "; a file of it has this street alone"
    suits = f", as {solve['board']} with {solve['hand']}" if solve["hand"] else ""
    return (
        f"solved{suits}: {solve['iterations']:,} iterations in {solve['seconds']:.1f} s,"
        f" exploitability {solve['percent']:.2f}% of the pot{whole}"
    )

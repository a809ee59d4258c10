"""`pokerlab evaluate`, `equity` and `range`: cards without a game around them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from pokerlab.cli.shared import options
from pokerlab.cli.shared.bounds import bounded
from pokerlab.cli.shared.output import bold, emit
from pokerlab.views import Table

if TYPE_CHECKING:
    from rich.console import Console

Board = Annotated[
    str, typer.Option("--board", "-b", help="3, 4 or 5 board cards, for example 4h5h6h.")
]
Dead = Annotated[str, typer.Option("--dead", help="Cards that are out of play.")]


def register(app: typer.Typer) -> None:
    """Add the commands to the application."""
    app.command("evaluate")(_evaluate)
    app.command("equity")(_equity)
    app.command("range")(_range)


def _evaluate(
    cards: Annotated[list[str], "5, 6 or 7 cards, for example AsKsQsJsTs9h2d."],
    as_json: options.Json = False,
) -> None:
    """Name the best poker hand in five to seven cards, and its rank among all hands."""
    from pokerlab.cards.codes import format_cards, parse_cards
    from pokerlab.cards.evaluator.evaluation import evaluate
    from pokerlab.cards.evaluator.hand_names import N_CLASSES, category, hand_name

    text = " ".join(cards)
    hand_class = evaluate(text)
    data = {
        "class": hand_class,
        "category": category(hand_class),
        "name": hand_name(hand_class),
    }

    def render(console: Console) -> None:
        shown = format_cards(parse_cards(text), separator=" ", symbols=True)
        console.print(shown, " ", bold(hand_name(hand_class)))
        better = hand_class - 1
        console.print(
            f"{data['category']}, class {hand_class:,} of {N_CLASSES:,} "
            f"({better:,} classes are better)"
        )

    emit(data, render, as_json=as_json)


def _equity(
    players: Annotated[list[str], "2 to 9 hands or ranges: AsAd, 'QQ+, AK', random."],
    board: Board = "",
    dead: Dead = "",
    samples: Annotated[
        int | None,
        "Sample this many random deals instead of enumerating all.",
        bounded(1, 100_000_000),
    ] = None,
    exact: Annotated[bool, "Enumerate, however long it takes."] = (False),
    seed: options.Seed = 0,
    as_json: options.Json = False,
) -> None:
    """Equity of hands or ranges against each other: exact when feasible, else Monte Carlo."""
    from pokerlab.cards.equities.equity import equity

    result = equity(
        *players, board=board, dead=dead, samples=samples, exact=exact or None, rng=seed
    )
    data = {
        "equities": list(result.values),
        "error": result.error,
        "wins": list(result.wins),
        "ties": list(result.ties),
        "samples": result.samples,
    }

    def render(console: Console) -> None:
        rows = [
            (name if len(name) <= 40 else name[:37] + "...", *numbers, "█" * round(40 * numbers[0]))
            for name, *numbers in zip(players, result.values, result.wins, result.ties, strict=True)
        ]
        heads = {"equity": "share.4", "wins": "share.2", "ties": "share.2", "": "text"}
        console.print(Table({"player": "text", **heads}, rows))
        if result.exact:
            console.print("exact")
        else:
            console.print(f"{result.samples:,} random deals, standard error {result.error:.4%}")

    emit(data, render, as_json=as_json)


def _range(
    text: Annotated[list[str], "A range, for example '77+, A5s-A2s, AKo:0.5'."],
    dead: Dead = "",
    as_json: options.Json = False,
) -> None:
    """Draw a range as a 13×13 grid, count its combos, and write it out as text."""
    from pokerlab.cards.ranges.range import Range

    hands = Range(" ".join(text)).remove(dead)
    share = hands.combos / Range("random").remove(dead).combos
    data = {
        "range": str(hands),
        "plain": hands.plain_text(),
        "combos": hands.combos,
        "hands": hands.count,
        "share": share,
        "weights": dict(hands),
    }

    def render(console: Console) -> None:
        console.print(hands)
        console.print(f"spans     {hands}", soft_wrap=True)
        console.print(f"plain     {hands.plain_text()}", soft_wrap=True)

    emit(data, render, as_json=as_json)

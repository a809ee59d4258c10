"""`pokerlab deals`: deals with some cards fixed, the rest enumerated or sampled."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from pokerlab.cli.shared.output import Json, Seed, emit

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["register"]

_MOST_ENUMERATED = 1_000_000


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("deals")(_deals)


def _deals(
    game: Annotated[str, typer.Argument(help="A card game, or a .toml or .game file.")],
    pocket: Annotated[
        list[str] | None,
        typer.Option("--pocket", "-p", help="SEAT:CARDS, or SEAT:RANGE, as 0:AsKd or '1:QQ+'."),
    ] = None,
    board: Annotated[str, typer.Option("--board", "-b", help="The first public cards.")] = "",
    dead: Annotated[str, typer.Option("--dead", "-d", help="Cards that are not dealt.")] = "",
    every: Annotated[
        bool, typer.Option("--enumerate", help="Every deal there is, with its probability.")
    ] = False,
    sample: Annotated[
        int | None, typer.Option("--sample", "-n", help="So many random deals (default 10).")
    ] = None,
    seed: Seed = 0,
    as_json: Json = False,
) -> None:
    """Deal hands with fixed pockets and board cards."""
    import numpy as np

    from pokerlab.arena.deal_generator import DealGenerator
    from pokerlab.cards.codes import format_cards
    from pokerlab.games import load_betting_game

    if every and sample is not None:
        raise ValueError("--enumerate and --sample: choose one of them")
    rules = load_betting_game(game)
    generator = DealGenerator(rules, _pockets(pocket or []), board, dead)
    if every:
        if generator.count > _MOST_ENUMERATED:
            raise ValueError(
                f"--enumerate: there are {generator.count:,} deals, more than"
                f" {_MOST_ENUMERATED:,}; fix more cards, or use --sample"
            )
        deals = generator.enumerate()
    else:
        deals = generator.sample(10 if sample is None else sample, np.random.default_rng(seed))
    dealt = list(deals)
    data = {
        "game": rules.name,
        "count": len(dealt),
        "deals": [
            {
                "holes": [format_cards(hole) for hole in deal.holes],
                "board": format_cards(deal.board),
                "stub": format_cards(deal.stub),
                "weight": weight,
            }
            for deal, weight in dealt
        ],
    }

    def render(console: Console) -> None:
        for deal, weight in dealt:
            console.out(f"{deal}  {weight:.6g}")

    emit(data, render, as_json=as_json)


def _pockets(texts: list[str]) -> dict[int, str]:
    pockets: dict[int, str] = {}
    for text in texts:
        seat, colon, cards = text.partition(":")
        if not colon or not seat.strip().isdecimal() or not cards.strip():
            raise ValueError(f"--pocket {text!r}: write SEAT:CARDS, as 0:AsKd")
        if int(seat) in pockets:
            raise ValueError(f"--pocket {text!r}: seat {int(seat)} has a pocket already")
        pockets[int(seat)] = cards
    return pockets

"""`pokerlab deals`: deals with some cards fixed, the rest enumerated or sampled."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING, Annotated

import typer

from pokerlab.cli.options import declared as options
from pokerlab.cli.options.bounds import bounded

if TYPE_CHECKING:
    from pokerlab.arena.deal_generator import WeightedDeal

_MAX_ENUMERATED = 1_000_000


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("deals")(_deals)


def _deals(
    context: typer.Context,
    game: options.Game,
    pocket: options.Pockets = None,
    board: Annotated[str, typer.Option("--board", "-b", help="The first public cards.")] = "",
    dead: Annotated[str, typer.Option("--dead", "-d", help="Cards that are not dealt.")] = "",
    every: Annotated[
        bool,
        typer.Option("--enumerate", help="List every possible deal with its probability."),
        options.NotWith("--sample"),
    ] = False,
    sample: Annotated[
        int | None,
        typer.Option(
            "--sample",
            "-n",
            callback=bounded(1, 10**12),
            help="Number of random deals; 10 by default.",
        ),
    ] = None,
    flops: Annotated[
        options.DealtFlops, options.NotWith("--pocket", "--board", "--dead", "--enumerate")
    ] = "",
    seed: options.Seed = 0,
    as_json: options.Json = False,
) -> None:
    """Deal hands with fixed pockets and board cards.

    `match`, `tournament` and `acpc serve` play what this prints, as text or JSON: `pokerlab deals
    leduc -p 0:K -n 1000 > kings.txt`, then `--deals kings.txt`.
    """
    import numpy as np

    from pokerlab.arena.chosen_deals import parse_pockets
    from pokerlab.arena.deal_generator import DealGenerator, WeightedDeal
    from pokerlab.arena.flop_deals import deal_on_flops
    from pokerlab.games import load_betting_game

    options.check_options(context)
    rules = load_betting_game(game)
    generator = DealGenerator(rules, parse_pockets(pocket or []), board, dead)
    if every:
        count = generator.count_up_to(_MAX_ENUMERATED)
        if count > _MAX_ENUMERATED:
            raise ValueError(
                f"--enumerate: there are more than {_MAX_ENUMERATED:,} deals; fix more cards, or"
                " use --sample"
            )
        deals = generator.enumerate()
    else:
        count = 10 if sample is None else sample
        rng = np.random.default_rng(seed)
        deals = generator.sample(count, rng)
        if flops:
            deals = (
                WeightedDeal(deal_on_flops(rules, flops, rng), 1 / count) for _ in range(count)
            )
    deals = chain([next(deals)], deals)  # what cannot be dealt is an error before anything else
    # Deals are printed as they are dealt: there may be more of them than fit into memory.
    if as_json:
        _print_json(rules.name, count, deals)
    else:
        for deal, weight in deals:
            print(f"{deal}  {weight:.6g}")


def _print_json(game: str, count: int, deals: Iterator[WeightedDeal]) -> None:
    """Print the JSON object deal by deal."""
    from pokerlab.cards.codes import format_cards

    # All is ASCII, so that no stream changes it.
    print(f'{{"game": {json.dumps(game)}, "count": {count}, "deals": [', end="")
    separator = ""
    for deal, weight in deals:
        fields = {
            "holes": [format_cards(hole) for hole in deal.holes],
            "board": format_cards(deal.board),
            "stub": format_cards(deal.stub),
            "weight": weight,
        }
        if deal.reshuffled:
            fields["reshuffled"] = format_cards(deal.reshuffled)
        print(separator + json.dumps(fields), end="")
        separator = ", "
    print("]}")

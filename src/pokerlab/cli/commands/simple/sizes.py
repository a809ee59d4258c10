"""`pokerlab sizes`: which few bet sizes are nearly as good as many."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pokerlab.cli.options import declared as options
from pokerlab.cli.options.bounds import bounded
from pokerlab.cli.options.files import check_distinct, check_output, saving
from pokerlab.cli.options.spots import SPOT_FIELDS, make_spot, spot_fields_given
from pokerlab.cli.progress.compiling import announce_compiling
from pokerlab.cli.progress.counting import staged_progress
from pokerlab.cli.terminal.interruption import going_on_from
from pokerlab.cli.terminal.output import emit
from pokerlab.games.betting_trees.menus import PLAYERS, menu_text
from pokerlab.views import Table

if TYPE_CHECKING:
    from rich.console import Console

    from pokerlab.holdem.spots import FoundSizes, MenuLoss, Spot
    from pokerlab.holdem.spots.sizes.valuing import ChipBounds

_CHOOSING = options.NotWith("--against")


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("sizes")(_sizes)


def _sizes(
    context: typer.Context,
    spot: Annotated[
        str | None, typer.Argument(help="A spot (.toml); or its options.", show_default=False)
    ] = None,
    candidates: Annotated[
        str | None,
        "The sizes to choose from; '20%, 33%, 50%, 75%, 100%, 150%, 200%, a' by default.",
        _CHOOSING,
    ] = None,
    kind: Annotated[
        str,
        "Which sizes to choose: bet, raise, or donk (of oop into the aggressor).",
        _CHOOSING,
    ] = "bet",
    most: Annotated[int, "The most sizes of a player on a street.", bounded(1, 20), _CHOOSING] = 2,
    streets: Annotated[
        str | None, "Only the sizes on these streets: 'turn, river'; all by default."
    ] = None,
    player: Annotated[
        str | None, "Only those of this player, oop or ip; with --against, the one who answers."
    ] = None,
    loss: Annotated[
        str,
        "Add no size where all candidates would be worth at most this more: 0.1% of the pot, or "
        "chips.",
        _CHOOSING,
    ] = "0.1%",
    every: Annotated[
        bool, "Try all menus of 2, 3, … sizes, not only those that add one size.", _CHOOSING
    ] = False,
    against: Annotated[
        str | None,
        "What answering this unlisted size costs, for example 67%: by the nearest size of the "
        "spot, by mixtures of two, and by solving again.",
    ] = None,
    flops: Annotated[
        str | None,
        "One menu for many flops: 25, 49, 85 or 184 that stand for all, or a list up to suits.",
        _CHOOSING,
        options.NotWith("--boards"),
    ] = None,
    boards: Annotated[
        str | None, "One menu for these boards: 'QhJh2c, Td9d6h:2' (with a weight).", _CHOOSING
    ] = None,
    target: Annotated[options.Target, "Of every solve; 0.1% by default."] = None,
    resume: Annotated[options.Resume, _CHOOSING] = None,
    output: Annotated[options.Output, "The spot with the chosen sizes.", _CHOOSING] = None,
    threads: options.Threads = None,
    device: options.Device = "auto",
    everything: options.Everything = False,
    help_all: options.HelpAll = False,
    as_json: options.Json = False,
    **fields: Annotated[Any, SPOT_FIELDS],
) -> None:
    """Find the few bet sizes that are nearly as good as all candidates.

    Begins with one size for each player and street, adds the size that gains most, and says what
    the menus lose against all candidates, as bounds from the certificates of solves. Sizes of
    other kinds (raises, where bets are chosen) stay.
    """
    options.check_options(context)
    for path, option in ((output, "--output"), (resume, "--resume")):
        check_output(path, option)
    check_distinct({"--output": output, "--resume": resume}, [spot])
    given = spot_fields_given(fields)
    weights = _weights(flops, boards)
    if weights is not None and spot is None:
        given.setdefault("board", next(iter(weights)))
    here = make_spot(spot, given, quiet=as_json)
    if flops is not None and weights is not None:
        from pokerlab.holdem.batches import BatchQuestion

        BatchQuestion.of(here, weights, up_to_suits=True)  # refuses ranges that tell suits apart
    settings: dict[str, Any] = {
        "streets": streets,
        "player": player,
        "target": target or "0.1%",
        "threads": threads,
        "device": device,
    }
    if against is not None:
        _answer(here, against, settings, as_json=as_json)
        return
    from pokerlab.holdem.spots import find_sizes
    from pokerlab.views.payloads.sizes_payload import sizes_payload

    with (
        announce_compiling(quiet=as_json),
        going_on_from(resume),
        staged_progress(quiet=as_json) as report,
    ):
        found = find_sizes(
            here,
            candidates,
            kind=kind,
            most=most,
            loss=loss,
            every=every,
            boards=weights,
            resume=resume,
            report=report,
            **settings,
        )
    if output is not None:
        from pokerlab.runtime.files.atomic import write_text

        with saving(output, "--output"):
            write_text(output, found.spot.to_toml())

    def render(console: Console) -> None:
        _print(console, found, output, all_tried=everything)

    data = {**sizes_payload(found), "file": None if output is None else str(output)}
    emit(data, render, as_json=as_json)


def _weights(flops: str | None, boards: str | None) -> Mapping[str, float] | None:
    if flops is None and boards is None:
        return None
    from pokerlab.holdem.batches.question import flop_boards, parse_boards

    return flop_boards(flops) if flops is not None else parse_boards(str(boards))


def _print(console: Console, found: FoundSizes, output: Path | None, *, all_tried: bool) -> None:
    unit = ", in chips that are worth the same" if found.spot.pays_prizes else ""
    console.print(f"candidates {menu_text(found.candidates)}; losses against all of them{unit}")
    console.print()
    rows = [
        (each.most, str(place), menu_text(each.menus[place]), *_shares(found, loss))
        for each in found.rounds
        for place, loss in each.losses.items()
    ]
    heads = {"loss": "share.2", "at least": "share.2", "at most": "share.2"}
    columns = {"sizes": "count", "": "text", "menu": "text", **heads}
    console.print(Table(columns, rows))
    console.print()
    for name, loss in zip(PLAYERS, found.players, strict=True):
        if loss is not None:
            middle, least, most = (100 * each for each in _shares(found, loss))
            console.print(
                f"{name:<3} loses {middle:.2f}% of the pot ({least:.2f}% to {most:.2f}%) "
                "on all these streets together"
            )
    console.print(f"{found.solves:,} spots were solved")
    if all_tried:
        console.print("\ntried:")
        tried = [(str(each.place), each.text, *_shares(found, each.loss)) for each in found.tried]
        console.print(Table({"": "text", "menu": "text", **heads}, tried))
    if output is not None:
        console.out(f"saved to {output}; pokerlab solve {output}")
    else:
        console.out(f"--{found.kind} '{found.chosen}'")


def _shares(found: FoundSizes, loss: ChipBounds) -> tuple[float, float, float]:
    middle, least, most = (chips / found.spot.pot for chips in found.shown(loss))
    return middle, least, most


def _answer(spot: Spot, size: str, settings: dict[str, Any], *, as_json: bool) -> None:
    from pokerlab.holdem.spots.sizes.unlisted import unlisted_losses
    from pokerlab.views.payloads.sizes_payload import answers_payload

    with announce_compiling(quiet=as_json), staged_progress(quiet=as_json) as report:
        losses = list(unlisted_losses(spot, size, report=report, **settings))
    data = answers_payload(size, losses, spot.pot)
    emit(data, lambda console: _print_answers(console, spot, size, losses), as_json=as_json)


def _print_answers(console: Console, spot: Spot, size: str, losses: list[MenuLoss]) -> None:
    loses = "gives" if spot.pays_prizes else "loses"  # to the one who bets
    console.print(
        f"bets of {size} that the spot does not have (bet {spot.bet}); who answers {loses}"
    )
    console.print()
    rows = [
        (
            PLAYERS[each.player],
            each.answer,
            *(part / spot.pot for part in (each.chips, each.least, each.most)),
        )
        for each in losses
    ]
    heads = {"loss": "share.3", "at least": "share.3", "at most": "share.3"}
    console.print(Table({"player": "text", "answer": "text", **heads}, rows))

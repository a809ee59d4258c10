"""`pokerlab best-response`: what each pocket could win against a saved strategy."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pokerlab.cli.options import declared as options
from pokerlab.cli.options.files import check_distinct, check_output, is_postflop, saving
from pokerlab.cli.terminal.output import bold, emit, print_listed
from pokerlab.runtime.errors import shorten

if TYPE_CHECKING:
    from rich.console import Console

    from pokerlab.runtime.arrays import Floats
    from pokerlab.solvers import Solution, Strategy
    from pokerlab.trees import GameTree

_SEATS = ("oop", "ip")


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("best-response")(_best_response)


def _best_response(
    context: typer.Context,
    file: Annotated[Path, "A solution that `pokerlab solve -o` wrote."],
    player: Annotated[str, "Who responds: 0, 1, …, or oop and ip of a spot."] = "0",
    pocket: Annotated[
        str | None,
        typer.Option("--pocket", "-p", help="Only these private cards, for example Ks, K or AsKd."),
    ] = None,
    team: Annotated[
        str | None,
        "Seats that work together against the one that is left, for example 0,1: what they take"
        " by a plan and with shared cards.",
        options.OnlyFor("solutions of games"),
        options.NotWith("--player", "--pocket", "--output", "--top", "--all"),
    ] = None,
    output: Annotated[
        options.Output,
        "It is the strategy with the response in it: play it as `strategy:FILE`.",
        options.OnlyFor("solutions of games"),
    ] = None,
    top: options.Top = 20,
    everything: options.Everything = False,
    as_json: options.Json = False,
) -> None:
    """Compute the best response to a saved strategy, by pocket.

    The best response to one pocket does not depend on the other pockets. To test a bot with one of
    them, play it: `pokerlab match kuhn BOT strategy:FILE --pocket 0:K --fixed-button`.
    """
    check_output(output, "--output")
    check_distinct({"--output": output}, [file])
    limit = None if everything else top
    if is_postflop(file):
        options.check_options(context, "solutions of spots")
        _respond_in_spot(file, player, pocket, limit, as_json=as_json)
    elif team is not None:
        options.check_options(context, "solutions of games")
        _respond_as_team(file, team, as_json=as_json)
    else:
        _respond_in_game(file, player, pocket, output, limit, as_json=as_json)


def _respond_in_game(
    file: Path,
    player: str,
    pocket: str | None,
    output: Path | None,
    limit: int | None,
    *,
    as_json: bool,
) -> None:
    from pokerlab.solvers import best_response, load_solution, pocket_values, tree_of

    solution = load_solution(file)
    tree = tree_of(solution)
    seat = _seat(player, tree.players)
    response = best_response(tree, solution.strategy, seat, pocket)
    found = pocket_values(tree, solution.strategy, seat, pocket)
    if output is not None:
        with saving(output, "--output"):
            _responding(solution, tree, response.strategy, seat).save(output)
    data = {
        "game": solution.game,
        "player": seat,
        "pocket": pocket,
        "best": response.value,
        "pockets": [
            {
                "pocket": each.pocket,
                "probability": each.probability,
                "value": each.value,
                "best": each.best,
            }
            for each in found
        ],
        "strategy": _answers(response.action_values, response.strategy),
        "file": None if output is None else str(output),
    }
    rows = [(each.pocket, each.probability, each.value, each.best) for each in found]

    def render(console: Console) -> None:
        holding = "" if pocket is None else f" with {pocket}"
        console.print(
            bold(solution.game), f"player {seat}{holding}: best response {response.value:+.9g}"
        )
        _print_pockets(console, rows, "probability", limit)
        if output is not None:
            console.out(f"wrote {output}")

    emit(data, render, as_json=as_json)


def _respond_as_team(file: Path, team: str, *, as_json: bool) -> None:
    import math

    from pokerlab.solvers import load_solution, tree_of
    from pokerlab.solvers.analysis.teams import MOST_PLAN_NODES, TeamGame, team_response

    solution = load_solution(file)
    tree = tree_of(solution)
    parts = team.split(",")
    if not all(map(_is_number, parts)):
        raise ValueError(f"--team {shorten(team)}: it takes seats, for example 0,1")
    members = tuple(sorted(map(int, parts)))
    left = TeamGame(tree.game, members).other
    plans = len(tree) <= MOST_PLAN_NODES
    found = team_response(tree, solution.strategy, left, plan=plans)
    data = {
        "game": solution.game,
        "team": list(members),
        "player": left,
        "value": found.value,
        "alone": found.alone,
        "plan": None if math.isnan(found.plan) else found.plan,
        "cards": found.cards,
    }

    def render(console: Console) -> None:
        console.print(bold(solution.game), f"player {left} wins, if the others")
        console.print(f"  play the strategy             {found.value:+.9g}")
        console.print(f"  send one against the player   {found.alone:+.9g}")
        if plans:
            console.print(f"  agree on a plan               {found.plan:+.9g}")
        console.print(f"  share their cards             {found.cards:+.9g}")

    emit(data, render, as_json=as_json)


def _responding(solution: Solution, tree: GameTree, strategy: Strategy, seat: int) -> Solution:
    """The solution in which a player responds, with values that are true of it."""
    from dataclasses import replace

    from pokerlab.solvers import History, nash_conv, values

    return replace(
        solution,
        rule=f"best response of player {seat}",
        strategy=strategy,
        values=tuple(values(tree, strategy).tolist()),
        nash_conv=nash_conv(tree, strategy),
        history=History(),
    )


def _answers(worth: Floats, strategy: Strategy) -> dict[str, str]:
    """What the response plays in each information set that it answers."""
    import numpy as np

    infosets = strategy.infosets
    answered = np.unique(infosets.slot_infoset[~np.isnan(worth)])
    names = [infosets.names[number] for number in answered]
    return {name: max(strategy[name], key=strategy[name].__getitem__) for name in names}


def _respond_in_spot(
    file: Path, player: str, pocket: str | None, limit: int | None, *, as_json: bool
) -> None:
    from pokerlab.cards import Range
    from pokerlab.cards.codes import combo_index, parse_cards
    from pokerlab.holdem.spots import load_postflop
    from pokerlab.holdem.spots.checks.hand_responses import hand_responses

    solution = load_postflop(file)
    seat = _SEATS.index(player) if player in _SEATS else _seat(player, 2)
    found = hand_responses(solution, seat)
    if pocket is not None:
        chosen = Range(pocket).weights
        found = tuple(each for each in found if chosen[combo_index(*parse_cards(each.hand))] > 0)
        if not found:
            raise ValueError(f"--pocket {pocket}: {_SEATS[seat]} has no such hand in {file}")
    data = {
        "player": _SEATS[seat],
        "pocket": pocket,
        "pockets": [
            {"pocket": each.hand, "weight": each.weight, "value": each.value, "best": each.best}
            for each in found
        ],
    }

    def render(console: Console) -> None:
        console.print(bold(str(file)), f"{_SEATS[seat]}, chips taken from the pot by each hand")
        _print_pockets(console, list(found), "weight", limit)

    emit(data, render, as_json=as_json)


def _print_pockets(
    console: Console, rows: Sequence[tuple[str, float, float, float]], share: str, limit: int | None
) -> None:
    heads = {share: "chips.4", "value": "signed.6", "best": "signed.6", "gain": "chips.6"}
    cells = [(*row, row[3] - row[2]) for row in rows]
    print_listed(console, {"pocket": "text", **heads}, cells, limit)


def _seat(text: str, players: int) -> int:
    if not _is_number(text) or int(text) >= players:
        names = ", ".join(map(str, range(players)))
        raise ValueError(f"--player {shorten(text)}: there is no such player ({names})")
    return int(text)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) < 3

"""`pokerlab model`: how a player plays, from their hands."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pokerlab.cli.commands.opponents.lines import tell_line_model
from pokerlab.cli.options import declared as options
from pokerlab.cli.options.bounds import bounded
from pokerlab.cli.options.files import check_distinct, check_output, saving
from pokerlab.cli.progress.building import building_progress
from pokerlab.cli.shared.histories import (
    ChosenHistories,
    count_histories,
    counts_hand_by_hand,
    tell_counts,
)
from pokerlab.cli.terminal.output import bold, emit, print_listed
from pokerlab.runtime.errors import shorten

if TYPE_CHECKING:
    from rich.console import Console

    from pokerlab.players.opponents import LimitModel, LineModel, PlayerModel
    from pokerlab.players.opponents.player_hands import AnyModel


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("model")(_model)


def _model(
    logs: options.Histories,
    player: Annotated[str | None, "Whose play; needed where several are named."] = None,
    players: options.PoolPlayers = None,
    stakes: options.Stakes = None,
    seats: options.Seats = None,
    pot: options.PotKind = None,
    game: options.LogGame = None,
    shown_only: Annotated[
        bool,
        "Use the player's cards only where they were shown at the end, even if the log knows them.",
    ] = False,
    buckets: Annotated[
        str | None,
        "For limit games of two: tell groups of cards apart, not every hand (see"
        " `pokerlab train`). By default for hold'em 169/kmeans:200,200,200, for other games no"
        " groups.",
    ] = None,
    prior: Annotated[
        str | None,
        "What to smooth towards: uniform (the default), or equilibrium. With groups of"
        " cards: similar (the default; what the player does with these cards after the same"
        " betting on the street), uniform, or the file of a strategy with the same groups.",
    ] = None,
    prior_weight: Annotated[
        float | None,
        "How many observations the prior counts for at each information set, by default 1;"
        " with groups of cards at each betting and group, by default 5.",
        bounded(0, 1e9),
    ] = None,
    keep: options.KeepCounts = None,
    jobs: options.Jobs = 0,
    ray: options.Ray = None,
    output: options.Output = None,
    top: options.Top = 20,
    everything: options.Everything = False,
    as_json: options.Json = False,
) -> None:
    """Learn from logs how a player plays, and write a model for `pokerlab respond`.

    Cards that a log does not show are inferred from the actions, by expectation and maximisation.
    Every number is listed with its number of observations. In no-limit hold'em, actions after the
    flop are counted by line, for all hands together, for `pokerlab lock-from`. Of folders and texts
    of poker sites, hands that cannot be read are left out. For example: model histories --players
    pool --stakes 0.5/1 -o pool.toml.
    """
    from pokerlab import api
    from pokerlab.players.opponents import LimitModel, LineModel

    check_output(output, "--output")
    check_distinct({"--output": output, "--keep": keep}, [*logs, game, prior])
    chosen = ChosenHistories(players, stakes, seats, pot, keep, jobs, ray)
    others = {
        "--game": game is not None,
        "--shown-only": shown_only,
        "--buckets": buckets is not None,
        "--prior": prior not in (None, "uniform"),
    }
    found: AnyModel
    if counts_hand_by_hand(logs, chosen):
        for option, given in others.items():
            if given:
                raise ValueError(f"{option}: it is not for histories, whose model is of lines")
        found = _count_lines(logs, chosen, player, prior_weight, quiet=as_json)
    else:
        try:
            with building_progress(quiet=as_json):
                found = api.model(
                    logs,
                    player,
                    game=game,
                    shown_only=shown_only,
                    buckets=buckets,
                    prior=prior,
                    prior_weight=prior_weight,
                )
        except ValueError:
            # Hands of others need not follow our rules to the end.
            if any(others.values()) or not _is_unplayable(logs):
                raise
            found = _count_lines(logs, chosen, player, prior_weight, quiet=as_json)
    if output is not None:
        with saving(output, "--output"):
            found.save(output)
    limit = None if everything else top
    if isinstance(found, LineModel):
        tell_line_model(found, output, limit, as_json=as_json)
    elif isinstance(found, LimitModel):
        _tell_limit_model(found, output, limit, as_json=as_json)
    else:
        _tell_tree_model(found, output, limit, as_json=as_json)


def _is_unplayable(logs: Sequence[Path]) -> bool:
    """Whether logs are PHH files of which our rules cannot play every hand."""
    from pokerlab.arena.logs.replay import read_log

    try:
        for log in logs:
            if log.suffix.lower() not in (".phh", ".phhs"):
                return False
            for _ in read_log(log):
                pass
    except ValueError:
        return True
    return False


def _count_lines(
    logs: Sequence[Path],
    chosen: ChosenHistories,
    player: str | None,
    prior_weight: float | None,
    *,
    quiet: bool,
) -> LineModel:
    """The lines of a player, or of all as one, in histories that are read hand by hand."""
    from pokerlab.cli.terminal.output import new_console

    if player is None and chosen.players is None:
        names = [shorten(name, 30) for name in _first_players(logs)]
        raise ValueError(
            f"whose play? name a player (--player), for example {', '.join(names)}; or take all as"
            " one (--players pool)"
        )
    counts = count_histories(logs, chosen, lines=True, player=player, quiet=quiet)
    if not quiet:
        tell_counts(new_console(stderr=True), counts)
    (name,) = counts.rows
    return counts.model(name, 1.0 if prior_weight is None else prior_weight)


def _first_players(logs: Sequence[Path]) -> tuple[str, ...]:
    """The players of the first hand that can be read."""
    from pokerlab.arena.logs.histories import FoundHand, history_files, read_hands

    reason = "there are no hands"
    for path in history_files(logs):
        for found in read_hands(path):
            if isinstance(found, FoundHand):
                return found.hand.players
            reason = found.reason
    raise ValueError(f"{', '.join(map(str, logs[:3]))}: no hand of hold'em in it ({reason})")


def _tell_tree_model(
    found: PlayerModel, output: Path | None, limit: int | None, *, as_json: bool
) -> None:
    """Tell what was seen at every information set."""
    tree, prior = found.tree, found.prior
    rows = _rows(found)
    data = {
        "game": tree.game.name,
        "player": found.player,
        "hands": found.hands,
        "prior": prior,
        "prior_weight": found.prior_weight,
        "observed": sum(row[2] > 0 for row in rows),
        "information_sets": [
            {
                "name": row[0],
                "seat": row[1],
                "observations": row[2],
                "shown": row[3],
                "strategy": row[4],
            }
            for row in rows
        ],
        "file": None if output is None else str(output),
    }

    def render(console: Console) -> None:
        console.print(
            bold(found.player), f"in {tree.game.name}, {found.hands:,} hands, prior {prior}"
        )
        _print_rows(console, rows, limit)
        if output is not None:
            console.out(f"wrote {output}")

    emit(data, render, as_json=as_json)


Row = tuple[str, int, float, float, dict[str, float]]


def _rows(model: PlayerModel) -> list[Row]:
    """Name, seat, observations, those shown, strategy; most observed first."""
    import numpy as np

    infosets = model.tree.infosets
    shown = np.add.reduceat(model.shown, infosets.offset[:-1])
    order = np.argsort(-model.observations, kind="stable")
    return [
        (
            infosets.names[number],
            int(infosets.player[number]),
            float(model.observations[number]),
            float(shown[number]),
            model.strategy[infosets.names[number]],
        )
        for number in order.tolist()
    ]


def _print_rows(console: Console, rows: Sequence[Row], limit: int | None) -> None:
    cells = [
        (*row, "  ".join(f"{action} {share:.3f}" for action, share in chosen.items()))
        for *row, chosen in rows
    ]
    heads = {"seat": "count", "observations": "chips.1", "shown": "chips.0", "strategy": "fold"}
    print_listed(console, {"information set": "fold.24", **heads}, cells, limit)


def _tell_limit_model(
    model: LimitModel, output: Path | None, limit: int | None, *, as_json: bool
) -> None:
    """Tell what was seen after each betting of a street, over all cards."""
    from pokerlab.players.opponents import summarise

    rows = sorted(summarise(model), key=lambda row: -row.observations)
    observed = int((model.shown.sum(axis=1) > 0.0).sum())
    data = {
        "game": model.game.game.name,
        "buckets": model.game.name,
        "player": model.player,
        "hands": model.hands,
        "prior": model.prior,
        "prior_weight": model.prior_weight,
        "rows": model.game.rows,
        "observed": observed,
        "rounds": model.strategy.iterations,
        "spots": [
            {name.rstrip("_"): value for name, value in row._asdict().items()} for row in rows
        ],
        "file": None if output is None else str(output),
    }

    def render(console: Console) -> None:
        console.print(
            bold(model.player),
            f"in {model.game.game.name} by {model.game.name}, {model.hands:,} hands, prior"
            f" {model.prior}",
        )
        console.print(f"seen with known cards: {observed:,} of {model.game.rows:,} rows")
        columns = {
            "street": "count",
            "betting": "name",
            "observations": "chips.1",
            "shown": "chips.0",
            **dict.fromkeys(("fold", "call", "raise"), "chips.3"),
        }
        cells = [
            (
                row.street,
                row.betting or "–",
                row.observations,
                row.shown,
                *("" if each is None else each for each in row[4:]),
            )
            for row in rows
        ]
        print_listed(console, columns, cells, limit)
        if output is not None:
            console.out(f"wrote {output}")

    emit(data, render, as_json=as_json)

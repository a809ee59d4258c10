"""`pokerlab lock-from`, and `pokerlab model` of no-limit hold'em: lines after the flop."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pokerlab.cli.shared import options
from pokerlab.cli.shared.bounds import bounded
from pokerlab.cli.shared.files import check_distinct, check_output, is_postflop, saving
from pokerlab.cli.shared.output import bold, emit, print_listed
from pokerlab.views import Table

if TYPE_CHECKING:
    from rich.console import Console

    from pokerlab.opponents.line_model import LineCounts
    from pokerlab.opponents.line_summary import LineStatistic
    from pokerlab.postflop import PostflopSolution, Spot


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("lock-from")(_lock_from)


def has_lines(log: Path, game: str | None) -> bool:
    """Whether the first hand of a log is one of no-limit or pot-limit hold'em."""
    from pokerlab.arena.logs.replay import read_log
    from pokerlab.opponents.line_model import is_no_limit
    from pokerlab.strategies import load_table_game

    rules = None if game is None else load_table_game(game)
    return any(is_no_limit(hand.game) for hand in islice(read_log(log, rules), 1))


def model_of_lines(
    logs: Sequence[Path],
    game: str | None,
    player: str | None,
    prior_weight: float,
    output: Path | None,
    limit: int | None,
    *,
    as_json: bool,
) -> None:
    """Count a player's actions after the flop, by line, and write the model."""
    from pokerlab.opponents.line_summary import line_summary

    name, counts = _count_hands(logs, game, player)
    model = counts.model(name, prior_weight)
    if output is not None:
        with saving(output, "--output"):
            model.save(output)
    summary = list(line_summary(model))
    order = sorted(model.counts, key=lambda key: (-sum(model.counts[key].values()), key))
    rows = [(key, model.at(key)) for key in order]
    data = {
        "player": model.player,
        "hands": model.hands,
        "prior_weight": model.prior_weight,
        "summary": [each._asdict() for each in summary],
        "lines": [
            {
                **key._asdict(),
                "observations": found.observations,
                "counts": dict(model.counts[key]),
                "frequencies": found.shares,
            }
            for key, found in rows
        ],
        "file": None if output is None else str(output),
    }

    def render(console: Console) -> None:
        seen = sum(found.observations for _, found in rows)
        console.print(
            bold(model.player),
            f"after the flop, {model.hands:,} hands, {seen:,} decisions of two players",
        )
        console.print(_summary_table(summary))
        console.print()
        columns = dict.fromkeys(("street", "seat", "bet before", "line"), "name")
        cells = [
            (
                key.street,
                key.position,
                key.initiative,
                key.line or "first",
                found.observations,
                _shares(found.shares),
            )
            for key, found in rows
        ]
        print_listed(console, {**columns, "n": "count", "frequencies": "fold"}, cells, limit)
        if output is not None:
            console.out(f"wrote {output}")

    emit(data, render, as_json=as_json)


def _summary_table(summary: Sequence[LineStatistic]) -> Table:
    """A row for each name, a column for each street."""
    streets = "flop", "turn", "river"
    found = {(each.name, each.street): each for each in summary}
    rows = []
    for name in dict.fromkeys(each.name for each in summary):
        cells = [found.get((name, street)) for street in streets]
        texts = [
            "" if each is None else f"{each.did / each.could:.0%} of {each.could:,}"
            for each in cells
        ]
        rows.append((name, *texts))
    return Table({"": "name", **dict.fromkeys(streets, "share")}, rows)


def _shares(shares: dict[str, float]) -> str:
    return "  ".join(f"{name} {share:.0%}" for name, share in shares.items() if share >= 0.005)


def _count_hands(
    logs: Sequence[Path], game: str | None, player: str | None
) -> tuple[str, LineCounts]:
    """The name of a player, and the counts of their actions in all hands."""
    from pokerlab.arena.logs.replay import read_log
    from pokerlab.opponents.line_model import LineCounts, is_no_limit
    from pokerlab.strategies import load_table_game

    rules = None if game is None else load_table_game(game)
    counts: dict[str, LineCounts] = {}
    for log in logs:
        empty = True
        for hand in read_log(log, rules):
            empty = False
            if not is_no_limit(hand.game):
                raise ValueError(
                    f"{log}: a hand of {hand.game.name} among hands of no-limit hold'em"
                )
            node = hand.final.node
            for seat, name in enumerate(hand.players):
                own = counts.setdefault(name, LineCounts())
                if player in (None, name):
                    own.add(node, seat)
        if empty:
            raise ValueError(f"{log}: there are no hands in it")
    if player is None and len(counts) > 1:
        raise ValueError(f"whose play? name one with --player: {', '.join(sorted(counts))}")
    chosen = player or next(iter(counts))
    if chosen not in counts:
        raise ValueError(f"--player {chosen}: the logs know {', '.join(sorted(counts))}")
    return chosen, counts[chosen]


def _lock_from(
    model: Annotated[Path, "What `pokerlab model -o` wrote of hands of no-limit hold'em."],
    spot: Annotated[Path, "A solution of the spot, or with --uniform a .toml file of it."],
    player: Annotated[str, typer.Option("--player", help="The player's seat: oop or ip.")],
    p: Annotated[float, "The largest weight of a lock, above 0 and up to 1.", bounded(0, 1)] = 1.0,
    half_at: Annotated[
        float,
        "The number of observations with which a lock has half of that weight.",
        bounded(0, 1e12),
    ] = 10.0,
    uniform: Annotated[
        bool,
        "Let every hand do everything as often, on all streets, instead of keeping the"
        " order of hands of a solution on its first street.",
    ] = False,
    output: Annotated[options.Output, "It is the spot with the locks, for `solve`."] = None,
    as_json: options.Json = False,
) -> None:
    """Write the lines of a spot that a model knows as locks with weights.

    A lock seen n times gets the weight n / (n + 10); the rest of the player's strategy there stays
    free. For example: lock-from bob.toml flop.safetensors --player ip -o locked.toml, then
    solve locked.toml.
    """
    from pokerlab.opponents import line_locks, load_line_model
    from pokerlab.postflop import Spot

    check_output(output, "--output")
    check_distinct({"--output": output}, [model, spot])
    if player not in ("oop", "ip"):
        raise ValueError(f"--player {player}: there are oop and ip")
    if p == 0:
        raise ValueError("--p 0: with a weight of nothing there is nothing to lock")
    if half_at == 0:
        raise ValueError("--half-at 0: give a number of observations above 0")
    known, opened = load_line_model(model), _open(spot, uniform=uniform)
    found = line_locks(known, opened, player, most=p, half_at=half_at, uniform=uniform)
    if not found:
        raise ValueError(f"{model}: nothing was observed at the lines of {player} in {spot}")
    whole = opened if isinstance(opened, Spot) else opened.spot
    locked = whole.with_locks({each.line: each.lock for each in found})
    if output is not None:
        from pokerlab.files.atomic import write_text

        with saving(output, "--output"):
            write_text(output, locked.to_toml())
    data = {
        "player": known.player,
        "seat": player,
        "locks": [
            {
                "line": each.line,
                "model": each.key._asdict(),
                "observations": each.observations,
                "weight": each.lock["weight"],
                "frequencies": each.frequencies,
                "before": each.before,
            }
            for each in found
        ],
        "file": None if output is None else str(output),
    }

    def render(console: Console) -> None:
        console.print(bold(known.player), f"as {player}, lines of the spot: {len(found)}")
        columns = {"line": "fold.24", "n": "count", "weight": "chips", "locked": "fold"}
        if not uniform:
            columns["solution"] = "fold"
        rows = [
            (
                each.line or "first",
                each.observations,
                each.weight,
                _shares(each.frequencies),
                *(() if each.before is None else (_shares(each.before),)),
            )
            for each in found
        ]
        console.print(Table(columns, rows))
        if output is not None:
            console.out(f"wrote {output}")

    emit(data, render, as_json=as_json)


def _open(path: Path, *, uniform: bool) -> Spot | PostflopSolution:
    from pokerlab.postflop import Spot, load_postflop

    if path.suffix.lower() == ".toml":
        if not uniform:
            raise ValueError(
                f"{path}: which hands do it is taken from a solution; name one, or give --uniform"
            )
        return Spot.from_file(path)
    if path.is_file() and not is_postflop(path):
        raise ValueError(f"{path} is no solution of a spot")
    return load_postflop(path)

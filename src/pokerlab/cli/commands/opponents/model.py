"""`pokerlab model`: how a player plays, from their hands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pokerlab.cli.options import declared as options
from pokerlab.cli.options.bounds import bounded
from pokerlab.cli.options.files import check_distinct, check_output, saving
from pokerlab.cli.progress.building import building_progress
from pokerlab.cli.terminal.output import bold, emit, print_listed
from pokerlab.runtime.errors import shorten

if TYPE_CHECKING:
    from rich.console import Console

    from pokerlab.games import BettingGame
    from pokerlab.players.opponents import LimitModel, Observation, PlayerModel

_PRIORS = ("uniform", "equilibrium")
_LIMIT_PRIORS = ("uniform", "similar")
_HOLDEM_BUCKETS = "169/kmeans:200,200,200"
"""Fewer than `pokerlab train` has by default: logs are short, and most rows of more stay unseen."""


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("model")(_model)


def _model(
    logs: Annotated[list[Path], "ACPC logs, .phh or .phhs files."],
    player: Annotated[str | None, "Whose play; needed where several are named."] = None,
    game: options.LogGame = None,
    shown_only: Annotated[
        bool,
        "Use the player's cards only where they were shown at the end, even if the log knows them.",
    ] = False,
    buckets: Annotated[
        str | None,
        "For limit games of two: tell groups of cards apart, not every hand (see"
        f" `pokerlab train`). By default for hold'em {_HOLDEM_BUCKETS}, for other games no"
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
    output: options.Output = None,
    top: options.Top = 20,
    everything: options.Everything = False,
    as_json: options.Json = False,
) -> None:
    """Learn from logs how a player plays, and write a model for `pokerlab respond`.

    Cards that a log does not show are inferred from the actions, by expectation and maximisation.
    Every number is listed with its number of observations. In no-limit hold'em, actions after the
    flop are counted by line, for all hands together, for `pokerlab lock-from`.
    """
    from pokerlab.cli.commands.opponents.lines import has_lines, model_of_lines
    from pokerlab.holdem.limit.sampling.bucketed_game import is_holdem, planned_rows
    from pokerlab.players.opponents.limit_model import LIMIT_PRIOR_WEIGHT

    check_output(output, "--output")
    check_distinct({"--output": output}, [*logs, game, prior])
    limit = None if everything else top
    weight = 1.0 if prior_weight is None else prior_weight
    if has_lines(logs[0], game):
        if shown_only or prior not in (None, "uniform") or buckets is not None:
            raise ValueError(
                "--shown-only, --prior and --buckets are not for no-limit hold'em: its model is of"
                " lines, whatever is held"
            )
        model_of_lines(logs, game, player, weight, output, limit, as_json=as_json)
        return
    if prior is not None and prior not in (*_PRIORS, *_LIMIT_PRIORS) and not Path(prior).is_file():
        known = ", ".join(dict.fromkeys((*_PRIORS, *_LIMIT_PRIORS)))
        raise ValueError(f"--prior {shorten(prior)}: there are {known}, and files of strategies")
    rules, name, hands = _read_hands(logs, game, player, shown_only=shown_only)
    if buckets is None and is_holdem(rules) and rules.players == 2:
        buckets = _HOLDEM_BUCKETS
    if buckets is None:
        _tree_model(rules, name, hands, prior or "uniform", weight, output, limit, as_json)
        return
    planned_rows(rules, buckets)
    if rules.players != 2:
        raise ValueError(f"--buckets: models by groups are for two players, not for {rules.name}")
    if prior_weight is None:
        weight = LIMIT_PRIOR_WEIGHT
    model = _limit_model(rules, name, hands, buckets, prior or "similar", weight, quiet=as_json)
    if output is not None:
        with saving(output, "--output"):
            model.save(output)
    _tell_limit_model(model, output, limit, as_json=as_json)


def _tree_model(
    rules: BettingGame,
    name: str,
    hands: Counter[Observation],
    prior: str,
    prior_weight: float,
    output: Path | None,
    limit: int | None,
    as_json: bool,
) -> None:
    """Model every information set of a game whose tree can be written out."""
    from pokerlab.players.opponents import estimate_model, model_tree
    from pokerlab.solvers import solve_lp

    if prior not in _PRIORS:
        raise ValueError(
            f"--prior {shorten(prior)}: without --buckets there are {', '.join(_PRIORS)}"
        )
    tree = model_tree(rules)
    smooth = solve_lp(tree).strategy if prior == "equilibrium" else None
    found = estimate_model(
        tree, hands, name, prior=smooth, prior_name=prior, prior_weight=prior_weight
    )
    if output is not None:
        with saving(output, "--output"):
            found.save(output)
    rows = _rows(found)
    data = {
        "game": tree.game.name,
        "player": found.player,
        "hands": found.hands,
        "prior": prior,
        "prior_weight": prior_weight,
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


def _read_hands(
    logs: Sequence[Path], game: str | None, player: str | None, *, shown_only: bool
) -> tuple[BettingGame, str, Counter[Observation]]:
    """All hands of one player, each with the number of times it was played in the same way."""
    from pokerlab.arena.logs.replay import read_log
    from pokerlab.players.opponents import observe
    from pokerlab.players.strategies import load_table_game

    rules = None if game is None else load_table_game(game)
    played: BettingGame | None = None
    hands: dict[str, Counter[Observation]] = {}
    for log in logs:
        empty = True
        for hand in read_log(log, rules):
            empty = False
            played = played or hand.game
            if hand.game != played:
                raise ValueError(
                    f"{log}: a hand of {hand.game.name} with other rules than those before,"
                    f" of {played.name}; a model is of one game"
                )
            final = hand.final
            for seat, name in enumerate(hand.players):
                if player in (None, name):
                    seen = observe(final, seat, shown_only=shown_only)
                    hands.setdefault(name, Counter())[seen] += 1
                else:
                    hands.setdefault(name, Counter())
        if empty:
            raise ValueError(f"{log}: there are no hands in it")
    assert played is not None
    if player is None and len(hands) > 1:
        raise ValueError(f"whose play? name one with --player: {', '.join(sorted(hands))}")
    chosen = player or next(iter(hands))
    if not hands.get(chosen):
        raise ValueError(f"--player {chosen}: the logs know {', '.join(sorted(hands))}")
    return played, chosen, hands[chosen]


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


def _limit_model(
    rules: BettingGame,
    name: str,
    hands: Counter[Observation],
    buckets: str,
    prior: str,
    prior_weight: float,
    *,
    quiet: bool,
) -> LimitModel:
    from pokerlab.holdem.limit.sampling.bucketed_game import BucketedGame
    from pokerlab.players.opponents import estimate_limit_model
    from pokerlab.players.strategies.limit_file import LimitStrategy

    if prior == "equilibrium":
        raise ValueError("--prior equilibrium: with groups of cards, name the file of one")
    with building_progress(quiet=quiet):
        game = BucketedGame.of(rules, buckets)
        smooth = prior if prior in _LIMIT_PRIORS else LimitStrategy.load(prior, game)
    return estimate_limit_model(game, hands, name, prior=smooth, prior_weight=prior_weight)


def _tell_limit_model(
    model: LimitModel, output: Path | None, limit: int | None, *, as_json: bool
) -> None:
    """Tell what was seen after each betting of a street, over all cards."""
    from pokerlab.players.opponents import summarise

    rows = sorted(summarise(model), key=lambda row: -row.observations)
    observed = int((model.observations > 0.5).sum())
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
        console.print(f"seen at least once: {observed:,} of {model.game.rows:,} rows")
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

"""`pokerlab verify`: prove how good a saved solution is."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pokerlab.cli.commands.show_limit import is_limit_strategy
from pokerlab.cli.shared.files import is_postflop
from pokerlab.cli.shared.output import Json, emit, styled
from pokerlab.reports.texts import gap_text, signed_text

if TYPE_CHECKING:
    from rich.console import Console

    from pokerlab.strategies.limit_file import LimitStrategy

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("verify")(_verify)


def _verify(
    file: Annotated[
        Path, typer.Argument(help="What `pokerlab solve -o` or `pokerlab train -o` wrote.")
    ],
    exact: Annotated[
        bool,
        typer.Option(
            "--exact",
            help="Of a trained strategy of a limit game for two: compute what best responses win "
            "in the game itself, as `pokerlab exploitability` does; hours in hold'em.",
        ),
    ] = False,
    as_json: Json = False,
) -> None:
    """Compute the best responses to a saved solution again and compare with what it claims.

    A trained strategy is read from end to end and compared with its hash, its groups of cards too.
    """
    if is_limit_strategy(file):
        _verify_limit(file, exact=exact, as_json=as_json)
    elif exact:
        raise ValueError(f"--exact: it is for what `pokerlab train` wrote, not for {file}")
    elif is_postflop(file):
        _verify_spot(file, as_json=as_json)
    else:
        _verify_game(file, as_json=as_json)


def _verify_limit(file: Path, *, exact: bool, as_json: bool) -> None:
    from pokerlab.strategies.limit_file import LimitStrategy

    strategy = LimitStrategy.load(file, verify=True)
    game, unit = strategy.game, strategy.game.game.mbb
    data: dict[str, Any] = {
        "ok": True,
        "game": game.game.name,
        "groups": game.name,
        "rows": game.rows,
        "claimed_mbb": strategy.exploitability * unit,
        "exact": strategy.exact,
    }
    if exact:
        data |= _best_responses(file, strategy, quiet=as_json)

    def render(console: Console) -> None:
        console.print(
            f"{file}: {game.game.name} with {game.name}, {game.rows:,} rows: as it was written"
        )
        if exact:
            verdict = styled("ok", "green") if data["ok"] else styled("does not hold", "red")
            console.print(
                f"exploitability in the game itself {data['mbb']:,.3f} mbb/hand, and at least "
                f"{data['claimed_mbb']:,.3f} ± {strategy.error * unit:,.3f} claimed:",
                verdict,
            )

    emit(data, render, as_json=as_json)
    if not data["ok"]:
        raise ValueError(
            f"{file} claims at least {data['claimed_mbb']:,.3f} mbb/hand, found {data['mbb']:,.3f}"
        )


def _best_responses(file: Path, strategy: LimitStrategy, *, quiet: bool) -> dict[str, Any]:
    """What best responses win in the game itself: no less than among players who know groups.

    Files keep few digits, and where training never came the bot calls while training measured a
    uniform choice: that is worth a little.
    """
    from pokerlab.arena.simulation.opponents import TableOpponent
    from pokerlab.cli.shared.best_responses import run_best_responses

    found, _ = run_best_responses(TableOpponent(str(file)), quiet=quiet)
    least = 0.99 * strategy.exploitability - 4 * strategy.error - 1e-3
    mbb = found.mean * strategy.game.game.mbb
    return {"ok": found.mean >= least, "mbb": mbb, "values": list(found.values)}


def _verify_game(file: Path, *, as_json: bool) -> None:
    from pokerlab.solvers import best_response, load_solution, values
    from pokerlab.solvers.solution import tree_of

    solution = load_solution(file)
    tree = tree_of(solution)
    strategy = solution.strategy
    found = values(tree, strategy)
    best = [best_response(tree, strategy, seat).value for seat in range(tree.players)]
    exploitability = float(sum(best) - sum(found)) / tree.players
    ok = abs(exploitability - solution.exploitability) <= 1e-9
    data = {
        "ok": ok,
        "game": solution.game,
        "exploitability": exploitability,
        "claimed": solution.exploitability,
        "values": found.tolist(),
        "bounds": best,
    }

    def render(console: Console) -> None:
        verdict = styled("ok", "green") if ok else styled("does not hold", "red")
        console.print(
            f"{file}: {solution.game}, exploitability {gap_text(exploitability, 6)} "
            f"(claimed {gap_text(solution.exploitability, 6)}):",
            verdict,
        )
        for seat, (value, bound) in enumerate(zip(found, best, strict=True)):
            console.print(
                f"player {seat}: value {signed_text(value, 9)}, best response against the others "
                f"{signed_text(bound, 9)}"
            )

    emit(data, render, as_json=as_json)
    if not ok:
        claimed, reached = (gap_text(each, 6) for each in (solution.exploitability, exploitability))
        raise ValueError(f"{file} claims {claimed}, found {reached}")


def _verify_spot(file: Path, *, as_json: bool) -> None:
    from pokerlab.cli.shared.spot_solve import exploitability_json
    from pokerlab.postflop.answer.verify import verify

    certificate = verify(file)
    found, inside = certificate.exploitability, certificate.exploitability_abstract
    data = {
        "ok": certificate.ok,
        "exploitability": exploitability_json(found),
        "exploitability_abstract": None if inside is None else exploitability_json(inside),
        "groups": certificate.groups,
        "values": list(certificate.values),
        "bounds": list(certificate.best_values),
        "intervals": [list(pair) for pair in certificate.bounds],
        "problems": list(certificate.problems),
    }

    def render(console: Console) -> None:
        from rich.text import Text

        verdict = ("ok", "green") if certificate.ok else ("does not hold", "red")
        reached = f"{gap_text(found.chips, 6)} chips, {gap_text(found.percent, 4)}% of the pot"
        console.print(Text.assemble(f"{file}: exploitability {reached}: ", verdict))
        if inside is not None:
            console.print(
                f"groups {certificate.groups}: {gap_text(inside.chips, 6)} chips, "
                f"{gap_text(inside.percent, 4)}% of the pot, by responses that play the hands of a "
                "group alike"
            )
        for name, value, (low, high) in zip(
            ("oop", "ip"), certificate.values, certificate.bounds, strict=True
        ):
            console.print(
                f"{name} takes {value:,.4f} chips: no less than {low:,.4f} against anybody, and no "
                f"more than {high:,.4f} by a best response"
            )

    emit(data, render, as_json=as_json)
    if not certificate.ok:
        raise ValueError(f"{file} does not hold: {'; '.join(certificate.problems)}")

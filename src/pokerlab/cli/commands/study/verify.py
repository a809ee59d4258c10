"""`pokerlab verify`: prove how good a saved solution is."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pokerlab.cli.commands.study.show_limit import is_limit_strategy
from pokerlab.cli.options import declared as options
from pokerlab.cli.options.files import is_postflop
from pokerlab.cli.terminal.output import emit, styled
from pokerlab.views.texts import gap_text, signed_text, subset_text

if TYPE_CHECKING:
    from rich.console import Console

    from pokerlab.holdem.spots import PostflopSolution
    from pokerlab.holdem.spots.coarse.all_run_outs import AllRunOuts
    from pokerlab.players.strategies.limit_file import LimitStrategy

_SOLUTIONS = options.OnlyFor("solutions")
_ALL = options.Needs("--all-runouts")


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("verify")(_verify)


def _verify(
    context: typer.Context,
    file: Annotated[Path, "What `pokerlab solve -o` or `pokerlab train -o` wrote."],
    exact: Annotated[
        bool,
        "In a limit game for two: compute what best responses win in the game itself, as "
        "`pokerlab exploitability` does; hours in hold'em.",
        options.OnlyFor("trained strategies"),
    ] = False,
    all_runouts: Annotated[
        bool,
        "Of a flop on a subset of run-outs (--runouts): lock the flop strategy of each player in "
        "the game with all run-outs, solve the rest, and say what it loses; takes the memory and "
        "the time of two such solves.",
        _SOLUTIONS,
    ] = False,
    target: Annotated[
        options.Target, "Of the solves of --all-runouts; 0.1% by default.", _SOLUTIONS, _ALL
    ] = None,
    device: Annotated[options.Device, "Of the solves of --all-runouts.", _SOLUTIONS, _ALL] = "auto",
    as_json: options.Json = False,
) -> None:
    """Compute the best responses to a saved solution again and compare with its claims.

    A trained strategy is read from end to end and compared with its hash, its groups of cards too.
    """
    trained = is_limit_strategy(file)
    options.check_options(context, "trained strategies" if trained else "solutions")
    if trained:
        _verify_limit(file, exact=exact, as_json=as_json)
        return
    if not is_postflop(file):
        if all_runouts:
            raise ValueError(f"--all-runouts: {file} is not the solution of a flop")
        _verify_game(file, as_json=as_json)
        return
    _verify_spot(file, all_runouts, target or "0.1%", device, as_json=as_json)


def _verify_limit(file: Path, *, exact: bool, as_json: bool) -> None:
    from pokerlab.players.strategies.limit_file import LimitStrategy

    strategy = LimitStrategy.load(file, verify=True)
    game, unit = strategy.game, strategy.game.game.mbb
    claimed, error = strategy.exploitability * unit, strategy.error * unit
    found = _bucketed_exploitability(strategy)
    data: dict[str, Any] = {
        "ok": found is None or abs(found - strategy.exploitability) <= _rounding(strategy),
        "game": game.game.name,
        "groups": game.name,
        "rows": game.rows,
        "claimed_mbb": claimed,
        "exact": strategy.exact,
        "checked": exact or found is not None,
    }
    told = f"{claimed:,.3f} mbb/hand is claimed"
    problem = "" if found is None or data["ok"] else f"{told}, {found * unit:,.3f} was found"
    if exact and not problem:
        data |= _best_responses(file, strategy, quiet=as_json)
        if not data["ok"]:
            problem = f"at least {told}, {data['mbb']:,.3f} was found in the game itself"

    def render(console: Console) -> None:
        console.print(
            f"{file}: {game.game.name} with {game.name}, {game.rows:,} rows: as it was written"
        )
        verdict = styled("does not hold", "red") if problem else styled("ok", "green")
        if exact and "mbb" in data:
            console.print(
                f"exploitability in the game itself {data['mbb']:,.3f} mbb/hand, and at least "
                f"{claimed:,.3f} ± {error:,.3f} claimed:",
                verdict,
            )
        elif found is not None:
            console.print(
                f"exploitability {found * unit:,.3f} mbb/hand (claimed {claimed:,.3f}):", verdict
            )
        elif strategy.method != "model":  # which claims nothing
            remedy = "; --exact computes it" if game.game.players == 2 else ""
            console.print(f"exploitability {claimed:,.3f} mbb/hand: claimed, not checked{remedy}")

    emit(data, render, as_json=as_json)
    if problem:
        raise ValueError(f"{file} does not hold: {problem}")


def _bucketed_exploitability(strategy: LimitStrategy) -> float | None:
    """The value of best responses inside the groups; None if that takes long."""
    from pokerlab.holdem.limit.response.bounds import exact_exploitability
    from pokerlab.holdem.limit.sampling.legal_rows import legal_rows

    if not strategy.exact or strategy.method == "independent":  # whose game is another one
        return None
    game = strategy.game
    rows = game.from_nodes(legal_rows(game, strategy.probabilities))
    found = exact_exploitability(game, rows)
    return None if found is None else found.value


def _rounding(strategy: LimitStrategy) -> float:
    """How far a claim may be from what is found: files keep few digits."""
    return 0.01 * abs(strategy.exploitability) + 4 * strategy.error + 1e-3


def _best_responses(file: Path, strategy: LimitStrategy, *, quiet: bool) -> dict[str, Any]:
    """The value of best responses in the game itself: at least that inside the groups.

    Where training never came the bot calls while training measured a uniform choice: that is worth
    a little.
    """
    from pokerlab.arena.simulation.opponents import TableOpponent
    from pokerlab.cli.shared.best_responses import run_best_responses

    found, _ = run_best_responses(TableOpponent(str(file)), quiet=quiet)
    mbb = found.mean * strategy.game.game.mbb
    ok = found.mean >= strategy.exploitability - _rounding(strategy)
    return {"ok": ok, "mbb": mbb, "values": list(found.values)}


def _verify_game(file: Path, *, as_json: bool) -> None:
    from pokerlab.solvers import best_response, load_solution, values
    from pokerlab.solvers.solution import tree_of

    solution = load_solution(file)
    tree = tree_of(solution)
    strategy = solution.strategy
    found = values(tree, strategy).tolist()
    best = [best_response(tree, strategy, seat).value for seat in range(tree.players)]
    exploitability = (sum(best) - sum(found)) / tree.players
    names = ["exploitability", *(f"value of player {seat}" for seat in range(tree.players))]
    claimed = [solution.exploitability, *solution.values]
    problems = [
        f"{name}: {told:.6g} is claimed, {computed:.6g} was found"
        for name, told, computed in zip(names, claimed, [exploitability, *found], strict=True)
        if not abs(told - computed) <= _ROUNDING * max(1.0, abs(computed))
    ]
    data = {
        "ok": not problems,
        "game": solution.game,
        "exploitability": exploitability,
        "claimed": solution.exploitability,
        "values": found,
        "claimed_values": list(solution.values),
        "bounds": best,
        "problems": problems,
    }

    def render(console: Console) -> None:
        verdict = styled("does not hold", "red") if problems else styled("ok", "green")
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
    if problems:
        raise ValueError(f"{file} does not hold: {'; '.join(problems)}")


_ROUNDING = 1e-9


def _price(solution: PostflopSolution, target: str, device: str, *, quiet: bool) -> AllRunOuts:
    """What the flop strategy of a solution loses over all run-outs."""
    from dataclasses import replace

    from pokerlab.cli.progress.compiling import announce_compiling
    from pokerlab.cli.tables.cost import check_memory
    from pokerlab.engine.device import choose_device
    from pokerlab.holdem.spots.coarse.all_run_outs import price_first_street
    from pokerlab.holdem.spots.cost import estimate_cost, gpu_memory

    spot = replace(solution.spot, runouts=None)
    merged = solution.isomorphism
    cost = estimate_cost(spot, isomorphism=merged)
    chosen = choose_device(device, gpu_memory(spot, cost, isomorphism=merged), grouped=False)
    check_memory(spot, replace(cost, on_gpu=chosen == "gpu"), isomorphism=merged)
    with announce_compiling(quiet=quiet):
        return price_first_street(solution, target=target, device=chosen)


def _verify_spot(file: Path, all_runouts: bool, target: str, device: str, *, as_json: bool) -> None:
    from pokerlab.cli.shared.spot_solve import margin_json, margin_text
    from pokerlab.holdem.spots import load_postflop
    from pokerlab.holdem.spots.checks.verify import verify
    from pokerlab.views.payloads.simple_payload import exploitability_payload

    solution = load_postflop(file, check=True)
    spot = solution.spot
    if all_runouts and spot.street != 0:
        raise ValueError(f"--all-runouts: {file} is not the solution of a flop")
    certificate = verify(solution)
    price = _price(solution, target, device, quiet=as_json) if all_runouts else None
    found, inside = certificate.exploitability, certificate.exploitability_abstract
    data = {
        "ok": certificate.ok,
        "exploitability": exploitability_payload(found),
        "exploitability_abstract": None if inside is None else exploitability_payload(inside),
        "groups": certificate.groups,
        "runouts": spot.runouts,
        "all_runouts": None
        if price is None
        else {
            "exploitability": exploitability_payload(price.exploitability),
            "error": exploitability_payload(price.error),
            "values": list(price.values),
        },
        "values": list(certificate.values),
        "bounds": list(certificate.best_values),
        "intervals": [list(pair) for pair in certificate.bounds],
        "margin": None if certificate.margin is None else margin_json(certificate.margin),
        "problems": list(certificate.problems),
    }

    def render(console: Console) -> None:
        from rich.text import Text

        verdict = ("ok", "green") if certificate.ok else ("does not hold", "red")
        reached = f"{gap_text(found.chips, 6)} chips, {gap_text(found.percent, 4)}% of the pot"
        reached += subset_text(spot.runouts)
        console.print(Text.assemble(f"{file}: exploitability {reached}: ", verdict))
        if price is not None:
            console.print(
                f"over all run-outs: its flop strategy loses {gap_text(price.exploitability.chips)}"
                f" chips, {gap_text(price.exploitability.percent)}% of the pot, give or take "
                f"{gap_text(price.error.percent)}%, if the rest is played well"
            )
        if certificate.margin is not None:
            console.print(margin_text(certificate.margin))
        if inside is not None:
            console.print(
                f"groups {certificate.groups}: {gap_text(inside.chips, 6)} chips, "
                f"{gap_text(inside.percent, 4)}% of the pot, by responses that play one strategy "
                "for each group"
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

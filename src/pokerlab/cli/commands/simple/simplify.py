"""`pokerlab simplify`: a solution that a person can play, and exactly what that costs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pokerlab.cli.options import declared as options
from pokerlab.cli.options.bounds import bounded
from pokerlab.cli.options.files import check_distinct, check_output, is_postflop, saving
from pokerlab.cli.progress.compiling import announce_compiling
from pokerlab.cli.progress.counting import staged_progress
from pokerlab.cli.terminal.interruption import going_on_from
from pokerlab.cli.terminal.output import emit, print_listed
from pokerlab.games.betting_trees.menus import PLAYERS
from pokerlab.views.texts import gap_text, number_text, subset_text

if TYPE_CHECKING:
    from rich.console import Console

    from pokerlab.holdem.spots import PostflopSolution
    from pokerlab.holdem.spots.simple.rules import RuleSheet
    from pokerlab.holdem.spots.simple.simplify import SimpleLine, Simplified

_WHOLE = options.NotWith("--rules")


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("simplify")(_simplify)


def _simplify(
    context: typer.Context,
    file: Annotated[Path, "A solution of a spot that `pokerlab solve -o` wrote."],
    step: Annotated[
        str, "Probabilities become multiples of this; 0 leaves them as they are."
    ] = "25%",
    max_actions: Annotated[
        int | None, "The most actions that a hand may mix; 1: none mixes.", bounded(1)
    ] = None,
    by: Annotated[
        str,
        "What plays one strategy together: each hand, each starting hand (class, as AKs), or each "
        "made hand with its best draw (made).",
        _WHOLE,
    ] = "hand",
    player: Annotated[str | None, "Only the decisions of this player, oop or ip.", _WHOLE] = None,
    street: Annotated[str | None, "Only those on the flop, turn or river.", _WHOLE] = None,
    lines: Annotated[
        str | None,
        "Only these lines, without cards: 'x, x/b50'; '' is the first decision, 'x/*' all that "
        "follows a check.",
        _WHOLE,
    ] = None,
    loss: Annotated[
        str | None,
        "Leave decisions as they are so that both players together lose at most this: 0.5% of the "
        "pot, or chips. With --rules, the most that the rules may lose.",
    ] = None,
    nearest: Annotated[
        bool,
        "Round each hand to the nearest by itself. Without this, errors of one hand are made good "
        "by the next, and the range takes each action nearly as often as before.",
        _WHOLE,
    ] = False,
    rules: Annotated[
        str | None,
        typer.Option(
            "--rules",
            help="Find rules in words for one decision, such as 'x/b50' ('' is the first).",
            metavar="LINE",
        ),
    ] = None,
    most_rules: Annotated[
        int, "The most rules to find.", bounded(1, 30), options.Needs("--rules")
    ] = 8,
    resume: options.Resume = None,
    output: Annotated[options.Output, "A solution: show, verify, diff, practise take it."] = None,
    threads: options.Threads = None,
    device: options.Device = "auto",
    top: options.Top = 12,
    everything: options.Everything = False,
    as_json: options.Json = False,
) -> None:
    """Make a solution simple enough to play, and measure exactly what that loses.

    The loss of a player is what the opponent's best response takes more than before; with prizes,
    in the opponent's chips that are worth the same.
    """
    options.check_options(context)
    for path, option in ((output, "--output"), (resume, "--resume")):
        check_output(path, option)
    check_distinct({"--output": output, "--resume": resume}, [file])
    solution = _load(file)
    limit = None if everything else top
    if rules is not None:
        from pokerlab.holdem.spots.simple.rules import find_rules
        from pokerlab.views.payloads.simple_payload import rules_payload

        with (
            announce_compiling(quiet=as_json),
            going_on_from(resume),
            staged_progress(quiet=as_json) as report,
        ):
            sheet = find_rules(
                solution,
                rules,
                loss=loss or "0.5%",
                step=step,
                max_actions=max_actions,
                most=most_rules,
                threads=threads,
                device=device,
                resume=resume,
                report=report,
            )
        _save(sheet.solution, output)
        emit(
            {**rules_payload(sheet), "file": None if output is None else str(output)},
            lambda console: _print_sheet(console, sheet, output),
            as_json=as_json,
        )
        return
    from pokerlab.holdem.spots.simple.simplify import simplify
    from pokerlab.views.payloads.simple_payload import simplified_payload

    with (
        announce_compiling(quiet=as_json),
        going_on_from(resume),
        staged_progress(quiet=as_json) as report,
    ):
        found = simplify(
            solution,
            step,
            max_actions=max_actions,
            by=by,
            balanced=not nearest,
            player=player,
            street=street,
            lines=lines,
            loss=loss,
            threads=threads,
            device=device,
            resume=resume,
            report=report,
        )
    _save(found.solution, output)
    data = {**simplified_payload(found), "file": None if output is None else str(output)}
    emit(data, lambda console: _print(console, found, output, limit), as_json=as_json)


def _load(path: Path) -> PostflopSolution:
    from pokerlab.holdem.spots import load_postflop
    from pokerlab.solvers import load_solution

    if not is_postflop(path):
        game = load_solution(path).game
        raise ValueError(f"{path} is a solution of {game}: simplify takes solutions of spots")
    return load_postflop(path)


def _save(solution: PostflopSolution, output: Path | None) -> None:
    if output is not None:
        with saving(output, "--output"):
            solution.save(output)


def _print(console: Console, found: Simplified, output: Path | None, limit: int | None) -> None:
    simple = len(found.lines) - len(found.complicated)
    every = len(found.lines)
    of = "the decision is" if every == 1 else f"all {every:,} decisions are"
    if simple < every:
        of = f"{simple:,} of {every:,} decisions are"
    console.print(f"{of} simple: {found.rounding.text}")
    console.print()
    _print_losses(console, found)
    given = [each for each in found.lines if each.simple and each.given is not None]
    if given and limit != 0:
        told = "what the opponent's best response takes"
        if found.solution.spot.pays_prizes:
            told = "what the player loses against the opponent's best response"
        console.print(f"\n{told}, line by line:")
        _print_lines(console, found, given, "given", limit)
    if found.complicated and limit != 0:
        console.print("\nleft as they were:")
        _print_lines(console, found, found.complicated, "alone", limit)
    if output is not None:
        console.out(f"\nsaved to {output}; pokerlab show {output}")


def _print_losses(console: Console, found: Simplified | RuleSheet) -> None:
    spot = found.solution.spot
    prizes, blinds = spot.prizes if spot.pays_prizes else None, spot.has_big_blind
    verb = "loses" if prizes is None else "gives"
    for name, chips in zip((*PLAYERS, "both"), (*found.losses, found.loss.chips), strict=True):
        each = found.in_units(chips)
        console.print(
            f"{name:<4} {verb} {gap_text(each.chips):>7} chips, {gap_text(each.percent):>7}% of "
            f"the pot{f', {number_text(each.mbb)} mbb' if blinds else ''}"
        )
    if prizes is not None:  # what is lost beside goes to the others at the table
        share = gap_text(100 * found.loss.chips / prizes.chips)
        console.print(f"to the opponent, in chips that are worth the same: {share}% of the prizes")
    before, after = found.before, found.solution.exploitability
    console.print(
        f"exploitability {gap_text(before.percent)}% of the pot before, "
        f"{gap_text(after.percent)}% now{subset_text(found.solution.spot.runouts)}"
    )


def _print_lines(
    console: Console,
    found: Simplified,
    lines: list[SimpleLine] | tuple[SimpleLine, ...],
    kind: str,
    limit: int | None,
) -> None:
    heads = {"chips" if kind == "given" else "alone": "chips.3", "of the pot": "share.3"}
    if found.solution.spot.has_big_blind:
        heads["mbb"] = "chips.1"
    rows = []
    for each in lines:
        chips = each.given if kind == "given" else each.alone
        units: tuple[float | None, ...] = (None,) * 3
        if chips is not None:
            lost = found.in_units(chips)
            units = (chips, lost.percent / 100, lost.mbb)
        where = each.line or "first"
        rows.append((where, PLAYERS[each.player], each.street, *units[: len(heads)]))
    columns = {"line": "fold.30", "player": "text", "street": "text", **heads}
    print_listed(console, columns, rows, limit, "decisions")


def _print_sheet(console: Console, sheet: RuleSheet, output: Path | None) -> None:
    from pokerlab.cards.codes import format_cards
    from pokerlab.views.rule_texts import rule_text

    where = f"after {sheet.line}" if sheet.line else "first decision"
    board = format_cards(sheet.board, separator=" ")
    console.print(f"{board}, {where}: {PLAYERS[sheet.player]} chooses {', '.join(sheet.actions)}")
    console.print()
    for number, rule in enumerate(sheet.rules, 1):
        console.print(f"{number}. {rule_text(rule, sheet.actions)}  ({rule.share:.0%})")
    console.print()
    _print_losses(console, sheet)
    if not sheet.within:
        console.print(
            f"found no list of at most {sheet.most} rules that keeps within the loss; "
            "of those tried, this one loses least",
            style="yellow",
        )
    if output is not None:
        console.out(f"saved to {output}; pokerlab practise {output} drills it")

"""`pokerlab show`: look into a solution."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pokerlab.cli.commands.study.show_chart import is_chart, show_chart
from pokerlab.cli.commands.study.show_deal import show_deal
from pokerlab.cli.commands.study.show_limit import is_limit_strategy, show_limit
from pokerlab.cli.options import declared as options
from pokerlab.cli.options.files import check_distinct, check_output, is_postflop, save_columns
from pokerlab.cli.progress.compiling import announce_compiling
from pokerlab.cli.tables.hand_tables import By, HandsFilter, print_hand_table
from pokerlab.cli.terminal.output import bold, emit
from pokerlab.cli.terminal.plain_text import tell
from pokerlab.views import Table
from pokerlab.views.pictures.tables import percent_text
from pokerlab.views.texts import gap_text, signed_text, subset_text

if TYPE_CHECKING:
    from rich.console import Console

    from pokerlab.holdem.spots import NodeView, PostflopSolution
    from pokerlab.holdem.spots.reports.export import Following, HandRow
    from pokerlab.runtime.arrays import Bools
    from pokerlab.solvers import Solution

_SEATS = ("oop", "ip")

_SPOTS = options.OnlyFor("solutions of spots")
_DECISIONS = options.OnlyFor("solutions of spots", "trained strategies")
_NO_RANGE = options.NotWith("--range")
_NOT_WITH_DEAL = (
    *("--top", "--all", "--sort", "--hands", "--where", "--by"),
    *("--csv", "--parquet", "--range", "--board"),
)

_SELDOM = 5e-4
"""An action that is shown as 0.0% has no EV worth showing."""


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("show")(_show)


def _show(
    context: typer.Context,
    file: Annotated[
        Path,
        "What `pokerlab solve -o`, `preflop -o` or `train -o` wrote, or a spot's checkpoint.",
    ],
    line: Annotated[
        str,
        typer.Argument(
            help="Where to look: x check, b50 bet, r150 raise to, c call, f fold, a all-in, Qc a "
            "card, for example x/b50/c/Qc; for a trained strategy f, c and r: rc/cr. The first "
            "decision if left out."
        ),
        options.OnlyFor("solutions of spots", "trained strategies", "charts"),
    ] = "",
    top: options.Top = 20,
    everything: options.Everything = False,
    sort: Annotated[
        str | None,
        "Order of the hands: ev, equity, weight (the default) or an action, b120 or b50%; "
        "the largest first, or 'ev asc' for the smallest.",
        _SPOTS,
        _NO_RANGE,
    ] = None,
    hands: Annotated[HandsFilter, _DECISIONS, _NO_RANGE] = None,
    where: Annotated[
        str | None,
        "Only hands for which this holds, 'b120 > 0.5 and ev < 20': actions, ev, equity, weight.",
        _SPOTS,
        _NO_RANGE,
    ] = None,
    by: Annotated[By, _SPOTS, _NO_RANGE] = None,
    csv: Annotated[options.Csv, _DECISIONS] = None,
    parquet: Annotated[options.Parquet, _SPOTS] = None,
    player: Annotated[
        str | None,
        typer.Option("--range", help="Print the range of oop or ip there, for other programs."),
        _SPOTS,
    ] = None,
    action: Annotated[
        str | None,
        "With --range: the part that takes this action, b120 or b50%.",
        _SPOTS,
        options.Needs("--range"),
    ] = None,
    pio: Annotated[
        bool,
        "With --range: the 1,326 weights in PioSOLVER's order, for a file of its own.",
        _SPOTS,
        options.Needs("--range"),
    ] = False,
    board: Annotated[
        str | None, "The hands on this board, QhJh2c.", options.OnlyFor("trained strategies")
    ] = None,
    deal: Annotated[
        str | None,
        "Draw the lines of one deal as a tree: the hand of each player, then the cards that come, "
        "'KhJh AcAs 8s 5s'.",
        options.NotWith(*_NOT_WITH_DEAL),
    ] = None,
    least: Annotated[
        str, "With --deal: leave out actions that are played less often.", options.Needs("--deal")
    ] = "2%",
    svg: Annotated[
        Path | None, "With --deal: write an SVG picture.", options.Needs("--deal")
    ] = None,
    as_json: options.Json = False,
) -> None:
    """Show a decision of a solved spot: a picture, the hands, the totals, and where it goes on.

    For a solved game of the catalogue it shows the strategy, for a trained limit strategy a
    decision: 13×13 before the flop, by group of hands after it. With --deal it draws what players
    do with given hands, line by line, for all of them.
    """
    limit = None if everything else top
    if deal is not None:
        options.check_options(context)
        show_deal(file, line, deal, least=least, svg=svg, as_json=as_json)
        return
    if is_chart(file):
        options.check_options(context, "charts")
        show_chart(file, line, as_json=as_json)
        return
    if is_limit_strategy(file):
        options.check_options(context, "trained strategies")
        show_limit(file, line, board=board, hands=hands, limit=limit, csv=csv, as_json=as_json)
        return
    solved = is_postflop(file)
    from pokerlab.solvers.checkpoints import is_checkpoint

    if not solved and not is_checkpoint(file):
        options.check_options(context, "solutions of games")
        _show_game(file, limit, as_json=as_json)
        return
    options.check_options(context, "solutions of spots")
    from pokerlab.holdem.spots import load_postflop
    from pokerlab.holdem.spots.reports.breakdown import breakdown, breakdown_columns
    from pokerlab.holdem.spots.reports.choice import choose_hands
    from pokerlab.holdem.spots.reports.export import hand_rows, table_columns
    from pokerlab.holdem.spots.reports.report_lines import name_sizes
    from pokerlab.holdem.spots.solving import solution_in_checkpoint
    from pokerlab.views.payloads.node_payload import node_payload

    check_output(csv, "--csv")
    check_output(parquet, "--parquet")
    check_distinct({"--csv": csv, "--parquet": parquet}, [file])
    with announce_compiling(quiet=as_json):
        solution = load_postflop(file) if solved else solution_in_checkpoint(file)
        view = solution.at(line)
        action, sort, where = (
            None if text is None else name_sizes(solution.spot, line, text)
            for text in (action, sort, where)
        )
    if player is not None:
        _show_range(view, player, action, pio=pio, as_json=as_json)
        return
    rows = choose_hands(
        hand_rows(view), view.actions, hands=hands, board=view.board, where=where, sort=sort
    )
    parts = None if by is None else breakdown(view, by, chosen=_combos(rows))
    if by is None or parts is None:
        files = save_columns(table_columns(view, rows), csv, parquet)
    else:
        files = save_columns(breakdown_columns(view, by, parts), csv, parquet)
    if files and not view.reached:
        tell(_never_reached(view))
    data = node_payload(solution, view, rows) | {"files": files} if as_json else {}

    def render(console: Console) -> None:
        if files:
            for name in files:
                console.out(f"wrote {name}")
            return
        shown = rows if sort else choose_hands(rows, view.actions, sort="weight")
        _print_node(console, solution, view, shown, limit, by, parts)

    emit(data, render, as_json=as_json)


def _combos(rows: list[HandRow]) -> Bools:
    """The combos of some hands, as flags."""
    import numpy as np

    from pokerlab.cards.codes import N_COMBOS, combo_index, parse_cards

    found = np.zeros(N_COMBOS, np.bool_)
    found[[combo_index(*parse_cards(row.name)) for row in rows]] = True
    return found


def _show_range(
    view: NodeView, player: str, action: str | None, *, pio: bool, as_json: bool
) -> None:
    from pokerlab.holdem.spots.reports.export import arriving_range

    if player not in _SEATS:
        raise ValueError(f"--range {player}: there is oop (acts first) and ip")
    hands = arriving_range(view, _SEATS.index(player), action)
    text = hands.pio_text() if pio else hands.plain_text()
    data = {
        "line": view.line,
        "player": player,
        "seat": _SEATS.index(player),
        "action": action,
        "range": text,
        "combos": hands.combos,
    }
    if not hands and not as_json:
        tell("no hand is in this range")
    # As it is, so that it can be piped to another program.
    emit(data, lambda console: console.out(text), as_json=as_json)


def _print_node(
    console: Console,
    solution: PostflopSolution,
    view: NodeView,
    rows: list[HandRow],
    limit: int | None,
    by: str | None,
    parts: list[HandRow] | None,
) -> None:
    from pokerlab.cards.codes import COMBO_CARDS, format_cards
    from pokerlab.cli.tables.matrix import StrategyMatrix
    from pokerlab.holdem.spots.reports.export import following_lines
    from pokerlab.holdem.spots.reports.locked import lock_at, locked_combos

    board = format_cards(view.board, separator=" ", symbols=True)
    where = f"after {view.line}" if view.line else "first decision"
    console.print(bold(board), f" {where}, {_SEATS[view.player]} acts, pot {view.pot:,}")
    reached, inside = solution.exploitability, solution.exploitability_abstract
    gap = (
        f"{gap_text(reached.chips)} chips, {gap_text(reached.percent)}% of the pot"
        f"{subset_text(solution.spot.runouts)}"
    )
    if solution.certified:
        console.print(f"solved to {gap}", style="dim")
    else:
        at = f"at iteration {solution.iterations:,}"
        console.print(f"under way, not certified: ε {gap} {at}", style="yellow")
    if solution.groups is not None and inside is not None:
        console.print(
            f"groups {solution.groups.text}: hands of a group share a strategy "
            f"({gap_text(inside.percent)}% inside the groups)",
            style="dim",
        )
    if not view.reached:
        console.print(_never_reached(view), style="yellow")
        return
    arriving = int((view.weights[view.player] > 0).sum())
    locked = {format_cards(cards) for cards in COMBO_CARDS[locked_combos(solution, view)].tolist()}
    if locked:
        part = "all hands" if len(locked) == arriving else f"{len(locked)} of {arriving} hands"
        lock = lock_at(solution, view)
        weight = f" @ {lock.weight:.4g}" if lock is not None and lock.weight < 1 else ""
        console.print(f"locked: {part}{weight}", style="yellow")
    following = following_lines(solution.spot, view)
    console.print()
    console.print(StrategyMatrix.of(view))
    console.print()
    print_following(console, following)
    console.print()
    _print_totals(console, view)
    console.print()
    if by is not None and parts is not None:
        _print_breakdown(console, view, by, parts)
    else:
        _print_hands(console, view, rows, limit, locked)
    if len(rows) < arriving:
        console.print(f"{len(rows):,} of {arriving:,} hands are chosen", style="dim")


def _never_reached(view: NodeView) -> str:
    absent = [name for name, each in zip(_SEATS, view.weights, strict=True) if not each.any()]
    why = f"no hand of {absent[0]} arrives here" if absent else "no two hands meet here"
    return f"never reached: {why}, so there is no play to show"


def print_following(console: Console, following: list[Following]) -> None:
    """Print the actions of a decision: how often, for how much, and where they lead."""
    from rich.text import Text

    from pokerlab.cli.tables.matrix import action_letters, action_styles
    from pokerlab.games.betting_trees.lines import action_words

    actions = [each.action for each in following]
    numbers = {"frequency": "share", "EV": "chips"}
    columns = {"": "text", "action": "text", **numbers, "next": "text", " ": "text"}
    rows = [
        (
            Text(f" {letter} ", style),
            action_words(each.action),
            each.frequency,
            each.ev if each.frequency >= _SELDOM else None,
            each.line,
            _outcome(each),
        )
        for each, style, letter in zip(
            following, action_styles(actions), action_letters(actions), strict=True
        )
    ]
    console.print(Table(columns, rows))


def _outcome(each: Following) -> str:
    from pokerlab.games.betting_trees.betting_tree import EdgeKind

    return {
        EdgeKind.NODE: f"pot {each.pot:,}",
        EdgeKind.FOLD: f"over, the pot is {each.pot:,}",
        EdgeKind.SHOWDOWN: f"showdown for {each.pot:,}",
        EdgeKind.NEXT_STREET: f"pot {each.pot:,}, a card comes: {each.line}/…",
        EdgeKind.ALLIN: f"all-in for {each.pot:,}",
    }[each.kind]


def _print_totals(console: Console, view: NodeView) -> None:

    from pokerlab.holdem.spots.reports.export import range_totals

    ranges = [range_totals(view, seat) for seat in range(2)]
    rows = (
        (name, each.weight, each.ev, each.equity, each.realisation)
        for name, each in zip(_SEATS, ranges, strict=True)
    )
    heads = {"combos": "chips.1", "EV": "chips", "equity": "share", "realised": "share"}
    console.print(Table({"range": "text", **heads}, rows))


def _print_hands(
    console: Console,
    view: NodeView,
    rows: list[HandRow],
    limit: int | None,
    locked: set[str],
) -> None:
    shown = rows[:limit]
    if not shown:
        return
    names = [f"{row.name}*" if row.name in locked else row.name for row in shown]
    weights = [f"{row.weight:.3f}" for row in shown]
    print_hand_table(console, view.actions, shown, names=names, first=weights)
    if any(row.name in locked for row in shown):
        console.print("* locked", style="dim")
    if len(shown) < len(rows):
        console.print(f"{len(rows) - len(shown):,} more hands; --all lists them", style="dim")


def _print_breakdown(console: Console, view: NodeView, by: str, rows: list[HandRow]) -> None:
    if not rows:
        return
    total = float(view.weights[view.player].sum())
    print_hand_table(
        console,
        view.actions,
        rows,
        names=[row.name for row in rows],
        first=[percent_text(row.weight / total) for row in rows],
        heads=(by, "share"),
    )


def _show_game(file: Path, limit: int | None, *, as_json: bool) -> None:
    from pokerlab.solvers import load_solution

    solution = load_solution(file)
    data = {
        "game": solution.game,
        "rule": solution.rule,
        "exploitability": solution.exploitability,
        "values": list(solution.values),
        "strategy": strategy_json(solution) if as_json else {},
    }

    def render(console: Console) -> None:
        console.print(
            bold(solution.game),
            f"by {solution.rule}, exploitability {gap_text(solution.exploitability, 6)}",
        )
        console.print("values " + "  ".join(signed_text(value, 9) for value in solution.values))
        print_strategy(console, solution, limit)

    emit(data, render, as_json=as_json)


def strategy_json(
    solution: Solution, most: int | None = None
) -> dict[str, dict[str, float]] | None:
    """``{information set: {action: probability}}``; None if there are more sets than `most`."""
    strategy = solution.strategy
    if most is not None and len(strategy) > most:
        return None
    return {name: strategy[name] for name in strategy}


def print_strategy(console: Console, solution: Solution, limit: int | None = None) -> None:
    """Print how a game is played, an information set a line."""
    infosets = solution.strategy.infosets
    rows = []
    for number, name in enumerate(infosets.names[:limit]):
        plays = "  ".join(
            f"{action} {chance:.4f}" for action, chance in solution.strategy[name].items()
        )
        rows.append((str(infosets.player[number]), name, plays))
    console.print(Table({"player": "text", "has seen": "text", "plays": "text"}, rows))
    if len(rows) < len(infosets):
        console.print(f"{len(infosets) - len(rows):,} more; --all lists them", style="dim")

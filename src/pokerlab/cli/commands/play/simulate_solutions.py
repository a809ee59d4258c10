"""The part of `pokerlab simulate` that plays solutions of spots."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from pokerlab.cli.options.files import check_distinct, check_output, is_postflop, save_bytes
from pokerlab.cli.progress.compiling import announce_compiling
from pokerlab.cli.progress.counting import counting_progress
from pokerlab.cli.terminal.interruption import CutShortError
from pokerlab.cli.terminal.output import PLAYED_COLUMNS, PLAYER, emit
from pokerlab.runtime.errors import shorten
from pokerlab.views import Column, Table

if TYPE_CHECKING:
    from rich.console import Console

    from pokerlab.holdem.spots import PostflopSolution, SolutionMatchResult, Spot, SpotSimulation

_SUFFIX = ".safetensors"
_CURVES = (".csv", ".svg", ".png")
_SEATS = {"oop": "oop", "ip": "ip", "sum": "oop + ip"}
_CONFIDENCE = 1.96


def is_solution_file(text: str) -> bool:
    """Whether an argument names a solution, there or not, and no game, strategy or line."""
    from pokerlab.runtime.files.tensor_map import is_tensor_file

    return is_tensor_file(text)


def simulate_solutions(
    first: str,
    others: list[str],
    hands: int,
    seed: int,
    *,
    curve: Path | None,
    threads: int | None,
    as_json: bool,
) -> None:
    """Play a solution against itself or against another one, and show the result."""
    if len(others) > 1:
        raise ValueError(
            f"{shorten(others[1])}: a solution plays itself, or one other solution of the spot"
        )
    if others and is_solution_file(others[0]):
        _play_match((first, others[0]), hands, seed, curve, threads, as_json=as_json)
        return
    if curve is not None:
        raise ValueError(f"--curve {curve}: name a second solution of the spot, to play against")
    _play_itself(first, others[0] if others else "", hands, seed, threads, as_json=as_json)


def _load(path: str) -> PostflopSolution:
    from pokerlab.holdem.spots import load_postflop
    from pokerlab.solvers import load_solution

    if not is_postflop(Path(path)):
        game = load_solution(path).game
        raise ValueError(
            f"{path} is a solution of {game}, not of a spot; it plays as "
            f"pokerlab simulate {game} strategy:{path} STRATEGY"
        )
    return load_postflop(path)


def _play_itself(
    path: str, line: str, hands: int, seed: int, threads: int | None, *, as_json: bool
) -> None:
    from pokerlab.holdem.spots.play.play_outs import check_playable
    from pokerlab.holdem.spots.play.simulation import SolutionPlay

    with announce_compiling(quiet=as_json):
        solution = _load(path)
        check_playable(solution, path)
        play = SolutionPlay(solution, hands, seed, line, threads=threads)
    _until_interrupted(play, hands, quiet=as_json)
    result = play.result()
    if result.hands == 0:
        raise KeyboardInterrupt
    emit(
        result.to_json(),
        lambda console: _render_itself(console, path, result, solution.spot),
        as_json=as_json,
    )
    if not result.complete:
        raise CutShortError(f"{result.hands:,} of {hands:,} hands are counted")


def _play_match(
    paths: tuple[str, str],
    hands: int,
    seed: int,
    curve: Path | None,
    threads: int | None,
    *,
    as_json: bool,
) -> None:
    from pokerlab.holdem.spots.play.solution_match import SolutionMatch

    check_output(curve, "--curve")
    check_distinct({"--curve": curve}, paths)
    if curve is not None and curve.suffix.lower() not in _CURVES:
        raise ValueError(f"--curve {curve}: a win curve is a {', '.join(_CURVES)} file")
    with announce_compiling(quiet=as_json):
        solutions = _load(paths[0]), _load(paths[1])
        names = _names(paths)
        match = SolutionMatch(*solutions, hands, seed, names=names, threads=threads)
    _until_interrupted(match, hands, quiet=as_json)
    result = match.result()
    if result.hands == 0:
        raise KeyboardInterrupt
    in_blinds = solutions[0].spot.has_big_blind
    if curve is not None:
        content = _curve_file(result, curve.suffix[1:].lower(), in_blinds=in_blinds)
        save_bytes(curve, content, "--curve")
    data = result.to_json() | {"curve": None if curve is None else str(curve)}

    def render(console: Console) -> None:
        _render_match(console, result, in_mbb=in_blinds)
        if curve is not None:
            console.out(f"wrote {curve}")

    emit(data, render, as_json=as_json)
    if not result.complete:
        kept = "" if curve is None else f" and drawn in {curve}"
        raise CutShortError(f"{result.hands:,} of {hands:,} hands are counted{kept}")


def _until_interrupted(play: Iterable[int], hands: int, *, quiet: bool) -> None:
    """Play, up to the end or to Ctrl-C."""
    with counting_progress(hands, "hands", quiet=quiet) as report:
        try:
            for played in play:
                report(played)
        except KeyboardInterrupt:
            return


def _names(paths: tuple[str, str]) -> tuple[str, str]:
    """What the solutions are called: their files without folder and suffix, where these differ.

    Examples
    --------
    >>> _names(("cgh.safetensors", "out/cfr.safetensors")), _names(("a/x.safetensors", "x"))
    (('cgh', 'cfr'), ('a/x.safetensors', 'x'))
    >>> _names(("a.safetensors", "a.safetensors"))
    ('a.safetensors', 'a.safetensors#2')
    """
    first, second = (Path(path).stem for path in paths)
    if first != second:
        return first, second
    return paths if paths[0] != paths[1] else (paths[0], f"{paths[1]}#2")


def _render_itself(console: Console, path: str, result: SpotSimulation, spot: Spot) -> None:
    where = f"after {result.line}" if result.line else "from the beginning"
    console.print(f"{path} plays itself {where}: {_effort(result)}")
    columns = {"chips a hand": PLAYER, **PLAYED_COLUMNS, "% of pot": "chips"}
    if spot.has_big_blind:
        columns["mbb"] = "chips.1"
    rows = []
    for player, name in enumerate(("oop", "ip")):
        mean = result.mean[player]
        rows.append(
            (
                name,
                mean,
                result.stderr[player],
                result.expected[player],
                result.z[player],
                100 * mean / spot.pot,
                *([1000 * mean / spot.big_blind] if spot.has_big_blind else []),
            )
        )
    console.print(Table(columns, rows))


def _render_match(console: Console, result: SolutionMatchResult, *, in_mbb: bool) -> None:
    first, second = result.names
    console.print(f"{first} against {second}, each deal in both seats: {_effort(result)}")
    unit, percent = result.mbb if in_mbb else 1.0, 100 / result.pot
    digits = 2 if unit > 1 else 4
    won_by = [
        ("" if number else name, _SEATS[seat], won)
        for name, seats in result.seats.items()
        for number, (seat, won) in enumerate(seats.items())
    ]

    def won_in(won: float | None) -> float | None:
        return None if won is None else won * unit

    names = [Column.read(f"{'mbb' if in_mbb else 'chips'} a hand", PLAYER), Column("seat", "count")]
    numbers = (("played", "signed"), ("± error", "chips"), ("exact", "signed"))
    columns = [
        *names,
        *(Column(head, kind, digits) for head, kind in numbers),
        Column("z", "signed", 1),
        Column("at least", "signed", digits),
    ]
    rows = [
        (*who, *map(won_in, (won.chips, won.stderr, won.exact)), won.z, won_in(won.at_least))
        for *who, won in won_by
    ]
    console.print(Table(columns, rows))
    console.print()
    columns = [
        Column.read("chips a hand", PLAYER),
        names[1],
        Column("played", "signed", 4),
        Column("± error", "chips", 4),
        Column("% of pot", "signed", 3),
        Column("± error", "chips", 3),
    ]
    shares = (
        (*who, won.chips, won.stderr, won.chips * percent, won.stderr * percent)
        for *who, won in won_by
    )
    console.print(Table(columns, shares))


def _effort(result: SpotSimulation | SolutionMatchResult) -> str:
    threads = "1 thread" if result.threads == 1 else f"{result.threads} threads"
    speed = result.hands / result.seconds if result.seconds else 0.0
    return (
        f"{result.hands:,} hands, seed {result.seed}, {result.seconds:.2f} s on {threads}"
        f" ({speed:,.0f} hands/s)"
    )


def _curve_file(result: SolutionMatchResult, kind: str, *, in_blinds: bool) -> bytes:
    """The win curve of the first profile as a CSV text in chips, or as a picture."""
    names = [f"{result.names[0]} {seat}" for seat in _SEATS.values()]
    curve = result.curve
    if kind == "csv":
        rows = zip(curve.hands.tolist(), *curve.chips.T.tolist(), strict=True)
        return Table(dict.fromkeys(["hands", *names], "text"), rows).csv().encode()
    from pokerlab.arena.logs.statistics import WinCurve
    from pokerlab.views.play_figures import draw_win_curves

    width = _CONFIDENCE * curve.stderr
    curves = [
        WinCurve(name, curve.hands, chips, chips - band, chips + band)
        for name, chips, band in zip(names, curve.chips.T, width.T, strict=True)
    ]
    of_unit = "big blinds" if in_blinds else "chips"
    return draw_win_curves(curves, unit=result.big_blind, of_unit=of_unit, kind=kind)

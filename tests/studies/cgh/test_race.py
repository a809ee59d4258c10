from __future__ import annotations

import csv
import math
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokerlab.games import Choice, WrittenGame
from pokerlab.holdem.spots.solver import DEFAULT_RULE
from pokerlab.solvers import CfrSolver, Point, Rule, as_tree, exploitability, parse_rule
from pokerlab.solvers.rules import NaiveFictitiousPlay, Step
from pokerlab.studies.cgh import race as race_module
from pokerlab.studies.cgh.curve import RaceCurve, RaceResult
from pokerlab.studies.cgh.figure import draw_race, spread
from pokerlab.studies.cgh.race import (
    RACE_RULES,
    PlainAverageSolver,
    RaceProgress,
    Track,
    game_track,
    race,
    write_race,
)
from pokerlab.studies.cgh.trap import TRAP

POKER = ("kuhn", "onecard", "leduc")


@dataclass
class PowerSolver:
    """An engine of another kind: its exploitability is a function of the iteration."""

    of: Callable[[int], float]
    iteration: int = 0
    nbytes: int = 24
    identity: Mapping[str, str] = field(default_factory=dict)

    def iterate(self, iterations: int) -> None:
        self.iteration += iterations

    def strategy(self) -> object:
        return None

    def exploitability(self) -> float:
        return self.of(self.iteration)

    def state(self) -> dict[str, npt.NDArray[np.generic]]:
        return {}

    def restore(self, state: Mapping[str, npt.NDArray[np.generic]]) -> None: ...


def curve_of(values: list[float]) -> RaceCurve:
    """A curve measured after each iteration, a second each."""
    points = [Point(number, float(number), value) for number, value in enumerate(values, 1)]
    return RaceCurve("game", "rule", 8, tuple(points))


@cache
def small_race() -> RaceResult:
    """Everything that the full race has, but short."""
    return race(("kuhn", "onecard"), RACE_RULES, iterations=150)


@cache
def on(game: str, rule: str, iterations: int) -> RaceCurve:
    return race([game], [rule], iterations=iterations).curves[0]


@pytest.mark.slow
def test_every_rule_runs_on_every_game() -> None:
    result = small_race()
    assert result.games == ["kuhn", "onecard"]
    assert result.rules == [str(parse_rule(rule)) for rule in RACE_RULES]
    assert len(result.curves) == len(result.games) * len(result.rules)
    assert not result.interrupted
    for curve in result.curves:
        assert curve.last.iteration == 150
        assert list(curve.iterations[:100]) == list(range(1, 101))
        assert (np.diff(curve.seconds) >= 0).all()
        assert 0 < curve.last.exploitability < 0.05


def test_a_curve_is_what_the_solver_does() -> None:
    solver = CfrSolver(as_tree("kuhn"), "cgh(0.3)")
    solver.iterate(150)
    curve = small_race().curve("kuhn", "cgh(0.3)")
    assert curve.last.exploitability == solver.exploitability()
    assert curve.nbytes == solver.nbytes


def test_memory_is_a_third_of_that_of_cfr() -> None:
    result = small_race()
    for game in result.games:
        cfr = result.curve(game, "cfr").nbytes
        assert result.curve(game, "cgh(0.2)").nbytes * 3 == cfr
        assert result.curve(game, "cgh(0.2,1)").nbytes * 3 == 2 * cfr


def test_any_engine_can_be_raced() -> None:
    made: list[Rule] = []

    def make(rule: Rule) -> PowerSolver:
        made.append(rule)
        return PowerSolver(lambda iteration: 8.0 / iteration)

    result = race([Track("a river", make)], ["dcfr", "cgh"], iterations=5000)
    assert [str(rule) for rule in made] == ["dcfr(1.5,0,2)", "cgh(0.2)"]
    curve = result.curve("a river", "cgh")
    assert curve.nbytes == 24
    assert curve.slope == pytest.approx(-1)
    assert curve.rises == 0
    assert curve.largest_rise == 1
    assert curve.around(1000) == pytest.approx(0.008, rel=0.1)


def test_seconds_end_a_race() -> None:
    curve = race(["kuhn"], ["cfr"], seconds=0.1).curves[0]
    assert curve.last.iteration > 10


def test_progress_counts_the_runs() -> None:
    told: list[RaceProgress] = []
    race(["kuhn"], ["cfr", "cgh"], iterations=20, report=told.append)
    seen = {(progress.number, progress.rule, progress.total) for progress in told}
    assert seen == {(1, "cfr", 2), (2, "cgh(0.2)", 2)}
    assert told[-1].run.iteration == 20
    assert told[-1].game == "kuhn"


def test_an_interrupted_race_keeps_what_it_has() -> None:
    def stop(progress: RaceProgress) -> None:
        if progress.number == 2 and progress.run.iteration == 7:
            raise KeyboardInterrupt

    result = race(["kuhn"], ["cfr", "cgh", "cfr+"], iterations=20, report=stop)
    assert result.interrupted
    assert [(curve.rule, curve.last.iteration) for curve in result.curves] == [
        ("cfr", 20),
        ("cgh(0.2)", 7),
    ]


def test_bad_input_is_named_before_anything_runs() -> None:
    told: list[RaceProgress] = []
    with pytest.raises(ValueError, match="unknown rule 'cfr2'; known rules are cfr, "):
        race(["kuhn"], ["cfr", "cfr2"], iterations=5, report=told.append)
    with pytest.raises(ValueError, match="kuhnn"):
        race(["kuhn", "kuhnn"], ["cfr"], iterations=5, report=told.append)
    with pytest.raises(ValueError, match="iterations is 0; a race needs more than 0"):
        race(["kuhn"], ["cfr"], iterations=0)
    with pytest.raises(ValueError, match="seconds is -1; a race needs more than 0"):
        race(["kuhn"], ["cfr"], seconds=-1)
    with pytest.raises(ValueError, match="at least one game and one rule"):
        race(["kuhn"], [], iterations=5)
    with pytest.raises(ValueError, match="kuhn: a plain average of simultaneous updates"):
        game_track("kuhn", simultaneous=True, plain_average=True)
    with pytest.raises(ValueError, match=r"cfr did not race on 'leduc'; there are cfr, .* on kuhn"):
        small_race().curve("leduc", "cfr")
    assert not told


def test_what_is_read_from_a_curve() -> None:
    values = [1 / number for number in range(1, 21)]
    values[14] = 0.5
    curve = curve_of(values)
    assert curve.rises == pytest.approx(1 / 10)  # from the 10th on, one of ten steps goes up
    assert curve.largest_rise == pytest.approx(0.5 * 14)
    assert curve.best[14] == pytest.approx(1 / 14)
    assert curve.best[-1] == pytest.approx(1 / 20)
    assert curve.around(10) == pytest.approx(1 / 10)  # the median of 8 … 12
    assert math.isnan(curve.around(21))
    assert curve.microseconds == pytest.approx(1e6)


def test_rounding_errors_are_cut_off() -> None:
    curve = curve_of([1e-3, 1e-15, -1e-17, 1e-16])
    assert curve.exploitability.min() == 1e-12
    assert math.isnan(curve.slope)


@given(st.lists(st.floats(1e-6, 1.0), min_size=1, max_size=60))
def test_the_rows_of_a_curve_lose_no_extreme(values: list[float]) -> None:
    curve = curve_of(values)
    rows = list(curve.rows())
    assert rows[-1][2] == len(values)
    assert min(row[5] for row in rows) == min(values)
    assert max(row[6] for row in rows) == max(values)
    assert all(row[5] <= row[4] <= row[6] for row in rows)


@given(st.lists(st.floats(0, 1), max_size=12), st.floats(0.001, 0.08))
def test_labels_are_pushed_apart(places: list[float], step: float) -> None:
    found = spread(places, step)
    order = np.argsort(places, kind="stable")
    moved = np.array(found)[order]
    assert (np.diff(moved) >= step - 1e-9).all()
    assert all(-1e-9 <= place <= 1 + 1e-9 for place in found)
    if (np.diff(np.array(places)[order]) > step).all():
        assert found == pytest.approx(places)


def test_the_files_of_a_race(tmp_path: Path) -> None:
    result = race(["onecard"], ["cfr", "dcfr", "fp", "cgh", "cgh(0.2,1)"], iterations=150)
    files = write_race(result, tmp_path / "race")
    assert [file.name for file in files] == ["cgh.csv", "cgh-summary.csv", "cgh.png", "cgh.svg"]
    curves, summary, png, svg = (file.read_bytes() for file in files)
    rows = list(csv.DictReader(curves.decode().splitlines()))
    assert {(row["game"], row["rule"]) for row in rows} == {
        (curve.game, curve.rule) for curve in result.curves
    }
    last = [row for row in rows if (row["game"], row["rule"]) == ("onecard", "fp")][-1]
    assert int(last["iteration"]) == 150
    measured = result.curve("onecard", "fp").last.exploitability
    assert float(last["exploitability"]) == pytest.approx(measured, rel=1e-3)
    table = list(csv.DictReader(summary.decode().splitlines()))
    assert len(table) == len(result.curves)
    assert [int(row["bytes"]) for row in table] == [curve.nbytes for curve in result.curves]
    assert png.startswith(b"\x89PNG")
    assert len(png) < 300_000
    text = {element.text for element in ElementTree.fromstring(svg).iter() if element.text}
    assert {"CGH 0.2", "DCFR", "best iterate kept", "onecard: against seconds"} <= text


def test_the_figure_without_rules_against_rises_has_two_rows() -> None:
    picture = draw_race(race(["kuhn"], ["cfr", "cgh", "cgh(0.4)"], iterations=30), "svg").decode()
    assert "kuhn: against seconds" in picture
    assert "cgh(0.4)" in picture
    assert "damped" not in picture
    with pytest.raises(ValueError, match="no picture format 'gif': there are png and svg"):
        draw_race(small_race(), "gif")


def test_without_matplotlib_nothing_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ValueError, match=r'pip install "pokerlab\[plots\]"'):
        write_race(small_race(), tmp_path / "race")
    assert not list(tmp_path.iterdir())


def test_a_race_that_cannot_be_written_leaves_the_one_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # What is drawn does not matter here.
    monkeypatch.setattr(race_module, "draw_race", lambda result, kind: kind.encode())
    write_race(small_race(), tmp_path)
    before = {file.name: file.read_bytes() for file in tmp_path.iterdir()}

    def run_out_of_room(file: Path, content: bytes) -> None:
        with file.open("wb") as half:
            half.write(content[: len(content) // 2])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", run_out_of_room)
    with pytest.raises(OSError, match="No space left"):
        write_race(small_race(), tmp_path)
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == before


def test_nothing_to_write(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="nobody raced"):
        write_race(RaceResult((), interrupted=True), tmp_path / "race")
    assert not list(tmp_path.iterdir())


def test_the_plain_average_is_the_mean_of_the_strategies() -> None:
    tree = as_tree("leduc")
    plain, solver = PlainAverageSolver(tree, "cfr"), CfrSolver(tree, "cfr")
    seen = []
    for _ in range(30):
        solver.iterate(1)
        seen.append(solver.current().array.copy())
    plain.iterate(10)
    saved = plain.state()
    plain.iterate(20)
    assert plain.strategy().array == pytest.approx(np.mean(seen, axis=0))
    assert plain.exploitability() == exploitability(tree, plain.strategy())
    again = PlainAverageSolver(tree, "cfr")
    assert again.identity == plain.identity != solver.identity
    again.restore(saved)
    again.iterate(20)
    assert (again.strategy().array == plain.strategy().array).all()


# What docs/race.md concludes, as far as seconds allow.


@pytest.mark.slow
def test_trials_help_gentle_discounts_and_not_those_of_the_paper() -> None:
    assert DEFAULT_RULE in RACE_RULES
    for game in ("onecard", "leduc"):
        gentle, tried = (on(game, f"dcfr(1.3,0.5,3{end})", 1000) for end in ("", ",0.1"))
        paper, tried_paper = (on(game, f"dcfr(1.5,0,2{end})", 1000) for end in ("", ",0.1"))
        # In Leduc 1.44 on an x86-64 processor: it depends on the last bits.
        assert 1.3 < gentle.around(1000) / tried.around(1000) < 3
        assert 1.1 < tried_paper.around(1000) / paper.around(1000) < 3
        assert paper.around(1000) < tried.around(1000)


@pytest.mark.parametrize("game", ["kuhn", "onecard", pytest.param("leduc", marks=pytest.mark.slow)])
def test_the_discounting_rules_beat_cgh(game: str) -> None:
    for rule in ("cfr+", "dcfr", "pcfr+"):
        for c in ("0", "0.1", "0.2", "0.3"):
            assert on(game, rule, 1000).around(1000) < on(game, f"cgh({c})", 1000).around(1000) / 5


def test_cgh_beats_cfr_where_hands_are_many_and_streets_few() -> None:
    assert on("onecard", "cgh(0.2)", 1000).around(400) < on("onecard", "cfr", 1000).around(400) / 3
    assert on("leduc", "cgh(0.2)", 1000).around(400) > on("leduc", "cfr", 1000).around(400)
    assert on("leduc", "cgh(0.2)", 1000).around(10) < on("leduc", "cfr", 1000).around(10)


@pytest.mark.parametrize("game", POKER)
def test_averaging_damps_the_rises(game: str) -> None:
    plain, mean = on(game, "cgh(0.2)", 1000), on(game, "cgh(0.2,0)", 1000)
    linear = on(game, "cgh(0.2,1)", 1000)
    assert plain.largest_rise > 1.5
    assert mean.largest_rise < 1.05
    assert linear.largest_rise < 1.25
    assert linear.around(1000) < plain.around(1000)


def test_the_average_of_the_thesis_makes_cfr_worse_than_cgh() -> None:
    weighted = on("leduc", "cfr", 1000).around(400)
    plain = race([game_track("leduc", plain_average=True)], ["cfr"], iterations=1000).curves[0]
    assert weighted < on("leduc", "cgh(0.2)", 1000).around(400) < plain.around(400)
    at_once = race([game_track("leduc", simultaneous=True)], ["cfr"], iterations=1000).curves[0]
    assert on("leduc", "cgh(0.2)", 1000).around(400) < at_once.around(400)


@pytest.mark.slow
def test_cgh_without_a_constant_is_not_naive_fictitious_play() -> None:
    cgh, naive = on("leduc", "cgh(0)", 10_000), on("leduc", "fp-naive", 10_000)
    assert cgh.around(10_000) < 0.01
    assert naive.around(10_000) > 0.05


@dataclass(frozen=True)
class SameStart(NaiveFictitiousPlay):
    """Naive fictitious play that forgets where it started, as CGH does."""

    def at(self, iteration: int) -> Step:
        return Step(greedy=1 / iteration)


def test_where_everybody_moves_once_it_is() -> None:
    once = as_tree("rps")
    twice = as_tree("leduc")
    for tree, same in ((once, True), (twice, False)):
        cgh, naive = CfrSolver(tree, "cgh(0)"), CfrSolver(tree, SameStart())
        cgh.iterate(200)
        naive.iterate(200)
        assert bool((cgh.strategy().array == naive.strategy().array).all()) == same


def cgh_on_trap(c: float, iterations: int, *, still: bool) -> npt.NDArray[np.float64]:
    """CGH written out for the trap; with `still`, sets whose values are equal stay as they are.

    Returns the probabilities in the order of the tree's information sets: out, in; up, down;
    take, on; left, right.
    """
    chips = np.array([[-1.0, 1.0], [2.0, -1.0]])
    root, row, answer, column = played = np.full((4, 2), 0.5)

    def step(number: int, at: npt.NDArray[np.float64], worth: npt.NDArray[np.float64]) -> None:
        if still and worth[0] == worth[1]:
            return
        best = int(worth[1] >= worth[0])
        at[1 - best] = max(0.0, (1 - 1 / number) * at[1 - best] - c / number / 2)
        at[best] = 1 - at[1 - best]

    for number in range(1, iterations + 1):
        rows = answer[1] * (chips @ column)
        inside = answer[0] * -0.03 + row @ rows
        step(number, row, rows)
        step(number, root, np.array([0.0, inside]))
        columns = -root[1] * (row @ chips)
        on = column @ columns
        step(number, column, columns)
        step(number, answer, np.array([root[1] * 0.03, on]))
    return played.ravel()


@pytest.mark.slow
def test_cgh_does_not_converge_in_the_trap() -> None:
    for rule in ("cgh(0.1)", "cgh(0.2)", "cgh(0.3)", "cgh-return(0.2)"):
        curve = race([TRAP], [rule], iterations=100_000).curves[0]
        late = curve.exploitability[curve.iterations > 3000]
        assert late.max() > 0.05
        assert late.min() < 0.002
    for rule in ("cfr", "dcfr", "fp", "cgh(0)"):
        assert race([TRAP], [rule], iterations=10_000).curves[0].last.exploitability < 3e-4


def test_ties_are_what_catches_cgh_in_the_trap() -> None:
    tree = as_tree(TRAP)
    assert [tree.infosets.actions[number][1] for number in range(4)] == [
        "in",
        "down",
        "on",
        "right",
    ]
    solver = CfrSolver(tree, "cgh(0.2)")
    solver.iterate(1000)
    assert cgh_on_trap(0.2, 1000, still=False) == pytest.approx(solver.strategy().array)
    for c in (0.1, 0.2, 0.3):
        for iterations in (1000, 3000):
            found = cgh_on_trap(c, iterations, still=True)
            assert exploitability(tree, found) < 1e-12


def random_game(rng: np.random.Generator, depth: int) -> WrittenGame:
    """Two players move in turn; some moves are hidden; payoffs are random."""
    hidden = rng.random(depth) < 0.7

    def node(level: int) -> Choice | tuple[float, ...]:
        if level == depth:
            won = float(rng.normal())
            return (won, -won)
        moves = {f"{level}{name}": node(level + 1) for name in "ab"}
        return Choice(level % 2, moves, dict.fromkeys(moves, "?") if hidden[level] else None)

    root = node(0)
    assert isinstance(root, Choice)
    return WrittenGame("random", "", 2, root)


def test_cgh_converges_in_random_games_where_naive_fictitious_play_does_not() -> None:
    rng = np.random.default_rng(0)
    stuck = 0
    for _ in range(8):
        tree = as_tree(random_game(rng, depth=5))
        found = {}
        for rule in ("cgh(0)", "cgh(0.2)", "fp-naive"):
            solver = CfrSolver(tree, rule)
            solver.iterate(10_000)
            found[rule] = solver.exploitability()
        assert max(found["cgh(0)"], found["cgh(0.2)"]) < 0.01
        stuck += found["fp-naive"] > 0.01
    assert stuck > 0

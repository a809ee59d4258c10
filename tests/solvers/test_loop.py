from __future__ import annotations

import multiprocessing
import signal
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pokerlab as pl
from pokerlab.solvers import CfrSolver, Progress, Run, SamplingSolver, loop, run
from pokerlab.trees import GameTree

Trees = Callable[..., GameTree]


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The time that the loop sees; it goes on only where a test says so."""
    clock = Clock()
    monkeypatch.setattr(loop, "perf_counter", clock)
    return clock


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


class Halving:
    """Exploitability 1/n after n iterations; it may take its time, or press Ctrl-C."""

    def __init__(
        self, clock: Clock | None = None, seconds: float = 0.0, interrupt_at: int | None = None
    ) -> None:
        self.iteration = 0
        self.clock = clock or Clock()
        self.seconds = seconds
        self.interrupt_at = interrupt_at
        self.measured: list[int] = []

    identity: Mapping[str, str] = {"engine": "halving"}

    def iterate(self, iterations: int) -> None:
        for _ in range(iterations):
            self.iteration += 1
            self.clock.now += self.seconds
            if self.iteration == self.interrupt_at:
                signal.raise_signal(signal.SIGINT)

    def strategy(self) -> None:
        return None

    def exploitability(self) -> float:
        self.measured.append(self.iteration)
        return 1 / max(1, self.iteration)

    def state(self) -> dict[str, np.ndarray]:
        return {"iteration": np.array([self.iteration])}

    def restore(self, state: Mapping[str, Any]) -> None:
        self.iteration = int(state["iteration"][0])


def test_it_stops_after_the_iterations() -> None:
    result = run(Halving(), iterations=100)
    assert (result.iterations, result.stopped, result.exploitability) == (100, "iterations", 0.01)
    assert not result.interrupted


def test_it_stops_at_the_target() -> None:
    result = run(Halving(), target=0.05, iterations=10**6)
    assert result.stopped == "target"
    assert 0.04 < result.exploitability <= 0.05


def test_it_measures_where_the_target_will_be_reached() -> None:
    """The series would go on from 2,093 to 2,511; the exploitability falls as 1/n."""
    result = run(Halving(), target=1 / 2200)
    assert 2200 <= result.iterations <= 2202
    assert len(result.history) < 45


def test_a_resumed_solve_finds_the_target_where_an_uninterrupted_one_does(tmp_path: Path) -> None:
    for stop in (37, 2100):
        file = tmp_path / f"{stop}.safetensors"
        run(Halving(), iterations=stop, target=1 / 2200, checkpoint=file)
        resumed = run(Halving(), target=1 / 2200, checkpoint=file)
        whole = run(Halving(), target=1 / 2200)
        assert [point[::2] for point in resumed.history] == [point[::2] for point in whole.history]


def test_it_stops_when_the_time_is_up(clock: Clock) -> None:
    result = run(Halving(clock, seconds=0.002), seconds=0.1)
    assert result.stopped == "seconds"
    assert 0.1 <= result.seconds < 0.2
    nothing = run(Halving(), seconds=0)
    assert (nothing.iterations, nothing.stopped) == (0, "seconds")


def test_measurements_grow_apart_and_do_not_depend_on_time(clock: Clock) -> None:
    fast, slow = Halving(), Halving(clock, seconds=0.2)
    run(fast, iterations=200)
    run(slow, iterations=200)
    assert fast.measured == slow.measured
    assert fast.measured[:6] == [1, 2, 3, 4, 5, 6]
    assert fast.measured[-1] == 200
    gaps = np.diff(fast.measured)
    assert gaps[-2] > 10
    assert len(fast.measured) < 30
    every = Halving()
    run(every, iterations=5, growth=1)
    assert every.measured == [1, 2, 3, 4, 5]


def test_reports_tell_where_it_stands(clock: Clock) -> None:
    told: list[Progress] = []
    result = run(Halving(), iterations=50, target=1e-9, report=told.append)
    assert told[-1].iteration == 50
    assert told[-1].exploitability == result.exploitability
    assert told[-1].history == result.history
    assert (told[0].iterations, told[0].target, told[0].limit) == (50, 1e-9, None)
    assert [one.iteration for one in told] == sorted(one.iteration for one in told)
    seconds = [point.seconds for point in result.history]
    assert seconds == sorted(seconds)
    # Long stretches without a measurement are reported too.
    slow: list[Progress] = []
    run(Halving(clock, seconds=0.2), iterations=60, growth=50, report=slow.append)
    reported = [progress.iteration for progress in slow if progress.phase == "iterating"]
    assert sorted(set(reported)) == list(range(1, 61))
    assert [progress.phase for progress in slow[:3]] == ["measuring", "iterating", "iterating"]
    assert [progress.exploitability for progress in slow[:3]] == [None, 1, 1]


def test_interrupt_during_an_update_returns_what_was_reached() -> None:
    solver = Halving(interrupt_at=37)
    before = signal.getsignal(signal.SIGINT)
    result = run(solver, iterations=10**6)
    assert result.interrupted
    assert 37 <= result.iterations < 1000
    assert solver.measured[-1] == result.iterations == solver.iteration
    assert signal.getsignal(signal.SIGINT) is before


def test_interrupt_from_a_report() -> None:
    def report(progress: Progress) -> None:
        if progress.iteration >= 5:
            raise KeyboardInterrupt

    result = run(Halving(), iterations=10**6, report=report)
    assert (result.stopped, result.iterations) == ("interrupted", 5)


def test_a_stop_is_said_before_the_last_measurement(tmp_path: Path) -> None:
    told: list[Progress] = []
    run(
        Halving(interrupt_at=37),
        iterations=10**6,
        report=told.append,
        checkpoint=tmp_path / "state",
    )
    phases = [progress.phase for progress in told]
    assert phases[-4:] == ["stopping", "measuring", "stopping", "saving checkpoint"]


def test_a_report_that_interrupts_is_called_once_more() -> None:
    phases: list[str] = []

    def report(progress: Progress) -> None:
        phases.append(progress.phase)
        if progress.iteration >= 2:
            raise KeyboardInterrupt

    result = run(Halving(), iterations=10**6, report=report)
    assert (result.stopped, result.iterations) == ("interrupted", 2)
    assert phases == ["measuring", "iterating", "measuring", "stopping"]


def test_another_thread_cancels(tmp_path: Path) -> None:
    file = tmp_path / "state"
    stop = threading.Event()
    told: list[Progress] = []

    def report(progress: Progress) -> None:
        told.append(progress)
        if progress.iteration >= 50:
            stop.set()

    results: list[Run] = []
    limits: dict[str, Any] = {"iterations": 10**9, "report": report, "checkpoint": file}
    thread = threading.Thread(target=lambda: results.append(run(Halving(), **limits, stop=stop)))
    thread.start()
    thread.join()
    (result,) = results
    assert (result.stopped, result.interrupted) == ("cancelled", False)
    assert 50 <= result.iterations < 10**5
    assert result.exploitability == 1 / result.iterations
    assert "stopping" in [progress.phase for progress in told]
    resumed = run(Halving(), iterations=result.iterations + 1, checkpoint=file)
    assert resumed.iterations == result.iterations + 1
    assert len(resumed.history) > 10


def test_another_process_cancels() -> None:
    stop = multiprocessing.get_context("spawn").Event()
    stop.set()
    result = run(Halving(), iterations=10, stop=stop)
    assert (result.stopped, result.iterations) == ("cancelled", 0)


def test_it_runs_outside_the_main_thread() -> None:
    results: list[Run] = []
    thread = threading.Thread(target=lambda: results.append(run(Halving(), iterations=10)))
    thread.start()
    thread.join()
    assert results[0].iterations == 10


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        ({}, "nothing says when to stop: give iterations, target or seconds"),
        ({"iterations": -1}, "iterations is -1; it must be at least 0"),
        ({"target": float("nan")}, "target is nan; it must be at least 0"),
        ({"seconds": -0.5}, "seconds is -0.5; it must be at least 0"),
        ({"iterations": 1, "growth": 0.5}, "growth is 0.5; it must be at least 1"),
    ],
)
def test_bad_limits(limits: dict[str, float], message: str) -> None:
    with pytest.raises(ValueError) as raised:
        run(Halving(), **limits)
    assert str(raised.value) == message


def make_solvers(tree: GameTree) -> dict[str, Callable[[], CfrSolver | SamplingSolver]]:
    return {
        "dcfr": lambda: CfrSolver(tree, "dcfr"),
        "cgh": lambda: CfrSolver(tree, "cgh"),
        "fp": lambda: CfrSolver(tree, "fp"),
        "external": lambda: SamplingSolver(tree, "external", rng=np.random.default_rng(5)),
        "public": lambda: SamplingSolver(tree, "public", rng=np.random.default_rng(5)),
    }


@pytest.mark.parametrize("name", ["dcfr", "cgh", "fp", "external", "public"])
def test_resuming_is_as_if_it_had_never_stopped(
    name: str, catalogue_tree: Trees, tmp_path: Path
) -> None:
    make = make_solvers(catalogue_tree("leduc"))[name]
    file = tmp_path / "leduc.safetensors"
    straight = make()
    expected = run(straight, iterations=60)
    run(make(), iterations=23, checkpoint=file)
    middle = run(make(), iterations=41, checkpoint=file)
    assert middle.iterations == 41
    resumed = make()
    result = run(resumed, iterations=60, checkpoint=file)
    for key, tensor in straight.state().items():
        assert (resumed.state()[key] == tensor).all()
    assert result.exploitability == expected.exploitability
    assert [(point.iteration, point.exploitability) for point in result.history] == [
        (point.iteration, point.exploitability) for point in expected.history
    ]
    assert result.seconds > middle.seconds > 0


def test_checkpoints_are_written_on_the_way(tmp_path: Path) -> None:
    file = tmp_path / "state"
    seen: list[bool] = []
    run(
        Halving(),
        iterations=20,
        checkpoint=file,
        checkpoint_seconds=0,
        report=lambda progress: seen.append(file.exists()),
    )
    assert seen[0] is False
    assert seen[-1] is True


def test_writing_checkpoints_takes_a_twentieth_of_the_time(
    clock: Clock, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    written: list[float] = []

    def write(*_: object) -> None:
        written.append(clock.now - 1000)
        clock.now += 10

    monkeypatch.setattr(loop, "save_checkpoint", write)
    run(Halving(clock, seconds=1), iterations=1000, growth=1, checkpoint=tmp_path / "state")
    assert written == [61, 272, 483, 694, 905, 1050]
    written.clear()
    clock.now = 1000
    monkeypatch.setattr(loop, "save_checkpoint", lambda *_: written.append(clock.now - 1000))
    run(Halving(clock, seconds=1), iterations=200, growth=1, checkpoint=tmp_path / "state")
    assert written == [61, 122, 183, 200]


def test_a_checkpoint_that_cannot_be_written_does_not_cost_the_solve(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "state"
    run(Halving(), iterations=20, checkpoint=file)
    before = file.read_bytes()
    told: list[Progress] = []
    whole = Path.open

    class Full:
        """A file on a disk that has run out of room."""

        def __enter__(self) -> Full:
            return self

        def __exit__(self, *_: object) -> None:
            pass

        def write(self, _: bytes) -> int:
            raise OSError(28, "No space left on device")

    def open_file(path: Path, mode: str = "r", **options: Any) -> Any:
        return Full() if mode == "wb" else whole(path, mode, **options)

    monkeypatch.setattr(Path, "open", open_file)
    result = run(Halving(), iterations=30, checkpoint=file, report=told.append)
    warning = f"checkpoint {str(file)!r} could not be written: No space left on device"
    assert (result.iterations, result.exploitability) == (30, 1 / 30)
    assert result.warnings == told[-1].warnings == (warning,)
    assert told[-2].phase == "saving checkpoint"
    assert file.read_bytes() == before
    assert list(tmp_path.iterdir()) == [file]
    monkeypatch.undo()
    assert run(Halving(), iterations=40, checkpoint=file).iterations == 40


def test_a_checkpoint_in_a_folder_that_is_not_there_is_refused_at_once(tmp_path: Path) -> None:
    solver = Halving()
    with pytest.raises(ValueError, match=r"there is no folder '.*nowhere'"):
        run(solver, iterations=5, checkpoint=tmp_path / "nowhere" / "state")
    assert solver.iteration == 0


def test_a_checkpoint_of_another_rule_or_game(catalogue_tree: Trees, tmp_path: Path) -> None:
    file = tmp_path / "kuhn.safetensors"
    run(CfrSolver(catalogue_tree("kuhn"), "cfr"), iterations=3, checkpoint=file)
    before = file.read_bytes()
    for other, message in [
        (CfrSolver(catalogue_tree("kuhn"), "cfr+"), r"its rule is cfr, not cfr\+"),
        (CfrSolver(catalogue_tree("kuhn2"), "cfr"), "its game is kuhn, not kuhn2"),
        (CfrSolver(catalogue_tree("kuhn"), "cfr", alternating=False), "its updates is alternating"),
    ]:
        with pytest.raises(ValueError, match=message):
            run(other, iterations=5, checkpoint=file)
    assert file.read_bytes() == before


def test_a_stop_that_is_no_event() -> None:
    with pytest.raises(ValueError, match=r"stop: 5 is no event \(an object with is_set\(\)\)"):
        pl.solve("kuhn", iterations=1, stop=5)  # type: ignore[call-overload]


class Floored(Halving):
    """Exploitability that swings around 1/n and never falls below a floor."""

    floor = 0.01

    def exploitability(self) -> float:
        reached = max(super().exploitability(), self.floor)
        return reached * (1 + 0.3 * (self.iteration % 2))


def test_it_stops_where_it_stands_still() -> None:
    """The floor is reached after 100 iterations, and they grow fivefold from there."""
    told: list[Progress] = []
    result = run(Floored(), target=0.005, report=told.append)
    assert result.stopped == "stalled"
    assert 0.01 <= result.exploitability < 0.0131
    assert 450 <= result.iterations <= 700
    assert told[-1].stalled
    assert not any(each.stalled for each in told if each.iteration < result.iterations)
    # Who says so goes on; without a target there is nothing to give up; a target ends it first.
    assert run(Floored(), target=0.005, iterations=5000, stall=False).stopped == "iterations"
    asked = run(Floored(), iterations=5000, report=told.append)
    assert (asked.stopped, asked.iterations, told[-1].stalled) == ("iterations", 5000, True)
    assert run(Floored(), target=0.02).stopped == "target"


@pytest.mark.parametrize(
    "measured",
    [
        pytest.param(lambda n: 0.1 if n < 20 else 10 / n, id="a first strategy good by luck"),
        pytest.param(lambda n: 1.0 if n < 30 else 30 / n, id="flat at the beginning"),
        pytest.param(lambda n: n**-0.4, id="the slowest that was recorded"),
        pytest.param(lambda n: (1 + n % 3) * n**-0.6, id="swings"),
    ],
)
def test_what_falls_slowly_or_late_does_not_stand_still(measured: Callable[[int], float]) -> None:
    solver = Halving()
    solver.exploitability = lambda: measured(max(solver.iteration, 1))  # type: ignore[method-assign]
    assert run(solver, target=1e-9, iterations=10_000).stopped == "iterations"


def test_nothing_is_claimed_before_the_iterations_grew_fivefold() -> None:
    flat = Floored()
    flat.floor = 1.0
    told: list[Progress] = []
    assert run(flat, target=0.5, iterations=99, report=told.append).stopped == "iterations"
    assert not any(each.stalled for each in told)
    sparse = Floored()
    sparse.floor = 1.0
    assert run(sparse, target=0.5, iterations=240, growth=50).stopped == "iterations"


def test_a_solve_that_stood_still_is_given_time_again(tmp_path: Path) -> None:
    file = tmp_path / "state"
    first = run(Floored(), target=0.005, checkpoint=file)
    again = run(Floored(), target=0.005, checkpoint=file)
    assert (first.stopped, again.stopped) == ("stalled", "stalled")
    assert again.iterations >= 5 * first.iterations
    # One that was killed before goes on to where it would have stopped.
    other = tmp_path / "other"
    run(Floored(), target=0.005, iterations=300, checkpoint=other)
    resumed = run(Floored(), target=0.005, checkpoint=other)
    assert (resumed.stopped, resumed.iterations) == ("stalled", first.iterations)


def test_a_solver_that_goes_on_from_elsewhere_is_given_time_too() -> None:
    started = Floored()
    started.iteration = 1000
    result = run(started, target=0.005)
    assert (result.stopped, result.iterations >= 5000) == ("stalled", True)

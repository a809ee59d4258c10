import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokerlab.cli.progress import solve_status as shown
from pokerlab.cli.progress.solve_status import (
    LogTimes,
    SolveStatus,
    curve,
    solve_progress,
)
from pokerlab.solvers import Point, Progress
from pokerlab.views.texts import number_text

BLOCKS = "▁▂▃▄▅▆▇█"


def history(*exploitabilities):
    """Measurements after 1, 2, 4, … iterations, each of which takes a tenth of a second."""
    return tuple(
        Point(2**step, 0.1 * 2**step, value) for step, value in enumerate(exploitabilities)
    )


def progress(points=(), *, iterations=None, target=None, limit=None):
    iteration, seconds, *_ = points[-1] if points else Point(0, 0.0, 1.0)
    return Progress(iteration, seconds, tuple(points), iterations, target, limit)


def percent(chips):
    return f"{number_text(chips)}% of the pot"


# The line


def test_the_phases_of_a_solve_as_people_read_them():
    status = SolveStatus(percent)
    lines = [status.line(0.1)]
    status.enter("compiling (first time, half a minute)")
    lines.append(status.line(30))
    status(progress(history(165.0, 40.0), target=0.3))
    lines.append(status.line(40))
    falling = [Point(n, 0.1 * n, 30 / n) for n in (1, 2, 4, 8, 16, 24, 32)]
    status(progress(falling, target=0.3))
    lines.append(status.line(42))
    status.stop()
    lines.append(status.line(43))
    status.enter("saving 6.4 GB")
    lines.append(status.line(50))
    assert lines == [
        "preparing",
        "compiling (first time, half a minute), 30 s",
        "iteration 2, 40.0% of the pot, 40 s, estimating…  ████████▁▁▁▁▁▁▁▁",
        "iteration 32, 0.94% of the pot, 42 s, about 7 s left  ██▇▇▅▅▅▄▄▂▂▂▁▁▁▁",
        "stopping… iteration 32, 0.94% of the pot, 43 s",
        "stopping… saving 6.4 GB, 0.94% of the pot, 50 s",
    ]


def test_what_the_loop_does_besides_iterating():
    status = SolveStatus(percent)
    points = [Point(n, 0.1 * n, 30 / n) for n in (1, 2, 4, 8, 16, 24, 32)]
    status(replace(progress(points, target=0.3), phase="measuring"))
    assert status.line(4.0, 60).startswith("iteration 32, measuring, 0.94% of the pot, 4 s")
    status(replace(progress(points, target=0.3), phase="stopping"))
    assert status.line(4.0) == "stopping… iteration 32, 0.94% of the pot, 4 s"
    status(replace(progress(points, target=0.3), phase="certifying 25%"))
    assert status.line(5.0) == "stopping… certifying 25%, 0.94% of the pot, 5 s"


def test_preparing_does_not_count_towards_the_seconds_of_the_loop():
    status = SolveStatus(percent)
    status.line(30.0)
    status(progress(history(1.0), limit=60))
    assert status.line(31.0).startswith("iteration 1, 1.00% of the pot, 31 s, about 59 s left")


def test_a_warning_is_passed_on_once(capsys):
    status = SolveStatus(percent)
    for count in (0, 1, 1, 2):
        warnings = ("no room for the checkpoint",) * count
        status(replace(progress(history(1.0), target=0.3), warnings=warnings))
    assert capsys.readouterr().err == "warning: no room for the checkpoint\n" * 2


@given(
    st.lists(st.floats(1e-9, 1e9), min_size=1, max_size=40),
    st.floats(1e-9, 1e9),
    st.floats(0, 1e9),
    st.integers(40, 120),
    st.booleans(),
)
def test_a_line_fits_and_has_no_exponents(values, target, elapsed, width, stopping):
    status = SolveStatus(percent)
    status(progress(history(*values), target=target))
    if stopping:
        status.stop()
    line = status.line(elapsed, width)
    assert len(line) <= width
    assert "e+" not in line
    assert line.isprintable()


@given(st.floats(-1e12, 1e12))
def test_numbers_are_readable(number):
    text = number_text(number)
    noise = 1e-9 if number < 0 else 1e-300  # nothing is a little below zero
    assert float(text.replace(",", "")) == pytest.approx(number, rel=0.06, abs=noise)
    assert len(text) <= 18


# The curve


@given(st.lists(st.floats(0, 1e6), max_size=30))
def test_any_history_has_a_curve_or_none(values):
    points = history(*values)
    assert set(curve(points)) <= set(BLOCKS)
    assert len(curve(points)) in (0, 16)


def test_the_curve_of_a_falling_history_falls():
    row = curve(history(*(0.5**step for step in range(16))))
    assert row[0] == "█"
    assert row[-1] == "▁"
    assert list(row) == sorted(row, reverse=True)
    assert len(row) == 16


def test_the_curve_of_a_rising_history_rises():
    row = curve(history(0.1, 0.2, 0.4, 0.8), width=4)
    assert (row[0], row[-1]) == ("▁", "█")
    assert list(row) == sorted(row)


def test_the_curve_of_a_flat_history_is_flat():
    assert curve(history(0.3, 0.3, 0.3), width=5) == "▁▁▁▁▁"


def test_there_is_no_curve_of_fewer_than_two_points():
    assert curve(()) == curve(history(1)) == curve(history(1, 0)) == ""


# A log, where stderr is no terminal


def test_a_log_begins_early_and_grows_quiet():
    times = LogTimes()
    due = [second for second in range(100_000) if times.is_due(second)]
    assert due[0] == 2
    assert len(due) < 200
    gaps = [after - before for before, after in pairwise(due)]
    assert gaps == sorted(gaps)
    assert gaps[-1] == 600


class Clock:
    """Seconds that go by when a test says so."""

    def __init__(self, monkeypatch):
        self.now = 0.0
        monkeypatch.setattr(shown.time, "perf_counter", lambda: self.now)


def test_a_log_has_a_line_when_it_is_due_and_one_at_the_end(capsys, monkeypatch):
    clock = Clock(monkeypatch)
    log = shown.Log(status := SolveStatus(percent))
    log.write_if_due()
    assert capsys.readouterr().err == ""
    clock.now = 2.5
    log.write_if_due()
    log.write_if_due()
    assert capsys.readouterr().err == "preparing, 2 s\n"
    falling = [Point(n, 0.1 * n, 30 / n) for n in (1, 2, 4, 8, 16, 24, 32)]
    status(progress(falling, target=0.3))
    clock.now = 9.0
    log.write_if_due()
    assert capsys.readouterr().err == "iteration 32, 0.94% of the pot, 9 s, about 7 s left\n"
    status.stop()
    log.end()
    assert capsys.readouterr().err == "stopping… iteration 32, 0.94% of the pot, 9 s\n"


def test_a_quick_solve_leaves_no_log(run):
    outcome = run("solve", "kuhn", "--iterations", 10)
    assert outcome.code == 0
    assert outcome.err == ""


# Ctrl-C


@pytest.mark.skipif(sys.platform == "win32", reason="Windows sends Ctrl-C to a whole console")
def test_ctrl_c_is_answered_while_the_main_thread_is_busy(capsys):
    noticed = threading.Event()
    # Held back: as long as this thread is busy, Python does not run its own handler.
    before = signal.signal(signal.SIGINT, lambda number, frame: None)
    try:
        with shown.on_interrupt(noticed.set):
            os.kill(os.getpid(), signal.SIGINT)
            assert noticed.wait(10)
    finally:
        signal.signal(signal.SIGINT, before)


# A terminal


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pseudo-terminals")
def test_progress_is_drawn_on_a_terminal():
    out, drawn = run_on_a_terminal("solve", "leduc", "--seconds", "1.5")
    assert out.startswith("leduc by dcfr")
    assert re.search(r"iteration [\d,]+, \d[\d.]*, ", drawn)
    assert re.search(r"about \d s left", drawn)
    assert set(BLOCKS) & set(drawn)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pseudo-terminals")
def test_no_progress_is_drawn_for_programs():
    out, drawn = run_on_a_terminal("solve", "leduc", "--seconds", "0.5", "--json")
    assert out.startswith('{"game": "leduc"')
    assert drawn == ""


def run_on_a_terminal(*arguments):
    """Run the command with stderr on a pseudo-terminal; what it printed and what it drew."""
    ours, theirs = os.openpty()
    command = [sys.executable, "-m", "pokerlab.cli.main", *arguments]
    environment = os.environ | {"COLUMNS": "80", "TERM": "xterm"}
    # To a file: a pipe that nobody reads meanwhile is full after 64 kB.
    with tempfile.TemporaryFile() as printed:
        process = subprocess.Popen(command, stdout=printed, stderr=theirs, env=environment)
        os.close(theirs)
        drawn = b""
        try:
            while part := read_terminal(ours):
                drawn += part
            process.wait(timeout=300)
        finally:
            process.kill()
            os.close(ours)
        printed.seek(0)
        out = printed.read()
    assert process.returncode == 0
    return out.decode(), drawn.decode()


def read_terminal(descriptor):
    """What was written next; nothing when the other side has closed."""
    try:
        return os.read(descriptor, 65536)
    except OSError:  # how Linux says that a pseudo-terminal is closed
        return b""


def test_a_quiet_solve_shows_nothing(capsys):
    with solve_progress(percent, quiet=True) as status:
        status(progress(history(1.0, 0.5), target=0.3))
        status.stop()
    assert capsys.readouterr() == ("", "")

import os
import re
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokerlab.cli.shared.progress import curve, seconds_left, solve_progress
from pokerlab.solvers import Point, Progress

BLOCKS = "▁▂▃▄▅▆▇█"


def history(*exploitabilities):
    """Measurements after 1, 2, 4, … iterations, each of which takes a tenth of a second."""
    return tuple(
        Point(2**step, 0.1 * 2**step, value) for step, value in enumerate(exploitabilities)
    )


def progress(points=(), *, iterations=None, target=None, limit=None):
    iteration, seconds, _ = points[-1] if points else Point(0, 0.0, 1.0)
    return Progress(iteration, seconds, tuple(points), iterations, target, limit)


def test_time_left_by_iterations():
    # 4 iterations took 0.4 s, so 36 more take 3.6 s.
    assert seconds_left(progress(history(1, 1, 1), iterations=40)) == pytest.approx(3.6)


def test_time_left_by_the_clock():
    points = history(1, 1, 1)
    assert seconds_left(progress(points, limit=60)) == pytest.approx(59.6)
    assert seconds_left(progress(limit=60)) == 60
    # A resumed solve has iterated for longer than this call of the loop has run.
    assert seconds_left(progress(points, limit=60), elapsed=0.1) == pytest.approx(59.9)
    assert seconds_left(progress(points, limit=60), elapsed=70) == 0


def test_time_left_to_a_target():
    # 1/n: from 1/16 to 1/160 takes 144 more iterations of 0.1 s.
    falling = history(1, 1 / 2, 1 / 4, 1 / 8, 1 / 16)
    assert seconds_left(progress(falling, target=1 / 160)) == pytest.approx(14.4)
    # 1/√n: a target that is half as far takes four times as many.
    slower = [Point(n, 0.1 * n, n**-0.5) for n in (1, 2, 4, 8, 16)]
    assert seconds_left(progress(slower, target=1 / 8)) == pytest.approx(4.8)


def test_the_first_limit_counts():
    falling = history(1, 1 / 2, 1 / 4, 1 / 8, 1 / 16)
    assert seconds_left(progress(falling, iterations=17, target=1 / 160, limit=100)) == (
        pytest.approx(0.1)
    )
    assert seconds_left(progress(falling, iterations=10**6, target=1 / 160, limit=1e6)) == (
        pytest.approx(14.4)
    )


@pytest.mark.parametrize(
    "points",
    [
        history(),
        history(1),
        history(1, 0.5),  # too few to see how it falls
        history(1, 1, 1, 1),
        history(0.1, 0.2, 0.4, 0.8),
        history(1, 1, 1 + 1e-12, 1),  # falls by so little that it would take for ever
    ],
)
def test_no_guess_where_the_target_is_out_of_sight(points):
    assert seconds_left(progress(points, target=1e-3)) is None


def test_nothing_is_left_at_the_target():
    assert seconds_left(progress(history(1, 0.5, 0.25), target=0.3)) == 0
    assert seconds_left(progress(history(1, 0.5, 0.0), target=0.3)) == 0


def test_no_guess_without_a_limit():
    assert seconds_left(progress(history(1, 0.5, 0.25))) is None
    assert seconds_left(progress(history(1, 0.5, 0.25), target=0)) is None


@given(
    st.lists(st.floats(0, 1e6), max_size=30),
    st.floats(0, 1e3),
    st.none() | st.integers(0, 10**9),
    st.none() | st.floats(0, 1e9),
)
def test_any_history_has_a_guess_or_none(values, target, iterations, limit):
    points = history(*values)
    left = seconds_left(progress(points, target=target, iterations=iterations, limit=limit))
    assert left is None or 0 <= left < float("inf")
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


def test_nothing_is_drawn_where_nobody_looks(run):
    with solve_progress(str) as report:
        assert report is None
    outcome = run("solve", "kuhn", "--iterations", 10)
    assert outcome.code == 0
    assert outcome.err == ""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pseudo-terminals")
def test_progress_is_drawn_on_a_terminal():
    out, drawn = run_on_a_terminal("solve", "leduc", "--seconds", "1.5")
    assert out.startswith("leduc by dcfr")
    assert re.search(r"iteration [\d,]+  \d\.\d s  ε \d[\d.e-]*", drawn)
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
    environment = os.environ | {"COLUMNS": "200", "TERM": "xterm"}
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=theirs, env=environment)
    os.close(theirs)
    drawn = b""
    try:
        while part := read_terminal(ours):
            drawn += part
        out = process.communicate(timeout=30)[0]
    finally:
        process.kill()
        os.close(ours)
    assert process.returncode == 0
    return out.decode(), drawn.decode()


def read_terminal(descriptor):
    """What was written next; nothing when the other side has closed."""
    try:
        return os.read(descriptor, 65536)
    except OSError:  # how Linux says that a pseudo-terminal is closed
        return b""

"""Progress of builds that a command needs on the way."""

import os
import re
import subprocess
import sys

import pytest

from pokerlab.cli.progress.building import building_progress
from pokerlab.runtime.files.builds import reporter

BUILDS = """
import itertools
import time
from pokerlab.cli.progress.building import building_progress
from pokerlab.cli.progress.counting import counting_progress
from pokerlab.runtime.files.builds import Meter, reporter

ticks = itertools.count()
time.perf_counter = lambda: next(ticks) * 0.11

with building_progress(quiet={quiet}):
    for done in range(3):
        reporter(None)("boards", done, 3)
    meter = Meter(reporter(None), "the buckets", 3.0)
    for _ in range(3):
        meter.add(1.0)
    with counting_progress(2, "hands") as report:
        report(0)
    import sys
    print("the end", file=sys.stderr)
"""


def drawn_on_a_terminal(script):
    import pty

    ours, theirs = pty.openpty()
    environment = os.environ | {"TERM": "xterm", "COLUMNS": "80", "LINES": "24"}
    with subprocess.Popen(
        [sys.executable, "-c", script], stderr=theirs, env=environment, close_fds=True
    ) as process:
        os.close(theirs)
        drawn = b""
        try:
            while part := os.read(ours, 4096):
                drawn += part
        except OSError:  # how a pseudo-terminal ends
            pass
        os.close(ours)
    assert process.returncode == 0
    return drawn.decode()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pseudo-terminals")
def test_each_build_is_drawn_with_the_time_that_is_left():
    raw = drawn_on_a_terminal(BUILDS.format(quiet=False))
    drawn = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", raw)
    assert re.search(r"2 of 3 boards  \d s  about \d s left", drawn)
    assert re.search(r"█{6} +333 of 1,000 parts of the buckets  \d s  about \d s left", drawn)
    assert drawn.index("2 of 3 boards") < drawn.index("333 of 1,000 parts")
    # The line is wiped away before another begins.
    between = raw[raw.rindex("parts of the buckets") : raw.index("0 of 2 hands")]
    assert "\x1b[2K" in between


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pseudo-terminals")
def test_nothing_is_drawn_for_programs():
    drawn = drawn_on_a_terminal(BUILDS.format(quiet=True))
    assert "boards" not in drawn
    assert "buckets" not in drawn
    assert "the end" in drawn


def test_a_log_gets_one_line_a_build(capsys):
    with building_progress():
        for done in range(4):
            reporter(None)("boards", done, 3)
        reporter(None)("parts of the buckets", 0, 1000)
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.splitlines() == [
        "building on the way, the first time only: 3 boards",
        "building on the way, the first time only: 1,000 parts of the buckets",
    ]
    with building_progress(quiet=True):
        reporter(None)("boards", 1, 3)
    printed = capsys.readouterr()
    assert (printed.out, printed.err) == ("", "")


def test_watching_builds_imports_nothing_that_takes_time():
    script = "import sys, pokerlab.cli.progress.building; print('numba' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout == "False\n"

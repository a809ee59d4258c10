"""Closed streams, pipes, ASCII terminals, Ctrl-C, SIGTERM and SIGHUP."""

import io
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from pokerlab.cli.main import main
from pokerlab.solvers import load_solution

POKERLAB = [sys.executable, "-m", "pokerlab.cli.main"]

STOPPING_BOT = """
import os, signal
from pokerlab.players.bots import Caller

class Stopper(Caller):
    def act(self, view):
        Stopper.count = getattr(Stopper, "count", 0) + 1
        if Stopper.count == {after}:
            os.kill(os.getpid(), signal.{signal})
        return super().act(view)
"""


def shell(command, **environment):
    return subprocess.run(
        ["sh", "-c", command.replace("pokerlab", " ".join(POKERLAB), 1)],
        capture_output=True,
        text=True,
        env=os.environ | environment,
        check=False,
    )


@pytest.fixture
def stopper(tmp_path):
    """A bot that sends its own process a signal when it acts for the so-many-th time."""

    def make(after=30, name="SIGINT"):
        file = tmp_path / f"stop_{name}_{after}.py"
        file.write_text(STOPPING_BOT.format(after=after, signal=name), encoding="utf-8")
        return f"{file}:Stopper"

    return make


posix = pytest.mark.skipif(sys.platform == "win32", reason="needs a POSIX shell")


@pytest.fixture(autouse=True)
def hangs_up():
    """SIGHUP has its usual meaning, also where the suite runs under nohup."""
    if sys.platform == "win32":
        yield
        return
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGHUP, before)


@posix
@pytest.mark.parametrize("closed", ["2>&-", "<&-", "2>&- <&-"])
def test_closed_streams_are_no_error(closed):
    done = shell(f"pokerlab evaluate AsKsQsJsTs {closed}")
    assert done.returncode == 0
    assert done.stdout
    assert done.stderr == ""


@posix
def test_a_result_that_nobody_can_read_is_an_error():
    for kind in ("", "--json"):
        done = shell(f"pokerlab evaluate AsKsQsJsTs {kind} >&-")
        assert done.returncode == 2
        assert done.stderr == "pokerlab: the standard output is closed\n"
    done = shell("pokerlab evaluate AsKsQsJsTs >&- 2>&- <&-")
    assert done.returncode == 2


@posix
def test_stepping_through_a_log_without_input_ends(run, tmp_path):
    log = tmp_path / "a.log"
    run("match", "kuhn", "caller", "raiser", "--hands", "5", "--log", log)
    done = shell(f"pokerlab replay {log} --step <&-")
    assert done.returncode == 0
    assert done.stderr == ""
    assert "hand 0" in done.stdout
    assert "hand 1" not in done.stdout


@pytest.mark.parametrize("kind", [[], ["--json"]])
def test_a_reader_that_leaves_is_no_error(kind):
    command = [*POKERLAB, "deals", "holdem.limit.2p", "-n", "5000", *kind]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout.read(10)
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 0


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no full device")
def test_a_full_disk_is_one_line():
    done = shell("pokerlab evaluate AsKsQsJsTs > /dev/full")
    assert done.returncode == 2
    assert done.stderr == "pokerlab: No space left on device\n"


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp437"])
def test_suits_and_bars_degrade(monkeypatch, encoding):
    commands = [
        ["evaluate", "AsKsQsJsTs"],
        ["equity", "AsAd", "KsKd", "--board", "2c3c4d"],
        ["range", "AA, KK:0.5"],
        ["game", "tree", "kuhn"],
        ["solve", "--help"],
        ["match", "kuhn", "caller", "raiser", "--hands", "4"],
    ]
    for command in commands:
        stream = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
        monkeypatch.setattr("sys.stdout", stream)
        with pytest.raises(SystemExit) as stop:
            main(command)
        assert stop.value.code == 0, command
        shown = stream.buffer.getvalue().decode(encoding)
        assert shown
        if command[0] == "evaluate" and encoding == "ascii":
            assert shown.startswith("As Ks Qs Js Ts   royal flush")


def test_json_on_an_ascii_stream_is_the_same(monkeypatch, run):
    expected = run("game", "list", "--json").json
    stream = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    monkeypatch.setattr("sys.stdout", stream)
    with pytest.raises(SystemExit):
        main(["game", "list", "--json"])
    assert json.loads(stream.buffer.getvalue()) == expected


@pytest.mark.parametrize(
    ("name", "code"),
    [("SIGINT", 130), ("SIGTERM", 143), pytest.param("SIGHUP", 129, marks=posix)],
)
def test_a_match_that_is_interrupted(run, stopper, name, code):
    before = signal.getsignal(signal.SIGTERM)
    outcome = run("match", "kuhn", stopper(30, name), "caller", "--hands", "1000", "--json")
    assert outcome.code == code
    played = outcome.json["hands"]
    assert 0 < played < 1000
    assert outcome.err == f"interrupted; {played} of 1,000 hands are counted\n"
    assert signal.getsignal(signal.SIGTERM) is before


def test_the_log_of_an_interrupted_match_is_whole(run, stopper, tmp_path):
    log = tmp_path / "a.log"
    outcome = run("match", "kuhn", stopper(), "caller", "--hands", "1000", "--log", log, "--json")
    assert outcome.code == 130
    assert outcome.err.rstrip().endswith(f"and kept in {log}")
    played = run("statistics", log, "--json").json["players"]
    assert {player["hands"] for player in played.values()} == {outcome.json["hands"]}


def test_nothing_played_is_nothing_saved(run, stopper):
    outcome = run("match", "kuhn", stopper(1), "caller", "--hands", "1000")
    assert (outcome.code, outcome.out) == (130, "")
    assert outcome.err == "interrupted; nothing was saved\n"


def test_freeze_outs_that_are_interrupted_are_shown(run, stopper):
    outcome = run(
        "freeze-out", "draw", stopper(300), "raiser", "-n", "1000", "--max-hands", "20", "--json"
    )
    assert outcome.code == 130
    played = outcome.json["tournaments"]
    assert 0 < played < 1000
    assert outcome.err == f"interrupted; {played} of 1,000 freeze-outs are counted\n"


def test_a_tournament_that_is_interrupted(run, stopper, tmp_path):
    file = tmp_path / "results.jsonl"
    arguments = ["kuhn", "caller", "raiser", "--hands", "100", "--results", file]
    assert run("tournament", *arguments).code == 0
    outcome = run("tournament", *arguments[:3], stopper(), *arguments[3:], "--json")
    assert outcome.code == 130
    assert outcome.json["matches"] == 1
    assert f"kept in {file}: the same command goes on" in outcome.err


def test_a_simulation_that_is_interrupted(run, monkeypatch):
    from contextlib import contextmanager

    @contextmanager
    def interrupting(*_, **__):
        def report(count):
            os.kill(os.getpid(), signal.SIGTERM)

        yield report

    monkeypatch.setattr("pokerlab.cli.commands.play.simulate.counting_progress", interrupting)
    outcome = run("simulate", "kuhn", "caller", "raiser", "--hands", "1000000000", "--json")
    assert outcome.code == 143
    assert outcome.err.startswith("interrupted; ")
    assert 0 < outcome.json["hands"] < 1_000_000_000


def test_ctrl_c_during_the_imports_is_one_line():
    script = """
import os, signal, sys

class Interrupting:
    def find_spec(self, name, path=None, target=None):
        if name == "typer":
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Interrupting())
from pokerlab.cli.start import main
main()
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )
    assert done.returncode == 130
    assert done.stderr == "interrupted; nothing was saved\n"


@pytest.fixture
def ignored():
    """Ctrl-C is ignored, as in the background of a script."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    yield
    assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("ignored")
def test_ctrl_c_that_the_parent_ignores_stays_ignored(run, stopper, interrupted):
    assert run("match", "kuhn", stopper(5), "caller", "--hands", "20").code == 0
    interrupted(3)
    outcome = run("solve", "kuhn", "--iterations", "50", "--json")
    assert (outcome.code, outcome.json["stopped"]) == (0, "iterations")


@pytest.mark.usefixtures("ignored")
@pytest.mark.parametrize(
    ("name", "code"), [("SIGTERM", 143), pytest.param("SIGHUP", 129, marks=posix)]
)
def test_other_signals_end_a_solve_all_the_same(run, interrupted, tmp_path, name, code):
    """After its update: the checkpoint goes on as if nothing had happened."""
    file = tmp_path / "state"
    interrupted(3, getattr(signal, name))
    outcome = run("solve", "leduc", "--target", "1e-9", "--resume", file, "--json")
    assert (outcome.code, outcome.json["stopped"]) == (code, "interrupted")
    assert f"kept in {file}, from which the same command goes on" in outcome.err
    more = outcome.json["iterations"] + 20
    resumed = run("solve", "leduc", "--iterations", more, "--resume", file, "--json").json
    straight = run("solve", "leduc", "--iterations", more, "--json").json
    assert resumed["exploitability"] == straight["exploitability"]


@posix
def test_a_closed_terminal_costs_nothing(tmp_path):
    """The process hears of it twice, and cannot write to its terminal any more."""
    import pty

    file = tmp_path / "kuhn.safetensors"
    process, terminal = pty.fork()
    if process == 0:
        command = [*POKERLAB, "solve", "kuhn", "--target", "1e-300", "--no-stall", "-o", str(file)]
        os.execv(command[0], command)
    seen = b""
    while b"iteration" not in seen:
        seen += os.read(terminal, 4096)
    os.close(terminal)
    os.kill(process, signal.SIGHUP)
    _, status = os.waitpid(process, 0)
    assert os.waitstatus_to_exitcode(status) == 129
    assert load_solution(file).stopped == "interrupted"


@posix
def test_the_suite_says_the_same_in_the_background():
    """Where Ctrl-C is ignored in all processes, tests of Ctrl-C must not wait for ever."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    test = "tests/cli/test_processes.py::test_ctrl_c_during_the_imports_is_one_line"
    script = "import os, signal, sys; signal.signal(signal.SIGINT, signal.SIG_IGN); " + (
        "os.execv(sys.argv[1], sys.argv[1:])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, *command, test],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout

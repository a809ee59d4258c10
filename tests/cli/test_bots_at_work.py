"""Bots of users that print, fail and exit: results stay whole, and errors say where."""

import json
import subprocess
import sys

import pytest

BOTS = """
import os
import sys

from pokerlab.players.bots import Caller

print("imported")

class Printing(Caller):
    def __init__(self):
        print("made")

    def act(self, view):
        print("acts")
        os.system("echo a program")
        return super().act(view)

class FailsToBegin(Caller):
    def __init__(self):
        raise KeyError("nothing [/x]")

class Fails(Caller):
    def act(self, view):
        return {}[view]

class Exits(Caller):
    def act(self, view):
        sys.exit(3)

class ExitsAtOnce(Caller):
    def __init__(self):
        sys.exit(3)
"""


@pytest.fixture
def bots(tmp_path):
    (tmp_path / "mine.py").write_text(BOTS, encoding="utf-8")
    return f"{tmp_path / 'mine.py'}:"


COMMANDS = [
    ["match", "kuhn", "{}", "caller", "--hands", "4"],
    ["tournament", "kuhn", "{}", "caller", "--hands", "4"],
    ["freeze-out", "draw", "{}", "caller", "-n", "1", "--max-hands", "2"],
    ["acpc", "serve", "kuhn", "--bot", "{}", "--bot", "caller", "--hands", "2"],
]


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
def test_what_bots_print_is_no_part_of_the_result(run, bots, command):
    outcome = run(*(word.replace("{}", bots + "Printing") for word in command), "--json")
    assert outcome.code == 0, outcome.err
    json.loads(outcome.out)
    for word in ("imported", "made", "acts"):
        assert word in outcome.err


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
@pytest.mark.parametrize("name", ["FailsToBegin", "ExitsAtOnce"])
def test_a_bot_that_cannot_be_made_is_one_line(run, bots, command, name):
    outcome = run(*(word.replace("{}", bots + name) for word in command))
    assert (outcome.code, outcome.out) == (2, "")
    line = outcome.err.splitlines()[-1]
    assert line.startswith("pokerlab: bot ")
    assert "mine.py:" in line
    assert "Traceback" not in outcome.err


@pytest.mark.parametrize("name", ["Fails", "Exits"])
def test_a_bot_that_fails_at_the_table_shows_where(run, bots, name):
    outcome = run("match", "kuhn", bots + name, "caller", "--hands", "4")
    assert outcome.code == 0
    shown = "".join(outcome.out.split())
    assert "faults;thefirstin" in shown
    assert "mine.py:" in shown
    assert "Traceback" not in outcome.err


@pytest.mark.parametrize("command", COMMANDS[:3], ids=lambda command: command[0])
@pytest.mark.parametrize("name", ["Fails", "FailsToBegin"])
def test_debug_prints_tracebacks(run, bots, command, name):
    outcome = run(*(word.replace("{}", bots + name) for word in command), "--debug", "--json")
    assert "Traceback (most recent call last)" in outcome.err
    assert "mine.py" in outcome.err
    assert outcome.out == "" or json.loads(outcome.out)
    # It is for this command alone.
    again = run(*(word.replace("{}", bots + name) for word in command), "--json")
    assert "Traceback" not in again.err


def test_replay_against_a_bot_that_prints(run, bots, tmp_path):
    log = tmp_path / "a.log"
    run("match", "kuhn", "caller", "raiser", "--hands", "4", "--log", log)
    outcome = run("replay", log, "--against", bots + "Printing", "--json")
    assert outcome.json["hands"] == 4
    assert "acts" in outcome.err


@pytest.mark.slow
def test_bots_in_other_processes_print_to_stderr_too(bots):
    command = ["tournament", "kuhn", f"{bots}Printing", "caller", "raiser", "--hands", "4"]
    done = subprocess.run(
        [sys.executable, "-m", "pokerlab.cli.main", *command, "--jobs", "2", "--json"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["matches"] == 3
    assert "a program" in done.stderr

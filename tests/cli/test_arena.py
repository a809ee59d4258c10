import json
import os
import signal
import subprocess
import sys
import time

import pytest

from pokerlab.arena.logs.replay import read_log
from pokerlab.arena.matches import play_match
from pokerlab.cli.progress.counting import counting_text

SLOW_BOT = """
import time
from pathlib import Path
from pokerlab.players.bots import Caller

class Slow(Caller):
    hands = 0

    def act(self, view):
        time.sleep(0.002)
        return super().act(view)

    def end(self, view):
        self.hands += 1
        if self.hands == 10:
            Path(__file__).with_suffix(".begun").touch()

class Waiting(Caller):
    def act(self, view):
        Path(__file__).with_suffix(".waiting").touch()
        while not Path(__file__).with_suffix(".go").exists():
            time.sleep(0.02)
        return super().act(view)
"""


@pytest.fixture
def slow(tmp_path):
    path = tmp_path / "slow.py"
    path.write_text(SLOW_BOT)
    return f"{path}:Slow"


def start(*arguments, stderr=subprocess.PIPE):
    program = "from pokerlab.cli.main import main; main()"
    return subprocess.Popen(
        [sys.executable, "-c", program, *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=stderr,
        text=True,
    )


def wait_for(condition, seconds=300):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)


def test_bot_list(run):
    outcome = run("bot", "list", "--json")
    assert outcome.code == 0
    assert outcome.json["bots"]["caller"] == "checks and calls"
    assert outcome.json["aliases"]["cfr2"] == "limit2"
    shown = run("bot", "list").out
    assert all(name in shown for name in outcome.json["bots"])
    assert all(name in shown for name in outcome.json["aliases"])


def test_match_json_is_what_scripts_rely_on(run):
    arguments = ["leduc", "caller", "random", "--hands", 200, "--seed", 5, "--duplicate"]
    outcome = run("match", *arguments, "--json")
    assert outcome.code == 0
    assert outcome.err == ""
    expected = play_match("leduc", ["caller", "random"], 200, 5, duplicate=True)
    data = outcome.json
    assert data["hands"] == 200
    assert data["scores"] == dict(zip(expected.names, expected.chips, strict=True))
    assert data["mbb_per_hand"] == dict(zip(expected.names, expected.mbb_per_hand, strict=True))
    assert data["stderr"] == dict(zip(expected.names, expected.stderr, strict=True))
    assert data["faults"] == {"caller": 0, "random": 0}
    assert data["seconds"] > 0
    assert run("match", *arguments, "--json").json["scores"] == data["scores"]


@pytest.mark.parametrize(
    "command",
    [
        ["match"],
        # `test_bots_at_work` asks the same of a tournament, in this process and in others.
        pytest.param(["tournament"], marks=pytest.mark.slow),
        pytest.param(["tournament", "--jobs", 2], marks=pytest.mark.slow),
    ],
)
def test_what_a_bot_prints_is_no_part_of_the_result(tmp_path, command):
    path = tmp_path / "chatty.py"
    path.write_text(
        "from pokerlab.players.bots import Caller\n"
        "class Chatty(Caller):\n"
        "    def act(self, view):\n"
        "        print('what luck')\n"
        "        return 'c'\n"
    )
    name, *options = command
    bots = ["raiser", f"{path}:Chatty", "folder"][: 2 if name == "match" else 3]
    process = start(name, "kuhn", *bots, "--hands", 6, *options, "--json")
    out, err = process.communicate(timeout=300)
    assert process.returncode == 0, err
    assert json.loads(out)["hands"] == 6
    assert "what luck" in err


def test_a_bot_that_hangs_and_one_that_fails_to_close(tmp_path):
    path = tmp_path / "bad.py"
    path.write_text(
        "import time\nfrom pokerlab.players.bots import Caller\n"
        "class Hang(Caller):\n    def act(self, view): time.sleep(10**6)\n"
        "class Rude(Caller):\n    def close(self): raise RuntimeError('close')\n"
    )
    bots = [f"{path}:Hang", f"{path}:Rude"]
    process = start("match", "leduc", *bots, "--hands", 4, "--time-limit", 0.2, "--json")
    out, err = process.communicate(timeout=60)
    assert process.returncode == 0, err
    found = json.loads(out)
    assert found["hands"] == 4
    assert found["first_faults"][bots[0]].endswith(": out of time")
    assert found["first_faults"][bots[1]] == "close(): bad.py:6: RuntimeError: close"


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_tournament_of_a_bot_that_fails_to_close(run, tmp_path, jobs):
    path = tmp_path / "rude.py"
    path.write_text(
        "from pokerlab.players.bots import Caller\n"
        "class Rude(Caller):\n    def close(self): raise RuntimeError('close')\n"
    )
    bots = ["caller", f"{path}:Rude"]
    outcome = run("tournament", "kuhn", *bots, "--hands", 10, "--jobs", jobs, "--json")
    assert outcome.code == 0, outcome.err
    freeze_out = run("freeze-out", "draw", *bots, "--tournaments", 1, "--max-hands", 3)
    assert freeze_out.code == 0
    assert "': close(): rude.py:3: RuntimeError: close" in freeze_out.err


def test_match_for_people(run, tmp_path):
    path = tmp_path / "rude.py"
    path.write_text(
        "from pokerlab import Bot\nclass Rude(Bot):\n    def act(self, view): return '[x]'\n"
    )
    outcome = run("match", "leduc", "caller", f"{path}:Rude", "--hands", 100)
    assert outcome.code == 0
    assert "leduc: 100 hands, seed 0" in outcome.out
    assert "mbb/hand" in outcome.out
    said = " ".join(outcome.out.split())
    assert " faults; the first in hand 0, after 'c': answered '[x]', illegal action '[x]'" in said


def test_an_exception_is_a_fault(run, folder):
    (folder / "broken.py").write_text(
        "from pokerlab import Bot\nclass Broken(Bot):\n    def act(self, view): return {}[1]\n"
    )
    outcome = run("match", "kuhn", "broken.py:Broken", "folder", "--hands", 1)
    assert "Broken made 1 fault; the first in hand 0, after '': broken.py:3: KeyError: 1" in (
        " ".join(outcome.out.split())
    )
    outcome = run("tournament", "kuhn", "broken.py:Broken", "folder", "--hands", 10)
    assert "Broken made 10 faults" in " ".join(outcome.out.split())


def test_stacks_in_big_blinds(run, tmp_path):
    for command in ("match", "tournament"):
        found = run(
            *(command, "holdem.nolimit.2p", "caller", "raiser", "--hands", 20, "--stack", "12.5bb"),
            "--json",
        ).json
        assert found["game"] == "holdem.nolimit.2p.12.5bb"
    log = tmp_path / "some.log"
    run(
        "match",
        "holdem.nolimit.2p",
        "folder",
        "raiser",
        "--hands",
        9,
        "--stack",
        "9bb",
        "--log",
        log,
    )
    assert run("statistics", log, "--json").json["players"]["folder"]["hands"] == 9
    for given, message in {
        "100": "--stack 100: write it in big blinds, for example 100bb",
        "all": "--stack all: write it in big blinds, for example 100bb",
        "1bb": "holdem.nolimit.2p.1bb: a stack must be whole chips, above 100 and at most",
        "5.001bb": "holdem.nolimit.2p.5.001bb: a stack must be whole chips",
    }.items():
        outcome = run("match", "holdem.nolimit.2p", "caller", "raiser", "--stack", given)
        assert (outcome.code, outcome.err.startswith(f"pokerlab: {message}")) == (2, True)
    outcome = run("match", "kuhn", "caller", "raiser", "--stack", "50bb")
    assert outcome.err == "pokerlab: kuhn.50bb: kuhn is played without stacks\n"
    outcome = run("match", "mine.toml", "caller", "raiser", "--stack", "50bb")
    assert outcome.err.startswith("pokerlab: --stack 50bb: it is for games of the catalogue")


def test_cross_table_of_two_says_what_rows_win(run):
    outcome = run("tournament", "kuhn", "caller", "raiser", "folder", "--hands", 60, "--json")
    assert outcome.code == 0
    shown = run("tournament", "kuhn", "caller", "raiser", "folder", "--hands", 60).out
    lines = shown.splitlines()
    ranked = [line.split()[0] for line in lines[2:5]]
    assert [line.split()[1] for line in lines[2:5]] == ["1", "2", "3"]
    assert lines[6].split() == ranked  # the columns, and then the rows
    assert [line.split()[0] for line in lines[7:10]] == ranked
    won = {
        (row["bot"], row["against"][0]): row["mbb_per_hand"] for row in outcome.json["cross_table"]
    }
    for line in lines[7:10]:
        name, *cells = line.split()
        numbers = [cell for cell in cells if cell[0] in "+-"]
        others = [other for other in ranked if other != name]
        assert numbers == [f"{won[name, other]:+,.0f}" for other in others]
    assert lines[10] == "what a row wins from a column, mbb/hand ± standard error"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["match", "leduk", "caller", "caller"], "no game 'leduk', did you mean leduc"),
        (["match", "rps", "caller", "caller"], "rps is not a card game"),
        (["match", "leduc", "caler", "caller"], "no bot 'caler', did you mean caller?"),
        (["match", "leduc", "caller"], "leduc is a game for 2 players, and 1 bot was given"),
        (["match", "leduc"], "Missing argument"),
        (["match", "leduc", "caller", "caller", "--hands", "many"], "got 'many'"),
        (["match", "leduc", "caller", "caller", "--hands", 0], "Invalid value for '--hands'"),
        (["match", "kuhn.3p", "caller", "raiser", "folder", "--hands", 100, "--duplicate"],
         "100 hands cannot be shared by the 6 seatings of a duplicate match (take 96 or 102)"),
        (["match", "leduc", "caller", "caller", "--log", "x.txt"],
         "--log x.txt: '.txt' is not a kind of log (.log: ACPC, .phh"),
        (["match", "leduc", "exec:no-such-program", "caller"], "no-such-program"),
        (["tournament", "leduc", "caller"], "1 bot is too few"),
        (["tournament", "leduc", "caller", "raiser", "--size", 5], "size: 5 at a table"),
        (["tournament", "leduc", "caller", "draw"], "the draw bot plays five-card draw, not leduc"),
        (["tournament", "leduc", "caller", "raiser", "--results", "no/such/file"],
         "--results no/such/file: there is no folder no/such"),
    ],
)  # fmt: skip
@pytest.mark.usefixtures("folder")
def test_bad_input_is_one_line(run, arguments, message):
    outcome = run(*arguments)
    assert outcome.code == 2
    assert outcome.out == ""
    assert outcome.err.count("\n") == 1
    assert message in outcome.err


def test_ctrl_c_keeps_the_hands_that_were_played(slow, tmp_path):
    process = start("match", "leduc", slow, "caller", "--hands", 10**6, "--json")
    wait_for((tmp_path / "slow.begun").exists)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=300)
    assert process.returncode == 130, err
    data = json.loads(out)
    assert 0 < data["hands"] < data["planned_hands"] == 10**6
    assert sum(data["scores"].values()) == 0


@pytest.mark.parametrize(
    ("file", "name"), [("match.log", "random-1,2,1"), ("match.phhs", "random:1,2,1")]
)
def test_the_hands_can_be_written_to_a_log(run, tmp_path, file, name):
    log = tmp_path / file
    arguments = ["holdem.limit.2p", "caller", "random:1,2,1", "--hands", 50, "--seed", 3]
    assert run("match", *arguments, "--log", log).code == 0
    played = []
    play_match("holdem.limit.2p", ["caller", "random:1,2,1"], 50, 3, on_hand=played.append)
    read = list(read_log(log))
    assert [hand.betting for hand in read] == [hand.betting for hand in played]
    assert [hand.payoffs for hand in read] == [hand.payoffs for hand in played]
    assert read[0].players == ("caller", name)


TOURNAMENT = ["tournament", "leduc", "caller", "raiser", "folder", "--hands", 200]


def test_tournament_json(run):
    outcome = run(*TOURNAMENT, "--json")
    assert outcome.code == 0
    data = outcome.json
    assert (data["matches"], data["planned_matches"], data["size"]) == (3, 3, 2)
    assert data["bankroll"] == {"raiser": 1, "caller": 2, "folder": 3}
    assert data["run_off"] == {"caller": 1, "raiser": 1, "folder": 3}
    assert len(data["cross_table"]) == 6
    cell = next(
        cell
        for cell in data["cross_table"]
        if cell["bot"] == "raiser" and cell["against"] == ["folder"]
    )
    assert (cell["mbb_per_hand"], cell["stderr"], cell["p"]) == (1000.0, 0.0, 0.0)
    assert data["scores"]["raiser"]["mbb_per_hand"] == pytest.approx(500.0)


def test_tournament_for_people(run):
    out = run(*TOURNAMENT).out
    assert "leduc: 3 matches of 200 duplicate hands" in out
    assert "+1,000 ± 0***" in out
    assert "run-off" in out
    out = run("tournament", "kuhn.3p", "caller", "raiser", "--twins", "--hands", 60).out
    assert "caller, raiser" in out
    assert "raiser, raiser" in out


def test_a_tournament_goes_on_after_a_kill(run, tmp_path, slow):
    results = tmp_path / "results.jsonl"
    waiting = slow.replace(":Slow", ":Waiting")
    arguments = ["tournament", "leduc", "caller", "raiser", waiting, "--hands", 200, "--json"]
    process = start(*arguments, "--results", results)
    wait_for((tmp_path / "slow.waiting").exists)
    process.kill()
    process.communicate()
    before = results.read_bytes()
    kept = before[: before.rfind(b"\n") + 1]
    assert kept.count(b"\n") == 1
    (tmp_path / "slow.go").touch()
    outcome = run(*arguments, "--results", results)
    assert outcome.code == 0
    assert results.read_bytes().startswith(kept)
    assert results.read_bytes().count(b"\n") == 3
    fresh = run(*arguments).json
    for key in ("bankroll", "run_off", "scores", "cross_table"):
        assert outcome.json[key] == fresh[key]


def test_ctrl_c_keeps_the_matches_that_were_played(tmp_path, slow):
    results = tmp_path / "results.jsonl"
    waiting = slow.replace(":Slow", ":Waiting")
    process = start(
        "tournament", "leduc", "caller", "raiser", waiting, "--hands", 2000, "--json",
        "--results", results,
    )  # fmt: skip
    wait_for((tmp_path / "slow.waiting").exists)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=300)
    assert process.returncode == 130, err
    data = json.loads(out)
    assert 1 <= data["matches"] < data["planned_matches"] == 3
    assert results.read_bytes().count(b"\n") == data["matches"]


def test_a_broken_results_file_is_named(run, tmp_path):
    results = tmp_path / "results.jsonl"
    for line in ("nonsense", '{"game": []}', "[" * 100_000):
        results.write_text(f"{line}\n")
        outcome = run(*TOURNAMENT, "--results", results)
        assert outcome.code == 2
        assert f"'{results}' is damaged: line 1: " in outcome.err
        assert outcome.err.count("\n") == 1
        assert results.read_text() == f"{line}\n"


@pytest.mark.slow
def test_three_tournaments_on_one_file_share_the_work(tmp_path, slow):
    results = tmp_path / "results.jsonl"
    bots = ["caller", "raiser", "folder", "random", "fold-to-raise", slow]
    arguments = ["tournament", "leduc", *bots, "--hands", 20, "--json", "--results", results]
    processes = [start(*arguments) for _ in range(3)]
    found = [json.loads(process.communicate(timeout=300)[0]) for process in processes]
    lines = [json.loads(line) for line in results.read_text().splitlines()]
    assert len({tuple(line["bots"]) for line in lines}) == len(lines) == 15
    for data in found:
        assert data["matches"] == data["planned_matches"] == 15
        assert data["scores"] == found[0]["scores"]


def test_the_line_of_progress():
    assert counting_text(0, 100, "hands", 0.0).strip() == "0 of 100 hands  0 s"
    assert counting_text(50, 100, "hands", 200.0).endswith(
        "50 of 100 hands  3 min  about 3 min left"
    )
    assert "about 10 s left" in counting_text(30, 40, "matches", 10.0, before=20)
    assert counting_text(7, 7, "hands", 1.0).startswith("█" * 20)


@pytest.mark.skipif(os.name == "nt", reason="needs a pseudo-terminal")
def test_progress_is_drawn_on_a_terminal(slow):
    import pty

    own, theirs = pty.openpty()
    process = start("match", "leduc", slow, "caller", "--hands", 200, stderr=theirs)
    os.close(theirs)
    drawn = b""
    while True:
        try:
            piece = os.read(own, 4096)
        except OSError:
            break
        if not piece:
            break
        drawn += piece
    out, _ = process.communicate(timeout=300)
    os.close(own)
    assert "of 200 hands" in drawn.decode()
    assert "left" in drawn.decode()
    assert "leduc: 200 hands" in out

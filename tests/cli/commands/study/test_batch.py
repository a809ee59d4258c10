"""`pokerlab batch` on the command line."""

from __future__ import annotations

import re
from errno import ENOSPC

import pytest

from pokerlab.holdem.batches import load_batch, solving

SPOT = """
oop = "AA, KQs, JTs"
ip = "QQ, AJs, T9s"
pot = 100
stack = 80
"""
BOARDS = "QhJh2c4d7h, QhJh2c4d7s:2"


@pytest.fixture
def spot(tmp_path):
    file = tmp_path / "spot.toml"
    file.write_text(SPOT)
    return file


@pytest.fixture
def solve(run, spot, tmp_path):
    def call(*options, boards=BOARDS):
        given = ("--boards", boards, "-o", tmp_path / "batch", "--target", "1%")
        return run("batch", spot, *given, *options)

    return call


def test_a_batch_and_the_same_again(run, solve, tmp_path):
    found = solve("--json")
    assert (found.code, found.err) == (0, "")
    data = found.json
    assert {name: data[name] for name in ("flops", "solved", "failed", "folder")} == {
        "flops": 2,
        "solved": 2,
        "failed": 0,
        "folder": str(tmp_path / "batch"),
    }
    assert data["seconds"] > 0 and data["workers"] == 1
    again = run("batch", tmp_path / "batch")
    assert again.code == 0
    assert "2 boards" in " ".join(again.out.split()) and "exploitability at most" in again.out
    assert "2 boards, one after the other" in again.err and "files in all" in again.err


def test_boards_from_a_file(solve, tmp_path):
    (tmp_path / "boards.txt").write_text(BOARDS.replace(", ", "\n"))
    assert solve(boards=tmp_path / "boards.txt").code == 0
    assert load_batch(tmp_path / "batch").question.boards == {"QhJh2c4d7h": 1, "QhJh2c4d7s": 2}


def test_sizes_are_counted_without_solving(run, spot):
    sizes = {}
    for keep in ("--partial", "--root-only"):
        found = run("batch", spot, "--flops", "AK7r, 987tt", keep, "--dry-run", "--json")
        sizes[keep] = found.json["file_bytes"]
        assert found.json["boards"] == 4
    found = run("batch", spot, "--flops", "AK7r, 987tt", "--dry-run")
    assert found.code == 0 and "4 boards" in found.out
    assert sizes["--root-only"] < sizes["--partial"]


def test_what_fails_is_said(solve, monkeypatch):
    def fail(spot, **settings):
        raise MemoryError

    monkeypatch.setattr(solving, "solve_spot", fail)
    found = solve()
    assert found.code == 2
    assert "QhJh2c4d7h failed: there is not enough memory" in found.out


def test_a_full_disk_loses_nothing(solve, monkeypatch, tmp_path):
    def fail(job, really=solving._solve_board):
        if job.board == "QhJh2c4d7s":
            raise OSError(ENOSPC, "No space left on device")
        return really(job)

    with monkeypatch.context() as patched:
        patched.setattr(solving, "_solve_board", fail)
        found = solve()
    assert (found.code, found.out) == (2, "")
    kept = f"1 of 2 boards are kept in {tmp_path / 'batch'}: the same command goes on"
    assert found.err.splitlines()[-1] == f"pokerlab: No space left on device; {kept}"
    assert solve("--json").json["solved"] == 2


def test_a_folder_that_cannot_be_made_is_one_line(run, spot, tmp_path):
    (tmp_path / "file").touch()
    found = run("batch", spot, "--boards", BOARDS, "--target", "1%", "-o", tmp_path / "file" / "x")
    assert (found.code, found.out) == (2, "")
    assert found.err.splitlines()[-1] == f"pokerlab: Not a directory ({tmp_path / 'file' / 'x'})"


def test_ctrl_c_says_what_is_kept(solve, monkeypatch, tmp_path):
    def stop(job, really=solving._solve_board):
        if job.board == "QhJh2c4d7s":
            raise KeyboardInterrupt
        return really(job)

    monkeypatch.setattr(solving, "_solve_board", stop)
    found = solve("--json")
    assert found.code == 130 and found.out == ""
    assert f"1 of 2 boards are kept in {tmp_path / 'batch'}: the same command goes on" in found.err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ([], "--flops, --boards: give one of them"),
        (["--flops", "all", "--boards", "QhJh2c"], "--flops, --boards: give one of them"),
        (["--boards", "QhJh2c"], "--output: missing"),
        (["--flops", "AKX", "-o", "x"], "bad flop 'AKX'"),
        (["--flops", "AK7r, AK7", "-o", "x"], "stands twice"),
        (["--boards", "QhJh2c, 2cQhJh", "-o", "x"], "QhJh2c stands twice"),
        (
            ["--boards", "QhJh2c", "-o", "x", "--partial", "--root-only"],
            "--partial and --root-only",
        ),
        (["--boards", "QhJh2c", "-o", "x", "--target", "much"], "target: 'much'"),
        (["--boards", "QhJh2c", "-o", "x", "--device", "tpu"], "'tpu' is not auto, cpu or gpu"),
        (["--boards", "QhJh2c", "-o", "x", "--workers", "0"], "--workers"),
    ],
)
def test_bad_input_is_one_line(run, spot, options, message):
    found = run("batch", spot, *options)
    assert found.code == 2
    assert message in found.err and found.err.count("\n") == 1


def test_a_folder_says_everything_itself(run, solve, tmp_path):
    solve("--json")
    found = run("batch", tmp_path / "batch", "--rule", "cfr+")
    assert (found.code, found.out) == (2, "")
    assert "--rule applies only to spots, not to folders of batches" in found.err
    other = solve("--precision", "16", "--json")
    assert other.code == 2 and "was begun with precision 32, not 16" in other.err


def test_a_folder_grows(run, solve, tmp_path):
    solve("--json")
    folder = tmp_path / "batch"
    more = run("batch", folder, "--boards", "Kc9d5s5h2c, QhJh2c4d7h, QhJh2c4d7s")
    assert more.code == 0 and "batch, 3 boards" in more.out
    assert f"{folder}: 1 board is added to 2; the weights of 1 change" in more.err
    part = run("batch", folder, "--boards", "QhJh2c4d7s")
    assert part.code == 0 and "batch, 3 boards" in part.out
    assert "solves 1 of its 3 boards; the others stay" in " ".join(part.err.split())
    again = solve("--json", boards="QhJh2c4d7h").json
    assert (again["flops"], again["solved"], again["folder_boards"]) == (1, 1, 3)
    other = run("batch", folder, "--flops", "AK7r")
    assert (other.code, other.out) == (2, "")
    assert "holds boards, each for itself (--boards), not flops up to suits" in other.err


def test_a_batch_plays_itself(run, solve, tmp_path):
    from pokerlab.arena.logs.phh_log import read_phh

    solve("--json")
    file = tmp_path / "hands.phhs"
    found = run("simulate", tmp_path / "batch", "--hands", 40, "--phh", file, "--json")
    assert (found.code, found.err) == (0, "")
    data = found.json
    assert (data["hands"], data["boards"], data["lines"][0]["reached"]) == (40, 2, 40)
    hands = list(read_phh(file))
    assert [hand.number for hand in hands] == list(range(40))
    assert {hand.players for hand in hands} == {("oop", "ip")}
    earned = [sum(hand.payoffs[seat] for hand in hands) / 40 + 50 for seat in range(2)]
    assert earned == pytest.approx(data["mean"])
    shown = run("simulate", tmp_path / "batch", "--hands", 40)
    assert "40 hands on 2 boards" in " ".join(shown.out.split()) and "(first)" in shown.out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--phh", "x.txt"], "hands are written to a .phhs file"),
        (["--duplicate"], "--duplicate applies only to games, not to batches"),
        (["caller"], "caller: a batch plays itself"),
        ([], "batch.toml' is damaged: its format is None"),
    ],
)
def test_bad_simulations_are_one_line(run, folder, options, message):
    (folder / "batch.toml").touch()
    found = run("simulate", folder, *options)
    assert found.code == 2
    assert message in found.err and found.err.count("\n") == 1


def test_a_folder_is_refined(run, solve, spot, tmp_path):
    solve("--json")
    folder = tmp_path / "batch"
    higher = run("batch", folder, "--target", "2%")
    assert higher.code == 0
    assert f"{folder}: its target stays 1%, which is not above 2%" in higher.err
    better = run("batch", folder, "--target", "0.1%")
    assert better.code == 0
    assert f"{folder}: its target becomes 0.1%, from 1%: boards above it go on" in better.err
    assert max(row.percent for row in load_batch(folder).rows()) <= 0.1
    # Without a target the folder's own holds; with a lower one the first command refines, too.
    same = run("batch", spot, "--boards", BOARDS, "-o", folder)
    assert same.code == 0 and "target" not in same.err
    assert solve("--target", "0.01%", "--json").code == 0
    assert max(row.percent for row in load_batch(folder).rows()) <= 0.01


def test_a_folder_without_a_target_stays_so(run, spot, tmp_path):
    asked = ["batch", spot, "--boards", "QhJh2c4d7h", "--iterations", 20, "-o", tmp_path / "b"]
    assert run(*asked).code == 0
    found = run("batch", tmp_path / "b", "--target", "0.01%")
    assert found.code == 0 and "it has no target: its iterations or seconds end each" in found.err
    assert load_batch(tmp_path / "b").rows()[0].iterations == 20


def test_a_row_that_was_edited_is_refused_by_reports(run, solve, tmp_path):
    solve("--json")
    folder = tmp_path / "batch"
    file = folder / "solutions" / "QhJh2c4d7s.json"
    file.write_text(re.sub(r'"ev":\[[^]]*\]', '"ev":[999.0,-899.0]', file.read_text()))
    for command in (["report"], ["practise"], ["simulate"]):
        found = run(*command, folder)
        assert (found.code, found.out, found.err.count("\n")) == (2, "", 1), found
        assert f"'{file}' is damaged: its content does not fit its digest; `pokerlab" in found.err
    assert run("batch", folder).code == 0
    assert "999" not in run("report", folder).out


def test_boards_that_stand_still_are_named(run, spot, tmp_path):
    asked = ["batch", spot, "--boards", BOARDS, "--target", "0.0000001%", "--precision", 16]
    found = run(*asked, "-o", tmp_path / "b", "--json").json
    assert (found["solved"], found["failed"]) == (2, 0)
    assert sorted(found["stalled"]) == sorted(BOARDS.replace(":2", "").split(", "))
    shown = run("batch", tmp_path / "b").out
    assert "stood still above the target: QhJh2c4d7h at 0.0" in shown
    assert "try more bits (32) or another rule (cfr+); with --no-stall the solve goes on" in shown

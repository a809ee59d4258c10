"""What a solve of a spot refuses before it begins: memory, disk, files of other solves."""

from __future__ import annotations

import os
from pathlib import Path
from types import SimpleNamespace

import pytest
from tests.cli.spot_files import EXAMPLES, files, options, refused, solved

from pokerlab.cli.options.files import check_output
from pokerlab.cli.tables import cost
from pokerlab.holdem.spots import cost as counted
from pokerlab.holdem.spots import load_postflop


def test_too_much_memory_is_refused_before_anything_is_allocated(run, folder, monkeypatch):
    def allocate(*arguments, **named):
        raise AssertionError("something was allocated")

    monkeypatch.setattr("pokerlab.holdem.spots.solving.PostflopSolver", allocate)
    monkeypatch.setattr(cost, "free_memory", lambda: 200_000_000)
    flop = (EXAMPLES / "s1-flop.toml", "--device", "cpu")
    refused(
        run("solve", *flop, "-o", "s1.safetensors"),
        "memory: this solve needs about 1.1 GB, and 200 MB are free; offer fewer bet sizes, "
        "narrow the ranges, or use --precision 16 or --groups view",
    )
    refused(run("solve", *flop, "--precision", 16), "needs about 747 MB")
    refused(run("solve", *flop, "--rule", "pcfr+"), "needs about 1.4 GB")
    assert files(folder) == []


def test_what_would_fit_is_named(run, monkeypatch):
    for module in (cost, counted):
        monkeypatch.setattr(module, "free_memory", lambda: 800_000_000)
    flop = (EXAMPLES / "s1-flop.toml", "--device", "cpu")
    refused(
        run("solve", *flop),
        "and 800 MB are free; what fits: --precision 16 (747 MB), --groups view (635 MB), "
        "without the bet e on the turn (789 MB)",
    )
    shown = " ".join(run("solve", *flop, "--dry-run").out.split())
    assert "32 bits: 625 MB of tables, 1.1 GB of memory at the peak" in shown
    assert "free now: 800 MB " in shown
    assert "32 bits do not fit; what fits: --precision 16 (747 MB)" in shown
    # What it says is what a solve of that tree asks for.
    smaller = ("--bet", "flop: 60%, e, a; turn: 60%, a; river: 60%, e, a")
    assert run("solve", *flop, *smaller, "--dry-run", "--json").json["peak_bytes"]["32"] == (
        pytest.approx(789e6, abs=1e6)
    )


def test_memory_that_is_not_there_after_all_is_one_line(run, folder, monkeypatch):
    def allocate(*arguments, **named):
        raise MemoryError

    monkeypatch.setattr("pokerlab.holdem.spots.solving.PostflopSolver", allocate)
    refused(
        run("solve", *options(), "-o", "r"), "memory: there is not enough for this solve; offer"
    )
    assert files(folder) == []


def test_a_full_disk_is_found_before_the_solve(run, folder, monkeypatch):
    usage = SimpleNamespace(total=10_000, used=9_000, free=1_000)
    monkeypatch.setattr("shutil.disk_usage", lambda path: usage)
    check_output(Path("file"), "--output", size=1_000)
    for option in ("--output", "--resume"):
        refused(
            run("solve", EXAMPLES / "s2-turn.toml", option, "file"),
            f"{option} file: the file needs up to ",
        )
    assert files(folder) == []


@pytest.mark.skipif(os.name != "posix", reason="needs a limit on the size of files")
def test_a_file_that_cannot_be_written_leaves_nothing_behind(run, folder):
    import resource

    solved(run, *options(), "--iterations", 5, "-o", "river.safetensors")
    before = (folder / "river.safetensors").read_bytes()
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, limits[1]))
    try:
        outcome = run("solve", *options(), "--iterations", 9, "-o", "river.safetensors", "--json")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    refused(outcome, "--output river.safetensors: cannot be written: ")
    assert files(folder) == ["river.safetensors"]
    assert (folder / "river.safetensors").read_bytes() == before


def test_a_checkpoint_goes_on_with_its_own_rule(run, folder):
    old = "dcfr(1.5,0.25,3)"
    begun = solved(run, *options(rule=old), "--iterations", 5, "--resume", "checkpoint")
    later = solved(run, *options(), "--iterations", 9, "--resume", "checkpoint")
    assert [begun["rule"], later["rule"], later["iterations"]] == [old, old, 9]
    at_once = solved(run, *options(rule=old), "--iterations", 9)
    assert later["exploitability"] == at_once["exploitability"]


def test_a_checkpoint_of_another_spot_is_refused_and_kept(run, folder):
    solved(run, *options(), "--iterations", 5, "--resume", "checkpoint")
    before = (folder / "checkpoint").read_bytes()
    for arguments, message in [
        (options(pot=120), "belongs to another solve: its pot is 100, not 120"),
        (options(rule="cfr+"), "its rule is dcfr(1.3,0.5,3,0.1), not cfr+(1)"),
        (options(precision=16), "its precision is 32, not 16"),
    ]:
        refused(run("solve", *arguments, "--resume", "checkpoint"), message)
    assert (folder / "checkpoint").read_bytes() == before
    (folder / "checkpoint").write_bytes(before[:-10])
    refused(run("solve", *options(), "--resume", "checkpoint"), "is damaged")
    assert (folder / "checkpoint").read_bytes() == before[:-10]


def test_a_solve_that_stands_still_ends_and_says_what_to_try(run, folder):
    """16 bits have a floor, which is far above this target."""
    asked = [*options(), "--target", "0.0000001%", "--precision", 16, "--threads", 1]
    shown = run("solve", *asked, "-o", "a.safetensors")
    assert (shown.code, shown.err) == (0, "")
    advice = (
        "stalled: the exploitability has not fallen by a tenth while the iterations grew fivefold; "
        "try more bits (32) or another rule (cfr+); with --no-stall the solve goes on"
    )
    assert advice in shown.out.splitlines()
    first = load_postflop("a.safetensors")
    assert first.stopped == "stalled"
    found = solved(run, *asked)
    assert (found["stopped"], found["advice"]) == ("stalled", advice)
    assert found["iterations"] == first.iterations
    more = 2 * first.iterations
    assert solved(run, *asked, "--no-stall", "--iterations", more)["stopped"] == "iterations"
    # The file goes on, and says so.
    on = run("solve", "a.safetensors", "--target", "0.0000001%", "--iterations", more, "--json")
    assert (on.code, on.json["iterations"], on.json["stopped"]) == (0, more, "iterations")
    assert on.json["advice"] is None
    said = run("solve", "a.safetensors", "--target", "0.0000001%", "--iterations", more).err
    assert said == (
        f"this solution had stalled after {first.iterations:,} iterations; it goes on from there, "
        "until they have grown fivefold\n"
    )


def test_a_game_that_stands_still(run):
    """Fictitious play that averages naively does not converge."""
    shown = run("solve", "leduc", "--rule", "fp-naive", "--target", "1e-9")
    assert shown.code == 0
    assert "(stalled)" in shown.out
    assert "try another rule (dcfr); with --no-stall the solve goes on" in shown.out
    refused(
        run("solve", "kuhn", "--rule", "lp", "--no-stall"), "stall does not apply to the rule lp"
    )

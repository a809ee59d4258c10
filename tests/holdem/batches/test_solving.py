"""Batches are solved once, whatever happens on the way."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from errno import ENOSPC

import numpy as np
import pytest

from pokerlab.holdem.batches import (
    Batch,
    BatchQuestion,
    is_batch,
    load_batch,
    plan_batch,
    run_batch,
    solving,
)
from pokerlab.holdem.batches import plan as plan_module
from pokerlab.holdem.spots import Spot, solve_each, solve_spot
from pokerlab.runtime.errors import DamagedFileError

RIVER = Spot("QhJh2c4d7h", "AA, KQs, JTs", "QQ, AJs, T9s", pot=100, stack=80)
TURN = Spot("QhJh2c4d", "AsAd, KhQd", "JsJd, 5c5s", pot=100, stack=80, bet="a", raise_="")
BOARDS = {"QhJh2c4d7h": 2.0, "QhJh2c4d7s": 1.0, "Kc9d5s5h2c": 3.0}


def question_of(spot=RIVER, boards=BOARDS, **settings):
    return BatchQuestion.of(spot, boards, **({"target": "1%"} | settings))


def run(question, folder, **options):
    return run_batch(question, folder, plan_batch(question, workers=1, threads=1), **options)


@pytest.fixture(scope="module")
def solved(tmp_path_factory):
    folder = tmp_path_factory.mktemp("batch") / "rivers"
    assert run(question_of(), folder).solved == 3
    return folder


@pytest.fixture
def solves(monkeypatch):
    """The boards that are solved."""
    boards = []

    def count(job, really=solving._solve_board):
        boards.append(job.board)
        return really(job)

    monkeypatch.setattr(solving, "_solve_board", count)
    return boards


def test_rows_are_those_of_the_solutions(solved):
    batch = load_batch(solved)
    rows = batch.rows()
    assert [row.board for row in rows] == list(BOARDS)
    for row in rows:
        solution = batch.solution(row.board)
        root = solution.at("")
        assert (row.weight, row.ev) == (BOARDS[row.board], solution.values)
        assert (row.equity, row.iterations) == (solution.equities, solution.iterations)
        assert row.percent == solution.exploitability.percent <= 1
        assert row.bytes == batch.solution_path(row.board).stat().st_size
        assert list(row.frequencies) == list(root.actions)
        np.testing.assert_allclose(list(row.frequencies.values()), root.frequencies)
        mean = sum(row.frequencies[a] * (row.action_evs[a] or 0) for a in root.actions)
        assert mean == pytest.approx(row.ev[0], abs=1e-3)
        # Each deal of two hands that share no card counts.
        oop, ip = (hands.weights > 0 for hands in solution.spot.ranges)
        assert 0 < row.deals < oop.sum() * ip.sum()
        assert row.total_seconds >= row.seconds


def test_the_table_has_the_rows(solved):
    with (solved / "table.csv").open(newline="") as file:
        table = list(csv.DictReader(file))
    rows = load_batch(solved).rows()
    assert [line["board"] for line in table] == [row.board for row in rows]
    assert [float(line["oop_ev"]) for line in table] == [row.ev[0] for row in rows]
    assert [float(line["x"]) for line in table] == [row.frequencies["x"] for row in rows]


def test_what_is_solved_is_not_solved_again(solved, solves):
    assert run(question_of(), solved).solved == 3
    assert solves == []


@pytest.mark.parametrize("what", ["cut", "changed", "gone", "row", "edited", "other", "swapped"])
def test_what_is_damaged_is_solved_again(tmp_path, solves, what):
    boards = {"QhJh2c4d7h": 1.0, "QhJh2c4d7s": 1.0}
    question = question_of(boards=boards)
    batch = run(question, tmp_path / "b").batch
    expected = batch.row("QhJh2c4d7s").ev
    solves.clear()
    file = batch.solution_path("QhJh2c4d7s")
    row = file.with_suffix(".json")
    if what == "cut":
        file.write_bytes(file.read_bytes()[:-10])
    elif what == "changed":
        content = bytearray(file.read_bytes())
        content[-5] ^= 1
        file.write_bytes(content)
    elif what == "gone":
        file.unlink()
    elif what == "row":
        row.write_text(row.read_text()[:-5])
    elif what == "edited":
        row.write_text(json.dumps(json.loads(row.read_text()) | {"ev": [999.0, -899.0]}))
    elif what == "swapped":
        row.write_text(row.with_name("QhJh2c4d7h.json").read_text())
        assert batch.row("QhJh2c4d7s") is None
    else:
        row.write_text(json.dumps(json.loads(row.read_text()) | {"question": "another"}))
    if what in ("row", "edited", "other", "swapped"):
        with pytest.raises(DamagedFileError, match=r"QhJh2c4d7s.json.*`pokerlab batch .*b` makes"):
            batch.rows()
    assert [each.board for each in batch.rows(strict=False)] == (
        ["QhJh2c4d7h"] if what != "changed" else list(boards)
    )
    assert run(question, tmp_path / "b").solved == 2
    assert solves == ["QhJh2c4d7s"]
    assert batch.row("QhJh2c4d7s").ev == expected


@pytest.mark.parametrize(
    ("other", "message"),
    [
        (question_of(Spot("QhJh2c4d7h", "AA", "QQ", 90, 80)), 'begun with oop "AA,KQs,JTs", not'),
        (question_of(boards={"Kc9d5s5h2d": 1.0}, precision=16), "begun with precision 32, not 16"),
        (question_of(up_to_suits=True), "holds boards, each for itself .*not flops"),
        (question_of(keep="root"), 'begun with keep "full", not "root"'),
    ],
)
def test_another_question_is_refused(solved, other, message):
    with pytest.raises(ValueError, match=message):
        run(other, solved)


def test_textures_in_another_order_are_another_question(tmp_path):
    textures = (("monotone", {"bet": "33%"}), ("A-high", {"bet": "75%"}))
    Batch.begin(tmp_path, question_of(textures=textures))
    with pytest.raises(ValueError, match="was begun with textures"):
        Batch.begin(tmp_path, question_of(textures=textures[::-1]))


def test_a_folder_of_other_things_is_refused(tmp_path):
    (tmp_path / "letter.txt").write_text("dear")
    with pytest.raises(ValueError, match=r"holds letter.txt and no batch"):
        Batch.begin(tmp_path, question_of())
    with pytest.raises(ValueError, match="this is a file"):
        Batch.begin(tmp_path / "letter.txt", question_of())
    assert not is_batch(tmp_path)
    with pytest.raises(ValueError, match="is not the folder of a batch"):
        load_batch(tmp_path)


def test_a_board_that_fails_is_named_and_tried_again(tmp_path, monkeypatch):
    def fail(spot, **settings):
        if spot.board[-1] == RIVER.board[-1]:
            raise MemoryError
        return solve_spot(spot, **settings)

    monkeypatch.setattr(solving, "solve_spot", fail)
    done = run(question_of(), tmp_path / "b")
    assert (done.solved, list(done.failed)) == (2, ["QhJh2c4d7h"])
    assert "not enough memory" in done.failed["QhJh2c4d7h"]
    monkeypatch.undo()
    done = run(question_of(), tmp_path / "b")
    assert (done.solved, done.failed) == (3, {})


@pytest.mark.parametrize("error", [OSError(ENOSPC, "No space left on device"), KeyboardInterrupt()])
def test_what_is_finished_stays_whatever_ends_the_run(tmp_path, monkeypatch, error):
    def fail(job, really=solving._solve_board):
        if job.board == "QhJh2c4d7s":
            raise error
        return really(job)

    monkeypatch.setattr(solving, "_solve_board", fail)
    with pytest.raises(type(error)):
        run(question_of(), tmp_path / "b")
    assert [row.board for row in load_batch(tmp_path / "b").rows()] == ["QhJh2c4d7h"]
    assert len((tmp_path / "b" / "table.csv").read_text().splitlines()) == 2


def test_a_full_disk_is_said_before(tmp_path, monkeypatch):
    usage = type("Usage", (), {"free": 1000})()
    monkeypatch.setattr("pokerlab.holdem.batches.plan.shutil.disk_usage", lambda _: usage)
    with pytest.raises(ValueError, match=r"the solutions need up to .* 1.0 kB are free"):
        run(question_of(), tmp_path / "b")


@pytest.mark.parametrize(
    ("workers", "solved_before", "rehearsed"), [(2, 0, 1), (1, 0, 0), (2, 2, 0), (2, 1, 1)]
)
def test_kernels_are_compiled_before_several_processes_start(
    tmp_path, monkeypatch, workers, solved_before, rehearsed
):
    question = question_of()
    if solved_before:
        boards = dict(list(BOARDS.items())[:solved_before])
        run(question_of(boards=boards), tmp_path / "b")
    calls = []
    monkeypatch.setattr(solving, "rehearse", lambda *given: calls.append(given))
    monkeypatch.setattr(solving, "run_jobs", lambda *given, **options: iter(()))
    run_batch(question, tmp_path / "b", plan_batch(question, workers=workers))
    assert len(calls) == rehearsed


def test_a_rehearsal_solves_a_few_hands_the_same_way(monkeypatch):
    calls = []

    def solve(spot, rule, **settings):
        calls.append((spot, settings))
        return solve_spot(spot, rule, **settings)

    monkeypatch.setattr(solving, "solve_spot", solve)
    spot = Spot(TURN.board, "random", "random", pot=100, stack=80, bet="a", raise_="")
    question = question_of(spot, {"QhJh2c4d": 1.0}, keep="root", rule="cfr+")
    solving.rehearse(question, "QhJh2c4d", 1)
    ((few, settings),) = calls
    assert [hands.count for hands in few.ranges] == [3, 3]
    assert (few.board, few.bet, few.tree.pot) == (spot.board, spot.bet, spot.tree.pot)
    assert (settings["streets"], settings["iterations"]) == (1, 1)


def test_too_many_workers_are_refused(monkeypatch):
    monkeypatch.setattr("pokerlab.holdem.batches.plan.free_memory", lambda: 1_000_000_000)
    assert plan_batch(question_of(), workers=3).workers == 3
    with pytest.raises(ValueError, match=r"memory: a board needs .* so 3 fit at a time"):
        plan_batch(question_of(), workers=4)


@pytest.mark.parametrize("keep", ["partial", "root"])
def test_parts_of_a_solution_are_kept(tmp_path, keep):
    question = question_of(TURN, {"QhJh2c4d": 1.0}, keep=keep)
    plan = plan_batch(question, workers=1)
    done = run_batch(question, tmp_path / "b", plan)
    kept = done.batch.solution("QhJh2c4d")
    whole = solve_spot(TURN, target="1%")
    assert kept.partial and kept.values == pytest.approx(whole.values)
    assert done.batch.rows()[0].bytes <= plan.file_bytes
    np.testing.assert_allclose(kept.at("x").action_ev, whole.at("x").action_ev, atol=1e-3)


def test_small_boards_are_solved_together(tmp_path, solves, monkeypatch):
    """A worker takes several boards, which are kept as if each had been solved alone."""
    many = []
    monkeypatch.setattr(
        solving,
        "solve_each",
        lambda spots, **settings: many.append(len(spots)) or solve_each(spots, **settings),
    )
    question = question_of()
    plan = replace(plan_batch(question, workers=1, threads=1), at_once=2)
    done = run_batch(question, tmp_path / "batch", plan)
    assert (done.solved, many, solves) == (3, [2], ["Kc9d5s5h2c"])
    rows = done.batch.rows()
    assert [row.board for row in rows] == list(BOARDS)
    for row in rows:
        assert row.percent <= 1
        assert row.total_seconds >= row.seconds
        assert done.batch.solution(row.board).values == row.ev


def test_a_board_that_fails_among_others_fails_alone(tmp_path, solves, monkeypatch):
    def give_one(spots, **settings):
        yield 0, solve_spot(spots[0], target="1%")
        raise ValueError("the card is full")

    monkeypatch.setattr(solving, "solve_each", give_one)
    question = question_of()
    plan = replace(plan_batch(question, workers=1, threads=1), at_once=3)
    done = run_batch(question, tmp_path / "batch", plan)
    assert (done.solved, done.failed) == (3, {})
    assert solves == ["QhJh2c4d7s", "Kc9d5s5h2c"]


def test_a_card_takes_small_boards_together(monkeypatch):
    entries = []

    def choose(device, needs, **options):
        entries.append(needs.entries)
        return "gpu"

    monkeypatch.setattr(plan_module, "choose_device", choose)
    monkeypatch.setattr(plan_module, "free_card_bytes", lambda: 10**11)
    plan = plan_batch(question_of(), workers=1)
    assert (plan.device, plan.at_once) == ("gpu", 3)
    assert plan_batch(question_of(), workers=2).at_once == 2  # each has something to do
    assert plan_batch(question_of(seconds=5.0)).at_once == 1  # a time of its own
    alone = entries[-1]
    assert entries[0] == 3 * alone
    monkeypatch.setattr(plan_module, "_ENTRIES_AT_ONCE", 2 * alone)
    assert plan_batch(question_of(), workers=1).at_once == 2
    monkeypatch.setattr(plan_module, "_ENTRIES_AT_ONCE", alone - 1)
    assert plan_batch(question_of(), workers=1).at_once == 1


def test_rows_of_earlier_versions_are_made_again_from_their_solutions(tmp_path, monkeypatch):
    question = question_of(boards={"QhJh2c4d7h": 1.0})
    batch = run(question, tmp_path / "b").batch
    (expected,) = batch.rows()
    file = batch.solution_path("QhJh2c4d7h").with_suffix(".json")
    old = json.loads(file.read_text())
    del old["digest"], old["target"]
    file.write_text(json.dumps(old | {"question": "as it was"}))
    with pytest.raises(DamagedFileError, match="has no digest, as in earlier versions; `pokerlab"):
        batch.rows()
    monkeypatch.delattr(solving, "solve_spot")
    assert run(question, tmp_path / "b").solved == 1
    (found,) = batch.rows()
    assert replace(found, total_seconds=0.0) == replace(expected, total_seconds=0.0)


@pytest.mark.parametrize("keep", ["full", "partial", "root"])
def test_a_lower_target_goes_on_in_place(tmp_path, monkeypatch, keep):
    boards = {"QhJh2c4d": 1.0, "QhJh2c4s": 2.0}
    folder = tmp_path / "b"
    rough = question_of(TURN, boards, target="2%", keep=keep)
    before = {row.board: row for row in run(rough, folder).batch.rows()}
    fine = replace(rough, target="0.05%")
    started = []

    def solve(spot, start, really=solving.solve_spot, **settings):
        started.append(start)
        return really(spot, start=start, **settings)

    def fail(job, really=solving._solve_board):
        if job.board == "QhJh2c4s":
            raise KeyboardInterrupt
        return really(job)

    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr(solving, "_solve_board", fail)
        run(fine, folder)
    # One is better, the other what it was, and both are reported.
    first, second = load_batch(folder).rows()
    assert first.percent <= 0.05 < second.percent <= 2
    assert second == before["QhJh2c4s"]
    monkeypatch.setattr(solving, "solve_spot", solve)
    done = run(fine, folder)
    assert (done.solved, len(started)) == (2, 1)
    # Only a whole solution can be gone on from.
    assert (started[0] is not None) == (keep == "full")
    for row in done.batch.rows():
        assert row.percent <= 0.05
        assert done.batch.solution(row.board).exploitability.percent == row.percent
        assert row.iterations > before[row.board].iterations
    # A higher target changes nothing, and what is solved is not solved again.
    assert run(replace(rough, target="1%"), folder).solved == 2
    assert (len(started), load_batch(folder).question.target) == (1, "0.05%")


def test_a_board_that_stands_still_is_solved(tmp_path, solves):
    """16 bits cannot reach this target."""
    question = question_of(boards={"QhJh2c4d7h": 1.0}, target="0.0000001%", precision=16)
    done = run(question, tmp_path / "b")
    (row,) = done.batch.rows()
    assert (done.solved, row.stopped) == (1, "stalled")
    assert run(question, tmp_path / "b").solved == 1
    assert solves == ["QhJh2c4d7h"]
    assert done.batch.final_boards(stall=False) == set()

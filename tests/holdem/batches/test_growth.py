"""A folder gets more boards: what was solved is kept, and what boards weigh is that of the list."""

from __future__ import annotations

import csv
from itertools import pairwise
from threading import Event

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokerlab.cards import parse_flops
from pokerlab.holdem.batches import (
    Batch,
    BatchQuestion,
    load_batch,
    plan_batch,
    report_boards,
    run_batch,
)
from pokerlab.holdem.batches import folder as folder_module
from pokerlab.holdem.batches.question import join_boards
from pokerlab.holdem.spots import Spot

SPOT = Spot("QhJh2c4d7h", "AA, KQs, JTs", "QQ, AJs, T9s", pot=100, stack=80)
FIRST = {"QhJh2c4d7h": 2.0, "QhJh2c4d7s": 1.0}
GROWN = {"QhJh2c4d7h": 1.0, "Kc9d5s5h2c": 3.0, "QhJh2c4d7s": 5.0}


def question_of(boards):
    return BatchQuestion.of(SPOT, boards, target="1%")


def run(boards, folder):
    question = question_of(boards)
    return run_batch(question, folder, plan_batch(question, workers=1, threads=1))


def flops(text):
    return {flop.name: flop.weight for flop in parse_flops(text)}


BOARD_LISTS = st.dictionaries(st.sampled_from("abcdef"), st.floats(1, 9), min_size=1)


@given(BOARD_LISTS, BOARD_LISTS)
def test_no_board_leaves_a_list(before, named):
    joined = join_boards(before, named)
    assert joined.keys() == before.keys() | named.keys()
    assert all(each in (before.get(board), named.get(board)) for board, each in joined.items())
    if before.keys() <= named.keys():
        assert list(joined.items()) == list(named.items())
    else:
        assert {board: joined[board] for board in before} == before


def test_subsets_of_flops_grow():
    sizes = ("25", "49", "85", "184", "all")
    for small, large in pairwise(sizes):
        assert join_boards(flops(small), flops(large), up_to_suits=True) == flops(large)
        assert join_boards(flops(large), flops(small), up_to_suits=True) == flops(large)


def test_a_flop_that_was_added_does_not_spoil_the_weights_of_a_subset():
    added = flops(min(flops("all").keys() - flops("49").keys()))
    some = join_boards(flops("25"), added, up_to_suits=True)
    assert some == flops("25") | added
    assert join_boards(some, flops("49"), up_to_suits=True) == flops("49") | added


@pytest.fixture(scope="module")
def grown(tmp_path_factory):
    """A folder before and after it has grown."""
    folder = tmp_path_factory.mktemp("batch") / "rivers"
    run(FIRST, folder)
    report_boards(load_batch(folder), "x", "QQ, AJs")
    before = {row.board: row for row in load_batch(folder).rows()}
    files = {file.name: file.stat().st_mtime_ns for file in (folder / "solutions").iterdir()}
    assert run(GROWN, folder).solved == 3
    return folder, before, files


def test_what_was_solved_is_kept(grown):
    folder, before, files = grown
    rows = load_batch(folder).rows()
    assert {row.board: row.weight for row in rows} == GROWN
    assert all(row.ev == before[row.board].ev for row in rows if row.board in FIRST)
    after = {file.name: file.stat().st_mtime_ns for file in (folder / "solutions").iterdir()}
    assert {name: after[name] for name in files} == files and len(after) == len(files) + 2
    with (folder / "table.csv").open(newline="") as file:
        table = {row["board"]: float(row["weight"]) for row in csv.DictReader(file)}
    assert table == GROWN


def test_what_a_line_said_is_kept(grown, monkeypatch):
    folder, _, _ = grown
    opened = []

    def solution(batch, board, really=Batch.solution):
        opened.append(board)
        return really(batch, board)

    monkeypatch.setattr(Batch, "solution", solution)
    report = report_boards(load_batch(folder), "x", "QQ, AJs")
    assert opened == ["Kc9d5s5h2c"]
    assert report.weights.tolist() == list(GROWN.values())


def test_a_part_is_solved_and_nothing_else_changes(tmp_path):
    batch = Batch.begin(tmp_path, question_of(GROWN))
    text = (tmp_path / "batch.toml").read_text()
    done = run({"QhJh2c4d7s": 9.0}, tmp_path)
    assert (done.solved, [row.weight for row in done.batch.rows()]) == (1, [5.0])
    assert (tmp_path / "batch.toml").read_text() == text
    assert report_boards(batch).unsolved == 2


def test_the_table_has_the_boards_that_another_process_added(tmp_path):
    first = run({"QhJh2c4d7h": 2.0}, tmp_path).batch
    run({"QhJh2c4d7s": 3.0}, tmp_path)
    first.write_table()
    assert len((tmp_path / "table.csv").read_text().splitlines()) == 3


def test_a_folder_whose_first_process_was_killed_at_once_is_used(tmp_path, monkeypatch):
    def killed(*given):
        raise SystemExit

    with monkeypatch.context() as patched:
        patched.setattr(folder_module, "write_text", killed)
        with pytest.raises(SystemExit):
            Batch.begin(tmp_path / "batch", question_of(FIRST))
    assert Batch.begin(tmp_path / "batch", question_of(FIRST)).rows() == []


def test_boards_that_are_added_meanwhile(tmp_path):
    """They are solved after the others where the run follows the folder; once, in any case."""
    added = {"Kc9d5s5h2c": 3.0, "QhJh2c4d7h": 1.0}
    told = []

    def add(progress):
        told.append((progress.done, progress.total))
        if len(told) == 1:
            Batch.begin(tmp_path / "a", question_of(added))

    question = question_of(FIRST)
    plan = plan_batch(question, workers=1, threads=1)
    run = run_batch(question, tmp_path / "a", plan, report=add, follow=True)
    assert (run.solved, run.boards, run.failed) == (3, 3, {})
    assert told[0] == (1, 2) and told[-1] == (3, 3)
    assert [row.board for row in run.batch.rows()] == [*FIRST, "Kc9d5s5h2c"]
    times = {path: path.stat().st_mtime_ns for path in (tmp_path / "a").glob("solutions/*")}
    again = run_batch(question, tmp_path / "a", plan, follow=True)
    assert (again.solved, again.boards) == (2, 2)  # a part of the folder, as it was asked for
    assert times == {path: path.stat().st_mtime_ns for path in times}
    told.clear()
    alone = run_batch(question, tmp_path / "a", plan, report=add)
    assert alone.boards == 2


def test_a_run_that_follows_stops_when_it_is_told(tmp_path):
    stop = Event()

    def add(progress):
        Batch.begin(tmp_path / "b", question_of(GROWN))
        stop.set()

    question = question_of({"QhJh2c4d7h": 1.0})
    run = run_batch(question, tmp_path / "b", report=add, stop=stop, follow=True)
    assert (run.solved, len(load_batch(tmp_path / "b").question.boards)) == (1, 3)

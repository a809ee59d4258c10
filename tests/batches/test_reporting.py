"""Reports of lines against the solutions that they are collected from."""

import json
from dataclasses import replace

import numpy as np
import pytest

from pokerlab.batches import BatchQuestion, load_batch, plan_batch, run_batch
from pokerlab.batches.folder import Batch
from pokerlab.batches.line_files import stamp
from pokerlab.batches.reporting import report_boards
from pokerlab.cards import filter_hands
from pokerlab.errors import DamagedFileError
from pokerlab.postflop import Spot
from pokerlab.postflop.answer.node_view import unblocked_weights

BOARDS = {"QhJh2c4d7h": 1.0, "QhJh2c4d7s": 3.0, "8s8h2c4d7d": 2.0}


@pytest.fixture(scope="module")
def batch(tmp_path_factory):
    spot = Spot("QhJh2c4d7h", "AA, KQs, JTs", "QQ, AJs, T9s", pot=100, stack=80, bet="50%, a")
    question = BatchQuestion.of(
        spot, BOARDS, (("paired", {"bet": "33%"}),), target="0.5%", keep="full"
    )
    folder = tmp_path_factory.mktemp("batch") / "rivers"
    return run_batch(question, folder, plan_batch(question, workers=1)).batch


def test_the_first_decision_is_that_of_the_solutions(batch):
    report = report_boards(batch)
    assert report.boards == tuple(BOARDS)
    assert report.actions == ("x", "b50", "a", "b33")
    assert np.isnan(report.frequencies[2, 1]) and np.isnan(report.frequencies[0, 3])
    for place, board in enumerate(BOARDS):
        view = batch.solution(board).at("")
        assert report.ev[place, 0] == pytest.approx(view.mean_ev(0), abs=1e-3)
        assert report.equity[place, 1] == pytest.approx(view.mean_equity(1))
        assert report.column("x")[place] == pytest.approx(view.frequencies[0])


def test_another_line_is_that_of_the_solutions(batch):
    calls = []
    report = report_boards(batch, "b50", report=lambda *done: calls.append(done))
    assert calls == [(1, 3), (2, 3), (3, 3)]
    assert report.left_out == ("8s8h2c4d7d",)  # its menu has no such bet
    assert (report.line, report.player) == ("b50", 1)
    for place, board in enumerate(report.boards):
        view = batch.solution(board).at("b50")
        assert report.pot[place] == view.pot == 150
        for player in range(2):
            assert report.ev[place, player] == pytest.approx(view.mean_ev(player))
            assert report.equity[place, player] == pytest.approx(view.mean_equity(player))
        assert report.frequencies[place] == pytest.approx(view.frequencies)
        played = np.nansum(report.frequencies[place] * report.action_evs[place])
        assert played == pytest.approx(report.ev[place, 1])
    first, second = (batch.row(board) for board in report.boards)
    bets = report.deals / [first.deals, second.deals]
    assert bets == pytest.approx([first.frequencies["b50"], second.frequencies["b50"]])


def test_some_hands_of_a_range(batch):
    report = report_boards(batch, "", "KQs, top-pair")
    for place, board in enumerate(report.boards):
        view = batch.solution(board).at("")
        chosen = filter_hands("KQs, top-pair", view.board)
        arriving = view.weights[0] * unblocked_weights(view.weights[1]) * chosen
        assert report.deals[place] == pytest.approx(arriving.sum())
        ev = float(np.nan_to_num(view.ev[0]) @ arriving) / arriving.sum()
        assert report.ev[place] == pytest.approx([ev, 100 - ev])
        bets = np.nan_to_num(view.strategy[1]) @ arriving / arriving.sum()
        assert np.nanmax(report.frequencies[place, 1::2]) <= 1
        assert report.column(view.actions[1])[place] == pytest.approx(bets)
    nobody = report_boards(batch, "", "quads")
    assert nobody.deals.sum() == 0
    assert nobody.mean().ev == nobody.mean().realisation == (None, None)
    with pytest.raises(ValueError, match="hands: 'top-par' is neither"):
        report_boards(batch, "", "top-par")
    long = report_boards(batch, "x", "QQ, " * 50 + "AJs")
    assert (batch.folder / "lines").is_dir() and long.deals.sum() > 0


def test_bad_lines_and_folders_are_one_line(batch, tmp_path):
    with pytest.raises(ValueError, match="no board has this line: line 'b49'"):
        report_boards(batch, "b49")
    with pytest.raises(ValueError, match=r"no board has this line: .*the hand is over"):
        report_boards(batch, "b50/f")
    empty = Batch.begin(tmp_path / "empty", batch.question)
    with pytest.raises(ValueError, match="no board of this batch is solved yet"):
        report_boards(empty)
    with pytest.raises(ValueError, match="is not the folder of a batch"):
        report_boards(load_batch(tmp_path))


def test_what_a_line_said_is_kept_until_a_board_is_solved_anew(batch, monkeypatch):
    again = report_boards(batch, "x")
    file = batch.folder / "lines" / "x.json"
    kept = file.read_bytes()
    with monkeypatch.context() as patched:
        patched.setattr(Batch, "solution", None)  # nothing is opened
        from_file = report_boards(batch, "x")
        assert from_file.boards == again.boards
        np.testing.assert_array_equal(from_file.action_evs, again.action_evs)
        np.testing.assert_array_equal(from_file.deals, again.deals)
        # As if a board had been solved again: only this one is opened.
        row = batch.row("QhJh2c4d7s")
        data = json.loads(kept)
        assert stamp(row) in data["decisions"]
        assert stamp(replace(row, seconds=row.seconds + 1)) not in data["decisions"]
    for content in (kept.replace(b"0.", b"1.", 1), kept[:-9], b"[]", b'{"digest": 1}', b"\xff"):
        file.write_bytes(content)
        np.testing.assert_array_equal(report_boards(batch, "x").ev, again.ev)
        assert file.read_bytes() == kept


def test_a_damaged_solution_is_named(batch, tmp_path):
    copy = Batch.begin(tmp_path / "copy", batch.question)
    for file in (batch.folder / "solutions").iterdir():
        (copy.folder / "solutions" / file.name).write_bytes(file.read_bytes())
    file = copy.solution_path("QhJh2c4d7s")
    content = bytearray(file.read_bytes())
    content[-20] ^= 255
    file.write_bytes(content)
    with pytest.raises(DamagedFileError, match="QhJh2c4d7s"):
        report_boards(copy, "x")

"""Reports of lines against the solutions that they are collected from."""

import json
import shutil
from dataclasses import asdict, replace

import numpy as np
import pytest

from pokerlab.cards import filter_hands
from pokerlab.cards.ranges.blockers import unblocked_weights
from pokerlab.holdem.batches import BatchQuestion, load_batch, plan_batch, run_batch
from pokerlab.holdem.batches.decisions import LineDecision, decide, first_street
from pokerlab.holdem.batches.folder import Batch
from pokerlab.holdem.batches.line_files import stamp
from pokerlab.holdem.batches.reporting import break_down_boards, report_boards
from pokerlab.holdem.spots import Spot, breakdown, solve_spot
from pokerlab.holdem.spots.reports.breakdown import breakdown_names, hand_groups
from pokerlab.runtime.errors import DamagedFileError

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
    assert report.names == tuple(BOARDS)
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
    for place, board in enumerate(report.names):
        view = batch.solution(board).at("b50")
        assert report.pot[place] == view.pot == 150
        for player in range(2):
            assert report.ev[place, player] == pytest.approx(view.mean_ev(player))
            assert report.equity[place, player] == pytest.approx(view.mean_equity(player))
        assert report.frequencies[place] == pytest.approx(view.frequencies)
        played = np.nansum(report.frequencies[place] * report.action_evs[place])
        assert played == pytest.approx(report.ev[place, 1])
    first, second = (batch.row(board) for board in report.names)
    bets = report.deals / [first.deals, second.deals]
    assert bets == pytest.approx([first.frequencies["b50"], second.frequencies["b50"]])


def test_some_hands_of_a_range(batch):
    report = report_boards(batch, "", "KQs, top-pair")
    for place, board in enumerate(report.names):
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


@pytest.mark.parametrize("by", ["made", "draws", "class", "equity"])
@pytest.mark.parametrize("hands", [None, "KQs, QQ, AJs"])
def test_parts_of_the_range_over_boards(batch, by, hands):
    """Against the hands themselves, one by one."""
    found = {row.name: row for row in break_down_boards(batch, "x", by, hands)}
    sums = {}
    total = 0.0
    for board, weight in BOARDS.items():
        view = batch.solution(board).at("x")
        arriving = weight * view.weights[1] * unblocked_weights(view.weights[0])
        total += arriving.sum()
        if hands is not None:
            arriving = arriving * filter_hands(hands, view.board)
        for name, combos in hand_groups(view, by, 1):
            for combo in combos[arriving[combos] > 0]:
                often = arriving[combo]
                row = sums.setdefault(name, {"often": 0.0, "ev": 0.0, "equity": 0.0})
                row["often"] += often
                row["ev"] += often * view.ev[1][combo]
                row["equity"] += often * view.equity[1][combo]
                for place, action in enumerate(view.actions):
                    played, possible, earned = row.get(action, (0.0, 0.0, 0.0))
                    row[action] = (
                        played + often * view.strategy[place, combo],
                        possible + often,
                        earned + often * view.action_ev[place, combo],
                    )
    assert list(found) == [name for name in breakdown_names(by) if name in sums]
    for name, row in found.items():
        often = sums[name]["often"]
        assert row.weight == pytest.approx(often / total)
        assert row.ev == pytest.approx(sums[name]["ev"] / often, abs=1e-4)
        assert row.equity == pytest.approx(sums[name]["equity"] / often, abs=1e-6)
        for place, action in enumerate(("x", "b50", "a", "b33")):
            played, possible, earned = sums[name].get(action, (0.0, 0.0, 0.0))
            assert row.strategy[place] == pytest.approx(played / often, abs=1e-6)
            expected = earned / possible if possible else None
            assert row.action_ev[place] == pytest.approx(expected, abs=1e-4)
    if by != "draws" and hands is None:
        assert sum(row.weight for row in found.values()) == pytest.approx(1)


def test_some_boards_are_broken_down(batch):
    (board,) = some = {"QhJh2c4d7s"}
    rows = break_down_boards(batch, "x", "made", boards=some)
    alone = breakdown(batch.solution(board).at("x"), "made")
    assert [row.name for row in rows] == [row.name for row in alone]
    with pytest.raises(ValueError, match="by: 'suit' is not known"):
        break_down_boards(batch, "x", "suit")


TURN = Spot("QhJh2c4d", "AA, KQs, JTs", "QQ, AJs, T9s", pot=100, stack=80, bet="50%", rake=0.05)


@pytest.mark.parametrize("spot", [TURN, TURN.with_board("QhJh2c4d7h")])
def test_the_first_street_is_that_of_the_solution(spot):
    """Its equities come from the tables of all-ins, those of a view from all run-outs."""
    solution = solve_spot(spot, target="2%").first_streets(1)
    decisions = first_street(solution)
    streets = spot.tree.streets
    assert list(decisions) == [spot.tree.line(0, node) for node in range(streets[0].nodes)]
    for line, decision in decisions.items():
        expected = decide(solution.at(line), raked=True)
        assert asdict(LineDecision.from_json(decision.to_json())) == approx(asdict(decision))
        assert asdict(decision) == approx(asdict(expected))


def approx(value):
    """Numbers to seven digits, however deep they lie."""
    if isinstance(value, dict):
        return {name: approx(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(approx(each) for each in value)
    return pytest.approx(value, rel=1e-6, abs=1e-9) if isinstance(value, float) else value


def test_lines_of_the_first_street_open_no_solution(batch, monkeypatch):
    opened = []

    def solution(self, board, really=Batch.solution):
        opened.append(board)
        return really(self, board)

    monkeypatch.setattr(Batch, "solution", solution)
    shutil.rmtree(batch.folder / "lines", ignore_errors=True)
    assert report_boards(batch, "x").player == 1
    assert break_down_boards(batch, "x/b33", "made") and opened == ["QhJh2c4d7h"]  # for the reason


def test_a_first_street_of_another_solution_is_not_used(batch, tmp_path):
    copy = tmp_path / "copy"
    shutil.copytree(batch.folder, copy)
    shutil.rmtree(copy / "lines", ignore_errors=True)
    expected = report_boards(load_batch(copy), "x").ev
    shutil.rmtree(copy / "lines")
    first, second = (copy / "first_street" / f"QhJh2c4d7{suit}.jsonl" for suit in "hs")
    first.write_bytes(second.read_bytes())
    second.write_bytes(second.read_bytes().replace(b"0.", b"1.", 1))
    np.testing.assert_allclose(report_boards(load_batch(copy), "x").ev, expected)


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
    file = batch.folder / "lines" / "x.jsonl"
    kept = file.read_bytes()
    with monkeypatch.context() as patched:
        patched.setattr(Batch, "solution", None)  # nothing is opened
        from_file = report_boards(batch, "x")
        assert from_file.names == again.names
        np.testing.assert_array_equal(from_file.action_evs, again.action_evs)
        np.testing.assert_array_equal(from_file.deals, again.deals)
        # As if a board had been solved again: only this one is opened.
        row = batch.row("QhJh2c4d7s")
        stamps = [json.loads(line)[0] for line in kept.splitlines()[1:]]
        assert stamp(row) in stamps
        assert stamp(replace(row, seconds=row.seconds + 1)) not in stamps
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

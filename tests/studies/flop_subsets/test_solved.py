"""Tables of solved flops: what is written is read again, and what is not whole is refused."""

import numpy as np
import pytest

from pokerlab.cards.flops import all_flops
from pokerlab.holdem.batches import read_question
from pokerlab.holdem.spots import LineReport
from pokerlab.runtime.errors import DamagedFileError
from pokerlab.studies.flop_subsets import solved
from pokerlab.studies.flop_subsets.measured import mean_errors, multiplicities
from pokerlab.studies.flop_subsets.range_pairs import write_spots

FLOPS = [flop.name for flop in reversed(all_flops())]  # a batch may have another order


def report(boards, actions, seed):
    generator = np.random.default_rng(seed)
    count = len(boards)
    ev, equity = generator.uniform(size=(2, count))
    return LineReport(
        "",
        0,
        tuple(boards),
        generator.uniform(1, 9, count),
        pot=np.full(count, 50.0),
        ev=np.column_stack([50 * ev, 50 - 50 * ev]),
        equity=np.column_stack([equity, 1 - equity]),
        actions=actions,
        frequencies=generator.dirichlet(np.ones(len(actions)), count),
        action_evs=np.ones((count, len(actions))),
        weights=np.ones(count),
    )


class Folder:
    folder = "flops"


@pytest.fixture
def reports(monkeypatch):
    made = {"": report(FLOPS, ("x", "b33"), 1), "x": report(FLOPS, ("x", "b33", "a"), 2)}
    monkeypatch.setattr(solved, "report_boards", lambda batch, line="": made[line])
    return made


def test_a_table_is_read_as_it_was_written(reports, tmp_path):
    file = tmp_path / "raised.csv"
    solved.write_solved(Folder(), file)
    spot = solved.read_solved(file)
    assert spot.name == "raised"
    assert spot.columns == ("ev", "equity", "x", "b33", "x/x", "x/b33", "x/a")
    first, second = reports[""], reports["x"]
    assert spot.chances[:, 0] == pytest.approx(first.deals[::-1], rel=1e-4)
    assert spot.values[:, 0] == pytest.approx(first.ev[::-1, 0] / 50, rel=1e-4)
    both = first.column("x") * second.column("b33")
    assert spot.values[:, 5] == pytest.approx(both[::-1], rel=1e-4)
    everywhere = np.arange(1755), multiplicities()
    assert mean_errors(spot.values, spot.chances, *everywhere) == pytest.approx(np.zeros(7))


def test_spots_are_questions_of_batches(tmp_path):
    for file in write_spots(tmp_path):
        question = read_question(file, {"AsKh7d": 1.0})
        assert question.spot("AsKh7d").pot > 0


def test_a_table_of_some_flops_is_refused(reports, tmp_path):
    reports["x"] = reports["x"].take(range(1000))
    with pytest.raises(ValueError, match="flops: not all 1,755 flops are solved"):
        solved.write_solved(Folder(), tmp_path / "some.csv")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda text: "", "does not begin with flop,deals"),
        (lambda text: text.replace("flop,deals", "board,deals"), "does not begin with flop,deals"),
        (lambda text: text[: len(text) // 2].rsplit("\n", 1)[0], "the 1,755 flops"),
        (lambda text: text.replace("AsKh7d,", "AsKh7d,nan", 1), "not finite|could not convert"),
        (lambda text: text.replace("AsKh7d,", "AsKh7d,nan,", 1), "."),
    ],
)
def test_a_damaged_table_is_one_line(reports, tmp_path, change, message):
    file = tmp_path / "a.csv"
    solved.write_solved(Folder(), file)
    file.write_text(change(file.read_text()))
    with pytest.raises(DamagedFileError, match=message):
        solved.read_solved(file)

"""How subsets are judged: with flops that were chosen without what is judged."""

import numpy as np
import pytest

from pokerlab.studies.flop_subsets import measured
from pokerlab.studies.flop_subsets.equities import FlopEquities
from pokerlab.studies.flop_subsets.measured import multiplicities
from pokerlab.studies.flop_subsets.range_pairs import SPOTS
from pokerlab.studies.flop_subsets.solved import SolvedSpot

FLOPS = 1755
FOURTH = SPOTS["fourth-bet"][0]


def random_pair(seed):
    generator = np.random.default_rng(seed)
    return FlopEquities(
        generator.uniform(1, 2, FLOPS),
        generator.uniform(size=(FLOPS, 2, 4)),
        generator.uniform(size=(FLOPS, 2, 169)),
        generator.uniform(size=(FLOPS, 2, 169)),
    )


PAIRS = {"small blind limps": random_pair(1), FOURTH: random_pair(2)}
VALUES = np.random.default_rng(3).uniform(size=(FLOPS, 2))
SOLVED = [SolvedSpot("fourth-bet", ("ev", "x"), VALUES, PAIRS[FOURTH].matchups[:, None])]


def test_ranges_and_what_was_solved_with_them_are_left_out_together(monkeypatch):
    seen = []
    monkeypatch.setattr(
        measured, "expected_errors", lambda pairs, solved: seen.append((pairs, solved))
    )
    everything = np.arange(FLOPS), multiplicities()
    monkeypatch.setattr(measured, "choose_flops", lambda errors, size: everything)
    errors = measured.held_out_errors(PAIRS, SOLVED, 25)
    assert seen == [([PAIRS[FOURTH]], SOLVED), ([PAIRS["small blind limps"]], [])]
    assert set(errors) == {
        "equity",
        "strong and weak hands",
        "equity of a hand",
        "solved: ev",
        "solved: frequency",
    }
    assert max(errors.values()) == pytest.approx(0, abs=1e-12)  # all flops have no error


def test_flops_by_chance_are_off_as_their_number_says():
    few, many = (measured.random_errors(PAIRS, SOLVED, size, draws=6) for size in (20, 320))
    spread = np.sqrt(1 / 12)  # of a uniform number
    assert few["solved: ev"] == pytest.approx(spread / np.sqrt(20), rel=0.7)
    assert many["solved: ev"] < few["solved: ev"] / 2

"""The three answers of a post-flop solve."""

import numpy as np
import pytest

from pokerlab.holdem.spots import PostflopSolver, Spot
from pokerlab.studies.cgh.spot_answers import SpotAnswers

SPOT = Spot("QhJh2c4d7h", "AA, KQs, JTs", "QQ, AJs, T9s", pot=100, stack=80)


def test_the_plain_mean_is_the_mean_of_the_strategies() -> None:
    answers = SpotAnswers(PostflopSolver(SPOT, "cfr", threads=2))
    by_hand = None
    for _ in range(20):
        answers.iterate(1)
        with answers.answered("last") as solver:
            now = np.concatenate([each.astype(float) for each in solver.probabilities()[0]])
        by_hand = now if by_hand is None else by_hand + now
    assert by_hand is not None
    with answers.answered("plain mean") as solver:
        found = np.concatenate([each.astype(float) for each in solver.probabilities()[0]])
    assert found == pytest.approx(by_hand / 20, abs=2e-3)  # halves


def test_the_engine_goes_on_as_if_nobody_had_asked() -> None:
    asked, left_alone = (PostflopSolver(SPOT, "cfr", threads=1) for _ in range(2))
    answers = SpotAnswers(asked)
    for _ in range(5):
        answers.iterate(2)
        for name in answers.names:
            with answers.answered(name) as solver:
                solver.exploitability()
    left_alone.iterate(10)
    for name, array in left_alone.state().items():
        assert np.array_equal(array, asked.state()[name])


def test_a_greedy_rule_has_one_answer() -> None:
    answers = SpotAnswers(PostflopSolver(SPOT, "cgh(0.2)", threads=1))
    assert answers.names == ("last",)
    message = r"cgh\(0\.2\) has no answer 'own reach': last"
    with pytest.raises(ValueError, match=message), answers.answered("own reach"):
        pass


def test_halves_hold_no_plain_mean(monkeypatch: pytest.MonkeyPatch) -> None:
    solver = PostflopSolver(SPOT, "cfr", threads=1)
    monkeypatch.setattr(solver, "precision", 16)  # kernels for halves take a minute to compile
    with pytest.raises(ValueError, match="needs 32 or 64 bits"):
        SpotAnswers(solver)

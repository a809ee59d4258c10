"""Values of the second street that a GPU's own walks give, on the processor by emulation."""

from __future__ import annotations

import numpy as np
import pytest
from tests.runtime.gpu.emulation import EmulatedMachine, find_compiler

from pokerlab.holdem.spots import PostflopSolver, Spot
from pokerlab.holdem.spots.answer.below import with_kept_values
from pokerlab.holdem.spots.answer.solution import make_solution


@pytest.mark.slow
def test_values_from_the_walks_of_a_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    if find_compiler() is None:
        pytest.skip("no C++ compiler for the emulation of a GPU: pip install ziglang")
    monkeypatch.setattr("pokerlab.runtime.gpu.machine.CudaMachine", EmulatedMachine)
    spot = Spot("QhJh2c4d", "random", "random", pot=100, stack=150, bet="a", raise_="")
    solver = PostflopSolver(spot, device="gpu")
    solver.iterate(2)
    whole = with_kept_values(make_solution(solver, 0.0, "iterations"))
    first = make_solution(solver, 0.0, "iterations", streets=1, exact=False)
    assert first.exploitability.chips == pytest.approx(whole.exploitability.chips, rel=1e-4)
    walked = with_kept_values(first, solver=solver)
    assert whole.kept_values is not None
    assert walked.kept_values is not None
    assert len(walked.strategies) == 1
    for name, expected in whole.kept_values.tensors.items():
        found = walked.kept_values.tensors[name]
        assert np.abs(np.asarray(found, int) - np.asarray(expected, int)).max() <= 1, name
        assert np.abs(np.asarray(expected)).max() > 1000
    # One player alone, as a bot asks for it.
    one = with_kept_values(first, [1], ["response"], solver).kept_values
    assert one is not None
    assert list(one.tensors) == ["next_response.1"]
    np.testing.assert_array_equal(
        one.tensors["next_response.1"], walked.kept_values.tensors["next_response.1"]
    )

"""A solve that is told to stop."""

from pathlib import Path

import pytest
from tests.holdem.spots.solved_spots import SPOTS

from pokerlab.holdem.spots import solve_spot
from pokerlab.solvers.loop import Progress


class AfterSome:
    """Asks to stop between two measurements; notes what the loop says."""

    def __init__(self) -> None:
        self.told: list[Progress] = []

    def is_set(self) -> bool:
        return any(
            progress.history and progress.iteration > max(40, progress.history[-1].iteration)
            for progress in self.told
            if progress.phase == "iterating"
        )


@pytest.mark.parametrize("groups", [None, "view"])
def test_it_is_certified_but_not_measured_once_more(groups: str | None, tmp_path: Path) -> None:
    spot, file, stop = SPOTS["river"], tmp_path / "state", AfterSome()
    paused = solve_spot(
        spot,
        iterations=10**6,
        groups=groups,
        threads=1,
        checkpoint=file,
        stop=stop,
        report=stop.told.append,
    )
    assert paused.stopped == "cancelled"
    *measured, certificate = paused.history
    assert certificate.iteration == paused.iterations
    assert certificate.exploitability == paused.exploitability.chips
    assert (certificate.exploitability_abstract is None) == (groups is None)
    phases = [progress.phase for progress in stop.told]
    assert "measuring" not in phases[phases.index("stopping") :]
    # What was shown of the curve before the certificate is in the checkpoint.
    further = paused.iterations + 1
    again = solve_spot(spot, iterations=further, groups=groups, threads=1, checkpoint=file)
    assert list(again.history[: len(measured)]) == measured
    assert [point.iteration for point in again.history[len(measured) :]] == [further]

import csv

import pytest

from pokerlab.studies.cgh.sampled import ENTRANTS, race_by_nodes, write_sampled


@pytest.fixture(scope="module")
def points():
    return race_by_nodes(nodes=100_000)


def test_every_entrant_visits_as_many_nodes(points):
    for game in ("kuhn", "leduc"):
        for rule, sampling in ENTRANTS:
            own = [
                point
                for point in points
                if (point.game, point.sampling) == (game, sampling) and point.rule == rule
            ]
            assert len(own) == 9
            for number, point in enumerate(own):
                target = 1000 * 10 ** (number / 4)
                assert target * 0.999 <= point.nodes
            assert own[-1].nodes < 1.3 * 100_000
    assert points == race_by_nodes(nodes=100_000)


def test_noise_keeps_external_cgh_from_converging(points):
    """The best action of a sample is not the best in the mean: Kuhn shows it at once."""
    last = {(point.rule, point.sampling): point for point in points if point.game == "kuhn"}
    assert last["cfr", "external"].exploitability < 0.05
    assert last["cgh(0.2)", "external"].exploitability > 0.05
    assert last["cgh(0.2)", "public"].exploitability < 0.05


def test_files(points, tmp_path):
    files = write_sampled(points, tmp_path)
    rows = list(csv.DictReader(files[0].open()))
    assert len(rows) == len(points)
    assert [file.name for file in files[1:]] == ["cgh-sampling-kuhn.svg", "cgh-sampling-leduc.svg"]
    assert "cgh(0.2), external" in files[2].read_text()

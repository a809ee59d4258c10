"""Two solutions beside each other: what `diff` finds."""

import shutil

import pytest
from tests.web.conftest import RIVER

from pokerlab.holdem.spots import load_postflop, solve_spot
from pokerlab.holdem.spots.reports.diff import diff, diff_frequencies
from pokerlab.web.files.library import Library


@pytest.fixture(scope="module")
def folder(tmp_path_factory, river_file):
    place = tmp_path_factory.mktemp("compare")
    shutil.copy(river_file, place / "river.safetensors")
    locked = solve_spot(RIVER, target="1%", threads=1, locks={"x": {"x": "100%"}})
    locked.save(place / "locked.safetensors")
    return place


@pytest.fixture(scope="module")
def address(folder):
    library = Library(folder)
    names = ("river.safetensors", "locked.safetensors")
    return "/api/compare/" + "/".join(library.id_of(folder / name) for name in names)


@pytest.mark.parametrize("line", ["", "x", "x/b51"])
def test_numbers_are_those_of_diff(client, address, folder, line):
    first, second = (load_postflop(folder / f"{name}.safetensors") for name in ("river", "locked"))
    found = client.get(address, params={"line": line}).json()
    (change,) = diff_frequencies(first, second, line)
    assert found["names"] == ["river.safetensors", "locked.safetensors"]
    assert (
        found["command"] == f"pokerlab diff river.safetensors locked.safetensors {line or repr('')}"
    )
    assert found["actions"] == list(change.actions)
    assert found["total"]["frequencies"] == [list(each) for each in change.total.frequencies]
    assert found["total"]["evs"] == pytest.approx(list(change.total.evs))
    assert list(found["classes"]) == list(change.classes)
    changes = diff(first, second, line)
    assert [each["hand"] for each in found["hands"]] == [each.hand for each in changes]
    assert [each["exceeds"] for each in found["hands"]] == [each.exceeds for each in changes]
    assert found["reached"] == [True, line != "x/b51"]  # after a check the other always checks
    assert found["locked"][0] == [] and bool(found["locked"][1]) == (line == "x")
    assert found["epsilon"] == [each.exploitability.chips for each in (first, second)]


def test_a_decision_that_nobody_reaches_shows_no_play(client, address):
    id_ = address.split("/")[-1]
    node = client.get(f"/api/solutions/{id_}/node", params={"line": "x/b51"}).json()
    assert node["reached"] is False and node["combos"][1] == 0
    assert {option["frequency"] for option in node["options"]} == {None}
    assert {share for row in node["strategy"] for share in row} == {None}
    assert [step["reached"] for step in node["path"]] == [True, True]
    below = client.get(f"/api/solutions/{id_}/node", params={"line": "x/b51/a"}).json()
    assert below["path"][2]["options"][0]["frequency"] is None
    assert client.get(f"/api/solutions/{id_}/values", params={"line": "x/b51"}).status_code == 200


def test_places_without_a_decision(client, address):
    found = client.get(address, params={"line": "x/x"}).json()
    assert (found["kind"], found["text"]) == ("end", "Showdown for 101")
    assert "total" not in found


def test_bad_lines_and_files(client, address):
    answer = client.get(address, params={"line": "b7"})
    assert (answer.status_code, answer.json()["field"]) == (400, "line")
    assert client.get("/api/compare/a/b").status_code == 404

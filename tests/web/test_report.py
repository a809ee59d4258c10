"""The next-card report as a stream: rows, then what ``pokerlab report --json`` prints."""

import json

import pytest
from tests.holdem.spots.solved_spots import solved

from pokerlab.holdem.spots import report_run_outs
from pokerlab.views.report_tables import report_data
from pokerlab.web.files.library import Library


@pytest.fixture(scope="module")
def folder(tmp_path_factory, river_file):
    place = tmp_path_factory.mktemp("report")
    solved("turn").save(place / "turn.safetensors")
    return place


@pytest.fixture(scope="module")
def address(folder):
    return f"/api/solutions/{Library(folder).id_of(folder / 'turn.safetensors')}/report"


def events(client, address, line):
    with client.stream("GET", address, params={"line": line}) as answer:
        assert answer.status_code == 200
        assert answer.headers["content-type"].startswith("text/event-stream")
        text = "".join(answer.iter_text())
    found = [each.split("\n") for each in text.split("\n\n") if each]
    return [(name.removeprefix("event: "), json.loads(data[6:])) for name, data in found]


@pytest.mark.parametrize("line", ["x/x", "b50/c", "x/x/x", "a/c"])
def test_rows_come_card_by_card_and_the_last_event_is_the_report(client, address, line):
    seen = events(client, address, line)
    *parts, (last, whole) = seen
    assert (last, {name for name, _ in parts}) == ("done", {"rows"})
    cards = [row["card"] for _, part in parts for row in part["rows"]]
    assert len(cards) == len(set(cards)) == 48
    lines = {row.pop("card"): row.pop("line") for _, part in parts for row in part["rows"]}
    expected = report_data(
        report_run_outs(solved("turn"), line, cards=1 if line == "a/c" else None)
    )
    for row in whole["rows"]:
        assert row.pop("line") == lines[row["card"]]
    found, wanted = json.dumps(whole), json.dumps(expected)
    assert json.loads(found).keys() == json.loads(wanted).keys()
    for one, other in zip(whole["rows"], expected["rows"], strict=True):
        assert one["card"] == other["card"]
        assert one["weight"] == pytest.approx(other["weight"])
        assert one["ev"] == pytest.approx(other["ev"], abs=1e-6)
    assert (
        lines["Ks"]
        == {"x/x": "x/x/Ks", "b50/c": "b50/c/Ks", "x/x/x": "x/x/Ks/x", "a/c": None}[line]
    )
    again = events(client, address, line)
    assert [name for name, _ in again] == ["done"]  # kept
    assert len(again[0][1]["rows"]) == 48


@pytest.mark.parametrize("line", ["", "x/b50", "x/x/Ks", "b50/f", "?"])
def test_a_line_without_a_report_is_an_error(client, address, line):
    answer = client.get(address, params={"line": line})
    assert (answer.status_code, answer.json()["field"]) == (400, "line")


def test_one_card_at_a_time():
    from types import SimpleNamespace

    from pokerlab.holdem.spots import Spot
    from pokerlab.web.routes.report import _one_card

    spot = Spot("QhJh2c", "AA", "KK", pot=10, stack=50)
    assert _one_card(SimpleNamespace(spot=spot), "x/x") is None
    assert _one_card(SimpleNamespace(spot=spot), "x/x/x") is None
    assert _one_card(SimpleNamespace(spot=spot), "a/c") == 1
    for line in ("x/x/x/x", "x/x/x/x/x"):
        with pytest.raises(ValueError, match="leaves out two cards"):
            _one_card(SimpleNamespace(spot=spot), line)

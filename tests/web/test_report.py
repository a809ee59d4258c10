"""The next-card report as a stream: rows, then what ``pokerlab report --json`` prints."""

import json
from types import SimpleNamespace

import pytest
from tests.holdem.spots.solved_spots import solved

from pokerlab.cards.board_hands.next_cards import CARD_TEXTURES
from pokerlab.holdem.spots import Spot, report_run_outs
from pokerlab.holdem.spots.reports.steps import report_steps
from pokerlab.holdem.spots.reports.study import decision_data
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
    groups = whole.pop("groups")
    assert sum(group["cards"] for group in groups) == 48
    assert [group["texture"] for group in groups] == list(
        dict.fromkeys(
            word for word in CARD_TEXTURES if word in {row["texture"] for row in whole["rows"]}
        )
    )
    report = report_run_outs(solved("turn"), line, cards=1 if line == "a/c" else None)
    for one, other in zip(groups, report.groups("texture"), strict=True):  # report --by texture
        assert one["card"] == other.name
        assert one["weight"] == pytest.approx(other.weight)
        assert one["ev"] == pytest.approx(other.ev, abs=1e-6)
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


def steps(client, address, line):
    return client.get(f"{address}/steps", params={"line": line})


@pytest.mark.parametrize(
    ("line", "kind", "path", "options"),
    [
        ("", "decision", "", "x b50 a"),
        ("x", "decision", "d", "x b50 a"),
        ("x/x", "report", "dda", "x b75"),
        ("x/b50/c", "report", "ddda", "x b150"),
        ("x/x/x", "report", "ddad", "x b75"),
        ("x/x/b75", "report", "ddad", "f c"),
        ("x/x/b75/c", "report", "ddadd", None),
        ("x/x/b75/f", "end", "ddadd", None),
        ("x/x/Ks", "decision", "ddc", "x b75"),
        ("x/x/Ks/x/x", "end", "ddcdd", None),
        ("a/c", "report", "dd", None),
        ("b50/f", "end", "dd", None),
    ],
)
def test_the_steps_of_a_report(client, address, line, kind, path, options):
    found = steps(client, address, line).json()
    assert found["kind"] == kind
    assert "".join(step["kind"][0] for step in found["path"]) == path
    here = found["here"]
    assert (options is None) == (here is None)
    if here is not None:
        assert [each["action"] for each in here["options"]] == options.split()
        lines = [each["line"] for each in here["options"]]
        assert lines == [f"{line}/{action}".strip("/") for action in options.split()]
        if kind == "report":  # on many boards: the report says how often
            assert {each["frequency"] for each in here["options"]} == {None}
        else:
            frequencies = solved("turn").decision(line).frequencies.tolist()
            assert [each["frequency"] for each in here["options"]] == pytest.approx(frequencies)
    if line.startswith("x/x"):  # before the card it is the way of Study
        assert found["path"][:2] == decision_data(solved("turn"), "x/x")["path"]
    assert (events_status(client, address, line) == 200) == (kind == "report")
    assert (found["calm"] is not None) == (kind == "decision" and "K" not in line)


def events_status(client, address, line):
    with client.stream("GET", address, params={"line": line}) as answer:
        return answer.status_code


def test_steps_of_two_cards():
    """A flop spot: what would take the report of two cards says so."""
    spot = Spot("QhJh2c", "AA", "KK", pot=10, stack=50, bet="50%", raise_="")
    unknown = SimpleNamespace(line="", reached=False)
    solution = SimpleNamespace(spot=spot, node_locks=(), decision=lambda line: unknown)
    assert report_steps(solution, "x/x/x/x")["kind"] == "cards"
    found = report_steps(solution, "x/x/b5/c/x")
    assert found["kind"] == "cards" and [step["kind"][0] for step in found["path"]] == list(
        "ddaddad"
    )
    assert found["path"][2]["before"] == "x/x" and found["path"][5]["before"] == "x/x/b5/c"
    assert len(found["path"][2]["cards"]) == 49
    named = report_steps(solution, "x/x/Ks/b5/c")
    assert named["kind"] == "report" and named["path"][5]["street"] == "river"
    assert report_steps(solution, "x/x/Ks")["calm"] == "x/x/Ks/x/x"


@pytest.mark.parametrize("line", ["?", "x/x/x/x/x", "b51", "x/x/Qh"])
def test_steps_of_a_bad_line(client, address, line):
    answer = steps(client, address, line)
    assert (answer.status_code, answer.json()["field"]) == (400, "line")


@pytest.mark.parametrize("line", ["", "x/b50", "x/x/Ks", "b50/f", "?"])
def test_a_line_without_a_report_is_an_error(client, address, line):
    answer = client.get(address, params={"line": line})
    assert (answer.status_code, answer.json()["field"]) == (400, "line")


def test_one_card_at_a_time():
    from pokerlab.web.routes.solutions.report import _one_card

    spot = Spot("QhJh2c", "AA", "KK", pot=10, stack=50)
    assert _one_card(SimpleNamespace(spot=spot), "x/x") is None
    assert _one_card(SimpleNamespace(spot=spot), "x/x/x") is None
    assert _one_card(SimpleNamespace(spot=spot), "a/c") == 1
    for line in ("x/x/x/x", "x/x/x/x/x"):
        with pytest.raises(ValueError, match="leaves out two cards"):
            _one_card(SimpleNamespace(spot=spot), line)

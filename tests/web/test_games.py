"""Small games over the web: trees, strategies, values and races."""

import json

import pytest

from pokerlab.games import game_names
from pokerlab.solvers import solve
from pokerlab.web.routes import games


def events(text):
    """The events of a stream, as (name, data)."""
    found = []
    for block in text.strip().split("\n\n"):
        name, data = block.split("\n", 1)
        found.append((name.removeprefix("event: "), json.loads(data.removeprefix("data: "))))
    return found


def test_the_catalogue(client):
    listed = client.get("/api/games").json()["games"]
    assert {each["name"]: each["description"] for each in listed} == game_names()


def test_a_small_game_and_a_large_one(client):
    kuhn = client.get("/api/games/kuhn").json()
    assert kuhn["tree"] == {"nodes": 58, "information_sets": 12, "ends": 30}
    assert kuhn["exact"] is True
    assert "ante = 1" in kuhn["rules"]
    assert "player:1" in kuhn["views"]
    assert client.get("/api/games/kuhn.3p").json()["exact"] is False
    large = client.get("/api/games/draw").json()
    assert (large["tree"], large["exact"]) == (None, False)
    assert client.get("/api/games/draw/solution?rule=cfr").json()["field"] == "game"
    assert client.get("/api/games/draw/race").json()["field"] == "game"


def test_strategies_are_those_of_the_solver(client):
    exact = client.get("/api/games/kuhn/solution?rule=lp").json()
    assert exact["values"][0] == pytest.approx(-1 / 18)
    assert len(exact["rows"]) == 12
    answer = client.get("/api/games/kuhn/solution?rule=cfr%2B&iterations=20").json()
    solution = solve("kuhn", "cfr+", iterations=20)
    assert answer["exploitability"] == solution.exploitability
    for row in answer["rows"]:
        assert (
            dict(zip(row["actions"], row["shares"], strict=True)) == solution.strategy[row["seen"]]
        )


def test_trees_are_drawn(client):
    drawn = client.get("/api/games/kuhn/tree?view=action").json()
    assert drawn["nodes"] == 9
    assert drawn["svg"].startswith("<svg")
    assert "style=" not in drawn["svg"]  # the pages' policy would refuse it
    with_values = client.get(
        "/api/games/kuhn/tree?view=player:1&rule=lp&show=strategy,values&depth=3"
    ).json()
    assert "0.333" in with_values["svg"]
    assert client.get("/api/games/kuhn/tree?view=chance&rule=lp&show=values").status_code == 200
    top = client.get("/api/games/holdem.limit.2p/tree?view=action&depth=2").json()
    assert top["nodes"] > 3


def test_a_race_is_streamed(client):
    answer = client.get("/api/games/kuhn/race?rules=cfr,dcfr(1.5,0,2)&iterations=30")
    assert answer.headers["content-type"].startswith("text/event-stream")
    found = events(answer.text)
    assert found[-1] == ("end", {"error": ""})
    points = [point for name, data in found[:-1] for point in data]
    assert {point[0] for point in points} == {"cfr", "dcfr(1.5,0,2)"}
    assert max(point[1] for point in points) == 30


def test_races_do_not_pile_up(client, monkeypatch):
    for _ in range(3):  # a race that is refused gives its place back
        assert client.get("/api/games/kuhn/race?rules=lp").json()["field"] == "rules"
    assert games._races.acquire(blocking=False)
    assert games._races.acquire(blocking=False)
    try:
        with monkeypatch.context() as patched:
            patched.delattr(games, "_Race")  # no tree is built for a race that has no place
            assert client.get("/api/games/kuhn/race?iterations=1").json()["field"] == "race"
    finally:
        games._races.release()
        games._races.release()
    assert client.get("/api/games/kuhn/race?iterations=1").status_code == 200


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("nothing", 404),
        ("..%2fkuhn", 404),
        ("kuhn.toml", 404),
        ("nothing/solution", 404),
        ("nothing/race", 404),
        ("nothing/tree", 404),
        ("kuhn/solution?rule=magic", 400),
        ("kuhn/solution?rule=cfr&iterations=0", 400),
        ("kuhn/solution?rule=cfr&iterations=1e9", 400),
        ("kuhn/solution?rule=cfr&iterations=٣", 400),
        ("kuhn.3p/solution?rule=lp", 400),
        ("kuhn/tree?view=upside-down", 400),
        ("kuhn/tree?depth=-1", 400),
        ("kuhn/tree?show=magic&rule=lp", 400),
        ("kuhn/tree?show=values", 400),
        ("kuhn/tree?path=%00((", 400),
        ("leduc/tree", 400),
        ("draw/tree?view=game&depth=3", 400),
        ("kuhn/race?rules=magic", 400),
        ("kuhn/race?rules=", 400),
        ("kuhn/race?rules=lp", 400),
        ("kuhn/race?seconds=1000", 400),
    ],
)
def test_bad_requests_are_one_line(client, path, status):
    answer = client.get(f"/api/games/{path}")
    assert answer.status_code == status, answer.text
    assert answer.json()["error"]

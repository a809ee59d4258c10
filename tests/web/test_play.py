"""The Play page's addresses: tables of every kind, bad input, a server that is started anew."""

import dataclasses
import threading
import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient
from tests.players.bots.nolimit.small_menus import SMALL
from tests.web.conftest import RIVER, TOKEN

from pokerlab.games.formats.phh import parse_hand_histories
from pokerlab.players.bots.nolimit import street
from pokerlab.web import make_app


def sit(client, **asked):
    answer = client.post("/api/play", json=asked)
    assert answer.status_code == 200, answer.json()
    return answer.json()


def act(client, table, answer):
    return client.post(
        f"/api/play/tables/{table['table']}/act",
        json={"answer": answer, "betting": table["betting"], "number": table["number"]},
    )


def play(client, table, hands, answer="c"):
    """Play to the end of a number of hands."""
    while table["hands"] < hands:
        if table["decision"] is None:
            table = client.post(f"/api/play/tables/{table['table']}/next").json()
        else:
            drawing = table["decision"]["drawing"]
            table = act(client, table, "0" if drawing else answer).json()
    return table


def test_games_and_who_plays_them(client):
    found = client.get("/api/play").json()
    games = {game["name"]: game for game in found["games"]}
    assert games["holdem.limit.3p"]["players"] == 3 and "pennies" not in games
    assert "fair" in found["bots"] and not {"exec", "cases"} & set(found["bots"])
    assert {file["words"] for file in found["files"]} == {"river.safetensors", "river.toml"}
    kuhn = client.get("/api/play/bots", params={"game": "kuhn"}).json()
    assert {"caller", "fair", "montecarlo"} <= set(kuhn["bots"]) and "draw" not in kuhn["bots"]
    name = next(file["name"] for file in found["files"] if "safe" in file["words"])
    assert client.get("/api/play/bots", params={"game": name}).json()["bots"][0] == "solution"


def test_five_hands_of_kuhn_and_their_log(client):
    table = play(client, sit(client, game="kuhn", bots=["caller"], seed=1), 5)
    assert table["hands"] == 5 and table["result"]["words"].startswith(("You", "Nothing"))
    assert table["scores"]["you"] == -table["scores"]["caller"]
    assert [row["number"] for row in table["last_hands"]] == [5, 4, 3, 2, 1]
    where = f"/api/play/tables/{table['table']}"
    assert client.get(where).json() == table
    statistics = client.get(f"{where}/statistics").json()
    assert statistics["players"]["you"]["hands"] == 5 and len(statistics["curve"]) == 5
    assert statistics["curve"][-1] == [5, table["scores"]["you"]]
    log = client.get(f"{where}/log")
    assert log.text.count("STATE:") == 5 and "kuhn.log" in log.headers["content-disposition"]


def test_a_log_of_holdem_is_phh(client):
    table = play(client, sit(client, game="holdem.nolimit.3p", bots=["caller", "folder"]), 2)
    log = client.get(f"/api/play/tables/{table['table']}/log")
    records = list(parse_hand_histories(log.text))
    assert len(records) == 2 and "you" in records[0].players
    assert sum(r.payoffs[r.players.index("you")] for r in records) == table["scores"]["you"]


@pytest.mark.parametrize("game", ["draw", "kuhn.3p", "leduc", "rhodeisland"])
def test_tables_survive_a_restart(client, folder, game):
    players = 3 if game == "kuhn.3p" else 2
    table = play(client, sit(client, game=game, bots=["caller"] * (players - 1), seed=3), 2)
    with TestClient(make_app(folder, token=TOKEN), base_url="http://127.0.0.1:8642") as again:
        again.get(f"/?token={TOKEN}")
        found = again.get(f"/api/play/tables/{table['table']}").json()
        assert found["hands"] >= 2 and found["scores"].keys() == table["scores"].keys()
        assert found["last_hands"][-2:] == table["last_hands"]
        assert play(again, found, 4)["hands"] >= 4


def test_a_spot_against_its_solution(client, ids):
    table = sit(client, game=f"file:{ids['river.safetensors']}", bots=["solution"], seat=0, seed=2)
    assert table["board"] == "QhJh2c4d7h" and table["pot"] == 101
    assert [seat["name"] for seat in table["seats"]] == ["you", "solution"]
    table = act(client, table, "50%").json()
    assert "bet 50.5" in [event["words"] for event in table["events"]]
    assert play(client, table, 3)["hands"] == 3
    assert sit(client, game=f"file:{ids['river.toml']}", bots=["fair"])["pot"] >= 101


def test_results_in_a_spot_are_those_of_the_trainer(client, folder, ids):
    spot = dataclasses.replace(RIVER, pot=92, rake=0.05)
    for name, rest in (("raked", ""), ("blinds", "big_blind = 10\n")):
        (folder / f"{name}.toml").write_text(spot.to_toml() + rest, encoding="utf-8")
    ids = {entry["name"]: entry["id"] for entry in client.get("/api/library").json()["files"]}
    table = sit(client, game=f"file:{ids['raked.toml']}", bots=["folder"], seat=0, seed=2)
    table = act(client, table, "50%").json()
    assert table["result"]["words"] == "You win 87.4"  # the pot less 5%, as Train and Study count
    assert table["scores"] == {"you": pytest.approx(87.4), "folder": 0.0}
    assert table["last_hands"][0]["won"] == pytest.approx(87.4)
    found = client.get(f"/api/play/tables/{table['table']}/statistics").json()
    assert (found["unit"], found["players"]["you"]["a_hand"]) == ("chips", pytest.approx(87.4))
    assert found["curve"] == [[1, pytest.approx(87.4)]]
    table = sit(client, game=f"file:{ids['blinds.toml']}", bots=["raiser"], seat=1, seed=2)
    table = act(client, table, "f").json()
    assert table["result"]["words"] == "Nothing won or lost"
    found = client.get(f"/api/play/tables/{table['table']}/statistics").json()
    assert (found["unit"], found["players"]["you"]["a_hand"]) == ("mbb", 0.0)
    assert found["players"]["raiser"]["a_hand"] == pytest.approx(8740)


def test_the_share_of_a_raise_is_what_it_adds_to_a_call(client, ids):
    game = f"file:{ids['river.toml']}"
    table = sit(client, game=game, bots=["raiser"], seat=1, seed=1)
    bet, pot = table["seats"][1]["bet"], table["pot"]
    raises = [each for each in table["decision"]["choices"] if each["kind"] in "ra"]
    assert [each["answer"] for each in raises] == ["50%", "75%", "pot", "a"]
    for choice in raises:
        amount = float(choice["words"].split()[-1])
        assert choice["help"] == f"{(amount - bet) / (pot + bet):.0%} of the pot"


@pytest.mark.parametrize(
    ("asked", "field", "message"),
    [
        ({"game": "poker", "bots": ["fair"]}, "game", "there is no card game 'poker'"),
        ({"game": "pennies", "bots": ["fair"]}, "game", "there is no card game 'pennies'"),
        ({"game": "../kuhn.toml", "bots": ["fair"]}, "game", "there is no card game"),
        ({"game": "kuhn", "bots": []}, "bots", "1 to 5 can play against you"),
        ({"game": "kuhn", "bots": ["fair", "fair"]}, "bots", "kuhn is a game for 2 players"),
        ({"game": "kuhn", "bots": ["riser"]}, "bots", "there is no bot 'riser'"),
        ({"game": "kuhn", "bots": ["exec:rm -rf"]}, "bots", "there is no bot 'exec:rm -rf'"),
        ({"game": "kuhn", "bots": ["my.py:Bot"]}, "bots", "there is no bot 'my.py:Bot'"),
        ({"game": "kuhn", "bots": ["strategy:a"]}, "bots", "there is no bot 'strategy:a'"),
        ({"game": "kuhn", "bots": ["limit2:a.st"]}, "bots", "limit2 takes no file"),
        ({"game": "kuhn", "bots": ["draw"]}, "bots", "plays five-card draw, not kuhn"),
        ({"game": "kuhn", "bots": ["random:x"]}, "bots", "random"),
        ({"game": "kuhn", "bots": "fair"}, "bots", "name one for each other seat"),
        ({"game": "kuhn", "bots": ["fair"], "seat": 2}, "seat", "has the seats 0 to 1"),
        ({"game": "kuhn", "bots": ["fair"], "seat": 0.5}, "seat", "is not a whole number"),
        ({"bots": ["fair"]}, "game", "game is missing"),
    ],
)
def test_bad_tables_are_named_by_field(client, asked, field, message):
    answer = client.post("/api/play", json=asked)
    assert answer.status_code == 400 and answer.json()["field"] == field, answer.json()
    assert message in answer.json()["error"]


def test_bad_answers(client):
    table = sit(client, game="holdem.nolimit.2p", bots=["caller"], seat=0, seed=1)
    for answer in ("", "dunno", "1", "99999999999999999999", "%%%", "r-5", "300 400"):
        refused = act(client, table, answer)
        assert refused.status_code == 400 and refused.json()["field"] == "answer"
    assert act(client, table, "300").status_code == 200
    late = act(client, table, "300")
    assert late.json()["error"] == "this decision has been made already"
    assert client.post(f"/api/play/tables/{table['table']}/next").status_code == 400
    for path in ("", "/log", "/statistics"):
        assert client.get(f"/api/play/tables/{'0' * 24}{path}").status_code == 404
        assert client.get(f"/api/play/tables/nobody{path}").status_code == 404
    assert client.get(f"/api/play/tables/{table['table']}/log").status_code == 404
    assert client.get("/api/play/bots?game=file:nothing").status_code == 404


JSON = st.none() | st.integers() | st.text(max_size=6) | st.lists(st.text(max_size=6), max_size=2)


@settings(deadline=None, suppress_health_check=list(HealthCheck))
@given(st.dictionaries(st.sampled_from(["game", "bots", "seat", "seed"]), JSON), st.binary())
def test_no_request_is_a_fault_of_the_server(client, asked, body):
    assert client.post("/api/play", json=asked).status_code in (400, 404)
    assert client.post("/api/play", content=body).status_code == 400


@pytest.fixture
def small_menus(monkeypatch):
    monkeypatch.setattr(street, "LADDERS", SMALL)


def patient(client, table):
    """The table when the bot has thought."""
    while table["thinking"]:
        time.sleep(0.02)
        table = client.get(f"/api/play/tables/{table['table']}").json()
    return table


def test_nolimit_thinks_explains_and_its_solves_open(client, small_menus):
    bot = "nolimit:iterations=3,threads=1"
    table = sit(client, game="holdem.nolimit.2p", bots=[bot], stack=20, seed=3, seat=0)
    assert [seat["stack"] + seat["bet"] for seat in table["seats"]] == [2000, 2000]
    assert not table["explains"] and not table["thinking"]
    where = f"/api/play/tables/{table['table']}"
    assert "no hand has been played" in client.get(f"{where}/why").json()["error"]
    while table["decision"] is not None:
        table = patient(client, act(client, table, "c").json())
    assert table["explains"] and table["hands"] == 1
    why = client.get(f"{where}/why").json()
    assert why["number"] == 1 and {each["who"] for each in why["decisions"]} == {
        "you",
        table["seats"][1]["name"],
    }
    solved = [each for each in why["decisions"] if each["solve"]]
    assert {each["street"] for each in solved} >= {"flop", "turn"}
    for each in why["decisions"]:
        assert [len(each["ranges"][name]["weights"]) for name in each["ranges"]] == [169, 169]
    for each in solved[:1] + solved[-1:]:
        kept = client.post(f"{where}/keep", json={"decision": each["number"]}).json()
        assert kept["line"] == each["solve"]["line"]
        node = client.get(f"/api/solutions/{kept['id']}/node", params={"line": kept["line"]})
        assert node.status_code == 200 and node.json()["kind"] == "decision"
    first = client.post(f"{where}/keep", json={"decision": 1})
    assert first.status_code == 400 and "no solve to keep" in first.json()["error"]
    assert client.post(f"{where}/keep", json={"decision": 99}).status_code == 400


def test_blinds_and_antes_are_chosen(client, folder):
    asked = {"bots": ["caller"], "stack": 20, "blinds": "1/2/1", "seat": 0, "seed": 3}
    table = sit(client, game="holdem.nolimit.2p", **asked)
    assert sorted(seat["bet"] for seat in table["seats"]) in ([1, 2], [2, 2])
    table = play(client, table, 2)
    with TestClient(make_app(folder, token=TOKEN), base_url="http://127.0.0.1:8642") as again:
        again.get(f"/?token={TOKEN}")
        where = f"/api/play/tables/{table['table']}"
        assert again.get(where).json()["scores"] == table["scores"]
        for hand in parse_hand_histories(again.get(f"{where}/log").text):
            game = hand.final.game
            assert (sorted(game.blinds), game.ante, set(game.stacks)) == ([1, 2], 1, {40})
    three = sit(client, game="holdem.nolimit.3p", bots=["caller"] * 2, blinds="10/20", seat=2)
    assert sum(seat["bet"] for seat in three["seats"]) == 30


def test_nobody_acts_while_a_bot_thinks(client, monkeypatch):
    go = threading.Event()

    def think(bot, view):
        assert go.wait(20)
        return "c"

    monkeypatch.setattr("pokerlab.players.bots.nolimit.bot.NolimitBot.act", think)
    monkeypatch.setattr("pokerlab.web.routes.play._PATIENCE", 0.01)
    go.set()
    table = sit(client, game="holdem.nolimit.2p", bots=["nolimit"], seed=3, seat=0)
    go.clear()
    table = act(client, table, "c").json()
    while not table["thinking"]:
        table = act(client, table, "c").json()
    again = act(client, table, "c")
    assert again.status_code == 400 and "thinking" in again.json()["error"]
    where = f"/api/play/tables/{table['table']}"
    assert client.post(f"{where}/next").status_code == 400
    assert client.get(where).json()["thinking"]
    go.set()
    assert patient(client, table)["decision"] is not None


@pytest.mark.parametrize(
    ("asked", "field", "why"),
    [
        ({"bots": ["nolimit:log=x"]}, "bots", "on this page"),
        ({"bots": ["nolimit:library=x"]}, "bots", "on this page"),
        ({"bots": ["nolimit:chart"]}, "bots", "on this page"),
        ({"bots": ["nolimit:seconds=0"]}, "bots", "must be from 0.01"),
        ({"stack": 4}, "stack", "4 is not from 5 to 250"),
        ({"stack": 20, "game": "kuhn"}, "stack", "no-limit games of the catalogue"),
        ({"blinds": "2/1"}, "blinds", "blinds 2/1: write small and big blind in chips"),
        ({"blinds": "0/1"}, "blinds", "write small and big"),
        ({"blinds": "1/2/3"}, "blinds", "an ante is at most the big blind"),
        ({"blinds": "9" * 5000 + "/2"}, "blinds", "write small and big"),
        ({"blinds": "1/2", "game": "kuhn"}, "blinds", "kuhn is not a no-limit game"),
        ({"blinds": 12}, "blinds", "12 is not a text"),
        ({"blinds": "5/5"}, "bots", "nolimit cannot play"),
    ],
)
def test_nolimit_tables_that_cannot_be(client, asked, field, why):
    asked = {"game": "holdem.nolimit.2p", "bots": ["nolimit"]} | asked
    answer = client.post("/api/play", json=asked)
    assert answer.status_code == 400
    assert answer.json()["field"] == field and why in answer.json()["error"]

"""The addresses of the Editor: spots are checked, saved and read again; ranges are kept."""

import json
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.holdem.spots.question.test_spot_fuzz import values
from tests.web.conftest import RIVER

from pokerlab.cards import Range
from pokerlab.holdem.spots import Spot
from pokerlab.holdem.spots.cost import estimate_cost
from pokerlab.web.pages.spot_forms import NEW_SPOT, form_fields, saved_fields


def check(client, fields, **options):
    return client.post("/api/spots/check", json={"spot": fields} | options)


def test_the_first_form_is_a_spot_that_is_weighed(client):
    form = client.get("/api/spots/new").json()
    answer = check(client, form["fields"], target="0.5%").json()
    assert answer["errors"] == {}
    spot = Spot.from_fields(NEW_SPOT)
    found = answer["spot"]
    assert Spot.from_toml(found["toml"]) == spot
    cost = estimate_cost(spot)
    assert found["cost"]["nodes"] == cost.to_json()["nodes"]
    assert [each["bits"] for each in found["cost"]["memory"]] == [32, 16]
    assert found["cost"]["time"]
    assert found["street"] == "flop"
    assert answer["ranges"]["oop"]["combos"] == spot.oop.combos
    assert answer["ranges"]["oop"]["weights"] == spot.oop.weights.tolist()
    assert answer["ranges"]["ip"]["live"] == spot.ranges[1].combos


def test_a_spot_of_the_folder_is_opened_changed_and_saved(client, folder, ids):
    form = client.get(f"/api/spots/{ids['river.toml']}").json()
    assert form["name"] == "river"
    assert form["fields"]["bet"]["river"] == {"oop": "50%, a", "ip": "50%, a"}
    fields = form["fields"] | {"pot": 202}
    saved = client.post(
        "/api/spots", json={"spot": fields, "name": "double", "id": form["id"]}
    ).json()
    again = client.get(f"/api/spots/{saved['id']}").json()
    assert again["fields"]["pot"] == 202
    assert Spot.from_file(folder / "double.toml").bet == RIVER.bet
    taken = client.post("/api/spots", json={"spot": fields, "name": "double.toml"})
    assert (taken.status_code, taken.json()["field"]) == (400, "name")
    replaced = client.post(
        "/api/spots", json={"spot": fields | {"pot": 203}, "name": "double", "replace": True}
    )
    assert replaced.status_code == 200
    stale = client.post(
        f"/api/spots/{saved['id']}", json={"spot": fields, "version": again["version"]}
    )
    assert "changed elsewhere" in stale.json()["error"]
    version = replaced.json()["version"]
    fresh = client.post(f"/api/spots/{saved['id']}", json={"spot": fields, "version": version})
    assert fresh.status_code == 200
    assert Spot.from_file(folder / "double.toml").pot == 202
    (folder / "double.toml").unlink()


def test_each_fault_stands_under_its_field(client):
    fields = form_fields(NEW_SPOT) | {"board": "Qs7h", "oop": "6x", "pot": "", "rum": 1}
    fields["bet"]["flop"]["ip"] = "33"
    answer = check(client, fields).json()
    assert set(answer["errors"]) == {"board", "oop", "pot", "bet.flop.ip", "rum"}
    assert answer["spot"] is None
    assert answer["ranges"]["oop"] is None
    assert answer["ranges"]["ip"]["combos"] > 0
    refused = client.post("/api/spots", json={"spot": fields, "name": "bad"})
    assert refused.status_code == 400
    assert refused.json()["field"] in answer["errors"]


def test_a_story_whose_ranges_are_missing_says_so(client, folder):
    form = client.get("/api/spots/new").json()["fields"]
    story = {name: form[name] for name in ("board", "bet", "raise")} | {"preflop": "SB limp"}
    for ranges, field, message in (
        (None, "preflop", "BB has not acted: end with 'BB check'"),  # the charts of the package
        ("5bb", "ranges", "5 big blinds: the charts of the package are for 15 to 300"),
        ("no.toml", "ranges", "no.toml: cannot be read: No such file or directory"),
    ):
        asked = {"spot": {**story, "ranges": ranges}}
        errors = client.post("/api/spots/check", json=asked).json()["errors"]
        assert errors == {field: message}


def test_big_blinds_are_named_only_if_somebody_gave_one(client):
    form = client.get("/api/spots/new").json()["fields"]
    found = client.post("/api/spots/check", json={"spot": form}).json()["spot"]["chips_text"]
    assert found.startswith("5.5 big blinds in the pot, 97.5 behind: a stack-to-pot ratio of 17.7")
    form.pop("big_blind")
    found = client.post("/api/spots/check", json={"spot": form}).json()["spot"]["chips_text"]
    assert "no big blind is given, so results are in chips" in found
    assert "big blinds in the pot" not in found


def test_options_of_the_solve_have_errors_too(client):
    answer = check(
        client, form_fields(NEW_SPOT), target="soon", precision=8, device="tpu", groups="nothing"
    ).json()
    assert set(answer["errors"]) == {"target", "precision", "device", "groups"}
    assert set(check(client, form_fields(NEW_SPOT), target="0%").json()["errors"]) == {"target"}


def test_a_lower_target_and_a_card(client):
    fields = form_fields(RIVER.fields())
    answer = check(client, fields, target="0.1%", device="gpu", open=["x"]).json()
    assert answer["spot"]["cost"]["percent"] == pytest.approx(0.1)
    assert set(answer["spot"]["cost"]["card"]) == {"32", "16"}
    assert answer["spot"]["tree"]["actions"][0]["below"]["player"] == "ip"


def test_what_cannot_be_built_is_one_line(client):
    sizes = ", ".join(f"{number}%" for number in range(1, 40))
    fields = form_fields(
        NEW_SPOT | {"bet": sizes, "raise": sizes, "max_bets": None, "stack": 10**6}
    )
    answer = check(client, fields).json()
    assert "choose fewer sizes" in answer["errors"]["spot"]
    assert answer["spot"] is None


def test_sizes_that_cost_most_come_with_the_menus_that_are_left(client):
    fields = form_fields(RIVER.fields())
    answer = client.post("/api/spots/weigh", json={"spot": fields}).json()
    cuts = answer["cuts"]
    assert cuts
    assert [cut["share"] for cut in cuts] == sorted((cut["share"] for cut in cuts), reverse=True)
    first = cuts[0]
    fields[first["kind"]][first["street"]] = first["menus"]
    smaller = estimate_cost(Spot.from_fields(fields)).peak_bytes
    whole = estimate_cost(RIVER).peak_bytes
    assert first["share"] == pytest.approx((whole - smaller) / whole)
    nothing = {"spot": fields | {"board": ""}}
    assert client.post("/api/spots/weigh", json=nothing).json() == {"cuts": []}
    assert client.post("/api/spots/fit", json=nothing).json() == {"groups": None, "fit": None}


def test_groups_are_weighed(client):
    body = {"spot": form_fields(RIVER.fields()), "groups": "view"}
    answer = client.post("/api/spots/fit", json=body).json()
    assert [each["bits"] for each in answer["groups"]] == [32, 16]
    assert answer["fit"] is None


def test_what_does_not_fit_is_fitted(client, monkeypatch):
    monkeypatch.setattr("pokerlab.web.pages.spot_forms.free_memory", lambda: 1_000_000)
    body = {"spot": form_fields(RIVER.fields())}
    fit = client.post("/api/spots/fit", json=body).json()["fit"]
    assert "are too little" in fit["reason"]
    memory = check(client, body["spot"]).json()["spot"]["cost"]["memory"]
    assert [each["fits"] for each in memory] == [False, False]


def test_ranges_are_checked_saved_listed_and_removed(client, folder):
    painted = [0.0] * 1326
    painted[1325] = 0.33333
    answer = client.post("/api/ranges/check", json={"weights": painted, "board": "AsKd2c"}).json()
    assert (answer["text"], answer["combos"], answer["live"]) == ("AsAh:0.3333", 0.3333, 0)
    name = {"name": "BB call", "text": "QQ-22, A5s:0.5"}
    assert client.post("/api/ranges", json=name).json() == {"file": "ranges/BB call.txt"}
    assert client.post("/api/ranges", json=name).json()["field"] == "name"
    assert client.post("/api/ranges", json=name | {"replace": True}).status_code == 200
    (folder / "notes.txt").write_text("not a range at all", encoding="utf-8")
    (folder / "six-max.toml").write_text(
        '[ranges]\n"BTN raise 2.5" = "22+"\n"BTN raise 2.5, BB call" = "@ranges/BB call.txt"\n',
        encoding="utf-8",
    )
    listed = client.get("/api/ranges").json()
    assert [(each["name"], each["combos"]) for each in listed["ranges"]] == [("BB call", 68.0)]
    assert listed["stories"] == [{"file": "six-max.toml", "stories": ["BTN raise 2.5, BB call"]}]
    story = {"board": "Qs7h2d", "preflop": "BTN raise 2.5, BB call", "ranges": "six-max.toml"}
    told = check(client, story).json()
    assert told["errors"] == {}
    assert Range(told["spot"]["oop"]) == Range("QQ-22, A5s:0.5")
    assert (told["spot"]["pot"], told["spot"]["aggressor"]) == (5.5, "ip")
    assert 'preflop = "BTN raise 2.5, BB call"' in told["spot"]["toml"]
    assert "oop" not in told["spot"]["toml"]
    named = check(client, form_fields(NEW_SPOT) | {"oop": "@ranges/BB call.txt"}).json()
    assert named["ranges"]["oop"]["combos"] == 68
    assert 'oop = "@ranges/BB call.txt"' in named["spot"]["toml"]
    gone = {"file": "ranges/BB call.txt"}
    assert client.post("/api/ranges/delete", json=gone).status_code == 200
    assert client.post("/api/ranges/delete", json=gone).status_code == 404
    assert client.post("/api/ranges/delete", json={"file": "river.toml"}).status_code == 404


@pytest.mark.parametrize(
    "name", ["", " ", "../up", "a/b", "a\\b", ".hidden", "a\nb", "a\0b", "x" * 200, 'a"b', 3, None]
)
def test_names_stay_in_the_folder(client, folder, name):
    before = sorted(folder.rglob("*"))
    for address, body in (
        ("/api/spots", {"spot": form_fields(NEW_SPOT)}),
        ("/api/ranges", {"text": "AA"}),
    ):
        answer = client.post(address, json=body | {"name": name})
        assert answer.status_code == 400, answer.text
        assert answer.json()["field"] == "name"
    assert sorted(folder.rglob("*")) == before


@pytest.mark.parametrize("text", ["@../../../etc/passwd", "@/etc/passwd", "@~/.ssh/id_rsa", "@"])
def test_no_range_is_read_from_elsewhere(client, text):
    answer = client.post("/api/ranges/check", json={"text": text})
    assert answer.status_code == 400
    assert "root" not in answer.text
    fields = form_fields(NEW_SPOT) | {"oop": text, "ip": text}
    assert set(check(client, fields).json()["errors"]) == {"oop", "ip"}
    story = {"board": "Qs7h2d", "preflop": "BTN raise, BB call", "ranges": text[1:]}
    assert "ranges" in check(client, story).json()["errors"]


@pytest.mark.parametrize(
    ("address", "body"),
    [
        ("/api/spots/check", {}),
        ("/api/spots/check", {"spot": []}),
        ("/api/spots/check", {"spot": {}, "id": 7}),
        ("/api/spots/weigh", {"spot": "x"}),
        ("/api/ranges/check", {"weights": [1, 2]}),
        ("/api/ranges/check", {"weights": ["a"] * 1326}),
        ("/api/ranges/check", {"text": "AA", "board": "Zz"}),
        ("/api/ranges/check", {}),
        ("/api/ranges", {"name": "a", "text": ""}),
        ("/api/ranges", {"name": "a", "text": "6x"}),
    ],
)
def test_bad_requests_are_refused_in_one_line(client, address, body):
    answer = client.post(address, json=body)
    assert answer.status_code == 400
    assert answer.json()["error"]


def test_unknown_spots(client, ids):
    assert client.get("/api/spots/0000").status_code == 404
    assert client.get(f"/api/spots/{ids['river.safetensors']}").status_code == 404
    assert client.post("/api/spots/0000", json={"spot": {}}).status_code == 404
    assert client.post("/api/spots/check", json={"spot": {}, "id": "0000"}).status_code == 404


def test_a_spot_that_is_wrong_can_be_opened(client, folder):
    (folder / "wrong.toml").write_text(
        'board = "Qs7h2d"\npot = 2020-01-01\nbet = "33"\n', encoding="utf-8"
    )
    listed = client.get("/api/library").json()["files"]
    id_ = next(entry["id"] for entry in listed if entry["name"] == "wrong.toml")
    form = client.get(f"/api/spots/{id_}").json()
    assert form["fields"]["bet"] == {"flop": {"oop": "33", "ip": "33"}}
    assert {"pot", "oop", "bet.flop.oop"} <= set(check(client, form["fields"]).json()["errors"])
    (folder / "wrong.toml").unlink()


plain = values.filter(lambda value: _is_json(value))


def _is_json(value):
    try:
        json.dumps(value, allow_nan=False)
    except (TypeError, ValueError):
        return False
    return True


@given(
    st.dictionaries(st.sampled_from([*NEW_SPOT, "donk", "added", "locks", "x"]), plain, max_size=3),
    st.dictionaries(st.sampled_from(["open", "target", "groups", "device"]), plain, max_size=2),
)
def test_no_form_is_answered_with_500(client, changes, options):
    fields = form_fields(RIVER.fields()) | changes
    answer = client.post("/api/spots/check", json={"spot": fields} | options)
    assert answer.status_code == 200
    assert (answer.json()["spot"] is None) <= bool(answer.json()["errors"])


def test_files_keep_what_was_written():
    fields = form_fields(NEW_SPOT) | {"pot": "5.5bb", "stack": "97.5bb", "rake": 0}
    kept = saved_fields(fields, Spot.from_fields(fields))
    assert (kept["pot"], kept["stack"]) == ("5.5bb", "97.5bb")
    assert "rake" not in kept
    assert Spot.from_fields(kept) == Spot.from_fields(fields)


PRIZES = {"payouts": "50, 30, 20", "others": "20, 12", "stack": [22, 34], "pot": 12}
RIVER_FORM = {**RIVER.fields(), **PRIZES}


def worths_by_orders(stacks, payouts):
    """The independent chip model by all orders in which players may finish."""
    found = [0.0] * len(stacks)
    for order in permutations(range(len(stacks))):
        chance, left = 1.0, sum(stacks)
        for player in order:
            chance, left = chance * stacks[player] / left, left - stacks[player]
            if left <= 0:
                break
        for place, prize in enumerate(payouts):
            found[order[place]] += chance * prize / sum(payouts)
    return found


def test_stacks_are_worth_what_all_orders_say(client):
    rows = check(client, RIVER_FORM).json()["spot"]["prizes"]["rows"]
    worth = worths_by_orders([28, 40, 20, 12], [50, 30, 20])
    assert [row["worth"] for row in rows] == pytest.approx(worth)
    won, lost = (
        worths_by_orders(stacks, [50, 30, 20]) for stacks in ([34, 34, 20, 12], [22, 46, 20, 12])
    )
    assert rows[0]["wins"] == pytest.approx(won[0])
    assert rows[0]["gives_up"] == pytest.approx(lost[0])
    assert rows[1]["wins"] == pytest.approx(lost[1])
    bounties = RIVER_FORM | {"bounty": "10, 20, 5, 5", "progressive": True}
    found = check(client, bounties).json()["spot"]["prizes"]
    assert found["pool"] == 140
    first = (100 * worth[0] + 40 * 0.28) / 140
    assert found["rows"][0]["worth"] == pytest.approx(first)
    assert check(client, RIVER.fields()).json()["spot"]["prizes"] is None


def test_prizes_are_saved_with_the_spot(client, folder):
    fields = RIVER_FORM | {"bounty": "10", "progressive": True}
    saved = client.post("/api/spots", json={"spot": fields, "name": "bubble"}).json()
    spot = Spot.from_file(folder / "bubble.toml")
    assert (spot.payouts, spot.others, spot.bounty) == ((50, 30, 20), (20, 12), (10, 10, 10, 10))
    assert spot.progressive
    again = client.get(f"/api/spots/{saved['id']}").json()["fields"]
    assert Spot.from_fields(again) == spot
    (folder / "bubble.toml").unlink()


@pytest.mark.parametrize(
    ("changes", "field", "words"),
    [
        ({"others": "20"}, None, None),
        ({"others": ""}, "payouts", "3 prizes for 2 players; give the prizes that are still to"),
        ({"payouts": "50, x"}, "payouts", "'x' is not a number such as 50"),
        ({"payouts": None}, "others", "needs payouts, such as payouts = [50, 30, 20]"),
        ({"bounty": "1, 2, 3"}, "bounty", "3 for 4 players; give one, or one each"),
        ({"others": "20, -1"}, "others", "'-1' is not a number of chips above 0"),
        ({"rake": 0.05}, "rake", "does not work with payouts"),
        ({"progressive": "yes"}, "progressive", "'yes' is not true or false"),
    ],
)
def test_faults_of_prizes_stand_under_their_fields(client, changes, field, words):
    errors = check(client, RIVER_FORM | changes | {"board": "Qh"}).json()["errors"]
    assert errors.pop("board")
    assert set(errors) == ({field} if field else set())
    assert field is None or words in errors[field]

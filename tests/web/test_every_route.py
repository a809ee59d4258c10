"""Every address in turn, attacked as a stranger would: hostile names, wrong types, foreign pages.

A route without a good request in `GETS` or `POSTS` fails the first test, so that a new one cannot
be forgotten; a good request must be answered, so that what is wrong with the others is one thing.
"""

import inspect
import json
import re
import shutil
import time
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.routing import Route
from starlette.testclient import TestClient
from tests.histories import NIGHT
from tests.holdem.spots.solved_spots import solved

from pokerlab.web import make_app
from pokerlab.web.jobs.job_folder import JobFolder

from .conftest import RIVER, TOKEN
from .made_batch import make_batch
from .test_locks import MODEL
from .test_strategies import save_strategy

LONGEST = 5.0
"""Seconds that no answer may take, once its kernels are compiled."""
STUDIED = {"line": "x"}

# fmt: off
GETS = {
    "/api/library": {},
    "/api/jobs": {},
    "/api/jobs/{id}": {},
    "/api/jobs/{id}/events": {},
    "/api/spots/new": {"history": "HISTORY", "hand": "1", "ranges": ""},
    "/api/spots/ready": {
        "table": "heads-up", "opener": "SB", "other": "BB",
        "stack": "100", "pot": "single-raised", "raiser": "SB",
    },
    "/api/spots/{id}": {},
    "/api/ranges": {},
    "/api/boards": {"board": "Kh7d2c", "near": "TURN", "line": "x", "as": ""},
    "/api/batches": {},
    "/api/batches/{id}": {},
    "/api/batches/{id}/report": {"line": "", "hands": "", "flops": "", "where": "", "group": ""},
    "/api/batches/{id}/csv": {"line": "", "hands": "", "unit": "bb"},
    "/api/solutions/{id}": {},
    "/api/solutions/{id}/node": STUDIED,
    "/api/solutions/{id}/values": STUDIED,
    "/api/solutions/{id}/hand": {**STUDIED, "hand": "JJ", "player": "ip"},
    "/api/solutions/{id}/deal": {**STUDIED, "deal": "", "least": "5", "seed": "1"},
    "/api/solutions/{id}/filter": {**STUDIED, "hands": "AA"},
    "/api/solutions/{id}/range": {**STUDIED, "player": "ip", "action": "x", "hands": ""},
    "/api/solutions/{id}/hands.csv": {**STUDIED, "player": "ip", "hands": "", "unit": "pot"},
    "/api/solutions/{id}/gain": {},
    "/api/solutions/{id}/report": {"line": "x/x"},
    "/api/solutions/{id}/report/steps": {"line": "x/x"},
    "/api/strategies/{id}": {},
    "/api/strategies/{id}/node": {"line": "c", "board": ""},
    "/api/strategies/{id}/deal": {"line": "", "deal": "", "board": "", "least": "2", "seed": "1"},
    "/api/compare/{first}/{second}": STUDIED,
    "/api/train/folder": {},
    "/api/train/progress": {},
    "/api/train/files/{file}": {},
    "/api/train/tables/{table}": {},
    "/api/play": {},
    "/api/play/bots": {"game": "kuhn"},
    "/api/play/tables/{table}": {},
    "/api/play/tables/{table}/why": {},
    "/api/play/tables/{table}/statistics": {},
    "/api/play/tables/{table}/log": {},
    "/api/hands": {
        "files": "HISTORY", "player": "ann", "position": "", "cards": "AA", "result": "won",
        "pot": "", "stakes": "", "seats": "2", "flop": "1", "reached": "river", "least": "1",
        "most": "", "text": "4", "order": "won", "descending": "1", "first": "0", "count": "9",
    },
    "/api/hands/unread": {"files": "HISTORY"},
    "/api/hands/players": {"files": "HISTORY", "seats": "2"},
    "/api/hands/of/{file}/{place}": {"ranges": ""},
    "/api/hands/judged/{id}": {},
    "/api/hands/judged/{id}/decisions.csv": {},
    "/api/games": {},
    "/api/games/{name}": {},
    "/api/games/{name}/solution": {"rule": "lp", "iterations": "10"},
    "/api/games/{name}/tree": {
        "view": "game", "depth": "2", "path": "", "show": "", "rule": "", "iterations": "10"
    },
    "/api/games/{name}/race": {"rules": "cfr", "iterations": "4", "seconds": "1"},
    "/api/charts": {},
    "/api/charts/{id}": {},
    "/api/charts/{id}/node": {"line": "r2.5"},
    "/api/charts/{id}/near": {"line": "r2.5"},
    "/api/charts/{id}/spot": {"line": "r2.5/c", "flop": "Qs7h2d"},
    "/api/tasks/pushfold": {
        "stacks": "10, 8", "payouts": "", "others": "", "bounties": "", "progressive": "",
        "small_blind": "0.5", "ante": "0", "ahead": "0", "target": "0.1", "iterations": "10",
    },
    "/api/tasks/{id}": {},
    "/api/tasks/{id}/charts.csv": {},
}
"""A good query of each address; words in capitals are ids."""

FIELDS = RIVER.fields()
DRILL = {
    "seat": "oop", "street": None, "mistakes": False, "due": "", "close": None,
    "clear": None, "seconds": None, "seed": 1,
}
SEARCH = {
    "files": "HISTORY", "player": "ann", "position": "", "cards": "", "result": "", "pot": "",
    "stakes": "", "seats": "", "flop": "", "reached": "", "least": "", "most": "", "text": "",
    "ranges": "", "street": "river", "runouts": "", "target": "1%", "seconds": 5,
    "keep": "none", "keep_mistakes": False, "name": "night",
}
EDITED = {
    "spot": FIELDS, "id": None, "open": [], "target": "1%", "precision": 32,
    "device": "cpu", "groups": None,
}
POSTS = {
    "/api/library/upload": None,  # its body is a file
    "/api/library/rename": {"id": "SPOT", "name": "other"},
    "/api/library/move": {"id": "TURN", "folder": "more"},
    "/api/library/duplicate": {"id": "SPOT"},
    "/api/library/delete": {"id": "SPOT"},
    "/api/jobs": {
        "spot": "SPOT", "name": "new", "start": None, "keep": "full", "locks": {},
        "target": "1%", "iterations": 3, "seconds": 5, "threads": 1, "precision": 32,
        "rule": "dcfr", "groups": None, "device": "cpu",
    },
    "/api/jobs/{id}/{action}": {},
    "/api/spots/check": EDITED,
    "/api/spots/weigh": EDITED,
    "/api/spots/fit": EDITED,
    "/api/spots": {"spot": FIELDS, "id": None, "name": "new", "replace": False},
    "/api/spots/{id}": {"spot": FIELDS, "version": None},
    "/api/ranges": {"name": "mine", "text": "AA, KQs:0.5", "replace": True},
    "/api/ranges/delete": {"file": "ranges/own.txt"},
    "/api/ranges/check": {"board": "QhJh2c", "text": "AA, KQs:0.5"},
    "/api/batches": {
        "spot": "FLOP", "name": "many", "flops": "AK7r, 652m", "target": "1%",
        "precision": 16, "keep": "root",
    },
    "/api/batches/check": {
        "spot": "FLOP", "name": "many", "flops": "AK7r, 652m", "target": "1%",
        "precision": 16, "keep": "root",
    },
    "/api/batches/{id}/go-on": {"flops": "AK7r, 652m"},
    "/api/solutions/{id}/lock": {"line": "x", "wanted": {"x": 0.25}},
    "/api/solutions/{id}/lock/copy": {"line": "x/x/Ks", "to": "rivers", "by": "hand"},
    "/api/solutions/{id}/lock/model": {
        "model": "MODEL", "player": "oop", "streets": ["turn"], "uniform": True,
        "half_at": 10, "most": 1,
    },
    "/api/train/folder": {"sources": [{"id": "TURN"}], "whole": None, **DRILL},
    "/api/train/programmes": {"name": "daily", "sources": [{"id": "TURN"}], "whole": None, **DRILL},
    "/api/train/programmes/delete": {"name": "daily"},
    "/api/train/tables/{table}/judge": {},
    "/api/train/tables/{table}/keep": {"decision": 0},
    "/api/train/tables/{table}/act": {"action": "x", "line": "", "seconds": 1},
    "/api/train/tables/{table}/late": {"line": ""},
    "/api/train/tables/{table}/next": {},
    "/api/train/files/{file}": DRILL,
    "/api/play": {"game": "kuhn", "bots": ["caller"], "seat": None, "seed": 1},
    "/api/play/tables/{table}/act": {"answer": "c", "betting": "", "number": 1},
    "/api/play/tables/{table}/next": {},
    "/api/play/tables/{table}/keep": {"decision": 0},
    "/api/hands/model": {
        "files": "HISTORY", "player": "", "stakes": "", "seats": "2", "pot": "", "name": "pool"
    },
    "/api/hands/of/{file}/{place}/judge": {"solution": "RIVER", "keep_mistakes": False},
    "/api/hands/judge": SEARCH,
    "/api/hands/judge/weigh": SEARCH,
    "/api/charts/{id}/spot": {"line": "r2.5/c"},
    "/api/tasks/pushfold": {
        "stacks": "10, 8", "payouts": "", "others": "", "bounties": "", "progressive": False,
        "small_blind": 0.5, "ante": 0, "ahead": 0, "target": 0.1, "iterations": 10,
    },
    "/api/tasks/simplify": {
        "solution": "RIVER", "step": "25%", "max_actions": 2, "by": "hand", "player": "oop",
        "street": "river", "lines": None, "loss": "0.5%", "nearest": False,
    },
    "/api/tasks/rules": {
        "solution": "RIVER", "line": "x", "step": "25%", "max_actions": 2, "loss": "0.5%",
        "most_rules": 5,
    },
    "/api/tasks/losses": {"first": "RIVER", "second": "RIVER"},
    "/api/tasks/sizes": {
        "spot": FIELDS, "name": "new", "candidates": "50%, 75%", "most": 1, "streets": "river",
        "player": "oop", "loss": "0.5%", "target": "1%",
    },
    "/api/tasks/against": {
        "spot": FIELDS, "name": "new", "size": "67%", "streets": "river", "player": "oop",
        "target": "1%",
    },
    "/api/tasks/{id}/keep": {"name": "mine"},
}
"""A good body of each address."""
# fmt: on

NOT_YET = {
    *("/api/play/tables/{table}/why", "/api/play/tables/{table}/keep"),
    *("/api/tasks/{id}/charts.csv", "/api/tasks/{id}/keep", "/api/jobs/{id}/{action}"),
    *("/api/train/tables/{table}/judge", "/api/train/tables/{table}/keep"),
    *("/api/train/tables/{table}/late", "/api/train/tables/{table}/next"),
    *("/api/train/programmes/delete", "/api/solutions/{id}/lock/copy"),
    "/api/hands/of/{file}/{place}/judge",
}
"""Addresses that may refuse a good request in the state in which the folder is."""

NAMES = ["..", "../../etc/passwd", "%2e%2e%2f", "\0", "a\nb", "<b>", "-rf", "x" * 5000, "live-x"]
TEXTS = ["\0", "../../etc/passwd", "1e999", "-1", "x" * 3000, "!" * 3000, "x/" * 900, "é♠\u202e"]
WRONG = [
    *(None, True, -1, 2.5, 10**40, float("inf"), float("nan"), "", *TEXTS),
    *([], [None], [[]], {}, {"": []}, {"x": {"x": {}}}, ["AA"], [1e308] * 4),
]

ROUTES = [
    (method, route.path, route.endpoint)
    for route in make_app(".", token=TOKEN).routes
    if isinstance(route, Route) and route.path.startswith("/api/") and "{path:" not in route.path
    for method in sorted((route.methods or set()) - {"HEAD"})
]
KNOWN = {"GET": GETS, "POST": POSTS}


def fields_of(endpoint):
    """The fields that a POST takes, as `posting` knows them."""
    return inspect.getclosurevars(endpoint).nonlocals.get("fields", ())


def test_every_route_is_attacked_here():
    assert {path for method, path, _ in ROUTES if method == "GET"} == GETS.keys()
    assert {path for method, path, _ in ROUTES if method == "POST"} == POSTS.keys()
    for method, path, endpoint in ROUTES:
        if method == "POST" and POSTS[path] is not None:
            assert POSTS[path].keys() <= set(fields_of(endpoint)), path


class Attacked:
    """A folder with one file of each kind, which is put right after each request."""

    def __init__(self, folder, river_file, client):
        self.folder, self.client = folder, client
        shutil.copy(river_file, folder / "river.safetensors")
        solved("turn").save(folder / "turn.safetensors")
        (folder / "river.toml").write_text(RIVER.to_toml(), encoding="utf-8")
        flop = 'board = "QhJh2c"\noop = "AA, KQs"\nip = "QQ, AJs"\npot = 10\nstack = 8\n'
        (folder / "flop.toml").write_text(flop, encoding="utf-8")
        (folder / "ann.toml").write_text(MODEL, encoding="utf-8")
        (folder / "damaged.safetensors").write_bytes(river_file.read_bytes()[:-40])
        (folder / "hands").mkdir()
        (folder / "hands" / "night.phhs").write_text(NIGHT, encoding="utf-8")
        (folder / "ranges").mkdir()
        (folder / "ranges" / "own.txt").write_text("AA", encoding="utf-8")
        save_strategy(folder / "leduc.safetensors", "leduc", "each")
        make_batch(folder / "batch", "AK7r, 652m", without=1)
        files = {each["name"]: each["id"] for each in self.get("/api/library").json()["files"]}
        self.ids = {
            "HISTORY": files["hands/night.phhs"],
            "TURN": files["turn.safetensors"],
            "RIVER": files["river.safetensors"],
            "SPOT": files["river.toml"],
            "FLOP": files["flop.toml"],
            "MODEL": files["ann.toml"],
        }
        job = self.post("/api/jobs", "/api/jobs")["id"]
        state = folder / ".pokerlab" / "jobs" / job / "state-3.safetensors"
        shutil.copy(folder / "turn.safetensors", state)
        judged = self.post("/api/hands/judge", "/api/hands/judge")["id"]
        drill = self.post("/api/train/folder", "/api/train/folder")
        play = self.post("/api/play", "/api/play")
        turn, river = self.ids["TURN"], self.ids["RIVER"]
        self.places = {
            "/api/jobs/{id}": [job, judged],
            "/api/jobs/{id}/{action}": ["pause", "stop", "go-on", "look", "cancel"],
            "/api/spots/{id}": [self.ids["SPOT"]],
            "/api/batches/{id}": [files["batch"]],
            "/api/solutions/{id}": [turn, f"live-{job}-3"],
            "/api/strategies/{id}": [files["leduc.safetensors"]],
            "/api/compare/{first}": [river],
            "/api/compare/{first}/{second}": [river],
            "/api/train/files/{file}": [turn],
            "/api/train/tables/{table}": [drill["table"]],
            "/api/play/tables/{table}": [play["table"]],
            "/api/hands/of/{file}": [self.ids["HISTORY"]],
            "/api/hands/of/{file}/{place}": ["1"],
            "/api/hands/judged/{id}": [judged],
            "/api/games/{name}": ["kuhn"],
            "/api/charts/{id}": ["100bb"],
            "/api/tasks/{id}": [judged],
        }
        self.template = folder.with_name(folder.name + "-as-it-was")
        shutil.copytree(folder, self.template)
        self.before = self.state()

    def get(self, path, **more):
        return self.client.get(path, **more)

    def post(self, path, known):
        answer = self.client.post(path, content=json.dumps(self.filled(POSTS[known])))
        assert answer.status_code == 200, (path, answer.text)
        return answer.json()

    def filled(self, good):
        """A query or a body with the ids of this folder."""
        if isinstance(good, dict):
            return {name: self.filled(each) for name, each in good.items()}
        if isinstance(good, list):
            return [self.filled(each) for each in good]
        return self.ids.get(good, good) if isinstance(good, str) else good

    def paths(self, route):
        """The address with what is there, in each way; with what may stand in a place of it."""
        found = [("", {})]
        for part in re.split(r"({.*?})", route):
            if not part.startswith("{"):
                found = [(path + part, places) for path, places in found]
                continue
            key = route[: route.index(part) + len(part)]
            found = [
                (path + each, {**places, part: each})
                for path, places in found
                for each in self.places[key]
            ]
        return [path for path, _ in found]

    def state(self):
        return {
            path.relative_to(self.folder): (path.stat().st_mtime_ns, path.stat().st_size)
            for path in self.folder.rglob("*")
            if path.is_file()
        }

    def restore(self):
        """Undo what a request did to files."""
        if self.state() != self.before:
            shutil.rmtree(self.folder)
            shutil.copytree(self.template, self.folder)
            self.before = self.state()

    def ask(self, method, path, query=None, body=None):
        """An answer that is never late, and checked."""
        content = b"" if body is None else json.dumps(body)

        def once():
            began = time.perf_counter()
            answer = self.client.request(method, path, params=query, content=content)
            self.restore()
            return answer, time.perf_counter() - began

        answer, took = once()
        if took > LONGEST:  # it compiled what it needs
            answer, took = once()
        asked = (method, path[:200], query, str(body)[:500])
        assert took < LONGEST, asked
        return self.check(answer, asked)

    def check(self, answer, asked):
        """An answer that is not a 500, in one line that names nothing outside of the folder."""
        told = (*asked, answer.text[:300])
        assert answer.status_code < 500, told
        # A client makes /api of /api/jobs/.., which is a page.
        if answer.status_code >= 400 and answer.request.url.path.startswith("/api/"):
            error = answer.json()["error"]
            assert error and len(error) < 600 and not re.search(r"[\n\r\0]", error), told
            assert str(self.folder) not in answer.text, told
        return answer


@pytest.fixture(scope="module")
def attacked(tmp_path_factory, river_file):
    folder = tmp_path_factory.mktemp("attacked")
    write_state = JobFolder.write_state
    with pytest.MonkeyPatch.context() as patches:
        # Nothing is solved: a stream about a solve that waits would never end.
        patches.setattr(
            JobFolder, "write_state", lambda self, **_: write_state(self, status="paused")
        )
        app = make_app(folder, token=TOKEN)
        with TestClient(app, base_url="http://127.0.0.1:8642") as client:
            client.get("/", params={"token": TOKEN})
            yield Attacked(folder, river_file, client)


IDS = [f"{method} {path}" for method, path, _ in ROUTES]


@pytest.mark.parametrize(("method", "route", "endpoint"), ROUTES, ids=IDS)
def test_a_good_request_and_hostile_names(attacked, method, route, endpoint):
    good = attacked.filled(KNOWN[method][route])
    asked = {"query": good} if method == "GET" else {"body": good}
    first, *others = attacked.paths(route)
    answer = attacked.ask(method, first, **asked)
    assert answer.status_code in (200, 202) or route in NOT_YET or good is None, answer.text
    for path in others:
        attacked.ask(method, path, **asked)
    for name in re.findall(r"{.*?}", route):
        for hostile in NAMES:
            path = route.replace(name, quote(hostile, safe="%"))
            for other in re.findall(r"{.*?}", path):
                key = route[: route.index(other) + len(other)]
                path = path.replace(other, attacked.places[key][0])
            answer = attacked.ask(method, path, **asked)
            # What a client makes of /api/x/.. is another address, perhaps a page.
            changed = answer.request.url.path != quote(path, safe="/%<>")
            assert answer.status_code in (400, 404, 405) or changed, (path, answer.text)


def attacks(good, names, values, every):
    """A good request with one thing wrong, each of some names in turn; `every` n-th of them."""
    number = 0
    for name in names:
        for value in values:
            number += 1
            if number % every == 0:
                yield {**good, name: value}


def attack(attacked, method, route, endpoint, every):
    good = attacked.filled(KNOWN[method][route])
    if good is None:
        return
    path = attacked.paths(route)[0]
    if method == "GET":
        for query in attacks(good, good, TEXTS, every):
            attacked.ask(method, path, query)
    else:
        for body in attacks(good, (*fields_of(endpoint), "unknown"), WRONG, every):
            attacked.ask(method, path, body=body)


@pytest.mark.parametrize(("method", "route", "endpoint"), ROUTES, ids=IDS)
def test_one_thing_is_wrong(attacked, method, route, endpoint):
    attack(attacked, method, route, endpoint, every=11)


@pytest.mark.slow
@pytest.mark.parametrize(("method", "route", "endpoint"), ROUTES, ids=IDS)
def test_everything_is_wrong_in_turn(attacked, method, route, endpoint):
    attack(attacked, method, route, endpoint, every=1)


FOREIGN = [
    ({"host": "evil.example"}, 421),
    ({"host": "127.0.0.1.evil.example"}, 421),
    ({"origin": "http://evil.example"}, 403),
    ({"origin": "null"}, 403),
    ({"sec-fetch-site": "cross-site"}, 403),
    ({"sec-fetch-site": "same-site"}, 403),
    ({"cookie": ""}, 403),
]


@pytest.mark.parametrize(("headers", "status"), FOREIGN, ids=str)
def test_strangers_are_refused_everywhere(attacked, headers, status):
    kept = attacked.client.cookies
    if "cookie" in headers:
        attacked.client.cookies = {}
    try:
        for method, route, _ in ROUTES:
            path = attacked.paths(route)[0]
            answer = attacked.client.request(method, path, headers=headers, content=b"{}")
            assert answer.status_code == status, (method, path)
            assert list(answer.json()) == ["error", "field"]
    finally:
        attacked.client.cookies = kept
    assert attacked.state() == attacked.before


# Random requests.
HOSTILE = ["", "..", "../../etc/passwd", "%2e%2e%2f", "\0", "x" * 300, "-1", "1e999", "é♠", "@/etc"]
LINES = ["", "x", "x/b51", "x/a/c", "b51/f", "x/x", "nonsense", "x/b51/Qc", "//", "x/b1e9", "b51/r"]
GOOD = ["0.3%", "AA, KK:0.5", "QhJh2c4d7h", "oop", "ip", "kuhn", "caller", "0", "1", "x", "full"]

ANY_TEXT = st.sampled_from([*HOSTILE, *LINES, *GOOD]) | st.text(
    st.characters(exclude_categories=["Cs"]), max_size=12
)
VALUES = ANY_TEXT | st.integers() | st.floats() | st.integers(-2, 12) | st.none() | st.booleans()
NESTED = st.recursive(
    VALUES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(ANY_TEXT, inner, max_size=3),
    max_leaves=6,
)
SPOTS = st.dictionaries(
    st.sampled_from(sorted(RIVER.fields())), NESTED, min_size=1, max_size=2
).map(lambda changes: {**RIVER.fields(), **changes})
MOSTLY = st.sampled_from([True] * 7 + [False])
HEADERS = st.dictionaries(
    st.sampled_from(["host", "origin", "sec-fetch-site", "cookie", "content-length"]),
    st.sampled_from(["evil.example", "null", "x", "-1", "cross-site", "localhost"]),
    min_size=1,
    max_size=2,
)


def ask(data, attacked):
    """A request that is good but for a thing or two, which may be anything."""
    method, route, endpoint = data.draw(st.sampled_from(ROUTES))
    path = route
    for part in re.findall(r"{.*?}", route):
        likely = attacked.places[route[: route.index(part) + len(part)]]
        likely = likely if data.draw(MOSTLY) else [*attacked.ids.values(), *HOSTILE]
        chosen = data.draw(st.sampled_from(likely))
        path = path.replace(part, quote(chosen, safe="%") or "x", 1)
    good = attacked.filled(KNOWN[method][route] or {})
    own = sorted({*good, *fields_of(endpoint)}) or ["unknown"]
    good = {name: each for name, each in good.items() if data.draw(MOSTLY)}
    headers = {} if data.draw(MOSTLY) else data.draw(HEADERS)
    query, content = {}, b""
    if method == "GET":
        names = st.sampled_from([*own, "line", "hands"])
        query = good | data.draw(st.dictionaries(names, ANY_TEXT, max_size=2))
    else:
        body = good | data.draw(st.dictionaries(st.sampled_from(own), NESTED, max_size=2))
        if "spot" in own and not data.draw(MOSTLY):
            body["spot"] = data.draw(SPOTS)
        content = json.dumps(body if data.draw(MOSTLY) else data.draw(NESTED)).encode()
        if not data.draw(MOSTLY):
            content = data.draw(st.binary(max_size=40))
    answer = attacked.client.request(method, path, params=query, headers=headers, content=content)
    attacked.restore()
    attacked.check(answer, (method, path, query, content))


FEW = settings(suppress_health_check=list(HealthCheck))
MANY = settings(max_examples=1000, suppress_health_check=list(HealthCheck))


@FEW
@given(st.data())
def test_random_requests(attacked, data):
    ask(data, attacked)


@pytest.mark.slow
@MANY
@given(st.data())
def test_a_thousand_random_requests(attacked, data):
    ask(data, attacked)

"""Whatever is asked of any address, with a token or without, the answer is never a 500."""

import json
import re
import shutil
from pathlib import Path
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.routing import Route
from starlette.testclient import TestClient

import pokerlab.web
from pokerlab.web import make_app
from pokerlab.web.jobs.job_folder import JobFolder

from .conftest import RIVER, TOKEN
from .made_batch import make_batch
from .test_strategies import save_strategy

SOURCES = [
    path.read_text(encoding="utf-8") for path in Path(pokerlab.web.__file__).parent.rglob("*.py")
]


def words(pattern):
    return sorted({found for text in SOURCES for found in re.findall(pattern, text)})


FIELDS = words(r'(?:_of|\.get|\.pop)\(\s*(?:\w+,\s*)?"(\w+)"') + words(r'data\["(\w+)"\]')
QUERY = words(r'(?:query_params|query)(?:\.get\(|\[)"(\w+)"')
ROUTES = [
    (method, route.path)
    for route in make_app(".", token=TOKEN).routes
    if isinstance(route, Route) and route.path.startswith("/api/")
    for method in sorted((route.methods or set()) - {"HEAD"})
]

HOSTILE = ["", "..", "../../etc/passwd", "%2e%2e%2f", "\0", "x" * 300, "-1", "1e999", "é♠", "@/etc"]
LINES = ["", "x", "x/b51", "x/a/c", "b51/f", "x/x", "nonsense", "x/b51/Qc", "//", "x/b1e9", "b51/r"]
GOOD = ["0.3%", "AA, KK:0.5", "QhJh2c4d7h", "oop", "ip", "kuhn", "caller", "0", "1", "x", "full"]


class Asked:
    """A folder that is put right after every request, its client, and what a good request holds."""

    def __init__(self, folder, river_file, client):
        self.folder = folder
        self.client = client
        shutil.copy(river_file, folder / "river.safetensors")
        (folder / "river.toml").write_text(RIVER.to_toml(), encoding="utf-8")
        (folder / "damaged.safetensors").write_bytes(river_file.read_bytes()[:-40])
        save_strategy(folder / "leduc.safetensors", "leduc", "each")
        make_batch(folder / "batch", "AK7r, 652m", without=1)
        files = client.get("/api/library").json()["files"]
        ids = {entry["name"]: entry["id"] for entry in files}
        self.ids = sorted(ids.values())
        solution, spot, fields = ids["river.safetensors"], ids["river.toml"], RIVER.fields()

        def post(path, **body):
            answer = client.post(path, json=body)
            assert answer.status_code == 200, answer.text
            return answer.json()

        job = post("/api/jobs", spot=spot)["id"]
        task = post("/api/tasks/simplify", solution=solution)["id"]
        train = post(f"/api/train/files/{solution}", seed=1)
        play = post("/api/play", game="kuhn", bots=["caller"], seed=1)
        self.parameters = {
            "/api/jobs": {"id": [job], "action": ["stop", "pause", "go-on", "cancel"]},
            "/api/tasks": {"id": [task]},
            "/api/solutions": {"id": [solution]},
            "/api/charts": {"id": ["100bb"]},
            "/api/strategies": {"id": [ids["leduc.safetensors"]]},
            "/api/compare": {"first": [solution], "second": [solution]},
            "/api/spots": {"id": [spot]},
            "/api/batches": {"id": [ids["batch"]]},
            "/api/train": {"file": [solution], "table": [train["table"]]},
            "/api/play": {"table": [play["table"]]},
            "/api/games": {"name": ["kuhn", "leduc"]},
        }
        self.body = {
            "id": [solution, spot, ids["batch"]],
            "spot": [fields, spot, RIVER.to_toml()],
            "name": ["new", "river"],
            "text": ["AA, KQs:0.5"],
            "game": ["kuhn"],
            "bots": [["caller"], []],
            "line": ["", "x"],
            "target": ["1%", 0.5],
            "precision": [32, 16],
            "flops": ["AK7r", "25"],
            "keep": ["root", "full"],
            "seat": [0, 1, "oop", "ip"],
            "action": ["x", "b51", "a"],
            "answer": ["c", "r"],
            "betting": ["", "c"],
            "number": [0, 1],
            "board": ["QhJh2c"],
            "locks": [{"x": {"b51": 0.3}}, None],
            "replace": [True, False],
            "file": ["own.txt"],
            "strategy": [[[0.5, 0.25, 0.25]], [[1.0]], [[float("nan")]]],
            "solution": [solution],
            "stacks": ["10, 8", "10, 8, 12"],
            "payouts": ["", "50, 30"],
            "step": ["25%"],
            "candidates": ["33%, 75%"],
            "size": ["67%"],
            "threads": [1],
            "seed": [1],
        }
        self.template = folder.with_name(folder.name + "-as-it-was")
        shutil.copytree(folder, self.template)
        self.before = self.state()

    def state(self):
        """What is in the folder now."""
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


@pytest.fixture(scope="module")
def asked(tmp_path_factory, river_file):
    folder = tmp_path_factory.mktemp("random")
    write_state = JobFolder.write_state
    with pytest.MonkeyPatch.context() as patches:
        # Nothing is solved: a stream about a solve that waits would never end.
        patches.setattr(
            JobFolder, "write_state", lambda self, **_: write_state(self, status="paused")
        )
        app = make_app(folder, token=TOKEN)
        with TestClient(app, base_url="http://127.0.0.1:8642") as client:
            client.get("/", params={"token": TOKEN})
            yield Asked(folder, river_file, client)


TEXTS = st.sampled_from([*HOSTILE, *LINES, *GOOD]) | st.text(
    st.characters(exclude_categories=["Cs"]), max_size=12
)
VALUES = TEXTS | st.integers() | st.floats() | st.integers(-2, 12) | st.none() | st.booleans()
NESTED = st.recursive(
    VALUES,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(TEXTS | st.sampled_from(FIELDS), inner, max_size=3)
    ),
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


def ask(data, asked):
    """A request that is good but for a thing or two, which may be anything."""
    method, route = data.draw(st.sampled_from(ROUTES))
    good = asked.parameters.get("/".join(route.split("/")[:3]), {})
    path = route
    for name in re.findall(r"{(.*?)}", route):
        likely = good.get(name, ["x"]) if data.draw(MOSTLY) else [*asked.ids, *HOSTILE]
        chosen = data.draw(st.sampled_from(likely))
        path = path.replace(f"{{{name}}}", quote(chosen, safe="%") or "x", 1)
    query = data.draw(st.dictionaries(st.sampled_from([*QUERY, "line"]), TEXTS, max_size=2))
    headers = {} if data.draw(MOSTLY) else data.draw(HEADERS)
    content = b""
    if method == "POST":
        body = {
            name: data.draw(st.sampled_from(values))
            for name, values in asked.body.items()
            if data.draw(MOSTLY)
        }
        body |= data.draw(st.dictionaries(st.sampled_from(FIELDS), NESTED, max_size=2))
        if not data.draw(MOSTLY):
            body["spot"] = data.draw(SPOTS)
        content = json.dumps(body if data.draw(MOSTLY) else data.draw(NESTED)).encode()
        if not data.draw(MOSTLY):
            content = data.draw(st.binary(max_size=40))
    answer = asked.client.request(method, path, params=query, headers=headers, content=content)
    asked.restore()
    assert answer.status_code < 500, (method, path, query, content, answer.text)
    # A client makes /api of /api/jobs/.., which is a page.
    if answer.status_code >= 400 and answer.request.url.path.startswith("/api/"):
        assert answer.json()["error"]
        assert "\n" not in answer.json()["error"]
        assert str(asked.folder) not in answer.text
    return answer


def test_routes_and_fields_were_found():
    assert len(ROUTES) >= 10
    assert {"spot", "target", "id", "name"} <= set(FIELDS)


FEW = settings(suppress_health_check=list(HealthCheck))
MANY = settings(max_examples=1000, suppress_health_check=list(HealthCheck))


@FEW
@given(st.data())
def test_random_requests(asked, data):
    ask(data, asked)


@pytest.mark.slow
@MANY
@given(st.data())
def test_a_thousand_random_requests(asked, data):
    ask(data, asked)


@settings(max_examples=20, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_without_the_token_there_is_nothing(asked, data):
    method, path = data.draw(st.sampled_from(ROUTES))
    path = re.sub(r"{.*?}", asked.ids[0], path)
    cookies = dict(asked.client.cookies)
    asked.client.cookies.clear()
    try:
        answer = asked.client.request(method, path, content=b"{}")
    finally:
        asked.client.cookies.update(cookies)
    assert answer.status_code == 403
    assert list(answer.json()) == ["error", "field"]

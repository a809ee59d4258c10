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
from pokerlab.web.job_folder import JobFolder

from .conftest import RIVER, TOKEN

SOURCES = [
    path.read_text(encoding="utf-8") for path in Path(pokerlab.web.__file__).parent.rglob("*.py")
]


def words(pattern):
    return sorted({found for text in SOURCES for found in re.findall(pattern, text)})


FIELDS = words(r'(?:_of|\.get|\.pop)\(\s*(?:\w+,\s*)?"(\w+)"') + words(r'data\["(\w+)"\]')
QUERY = words(r'query_params(?:\.get\(|\[)"(\w+)"')
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
    """A folder that is put right after every request, and its client."""

    def __init__(self, folder, river_file, client):
        self.folder = folder
        self.river_file = river_file
        self.client = client
        self.restore()
        listed = client.get("/api/library").json()["files"]
        self.ids = [entry["id"] for entry in listed]

    def restore(self):
        if not (self.folder / "river.safetensors").exists():
            shutil.copy(self.river_file, self.folder / "river.safetensors")
        if not (self.folder / "river.toml").exists():
            (self.folder / "river.toml").write_text(RIVER.to_toml(), encoding="utf-8")
        for path in self.folder.iterdir():
            if path.name not in ("river.safetensors", "river.toml", "damaged.safetensors"):
                shutil.rmtree(path) if path.is_dir() else path.unlink()


@pytest.fixture(scope="module")
def asked(tmp_path_factory, river_file):
    folder = tmp_path_factory.mktemp("random")
    (folder / "damaged.safetensors").write_bytes(river_file.read_bytes()[:-40])
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


def ask(data, asked):
    """One random request."""
    method, path = data.draw(st.sampled_from(ROUTES))
    texts = st.sampled_from([*asked.ids, *HOSTILE, *LINES, *GOOD]) | st.text(
        st.characters(exclude_categories=["Cs"]), max_size=12
    )
    for name in re.findall(r"{(.*?)}", path):
        likely = st.sampled_from(asked.ids) if name not in ("action", "path") else st.just("stop")
        chosen = data.draw(likely | texts)
        path = path.replace(f"{{{name}}}", quote(chosen, safe="%") or "x", 1)
    numbers = st.integers() | st.floats() | st.integers(-2, 12)
    values = texts | numbers | st.none() | st.booleans()
    nested = st.recursive(
        values,
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(texts | st.sampled_from(FIELDS), inner, max_size=3)
        ),
        max_leaves=6,
    )
    spots = st.just(RIVER.fields()) | st.dictionaries(
        st.sampled_from(sorted(RIVER.fields())), nested, max_size=4
    ).map(lambda changes: {**RIVER.fields(), **changes})
    query = data.draw(st.dictionaries(st.sampled_from([*QUERY, "line"]), texts, max_size=3))
    headers = {}
    if data.draw(st.integers(0, 9)) == 0:
        headers = data.draw(
            st.dictionaries(
                st.sampled_from(["host", "origin", "sec-fetch-site", "cookie", "content-length"]),
                st.sampled_from(["evil.example", "null", "x", "-1", "cross-site", "localhost"]),
                max_size=2,
            )
        )
    content = b""
    if method == "POST":
        body = data.draw(
            st.dictionaries(st.sampled_from(FIELDS), nested | spots, max_size=5)
            | st.fixed_dictionaries(
                {}, optional={"id": st.sampled_from(asked.ids), "spot": spots, "line": texts}
            )
            | nested
        )
        raw = data.draw(st.none() | st.binary(max_size=40)) if data.draw(st.booleans()) else None
        content = json.dumps(body).encode() if raw is None else raw
    answer = asked.client.request(method, path, params=query, headers=headers, content=content)
    asked.restore()
    assert answer.status_code < 500, (method, path, query, content, answer.text)
    if answer.status_code >= 400:
        assert answer.json()["error"]
        assert "\n" not in answer.json()["error"]
        assert str(asked.folder) not in answer.text


def test_routes_and_fields_were_found():
    assert len(ROUTES) >= 10
    assert {"spot", "target", "id", "name"} <= set(FIELDS)


FEW = settings(max_examples=60, suppress_health_check=list(HealthCheck))
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

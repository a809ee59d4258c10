"""The application: pages, unknown addresses, static files, and files outside of the folder."""

import json
import math
import struct

import numpy as np
import pytest
from starlette.testclient import TestClient

from pokerlab.cards import Range
from pokerlab.runtime.files.confined import confined_to
from pokerlab.web import make_app
from pokerlab.web.answers import json_answer


@pytest.mark.parametrize("path", ["/", "/solution/1?line=x/b50", "/no/such/page", "/..%2f..%2fetc"])
def test_every_page_is_the_same_file(client, path):
    answer = client.get(path)
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/html")
    assert "/static/app.js" in answer.text


def test_unknown_addresses_of_the_api_are_404(client):
    assert client.get("/api/nothing").status_code == 404
    assert client.post("/api/nothing", json={}).json() == {
        "error": "there is nothing at this address",
        "field": None,
    }


def test_static_files_and_nothing_beside_them(client):
    assert client.get("/static/app.js").status_code == 200
    assert (
        client.get("/static/vendor/preact-htm.js").headers["content-type"].startswith("text/java")
    )
    for path in ("/static/../app.py", "/static/%2e%2e/app.py", "/static/..%2fapp.py", "/static/"):
        answer = client.send(client.build_request("GET", path))
        assert "make_app" not in answer.text
    assert client.get("/static/nothing.js").status_code == 404


def test_the_pages_can_be_installed(client):
    manifest = client.get("/static/manifest.webmanifest")
    assert manifest.headers["content-type"] == "application/manifest+json"
    found = manifest.json()
    assert (found["start_url"], found["scope"], found["display"]) == ("/", "/", "standalone")
    for icon in found["icons"]:
        picture = client.get(icon["src"])
        assert picture.headers["content-type"] == "image/png"
        width, height = struct.unpack(">II", picture.content[16:24])
        assert icon["sizes"] == f"{width}x{height}"
        assert len(picture.content) < 10_000
    # Browsers ask without the cookie unless the page says otherwise; then nothing is answered.
    assert 'crossorigin="use-credentials"' in client.get("/").text
    stranger = TestClient(client.app, base_url="http://127.0.0.1:8642")
    assert stranger.get("/static/manifest.webmanifest").status_code == 403


def test_pages_ask_no_other_host():
    from pokerlab.web.app import STATIC

    for path in STATIC.rglob("*"):
        if path.suffix in (".js", ".css", ".html") and "vendor" not in path.parts:
            text = path.read_text(encoding="utf-8")
            assert "http:" not in text, path
            assert "https:" not in text, path
            assert 'style="' not in text, f"{path}: no inline styles"


def test_numbers_that_are_not_finite_become_null():
    data = {
        "a": math.nan,
        "b": [1.5, -math.inf],
        "c": np.array([[1.0, math.nan]]),
        "d": np.int64(3),
    }
    found = json.loads(json_answer(data).body)
    assert found == {"a": None, "b": [1.5, None], "c": [[1.0, None]], "d": 3}


def test_a_folder_that_is_none():
    with pytest.raises(ValueError, match="is not a folder"):
        make_app("no such folder")


def test_no_range_file_outside_of_the_folder(tmp_path):
    inside = tmp_path / "inside"
    inside.mkdir()
    (tmp_path / "secret.txt").write_text("AA", encoding="utf-8")
    (inside / "own.txt").write_text("KK", encoding="utf-8")
    (inside / "link.txt").symlink_to(tmp_path / "secret.txt")
    with confined_to(inside):
        assert Range("@own.txt") == Range("KK")
        for name in (f"@{tmp_path / 'secret.txt'}", "@../secret.txt", "@link.txt"):
            with pytest.raises(ValueError, match="is not in the folder"):
                Range(name)
    assert Range(f"@{tmp_path / 'secret.txt'}") == Range("AA")


def test_a_spot_that_names_a_file_outside_is_an_entry_with_an_error(tmp_path):
    inside = tmp_path / "inside"
    inside.mkdir()
    (tmp_path / "secret.txt").write_text("root:x:0:0", encoding="utf-8")
    (inside / "spot.toml").write_text(
        'board="QhJh2c4d7h"\noop="@../secret.txt"\nip="AA"\npot=1\nstack=1', encoding="utf-8"
    )
    with TestClient(make_app(inside, token="t"), base_url="http://127.0.0.1") as client:
        client.get("/?token=t")
        (entry,) = client.get("/api/library").json()["files"]
    assert "is not in the folder" in entry["error"]
    assert "root:x" not in entry["error"]


@pytest.mark.parametrize(
    ("address", "body", "field"),
    [
        ("/api/library/duplicate", {"id": "x", "name": "y"}, "name"),
        ("/api/train/files/x", {"seets": "oop"}, "seets"),
        ("/api/play", {"game": "kuhn", "bot": ["fair"]}, "bot"),
        ("/api/play/tables/x/next", {"card": 1}, "card"),
        ("/api/jobs", {"spot": "x", "tarhet": "1%"}, "tarhet"),
        ("/api/jobs/x/go-on", {"goal": "1%"}, "goal"),
        ("/api/spots/check", {"spot": {}, "bits": 16}, "bits"),
        ("/api/batches", {"spot": "x", "flop": "25"}, "flop"),
        ("/api/solutions/x/lock", {"lines": ""}, "lines"),
        ("/api/tasks/pushfold", {"stack": "10"}, "stack"),
        ("/api/tasks/simplify", {"steps": "25%"}, "steps"),
        ("/api/tasks/rules", {"rules": 3}, "rules"),
        ("/api/tasks/losses", {"third": "x"}, "third"),
        ("/api/tasks/sizes", {"sizes": "33%"}, "sizes"),
        ("/api/tasks/against", {"against": "67%"}, "against"),
        ("/api/tasks/x/keep", {"file": "x"}, "file"),
    ],
)
def test_unknown_fields_are_refused(client, address, body, field):
    answer = client.post(address, json=body)
    assert answer.status_code == 400 and answer.json()["field"] == field
    assert answer.json()["error"].startswith(f"{field}: unknown field (accepted: ")

"""Who may ask: token, names of the machine, other sites, limits."""

import asyncio

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from pokerlab.web import security
from pokerlab.web.answers import ERROR_HANDLERS
from pokerlab.web.security import Security

TOKEN = "a-secret"
URL = "http://127.0.0.1:8642"


async def _echo(request: Request):
    return PlainTextResponse(str(len(await request.body())))


def make_client(host="127.0.0.1", base_url=URL, *, open_first=True):
    app = Starlette(
        routes=[Route("/{path:path}", _echo, methods=["GET", "POST"])],
        exception_handlers=ERROR_HANDLERS,
    )
    client = TestClient(Security(app, TOKEN, host), base_url=base_url)
    if open_first:
        assert client.get(f"/?token={TOKEN}").status_code == 200
    return client


def test_nothing_is_answered_without_the_token():
    client = make_client(open_first=False)
    for path in ("/", "/api/library", "/static/app.js", "/?token=wrong", "/?token="):
        assert client.get(path).status_code == 403
    assert client.post("/api/jobs", json={}).status_code == 403
    assert client.post(f"/api/jobs?token={TOKEN}", json={}).status_code == 403
    assert "error" in client.get("/api/library").json()
    assert TOKEN not in client.get("/").text


def test_the_token_becomes_a_cookie_that_scripts_and_other_sites_do_not_get():
    client = make_client(open_first=False)
    answer = client.get(f"/solution/1?line=x/b50&token={TOKEN}")
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert 'url=/solution/1?line=x%2Fb50"' in answer.text
    assert TOKEN not in answer.text
    assert client.get("/").status_code == 200


@pytest.mark.parametrize("path", ["//evil.example/x", "/\\evil.example", "/%22%3E%3Cscript%3E"])
def test_the_way_on_stays_on_this_host_and_is_no_markup(path):
    client = make_client(open_first=False)
    sent = client.build_request("GET", f"{URL}{path}?token={TOKEN}")
    text = client.send(sent).text
    leads = text.split("url=")[1].split('"')[0]
    assert leads.startswith("/")
    assert not leads.startswith(("//", "/\\"))
    assert "<script" not in text


def test_a_cookie_of_another_server_is_none_of_ours():
    one = make_client()
    other = Security(None, "another", "127.0.0.1")
    assert other.cookie not in one.cookies


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "127.0.0.1:8642", "localhost:1", "LOCALHOST", "[::1]:8642", "127.1.2.3"]
)
def test_names_of_this_machine(host):
    assert make_client().get("/", headers={"host": host}).status_code == 200


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "127.0.0.1.evil.example",
        "10.0.0.5",
        "localhost.",
        "",
        "localhost:x",
        "[::2]",
    ],
)
def test_other_names_are_refused(host):
    assert make_client().get("/", headers={"host": host}).status_code == 421


def test_a_server_for_others_answers_to_addresses_but_not_to_strangers_names():
    client = make_client("0.0.0.0", "http://192.0.2.7:8642")
    assert client.get("/").status_code == 200
    assert client.get("/", headers={"host": "evil.example"}).status_code == 421


def test_other_sites_cannot_change_or_read():
    client = make_client()

    def post(**headers):
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return client.post("/api/library/delete", json={}, headers=named).status_code

    assert post() == 200  # a script with the cookie
    assert post(origin=URL, sec_fetch_site="same-origin") == 200
    assert post(origin="http://evil.example") == 403
    assert post(origin="null") == 403
    assert post(origin="http://127.0.0.1:9999") == 403
    assert post(origin="https://127.0.0.1:8642") == 403
    assert post(sec_fetch_site="cross-site") == 403
    assert post(sec_fetch_site="same-site") == 403
    assert post(sec_fetch_site="none") == 403

    def stream(path, site):
        return client.get(path, headers={"sec-fetch-site": site}).status_code

    assert stream("/api/jobs/1/events", "same-origin") == 200
    assert stream("/api/jobs/1/events", "none") == 200  # written into the address bar
    assert stream("/api/jobs/1/events", "cross-site") == 403
    assert stream("/api/jobs/1/events", "same-site") == 403


def test_every_answer_forbids_what_is_foreign():
    client = make_client(open_first=False)
    for path in ("/", f"/?token={TOKEN}", "/api/x"):
        headers = client.get(path).headers
        assert headers["content-security-policy"].startswith("default-src 'self';")
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["cache-control"] == "no-store"


def test_bodies_have_a_limit(monkeypatch):
    monkeypatch.setattr(security, "MAX_BODY", 1000)
    monkeypatch.setattr(security, "MAX_UPLOAD", 2000)
    client = make_client()
    assert client.post("/api/spots", content=b"x" * 1000).text == "1000"
    assert client.post("/api/spots", content=b"x" * 1001).status_code == 413
    # Sent in parts, without saying how long it is.
    assert client.post("/api/spots", content=iter([b"x" * 600] * 2)).status_code == 413
    assert client.post("/api/library/upload", content=b"x" * 1500).text == "1500"
    assert client.post("/api/library/upload", content=b"x" * 2500).status_code == 413
    assert client.post("/api", headers={"content-length": "-5"}, content=b"").status_code == 400


@pytest.mark.parametrize(
    ("path", "pause", "status"),
    [
        ("/api/spots", 0.0, 200),
        ("/api/spots", 0.05, 408),  # each part in time, but not all of them
        ("/api/library/upload", 0.05, 200),
        ("/api/library/upload", 0.3, 408),
    ],
)
def test_bodies_arrive_in_time(monkeypatch, path, pause, status):
    monkeypatch.setattr(security, "BODY_SECONDS", 0.15)
    client = make_client()
    parts = [{"type": "http.request", "body": b"x", "more_body": left > 0} for left in range(5)]

    async def receive():
        await asyncio.sleep(pause)
        return parts.pop() if parts else {"type": "http.disconnect"}

    found = []

    async def send(message):
        found.append(message.get("status"))

    cookies = "; ".join(f"{name}={value}" for name, value in client.cookies.items())
    headers = [(b"host", b"127.0.0.1"), (b"cookie", cookies.encode())]
    scope = {"type": "http", "method": "POST", "path": path, "headers": headers}
    scope |= {"query_string": b"", "http_version": "1.1", "scheme": "http"}
    asyncio.run(client.app(scope, receive, send))
    assert found[0] == status


def test_there_are_no_web_sockets():
    client = make_client()
    with pytest.raises(WebSocketDisconnect), client.websocket_connect("/api/jobs/1/events"):
        pass

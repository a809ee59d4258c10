"""The server as a process: its address, Ctrl-C, ports that are taken, hosts that are none."""

import asyncio
import os
import re
import signal
import socket
import stat
import sys

import httpx
import pytest
import uvicorn
from uvicorn.server import ServerState

from pokerlab.web import make_app, serve
from pokerlab.web import server as server_module
from pokerlab.web.jobs.job_folder import JobFolder
from pokerlab.web.server import kept_token

from .running_server import start_server


@pytest.mark.skipif(sys.platform == "win32", reason="sends Ctrl-C as POSIX does")
def test_ctrl_c_ends_the_server_though_a_page_follows_a_solve(tmp_path):
    job = JobFolder(tmp_path / ".pokerlab" / "jobs" / ("0" * 12))
    job.path.mkdir(parents=True)
    job.write_question({"output": "x", "bytes": 10**18, "created": 0.0})  # it waits for ever
    job.write_state(status="queued")
    running = start_server(tmp_path)
    try:
        with httpx.Client(base_url=running.url) as client:
            assert client.get("/api/library").status_code == 403
            client.get("/", params={"token": running.token})
            with client.stream("GET", f"/api/jobs/{job.id}/events") as stream:
                assert next(stream.iter_lines()) == "event: job"
                running.process.send_signal(signal.SIGINT)
                running.process.wait(20)
    finally:
        running.stop()
    assert running.process.returncode == 0
    assert running.rest() == "the pages are closed; solves that run go on\n"


def test_the_token_of_a_folder_stays_and_is_private(tmp_path):
    token = kept_token(tmp_path)
    path = tmp_path / ".pokerlab" / "token"
    assert re.fullmatch(r"[\w-]{32}", token) and kept_token(tmp_path) == token
    if os.name == "posix":
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        path.chmod(0o644)  # others may have read it
        token, before = kept_token(tmp_path), token
        assert token != before and stat.S_IMODE(path.stat().st_mode) == 0o600
        path.unlink()
        (tmp_path / "other").write_text(token, encoding="ascii")
        path.symlink_to(tmp_path / "other")
        assert kept_token(tmp_path) != token and not path.is_symlink()
    for text in ("", "short", "x" * 1000, "\0" * 32):
        path.write_text(text, encoding="ascii")
        path.chmod(0o600)
        assert kept_token(tmp_path) not in (None, text)
    assert kept_token(tmp_path / "nothing") is None
    path.unlink()
    path.mkdir()
    assert kept_token(tmp_path) is None


def test_addresses_are_the_same_after_each_start_but_not_for_other_machines(tmp_path, monkeypatch):
    monkeypatch.setattr(server_module.uvicorn.Server, "run", lambda *_, **__: None)
    opened = []
    for host in ("127.0.0.1", "127.0.0.1", "0.0.0.0"):
        serve(tmp_path, host=host, port=0, browser=False, tell=str, ready=opened.append)
    first, second, third = (address.split("token=")[1] for address in opened)
    assert first == second != third


def test_a_request_whose_headers_do_not_come_is_closed(tmp_path, monkeypatch):
    monkeypatch.setattr(server_module, "HEADER_SECONDS", 0.2)
    app = make_app(tmp_path)
    config = uvicorn.Config(app, log_level="error", http=server_module._Protocol, lifespan="off")
    config.load()
    whole = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"

    async def talk(*parts):
        loop, state = asyncio.get_running_loop(), ServerState()
        made = lambda: server_module._Protocol(config, state, {}, loop)  # noqa: E731
        server = await loop.create_server(made, "127.0.0.1", 0)
        async with server:
            reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname()[:2])
            answers = []
            for part in parts:
                writer.write(part)
                answers.append(await asyncio.wait_for(reader.read(1 << 16), 5))
            writer.close()
        return answers

    assert asyncio.run(talk(b"GET / HTTP/1.1\r\nHost")) == [b""]
    assert asyncio.run(talk(b"")) == [b""]
    first, second = asyncio.run(talk(whole, whole[:9]))
    assert first.startswith(b"HTTP/1.1 403") and second == b""


def run_in_vain(*_, **__):
    raise AssertionError("nothing may be served")


def test_a_port_that_is_taken_is_one_line(tmp_path, monkeypatch):
    monkeypatch.setattr(server_module.uvicorn.Server, "run", run_in_vain)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(ValueError, match=f"127.0.0.1:{port} cannot be listened on"):
            serve(tmp_path, port=port, browser=False)


@pytest.mark.parametrize("host", ["no such host", "999.1.2.3", "", "x" * 300])
def test_a_host_that_is_none_is_one_line(tmp_path, monkeypatch, host):
    monkeypatch.setattr(server_module.uvicorn.Server, "run", run_in_vain)
    with pytest.raises(ValueError, match="--host"):
        serve(tmp_path, host=host, port=0, browser=False)


def test_another_host_is_a_warning_and_the_next_port_is_taken(tmp_path, monkeypatch):
    said, opened = [], []
    monkeypatch.setattr(server_module.uvicorn.Server, "run", lambda *_, **__: None)
    monkeypatch.setattr(server_module.webbrowser, "open", opened.append)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        monkeypatch.setattr(server_module, "DEFAULT_PORT", taken.getsockname()[1])
        serve(tmp_path, browser=False, tell=said.append)
    assert len(said) == 1
    assert f":{taken}" not in said[0]
    serve(tmp_path, host="0.0.0.0", port=0, browser=False, tell=said.append)
    assert said[-1].startswith("warning: 0.0.0.0 can be reached from other machines")
    assert opened == []


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGHUP")
def test_a_closed_terminal_ends_it_and_what_the_parent_ignores_stays_ignored():
    server = server_module._Server(server_module.uvicorn.Config(lambda: None))
    heard = []
    before = {
        signal.SIGINT: signal.signal(signal.SIGINT, signal.SIG_IGN),
        signal.SIGHUP: signal.signal(signal.SIGHUP, lambda *_: heard.append("again")),
    }
    try:
        with server.capture_signals():
            signal.raise_signal(signal.SIGINT)
            assert not server.should_exit
            signal.raise_signal(signal.SIGHUP)
            assert server.should_exit
            assert not heard
        assert heard == ["again"]
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)

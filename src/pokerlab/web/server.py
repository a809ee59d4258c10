"""`serve`: run the application on this machine, and open a browser."""

from __future__ import annotations

import asyncio
import errno
import os
import re
import secrets
import signal
import socket
import stat
import threading
import webbrowser
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import h11
import uvicorn
from starlette.applications import Starlette
from uvicorn.protocols.http.h11_impl import H11Protocol

from pokerlab.runtime.errors import shorten
from pokerlab.web.app import make_app
from pokerlab.web.security import is_local

HEADER_SECONDS = 20.0
"""How long the headers of a request may take."""
_TOKEN = re.compile(r"[\w-]{32}", re.ASCII)
_LONGEST_TOKEN = 100

DEFAULT_PORT = 8642
_PORTS_TRIED = 20
_SECONDS_TO_END = 1
"""How long streams may take to end when the server does."""


def serve(
    folder: str | Path = ".",
    *,
    host: str = "127.0.0.1",
    port: int | None = None,
    browser: bool = True,
    tell: Callable[[str], None] = print,
    ready: Callable[[str], None] | None = None,
) -> None:
    """Serve the pages over a folder until Ctrl-C.

    Parameters
    ----------
    folder
        Spots, solutions and batches; nothing outside of it is read or written.
    host
        The name or address to listen on. On any but this machine's own, everybody on the network
        who has the token can use the pages.
    port
        0 for any that is free; by default 8642, or the next one that is free.
    browser
        Whether to open a browser.
    tell
        Is called with what there is to say: the address, a warning.
    ready
        Is called with the address alone, which can be opened from then on.
    """
    if not host:
        raise ValueError("--host: give a name or an address, such as 127.0.0.1")
    app = make_app(folder, token=kept_token(Path(folder)) if is_local(host) else None, host=host)
    token = app.state.token
    listening = _listen(host, port)
    shown = host if host not in ("0.0.0.0", "::") else socket.gethostname()
    name = f"[{shown}]" if ":" in shown else shown
    address = f"http://{name}:{listening.getsockname()[1]}/?token={token}"
    tell(f"pokerlab serves {app.state.site.folder} at {address}")
    if ready is not None:
        ready(address)
    if not is_local(host):
        tell(
            f"warning: {host} can be reached from other machines, without encryption; whoever has"
            " this address can read, solve and delete in this folder"
        )
    server = make_server(app)
    if browser:
        # A browser may take its time, and some do not return before they are closed.
        threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
    with listening:
        server.run(sockets=[listening])


def make_server(app: Starlette) -> uvicorn.Server:
    """The server of the pages, which `run` starts on sockets."""
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        ws="none",
        lifespan="on",
        server_header=False,
        http=_Protocol,
        timeout_graceful_shutdown=_SECONDS_TO_END,
    )
    return _Server(config)


def kept_token(folder: Path) -> str | None:
    """The token of a folder: the same after each start, so that bookmarks and open pages go on.

    It is in a file that nobody but its owner may read; None where such a file cannot be.
    """
    path = folder / ".pokerlab" / "token"
    if not folder.is_dir():
        return None
    try:
        return _read_token(path) or _write_token(path)
    except OSError:
        return None


def _read_token(path: Path) -> str | None:
    """A token that we wrote; None for a file that others may read or have written."""
    try:
        status = path.lstat()
    except FileNotFoundError:
        return None
    private = os.name != "posix" or (status.st_mode & 0o077 == 0 and status.st_uid == os.getuid())
    if not stat.S_ISREG(status.st_mode) or not private or status.st_size > _LONGEST_TOKEN:
        return None
    text = path.read_bytes().decode("ascii", "replace")
    return text if _TOKEN.fullmatch(text) else None


def _write_token(path: Path) -> str:
    token = secrets.token_urlsafe(24)
    path.parent.mkdir(exist_ok=True)
    path.unlink(missing_ok=True)
    private = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(private, "w", encoding="ascii") as file:
        file.write(token)
    return token


class _Protocol(H11Protocol):
    """Closes a connection whose request does not come in time."""

    _waiting: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.conn.their_state is h11.IDLE:
            self._wait()
        else:
            self._wait_no_more()

    def connection_lost(self, exc: Exception | None) -> None:
        self._wait_no_more()
        super().connection_lost(exc)

    def _wait(self) -> None:
        if self._waiting is None:
            self._waiting = self.loop.call_later(HEADER_SECONDS, self.transport.close)

    def _wait_no_more(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None


class _Server(uvicorn.Server):
    """Ends when the terminal is closed, too, and leaves alone what the parent process ignores."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        names = [name for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
        before = {
            number: signal.getsignal(number) for number in (signal.Signals[name] for name in names)
        }
        with super().capture_signals():
            for number, handler in before.items():
                ignored = handler is signal.SIG_IGN
                signal.signal(number, handler if ignored else self.handle_exit)
            try:
                yield
            finally:  # before those that came are raised again
                for number, handler in before.items():
                    signal.signal(number, handler)


def _listen(host: str, port: int | None) -> socket.socket:
    """A socket that listens; `ValueError` where that cannot be."""
    wanted = [port] if port is not None else [*range(DEFAULT_PORT, DEFAULT_PORT + _PORTS_TRIED), 0]
    for each in wanted:
        try:
            family = socket.getaddrinfo(host, each, type=socket.SOCK_STREAM)[0][0]
            return socket.create_server((host, each), family=family)
        except OSError as error:
            if error.errno == errno.EADDRINUSE and each != wanted[-1]:
                continue
            if isinstance(error, socket.gaierror):
                raise ValueError(
                    f"--host {shorten(host)}: there is no such name or address"
                ) from None
            reason = error.strerror or str(error)
            raise ValueError(f"{host}:{each} cannot be listened on: {reason}") from None
        except (OverflowError, UnicodeError):
            raise ValueError(f"--host {shorten(host)}: there is no such name or address") from None
    raise AssertionError("there is always a port to try")

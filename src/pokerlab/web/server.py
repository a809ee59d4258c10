"""`serve`: run the application on this machine, and open a browser."""

from __future__ import annotations

import errno
import secrets
import signal
import socket
import threading
import webbrowser
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import uvicorn

from pokerlab.errors import shorten
from pokerlab.web.app import make_app
from pokerlab.web.security import is_local

__all__ = ["DEFAULT_PORT", "serve"]

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
    token = secrets.token_urlsafe(24)
    app = make_app(folder, token=token, host=host)
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
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        ws="none",
        lifespan="on",
        server_header=False,
        timeout_graceful_shutdown=_SECONDS_TO_END,
    )
    server = _Server(config)
    if browser:
        # A browser may take its time, and some do not return before they are closed.
        threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
    with listening:
        server.run(sockets=[listening])


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

"""A server as a user starts it, and one for pages alone."""

import os
import re
import secrets
import signal
import socket
import subprocess
import sys
import threading
from pathlib import Path
from types import SimpleNamespace

__all__ = ["serve_here", "start_server"]


def start_server(folder):
    """A server over a folder, as a user starts it; `stop` ends it."""
    process = subprocess.Popen(
        [sys.executable, "-m", "pokerlab", "web", str(folder), "--port", "0", "--no-browser"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    seen = ""
    for line in process.stdout:
        seen += line
        if found := re.search(r"(http://\S+?)/\?token=(\S+)", line):
            break
    else:
        raise AssertionError(f"the server did not start: {seen}")

    def stop(how=signal.SIGTERM):
        if process.poll() is None:
            process.send_signal(how)
        process.wait(20)

    return SimpleNamespace(
        url=found[1],
        token=found[2],
        process=process,
        stop=stop,
        rest=process.stdout.read,
        folder=Path(folder),
    )


def serve_here(folder):
    """A server over a folder in a thread of this process, which starts at once; `stop` ends it."""
    from pokerlab.web import make_app
    from pokerlab.web.server import make_server

    token = secrets.token_urlsafe(24)
    server = make_server(make_app(folder, token=token))
    # What connects before the thread listens waits.
    listening = socket.create_server(("127.0.0.1", 0))
    thread = threading.Thread(target=server.run, args=([listening],), daemon=True)
    thread.start()

    def stop():
        server.should_exit = True
        thread.join(20)
        listening.close()

    url = f"http://127.0.0.1:{listening.getsockname()[1]}"
    return SimpleNamespace(url=url, token=token, stop=stop, folder=Path(folder))

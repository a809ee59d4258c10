"""A server as a user starts it."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

__all__ = ["start_server"]


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

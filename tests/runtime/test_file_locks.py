"""One process at a time, and a killed one lets the next one in."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from pokerlab.runtime import file_locks
from pokerlab.runtime.file_locks import locked

HOLDS = """
import sys
from pokerlab.runtime.file_locks import locked
with locked(sys.argv[1]):
    print("locked", flush=True)
    sys.stdin.read()
"""


def test_a_killed_holder_lets_the_next_one_in(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(file_locks, "_SECONDS_BETWEEN_LOOKS", 0.001)
    command = [sys.executable, "-c", HOLDS, str(tmp_path / "tables")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline().strip() == b"locked"
        waited = []

        def kill() -> None:
            waited.append(holder.poll())
            holder.kill()

        with locked(tmp_path / "tables", kill):
            assert waited[0] is None
            assert holder.wait() != 0
    assert list(tmp_path.iterdir()) == []


def test_an_error_releases_the_lock(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError), locked(tmp_path / "tables"):
        raise RuntimeError
    with locked(tmp_path / "tables", lambda: pytest.fail("it is still locked")):
        pass


def test_patience_ends(tmp_path: Path) -> None:
    with (
        locked(tmp_path / "tables"),
        pytest.raises(TimeoutError, match=r"tables was locked for 0 s"),
        locked(tmp_path / "tables", patience=0),
    ):
        pass
    assert list(tmp_path.iterdir()) == []


def test_files_are_locked_one_by_one(tmp_path: Path) -> None:
    with locked(tmp_path / "one"), locked(tmp_path / "two", lambda: pytest.fail("it is locked")):
        pass

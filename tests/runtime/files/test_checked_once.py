"""A large file is read once, and again whenever it has changed."""

import os

import pytest

from pokerlab.runtime.files import checked_once
from pokerlab.runtime.files.checked_once import check_once


@pytest.fixture
def calls(tmp_path, monkeypatch):
    monkeypatch.setenv("POKERLAB_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(checked_once, "SMALL", 3)
    return []


def test_once_until_it_changes(tmp_path, calls):
    file = tmp_path / "file"
    file.write_bytes(b"large")
    for _ in range(3):
        check_once(file, lambda: calls.append("read"))
    assert len(calls) == 1
    check_once(file, lambda: calls.append("read"), always=True)
    assert len(calls) == 2
    # The same size and the same time of change, as a copying program leaves it.
    before = file.stat()
    other = tmp_path / "other"
    other.write_bytes(b"LARGE")
    os.utime(other, ns=(before.st_atime_ns, before.st_mtime_ns))
    other.replace(file)
    check_once(file, lambda: calls.append("read"))
    assert len(calls) == 3
    with file.open("r+b") as opened:
        opened.write(b"x")
    check_once(file, lambda: calls.append("read"))
    assert len(calls) == 4


def test_what_fails_is_never_noted(tmp_path, calls):
    file = tmp_path / "file"
    file.write_bytes(b"large")

    def refuse():
        calls.append("read")
        raise ValueError("bad")

    check_once(file, lambda: None)
    with pytest.raises(ValueError, match="bad"):
        check_once(file, refuse, always=True)
    with pytest.raises(ValueError, match="bad"):
        check_once(file, refuse)
    assert len(calls) == 2


def test_small_files_are_always_read(tmp_path, calls):
    file = tmp_path / "file"
    file.write_bytes(b"abc")
    for _ in range(2):
        check_once(file, lambda: calls.append("read"))
    assert len(calls) == 2
    assert not (tmp_path / "cache").exists()


def test_notes_of_lost_files_are_forgotten(tmp_path, calls):
    for number in range(3):
        file = tmp_path / str(number)
        file.write_bytes(b"large")
        check_once(file, lambda: None)
        file.unlink()
    assert len(list((tmp_path / "cache" / "checked").iterdir())) == 1


def test_without_a_cache_folder(tmp_path, calls, monkeypatch):
    (tmp_path / "cache").write_text("a file, not a folder")
    file = tmp_path / "file"
    file.write_bytes(b"large")
    for _ in range(2):
        check_once(file, lambda: calls.append("read"))
    assert len(calls) == 2

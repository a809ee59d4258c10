"""Files appear whole or not at all, and killed writers leave nothing for long."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

from pokerlab.runtime.errors import DamagedFileError
from pokerlab.runtime.files.atomic import atomic_file, remove_unfinished, write_bytes, write_text


def names(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.iterdir())


def test_a_failed_write_leaves_what_was_there(tmp_path: Path) -> None:
    write_text(tmp_path / "a", "before")
    with pytest.raises(RuntimeError), atomic_file(tmp_path / "a") as temporary:
        temporary.write_text("half")
        assert (tmp_path / "a").read_text() == "before"
        raise RuntimeError
    assert names(tmp_path) == ["a"]
    assert (tmp_path / "a").read_text() == "before"


def test_two_writers_of_a_process_do_not_share_a_name(tmp_path: Path) -> None:
    with atomic_file(tmp_path / "a") as one, atomic_file(tmp_path / "a") as other:
        assert one != other
        one.write_text("one")
        other.write_text("other")
    assert (tmp_path / "a").read_text() == "one"
    assert names(tmp_path) == ["a"]


def test_permissions_are_those_of_new_files(tmp_path: Path) -> None:
    (tmp_path / "plain").touch()
    write_bytes(tmp_path / "a", b"")
    assert (tmp_path / "a").stat().st_mode == (tmp_path / "plain").stat().st_mode


KILLED = """
import os, sys
from pokerlab.runtime.files.atomic import atomic_file
with atomic_file(sys.argv[1]) as temporary:
    temporary.write_text("half")
    os._exit(9)
"""


def test_what_a_killed_writer_left_is_removed_by_the_next(tmp_path: Path) -> None:
    target = tmp_path / "a[1]*"
    subprocess.run([sys.executable, "-c", KILLED, str(target)], check=False)
    (left,) = names(tmp_path)
    assert left.startswith(".a[1]*.")
    remove_unfinished(tmp_path / "a")  # another file's
    assert names(tmp_path) == [left]
    write_text(target, "whole")
    assert names(tmp_path) == [target.name]


def test_what_others_are_writing_stays(tmp_path: Path) -> None:
    with atomic_file(tmp_path / "a") as running:
        running.touch()
        elsewhere = running.with_name(f".a.00000000-{2**30}.00000000.tmp")
        elsewhere.touch()
        remove_unfinished(tmp_path / "a")
        assert names(tmp_path) == sorted([running.name, elsewhere.name])


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs a named pipe")
def test_what_is_no_ordinary_file_is_not_replaced(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with atomic_file(tmp_path / "pipe") as temporary:
        assert temporary == tmp_path / "pipe"
    assert names(tmp_path) == ["pipe"]


def test_damage_found_in_a_worker_process_arrives() -> None:
    error = pickle.loads(pickle.dumps(DamagedFileError("a", "b", "is odd")))
    assert isinstance(error, DamagedFileError)
    assert str(error) == "'a' is odd: b"


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_a_symbolic_link_is_followed(tmp_path):
    (tmp_path / "there").mkdir()
    target, link, far = tmp_path / "there" / "a", tmp_path / "b", tmp_path / "c"
    link.symlink_to(target)
    far.symlink_to("b")
    for path, text in ((link, "new"), (far, "newer")):
        write_text(path, text)
        assert path.is_symlink()
        assert target.read_text() == text
    assert [file.name for file in target.parent.iterdir()] == ["a"]

"""Large files are read as a whole once, and again only after they have changed.

To hash hundreds of megabytes at every start of a bot takes longer than the start itself. So a file
that has passed its checks is noted in the cache folder, with its size, its times of change and its
place on the disk. A file that is edited, copied, cut or replaced is another one by these, and is
checked again. What this does not notice is a disk that returns other bytes than were written to it:
for that there are the commands that verify, which always read everything.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from pokerlab.runtime.files.atomic import write_text
from pokerlab.runtime.files.hashes import digest

SMALL = 32_000_000
"""Bytes up to which a file is checked at every start: some hundredths of a second."""


def check_once(path: str | Path, check: Callable[[], None], *, always: bool = False) -> None:
    """Call `check`, unless it has passed for this very file before.

    Parameters
    ----------
    path
        The file.
    check
        Reads all of it; an exception says what is wrong.
    always
        Whether to call it in any case. Small files are always checked.
    """
    file = Path(path).resolve()
    before = _fingerprint(file)
    small = file.stat().st_size <= SMALL
    note = _notes() / digest(str(file), length=32)
    if not always and not small and _is_noted(note, before):
        return
    with suppress(OSError):
        note.unlink(missing_ok=True)
    check()
    if not small and _fingerprint(file) == before:
        with suppress(OSError):  # a cache folder that cannot be written: it is checked each time
            note.parent.mkdir(parents=True, exist_ok=True)
            _forget_lost_files(note.parent)
            write_text(note, f"{before}\n{file}\n")


def _notes() -> Path:
    from pokerlab.runtime.jit import cache_folder

    return cache_folder() / "checked"


def _fingerprint(file: Path) -> str:
    found = file.stat()
    return f"{found.st_size} {found.st_mtime_ns} {found.st_ctime_ns} {found.st_ino}"


def _is_noted(note: Path, fingerprint: str) -> bool:
    try:
        return note.read_text(encoding="utf-8").startswith(f"{fingerprint}\n")
    except (OSError, UnicodeDecodeError):
        return False


def _forget_lost_files(folder: Path) -> None:
    for note in folder.iterdir():
        lines = note.read_text(encoding="utf-8", errors="replace").splitlines()
        if len(lines) != 2 or not Path(lines[1]).is_file():
            note.unlink(missing_ok=True)

import errno
import subprocess
import sys
from pathlib import Path

import pytest

from pokerlab.arena.logs.acpc_log import read_acpc_log, write_acpc_log
from pokerlab.arena.logs.phh_log import read_phh, write_phh
from pokerlab.arena.logs.replay import read_log
from pokerlab.arena.logs.unfinished import LogNotWrittenError, UnfinishedLog
from pokerlab.arena.matches import Match
from pokerlab.games import load_betting_game

LIMIT = load_betting_game("holdem.limit.2p")
PLANNED = ("holdem.limit.2p", 6, 3)


@pytest.fixture(scope="module")
def hands():
    with Match(LIMIT, ["random", "caller"], 6, 3) as match:
        return list(match)


def write(path, hands):
    if path.suffix == ".log":
        write_acpc_log(path, hands, PLANNED)
    else:
        write_phh(path, hands)


KILLED = """
import os, sys
from pathlib import Path
from pokerlab.arena.logs.acpc_log import write_acpc_log
from pokerlab.arena.logs.phh_log import write_phh
from pokerlab.arena.matches import Match

def killed():
    with Match("holdem.limit.2p", ["random", "caller"], 6, 3) as match:
        for hand in match:
            yield hand
            if hand.number == 3:
                os.kill(os.getpid(), 9)

path = Path(sys.argv[1])
if path.suffix == ".log":
    write_acpc_log(path, killed(), ("holdem.limit.2p", 6, 3))
else:
    write_phh(path, killed())
"""


@pytest.mark.parametrize("name", ["night.log", "night.phhs"])
def test_a_killed_match_leaves_its_hands_and_nothing_writes_over_them(tmp_path, hands, name):
    path = tmp_path / name
    for part in ("part", "part2"):
        subprocess.run([sys.executable, "-c", KILLED, str(path)], check=False)
        read = list(read_log(tmp_path / f"{name}.{part}"))
        assert [hand.betting for hand in read] == [hand.betting for hand in hands[:4]]
    write(path, hands[::-1])  # another match
    left = sorted(file.name for file in tmp_path.iterdir())
    assert left == [name, f"{name}.part2"]
    assert len(list(read_log(path))) == 6
    assert len(list(read_log(tmp_path / f"{name}.part2"))) == 4
    write(path, hands)
    assert [file.name for file in tmp_path.iterdir()] == [name]


def test_a_match_that_is_played_keeps_its_log(tmp_path, hands):
    path = tmp_path / "night.log"
    with UnfinishedLog(path) as first:
        first.write("a\n")
        first.flush()
        for _ in range(3):
            write(path, hands)
        assert first.part.read_text() == "a\n"
    assert [file.name for file in tmp_path.iterdir()] == ["night.log"]
    assert path.read_text() == "a\n"


@pytest.mark.parametrize("name", ["night.log", "night.phhs"])
def test_every_cut_gives_the_complete_hands_before_it(tmp_path, hands, name):
    path = tmp_path / name
    write(path, hands)
    content = path.read_bytes()
    part = tmp_path / f"{name}.part"
    counts = []
    for end in range(60, len(content), 7):
        part.write_bytes(content[:end])
        read = list(read_log(part))
        assert [hand.payoffs for hand in read] == [hand.payoffs for hand in hands[: len(read)]]
        assert [hand.players for hand in read] == [hand.players for hand in hands[: len(read)]]
        assert [hand.number for hand in read] == list(range(len(read)))
        counts.append(len(read))
    assert counts == sorted(counts)
    assert set(range(6)) <= set(counts)


@pytest.mark.parametrize("name", ["night.log", "night.phhs"])
def test_a_full_disk_does_not_end_the_match(tmp_path, hands, monkeypatch, name):
    written = []

    def full(self, step):
        if len(written) > 5:
            self._failure = OSError(errno.ENOSPC, "No space left on device")
        elif not written.append(step):
            step()

    monkeypatch.setattr(UnfinishedLog, "_attempt", full)
    given = iter(hands)
    path = tmp_path / name
    with pytest.raises(LogNotWrittenError) as raised:
        write(path, given)
    assert next(given, None) is None  # the match was played to its end
    assert str(raised.value) == (
        f"{path}: cannot be written: No space left on device; {path}.part has the hands before"
    )
    assert not path.exists()
    assert 0 < len(list(read_log(Path(f"{path}.part")))) < 6


def test_a_log_that_cannot_be_begun_is_refused_before_the_first_hand(tmp_path, hands):
    given = iter(hands)
    with pytest.raises(ValueError, match=r"night\.log: cannot be written: No such file") as raised:
        write_acpc_log(tmp_path / "none" / "night.log", given)
    assert not isinstance(raised.value, LogNotWrittenError)
    assert next(given) is hands[0]


def test_whole_readers_refuse_what_is_cut(tmp_path, hands):
    for name, reader in [
        ("night.log", lambda path: read_acpc_log(path, LIMIT)),
        ("night.phhs", read_phh),
    ]:
        path = tmp_path / name
        write(path, hands)
        path.write_bytes(path.read_bytes()[:-20])
        with pytest.raises(ValueError):
            list(reader(path))

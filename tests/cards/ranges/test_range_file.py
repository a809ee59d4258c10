"""Ranges from a file: ``@btn.txt``."""

import os

import pytest

from pokerlab.cards.ranges.range import Range
from pokerlab.cards.ranges.text import MAX_LENGTH


@pytest.fixture(autouse=True)
def current_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_file_holds_the_text_of_a_range(current_folder):
    (current_folder / "btn.txt").write_text("\ufeff77+,\nAKs:0.5\n", encoding="utf-8")
    assert Range("@btn.txt") == Range(" @ btn.txt ") == Range("77+, AKs:0.5")
    assert Range(f"@{current_folder / 'btn.txt'}") == Range("77+, AKs:0.5")
    assert str(Range("@btn.txt")) == "77+,AKs:0.5"


@pytest.mark.parametrize("name", ["missing.txt", ".", "", "x\0y", "/dev/null"])
def test_what_is_no_file_is_named(name):
    with pytest.raises(ValueError, match=r"no range file .* is followed by the name") as caught:
        Range(f"@{name}")
    assert len(str(caught.value).splitlines()) == 1


def test_a_long_name_is_one_short_line():
    with pytest.raises(ValueError, match="range file 'xxx") as caught:
        Range("@" + "x" * 10_000)
    assert len(str(caught.value)) < 200


def test_bad_files_are_named(current_folder):
    (current_folder / "bad.txt").write_text("QQ+, AKx")
    with pytest.raises(ValueError, match=r"range file 'bad.txt': bad range item 2 'AKx'"):
        Range("@bad.txt")
    (current_folder / "other.txt").write_text("@bad.txt")
    with pytest.raises(ValueError, match=r"range file 'other.txt': bad range item 1 '@bad.txt'"):
        Range("@other.txt")
    (current_folder / "bytes.txt").write_bytes(b"\xff\xfe\x00A")
    with pytest.raises(ValueError, match=r"range file 'bytes.txt' is not text"):
        Range("@bytes.txt")
    with (current_folder / "long.txt").open("wb") as file:
        os.truncate(file.fileno(), MAX_LENGTH + 1)
    with pytest.raises(ValueError, match=r"range file 'long.txt' is too long \(at most 100,000"):
        Range("@long.txt")

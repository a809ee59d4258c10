"""Free memory, and sizes in bytes as people write them."""

from __future__ import annotations

from pathlib import Path

import psutil
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokerlab.machine import free_memory, parse_size, size_text


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("2GB", 2_000_000_000),
        ("800MB", 800_000_000),
        ("2.5GiB", 2_684_354_560),
        (" 1.5 kb ", 1500),
        ("1KiB", 1024),
        ("3T", 3_000_000_000_000),
        ("12", 12),
        ("12b", 12),
        ("0.1GB", 100_000_000),
    ],
)
def test_sizes(text: str, size: int) -> None:
    assert parse_size(text) == size


@given(st.integers(1, 10**18))
def test_bytes_are_themselves(size: int) -> None:
    assert parse_size(str(size)) == size
    assert parse_size(size_text(size).replace(",", "").replace("bytes", "")) == pytest.approx(
        size, rel=0.05
    )


@given(st.text(max_size=30))
def test_any_text_is_a_size_or_one_line(text: str) -> None:
    try:
        assert parse_size(text) >= 1
    except ValueError as error:
        assert "is not a size: write 800MB, 2GB, 2.5GiB or a number of bytes" in str(error)
        assert "\n" not in str(error)


def test_free_memory_is_what_psutil_says(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    known = psutil.virtual_memory()
    assert 0 < free_memory() <= known.total
    for text in (None, "MemTotal: 12 kB\n"):
        file = tmp_path / "meminfo"
        if text is not None:
            file.write_text(text)
        monkeypatch.setattr("pokerlab.machine._MEMORY", file)
        monkeypatch.setattr(psutil, "virtual_memory", lambda: known)
        assert free_memory() == known.available
    file.write_text("MemFree:  7 kB\nMemAvailable:   21 kB\n")
    assert free_memory() == 21 * 1024

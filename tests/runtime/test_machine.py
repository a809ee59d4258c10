"""Cores, free memory, and sizes in bytes as people write them."""

from __future__ import annotations

from math import inf
from pathlib import Path

import joblib
import psutil
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokerlab.runtime.machine import _quota, core_count, free_memory, parse_size, size_text


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
        monkeypatch.setattr("pokerlab.runtime.machine._MEMORY", file)
        monkeypatch.setattr(psutil, "virtual_memory", lambda: known)
        assert free_memory() == known.available
    file.write_text("MemFree:  7 kB\nMemAvailable:   21 kB\n")
    assert free_memory() == 21 * 1024


def test_cores_are_those_that_joblib_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LOKY_MAX_CPU_COUNT", raising=False)
    assert core_count() == joblib.cpu_count()


QUOTAS = {
    "the group of a container": ("0::/\n", {"cpu.max": "150000 100000"}, 1.5),
    "no limit": ("0::/\n", {"cpu.max": "max 100000"}, inf),
    "a slice of a system": (
        "0::/user.slice/mine.scope\n",
        {"user.slice/cpu.max": "200000 100000", "user.slice/mine.scope/cpu.max": "max 100000"},
        2,
    ),
    "the smaller of two": (
        "0::/user.slice/mine.scope\n",
        {"user.slice/cpu.max": "400000 100000", "user.slice/mine.scope/cpu.max": "50000 100000"},
        0.5,
    ),
    "version 1": (
        "4:memory:/other\n3:cpu,cpuacct:/docker/abc\n",
        {"cpu/cpu.cfs_quota_us": "300000", "cpu/cpu.cfs_period_us": "100000"},
        3,
    ),
    "version 1 without a limit": (
        "3:cpu,cpuacct:/\n",
        {"cpu/cpu.cfs_quota_us": "-1", "cpu/cpu.cfs_period_us": "100000"},
        inf,
    ),
    "nothing that can be read": ("0::/\nno group\n", {"cpu.max": "many"}, inf),
}


@pytest.mark.parametrize("name", QUOTAS)
def test_the_quota_of_a_container(tmp_path: Path, name: str) -> None:
    group, files, quota = QUOTAS[name]
    (tmp_path / "group").write_text(group)
    for path, text in files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    assert _quota(tmp_path / "group", tmp_path) == quota
    assert _quota(tmp_path / "nowhere", tmp_path) == inf

"""Buckets in the cache folder: made the first time, and then read."""

from __future__ import annotations

from pathlib import Path

from pokerlab.holdem.limit.buckets.buckets import BUCKETS_FORMAT, Buckets, load_buckets
from pokerlab.holdem.limit.buckets.making import make_buckets
from pokerlab.holdem.limit.buckets.plan import parse_buckets
from pokerlab.holdem.limit.strength.tables import ROOM, tables_path
from pokerlab.runtime.files.builds import Report, cached, check_room
from pokerlab.runtime.files.hashes import digest
from pokerlab.runtime.jit import cache_folder


def cached_buckets(text: str, *, report: Report | None = None, verify: bool = False) -> Buckets:
    """Give buckets from the cache folder; make them the first time.

    `report` is as for `make_buckets`, `verify` as for `load_buckets`.
    """
    plan, path = parse_buckets(text), buckets_path(text)

    def make(report: Report) -> None:
        missing = 0 if tables_path().is_file() else ROOM
        check_room(path.parent, plan.file_bytes + missing, f"the buckets {plan}")
        make_buckets(str(plan), report=report).save(path)
        try:
            load_buckets(path, verify=True)
        except ValueError:
            path.unlink()  # nobody looks so closely again
            raise

    return cached(path, make, lambda path: load_buckets(path, verify=verify), report)


def buckets_path(text: str) -> Path:
    """Where buckets are kept once they are made."""
    name = digest(f"{BUCKETS_FORMAT} {parse_buckets(text)} {tables_path().name}", length=16)
    return cache_folder() / "buckets" / f"{name}.safetensors"


def open_buckets(
    source: str | Path, *, report: Report | None = None, verify: bool = False
) -> Buckets:
    """Buckets by the name of a file, or by their text."""
    path = Path(source)
    if path.is_file() or path.suffix == ".safetensors":
        return load_buckets(path, verify=verify)
    return cached_buckets(str(source), report=report, verify=verify)

"""A batch that is killed in the middle, and two commands that share one."""

from __future__ import annotations

import json
import subprocess
import sys
import time

import pytest

from pokerlab.holdem.batches import load_batch

pytestmark = pytest.mark.slow

SPOT = """
oop = "66+, A8s+, KQo"
ip = "QQ-22, ATo+"
pot = 200
stack = 900
bet = "50%, a"
raise = "a"
"""
BOARDS = [f"Td9d6h{card}" for card in ("Qc", "Qs", "2c", "3c", "4c", "5c", "7c", "8c")]


def command(folder, *options):
    return [sys.executable, "-m", "pokerlab.cli.main", "batch", *map(str, options), "-o", folder]


def finished(folder):
    return len(list(folder.glob("solutions/*.json")))


def test_killed_in_the_middle_and_gone_on_with_by_two(tmp_path):
    """One of the two goes on as before, the other adds boards."""
    spot, folder = tmp_path / "spot.toml", tmp_path / "batch"
    spot.write_text(SPOT)

    def options(boards):
        return [spot, "--boards", ", ".join(boards), "--target", "0.1%"]

    first = subprocess.Popen(command(folder, *options(BOARDS[:-2]), "--workers", 2))
    while first.poll() is None and finished(folder) < 2:
        time.sleep(0.05)
    first.kill()
    first.wait()
    before = {row.board: row for row in load_batch(folder).rows()}
    assert 2 <= len(before) < len(BOARDS)
    two = [
        subprocess.Popen(
            command(folder, *options(boards), "--workers", 1, "--json"), stdout=subprocess.PIPE
        )
        for boards in (BOARDS[:-2], BOARDS)
    ]
    told = [json.loads(each.communicate()[0]) for each in two]
    assert [each["solved"] for each in told] == [len(BOARDS) - 2, len(BOARDS)]
    rows = load_batch(folder).rows()
    assert [row.board for row in rows] == BOARDS
    assert [row for row in rows if row.board in before] == list(before.values())
    left = {file.name for file in (folder / "solutions").iterdir() if file.suffix != ".claim"}
    assert left == {f"{board}{end}" for board in BOARDS for end in (".json", ".safetensors")}
    assert len((folder / "table.csv").read_text().splitlines()) == 1 + len(BOARDS)

"""What a solve will cost: nodes, information sets, memory, time; and the refusal of too much.

Memory: the rule's tables (a regret and a strategy sum for each entry; a rule that predicts keeps
a third number), the answer in half precision that is made of them at the end, the margins for
all-ins, and the tables of the boards.

Time is a guess from the bytes that an iteration moves: it reads a regret twice and writes it
once, and reads and writes a strategy sum once.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pokerlab.cli.shared.files import size_text
from pokerlab.cli.shared.output import bold
from pokerlab.cli.shared.progress import duration_text

if TYPE_CHECKING:
    from rich.console import Console

    from pokerlab.postflop import Spot, TreeCounts

__all__ = [
    "WHAT_TO_CUT",
    "check_memory",
    "cost_json",
    "expected_seconds",
    "free_memory",
    "memory_needed",
    "print_cost",
]

WHAT_TO_CUT = "offer fewer bet sizes, narrow the ranges, or use --precision 16"

_PASSES = 2.5
"""How often an iteration moves the tables: regrets, which are half of them, three times."""

_BYTES_A_SECOND = 14e9
"""What two threads move in a second where copying memory runs at 20 GB/s: flops take about 1.4
times as long as their bytes."""

_ITERATIONS = 100
"""About what 0.5% of the pot takes with the default rule."""

_BASE_BYTES = 250_000_000
"""Boards, programs, the scratch space of the threads, and the interpreter; measured on flops."""


def memory_needed(entries: int, bits: int, arrays: int = 2, margins: int = 0) -> int:
    """Bytes at most in use while tables of so many entries are solved and the answer is made.

    Examples
    --------
    >>> size_text(memory_needed(78_172_224, 32)), size_text(memory_needed(78_172_224, 16))
    ('1.0 GB', '719 MB')
    """
    return entries * (arrays * bits // 8 + 2) + 2 * margins + _BASE_BYTES


def expected_seconds(table_bytes: int) -> float:
    """A rough guess of the time to 0.5% of the pot, from the bytes of the tables."""
    return _ITERATIONS * _PASSES * table_bytes / _BYTES_A_SECOND


def check_memory(needed: int) -> None:
    """Refuse what does not fit into the free memory, before anything is allocated."""
    free = free_memory()
    if free is not None and needed > free:
        raise ValueError(
            f"memory: this solve needs about {size_text(needed)}, and {size_text(free)} are free; "
            + WHAT_TO_CUT
        )


def cost_json(counts: TreeCounts) -> dict[str, Any]:
    """The counts, and the guess of the seconds in each precision."""
    data = counts.to_json()
    sizes: Mapping[str, int] = data["bytes"]  # type: ignore[assignment]
    return data | {
        "expected_seconds": {bits: expected_seconds(size) for bits, size in sizes.items()}
    }


def print_cost(console: Console, spot: Spot, data: Mapping[str, Any]) -> None:
    """The counts as tables for people."""
    from rich.table import Table

    from pokerlab.cards.codes import format_cards

    board = format_cards(spot.board, separator=" ", symbols=True)
    console.print(
        bold(board),
        f", pot {spot.pot:,}, stacks {spot.effective_stack:,}, "
        f"{spot.ranges[0].count} hands against {spot.ranges[1].count}",
        sep="",
    )
    table = Table(box=None, pad_edge=False)
    table.add_column("nodes")
    for name in ("boards", "player", "dealer", "leaf", "total"):
        table.add_column(name, justify="right")
    for street, counts in data["streets"].items():
        numbers = [counts[key] for key in ("boards", "player_nodes", "dealer_nodes", "leaves")]
        total = data["nodes"][street]
        table.add_row(street, *(f"{number:,}" for number in (*numbers, total)))
    totals = (data["player_nodes"], data["dealer_nodes"], data["leaves"], data["nodes"]["total"])
    table.add_row("all", "", *(f"{number:,}" for number in totals), style="bold")
    console.print(table)
    console.print(f"{data['information_sets']:,} information sets, {data['actions']:,} actions")
    for bits, size in data["bytes"].items():
        seconds = data["expected_seconds"][bits]
        console.print(
            f"{bits} bits: {size_text(size)} of tables; "
            f"to 0.5% of the pot very roughly {_duration(seconds)}"
        )


def _duration(seconds: float) -> str:
    return "below a second" if seconds < 1 else duration_text(seconds)


def free_memory() -> int | None:
    """Bytes that can be had without swapping; None where the system does not tell."""
    try:
        for line in Path("/proc/meminfo").read_text(encoding="ascii").splitlines():
            name, _, value = line.partition(":")
            if name == "MemAvailable":
                return int(value.split()[0]) * 1024
    except (OSError, ValueError):
        pass
    try:
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):  # neither Windows nor macOS count free pages
        return None

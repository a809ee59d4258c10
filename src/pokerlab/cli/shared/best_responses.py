"""The run over all flops that `exploitability` and `verify` share: its folder, progress, Ctrl-C."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from pokerlab.cli.progress.batch_progress import batch_progress
from pokerlab.cli.terminal.interruption import CutShortError
from pokerlab.runtime.errors import shorten
from pokerlab.runtime.machine import core_count

if TYPE_CHECKING:
    from pokerlab.holdem.limit.best_response.exploitability import BestResponses, Opponent

_MAX_DRAWN = 100_000


def run_best_responses(
    opponent: Opponent,
    *,
    boards: int | None = None,
    seed: int = 0,
    folder: Path | None = None,
    workers: int = 1,
    threads: int | None = None,
    device: str = "cpu",
    ray: str | None = None,
    quiet: bool = False,
) -> tuple[BestResponses, Path]:
    """Find the best responses to a strategy, and say where finished flops are kept.

    That is a folder of the cache if none is given; see `best_responses` for the rest.
    """
    from pokerlab.holdem.limit.best_response.exploitability import best_responses

    if folder is None:
        folder = kept_in_cache(opponent)
    try:
        with batch_progress(boards or 0, what="flops", quiet=quiet) as report:
            found = best_responses(
                opponent,
                boards=boards,
                seed=seed,
                folder=folder,
                workers=workers,
                threads=threads or max(core_count() // workers, 1),
                device=device,
                ray=ray,
                report=report,
            )
    except KeyboardInterrupt:
        raise CutShortError(
            f"finished flops are kept in {folder}: the same command goes on"
        ) from None
    return found, folder


def kept_in_cache(opponent: Opponent) -> Path:
    """The folder of the cache for the flops of a strategy, whatever its file is called."""
    from pokerlab.holdem.limit.best_response.exploitability import opponent_digest
    from pokerlab.runtime.jit import cache_folder

    return cache_folder() / "best-responses" / opponent_digest(opponent)[:16]


def drawn_flops(text: str) -> int | None:
    """How many flops to draw (``--flops``); None for all."""
    if text == "all":
        return None
    if not (text.isascii() and text.isdecimal()) or not 4 <= int(text[:9]) <= _MAX_DRAWN:
        raise ValueError(
            f"--flops {shorten(text)}: write all, or a number of flops to draw (4 to"
            f" {_MAX_DRAWN:,})"
        )
    return int(text)

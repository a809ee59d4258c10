"""Hands of files and folders for commands: which of them count, and what was left out."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from pokerlab.cli.options.files import check_output
from pokerlab.cli.shared.drill_play import count_text
from pokerlab.cli.terminal.interruption import CutShortError

if TYPE_CHECKING:
    from rich.console import Console

    from pokerlab.arena.logs.counting import HandCounts

_WORTH_A_PROCESS = 8_000_000
"""Bytes of histories below which one process is sooner finished than several begin."""


class ChosenHistories(NamedTuple):
    """The options of commands that read histories.

    Attributes
    ----------
    players
        ``pool`` for all players as one.
    stakes, seats, pot
        As `pokerlab.arena.logs.histories.HandFilter.parse` takes them.
    keep, jobs, ray
        As `pokerlab.arena.logs.folder_counts.count_files` takes them.
    """

    players: str | None = None
    stakes: str | None = None
    seats: str | None = None
    pot: str | None = None
    keep: Path | None = None
    jobs: int = 0
    ray: str | None = None

    @property
    def given(self) -> bool:
        """Whether any of them asks for counting hand by hand."""
        return any(each is not None for each in (*self[:5], self.ray))


def counts_hand_by_hand(paths: Sequence[Path], chosen: ChosenHistories) -> bool:
    """Whether paths are to be counted hand by hand: folders, several files, texts of sites."""
    from pokerlab.arena.logs.site_text import site_of_file

    if chosen.given or any(path.is_dir() for path in paths):
        return True
    return any(site_of_file(path) is not None for path in paths)


def count_histories(
    paths: Sequence[Path],
    chosen: ChosenHistories,
    *,
    lines: bool = False,
    player: str | None = None,
    quiet: bool = False,
) -> HandCounts:
    """Count the hands of paths, with progress; `ValueError` where there are none."""
    from pokerlab.arena.logs.counting import POOL
    from pokerlab.arena.logs.folder_counts import count_files
    from pokerlab.arena.logs.histories import HandFilter, history_files
    from pokerlab.cli.progress.batch_progress import batch_progress
    from pokerlab.runtime.errors import shorten

    if chosen.players not in (None, POOL):
        raise ValueError(
            f"--players {shorten(chosen.players)}: there is {POOL} (all players as one); one"
            " player is --player NAME"
        )
    if chosen.players is not None and player is not None:
        raise ValueError(f"--player {shorten(player)}: not with --players {POOL}")
    check_output(chosen.keep, "--keep")
    hands = HandFilter.parse(chosen.stakes, chosen.seats, chosen.pot)
    files = history_files(paths)
    size = sum(path.stat().st_size for path in files if path.is_file())
    jobs = chosen.jobs if size > _WORTH_A_PROCESS else 1
    try:
        with batch_progress(len(files), what="files", quiet=quiet or len(files) == 1) as report:
            found = count_files(
                files,
                hands,
                keep=chosen.keep,
                workers=jobs,
                ray=chosen.ray,
                report=report,
                together=chosen.players == POOL,
                lines=lines,
                player=player,
            )
    except KeyboardInterrupt:
        if chosen.keep is None or not chosen.keep.exists():
            raise
        raise CutShortError(
            f"the files that were counted are in {chosen.keep}; the same command goes on"
        ) from None
    where = ", ".join(map(str, paths[:3])) + (", …" if len(paths) > 3 else "")
    if not found.hands:
        reasons = [*found.examples[:1], *found.other_games]
        why = f" ({reasons[0]})" if reasons else ""
        of = "" if hands == HandFilter() else " of these stakes, seats and pots"
        raise ValueError(f"{where}: there are no hands of hold'em{of} in it{why}")
    if player is not None and player not in found.rows:
        raise ValueError(f"--player {shorten(player)}: no such name in {where}")
    return found


def counts_json(found: HandCounts) -> dict[str, object]:
    """What was read, as JSON."""
    return {
        "hands": found.hands,
        "stakes": dict(found.stakes.most_common()),
        "left_out": dict(found.left_out.most_common()),
        "other_games": dict(found.other_games.most_common()),
        "examples": found.examples,
        "unit": "big blinds",
    }


def tell_counts(console: Console, found: HandCounts) -> None:
    """Say what was read, and what was not and why."""
    stakes = [f"{name} ({number:,})" for name, number in found.stakes.most_common(4)]
    more = ", …" if len(found.stakes) > 4 else ""
    of = "all players as one" if found.together else f"{len(found.rows):,} players"
    console.out(f"{count_text(found.hands, 'hand')} of {of}; blinds", end=" ")
    console.out(", ".join(stakes) + more)
    for name, number in found.other_games.most_common(5):
        console.out(f"passed over: {count_text(number, 'hand')}, {name}")
    left = sum(found.left_out.values())
    if left:
        share = left / (left + found.hands)
        console.out(
            f"left out: {count_text(left, 'hand')} ({share:.3%}) that cannot be read, for example"
        )
        for example in found.examples[:3]:
            console.out(f"  {example}")

"""`pokerlab hands --judge`: all hands of a night solved, and the decisions of a player judged."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

from pokerlab.cli.shared.drill_play import count_text
from pokerlab.cli.tables.why_tables import GRADE_STYLES
from pokerlab.cli.terminal.interruption import CutShortError
from pokerlab.cli.terminal.output import emit
from pokerlab.runtime.machine import duration_text
from pokerlab.views import Table

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.console import Console

    from pokerlab.arena.logs.histories import HandFilter
    from pokerlab.drills.played.judged_histories import HandJudging, HandsToJudge


class ResultPlaces(NamedTuple):
    """Where results go.

    Attributes
    ----------
    store, solutions, keep_mistakes
        As `pokerlab.drills.played.judged_histories.judge_hands` takes them.
    """

    store: Path | None
    solutions: Path | None
    keep_mistakes: bool


def hero_of(files: Sequence[Path]) -> str:
    """Whose histories these are; `ValueError` where nobody knows."""
    from pokerlab.arena.logs.hand_index import HandIndex, index_file

    hero = HandIndex.join([index_file(file) for file in files]).hero()
    if not hero:
        raise ValueError("whose decisions? the histories do not say it; name a player (--player)")
    return hero


def tell_judged(
    files: Sequence[Path],
    chosen: HandFilter,
    judging: HandJudging,
    places: ResultPlaces,
    limit: int | None,
    *,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Judge hands, and show what was lost where."""
    from pokerlab.drills.played.judged_histories import hands_to_judge, judge_hands, judged_summary

    asked = hands_to_judge(dict.fromkeys(files), judging, chosen)
    low, high = asked.seconds(judging)
    about = {
        "player": judging.player,
        "looked_at": asked.looked_at,
        "to_judge": len(asked.hands),
        "passed": dict(asked.passed.most_common()),
        "expected_range": [low, high],
    }
    if dry_run:
        emit(about, lambda console: _say_before(console, asked, low, high), as_json=as_json)
        return
    if not asked.hands:
        why = "; ".join(f"{count:,}: {reason}" for reason, count in asked.passed.most_common(3))
        raise ValueError(f"no hand can be judged ({why or 'there are none of these'})")
    if not as_json:
        from pokerlab.cli.terminal.output import new_console

        _say_before(new_console(stderr=True), asked, low, high)
    rows = []
    try:
        with _progress(len(asked.hands), quiet=as_json) as report:
            for row in judge_hands(
                asked,
                judging,
                store=places.store,
                solutions=places.solutions,
                keep_mistakes=places.keep_mistakes,
            ):
                rows.append(row)
                report(len(rows))
    except KeyboardInterrupt:
        if places.store is None or not places.store.exists():
            raise
        raise CutShortError(
            f"the hands that were judged are in {places.store}; the same command goes on"
        ) from None
    found = judged_summary(rows)
    emit(about | found, lambda console: _show(console, found, judging, limit), as_json=as_json)


def _say_before(console: Console, asked: HandsToJudge, low: float, high: float) -> None:
    console.out(
        f"{len(asked.hands):,} of {count_text(asked.looked_at, 'hand')} can be judged, in"
        f" {duration_text(low)} to {duration_text(high)}"
    )
    for reason, count in asked.passed.most_common():
        console.out(f"  {count:,} not: {reason}")


@contextmanager
def _progress(total: int, *, quiet: bool) -> Iterator[Callable[[int], None]]:
    """A line of progress on stderr."""
    from pokerlab.cli.progress.batch_progress import batch_progress
    from pokerlab.runtime.files.jobs import JobProgress

    began = perf_counter()
    with batch_progress(total, what="hands", quiet=quiet) as tell:

        def report(done: int) -> None:
            if tell is not None:
                tell(JobProgress(done, total, 0, perf_counter() - began))

        yield report


def _show(
    console: Console, found: Mapping[str, Any], judging: HandJudging, limit: int | None
) -> None:
    judged = count_text(found["judged"], "hand")
    console.out(f"{judging.player} lost {found['lost']:.2f} bb in {judged} that could be judged")
    if found["judged"]:
        console.out(f"  {found['per_hundred']:.1f} bb in 100 such hands, ± {found['error']:.1f}")
    for reason, count in found["not_judged"].items():
        console.out(f"  {count:,} not judged: {reason}")
    columns = {"": "name", "decisions": "count", "mistakes": "count", "bb lost": "chips.2"}
    for part in ("by_street", "by_kind"):
        rows = [tuple(each.values()) for each in found[part]]
        if rows:
            console.print(Table(columns, rows))
    worst = [each for each in found["worst"] if each["loss_bb"] > 0][:limit]
    if not worst:
        return
    rows = [
        (
            each["number"] or each["place"],
            each["cards"],
            each["board"],
            each["line"] or "first",
            each["action"] if each["size"] is None else f"{each['size']:.0f}%: {each['action']}",
            each["best"],
            each["loss_bb"],
            each["grade"],
        )
        for each in worst
    ]
    styles = [GRADE_STYLES[each["grade"]] for each in worst]
    columns = {
        "hand": "name",
        "cards": "name",
        "board": "name",
        "line": "fold.16",
        "did": "name",
        "best": "name",
        "bb lost": "chips.2",
        "grade": "name",
    }
    console.print(Table(columns, rows, options={"row_styles": styles}))

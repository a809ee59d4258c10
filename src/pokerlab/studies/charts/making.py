"""Makes the charts of the package: one solve for each depth, all over the same flops."""

from __future__ import annotations

import gc
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from time import perf_counter

from pokerlab.cards.flops import parse_flops
from pokerlab.holdem.charts.shipped import DEPTHS, chart_path
from pokerlab.holdem.preflop import FlopBets, PreflopRules, PreparedFlops, save_preflop
from pokerlab.holdem.preflop.solving import DEFAULT_GROUPS, solve_preflop
from pokerlab.solvers.loop import Progress

_SPACING = 25
"""Iterations between two measurements, which take as long as two iterations."""
_MENUS = Path(__file__).parent / "menus.toml"


def chart_menus(depth: int) -> tuple[PreflopRules, FlopBets]:
    """What may be bet in the chart of a depth.

    Examples
    --------
    >>> rules, bets = chart_menus(200)
    >>> rules.raises, bets.max_bets
    ('2.5x, 3.5x; 4x, a; 2.3x, a; a', 2)
    """
    fields = tomllib.loads(_MENUS.read_text(encoding="utf-8"))
    after = fields["after"]
    plain = {name: value for name, value in after.items() if not isinstance(value, dict)}
    bets = FlopBets(**plain | after.get(str(depth), {}))
    return PreflopRules(depth, **fields["before"][str(depth)]), bets


def make_charts(
    folder: Path,
    seconds: Mapping[int, float],
    *,
    flops: str = "49",
    groups: str | None = DEFAULT_GROUPS,
    device: str = "gpu",
    target: float | None = None,
    tell: Callable[[str], None] = print,
) -> list[Path]:
    """Solve depths, each for its number of seconds, and write a file for each to a folder.

    Depths are solved in the order of `seconds`. Those that have a file are left out, so an
    interrupted run continues with the next one. With `target`, a solve ends when its exploitability
    is at most that, in big blinds.
    """
    began = perf_counter()

    def say(text: str) -> None:
        tell(f"[{perf_counter() - began:6.1f} s] {text}")

    boards = [(flop.cards, flop.weight) for flop in parse_flops(flops)]
    for depth in seconds:
        if depth not in DEPTHS:
            raise ValueError(f"{depth} is not a depth of the charts")
    missing = [depth for depth in seconds if not (folder / _name(depth)).exists()]
    if not missing:
        return []
    prepared = PreparedFlops(boards, groups)
    say(f"{len(boards)} flops are prepared")
    made = []
    for depth in missing:
        rules, bets = chart_menus(depth)
        measured: list[int] = []

        def report(progress: Progress, depth: int = depth, measured: list[int] = measured) -> None:
            for point in progress.history[len(measured) :]:
                measured.append(point.iteration)
                mbb = 1000 * point.exploitability
                say(f"{depth} bb, iteration {point.iteration}: {mbb:.2f} mbb")

        say(f"{depth} bb")
        solved = solve_preflop(
            rules,
            boards,
            bets,
            seconds=seconds[depth],
            target=target,
            groups=prepared.groups,
            device=device,
            prepared=prepared,
            report=report,
            spacing=_SPACING,
        )
        path = folder / _name(depth)
        save_preflop(path, solved.solution, solved.facts)
        made.append(path)
        parts = {
            name: None if value is None else round(1000 * value, 2)
            for name, value in solved.parts._asdict().items()
        }
        say(
            f"{depth} bb: {solved.run.iterations} iterations in {solved.facts.seconds:.1f} s, "
            f"inside the subset {1000 * solved.parts.inside:.2f} mbb, parts {parts}, the button "
            f"wins {1000 * solved.solution.value:+.1f} mbb"
        )
        del solved
        gc.collect()  # its tables, before those of the next depth are made
    return made


def _name(depth: int) -> str:
    return chart_path(depth).name

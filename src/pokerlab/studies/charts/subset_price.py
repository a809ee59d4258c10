"""What a chart loses because it was solved on a subset of flops, measured on a larger one.

Play before the flop is that of the chart. Play after it is learnt anew, for the ranges of the
chart, once on the flops of the chart and once on more of them, with the same run-outs. What best
responses before the flop gain on the larger subset, more than on the smaller one, is the price.
Lines that the chart never follows are learnt for ranges that contain every hand a little: with
ranges of no hands nothing would be learnt, and every deviation would win.

``python -m pokerlab.studies.charts.subset_price FILE ... --flops "49 184"``
"""

from __future__ import annotations

import json
from argparse import ArgumentParser
from dataclasses import replace
from pathlib import Path
from time import perf_counter

from pokerlab.cards.flops import parse_flops
from pokerlab.holdem.charts.chart_file import read_chart
from pokerlab.holdem.preflop.betting import BIG_BLIND, SMALL_BLIND
from pokerlab.holdem.preflop.flop_bets import WeightedBoards
from pokerlab.holdem.preflop.flop_subtrees import FlopSubtrees
from pokerlab.holdem.preflop.game import PreflopGame
from pokerlab.holdem.preflop.prepared_flops import PreparedFlops
from pokerlab.holdem.preflop.saved_solution import facts_of, solution_of
from pokerlab.holdem.preflop.solving import EpsilonParts, measure_parts

_TREMBLE = 1e-3
"""How often any action is taken in the ranges for which play after the flop is learnt."""


def measure_chart(
    chart: Path,
    prepared: PreparedFlops,
    boards: WeightedBoards,
    *,
    iterations: int,
    device: str = "cpu",
    threads: int | None = None,
) -> EpsilonParts:
    """The parts of the exploitability of a chart whose play after some boards is learnt anew."""
    read = read_chart(chart)
    solution, facts = solution_of(read), facts_of(read)
    if facts is None:
        raise ValueError(f"{chart}: nobody bets after the flop in this chart")
    flops = FlopSubtrees(
        solution.rules,
        boards,
        replace(facts.bets, runouts=prepared.runouts),
        threads=threads,
        device=device,
        groups=prepared.groups,
        prepared=prepared,
    )
    game = PreflopGame(solution.rules, flops)
    trembling = [
        (1 - _TREMBLE) * own + _TREMBLE * any_action
        for own, any_action in zip(solution.strategy, game.uniform(), strict=True)
    ]
    ways = game.streets[0].ways
    reach = [game.reach(trembling, player)[ways] for player in (SMALL_BLIND, BIG_BLIND)]
    for iteration in range(1, iterations + 1):
        for hero in (SMALL_BLIND, BIG_BLIND):
            flops.learn(reach[1 - hero], hero, iteration)
    return measure_parts(game, flops, solution.strategy)


def main() -> None:
    """Read the arguments and print a line of JSON for each subset and chart, as they are done."""
    parser = ArgumentParser(
        prog="python -m pokerlab.studies.charts.subset_price", usage="%(prog)s FILE ... [OPTIONS]"
    )
    parser.add_argument("charts", type=Path, nargs="+", metavar="FILE")
    parser.add_argument("--flops", default="49 184", help="subsets, the one of the chart first")
    parser.add_argument("--runouts", default="12x10", help="of each flop; all for all of them")
    parser.add_argument("--iterations", type=int, default=80)
    parser.add_argument("--device", default="gpu", choices=("cpu", "gpu"))
    given = parser.parse_args()
    runouts = None if given.runouts == "all" else given.runouts
    began, first = perf_counter(), dict[Path, float]()
    for subset in given.flops.split():
        boards = [(each.cards, each.weight) for each in parse_flops(subset)]
        prepared = PreparedFlops(boards, runouts=runouts)
        for chart in given.charts:
            parts = measure_chart(
                chart, prepared, boards, iterations=given.iterations, device=given.device
            )
            mbb = {name: value and 1000 * value for name, value in parts._asdict().items()}
            price = parts.before_flop - first.setdefault(chart, parts.before_flop)
            told = {"chart": chart.name, "flops": subset, "costs": 1000 * price} | mbb
            print(json.dumps(told | {"seconds": round(perf_counter() - began, 1)}), flush=True)


if __name__ == "__main__":
    main()

"""Writes flop-groups.csv: how many groups of identical hands each of the 1,755 flops has.

Run ``python docs/abstraction/flop_groups.py [PROCESSES]`` in the root of the repository: about
half a second of one core for each flop. A run that was interrupted goes on where it was.

One row for each flop up to suits. `times` is how many flops it stands for. For each measure
(`rank`, `strength`, `view`):

- `M_river`, `M_hierarchical`, `M_global`: groups on the flop by each identity;
- `M_turn_I`, `M_turn_I_min`, `M_turn_I_max` for the identities river and global: mean, fewest and
  most on the 49 turn boards (hierarchical is global there);
- `M_board`, `M_board_min`, `M_board_max`: the same on the 1,176 complete boards.
"""

from __future__ import annotations

import csv
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np

from pokerlab.cards.codes import format_cards
from pokerlab.cards.isomorphism.suits import board_orbits, card_classes, symmetries
from pokerlab.engine.groups.finding import count_numbers
from pokerlab.engine.groups.identities import identical_hands
from pokerlab.engine.groups.measures import river_values
from pokerlab.engine.groups.run_outs import RunOuts

TABLE = Path(__file__).parent / "flop-groups.csv"


def count_flop(flop: list[int]) -> dict[str, float]:
    """All columns of one flop."""
    run_outs = RunOuts(flop)
    turns = card_classes(flop, symmetries(flop))
    turn_boards = np.array([[*flop, each.card] for each in turns], np.uint8)
    row: dict[str, float] = {}
    for measure in ("rank", "strength", "view"):
        values, bound = river_values(measure, run_outs.rivers, np.ones(1326), 1)

        def count(identity: str, boards: np.ndarray, values=values, bound=bound) -> np.ndarray:
            return count_numbers(*identical_hands(identity, values, bound, run_outs, boards, 1))

        for identity in ("river", "hierarchical", "global"):
            row[f"{measure}_{identity}"] = int(count(identity, np.array([flop], np.uint8))[0])
        for identity in ("river", "global"):
            found = count(identity, turn_boards)
            all_turns = np.repeat(found, [each.multiplicity for each in turns])
            _add(row, f"{measure}_turn_{identity}", all_turns)
        _add(row, f"{measure}_board", count_numbers(values, bound))
    return row


def _add(row: dict[str, float], name: str, counts: np.ndarray) -> None:
    row[name] = round(float(counts.mean()), 2)
    row[f"{name}_min"] = int(counts.min())
    row[f"{name}_max"] = int(counts.max())


def main(processes: int) -> None:
    """Count the flops that the table lacks, and append them."""
    flops, times = board_orbits(size=3)
    done = set()
    if TABLE.exists():
        with TABLE.open(encoding="utf-8", newline="") as file:
            done = {row["flop"] for row in csv.DictReader(file)}
    left = [
        (flop, int(each))
        for flop, each in zip(flops.tolist(), times, strict=True)
        if format_cards(flop) not in done
    ]
    with (
        ProcessPoolExecutor(processes) as pool,
        TABLE.open("a", encoding="utf-8", newline="") as file,
    ):
        found = pool.map(count_flop, [flop for flop, _ in left], chunksize=4)
        writer = None
        for (flop, each), row in zip(left, found, strict=True):
            if writer is None:
                names = ["flop", "times", *row]
                writer = csv.DictWriter(file, names, lineterminator="\n")
                if not done:
                    writer.writeheader()
            writer.writerow({"flop": format_cards(flop), "times": each, **row})
            file.flush()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1)

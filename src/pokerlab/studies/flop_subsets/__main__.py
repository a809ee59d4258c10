"""Choose the weighted subsets of flops again: ``python -m pokerlab.studies.flop_subsets FOLDER``.

FOLDER keeps the equities of all pairs of ranges on all flops, which take about a quarter of an
hour to compute, and are read from there the next time. The subsets are written over those of the
package. ``--errors`` also prints how exact they are on spots that they were not chosen for,
beside flops drawn by chance.

``--batch=NAME=BATCH`` first takes what a batch over all flops found (``pokerlab batch SPOT.toml
--flops all --root-only -o BATCH``) into the tables of the package, which count for the choice.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from pokerlab.batches import load_batch
from pokerlab.cards.flops import SUBSET_SIZES, all_flops, subset_file
from pokerlab.files.atomic import write_text
from pokerlab.studies.flop_subsets.choosing import choose_flops
from pokerlab.studies.flop_subsets.equities import flop_equities
from pokerlab.studies.flop_subsets.measured import expected_errors, multiplicities
from pokerlab.studies.flop_subsets.quality import held_out_errors, random_errors
from pokerlab.studies.flop_subsets.range_pairs import RANGE_PAIRS
from pokerlab.studies.flop_subsets.solved import read_solved, write_solved

DATA = Path(__file__).parent / "data"


def main(arguments: list[str]) -> None:
    """Measure, choose, write, and judge."""
    folder = Path(next(each for each in arguments if not each.startswith("--")))
    folder.mkdir(parents=True, exist_ok=True)
    pairs = []
    for name, ranges in RANGE_PAIRS.items():
        print(name, file=sys.stderr)
        pairs.append(flop_equities(ranges, folder / f"{name.replace(' ', '-')}.npz"))
    for argument in arguments:
        if argument.startswith("--batch="):
            _, name, batch = argument.split("=", 2)
            write_solved(load_batch(batch), DATA / f"{name}.csv")
    solved = [read_solved(file) for file in sorted(DATA.glob("*.csv"))]
    errors = expected_errors(pairs, solved)
    chosen = None
    for size in SUBSET_SIZES:
        chosen, weights = choose_flops(errors, size, chosen)
        _write(size, chosen.tolist(), weights.tolist())
    if "--errors" in arguments:
        for size in SUBSET_SIZES:
            found, random = (each(pairs, solved, size) for each in (held_out_errors, random_errors))
            for kind, error in found.items():
                print(
                    f"{size:3}  {kind:24} {100 * error:6.3f}  by chance {100 * random[kind]:6.3f}"
                )


def _write(size: int, chosen: list[int], weights: list[float]) -> None:
    flops, deals = all_flops(), float(np.sum(multiplicities()))
    lines = [f"# {size} flops for all 22,100, chosen by pokerlab.studies.flop_subsets\n"]
    for number, weight in zip(chosen, weights, strict=True):
        lines.append(f"{flops[number].name}:{weight * deals:.1f}\n")
    write_text(subset_file(size), "".join(lines))


if __name__ == "__main__":
    main(sys.argv[1:])

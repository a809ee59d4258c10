"""Choose the weighted subsets of flops again: ``python -m pokerlab.studies.flop_subsets``.

``choose FOLDER``
    Chooses them and writes them over those of the package. FOLDER keeps the equities of all pairs
    of ranges on all flops, which take about a quarter of an hour the first time. Says how exact
    the subsets are on spots that they were not chosen for, beside flops drawn by chance.
``spots FOLDER``
    Writes spots that are to be solved on all flops to FOLDER, for example three-bet.toml, for
    ``pokerlab batch FOLDER/three-bet.toml --flops all --root-only --target 0.5%
    -o FOLDER/three-bet``.
``tables FOLDER NAME…``
    Puts what the batches FOLDER/NAME found into tables of the package, by which `choose` goes.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from pokerlab.cards.flops import SUBSET_SIZES, all_flops, subset_file
from pokerlab.holdem.batches import load_batch
from pokerlab.runtime.files.atomic import write_text
from pokerlab.studies.flop_subsets.choosing import choose_flops
from pokerlab.studies.flop_subsets.equities import FlopEquities, flop_equities
from pokerlab.studies.flop_subsets.measured import (
    expected_errors,
    held_out_errors,
    multiplicities,
    random_errors,
)
from pokerlab.studies.flop_subsets.range_pairs import RANGE_PAIRS, write_spots
from pokerlab.studies.flop_subsets.solved import SolvedSpot, read_solved, write_solved

DATA = Path(__file__).parent / "data"


def main(arguments: list[str]) -> None:
    """Do what the first argument says."""
    if len(arguments) < 2 or arguments[0] not in ("choose", "spots", "tables"):
        sys.exit(__doc__)
    command, folder, names = arguments[0], Path(arguments[1]), arguments[2:]
    folder.mkdir(parents=True, exist_ok=True)
    if command == "spots":
        print(*write_spots(folder), sep="\n")
    elif command == "tables":
        for name in names:
            write_solved(load_batch(folder / name), DATA / f"{name}.csv")
    else:
        pairs = {name: _equities(name, folder) for name in RANGE_PAIRS}
        solved = [read_solved(file) for file in sorted(DATA.glob("*.csv"))]
        _choose(list(pairs.values()), solved)
        _print_errors(pairs, solved)


def _equities(name: str, folder: Path) -> FlopEquities:
    print(name, file=sys.stderr)
    return flop_equities(RANGE_PAIRS[name], folder / f"{name.replace(' ', '-')}.npz")


def _choose(pairs: list[FlopEquities], solved: list[SolvedSpot]) -> None:
    errors = expected_errors(pairs, solved)
    flops, deals = all_flops(), float(np.sum(multiplicities()))
    chosen = None
    for size in SUBSET_SIZES:
        chosen, weights = choose_flops(errors, size, chosen)
        lines = [f"# {size} flops for all 22,100, chosen by pokerlab.studies.flop_subsets\n"]
        for number, weight in zip(chosen.tolist(), weights.tolist(), strict=True):
            lines.append(f"{flops[number].name}:{weight * deals:.1f}\n")
        write_text(subset_file(size), "".join(lines))


def _print_errors(pairs: dict[str, FlopEquities], solved: list[SolvedSpot]) -> None:
    for size in SUBSET_SIZES:
        found, random = (each(pairs, solved, size) for each in (held_out_errors, random_errors))
        for kind, error in found.items():
            print(f"{size:3}  {kind:24} {100 * error:6.3f}  by chance {100 * random[kind]:6.3f}")


if __name__ == "__main__":
    main(sys.argv[1:])

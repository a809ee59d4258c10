"""How fast does the training of limit hold'em converge, by method and rule?

Exploitability is exact, in the game with the buckets ``ehs2:5,5,5,5`` (3.6 million rows), whose
pairs have been counted over all deals (`pokerlab.holdem.limit.bucket_games.exact_game`, 9 minutes
of processor time; ``make bench`` passes this benchmark over where that was never done). Each
training has one thread and the same processor time, measurements not counted. `exact` iterates on
that game itself, without sampling.

Floor. An iteration on the exact game multiplies what 4,536 + 5,103 leaves of the river are reached
with by two matrices of 625 × 625, for both players: 15 billion multiplications and additions, 0.3 s
at 50 billion a second of two cores; tables of 85 MB go through memory four times, 0.03 s. The
first 100 iterations bring DCFR to about 20 mbb: that is 30 s. A sampled deal visits 180 nodes at
30 ns (`benchmarks/training.py`), 180,000 deals a second and core; every one of 3.6 million rows
must be seen some hundred times, 20 rows a deal on the river: 100 s and more until anything has
settled.

Measured 2026-11-15 beside other work, in mbb after 16, 32 and 60 s of processor time: exact DCFR
263, 70, 20; exact CFR+ 274, 89, 34; chance sampling with linear weights 170, 97, 46; external
sampling with linear weights 343, 125, 54, with those of CFR 621, 260, 114; public-chance sampling
with CFR+ 275, 181, 117; outcome sampling 2,492, 2,079, 1,542.

``python -m benchmarks.convergence FOLDER`` writes the curves to FOLDER as CSV and SVG.
"""

from __future__ import annotations

import csv
import sys
from pathlib import Path
from time import process_time

from benchmarks.common import Row
from pokerlab.games import load_betting_game
from pokerlab.holdem.limit.bucket_games.exact_tables import exact_game_of
from pokerlab.holdem.limit.bucket_games.solver import BucketSolver
from pokerlab.holdem.limit.sampling.bucketed_game import BucketedGame
from pokerlab.holdem.limit.training.trainer import Trainer
from pokerlab.runtime.files.atomic import write_bytes
from pokerlab.runtime.jit import cache_folder
from pokerlab.views.training_figure import draw_trainings

BUCKETS = "ehs2:5,5,5,5"
SECONDS = 60.0
FIRST = 2.0
"""Seconds until the first measurement; each following comes after twice the time."""
TRAININGS = (
    ("exact", "dcfr"),
    ("exact", "cfr+"),
    ("external", "linear"),
    ("external", "cfr"),
    ("chance", "linear"),
    ("public", "cfr+"),
    ("outcome", "linear"),
)
CHUNK = {"exact": 1, "external": 20_000, "chance": 4_000, "public": 2, "outcome": 100_000}

Curve = list[tuple[float, float]]


def curve(game: BucketedGame, method: str, rule: str, seconds: float) -> Curve:
    """Processor time and exploitability in mbb, on the way."""
    exact = exact_game_of(game)
    trainer: BucketSolver | Trainer
    if method == "exact":
        trainer = BucketSolver(exact, rule)
    else:
        trainer = Trainer(game, method, rule, threads=1, seed=1)
    unit = game.game.mbb
    found: Curve = []
    used, wanted = 0.0, FIRST
    while used < seconds:
        while used < min(wanted, seconds):
            began = process_time()
            trainer.iterate(CHUNK[method])
            used += process_time() - began
        found.append((used, unit * trainer.exploitability()))
        wanted *= 2.0
    return found


def curves(seconds: float = SECONDS) -> dict[str, Curve]:
    """All trainings."""
    game = BucketedGame.of(load_betting_game("holdem.limit.2p"), BUCKETS)
    return {f"{method}, {rule}": curve(game, method, rule, seconds) for method, rule in TRAININGS}


def run() -> list[Row]:
    """The last measurement of each."""
    if not any((cache_folder() / "exact-games").glob("*.safetensors")):  # nothing was ever counted
        print(f"convergence: train once with --buckets {BUCKETS} --method exact", file=sys.stderr)
        return []
    return [
        Row(
            f"{name}, {points[-1][0]:.0f} s of processor time",
            points[-1][1],
            "mbb exploitable",
            note="; ".join(f"{value:.0f} after {seconds:.0f} s" for seconds, value in points[:-1]),
        )
        for name, points in curves().items()
    ]


def main(folder: Path) -> None:
    """Write all curves to a folder."""
    found = curves()
    with (folder / "convergence.csv").open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(("training", "processor_seconds", "exploitability_mbb"))
        for name, points in found.items():
            for seconds, value in points:
                rows.writerow((name, f"{seconds:.1f}", f"{value:.2f}"))
    title = f"Limit hold'em for two with {BUCKETS}: exact exploitability in that game"
    write_bytes(folder / "convergence.svg", draw_trainings(found, title=title))


if __name__ == "__main__":
    main(Path(sys.argv[1]))

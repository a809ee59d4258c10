"""Gadgets on CPU and GPU: the gap, the margins and the time of an iteration, to gpu-turns.csv.

Run ``python docs/resolving/gpu_turns.py FILE [DEVICES [ITERATIONS]]``.
"""

import csv
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from pokerlab.holdem.spots import Gadget, PostflopSolver, Spot, solve_spot
from pokerlab.holdem.spots.answer.solution import make_solution
from pokerlab.runtime.arrays import Floats

TURN = {"bet": "66%", "raise_": "a"}
RICH = {"bet": "33%, 75%, 150%", "raise_": "60%, a", "max_bets": 3}
SPOTS = {
    "turn Ks7h2d5c": Spot("Ks7h2d5c", "random", "random", pot=100, stack=400, **TURN),
    "turn AhAd9c3h": Spot("AhAd9c3h", "random", "random", pot=100, stack=250, **TURN),
    "river Ks7h2d5c9s": Spot("Ks7h2d5c9s", "random", "random", pot=100, stack=400, **RICH),
}
HEADS = [
    "spot",
    "values",
    "kind",
    "device",
    "bits",
    "iterations",
    "ms",
    "gap",
    "least_margin",
    "hand",
    "mean_margin",
]
_WARM = 4
"""Iterations before the clock runs."""


def values_of(spot: Spot) -> Iterator[tuple[str, Floats]]:
    """What hands may stop for: random chips, and what best responses to a rough solution take."""
    yield "random", np.random.default_rng(1).uniform(20, 120, 1326)
    if spot.street == 1:
        rough = solve_spot(spot, iterations=30, device="cpu", isomorphism=False)
        yield "response", rough.all_hands(1).at_root()


def measure(
    spot: Spot, gadget: Gadget | None, device: str, bits: int, iterations: int
) -> tuple[str, ...]:
    """The columns from ``ms`` on; the time includes one measurement of the gap."""
    solver = PostflopSolver(spot, precision=bits, device=device, isomorphism=False, gadget=gadget)
    solver.iterate(_WARM)
    began = time.perf_counter()
    solver.iterate(iterations - _WARM)
    gap = solver.exploitability()
    spent = time.perf_counter() - began
    margin = make_solution(solver, spent, "iterations").margin
    found = f"{1e3 * spent / (iterations - _WARM):.3f}", f"{gap:.5f}"
    if margin is None:
        return *found, "", "", ""
    return *found, f"{margin.chips:.4f}", margin.hand, f"{margin.mean:.4f}"


def main(path: str, devices: str = "gpu,cpu", iterations: str = "400") -> None:
    """Measure everything, and write a row as soon as it is known."""
    with Path(path).open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(HEADS)
        for name, spot in SPOTS.items():
            for told, values in values_of(spot):
                for kind in ("maxmargin", "resolve", *(["none"] if told == "random" else [])):
                    gadget = None if kind == "none" else Gadget("ip", values, kind=kind)
                    for bits in (32, 16):
                        for device in devices.split(","):
                            row = measure(spot, gadget, device, bits, int(iterations))
                            writer.writerow((name, told, kind, device, bits, iterations, *row))
                            file.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])

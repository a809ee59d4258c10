"""How long do a simple solution, rules for a decision and a choice of bet sizes take?

Spots: S3 (a river) and S2 (a turn) of ``benchmarks/postflop.py``, with bets of half the pot, the
pot and all-in; sizes are chosen for S2 with raises all-in.

Floor. Simplifying takes six best responses and two walks (a walk is about half an iteration, in
float64), one pass over the strategies that rounds them, and one over all boards that says where the
loss comes from: some ten iterations, where the solve that it follows takes some hundred. With a
bound on the loss each decision is a best response more. Rules take one for each list that is tried,
some hundred. Sizes are solves: with C candidates and P places (players times streets), P(C + 1)
solves for the first size and P C for the second, each of a tree that is a fraction of the one with
all candidates.

Each ratio is the processor time of the job (all threads) to that of a solve to 0.1% of the pot
in the same run: of the same spot, and for sizes of the spot with all candidates on the river.

Last measured (2026-11-18) on two cores (Neoverse N1) beside other work: on the river 1.4 to
simplify (13 ms), 2.0 with a bound on the loss, 88 for rules (0.8 s), 31 for sizes (0.5 s, 28
solves); on the turn 1.0 to simplify (0.47 s), 21 for sizes (22 s, 66 solves).
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from time import process_time

from benchmarks.common import Row, best_seconds
from pokerlab.games.betting_trees import Menus
from pokerlab.holdem.spots import Spot, find_rules, find_sizes, simplify, solve_spot

EXAMPLES = Path(__file__).parents[1] / "examples" / "spots"


def read(name: str) -> Spot:
    return Spot.from_toml((EXAMPLES / name).read_text(encoding="utf-8"))


def run() -> list[Row]:
    rows = []
    for name, spot in (("S3", read("s3-river.toml")), ("S2", read("s2-turn.toml"))):
        solution = solve_spot(spot, target="0.1%")
        jobs = {
            "solve": partial(solve_spot, spot, target="0.1%"),
            "simplify": partial(simplify, solution),
            "without origins": partial(simplify, solution, origins=False),
        }
        if name == "S3":
            jobs["within 0.5%"] = partial(simplify, solution, "100%", loss="0.5%")
            jobs["rules"] = partial(find_rules, solution, "x", loss="0.2%")
        seconds = best_seconds(jobs, turns=3, clock=process_time)
        rows += [
            Row(f"{name}, {job}", each, "s", "its solve", each / seconds["solve"])
            for job, each in seconds.items()
        ]
    for name in ("s3-river.toml", "s2-turn.toml"):
        spot = replace(read(name), raise_=Menus.of("raise", "a"), donk=None)
        everything = "20%, 33%, 50%, 75%, 100%, 150%, 200%, a"
        full = replace(spot, bet=Menus.of("bet", f"turn: 67%; river: {everything}"))
        started = process_time()
        solve_spot(full, target="0.1%")
        solved = process_time()
        found = find_sizes(spot, most=2)
        seconds_of_sizes = process_time() - solved
        rows.append(
            Row(
                f"{name[:2].upper()}, sizes: {found.solves} solves",
                seconds_of_sizes,
                "s",
                "the solve with all of them on the river",
                seconds_of_sizes / (solved - started),
            )
        )
    return rows

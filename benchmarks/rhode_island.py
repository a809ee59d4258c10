"""What does merging suits save, and what would Rhode Island hold'em take?

``python -m benchmarks rhode_island`` measures small games with and without `merge_suits`.
``python -m benchmarks.rhode_island 2 3 13`` counts Rhode Island with so many ranks × 4 suits: the
tree and the linear program of one player, before and after merging, without writing out a tree.

Floor. A renaming of k suits merges at most k! deals: 2 for the two-suited games, 24 for four
suits; deals of few cards have fewer that are alike. Where suits do not count at the showdown
(Leduc), each rank has a renaming of its own.

Measured 2026-11-15 on a busy Xeon, twice: Leduc by linear program 7 and 9 times as fast, by DCFR 6
and 3 times; Rhode Island with two ranks, four suits and one raise by DCFR 16 and 21 times.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace

from benchmarks.common import Row, best_seconds
from pokerlab.games import CHANCE, TERMINAL, Betting, BettingGame, load_betting_game, merge_suits
from pokerlab.solvers import CfrSolver, solve_lp
from pokerlab.studies.rhode_island.boards import rhode_island
from pokerlab.trees import GameTree

ITERATIONS = 200


def run() -> list[Row]:
    return [
        *compare("Leduc", load_betting_game("leduc"), linear_program=True),
        *compare("Rhode Island KA, one raise", rhode_island(2, raises=1)),
    ]


def compare(name: str, game: BettingGame, *, linear_program: bool = False) -> list[Row]:
    """Solve a game with all its deals and with merged ones."""
    trees = {"all": GameTree.build(game), "merged": GameTree.build(merge_suits(game))}
    solvers = {kind: CfrSolver(tree, "dcfr") for kind, tree in trees.items()}
    jobs = {kind: lambda kind=kind: solvers[kind].iterate(ITERATIONS) for kind in solvers}
    if linear_program:
        jobs |= {f"{kind} lp": lambda kind=kind: solve_lp(trees[kind]) for kind in trees}
    seconds = best_seconds(jobs, turns=3)
    saved = f"{len(trees['merged']):,} of {len(trees['all']):,} nodes"
    rows = [
        Row(
            f"{name}, suits merged, DCFR",
            ITERATIONS / seconds["merged"],
            "iterations/s",
            "all deals",
            seconds["all"] / seconds["merged"],
            saved,
        )
    ]
    if linear_program:
        rows.append(
            Row(
                f"{name}, suits merged, linear program",
                1e3 * seconds["merged lp"],
                "ms",
                "all deals",
                seconds["all lp"] / seconds["merged lp"],
                saved,
            )
        )
    return rows


@dataclass
class Size:
    """A tree, and the linear program of player 0 on it."""

    nodes: int = 1
    information_sets: int = 0
    slots: int = 0
    rows: int = 1
    columns: int = 1
    nonzeros: int = 1


@dataclass
class Deals:
    """The cards of a street: whole deals, what each seat can see, and pairs of what they see."""

    classes: int
    seen: tuple[set[str], set[str]]
    pairs: set[tuple[str, str]]
    decided: set[tuple[str, str]]


def count(game: BettingGame, *, merge: bool) -> Size:
    """Count a two-player limit game street by street: betting nodes × deals."""
    streets = deals_by_street(game, merge=merge)
    size = Size()
    size.nodes += len(game.deck) if not merge else len(merge_suits(game).start().actions())

    def visit(node: Betting, street: int) -> None:
        if node.player >= 0 and node.street != street:
            size.nodes += streets[street].classes  # chance deals the next street
            street = node.street
        here = streets[street]
        size.nodes += here.classes
        if node.player == TERMINAL:
            size.nonzeros += len(here.pairs if any(node.folded) else here.decided)
            return
        actions, sets = len(node.actions()), len(here.seen[node.player])
        size.information_sets += sets
        size.slots += sets * actions
        # The hero: a column for each slot, a row for each set; the opponent: the reverse.
        size.columns += sets * (actions if node.player == 0 else 1)
        size.rows += sets * (1 if node.player == 0 else actions)
        size.nonzeros += sets * (actions + 1)
        for action in node.actions():
            visit(node.after(action), street)

    visit(game.first_betting, 0)
    return size


def deals_by_street(game: BettingGame, *, merge: bool) -> list[Deals]:
    """Deal everything, with checks for betting."""
    quiet = replace(game, streets=tuple(replace(each, max_raises=0) for each in game.streets))
    streets = [Deals(0, (set(), set()), set(), set()) for _ in game.streets]
    waiting = [merge_suits(quiet).start() if merge else quiet.start()]
    while waiting:
        state = waiting.pop()
        if state.player == CHANCE:
            waiting += [state.apply(cards) for cards in state.actions()]
            continue
        both = state.seen_by(0), state.seen_by(1)
        street = streets[state.street]
        if state.player == TERMINAL:
            if any(state.payoffs()):
                street.decided.add(both)
            continue
        if state.player == 0:
            street.classes += 1
            street.pairs.add(both)
            for seat in (0, 1):
                street.seen[seat].add(both[seat])
        waiting.append(state.apply("c"))
    return streets


def main(arguments: list[str]) -> int:
    print(f"{'ranks':>5} {'':6} " + " ".join(f"{name:>16}" for name in vars(Size())))
    for ranks in map(int, arguments):
        for merge in (False, True) if ranks < 5 else (True,):  # all deals of many ranks take long
            size = vars(count(rhode_island(ranks), merge=merge))
            kind = "merged" if merge else "all"
            print(f"{ranks:5} {kind:6} " + " ".join(f"{number:16,}" for number in size.values()))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Programs of streets, run by a loop over rows, against recursion over the betting tree."""

from __future__ import annotations

from collections import Counter
from functools import cache

import numpy as np
import pytest

from pokerlab.engine.cpu.walker import CPU_SHAPE
from pokerlab.engine.tables.arrays import Program
from pokerlab.engine.tables.payoffs import Payoffs, raked_worths
from pokerlab.engine.tables.program import StreetProgram, compile_street
from pokerlab.games.betting_trees import EdgeKind, StreetTree
from pokerlab.holdem.spots import Spot

WIDTHS = (32, 48)
SPOTS = {
    "flop": Spot(
        "Td9d6h",
        "66+, AKs",
        "QQ-22",
        pot=200,
        stack=900,
        bet="60%, e, a",
        raise_="2.5x",
        donk="river: 50%",
        add_allin=1.5,
        force_allin=0.15,
        merge=0.1,
    ),
    "rake": Spot(
        "Td9d6h2s",
        "66+, AKs",
        "QQ-22",
        pot=60,
        stack=200,
        bet="33%, 75%, a",
        raise_="50%, a",
        rake=0.05,
        rake_cap=9,
    ),
    "only all-in": Spot("Td9d6h", "AKs", "QQ", pot=60, stack=40, bet="a", raise_="a"),
    "no chips behind": Spot("Td9d6h", "AKs", "QQ", pot=60, stack=0, bet="a", raise_="a"),
    "single actions": Spot(
        "Td9d6h2s",
        "AKs",
        "QQ",
        pot=60,
        stack=100,
        bet="50%",
        raise_="",
        removed=["b30/f", "x/b30", "x/x/x/b30"],
    ),
}
HEROES = (0, 1)
UNIT = 0.5


@cache
def compiled(name: str) -> list[StreetProgram]:
    """The programs of all streets."""
    spot = SPOTS[name]
    payoffs = Payoffs(raked_worths(spot.pot, spot.rake_from), unit=UNIT)
    streets: list[StreetProgram] = []
    for street in spot.tree.streets:
        whole = street.number < 2
        streets.append(compile_street(street, payoffs, WIDTHS, float, CPU_SHAPE, whole=whole))
    return streets


EVERY = [
    (name, level, hero)
    for name, spot in SPOTS.items()
    for level in range(len(spot.tree.streets))
    for hero in HEROES
]


def parts(name: str, level: int, hero: int) -> tuple[StreetTree, StreetProgram, Program]:
    program = compiled(name)[level]
    return SPOTS[name].tree.streets[level], program, program.programs[hero]


@pytest.mark.parametrize(("name", "level", "hero"), EVERY)
def test_batches_take_everything_once(name, level, hero):
    street, _, rows = parts(name, level, hero)
    blocks, mixes = len(rows.block_folds), len(rows.raked_starts)
    ends = [street.nodes, street.roots, blocks, mixes]
    for column, end in enumerate(ends):
        firsts, lasts = rows.batches[:, 2 * column], rows.batches[:, 2 * column + 1]
        assert [*firsts.tolist(), end] == [0, *lasts.tolist()]
    if street.number < 2:
        assert len(rows.batches) == 1
    for first, last, first_root, last_root, *_ in rows.batches.tolist():
        assert street.root_first_node[[first_root, last_root]].tolist() == [first, last]
    assert len(rows.block_showdowns) == blocks == len(rows.leaves.reach_starts) // CPU_SHAPE.leaves


@pytest.mark.parametrize(("name", "level", "hero"), EVERY)
def test_slots_number_the_actions_of_each_player(name, level, hero):
    street, _, rows = parts(name, level, hero)
    for player in range(2):
        taken = [
            slot
            for node in np.flatnonzero(street.player == player)
            for slot in range(rows.slot[node], rows.slot[node] + len(street.edges_of(node)))
        ]
        assert taken == list(range(street.actions_of(player)))
    assert (rows.mine == (street.player == hero)).all()


@pytest.mark.parametrize(("name", "level", "hero"), EVERY)
def test_rows_do_not_overlap_and_fit(name, level, hero):
    street, program, rows = parts(name, level, hero)
    own, other = WIDTHS[hero], WIDTHS[1 - hero]
    for batch in rows.batches.tolist():
        nodes, roots = range(*batch[:2]), range(*batch[2:4])
        reach = [rows.root_reach[root] for root in roots]
        values = [rows.value_start[node] for node in nodes]
        for node in nodes:
            if not rows.mine[node]:
                actions = len(street.edges_of(node))
                reach += [rows.split_start[node] + other * each for each in range(actions)]
        lanes = slice(batch[4] * CPU_SHAPE.leaves, batch[5] * CPU_SHAPE.leaves)
        scratch = program_scratch(rows)
        for starts in (rows.leaves.showdown_starts[lanes], rows.leaves.fold_starts[lanes]):
            values += [start for start in starts if start != scratch]
        values += [start for start, *_ in rows.raked_starts[batch[6] : batch[7]]]
        if street.number < 2:
            values += rows.next_value.tolist()
            values += [start for start in rows.all_ins.value_starts if start != scratch]
        for starts, width, size in (
            (reach, other, program.reach_size),
            (values, own, program.value_size - own),
        ):
            assert sorted(int(start) for start in starts) == [
                width * each for each in range(len(starts))
            ]
            assert width * len(starts) <= size
    assert scratch_is_free(rows, program, own)


def program_scratch(rows: Program) -> int:
    """Where the row begins that leaves write to which have nothing to write."""
    leaves, all_ins = rows.leaves, rows.all_ins
    starts = [leaves.showdown_starts, leaves.fold_starts, all_ins.value_starts, [0]]
    return int(np.concatenate(starts).max())


def scratch_is_free(rows: Program, program: StreetProgram, own: int) -> bool:
    scratch = program_scratch(rows)
    read = [
        *rows.edge_start,
        *rows.root_value,
        *rows.raked_starts[:, 1:3].ravel(),
        *rows.value_start,
    ]
    return scratch + own <= program.value_size and (
        len(rows.leaves.fold_starts) == 0 or scratch not in read
    )


@pytest.mark.parametrize(("name", "level", "hero"), EVERY)
def test_a_row_of_reach_is_evaluated_once(name, level, hero):
    """Leaves with the same opposing reach share a lane, whatever is at stake."""
    _, _, rows = parts(name, level, hero)
    scratch = program_scratch(rows)
    for batch in rows.batches.tolist():
        lanes = slice(batch[4] * CPU_SHAPE.leaves, batch[5] * CPU_SHAPE.leaves)
        used = (rows.leaves.showdown_starts[lanes] != scratch) | (
            rows.leaves.fold_starts[lanes] != scratch
        )
        counts = Counter(rows.leaves.reach_starts[lanes][used].tolist())
        assert set(counts.values()) <= {1}
        # No more blocks than the lanes need, and each block says what its lanes need.
        assert batch[5] - batch[4] == -(-len(counts) // CPU_SHAPE.leaves)
        for block in range(batch[4], batch[5]):
            here = slice(block * CPU_SHAPE.leaves, (block + 1) * CPU_SHAPE.leaves)
            assert (
                rows.block_showdowns[block] == (rows.leaves.showdown_starts[here] != scratch).any()
            )
            assert rows.block_folds[block] == (rows.leaves.fold_starts[here] != scratch).any()


class Recursion:
    """One hand each: the hero wins `beaten`, and meets `met`, of all reach at a showdown."""

    def __init__(self, name: str, level: int, hero: int, rng: np.random.Generator) -> None:
        self.spot, self.hero = SPOTS[name], hero
        self.street = SPOTS[name].tree.streets[level]
        self.strategy = rng.random(self.street.edges)
        self.beaten, self.met = rng.normal(), rng.random()
        self.next_values = rng.normal(size=1000)
        self.next_reach: dict[int, float] = {}

    def root(self, root: int, reach: float) -> float:
        return self.node(int(self.street.root_first_node[root]), reach)

    def node(self, node: int, reach: float) -> float:
        street, mine = self.street, self.street.player[node] == self.hero
        total = 0.0
        for edge in street.edges_of(node):
            share = self.strategy[edge]
            below = self.edge(edge, reach if mine else reach * share)
            total += share * below if mine else below
        return total

    def edge(self, edge: int, reach: float) -> float:
        street, spot = self.street, self.spot
        kind, matched = EdgeKind(street.kind[edge]), int(street.matched[edge])
        if kind == EdgeKind.NODE:
            return self.node(int(street.target[edge]), reach)
        if kind == EdgeKind.FOLD:
            won = spot.pot / 2 + matched
            if street.player[street.node[edge]] == self.hero:
                return -UNIT * won * self.met * reach
            return UNIT * (won - spot.rake_from(spot.pot + 2 * matched)) * self.met * reach
        if kind == EdgeKind.NEXT_STREET:
            return self.next(int(street.target[edge]), reach)
        return self.end(matched, reach)

    def end(self, matched: int, reach: float) -> float:
        # Half of `met + beaten` is won, half of `met − beaten` is lost; the winner pays the rake.
        at_stake = self.spot.pot / 2 + matched
        rake = self.spot.rake_from(self.spot.pot + 2 * matched)
        won, lost = (self.met + self.beaten) / 2, (self.met - self.beaten) / 2
        return UNIT * (won * (at_stake - rake) - lost * at_stake) * reach

    def next(self, root: int, reach: float) -> float:
        assert root not in self.next_reach
        self.next_reach[root] = reach
        return float(self.next_values[root])


def run(rows: Program, recursion: Recursion, root_reach: np.ndarray) -> tuple[list[float], dict]:
    """What kernels do, for one hand: values of the roots, and reach of the next street's roots."""
    street = recursion.street
    reach, values = {}, {}
    root_values, next_reach = [], {}
    for batch in rows.batches.tolist():
        for root in range(*batch[2:4]):
            reach[rows.root_reach[root]] = root_reach[root]
        for node in range(*batch[:2]):
            if not rows.mine[node]:
                for number, edge in enumerate(street.edges_of(node)):
                    row = rows.split_start[node] + number * WIDTHS[1 - recursion.hero]
                    reach[row] = reach[rows.reach_start[node]] * recursion.strategy[edge]
        for lane in range(batch[4] * CPU_SHAPE.leaves, batch[5] * CPU_SHAPE.leaves):
            here = reach[rows.leaves.reach_starts[lane]]
            values[rows.leaves.showdown_starts[lane]] = here * recursion.beaten
            values[rows.leaves.fold_starts[lane]] = here * recursion.met
        for start, place in zip(*rows.all_ins, strict=True):
            values[place] = reach[start] * recursion.beaten
        for (to, first, second), factors in zip(
            rows.raked_starts[batch[6] : batch[7], :3],
            rows.raked_factors[batch[6] : batch[7], :2],
            strict=True,
        ):
            values[to] = values[first] * factors[0] + values[second] * factors[1]
        if street.number < 2:
            for root, (start, place) in enumerate(
                zip(rows.next_reach, rows.next_value, strict=True)
            ):
                next_reach[root] = reach[start]
                values[place] = recursion.next_values[root]
        for node in reversed(range(*batch[:2])):
            total = 0.0
            for edge in street.edges_of(node):
                share = recursion.strategy[edge] if rows.mine[node] else 1.0
                total += share * values[rows.edge_start[edge]] * rows.edge_factor[edge]
            values[rows.value_start[node]] = total
        root_values += [values[rows.root_value[root]] for root in range(*batch[2:4])]
    return root_values, next_reach


@pytest.mark.parametrize(("name", "level", "hero"), EVERY)
def test_programs_give_the_values_of_the_betting_tree(name, level, hero):
    rng = np.random.default_rng(level)
    street, _, rows = parts(name, level, hero)
    recursion = Recursion(name, level, hero, rng)
    root_reach = rng.random(street.roots)
    found, next_reach = run(rows, recursion, root_reach)
    expected = [recursion.root(root, reach) for root, reach in enumerate(root_reach)]
    np.testing.assert_allclose(found, expected, atol=1e-9)
    assert next_reach == pytest.approx(recursion.next_reach)


def test_lanes_and_batches_of_a_large_tree():
    """More leaves than a batch holds: several batches, and fewer lanes than leaves."""
    spot = Spot("Td9d6h", "AKs", "QQ", pot=200, stack=4000, bet="40%, 90%", raise_="60%")
    street = spot.tree.streets[2]
    payoffs = Payoffs(raked_worths(spot.pot, spot.rake_from))
    rows = compile_street(street, payoffs, (1024, 1024), float, CPU_SHAPE, whole=False).programs[0]
    leaves = street.count(EdgeKind.FOLD) + street.count(EdgeKind.SHOWDOWN)
    scratch = program_scratch(rows)
    lanes = np.count_nonzero(
        (rows.leaves.showdown_starts != scratch) | (rows.leaves.fold_starts != scratch)
    )
    assert len(rows.batches) > 1
    assert lanes < leaves

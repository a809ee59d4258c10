"""Walks over the boards of a spot: one player's values, with or without learning.

A walk for the *hero* starts from the opponent's reach at the root. On each board: gather the
reach rows of the roots from the board above, split them at the opponent's nodes, do the boards
below, evaluate the leaves and the all-ins, and go up; at last add the values, times the chance of
a card, to the board above, once for each card that the board stands for. (Reach is free of chance,
so it has the same scale on all streets, and so have the sums of strategies: that matters to 16-bit
storage.)

What a walk does at the hero's nodes is its *task*. Cost: that of a board (`street_kernels`) for
each board, and nothing else.

`walk_spot` takes whole walks, one after the other, on several threads: the boards of the second
street are shared out (`sharing_kernels`), whole, or in pieces where threads would wait otherwise.
`walk_boards` and `walk_turns` take single steps; they are called from Python too, for single
boards. Whatever is called from two kernels is compiled twice, so nothing but `walk_spot` calls
`walk_boards`: what stands between is put in line.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

from pokerlab.engine.cpu.kernels.learning_kernels import Update
from pokerlab.engine.cpu.kernels.sharing_kernels import (
    end_order,
    finish_item,
    give_order,
    join_order,
    leave_order,
    open_phase,
    phase_and_item,
    take_item,
    wait_for_helpers,
    wait_for_item,
)
from pokerlab.engine.cpu.kernels.street_kernels import (
    StreetArrays,
    Walk,
    Workspace,
    clear_next_values,
    correct_next_values,
    enter_board,
    evaluate_leaves,
    leave_board,
    walk_down,
    walk_up,
)
from pokerlab.engine.cpu.records import address_of, record_at
from pokerlab.engine.gadget_kernels import (
    RootChoices,
    add_choices,
    come_by_choice,
    learn_choices,
)
from pokerlab.runtime.arrays import Floats, Int64s, Reals
from pokerlab.runtime.jit import kernel
from pokerlab.runtime.vector_kernels import load, splat, store

Range: TypeAlias = tuple[int, int]
Items: TypeAlias = tuple[int, int, int, int]

PHASES = 4
"""Those of a walk. First, where boards of the second street are cut into pieces: reach is brought
down these boards. Then the leaves of the first street, and the boards, whole or in pieces. Then,
again where they are in pieces, values are brought up. Last, what the boards left is added up."""

DOWN = 1
"""Reach is brought down a board, and the values of the next street are set to zero."""
EVALUATE = 2
"""Leaves are evaluated."""
UP = 4
"""Values are brought up, once those of the leaves and of the next street are there."""


@kernel(makes_arrays=False)
def walk_boards(
    street: StreetArrays,
    walk: Walk,
    boards: Range,
    batches: Range,
    steps: int,
    chance: Any,
    reach_starts: Int64s,
    above_reach: Reals,
    value_starts: Int64s,
    above_values: Reals,
    part: int,
    work: Workspace,
) -> None:
    """Take `steps`, some of `DOWN`, `EVALUATE` and `UP`, on some boards, batch by batch.

    The rows of the roots in the board above begin at `reach_starts` and `value_starts`. A board
    leaves its values in a part of `above_values` of its own, `part` numbers long; where that is 0,
    the values of all boards are added up.
    """
    for board in range(boards[0], boards[1]):
        if steps & UP:
            zero = splat(above_values.dtype.type(0))
            for place in range(board * part, (board + 1) * part, 16):
                store(above_values, place, zero)
        for batch in range(batches[0], batches[1]):
            if steps & DOWN:
                enter_board(street, walk, board, batch, reach_starts, above_reach, work.reach)
                walk_down(street, walk, board, batch, work)
                clear_next_values(street.program, walk.widths[walk.hero], work.values)
            if steps & EVALUATE:
                evaluate_leaves(street, walk, board, batch, work)
            if steps & UP:
                walk_up(street, walk, board, batch, work)
                leave_board(
                    street,
                    walk,
                    board,
                    batch,
                    chance,
                    work.values,
                    value_starts,
                    board * part,
                    above_values,
                )


@kernel(inline="always", makes_arrays=False)
def walk_turns(
    street: StreetArrays,
    river: StreetArrays,
    walk: Walk,
    boards: Range,
    steps: int,
    chance: Any,
    river_chance: Any,
    reach_starts: Int64s,
    above_reach: Reals,
    value_starts: Int64s,
    above_values: Reals,
    part: int,
    work: Workspace,
    river_work: Workspace,
) -> None:
    """Take `steps` on some turn boards below a flop and on all their rivers."""
    program, children = street.program, street.tables.child_first
    all_batches = (0, river.program.batches.shape[0])
    for board in range(boards[0], boards[1]):
        walk_boards(
            street,
            walk,
            (board, board + 1),
            (0, 1),
            steps & DOWN,
            chance,
            reach_starts,
            above_reach,
            value_starts,
            above_values,
            part,
            work,
        )
        walk_boards(
            river,
            walk,
            (children[board], children[board + 1]),
            all_batches,
            steps,
            river_chance,
            program.next_reach,
            work.reach,
            program.next_value,
            work.values,
            0,
            river_work,
        )
        if steps & UP and street.subset.scales.size > 0:
            every = (0, program.next_value.size)
            correct_next_values(street, walk, board, every, work.reach, work.values, work)
        walk_boards(
            street,
            walk,
            (board, board + 1),
            (0, 1),
            steps & (EVALUATE | UP),
            chance,
            reach_starts,
            above_reach,
            value_starts,
            above_values,
            part,
            work,
        )


class SpotArrays(NamedTuple):
    """All that the threads of `walk_spot` have in common."""

    streets: tuple[StreetArrays, ...]
    """Those of the first hero, from the first street on, then those of the second."""
    tops: tuple[Workspace, Workspace]
    """The workspaces of the first street, for each hero."""
    levels: int
    """How many streets there are."""
    boards: int
    """How many boards the second street has."""
    pieces: int
    """Into how many its rivers are cut, by their roots; 0 where boards are shared out whole."""
    ranges: tuple[Reals, Reals]
    results: tuple[Reals, Reals]
    """For each hero the values at the root."""
    parts: tuple[Reals, Reals]
    """For each hero the values that the boards of the second street leave: (boards, roots, hands),
    in line."""
    part_starts: tuple[Int64s, Int64s]
    """For each hero where the rows of the roots begin in a part."""
    top_start: Int64s
    """Where the row of the root begins in ranges and results: at 0."""
    chances: Reals
    """The chances of the cards that come, street by street, beginning with no card: 1."""
    widths: Range
    padded: Range
    """Those of a `Walk`."""


class Plan(NamedTuple):
    """Which walks `walk_spot` takes: for each row of coefficients, one for each hero."""

    task: int
    average: int
    """Those of a `Walk`."""
    is_greedy: int
    returned: int
    """Those of an `Update`."""
    iteration: int
    """That of the first row."""
    first_hero: int
    heroes: int
    """How many, from the first on."""
    steps: int
    """What to do on each board; leaves and values always go together."""
    coefficients: Reals
    """Rows of the first numbers of an `Update`."""
    choices: RootChoices
    """Those of a gadget, whose player learns them in turn with the walks."""
    choice_steps: Floats
    """For them the same rows in double precision; empty without a gadget."""


@kernel(makes_arrays=False)
def walk_spot(
    spot: SpotArrays, plan: Plan, works: tuple[Workspace, ...], counters: Int64s, thread: int
) -> None:
    """Take walks over all boards of a spot, as the driver (thread 0), or as a helper.

    `works` are this thread's, in the order of the spot's streets; and where boards of the second
    street are cut into pieces, others that have the rows of these boards, for the first hero and
    then the second. `counters` are what the threads share (`sharing_kernels`). A helper takes the
    plans of the driver, one after the other; the one that it is given itself says nothing but their
    type.
    """
    if thread > 0:
        order = join_order(counters)
        while order != 0:
            _help(spot, record_at(plan, order), works, counters, thread)
            leave_order(counters)
            order = join_order(counters)
        return
    levels, heroes = spot.levels, plan.heroes
    items = _count_items(spot, plan)
    give_order(counters, address_of(plan))
    for number in range(plan.coefficients.shape[0] * heroes):
        walk = _walk_of(spot, plan, number)
        _choose(spot, plan, number, 1 - walk.hero)
        if levels == 1:
            _walk_top(spot, walk, plan.steps)
            _choose(spot, plan, number, walk.hero + 2)
            continue
        _walk_top(spot, walk, plan.steps & DOWN)
        for kind in range(PHASES):
            if items[kind] == 0:
                continue
            open_phase(counters, PHASES * number + 1 + kind)
            taken = take_item(counters, items, thread)
            while taken >= 0:
                item = phase_and_item(taken)[1]
                _do_item(spot, plan.steps, walk, works, kind, item)
                finish_item(counters)
                taken = take_item(counters, items, thread)
            wait_for_helpers(counters, items[kind])
        _walk_top(spot, walk, plan.steps & UP)
        _choose(spot, plan, number, walk.hero + 2)
    end_order(counters)


@kernel(makes_arrays=False, inner=True)
def _choose(spot: SpotArrays, plan: Plan, number: int, who: int) -> None:
    """Let the player of a gadget come with a range, before the other's walk, or learn after theirs.

    `who` is the player who comes, or the one who has walked plus 2.
    """
    choices, row = plan.choices, number // plan.heroes
    player, step = choices.player, plan.choice_steps
    if who == player:
        come_by_choice(choices, spot.ranges[player])
        add_choices(choices, step[row, 2])
    elif who == player + 2 and player >= 0:
        won = spot.results[player]
        learn_choices(choices, won, step[row, 0], step[row, 1], step[row, 3], step[row, 6])


@kernel(inline="always", makes_arrays=False)
def _help(
    spot: SpotArrays, plan: Plan, works: tuple[Workspace, ...], counters: Int64s, thread: int
) -> None:
    """Take items of a plan until it is done."""
    items = _count_items(spot, plan)
    taken = wait_for_item(counters, items, thread)
    while taken >= 0:
        phase, item = phase_and_item(taken)
        walk = _walk_of(spot, plan, (phase - 1) // PHASES)
        _do_item(spot, plan.steps, walk, works, (phase - 1) % PHASES, item)
        finish_item(counters)
        taken = wait_for_item(counters, items, thread)


@kernel(makes_arrays=False, inner=True)
def _count_items(spot: SpotArrays, plan: Plan) -> Items:
    """How many items the phases of each walk have."""
    roots = spot.part_starts[0].size if plan.steps & UP else 0
    if spot.pieces == 0:
        return 0, 1 + spot.boards, 0, roots
    return spot.boards, 1 + spot.boards * (spot.pieces + 1), spot.boards if roots else 0, roots


@kernel(makes_arrays=False, inner=True)
def _walk_of(spot: SpotArrays, plan: Plan, number: int) -> Walk:
    """One of the walks of a plan."""
    hero, row = plan.first_hero + number % plan.heroes, number // plan.heroes
    numbers = plan.coefficients
    update = Update(
        numbers[row, 0],
        numbers[row, 1],
        numbers[row, 2],
        numbers[row, 3],
        numbers[row, 4],
        numbers[row, 5],
        numbers[row, 6],
        plan.is_greedy != 0,
        plan.returned,
        plan.iteration + row,
    )
    widths = spot.widths[0], spot.widths[1]
    padded = spot.padded[0], spot.padded[1]
    return Walk(hero, plan.task, plan.average != 0, update, widths, padded)


@kernel(inline="always", makes_arrays=False)
def _walk_top(spot: SpotArrays, walk: Walk, steps: int) -> None:
    """Take steps on the first street; the values at the root are the results."""
    hero = walk.hero
    walk_boards(
        spot.streets[hero * spot.levels],
        walk,
        (0, 1),
        (0, 1),
        steps,
        spot.chances[0],
        spot.top_start,
        spot.ranges[1 - hero],
        spot.top_start,
        spot.results[hero],
        spot.results[hero].size,
        spot.tops[hero],
    )


@kernel(inline="always", makes_arrays=False)
def _do_item(
    spot: SpotArrays, steps: int, walk: Walk, works: tuple[Workspace, ...], kind: int, item: int
) -> None:
    """Do one item of a phase of some kind (`PHASES`).

    A board in pieces has one for each batch of its rivers, and one for its own leaves.
    """
    hero, first = walk.hero, walk.hero * spot.levels
    top, above = spot.streets[first].program, spot.tops[hero]
    parts, starts = spot.parts[hero], spot.part_starts[hero]
    width = walk.widths[hero]
    street, work = spot.streets[first + 1], works[first + 1]
    if kind == 3:
        add_root(parts, starts.size, item, width, top.next_value[item], above.values)
        if spot.streets[first].subset.scales.size > 0:
            one = (item, item + 1)
            correct_next_values(spot.streets[first], walk, 0, one, above.reach, above.values, work)
    elif kind == 1 and item == 0:
        _walk_top(spot, walk, steps & EVALUATE)
    elif spot.pieces > 0:
        board, piece = item, -1
        if kind == 1:
            board, piece = (item - 1) // (spot.pieces + 1), (item - 1) % (spot.pieces + 1)
        own = works[2 * spot.levels + hero * spot.boards + board]
        river = spot.streets[first + 2]
        if kind == 1 and piece < spot.pieces:
            batches = river.program.batches.shape[0]
            children = street.tables.child_first
            walk_boards(
                river,
                walk,
                (children[board], children[board + 1]),
                (min(piece, batches), min(piece + 1, batches)),
                steps,
                spot.chances[2],
                street.program.next_reach,
                own.reach,
                street.program.next_value,
                own.values,
                0,
                works[first + 2],
            )
            return
        if kind == 2 and street.subset.scales.size > 0:
            every = (0, street.program.next_value.size)
            correct_next_values(street, walk, board, every, own.reach, own.values, own)
        walk_boards(
            street,
            walk,
            (board, board + 1),
            (0, 1),
            steps & (DOWN if kind == 0 else EVALUATE if kind == 1 else UP),
            spot.chances[1],
            top.next_reach,
            above.reach,
            starts,
            parts,
            starts.size * width,
            own,
        )
    elif spot.levels == 2:
        board = item - 1
        walk_boards(
            street,
            walk,
            (board, board + 1),
            (0, street.program.batches.shape[0]),
            steps,
            spot.chances[1],
            top.next_reach,
            above.reach,
            starts,
            parts,
            starts.size * width,
            work,
        )
    else:
        board = item - 1
        walk_turns(
            street,
            spot.streets[first + 2],
            walk,
            (board, board + 1),
            steps,
            spot.chances[1],
            spot.chances[2],
            top.next_reach,
            above.reach,
            starts,
            parts,
            starts.size * width,
            work,
            works[first + 2],
        )


@kernel(makes_arrays=False, inner=True)
def add_root(parts: Reals, roots: int, root: int, width: int, start: int, values: Reals) -> None:
    """Add up what all boards left for a root, in their order, in the row that begins at `start`."""
    for hand in range(0, width, 16):
        total = splat(values.dtype.type(0))
        for place in range(root * width + hand, parts.size, roots * width):
            total = total + load(parts, place)
        store(values, start + hand, total)


@kernel(makes_arrays=False)
def add_parts(street: StreetArrays, walk: Walk, parts: Reals, work: Workspace) -> None:
    """Add up what all boards left for each root of the second street."""
    starts = street.program.next_value
    for root in range(starts.size):
        add_root(parts, starts.size, root, walk.widths[walk.hero], starts[root], work.values)
    if street.subset.scales.size > 0:
        every = (0, starts.size)
        correct_next_values(street, walk, 0, every, work.reach, work.values, work)

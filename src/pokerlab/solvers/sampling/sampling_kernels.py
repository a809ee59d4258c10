"""Monte Carlo CFR and CGH: external, outcome and public-chance sampling on the nodes of a tree.

Each iteration walks a sampled part of the tree once for every player and touches nothing else, so
the cost is that of the nodes visited (about 20 bytes each). Arrays are those of `GameTree` with N
nodes, S slots and I information sets: ``mover`` [N] is its ``player``, ``leaf`` [N] the row of
``payoffs`` [terminal nodes, players] at terminal nodes. ``weights`` has a row for each iteration:
the weight of its regrets and that of its strategy. ``regret``, ``total`` and ``current`` are [S];
the strategy is written to ``current`` where it is needed. ``touched`` [1] counts the nodes visited.

CGH (``greedy``) keeps its strategy in ``current`` and has no regrets: an information set steps
towards the action that is best in the sample at hand, by 1/n where it has been updated n times
(``visits`` [I]), and ``hedge``/n away from the others.
"""

from __future__ import annotations

from pokerlab.cards.random_kernels import next_uniform
from pokerlab.runtime.arrays import Floats, Int8s, Int16s, Int32s, Int64s, Uint64s
from pokerlab.runtime.jit import kernel
from pokerlab.solvers.regret_kernels import matched_share, matching_weight

CHANCE = -1
TERMINAL = -2


@kernel
def match(start: int, stop: int, regret: Floats, current: Floats) -> None:
    """Write the strategy that matches the regrets of one information set."""
    weights = 0.0
    for slot in range(start, stop):
        current[slot] = matching_weight(regret[slot], 0.0, 0.0, 0.0)
        weights += current[slot]
    for slot in range(start, stop):
        current[slot] = matched_share(current[slot], weights, stop - start)


@kernel(makes_arrays=False)
def step_to_best(
    start: int,
    stop: int,
    visits: int,
    hedge: float,
    new_value: bool,
    worth: Floats,
    current: Floats,
) -> float:
    """Move an information set towards its best slot, the last of equals; the value it passes up."""
    best, expected = start, 0.0
    for slot in range(start, stop):
        expected += current[slot] * worth[slot]
        if worth[slot] >= worth[best]:
            best = slot
    share = hedge / (visits * (stop - start))
    others, mean = 0.0, 0.0
    for slot in range(start, stop):
        if slot != best:
            current[slot] = max(0.0, (1.0 - 1.0 / visits) * current[slot] - share)
            others += current[slot]
            mean += current[slot] * worth[slot]
    current[best] = 1.0 - others
    return mean + current[best] * worth[best] if new_value else expected


@kernel
def draw(start: int, stop: int, probability: Floats, seed: Uint64s) -> int:
    """A number in `start` … `stop` − 1, each with its probability."""
    point = next_uniform(seed)
    for number in range(start, stop - 1):
        point -= probability[number]
        if point < 0.0:
            return number
    return stop - 1


@kernel
def draw_chance(node: int, n_children: Int16s, end: Int32s, chance: Floats, seed: Uint64s) -> int:
    """A child of a chance node."""
    point = next_uniform(seed)
    child = node + 1
    for _ in range(n_children[node] - 1):
        point -= chance[child]
        if point < 0.0:
            break
        child = end[child]
    return child


@kernel
def child_of(node: int, number: int, end: Int32s) -> int:
    """The child of a node with this number."""
    child = node + 1
    for _ in range(number):
        child = end[child]
    return child


@kernel
def average_walk(
    hero: int,
    weight: float,
    greedy: bool,
    seed: Uint64s,
    mover: Int8s,
    n_children: Int16s,
    end: Int32s,
    infoset: Int32s,
    chance: Floats,
    offset: Int32s,
    regret: Floats,
    total: Floats,
    current: Floats,
    waiting: Int32s,
    touched: Int64s,
) -> None:
    """Add a player's strategy to the average on a path of the player and of chance.

    Moves of the player and of chance are sampled, all moves of the others are followed: the
    player's information sets are visited in proportion to the player's own reach.
    """
    waiting[0] = 0
    top = 1
    while top > 0:
        top -= 1
        node = waiting[top]
        touched[0] += 1
        if mover[node] == CHANCE:
            waiting[top] = draw_chance(node, n_children, end, chance, seed)
            top += 1
        elif mover[node] == hero:
            start, stop = offset[infoset[node]], offset[infoset[node] + 1]
            if not greedy:
                match(start, stop, regret, current)
            for slot in range(start, stop):
                total[slot] += weight * current[slot]
            waiting[top] = child_of(node, draw(start, stop, current, seed) - start, end)
            top += 1
        else:
            child = node + 1
            for _ in range(n_children[node]):
                waiting[top] = child
                top += 1
                child = end[child]


@kernel
def external_sampling(
    weights: Floats,
    seed: Uint64s,
    greedy: bool,
    hedge: float,
    new_value: bool,
    mover: Int8s,
    n_children: Int16s,
    end: Int32s,
    infoset: Int32s,
    chance: Floats,
    leaf: Int32s,
    payoffs: Floats,
    offset: Int32s,
    regret: Floats,
    total: Floats,
    current: Floats,
    visits: Int64s,
    touched: Int64s,
    waiting: Int32s,
    visited: Int32s,
    value: Floats,
    worth: Floats,
) -> None:
    """All actions of one player against sampled moves of the others and of chance.

    `waiting`, `visited` and `value` [N] and `worth` [S] are work space. With two players the
    opponent's average is updated on the way, as the opponent's nodes are visited in proportion to
    the opponent's own reach; with more, averages take walks of their own.
    """
    players = payoffs.shape[1]
    for step in range(len(weights)):
        for hero in range(players):
            if players != 2:
                average_walk(
                    hero,
                    weights[step, 1],
                    greedy,
                    seed,
                    mover,
                    n_children,
                    end,
                    infoset,
                    chance,
                    offset,
                    regret,
                    total,
                    current,
                    waiting,
                    touched,
                )
            waiting[0] = 0
            top, count = 1, 0
            while top > 0:
                top -= 1
                node = waiting[top]
                visited[count] = node
                count += 1
                player = mover[node]
                if player == CHANCE:
                    waiting[top] = draw_chance(node, n_children, end, chance, seed)
                    top += 1
                elif player != TERMINAL:
                    start, stop = offset[infoset[node]], offset[infoset[node] + 1]
                    if not greedy:
                        match(start, stop, regret, current)
                    if player == hero:
                        child = node + 1
                        for _ in range(stop - start):
                            waiting[top] = child
                            top += 1
                            child = end[child]
                    else:
                        if players == 2:
                            for slot in range(start, stop):
                                total[slot] += weights[step, 1] * current[slot]
                        chosen = draw(start, stop, current, seed)
                        waiting[top] = child_of(node, chosen - start, end)
                        top += 1
            touched[0] += count
            for back in range(count - 1, -1, -1):
                node = visited[back]
                if mover[node] == TERMINAL:
                    value[node] = payoffs[leaf[node], hero]
                elif mover[node] != hero:
                    value[node] = value[visited[back + 1]]
                else:
                    number = infoset[node]
                    start, stop = offset[number], offset[number + 1]
                    child = node + 1
                    for slot in range(start, stop):
                        worth[slot] = value[child]
                        child = end[child]
                    if greedy:
                        visits[number] += 1
                        value[node] = step_to_best(
                            start, stop, visits[number], hedge, new_value, worth, current
                        )
                        continue
                    expected = 0.0
                    for slot in range(start, stop):
                        expected += current[slot] * worth[slot]
                    for slot in range(start, stop):
                        regret[slot] += weights[step, 0] * (worth[slot] - expected)
                    value[node] = expected


@kernel
def outcome_sampling(
    weights: Floats,
    seed: Uint64s,
    exploration: float,
    mover: Int8s,
    n_children: Int16s,
    end: Int32s,
    infoset: Int32s,
    chance: Floats,
    leaf: Int32s,
    payoffs: Floats,
    offset: Int32s,
    regret: Floats,
    total: Floats,
    current: Floats,
    touched: Int64s,
    mixed: Floats,
    taken: Int32s,
    waiting: Int32s,
) -> None:
    """One path for each player, who tries actions at random with a share of `exploration`.

    `mixed` [S], `taken` [2 N] and `waiting` [N] are work space. Averages are as in
    `external_sampling`, divided by the probability of the sampled moves.
    """
    players = payoffs.shape[1]
    for step in range(len(weights)):
        for hero in range(players):
            if players != 2:
                average_walk(
                    hero,
                    weights[step, 1],
                    False,
                    seed,
                    mover,
                    n_children,
                    end,
                    infoset,
                    chance,
                    offset,
                    regret,
                    total,
                    current,
                    waiting,
                    touched,
                )
            node, count, sampled = 0, 0, 1.0
            while mover[node] != TERMINAL:
                touched[0] += 1
                player = mover[node]
                if player == CHANCE:
                    node = draw_chance(node, n_children, end, chance, seed)
                    continue
                start, stop = offset[infoset[node]], offset[infoset[node] + 1]
                match(start, stop, regret, current)
                if player == hero:
                    for slot in range(start, stop):
                        tried = exploration / (stop - start)
                        mixed[slot] = tried + (1.0 - exploration) * current[slot]
                    chosen = draw(start, stop, mixed, seed)
                    sampled *= mixed[chosen]
                    taken[count] = chosen
                    taken[count + 1] = infoset[node]
                    count += 2
                else:
                    if players == 2:
                        for slot in range(start, stop):
                            total[slot] += weights[step, 1] * current[slot] / sampled
                    chosen = draw(start, stop, current, seed)
                node = child_of(node, chosen - start, end)
            touched[0] += 1
            # The reach of the others and of chance cancels with their share of the sampling.
            worth = payoffs[leaf[node], hero] / sampled
            for back in range(count - 2, -1, -2):
                chosen, number = taken[back], taken[back + 1]
                expected = worth * current[chosen]
                for slot in range(offset[number], offset[number + 1]):
                    gain = (worth if slot == chosen else 0.0) - expected
                    regret[slot] += weights[step, 0] * gain
                worth = expected


@kernel
def public_chance_sampling(
    weights: Floats,
    seed: Uint64s,
    greedy: bool,
    hedge: float,
    new_value: bool,
    mover: Int8s,
    parent: Int32s,
    end: Int32s,
    infoset: Int32s,
    slot: Int32s,
    slot_player: Int8s,
    chance: Floats,
    leaf: Int32s,
    payoffs: Floats,
    offset: Int32s,
    place: Int32s,
    outcome: Int32s,
    place_offset: Int32s,
    outcome_chance: Floats,
    regret: Floats,
    total: Floats,
    current: Floats,
    visits: Int64s,
    touched: Int64s,
    chosen: Int32s,
    seen: Int64s,
    updated: Int32s,
    last: Int32s,
    others: Floats,
    own: Floats,
    worth: Floats,
    clock: Int64s,
) -> None:
    """All private cards and all actions on a path of public chance that is sampled.

    At chance nodes, `place` [N] is the public state; after them, `outcome` [N] is what the
    public saw. The outcomes of a place are those from `place_offset` [places + 1] on, with the
    probability `outcome_chance` to be sampled. Work space: `chosen` [places], `seen` [I],
    `updated` [I], `last`, `others`, `own` [N], `worth` [S] (all 0 before and after), and `clock`
    [1], the number of walks so far.
    """
    players = payoffs.shape[1]
    for step in range(len(weights)):
        for number in range(len(chosen)):
            chosen[number] = draw(
                place_offset[number], place_offset[number + 1], outcome_chance, seed
            )
        for hero in range(players):
            clock[0] += 1
            count, node = 0, 0
            while node < len(mover):
                before = parent[node]
                if node == 0:
                    last[0], others[0], own[0] = -1, 1.0, 1.0
                elif slot[node] < 0:
                    if outcome[node] != chosen[place[before]]:
                        node = end[node]
                        continue
                    last[node], own[node] = last[before], own[before]
                    others[node] = others[before] * chance[node] / outcome_chance[outcome[node]]
                elif slot_player[slot[node]] == hero:
                    last[node], others[node] = slot[node], others[before]
                    own[node] = own[before] * current[slot[node]]
                else:
                    last[node], own[node] = last[before], own[before]
                    others[node] = others[before] * current[slot[node]]
                touched[0] += 1
                if mover[node] >= 0 and seen[infoset[node]] != clock[0]:
                    number = infoset[node]
                    seen[number] = clock[0]
                    if not greedy:
                        match(offset[number], offset[number + 1], regret, current)
                    if mover[node] == hero:
                        updated[count] = node
                        count += 1
                if mover[node] == TERMINAL and last[node] >= 0:
                    worth[last[node]] += others[node] * payoffs[leaf[node], hero]
                node += 1
            for back in range(count - 1, -1, -1):
                node = updated[back]
                number = infoset[node]
                start, stop = offset[number], offset[number + 1]
                for edge in range(start, stop):
                    total[edge] += weights[step, 1] * own[node] * current[edge]
                if greedy:
                    visits[number] += 1
                    passed_up = step_to_best(
                        start, stop, visits[number], hedge, new_value, worth, current
                    )
                else:
                    passed_up = 0.0
                    for edge in range(start, stop):
                        passed_up += current[edge] * worth[edge]
                    for edge in range(start, stop):
                        regret[edge] += weights[step, 0] * (worth[edge] - passed_up)
                for edge in range(start, stop):
                    worth[edge] = 0.0
                if last[node] >= 0:
                    worth[last[node]] += passed_up

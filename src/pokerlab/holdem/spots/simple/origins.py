"""Where the loss of another strategy comes from: by line and by hand, against a best response.

Let σ be a player's strategy, σ' another one, and b the opponent's best response to σ'. What the
player has with σ' against b, less what they have with σ against b, is a sum over the decisions: the
reach of each hand by σ', times the change of its probabilities, times what the actions are worth
if σ is played behind them (the performance difference lemma). So each decision and each hand has a
part, and the parts add up exactly. Their sum, the other way round, is at least the loss in
exploitability: b is the best response to σ' but not to σ. With prizes this does not follow: the
parts are the player's own chips that are worth the same, b is best for the opponent.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from pokerlab.cards.codes import N_COMBOS
from pokerlab.engine.tables.runouts import board_combos
from pokerlab.engine.walker import Probabilities
from pokerlab.holdem.spots.answer.carried import carry_strategies
from pokerlab.holdem.spots.answer.node_values import NodeValues
from pokerlab.holdem.spots.answer.solution import PostflopSolution
from pokerlab.holdem.spots.prepared import PreparedSpot
from pokerlab.holdem.spots.simple.own_reach import normalised, own_reach
from pokerlab.holdem.spots.simple.solved_spot import prepared_of
from pokerlab.runtime.arrays import Floats, Halves


@dataclass(frozen=True, eq=False)
class LossOrigins:
    """What a player gives to the opponent's best response, decision by decision, in chips.

    Attributes
    ----------
    player
        Whose strategies are compared.
    nodes
        For each street the part of each node (0 for those of the opponent), summed over boards.
    hands
        (nodes, 1326): the same by hand, on the first street.
    """

    player: int
    nodes: tuple[Floats, ...]
    hands: Floats

    @property
    def total(self) -> float:
        """The sum of all parts."""
        return float(sum(each.sum() for each in self.nodes))


def losses_between(
    full: PostflopSolution,
    simple: PostflopSolution,
    report: Callable[[int], None] | None = None,
) -> tuple[LossOrigins, LossOrigins]:
    """Split what both players lose with the second solution of a spot in place of the first.

    Locks bind nobody here: what is split is what strategies lose to opponents who are free.

    Examples
    --------
    >>> from pokerlab.holdem.spots import Spot, simplify, solve_spot
    >>> spot = Spot("QhJh2c4d7h", "AA, KQs, JTs", "QQ, AJs, T9s", pot=100, stack=80)
    >>> solution = solve_spot(spot, target="0.01%")
    >>> oop, ip = losses_between(solution, simplify(solution, "50%").solution)
    >>> oop.total > 0, ip.total > 0
    (True, True)
    """
    full, simple = unlocked(full), unlocked(simple)
    if full.spot.fields() != simple.spot.fields():
        raise ValueError("losses are compared between solutions of one spot, with the same menus")
    full, simple = _on_the_same_boards(full, simple)
    prepared = prepared_of(full)

    def one(player: int) -> LossOrigins:
        before, after = (
            [np.asarray(pair[player]) for pair in each.strategies] for each in (full, simple)
        )
        return loss_origins(prepared, player, before, after, report)

    return one(0), one(1)


def unlocked(solution: PostflopSolution) -> PostflopSolution:
    """The strategies of a solution in the spot without its locks; its own values if it has none."""
    if not solution.locks:
        return solution
    spot = replace(solution.spot, locks=())
    return replace(solution, spot=spot, locks={}, known=(solution.boards, solution.layout))


def _on_the_same_boards(
    first: PostflopSolution, second: PostflopSolution
) -> tuple[PostflopSolution, PostflopSolution]:
    """Both without merged suits, if one of them is: a lock on one card forbids to merge them."""
    if first.isomorphism == second.isomorphism:
        return first, second
    wide = PreparedSpot.of(first.spot, isomorphism=False)

    def carried(solution: PostflopSolution) -> PostflopSolution:
        prepared_of(solution)  # says why it has no losses
        own = solution.boards, solution.layout, solution.strategies
        return replace(
            solution,
            isomorphism=False,
            strategies=carry_strategies(*own, wide),
            known=(wide.boards, wide.layout),
            values_below=(),
            first_values=(),
        )

    return carried(first), carried(second)


def loss_origins(
    prepared: PreparedSpot,
    player: int,
    before: Sequence[Halves],
    after: Sequence[Halves],
    report: Callable[[int], None] | None = None,
) -> LossOrigins:
    """Split what `after` loses compared with `before` against the best response to `after`.

    `report` is called with how many boards are done, of twice all.
    """
    _check(prepared)
    tree, boards, layout = prepared.spot.tree, prepared.boards, prepared.layout
    done = 0

    def count() -> None:
        nonlocal done
        done += 1
        if report is not None:
            report(done)

    response = best_response_strategy(prepared, player, after, count)
    values = NodeValues(
        prepared.spot, boards, layout, _both(player, before, response), max_bytes=2**20
    )
    weights, above = board_shares(prepared), _boards_above(prepared)
    nodes = [np.zeros(street.nodes) for street in tree.streets]
    hands = np.zeros((tree.streets[0].nodes, N_COMBOS))
    for board in own_reach(prepared, player, after):
        level, number = board.level, board.number
        here, street = layout.at(level, player), tree.streets[level]
        worth = values.at(above[level][number], player).actions
        change = board.rows - normalised(here, here.board(before[level], number)).astype(np.float64)
        owner = np.flatnonzero(street.player == player)
        slots = np.repeat(owner, here.actions[owner])
        given = -(board.reach[slots] * change * worth[:, : change.shape[1]])
        given *= weights[level][number] / prepared.deals
        np.add.at(nodes[level], slots, given.sum(axis=1))
        if level == 0:
            combos = board_combos(boards, player, 0, 0)
            known = np.flatnonzero(combos >= 0)
            by_node = np.zeros((street.nodes, given.shape[1]))
            np.add.at(by_node, slots, given)
            hands[:, combos[known]] = by_node[:, known]
        count()
    return LossOrigins(player, tuple(nodes), hands)


def best_response_strategy(
    prepared: PreparedSpot,
    player: int,
    strategy: Sequence[Halves],
    count: Callable[[], None] = lambda: None,
) -> tuple[Halves, ...]:
    """A best response of the opponent to a player's strategy: each hand takes one action."""
    _check(prepared)
    hero = 1 - player
    tree, layout = prepared.spot.tree, prepared.layout
    unknown = [np.zeros(layout.at(level, hero).size, np.float16) for level in range(len(strategy))]
    values = NodeValues(
        prepared.spot,
        prepared.boards,
        layout,
        _both(player, strategy, unknown),
        best=True,
        max_bytes=2**20,
    )
    for level, numbers in enumerate(_boards_above(prepared)):
        here, street = layout.at(level, hero), tree.streets[level]
        for number, way in enumerate(numbers):
            worth, rows = values.at(way, hero).actions, here.board(unknown[level], number)
            hands = np.arange(rows.shape[1])
            for node in np.flatnonzero(street.player == hero).tolist():
                first = int(here.slot[node])
                own = worth[first : first + int(here.actions[node]), : rows.shape[1]]
                rows[first + np.argmax(own, axis=0), hands] = 1.0
            count()
    return tuple(unknown)


def board_shares(prepared: PreparedSpot) -> list[Floats]:
    """For each street the chance of each board given two hands that it allows, others included.

    A board stands for all that suits make equal to it.
    """
    boards = prepared.boards
    found = [np.ones(1)]
    for level, classes in enumerate(boards.classes[1:], 1):
        parents = _parents(prepared, level)
        members = np.array([1 if each is None else each.multiplicity for each in classes])
        found.append(found[-1][parents] * members * boards.chances[level])
    return found


def _boards_above(prepared: PreparedSpot) -> list[list[tuple[int, ...]]]:
    """For each street and board the numbers of the boards on the way to it."""
    ways: list[list[tuple[int, ...]]] = [[()]]
    for level in range(1, len(prepared.boards.cards)):
        parents = _parents(prepared, level).tolist()
        ways.append([(*ways[-1][parent], number) for number, parent in enumerate(parents)])
    return ways


def _parents(prepared: PreparedSpot, level: int) -> np.ndarray:
    children = np.diff(prepared.boards.tables[level - 1].child_first)
    return np.repeat(np.arange(len(children)), children)


def _both(player: int, own: Sequence[Halves], other: Sequence[Halves]) -> Probabilities:
    pairs = zip(own, other, strict=True)
    return tuple((mine, theirs) if player == 0 else (theirs, mine) for mine, theirs in pairs)


def has_origins(prepared: PreparedSpot) -> bool:
    """Whether a loss can be split: not with locks, nor where run-outs are left out."""
    boards = prepared.boards
    return not prepared.locks and not any(map(boards.leaves_out, range(len(boards.cards))))


def _check(prepared: PreparedSpot) -> None:
    if not has_origins(prepared):
        raise ValueError("a loss has no parts where decisions are locked or run-outs left out")

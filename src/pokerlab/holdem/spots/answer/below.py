"""A later street of a solution as a spot of its own, and what it is worth to each hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from pokerlab.cards.codes import N_COMBOS, Cards, to_cards
from pokerlab.cards.ranges.blockers import mean_by_combo, met_weights
from pokerlab.engine.tables.board_values import BoardValues
from pokerlab.engine.tables.boards import Boards
from pokerlab.engine.tables.payoffs import largest_win
from pokerlab.engine.tables.runouts import RunOut, find_run_out
from pokerlab.games.betting_trees.betting_tree import EdgeKind, Place
from pokerlab.games.betting_trees.lines import Line, LineLike, to_line
from pokerlab.holdem.spots.answer.kept_values import (
    KeptValues,
    check_keeps_values,
    in_16_bits,
    kept_name,
    kept_shape,
)
from pokerlab.holdem.spots.answer.resolve import spot_below
from pokerlab.holdem.spots.answer.solution import PostflopSolution
from pokerlab.holdem.spots.question.gadget import (
    DEFAULT_KIND,
    VALUES,
    Gadget,
    allowed_combos,
    read_gadget_player,
)
from pokerlab.holdem.spots.question.spot import Spot
from pokerlab.holdem.spots.solver import PostflopSolver
from pokerlab.runtime.arrays import Floats
from pokerlab.runtime.errors import shorten
from pokerlab.solvers.resolving.kinds import REACH, check_kind


@dataclass(frozen=True, eq=False)
class SpotBelow:
    """The spot that begins with a card of a solution's line.

    Attributes
    ----------
    solution, line
        Where it lies.
    spot
        The hand from there on, with the ranges that get there and the same betting.
    """

    solution: PostflopSolution
    line: str
    spot: Spot
    _place: Place
    _run_outs: tuple[RunOut, ...]
    _weights: tuple[Floats, Floats]

    def worth(self, player: int, values: str = "response") -> Floats:
        """(1326,): the chips that each hand takes from the pot on average; NaN: not possible.

        To a best response, or with ``"average"`` to the solution's own strategy; to that, hands
        outside of the player's range are worth what a best response takes.
        """
        kept, place, run_out = self.solution.kept_values, self._place, self._run_outs[-1]
        if kept is not None and place.level == 1:
            root = int(self.solution.spot.tree.streets[1].root[place.node])
            won = np.empty(N_COMBOS)
            won[run_out.image] = kept.read(player, values, run_out.number, root)
        else:
            opposing = self._weights[1 - player]
            won = _won(self.solution, self._run_outs, place.node, player, values, opposing)
        # Chips against an even split as what is taken; hands that meet nobody get a half.
        taken = np.nan_to_num(won) + self.spot.pot / 2
        return np.where(allowed_combos(self.spot.board), taken, np.nan)

    def gadget(
        self,
        player: int | str,
        *,
        values: str = VALUES[0],
        kind: str = DEFAULT_KIND,
        reach: float = 0.5,
        gifts: bool = False,
    ) -> Gadget:
        """The gadget for the hands of a player: see `Gadget.from_solution`.

        With `gifts`, they are computed for other kinds than ``reach-`` too, so that `with_kind`
        can ask for those.

        Examples
        --------
        >>> from pokerlab.holdem.spots import solve_spot
        >>> spot = Spot("QhJh2c4d", "AA, KQs", "QQ, AJs", pot=100, stack=80, bet="a", raise_="")
        >>> gadget = solve_spot(spot, target="1%").below("x/x/7h").gadget("ip", kind="resolve")
        >>> gadget.player, gadget.pot, gadget.gifts
        (1, 100, None)
        """
        check_kind(kind)
        if values not in VALUES:
            raise ValueError(
                f"gadget: values {shorten(repr(values))} are not {' or '.join(VALUES)}"
            )
        own, reaching = read_gadget_player(player), kind.startswith(REACH)
        if reaching and self.solution.partial:
            raise ValueError(
                f"gadget: {kind} needs all streets of the solution, and this one was saved without"
                f" the last; take {kind.removeprefix(REACH)}"
            )
        return Gadget(
            own,
            self.worth(own, values),
            self.spot.ranges[own],
            kind,
            self.gifts(own) if reaching or gifts else None,
            reach,
            self.spot.board,
            self.spot.pot,
        )

    def gifts(self, player: int) -> Floats:
        """(1326,): how much the player's actions on the way were below their best ones, in chips.

        Both as a best response to the solution values them, for each hand by itself.
        """
        solution, tree = self.solution, self.solution.spot.tree
        everyone = solution.all_hands(player)
        found = np.zeros(N_COMBOS)
        level, node = self._place.level, self._place.node
        while True:
            street = tree.streets[level]
            edge = int(street.parent_edge[node])
            if edge < 0:
                if level == 0:
                    break
                edge = int(street.root_parent_edge[street.root[node]])
                level -= 1
                street = tree.streets[level]
            node = int(street.node[edge])
            if street.player[node] != player:
                continue
            layout = solution.layout.at(level, player)
            first = int(layout.slot[node])
            slots = slice(first, first + int(layout.actions[node]))
            run_outs = self._run_outs[: level + 1]
            rows = everyone.at([each.number for each in run_outs[1:]]).actions[slots]
            given = rows.max(axis=0) - rows[edge - int(street.first_edge[node])]
            opposing = solution.arriving(run_outs, level, node)[1 - player]
            combos = run_outs[-1].combos(everyone.boards, player)
            found += np.nan_to_num(mean_by_combo(given, combos, met_weights(opposing)))
        return found


def find_below(solution: PostflopSolution, line: LineLike, card: Cards = ()) -> SpotBelow:
    """The spot that begins after a line that ends a street, and the card that comes.

    Examples
    --------
    >>> from pokerlab.holdem.spots import solve_spot
    >>> spot = Spot("QhJh2c4d", "AA, KQs, JTs", "QQ, AJs, T9s", pot=100, stack=80, bet="a")
    >>> below = find_below(solve_spot(spot, target="1%"), "x/x", "7h")
    >>> below.line, below.spot.pot
    ('x/x/7h', 100)
    >>> find_below(below.solution, "x")
    Traceback (most recent call last):
    ValueError: line 'x': no street begins there; name the card that comes, as in x/x/7h
    """
    whole = Line((*to_line(line).tokens, *to_cards(card)))
    place = solution.spot.find(whole)
    street = solution.spot.tree.streets[place.level]
    begins = place.kind == EdgeKind.NODE and place.level > 0 and -1 not in place.cards
    if not begins or street.root_first_node[street.root[place.node]] != place.node:
        raise ValueError(
            f"line {str(whole)!r}: no street begins there; name the card that comes, as in x/x/7h"
        )
    if place.level > len(solution.strategies):
        raise ValueError(
            f"line {str(whole)!r}: the solution holds no strategies of the street before it"
        )
    run_outs = find_run_out(solution.boards, place.cards)
    root = int(street.root[place.node])
    weights = weights_at(solution, run_outs, root)
    for player, each in zip(("oop", "ip"), weights, strict=True):
        if not each.any():
            raise ValueError(f"line {str(whole)!r}: {player} never gets there")
    spot = spot_below(solution.spot, run_outs[-1].cards, root, weights)
    return SpotBelow(solution, str(whole), spot, place, tuple(run_outs), weights)


def weights_at(
    solution: PostflopSolution, run_outs: Sequence[RunOut], root: int
) -> tuple[Floats, Floats]:
    """How likely each combo of both players is where the street of a run-out begins (1326)."""
    level = run_outs[-1].level
    above, street = solution.spot.tree.streets[level - 1 : level + 1]
    edge = int(street.root_parent_edge[root])
    return solution.arriving(run_outs, level - 1, int(above.node[edge]), edge)


def _won(
    solution: PostflopSolution,
    run_outs: Sequence[RunOut],
    node: int,
    player: int,
    values: str,
    opposing: Floats,
) -> Floats:
    """(1326,): the chips that hands win against an even split of the pot; NaN: they meet nobody."""
    numbers, met = [run_out.number for run_out in run_outs[1:]], met_weights(opposing)

    def by_combo(boards: Boards, found: BoardValues) -> Floats:
        return mean_by_combo(found.nodes[node], run_outs[-1].combos(boards, player), met)

    everyone = solution.all_hands(player)
    best = by_combo(everyone.boards, everyone.at(numbers))
    if values == "response":
        return best
    own = by_combo(solution.boards, solution.board_values(numbers, player))
    held = solution.spot.ranges[player].weights > 0
    return np.where(held & ~np.isnan(own), own, best)


def with_kept_values(
    solution: PostflopSolution,
    players: Sequence[int] = (0, 1),
    kinds: Sequence[str] = VALUES,
    solver: PostflopSolver | None = None,
) -> PostflopSolution:
    """The same solution with the values of its second street; see `KeptValues`.

    It takes a walk over everything below for each player's strategy, and one for each player's best
    responses with all hands that the board allows. With fewer `players` and `kinds` it takes less,
    but files hold all of them or none. With the `solver` that made it, a GPU takes these walks if
    it solved the spot, and of the solution the first street is enough.
    """
    spot, boards = solution.spot, solution.boards
    check_keeps_values(spot, solution.groups)
    street, largest, shape = spot.tree.streets[1], largest_win(spot), kept_shape(spot, boards)
    asked = list(product(players, kinds))
    tensors = {kept_name(player, values): np.zeros(shape, np.int16) for player, values in asked}
    walked = {} if solver is None else _walked_values(solver, asked)
    for number, cards in enumerate(boards.cards[1]):
        run_outs = find_run_out(boards, [int(cards[-1])])
        for root, node in enumerate(street.root_first_node[: street.roots].tolist()):
            weights = weights_at(solution, run_outs, root)
            for player, values in asked:
                opposing = weights[1 - player]
                if (player, values) in walked:
                    combos = run_outs[-1].combos(boards, player)
                    found = walked[player, values][number, root, : len(combos)]
                    won = mean_by_combo(found, combos, met_weights(opposing))
                else:
                    won = _won(solution, run_outs, node, player, values, opposing)
                row = tensors[kept_name(player, values)][number, root]
                row[:] = in_16_bits(np.nan_to_num(won), largest)
    known = boards, solution.layout
    return replace(solution, kept_values=KeptValues(tensors, largest), known=known)


def _walked_values(
    solver: PostflopSolver, asked: Sequence[tuple[int, str]]
) -> dict[tuple[int, str], Floats]:
    """What the solver's own walks say of the second street; nothing where they cannot.

    They know the hands of the ranges alone.
    """
    spot, boards = solver.spot, solver.boards
    every = np.count_nonzero(allowed_combos(spot.board))
    if spot.runouts is not None or any(len(boards.combos[each]) < every for each, _ in asked):
        return {}
    found = {
        (player, values): solver.next_values(player, best=values == "response")
        for player, values in asked
    }
    return {key: rows for key, rows in found.items() if rows is not None}

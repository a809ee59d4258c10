"""A later street of a solution as a spot of its own, and what it is worth to each hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from pokerlab.cards.codes import N_COMBOS, Cards, to_cards
from pokerlab.engine.tables.runouts import RunOut, find_run_out
from pokerlab.games.betting_trees.betting_tree import EdgeKind, Place
from pokerlab.games.betting_trees.lines import Line, LineLike, to_line
from pokerlab.holdem.spots.answer.all_responses import chips_by_combo
from pokerlab.holdem.spots.answer.kept_values import (
    KeptValues,
    in_16_bits,
    kept_name,
    kept_shape,
    largest_win,
)
from pokerlab.holdem.spots.answer.resolve import spot_below
from pokerlab.holdem.spots.answer.solution import PostflopSolution
from pokerlab.holdem.spots.question.gadget import VALUES, allowed_combos
from pokerlab.holdem.spots.question.spot import Spot
from pokerlab.runtime.arrays import Floats


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
        solution, numbers = self.solution, self._numbers
        kept = solution.kept_values
        if kept is not None and len(numbers) == 1:
            root = int(solution.spot.tree.streets[1].root[self._place.node])
            found = kept.read(player, values, numbers[0], root)
            worth = np.empty(N_COMBOS)
            worth[self._run_outs[-1].image] = found
            return self._from_pot(worth)
        everyone = solution.all_hands(player)
        rows = everyone.at(numbers).nodes[self._place.node]
        board, opposing = self._run_outs[-1], self._weights[1 - player]
        worth = chips_by_combo(rows, board.combos(everyone.boards, player), opposing)
        if values == "average":
            rows = solution.board_values(numbers, player).nodes[self._place.node]
            own = chips_by_combo(rows, board.combos(solution.boards, player), opposing)
            held = solution.spot.ranges[player].weights > 0
            worth = np.where(held & ~np.isnan(own), own, worth)
        return self._from_pot(worth)

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
            found += np.nan_to_num(chips_by_combo(given, combos, opposing))
        return found

    def _from_pot(self, chips: Floats) -> Floats:
        """Chips against an even split as what is taken; hands that meet nobody get a half."""
        taken = np.nan_to_num(chips) + self.spot.pot / 2
        return np.where(allowed_combos(self.spot.board), taken, np.nan)

    @property
    def _numbers(self) -> list[int]:
        return [run_out.number for run_out in self._run_outs[1:]]


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
    edge = int(street.root_parent_edge[root])
    above = int(solution.spot.tree.streets[place.level - 1].node[edge])
    weights = solution.arriving(run_outs, place.level - 1, above, edge)
    for player, each in zip(("oop", "ip"), weights, strict=True):
        if not each.any():
            raise ValueError(f"line {str(whole)!r}: {player} never gets there")
    spot = spot_below(solution.spot, run_outs[-1].cards, root, weights)
    return SpotBelow(solution, str(whole), spot, place, tuple(run_outs), weights)


def with_kept_values(
    solution: PostflopSolution, players: Sequence[int] = (0, 1), kinds: Sequence[str] = VALUES
) -> PostflopSolution:
    """The same solution with the values of its second street; see `KeptValues`.

    It takes about as long as two certificates. With fewer `players` and `kinds` it takes less, but
    files hold all of them or none.
    """
    spot, boards = solution.spot, solution.boards
    if len(spot.tree.streets) < 2:
        raise ValueError("values of the next street: the spot begins on the river, none follows")
    street, above = spot.tree.streets[1], spot.tree.streets[0]
    largest, first_nodes = largest_win(spot), street.root_first_node[: street.roots]
    shape = kept_shape(spot, boards)
    tensors = {
        kept_name(player, values): np.zeros(shape, np.int16)
        for player in players
        for values in kinds
    }
    held = [each.weights > 0 for each in spot.ranges]
    for number, cards in enumerate(boards.cards[1]):
        run_outs = find_run_out(boards, [int(cards[-1])])
        lines = [
            solution.arriving(run_outs, 0, int(above.node[edge]), int(edge))
            for edge in street.root_parent_edge
        ]
        for player in players:
            everyone = solution.all_hands(player)
            response = everyone.at([number]).nodes[first_nodes]
            places = run_outs[-1].combos(everyone.boards, player)
            best = [
                chips_by_combo(rows, places, weights[1 - player])
                for rows, weights in zip(response, lines, strict=True)
            ]
            found = {"response": best}
            if "average" in kinds:
                average = solution.board_values([number], player).nodes[first_nodes]
                places = run_outs[-1].combos(boards, player)
                means = [
                    chips_by_combo(rows, places, weights[1 - player])
                    for rows, weights in zip(average, lines, strict=True)
                ]
                found["average"] = [
                    np.where(held[player] & ~np.isnan(mean), mean, most)
                    for mean, most in zip(means, best, strict=True)
                ]
            for values in kinds:
                for root, chips in enumerate(found[values]):
                    row = tensors[kept_name(player, values)][number, root]
                    row[:] = in_16_bits(np.nan_to_num(chips), largest)
    known = solution.boards, solution.layout
    return replace(solution, kept_values=KeptValues(tensors, largest), known=known)

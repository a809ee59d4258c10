"""The certificate of a solution, computed anew from its file.

The numbers are those of a walk without the engine's kernels (`independent_walk`, which says what it
shares with the engine); here they are compared with what the file claims.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias

import numpy as np

from pokerlab.cards.codes import combo_cards, format_cards
from pokerlab.cards.ranges.blockers import mean_by_combo, met_weights
from pokerlab.engine.groups import HandGrouping
from pokerlab.engine.tables.hand_groups import BoardGroups, group_hands
from pokerlab.games.betting_trees.menus import PLAYERS
from pokerlab.holdem.spots.answer.carried import carry_strategies
from pokerlab.holdem.spots.answer.margins import Margin, least_margin
from pokerlab.holdem.spots.answer.node_view import Exploitability
from pokerlab.holdem.spots.answer.solution import PostflopSolution, load_postflop
from pokerlab.holdem.spots.checks.independent_walk import BEST, BY_GROUP, HARM, SAVED, Verifier
from pokerlab.holdem.spots.prepared import PreparedSpot
from pokerlab.holdem.spots.question.gadget import Gadget

Pair: TypeAlias = tuple[float, float]

TOLERANCE = 1e-5
"""How far a claimed value may be from the computed one, as a part of the pot. Both are those of
the saved strategies in float64, so they agree to 1e-15, but for one thing: the engine computes one
of several isomorphic boards, although rounding has made the strategies before them a little
different (1e-7 where it was seen)."""

LOCKED_TOLERANCE = 2.0**-12
"""The same where decisions are locked: the engine takes a locked probability as it was given, the
file has it in half precision, 2⁻¹¹ of itself away at most."""

SUBSET_TOLERANCE = 2.0**-14
"""The same on a subset of run-outs, where corrections of check-downs are halves, which may be
rounded the other way here (1e-6 where it was seen); and with prizes, where the margins of all-ins
with ties are (3e-8)."""

GROUP_TOLERANCE = 2.0**-12
"""The same for responses by group: where two actions are equal for a group but not for its hands,
rounding decides what is passed up."""

EV_TOLERANCE = 2.0**-12
"""The same for the EV of a hand, as a part of all chips. Rounding to halves makes the reach of
isomorphic hands up to 2⁻¹¹ of itself different, and a hand may meet few others."""

_NOTHING = 1e-12
"""What a value may differ where no hand arrives, as a part of the pot times all opposing hands."""


@dataclass(frozen=True)
class Certificate:
    """The independently computed values of a solution's strategies.

    Attributes
    ----------
    values
        What each player takes from the pot on average, in chips.
    best_values
        What each would take with a best response against the other's strategy.
    bounds
        For each player the least that the own strategy takes against anybody, and the most
        that anybody takes against the other's strategy. Without rake, the value of the game
        lies between them.
    exploitability
        Half of what both would gain by best responses.
    exploitability_abstract
        The same for responses that play one strategy for each group; None without groups.
    groups
        What the groups are called, as ``view/river``; None without groups.
    margin
        With a gadget, the least margin of a hand; None without one.
    problems
        What the solution claims and the computation does not find, a line each.
    """

    values: Pair
    best_values: Pair
    bounds: tuple[Pair, Pair]
    exploitability: Exploitability
    exploitability_abstract: Exploitability | None = None
    groups: str | None = None
    margin: Margin | None = None
    problems: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether all claims of the solution were confirmed."""
        return not self.problems


def verify(solution: str | Path | PostflopSolution) -> Certificate:
    """Compute values, best responses and bounds of a solution, or of its file alone.

    A file that is truncated or changed, or whose strategies do not fit its spot or are not
    probabilities, is a `ValueError`. Numbers in its header that the computation does not
    confirm are the `problems` of the certificate. Where decisions were locked, best responses
    keep to what is saved there; where the lock has a weight, they are free in what it leaves.

    Examples
    --------
    >>> from pokerlab.holdem.spots import Spot, solve_spot
    >>> spot = Spot("QhJh2c4d7h", "AA, KQs, JTs", "QQ, AJs, T9s", pot=100, stack=80)
    >>> certificate = verify(solve_spot(spot, target="0.1%"))
    >>> certificate.ok, certificate.exploitability.percent < 0.1
    (True, True)
    >>> low, high = certificate.bounds[0]
    >>> low < certificate.values[0] < high < low + 0.3
    True
    """
    if not isinstance(solution, PostflopSolution):
        solution = load_postflop(solution, check=True)
    spot = solution.spot
    verifier = Verifier(solution)
    totals = verifier.totals()
    saved, best, harm = totals[SAVED], totals[BEST], totals.get(HARM, totals[BEST])
    in_halves = spot.runouts is not None or spot.pays_prizes
    tolerance = SUBSET_TOLERANCE if in_halves else TOLERANCE
    tolerance = spot.pot * (LOCKED_TOLERANCE if solution.locks else tolerance)
    problems = [
        *_disagreements("value", "chips", solution.values, saved, tolerance),
        *_disagreements("best response", "chips", solution.best_values, best, tolerance),
        *_disagreements("equity", "", solution.equities, verifier.equities(), TOLERANCE),
        *_other_first_values(solution, verifier),
    ]

    def gain(responses: Pair) -> Exploitability:
        chips = (sum(responses) - sum(saved)) / 2
        return Exploitability(chips, spot.pot, spot.big_blind)

    margin = None
    if solution.gadget is not None and solution.margin is not None:
        margin = _find_margin(solution, solution.gadget, verifier)
        problems += _other_margin(solution.margin, margin, tolerance)
    by_group = totals.get(BY_GROUP)
    if solution.groups is not None and by_group is not None:
        problems += _other_groups(solution, solution.groups)
        claimed = solution.best_by_group or (np.nan, np.nan)
        tolerance = spot.pot * GROUP_TOLERANCE
        problems += _disagreements("response by group", "chips", claimed, by_group, tolerance)
    return Certificate(
        values=saved,
        best_values=best,
        bounds=((spot.pot - harm[1], best[0]), (spot.pot - harm[0], best[1])),
        exploitability=gain(best),
        exploitability_abstract=None if by_group is None else gain(by_group),
        groups=None if solution.groups is None else solution.groups.text,
        margin=margin,
        problems=tuple(problems),
    )


def _find_margin(solution: PostflopSolution, gadget: Gadget, verifier: Verifier) -> Margin:
    """The least margin of a solution with a gadget, over every hand that the board allows."""
    player, spot = gadget.player, solution.spot
    if not gadget.everyone:
        wide = PreparedSpot.of(
            spot, isomorphism=solution.isomorphism, gadget=gadget.with_kind("resolve")
        )
        strategies = carry_strategies(solution.boards, solution.layout, solution.strategies, wide)
        known = wide.boards, wide.layout
        verifier = Verifier(replace(solution, strategies=strategies, known=known))
    won = mean_by_combo(
        verifier.root[0][player][BEST],
        verifier.boards.combos[player],
        met_weights(spot.ranges[1 - player].weights),
    )
    return least_margin(gadget, won + spot.pot / 2, spot)


def _other_margin(claimed: Margin, found: Margin, tolerance: float) -> Iterator[str]:
    for name in ("chips", "mean"):
        told, computed = getattr(claimed, name), getattr(found, name)
        if not abs(told - computed) <= tolerance:
            what = "least margin" if name == "chips" else "mean margin"
            yield f"{what}: {told:.8g} chips is claimed, {computed:.8g} was found"


def _other_groups(solution: PostflopSolution, groups: BoardGroups) -> Iterator[str]:
    """Whether hands are in the groups that the solution names; counted, so always the same.

    Groups by number of hands are not made again: their sums are rounded.
    """
    grouping = HandGrouping.parse(groups.text)
    if not grouping.identity:
        return
    found = group_hands(solution.spot, solution.boards, grouping)
    for level, both in enumerate(found.streets):
        for player, columns in enumerate(both):
            if not np.array_equal(columns.column, groups.at(level, player).column):
                yield f"groups of {('oop', 'ip')[player]} on street {level + 1}: not {groups.text}"


def _other_first_values(solution: PostflopSolution, verifier: Verifier) -> Iterator[str]:
    """For each player the EV of a hand on the first street that is furthest from the one found."""
    spot, tree, tables = solution.spot, solution.spot.tree, solution.boards.tables[0]
    chips = EV_TOLERANCE * (spot.pot + 2 * spot.effective_stack)
    for player, claimed in enumerate(solution.first_values):
        found, street = verifier.first_street[player], tree.streets[0]
        order = tables.hands[player].order[: claimed.nodes.shape[1]]
        columns = np.flatnonzero(order < found.nodes.shape[1])
        hands = order[columns]
        own = np.flatnonzero(street.player[street.node] == player)
        nodes = np.concatenate([np.arange(street.nodes), street.node[own]])
        meets = found.meets[nodes][:, hands]
        told = np.concatenate([claimed.nodes, claimed.actions])[:, columns]
        computed = np.concatenate([found.nodes, found.edges[own]])[:, hands]
        allowed = chips * meets + _NOTHING * spot.pot * found.meets.max()
        apart = np.abs(told - computed) / allowed
        if (apart <= 1).all():
            continue
        row, column = divmod(int(np.nan_to_num(apart, nan=np.inf).argmax()), len(hands))
        node = int(nodes[row])
        action = f" of {street.label(int(own[row - street.nodes]))}" if row >= street.nodes else ""
        base = spot.pot / 2 + tree.chips(int(street.committed[node][player]))
        ev = [rows[row, column] / meets[row, column] + base for rows in (told, computed)]
        hand = format_cards(combo_cards(int(solution.boards.combos[player][hands[column]])))
        where = f"{hand} of {PLAYERS[player]} at {tree.line(0, node)!r}"
        yield f"EV{action} for {where}: {ev[0]:.8g} chips is claimed, {ev[1]:.8g} was found"


def _disagreements(
    name: str, unit: str, claimed: Pair, found: Pair, tolerance: float
) -> Iterator[str]:
    for player, told, computed in zip(("oop", "ip"), claimed, found, strict=True):
        if not abs(told - computed) <= tolerance:  # NaN too
            told_text = f"{told:.8g} {unit}".strip()
            yield f"{name} of {player}: {told_text} is claimed, {computed:.8g} was found"

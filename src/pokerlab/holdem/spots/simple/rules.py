"""`find_rules`: a decision in a few rules, with what they lose exactly.

A decision tree over made hands, draws, strength within the range and blockers grows condition by
condition: an estimate (what hands lose by their EVs, and how far they are from the full strategy)
says which conditions are worth trying, and the best response to each of these strategies which one
is taken. It stops as soon as the loss is small enough.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from pokerlab.cards.ranges.blockers import unblocked_weights
from pokerlab.engine.tables.runouts import RunOut, find_run_out
from pokerlab.games.betting_trees.betting_tree import Place
from pokerlab.games.betting_trees.lines import LineLike, to_line
from pokerlab.holdem.spots.answer.node_view import Exploitability, NodeView
from pokerlab.holdem.spots.answer.solution import PostflopSolution
from pokerlab.holdem.spots.simple.conditions import hand_conditions
from pokerlab.holdem.spots.simple.pricing import PricedStrategies
from pokerlab.holdem.spots.simple.rounding import Rounding
from pokerlab.holdem.spots.simple.rule_tree import (
    PlayRule,
    RangeHands,
    RuleNode,
    best_splits,
    first_leaf,
    list_rules,
)
from pokerlab.holdem.spots.simple.simplify import parse_loss
from pokerlab.runtime.arrays import Floats, Halves, Indices

_TRIED = 16
"""Conditions whose loss is measured for each list before one is chosen; fewer on many boards."""

_KEPT = 6
"""Lists that are grown further: a bet needs strong hands and bluffs, and gets them one by one."""

_MANY_BOARDS = 200


@dataclass(frozen=True, eq=False)
class RuleSheet:
    """A decision in rules.

    Attributes
    ----------
    solution
        The solution with the rules at this decision, and its own certificate.
    before
        The exploitability of the full one.
    losses
        What each player loses in chips; 0 for the one who does not act.
    line, board, player, actions
        The decision.
    rules
        The first that fits a hand says what it plays; the last fits all.
    within
        Whether the loss is as small as it was to be.
    most
        The most rules that there could be.
    tried
        How many rules lost how many chips, while they grew.
    """

    solution: PostflopSolution
    before: Exploitability
    losses: tuple[float, float]
    line: str
    board: tuple[int, ...]
    player: int
    actions: tuple[str, ...]
    rules: tuple[PlayRule, ...]
    within: bool
    most: int
    tried: tuple[tuple[int, float], ...]

    @property
    def loss(self) -> Exploitability:
        """The loss in chips, percent of the pot and mbb."""
        return self.in_units(sum(self.losses))

    def in_units(self, chips: float) -> Exploitability:
        """Chips beside percent of the pot and mbb."""
        return Exploitability(chips, self.before.pot, self.before.big_blind)

    def __repr__(self) -> str:
        return (
            f"<RuleSheet {self.line!r}: {len(self.rules)} rules, "
            f"loss {self.loss.percent:.2g}% of the pot>"
        )


def find_rules(
    solution: PostflopSolution,
    line: LineLike = "",
    *,
    loss: float | str = "0.5%",
    step: float | str = "25%",
    max_actions: int | None = None,
    most: int = 8,
    threads: int | None = None,
    device: str = "auto",
    resume: str | Path | None = None,
    report: Callable[[str, int, int], None] | None = None,
) -> RuleSheet:
    """Find a short list of rules for a decision that loses at most this.

    Parameters
    ----------
    solution
        With all streets, without groups and gadget.
    line
        The decision, with the cards that come; the rules hold on boards that are the same but for
        the names of suits.
    loss
        What the rules may lose: chips, or text such as ``"0.5%"`` of the pot.
    step, max_actions
        What a rule may say: see `Rounding`. ``"100%"``: one action each.
    most
        The most rules.
    threads, device
        Of the best responses.
    resume
        A file that keeps what was measured: the same call goes on from it.
    report
        Called with what is being done, how much of it is done, and how much there is.

    Examples
    --------
    >>> from pokerlab.holdem.spots import Spot, solve_spot
    >>> spot = Spot("QhJh2c4d7h", "AA, KQs, JTs", "QQ, AJs, T9s", pot=100, stack=80)
    >>> sheet = find_rules(solve_spot(spot, target="0.01%"), "x", loss="1%", step="10%")
    >>> sheet.within, sheet.rules[-1].alternatives
    (True, ((),))
    """
    if not 1 <= most <= 100:
        raise ValueError(f"most: {most} must be from 1 to 100 rules")
    allowed = parse_loss(loss, solution.spot.pot)
    rounding = Rounding.of(step, max_actions, balanced=False)
    tell = report or (lambda what, done, total: None)
    priced = PricedStrategies(solution, lambda prepared, seat, full: full, threads, device, resume)
    view = solution.at(line)
    place = solution.spot.find(line)
    if any((each.level, each.node) == (place.level, place.node) for each in priced.prepared.locks):
        raise ValueError(f"line {str(to_line(line))!r} is locked: its rules are given")
    if not view.reached:
        raise ValueError(f"line {str(to_line(line))!r}: nobody arrives there")
    here = _Written(priced, place, view.player)
    hands, columns = _range_hands(view, solution.spot.pot, solution, here.combos)

    def measured(tree: RuleNode) -> float:
        return priced.loss_of(view.player, here.with_rows(columns, tree.strategy()))

    many = sum(map(len, solution.boards.cards)) > _MANY_BOARDS
    search = _RuleSearch(hands, rounding, measured, tell, (1, 3) if many else (_KEPT, _TRIED))
    lost, found, rows, tried = search.run(allowed, most)
    own = here.with_rows(columns, rows)
    pair = (own, priced.full[1]) if view.player == 0 else (priced.full[0], own)
    return RuleSheet(
        solution=priced.certified(*pair),
        before=solution.exploitability,
        losses=(lost, 0.0) if view.player == 0 else (0.0, lost),
        line=view.line,
        board=view.board,
        player=view.player,
        actions=view.actions,
        rules=found,
        within=lost <= allowed,
        most=most,
        tried=tried,
    )


class _RuleSearch:
    """Grows trees condition by condition, and keeps those that lose least."""

    def __init__(
        self,
        hands: RangeHands,
        rounding: Rounding,
        measured: Callable[[RuleNode], float],
        tell: Callable[[str, int, int], None],
        width: tuple[int, int],
    ) -> None:
        self._hands, self._rounding, self._measured, self._tell = hands, rounding, measured, tell
        self._kept, self._tried = width

    def run(
        self, allowed: float, most: int
    ) -> tuple[float, tuple[PlayRule, ...], Floats, tuple[tuple[int, float], ...]]:
        """The first list that loses at most this, or the best: loss, rules, strategy, trials."""
        tree = first_leaf(self._hands, self._rounding)
        beam = [(self._measured(tree), tree)]
        best, trials = beam[0], []
        while True:
            lost, tree = beam[0]
            trials.append((len(self._rules(tree)), lost))
            best = min(best, beam[0], key=lambda each: each[0])
            if best[0] <= allowed or len(tree.leaves()) >= 2 * most:
                break
            beam = self._grown(beam, most)
            if not beam:
                break
        lost, tree = best
        return lost, self._rules(tree), tree.strategy(), tuple(trials)

    def _grown(
        self, beam: Sequence[tuple[float, RuleNode]], most: int
    ) -> list[tuple[float, RuleNode]]:
        """The best trees with one condition more, and the one that the estimate prefers."""
        found: dict[bytes, tuple[float, float, RuleNode]] = {}
        size = len(beam[0][1].leaves()) + 1
        for number, (_, tree) in enumerate(beam):
            splits = best_splits(self._hands, tree, self._rounding, self._tried)
            for place, split in enumerate(splits):
                done = number * self._tried + place
                self._tell(f"lists of {size} sets of hands", done, len(beam) * self._tried)
                split.apply()
                rows = tree.strategy().tobytes()
                if rows not in found and len(self._rules(tree)) <= most:
                    cost = sum(leaf.cost for leaf in tree.leaves())
                    found[rows] = self._measured(tree), cost, deepcopy(tree)
                split.undo()
        ranked = sorted(found.values(), key=lambda each: each[0])
        kept = ranked[: self._kept]
        if ranked:
            likely = min(ranked, key=lambda each: each[1])
            kept += [] if likely in kept else [likely]
        return [(lost, tree) for lost, _, tree in kept]

    def _rules(self, tree: RuleNode) -> tuple[PlayRule, ...]:
        return list_rules(tree, self._hands.weights)


class _Written:
    """Strategies that differ from the full one at one decision on one board."""

    def __init__(self, priced: PricedStrategies, place: Place, player: int) -> None:
        boards = priced.prepared.boards
        self.run_out: RunOut = find_run_out(boards, place.cards)[-1]
        self.combos = self.run_out.combos(boards, player)
        self._place, self._full = place, priced.full[player]
        self._layout = priced.prepared.layout.at(place.level, player)

    def with_rows(self, columns: Indices, rows: Floats) -> Sequence[Halves]:
        """The strategy with other probabilities (actions, hands) for some columns of the board."""
        street = np.array(self._full[self._place.level])
        written = self._layout.node(street, self.run_out.number, self._place.node)
        written[:, columns] = rows
        level = self._place.level
        return (*self._full[:level], street, *self._full[level + 1 :])


def _range_hands(
    view: NodeView, pot: float, solution: PostflopSolution, combos: Indices
) -> tuple[RangeHands, Indices]:
    """All hands of the range on this board, and their columns there.

    Those that do not arrive have the weight 0, and play by the rules too.
    """
    player = view.player
    columns = np.flatnonzero(combos >= 0)
    columns = columns[~np.isnan(view.strategy[0, combos[columns]])]
    here = combos[columns]
    weights = view.weights[player] * unblocked_weights(view.weights[1 - player])
    ranges = np.stack([each.weights for each in solution.spot.ranges])
    found = hand_conditions(view.board, ranges, weights, view.equity[player])
    values = np.nan_to_num(view.action_ev[:, here]) / pot
    hands = RangeHands(
        weights[here],
        view.strategy[:, here],
        values,
        tuple(condition for condition, _ in found),
        np.stack([holds[here] for _, holds in found]) if found else np.zeros((0, len(here)), bool),
    )
    return hands, columns

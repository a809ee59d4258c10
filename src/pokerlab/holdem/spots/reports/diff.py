"""The changes between two solutions of a spot: by hand, and in the action frequencies.

The spots may differ in their menus, in how they were solved and in what was locked, but not in
the cards and chips: board, ranges, pot, stacks and rake must be the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from pokerlab.cards.board_hands.hand_filter import filter_hands
from pokerlab.cards.codes import combo_cards, format_cards
from pokerlab.cards.ranges.blockers import unblocked_weights
from pokerlab.games.betting_trees.betting_tree import EdgeKind
from pokerlab.games.betting_trees.lines import LineLike
from pokerlab.holdem.spots.answer.node_view import NodeView
from pokerlab.holdem.spots.answer.solution import PostflopSolution
from pokerlab.holdem.spots.question.spot import Spot
from pokerlab.holdem.spots.reports.breakdown import breakdown, breakdown_names
from pokerlab.holdem.spots.reports.export import HandRow, range_totals


@dataclass(frozen=True)
class HandChange:
    """The change of a hand at a decision, from the first solution to the second.

    Attributes
    ----------
    line, player, combo
        Where, who acts, and with what.
    weight
        The part of all deals in which the hand arrives there, the mean of both solutions; where
        cards have come, given these cards.
    actions
        What may be done in one solution or the other.
    strategies
        For each solution the probability of each action; 0 for one that it does not have.
    evs
        For each solution the chips that the hand takes from there on; NaN if the opponent
        never arrives there.
    epsilon
        The exploitability of both solutions together, in chips.
    """

    line: str
    player: int
    combo: int
    weight: float
    actions: tuple[str, ...]
    strategies: tuple[tuple[float, ...], tuple[float, ...]]
    evs: tuple[float, float]
    epsilon: float

    @property
    def hand(self) -> str:
        """The hand as text."""
        return format_cards(combo_cards(self.combo))

    @property
    def strategy_change(self) -> float:
        """How much of the hand's play is different: 0 for nothing, 1 for all."""
        return sum(abs(old - new) for old, new in zip(*self.strategies, strict=True)) / 2

    @property
    def ev_change(self) -> float:
        """The chips that the hand takes more in the second solution."""
        return self.evs[1] - self.evs[0]

    @property
    def exceeds(self) -> bool:
        """Whether the EV changed by more than the exploitability of both solutions.

        A yardstick: exploitability bounds the mean over all hands, not each of them.
        """
        return abs(self.ev_change) > self.epsilon


def diff(
    first: PostflopSolution,
    second: PostflopSolution,
    line: LineLike | None = None,
    *,
    hands: str | None = None,
) -> list[HandChange]:
    """Compare two solutions of a spot.

    Parameters
    ----------
    first, second
        The solutions: board, ranges, pot, stacks and rake must be the same, menus need not.
    line
        The decision to look at. None: all decisions of the first street that both have.
    hands
        Only hands of this filter, as ``"AK, top-pair"``; see `pokerlab.cards.filter_hands`.

    Returns
    -------
    The hands with any change, those first whose change of EV times weight is greatest. Decisions
    that one of the solutions never reaches are left out: there is no play to compare with.

    Examples
    --------
    >>> from pokerlab.holdem.spots import Spot, solve_spot
    >>> spot = Spot("QhJh2c4d7h", "AA, KQs, JTs", "QQ, AJs, T9s", pot=100, stack=80)
    >>> solution = solve_spot(spot, target="0.1%")
    >>> diff(solution, solution)
    []
    >>> locked = solve_spot(spot, target="0.1%", locks={"x": {"x": "QQ, AJs, T9s"}})
    >>> change = diff(solution, locked, "x")[0]
    >>> change.hand, change.actions, change.strategies[1]
    ('Th9h', ('x', 'b50', 'a'), (1.0, 0.0, 0.0))
    >>> change.ev_change < -40, change.exceeds
    (True, True)
    """
    check_same_spot(first.spot, second.spot)
    lines = list(_shared_lines(first.spot, second.spot)) if line is None else [line]
    epsilon = first.exploitability.chips + second.exploitability.chips
    deals = _deals(first.spot)
    changes: list[HandChange] = []
    for each in lines:
        views = first.at(each), second.at(each)
        chosen = None if hands is None else filter_hands(hands, views[0].board)
        changes += (
            change
            for change in _compare(views, epsilon, deals)
            if chosen is None or chosen[change.combo]
        )
    changes.sort(key=_importance, reverse=True)
    return changes


@dataclass(frozen=True)
class FrequencyChange:
    """How often hands of a group, or of a whole range, take each action in both solutions.

    Attributes
    ----------
    weights
        For each solution the combos that arrive, by weight.
    frequencies
        For each solution how often each action is taken; 0 for one that it does not have. All
        are 0 where nothing arrives, or where the decision is never reached.
    evs
        For each solution the chips that they take from there on, on average; None where nothing
        arrives.
    """

    weights: tuple[float, float]
    frequencies: tuple[tuple[float, ...], tuple[float, ...]]
    evs: tuple[float | None, float | None]

    @property
    def changes(self) -> tuple[float, ...]:
        """How much more often each action is taken in the second solution."""
        return tuple(new - old for old, new in zip(*self.frequencies, strict=True))

    @property
    def moved(self) -> float:
        """How much of the play is different: 0 for nothing, 1 for all."""
        return sum(map(abs, self.changes)) / 2


@dataclass(frozen=True)
class LineChange:
    """The change at a decision, for the whole range and for each part that arrives.

    The parts are those of `diff_frequencies`: starting hands, made hands or draws. `reached` says
    of each solution whether anybody arrives there, see `Decision.reached`.
    """

    line: str
    player: int
    actions: tuple[str, ...]
    total: FrequencyChange
    classes: dict[str, FrequencyChange]
    reached: tuple[bool, bool] = (True, True)


def diff_frequencies(
    first: PostflopSolution,
    second: PostflopSolution,
    line: LineLike | None = None,
    *,
    by: str = "class",
    hands: str | None = None,
) -> list[LineChange]:
    """Compare how often two solutions of a spot take each action; see `diff`.

    Parameters
    ----------
    first, second, line
        As for `diff`.
    by
        What the range is broken down by: ``class`` (``AKs``), ``made`` (made hands), ``draws`` or
        ``equity`` (tenths).
    hands
        Only hands of this filter are counted in the parts; see `pokerlab.cards.filter_hands`.

    Returns
    -------
    The decisions in the order of the tree, with those at which nothing changed.

    Examples
    --------
    >>> from pokerlab.holdem.spots import Spot, solve_spot
    >>> spot = Spot("QhJh2c4d7h", "AA, KQs, JTs", "QQ, AJs, T9s", pot=100, stack=80)
    >>> solution = solve_spot(spot, target="0.1%")
    >>> locked = solve_spot(spot, target="0.1%", locks={"x": {"x": "QQ, AJs, T9s"}})
    >>> change = diff_frequencies(solution, locked, "x")[0]
    >>> change.actions, change.total.frequencies[1], list(change.classes)
    (('x', 'b50', 'a'), (1.0, 0.0, 0.0), ['AJs', 'QQ', 'T9s'])
    >>> list(diff_frequencies(solution, locked, "x", by="made")[0].classes)
    ['lower-flush', 'set', 'second-pair', 'nothing']
    """
    check_same_spot(first.spot, second.spot)
    lines = list(_shared_lines(first.spot, second.spot)) if line is None else [line]
    return [_line_change((first.at(each), second.at(each)), by, hands) for each in lines]


def _line_change(views: tuple[NodeView, NodeView], by: str, hands: str | None) -> LineChange:
    actions = tuple(dict.fromkeys(views[0].actions + views[1].actions))
    chosen = None if hands is None else filter_hands(hands, views[0].board)
    old, new = ({row.name: row for row in breakdown(view, by, chosen=chosen)} for view in views)
    names = [name for name in breakdown_names(by) if name in old or name in new]
    totals = [float(view.weights[view.player].sum()) for view in views]
    spread = [_spread(view.actions, view.frequencies.tolist(), actions) for view in views]
    return LineChange(
        line=views[0].line,
        player=views[0].player,
        actions=actions,
        total=FrequencyChange(
            (totals[0], totals[1]),
            (spread[0], spread[1]),
            (_total_ev(views[0]), _total_ev(views[1])),
        ),
        classes={
            name: FrequencyChange(
                (_weight(old.get(name)), _weight(new.get(name))),
                (
                    _spread(views[0].actions, _played(views[0], old.get(name)), actions),
                    _spread(views[1].actions, _played(views[1], new.get(name)), actions),
                ),
                (_ev(old.get(name)), _ev(new.get(name))),
            )
            for name in names
        },
        reached=(views[0].reached, views[1].reached),
    )


def _weight(row: HandRow | None) -> float:
    return 0.0 if row is None else row.weight


def _ev(row: HandRow | None) -> float | None:
    return None if row is None else row.ev


def _total_ev(view: NodeView) -> float | None:
    return range_totals(view, view.player).ev


def _played(view: NodeView, row: HandRow | None) -> Sequence[float]:
    return () if row is None or not view.reached else row.strategy


def _spread(
    own: Sequence[str], frequencies: Sequence[float], actions: Sequence[str]
) -> tuple[float, ...]:
    """The frequencies of a solution's own actions, among those of both solutions."""
    found = dict(zip(own, frequencies, strict=False))
    return tuple(found.get(action, 0.0) for action in actions)


def check_same_spot(first: Spot, second: Spot) -> None:
    """`ValueError` if board, ranges, pot, stacks or rake differ; it names what does."""
    for name, old, new in (
        ("board", *(format_cards(_in_order(spot.board)) for spot in (first, second))),
        ("pot", first.pot, second.pot),
        ("stack", first.effective_stack, second.effective_stack),
        ("rake", (first.rake, first.rake_cap), (second.rake, second.rake_cap)),
        ("payouts", first.prizes, second.prizes),
    ):
        if old != new:
            raise ValueError(f"the solutions are of different spots: {name} {old} and {new}")
    for name, old_range, new_range in zip(("oop", "ip"), first.ranges, second.ranges, strict=True):
        changed = np.flatnonzero(old_range.weights != new_range.weights)
        if len(changed):
            combo = int(changed[-1])
            old, new = old_range.weights[combo], new_range.weights[combo]
            raise ValueError(
                f"the solutions are of different spots: {name} holds "
                f"{format_cards(combo_cards(combo))} with the weight {old:g} and {new:g}"
            )


def _in_order(board: tuple[int, ...]) -> list[int]:
    """The cards of the flop come at once, in any order."""
    return [*sorted(board[:3], reverse=True), *board[3:]]


def _shared_lines(first: Spot, second: Spot) -> Iterator[str]:
    for level, _, line in first.tree.walk():
        if level > 0:
            return
        try:
            place = second.find(line)
        except ValueError:  # the menus of the second spot do not offer it
            continue
        if place.kind == EdgeKind.NODE:
            yield line


def _deals(spot: Spot) -> float:
    return float(spot.ranges[0].weights @ unblocked_weights(spot.ranges[1].weights))


def _compare(
    views: tuple[NodeView, NodeView], epsilon: float, deals: float
) -> Iterator[HandChange]:
    """The hands of one decision with any change."""
    if not (views[0].reached and views[1].reached):
        return
    player = views[0].player
    old_weight, new_weight = (
        view.weights[player] * unblocked_weights(view.weights[1 - player]) for view in views
    )
    weight = (old_weight + new_weight) / (2 * deals)
    actions = tuple(dict.fromkeys(views[0].actions + views[1].actions))
    for combo in np.flatnonzero(weight).tolist():
        old, new = (
            _spread(view.actions, view.strategy[:, combo].tolist(), actions) for view in views
        )
        change = HandChange(
            line=views[0].line,
            player=player,
            combo=combo,
            weight=float(weight[combo]),
            actions=actions,
            strategies=(old, new),
            evs=(float(views[0].ev[player][combo]), float(views[1].ev[player][combo])),
            epsilon=epsilon,
        )
        if change.strategy_change > 0 or change.ev_change != 0:
            yield change


def _importance(change: HandChange) -> tuple[float, float]:
    """EV first; an EV that is not known counts for nothing."""
    moved = float(np.nan_to_num(abs(change.ev_change)))
    return change.weight * moved, change.weight * change.strategy_change

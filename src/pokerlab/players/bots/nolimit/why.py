"""Why a hand went as it did: each decision beside the chart or the solve that it was played by.

The player is asked again for what it was played by, and nothing is solved a second time: a decision
of the player has the solve that it was taken from, one of the opponent the solve that answered it,
with their bet in the tree. EVs are chips from the decision on, so a fold is worth 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from pokerlab.cards.codes import combo_index
from pokerlab.cards.isomorphism.suits import permute_cards
from pokerlab.cards.ranges.blockers import unblocked_weights
from pokerlab.games import Betting, DealtState
from pokerlab.holdem.spots.answer.node_view import NodeView
from pokerlab.players.bots.nolimit.bot import NolimitBot, at_table
from pokerlab.players.bots.nolimit.preflop import spread
from pokerlab.players.bots.nolimit.street import Followed, StreetSolve, UnsolvedError
from pokerlab.players.bots.nolimit.tracking import PublicHand
from pokerlab.runtime.arrays import Floats, Indices

_NEVER = 0.005
"""Probabilities below it are as good as none."""
SELDOM, SELDOM_HAND = 0.02, 0.01
"""A line of a chart that fewer deals take, or a hand that takes it less often, has rough EVs."""


@dataclass(frozen=True)
class Option:
    """An action that could be taken.

    Attributes
    ----------
    action, label
        At the table (``r600``), and in the chart or in the tree of the solve (``b350``).
    frequency, of_hand
        How often the range takes it, and the hand that was held.
    ev
        The chips that it wins with this hand from the decision on; None: not known.
    firm
        False where `ev` is a lower bound: the chart never gets to the flop like this with the hand,
        so nobody has learnt how it is played there.
    """

    action: str
    label: str
    frequency: float
    of_hand: float
    ev: float | None
    firm: bool = True


@dataclass(frozen=True, eq=False)
class ExplainedDecision:
    """A decision of a hand, and what it was played by.

    Attributes
    ----------
    number
        From 1, over both players.
    seat, own
        Who decided, and whether that was the bot.
    node, board, hole
        The betting before it, the public cards, and the cards of the seat; empty if not known.
    action
        What was done, as `DealtState.apply` takes it.
    source
        ``chart``, ``solved``, ``library``, or ``fallback`` where there was neither.
    options, chosen
        What could be done, and the number of the one that was; None where nothing is known.
    ranges
        (1326,) twice, by seat: how likely each hand is to come here, the largest 1.
    strategy
        (options, 1326): what each hand of the seat does; 0 for hands that cannot be here.
    added, listed
        Whether the size was put into the tree because it was bet; whether the chart has it.
    rough
        Whether the chart comes here so seldom that its EVs may be wrong by big blinds.
    solve, line, suits
        After the flop: the solve, the line of the decision in it, and the suit permutation that
        leads from the table to its cards.
    """

    number: int
    seat: int
    own: bool
    node: Betting
    board: tuple[int, ...]
    hole: tuple[int, ...]
    action: str
    source: str
    options: tuple[Option, ...] = ()
    chosen: int | None = None
    ranges: tuple[Floats, Floats] | None = None
    strategy: Floats | None = None
    added: bool = False
    listed: bool = True
    rough: bool = False
    solve: StreetSolve | None = None
    line: str = ""
    suits: tuple[int, ...] = (0, 1, 2, 3)

    @property
    def street(self) -> int:
        """0 before the flop."""
        return self.node.street

    @property
    def taken(self) -> Option | None:
        """The option that was taken."""
        return None if self.chosen is None else self.options[self.chosen]

    @property
    def best(self) -> Option | None:
        """The option with the highest EV; None where none is known."""
        known = [each for each in self.options if each.ev is not None]
        return max(known, key=lambda each: each.ev or 0.0, default=None)

    @property
    def loss(self) -> float | None:
        """The chips that the action loses against the best one; None: not known."""
        taken, best = self.taken, self.best
        if taken is None or taken.ev is None or best is None or best.ev is None:
            return None
        return best.ev - taken.ev

    @property
    def stands_for(self) -> str:
        """The size of the table that one of the solve stands for; empty where it is the same."""
        taken = self.taken
        return "" if taken is None or taken.action == self.action else taken.action

    @property
    def solved_cards(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The board and the hand with the suits of the solve."""
        return tuple(permute_cards(self.board, self.suits)), tuple(
            permute_cards(self.hole, self.suits)
        )

    def keep(self, path: str | Path) -> None:
        """Write the solve as a solution; of a flop it has the first street.

        `ValueError` for decisions that were not solved.
        """
        if self.solve is None:
            by = _BY[self.source]
            raise ValueError(
                f"decision {self.number} was played by {by}: there is no solve to keep"
            )
        solution = self.solve.solution
        known = solution.boards, solution.layout
        # Only what this hand needed was kept of the values: a file has all of them or none.
        replace(solution, kept_values=None, known=known).save(path)


_BY = {"chart": "the chart", "fallback": "a plain rule"}


def explain(bot: NolimitBot, final: DealtState, seat: int) -> tuple[ExplainedDecision, ...]:
    """Explain the decisions of a hand that the bot has played.

    Parameters
    ----------
    bot
        Who played; it still has the solves of its last hands.
    final
        The hand at its end, with the cards that may be told.
    seat
        Where the bot sat.

    Examples
    --------
    >>> from pokerlab.games import load_game
    >>> game = load_game("holdem.nolimit.2p")
    >>> bot = NolimitBot(iterations=10)
    >>> bot.reset(game, np.random.default_rng(1))
    >>> final = game.replay("r250f", game.make_deal(["7h2c", "AsAd"]))
    >>> raised, folded = explain(bot, final, seat=1)
    >>> raised.own, [each.action for each in raised.options], folded.best.action
    (True, ['f', 'c', 'r250', 'r350'], 'f')
    """
    state = DealtState.first(final.game, final.deal)
    found: list[ExplainedDecision] = []
    for _, action in final.node.path():
        if state.to_call or state.raise_bounds() is not None:
            told = ExplainedDecision(
                number=len(found) + 1,
                seat=state.player,
                own=state.player == seat,
                node=state.node,
                board=state.board,
                hole=state.holes[state.player],
                action=action,
                source="fallback",
            )
            explain_one = _in_solve if state.street else _in_chart
            found.append(explain_one(bot, state, told, seat))
        state = state.apply(action)
    return tuple(found)


def _in_chart(
    bot: NolimitBot, state: DealtState, told: ExplainedDecision, seat: int
) -> ExplainedDecision:
    play, node, action = bot.play.preflop(state.game), state.node, told.action
    choices = dict(play.choices(node))
    if not choices:
        return told
    values = play.values(node, action)
    by_class = {each: choices.get(each, np.zeros_like(won)) for each, won in values.items()}
    by_class |= {each: often for each, often in choices.items() if each not in values}
    if action not in by_class:
        by_class[action] = np.zeros_like(next(iter(by_class.values())))
    by_class = dict(sorted(by_class.items(), key=lambda each: _order(each[0])))
    first, second = reach = [spread(each) for each in play.ranges(node, seat)]
    ranges = _normalised(first), _normalised(second)
    seldom = float(first.mean() * second.mean()) < SELDOM
    if told.hole:
        seldom = seldom or reach[told.seat][combo_index(*told.hole)] < SELDOM_HAND
    strategy = np.stack([spread(often) for often in by_class.values()])
    unknown = np.full(len(next(iter(by_class.values()))), np.nan)
    evs = np.stack([spread(values.get(each, unknown)) for each in by_class])
    most = int(min(state.game.chips))
    goes_on = [each == "c" or (each[0] == "r" and int(each[1:]) < most) for each in by_class]
    labels = tuple(by_class)
    options = _options(labels, labels, strategy, evs, ranges, told, goes_on)
    return replace(
        told,
        source="chart",
        options=options,
        chosen=labels.index(action),
        ranges=ranges,
        strategy=strategy,
        listed=action in choices or action in play.values(node),
        rough=bool(seldom),
    )


def _order(action: str) -> tuple[int, int]:
    """Folds, then checks and calls, then raises by their size."""
    return "fcr".index(action[0]), int(action[1:] or 0)


def _in_solve(
    bot: NolimitBot, state: DealtState, told: ExplainedDecision, seat: int
) -> ExplainedDecision:
    public = PublicHand.of(state)
    try:
        if told.own:
            standing = bot.standing(state)
            if standing is None:
                return told
            followed, line = standing.followed, standing.followed.line
            label, shares = "", standing.told.shares
        else:
            after = replace(public, seat=seat, node=state.node.after(told.action))
            followed = bot.play.follow(after, state.street)
            line, label = followed.line[:-1], followed.line[-1]
            shares = None
    except UnsolvedError:
        return told
    view = followed.solve.solution.at("/".join(line))
    image = public.image
    strategy = np.nan_to_num(view.strategy if shares is None else shares)[:, image]
    ranges = _by_seat(view, public, image)
    actions = tuple(at_table(each, state) for each in view.actions)
    evs = view.action_ev[:, image]
    options = _options(actions, view.actions, strategy, evs, ranges, told)
    chosen = view.actions.index(label) if label else _taken(options, told.action)
    return replace(
        told,
        source=followed.solve.source,
        options=options,
        chosen=chosen,
        ranges=ranges,
        strategy=strategy,
        added=_was_added(followed, line, label),
        solve=followed.solve,
        line="/".join(line),
        suits=public.suits,
    )


def _was_added(followed: Followed, line: Sequence[str], label: str) -> bool:
    return bool(label) and "/".join((*line, label)) in followed.added


def _taken(options: Sequence[Option], action: str) -> int | None:
    """The option that was played as an action; of two the one that the hand takes more often."""
    same = [number for number, each in enumerate(options) if each.action == action]
    return max(same, key=lambda number: options[number].of_hand, default=None)


def _by_seat(view: NodeView, public: PublicHand, image: Indices) -> tuple[Floats, Floats]:
    """The weights of both players with the suits of the table, by seat."""
    first, second = (_normalised(view.weights[public.place(each)][image]) for each in (0, 1))
    return first, second


def _normalised(weights: Floats) -> Floats:
    return np.asarray(weights / max(float(weights.max()), 1e-300))


def _options(
    actions: Sequence[str],
    labels: Sequence[str],
    strategy: Floats,
    evs: Floats,
    ranges: tuple[Floats, Floats],
    told: ExplainedDecision,
    goes_on: Sequence[bool] | None = None,
) -> tuple[Option, ...]:
    """`goes_on` says which actions lead to flops that a hand may never have come to."""
    arriving = ranges[told.seat] * unblocked_weights(ranges[1 - told.seat])
    total = max(float(arriving.sum()), 1e-300)
    combo = combo_index(*told.hole) if told.hole else -1
    found = []
    for number, (action, label) in enumerate(zip(actions, labels, strict=True)):
        often = float(strategy[number, combo]) if told.hole else 0.0
        ev = float(evs[number, combo]) if told.hole else np.nan
        found.append(
            Option(
                action,
                label,
                float(strategy[number] @ arriving) / total,
                often,
                None if np.isnan(ev) else ev,
                firm=goes_on is None or not goes_on[number] or often >= _NEVER,
            )
        )
    return tuple(found)

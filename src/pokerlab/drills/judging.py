"""The cost of an action: its EV with this hand beside that of the best action.

The EV of an action is the chips that the hand takes from the pot from there on, less those that it
puts in, if both players go on as the solution does. The loss is the difference to the action with
the highest EV; its percent are of the pot at the decision, an uncalled bet included.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from pokerlab.cards.codes import COMBO_CARDS, format_cards, parse_cards
from pokerlab.drills.words import amount_text
from pokerlab.games.betting_trees import Line
from pokerlab.games.betting_trees.menus import PLAYERS
from pokerlab.holdem.spots import NodeView
from pokerlab.runtime.errors import shorten

GRADES: Mapping[str, float] = {
    "best": 0.1,
    "good": 1.0,
    "inaccuracy": 3.0,
    "mistake": 10.0,
    "blunder": math.inf,
}
"""The largest loss of each grade, in percent of the pot."""

MISTAKES = ("inaccuracy", "mistake", "blunder")
"""Grades of decisions that come back in a repetition."""

TOO_SLOW = "too slow"
"""In place of a grade: the time was over before anything was done. It comes back as well."""

OFTEN = 0.2
"""An action that the solution takes as often as this with the hand is good at least."""

_NUMBERS = ("pot", "loss")
_OPTIONAL = ("big_blind", "prize_chips")
_LISTS = ("actions", "strategy", "ev")
_TEXTS = ("board", "line", "seat", "hand", "action", "grade")


@dataclass(frozen=True)
class Judgement:
    """A decision that was made, and what each action was worth.

    Attributes
    ----------
    board, line
        The board that the solution begins on, and the line to the decision, cards included; no
        board before the flop.
    seat, hand
        ``oop`` or ``ip``, and the cards held.
    pot, big_blind
        The chips in the middle, an uncalled bet included, and the big blind in chips; None if the
        spot has no big blind.
    actions, strategy, ev
        What could be done; how often the solution does it with this hand; what it is worth, in
        chips.
    action, loss, grade
        What was done, how many chips that loses, and one of `GRADES`; where nothing was done in
        time no action, no loss, and `TOO_SLOW`.
    arrives
        Whether the solution itself comes here with this hand. Where it does not, its strategies
        and EVs are less exact.
    prize_chips
        With prizes, all chips in play: EVs and losses are chips that are worth the same, and this
        many are the whole prize pool. Else None.
    """

    board: str
    line: str
    seat: str
    hand: str
    pot: float
    big_blind: float | None
    actions: tuple[str, ...]
    strategy: tuple[float, ...]
    ev: tuple[float, ...]
    action: str
    loss: float
    grade: str
    arrives: bool = True
    prize_chips: float | None = None

    @property
    def best(self) -> str:
        """The action with the highest EV."""
        return self.actions[int(np.argmax(self.ev))]

    @property
    def wrong(self) -> bool:
        """Whether the decision comes back in a repetition."""
        return self.grade in MISTAKES or self.grade == TOO_SLOW

    @property
    def frequency(self) -> float:
        """How often the solution does the same with this hand; 0 where nothing was done."""
        return self.strategy[self.actions.index(self.action)] if self.action else 0.0

    @property
    def loss_percent(self) -> float:
        """The loss in percent of the pot."""
        return 100 * self.loss / self.pot

    @property
    def loss_bb(self) -> float | None:
        """The loss in big blinds; None if the spot has no big blind."""
        return None if self.big_blind is None else self.loss / self.big_blind

    @property
    def loss_share(self) -> float | None:
        """The loss as a share of the prize pool; None without prizes."""
        return None if self.prize_chips is None else self.loss / self.prize_chips

    @property
    def loss_text(self) -> str:
        """The loss in percent of the prizes, in big blinds or in chips."""
        if self.loss_share is not None:
            return f"{100 * self.loss_share:,.3f}% of the prizes"
        return amount_text(self.loss, self.big_blind)

    def to_json(self) -> dict[str, Any]:
        """The judgement as JSON; the losses in big blinds and percent are for readers."""
        return {
            "board": self.board,
            "line": self.line,
            "seat": self.seat,
            "hand": self.hand,
            "pot": self.pot,
            "big_blind": self.big_blind,
            "actions": list(self.actions),
            "strategy": list(self.strategy),
            "ev": list(self.ev),
            "action": self.action,
            "best": self.best,
            "loss": self.loss,
            "loss_bb": self.loss_bb,
            "loss_percent": self.loss_percent,
            "grade": self.grade,
            "arrives": self.arrives,
            **({} if self.prize_chips is None else {"prize_chips": self.prize_chips}),
        }

    @classmethod
    def from_json(cls, data: Any) -> Judgement:
        """Read what `to_json` made; `ValueError` for anything else."""
        if not isinstance(data, dict):
            raise ValueError(f"{shorten(repr(data))} is not a decision")
        for name in _NUMBERS:
            _check(_is_number(data.get(name)), name, data)
        _check(data["pot"] > 0, "pot", data)
        for name in _OPTIONAL:
            number = data.get(name)
            _check(number is None or (_is_number(number) and number > 0), name, data)
        for name in _TEXTS:
            _check(isinstance(data.get(name), str), name, data)
        for name in _LISTS:
            kind = _is_text if name == "actions" else _is_number
            found = data.get(name)
            good = isinstance(found, list) and all(map(kind, found))
            _check(good and 0 < len(data[name]) == len(data["actions"]), name, data)
        _check(data["seat"] in PLAYERS, "seat", data)
        if data["grade"] == TOO_SLOW:
            _check(data["action"] == "", "action", data)
        else:
            _check(data["action"] in data["actions"], "action", data)
            _check(data["grade"] in GRADES, "grade", data)
        _check(isinstance(data.get("arrives"), bool), "arrives", data)
        _check(len(parse_cards(data["hand"])) == 2, "hand", data)
        cards = (*parse_cards(data["board"]), *Line.parse(data["line"]).cards)
        after_flop = len(data["board"]) >= 6 and 3 <= len(cards) <= 5
        _check(after_flop or not (data["board"] or cards), "board", data)
        for action in data["actions"]:
            _check(len(Line.parse(action).actions) == 1, "actions", data)
        values: dict[str, Any] = {
            name: data[name] for name in (*_TEXTS, *_NUMBERS, "big_blind", "arrives")
        }
        values["prize_chips"] = data.get("prize_chips")
        values |= {name: tuple(data[name]) for name in _LISTS}
        return cls(**values)


def judge(
    view: NodeView,
    combo: int,
    action: str | None,
    *,
    board: str,
    big_blind: float | None = None,
    percent: float = 0.0,
    prize_chips: float | None = None,
) -> Judgement:
    """Judge an action of a hand at a decision.

    Parameters
    ----------
    view, combo
        The decision, and the hand of the player who acts.
    action
        One of the actions of the decision; None where the time was over first.
    board, big_blind
        The board that the solution begins on, and its big blind in chips, if that is known.
    percent
        The exploitability of the solution, in percent of the pot: smaller losses count as none.
    prize_chips
        With prizes, all chips in play.

    Examples
    --------
    >>> from pokerlab.cards import combo_index, parse_cards
    >>> from pokerlab.holdem.spots import Spot, solve_spot
    >>> spot = Spot("KsTs7d4c2h", "77, 65s", "AA, QQ", pot=100, stack=100, bet="a", raise_="")
    >>> solution = solve_spot(spot, target="0.01%")
    >>> sevens = combo_index(*parse_cards("7s7h"))
    >>> found = judge(solution.at(), sevens, "x", board="KsTs7d4c2h")
    >>> found.action, found.best, found.grade
    ('x', 'a', 'blunder')
    """
    if action is not None and action not in view.actions:
        possible = ", ".join(view.actions)
        raise ValueError(f"{shorten(action)!r} is not possible here; possible: {possible}")
    ev = view.action_ev[:, combo]
    hand = format_cards(COMBO_CARDS[combo])
    if np.isnan(ev).any():
        raise ValueError(f"line {view.line!r}: {hand} cannot be here, so it has no EV")
    strategy = tuple(view.strategy[:, combo].tolist())
    loss, grade = 0.0, TOO_SLOW
    if action is not None:
        chosen = view.actions.index(action)
        loss = max(float(ev.max() - ev[chosen]), 0.0)
        grade = grade_of(100 * loss / view.pot, strategy[chosen], percent)
    return Judgement(
        board=board,
        line=view.line,
        seat=PLAYERS[view.player],
        hand=hand,
        pot=view.pot,
        big_blind=big_blind,
        actions=view.actions,
        strategy=strategy,
        ev=tuple(ev.tolist()),
        action=action or "",
        loss=loss,
        grade=grade,
        arrives=bool(view.weights[view.player][combo] > 0),
        prize_chips=prize_chips,
    )


def grade_of(loss: float, frequency: float = 0.0, exactness: float = 0.0) -> str:
    """The grade of a loss in percent of the pot.

    `frequency` is how often the solution takes the action. Losses up to `exactness` count as none:
    the solution is not more exact than that.

    Examples
    --------
    >>> [grade_of(loss) for loss in (0, 0.5, 2, 5, 50)]
    ['best', 'good', 'inaccuracy', 'mistake', 'blunder']
    >>> grade_of(2, frequency=0.4), grade_of(0.25, exactness=0.3)
    ('good', 'best')
    """
    if loss <= max(GRADES["best"], exactness):
        return "best"
    if frequency >= OFTEN:
        return "good"
    return next(name for name, most in GRADES.items() if loss <= most)


def _check(good: bool, name: str, data: Mapping[str, Any]) -> None:
    if not good:
        raise ValueError(f"{name} is {shorten(repr(data.get(name)))}")


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_number(value: Any) -> bool:
    good = isinstance(value, int | float) and not isinstance(value, bool)
    return good and abs(value) <= 1e300  # JSON has whole numbers that no float takes

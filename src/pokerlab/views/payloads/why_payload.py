"""The decisions of a hand against `nolimit` as plain data: for pages, for JSON and the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from pokerlab.arena.person_words import action_sentence, street_name
from pokerlab.cards.codes import format_cards
from pokerlab.players.bots.nolimit.why import ExplainedDecision, Option
from pokerlab.runtime.arrays import Floats
from pokerlab.views.pictures.hand_pictures import class_shares

_DIGITS = 4
_NOTHING = 1e-6
"""EVs that are smaller are 0: they are sums of rounded numbers."""


def why_data(decisions: Sequence[ExplainedDecision], names: Sequence[str]) -> list[dict[str, Any]]:
    """The decisions of a hand; `names` are those of the seats, the person's is ``you``.

    Matrices are by class of hands in the order of `CLASS_NAMES`: how likely each is to come here,
    and for who acts how often it does what.

    Examples
    --------
    >>> from pokerlab.games import load_game
    >>> from pokerlab.players.bots import NolimitBot
    >>> from pokerlab.players.bots.nolimit.why import explain
    >>> game = load_game("holdem.nolimit.2p")
    >>> bot = NolimitBot(iterations=10)
    >>> bot.reset(game, np.random.default_rng(1))
    >>> final = game.replay("r250f", game.make_deal(["7h2c", "AsAd"]))
    >>> first, second = why_data(explain(bot, final, 1), ["you", "nolimit"])
    >>> first["words"], [option["words"] for option in second["options"]]
    ('nolimit raises to 250', ['fold', 'call 150', 'raise to 1,000', 'raise to 20,000 all-in'])
    >>> second["loss"], len(second["ranges"]["you"]["weights"])
    (0.0, 169)
    """
    return [_decision(each, names) for each in decisions]


def _decision(told: ExplainedDecision, names: Sequence[str]) -> dict[str, Any]:
    game, unit = told.node.game, told.node.game.unit
    who = names[told.seat]
    loss = _chips(told.loss, unit)
    best = told.best
    return {
        "number": told.number,
        "who": who,
        "seat": told.seat,
        "street": street_name(game, told.street),
        "board": format_cards(told.board),
        "hand": format_cards(told.hole),
        "pot": told.node.pot / unit,
        "to_call": told.node.to_call / unit,
        "action": told.action,
        "did": action_sentence(told.node, told.action, second_person=True),
        "words": f"{who} {action_sentence(told.node, told.action, second_person=who == 'you')}",
        "source": told.source,
        "note": note_of(told),
        "options": [_option(told, each, unit) for each in told.options],
        "chosen": told.chosen,
        "best": None if best is None else told.options.index(best),
        "loss": loss,
        "loss_bb": None if loss is None else loss * unit / game.big_blind,
        "rough": told.rough,
        "firm": told.taken is not None and told.taken.firm,
        "ranges": {} if told.ranges is None else _ranges(told, told.ranges, names),
        "solve": _solve(told),
    }


def _option(told: ExplainedDecision, option: Option, unit: int) -> dict[str, Any]:
    return {
        "action": option.action,
        "label": option.label,
        "words": action_sentence(told.node, option.action, second_person=True),
        "frequency": round(option.frequency, _DIGITS),
        "hand_frequency": round(option.of_hand, _DIGITS),
        "ev": _chips(option.ev, unit),
        "firm": option.firm,
    }


def _chips(amount: float | None, unit: int) -> float | None:
    return None if amount is None else round(amount / unit, _DIGITS) + 0.0


def _ranges(
    told: ExplainedDecision, ranges: tuple[Floats, Floats], names: Sequence[str]
) -> dict[str, Any]:
    found = {}
    for seat, name in enumerate(names):
        acts = seat == told.seat and told.strategy is not None
        strategy = told.strategy if acts else np.ones((1, len(ranges[seat])))
        assert strategy is not None
        parts, weights = class_shares(ranges[seat], strategy)
        weights = weights / max(float(weights.max()), 1e-300)
        found[name] = {
            "weights": weights.round(_DIGITS).tolist(),
            "parts": parts.T.round(_DIGITS).tolist() if acts else None,
        }
    return found


def _solve(told: ExplainedDecision) -> dict[str, Any] | None:
    """How the street was solved; None where it was not."""
    if told.solve is None:
        return None
    solution = told.solve.solution
    board, hole = told.solved_cards
    return {
        "line": told.line,
        "board": format_cards(board),
        "hand": format_cards(hole),
        "menu": told.solve.menu,
        "gadget": told.solve.gadget or None,
        "iterations": solution.iterations,
        "seconds": round(solution.seconds, 3),
        "percent": solution.exploitability.percent,
        "whole": not solution.partial,
    }


def note_of(told: ExplainedDecision) -> str:
    """What must be known to read the numbers of a decision; empty for nothing."""
    if told.source == "fallback":
        return "nothing was solved here: the bot played by a plain rule"
    parts = []
    if told.added:
        parts.append("this size was put into the tree, and the street solved again with it")
    if told.stands_for and told.solve is not None:
        size = action_sentence(told.node, told.stands_for, second_person=True)
        parts.append(f"in the tree it is: {size}")
    if told.rough:
        parts.append("the chart seldom comes here with this hand: its EVs are rough")
    if not told.listed:
        parts.append("the chart does not have this size: its neighbours stand for it")
    if any(not each.firm and each.ev is not None for each in told.options):
        parts.append("EVs with ≥ are lower bounds: the chart never does this with the hand")
    return "; ".join(parts)

"""The table of a drill as plain data, for JSON: from this a page draws all of it."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import numpy as np

from pokerlab.cards.codes import format_cards
from pokerlab.cards.hand_classes import CLASS_NAMES, CLASS_OF_COMBO
from pokerlab.drills.hand import DrillHand
from pokerlab.drills.judging import TOO_SLOW, Judgement
from pokerlab.drills.mixed import NOLIMIT, MixedSession
from pokerlab.drills.words import action_words
from pokerlab.games.betting_trees.menus import PLAYERS, SEATS
from pokerlab.holdem.spots import NodeView


def mixed_data(session: MixedSession) -> dict[str, Any]:
    """The hand that is played, the score, and the sources.

    A worst decision has the place of its source.

    Examples
    --------
    >>> from pokerlab.holdem.spots import Spot, solve_spot
    >>> from pokerlab.drills import MixedSource, SolutionSource, open_log
    >>> spot = Spot("KsTs7d4c2h", "77, 65s", "AA, QQ", pot=100, stack=100, bet="a", raise_="")
    >>> source = SolutionSource(solve_spot(spot, target="0.1%"), "river")
    >>> session = MixedSession([MixedSource(source, open_log(None), 3)])
    >>> hand = session.deal()
    >>> found = mixed_data(session)
    >>> found["source"], found["sources"]
    ('river', [{'name': 'river', 'weight': 3, 'hands': 1}])
    """
    hand, score = session.hand, session.score
    names = [NOLIMIT if each.source is None else each.source.name for each in session.sources]
    worst = [{**judgement_data(each), "place": place} for place, each in session.worst()]
    return {
        "source": "" if session.current is None else names[session.current],
        "note": "; ".join(session.notes),
        "setup": session.setup.to_json(),
        "number": session.number,
        "over": session.over,
        "end": session.end if session.over else "",
        "left": session.left,
        "mistakes": len(session.mistakes()),
        "place": session.current,
        "sources": [
            {"name": name, "weight": each.weight, "hands": hands}
            for name, each, hands in zip(names, session.sources, session.counts, strict=True)
        ],
        "hand": None if hand is None else hand_data(hand),
        "score": {**score.to_json(), "worst": worst},
    }


def hand_data(hand: DrillHand) -> dict[str, Any]:
    """A hand as its player sees it: the other cards only when it is over."""
    own, other = hand.player, 1 - hand.player
    decision, result, view = hand.decision, hand.result, hand.judged_view
    return {
        "seat": PLAYERS[own],
        "seat_words": SEATS[own],
        "cards": hand.hand,
        "board": format_cards(hand.cards) if result is None else result.board,
        "street": hand.street,
        "line": hand.line,
        "pot": hand.pot,
        "stacks": [hand.stacks[own], hand.stacks[other]],
        "bets": [hand.bets[own], hand.bets[other]],
        "events": [event.to_json() for event in hand.events],
        "decision": None
        if decision is None
        else {
            "line": decision.line,
            "pot": decision.pot,
            "to_call": decision.to_call,
            "choices": [asdict(each) for each in decision.choices],
        },
        "judgements": [judgement_data(each) for each in hand.judgements],
        "matrix": None if view is None else matrix_data(view),
        "result": None if result is None else result.to_json(),
    }


def judgement_data(judged: Judgement) -> dict[str, Any]:
    """A judgement with the words of its actions, and what each of them loses."""
    best = max(judged.ev)
    return {
        **judged.to_json(),
        "frequency": judged.frequency,
        "words": [action_words(action) for action in judged.actions],
        "losses": [best - each for each in judged.ev],
        "loss_text": judged.loss_text,
        "losses_percent": [100 * (best - each) / judged.pot for each in judged.ev],
        "action_words": action_words(judged.action) if judged.action else TOO_SLOW,
        "best_words": action_words(judged.best),
    }


def matrix_data(view: NodeView) -> dict[str, Any]:
    """The strategy of the acting player's range: by class, its weight and action shares.

    A weight of 1 is that of the class that arrives most.
    """
    weights = view.weights[view.player]
    played = np.nan_to_num(view.strategy) * weights
    classes = len(CLASS_NAMES)
    total = np.bincount(CLASS_OF_COMBO, weights, classes)
    shares = [np.bincount(CLASS_OF_COMBO, row, classes) for row in played]
    there = ~np.isnan(view.strategy[0])
    combos = np.maximum(np.bincount(CLASS_OF_COMBO, there, classes), 1)
    mean = total / combos
    most = max(float(mean.max()), 1e-300)
    return {
        "line": view.line,
        "actions": list(view.actions),
        "frequencies": view.frequencies.tolist(),
        "cells": {
            CLASS_NAMES[number]: {
                "weight": round(float(mean[number] / most), 3),
                "parts": [round(float(row[number] / total[number]), 3) for row in shares],
            }
            for number in np.flatnonzero(total > 0).tolist()
        },
    }

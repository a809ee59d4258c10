"""A solution as compact data, from which a page draws: small, and quick where nothing is walked.

Three pieces, all plain data for JSON. `solution_data` is what does not depend on the line: the
hands of both players in one fixed order, aces first, and how exact the solution is.
`decision_data` is a place of the tree: what was decided on the way, who acts, and for each hand
of that order its weight and its strategy; it takes no walk. `value_data` adds EVs, equities and
curves. What is not known is None; so is the play at a decision that nobody reaches.

Numbers are rounded to what a page can show: frequencies and equities to a hundredth of a percent,
weights to 1/10,000 of the largest, chips to 1/10,000 of the pot or finer. Sums over hands are the
reader's: EVs and equities are averaged with `met`, the weight of a hand times that of the opposing
hands that it can meet, frequencies with its weight, as in ``pokerlab show --json``.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from math import ceil, floor, log10
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from pokerlab.cards.board_hands.draws import DRAWS, draws
from pokerlab.cards.board_hands.made_hands import MADE_HANDS, made_hands
from pokerlab.cards.codes import COMBO_CARDS, format_cards
from pokerlab.cards.hand_classes import CLASS_NAMES, CLASS_OF_COMBO
from pokerlab.cards.ranges.blockers import unblocked_weights
from pokerlab.games.betting_trees.betting_tree import EdgeKind, Place
from pokerlab.games.betting_trees.chips import write_number
from pokerlab.games.betting_trees.lines import Line, LineLike, to_line
from pokerlab.games.betting_trees.menus import PLAYERS, STREETS
from pokerlab.holdem.spots.answer.curves import CURVES, range_curve
from pokerlab.holdem.spots.answer.solution import PostflopSolution
from pokerlab.holdem.spots.question.spot import Spot
from pokerlab.holdem.spots.reports.export import range_totals
from pokerlab.holdem.spots.reports.locked import lock_summary, locked_combos
from pokerlab.holdem.spots.reports.report_lines import calm_line
from pokerlab.holdem.spots.reports.run_outs import range_equities
from pokerlab.holdem.spots.reports.steps import decision_step, free_cards, line_steps
from pokerlab.runtime.arrays import Floats, Indices

Data: TypeAlias = dict[str, Any]

_SHARE_DIGITS = 4
_ENDS = {
    EdgeKind.FOLD: "{other} takes {pot}",
    EdgeKind.SHOWDOWN: "Showdown for {pot}",
    EdgeKind.ALLIN: "All-in: showdown for {pot} after all cards",
}


def study_hands(solution: PostflopSolution, player: int) -> Indices:
    """The combos of a player in the order of all arrays: those of the range, aces first."""
    return np.asarray(np.sort(solution.boards.combos[player])[::-1])


def solution_data(solution: PostflopSolution) -> Data:
    """The data that a page needs once.

    Examples
    --------
    >>> from pokerlab.holdem.spots import Spot, solve_spot
    >>> spot = Spot("KsTs7d4c2h", "77, 65s", "AA", pot=100, stack=100, bet="a", raise_="")
    >>> found = solution_data(solve_spot(spot, target="0.01%"))
    >>> found["hands"][1], found["board"], found["stack"]
    (['AsAh', 'AsAd', 'AsAc', 'AhAd', 'AhAc', 'AdAc'], ['Ks', 'Ts', '7d', '4c', '2h'], 100)
    """
    spot, reached = solution.spot, solution.exploitability
    inside = solution.exploitability_abstract
    orders = [study_hands(solution, player) for player in range(2)]
    return {
        "board": _cards(spot.board),
        "pot": spot.pot,
        "stack": spot.effective_stack,
        "big_blind": spot.big_blind if spot.has_big_blind else None,
        "ranges": [str(each) for each in spot.ranges],
        "players": list(PLAYERS),
        "hands": [_names(order) for order in orders],
        "classes": [CLASS_OF_COMBO[order].tolist() for order in orders],
        "class_names": list(CLASS_NAMES),
        "made_names": list(MADE_HANDS),
        "draw_names": list(DRAWS),
        "values": list(solution.values),
        "equities": list(solution.equities),
        "exploitability": {
            "chips": reached.chips,
            "percent": reached.percent,
            "bb": reached.mbb / 1000 if spot.has_big_blind else None,
            "abstract": None if inside is None else inside.chips,
        },
        "certified": solution.certified,
        "certificate": _certificate(solution),
        "rule": solution.rule,
        "iterations": solution.iterations,
        "seconds": solution.seconds,
        "stopped": solution.stopped,
        "streets": list(STREETS[spot.street : spot.street + len(spot.tree.streets)]),
        "kept": len(solution.strategies),
        "runouts": spot.runouts,
        "groups": None if solution.groups is None else solution.groups.text,
        "locks": solution.locks,
        "history": [[point.iteration, point.exploitability] for point in solution.history],
    }


def _certificate(solution: PostflopSolution) -> str:
    words = "ε is that of best responses in 64 bits against what is saved"
    if not solution.certified:
        words = "ε is measured in the precision of the solve; the certificate follows at its end"
    if solution.partial:
        words += "; later streets are solved again when asked for"
    if solution.spot.runouts is not None:
        words += f"; it is of {solution.spot.runouts} run-outs, others are solved when asked for"
    if solution.locks:
        words += "; locked decisions are kept"
    return words


def decision_data(solution: PostflopSolution, line: LineLike = "") -> Data:
    """A place of the tree: a decision, a card that must come, or an end.

    Examples
    --------
    >>> from pokerlab.holdem.spots import Spot, solve_spot
    >>> spot = Spot("KsTs7d4c2h", "77, 65s", "AA", pot=100, stack=100, bet="a", raise_="")
    >>> solution = solve_spot(spot, target="0.01%")
    >>> found = decision_data(solution, "a")
    >>> found["kind"], found["player"], [each["name"] for each in found["options"]]
    ('decision', 'ip', ['Fold', 'Call 100'])
    >>> found["pot_odds"], found["path"][0]["options"][1]["name"], found["path"][0]["chosen"]
    (0.3333333333333333, 'All-in 100', 1)
    >>> decision_data(solution, "x/x")["text"]
    'Showdown for 100'
    """
    line = to_line(line)
    spot = solution.spot
    place = spot.find(line)
    if -1 in place.cards:
        raise ValueError(f"line '{line}': name the cards that come, as in x/x/Qc/b50")
    data: Data = {
        "line": str(line),
        "board": _cards((*spot.board, *place.cards)),
        "street": STREETS[spot.street + place.level],
        "stack_to_pot": _stack_to_pot(spot, place),
        "path": line_steps(solution, line),
        "report": _report_line(solution, line),
    }
    if place.kind == EdgeKind.NODE:
        return data | _decision(solution, line)
    weights = None
    if place.level < solution.streets_kept(place.cards):
        weights = solution.weights_after(place)
    street = spot.tree.streets[place.level]
    pot = spot.tree.chips(int(street.end_pot[place.edge]))
    data |= {"pot": pot, "weights": _weights(solution, weights)}
    if place.kind == EdgeKind.NEXT_STREET:
        data["street"] = STREETS[spot.street + place.level + 1]
        found = {"kind": "card", "cards": free_cards(data["board"])}
        return data | found | _before_card((*spot.board, *place.cards), weights)
    other = PLAYERS[1 - int(street.player[place.node])].upper()
    text = _ENDS[place.kind].format(other=other, pot=write_number(pot))
    return data | {"kind": "end", "text": text}


def _stack_to_pot(spot: Spot, place: Place) -> float | None:
    """The chips that can still be bet, in pots; None where nobody can bet any more."""
    tree, street = spot.tree, spot.tree.streets[place.level]
    if place.kind == EdgeKind.NODE:
        left, pot = tree.stack - street.committed[place.node].max(), street.pot[place.node]
    else:
        left, pot = tree.stack - street.matched[place.edge], street.end_pot[place.edge]
    goes_on = place.kind in (EdgeKind.NODE, EdgeKind.NEXT_STREET)
    return float(left / pot) if goes_on and left > 0 else None


def _before_card(board: tuple[int, ...], weights: tuple[Floats, Floats] | None) -> Data:
    """The combos and the equities of both ranges while a card is about to come."""
    if weights is None:
        return {"combos": None, "equities": None}
    equities = list(range_equities(board, weights))
    return {"combos": [float(each.sum()) for each in weights], "equities": equities}


def value_data(solution: PostflopSolution, line: LineLike = "") -> Data:
    """The values of a decision, hand by hand, and the curves of both ranges.

    Examples
    --------
    >>> from pokerlab.holdem.spots import Spot, solve_spot
    >>> spot = Spot("KsTs7d4c2h", "77, 65s", "AA", pot=100, stack=100, bet="a", raise_="")
    >>> found = value_data(solve_spot(spot, target="0.01%"), "a")
    >>> round(found["equity"][1][0], 2), [round(each[0]) for each in found["action_ev"]]
    (0.33, [0, 0])
    """
    view = solution.at(line)
    orders = [study_hands(solution, player) for player in range(2)]
    totals = [range_totals(view, player) for player in range(2)]
    chips = partial(_rounded, digits=_chip_digits(view.pot))
    shares = partial(_rounded, digits=_SHARE_DIGITS)
    met = [view.weights[seat] * unblocked_weights(view.weights[1 - seat]) for seat in range(2)]
    digits = _scaled_digits(max(float(each.max()) for each in met))
    return {
        "line": view.line,
        "met": [_rounded(met[seat][orders[seat]], digits) for seat in range(2)],
        "ev": [chips(view.ev[seat][orders[seat]]) for seat in range(2)],
        "action_ev": [chips(row) for row in view.action_ev[:, orders[view.player]]],
        "equity": [shares(view.equity[seat][orders[seat]]) for seat in range(2)],
        "totals": [
            {"ev": each.ev, "equity": each.equity, "realisation": each.realisation}
            for each in totals
        ],
        "curves": {
            name: [range_curve(view, seat, name).to_json() for seat in range(2)] for name in CURVES
        },
    }


def _decision(solution: PostflopSolution, line: Line) -> Data:
    """Who acts, and what every hand does."""
    decision = solution.decision(line)
    seat = decision.player
    orders = [study_hands(solution, player) for player in range(2)]
    made, drawing = made_hands(decision.board), draws(decision.board)
    bits = (1 << np.arange(len(DRAWS))) @ drawing
    locked = locked_combos(solution, decision)
    here = decision_step(solution.spot, solution.spot.find(line), str(line), decision)
    here["lock"] = lock_summary(solution, decision)
    met = (decision.weights[seat] * unblocked_weights(decision.weights[1 - seat]))[orders[seat]]
    return {
        "kind": "decision",
        "seat": seat,
        **here,
        "actions": list(decision.actions),
        "combos": [float(each.sum()) for each in decision.weights],
        "weights": _weights(solution, decision.weights),
        "met": _rounded(met, _scaled_digits(float(met.max()))),
        "strategy": [
            _rounded(row, _SHARE_DIGITS) if decision.reached else [None] * len(row)
            for row in decision.strategy[:, orders[seat]].tolist()
        ],
        "made": [made[order].tolist() for order in orders],
        "draws": [bits[order].tolist() for order in orders],
        "locked": np.flatnonzero(locked[orders[seat]]).tolist(),
    }


def _report_line(solution: PostflopSolution, line: Line) -> str | None:
    """The line whose report over all next cards belongs to a place; None on a river that is given.

    Where a card has come, the same line on all cards in its place; otherwise the line on which
    nobody bets any more until one comes.
    """
    tokens = list(line.tokens)
    place = solution.spot.find(line)
    cards = [number for number, token in enumerate(tokens) if isinstance(token, int)]
    if cards and place.kind != EdgeKind.NEXT_STREET:
        del tokens[cards[-1]]
        return str(Line(tuple(tokens)))
    found = calm_line(solution.spot, line)
    return None if found is None else str(found)


def _weights(
    solution: PostflopSolution, weights: tuple[Floats, Floats] | None
) -> list[list[float | None]] | None:
    if weights is None:
        return None
    return [
        _rounded(each[study_hands(solution, seat)], _scaled_digits(float(each.max())))
        for seat, each in enumerate(weights)
    ]


def _cards(codes: Sequence[int]) -> list[str]:
    return [format_cards([card]) for card in codes]


def _names(combos: Indices) -> list[str]:
    return [format_cards(cards) for cards in COMBO_CARDS[combos].tolist()]


def _scaled_digits(largest: float) -> int:
    """Digits after the point for 1/10,000 of the largest number, or a little finer."""
    return 4 - floor(log10(largest)) if largest > 0 else 0


def _chip_digits(pot: float) -> int:
    return max(4 - ceil(log10(pot)) + 1, 0) if pot > 0 else 2


def _rounded(numbers: npt.ArrayLike, digits: int) -> list[float | None]:
    """Numbers for JSON; None for NaN."""
    array = np.round(np.asarray(numbers, np.float64), digits) + 0.0  # no minus before a zero
    return [None if number != number else number for number in array.tolist()]

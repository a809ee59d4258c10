"""The way to a place of the tree, step by step, as the pages draw it.

`line_steps` is that of a line whose cards are all named. `report_steps` is that of a line which
leaves out a card, as reports over all next cards do: its decisions after that card are on many
boards, so their frequencies are those of the report.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

from pokerlab.cards.codes import N_CARDS, format_cards
from pokerlab.games.betting_trees.betting_tree import EdgeKind, Place
from pokerlab.games.betting_trees.chips import write_number
from pokerlab.games.betting_trees.lines import ACTION_WORDS, ActionKind, Line, LineLike, to_line
from pokerlab.games.betting_trees.menus import PLAYERS, STREETS
from pokerlab.holdem.spots.answer.node_view import Decision
from pokerlab.holdem.spots.answer.solution import PostflopSolution
from pokerlab.holdem.spots.question.outline import size_of
from pokerlab.holdem.spots.question.spot import Spot
from pokerlab.holdem.spots.reports.locked import lock_summary
from pokerlab.holdem.spots.reports.report_lines import calm_line

Data: TypeAlias = dict[str, Any]

_WORDS = dict(zip(ActionKind, map(str.capitalize, ACTION_WORDS.values()), strict=True))
_OVER = {
    EdgeKind.FOLD: "The hand is over: {other} takes {pot}",
    EdgeKind.SHOWDOWN: "Showdown for {pot}",
    EdgeKind.ALLIN: "All-in: showdown for {pot} after all cards",
}


def line_steps(solution: PostflopSolution, line: Line) -> list[Data]:
    """The actions and cards on the way, from the beginning."""
    spot = solution.spot
    found: list[Data] = []
    for number, token in enumerate(line.tokens):
        before = Line(line.tokens[:number])
        place = spot.find(before)
        if isinstance(token, int):
            found.append(_card_step(spot, before, token))
            continue
        step = _open_step(solution, place, before)
        found.append(_chosen(spot, place, step, Line(line.tokens[: number + 1])))
    return found


def report_steps(solution: PostflopSolution, line: LineLike) -> Data:
    """The way to the report of a line, and how it may go on.

    `kind` is ``report`` where the line leaves out one card, so that it has a report; ``decision``
    before a card comes; ``cards`` where it leaves out two; and ``end``. `here` is the decision, if
    somebody acts; the frequencies of decisions after the card are None. `calm` is the line to the
    next card on which nobody bets any more.

    Examples
    --------
    >>> from pokerlab.holdem.spots import Spot, solve_spot
    >>> spot = Spot("KsTs7d4c", "77, 65s", "AA", pot=100, stack=100, bet="a", raise_="")
    >>> found = report_steps(solve_spot(spot, target="1%"), "x/x/x")
    >>> found["kind"], [step["kind"] for step in found["path"]], found["here"]["player"]
    ('report', ['decision', 'decision', 'any', 'decision'], 'ip')
    >>> [option["line"] for option in found["here"]["options"]], found["path"][2]["street"]
    (['x/x/x/x', 'x/x/x/a'], 'river')
    """
    spot, tokens = solution.spot, to_line(line).tokens
    text = str(to_line(line))
    path: list[Data] = []
    for number, token in enumerate(tokens):
        before = Line(tokens[:number])
        if isinstance(token, int):
            path.append(_card_step(spot, before, token))
            continue
        place = spot.find(before)
        if place.kind == EdgeKind.NEXT_STREET:
            place = spot.tree.deal(place, -1)
            path.append(_any_step(spot, place, before))
        step = _open_step(solution, place, before)
        path.append(_chosen(spot, place, step, Line(tokens[: number + 1])))
    place = spot.find(line)
    if place.kind == EdgeKind.NEXT_STREET:
        place = spot.tree.deal(place, -1)
        path.append(_any_step(spot, place, to_line(line)))
    kind = _kind(place)
    calm = calm_line(spot, line) if kind == "decision" else None
    found: Data = {
        "line": text,
        "kind": kind,
        "path": path,
        "here": None,
        "text": None,
        "calm": None if calm is None else str(calm),
    }
    if place.kind == EdgeKind.NODE:
        return found | {"here": _open_step(solution, place, to_line(line))}
    street = spot.tree.streets[place.level]
    pot = write_number(spot.tree.chips(int(street.end_pot[place.edge])))
    other = PLAYERS[1 - int(street.player[place.node])].upper()
    return found | {"text": _OVER[place.kind].format(other=other, pot=pot)}


def _kind(place: Place) -> str:
    left_out = place.cards.count(-1)
    if left_out > 1:
        return "cards"
    if place.kind == EdgeKind.NODE:
        return "report" if left_out else "decision"
    if place.kind == EdgeKind.FOLD:
        return "end"
    return "report" if left_out or place.kind == EdgeKind.ALLIN else "end"


def _open_step(solution: PostflopSolution, place: Place, line: Line) -> Data:
    """A decision; its frequencies and its lock are known unless a card is left out before it."""
    decision = solution.decision(line) if -1 not in place.cards else None
    step = decision_step(solution.spot, place, str(line), decision)
    return step | {"lock": decision and lock_summary(solution, decision)}


def _card_step(spot: Spot, before: Line, card: int) -> Data:
    """A card that came, and those that could come in its place."""
    board = [format_cards([each]) for each in (*spot.board, *before.cards)]
    return {
        "kind": "card",
        "card": format_cards([card]),
        "street": STREETS[spot.street + spot.find(before).level + 1],
        "before": str(before),
        "line": str(Line((*before.tokens, card))),
        "cards": free_cards(board),
    }


def _any_step(spot: Spot, place: Place, before: Line) -> Data:
    """A card that is left out, and those that it may be."""
    board = [format_cards([each]) for each in (*spot.board, *before.cards)]
    street = STREETS[spot.street + place.level]
    return {"kind": "any", "street": street, "before": str(before), "cards": free_cards(board)}


def _chosen(spot: Spot, place: Place, step: Data, after: Line) -> Data:
    """A decision with the action that a line takes there."""
    street = spot.tree.streets[place.level]
    chosen = _taken(spot, spot.find(after), place) - int(street.first_edge[place.node])
    return {"kind": "decision", **step, "chosen": chosen}


def _taken(spot: Spot, after: Place, before: Place) -> int:
    """The edge by which a line went on from a decision."""
    if after.kind != EdgeKind.NODE:
        return after.edge
    street = spot.tree.streets[after.level]
    return int(street.parent_edge[after.node]) if after.level == before.level else after.edge


def decision_step(spot: Spot, place: Place, line: str, decision: Decision | None) -> Data:
    """A decision as the pages show it; frequencies are None without `decision`."""
    tree = spot.tree
    street = tree.streets[place.level]
    seat = int(street.player[place.node])
    situation = tree.situation(place.level, place.node)
    to_call, pot = tree.chips(situation.to_call), tree.chips(int(street.pot[place.node]))
    stack = tree.chips(tree.stack - int(street.committed[place.node][seat]))
    edges = street.edges_of(place.node)
    known: list[float | None] = [None] * len(edges)
    if decision is not None and decision.reached:
        known = decision.frequencies.tolist()
    options = []
    for edge, frequency in zip(edges, known, strict=True):
        kind = ActionKind(int(street.action[edge]))
        sized = size_of(tree, place.level, edge)
        percent, action = sized["percent"], sized["label"]
        options.append(
            {
                "action": action,
                "name": f"{_WORDS[kind]} {write_number(sized['chips'] or 0)}".removesuffix(" 0"),
                "size": None if percent is None else percent / 100,
                "frequency": frequency,
                "line": f"{line}/{action}" if line else action,
                "leads_to": EdgeKind(int(street.kind[edge])).name.lower().replace("_", " "),
            }
        )
    return {
        "line": line,
        "player": PLAYERS[seat],
        "reached": decision is None or decision.reached,
        "pot": pot,
        "stack": stack,
        "to_call": to_call,
        "pot_odds": to_call / (pot + to_call) if to_call else None,
        "options": options,
    }


def free_cards(board: Sequence[str]) -> list[str]:
    """The cards that may come on a board, aces first."""
    deck = (format_cards([card]) for card in range(N_CARDS - 1, -1, -1))
    return [card for card in deck if card not in board]

"""A chart of play before the flop as a page shows it: decisions, hands, ranges, how exact it is.

Amounts are big blinds, and classes are in the order of `CLASS_NAMES`. EVs are what an action wins
from the beginning of the hand, as `pokerlab preflop --json` has them; what is not known is None.
"""

from __future__ import annotations

import shlex
from functools import cache
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from pokerlab.cards.flops import SUBSET_SIZES, parse_flops
from pokerlab.cards.hand_classes import CLASS_NAMES, CLASS_SIZES
from pokerlab.games.betting_trees.betting_tree import EdgeKind
from pokerlab.games.betting_trees.chips import write_number
from pokerlab.holdem.charts import PreflopChart, shipped_chart
from pokerlab.holdem.preflop import PreflopSolution, SolveFacts, facts_of, solution_of
from pokerlab.holdem.spots.question.outline import size_of
from pokerlab.holdem.spots.question.preflop_ranges import chart_spot
from pokerlab.runtime.arrays import Floats
from pokerlab.web.pages.preflop.line_spots import line_shares, line_story

Data: TypeAlias = dict[str, Any]

_DIGITS = 4
_NAMES = {"fold": "Fold", "check": "Check", "call": "Call", "raise": "Raise to", "all-in": "All-in"}


class OpenChart(NamedTuple):
    """A chart with what its lines mean."""

    id: str
    """That of the file, or ``100bb``."""
    name: str
    """That of the file, or ``100 big blinds``."""
    shipped: bool
    """Whether it is one of the package."""
    solution: PreflopSolution
    """The strategy and its values."""
    facts: SolveFacts | None
    """How it was solved; None if nobody bets after the flop."""

    @property
    def chart(self) -> PreflopChart:
        """The chart itself."""
        assert self.solution.chart is not None
        return self.solution.chart


@cache
def open_shipped(depth: int) -> OpenChart:
    """A chart of the package."""
    chart = shipped_chart(depth)
    name = f"{depth} big blinds"
    return OpenChart(f"{depth}bb", name, True, solution_of(chart), facts_of(chart))


def chart_data(opened: OpenChart) -> Data:
    """What a page needs once: the stacks, what the small blind wins, ε in its parts, the solve.

    Examples
    --------
    >>> found = chart_data(open_shipped(100))
    >>> found["stack"], [each["name"] for each in found["parts"]]
    (100, ['before the flop', 'from the flop solves', 'price of the groups view/river', ...])
    """
    solution, rules = opened.solution, opened.solution.rules
    return {
        "id": opened.id,
        "name": opened.name,
        "shipped": opened.shipped,
        "stack": rules.stack,
        "small_blind": rules.small_blind,
        "ante": rules.ante,
        "players": list(opened.chart.players),
        "classes": list(CLASS_NAMES),
        "sizes": CLASS_SIZES.tolist(),
        "value": solution.value,
        "exploitability": solution.exploitability,
        "parts": _parts(opened.facts),
        "solve": _solve(opened),
        "flop_lines": len(opened.chart.flop_lines),
    }


def _parts(facts: SolveFacts | None) -> list[Data]:
    """The parts of the exploitability in big blinds, by the names of docs/preflop.md."""
    if facts is None:
        return []
    parts = facts.parts
    found = [
        ("before the flop", parts.before_flop, "Best responses gain this more before the flop"),
        ("from the flop solves", parts.flop_solves, "Best responses gain this after the flop"),
    ]
    if parts.groups:
        words = "Part of both: what hands of a group gain by playing differently"
        found.append((f"price of the groups {facts.groups}", parts.groups, words))
    if parts.subset is not None:
        words = "Not part of ε: at least about what other flops would let play before them gain"
        found.append(("from the subset, at least about", parts.subset, words))
    return [{"name": name, "bb": bb, "help": words} for name, bb, words in found]


def _solve(opened: OpenChart) -> list[list[str]]:
    """How the chart was solved: names and words."""
    rules, facts = opened.solution.rules, opened.facts
    raises = (
        rules.raises
        if rules.limp_raises is None
        else f"{rules.raises} · after a limp {rules.limp_raises}"
    )
    found = [["Raises", raises], ["Rule", opened.solution.method]]
    if facts is None:
        found.append(["After the flop", "nobody bets"])
        return found
    bets = facts.bets
    found += [
        ["Flops", f"{facts.flops}, after {len(opened.chart.flop_lines)} lines"],
        ["Bets after them", bets.bet or "none"],
        ["Raises after them", bets.raise_ or "none"],
        ["Iterations", f"{facts.iterations:,} in {facts.seconds:,.0f} s ({facts.stopped})"],
    ]
    if bets.runouts is not None:
        found.append(["Run-outs", bets.runouts])
    return found


def chart_node(opened: OpenChart, line: str) -> Data:
    """A place of a chart: a decision, a flop that comes, or an end.

    Examples
    --------
    >>> opened = open_shipped(100)
    >>> found = chart_node(opened, "r2.5")
    >>> found["kind"], found["player"], [each["name"] for each in found["options"]]
    ('decision', 'BB', ['Fold', 'Call 1.5', 'Raise to 10', 'All-in 100'])
    >>> found["path"][0]["options"][1]["name"], round(found["strategy"][2][0], 2)
    ('Limp', 1.0)
    >>> chart_node(opened, "r2.5/c")["kind"], chart_node(opened, "r2.5/f")["text"]
    ('flop', 'SB takes 2')
    """
    solution, tree = opened.solution, opened.solution.game.tree
    place = tree.find(line)
    street = tree.streets[0]
    path = []
    tokens = [token for token in line.split("/") if token]
    for number, token in enumerate(tokens):
        step = _step(opened, "/".join(tokens[:number]))
        chosen = [option["action"] for option in step["options"]].index(token)
        path.append({"kind": "decision", **step, "chosen": chosen})
    line = "/".join(tokens)
    players = range(len(opened.chart.players))
    at = solution.game.place(line)
    reach = [solution.reaches(player)[at] for player in players]
    data: Data = {
        "line": line,
        "path": path,
        "reach": [_rounded(each) for each in reach],
        "combos": [float(each @ CLASS_SIZES) for each in reach],
        "command": _command(opened, line),
    }
    if place.kind == EdgeKind.NODE:
        return data | _decision(opened, line, reach)
    pot = tree.chips(int(street.end_pot[place.edge]))
    data |= {"pot": pot, "text": _end_text(opened, place.kind, path[-1], pot)}
    if place.kind != EdgeKind.NEXT_STREET:
        return data | {"kind": "end"}
    return data | {"kind": "flop", **_flop(opened, line)}


def _end_text(opened: OpenChart, kind: EdgeKind, last: Data, pot: float) -> str:
    if kind == EdgeKind.FOLD:
        other = next(name for name in opened.chart.players if name != last["player"])
        return f"{other} takes {write_number(pot)}"
    if kind == EdgeKind.ALLIN:
        return f"All-in: showdown for {write_number(pot)}"
    return f"A flop comes: {write_number(pot)} in the pot"


def _step(opened: OpenChart, line: str) -> Data:
    """A decision as the page's card of it shows it."""
    tree = opened.solution.game.tree
    place, street, view = tree.find(line), tree.streets[0], opened.solution.at(line)
    node = place.node
    pot = tree.chips(int(street.pot[node]))
    to_call = tree.chips(tree.situation(0, node).to_call)
    options = []
    for edge, share in zip(street.edges_of(node), view.frequencies.tolist(), strict=True):
        sized = size_of(tree, 0, edge)
        action, percent = sized["label"], sized["percent"]
        options.append(
            {
                "action": action,
                "name": _option_name(sized, first=not line),
                "size": None if percent is None else percent / 100,
                "frequency": None if share != share else share,
                "line": f"{line}/{action}" if line else action,
                "leads_to": EdgeKind(int(street.kind[edge])).name.lower().replace("_", " "),
            }
        )
    return {
        "line": line,
        "player": opened.chart.players[view.player],
        "seat": view.player,
        "pot": pot,
        "stack": tree.chips(tree.stack - int(street.committed[node][view.player])),
        "to_call": to_call,
        "pot_odds": to_call / (pot + to_call) if to_call else None,
        "options": options,
    }


def _option_name(sized: Data, *, first: bool) -> str:
    if first and sized["action"] == "call":
        return "Limp"
    amount = "" if sized["chips"] is None else f" {write_number(sized['chips'])}"
    return f"{_NAMES[sized['action']]}{amount}"


def _decision(opened: OpenChart, line: str, reach: list[Floats]) -> Data:
    """Who acts, what every class does, and what it wins."""
    solution, chart = opened.solution, opened.chart
    view = solution.at(line)
    node = solution.game.tree.find(line).node
    evs, totals = [], []
    for player in range(2):
        met = solution.game.unblocked(0, reach[1 - player][None])[0]
        won = np.asarray(chart.values[player, node], np.float64)
        with np.errstate(invalid="ignore", divide="ignore"):
            evs.append(won / met)
            totals.append(float(reach[player] @ won / (reach[player] @ met)))
    ordered = np.sort(np.where(np.isnan(view.ev), -np.inf, view.ev), axis=0)
    lost = ordered[-1] - ordered[-2] if len(ordered) > 1 else np.full(ordered.shape[1], np.nan)
    return {
        "kind": "decision",
        **_step(opened, line),
        "actions": list(view.actions),
        "strategy": [_rounded(row) for row in view.strategy],
        "ev": [_rounded(each) for each in evs],
        "action_ev": [_rounded(row) for row in view.ev],
        "second": _rounded(lost),
        "totals": totals,
    }


def _flop(opened: OpenChart, line: str) -> Data:
    """What the flop begins with."""
    story = line_story(opened.chart, line)
    told = {"story": story.text, "share": line_shares(opened.chart)[line]}
    try:
        end, ranges = chart_spot(opened.chart, story.text, opened.chart.stacks[0])
    except ValueError as error:  # somebody never plays this line
        return told | {"problem": str(error)}
    first, second = end.players
    command = (
        f"pokerlab solve --board FLOP --preflop {shlex.quote(story.text)} --ranges {opened.id}"
    )
    return told | {
        "problem": None,
        "behind": end.behind[0],
        "raiser": end.aggressor,
        "order": [opened.chart.players.index(name) for name in (first, second)],
        "ranges": {name: str(hands) for name, hands in ranges.items()},
        **({"command": command} if opened.shipped else {}),
    }


def _command(opened: OpenChart, line: str) -> str:
    """What prints a decision in a terminal; after an end, the decision before it."""
    if opened.solution.game.tree.find(line).kind != EdgeKind.NODE:
        line = line.rpartition("/")[0]
    if not opened.shipped:
        return " ".join(["pokerlab show", shlex.quote(opened.name), *([line] if line else [])])
    words = f"pokerlab preflop --stack {opened.id.removesuffix('bb')}"
    return f"{words} --line {line}" if line else words


def flop_choices() -> list[Data]:
    """The flops of the smallest subset, each with its texture in words and how much it stands for.

    Examples
    --------
    >>> found = flop_choices()
    >>> len(found), sorted(found[0])
    (25, ['flop', 'share', 'texture'])
    """
    flops = parse_flops(str(SUBSET_SIZES[0]))
    total = sum(flop.weight for flop in flops)
    return [
        {"flop": flop.name, "share": flop.weight / total, "texture": str(flop.texture)}
        for flop in sorted(flops, key=lambda flop: -flop.weight)
    ]


def _rounded(numbers: Floats) -> list[float | None]:
    return [None if each != each else round(each, _DIGITS) for each in numbers.tolist()]

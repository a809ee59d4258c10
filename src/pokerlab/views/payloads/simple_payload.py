"""A simple strategy and its price as plain data: what ``pokerlab simplify --json`` prints."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pokerlab.games.betting_trees.menus import PLAYERS, STREETS

if TYPE_CHECKING:
    from pokerlab.holdem.spots import PostflopSolution
    from pokerlab.holdem.spots.answer.node_view import Exploitability
    from pokerlab.holdem.spots.simple.origins import LossOrigins
    from pokerlab.holdem.spots.simple.rules import RuleSheet
    from pokerlab.holdem.spots.simple.simplify import SimpleLine, Simplified


_NOTHING = 1e-6
"""As a part of the pot: lines that give less to the best response are left out."""


def exploitability_payload(reached: Exploitability) -> dict[str, float]:
    """The form that scripts rely on; without a big blind, mbb count a chip as one."""
    return {"chips": reached.chips, "percent": reached.percent, "mbb": reached.mbb}


def simplified_payload(found: Simplified) -> dict[str, Any]:
    """The losses, how decisions were rounded, and each decision."""
    rounding = found.rounding
    return {
        "loss": _losses(found),
        "exploitability": exploitability_payload(found.solution.exploitability),
        "before": exploitability_payload(found.before),
        "values": list(found.solution.values),
        "rounding": {
            "step": 1 / rounding.units if rounding.units else 0.0,
            "max_actions": None if rounding.keeps_actions else rounding.most,
            "by": rounding.by,
            "nearest": not rounding.balanced,
        },
        "decisions": len(found.lines),
        "simple": len(found.lines) - len(found.complicated),
        "responses": found.responses,
        "lines": [_line(found, each) for each in found.lines],
    }


def rules_payload(sheet: RuleSheet) -> dict[str, Any]:
    """The rules of a decision in words, and what they lose."""
    from pokerlab.cards.codes import format_cards
    from pokerlab.views.rule_texts import rule_text

    return {
        "line": sheet.line,
        "player": PLAYERS[sheet.player],
        "board": format_cards(sheet.board),
        "actions": list(sheet.actions),
        "rules": [
            {
                "text": rule_text(rule, sheet.actions),
                "conditions": [[str(each) for each in some] for some in rule.alternatives],
                "play": dict(zip(sheet.actions, rule.play, strict=True)),
                "share": rule.share,
            }
            for rule in sheet.rules
        ],
        "loss": _losses(sheet),
        "within": sheet.within,
        "exploitability": exploitability_payload(sheet.solution.exploitability),
        "before": exploitability_payload(sheet.before),
        "tried": [{"rules": count, "loss": chips} for count, chips in sheet.tried],
    }


def origins_payload(
    full: PostflopSolution, parts: tuple[LossOrigins, LossOrigins]
) -> dict[str, Any]:
    """What each decision gives to the best response, most first (``diff --losses --json``)."""
    rows: list[dict[str, Any]] = []
    for level, node, line in full.spot.tree.walk():
        street = full.spot.tree.streets[level]
        player = int(street.player[node])
        chips = float(parts[player].nodes[level][node])
        if abs(chips) > _NOTHING * full.spot.pot:
            where = {"line": line, "player": PLAYERS[player], "street": STREETS[street.number]}
            rows.append({**where, "chips": chips})
    rows.sort(key=lambda each: -each["chips"])
    losses = {name: each.total for name, each in zip(PLAYERS, parts, strict=True)}
    return {"losses": losses, "by": None, "rows": rows}


def _losses(found: Simplified | RuleSheet) -> dict[str, float]:
    first, second = found.losses
    return {"oop": first, "ip": second, **exploitability_payload(found.loss)}


def _line(found: Simplified, line: SimpleLine) -> dict[str, Any]:
    given = None if line.given is None else found.in_units(line.given)
    return {
        "line": line.line,
        "player": PLAYERS[line.player],
        "street": line.street,
        "simple": line.simple,
        "alone": line.alone,
        "given": line.given,
        "given_percent": None if given is None else given.percent,
        "given_mbb": None if given is None else given.mbb,
    }

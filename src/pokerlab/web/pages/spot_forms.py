"""The form of a spot: what the Editor shows, and the answer that it gets after each change.

`check_form` is asked with every change and must answer at once; `weigh_form` and `fit_form` count
what takes longer: the same spot with one size less, and groups of hands.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from pokerlab.cards.codes import format_cards
from pokerlab.cards.ranges.range import Range
from pokerlab.games.betting_trees.builder import build_tree
from pokerlab.games.betting_trees.menus import PLAYERS, STREETS, Menu, Menus
from pokerlab.holdem.spots.cost import (
    SolveCost,
    estimate_cost,
    gpu_memory,
    trees_without_a_size,
)
from pokerlab.holdem.spots.question.field_errors import check_fields
from pokerlab.holdem.spots.question.outline import preview_sizes, tree_outline
from pokerlab.holdem.spots.question.spot import SPOT_FIELDS, Spot
from pokerlab.holdem.spots.question.spot_file import write_spot_fields
from pokerlab.runtime.errors import shorten
from pokerlab.runtime.machine import duration_text, free_memory, size_text
from pokerlab.web.answers import FieldError
from pokerlab.web.files.saved_files import range_data
from pokerlab.web.pages.prize_views import stack_worths

NEW_SPOT: dict[str, Any] = {
    "board": "Qs7h2d",
    "oop": "JJ-22, A2s-ATs, K6s+, Q8s+, J8s+, T8s+, 97s+, 86s+, 75s+, 64s+, 54s, A8o-AJo, KTo+, "
    "QTo+, JTo",
    "ip": "22+, A2s+, K5s+, Q7s+, J7s+, T7s+, 97s+, 86s+, 75s+, 65s, 54s, A5o+, K9o+, Q9o+, J9o+, "
    "T9o",
    "pot": 55,
    "stack": 975,
    "big_blind": 10,
    "bet": "flop: 33%; turn: 75%; river: 75%, a",
    "raise": "3x",
    "aggressor": "ip",
    "force_allin": 0.2,
    "max_bets": 2,
}
"""What the Editor begins with: a big blind who called the button's raise."""

_KINDS = ("bet", "raise", "donk")
_AS_GIVEN = ("preflop", "ranges", "oop", "ip", "pot", "stack")
"""What a file keeps as somebody wrote it: ``@bb.txt``, ``5.5bb``, a story."""
_MOST_OPEN = 400
_MOST_DECISIONS = 30_000
"""Trees with more on a street are refused: after a flop they fill a hundred gigabytes."""
_MOST_CUTS = 6


def form_fields(fields: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a file as the form has them: menus by street and player, donk bets by street.

    A menu that cannot be read stands as it is in the first place, with its error beside it.

    Examples
    --------
    >>> form_fields({"bet": "33%; ip river: a", "donk": "turn:"})["bet"]["river"]
    {'oop': '33%', 'ip': 'a'}
    """
    form = dict(fields)
    for kind in _KINDS:
        given = fields.get(kind, {"bet": "50%, a", "raise": "60%, a"}.get(kind, {}))
        try:
            cells = Menus.of(kind, given).cells
        except ValueError:
            form[kind] = {STREETS[0]: dict.fromkeys(PLAYERS, str(given))}
            continue
        form[kind] = {
            street: texts["oop"] if kind == "donk" else texts
            for street, row in zip(STREETS, cells, strict=True)
            if (texts := _menu_texts(row))
        }
    return form


def _menu_texts(row: Sequence[Menu | None]) -> dict[str, str]:
    """The menus of a street by player, those that something was said of."""
    return {
        player: ", ".join(map(str, menu))
        for player, menu in zip(PLAYERS, row, strict=True)
        if menu is not None
    }


def saved_fields(fields: Mapping[str, Any], spot: Spot) -> dict[str, Any]:
    """The fields as a file keeps them: menus as texts, no defaults.

    Examples
    --------
    >>> fields = form_fields(NEW_SPOT) | {"pot": "5.5bb", "merge": 0}
    >>> saved = saved_fields(fields, Spot.from_fields(fields))
    >>> saved["pot"], saved["bet"], "merge" in saved
    ('5.5bb', 'flop: 33%; turn: 75%; river: 75%, a', False)
    """
    plain = spot.fields()
    names = ("board", "preflop", "ranges", *SPOT_FIELDS[1:])
    kept: dict[str, Any] = {}
    for name in names:
        if fields.get(name) is None:
            continue
        if name in _AS_GIVEN:
            kept[name] = fields[name]
        elif name in plain:
            kept[name] = plain[name]
    return kept


def spot_of_form(fields: Mapping[str, Any], beside: Path) -> Spot:
    """The spot of a form that must be right; `FieldError` names the first fault.

    Examples
    --------
    >>> spot_of_form({**NEW_SPOT, "aggressor": "button"}, Path())
    Traceback (most recent call last):
    pokerlab.web.answers.FieldError: aggressor: 'button' is not a player, oop or ip
    """
    checked = check_fields(fields, beside=beside)
    if checked.spot is None:
        field, message = next(iter(checked.errors.items()))
        raise FieldError(field, f"{field}: {message}")
    return checked.spot


def check_form(
    fields: Mapping[str, Any], options: Mapping[str, Any], beside: Path | None = None
) -> dict[str, Any]:
    """All that the Editor shows about a spot.

    Parameters
    ----------
    fields
        The fields of the form.
    options
        ``open``, the lines of the tree that are open; ``target``, ``precision``, ``device`` and
        ``groups`` of the solve.
    beside
        Where names of range files begin.
    """
    checked = check_fields(fields, beside=beside)
    errors = dict(checked.errors)
    spot = checked.spot
    found: dict[str, Any] = {
        "ranges": {
            name: _range_or_none(fields.get(name) if spot is None else getattr(spot, name), spot)
            for name in PLAYERS
        },
        "spot": None,
    }
    if spot is not None:
        try:
            found["spot"] = _spot_data(spot, fields, options, errors)
        except ValueError as error:  # a tree that is too large to be built
            errors["spot"] = str(error)
    return found | {"errors": errors}


def _spot_data(
    spot: Spot, fields: Mapping[str, Any], options: Mapping[str, Any], errors: dict[str, str]
) -> dict[str, Any]:
    build_tree(spot.tree_rules, _MOST_DECISIONS)
    opened = options.get("open", [])
    if not isinstance(opened, list) or not all(isinstance(line, str) for line in opened):
        opened = []
    percent, cost = _cost(spot, options, errors)
    return {
        "toml": write_spot_fields(saved_fields(fields, spot)),
        "question": spot.to_toml(),
        "board": format_cards(spot.board),
        "street": STREETS[spot.street],
        "pot": spot.pot,
        "stack": spot.effective_stack,
        "stacks": [spot.stack] * 2 if not isinstance(spot.stack, tuple) else list(spot.stack),
        "aggressor": spot.aggressor,
        "smallest_chip": 1 / spot.units,
        "chips_text": _chips_text(spot),
        "oop": str(spot.oop),
        "ip": str(spot.ip),
        "sizes": preview_sizes(spot),
        "tree": tree_outline(spot, opened[:_MOST_OPEN]),
        "prizes": stack_worths(spot),
        "cost": _cost_data(spot, cost, percent, options),
    }


def _chips_text(spot: Spot) -> str:
    """The pot and the stack against each other; in big blinds only if somebody said what one is."""
    ratio = f"a stack-to-pot ratio of {spot.effective_stack / spot.pot:,.3g}"
    rounded = "whole chips" if spot.units == 1 else f"{1 / spot.units:g} chips"
    if not spot.has_big_blind:
        known = f"{ratio.capitalize()}; no big blind is given, so results are in chips"
    else:
        pot, stack = (f"{each / spot.big_blind:,.4g}" for each in (spot.pot, spot.effective_stack))
        known = f"{pot} big blinds in the pot, {stack} behind: {ratio}"
    return f"{known}. Sizes are rounded to {rounded}."


def _cost(
    spot: Spot, options: Mapping[str, Any], errors: dict[str, str]
) -> tuple[float, SolveCost]:
    """The target in percent, and the cost without groups; what is wrong is noted."""
    from pokerlab.engine.device import check_device
    from pokerlab.engine.groups import HandGrouping
    from pokerlab.holdem.spots.solving import parse_target

    percent = 0.3
    precision = options.get("precision", 32)
    try:
        target = options.get("target", "0.3%")
        chips = parse_target(str(target), spot.pot)
        if not chips:
            raise ValueError("a target is above 0, such as 0.3%")
        percent = 100 * chips / spot.pot
    except ValueError as error:
        errors["target"] = str(error).removeprefix("target: ")
    if precision not in (32, 16) or isinstance(precision, bool):
        errors["precision"] = f"{shorten(str(precision))} is not 32 or 16 bits"
        precision = 32
    try:
        check_device(str(options.get("device", "auto")))
    except ValueError as error:
        errors["device"] = str(error).removeprefix("device: ")
    try:
        if options.get("groups"):
            HandGrouping.parse(str(options["groups"]))
    except ValueError as error:
        errors["groups"] = str(error)
    return percent, estimate_cost(spot, precision=precision)


def _cost_data(
    spot: Spot, cost: SolveCost, percent: float, options: Mapping[str, Any]
) -> dict[str, Any]:
    free = free_memory()
    low, high = cost.seconds(percent)
    data = cost.to_json(percent)
    found = {
        "nodes": data["nodes"],
        "streets": data["streets"],
        "information_sets": data["information_sets"],
        "memory": _memory(cost, free),
        "free": size_text(free),
        "time": _span(low, high),
        "threads": cost.threads,
        "percent": percent,
        "card": None,
    }
    if options.get("device") == "gpu":
        needs = gpu_memory(spot, cost)
        found["card"] = {
            str(bits): size_text(replace(needs, bits=bits).nbytes) for bits in (32, 16)
        }
    return found


def _memory(cost: SolveCost, free: int) -> list[dict[str, Any]]:
    found = []
    for bits in (32, 16):
        each = replace(cost, bits=bits)
        found.append(
            {
                "bits": bits,
                "peak": size_text(each.peak_bytes),
                "tables": size_text(each.table_bytes),
                "file": size_text(each.answer_bytes),
                "share": each.peak_bytes / free if free else 1.0,
                "fits": each.peak_bytes <= free,
            }
        )
    return found


def _span(low: float, high: float) -> str:
    first, last = (
        "under a second" if seconds < 1 else duration_text(seconds) for seconds in (low, high)
    )
    return first if first == last else f"{first} to {last}"


def weigh_form(
    fields: Mapping[str, Any], options: Mapping[str, Any], beside: Path | None = None
) -> dict[str, Any]:
    """Which sizes cost most: the same spot without each of them."""
    spot = check_fields(fields, beside=beside).spot
    if spot is None:
        return {"cuts": []}
    return {"cuts": _cuts(spot, _cost_with_groups(spot, options), free_memory())}


def fit_form(
    fields: Mapping[str, Any], options: Mapping[str, Any], beside: Path | None = None
) -> dict[str, Any]:
    """The memory of groups, and the choices that fit into the free memory."""
    from pokerlab.holdem.spots.budget import fit_memory

    spot = check_fields(fields, beside=beside).spot
    if spot is None:
        return {"groups": None, "fit": None}
    cost, free = _cost_with_groups(spot, options), free_memory()
    grouped = None if cost.groups is None else _memory(cost, free)
    fit = None
    if cost.peak_bytes > free:
        try:
            choice = fit_memory(spot, free)
            fit = {
                "reason": choice.reason,
                "precision": choice.precision,
                "groups": choice.groups,
            }
        except ValueError as error:
            fit = {"reason": str(error).removeprefix("memory: "), "precision": None, "groups": None}
    return {"groups": grouped, "fit": fit}


def _cost_with_groups(spot: Spot, options: Mapping[str, Any]) -> SolveCost:
    """The cost, with the groups if there are some that can be read."""
    errors: dict[str, str] = {}
    _, cost = _cost(spot, options, errors)
    if not options.get("groups") or "groups" in errors:
        return cost
    return estimate_cost(spot, precision=cost.bits, groups=str(options["groups"]))


def _cuts(spot: Spot, cost: SolveCost, free: int) -> list[dict[str, Any]]:
    """The sizes whose absence saves most."""
    found: list[dict[str, Any]] = []
    for smaller, way in trees_without_a_size(spot, cost):
        saved = cost.peak_bytes - way.peak_bytes
        if saved <= 0:
            continue
        menus = smaller.bet if way.kind == "bet" else smaller.raise_
        row = menus.cells[STREETS.index(way.street)]
        found.append(
            {
                "street": way.street,
                "kind": way.kind,
                "size": way.size,
                "saves": size_text(saved),
                "share": saved / cost.peak_bytes,
                "peak": size_text(way.peak_bytes),
                "fits": way.peak_bytes <= free,
                "menus": _menu_texts(row),
            }
        )
    found.sort(key=lambda cut: -cut["share"])
    return found[:_MOST_CUTS]


def _range_or_none(hands: object, spot: Spot | None) -> dict[str, Any] | None:
    if not isinstance(hands, str | Range):
        return None
    try:
        return range_data(Range(hands), () if spot is None else spot.board)
    except ValueError:
        return None

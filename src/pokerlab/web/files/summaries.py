"""The Library's summary of a file, from its header alone."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pokerlab.runtime.errors import one_line, shorten
from pokerlab.runtime.machine import size_text
from pokerlab.views.texts import number_text

if TYPE_CHECKING:
    from pokerlab.holdem.spots import Spot

_LEVELS = "0123456789"
_MODEL = "pokerlab line model"


def summary_of(path: Path) -> dict[str, Any]:
    """The kind of a file, its size and date, and a short description.

    What cannot be read is an ``error`` in one line, and nothing is raised but by the system.
    """
    status = path.stat()
    found: dict[str, Any] = {
        "kind": "other",
        "modified": status.st_mtime,
        "bytes": status.st_size,
        "size": "" if path.is_dir() else size_text(status.st_size),
        "error": None,
    }
    try:
        if path.is_dir():
            return found | _batch(path)
        if path.suffix.lower() == ".toml":
            return found | _toml(path)
        if path.suffix.lower() == ".safetensors":
            return found | _tensors(path)
        history = _history(path)
        if history is not None:
            return found | history
        if path.suffix.lower() in (".txt", ".csv", ".tsv"):
            return found | _range(path)
    except ValueError as error:
        if path.suffix.lower() not in (".toml", ".safetensors") and not path.is_dir():
            return found  # any text at all
        kinds = {".toml": "spot", ".safetensors": "solution"}
        kind = "batch" if path.is_dir() else kinds[path.suffix.lower()]
        return found | {"kind": kind, "error": _without_path(str(error), path)}
    return found


def _history(path: Path) -> dict[str, Any] | None:
    """What a hand history is, by its first line; None for any other file."""
    from pokerlab.arena.logs.histories import PHH
    from pokerlab.arena.logs.site_text import site_of_file

    if path.suffix.lower() in PHH:
        return {"kind": "history", "site": "PHH"}
    site = site_of_file(path)
    if site is None:
        return None
    fault = None if site.parser else f"hands of {site.name} are not read"
    return {"kind": "history", "site": site.name, "error": fault}


def _without_path(message: str, path: Path) -> str:
    """A page shows the name of the file beside the message, and nobody needs the whole path."""
    return one_line(message.replace(str(path), path.name), 300)


def _toml(path: Path) -> dict[str, Any]:
    """A spot; of one that is not finished, as those for many flops have no board, what is there."""
    from pokerlab.holdem.spots import Spot
    from pokerlab.holdem.spots.question.field_errors import check_fields
    from pokerlab.holdem.spots.question.spot_file import is_spot, read_spot_file
    from pokerlab.holdem.spots.question.texture_menus import choose_menus

    table = _table(path)
    if table is not None and str(table.get("format", "")).startswith(_MODEL):
        return _model(path)
    if table is None or not is_spot(table):
        return {}
    try:
        return {"kind": "spot", "missing": []} | spot_summary(Spot.from_file(path))
    except ValueError:
        fields, _ = choose_menus(read_spot_file(path))
        checked = check_fields(fields)
        for name, fault in checked.errors.items():
            if name not in checked.missing:
                raise ValueError(f"{name}: {fault}") from None
        return {"kind": "spot", "missing": list(checked.missing)} | _unfinished(fields)


def _model(path: Path) -> dict[str, Any]:
    """How a player plays after the flop, as ``pokerlab model`` counted it."""
    from pokerlab.players.opponents import load_line_model

    try:
        model = load_line_model(path)
    except ValueError as error:
        message = _without_path(str(error), path).removeprefix(f"{path.name}: ")
        return {"kind": "model", "error": message}
    decisions = sum(sum(counts.values()) for counts in model.counts.values())
    return {
        "kind": "model",
        "player": shorten(model.player),
        "hands": model.hands,
        "lines": len(model.counts),
        "decisions": decisions,
    }


def _table(path: Path) -> dict[str, Any] | None:
    """A TOML file; what cannot be read may have been a spot, so `ValueError` says why."""
    from pokerlab.runtime.files.toml_text import parse_toml

    if not path.is_file():
        return None
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise ValueError("it is not a text file in UTF-8") from None
    if not text.strip():
        raise ValueError("it is empty")
    return parse_toml(text)


def _unfinished(fields: dict[str, Any]) -> dict[str, Any]:
    from pokerlab.holdem.spots.question.preflop_ranges import fill_from_story

    filled = fill_from_story(fields)
    return {
        "board": filled.get("board"),
        "ranges": [_miniature(filled.get(name, "")) for name in ("oop", "ip")],
        "pot": filled.get("pot"),
        "stack": filled.get("stack"),
    }


def _tensors(path: Path) -> dict[str, Any]:
    from pokerlab.holdem.charts import CHART_FORMAT
    from pokerlab.holdem.spots import Spot
    from pokerlab.holdem.spots.answer.node_view import Exploitability
    from pokerlab.holdem.spots.answer.solution_file import POSTFLOP_FORMAT
    from pokerlab.holdem.spots.solver import exploitability_of
    from pokerlab.players.strategies.limit_file import LIMIT_FORMAT
    from pokerlab.runtime.files.tensor_map import kind_of, read_header

    entries = read_header(path).metadata
    if kind_of(entries.get("format", "")) == kind_of(CHART_FORMAT):
        return _chart(path)
    if kind_of(entries.get("format", "")) == kind_of(LIMIT_FORMAT):
        return _trained(entries)
    if entries.get("format") != POSTFLOP_FORMAT:
        return {}
    try:
        spot = Spot.from_toml(entries["spot"])
        first, second = json.loads(entries["values"]), json.loads(entries["best_values"])
        chips = exploitability_of((first[0], first[1]), (second[0], second[1]))
        reached = Exploitability(float(chips), spot.pot, spot.big_blind)
        locks = sorted(json.loads(entries["locks"]))
        groups = entries.get("groups", "null")
        return {
            "kind": "solution",
            **spot_summary(spot),
            "exploitability": {
                "chips": reached.chips,
                "percent": reached.percent,
                "mbb": reached.mbb,
            },
            "reached": f"{number_text(reached.percent)}%",
            "iterations": int(entries["iterations"]),
            "seconds": float(entries["seconds"]),
            "stopped": entries["stopped"],
            "partial": int(entries["streets"]) < 6 - len(spot.board),
            "groups": None if groups == "null" else groups,
            "locks": locks,
        }
    except (KeyError, TypeError, IndexError, OverflowError, RecursionError):
        raise ValueError("its header does not say what a solution must say") from None


def _chart(path: Path) -> dict[str, Any]:
    """A chart of play before the flop, all of which is checked: it is small."""
    from pokerlab.holdem.charts import read_chart

    try:
        chart = read_chart(path)
        if len(chart.players) != 2:
            raise ValueError(f"it is for {len(chart.players)} players; only two can be shown")
        mbb = 1000 * float(chart.facts["exploitability"])
    except (KeyError, TypeError, OverflowError):
        return {"kind": "chart", "error": "its facts do not say how exact it is"}
    except ValueError as error:
        return {"kind": "chart", "error": _without_path(str(error), path)}
    stacks = sorted(set(chart.stacks))
    return {
        "kind": "chart",
        "players": len(chart.players),
        "stack": stacks[0] if len(stacks) == 1 else stacks,
        "lines": len(chart.flop_lines),
        "reached": f"{number_text(mbb)} mbb" if mbb >= 1e-3 else "0.000 mbb",
    }


def _trained(entries: Mapping[str, str]) -> dict[str, Any]:
    """A strategy that `pokerlab train` wrote, for a limit game by groups of cards."""
    from pokerlab.games.formats.toml_game import read_toml

    try:
        game = read_toml(entries["game"], "a game")
        groups = entries["groups"]
        mbb = float(entries["exploitability"]) * game.mbb
        iterations = int(entries["iterations"])
    except (KeyError, ValueError, OverflowError):
        raise ValueError("its header does not say what a trained strategy must say") from None
    return {
        "kind": "strategy",
        "game": shorten(game.name),
        "players": game.players,
        "groups": shorten(groups),
        "iterations": iterations,
        "reached": f"{number_text(mbb)} mbb",
    }


def _range(path: Path) -> dict[str, Any]:
    """A range in a file; other texts raise a `ValueError`."""
    from pokerlab.cards.ranges.range import Range

    hands = Range(f"@{path}")
    return {"kind": "range", "ranges": [_miniature(hands)], "combos": [hands.combos]}


def _batch(path: Path) -> dict[str, Any]:
    from pokerlab.holdem.batches import load_batch

    batch = load_batch(path)
    solutions = path / "solutions"
    done = sum(1 for each in solutions.glob("*.json")) if solutions.is_dir() else 0
    fields = batch.question.fields
    return {
        "kind": "batch",
        "boards": len(batch.question.boards),
        "done": done,
        "ranges": [_miniature(fields.get(name, "")) for name in ("oop", "ip")],
        "pot": fields.get("pot"),
        "stack": fields.get("stack"),
        "target": batch.question.target,
        "locks": sorted(fields.get("locks") or {}),
    }


def spot_summary(spot: Spot) -> dict[str, Any]:
    """The description of a spot, small enough for a list.

    Examples
    --------
    >>> from pokerlab.holdem.spots import Spot
    >>> found = spot_summary(Spot("QhJh2c4d7h", "AA", "KK:0.5", pot=100, stack=80))
    >>> found["board"], found["street"], found["combos"], found["ranges"][0][:3]
    ('QhJh2c4d7h', 'river', [6.0, 3.0], '900')
    """
    from pokerlab.cards.codes import format_cards
    from pokerlab.games.betting_trees.menus import STREETS

    return {
        "board": format_cards(spot.board),
        "street": STREETS[spot.street],
        "ranges": [_miniature(spot.oop), _miniature(spot.ip)],
        "combos": [spot.oop.combos, spot.ip.combos],
        "pot": spot.pot,
        "stack": spot.effective_stack,
        "big_blind": spot.big_blind if spot.has_big_blind else None,
        "payouts": list(spot.payouts),
        "prizes": None if spot.prizes is None else {"chips": spot.prizes.chips},
        "locks": [str(lock.line) for lock in spot.locks],
        "locked": locked_text(spot),
        "same": _digest(spot),
    }


def locked_text(spot: Spot) -> str:
    """Who is locked, and at how many lines; empty without locks.

    Examples
    --------
    >>> from pokerlab.holdem.spots import Spot
    >>> spot = Spot("QhJh2c4d7h", "AA", "KK", pot=100, stack=80, bet="a", raise_="")
    >>> locked_text(spot.with_locks({"": {"x": 1}, "x": {"a": 1}}))
    'OOP at 1 line, IP at 1 line'
    """
    from pokerlab.engine.locks import parse_locks
    from pokerlab.games.betting_trees.menus import PLAYERS

    if not spot.locks:
        return ""
    seats = [
        int(spot.tree.streets[lock.level].player[lock.node])
        for lock in parse_locks(spot, spot.locks)
    ]
    counts = [(name.upper(), seats.count(seat)) for seat, name in enumerate(PLAYERS)]
    return ", ".join(
        f"{name} at {count} {'line' if count == 1 else 'lines'}" for name, count in counts if count
    )


def _digest(spot: Spot) -> str:
    """A name that spots have in common which differ in their locks alone."""
    text = replace(spot, locks=()).to_toml()
    return blake2b(text.encode(), digest_size=12).hexdigest()


def _miniature(hands: Any) -> str:
    """169 digits, the weight of each class from 0 to 9; a small weight is at least 1."""
    from pokerlab.cards.ranges.range import Range

    weights = Range(hands).class_weights().ravel()
    return "".join(_LEVELS[level] for level in np.ceil(9 * weights.clip(0, 1)).astype(int))

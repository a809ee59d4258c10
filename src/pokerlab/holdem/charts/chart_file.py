"""The file of a chart: one safetensors file with a hash, all of it checked when it is read.

Tensors: ``strategy`` in half precision, in parts of 1/2048, which halves hold exactly; ``values``,
``action_values`` and ``flop_reach`` in float32; see `PreflopChart` for their shapes. The header has
the players, stacks and blinds, the decisions (``tree``: line, player and actions of each), the
lines that lead to a flop, and the facts of the solve, all as JSON. Nothing in it says that there
are two players.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

import pokerlab
from pokerlab.cards.hand_classes import CLASS_NAMES
from pokerlab.holdem.charts.chart import ChartDecision, PreflopChart
from pokerlab.runtime.arrays import AnyArray, Floats
from pokerlab.runtime.errors import damage_named, one_line
from pokerlab.runtime.files.reader import Expected, Metadata, Schema, read_checked
from pokerlab.runtime.files.tensor_files import write_hashed

CHART_FORMAT = "pokerlab preflop chart 1"

_CLASSES = len(CLASS_NAMES)
_PARTS = 2048
_MOST = 100_000
"""Decisions of a chart."""


def round_strategy(strategy: AnyArray) -> Floats:
    """Probabilities (…, actions, 169) as a file has them: in parts of 1/2048 that sum to 1.

    Numbers are rounded down, and the parts that are missing go to those that lost most.

    Examples
    --------
    >>> rounded = round_strategy(np.array([[0.2001], [0.0001], [0.7998]]))
    >>> (2048 * rounded).ravel().tolist()
    [410.0, 0.0, 1638.0]
    >>> bool((round_strategy(rounded) == rounded).all())
    True
    """
    shares = _PARTS * strategy.astype(np.float64)
    parts = np.floor(shares + 1e-9)
    missing = _PARTS - parts.sum(axis=-2, keepdims=True)
    order = np.argsort(parts - shares, axis=-2, kind="stable")  # those that lost most first
    rank = np.argsort(order, axis=-2, kind="stable")
    return np.asarray((parts + (rank < missing)) / _PARTS)


def write_chart(path: str | Path, chart: PreflopChart) -> None:
    """Write a chart, whole or not at all."""
    entries = {
        "format": CHART_FORMAT,
        "version": pokerlab.__version__,
        "players": json.dumps(chart.players),
        "stacks": json.dumps(chart.stacks),
        "small_blind": json.dumps(chart.small_blind),
        "ante": json.dumps(chart.ante),
        "tree": json.dumps(chart.decisions),
        "flop_lines": json.dumps(chart.flop_lines),
        "facts": json.dumps(chart.facts),
    }
    tensors: dict[str, AnyArray] = {
        "strategy": chart.strategy.astype(np.float16),
        "values": chart.values.astype(np.float32),
        "action_values": chart.action_values.astype(np.float32),
        "flop_reach": chart.flop_reach.astype(np.float32),
    }
    write_hashed(path, tensors, entries)


def read_chart(path: str | Path) -> PreflopChart:
    """Read a chart; `ValueError` names the file and what is wrong with it."""
    header = _Header()
    tensors, _ = read_checked(path, CHART_FORMAT, header.schema, verify=True)
    with damage_named(path):
        strategy = tensors["strategy"].astype(np.float64)
        for number, decision in enumerate(header.fields["decisions"]):
            legal = strategy[number, : len(decision.actions)]
            if strategy[number, len(decision.actions) :].any():
                raise ValueError(f"tensor 'strategy' has more actions than {decision.line!r} has")
            if (legal.sum(axis=0) != 1.0).any():
                raise ValueError(f"tensor 'strategy': no probabilities at {decision.line!r}")
        return PreflopChart(
            **header.fields,
            strategy=strategy,
            values=np.asarray(tensors["values"]),
            action_values=np.asarray(tensors["action_values"]),
            flop_reach=np.asarray(tensors["flop_reach"]),
        )


class _Header:
    """Reads the metadata, and from them what tensors there must be."""

    fields: dict[str, Any]

    def schema(self, metadata: Metadata) -> Schema:
        """The expected tensors of the file; `ValueError` for bad metadata."""
        players = _texts(metadata, "players")
        if not 2 <= len(players) <= 10:
            raise ValueError(f"there are {len(players)} players")
        stacks = metadata.numbers("stacks", len(players), 0.0)
        decisions = _decisions(metadata, len(players))
        ends = {
            f"{each.line}/{action}".lstrip("/") for each in decisions for action in each.actions
        }
        lines = _texts(metadata, "flop_lines")
        for line in lines:
            if line not in ends:
                raise ValueError(f"flop_lines: no decision leads to {one_line(line, 60)!r}")
        facts = metadata.json("facts")
        if not isinstance(facts, dict):
            raise ValueError("facts is not a mapping")
        self.fields = {
            "players": players,
            "stacks": tuple(stacks),
            "small_blind": metadata.number("small_blind", 0.0),
            "ante": metadata.number("ante", 0.0),
            "decisions": decisions,
            "flop_lines": lines,
            "facts": facts,
        }
        rows, actions = len(decisions), max(len(each.actions) for each in decisions)
        return {
            "strategy": Expected(np.float16, (rows, actions, _CLASSES), 0.0, 1.0),
            "values": Expected(np.float32, (len(players), rows, _CLASSES)),
            "action_values": Expected(np.float32, (rows, actions, _CLASSES)),
            "flop_reach": Expected(np.float32, (len(players), len(lines), _CLASSES), 0.0, 1.0),
        }


def _texts(metadata: Metadata, name: str) -> tuple[str, ...]:
    found = metadata.json(name)
    if not isinstance(found, list) or not all(isinstance(each, str) for each in found):
        raise ValueError(f"{name} is not a list of texts")
    return tuple(found)


def _decisions(metadata: Metadata, players: int) -> tuple[ChartDecision, ...]:
    """The decisions; each must follow from one before it."""
    found = metadata.json("tree")
    if not isinstance(found, list) or not 1 <= len(found) <= _MOST:
        raise ValueError("tree is not a list of decisions")
    decisions: list[ChartDecision] = []
    known: dict[str, ChartDecision] = {}
    for each in found:
        good = isinstance(each, list) and len(each) == 3
        line, player, actions = each if good else (None, None, None)
        if not (
            isinstance(line, str)
            and isinstance(player, float)
            and player in range(players)
            and isinstance(actions, list)
            and actions
            and all(isinstance(action, str) and _is_action(action) for action in actions)
            and len(set(actions)) == len(actions)
        ):
            raise ValueError(f"tree: {one_line(repr(each), 60)} is not a decision")
        before, _, last = line.rpartition("/")
        leads = last in known[before].actions if before in known and line else not line
        if not leads or line in known:
            raise ValueError(f"tree: no decision leads to {one_line(line, 60)!r}")
        known[line] = ChartDecision(line, int(player), tuple(actions))
        decisions.append(known[line])
    return tuple(decisions)


def _is_action(text: str) -> bool:
    """Whether a text is an action of a chart.

    Examples
    --------
    >>> [_is_action(text) for text in ("f", "r2.5", "r", "b3", "r1e9", "rnan")]
    [True, True, False, False, False, False]
    """
    if text in ("f", "c", "x", "a"):
        return True
    number = text[1:]
    plain = number.replace(".", "", 1).isdecimal() and number.isascii()
    return text.startswith("r") and plain and 0 < len(number) < 12 and float(number) > 0

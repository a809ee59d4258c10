"""A row of a batch's table: the result of one board."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from pokerlab.cards.ranges.blockers import unblocked_weights
from pokerlab.holdem.spots.answer.solution import PostflopSolution
from pokerlab.runtime.arrays import Floats
from pokerlab.runtime.errors import shorten


@dataclass(frozen=True, slots=True)
class BoardRow:
    """One board of a batch.

    Attributes
    ----------
    board
        Its cards.
    weight
        What it weighs among the boards, whatever the ranges.
    deals
        How many deals of two hands the ranges leave on it, weights multiplied: in a mean over
        boards as they are dealt, a board counts `weight` times `deals`.
    ev, equity
        What each player (oop, ip) takes from the pot on average, in chips, and the equities.
    exploitability, percent
        How far from equilibrium, in chips and in percent of the pot.
    iterations, stopped
        How many, and why they ended.
    seconds, total_seconds
        How long the solve took, and the board altogether: tables, certificate and file too.
    bytes
        The size of the solution's file.
    frequencies, action_evs
        How often each action of the first decision is taken, and what it earns, by its label. An
        action that is never taken earns what nobody knows: None.
    """

    board: str
    weight: float
    deals: float
    ev: tuple[float, float]
    equity: tuple[float, float]
    exploitability: float
    percent: float
    iterations: int
    stopped: str
    seconds: float
    total_seconds: float
    bytes: int
    frequencies: Mapping[str, float]
    action_evs: Mapping[str, float | None]

    def to_json(self) -> dict[str, Any]:
        """As JSON."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: Any) -> BoardRow:
        """Read what `to_json` made; `ValueError` for anything else."""
        if not isinstance(data, dict) or set(data) != set(cls.__slots__):
            raise ValueError("this is not a row of a batch")
        for name in ("weight", "deals", "exploitability", "percent", "seconds", "total_seconds"):
            _check(_is_number(data[name]), name, data[name])
        for name in ("iterations", "bytes"):
            _check(isinstance(data[name], int) and data[name] >= 0, name, data[name])
        for name in ("board", "stopped"):
            _check(isinstance(data[name], str), name, data[name])
        for name in ("ev", "equity"):
            pair = data[name]
            good = isinstance(pair, list | tuple) and len(pair) == 2 and all(map(_is_number, pair))
            _check(good, name, pair)
        for name, missing in (("frequencies", False), ("action_evs", True)):
            found = data[name]
            good = isinstance(found, dict) and all(
                _is_number(each) or (missing and each is None) for each in found.values()
            )
            _check(good, name, found)
        _check(list(data["frequencies"]) == list(data["action_evs"]), "action_evs", "")
        pairs = {name: (data[name][0], data[name][1]) for name in ("ev", "equity")}
        return cls(**{**data, **pairs})

    def columns(self) -> dict[str, Any]:
        """The row of ``table.csv``, by column."""
        actions: dict[str, Any] = {}
        for label, frequency in self.frequencies.items():
            actions[label] = frequency
            actions[f"{label}_ev"] = self.action_evs[label]
        return {
            "board": self.board,
            "weight": self.weight,
            "deals": self.deals,
            "oop_ev": self.ev[0],
            "ip_ev": self.ev[1],
            "oop_equity": self.equity[0],
            "ip_equity": self.equity[1],
            "exploitability": self.exploitability,
            "percent": self.percent,
            "iterations": self.iterations,
            "stopped": self.stopped,
            "seconds": self.seconds,
            "total_seconds": self.total_seconds,
            "bytes": self.bytes,
            **actions,
        }


def make_row(
    solution: PostflopSolution, board: str, weight: float, total_seconds: float, size: int
) -> BoardRow:
    """The row of a solved board."""
    root = solution.at("")
    frequencies = root.frequencies.tolist()
    arriving = root.weights[0] * unblocked_weights(root.weights[1])
    reached = solution.exploitability
    return BoardRow(
        board=board,
        weight=weight,
        deals=float(arriving.sum()),
        ev=solution.values,
        equity=solution.equities,
        exploitability=reached.chips,
        percent=reached.percent,
        iterations=solution.iterations,
        stopped=solution.stopped,
        seconds=solution.seconds,
        total_seconds=total_seconds,
        bytes=size,
        frequencies=dict(zip(root.actions, frequencies, strict=True)),
        action_evs={
            label: _mean(ev, arriving * np.nan_to_num(played))
            for label, ev, played in zip(root.actions, root.action_ev, root.strategy, strict=True)
        },
    )


def _mean(values: Floats, weights: Floats) -> float | None:
    total = float(weights.sum())
    return float(np.nan_to_num(values) @ weights) / total if total > 0 else None


def write_csv(rows: Iterable[BoardRow]) -> str:
    r"""The table as text; columns of actions that a board does not have are empty.

    Examples
    --------
    >>> row = BoardRow("AsKh7d", 24.0, 9.0, (4.0, 6.0), (0.4, 0.6), 0.1, 1.0, 50, "target",
    ...                1.5, 2.0, 1000, {"x": 0.25, "b5": 0.75}, {"x": 3.0, "b5": None})
    >>> print(write_csv([row]).replace("\r", ""), end="")
    board,weight,deals,oop_ev,...,total_seconds,bytes,x,x_ev,b5,b5_ev
    AsKh7d,24.0,9.0,4.0,...,2.0,1000,0.25,3.0,0.75,
    """
    tables = [row.columns() for row in rows]
    names = list(dict.fromkeys(name for table in tables for name in table))
    text = io.StringIO()
    writer = csv.DictWriter(text, names, restval="")
    writer.writeheader()
    writer.writerows(tables)
    return text.getvalue()


def _is_number(value: Any) -> bool:
    good = isinstance(value, int | float) and not isinstance(value, bool)
    return good and math.isfinite(value)


def _check(good: bool, name: str, value: Any) -> None:
    if not good:
        raise ValueError(f"{name} is {shorten(repr(value))}")

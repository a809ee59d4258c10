"""Reports over boards as plain data: what ``report FOLDER --json`` prints and pages are made of."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pokerlab.batches.board_report import BoardReport, BoardsMean


@dataclass(frozen=True)
class BoardLine:
    """A board, or several, as a row of a table; None is what is not known."""

    name: str
    weight: float
    ev: Sequence[float | None]
    equity: Sequence[float | None]
    realisation: Sequence[float | None]
    frequencies: Sequence[float | None]
    action_ev: Sequence[float | None]

    @classmethod
    def of(cls, name: str, mean: BoardsMean) -> BoardLine:
        """Several boards together."""
        return cls(
            name,
            mean.share,
            mean.ev,
            mean.equity,
            mean.realisation,
            list(mean.frequencies.values()),
            list(mean.action_evs.values()),
        )


def board_lines(report: BoardReport, limit: int | None = None) -> list[BoardLine]:
    """The boards of a report, each as a line."""

    def known(values: Any) -> list[float | None]:
        return [None if math.isnan(value) else value for value in values.tolist()]

    realised = report.realisation
    return [
        BoardLine(
            board,
            float(report.shares[place]),
            known(report.ev[place]),
            known(report.equity[place]),
            known(realised[place]),
            known(report.frequencies[place]),
            known(report.action_evs[place]),
        )
        for place, board in enumerate(report.boards[:limit])
    ]


def boards_data(report: BoardReport) -> list[dict[str, Any]]:
    """A row for each board, for JSON."""
    return [
        {
            "board": row.name,
            "weight": row.weight,
            "ev": row.ev,
            "equity": row.equity,
            "realisation": row.realisation,
            "actions": dict(zip(report.actions, row.frequencies, strict=True)),
            "action_ev": dict(zip(report.actions, row.action_ev, strict=True)),
            "texture": kind._asdict() | {"high": kind.high_card},
        }
        for row, kind in zip(board_lines(report), report.textures, strict=True)
    ]


def mean_data(mean: BoardsMean) -> dict[str, Any]:
    """Several boards together, for JSON."""
    return {
        "boards": mean.boards,
        "weight": mean.share,
        "ev": mean.ev,
        "equity": mean.equity,
        "realisation": mean.realisation,
        "actions": dict(mean.frequencies),
        "action_ev": dict(mean.action_evs),
    }


def grouped_by(report: BoardReport, features: str) -> dict[str, BoardsMean]:
    """The means of classes of flops, by their names; `features` as in ``suits,pairing``."""
    names = [name.strip() for name in features.split(",")]
    return {" ".join(value): mean for value, mean in report.groups(names).items()}


def group_columns(groups: Mapping[str, BoardsMean]) -> dict[str, list[Any]]:
    """Classes of flops as columns, for files."""
    means = [mean.numbers() for mean in groups.values()]
    columns: dict[str, list[Any]] = {
        "flops": list(groups),
        "boards": [mean.boards for mean in groups.values()],
    }
    return columns | {name: [mean[name] for mean in means] for name in means[0]}


def report_columns(report: BoardReport, digits: int = 5) -> dict[str, list[Any]]:
    """The table of a report, rounded for pages: shares and chances to `digits` places, EVs too.

    Examples
    --------
    >>> import numpy as np
    >>> one = np.array([[1 / 3, 2 / 3]])
    >>> report = BoardReport("", 0, ("AsKh7d",), np.ones(1), np.ones(1), np.ones(1), one, one,
    ...                      ("x", "a"), one, one)
    >>> report_columns(report, 3)["x"], report_columns(report, 3)["suits"]
    ([0.333], ['rainbow'])
    """
    return {
        name: [round(value, digits) if isinstance(value, float) else value for value in values]
        for name, values in report.table().items()
    }

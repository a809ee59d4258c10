"""`Point`: a measurement of a solve, and the history of them as tensors of a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from pokerlab.files.reader import Expected

__all__ = ["HISTORY", "Point", "history_tensors", "read_history"]


class Point(NamedTuple):
    """A measurement on the way: seconds are those spent in iterations, not in measuring."""

    iteration: int
    seconds: float
    exploitability: float
    exploitability_abstract: float | None = None
    """Inside the abstraction of an `AbstractSolver`; None where there is none."""


HISTORY = {
    "history": Expected(np.float64, (None, 3), -(2**53), 2**53),
    "history_abstract": Expected(np.float64, (None,), -(2**53), 2**53, optional=True),
}
"""Measurements as tensors of a file."""


def history_tensors(history: Sequence[Point]) -> dict[str, npt.NDArray[np.generic]]:
    """Measurements as they are saved."""
    tensors: dict[str, npt.NDArray[np.generic]] = {
        "history": np.array([point[:3] for point in history], np.float64).reshape(-1, 3)
    }
    if history and history[-1].exploitability_abstract is not None:
        tensors["history_abstract"] = np.array(
            [point.exploitability_abstract for point in history], np.float64
        )
    return tensors


def read_history(tensors: Mapping[str, npt.NDArray[Any]]) -> tuple[Point, ...]:
    """Measurements that were saved; `ValueError` if their tensors do not belong together."""
    rows = tensors["history"].tolist()
    abstract: list[float | None] = [None] * len(rows)
    if "history_abstract" in tensors:
        abstract = tensors["history_abstract"].tolist()
    if len(abstract) != len(rows):
        raise ValueError("the tensors 'history' and 'history_abstract' differ in length")
    return tuple(
        Point(int(row[0]), row[1], row[2], inside)
        for row, inside in zip(rows, abstract, strict=True)
    )

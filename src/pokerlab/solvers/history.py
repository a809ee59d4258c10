"""`Point`: a measurement of a solve; `History`: all of them, and their tensors in a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from pokerlab.runtime.arrays import AnyArray
from pokerlab.runtime.files.columns import make_frame
from pokerlab.runtime.files.reader import Expected
from pokerlab.runtime.shown import function_named


class Point(NamedTuple):
    """A measurement on the way."""

    iteration: int
    """After how many iterations it was made."""
    seconds: float
    """What was spent in iterations until then; measurements do not count."""
    exploitability: float
    """What was measured, in chips."""
    exploitability_abstract: float | None = None
    """Inside the abstraction of an `AbstractSolver`; None where there is none."""


class History(tuple[Point, ...]):
    """The measurements of a solve, the oldest first; a notebook draws them as a curve.

    Examples
    --------
    >>> history = History([Point(1, 0.1, 8.0), Point(10, 1.0, 0.5)])
    >>> history[-1].exploitability, history.to_frame().columns.tolist()
    (0.5, ['iteration', 'seconds', 'exploitability'])
    >>> history.svg().count("<polyline")
    1
    """

    __slots__ = ()

    def to_frame(self) -> Any:
        """A row for each measurement, as a ``pandas.DataFrame``."""
        columns: dict[str, list[Any]] = {
            name: [getattr(point, name) for point in self] for name in Point._fields
        }
        if not any(point.exploitability_abstract is not None for point in self):
            del columns["exploitability_abstract"]
        return make_frame(columns)

    def svg(self, factor: float = 1.0, unit: str = "") -> str:
        """The curve of exploitability against iterations; `factor` turns it into a `unit`."""
        curves = {
            "exploitability": [(point.iteration, factor * point.exploitability) for point in self]
        }
        inside = [
            (point.iteration, factor * point.exploitability_abstract)
            for point in self
            if point.exploitability_abstract is not None
        ]
        if inside:
            curves["inside the groups"] = inside
        up = "exploitability" + (f", {unit}" if unit else "")
        draw = function_named("pokerlab.views.pictures.curves:curves_svg")
        return str(draw(curves, label=f"{up} by iterations", across="iterations", up=up))

    def _repr_html_(self) -> str:
        return self.svg()


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


def read_history(tensors: Mapping[str, AnyArray]) -> History:
    """Measurements that were saved; `ValueError` if their tensors do not belong together."""
    rows = tensors["history"].tolist()
    abstract: list[float | None] = [None] * len(rows)
    if "history_abstract" in tensors:
        abstract = tensors["history_abstract"].tolist()
    if len(abstract) != len(rows):
        raise ValueError("the tensors 'history' and 'history_abstract' differ in length")
    return History(
        Point(int(row[0]), row[1], row[2], inside)
        for row, inside in zip(rows, abstract, strict=True)
    )

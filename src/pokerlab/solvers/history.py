"""`Point`: a measurement of a solve; `History`: all of them; `stalls`: whether it stands still."""

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


_GROWTH = 5
"""A solve is judged once its iterations have grown by this factor:"""
_FALL = 0.9
"""it stands still if its best exploitability is still above this part of the best before."""
_EARLIEST = 20
"""Measurements before this iteration do not count: regrets have to build up first, and the first
strategies may be close to equilibrium by chance."""


def stalls(history: Sequence[Point], since: int = 0) -> bool:
    """Whether the best exploitability fell by less than a tenth in the last fivefold iterations.

    An update rule makes it fall about like a power of the iterations, at the slowest like their
    power of 0.4, which halves it while the iterations grow fivefold. Rounding of stored numbers
    and groups of hands have a floor below which it cannot fall, whatever the iterations.

    Parameters
    ----------
    history
        All measurements, the oldest first. The best count, so swings of single ones do not.
    since
        Measurements before this iteration do not count: a solve that stood still and goes on
        all the same has to be given time again.

    Examples
    --------
    >>> falling = [Point(n, 0.0, 1 / n) for n in (20, 40, 80, 160, 320, 640)]
    >>> standing = [Point(n, 0.0, max(1 / n, 1 / 80)) for n in (20, 40, 80, 160, 320, 640)]
    >>> stalls(falling), stalls(standing), stalls(standing[:-1]), stalls(standing, since=160)
    (False, True, False, False)
    """
    counted = [point for point in history if point.iteration >= max(since, _EARLIEST)]
    if not counted:
        return False
    last = counted[-1].iteration
    before = [each.exploitability for each in counted if each.iteration * _GROWTH <= last]
    best = min(each.exploitability for each in counted)
    return bool(before) and best > _FALL * min(before)

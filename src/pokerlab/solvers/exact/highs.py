"""`minimise`: a linear program, solved by HiGHS as exactly as games need it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.optimize import linprog

from pokerlab.runtime.arrays import Floats

if TYPE_CHECKING:
    from scipy.sparse import csr_array


_FEASIBILITY = 1e-10
"""How far HiGHS may miss a constraint; its default of 1e-7 would show in the value."""


def minimise(
    objective: Floats,
    *,
    upper: csr_array,
    limits: Floats,
    equal: csr_array,
    right: Floats,
    lowest: Floats,
    name: str,
) -> Any:
    """What SciPy found for ``upper · x ≤ limits``, ``equal · x = right`` and ``x ≥ lowest``.

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> one, zero = csr_array([[1.0, 1.0]]), np.zeros(2)
    >>> minimise(np.array([1.0, 2.0]), upper=-one, limits=np.zeros(1), equal=one,
    ...          right=np.ones(1), lowest=zero, name="a toy").x
    array([1., 0.])
    """
    result = linprog(
        objective,
        A_ub=upper,
        b_ub=limits,
        A_eq=equal,
        b_eq=right,
        bounds=np.column_stack([lowest, np.full(len(objective), np.inf)]),
        method="highs",
        options={
            "primal_feasibility_tolerance": _FEASIBILITY,
            "dual_feasibility_tolerance": _FEASIBILITY,
        },
    )
    if result.status != 0:
        raise RuntimeError(f"HiGHS did not solve {name}: {result.message}")
    return result

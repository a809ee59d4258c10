"""Names of array types, one for each kind of number."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

AnyArray: TypeAlias = npt.NDArray[Any]
Bools: TypeAlias = npt.NDArray[np.bool_]

Floats: TypeAlias = npt.NDArray[np.float64]
Singles: TypeAlias = npt.NDArray[np.float32]
Halves: TypeAlias = npt.NDArray[np.float16]
Reals: TypeAlias = npt.NDArray[np.floating[Any]]
"""Of any precision."""

Int8s: TypeAlias = npt.NDArray[np.int8]
Int16s: TypeAlias = npt.NDArray[np.int16]
Int32s: TypeAlias = npt.NDArray[np.int32]
Int64s: TypeAlias = npt.NDArray[np.int64]
Integers: TypeAlias = npt.NDArray[np.signedinteger[Any]]
"""Of any size."""
Indices: TypeAlias = npt.NDArray[np.intp]

Bytes: TypeAlias = npt.NDArray[np.uint8]
Uint16s: TypeAlias = npt.NDArray[np.uint16]
Uint64s: TypeAlias = npt.NDArray[np.uint64]

"""Two numbers in one place, in plain NumPy: what `store_two` and `load_second` are to do."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

_KINDS: dict[int, tuple[Any, Any, int, int]] = {
    # bytes: the number, its word, bits of the mantissa, bits of the second number
    2: (np.float16, np.uint16, 10, 8),
    4: (np.float32, np.uint32, 23, 19),
    8: (np.float64, np.uint64, 52, 31),
}


def two_numbers(numbers: npt.NDArray[Any], first: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """What is stored of numbers, with `first` in front of those that are not above zero."""
    kind, word, mantissa, hidden = _KINDS[numbers.dtype.itemsize]
    width = 8 * numbers.dtype.itemsize
    stored = numbers.copy()
    for place, (number, ahead) in enumerate(zip(numbers, first, strict=True)):
        bits, front = int(number.view(word)), int(ahead.view(word))
        # An even word: the nearest as a half, and of two the one farther from zero.
        bits += bits % 2 if width == 16 else 0
        if number <= 0 and ahead > 0 and front >= 1 << mantissa:
            size = bits % (1 << (width - 1))
            front -= front % (1 << (hidden + 1))
            bits = front + (size >> (width - 1 - hidden)) * 2 + 1
        else:
            bits -= bits % 2
        stored[place] = np.array(bits, word).view(kind)
    return stored


def second_numbers(stored: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The numbers that stand behind others, and those that stand alone."""
    kind, word, mantissa, hidden = _KINDS[stored.dtype.itemsize]
    width = 8 * stored.dtype.itemsize
    found = stored.copy()
    for place, number in enumerate(stored):
        bits = int(number.view(word))
        if number > 0 and bits % 2:
            size = (bits >> 1) % (1 << hidden) << (width - 1 - hidden)
            if width == 16 and size < 1 << mantissa:
                size = 0
            found[place] = -np.array(size, word).view(kind)
    return found

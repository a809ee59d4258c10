"""The state of two trainings, one for each seat, as one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

from pokerlab.arrays import AnyArray


class _Seat(Protocol):
    iteration: int

    def state(self) -> dict[str, npt.NDArray[np.generic]]: ...

    def restore(self, state: Mapping[str, AnyArray]) -> None: ...


def seats_state(seats: Sequence[_Seat]) -> dict[str, npt.NDArray[np.generic]]:
    """The tensors of all seats, each with the number of its seat before its name."""
    return {
        f"{number}.{name}": tensor
        for number, seat in enumerate(seats)
        for name, tensor in seat.state().items()
    }


def restore_seats(seats: Sequence[_Seat], state: Mapping[str, AnyArray]) -> int:
    """Bring all seats back to a state, and give the iteration of all of them.

    `ValueError` says what is wrong with one that no such trainings have left.
    """
    for number, seat in enumerate(seats):
        start = f"{number}."
        seat.restore(
            {
                name.removeprefix(start): each
                for name, each in state.items()
                if name.startswith(start)
            }
        )
    if len({seat.iteration for seat in seats}) > 1:
        raise ValueError("the trainings of the two seats have gone through different iterations")
    return seats[0].iteration

"""How the list of boards of a folder grows: what was asked for once stays in it."""

from __future__ import annotations

from collections.abc import Mapping
from math import comb

_FLOPS_DEALT = comb(52, 3)


def join_boards(
    before: Mapping[str, float], named: Mapping[str, float], *, up_to_suits: bool = False
) -> dict[str, float]:
    """The boards of a folder, and what each weighs, once more of them are named.

    A list that names all boards of the folder takes the place of the old one, weights and all: the
    subsets of flops hold each other, so 25 grow to 49. So does one that stands for all flops, but
    the boards that it leaves out keep their weights. A part of the folder's boards changes nothing.
    Of any other list the boards that are new come to the others.

    Examples
    --------
    >>> join_boards({"AsKh7d": 900.0}, {"AsKh7d": 24.0, "QsQh2d": 12.0})
    {'AsKh7d': 24.0, 'QsQh2d': 12.0}
    >>> join_boards({"AsKh7d": 900.0, "6s5s2s": 80.0}, {"AsKh7d": 24.0})
    {'AsKh7d': 900.0, '6s5s2s': 80.0}
    >>> join_boards({"AsKh7d": 900.0, "6s5s2s": 80.0}, {"AsKh7d": 24.0, "QsQh2d": 12.0})
    {'AsKh7d': 900.0, '6s5s2s': 80.0, 'QsQh2d': 12.0}
    """
    if before.keys() <= named.keys():
        return dict(named)
    if named.keys() <= before.keys():
        return dict(before)
    if up_to_suits and abs(sum(named.values()) - _FLOPS_DEALT) < 1:
        return {**before, **named}
    return {**before, **{board: each for board, each in named.items() if board not in before}}

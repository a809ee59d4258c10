"""A node of the public tree on a board, as kernels take it."""

from __future__ import annotations

from typing import Any, NamedTuple

from pokerlab.runtime.arrays import Int64s, Reals


class Node(NamedTuple):
    """A node of the hero on a board: where its values are, hand by hand."""

    target: int
    """Where the row of its values begins."""
    starts: Int64s
    factors: Reals
    edge: int
    """The first of its actions: those behind are ``starts[edge]`` and so on, times factors."""
    actions: int
    board: int
    hands: int


class Stored(NamedTuple):
    """What is stored of a node: rows of some length, the first at `place`."""

    weights: Any
    strategy: Any
    """What counts as the hero's strategy: the weights, or the sums of an average."""
    place: int
    length: int

"""`WalkerShape`: how a walker wants its tables laid out.

A processor and a GPU take other numbers of hands and leaves at once. Tables and programs
know nothing of either: the walker that they are made for says what it needs.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class WalkerShape:
    """What a walker takes at once.

    Attributes
    ----------
    hands
        The hands of a board are padded to a multiple of this. Files and checkpoints hold the
        padding too: walkers that share them have the same.
    leaves
        The size of the blocks in which leaves are evaluated.
    all_ins
        The number of all-ins before the river that are evaluated together.
    batch_bytes
        About the bytes of the rows of a batch of roots, on the last street.

    Examples
    --------
    >>> WalkerShape(hands=16, leaves=32, all_ins=4, batch_bytes=1 << 20).pad(33)
    48
    """

    hands: int
    leaves: int
    all_ins: int
    batch_bytes: int

    def pad(self, hands: int) -> int:
        """A number of hands, padding included."""
        return -(-hands // self.hands) * self.hands

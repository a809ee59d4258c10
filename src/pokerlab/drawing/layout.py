"""Where the nodes of a tree stand so that nothing overlaps and nothing is wider than it must be.

The tree grows from left to right; a column is a depth. Subtrees are moved together until they
touch at some depth, and a parent stands at the middle of its children (Reingold and Tilford
1981, for nodes of different sizes). Comparing whole contours costs nodes × depth, which is
nothing for a tree that can be looked at.
"""

from __future__ import annotations

from collections.abc import Sequence


def tidy_rows(
    parents: Sequence[int], above: Sequence[float], below: Sequence[float], gap: float
) -> list[float]:
    """The height at which each node stands; the first line of the picture is 0.

    Parameters
    ----------
    parents
        The place of each node's parent, -1 for the root; in preorder.
    above, below
        How far each node reaches up and down from where it stands.
    gap
        The least distance of two nodes.

    Examples
    --------
    >>> tidy_rows([-1, 0, 0, 2], [5, 5, 5, 5], [5, 5, 5, 5], gap=2)
    [11.0, 5.0, 17.0, 17.0]
    """
    count = len(parents)
    children: list[list[int]] = [[] for _ in range(count)]
    for place, parent in enumerate(parents):
        if parent >= 0:
            children[parent].append(place)
    shift = [0.0] * count  # from a node to its parent
    # How far the subtree of each node reaches at each depth, seen from the node.
    tops: list[list[float]] = [[] for _ in range(count)]
    bottoms: list[list[float]] = [[] for _ in range(count)]
    for place in range(count - 1, -1, -1):
        top: list[float] = []
        bottom: list[float] = []
        for child in children[place]:
            room = [low - high for low, high in zip(bottom, tops[child], strict=False)]
            down = max(room) + gap if room else 0.0
            shift[child] = down
            # A later child is below the earlier ones at every depth that they share.
            top += [down + high for high in tops[child][len(top) :]]
            bottom[: len(bottoms[child])] = [down + low for low in bottoms[child]]
            tops[child] = bottoms[child] = []
        middle = (shift[children[place][0]] + shift[children[place][-1]]) / 2 if top else 0.0
        for child in children[place]:
            shift[child] -= middle
        tops[place] = [-above[place], *(high - middle for high in top)]
        bottoms[place] = [below[place], *(low - middle for low in bottom)]
    heights = [-min(tops[0])] * count if count else []
    for place in range(1, count):
        heights[place] = heights[parents[place]] + shift[place]
    return heights

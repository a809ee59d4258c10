"""A tree as it is drawn: what stands at each node, for all formats."""

from __future__ import annotations

from dataclasses import dataclass

from pokerlab.games.protocol import CHANCE, TERMINAL
from pokerlab.trees.views import SEVERAL


@dataclass(frozen=True)
class DrawnLine:
    """A line of text at a node: what it says, and whether it is good, bad or of little interest."""

    text: str
    tone: str = "plain"


@dataclass(frozen=True)
class DrawnNode:
    """A node as it is drawn.

    Attributes
    ----------
    number
        Its number in the view.
    parent
        The place of its parent in the drawing; -1 for the root.
    depth
        Moves from the root.
    player
        As in `View.player`.
    move
        The edge into it.
    edge_notes
        What is written on the edge after the move.
    lines
        What is written at the node.
    path
        The way to it.
    infoset
        Its information set, -1 for none.
    highlighted, faint, thick
        Whether it is marked; whether it is drawn pale; whether the edge into it is thick.
    name
        What the player is called, where that is not the number of the seat.
    """

    number: int
    parent: int
    depth: int
    player: int
    move: str
    edge_notes: str
    lines: tuple[DrawnLine, ...]
    path: str
    infoset: int
    highlighted: bool
    faint: bool
    thick: bool
    name: str = ""

    @property
    def who(self) -> str:
        """Who moves, in words."""
        if self.name:
            return self.name
        words = {CHANCE: "chance", TERMINAL: "end", SEVERAL: "several players"}
        return words.get(self.player) or f"player {self.player}"


@dataclass(frozen=True)
class DrawnTree:
    """The nodes of a picture, in no format yet.

    Attributes
    ----------
    title
        What it shows.
    nodes
        The nodes in preorder.
    highlight, faint, thick
        What the marks mean; empty where there is none.
    linked
        Whether nodes of one information set are joined by dashed lines.
    """

    title: str
    nodes: tuple[DrawnNode, ...]
    highlight: str = ""
    faint: str = ""
    thick: str = ""
    linked: bool = False

"""Menus so small that a test can solve many streets."""

from pokerlab.players.bots.nolimit.menus import SolveMenu

SMALL = (
    (SolveMenu("flop", ("100%", "a", "a"), ("100%", "a", "a"), ("a", "", ""), 1, "1x1"),),
    (SolveMenu("turn", ("100%", "a"), ("60%", "a"), ("a", ""), 1),),
    (SolveMenu("river", ("100%",), ("50%, a",), ("a",), 2),),
)
"""For flop, turn and river."""

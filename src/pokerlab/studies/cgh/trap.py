"""A game of four decisions in which CGH goes round in circles for ever.

Player 0 stays out (0) or comes in; then player 1 takes (−0.03 for player 0) or goes on to a
simultaneous game that is worth +0.2 to player 0. In equilibrium player 0 stays out, because
player 1 would take.

CGH with a constant c from about 0.05 to 0.3 finds that, and then leaves it again. The constant
brings the probability of coming in to exactly 0. From then on nothing that player 1 does makes a
difference, all values of player 1 are equal, and the rule for ties moves them towards their last
action: a step of 1/n each time, which is a fixed share whenever n doubles. So player 1 forgets to
take. Player 0's answers in the simultaneous game have drifted in the same way while nobody went on,
so player 0 does not see at once that coming in pays; meanwhile the exploitability grows. Then
player 0 comes in, player 1 learns to take again, player 0 goes out, and it begins anew, in rounds
that grow with n. With c = 0 no probability becomes 0, and a solver that leaves information sets
with equal values alone stays in the equilibrium.
"""

from __future__ import annotations

from pokerlab.games import Choice, WrittenGame

_TAKEN = -0.03
_ROWS = {"up": (-1.0, 1.0), "down": (2.0, -1.0)}


def _won(chips: float) -> tuple[float, float]:
    return (chips, -chips)


_SIMULTANEOUS = Choice(
    0,
    {
        row: Choice(1, {"left": _won(left), "right": _won(right)})
        for row, (left, right) in _ROWS.items()
    },
    shown=dict.fromkeys(_ROWS, "a row"),
)
_ANSWER = Choice(1, {"take": _won(_TAKEN), "on": _SIMULTANEOUS})

TRAP = WrittenGame(
    "trap",
    "Out, or in; in is taken, or goes on: greedy hedging never comes to rest",
    2,
    Choice(0, {"out": _won(0.0), "in": _ANSWER}),
)
"""The game; its value is 0."""

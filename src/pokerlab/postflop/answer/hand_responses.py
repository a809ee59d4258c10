"""The EV of each hand of a solved spot: by its strategy, and by a best response.

A best response can be found for each hand by itself. The values are those of the independent
check (`pokerlab.postflop.answer.independent_walk`), before they are summed over the range.
"""

from __future__ import annotations

from typing import NamedTuple

from pokerlab.cards.codes import COMBO_CARDS, format_cards
from pokerlab.postflop.answer.independent_walk import BEST, SAVED, Verifier
from pokerlab.postflop.answer.solution import PostflopSolution


class HandValue(NamedTuple):
    """The EV of a player with a hand.

    Attributes
    ----------
    hand
        The cards.
    weight
        The weight of the hand in the range.
    value
        What the player takes on average, in chips, when both play the solution.
    best
        What the player would take by a best response.
    """

    hand: str
    weight: float
    value: float
    best: float


def hand_responses(solution: PostflopSolution, player: int) -> tuple[HandValue, ...]:
    """The EV of each hand, by the solution and by a best response; strongest first.

    Examples
    --------
    >>> from pokerlab.postflop import Spot, solve_spot
    >>> spot = Spot("QhJh2c4d7h", "AA, KQs, JTs", "QQ, AJs, T9s", pot=100, stack=80)
    >>> solution = solve_spot(spot, target="0.1%")
    >>> hands = hand_responses(solution, 0)
    >>> all(hand.best >= hand.value - 1e-9 for hand in hands)
    True
    >>> hands[0].hand[::2], round(hands[0].best)
    ('KQ', 73)
    """
    if player not in (0, 1):
        raise ValueError(f"no player {player}: a spot has 0 (oop) and 1 (ip)")
    verifier = Verifier(solution)
    boards = solution.boards
    opponent = boards.weights[1 - player]
    apart = verifier.apart if player == 0 else verifier.apart.T
    met = apart @ opponent
    values = verifier.root[0][player]
    found = []
    for number, combo in enumerate(boards.combos[player]):
        weight = float(boards.weights[player][number])
        if weight > 0.0 and met[number] > 0.0:
            saved, best = (
                float(values[plan, number] / met[number]) + solution.spot.pot / 2
                for plan in (SAVED, BEST)
            )
            high, low = sorted(COMBO_CARDS[combo].tolist(), reverse=True)
            found.append(HandValue(format_cards([high, low]), weight, saved, best))
    return tuple(sorted(found, key=lambda hand: -hand.best))

"""The choices of a gadget between walks: a few thousand numbers, once an iteration.

They are learnt by regret matching, and say with which hands the opponent comes. The processor's
walks call this between one another (`pokerlab.engine.cpu.kernels.solve_kernels`), Python between
those of a GPU.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from pokerlab.runtime.arrays import Bools, Floats
from pokerlab.runtime.jit import kernel
from pokerlab.solvers.regret_kernels import discounted_regret, matching_weight


class RootChoices(NamedTuple):
    """What the opponent's hands may choose at the root, and what they learnt.

    Arrays of choices are (choices, decisions): two choices for each hand, to play on and to stop,
    or one choice among all hands.
    """

    player: int
    """The opponent; −1 where nobody chooses."""
    among_hands: int
    """1 for one choice among all hands."""
    scale: float
    """How large ranges are made."""
    must: Floats
    free: Floats
    """(hands,): a hand comes with `must` + `free` times how often it plays on, or is chosen."""
    values: Floats
    """(hands,): what a hand gets when it stops."""
    met: Bools
    """(hands,): whether a hand can be held."""
    first: Floats
    """(choices, decisions): the shares where no choice has a weight."""
    regrets: Floats
    played: Floats
    sums: Floats
    """(choices, decisions): what was learnt, the shares now, and their weighted sums."""
    gains: Floats
    """(choices, decisions): room for what choices gain."""


@kernel(makes_arrays=False)
def come_by_choice(choices: RootChoices, weights: Any) -> None:
    """Write the weights of the opponent's hands, as they choose now."""
    played = choices.played
    for hand in range(choices.must.size):
        share = played[hand, 0] if choices.among_hands else played[0, hand]
        weights[hand] = choices.scale * (choices.must[hand] + choices.free[hand] * share)


@kernel(makes_arrays=False)
def add_choices(choices: RootChoices, average: float) -> None:
    """Let the shares of this iteration enter the sums, which are multiplied by `average` before."""
    played, sums = choices.played, choices.sums
    for choice in range(played.shape[0]):
        for decision in range(played.shape[1]):
            sums[choice, decision] = sums[choice, decision] * average + played[choice, decision]


@kernel(makes_arrays=False)
def learn_choices(
    choices: RootChoices,
    worth: Any,
    positive: float,
    negative: float,
    prediction: float,
    trial: float,
) -> None:
    """Update the choices, given what each hand wins by playing on."""
    gains, values, met = choices.gains, choices.values, choices.met
    if choices.among_hands:
        least = math.inf
        for hand in range(values.size):
            gains[hand, 0] = (worth[hand] - values[hand]) * choices.free[hand]
            if met[hand]:
                least = min(least, gains[hand, 0])
        for hand in range(values.size):
            if not met[hand]:
                gains[hand, 0] = least  # never above the mean
    else:
        for hand in range(values.size):
            gains[0, hand] = worth[hand]
            gains[1, hand] = values[hand]
    match_choices(
        gains, choices.first, positive, negative, prediction, trial, choices.regrets, choices.played
    )


@kernel(makes_arrays=False)
def match_choices(
    gains: Floats,
    first: Floats,
    positive: float,
    negative: float,
    prediction: float,
    trial: float,
    regrets: Floats,
    played: Floats,
) -> None:
    """Update regrets and shares of choices (choices, decisions), given what each choice gains.

    As `pokerlab.solvers.rules.Step` says; where no choice has a weight, the shares are `first`.
    """
    choices, decisions = gains.shape
    for decision in range(decisions):
        mean = 0.0
        for choice in range(choices):
            mean += played[choice, decision] * gains[choice, decision]
        total = 0.0
        for choice in range(choices):
            gain = gains[choice, decision] - mean
            regret = discounted_regret(regrets[choice, decision], gain, positive, negative)
            regrets[choice, decision] = regret
            weight = matching_weight(regret, gain, prediction, trial)
            played[choice, decision] = weight
            total += weight
        for choice in range(choices):
            if total > 0.0:
                played[choice, decision] /= total
            else:
                played[choice, decision] = first[choice, decision]

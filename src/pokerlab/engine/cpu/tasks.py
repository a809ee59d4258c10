"""What a walk is for."""

from __future__ import annotations

LEARN = 0
"""The hero's strategies are updated, and what the opponent plays is added to the sums."""
BEST = 1
"""The value of the hero's best response."""
MEAN = 2
"""The value of the hero's strategy."""
RECORD = 3
"""Nothing comes up: what the opponent plays is added to the sums, and that is all. (With averages
as strategies, probabilities in the sums are multiplied by the reach that arrives.)"""
SEED = 4
"""Regrets are written that a solve may have which arrived at the average strategies."""
BEST_BY_GROUP = 5
"""The value of a response that does the same with all hands of a group: going up, each group takes
the action that is best for its hands together."""

NEW_VALUE = 1
"""The code of the rules' choice to pass up the value of the new strategy."""

"""Models of players, from hands that were played.

`estimate_model` counts a player's actions at each information set, infers the cards where they
were never shown, and smooths the result towards a prior: a `PlayerModel`, which is a
strategy with the number of observations behind each of its numbers. `pokerlab.solvers.respond`
answers it.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

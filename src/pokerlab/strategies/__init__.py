"""Saved strategies, ready for look-up in play.

`open_strategy` makes a `StrategyLookUp` of a file that `pokerlab solve -o` wrote: of a solved game
of the catalogue, or of a solved spot of hold'em. A spot is a game of its own at a table
(`SpotGame`): hands come from its ranges, its board lies there, and the pot is in the middle. A
`TableStrategy` has a row of probabilities for each betting and group of cards of a limit game, and
a `LimitStrategy` is such a table in a file that `pokerlab train` wrote.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

"""Cards: card and combo codes, the evaluator, ranges, equity, suit isomorphism.

Cards are numbers 0 (2c) to 51 (As), two-card hands are numbers 0 to 1325, hands are classes
1 (royal flush) to 7462 (seven high). Text such as ``"AsKd"`` is taken wherever cards are.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

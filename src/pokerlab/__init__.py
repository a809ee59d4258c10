"""pokerlab: solve poker games to equilibrium, build players, prove how good they are.

A script needs ``import pokerlab as pl`` and little else. A name is imported when it is first used,
so that ``import pokerlab`` costs nothing.
"""

import lazy_loader

__version__ = "0.1.0"

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

"""Tables, duplicate matches, tournaments, simulation, ACPC protocol, logs, replay.

`play_match` seats bots at a table; every hand is a `PlayedHand`, and logs, replay,
statistics and variance reduction all take those.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

"""Hold'em on public boards: boards, layouts by hand or by group, walkers on CPU and GPU.

The engine takes a `PublicGame`: a betting tree, a board, two ranges, and what the ends pay. It
knows no spot, no limit game and no file.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

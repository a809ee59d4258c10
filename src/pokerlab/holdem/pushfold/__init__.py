"""Push or fold for two to six players: all-in before the flop or not at all, in chips or prizes."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

"""Groups of hands that a strategy treats as one, and how kernels find the group of some cards."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

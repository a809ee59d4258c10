"""Betting trees: the lines that menus of sizes allow, one set of small arrays a street."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

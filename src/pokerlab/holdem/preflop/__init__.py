"""Heads-up hold'em from before the flop: bets, the 169 starting hands, and equilibria of both."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

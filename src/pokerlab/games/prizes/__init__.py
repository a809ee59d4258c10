"""What chips are worth in prize money: the independent chip model, bounties and deals."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

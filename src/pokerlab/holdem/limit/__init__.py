"""Smaller games that stand for larger ones, and the way back: which size a bet stands for.

`Buckets` are groups of hands by their strength (`make_buckets` makes them, `cached_buckets` keeps
them). In an `IndependentBucketGame` the buckets of the two players move from street to street
independently of each other; an `ExactBucketGame` keeps what cards and board have in common.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

"""Smaller games that stand for larger ones, and the way back: which size a bet stands for.

Cards that are alike form groups (`StreetGroups`), street by street. `Buckets` are groups by the
strength of hands (`make_buckets` makes them, `cached_buckets` keeps them); `independent_bucket_game` is the
game in which chance moves between buckets, `ExactBucketGame` that in which they belong together.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

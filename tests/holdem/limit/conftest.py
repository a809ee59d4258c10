import numpy as np
import pytest

from pokerlab.holdem.limit.buckets.buckets import Buckets
from pokerlab.holdem.limit.buckets.street_buckets import StreetBuckets
from pokerlab.holdem.limit.strength.tables import hand_indexers


@pytest.fixture(scope="session")
def toy_buckets():
    """Buckets with perfect recall that mean nothing, but are there at once: 3, 6, 12, 24."""
    rng = np.random.default_rng(7)
    groups = []
    before = 1
    for street, (indexer, n_values) in enumerate(zip(hand_indexers(), (3, 6, 4, 5), strict=True)):
        times = -(-indexer.size // n_values)
        values = np.tile(rng.permutation(n_values).astype(np.uint16), times)[: indexer.size]
        next_bucket = None
        if street:
            steps = rng.integers(0, 2, (before, n_values))
            next_bucket = (np.arange(before)[:, None] * 2 + steps).astype(np.int32)
        count = before * 2 if street else 3
        groups.append(StreetBuckets(count, values, "hand", next_bucket))
        before = count
    shares = tuple(np.full(street.groups, 1 / street.groups) for street in groups)
    return Buckets("toy", tuple(groups), shares)

import numpy as np
import pytest

from pokerlab.engine.groups.street_groups import StreetGroups
from pokerlab.holdem.limit.buckets.buckets import Buckets
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
        next_group = None
        if street:
            steps = rng.integers(0, 2, (before, n_values))
            next_group = (np.arange(before)[:, None] * 2 + steps).astype(np.int32)
        count = before * 2 if street else 3
        groups.append(StreetGroups(count, values, "hand", next_group))
        before = count
    shares = tuple(np.full(street.groups, 1 / street.groups) for street in groups)
    return Buckets("toy", tuple(groups), shares)

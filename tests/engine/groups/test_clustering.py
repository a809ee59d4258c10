import numpy as np
import pytest

from pokerlab.engine.groups.clustering import cluster_rows
from pokerlab.engine.groups.clustering_kernels import assign_rows, move_centres


def test_nearest_centres_are_those_of_plain_numpy():
    rng = np.random.default_rng(1)
    rows = rng.random((50, 7)).astype(np.float32)
    centres = rng.random((7, 9)).astype(np.float32)
    nearest, distances = np.empty(50, np.int64), np.empty(50, np.float32)
    assign_rows(rows, centres, nearest, distances)
    expected = np.abs(rows[:, :, None] - centres[None]).sum(axis=1)
    assert np.array_equal(nearest, expected.argmin(axis=1))
    assert np.allclose(distances, expected.min(axis=1), atol=1e-5)


def test_centres_move_to_the_weighted_mean():
    rng = np.random.default_rng(3)
    rows, weights = rng.random((20, 5)).astype(np.float32), rng.random(20)
    nearest = rng.integers(0, 3, 20)
    sums, totals = np.ones((5, 3)), np.ones(3)
    move_centres(rows, weights, nearest, sums, totals)
    for centre in range(3):
        here = nearest == centre
        assert totals[centre] == pytest.approx(weights[here].sum())
        assert np.allclose(sums[:, centre], weights[here] @ rows[here])


def test_clusters_are_found_and_sorted_from_weak_to_strong():
    rng = np.random.default_rng(4)
    strength = np.concatenate([rng.normal(mean, 0.01, 50) for mean in (0.8, 0.2, 0.5)])
    rows = (1 - strength[:, None]).astype(np.float32)
    centres = cluster_rows(rows, np.ones(150), 3, rng)
    assert np.allclose(1 - centres[0], [0.2, 0.5, 0.8], atol=0.01)


def test_more_clusters_than_different_hands_are_refused():
    with pytest.raises(ValueError, match="3 buckets are too many: there are only 2 different"):
        rows = np.array([[0], [1], [1]], np.float32)
        cluster_rows(rows, np.ones(3), 3, np.random.default_rng(0))

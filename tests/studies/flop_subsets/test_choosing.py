"""The choice of flops against brute force on small problems."""

from itertools import combinations

import numpy as np
import pytest
from scipy.optimize import minimize

from pokerlab.studies.flop_subsets.choosing import LEAST_SHARE, choose_flops, covariance, deviations


def random_problem(seed, flops=12, columns=5, own=0.3):
    generator = np.random.default_rng(seed)
    values = generator.normal(size=(flops, columns))
    counts = generator.integers(1, 5, flops).astype(float)
    return covariance([(1.0, deviations(values, counts))], own)


def error(errors, numbers, weights):
    return float(weights @ errors[np.ix_(numbers, numbers)] @ weights)


def best_of_all(errors, size):
    """The smallest error over all sets, among those whose best weights are large enough."""
    found = []
    for numbers in combinations(range(len(errors)), size):
        weights = np.linalg.solve(errors[np.ix_(numbers, numbers)], np.ones(size))
        weights /= weights.sum()
        if weights.min() * size >= LEAST_SHARE:
            found.append(error(errors, numbers, weights))
    return min(found)


@pytest.mark.parametrize("seed", range(6))
def test_close_to_the_best_of_all_sets(seed):
    errors = random_problem(seed)
    numbers, weights = choose_flops(errors, 4)
    assert len(set(numbers.tolist())) == 4
    assert weights.sum() == pytest.approx(1)
    assert weights.min() * 4 >= LEAST_SHARE
    found = error(errors, numbers, weights)
    assert found <= 1.15 * best_of_all(errors, 4)


def test_weights_are_the_best_for_their_flops():
    errors = random_problem(7)
    numbers, weights = choose_flops(errors, 5)
    own = errors[np.ix_(numbers, numbers)]
    best = minimize(
        lambda w: w @ own @ w,
        np.full(5, 0.2),
        constraints={"type": "eq", "fun": lambda w: w.sum() - 1},
        bounds=[(0, 1)] * 5,
        tol=1e-14,
    )
    assert weights == pytest.approx(best.x, abs=1e-5)


def test_a_subset_holds_the_one_it_starts_from():
    errors = random_problem(1)
    small, _ = choose_flops(errors, 3)
    large, weights = choose_flops(errors, 6, small)
    assert set(small.tolist()) < set(large.tolist())
    assert (weights > 0).all()


def test_all_flops_give_no_error_but_their_own_part():
    generator = np.random.default_rng(3)
    counts = np.full(8, 1.0)
    errors = covariance([(1.0, deviations(generator.normal(size=(8, 3)), counts))], 1e-3)
    numbers, weights = choose_flops(errors, 8)
    assert weights == pytest.approx(np.full(8, 1 / 8), abs=1e-9)
    assert error(errors, numbers, weights) == pytest.approx(1e-3 / 8)


def test_deviations_have_mean_0_and_variance_1_as_flops_are_dealt():
    generator = np.random.default_rng(4)
    counts, values = generator.uniform(1, 5, 20), generator.normal(size=(20, 3))
    chances = generator.uniform(0.5, 1, (20, 1))
    found = deviations(values, counts, chances)
    assert counts @ found == pytest.approx(np.zeros(3), abs=1e-12)
    assert counts @ (found**2 / chances) == pytest.approx(
        np.full(3, counts.sum() ** 2 / (counts @ chances)[0])
    )
    assert (deviations(np.ones((20, 1)), counts) == 0).all()

"""Nodes whose numbers are at the ends of all ranges, with denormal numbers kept and flushed."""

from __future__ import annotations

import numpy as np
import pytest
from tests.engine.cpu.kernels.test_node_kernels import (
    HANDS,
    PRECISIONS,
    WIDTH,
    impose_lock,
    seed_regrets,
    take_out_lock,
    update,
)

from pokerlab.engine.cpu.kernels.float_mode_kernels import flush_denormals, restore_mode
from pokerlab.engine.cpu.kernels.learning_kernels import match_regrets
from pokerlab.engine.cpu.kernels.probability_kernels import write_probabilities
from pokerlab.engine.cpu.kernels.reach_kernels import Averaging, split_reach
from pokerlab.engine.cpu.kernels.value_kernels import mean_values
from pokerlab.holdem.spots.solver import DEFAULT_RULE

REAL = {np.uint16: np.float16, np.float32: np.float32, np.float64: np.float64}


def corner_weights(kind: type, actions: int, rng: np.random.Generator) -> np.ndarray:
    """Weights of a node: zeros of both signs, denormals, the smallest normal ones, large ones."""
    real = REAL[kind]
    limits = np.finfo(real)
    sizes = [0.0, limits.smallest_subnormal, 7 * limits.smallest_subnormal]
    sizes += [limits.smallest_normal - limits.smallest_subnormal, limits.smallest_normal]
    sizes += [2 * limits.smallest_normal, 1.0, min(1e9, 3e4)]
    numbers = rng.choice(np.array([*sizes, *(-np.array(sizes))]), (actions, HANDS)).astype(real)
    numbers[:, 0] = limits.smallest_subnormal  # all that the hand has
    numbers[:, 1] = limits.smallest_normal
    numbers[1:, 2] = -limits.smallest_subnormal
    # An odd word stands for two numbers; those that nobody writes are left out.
    words = numbers.view(f"u{numbers.itemsize}")
    words &= ~words.dtype.type(1)
    return words.view(kind)


def without_denormals(numbers: np.ndarray) -> np.ndarray:
    """Numbers with zeros for denormal ones, as float64; storage of 16 bits as halves."""
    numbers = numbers.view(np.float16) if numbers.dtype == np.uint16 else numbers
    smallest = np.finfo(numbers.dtype).smallest_normal
    return np.where(abs(numbers) < smallest, 0, numbers).astype(float)


@pytest.mark.parametrize("precision", PRECISIONS)
@pytest.mark.parametrize("actions", [2, 3, 4])
def test_results_are_finite_and_do_not_depend_on_the_mode(precision, actions):
    rows, storage = precision
    rng = np.random.default_rng(actions)
    for _ in range(5):
        weights = corner_weights(storage, actions, rng).ravel()
        values = rng.normal(size=(actions + 2) * WIDTH).astype(rows)
        arriving = rng.choice([0.0, 1e-40, 1e-20, 0.3, 1.0], (actions + 1) * WIDTH).astype(rows)
        found = []
        for mode in ("kept", "flushed"):
            before = flush_denormals() if mode == "flushed" else None
            try:
                found.append(walk_node(rows, weights, values, arriving, actions))
            finally:
                if before is not None:
                    restore_mode(before)
        shares = found[0]["probabilities"].view(np.float16).astype(float).reshape(actions, HANDS)
        np.testing.assert_allclose(shares.sum(axis=0), 1, atol=4e-3)
        reach = found[0]["reach"].reshape(actions + 1, WIDTH)[:, :HANDS]
        np.testing.assert_allclose(reach[1:].sum(axis=0), reach[0], rtol=1e-5, atol=1e-37)
        assert abs(found[0]["mean"]).max() <= abs(values).max() * 1.01
        for name, kept in found[0].items():
            assert np.isfinite(kept if kept.dtype != np.uint16 else kept.view(np.float16)).all()
            flushed = without_denormals(found[1][name])
            # Products of the smallest weights and of values lose bits where they are kept, and
            # all where they are flushed: of such a hand the mean may be anything in between.
            if name in ("mean", "regrets", "seeds"):
                assert np.isfinite(flushed).all()
                continue
            np.testing.assert_array_equal(without_denormals(kept), flushed, err_msg=name)


def walk_node(rows, weights, values, arriving, actions) -> dict[str, np.ndarray]:
    """What all kernels that read the weights of a node make of them."""
    starts = np.arange(1, actions + 2) * WIDTH
    factors = np.ones(actions + 1, rows)
    step = update(DEFAULT_RULE, 20, rows)
    reach, sums = arriving.copy(), weights.copy()
    average = Averaging(rows(0.5), 3)
    split_reach(reach, 0, WIDTH, WIDTH, weights, sums, 0, HANDS, actions, average, False)
    mean, regrets = values.copy(), weights.copy()
    mean_values(mean, 0, starts, factors, 0, weights, 0, HANDS, actions)
    learnt = values.copy()
    match_regrets(learnt, 0, starts, factors, 0, regrets, 0, HANDS, actions, step)
    seeds = weights.copy()
    seed_regrets(values.copy(), 0, starts, factors, 0, weights, seeds, 0, HANDS, actions, step)
    probabilities = np.zeros(len(weights), np.uint16)
    first, counts = np.array([0, len(weights)]), np.array([actions])
    smallest = np.float32(2.0**-14)
    write_probabilities(weights, weights, first, counts, smallest, probabilities)
    locked = np.full(actions * HANDS, -1.0, np.float32)
    locked[HANDS // 2 : HANDS] = 1.0
    for action in range(1, actions):
        locked[action * HANDS + HANDS // 2 : (action + 1) * HANDS] = 0.0
    imposed, free = weights.copy(), weights.copy()
    impose_lock(imposed, 0, locked, 0, HANDS, actions)
    take_out_lock(weights, free, 0, locked, 0, HANDS, actions)
    return {
        "reach": reach,
        "mean": np.concatenate([mean[:HANDS], learnt[:HANDS]]),
        "regrets": regrets,
        "seeds": seeds,
        "probabilities": probabilities,
        "imposed": imposed,
        "free": free,
    }

"""The updates of a street against plain NumPy."""

import numpy as np
import pytest

from pokerlab.holdem.limit.bucket_games.bucket_game_kernels import hedge, match_regrets
from pokerlab.solvers.rules import PassedUpValue

CHILD = np.array([[-1, 1, 2, -1], [3, 4, 5, -1], [6, 7, -1, 8]])
ACTOR = np.array([0, 1, 0])
BUCKETS = 4


def street(seed):
    rng = np.random.default_rng(seed)
    legal = (CHILD >= 0)[:, :, None]
    strategy = rng.random((*CHILD.shape, BUCKETS)) * legal
    strategy /= strategy.sum(axis=1, keepdims=True)
    value = np.zeros((9, BUCKETS))
    value[3:] = rng.normal(size=(6, BUCKETS))
    return strategy, rng.normal(size=(*CHILD.shape, BUCKETS)) * legal, value


def passed_up_value(kind, old, new, best):
    return {PassedUpValue.OLD: old, PassedUpValue.NEW: new, PassedUpValue.BEST: best}[kind]


@pytest.mark.parametrize("returned", list(PassedUpValue))
@pytest.mark.parametrize("seed", range(3))
def test_regret_matching(returned, seed):
    positive, negative, prediction, trial = 0.9, 0.4, 0.5, 0.2
    strategy, regret, value = street(seed)
    expected_value, found = value.copy(), (regret.copy(), strategy.copy(), value.copy())
    step = positive, negative, prediction, trial
    match_regrets(0, *step, int(returned), CHILD, ACTOR, None, *found, np.empty(BUCKETS))
    for node in (2, 1, 0):
        actions = [action for action in range(4) if CHILD[node, action] >= 0]
        values = expected_value[CHILD[node, actions]]
        if ACTOR[node] != 0:
            expected_value[node] = values.sum(axis=0)
            continue
        old = (strategy[node, actions] * values).sum(axis=0)
        gain = values - old
        now = regret[node, actions]
        now = now * np.where(now > 0, positive, negative) + gain
        np.testing.assert_allclose(found[0][node, actions], now, atol=1e-12)
        weights = np.where(now > 0, now + prediction * gain, (prediction + trial) * gain)
        weights = np.maximum(weights, 0)
        total = weights.sum(axis=0)
        chosen = np.where(total > 0, weights / np.where(total > 0, total, 1), 1 / len(actions))
        np.testing.assert_allclose(found[1][node, actions], chosen, atol=1e-12)
        new = (chosen * values).sum(axis=0)
        expected_value[node] = passed_up_value(returned, old, new, values.max(axis=0))
    np.testing.assert_allclose(found[2], expected_value, atol=1e-12)


@pytest.mark.parametrize("returned", list(PassedUpValue))
def test_hedging(returned):
    greed, away = 0.25, 0.05
    strategy, _, value = street(7)
    expected_value, found = value.copy(), (strategy.copy(), value.copy())
    hedge(0, greed, away, int(returned), CHILD, ACTOR, None, *found)
    for node in (2, 1, 0):
        actions = [action for action in range(4) if CHILD[node, action] >= 0]
        values = expected_value[CHILD[node, actions]]
        if ACTOR[node] != 0:
            expected_value[node] = values.sum(axis=0)
            continue
        for bucket in range(BUCKETS):
            before = strategy[node, actions, bucket]
            best = int(np.argmax(values[:, bucket]))
            after = np.maximum((1 - greed) * before - away / len(actions), 0)
            after[best] = 1 - np.delete(after, best).sum()
            np.testing.assert_allclose(found[0][node, actions, bucket], after, atol=1e-12)
            expected_value[node, bucket] = passed_up_value(
                returned,
                before @ values[:, bucket],
                after @ values[:, bucket],
                values[best, bucket],
            )
    np.testing.assert_allclose(found[1], expected_value, atol=1e-12)

"""What happens at a node, against plain NumPy."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pytest
from tests.holdem.spots.two_numbers import second_numbers, two_numbers

from pokerlab.engine.cpu.kernels import learning_kernels, lock_kernels
from pokerlab.engine.cpu.kernels.learning_kernels import Update, match_regrets
from pokerlab.engine.cpu.kernels.probability_kernels import write_probabilities
from pokerlab.engine.cpu.kernels.reach_kernels import Averaging, split_reach
from pokerlab.engine.cpu.kernels.value_kernels import add_values, best_values, mean_values
from pokerlab.runtime.jit import kernel
from pokerlab.solvers import PassedUpValue, parse_rule

Floats = npt.NDArray[np.float64]

HANDS = 48
WIDTH = 64
PRECISIONS = [
    pytest.param((np.float32, np.float32), id="32"),
    pytest.param((np.float64, np.float64), id="64", marks=pytest.mark.slow),
    pytest.param((np.float32, np.uint16), id="16"),
]
ACTIONS = [2, 3, 4, 5]


# Kernels that only kernels may call, for us.


@kernel(makes_arrays=False)
def hedge(*arguments):
    learning_kernels.hedge(*arguments)


@kernel(makes_arrays=False)
def match_predicted(*arguments):
    learning_kernels.match_predicted(*arguments)


@kernel(makes_arrays=False)
def seed_regrets(*arguments):
    learning_kernels.seed_regrets(*arguments)


@kernel(makes_arrays=False)
def impose_lock(*arguments):
    lock_kernels.impose_lock(*arguments)


@kernel(makes_arrays=False)
def impose_locked_values(*arguments):
    lock_kernels.impose_locked_values(*arguments)


@kernel(makes_arrays=False)
def mix_reach(*arguments):
    lock_kernels.mix_reach(*arguments)


@kernel(makes_arrays=False)
def take_out_lock(*arguments):
    lock_kernels.take_out_lock(*arguments)


def stored(numbers: Floats, kind: type) -> npt.NDArray:
    """Numbers as a storage of this kind holds them."""
    return numbers.astype(np.float16).view(np.uint16) if kind == np.uint16 else numbers.astype(kind)


def read(array: npt.NDArray) -> Floats:
    return (array.view(np.float16) if array.dtype == np.uint16 else array).astype(float)


def unit(rows: type, storage: type | None = None) -> float:
    """How far a result may be off, relative to numbers around 1."""
    return 2e-3 if storage == np.uint16 else 1e-5 if rows == np.float32 else 1e-13


class Node(NamedTuple):
    """Random rows and storage around a node: what kernels get, and the same as matrices."""

    values: npt.NDArray
    target: int
    starts: npt.NDArray[np.int64]
    factors: npt.NDArray
    edge: int
    kept: npt.NDArray
    place: int
    action_values: Floats
    """(actions, hands), factors included."""
    weights: Floats
    """(actions, hands): the storage of the node."""

    @classmethod
    def random(cls, rng: np.random.Generator, rows: type, storage: type, actions: int) -> Node:
        values = rng.normal(size=12 * WIDTH).astype(rows)
        edge, place = 3, 20
        order = rng.permutation(12) * WIDTH
        starts = np.array([*order[:edge], *order[1 : 1 + actions], -1], np.int64)
        factors = rng.normal(size=len(starts)).astype(rows)
        numbers = rng.normal(size=(actions, HANDS)) * 3
        numbers[:, :5] = -abs(numbers[:, :5])  # nothing positive: play all actions alike
        numbers[:, 5] = 0
        numbers[1:, 6] = 0
        kept = stored(np.concatenate([[7.0] * place, numbers.ravel(), [7.0] * 16]), storage)
        mine = range(edge, edge + actions)
        return cls(
            values,
            int(order[0]),
            starts,
            factors,
            edge,
            kept,
            place,
            np.array(
                [values[starts[each] :][:HANDS].astype(float) * factors[each] for each in mine]
            ),
            read(kept)[place : place + actions * HANDS].reshape(actions, HANDS),
        )

    def result(self) -> Floats:
        return self.values[self.target :][:HANDS].astype(float)

    def new_weights(self) -> Floats:
        return self.storage_of(self.kept)

    def storage_of(self, array: npt.NDArray) -> Floats:
        rows = len(self.weights)
        found = read(array)
        assert (found[: self.place] == 7).all() and (found[self.place + rows * HANDS :] == 7).all()
        return found[self.place : self.place + rows * HANDS].reshape(rows, HANDS)

    def check_others(self, before: npt.NDArray) -> None:
        """No row but the target has changed, nor the end of the target."""
        same = np.ones(len(before), bool)
        same[self.target : self.target + HANDS] = False
        np.testing.assert_array_equal(self.values[same], before[same])


def match(weights: Floats) -> Floats:
    above = np.maximum(weights, 0)
    total = above.sum(axis=0)
    return np.where(total > 0, above / np.where(total > 0, total, 1), 1 / len(weights))


@pytest.fixture(params=PRECISIONS)
def precision(request):
    return request.param


@pytest.fixture(params=ACTIONS)
def node(request, precision) -> Node:
    rng = np.random.default_rng(request.param)
    return Node.random(rng, *precision, request.param)


def update(text: str, iteration: int, kind: type) -> Update:
    rule = parse_rule(text)
    numbers = [kind(number) for number in rule.at(iteration)]
    return Update(*numbers, rule.greedy, int(rule.passes_up), iteration)


@pytest.mark.parametrize("learn", [True, False])
@pytest.mark.parametrize("actions", [1, *ACTIONS])
def test_split_reach(precision, actions, learn):
    rows, storage = precision
    rng = np.random.default_rng(actions)
    node = Node.random(rng, rows, storage, actions)
    reach = rng.random(12 * WIDTH).astype(rows)
    source, target, average = 2 * WIDTH, 5 * WIDTH, 0.37
    before = reach.copy()
    old_sums = rng.random((actions, HANDS))
    sums = stored(np.concatenate([[7.0] * node.place, old_sums.ravel(), [7.0] * 16]), storage)
    old_sums = node.storage_of(sums)
    old_kept = node.kept.copy()
    split_reach(
        reach,
        source,
        target,
        WIDTH,
        node.kept,
        sums,
        node.place,
        HANDS,
        actions,
        Averaging(rows(average), 3),
        learn,
    )
    expected = match(node.weights) * before[source : source + HANDS]
    found = reach[target : target + actions * WIDTH].reshape(actions, WIDTH)
    np.testing.assert_allclose(found[:, :HANDS], expected, atol=unit(rows))
    new_sums = old_sums * average + expected if learn else old_sums
    np.testing.assert_allclose(node.storage_of(sums), new_sums, atol=unit(rows, storage))
    np.testing.assert_array_equal(node.kept, old_kept)
    untouched = np.ones((12, WIDTH), bool)
    untouched[5 : 5 + actions, :HANDS] = False
    np.testing.assert_array_equal(reach[untouched.ravel()], before[untouched.ravel()])


def test_no_reach_is_lost(precision, node):
    rows, _ = precision
    actions = len(node.weights)
    reach = np.random.default_rng(1).random(12 * WIDTH).astype(rows)
    sums = node.kept.copy()
    average = Averaging(rows(1), 1)
    split_reach(reach, 0, WIDTH, WIDTH, node.kept, sums, node.place, HANDS, actions, average, False)
    found = reach[WIDTH : (1 + actions) * WIDTH].reshape(actions, WIDTH)
    np.testing.assert_allclose(found[:, :HANDS].sum(axis=0), reach[:HANDS], rtol=unit(rows))


def test_add_values(precision, node):
    before = node.values.copy()
    actions = len(node.weights)
    add_values(node.values, node.target, node.starts, node.factors, node.edge, HANDS, actions)
    expected = node.action_values.sum(axis=0)
    np.testing.assert_allclose(node.result(), expected, atol=unit(precision[0]))
    node.check_others(before)


def test_best_values(precision, node):
    before = node.values.copy()
    actions = len(node.weights)
    best_values(node.values, node.target, node.starts, node.factors, node.edge, HANDS, actions)
    expected = node.action_values.max(axis=0)
    np.testing.assert_allclose(node.result(), expected, atol=unit(precision[0]))
    node.check_others(before)


def test_mean_values(precision, node):
    before = node.values.copy()
    mean_values(
        node.values,
        node.target,
        node.starts,
        node.factors,
        node.edge,
        node.kept,
        node.place,
        HANDS,
        len(node.weights),
    )
    expected = (match(node.weights) * node.action_values).sum(axis=0)
    np.testing.assert_allclose(node.result(), expected, atol=unit(precision[0]))
    node.check_others(before)
    np.testing.assert_array_equal(node.new_weights(), node.weights)


@pytest.mark.parametrize("rule", ["cfr", "cfr+", "linear", "dcfr(1.5,0.25,3)"])
def test_match_regrets(precision, node, rule):
    rows, storage = precision
    step = update(rule, 5, rows)
    before = node.values.copy()
    match_regrets(
        node.values,
        node.target,
        node.starts,
        node.factors,
        node.edge,
        node.kept,
        node.place,
        HANDS,
        len(node.weights),
        step,
    )
    mean = (match(node.weights) * node.action_values).sum(axis=0)
    keep = np.where(node.weights > 0, float(step.positive), float(step.negative))
    expected = node.weights * keep + node.action_values - mean
    np.testing.assert_allclose(node.result(), mean, atol=unit(rows))
    close = unit(rows, storage)
    np.testing.assert_allclose(node.new_weights(), expected, rtol=close, atol=close)
    node.check_others(before)


def test_match_regrets_with_trials(precision, node):
    rows, storage = precision
    step = update("dcfr(1.4,0.5,3,0.1)", 5, rows)
    # What an iteration before has left: regrets, some of them behind what is played on trial.
    kind = np.float16 if storage == np.uint16 else storage
    behind = np.random.default_rng(3).normal(size=node.weights.size).astype(kind)
    old_words = two_numbers(node.weights.ravel().astype(kind), behind)
    here = slice(node.place, node.place + node.weights.size)
    node.kept[here] = old_words.view(storage)
    weights = old_words.astype(float).reshape(node.weights.shape)
    regrets = second_numbers(old_words).astype(float).reshape(node.weights.shape)
    assert ((weights > 0) & (regrets < 0)).any() and ((weights > 0) & (regrets > 0)).any()

    match_regrets(
        node.values,
        node.target,
        node.starts,
        node.factors,
        node.edge,
        node.kept,
        node.place,
        HANDS,
        len(node.weights),
        step,
    )
    mean = (match(weights) * node.action_values).sum(axis=0)
    np.testing.assert_allclose(node.result(), mean, atol=unit(rows))
    gain = node.action_values - mean
    expected = regrets * np.where(regrets > 0, float(step.positive), float(step.negative)) + gain
    new_words = node.kept[here].view(kind)
    played = new_words.astype(float).reshape(expected.shape)
    learned = second_numbers(new_words).astype(float).reshape(expected.shape)
    on_trial = (expected <= 0) & (gain > 0)
    certain = (abs(expected) > 0.01) & (abs(gain) > 0.01)
    assert (on_trial & certain).any()
    np.testing.assert_array_equal((played > 0)[certain], (on_trial | (expected > 0))[certain])
    coarse = on_trial & certain
    close = 3 * unit(rows, storage)
    np.testing.assert_allclose(
        learned[certain & ~coarse], expected[certain & ~coarse], rtol=close, atol=close
    )
    # Behind another number there is room for few digits.
    digits = {np.float16: 0.13, np.float32: 6e-4, np.float64: 2e-6}[kind]
    np.testing.assert_allclose(learned[coarse], expected[coarse], rtol=digits, atol=close)
    assert (abs(played[coarse] / (0.1 * gain[coarse]) - 1) < 0.5).all()


def test_match_predicted(precision, node):
    rows, storage = precision
    step = update("pcfr+", 5, rows)
    before = node.values.copy()
    rng = np.random.default_rng(8)
    regrets = rng.normal(size=node.weights.size)
    regret = stored(np.concatenate([[7.0] * node.place, regrets, [7.0] * 16]), storage)
    old = node.storage_of(regret)
    match_predicted(
        node.values,
        node.target,
        node.starts,
        node.factors,
        node.edge,
        node.kept,
        regret,
        node.place,
        HANDS,
        len(node.weights),
        step,
    )
    mean = (match(node.weights) * node.action_values).sum(axis=0)
    gain = node.action_values - mean
    expected = old * np.where(old > 0, float(step.positive), float(step.negative)) + gain
    close = unit(rows, storage)
    np.testing.assert_allclose(node.result(), mean, atol=unit(rows))
    np.testing.assert_allclose(node.storage_of(regret), expected, rtol=close, atol=close)
    predicted = np.maximum(expected, 0) + gain
    np.testing.assert_allclose(node.new_weights(), predicted, rtol=close, atol=close)
    node.check_others(before)


@pytest.mark.parametrize("rule", ["cgh(0.2)", "cgh(0)", "fp", "fp-naive"])
@pytest.mark.parametrize("iteration", [1, 4])
def test_hedge(precision, node, rule, iteration):
    rows, storage = precision
    actions = len(node.weights)
    chosen = match(node.weights)
    kept = stored(np.concatenate([[7.0] * node.place, chosen.ravel(), [7.0] * 16]), storage)
    chosen = node.storage_of(kept)
    # Ties: the last of equal actions is the best. Equal rows of values have equal factors.
    node.starts[node.edge + 1] = node.starts[node.edge + actions - 1]
    node.factors[node.edge + 1] = node.factors[node.edge + actions - 1]
    node.action_values[1] = node.action_values[actions - 1]
    step = update(rule, iteration, rows)
    before = node.values.copy()
    hedge(
        node.values,
        node.target,
        node.starts,
        node.factors,
        node.edge,
        kept,
        node.place,
        HANDS,
        actions,
        step,
    )
    best = actions - 1 - np.argmax(node.action_values[::-1], axis=0)
    expected = np.maximum(0, (1 - float(step.greedy)) * chosen - float(step.hedge) / actions)
    expected[best, range(HANDS)] = 0
    expected[best, range(HANDS)] = 1 - expected.sum(axis=0)
    close = unit(rows, storage)
    np.testing.assert_allclose(node.storage_of(kept), expected, atol=close)
    old_mean = (chosen * node.action_values).sum(axis=0)
    value = node.action_values.max(axis=0) if step.returned == PassedUpValue.BEST else old_mean
    np.testing.assert_allclose(node.result(), value, atol=unit(rows))
    node.check_others(before)


def test_exact_values_read_storage_of_any_precision():
    """The certificate is computed in float64 from strategies of 32 or 16 bits."""
    for storage in (np.float32, np.uint16):
        node = Node.random(np.random.default_rng(2), np.float64, storage, 3)
        arguments = (node.starts, node.factors, node.edge, node.kept, node.place, HANDS, 3)
        mean_values(node.values, node.target, *arguments)
        expected = (match(node.weights) * node.action_values).sum(axis=0)
        np.testing.assert_allclose(node.result(), expected, atol=1e-13)


@pytest.mark.parametrize(("played", "missed"), [(1.0, 0.0), (0.5, 2.0)])
def test_seed_regrets(precision, node, played, missed):
    rows, storage = precision
    step = update("cfr", 1, rows)._replace(positive=rows(played), negative=rows(missed))
    before = node.values.copy()
    weights = stored(np.full(len(node.kept), 7.0), storage)
    seed_regrets(
        node.values,
        node.target,
        node.starts,
        node.factors,
        node.edge,
        node.kept,
        weights,
        node.place,
        HANDS,
        len(node.weights),
        step,
    )
    shares = np.maximum(node.weights, 0)
    shares /= np.where(shares.sum(axis=0) > 0, shares.sum(axis=0), 1)
    mean = (match(node.weights) * node.action_values).sum(axis=0)
    mixed = 1 - shares.max(axis=0)
    sizes = played * (1 + 2 * mixed + 9 * mixed**2)
    expected = sizes * shares - missed * np.maximum(mean - node.action_values, 0)
    close = unit(rows, storage)
    np.testing.assert_allclose(node.result(), mean, atol=unit(rows))
    np.testing.assert_allclose(node.storage_of(weights), expected, rtol=close, atol=5 * close)
    np.testing.assert_array_equal(node.new_weights(), node.weights)
    assert (read(weights)[: node.place] == 7).all()
    node.check_others(before)


def random_lock(rng: np.random.Generator, actions: int) -> tuple[int, npt.NDArray[np.float32]]:
    """Probabilities of some hands, −1 for the others, somewhere in an array."""
    shares = rng.dirichlet(np.ones(actions), HANDS).T
    shares[:, rng.random(HANDS) < 0.4] = -1
    start = 11
    return start, np.concatenate([[9.0] * start, shares.ravel(), [9.0] * 16]).astype(np.float32)


def test_impose_lock(precision, node):
    actions = len(node.weights)
    start, locked = random_lock(np.random.default_rng(4), actions)
    impose_lock(node.kept, node.place, locked, start, HANDS, actions)
    shares = locked[start : start + actions * HANDS].reshape(actions, HANDS)
    expected = np.where(shares < 0, node.weights, shares)
    close = 1e-3 if precision[1] == np.uint16 else 1e-6
    np.testing.assert_allclose(node.new_weights(), expected, rtol=close, atol=1e-7)
    free = shares < 0
    np.testing.assert_array_equal(node.new_weights()[free], node.weights[free])
    assert (read(node.kept)[: node.place] == 7).all()
    assert (read(node.kept)[node.place + actions * HANDS :] == 7).all()


@pytest.mark.parametrize("free", [0.0, 0.3])
def test_impose_locked_values(precision, node, free):
    actions = len(node.weights)
    start, locked = random_lock(np.random.default_rng(5), actions)
    before = node.values.copy()
    unlocked = node.result().copy()
    impose_locked_values(
        node.values,
        node.target,
        node.starts,
        node.factors,
        node.edge,
        locked,
        start,
        node.values.dtype.type(free),
        HANDS,
        actions,
    )
    shares = locked[start : start + actions * HANDS].reshape(actions, HANDS).astype(float)
    mean = (shares * node.action_values).sum(axis=0) + free * unlocked
    expected = np.where(shares[0] < 0, unlocked, mean)
    np.testing.assert_allclose(node.result(), expected, atol=1e-5)
    np.testing.assert_array_equal(node.result()[shares[0] < 0], unlocked[shares[0] < 0])
    node.check_others(before)


def test_mix_reach(precision, node):
    rows, storage = precision
    actions, free, average = len(node.weights), 0.3, 0.37
    rng = np.random.default_rng(6)
    start, locked = random_lock(rng, actions)
    source, target = WIDTH, 3 * WIDTH
    for learn in (True, False):
        reach = rng.random(12 * WIDTH).astype(rows)
        before = reach.astype(float)
        sums = node.kept.copy()
        mix_reach(
            reach,
            source,
            target,
            WIDTH,
            sums,
            node.place,
            locked,
            start,
            rows(free),
            HANDS,
            actions,
            Averaging(rows(average), 3),
            learn,
        )
        shares = locked[start : start + actions * HANDS].reshape(actions, HANDS).astype(float)
        split = before[target : target + actions * WIDTH].reshape(actions, WIDTH)[:, :HANDS]
        mixed = free * split + before[source : source + HANDS] * shares
        expected = np.where(shares < 0, split, mixed)
        found = reach[target : target + actions * WIDTH].reshape(actions, WIDTH)
        np.testing.assert_allclose(found[:, :HANDS], expected, atol=unit(rows))
        sums_expected = node.weights * average + expected if learn else node.weights
        close = unit(rows, storage)
        np.testing.assert_allclose(node.storage_of(sums), sums_expected, rtol=close, atol=close)
        untouched = np.ones((12, WIDTH), bool)
        untouched[3 : 3 + actions, :HANDS] = False
        np.testing.assert_array_equal(reach[untouched.ravel()], before[untouched.ravel()])


def test_take_out_lock(precision, node):
    storage = precision[1]
    actions = len(node.weights)
    start, locked = random_lock(np.random.default_rng(7), actions)
    weights = stored(read(node.kept) * 0 + 7, storage)
    take_out_lock(node.kept, weights, node.place, locked, start, HANDS, actions)
    shares = locked[start : start + actions * HANDS].reshape(actions, HANDS).astype(float)
    played = np.maximum(node.weights, 0)
    played /= np.where(played.sum(axis=0) > 0, played.sum(axis=0), 1)
    expected = np.where(shares < 0, played, np.maximum(played - shares, 0))
    np.testing.assert_allclose(node.storage_of(weights), expected, atol=1e-3)
    np.testing.assert_array_equal(node.new_weights(), node.weights)


@pytest.mark.parametrize("storage", [np.float32, np.float64, np.uint16])
def test_write_probabilities(storage):
    """Sums first, then regrets, then equal shares; very small shares are none."""
    rng = np.random.default_rng(3)
    actions, boards = np.array([2, 4, 3, 1]), np.array([16, 0, 48])
    first = np.concatenate([[0], np.cumsum(boards * actions.sum())])
    rows, spare = (rng.normal(size=first[-1]) for _ in range(2))
    rows[rng.random(len(rows)) < 0.5] *= 1e-5
    out = np.full(first[-1], 7, np.uint16)
    expected = np.zeros(first[-1])
    start = 0
    for hands in boards:
        for count in actions:
            here = slice(start, start + count * hands)
            start = here.stop
            node, other = (array[here].reshape(count, hands) for array in (rows, spare))
            node[:, ::3] = -np.abs(node[:, ::3])
            other[:, ::2] = -np.abs(other[:, ::2])
            known = read(stored(node, storage)).max(axis=0, initial=-1.0) > 0
            shares = np.where(
                known, match(read(stored(node, storage))), match(read(stored(other, storage)))
            )
            expected[here] = shares.ravel()
    smallest = 2.0**-14
    expected[expected < smallest] = 0
    write_probabilities(
        stored(rows, storage), stored(spare, storage), first, actions, np.float32(smallest), out
    )
    np.testing.assert_allclose(read(out), expected, atol=6e-4)
    assert (read(out)[expected == 0] == 0).all()
    assert (expected == 0).mean() > 0.1

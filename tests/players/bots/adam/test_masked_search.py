from itertools import pairwise
from types import SimpleNamespace

import numpy as np
import pytest

from pokerlab.games import load_betting_game
from pokerlab.holdem.limit.bucket_games.evaluation import BucketEvaluation
from pokerlab.holdem.limit.bucket_games.independent_game import IndependentBucketGame, streets_after
from pokerlab.holdem.limit.bucket_games.solver import BucketSolver
from pokerlab.players.bots.adam import masked_search
from pokerlab.players.bots.adam.continuations import Continuations, street_values
from pokerlab.players.bots.adam.masked_search import MaskedSearch, carry, masked
from pokerlab.players.bots.adam.street_kernels import play_street

LIMIT = load_betting_game("holdem.limit.2p")
COUNTS = (3, 4, 5, 6)


def stochastic(rng, shape):
    rows = rng.random(shape)
    return rows / rows.sum(axis=-1, keepdims=True)


@pytest.fixture(scope="module")
def game():
    rng = np.random.default_rng(1)
    moves = tuple(stochastic(rng, pair) for pair in pairwise(COUNTS))
    number = np.arange(COUNTS[-1])
    wins = np.sign(number[:, None] - number).astype(float)
    return IndependentBucketGame(LIMIT, stochastic(rng, (2, 3)), moves, wins)


@pytest.fixture(scope="module")
def strategy(game):
    rng = np.random.default_rng(2)
    tables = []
    for betting, count in zip(game.streets, game.counts, strict=True):
        weights = rng.random((len(betting.nodes), 3, count)) * (betting.child >= 0)[:, :, None]
        tables.append(weights / weights.sum(axis=1, keepdims=True))
    return tables


@pytest.fixture(scope="module")
def rest(game, strategy):
    return dict(street_values(game, strategy))


@pytest.mark.parametrize(("street", "line"), [(1, "rc/"), (2, "rc/crc/")])
def test_values_of_the_rest_are_those_of_both_strategies(game, strategy, rest, street, line):
    """Ways to a street: their values are those that the evaluation of bucket games finds."""
    rng = np.random.default_rng(street)
    start = stochastic(rng, (2, COUNTS[street - 1]))
    onward = start @ game.transitions[street - 1]
    later = IndependentBucketGame(LIMIT, onward, game.transitions[street:], game.showdown, line)
    tables = []
    for number, betting in enumerate(later.streets, street):
        place = np.searchsorted(game.streets[number].nodes, betting.nodes)
        tables.append(strategy[number][place])
    expected = BucketEvaluation(later).values(tables)[0]
    following = game.streets[street]
    roots = following.nodes[following.roots]
    (way,) = np.flatnonzero(roots == later.streets[0].nodes[0])
    assert start[0] @ rest[street - 1][way] @ start[1] == pytest.approx(expected, abs=1e-9)


def continuations(game, rest):
    return Continuations(game, tuple(rest[each].astype(np.float32) for each in (1, 2)))


def search(game, values, street, line, start, iterations):
    betting, *later = streets_after(LIMIT, line)[:2]
    known = continuations(game, values)
    numbers, rest = np.zeros(0, np.int64), np.zeros((0, 0, 0), np.float32)
    if later:
        numbers = known.places_of(street, later[0].nodes[later[0].roots])
        rest = known.values[street - 1]
    reach = np.zeros((2, betting.places, COUNTS[street]), np.float32)
    reach[:, 0] = start
    legal = betting.child >= 0
    for node, children in enumerate(betting.child):
        for place in children[children >= 0]:
            reach[:, place] = reach[:, node]
            reach[betting.actor[node], place] /= legal[node].sum()
    floats = (each.astype(np.float32) for each in (betting.fold_gains, betting.stakes))
    gains, stakes = floats
    tree = betting.child, betting.actor, betting.folds, gains, betting.showdowns, stakes
    play_street(iterations, 1.0, *tree, betting.ways, numbers, rest, reach)
    return betting, reach


def plain_search(game, values, street, line, start, iterations):
    """Fictitious play as in a textbook: leaves are multiplied anew, in float64."""
    betting, reach = search(game, values, street, line, start, 0)
    reach = reach.astype(float)
    if street < 3:
        ways = streets_after(LIMIT, line)[1]
        following = game.streets[street + 1]
        roots = following.nodes[following.roots]
        numbers = [list(roots).index(node) for node in ways.nodes[ways.roots]]
        matrices = [values[street][number] for number in numbers]
    for iteration in range(iterations):
        for player in (0, 1):
            others, value = reach[1 - player], np.zeros(reach.shape[1:])
            for place, gains in zip(betting.folds, betting.fold_gains, strict=True):
                value[place] = gains[player] * others[place].sum()
            for place, stake in zip(betting.showdowns, betting.stakes, strict=True):
                value[place] = stake * game.showdown @ others[place]
            for number, place in enumerate(betting.ways):
                matrix = matrices[number] if player == 0 else -matrices[number].T
                value[place] = matrix @ others[place]
            best = {}
            for node in reversed(range(len(betting.child))):
                actions = [place for place in betting.child[node] if place >= 0]
                if betting.actor[node] == player:
                    choices = value[actions[::-1]]  # the last of equals
                    best[node] = np.array(actions[::-1])[choices.argmax(axis=0)]
                    value[node] = choices.max(axis=0)
                else:
                    value[node] = value[actions].sum(axis=0)
            played = np.zeros(reach.shape[1:])
            played[0] = start[player]
            for node, children in enumerate(betting.child):
                for place in children[children >= 0]:
                    taken = best[node] == place if node in best else True
                    played[place] = played[node] * taken
            reach[player, 1:] += (played[1:] - reach[player, 1:]) / (iteration + 2)
    return reach


@pytest.mark.parametrize(
    ("street", "line"), [(1, "rc/"), (1, "crc/"), (2, "rc/crc/"), (3, "rc/cc/cc/")]
)
def test_play_is_that_of_plain_fictitious_play(game, rest, street, line):
    start = stochastic(np.random.default_rng(8), (2, COUNTS[street]))
    _, reach = search(game, rest, street, line, start, 30)
    plain = plain_search(game, rest, street, line, start, 30)
    assert reach == pytest.approx(plain, abs=2e-6)
    before = plain_search(game, rest, street, line, start, 0)
    assert np.abs(plain - before).max() > 0.05


def test_a_river_is_solved_as_by_the_solver_of_bucket_games(game, rest):
    start = stochastic(np.random.default_rng(5), (2, COUNTS[3]))
    line = "rc/cc/cc/"
    _, reach = search(game, rest, 3, line, start, 40)
    river = IndependentBucketGame(LIMIT, start, (), game.showdown, line)
    solver = BucketSolver(river, "fp")
    solver.iterate(40)
    for player in (0, 1):
        assert reach[player] == pytest.approx(solver._reach[player][0], abs=1e-5)


def test_a_flop_is_played_for_the_values_of_the_rest(game, rest):
    """The best responses to the average gain little after many iterations."""
    start = stochastic(np.random.default_rng(6), (2, COUNTS[1]))
    line = "rc/"
    betting, reach = search(game, rest, 1, line, start, 4000)
    ways = streets_after(LIMIT, line)[1]
    roots = game.streets[2].nodes[game.streets[2].roots]
    numbers = np.searchsorted(roots, ways.nodes[ways.roots])
    gains = []
    for player in (0, 1):
        others = reach[1 - player].astype(float)
        value = np.zeros((betting.places, COUNTS[1]))
        value[betting.folds] = betting.fold_gains[:, player, None] * others[betting.folds].sum(
            axis=1, keepdims=True
        )
        for way, number in zip(betting.ways, numbers, strict=True):
            matrix = rest[1][number] if player == 0 else -rest[1][number].T
            value[way] = matrix @ others[way]
        for node in reversed(range(len(betting.child))):
            following = value[betting.child[node][betting.child[node] >= 0]]
            mine = betting.actor[node] == player
            value[node] = following.max(axis=0) if mine else following.sum(axis=0)
        gains.append(float(start[player] @ value[0]))
    assert 0.0 <= sum(gains) < 0.05  # in chips; a small bet is 10


def test_masks_leave_rows_of_probabilities():
    rng = np.random.default_rng(7)
    moves, mask = stochastic(rng, (4, 6)), np.array([0.0, 1, 2, 0, 0.5, 3])
    found = masked(moves, mask)
    assert found.sum(axis=1) == pytest.approx(np.ones(4))
    assert not found[:, mask == 0].any()
    assert found[1, 5] / found[1, 1] == pytest.approx(3 * moves[1, 5] / moves[1, 1])


@pytest.mark.parametrize("dead", [(), (2,), (0, 1, 3)])
def test_beliefs_are_carried_as_by_the_masked_matrix(dead):
    rng = np.random.default_rng(11)
    moves, mask = stochastic(rng, (4, 6)), rng.random(6)
    mask[4] = 0.0
    for row in dead:
        moves[row] = np.eye(6)[4]  # all that it leads to is masked out
    beliefs = stochastic(rng, (2, 4))
    assert carry(beliefs, moves, mask) == pytest.approx(beliefs @ masked(moves, mask))


@pytest.mark.parametrize("street", [1, 2])
def test_a_street_without_iterations_is_that_of_the_table(
    game, strategy, rest, street, monkeypatch
):
    known = continuations(game, rest)
    start = stochastic(np.random.default_rng(9), (2, COUNTS[street]))
    monkeypatch.setattr(masked_search, "cached_continuations", lambda _: known)
    monkeypatch.setattr(MaskedSearch, "beliefs", lambda *_: start)

    def at_nodes(nodes, street):
        return strategy[street][np.searchsorted(game.streets[street].nodes, nodes)]

    table = SimpleNamespace(game=SimpleNamespace(game=LIMIT), at_nodes=at_nodes)
    board = tuple(range(2 + street))
    found = MaskedSearch(table, 0, 1).street("rc/" + "cc/" * (street - 1), board)
    np.testing.assert_allclose(
        found.strategy, at_nodes(np.array(list(found.place)), street), atol=1e-6
    )

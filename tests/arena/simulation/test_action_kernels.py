import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokerlab.arena.simulation.action_kernels import (
    FIELD,
    PADDING,
    SimulatedHands,
    act_in_registers,
    act_plainly,
)
from pokerlab.arena.simulation.play_tables import DRAWS, pack_choices, pack_limits
from pokerlab.cards.random_kernels import STEP, mix_bits
from pokerlab.games import load_betting_game
from pokerlab.holdem.limit.buckets.street_buckets import each_hand
from pokerlab.players.strategies import TableStrategy
from pokerlab.runtime.register_kernels import has_byte_permutations
from pokerlab.trees.limit.betting import flatten_betting

in_registers = pytest.mark.skipif(
    not has_byte_permutations(), reason="this processor has no byte permutations"
)
KERNELS = [act_plainly, pytest.param(act_in_registers, marks=in_registers)]
CHANCES = st.floats(0, 1, width=32) | st.sampled_from(
    [np.nan, 2.0**-24, 2.0**-25, 2.0**-60, 1 - 2.0**-24]
)


def random_tables(name):
    game = load_betting_game(name)
    groups = [each_hand(game, street) for street in range(len(game.streets))]
    rng = np.random.default_rng(3)
    tables = []
    for _ in range(game.players):
        table = TableStrategy.filled(game, groups, [0, 1, 0])
        table.probabilities[:] = rng.dirichlet([1, 1, 1], len(table.probabilities))
        table.probabilities[::7] = np.nan
        tables.append(table)
    return tables


TABLES = {name: random_tables(name) for name in ("leduc", "kuhn.3p")}


def expected_action(table, node, group, state):
    """What a row of a table says, in float32; a call takes the place of what is not legal."""
    draw = np.float32(int(mix_bits(state)) >> 40) * np.float32(2.0**-24)
    fold, _, raised = table.probabilities[table.row(node.text, group)]
    action = "f" if draw < fold else "r" if draw + raised >= np.float32(1) else "c"
    return action if action in node.actions() else "c"


@pytest.mark.parametrize("act", KERNELS)
@given(
    name=st.sampled_from(sorted(TABLES)),
    waiting=st.integers(0, 40),
    seed=st.integers(0, 2**32 - 1),
)
def test_an_action_of_each_hand(act, name, waiting, seed):
    tables = TABLES[name]
    betting = flatten_betting(tables[0].game)
    choices = pack_choices(betting, tables)
    node_bits, turn_bits = int(choices.node_bits), int(choices.turn_bits)
    leaves = [leaf.text for leaf in betting.leaves]
    rng = np.random.default_rng(seed)
    nodes = rng.integers(0, len(betting.nodes), waiting)
    turns = rng.integers(0, len(tables), waiting)
    numbers = rng.permutation(100)[:waiting]
    groups = rng.integers(0, 3, 100 << turn_bits)
    places = ((numbers << turn_bits | turns) << node_bits) | nodes
    hands, going_on = (SimulatedHands(*np.zeros((2, 60 + PADDING), np.uint64)) for _ in range(2))
    finished = np.zeros(60 + PADDING, np.uint64)
    hands.place[:waiting] = places
    hands.state[:waiting] = rng.integers(0, 2**64, waiting, dtype=np.uint64)
    states = hands.state + STEP

    waits, goes_on, is_over = [], [], []
    for number, turn, start, place, state in zip(
        numbers, turns, nodes, places, states[:waiting], strict=True
    ):
        node = betting.nodes[start]
        player = (node.player - turn) % len(tables)
        group = groups[number << turn_bits | player]
        after = node.after(expected_action(tables[player], node, group, state))
        if after.player < 0:
            is_over.append((number << FIELD) + len(betting.nodes) + leaves.index(after.text))
        else:
            moved = place - start + betting.number_of[after.text]
            (waits if after.street == node.street else goes_on).append((moved, state))

    left, alive, over = act(waiting, hands, 5, going_on, 3, finished, choices, groups)
    on = slice(5, alive)
    assert list(zip(hands.place[:left], hands.state[:left], strict=True)) == waits
    assert list(zip(going_on.place[on], going_on.state[on], strict=True)) == goes_on
    assert finished[3:over].tolist() == is_over
    assert not going_on.place[:5].any()
    assert not finished[:3].any()


@given(CHANCES, CHANCES)
def test_limits_are_those_of_float32(fold, raised):
    fold, raised = np.float32(fold), np.float32(raised)
    limits = int(pack_limits(np.array([[fold, 0, raised]], np.float32))[0])
    fold_below, raise_from = limits % 2**32, limits >> 32
    for number in (fold_below - 1, fold_below, raise_from - 1, raise_from, 0, DRAWS - 1):
        if 0 <= number < DRAWS:
            draw = np.float32(number) * np.float32(2.0**-24)
            assert (number < fold_below) == (draw < fold)
            assert (number >= raise_from) == (draw + raised >= np.float32(1))

from collections import Counter
from functools import partial

import numpy as np
import pytest
from scipy.special import chdtri
from tests.effort import some_of

from pokerlab.arena.simulation.compiled_match import Simulation
from pokerlab.arena.simulation.tables import as_table
from pokerlab.cards.codes import combo_index, parse_cards
from pokerlab.cards.hand_classes import CLASS_NAMES, CLASS_OF_COMBO
from pokerlab.games import load_betting_game
from pokerlab.games.showdown import SHOWDOWN_RULES
from pokerlab.holdem.limit.buckets.street_buckets import (
    card_buckets,
    each_hand,
    hand_indexer,
    one_bucket,
    starting_hand_classes,
)
from pokerlab.players.strategies import TableStrategy
from pokerlab.trees.limit.betting import ACTIONS, flatten_betting
from pokerlab.trees.limit.cards import card_rules
from pokerlab.trees.limit.cards_kernels import cards_number

HOLDEM = load_betting_game("holdem.limit.2p")


def random_chances(rows, seed):
    return np.random.default_rng(seed).dirichlet([1.0, 2.0, 1.5], rows).astype(np.float32)


def grouped_table(seed):
    """A player of hold'em who looks at cards on each street, and remembers them on the river."""
    rng = np.random.default_rng(seed)
    flop, turn = (
        rng.integers(0, count, hand_indexer(HOLDEM, street).size, dtype=np.uint16)
        for street, count in ((1, 7), (2, 3))
    )
    groups = [
        starting_hand_classes(),
        card_buckets(flop),
        card_buckets(turn, rng.permutation(21).reshape(7, 3)),
        # Nothing new is seen on the river, but what was known is still there.
        card_buckets(np.zeros(0, np.uint16), np.arange(21).reshape(21, 1)),
    ]
    table = TableStrategy.filled(HOLDEM, groups, [0, 1, 0])
    return TableStrategy(HOLDEM, groups, random_chances(len(table.probabilities), seed))


def group_by_hand(table, street, hole, board):
    """The group of some cards, the slow way."""
    groups = table.groups[street]
    cards = [*hole, *board[: HOLDEM.board_cards[street]]]
    if not len(groups.values):
        value = 0
    elif groups.numbers == "hand":
        value = groups.values[hand_indexer(HOLDEM, street).index(cards)]
    else:
        value = groups.values[cards[0] * 52 + cards[1]]
    if groups.next_bucket is None:
        return int(value)
    return int(groups.next_bucket[group_by_hand(table, street - 1, hole, board), value])


@pytest.mark.parametrize(
    ("name", "players"),
    [
        ("holdem.limit.2p", ["random", "random:1,6,3"]),
        ("holdem.limit.2p", ["caller", "raiser"]),
        ("leduc", ["random", "random"]),
        ("leduc.reversed", ["random", "raiser"]),
        ("rhodeisland", ["random", "random:0,2,1"]),
        ("kuhn", ["random", "random"]),
        ("kuhn.3p", ["random", "caller", "random:1,2,2"]),
        ("onecard2", ["random", "random"]),
    ],
)
@pytest.mark.parametrize("duplicate", [False, True])
def test_every_hand_is_what_the_rules_engine_makes_of_it(name, players, duplicate):
    count = some_of(1200)
    simulation = Simulation(name, players, count, seed=5, duplicate=duplicate)
    game = simulation.game
    hands = simulation.record(count)
    assert len(hands) == count
    for number, hand in enumerate(hands):
        game.make_deal(hand.deal.holes, hand.deal.board)  # no card twice, all of this deck
        # `replay` applies action by action, and refuses what is not legal.
        final = game.replay(hand.betting, hand.deal)
        assert final.payoffs() == hand.payoffs
        deal, seating = divmod(number, game.players if duplicate else 1)
        order = [(place - deal - seating) % game.players for place in range(game.players)]
        assert hand.players == tuple(simulation.names[player] for player in order)
        if seating:
            assert hand.deal == hands[number - 1].deal
    assert len({hand.deal for hand in hands}) > 1
    assert len({hand.betting for hand in hands}) > 1


def test_totals_are_those_of_the_recorded_hands():
    players = ["random", "random:1,6,3"]
    simulation = Simulation("holdem.limit.2p", players, 2000, seed=3)
    hands = simulation.record(2000)
    for _ in simulation:
        pass
    result = simulation.result()
    won = np.array([[hand.payoffs[hand.players.index(name)] for hand in hands] for name in players])
    assert result.chips == tuple(won.sum(axis=1))
    assert result.mbb_per_hand == pytest.approx(won.mean(axis=1) * 100)
    assert result.stderr == pytest.approx(won.std(axis=1, ddof=1) / np.sqrt(2000) * 100)
    for player, name in enumerate(players):
        for position in (0, 1):
            own = [h.payoffs[position] for h in hands if h.players[position] == name]
            assert result.by_position[player][position] == pytest.approx(np.mean(own) * 100)
        counts = Counter()
        for hand in hands:
            node = HOLDEM.first_betting
            for action in hand.betting.replace("/", ""):
                if hand.players[node.player] == name:
                    counts[node.street, action] += 1
                node = node.after(action)
        for street in range(4):
            assert result.actions[player][street] == tuple(counts[street, a] for a in ACTIONS)


@pytest.mark.slow
def test_actions_come_as_often_as_the_tables_say():
    """Also that every group is found: rows differ by node and by cards."""
    tables = [grouped_table(1), grouped_table(2)]
    simulation = Simulation(HOLDEM, tables, 12_000, seed=8)
    expected = np.zeros((4, 3))
    variance = np.zeros((4, 3))
    seen = np.zeros((4, 3))
    for hand in simulation.record(12_000):
        node = HOLDEM.first_betting
        for action in hand.betting.replace("/", ""):
            table = tables[simulation.names.index(hand.players[node.player])]
            group = group_by_hand(table, node.street, hand.deal.holes[node.player], hand.deal.board)
            fold, call, raise_ = table.probabilities[table.row(node.text, group)].astype(float)
            legal = node.actions()
            # What is not legal becomes a call.
            probabilities = np.array([fold * ("f" in legal), call, raise_ * ("r" in legal)])
            probabilities[1] = 1 - probabilities[0] - probabilities[2]
            expected[node.street] += probabilities
            variance[node.street] += probabilities * (1 - probabilities)
            seen[node.street, ACTIONS.index(action)] += 1
            assert probabilities[ACTIONS.index(action)] > 0
            node = node.after(action)
    scores = (seen - expected) / np.sqrt(variance)
    assert np.abs(scores).max() < 4, scores


def forgetful_table():
    """A player who only remembers his starting hand on the flop, and forgets it on the turn."""
    remembered = card_buckets(np.zeros(0, np.uint16), np.arange(169).reshape(169, 1))
    groups = [starting_hand_classes(), remembered, one_bucket(), one_bucket()]
    return TableStrategy.filled(HOLDEM, groups, [0, 1, 0])


@pytest.mark.parametrize("make_table", [partial(grouped_table, 4), forgetful_table])
def test_a_row_of_one_action_is_always_played(make_table):
    """Rows are 0 and 1 by group, so that one wrong group shows at once."""
    table = make_table()
    sure = np.eye(3, dtype=np.float32)[
        np.random.default_rng(0).choice(3, len(table.probabilities), p=[0.1, 0.5, 0.4])
    ]
    table = TableStrategy(HOLDEM, table.groups, sure)
    for hand in Simulation(HOLDEM, [table, "caller"], 4000, seed=2).record(4000):
        node = HOLDEM.first_betting
        for action in hand.betting.replace("/", ""):
            if hand.players[node.player] == "TableStrategy":
                group = group_by_hand(
                    table, node.street, hand.deal.holes[node.player], hand.deal.board
                )
                wanted = ACTIONS[int(table.probabilities[table.row(node.text, group)].argmax())]
                assert action == (wanted if wanted in node.actions() else "c")
            node = node.after(action)


def test_frequencies_at_one_node_pass_a_chi_square_test():
    probabilities = np.array([0.2, 0.5, 0.3])
    table = TableStrategy.filled(HOLDEM, [one_bucket()] * 4, probabilities)
    counts = Counter(
        hand.betting[0]
        for hand in Simulation(HOLDEM, [table, table], 30_000, seed=1).record(30_000)
    )
    expected = 30_000 * probabilities
    statistic = sum((counts[a] - e) ** 2 / e for a, e in zip(ACTIONS, expected, strict=True))
    assert statistic < chdtri(2, 0.001)


def test_cards_come_equally_often():
    hands = Simulation(HOLDEM, ["caller", "caller"], 20_000, seed=4).record(20_000)
    for cards in (
        [hand.deal.holes[0][0] for hand in hands],
        [hand.deal.holes[1][1] for hand in hands],
        [hand.deal.board[4] for hand in hands],
    ):
        counts = np.bincount(cards, minlength=52)
        expected = 20_000 / 52
        assert ((counts - expected) ** 2 / expected).sum() < chdtri(51, 0.0001)


def test_rows_of_nan_and_illegal_actions_call():
    nothing = TableStrategy.filled(HOLDEM, [one_bucket()] * 4, [np.nan] * 3)
    always_fold = TableStrategy.filled(HOLDEM, [one_bucket()] * 4, [1, 0, 0])
    always_raise = TableStrategy.filled(HOLDEM, [one_bucket()] * 4, [0, 0, 1])
    for hand in Simulation(HOLDEM, [nothing, nothing], 10).record(10):
        assert hand.betting == "cc/cc/cc/cc"
    for hand in Simulation(HOLDEM, [always_fold, always_fold], 10).record(10):
        assert hand.betting == "f"
    for hand in Simulation(HOLDEM, [always_raise, always_raise], 10).record(10):
        assert hand.betting == "rrrc/rrrrc/rrrrc/rrrrc"


def test_flat_tree_is_the_betting_tree():
    betting = flatten_betting(HOLDEM)
    streets = np.bincount(betting.streets)
    assert (len(betting.nodes), len(betting.leaves)) == (6378, 10206)
    assert streets.tolist() == [8, 70, 630, 5670]
    for number in np.random.default_rng(0).integers(0, 6378, 300):
        node = betting.nodes[number]
        row = betting.tree.nodes[number]
        assert (row[3], row[4]) == (node.player, node.street)
        assert betting.number_of[node.text] == number
        for column, action in enumerate(ACTIONS):
            if action not in node.actions():
                assert row[column] == -1
                continue
            following = [*betting.nodes, *betting.leaves][row[column]]
            assert following.text == node.after(action).text
    for number, leaf in enumerate(betting.leaves):
        assert tuple(betting.tree.spent[number]) == leaf.spent
        assert tuple(betting.tree.live[number]) == tuple(not gone for gone in leaf.folded)


@pytest.mark.parametrize("name", ["leduc", "kuhn", "rhodeisland"])
def test_strengths_by_number_are_those_of_the_rule(name):
    game = load_betting_game(name)
    rules = card_rules(game)
    rng = np.random.default_rng(0)
    seen = game.hole_cards[-1] + game.board_cards[-1]
    for _ in range(100):
        cards = rng.permutation(game.deck)[:seen].astype(np.uint8)
        number = cards_number(cards, seen, rules.place, len(game.deck))
        hole, board = tuple(cards[: rules.hole].tolist()), tuple(cards[rules.hole :].tolist())
        assert rules.strength[number] == SHOWDOWN_RULES[game.showdown].strength(hole, board)


def test_starting_hand_classes_are_those_of_the_charts():
    values = starting_hand_classes().values
    for text in ("AsKs", "KsAs", "7h2c", "2c7h", "TdTh"):
        first, second = parse_cards(text)
        assert values[52 * first + second] == CLASS_OF_COMBO[combo_index(first, second)]
    assert CLASS_NAMES[values[52 * 51 + 46]] == "AKo"


def test_each_hand_forgets_the_order_inside_a_round():
    groups = each_hand(load_betting_game("leduc"), 1)
    assert sorted(set(groups.values.tolist())) == list(range(30))
    game = load_betting_game("leduc")
    table = as_table(game, "random")
    assert table.probabilities.shape == (36, 3)

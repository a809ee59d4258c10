from collections import Counter
from importlib.resources import files

import numpy as np
import pytest

from pokerlab.games import load_game
from pokerlab.players.bots.mapping.histories import (
    action_distances,
    decisions_of,
    two_player_histories,
)


@pytest.fixture(scope="module")
def histories():
    return two_player_histories()


def three(betting):
    return decisions_of(load_game("holdem.limit.3p").replay(betting).node)


def random_nodes(count, seed=1):
    """Decisions of three-player hands that are played at random."""
    rng = np.random.default_rng(seed)
    game = load_game("holdem.limit.3p")
    nodes = []
    while len(nodes) < count:
        node = game.first_betting
        while node.player >= 0:
            nodes.append(node)
            probabilities = {"f": 0.1, "c": 0.6, "r": 0.5}
            weights = np.array([probabilities[action] for action in node.actions()])
            node = node.after(str(rng.choice(node.actions(), p=weights / weights.sum())))
    return nodes[:count]


def test_the_counts_of_the_thesis(histories):
    streets = [text.count("/") for text in histories.texts]
    assert Counter(streets) == {0: 8, 1: 70, 2: 630, 3: 5670}
    assert len(set(histories.texts)) == 6378
    by_pot = Counter(zip(streets, histories.pot.tolist(), strict=True))
    assert len(by_pot) == 54
    assert by_pot[3, 52.0] == 536
    by_price = zip(streets, histories.pot.tolist(), histories.to_call.tolist(), strict=True)
    assert len(set(by_price)) == 76


def test_arrays_say_what_the_rules_say(histories):
    game = load_game("holdem.limit.2p")
    for number in range(0, 6378, 7):
        node = game.replay(histories.texts[number]).node
        assert histories.first[node.street] <= number < histories.first[node.street + 1]
        assert histories.number(node.text) == number
        assert histories.pot[number] == node.pot / 5
        assert histories.to_call[number] == node.to_call / 5
        assert histories.raise_possible[number] == ("r" in node.actions())
        assert histories.in_small_blind[number] == (node.player == 1)
        assert histories.spent[number] == node.spent[node.player] / 5
        assert histories.opponent_spent[number] == node.spent[1 - node.player] / 5


def test_a_spot_knows_who_did_what():
    (decision,) = three("rcrcc/rrfr")  # the button folded on the flop: one opponent is left
    assert (decision.position, decision.opponent_position) == ("BB", "SB")
    assert (decision.actions, decision.opponent_actions) == (("r", "r"), ("cc", "rr"))
    assert (decision.rounds, decision.players, decision.opponents) == (("rcrcc", "rrfr"), (3, 3), 1)
    assert (decision.pot, decision.to_call, decision.spent, decision.opponent_spent) == (
        28.0,
        2.0,
        10.0,
        12.0,
    )


def test_a_spot_for_each_opponent_still_in():
    decisions = three("rcc/rr")
    assert [decision.opponent_position for decision in decisions] == ["SB", "BB"]
    assert {
        (decision.position, decision.pot, decision.to_call, decision.opponents)
        for decision in decisions
    } == {("BU", 18.0, 4.0, 2)}


def test_chips_are_counted_in_small_blinds(tmp_path):
    catalogue = files("pokerlab.games") / "catalogue" / "holdem.limit.3p.toml"
    text = catalogue.read_text("utf-8").replace("= 20", "= 40").replace("= 10\n", "= 20\n")
    (tmp_path / "double.toml").write_text(text.replace("[5, 10, 0]", "[10, 20, 0]"))
    double = load_game(tmp_path / "double.toml")
    assert double.replay("rcc/rr").pot == 180
    assert decisions_of(double.replay("rcc/rr").node) == three("rcc/rr")


def plain_distance(decision, text):
    """The distance as the thesis has it: lists of actions for each street and player."""
    game = load_game("holdem.limit.2p")
    node, done = game.first_betting, []
    for actions in text.split("/"):
        done.append({0: [], 1: []})
        for action in actions:
            done[-1][node.player].append(action)
            node = node.after(action)
    total = 0
    for street, seats in enumerate(done):
        for seat, actions in seats.items():
            mine = decision.actions if seat == node.player else decision.opponent_actions
            total += abs(len(mine[street]) - len(actions))
            total += sum(a != b for a, b in zip(mine[street], actions, strict=False))
    return total


def test_distances_are_those_of_lists_compared_place_by_place(histories):
    rng = np.random.default_rng(5)
    for node in random_nodes(60):
        numbers = histories.on_street(node.street)
        numbers = np.sort(rng.choice(numbers, size=min(len(numbers), 20), replace=False))
        for decision in decisions_of(node):
            expected = [plain_distance(decision, histories.texts[number]) for number in numbers]
            assert action_distances(decision, histories, numbers).tolist() == expected


def test_state_s1_has_a_history_at_distance_0(histories):
    for decision in three("rcc/rr"):
        numbers = histories.on_street(1)
        distances = action_distances(decision, histories, numbers)
        assert histories.texts[numbers[distances.argmin()]] == "rc/r"
        assert distances.min() == 0


def test_a_text_that_is_no_history_is_named(histories):
    with pytest.raises(ValueError, match="'rf' is not a history at which one of two players"):
        histories.number("rf")

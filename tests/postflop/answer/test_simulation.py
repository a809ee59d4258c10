"""Play-outs: against the rules engine hand by hand, and their averages against the values."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from tests.postflop.solved_spots import SPOTS, solved

from pokerlab.cards.codes import COMBO_CARDS, combo_cards
from pokerlab.postflop import Spot
from pokerlab.postflop.answer.simulation import (
    Simulation,
    deal_cards,
    deal_hands,
    play,
    rules_action,
    rules_of,
    settle,
    simulate_solution,
)

DEALS = 30_000


@pytest.mark.parametrize("name", SPOTS)
def test_the_game(name: str) -> None:
    solution = solved(name)
    played = simulate_solution(solution, DEALS, np.random.default_rng(5))
    assert played.expected == solution.values
    assert max(map(abs, played.z)) < 4
    assert max(played.stderr) < 0.012 * (solution.spot.pot + solution.spot.effective_stack)


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("river", "x"),
        ("river", "b51/a"),
        ("river, rake", "x/b46"),
        ("turn", "x/x/Kc"),
        ("turn", "b50/c/Ts/x"),
        ("turn, rake, all-in", "x/a"),
        ("turn, one suit", "x/x/9c/x"),
        ("turn, one suit", "x/x/9s"),
    ],
)
def test_a_subtree(name: str, line: str) -> None:
    solution = solved(name)
    played = simulate_solution(solution, DEALS, np.random.default_rng(6), line)
    view = solution.at(line)
    assert played.expected == (view.mean_ev(0), view.mean_ev(1))
    assert max(map(abs, played.z)) < 4
    if not solution.spot.rake:
        # What is taken from here on is the pot that lies there.
        assert sum(played.mean) == pytest.approx(view.pot)


def test_a_wrong_value_is_found() -> None:
    solution = solved("river")
    rng = np.random.default_rng(7)
    error = simulate_solution(solution, DEALS, rng).stderr[0]
    wrong = replace(solution, values=(solution.values[0] + 8 * error, solution.values[1]))
    first, second = simulate_solution(wrong, DEALS, rng).z
    assert first < -4 < second < 4


def test_a_wrong_strategy_is_found() -> None:
    solution = solved("turn, one suit")
    actions = solution.spot.tree.streets[1].actions_of(1)
    river = [*solution.strategies[1]]
    # On every river, the second player does the opposite of what is right.
    first = solution.boards.tables[1].hands[1].first
    river[1] = np.concatenate(
        [
            solution.strategies[1][1][actions * start : actions * stop]
            .reshape(actions // 2, 2, -1)[:, ::-1]
            .ravel()
            for start, stop in pairwise(first)
        ]
    )
    wrong = replace(solution, strategies=(solution.strategies[0], tuple(river)))
    assert abs(simulate_solution(wrong, DEALS, np.random.default_rng(8)).z[0]) > 4


@pytest.mark.parametrize("name", [name for name in SPOTS if name != "no chips behind"])
def test_hands_by_the_rules(name: str) -> None:
    solution, spot = solved(name), SPOTS[name]
    rng = np.random.default_rng(9)
    rules, tree = rules_of(spot), spot.tree
    hands = deal_hands((spot.ranges[0].weights, spot.ranges[1].weights), 150, rng)
    cards = deal_cards(hands, spot.board, rng)
    seen = 0
    for end in play(solution, hands, cards, 0, 0, rng):
        path = [(end.level, end.edge)]
        while path[-1] != (0, -1):
            level, edge = path[-1]
            street = tree.streets[level]
            node = street.node[edge]
            if street.parent_edge[node] >= 0:
                path.append((level, int(street.parent_edge[node])))
            elif level > 0:
                path.append((level - 1, int(street.root_parent_edge[street.root[node]])))
            else:
                path.append((0, -1))
        outcomes = settle(spot, rules, end.level, end.edge)
        for deal in end.deals.tolist():
            holes = [combo_cards(int(hand)) for hand in hands[deal]]
            state = rules.start(rules.make_deal(holes, cards[deal].tolist()))
            for level, edge in path[-2::-1]:
                state = state.apply(rules_action(tree, level, edge))
            won = np.array(state.payoffs())
            pot = state.pot / rules.unit
            takes = (won + pot / 2) / pot  # the part of the pot that each player gets
            lead = int(np.sign(won[0])) if len(state.node.live) == 2 else 0
            np.testing.assert_allclose(outcomes[1 + lead], won - spot.rake_from(pot) * takes)
            seen += 1
    assert seen == 150


def test_nobody_has_chips_behind() -> None:
    spot = Spot("QhJh2c4d7h", "AA", "KK", pot=20, stack=0, rake=0.1, rake_cap=1)
    outcomes = settle(spot, rules_of(spot), 0, spot.tree.streets[0].edges - 1)
    assert outcomes.tolist() == [[-10, 9], [-0.5, -0.5], [9, -10]]


def test_hands_are_dealt_by_weight_and_apart() -> None:
    spot = SPOTS["river"]
    weights = spot.ranges[0].weights, spot.ranges[1].weights
    hands = deal_hands(weights, 40_000, np.random.default_rng(10))
    cards = np.sort(COMBO_CARDS[hands].reshape(-1, 4), axis=1)
    assert (np.diff(cards.astype(int), axis=1) > 0).all()
    assert (weights[0][hands[:, 0]] > 0).all() and (weights[1][hands[:, 1]] > 0).all()
    shared = (COMBO_CARDS[:, None, :, None] == COMBO_CARDS[None, :, None, :]).any(axis=(2, 3))
    likely = np.outer(*weights) * ~shared
    likely /= likely.sum()
    found = np.zeros_like(likely)
    np.add.at(found, (hands[:, 0], hands[:, 1]), 1 / len(hands))
    assert np.abs(found - likely).max() < 5 * np.sqrt(likely.max() / len(hands))


def test_nothing_to_deal() -> None:
    aces, none = np.zeros(1326), np.zeros(1326)
    aces[-1] = 1
    for weights in ((aces, aces), (aces, none)):
        with pytest.raises(ValueError, match="no pair of hands arrives here"):
            deal_hands(weights, 10, np.random.default_rng())


def test_cards_are_dealt_from_the_rest_of_the_deck() -> None:
    hands = np.tile([0, 1325], (50_000, 1))  # 2d2c and AsAh
    known = (20, 30, 40)
    board = deal_cards(hands, known, np.random.default_rng(11))
    assert (board[:, :3] == known).all()
    for column in board[:, 3:].T:
        counts = np.bincount(column, minlength=52)
        left = np.delete(np.arange(52), [0, 1, 20, 30, 40, 50, 51])
        assert counts.sum() == counts[left].sum()
        assert np.abs(counts[left] / len(board) - 1 / 45).max() < 5 * np.sqrt(1 / 45 / len(board))
    assert (board[:, 3] != board[:, 4]).all()


def test_no_error_at_all() -> None:
    same = Simulation("", 2, (1.0, 3.0), (0.0, 0.0), (1.0, 2.0))
    assert same.z == (0.0, np.inf)


def test_bad_input() -> None:
    rng = np.random.default_rng()
    for deals in (1, True, 2.5):
        with pytest.raises(ValueError, match=f"deals: {deals} is not a number of hands"):
            simulate_solution(solved("river"), deals, rng)
    with pytest.raises(ValueError, match="line 'x/b7': token 2"):
        simulate_solution(solved("river"), 10, rng, "x/b7")
    with pytest.raises(ValueError, match="nobody decides here, a card must come"):
        simulate_solution(solved("turn"), 10, rng, "x/x")
    with pytest.raises(ValueError, match="holds no strategies of the river"):
        simulate_solution(solved("turn").without_river(), 10, rng)

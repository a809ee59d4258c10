"""Play-outs: against the rules engine hand by hand, and their averages against the values."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from tests.holdem.spots.solved_spots import SPOTS, solved

from pokerlab.cards.codes import COMBO_CARDS, combo_cards
from pokerlab.cards.random_kernels import next_bits, next_uniform
from pokerlab.engine.tables.runouts import find_run_out
from pokerlab.games.betting_trees.betting_tree import BettingTree, EdgeKind
from pokerlab.holdem.spots import PostflopSolution, Spot
from pokerlab.holdem.spots.play.dealing import deal_cards, deal_hands, hand_pairs
from pokerlab.holdem.spots.play.play_outs import BLOCK, PlayOuts
from pokerlab.holdem.spots.play.play_tables import dealing_of
from pokerlab.holdem.spots.play.simulation import SolutionPlay, simulate_solution
from pokerlab.holdem.spots.play.spot_rules import Settlement, rules_action, rules_of

HANDS = 100_000


@pytest.mark.parametrize("name", SPOTS)
def test_the_game(name: str) -> None:
    solution = solved(name)
    played = simulate_solution(solution, HANDS, 5)
    assert played.expected == solution.values
    assert played.hands == played.planned_hands == HANDS
    assert max(map(abs, played.z)) < 4
    assert max(played.stderr) < 0.008 * (solution.spot.pot + solution.spot.effective_stack)


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
    played = simulate_solution(solution, HANDS, 6, line)
    view = solution.at(line)
    assert played.expected == (view.mean_ev(0), view.mean_ev(1))
    assert max(map(abs, played.z)) < 4
    if not solution.spot.rake:
        # What is taken from here on is the pot that lies there.
        assert sum(played.mean) == pytest.approx(view.pot)


def test_a_wrong_value_is_found() -> None:
    solution = solved("river")
    error = simulate_solution(solution, HANDS, 7).stderr[0]
    wrong = replace(solution, values=(solution.values[0] + 8 * error, solution.values[1]))
    first, second = simulate_solution(wrong, HANDS, 7).z
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
    assert abs(simulate_solution(wrong, HANDS, 8).z[0]) > 4


def play_outs(*profiles: PostflopSolution, seatings: int = 1, seed: int = 9) -> PlayOuts:
    spot = profiles[0].spot
    pairs = hand_pairs((spot.ranges[0].weights, spot.ranges[1].weights))
    return PlayOuts((profiles[0], profiles[-1]), spot.find(""), pairs, 100, seatings, seed, 1)


def edge_of(tree: BettingTree, number: int) -> tuple[int, int]:
    for level, street in enumerate(tree.streets):
        if number < street.edges:
            return level, number
        number -= street.edges
    raise AssertionError


@pytest.mark.parametrize("name", [name for name in SPOTS if name != "no chips behind"])
def test_hands_by_the_rules(name: str) -> None:
    solution, spot = solved(name), SPOTS[name]
    rules, tree = rules_of(spot), spot.tree
    outs = play_outs(solution)
    games = outs.play_block(0, 150)
    chips = outs.settle(games)
    for deal in range(150):
        path = [edge_of(tree, int(games.end[deal]))]
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
        holes = [
            combo_cards(int(outs.combos[player][games.hands[deal, player]])) for player in (0, 1)
        ]
        state = rules.start(rules.make_deal(holes, games.cards[deal].tolist()))
        for level, edge in path[-2::-1]:
            state = state.apply(rules_action(tree, level, edge))
        won = np.array(state.payoffs())
        pot = state.pot / rules.unit
        takes = (won + pot / 2) / pot  # the part of the pot that each player gets
        if len(state.node.live) == 2:
            assert games.lead[deal] == np.sign(won[0])
        np.testing.assert_allclose(chips[deal, 0], won - spot.rake_from(pot) * takes)


@pytest.mark.parametrize("name", SPOTS)
def test_actions_are_drawn_as_the_strategies_say(name: str) -> None:
    """The same games in plain Python: strategies by hand and board, and the same random numbers."""
    solution, rough = solved(name), solved(name, isomorphism=False)
    outs, tree = play_outs(solution, rough, seatings=2), solution.spot.tree
    games = outs.play_block(3, 40)
    seeds = np.random.SeedSequence(9, spawn_key=(3,)).generate_state(2, np.uint64)
    cards = len(solution.spot.board)
    starts = first_states(seeds[1:], 40)
    for game in range(80):
        deal, seating = divmod(game, 2)
        state = starts[deal : deal + 1].copy()
        level = node = 0
        while True:
            street = tree.streets[level]
            player = int(street.player[node])
            profile = solution if player == seating else rough
            come = games.cards[deal, cards : cards + level].tolist()
            run_out = find_run_out(profile.boards, come)[-1]
            combo = outs.combos[player][games.hands[deal, player]]
            below = np.cumsum(profile._node_strategy(run_out, node)[:, combo])
            edge = int(street.first_edge[node] + np.sum(next_uniform(state) >= below[:-1]))
            if street.kind[edge] == EdgeKind.NODE:
                node = int(street.target[edge])
            elif street.kind[edge] == EdgeKind.NEXT_STREET:
                level, root = level + 1, street.target[edge]
                node = int(tree.streets[level].root_first_node[root])
            else:
                break
        assert edge_of(tree, int(games.end[game])) == (level, edge)


def first_states(state: np.ndarray, deals: int) -> np.ndarray:
    return np.array([next_bits(state) for _ in range(deals)], np.uint64)


def test_nobody_has_chips_behind() -> None:
    spot = Spot("QhJh2c4d7h", "AA", "KK", pot=20, stack=0, rake=0.1, rake_cap=1)
    outcomes = Settlement(spot).at(0, spot.tree.streets[0].edges - 1)
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


@pytest.mark.parametrize("name", SPOTS)
def test_compiled_dealing_has_the_same_chances(name: str) -> None:
    spot = SPOTS[name]
    pairs = hand_pairs((spot.ranges[0].weights, spot.ranges[1].weights))
    dealing = dealing_of(pairs)
    chances = dealing.cut.copy()
    np.add.at(chances, dealing.other, 1 - dealing.cut)
    np.testing.assert_allclose(
        chances / len(chances), (pairs.weights / pairs.weights.sum()).ravel(), atol=1e-12
    )
    assert not chances[pairs.weights.ravel() == 0].any()


def test_compiled_dealing_draws_these_chances() -> None:
    outs = play_outs(solved("river"))
    games = outs.play_block(0, BLOCK)
    spot = SPOTS["river"]
    likely = hand_pairs((spot.ranges[0].weights, spot.ranges[1].weights)).weights
    found = np.zeros_like(likely)
    np.add.at(found, (games.hands[:, 0], games.hands[:, 1]), 1 / BLOCK)
    assert np.abs(found - likely / likely.sum()).max() < 5 * np.sqrt(likely.max() / BLOCK)


def test_nothing_to_deal() -> None:
    aces, none = np.zeros(1326), np.zeros(1326)
    aces[-1] = 1
    for weights in ((aces, aces), (aces, none)):
        with pytest.raises(ValueError, match="no pair of hands arrives here"):
            deal_hands(weights, 10, np.random.default_rng())


def check_cards(board: np.ndarray, hands: np.ndarray, known: tuple[int, ...]) -> None:
    assert (board[:, : len(known)] == known).all()
    seen = np.sort(np.concatenate([board, COMBO_CARDS[hands].reshape(-1, 4)], axis=1), axis=1)
    assert (np.diff(seen.astype(int), axis=1) > 0).all()


def test_cards_are_dealt_from_the_rest_of_the_deck() -> None:
    hands = np.tile([0, 1325], (50_000, 1))  # 2d2c and AsAh
    known = (20, 30, 40)
    board = deal_cards(hands, known, np.random.default_rng(11))
    check_cards(board, hands, known)
    for column in board[:, 3:].T:
        counts = np.bincount(column, minlength=52)
        left = np.delete(np.arange(52), [0, 1, 20, 30, 40, 50, 51])
        assert np.abs(counts[left] / len(board) - 1 / 45).max() < 5 * np.sqrt(1 / 45 / len(board))


def test_compiled_cards_come_from_the_rest_of_the_deck() -> None:
    outs = play_outs(solved("flop, one suit, rake"))
    games = outs.play_block(0, 50_000)
    hands = np.stack([outs.combos[player][games.hands[:, player]] for player in (0, 1)], axis=1)
    check_cards(games.cards, hands, outs.spot.board)
    first = (hands == hands[0]).all(axis=1)
    left = np.setdiff1d(np.arange(52), [*outs.spot.board, *COMBO_CARDS[hands[0]].ravel()])
    for column in games.cards[first, 3:].T:
        counts = np.bincount(column, minlength=52)[left]
        error = np.sqrt(1 / 45 / first.sum())
        assert np.abs(counts / first.sum() - 1 / 45).max() < 5 * error


def test_the_number_of_threads_changes_nothing() -> None:
    solution = solved("turn")
    hands = 3 * BLOCK + 77
    one, three = (simulate_solution(solution, hands, 4, threads=each) for each in (1, 3))
    assert (one.mean, one.stderr) == (three.mean, three.stderr)
    assert simulate_solution(solution, hands, 5).mean != one.mean


def test_what_was_played_so_far() -> None:
    play = SolutionPlay(solved("river"), 2 * BLOCK, 4)
    assert next(iter(play)) == BLOCK
    so_far = play.result()
    assert (so_far.hands, so_far.planned_hands, so_far.complete) == (BLOCK, 2 * BLOCK, False)
    assert max(map(abs, so_far.z)) < 4


def test_a_strategy_that_is_none_is_found() -> None:
    solution = solved("river")
    for number in (0.0, np.nan, -1.0, 2.0):
        bad = tuple(np.full_like(each, number) for each in solution.strategies[0])
        with pytest.raises(ValueError, match="strategy at '' is not a distribution"):
            simulate_solution(replace(solution, strategies=(bad,)), 10)


def test_bad_input() -> None:
    for hands in (1, True, 2.5):
        with pytest.raises(ValueError, match=f"hands: {hands} is not a number of hands"):
            simulate_solution(solved("river"), hands)
    with pytest.raises(ValueError, match="line 'x/b7': token 2"):
        simulate_solution(solved("river"), 10, line="x/b7")
    with pytest.raises(ValueError, match="nobody decides here, a card must come"):
        simulate_solution(solved("turn"), 10, line="x/x")
    with pytest.raises(ValueError, match="holds no strategies of the river"):
        simulate_solution(solved("turn").without_river(), 10)
    with pytest.raises(ValueError, match="seed: -1 is not a seed"):
        simulate_solution(solved("river"), 10, -1)
    with pytest.raises(ValueError, match="threads: 0 is not a number"):
        simulate_solution(solved("river"), 10, threads=0)

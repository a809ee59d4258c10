"""The exact game of buckets that remember."""

from collections import Counter

import numpy as np
import pytest

from pokerlab.cards.codes import COMBO_CARDS
from pokerlab.cards.equities.showdown_kernels import make_workspace
from pokerlab.cards.isomorphism.hand_index import HandIndexer
from pokerlab.cards.isomorphism.suits import canonical
from pokerlab.games import load_betting_game
from pokerlab.holdem.limit.bucket_games import exact_game as module
from pokerlab.holdem.limit.bucket_games.evaluation import BucketEvaluation
from pokerlab.holdem.limit.bucket_games.exact_game import ExactBucketGame, dealt_boards
from pokerlab.holdem.limit.bucket_games.exact_tables import (
    exact_game_of,
    rows_of_tables,
    tables_by_street,
)
from pokerlab.holdem.limit.bucket_games.solver import BucketSolver
from pokerlab.holdem.limit.bucket_games.transition_kernels import add_bucket_showdowns
from pokerlab.holdem.limit.buckets.buckets import Buckets
from pokerlab.holdem.limit.buckets.street_buckets import StreetBuckets, all_hands
from pokerlab.holdem.limit.response.bounds import exact_exploitability
from pokerlab.holdem.limit.sampling.bucketed_game import BucketedGame
from pokerlab.holdem.limit.strength.strength_kernels import board_strengths
from pokerlab.holdem.limit.strength.tables import all_combos, hand_indexers
from pokerlab.holdem.limit.training.trainer import checkpoint_bytes
from pokerlab.holdem.limit.training.training import train


def leduc():
    """Leduc with every hand on its own: a card, and then a card and the board."""
    deck = range(6)
    pairs, margin = np.zeros((30, 30)), np.zeros((30, 30))
    number = {(own, board): place for place, (own, board) in enumerate(each_card_and_board())}

    def strength(own, board):
        return (own // 2 == board // 2, own // 2)

    for board in deck:
        for one in deck:
            for other in deck:
                if len({board, one, other}) == 3:
                    pair = number[one, board], number[other, board]
                    pairs[pair] += 1
                    margin[pair] += (strength(one, board) > strength(other, board)) - (
                        strength(one, board) < strength(other, board)
                    )
    before = np.array([own for own, _ in each_card_and_board()])
    return ExactBucketGame(load_betting_game("leduc"), (before,), pairs / 120, margin / 120)


def each_card_and_board():
    return [(own, board) for own in range(6) for board in range(6) if own != board]


def test_leduc_is_solved_to_its_value():
    solver = BucketSolver(leduc(), "dcfr")
    solver.iterate(1000)
    assert solver.exploitability() < 1e-3
    assert solver.values(solver.strategy())[0] == pytest.approx(-0.0856064, abs=1e-3)


def test_best_responses_are_those_by_all_deals():
    """Rows of a trainer, as tables by street, have the exploitability that all deals give."""
    exact = leduc()
    game = BucketedGame.of(exact.game, "each")
    rng = np.random.default_rng(1)
    solver = BucketSolver(exact, "cfr")
    solver.iterate(7)
    unreached = [np.zeros((len(each.nodes), count), bool) for each, count in rows(exact)]
    order = group_order(game)
    shuffled = [table[:, :, part] for table, part in zip(solver.strategy(), order, strict=True)]
    by_node = rows_of_tables(game, exact, shuffled, unreached)
    probabilities = np.empty_like(by_node)
    for node, street in enumerate(game.betting.streets.tolist()):
        for group in range(game.counts[street]):
            row = game.tree.base[node] + group * game.tree.width[street]
            probabilities[row] = by_node[game.first_row[node] + group]
    expected = exact_exploitability(game, probabilities).value
    assert expected == pytest.approx(solver.exploitability(), abs=1e-6)
    tables = tables_by_street(game, exact, probabilities)
    back = [table[:, :, np.argsort(part)] for table, part in zip(tables, order, strict=True)]
    assert BucketEvaluation(exact).exploitability(back) == pytest.approx(expected, abs=1e-6)
    unreached[1][rng.random(unreached[1].shape) < 0.5] = True
    holes = rows_of_tables(game, exact, shuffled, unreached)
    assert np.isnan(holes).sum() == 3 * unreached[1].sum()


def rows(exact):
    return zip(exact.streets, exact.counts, strict=True)


def group_order(game):
    """By street: our number of the cards of each group."""
    ours = {cards: place for place, cards in enumerate(each_card_and_board())}
    order = []
    for street, count in enumerate(game.counts):
        found = np.zeros(count, np.int64)
        for hand in all_hands(game.game, street):
            own, board = (*hand[0], *hand[-1])[:2] if street else (hand[0][0], None)
            deck = [int(card) for card in game.rules.deck]
            place = deck.index(own)
            number = place if board is None else ours[place, deck.index(board)]
            found[group_of(game, street, own, board)] = number
        order.append(found)
    return order


def group_of(game, street, own, board):
    from pokerlab.holdem.limit.buckets.look_up_kernels import buckets_of_cards

    groups = np.zeros(street + 1, np.int64)
    cards = [own] if board is None else [own, board]
    buckets_of_cards(np.array(cards, np.uint8), game.look_up, groups)
    return int(groups[-1])


def test_boards_are_dealt_once_up_to_suits():
    """The first flops: no two boards alike, and all that a flop leaves are there."""
    for place, (boards, multiplicities) in enumerate(dealt_boards(60)):
        if place % 20:
            continue
        forms = {canonical(board[:3], board[3:4], board[4:]).cards for board in boards.tolist()}
        assert len(forms) == len(boards)
        flop = boards[0, :3].tolist()
        every = Counter(
            canonical(flop, [turn], [river]).cards
            for turn in range(52)
            for river in range(52)
            if len({*flop, turn, river}) == 5
        )
        assert set(every) == forms
        times = multiplicities.sum() // (49 * 48)
        for board, count in zip(boards.tolist(), multiplicities.tolist(), strict=True):
            form = canonical(board[:3], board[3:4], board[4:]).cards
            assert count == times * every[form]


@pytest.mark.slow
def test_all_boards_are_as_many_as_there_are():
    total = alike = 0
    for boards, multiplicities in dealt_boards():
        alike += len(boards)
        total += int(multiplicities.sum())
    assert total == 22_100 * 49 * 48
    assert alike == HandIndexer((3, 1, 1)).size == 2_554_656


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"game": load_betting_game("kuhn.3p")}, "3 players: bucket games have 2"),
        ({"before": ()}, "buckets for 1 streets, but leduc has 2"),
        ({"pairs": np.eye(3)}, "matrices of shapes"),
        ({"pairs": np.eye(30)}, "do not sum to 1"),
        ({"margin": np.eye(30)}, "not antisymmetric"),
    ],
)
def test_what_is_no_game(change, text):
    good = leduc()
    arguments = {name: getattr(good, name) for name in ("game", "before", "pairs", "margin")}
    with pytest.raises(ValueError, match=text):
        ExactBucketGame(**(arguments | change))


def test_groups_of_other_kinds_have_no_joint_game():
    game = BucketedGame.of(load_betting_game("holdem.limit.2p"), "classes")
    with pytest.raises(ValueError, match=r"classes: only buckets of hold'em for two"):
        exact_game_of(game)


def test_buckets_that_forget_or_are_too_many_are_refused():
    class Some:
        name, recall, counts = "some", False, (1, 1, 1, 3000)

    game = load_betting_game("holdem.limit.2p")
    with pytest.raises(ValueError, match="some forgets earlier streets"):
        module.exact_bucket_game(game, Some())
    Some.recall = True
    with pytest.raises(ValueError, match="some has 3,000 buckets on the river: at most 2,000"):
        module.exact_bucket_game(game, Some())


@pytest.mark.slow
def test_pairs_of_river_buckets_by_looking_at_every_pair_of_hands():
    """Buckets of random values that remember; the river's depend on the strength alone."""
    rng = np.random.default_rng(5)
    indexers = hand_indexers()
    counts = (2, 4, 8, 24)
    groups = [StreetBuckets(2, rng.integers(0, 2, indexers[0].size, dtype=np.uint16), "hand")]
    for street, values in ((1, 2), (2, 2), (3, 3)):
        size = indexers[street].size if street < 3 else 1  # not looked up on the river
        next_bucket = np.arange(counts[street - 1] * values, dtype=np.int32).reshape(-1, values)
        drawn = rng.integers(0, values, size, dtype=np.uint16)
        groups.append(StreetBuckets(counts[street], drawn, "hand", next_bucket))
    buckets = Buckets("random", tuple(groups), ())
    value_of = rng.integers(0, 3, 1981, dtype=np.uint16)
    boards = np.array([[0, 5, 10, 20, 31], [0, 5, 10, 20, 44], [0, 5, 10, 21, 44]], np.uint8)
    times = np.array([1, 3, 2])
    wins, met = np.zeros((24, 24)), np.zeros((24, 24))
    add_bucket_showdowns(boards, times, all_combos(), buckets.look_up, value_of, wins, met)
    expected_wins, expected_met = np.zeros((24, 24)), np.zeros((24, 24))
    for board, count in zip(boards, times.tolist(), strict=True):
        work, strengths = make_workspace(1326), np.empty(1326, np.uint16)
        board_strengths(board, all_combos(), work, strengths)
        hands = np.flatnonzero(~np.isin(COMBO_CARDS, board).any(axis=1))
        river = 3 * turn_buckets(buckets, hands, board) + value_of[strengths[hands]]
        cards = COMBO_CARDS[hands]
        apart = (cards[:, None, :, None] != cards[None, :, None, :]).all(axis=(2, 3))
        stronger = work.classes[hands][:, None] < work.classes[hands][None, :]
        pairs = np.broadcast_arrays(river[:, None], river[None, :])
        np.add.at(expected_met, tuple(pairs), count * apart)
        np.add.at(expected_wins, tuple(pairs), count * (apart & stronger))
    assert np.array_equal(met, expected_met)
    assert np.array_equal(wins, expected_wins)


def turn_buckets(buckets, hands, board):
    """By the numbers of hands and boards, street by street."""
    found = np.zeros(len(hands), np.int64)
    for street, cards in ((0, 0), (1, 3), (2, 4)):
        deals = np.hstack([COMBO_CARDS[hands], np.tile(board[:cards], (len(hands), 1))])
        values = buckets.groups[street].values[hand_indexers()[street].index_batch(deals)]
        found = values.astype(np.int64) if street == 0 else 2 * found + values
    return found


def test_training_on_the_exact_game(monkeypatch, tmp_path):
    monkeypatch.setattr(
        "pokerlab.holdem.limit.training.training.exact_game_of", lambda game: leduc()
    )
    game = BucketedGame.of(load_betting_game("leduc"), "each")
    options = {"method": "exact", "checkpoint": tmp_path / "kept", "checkpoint_seconds": 0.0}
    half = train(game, iterations=100, **options)
    assert (tmp_path / "kept").stat().st_size < checkpoint_bytes(game.rows, "exact")
    training = train(game, iterations=200, **options)
    assert training.measured.exact
    assert training.run.exploitability < half.run.exploitability < 0.05
    assert (training.method, training.rule, training.run.iterations) == (
        "exact",
        "dcfr(1.5,0,2)",
        200,
    )
    assert training.probabilities.shape == (game.rows, 3)
    played = training.probabilities[~np.isnan(training.probabilities[:, 0])]
    assert np.allclose(played.sum(axis=1), 1.0, atol=1e-6)
    assert len(played) > 0.5 * game.rows
    again = train(game, iterations=200, method="exact")
    assert np.array_equal(again.probabilities, training.probabilities, equal_nan=True)


def test_counted_once_and_kept(monkeypatch, tmp_path):
    """The file is made the first time; a damaged one is noticed."""
    made = leduc()

    class Some:
        name, digest, groups, counts = "some", "ab" * 32, (), made.counts

    calls = []
    monkeypatch.setenv("POKERLAB_CACHE", str(tmp_path))
    monkeypatch.setattr(module, "exact_bucket_game", lambda *arguments: calls.append(1) or made)
    monkeypatch.setattr(module, "_before", lambda buckets: made.before)
    for _ in range(2):
        found = module.cached_exact_game(made.game, Some())
        assert np.array_equal(found.pairs, made.pairs)
        assert np.array_equal(found.margin, made.margin)
    assert calls == [1]
    path = module.exact_game_file(Some())
    content = bytearray(path.read_bytes())
    content[-3] ^= 1
    for damaged in (content, content[:-100]):
        path.write_bytes(damaged)
        with pytest.raises(ValueError, match=r"is damaged.*; remove it, and it is counted again"):
            module.cached_exact_game(made.game, Some())

import numpy as np
import pytest

from pokerlab.cards.codes import combo_index, parse_cards
from pokerlab.games import load_betting_game
from pokerlab.holdem.limit.bucket_games.solver import BucketSolver
from pokerlab.holdem.limit.sampling.bucketed_game import BucketedGame
from pokerlab.players.bots.adam.bot import AdamBot
from pokerlab.players.bots.adam.search import Search
from pokerlab.players.bots.limit_bot import TwoPlayerLimitBot
from pokerlab.players.strategies.limit_file import LimitStrategy

LIMIT = load_betting_game("holdem.limit.2p")


@pytest.fixture(scope="module")
def computed():
    """Random chances for the 169 classes of starting hands; nobody folds for nothing."""
    game = BucketedGame.of(LIMIT, "classes")
    rows = np.random.default_rng(8).dirichlet(np.ones(3), game.rows)
    legal = np.repeat(game.betting.tree.nodes[:, :3] >= 0, 169, axis=0)
    rows = np.where(legal, rows, 0.0)
    rows /= rows.sum(axis=1, keepdims=True)
    return LimitStrategy(game, rows.astype(np.float16), 1, 1.0, "none", "none", 0.0, 0.0, True)


@pytest.fixture(scope="module")
def adam(computed):
    bot = AdamBot(computed, iterations=3)
    bot.reset(LIMIT, np.random.default_rng(1))
    return bot


def state(betting, hands, board):
    return LIMIT.replay(betting, LIMIT.make_deal(hands, board))


def test_before_the_flop_it_plays_the_table(adam, computed):
    table = TwoPlayerLimitBot(computed)
    raised = state("r", ["AsKd", "7h7c"], "QhJh2c4d7d")
    view = raised.view(raised.player)
    assert view.holes[view.player]
    assert adam.probabilities(view) == table.probabilities(view)


def test_ranges_are_what_the_players_have_done(adam, computed):
    board = parse_cards("QsJs2h")
    ranges = adam.search.ranges("crc/", board)
    for hand in ("AsKd", "7d7c"):
        cards = parse_cards(hand)
        called = computed.triple("", cards, [])[1]
        raised = computed.triple("c", cards, [])[2]
        called_again = computed.triple("cr", cards, [])[1]
        # Position 1 has the small blind; once in 50 times anybody does anything.
        first = (0.98 * called + 0.02 / 3) * (0.98 * called_again + 0.02 / 3)
        found = ranges[:, combo_index(*cards)]
        assert sorted(found) == pytest.approx(sorted([first, 0.98 * raised + 0.02 / 2]), abs=1e-3)
        assert found[LIMIT.first_betting.player] == pytest.approx(
            first, abs=1e-3
        )  # files keep few digits
    assert (ranges[:, combo_index(*parse_cards("Qs7d"))] == 0.0).all()


def test_what_is_kept_is_bounded_by_its_bytes(computed, monkeypatch):
    views = [
        state("rc/cc/cc/", ["AsKs", "7h7c"], f"QsJh2h4d{river}").view(0) for river in ("9c", "3c")
    ]

    def play():
        bot = AdamBot(computed, iterations=1, weight=0)
        return bot, [bot.probabilities(view) for view in views for _ in range(2)]

    free, expected = play()
    assert len(free.search._solved) == 4
    one_river = 169 * 169 * 8
    assert free.search._kept > 4 * one_river
    monkeypatch.setattr("pokerlab.players.bots.adam.search._KEPT_BYTES", 4 * one_river)
    bound, found = play()
    assert found == expected
    assert bound.search._kept <= 4 * one_river
    assert 1 <= len(bound.search._solved) < 4


@pytest.mark.slow
def test_ranges_on_a_later_street_follow_the_search(adam):
    board = parse_cards("QsJs2h4d")
    flop = adam.search.street("cc/", board[:3])
    turn = adam.search.ranges("cc/cc/", board)
    combo = combo_index(*parse_cards("AcKc"))
    group = flop.groups[combo]
    for node in flop.place:
        betting = adam.search.game.betting.nodes[node]
        if betting.text in ("cc/", "cc/c"):
            chance = flop.strategy[flop.place[node], 1, group]
            expected = flop.ranges[betting.player, combo] * (0.98 * chance + 0.02 / 2)
            assert turn[betting.player, combo] == pytest.approx(expected)


def test_it_plays_the_solution_of_the_search(adam):
    view = state("cc/cc/cr", ["AsKd", "7h7c"], "QsJs2h4d9c").view(0)
    solved = adam.search.street("cc/cc/", parse_cards("QsJs2h4d"))
    node = solved.place[adam.search.game.betting.find(view.node)]
    probabilities = solved.strategy[node, :, solved.groups[combo_index(*parse_cards("AsKd"))]]
    found = adam.probabilities(view)
    assert [found.get(action, 0.0) for action in "fcr"] == pytest.approx(probabilities)


def test_boards_that_differ_by_suits_share_a_solution(computed):
    bot = AdamBot(computed, iterations=2)
    first = bot.probabilities(state("rc/", ["AsKs", "7h7c"], "QsJh2h4d9c").view(0))
    solved = dict(bot.search._solved)
    second = bot.probabilities(state("rc/", ["AdKd", "7c7s"], "2cQdJc4s9c").view(0))
    assert first == second
    assert bot.search._solved == solved and len(solved) == 1


def test_more_iterations_come_nearer_to_the_equilibrium_of_the_rest(computed):
    """By best responses, and beside a rule that converges faster."""
    search = Search(computed, 4, 0)
    game = search.street("rc/cc/cc/", parse_cards("QsJs2h4d9c")).game
    gaps = []
    for iterations in (10, 100):
        solver = search.solver(game)
        solver.iterate(iterations)
        gaps.append(solver.exploitability())
    assert gaps[1] < gaps[0] / 4
    other = BucketSolver(game, "dcfr")
    other.iterate(300)
    assert other.exploitability() < gaps[1]
    value, best = other.values(other.strategy())[0], solver.best_responses(solver.strategy())
    assert -best[1] - other.exploitability() < value < best[0] + other.exploitability()


def test_it_begins_with_what_was_computed_on_flop_and_turn(computed):
    board = parse_cards("QsJs2h4d9c")
    trusting = Search(computed, 1, 10**9)
    solved = trusting.street("cc/cc/", board[:4])
    node = trusting.game.betting.number_of["cc/cc/"]
    hand = parse_cards("AcKc")
    probabilities = solved.strategy[solved.place[node], :, solved.groups[combo_index(*hand)]]
    assert probabilities == pytest.approx(computed.triple("cc/cc/", hand, board), abs=1e-3)
    river = trusting.solver(trusting.street("cc/cc/cc/", board).game).strategy()[0]
    assert set(np.unique(river[0])) == {0.0, 0.5}  # uniform


def test_what_it_cannot_use_is_refused(computed):
    leduc = BucketedGame.of(load_betting_game("leduc"), "each")
    rows = np.full((leduc.rows, 3), 1 / 3, np.float16)
    other = LimitStrategy(leduc, rows, 1, 1.0, "none", "none", 0.0, 0.0, True)
    for arguments, message in (
        ({"path": other}, "it plays limit hold'em for two, and the strategy is for leduc"),
        ({"path": computed, "iterations": 0}, "iterations is 0; it must be at least 1"),
        ({"path": computed, "weight": -1}, "weight is -1; it must be at least 0"),
        ({"path": computed, "rule": "best"}, "unknown rule 'best'"),
    ):
        with pytest.raises(ValueError, match=message):
            AdamBot(**arguments)

import json
import math
from itertools import permutations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pokerlab.cards.codes import COMBO_CARDS, combo_index, format_cards, parse_cards
from pokerlab.games import TERMINAL, load_betting_game
from pokerlab.holdem.limit.sampling.bucketed_game import BucketedGame
from pokerlab.holdem.limit.training.training import train
from pokerlab.holdem.spots import Spot, solve_spot
from pokerlab.players.strategies import make_deal_tree
from pokerlab.players.strategies.deal_tree import parse_deal
from pokerlab.players.strategies.limit_file import LimitStrategy
from pokerlab.solvers import solve

SPOT = Spot(
    "QhJh2c4d", "AA, KQs, JTs, 53s", "QQ, AJs, T9s", pot=100, stack=120, bet="50%, a", raise_="a"
)


@pytest.fixture(scope="module")
def turn():
    return solve_spot(SPOT, iterations=40)


def hands_of(seat):
    return np.flatnonzero(SPOT.ranges[seat].remove(SPOT.board).weights).tolist()


def dealt_text(hands, *cards):
    holes = [format_cards(COMBO_CARDS[combo].tolist()) for combo in hands]
    return " ".join([*holes, *(format_cards([card]) for card in cards)])


@given(
    st.sampled_from(hands_of(0)),
    st.sampled_from(hands_of(1)),
    st.integers(0, 51),
    st.sampled_from([0.0, 0.02, 0.2, 0.5]),
)
def test_the_edges_are_what_the_solution_says_at_each_line(turn, first, second, river, least):
    cards = [*COMBO_CARDS[first].tolist(), *COMBO_CARDS[second].tolist(), *SPOT.board, river]
    assume(len(set(cards)) == len(cards))
    tree = make_deal_tree(turn, dealt_text((first, second), river), least=least)
    for place, node in enumerate(tree.nodes):
        below = [each for each in tree.nodes if each.parent == place]
        if node.player == TERMINAL:
            assert not below
            assert math.isclose(sum(node.won), 100)  # both take the pot: there is no rake
            continue
        # The line is the one that `show` takes, and its strategy that of `decision`.
        decision = turn.decision(node.line)
        assert decision.player == node.player and decision.pot == node.pot
        played = decision.strategy[:, (first, second)[node.player]]
        for each in below:
            share = played[decision.actions.index(each.action)]
            assert each.probability == pytest.approx(share, abs=1e-6)
            assert each.probability >= least and each.actor == node.player
            assert each.reach == pytest.approx(node.reach * share, abs=1e-6)
        left = sum(each.probability for each in node.left_out)
        assert sum(each.probability for each in below) == pytest.approx(1 - left)
        assert all(each.probability < max(least, 1e-12) for each in node.left_out)
        assert len(below) + len(node.left_out) == len(node.actions) == len(decision.actions)
    if least == 0:
        ends = [node.reach for node in tree.nodes if node.player == TERMINAL]
        assert sum(ends) == pytest.approx(1)


def test_what_the_ends_are_worth_gives_the_ev_of_the_deal():
    # One hand against one hand: the EV of the solution is the mean over the ends of the tree.
    spot = Spot("KsTs7d4c2h", "7s7c, 6s5s", "AdAc", pot=100, stack=100, bet="a", raise_="")
    solution = solve_spot(spot, iterations=60)
    view = solution.at()
    for hand in ("7s7c", "6s5s"):
        tree = solution.picture_of_deal(f"{hand} AdAc", least=0)
        ends = [node for node in tree.nodes if node.won is not None]
        mean = sum(node.reach * node.won[0] for node in ends)
        assert mean == pytest.approx(view.ev[0][combo_index(*parse_cards(hand))], abs=1e-3)


def test_it_begins_at_a_line_and_ends_where_no_card_is_given(turn):
    tree = make_deal_tree(turn, "AsAd AcJc", least=0)
    outcomes = {node.outcome for node in tree.nodes}
    assert outcomes == {"", "card", "fold", "showdown"}
    assert all(node.won is None for node in tree.nodes if node.outcome == "showdown")
    later = make_deal_tree(turn, "AsAd AcJc 3h", "x/x")  # the card need not be named twice
    assert later.nodes[0].line == "x/x/3h" and later.nodes[0].pot == 100
    named = make_deal_tree(turn, "AsAd AcJc QhJh2c4d3h", "x/x/3h")
    assert [node._replace() for node in named.nodes] == list(later.nodes)
    whole = make_deal_tree(turn, "AsAd AcJc 3h", least=0)
    places = {node.line: node for node in whole.nodes}
    for node in later.nodes:
        assert places[node.line].probability == node.probability or not node.depth


@pytest.mark.parametrize(
    ("deal", "line", "message"),
    [
        ("AsAd", "", "1 hand; spot has 2 players"),
        ("KsKd AcJc", "", "hand KsKd is not in the range of oop"),
        ("AsAd KhKd", "", "hand KhKd is not in the range of ip"),
        ("AsAd QsQh", "", "hand QsQh of ip: Qh lies on the board QhJh2c4d"),
        ("AsAd AcJc Ad", "", "hand AsAd of oop: Ad lies on the board QhJh2c4dAd"),
        ("AsAd AsJs", "", "card As is dealt twice"),
        ("AsAd AcJc 4d", "", "4d lies on the board QhJh2c4d already"),
        ("AsAd AcJc 3h5h", "", "too long"),
        ("AsAd AcJc 3x", "", "'x'"),
        ("As AcJc", "", "hand As of oop: a hand has two cards"),
        ("AsAd AcJc 3h", "x/x/5h", "line 'x/x/5h': 5h comes there, but 3h is dealt"),
        ("AsAd AcJc", "x/x/5h", "5h comes there, but no card is dealt after QhJh2c4d"),
        ("AsAd AcJc", "x/x", "a card comes here; name it after the hands"),
        ("AsAd AcJc 3h", "x/b7", "possible: x, b50, a"),
        ("AsAd AcJc 3h", "a/f", "line 'a/f': the hand is over"),
        ("AsAd AcJc", "a/c", "line 'a/c': the hand is over"),
        ("AsAd AcJc 3h", "x/x/3h/x/x", "the hand is over"),
    ],
)
def test_what_cannot_be_dealt_is_one_line(turn, deal, line, message):
    with pytest.raises(ValueError, match=r"^[^\n]+$") as error:
        make_deal_tree(turn, deal, line)
    assert message in str(error.value)


def test_a_rank_alone_is_a_card_that_is_left():
    solution = solve("leduc", "dcfr", iterations=2)
    deal = make_deal_tree(solution, "K K Q").deal
    assert len({*deal.holes[0], *deal.holes[1], *deal.board}) == 3
    assert format_cards(deal.holes[0] + deal.holes[1])[::2] == "KK"
    with pytest.raises(ValueError, match=r"^deal 'K K K': there is no further K in leduc$"):
        make_deal_tree(solution, "K K K")
    with pytest.raises(ValueError, match=r"^line 'rf': the hand is over, nobody decides$"):
        make_deal_tree(solution, "K K", "rf")


def test_a_rank_alone_is_none_of_the_cards_that_other_words_name():
    game = load_betting_game("rhodeisland")
    for board in permutations(("As", "Ah", "Ac")):
        deal = parse_deal(game, "A Q " + "".join(board[:2]))
        assert format_cards(deal.board) == "".join(board[:2])
        assert format_cards(deal.holes[0]) in {"Ad", board[2]}


def test_too_many_nodes_and_a_bad_share(turn):
    with pytest.raises(ValueError, match="more than 5 nodes are played"):
        make_deal_tree(turn, "AsAd AcJc 3h", limit=5)
    with pytest.raises(ValueError, match="least: 2 must be a probability from 0 to 1"):
        make_deal_tree(turn, "AsAd AcJc 3h", least=2)


def test_streets_that_the_file_leaves_out_are_not_solved_again_line_by_line(turn):
    tree = make_deal_tree(turn.without_river(), "AsAd AcJc 3h", least=0)
    assert {node.outcome for node in tree.nodes if node.line.endswith("3h")} == {"left out"}
    river = make_deal_tree(turn.without_river(), "AsAd AcJc 3h", "x/x/3h", least=0)
    assert len(river) > 1 and "left out" not in {node.outcome for node in river.nodes}


@pytest.mark.parametrize(("name", "deal"), [("leduc", "Ks Qh Jh"), ("kuhn.3p", "K Q J")])
def test_games_have_the_same_picture(name, deal):
    solution = solve(name, "dcfr", iterations=30)
    tree = solution.picture_of_deal(deal, least=0)
    ends = [node for node in tree.nodes if node.player == TERMINAL]
    assert sum(node.reach for node in ends) == pytest.approx(1)
    assert all(sum(node.won) == pytest.approx(0) for node in ends)
    assert len(tree.seats) == len(tree.nodes[0].won or ends[0].won)
    game = load_betting_game(name)
    for node in tree.nodes[1:]:
        before = game.replay(tree.nodes[node.parent].line, tree.deal)
        plays = solution.strategy[before.seen_by(node.actor)]
        assert node.probability == pytest.approx(plays[node.action])
    assert json.loads(json.dumps(tree.payload()))["hands"][0][0] == "K"


def test_a_trained_strategy_has_it_too(tmp_path):
    game = BucketedGame.of(load_betting_game("leduc"), "each")
    strategy = LimitStrategy.of(train(game, iterations=2000, threads=1))
    strategy.save(tmp_path / "leduc.safetensors")
    tree = make_deal_tree(tmp_path / "leduc.safetensors", "Ks Qs Jh", "cc/", least=0)
    assert tree.nodes[0].line == "cc/"
    assert sum(node.reach for node in tree.nodes if node.player == TERMINAL) == pytest.approx(1)


def test_pictures(turn):
    tree = make_deal_tree(turn, "AsAd AcJc 3h")
    svg = tree.svg()
    assert svg.count('class="node"') == len(tree)
    assert "oop A♠A♦" in svg and svg in tree._repr_html_()
    assert "check" in tree.drawing().text()

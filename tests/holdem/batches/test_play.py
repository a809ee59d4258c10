"""Hands that a batch plays over its boards: what they are worth, and that the rules allow them."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from pokerlab.cards.codes import format_cards, parse_cards
from pokerlab.cards.flops import canonical_flop
from pokerlab.cards.ranges.range import Range
from pokerlab.games.protocol import TERMINAL
from pokerlab.holdem.batches import BatchPlay, BatchQuestion, plan_batch, run_batch
from pokerlab.holdem.batches.whole_hands import hand_rules, opening
from pokerlab.holdem.spots import Spot
from pokerlab.holdem.spots.play import play_tables

BOARDS = {"QhJh2c4d7h": 2.0, "QsJs2c4d7h": 1.0, "Kc9d5s5h2c": 3.0}
RIVER = Spot("QhJh2c4d7h", "AA, KQs, JTs", "QQ, AJs, T9s", pot=101, stack=80, big_blind=2)
TURN = Spot("QhJh2c4d", "AA, KQs", "JJ, 55", pot=100, stack=80, bet="a", raise_="", rake=0.05)


def solve(folder, spot, boards, **settings):
    question = BatchQuestion.of(spot, boards, target="1%", **settings)
    return run_batch(question, folder, plan_batch(question, workers=1, threads=1)).batch


@pytest.fixture(scope="module")
def rivers(tmp_path_factory):
    return solve(tmp_path_factory.mktemp("play") / "rivers", RIVER, BOARDS)


@pytest.fixture(scope="module")
def turns(tmp_path_factory):
    folder = tmp_path_factory.mktemp("play") / "turns"
    return solve(folder, TURN, {"QhJh2c4d": 1.0}, up_to_suits=True)


@pytest.mark.parametrize("name", ["rivers", "turns"])
def test_hands_earn_what_the_solutions_say(name, request):
    play = BatchPlay(request.getfixturevalue(name), 40_000, 3)
    assert sum(len(board.bettings) for board in play) == play.played == 40_000
    result = play.result()
    assert max(map(abs, result.z)) < 4
    assert min(result.stderr) > 0
    rake = 0 if name == "rivers" else 1
    assert sum(result.expected) <= (101 if name == "rivers" else 100) - rake + 1e-9


def test_boards_come_as_often_as_they_are_dealt(rivers):
    play = BatchPlay(rivers, 30_000, 1)
    counts = {format_cards(board.spot.board): len(board.bettings) for board in play}
    likely = np.array([row.weight * row.deals for row in rivers.rows()])
    likely /= likely.sum()
    found = np.array([counts[row.board] for row in rivers.rows()]) / 30_000
    np.testing.assert_allclose(found, likely, atol=0.015)


def test_lines_are_counted_as_the_solutions_play_them(rivers):
    play = BatchPlay(rivers, 60_000, 2)
    list(play)
    lines = {line.line: line for line in play.result().lines}
    assert lines[""].reached == 60_000
    assert sum(lines[""].actions.values()) == 60_000
    assert lines["x"].reached == lines[""].actions["x"]
    rows = rivers.rows()
    weights = np.array([row.weight * row.deals for row in rows])
    for action in lines[""].actions:
        expected = weights @ [row.frequencies[action] for row in rows] / weights.sum()
        found, error = lines[""].frequency(action)
        assert abs(found - expected) < 5 * error + 1e-3


@pytest.mark.parametrize("name", ["rivers", "turns"])
def test_whole_hands_follow_the_rules(name, request):
    batch = request.getfixturevalue(name)
    oop, ip = (Range(batch.question.fields[each]).weights for each in ("oop", "ip"))
    flops = Counter()
    for board in BatchPlay(batch, 300, 5):
        spot, game = board.spot, hand_rules(board.spot)
        before = game.replay(opening(spot))
        assert before.pot == game.unit * spot.pot
        assert set(before.stacks) == {game.unit * spot.effective_stack}
        assert (before.street, before.player) == (1 + spot.street, 0)
        for holes, cards, betting in zip(board.holes, board.cards, board.bettings, strict=True):
            deal = game.make_deal(holes.tolist(), cards.tolist())
            end = game.replay(opening(spot) + betting, deal)
            assert end.player == TERMINAL
            assert sum(end.payoffs()) == 0
            hands = Range(format_cards(holes[0])), Range(format_cards(holes[1]))
            assert oop @ hands[0].weights > 0 and ip @ hands[1].weights > 0
            flops[format_cards(cards[:3].tolist())] += 1
    if name == "turns":  # the flop stands for all of its suits
        assert len(flops) == 12
        assert {canonical_flop(flop) for flop in flops} == {canonical_flop("QhJh2c")}
    else:
        assert set(flops) == {format_cards(parse_cards(each)[:3]) for each in BOARDS}


def test_what_is_broken_off_is_compared_with_the_boards_that_were_played(rivers):
    play = BatchPlay(rivers, 3_000, 3)
    first = next(iter(play))
    result = play.result()
    assert result.hands == len(first.bettings) < 3_000
    assert result.expected == pytest.approx(rivers.rows()[0].ev)


def test_a_few_hands_look_up_a_few_boards(turns, monkeypatch):
    looked_up = []

    def find(boards, cards, really=play_tables.find_run_out):
        looked_up.append(tuple(cards))
        return really(boards, cards)

    monkeypatch.setattr(play_tables, "find_run_out", find)
    (board,) = BatchPlay(turns, 5, 3)
    rivers_dealt = sorted(looked_up)[1:]
    assert sorted(looked_up)[0] == () and 1 <= len(rivers_dealt) <= 5
    assert len(set(looked_up)) == len(looked_up)
    assert len(board.bettings) == 5


def test_the_same_seed_gives_the_same_hands(rivers):
    first, second, other = (list(BatchPlay(rivers, 50, seed)) for seed in (1, 1, 2))
    same = [(a.cards == b.cards).all() for a, b in zip(first, second, strict=True)]
    assert all(same) and first[0].bettings == second[0].bettings
    assert [board.bettings for board in first] != [board.bettings for board in other]


@pytest.mark.parametrize("pot", [1, 3, 4, 7.5])
def test_any_pot_has_a_story(pot):
    spot = Spot("QhJh2c4d", "AA", "KK", pot=pot, stack=30, big_blind=1)
    game = hand_rules(spot)
    state = game.replay(opening(spot))
    assert (state.pot, set(state.stacks)) == (game.unit * pot, {game.unit * 30})


def test_what_cannot_be_played(tmp_path, rivers):
    with pytest.raises(ValueError, match="hands: 1 is not a number of hands"):
        BatchPlay(rivers, 1)
    partial = solve(tmp_path / "b", TURN, {"QhJh2c4d": 1.0}, keep="root")
    with pytest.raises(ValueError, match="keeps root solutions; to play hands out, solve it"):
        BatchPlay(partial, 10)

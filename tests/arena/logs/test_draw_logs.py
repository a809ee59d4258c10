"""Five-card draw in logs: written, read, played again and counted."""

import re
from collections import Counter, defaultdict

import numpy as np
import phevaluator
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokerlab.arena.logs.acpc_log import write_acpc_log
from pokerlab.arena.logs.replay import complete_deal, play_again, read_log, steps
from pokerlab.arena.logs.statistics import play_statistics
from pokerlab.arena.matches import Match, seat_players
from pokerlab.games import BettingGame, Street, load_betting_game
from pokerlab.games.formats.match_state import format_state, parse_state
from pokerlab.players.bots import ParrotBot
from pokerlab.players.bots.simple import RandomBot

DRAW = load_betting_game("draw")
GAMES = [seat_players(DRAW, players) for players in range(2, 7)]
# Two draws, and a public card that is dealt with the first of them.
GAMES.append(
    BettingGame(
        name="mixed",
        players=3,
        betting="limit",
        ante=1,
        streets=(
            Street(hole=5, bet=1, max_raises=2),
            Street(draw=3, board=1, bet=1, max_raises=2),
            Street(draw=5, bet=2, max_raises=2),
        ),
    )
)
HAND = "STATE:0:cc/d2c7hd4scr60f:AsAdKh2c7h|QsQdQc3h4s/9cJd8d"


@st.composite
def played_states(draw):
    """Some state of a hand, with wild draws: with six players the deck runs out."""
    game = draw(st.sampled_from(GAMES))
    state = game.start(game.deal(np.random.default_rng(draw(st.integers(0, 2**32)))))
    choose = draw(st.randoms(use_true_random=False))
    for _ in range(draw(st.integers(0, 40))):
        if state.player < 0:
            break
        if state.node.drawing:
            most = game.streets[state.street].draw
            thrown = choose.sample(sorted(state.holes[state.player]), choose.randint(0, most))
            cards = ["23456789TJQKA"[card // 4] + "cdhs"[card % 4] for card in thrown]
            state = state.apply("d" + "".join(cards))
            continue
        actions = [action for action in ("c", "c", "f") if action in state.actions()]
        bounds = state.raise_bounds()
        if bounds is not None:
            actions.append("r" if game.betting == "limit" else f"r{bounds[0]}")
        state = state.apply(choose.choice(actions))
    return state


@given(state=played_states())
def test_a_state_with_draws_comes_back(state):
    text = format_state(state, 7)
    number, back = parse_state(text, state.game)
    assert number == 7 and format_state(back, 7) == text
    assert (back.holes, back.board, back.swaps) == (state.holes, state.board, state.swaps)
    assert back.betting == state.betting and back.player == state.player


@given(
    changes=st.lists(
        st.tuples(st.integers(0, len(HAND)), st.text("d/|cr26AsKQhJ(2)", max_size=3)), min_size=1
    )
)
def test_changed_texts_are_read_as_they_are_written_or_refused(changes):
    text = HAND
    for place, more in changes:
        text = text[:place] + more + text[place + len(more) :]
    try:
        number, state = parse_state(text, DRAW)
    except ValueError as error:
        assert "\n" not in str(error)
    else:
        assert format_state(state, number) == text


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("9cJd8d", "9cJd3h", "3h cannot be drawn: it was dealt before"),
        ("9cJd8d", "9cJd2c", "2c cannot be drawn: it was dealt before"),
        ("9cJd8d", "9cJdJd", "Jd"),
        ("9cJd8d", "9cJd", "2c cannot be drawn: it was dealt before"),
        ("9cJd8d", "Jd9c8d", "it would be written 'STATE:0:cc/d2c7hd4scr60f:.*/9cJd8d"),
        ("9cJd8d", "9cJd8d5d", "it would be written"),
        ("d4s", "d4d", "may exchange up to 5 of Qs"),
        ("d4s", "(1)", "illegal action '\\(1\\)'"),
    ],
)
def test_draws_that_cannot_be(old, new, complaint):
    assert parse_state(HAND, DRAW)[1].payoffs() == (-10.0, 10.0)
    with pytest.raises(ValueError, match=complaint):
        parse_state(HAND.replace(old, new, 1), DRAW)


def test_hands_that_are_not_known_draw_by_number():
    text = "STATE:0:cc/d2c7h(1)cr60f:AsAdKh2c7h|/9cJd"
    state = parse_state(text, DRAW)[1]
    assert format_state(state, 0) == text
    assert state.payoffs() == (-10.0, 10.0)


@pytest.fixture(scope="module")
def log(tmp_path_factory):
    path = tmp_path_factory.mktemp("logs") / "night.log"
    bots = ["random:1,4,1", "random:1,6,1", "caller"]
    with Match("draw", bots, 150, 5) as match:
        hands = list(match)
    names = [tuple(name.replace(":", "-") for name in hand.players) for hand in hands]
    hands = [
        type(hand)(hand.game, hand.number, hand.deal, name, hand.betting, hand.payoffs)
        for hand, name in zip(hands, names, strict=True)
    ]
    write_acpc_log(path, hands, ("draw", 150, 5))
    return path, hands


def test_a_match_is_read_back(log):
    path, hands = log
    for hand, again in zip(hands, read_log(path), strict=True):
        assert (again.betting, again.payoffs, again.players) == (
            hand.betting,
            hand.payoffs,
            hand.players,
        )
        assert again.final.holes == hand.final.holes


def test_the_text_of_a_log_tells_who_wins(log):
    """Hands put together from the text alone, by other people's evaluator."""
    shown = 0
    for line in log[0].read_text().splitlines():
        if not line.startswith("STATE:"):
            continue
        _, _, betting, cards, won, _ = line.split(":")
        first, *later = cards.split("/")
        holes = [re.findall("..", hole) for hole in first.split("|")]
        stub = re.findall("..", "".join(later))
        folded = [False] * 3
        streets = betting.split("/")
        seat = 0
        for action in re.findall(r"f|c|r\d+", streets[0]):
            while folded[seat]:
                seat = (seat + 1) % 3
            folded[seat] = action == "f"
            seat = (seat + 1) % 3
        if sum(folded) == 2 or "f" in streets[1]:
            continue
        live = [seat for seat in range(3) if not folded[seat]]
        draws = re.findall(r"d((?:[2-9TJQKA][cdhs])*)", streets[1])
        for seat, thrown in zip(live, draws, strict=True):
            for card in re.findall("..", thrown):
                holes[seat].remove(card)
                holes[seat].append(stub.pop(0))
        assert not stub
        ranks = {seat: phevaluator.evaluate_cards(*holes[seat]) for seat in live}
        best = [seat for seat in live if ranks[seat] == min(ranks.values())]
        if len(best) == 1 and "r1000" not in betting:
            assert [float(amount) > 0 for amount in won.split("|")] == [
                seat == best[0] for seat in range(3)
            ]
            shown += 1
    assert shown > 20


def test_statistics_by_number_of_cards(log):
    path, _ = log
    found = play_statistics(read_log(path))
    counted = defaultdict(Counter)
    for hand in read_log(path):
        for step in steps(hand):
            if step.action.startswith("d"):
                counted[hand.players[step.position]][(len(step.action) - 1) // 2] += 1
    assert counted["caller"].keys() == {0} and len(counted["random-1,4,1"]) == 6
    for name, player in found.items():
        rows = player.draw_rows()
        assert {row.cards: row.draws for row in rows} == counted[name]
        assert sum(row.share for row in rows) == pytest.approx(1)
    pat = found["caller"].draw_rows()[0]
    assert pat.mean == pytest.approx(np.mean(found["caller"].draws[0]))
    assert found["caller"].to_json()["draws"][0]["cards"] == 0
    # A player who drew and one who folded before the draw are told apart.
    assert pat.draws <= found["caller"].hands


def test_the_log_is_played_again(log):
    path, hands = log
    again = list(play_again(read_log(path), RandomBot(), 2, seed=1))
    assert any(one.betting != two.betting for one, two in zip(hands, again, strict=True))
    for hand in again:
        cards = [card for hole in hand.final.holes for card in hole]
        assert len(set(cards)) == len(cards) == 15


def test_a_parrot_of_the_log_plays_the_same_hands(log):
    path, hands = log
    again = play_again(read_log(path), ParrotBot(path, 1), 1)
    assert [hand.betting for hand in again] == [hand.betting for hand in hands]


def test_a_card_dealt_twice_is_not_held_twice_when_the_hand_is_played_again():
    """With six players discards come back; another bot may hold them still."""
    game = GAMES[4]
    rng = np.random.default_rng(3)
    for deal in game.deals(rng, 20):
        state = game.start(deal)
        while not state.node.drawing:
            state = state.apply("c")
        while state.node.drawing:
            hand = sorted(state.holes[state.player])
            cards = ["23456789TJQKA"[card // 4] + "cdhs"[card % 4] for card in hand]
            state = state.apply("d" + "".join(cards))
        back = parse_state(format_state(state, 0), game)[1]
        assert set(back.deal.stub) & {card for hole in deal.holes for card in hole}
        full = complete_deal(game, back.deal, rng)
        again = game.start(full)
        while not again.node.drawing:
            again = again.apply("c")
        pat = again.apply("d")  # keeps what came back before
        while pat.node.drawing:
            pat = pat.apply(pat.actions()[-1])
        held = [card for hole in pat.holes for card in hole]
        assert len(set(held)) == len(held) == 30

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokerlab.games import BettingGame, Street, load_betting_game
from pokerlab.games.formats.match_state import (
    check_acpc_game,
    format_match_state,
    format_state,
    parse_match_state,
    parse_state,
)

GAMES = {
    name: load_betting_game(name)
    for name in (
        "holdem.limit.2p",
        "holdem.limit.3p",
        "holdem.nolimit.2p",
        "holdem.nolimit.3p",
        "rhodeisland",
        "leduc",
        "kuhn.3p",
    )
}
# A game whose public cards are there from the start: they stand behind the last hand.
GAMES["open"] = BettingGame(
    name="open",
    players=2,
    betting="limit",
    showdown="kinds",
    ante=1,
    streets=(Street(hole=1, board=1, bet=1, max_raises=3), Street(board=1, bet=2, max_raises=1)),
)
NOLIMIT = GAMES["holdem.nolimit.2p"]


@st.composite
def played_states(draw):
    """Some state of a hand: at its end, or anywhere before."""
    game = GAMES[draw(st.sampled_from(sorted(GAMES)))]
    state = game.start(game.deal(np.random.default_rng(draw(st.integers(0, 2**32)))))
    for _ in range(draw(st.integers(0, 25))):
        if state.player < 0:
            break
        actions = ["c", *("f" for _ in range(state.to_call > 0))]
        bounds = state.raise_bounds()
        if bounds is not None:
            size = draw(st.integers(*bounds))
            actions.append("r" if game.betting == "limit" else f"r{size}")
        state = state.apply(draw(st.sampled_from(actions)))
    return state


@given(state=played_states(), hand=st.integers(0, 2**32 - 1), data=st.data())
def test_a_view_comes_back_from_its_text(state, hand, data):
    position = data.draw(st.integers(0, state.game.players - 1))
    view = state.view(position)
    text = format_match_state(state, position, hand)
    back = parse_match_state(text, state.game)
    assert str(back) == text == format_match_state(view, position, hand)
    assert (back.position, back.hand) == (position, hand)
    for name in ("holes", "board", "betting", "player", "deal", "spent"):
        assert getattr(back.view, name) == getattr(view, name)


@given(state=played_states(), hand=st.integers(0, 2**32 - 1))
def test_a_state_of_a_log_comes_back_with_all_cards(state, hand):
    number, back = parse_state(format_state(state, hand), state.game)
    assert number == hand
    assert (back.holes, back.board, back.betting) == (state.holes, state.board, state.betting)


@given(
    game=st.sampled_from([GAMES[name] for name in sorted(GAMES)]),
    text=st.one_of(st.text(), st.text("MATCHSE:0123456789rfc/|AsKd2h\r\n"), st.binary().map(repr)),
    prefix=st.sampled_from(["", "MATCHSTATE:", "MATCHSTATE:0:0:", "MATCHSTATE:1:7:r300c/:|AsKd/"]),
)
def test_garbage_is_a_value_error(game, text, prefix):
    for parse in (parse_match_state, parse_state):
        try:
            read = parse(prefix + text, game)
        except ValueError as error:
            assert "\n" not in str(error)
        else:
            written = str(read) if parse is parse_match_state else format_state(*reversed(read))
            assert written == prefix + text


@given(state=played_states(), data=st.data())
def test_a_damaged_state_is_an_error_or_another_state(state, data):
    text = format_match_state(state, 0, 12)
    place = data.draw(st.integers(0, len(text)))
    cut = data.draw(st.integers(0, 3))
    put = data.draw(st.text("rfc/|:0123456789AKQshdc ", max_size=3))
    damaged = text[:place] + put + text[place + cut :]
    try:
        back = parse_match_state(damaged, state.game)
    except ValueError as error:
        assert str(error).startswith("bad state ")
    else:
        assert str(back) == damaged


def test_text_is_that_of_the_protocol():
    game = load_betting_game("holdem.nolimit.3p")
    deal = game.make_deal(["AsKd", "QhQc", "2c2d"], "3c4d5h6s7c")
    all_in = game.replay("r20000fc", deal)
    board = "/3c4d5h/6s/7c"
    # Seat 2 raised, seat 0 folded, seat 1 called: who folded does not show, and sees both hands.
    assert format_match_state(all_in, 0, 5) == f"MATCHSTATE:0:5:r20000fc///:AsKd|QhQc|2c2d{board}"
    assert format_match_state(all_in, 1, 5) == f"MATCHSTATE:1:5:r20000fc///:|QhQc|2c2d{board}"
    folded = game.replay("r300ff", deal)
    assert format_match_state(folded, 1, 6) == "MATCHSTATE:1:6:r300ff:|QhQc|"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "not of the form MATCHSTATE:position:hand:betting:cards"),
        ("MATCHSTATE:0:0::AsKd|\r\n", "would be written|not a rank|not a suit|form"),
        ("MATCHSTATE:2:0::AsKd|", "has positions 0 to 1"),
        ("MATCHSTATE:0:-1::AsKd|", "the hand a whole number"),
        ("MATCHSTATE:0:01::AsKd|", "the hand a whole number"),
        ("MATCHSTATE:0:0::|", "the cards of position 0 are missing"),
        ("MATCHSTATE:0:0::AsKd|QhQc", "would be written 'MATCHSTATE:0:0::AsKd|'"),
        ("MATCHSTATE:0:0::AsKd", "private cards of 1 positions, there are 2"),
        ("MATCHSTATE:0:0::As|", "deals 2 private cards"),
        ("MATCHSTATE:0:0::asKD|", "would be written"),
        ("MATCHSTATE:0:0::AsAs|", "stands twice"),
        ("MATCHSTATE:0:0:cc/:AsKd|/As2c3c", "dealt twice"),
        ("MATCHSTATE:0:0:cc/:AsKd|", "0 public cards given, there are 3 after 'cc/'"),
        ("MATCHSTATE:0:0:cc/c:AsKd|/2c3c/4c", "would be written"),
        ("MATCHSTATE:0:0:cc:AsKd|/2c3c4c", "would be written"),
        ("MATCHSTATE:0:0:r150:AsKd|", "illegal action 'r150'"),
        ("MATCHSTATE:0:0:x:AsKd|", "is not an action"),
        (
            "MATCHSTATE:0:0:r20000c///:AsKd|/2c3c4c/5c/6c",
            "the cards of position 1, shown down, are missing",
        ),
        ("MATCHSTATE:0:0:" + "c" * 5000, "^bad state '.{57}...': "),
    ],
)
def test_errors_say_what_is_wrong(text, complaint):
    with pytest.raises(ValueError, match=complaint.replace("|'", r"\|'")) as error:
        parse_match_state(text, NOLIMIT)
    assert len(str(error.value)) < 300


def test_games_without_words_in_the_protocol_are_refused():
    with pytest.raises(ValueError, match="draw has a draw: the ACPC protocol has no words for it"):
        parse_match_state("MATCHSTATE:0:0::2c3c4c5c6c|", load_betting_game("draw"))
    stud = BettingGame(
        name="stud",
        players=2,
        betting="limit",
        showdown="kinds",
        ante=1,
        streets=(Street(hole=1, bet=1, max_raises=1), Street(hole=1, bet=1, max_raises=1)),
    )
    with pytest.raises(ValueError, match="stud deals private cards after the first street"):
        check_acpc_game(stud)

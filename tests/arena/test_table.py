import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokerlab.arena import timed_bot
from pokerlab.arena.hands import Fault
from pokerlab.arena.table import legal_answer, play_hand
from pokerlab.games import TERMINAL, load_game
from pokerlab.players.bots import Bot, Caller, RandomBot

LIMIT = load_game("holdem.limit.2p")
NO_LIMIT = load_game("holdem.nolimit.2p")
DRAW = load_game("draw")


class Says(Bot):
    """Answers with what it was given, one after the other, then calls."""

    def __init__(self, *answers):
        self.answers = list(answers)

    def act(self, view):
        answer = self.answers.pop(0) if self.answers else ("d" if view.node.drawing else "c")
        if isinstance(answer, Exception):
            raise answer
        return answer


WHERE = f"test_table.py:{Says.act.__code__.co_firstlineno + 3}"
"""Where `Says` raises what it is given."""


def deal_of(game, seed=1):
    return game.deal(np.random.default_rng(seed))


def play(game, *bots, **options):
    return play_hand(game, deal_of(game), bots, **options)


@pytest.mark.parametrize(
    ("answer", "action", "why"),
    [
        ("x", "c", "illegal action 'x' after '': seat 1 may play f, c or r"),
        ("", "c", "illegal action ''"),
        ("call", "c", "illegal action 'call'"),
        ("r300", "r", "illegal action 'r300'"),
        ("R", "c", "illegal action 'R'"),
        ("d", "c", "illegal action 'd'"),
        (None, "c", "the answer is of type NoneType, not text"),
        (7, "c", "the answer is of type int, not text"),
        (["c"], "c", "the answer is of type list, not text"),
        ("c" * 10**6, "c", "illegal action 'cccccc"),
        (KeyError("ace"), "c", f"{WHERE}: KeyError: 'ace'"),
        (RuntimeError(), "c", f"{WHERE}: RuntimeError"),
        (TimeoutError("late"), "c", "out of time"),
    ],
)
def test_what_is_not_allowed_in_limit(answer, action, why):
    hand = play(LIMIT, Caller(), Says(answer))
    assert hand.betting.startswith(action)
    (fault,) = hand.faults
    assert (fault.position, fault.betting, fault.action) == (1, "", action)
    assert fault.why.startswith(why)
    assert len(fault.why) <= 260
    assert len(fault.answer) <= 60
    assert hand.final.payoffs() == hand.payoffs


def test_a_fold_where_checking_is_free_is_a_check():
    hand = play(LIMIT, Says("f"), Caller())
    assert hand.betting == "cc/cc/cc/cc"
    assert hand.faults[0].action == "c"


def test_a_raise_where_none_is_left_is_a_call():
    hand = play(LIMIT, Says("r", "r"), Says("r", "r"))
    assert hand.betting.startswith("rrrc/")
    assert [(fault.position, fault.answer, fault.action) for fault in hand.faults] == [
        (0, "r", "c")
    ]


@pytest.mark.parametrize(
    ("answer", "action"),
    [
        ("r1", "r200"),
        ("r0", "r200"),
        ("r00", "r200"),
        ("r0400", "r400"),
        ("r20001", "r20000"),
        ("r" + "9" * 5000, "r20000"),
        ("r", "c"),
        ("r-5", "c"),
        ("r3e3", "c"),
        ("r²", "c"),
        ("b300", "c"),
    ],
)
def test_raises_out_of_bounds_are_clamped(answer, action):
    hand = play(NO_LIMIT, Caller(), Says(answer))
    assert hand.betting.startswith(action)
    assert [fault.action for fault in hand.faults] == [action]
    assert legal_answer(NO_LIMIT.start(deal_of(NO_LIMIT)), answer) == action


@pytest.mark.parametrize("answer", ["d9", "dd", "2c", "(3)", "", "c", "r100", None])
def test_nonsense_at_a_draw_keeps_all_cards(answer):
    hand = play(DRAW, Says("c", answer), Caller())
    assert hand.betting == "cc/ddcc"
    assert [fault.action for fault in hand.faults] == ["d"]


def test_cards_of_another_hand_cannot_be_thrown():
    deal = DRAW.make_deal(["2c3c4c5c6c", "AsKsQsJsTs"], stub="2d3d4d5d6d7d8d9dTdJd")
    hand = play_hand(DRAW, deal, [Says("c", "dAsKs"), Says("c", "dAsKs")])
    assert hand.betting == "cc/ddKsAscc"
    assert [fault.position for fault in hand.faults] == [0]


def test_text_of_another_class_is_text():
    hand = play(LIMIT, Caller(), Says(np.str_("r")))
    assert hand.betting.startswith("rc")
    assert type(hand.betting) is str
    assert hand.faults == ()


def test_a_late_answer_does_not_count(monkeypatch):
    clock = 0.0

    class Slow(Bot):
        def act(self, view):
            nonlocal clock
            clock += 5.0
            return "f"

    monkeypatch.setattr(timed_bot, "perf_counter", lambda: clock)
    hand = play(load_game("kuhn"), Says("r"), Slow(), time_limit=4.9)
    assert hand.betting == "rc"
    assert hand.faults == (Fault(1, "r", "", "c", "out of time"),)
    assert play(load_game("kuhn"), Says("r"), Slow(), time_limit=5.1).betting == "rf"


class Nasty(Bot):
    """Its errors cannot even be described."""

    class Error(Exception):
        def __str__(self):
            raise RuntimeError

    class Answer:
        def __repr__(self):
            raise RuntimeError

    def begin(self, position, players):
        raise self.Error

    def act(self, view):
        if view.street == 0:
            raise self.Error
        return self.Answer()

    def end(self, view):
        raise self.Error


def test_errors_everywhere_do_not_stop_the_hand():
    hand = play(LIMIT, Nasty(), Caller())
    assert hand.betting == "cc/cc/cc/cc"
    assert len(hand.faults) == 6
    assert {fault.position for fault in hand.faults} == {0}


class Own(BaseException):
    """Nobody expects it."""


@pytest.mark.parametrize("error", [Own, GeneratorExit, SystemExit, RecursionError])
@pytest.mark.parametrize("time_limit", [None, 10.0])
def test_whatever_a_bot_raises_is_a_fault(error, time_limit):
    class Raises(Bot):
        def act(self, view):
            raise error("[x]")

    hand = play(LIMIT, Raises(), Caller(), time_limit=time_limit)
    assert hand.betting == "cc/cc/cc/cc"
    assert len(hand.faults) == 4
    assert "test_table.py:" in hand.faults[0].why


def test_ctrl_c_is_not_a_fault():
    class Interrupted(Bot):
        def act(self, view):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play(LIMIT, Interrupted(), Interrupted())


class Spy(RandomBot):
    """Sees to it that nothing is shown which its seat may not see."""

    def begin(self, position, players):
        self.position, self.players = position, players

    def act(self, view):
        assert view.player == self.position
        self.check(view)
        return super().act(view)

    def end(self, view):
        assert view.player == TERMINAL
        self.check(view)
        self.last = view

    def check(self, view):
        live = view.node.live
        shown = live if view.player == TERMINAL and len(live) > 1 else ()
        for seat, hand in enumerate(view.holes):
            assert bool(hand) == (seat == self.position or seat in shown)
        assert view.deal.holes == view.holes
        assert len(view.deal.board) == view.game.board_cards[view.street]
        assert view.deal.stub == view.deal.reshuffled == ()
        assert all(swap.seat == self.position or not swap.thrown for swap in view.swaps)


@pytest.mark.parametrize(
    "name", ["kuhn.3p", "leduc", "rhodeisland", "holdem.limit.3p", "holdem.nolimit.3p", "draw"]
)
def test_a_bot_sees_what_its_seat_may_see(name):
    game = load_game(name)
    rng = np.random.default_rng(3)
    bots = [Spy(1, 4, 1) for _ in range(game.players)]
    for bot in bots:
        bot.reset(game, rng)
    for number, deal in enumerate(game.deals(rng, 100)):
        hand = play_hand(game, deal, bots, players=range(7, 7 + game.players), number=number)
        assert hand.faults == ()
        assert hand.number == number
        assert sum(hand.payoffs) == pytest.approx(0)
        assert hand.final.payoffs() == hand.payoffs
        for position, bot in enumerate(bots):
            assert bot.position == position
            assert list(bot.players) == list(range(7, 7 + game.players))
            assert bot.last.node is hand.final.node


@given(st.lists(st.one_of(st.text(max_size=6), st.from_regex(r"\A[frcd]\d{0,6}\Z"))))
def test_any_answers_end_in_a_legal_hand(answers):
    for game in (LIMIT, NO_LIMIT, DRAW):
        hand = play(game, Says(*answers), Says(*reversed(answers)))
        assert hand.final.player == TERMINAL
        assert hand.final.payoffs() == hand.payoffs
        assert sum(hand.payoffs) == 0


def test_bots_must_fill_the_table():
    with pytest.raises(ValueError, match=r"3 bots at a table of holdem\.limit\.2p, which has 2"):
        play(LIMIT, Caller(), Caller(), Caller())

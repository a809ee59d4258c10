import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.arena.variance.every_hand import Mixer, Solved, all_hands

from pokerlab.arena.hands import PlayedHand
from pokerlab.arena.variance import corrected_payoffs, hidden_players
from pokerlab.cards.codes import parse_cards
from pokerlab.games import Deal, load_game
from pokerlab.games.definition import BettingGame
from pokerlab.games.loading import read_toml
from pokerlab.players.bots.hand_strategy import private_hands
from pokerlab.players.bots.simple import Caller

SMALL = """
players = 2
betting = "limit"
ranks = "JQK"
suits = "hs"
showdown = "kinds"
ante = 1
[[streets]]
hole = 1
bet = 2
max_raises = 1
[[streets]]
board = 1
bet = 3
max_raises = 1
"""


@pytest.fixture(scope="module")
def small() -> BettingGame:
    """Two streets, one bet a street."""
    return read_toml(SMALL, "small", "test")


class Guesser(Mixer):
    """Tells values that are nonsense, and not everywhere."""

    def hand_values(self, view, seat):
        if "c" in view.betting[-1:]:
            return None
        return self._noise(view.public(), (2, len(private_hands(view.game))))

    def card_values(self, view, seat):
        if "r" in view.betting:
            return None
        line = view.public().rpartition("/")[0]
        game = view.game
        return self._noise(line, (len(game.deck), 2, len(private_hands(game))))

    def _noise(self, text, shape):
        found = np.random.default_rng(list(text.encode())).normal(0, 3, shape)
        found[..., 0] = np.nan
        return found


class Silent(Mixer):
    """Stops telling the strategy of all hands on the second street."""

    def hand_strategy(self, view):
        return None if view.street else super().hand_strategy(view)


def means(game, players, telling, hidden=(), **options):
    """The mean payoff of seat 0, that of the corrected one, and the variances of both.

    What is observed is corrected once: the betting, the board, and the cards of seats that do not
    tell (`test_own_cards_are_not_looked_at`).
    """
    told = {f"player {seat}": players[seat] for seat in telling}
    unseen = [f"player {seat}" for seat in hidden]
    known, rows = {}, []
    for hand, chance in all_hands(game, players):
        if set(hidden) <= set(telling):
            shown = [hand.deal.holes[seat] for seat in range(2) if seat not in telling]
        else:
            shown = [hand.deal, hand.payoffs]
        key = hand.betting, hand.final.board, *shown
        if key not in known:
            known[key] = corrected_payoffs(hand, told, hidden=unseen, **options)[0]
        rows.append((chance, hand.payoffs[0], known[key]))
    found = np.array(rows)
    chances, payoffs = found[:, 0], found[:, 1:]
    mean = chances @ payoffs
    return *mean, *(chances @ (payoffs - mean) ** 2)


TELLING = [(0,), (1,), (0, 1)]


@pytest.mark.parametrize("telling", TELLING)
@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("kuhn", Mixer),
        ("kuhn", Guesser),
        ("small", Mixer),
        pytest.param("small", Guesser, marks=pytest.mark.slow),
        pytest.param("leduc", Mixer, marks=pytest.mark.slow),
        pytest.param("leduc", Guesser, marks=pytest.mark.slow),
    ],
)
def test_the_mean_stays_what_it_is(name, kind, telling, small):
    """Over all deals and all actions, whoever tells, whatever is guessed."""
    game = small if name == "small" else load_game(name)
    plain, mean, *_ = means(game, [kind(), kind()], telling, growth=1.3)
    assert mean == pytest.approx(plain, abs=1e-9)


@pytest.mark.parametrize(("telling", "hidden"), [((), (0,)), ((0,), (1,)), ((0, 1), (1,))])
@pytest.mark.parametrize("name", ["kuhn", pytest.param("small", marks=pytest.mark.slow)])
def test_the_mean_stays_with_hidden_cards(name, telling, hidden, small):
    game = small if name == "small" else load_game(name)
    plain, mean, *_ = means(game, [Guesser(), Guesser()], telling, hidden)
    assert mean == pytest.approx(plain, abs=1e-9)


@given(
    seeds=st.tuples(*[st.integers(0, 10**6)] * 2),
    telling=st.sampled_from(TELLING),
    growth=st.floats(0.5, 2),
)
def test_the_mean_stays_for_random_strategies(seeds, telling, growth):
    players = [Mixer(seed) for seed in seeds]
    plain, mean, *_ = means(load_game("kuhn"), players, telling, growth=growth)
    assert mean == pytest.approx(plain, abs=1e-9)


def test_own_cards_are_not_looked_at():
    game = load_game("leduc")
    bots = {"a": Mixer(), "b": Mixer()}
    hands = [
        PlayedHand(game, 0, game.make_deal(holes, "Qs"), ("a", "b"), "crc/cc", payoffs)
        for holes, payoffs in ((["Js", "Kh"], (-3.0, 3.0)), (["", ""], (3.0, -3.0)))
    ]
    first, second = (corrected_payoffs(hand, bots) for hand in hands)
    assert first == second
    assert first[0] == -first[1] != 0


@pytest.mark.slow
def test_a_bot_that_stops_to_tell_is_seen_from_there_on(small):
    class Silent(Mixer):
        def hand_strategy(self, view):
            return None if view.street else super().hand_strategy(view)

    players = [Silent(), Silent()]
    told = {"player 0": players[0]}
    rows = [(c, h.payoffs[0], corrected_payoffs(h, told)[0]) for h, c in all_hands(small, players)]
    chances, plain, found = np.array(rows).T
    assert chances @ found == pytest.approx(chances @ plain, abs=1e-9)
    hand = PlayedHand(small, 0, small.make_deal(["", "Kh"], "Qs"), ("a", "b"), "cc/cc", (1.0, -1.0))
    with pytest.raises(ValueError, match="seat 0 does not tell its strategy after 'cc/', and its"):
        corrected_payoffs(hand, {"a": players[0]})


def test_a_bot_must_tell_what_it_played_by():
    game = load_game("kuhn")
    hand = PlayedHand(game, 0, game.make_deal(["Ks", "Js"]), ("a", "b"), "rc", (2.0, -2.0))
    with pytest.raises(
        ValueError, match="seat 0 took r after '', which its bot says it never does"
    ):
        corrected_payoffs(hand, {"a": Caller()})


def test_hidden_cards():
    """What is not known of one player does not keep the luck of the other from being told."""
    game = load_game("leduc")
    deal = Deal((parse_cards("Ks"), ()))
    hand = PlayedHand(game, 0, deal, ("a", "b"), "rf", (1.0, -1.0))
    assert hidden_players([hand]) == {"b"}
    # A king wins 3/4 against four of the five other cards, and 1/2 against the other king.
    assert corrected_payoffs(hand, growth=1.0) == pytest.approx((0.6, -0.6))
    assert corrected_payoffs(hand, random_deal=False) == hand.payoffs
    known = game.make_deal(["Ks", "Jh"])
    seen = PlayedHand(game, 0, known, ("a", "b"), "rf", (1.0, -1.0))
    assert corrected_payoffs(seen, hidden={"b"}) == corrected_payoffs(hand)
    assert corrected_payoffs(seen) != corrected_payoffs(hand)
    nobody = PlayedHand(game, 0, Deal(((), ())), ("a", "b"), "rf", (1.0, -1.0))
    assert corrected_payoffs(nobody, {"b": Mixer()}) == nobody.payoffs


@pytest.mark.parametrize("name", ["kuhn", pytest.param("leduc", marks=pytest.mark.slow)])
def test_true_values_leave_no_luck(name):
    """Between two known strategies every hand gives their exact value."""
    players = [Mixer(1), Mixer(2)]
    bots = [Solved(players, each) for each in players]
    plain, mean, before, after = means(load_game(name), bots, (0, 1))
    assert mean == pytest.approx(plain, abs=1e-9)
    assert after < 1e-18 < before


@pytest.mark.slow
def test_true_values_against_an_unknown_player(small):
    players = [Mixer(1), Mixer(2)]
    bots = [Solved(players, each) for each in players]
    plain, mean, before, after = means(small, bots, (0,))
    assert mean == pytest.approx(plain, abs=1e-9)
    *_, called_down = means(small, players, (0,), growth=1.2)
    assert after < called_down < before

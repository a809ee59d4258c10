"""Best responses from a street on against the certificates of solved spots."""

from __future__ import annotations

import numpy as np
import pytest

from pokerlab.arena.responses.local_response import (
    LocalResponder,
    ReachedStreet,
    parse_responder,
    play_to_street,
    public_state,
)
from pokerlab.games import DealtState, load_game
from pokerlab.holdem.spots import PostflopSolution, Spot, solve_spot
from pokerlab.players.bots import Bot, Caller, HandStrategy, Raiser, StrategyBot, private_hands
from pokerlab.players.strategies.spot_game import SpotGame

_RIVER = Spot("QhJh2c4d7h", "AA, KQs, JTs, 65s, T9s", "QQ, AJs, T9s, 88", pot=100, stack=150)
_TURN = Spot("QhJh2c4d", "AA, KQs, JTs", "QQ, AJs, T9s", pot=100, stack=80, bet="a", raise_="a")


class _InRange(StrategyBot):
    """Tells nothing of hands that the spot's ranges do not hold."""

    def __init__(self, solution: PostflopSolution) -> None:
        super().__init__(solution)
        self._ranges = solution.spot.ranges

    def hand_strategy(self, view: DealtState) -> HandStrategy | None:
        hands = private_hands(view.game)
        told = {
            number: self.probabilities(view.holding(hands[number]))
            for number in np.flatnonzero(self._ranges[view.player].weights)
            if not set(hands[number]) & set(view.board)
        }
        actions = tuple(dict.fromkeys(action for each in told.values() for action in each))
        table = np.zeros((len(hands), len(actions)))
        for number, each in told.items():
            table[number] = [each.get(action, 0.0) for action in actions]
        return HandStrategy(actions, table)


def _respond(
    spot: Spot, seat: int, menu: str, rivers: int | None = None
) -> tuple[float, float, float, float]:
    """Best response and own value by the walk, and by the certificate of the solution."""
    solution = solve_spot(spot, iterations=10)
    game = SpotGame.of(spot)
    bot = _InRange(solution)
    bot.reset(game, np.random.default_rng(1))
    root = ReachedStreet(
        public_state(game, "", spot.board), np.array([each.weights for each in spot.ranges])
    )
    found = LocalResponder(bot, parse_responder(menu), rivers=rivers).respond(root, seat)
    half = spot.pot / 2
    return found.best + half, found.own + half, solution.best_values[seat], solution.values[seat]


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("spot", [_RIVER, _TURN], ids=["river", "turn"])
def test_response_in_the_same_tree_is_the_certificate(spot: Spot, seat: int) -> None:
    best, own, certified_best, certified_own = _respond(spot, seat, "")
    assert best == pytest.approx(certified_best, abs=2e-3)
    assert own == pytest.approx(certified_own, abs=2e-3)


def test_more_sizes_win_more() -> None:
    best, *_ = _respond(_RIVER, 0, "")
    more, *_ = _respond(_RIVER, 0, "33%, 150%")
    assert more >= best


def test_all_rivers_are_dealt_one_by_one_or_as_a_subset() -> None:
    assert _respond(_TURN, 1, "", 48) == pytest.approx(_respond(_TURN, 1, ""), abs=1e-9)


def test_few_rivers_stand_for_all() -> None:
    best, own, certified_best, certified_own = _respond(_TURN, 1, "", 12)
    assert best == pytest.approx(certified_best, abs=2.0)
    assert own == pytest.approx(certified_own, abs=1.0)
    assert best >= own


def test_checked_down_hands_are_exact_on_few_rivers() -> None:
    """Without bets the rivers that are left out are known, too."""
    game = load_game("holdem.nolimit.2p")
    bot = Caller()
    bot.reset(game, np.random.default_rng(1))
    root = ReachedStreet(public_state(game, "cc/cc/", _TURN.board), np.ones((2, 1326)))
    ranges = np.stack([each.weights for each in _TURN.ranges])
    for seat in (0, 1):
        few, every = (
            LocalResponder(bot, parse_responder(""), 0, rivers).respond(
                root._replace(weights=ranges), seat
            )
            for rivers in (2, None)
        )
        assert few == pytest.approx(every, abs=1e-9)


def test_hands_that_end_before_are_none_and_ranges_follow_the_play() -> None:
    game = load_game("holdem.nolimit.2p")
    deal = game.deal(np.random.default_rng(5))
    bot = Raiser(all_in=True)
    bot.reset(game, np.random.default_rng(1))
    assert play_to_street(bot, game, 3, deal, np.random.default_rng(1)) is None

    class Halves(Bot):
        """Calls with every hand, folds half of those with an ace of spades."""

        def act(self, view: object) -> str:
            return "c"

        def probabilities(self, view: object) -> dict[str, float]:
            seat = view.player  # type: ignore[attr-defined]
            held = 51 in view.holes[seat]  # type: ignore[attr-defined]
            to_call = view.to_call  # type: ignore[attr-defined]
            return {"f": 0.5, "c": 0.5} if held and to_call else {"c": 1.0}

    halves = Halves()
    halves.reset(game, np.random.default_rng(1))
    root = play_to_street(halves, game, 1, deal, np.random.default_rng(3))
    assert root is not None and len(root.state.deal.board) == 3
    assert sorted(set(root.weights[1])) == [0.5, 1.0]
    assert (root.weights[0] == 1.0).all()


def test_bots_that_do_not_tell_are_refused() -> None:
    class Quiet(Bot):
        def act(self, view: object) -> str:
            return "c"

    game = load_game("holdem.nolimit.2p")
    deal = game.deal(np.random.default_rng(5))
    with pytest.raises(ValueError, match="Quiet does not tell"):
        play_to_street(Quiet(), game, 1, deal, np.random.default_rng(1))


@pytest.mark.slow
def test_each_street_may_have_a_menu_of_its_own() -> None:
    sizes = {"": 0.0, "33%; ": 0.0, "; 33%": 0.0, "33%": 0.0}
    for menu in sizes:
        sizes[menu], *_ = _respond(_TURN, 0, menu)
    assert sizes[""] <= min(sizes["33%; "], sizes["; 33%"]) + 1e-9
    assert max(sizes["33%; "], sizes["; 33%"]) <= sizes["33%"] + 1e-9
    assert sizes["33%; "] != sizes["; 33%"]


def test_the_bot_is_not_asked_for_the_responder_where_it_never_comes() -> None:
    """Off its own lines the bot would have to solve for a seat that it does not play."""
    asked: list[tuple[int, str]] = []

    class RaisesBets(Bot):
        def act(self, view: object) -> str:
            return "c"

        def hand_strategy(self, view: DealtState) -> HandStrategy:
            asked.append((view.player, view.betting))
            bounds = view.raise_bounds()
            raises = view.to_call and bounds is not None and view.node.raises < 2
            return HandStrategy((f"r{bounds[0]}" if raises else "c",), np.ones((1326, 1)))

    game = load_game("holdem.nolimit.2p")
    bot = RaisesBets()
    bot.reset(game, np.random.default_rng(1))
    root = ReachedStreet(public_state(game, "cc/cc/cc/", _RIVER.board), np.ones((2, 1326)))
    gain = LocalResponder(bot, parse_responder("50%, a")).respond(root, 0)
    assert gain.best > gain.own
    assert {line for seat, line in asked if seat == 0} == {"cc/cc/cc/"}
    assert len({line for seat, line in asked if seat == 1}) >= 4

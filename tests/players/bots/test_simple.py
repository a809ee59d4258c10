import numpy as np
import pytest

from pokerlab.games import load_game
from pokerlab.players.bots import Caller, Folder, FoldToRaise, Raiser, RandomBot

LIMIT = load_game("holdem.limit.2p")
NO_LIMIT = load_game("holdem.nolimit.2p")
DRAW = load_game("draw")


def act(bot, game, betting, deal=None):
    bot.reset(game, np.random.default_rng(1))
    state = game.replay(betting, deal)
    return bot.act(state.view(state.player))


@pytest.mark.parametrize("betting", ["", "r", "rc/", "rc/rr", "rc/rrrr"])
def test_caller_calls(betting):
    assert act(Caller(), LIMIT, betting) == "c"


def test_all_but_random_keep_their_cards_at_a_draw():
    deal = DRAW.deal(np.random.default_rng(2))
    for bot in (Caller(), Raiser(), Folder(), FoldToRaise()):
        assert act(bot, DRAW, "cc/", deal) == "d"


def test_raiser_raises_until_it_may_not():
    assert act(Raiser(), LIMIT, "") == "r"
    assert act(Raiser(), LIMIT, "rrr") == "c"
    assert act(Raiser(), NO_LIMIT, "r300") == "r500"
    assert act(Raiser(all_in=True), NO_LIMIT, "r300") == "r20000"
    assert act(Raiser(), NO_LIMIT, "r20000") == "c"


def test_folder_pays_nothing():
    assert act(Folder(), LIMIT, "") == "f"
    assert act(Folder(), LIMIT, "c") == "c"
    assert act(Folder(), LIMIT, "cc/r") == "f"


def test_fold_to_raise_pays_blinds_only():
    assert act(FoldToRaise(), LIMIT, "") == "c"
    assert act(FoldToRaise(), LIMIT, "cr") == "f"
    assert act(FoldToRaise(), LIMIT, "rc/") == "c"  # the raise was on an earlier street
    assert act(FoldToRaise(), LIMIT, "rc/r") == "f"


def test_random_weights_of_what_is_legal():
    bot = RandomBot(1, 2, 5)
    assert bot.probabilities(LIMIT.replay("r")) == {"f": 1 / 8, "c": 2 / 8, "r": 5 / 8}
    assert bot.probabilities(LIMIT.replay("c")) == {"c": 2 / 7, "r": 5 / 7}  # nothing to fold to
    assert bot.probabilities(LIMIT.replay("rrr")) == {"f": 1 / 3, "c": 2 / 3}
    assert RandomBot(1, 0, 0).probabilities(LIMIT.replay("c")) == {"c": 1.0}
    assert bot.probabilities(NO_LIMIT.replay("")) is None


def test_random_sizes_reach_from_the_smallest_raise_to_all_in():
    bot = RandomBot(0, 0, 1)
    bot.reset(NO_LIMIT, np.random.default_rng(1))
    sizes = [int(bot.act(NO_LIMIT.replay("r19800"))[1:]) for _ in range(200)]
    assert set(sizes) == {20000}
    sizes = [int(bot.act(NO_LIMIT.replay("r300"))[1:]) for _ in range(2000)]
    assert min(sizes) >= 500
    assert max(sizes) <= 20000
    assert np.mean(sizes) == pytest.approx((500 + 20000) / 2, abs=5 * 19500 / 12**0.5 / 2000**0.5)


@pytest.mark.parametrize(
    "weights", [(0, 0, 0), (-1, 1, 1), (1, float("inf"), 1), (1, float("nan"), 1)]
)
def test_bad_weights(weights):
    with pytest.raises(ValueError, match="fold, call and raise take numbers from 0 up"):
        RandomBot(*weights)

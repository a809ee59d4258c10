import numpy as np
import pytest

from pokerlab.arena.hands import PlayedHand
from pokerlab.arena.logs.statistics import ACTIONS, play_statistics, win_curve
from pokerlab.arena.matches import play_match
from pokerlab.arena.table import play_hand
from pokerlab.games import Deal, load_game
from pokerlab.players.bots.simple import Caller, Folder, Raiser, RandomBot


def match(name, bots, hands, seed=1):
    game = load_game(name)
    names = [f"{type(bot).__name__} {number}" for number, bot in enumerate(bots)]
    for number, bot in enumerate(bots):
        bot.reset(game, np.random.default_rng([seed, number]))
    for number, deal in enumerate(game.deals(np.random.default_rng(seed), hands)):
        order = [(position - number) % len(bots) for position in range(len(bots))]
        yield play_hand(
            game, deal, [bots[p] for p in order], names=[names[p] for p in order], number=number
        )


def hand(name, holes, board, betting, players=("ann", "bob", "cy")):
    game = load_game(name)
    deal = game.make_deal(holes, board)
    final = game.replay(betting, deal)
    return PlayedHand(game, 0, deal, players[: game.players], final.betting, final.payoffs())


def test_one_hand_counted_by_hand():
    # Seats: small blind ann, big blind bob, button cy, who acts first.
    played = hand("holdem.limit.3p", ["AsAd", "7h2c", "KhKd"], "2d3d9h5s6c", "crcc/crfc/rc/cc")
    found = play_statistics([played])
    ann, bob, cy = found["ann"], found["bob"], found["cy"]
    assert (ann.vpip, bob.vpip, cy.vpip) == (1.0, 1.0, 1.0)
    assert (ann.pfr, bob.pfr, cy.pfr) == (1.0, 0.0, 0.0)
    assert ann.actions[0, 3].tolist() == [0, 0, 1]
    assert bob.actions[0, 3].tolist() == [0, 1, 0]
    assert cy.actions[0, 3].tolist() == [0, 2, 0]
    assert ann.actions[1, 3].tolist() == [0, 1, 0] and ann.actions[1, 2].tolist() == [0, 1, 0]
    assert bob.actions[1, 3].tolist() == [0, 0, 1]
    assert cy.actions[1, 3].tolist() == [1, 0, 0]
    assert ann.actions[2, 2].tolist() == [0, 0, 1] and bob.actions[2, 2].tolist() == [0, 1, 0]
    assert ann.aggression == 1 / 1 and bob.aggression == 1 / 1
    assert (ann.showdowns, bob.showdowns, cy.showdowns) == (1, 1, 0)
    assert (ann.showdowns_won, bob.showdowns_won) == (1, 0)
    assert np.isnan(ann.frequencies(3, 3)).all()
    assert ann.frequencies(3, 2) == (0.0, 1.0, 0.0)
    # Aces stand in the corner, 72 offsuit below the diagonal, kings beside the aces.
    assert ann.class_table("raise")[0, 0] == 1.0
    assert bob.class_table("call")[12, 7] == 1.0
    assert cy.class_table("call", active=3)[1, 1] == 1.0
    assert np.isnan(cy.class_table("call", active=2)).all()
    assert np.isfinite(ann.class_table("fold")).sum() == 1


def test_players_that_always_do_the_same():
    found = play_statistics(match("holdem.limit.3p", [Caller(), Raiser(), Folder()], 300))
    caller, raiser, folder = found["Caller 0"], found["Raiser 1"], found["Folder 2"]
    assert caller.hands == raiser.hands == folder.hands == 300
    assert caller.vpip == pytest.approx(1.0) and caller.pfr == 0.0 and caller.aggression == 0.0
    assert raiser.pfr == 1.0 and raiser.aggression > 1.0
    assert folder.vpip == 0.0 and folder.showdowns == 0
    assert all(counts[2] == counts[0] == 0 for counts in caller.actions.values())
    total = sum(sum(player.won) for player in found.values())
    assert total == pytest.approx(0.0)


def test_random_bots_play_their_weights():
    found = play_statistics(match("holdem.limit.2p", [RandomBot(1, 2, 1), Caller()], 1500))
    player = found["RandomBot 0"]
    _, calls, raises = player.actions[0, 2]
    assert calls / raises == pytest.approx(2.0, abs=0.3)
    tables = [player.class_table(action) for action in ACTIONS]
    total = np.sum(tables, axis=0)
    np.testing.assert_allclose(total[np.isfinite(total)], 1.0)
    assert player.mean == pytest.approx(np.mean(player.won))
    assert player.stderr == pytest.approx(np.std(player.won, ddof=1) / 1500**0.5)


def test_games_without_starting_hands_of_two_cards():
    found = play_statistics(match("kuhn", [Caller(), Raiser()], 50))
    assert found["Caller 0"].classes == {}
    assert np.isnan(found["Caller 0"].class_table("fold")).all()
    assert found["Raiser 1"].aggression == float("inf")
    assert found["Raiser 1"].to_json()["aggression"] is None
    found = play_statistics(match("draw", [Caller(), RandomBot()], 50))
    assert set(found["Caller 0"].actions) <= {(0, 2), (1, 2)}


def test_unknown_hands_are_left_out_of_the_tables():
    game = load_game("holdem.limit.2p")
    played = PlayedHand(
        game, 0, Deal(((), (51, 50)), (0, 5, 10)), ("ann", "bob"), "cc/rf", (20.0, -20.0)
    )
    found = play_statistics([played])
    assert found["ann"].classes == {} and found["bob"].classes[2].sum() == 1
    assert found["ann"].actions[0, 2].sum() == 1


def test_unknown_actions():
    found = play_statistics(match("kuhn", [Caller(), Raiser()], 1))
    with pytest.raises(ValueError, match="no action 'bluff': there are fold, call, raise"):
        found["Caller 0"].class_table("bluff")


def test_the_band_of_a_win_curve_holds_the_truth_as_often_as_it_says():
    rng = np.random.default_rng(1)
    inside = 0
    for _ in range(400):
        curve = win_curve("x", rng.normal(0.3, 2.0, 200))
        inside += curve.low[-1] < 0.3 * 200 < curve.high[-1]
    assert 0.92 < inside / 400 < 0.98
    one = win_curve("x", [2.0])
    assert one.total.tolist() == one.low.tolist() == [2.0]


@pytest.mark.parametrize(
    ("game", "bots", "seatings"),
    [
        ("leduc", ("random", "raiser"), 2),
        ("holdem.limit.3p", ("random", "raiser", "caller"), 6),
        ("holdem.limit.3p", ("random", "raiser", "raiser"), 3),
    ],
)
@pytest.mark.parametrize("duplicate", [True, False])
def test_errors_of_a_duplicate_match_are_those_of_the_match(game, bots, seatings, duplicate):
    hands = []
    result = play_match(game, bots, 60, 3, duplicate=duplicate, on_hand=hands.append)
    found = play_statistics(hands)
    unit = load_game(game).mbb
    for name, error in zip(result.names, result.stderr, strict=True):
        assert found[name].seatings == (seatings if duplicate else 1)
        assert found[name].stderr * unit == pytest.approx(error)
    if duplicate:  # a match that was broken off has its last deals in one seating only
        assert {player.seatings for player in play_statistics(hands[:-1]).values()} == {1}

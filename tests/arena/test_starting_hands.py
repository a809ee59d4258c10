from pathlib import Path

import numpy as np
import pytest

import pokerlab.cards
from pokerlab.arena.matches import play_match
from pokerlab.arena.simulation.compiled_match import simulate
from pokerlab.arena.simulation.tables import as_table
from pokerlab.arena.starting_hands import StartingHandMatch, starting_hand_values
from pokerlab.cards.hand_classes import CLASS_NAMES, CLASS_SIZES
from pokerlab.games import load_betting_game
from pokerlab.players.bots import Caller, Folder, Raiser

LIMIT = "holdem.limit.2p"
NO_LIMIT = "holdem.nolimit.2p"


class Silent(Caller):
    """A caller that says nothing of its probabilities: it cannot be made a table."""

    def probabilities(self, view):
        return None


@pytest.fixture(scope="module")
def checked_down():
    return starting_hand_values(LIMIT, ["caller", "caller"], 1_000_000, 5)


@pytest.fixture(scope="module")
def by_bots():
    """Three hands of each class, by bots."""
    return starting_hand_values(LIMIT, [Silent(), Caller()], 3 * 169, 5)


def exact_equities():
    """Of each class against a random hand: all boards and opposing hands."""
    file = Path(pokerlab.cards.__file__).parent / "data" / "preflop_order.txt"
    lines = [line.split() for line in file.read_text().splitlines() if not line.startswith("#")]
    return {name: float(equity) for name, equity in lines}


@pytest.mark.parametrize("bots", [["folder", "folder"], [Silent(), Folder()]])
def test_who_folds_loses_the_blind_with_every_hand(bots):
    found = starting_hand_values(LIMIT, bots, 20_000 if isinstance(bots[0], str) else 338, seat=1)
    assert found.compiled is isinstance(bots[0], str)
    assert found.mbb.tolist() == [-500.0] * 169
    assert found.stderr.tolist() == [0.0] * 169
    assert found.mean == pytest.approx((-500.0, 0.0))


def test_who_never_folds_nor_raises_wins_his_equity(checked_down):
    equities = exact_equities()
    expected = np.array([1000 * (2 * equities[name] - 1) for name in CLASS_NAMES])
    assert checked_down.of("AA")[0] == pytest.approx(1000 * (2 * 0.852037 - 1), abs=50)
    assert checked_down.of("72o")[0] == pytest.approx(1000 * (2 * 0.345836 - 1), abs=50)
    distances = (checked_down.mbb - expected) / checked_down.stderr
    assert np.abs(distances).max() < 4.5
    assert 0.7 < distances.std() < 1.3  # the errors are neither too small nor too large
    assert abs(checked_down.mean[0]) < 4 * checked_down.mean[1]


def test_random_deals_are_sorted_by_class(checked_down):
    assert checked_down.hands.sum() == 1_000_000
    expected = CLASS_SIZES / 1326 * 1e6
    assert np.abs((checked_down.hands - expected) / np.sqrt(expected)).max() < 5


def test_the_mean_over_classes_is_that_of_a_plain_match():
    bots = [as_table(load_betting_game(LIMIT), name) for name in ("random:1,2,1", "fold-to-raise")]
    plain = simulate(LIMIT, bots, 600_000, 2)
    for seat in range(2):
        mean, error = starting_hand_values(LIMIT, bots, 200_000, 1, seat=seat).mean
        expected, plain_error = plain.by_position[seat][seat], plain.position_stderr[seat][seat]
        assert abs(mean - expected) < 4 * np.hypot(error, plain_error)


def test_bots_are_dealt_every_class_equally_often(by_bots, checked_down):
    assert not by_bots.compiled
    assert by_bots.bots == ("Silent", "Caller")
    assert by_bots.hands.tolist() == [3] * 169
    distances = (by_bots.mean[0] - checked_down.mean[0]) / by_bots.mean[1]
    assert abs(distances) < 4
    assert np.corrcoef(by_bots.mbb, checked_down.mbb)[0, 1] > 0.2  # aces are counted as aces


def test_bots_without_tables_win_what_a_match_with_the_pocket_says():
    bots = [Silent(), Raiser()]
    result = play_match(LIMIT, bots, 400, 3, pockets={0: "AA"}, fixed_button=True)
    found = starting_hand_values(LIMIT, [Caller(), Raiser()], 300_000, 1)
    aces, error = found.of("AA")
    assert abs(result.mbb_per_hand[0] - aces) < 4 * np.hypot(result.stderr[0], error)


def test_games_without_tables_are_played_by_bots():
    found = starting_hand_values(NO_LIMIT, ["folder", "caller"], 200, 1, seat=0)
    assert not found.compiled
    assert sorted(found.hands.tolist()) == [1] * 138 + [2] * 31
    assert np.isnan(found.stderr[found.hands < 2]).all()


def test_the_same_seed_is_the_same_result_whatever_the_threads():
    for bots in (["random", "random"], [Silent(), "random"]):
        hands = 20_000 if isinstance(bots[0], str) else 200
        once = starting_hand_values(LIMIT, bots, hands, 4, threads=1)
        again = starting_hand_values(LIMIT, bots, hands, 4, threads=2)
        assert np.array_equal(once.mbb, again.mbb, equal_nan=True)


def test_a_match_may_be_broken_off():
    with StartingHandMatch(LIMIT, [Silent(), "caller"], 400) as match:
        for played in match:
            if played == 100:
                break
        found = match.result()
    assert found.hands.sum() == 100
    data = found.to_json()
    assert data["mbb_per_hand"] is None
    assert {row["mbb"] for row in data["classes"]} >= {None}


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (("leduc", ["caller", "caller"]), {}, "leduc has no starting hands of hold'em"),
        ((LIMIT, ["caller"]), {}, "is a game for 2 players"),
        ((LIMIT, ["caller", "nobody"]), {}, "nobody"),
        ((LIMIT, ["caller", "caller"]), {"seat": 2}, "seat 2: .* has seats 0 to 1"),
        ((LIMIT, ["caller", "caller"]), {"seed": -1}, "-1 is not a seed"),
        ((LIMIT, ["caller", "caller"], 0), {}, "0 is not a number of hands"),
    ],
)
def test_bad_input(arguments, options, message):
    with pytest.raises(ValueError, match=message):
        StartingHandMatch(*arguments, **options)


def test_an_unknown_class(by_bots):
    with pytest.raises(ValueError, match="'AKx' is not a class of starting hands"):
        by_bots.of("AKx")

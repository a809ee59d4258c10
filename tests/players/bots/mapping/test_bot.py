import zlib
from collections import Counter

import numpy as np
import pytest
from tests.effort import some_of

from pokerlab.arena.matches import play_match
from pokerlab.cards.hand_classes import CLASS_NAMES
from pokerlab.games import load_game
from pokerlab.holdem.limit.sampling.bucketed_game import BucketedGame
from pokerlab.players.bots.mapping import bot as mapping
from pokerlab.players.bots.mapping.bias import reference_actions
from pokerlab.players.bots.mapping.bot import (
    HBB1,
    HBB2,
    HBB3,
    HBB4,
    HBB5,
    HBB6,
    HBB7,
    MappingBot,
    TwoPlayerTriples,
)
from pokerlab.players.bots.mapping.comparators import COMPARATORS, Order
from pokerlab.players.bots.mapping.correction import Correction, learned_correction
from pokerlab.players.bots.mapping.filters import FILTERS
from pokerlab.players.bots.mapping.histories import two_player_histories
from pokerlab.players.bots.simple import RandomBot
from pokerlab.players.strategies.limit_file import LimitStrategy

NAMED = (HBB1, HBB2, HBB3, HBB4, HBB5, HBB6, HBB7)
BOARD = "2s3s4s5c6c"


class Fake:
    """A strategy that depends on the history alone and does not know a quarter of them."""

    def triple(self, history, hole, board):
        number = zlib.crc32(history.encode())
        if number % 4 == 0:
            return None
        weights = [(number >> shift) % 7 + 1 for shift in (2, 5, 8)]
        return tuple(weight / sum(weights) for weight in weights)


class Table(dict):
    """A strategy that is a table; what is not in it is not known."""

    def triple(self, history, hole, board):
        return self.get(history)


class Everywhere:
    """A strategy that plays the same triple at every history."""

    def __init__(self, *triple):
        self.known = triple

    def triple(self, history, hole, board):
        return self.known


@pytest.fixture(scope="module")
def game():
    return load_game("holdem.limit.3p")


def started(bot, game):
    bot.reset(game, np.random.default_rng(1))
    return bot


def view_of(game, betting, hole="AhKd"):
    """What the player who acts sees, with these cards."""
    seat = game.replay(betting).player
    holes = ["", "", ""]
    holes[seat] = hole
    return game.replay(betting, game.make_deal(holes, BOARD)).view(seat)


def test_the_fake_strategy_is_one_and_does_not_know_a_quarter():
    assert isinstance(Fake(), TwoPlayerTriples)
    known = Counter(Fake().triple(text, (), ()) is None for text in two_player_histories().texts)
    assert known[True] / 6378 == pytest.approx(0.25, abs=0.02)


# What the strategy is asked


def test_it_is_asked_about_the_cards_of_the_player(game):
    asked = []

    class Asked:
        def triple(self, history, hole, board):
            asked.append((history, hole, board))
            return 0.0, 1.0, 0.0

    view = view_of(game, "rcc/rr")
    started(HBB2(Asked()), game).probabilities(view)
    assert asked == [("rc/r", view.holes[2], view.board)] * 2
    assert len(view.board) == 3


def test_with_one_history_hbb4_and_hbb5_are_the_same_bot(game):
    class Known(Fake):
        """One that knows all histories, and plays otherwise at each."""

        def triple(self, history, hole, board):
            return super().triple(history, hole, board) or (0.5, 0.25, 0.25)

    fourth, fifth = (started(kind(Known()), game) for kind in (HBB4, HBB5))
    rng = np.random.default_rng(4)
    seen = set()
    for _ in range(25):
        betting, state = "", game.replay("")
        while state.player >= 0:
            seen.add(betting)
            action = rng.choice(
                [each for each in state.actions() if each != "f" or rng.random() < 0.2]
            )
            state = state.apply(action)
            betting = state.node.text
    assert len(seen) > 200
    for betting in sorted(seen):
        view = view_of(game, betting)
        assert fourth.probabilities(view) == fifth.probabilities(view), betting


def test_hbb1_asks_about_the_round_of_the_table(game):
    bot = started(HBB1(Everywhere(0.5, 0.3, 0.2)), game)
    (mapped,) = bot.mappings(view_of(game, "rfc/crrc/rrc/"))
    assert [near.history for near in mapped.neighbours] == ["rc/crrc/rrc/"]
    assert mapped.candidates == 1


def test_each_opponent_still_in_has_a_mapping(game):
    bot = started(HBB2(Fake()), game)
    assert len(bot.mappings(view_of(game, "rcc/r"))) == 2
    assert len(bot.mappings(view_of(game, "rcc/rfr"))) == 1


# Nearest histories


def test_what_the_strategy_does_not_know_is_passed_over(game):
    view = view_of(game, "rcc/rr")
    bot = started(HBB2(Fake(), nearest=5), game)
    every = started(HBB2(Everywhere(0.5, 0.3, 0.2), nearest=70), game)
    for mapped, whole in zip(bot.mappings(view), every.mappings(view), strict=True):
        order = [near.history for near in whole.neighbours]
        known = [text for text in order if Fake().triple(text, (), ()) is not None]
        assert [near.history for near in mapped.neighbours] == known[:5]
        assert mapped.skipped == order.index(known[4]) - 4
        assert mapped.candidates == 70


def test_neighbours_beyond_those_sorted_at_first_are_found(game):
    view = view_of(game, "rcc/rcc/ccc/r")
    whole = started(HBB2(Everywhere(0.5, 0.3, 0.2), nearest=5670), game).mappings(view)[0]
    last = whole.neighbours[-1]
    mapped = started(HBB2(Table({last.history: (1.0, 0.0, 0.0)})), game).mappings(view)[0]
    assert [near.history for near in mapped.neighbours] == [last.history]
    assert mapped.neighbours[0].distance == last.distance
    assert mapped.skipped == 5669


def test_the_mean_over_the_nearest_is_plain_or_weighted_by_distance(game):
    view = view_of(game, "rfc/r")
    table = Table({"rc/r": (0.0, 0.0, 1.0), "cc/r": (0.0, 1.0, 0.0), "cc/cr": (1.0, 0.0, 0.0)})
    (mapped,) = started(HBB2(table, nearest=3), game).mappings(view)
    assert {near.history: near.distance for near in mapped.neighbours} == {
        "rc/r": 0.0,
        "cc/r": 1.0,
        "cc/cr": 2.0,
    }
    plain = started(HBB2(table, nearest=3), game).probabilities(view)
    assert plain == pytest.approx({"r": 1 / 3, "c": 1 / 3, "f": 1 / 3})
    weighted = started(HBB2(table, nearest=3, weighted=True), game).probabilities(view)
    total = 1 + 1 / 2 + 1 / 3
    assert weighted == pytest.approx({"r": 1 / total, "c": 1 / 2 / total, "f": 1 / 3 / total})


def test_two_opponents_are_averaged(game):
    view = view_of(game, "ccc/ccr")  # the small blind acts; the big blind checked, the button bet
    table = Table({"cc/c": (0.0, 0.0, 1.0), "cc/cr": (0.5, 0.5, 0.0)})
    bot = started(HBB2(table), game)
    assert bot.probabilities(view) == {"r": 0.5, "c": 0.25, "f": 0.25}
    both = started(MappingBot(table, opponents="both"), game)
    assert both.probabilities(view)["f"] == 0.5


def test_hbb7_is_hbb6_corrected_where_three_are_in(game):
    strategy = Everywhere(0.1, 0.6, 0.3)
    plain, corrected = started(HBB6(strategy), game), started(HBB7(strategy), game)
    for betting in ("rfc/r", "f", "rcc/rfr"):
        view = view_of(game, betting)
        assert corrected.probabilities(view) == plain.probabilities(view)
    for betting in ("r", "rcc/r", "ccc/ccc/rr"):
        view = view_of(game, betting, "7h2d")
        mapped = [plain.probabilities(view).get(action, 0.0) for action in "fcr"]
        hole = view.holes[view.player]
        expected = learned_correction().at(view.node, hole, view.board, mapped)
        probabilities = corrected.probabilities(view)
        assert [probabilities.get(action, 0.0) for action in "fcr"] == pytest.approx(expected)
        assert probabilities["f"] > plain.probabilities(view)["f"] + 0.1


def test_a_correction_of_ones_own_is_used(game):
    never = Correction.identity()
    never.coefficients[:, :, :, 0] = -1000.0
    bot = started(MappingBot(Everywhere(0.1, 0.6, 0.3), correction=never), game)
    assert bot.probabilities(view_of(game, "rcc/r"))["c"] == pytest.approx(1.0)


def test_bias_counts_from_the_corrected_folds(game):
    bot = started(HBB7(Everywhere(0.1, 0.6, 0.3), bias={"72o": 0.5}), game)
    plain = started(HBB7(Everywhere(0.1, 0.6, 0.3)), game)
    view = view_of(game, "rcc/r", "7h2d")
    assert bot.probabilities(view) == plain.probabilities(view)
    more = reference_actions()[CLASS_NAMES.index("72o"), 0] - 0.5
    view = view_of(game, "r", "7h2d")
    folds = min(plain.probabilities(view)["f"] + more, 1.0)
    assert bot.probabilities(view)["f"] == pytest.approx(folds)


def test_where_no_candidate_is_known_the_whole_street_is_asked(game):
    view = view_of(game, "rfc/r")
    table = Table({"rrrc/rrrr": (1.0, 0.0, 0.0)})
    bot = started(HBB3(table), game)
    (mapped,) = bot.mappings(view)
    assert mapped.neighbours[0].history == "rrrc/rrrr"
    assert mapped.skipped == mapped.candidates < 70
    assert bot.probabilities(view) == {"f": 1.0}


def test_where_nothing_is_known_it_checks_or_calls(game):
    bot = started(HBB5(Table()), game)
    assert bot.probabilities(view_of(game, "rcc/r")) == {"c": 1.0}


def test_a_kept_line_answers_as_it_did_at_first(game):
    view = view_of(game, "rcc/rcf/rr")
    bot = started(HBB5(Fake(), nearest=10, weighted=True), game)
    assert (
        bot.probabilities(view) == bot.probabilities(view) == started(bot, game).probabilities(view)
    )


def test_only_so_many_lines_are_kept(game, monkeypatch):
    monkeypatch.setattr(mapping, "_KEPT_LINES", 3)
    bot = started(HBB2(Fake()), game)
    for betting in ("", "c", "cc", "r", "rr", "rc"):
        bot.probabilities(view_of(game, betting))
    assert len(bot._rankings) == 3


@pytest.mark.parametrize(("betting", "history"), [("rcc/rr", "rc/r"), ("ccc/ccc/rr", "cc/cc/r")])
def test_hbb2_maps_the_states_s1_and_s2_as_the_thesis_says(game, betting, history):
    bot = started(HBB2(Everywhere(0.0, 1.0, 0.0)), game)
    for mapped in bot.mappings(view_of(game, betting)):
        assert [(near.history, near.distance) for near in mapped.neighbours] == [(history, 0.0)]


# Bias


def test_bias_raises_folds_by_exactly_the_difference(game):
    strategy = Everywhere(0.1, 0.3, 0.6)
    for hand, name in (("Qh3h", "Q3s"), ("Jh6h", "J6s"), ("KhKd", "KK")):
        reference = reference_actions()[CLASS_NAMES.index(name), 0]
        bot = started(HBB2(strategy, bias={name: 0.05}), game)
        probabilities = bot.probabilities(view_of(game, "r", hand))
        assert probabilities["f"] == pytest.approx(0.1 + reference - 0.05)
        assert probabilities["r"] == pytest.approx(2.0 * probabilities["c"])


def test_without_own_frequencies_it_computes_them(game):
    """A strategy that always folds a tenth: then the reference is met exactly."""
    bot = started(HBB2(Everywhere(0.1, 0.3, 0.6), bias=True), game)
    for hand, name in (("Qh3h", "Q3s"), ("Jh4h", "J4s"), ("AhAd", "AA")):
        reference = reference_actions()[CLASS_NAMES.index(name), 0]
        folds = bot.probabilities(view_of(game, "c", hand)).get("f", 0.0)
        assert folds == pytest.approx(reference)


def test_folds_stay_between_0_and_1(game):
    never = started(HBB2(Everywhere(0.1, 0.9, 0.0), bias={"AA": 0.9}), game)
    assert never.probabilities(view_of(game, "r", "AhAd")) == {"c": 1.0}
    always = started(HBB2(Everywhere(0.9, 0.1, 0.0), bias={"72o": 0.0}), game)
    assert always.probabilities(view_of(game, "r", "7h2d")) == {"f": 1.0}


@pytest.mark.parametrize(
    "betting",
    ["cc", "fr", "rcc/r"],
    ids=["nothing to pay", "two players left", "after the flop"],
)
def test_bias_is_only_for_three_players_before_the_flop(game, betting):
    strategy = Everywhere(0.1, 0.3, 0.6)
    view = view_of(game, betting, "7h2d")
    biased = started(HBB2(strategy, bias={"72o": 0.0}), game)
    assert biased.probabilities(view) == started(HBB2(strategy), game).probabilities(view)


def test_a_class_without_a_frequency_is_not_biased(game):
    strategy = Everywhere(0.1, 0.3, 0.6)
    bot = started(HBB2(strategy, bias={"AA": 0.0}), game)
    assert bot.probabilities(view_of(game, "r", "7h2d"))["f"] == pytest.approx(0.1)


# Greedy play, and legal actions


def test_greedy_plays_the_most_probable_action(game):
    bot = started(HBB2(Everywhere(0.25, 0.45, 0.3), greedy=True), game)
    assert bot.probabilities(view_of(game, "r")) == {"c": 1.0}
    bot = started(HBB2(Everywhere(0.45, 0.25, 0.3), greedy=True), game)
    assert bot.probabilities(view_of(game, "r")) == {"f": 1.0}
    assert bot.probabilities(view_of(game, "cc")) == {"c": 1.0}  # checking is free: .25 + .45


def test_impossible_raises_are_calls_and_free_folds_are_checks(game):
    bot = started(HBB2(Everywhere(0.25, 0.25, 0.5)), game)
    assert bot.probabilities(view_of(game, "rrr")) == {"c": 0.75, "f": 0.25}
    assert bot.probabilities(view_of(game, "ccc/")) == {"r": 0.5, "c": 0.5}


@pytest.mark.parametrize("made_of", NAMED)
@pytest.mark.parametrize(
    "options",
    [
        {},
        pytest.param({"nearest": 5, "weighted": True, "bias": True}, marks=pytest.mark.slow),
        {"greedy": True},
    ],
)
def test_it_plays_by_the_rules(made_of, options):
    seen = Counter()

    class Watched(made_of):
        def act(self, view):
            action = super().act(view)
            assert action in view.actions()
            seen[len(view.node.live), view.street] += 1
            return action

    others = [RandomBot(1, 6, 2), RandomBot(1, 6, 2)]
    result = play_match("holdem.limit.3p", [Watched(Fake(), **options), *others], some_of(300), 3)
    assert result.faults == (0, 0, 0), result.first_faults
    assert all(seen[players, street] for players in (2, 3) for street in range(4))


@pytest.mark.parametrize("filter_name", FILTERS.names)
@pytest.mark.parametrize("comparator_name", COMPARATORS.names)
def test_every_filter_goes_with_every_comparator(filter_name, comparator_name, game):
    bot = MappingBot(Fake(), candidates=filter_name, order=comparator_name, nearest=3)
    started(bot, game)
    for betting in ("", "rcc/rr", "rfc/cr", "ccc/ccc/rrr", "rrrcc/rcf/rrrc/crrr"):
        probabilities = bot.probabilities(view_of(game, betting))
        assert sum(probabilities.values()) == pytest.approx(1.0)


def test_a_comparator_of_ones_own_is_a_few_lines(game):
    name = "longest-for-this-test"

    @COMPARATORS.add(name)
    def longest(decision, histories, candidates):
        lengths = np.array([len(histories.texts[number]) for number in candidates])
        return Order((), lengths.max() - lengths)

    try:
        bot = started(MappingBot(Everywhere(0.5, 0.3, 0.2), order=name), game)
        (mapped,) = bot.mappings(view_of(game, "rfc/r"))
        assert mapped.neighbours[0].history == "crrrc/crrrr"
        with pytest.raises(ValueError, match=f"there is a comparator '{name}' already"):
            COMPARATORS.add(name)(longest)
    finally:
        del COMPARATORS._parts[name]


# Strategies of files


@pytest.fixture(scope="module")
def save(tmp_path_factory):
    """Write a random strategy for the 169 classes of hands; a quarter of it is not known."""

    def save_one(name, groups):
        game = BucketedGame.of(load_game(name), groups)
        rng = np.random.default_rng(8)
        probabilities = rng.dirichlet(np.ones(3), game.rows)
        probabilities[rng.random(game.rows) < 0.25] = np.nan
        strategy = LimitStrategy(
            game, probabilities.astype(np.float16), 1, 1.0, "none", "none", 0.0, 0.0, True
        )
        path = tmp_path_factory.mktemp("strategies") / f"{name}.safetensors"
        strategy.save(path)
        return path

    return save_one


def test_it_plays_the_strategy_of_a_file(save, game):
    path = save("holdem.limit.2p", "classes")
    bot = HBB5(str(path), nearest=3, weighted=True, bias=True)
    result = play_match(game, [bot, "random:1,6,2", "random:1,6,2"], 100, 3)
    assert result.faults == (0, 0, 0), result.first_faults
    started(bot, game)
    probabilities = bot.probabilities(view_of(game, "rcc/rr"))
    assert sum(probabilities.values()) == pytest.approx(
        1.0, abs=1e-12
    )  # though files keep few digits
    assert probabilities != bot.probabilities(view_of(game, "rcc/rr", "Qh3h"))


def test_a_strategy_of_another_game_is_named(save):
    with pytest.raises(ValueError, match=r"a strategy of kuhn cannot be mapped: it takes holdem"):
        HBB2(save("kuhn", "each"))


# Bad input


@pytest.mark.parametrize("nearest", [0, -1, True, 1.5])
def test_a_bad_number_of_histories_is_named(nearest):
    with pytest.raises(ValueError, match=f"nearest: {nearest} is not a number of histories"):
        HBB2(Fake(), nearest=nearest)


@pytest.mark.parametrize("name", ["holdem.limit.2p", "holdem.nolimit.3p", "kuhn.3p"])
def test_a_game_that_it_cannot_play_is_named(name):
    with pytest.raises(ValueError, match=f"plays holdem.limit.3p and cannot play {name}"):
        started(HBB2(Fake()), load_game(name))


class Folding:
    """A three-player strategy that folds, by street."""

    def __init__(self, *folds):
        self.folds = folds

    def at(self, node, hole, board):
        fold = self.folds[node.street]
        return None if fold is None else (fold, 1.0 - fold, 0.0)


def test_folds_are_those_of_the_three_player_strategy(game):
    mapped, folds = Everywhere(0.1, 0.3, 0.6), Folding(0.7, 0.4, None, 0.4)
    deal = game.make_deal(["7h2c", "AsKd", "QhQc"], "AcKhQdJs6c")
    before, after = (
        started(HBB2(mapped, folds=folds), game),
        started(HBB2(mapped, folds=folds, postflop=True), game),
    )
    plain = started(HBB2(mapped), game)

    def fold(bot, betting):
        state = game.replay(betting, deal)
        return bot.probabilities(state.view(state.player)).get("f", 0.0)

    assert fold(before, "r") == fold(after, "r") == pytest.approx(0.7)
    assert fold(before, "ccc/r") == fold(plain, "ccc/r")
    assert fold(after, "ccc/r") == pytest.approx(0.4)
    # Nothing to pay, two players in, and what the strategy does not know: as mapped.
    for betting in ("cc", "rf", "ccc/ccc/r"):
        assert fold(after, betting) == fold(plain, betting)


def test_one_bias_at_a_time(game):
    with pytest.raises(ValueError, match="bias, folds: only one of them"):
        HBB2(Everywhere(0.1, 0.3, 0.6), bias=True, folds=Folding(0.5))
    with pytest.raises(ValueError, match="postflop: only with folds=FILE"):
        HBB2(Everywhere(0.1, 0.3, 0.6), postflop=True)

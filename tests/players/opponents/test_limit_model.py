"""Models of limit players by groups of cards: the same as on a tree, and a file that plays."""

from __future__ import annotations

import numpy as np
import pytest
from tests.holdem.limit.tree_rows import on_tree, random_rows, row_of_infosets
from tests.players.opponents.test_estimation import hands_of, some_strategy

from pokerlab.arena.simulation.compiled_match import Simulation
from pokerlab.games import load_betting_game
from pokerlab.holdem.limit.buckets.street_buckets import (
    card_buckets,
    one_bucket,
    starting_hand_classes,
)
from pokerlab.holdem.limit.sampling.bucketed_game import BucketedGame
from pokerlab.players.opponents import (
    LimitHands,
    estimate_limit_model,
    estimate_model,
    load_limit_model,
    model_tree,
    observe,
)
from pokerlab.players.opponents.limit_estimation import estimate_rows
from pokerlab.players.strategies.table_strategy import TableStrategy

GAME = load_betting_game("leduc")
TREE = model_tree(GAME)


def leduc_by_rank() -> BucketedGame:
    """Leduc up to suits, as its tree is."""
    first = np.array([0, 0, 1, 1, 2, 2], np.uint16)
    second = np.add.outer(3 * first, first).astype(np.uint16).ravel()
    groups = tuple(card_buckets(values, numbers="cards") for values in (first, second))
    return BucketedGame(GAME, groups, "ranks")


LEDUC = leduc_by_rank()


@pytest.mark.parametrize("hide", ["nothing", "folded", "own", "all"])
def test_the_same_as_on_the_tree(hide: str) -> None:
    hands = hands_of(TREE, some_strategy(TREE, 1), some_strategy(TREE, 2), 2_000, hide=hide)
    expected = estimate_model(TREE, hands, "bob")
    found = estimate_rows(
        LEDUC, LimitHands.of(GAME, hands), "uniform", tolerance=1e-9, rounds=5_000, threads=1
    )
    rows = row_of_infosets(LEDUC, TREE)
    strategy = on_tree(LEDUC, TREE, found.probabilities)
    assert np.abs(strategy.array - expected.strategy.array).max() < 1e-4
    observed = found.counts.sum(axis=1)[rows]
    assert observed == pytest.approx(expected.observations, abs=1e-2)
    assert found.counts.sum() == pytest.approx(expected.counts.sum())
    assert found.shown.sum() == pytest.approx(expected.shown.sum())


@pytest.mark.parametrize("shown_only", [False, True])
def test_a_known_strategy_is_found_again(shown_only: bool) -> None:
    """Within the sampling error, also where only showdowns are seen."""
    rows = random_rows(LEDUC, 5)
    table = TableStrategy(GAME, LEDUC.groups, rows.astype(np.float32))
    other = TableStrategy(GAME, LEDUC.groups, random_rows(LEDUC, 6).astype(np.float32))
    cards, actions = Simulation(GAME, [table, other], 30_000, seed=1).play_hands(0, 30_000)
    seats = np.arange(30_000) % 2
    hands = LimitHands.of_actions(GAME, cards, actions, seats, shown_only=shown_only)
    found = estimate_rows(LEDUC, hands, "uniform", 0.0, tolerance=1e-6, rounds=2_000, threads=1)
    seen = found.counts.sum(axis=1)
    much = seen > 100
    assert much.sum() > 80
    error = np.sqrt(rows * (1 - rows) / np.maximum(seen, 1.0)[:, None])
    off = ((found.probabilities - rows) / np.maximum(error, 1e-9))[much]
    # In errors of what is counted; what is not seen adds to them (1.4 on three seeds).
    spread = np.sqrt((off[rows[much] > 0.0] ** 2).mean())
    assert spread < (1.8 if shown_only else 1.15)
    assert np.abs(off).max() < (9.0 if shown_only else 4.5)


def test_columns_are_those_of_observations() -> None:
    table = TableStrategy(GAME, LEDUC.groups, random_rows(LEDUC, 5).astype(np.float32))
    simulation = Simulation(GAME, [table, table], 300, seed=3)
    cards, actions = simulation.play_hands(0, 300)
    columns = LimitHands.of_actions(
        GAME, cards, actions, np.arange(300) % 2, shown_only=True
    ).merged()
    observations: dict[object, int] = {}
    for number, hand in enumerate(simulation.record(300)):
        seen = observe(hand.final, number % 2, shown_only=True)
        observations[seen] = observations.get(seen, 0) + 1
    expected = LimitHands.of(GAME, observations).merged()
    assert columns.count == expected.count == 300
    for one, other in zip(columns.columns, expected.columns, strict=True):
        assert np.array_equal(one, other)


def test_similar_spots_tell_what_was_never_seen() -> None:
    """A king that always raised on one flop is taken to raise on the others too."""
    hand = GAME.replay("cc/rc", GAME.make_deal(["Ks", "Jh"], "Qs"))
    uniform, similar = (
        estimate_limit_model(LEDUC, {observe(hand, 0): 50}, "bob", prior=prior, threads=1)
        for prior in ("uniform", "similar")
    )
    king, board = hand.holes[0], hand.board
    assert uniform.strategy.triple("crc/", king, board) == pytest.approx((0.0, 0.5, 0.5))
    assert similar.strategy.triple("crc/", king, board)[2] > 0.9
    assert (
        similar.observations[similar.strategy.row(LEDUC.betting.number_of["crc/"], king, board)]
        == 0
    )


def test_holdem_before_the_flop() -> None:
    """Folded hands are never shown, and are known all the same."""
    game = load_betting_game("holdem.limit.2p")
    groups = (starting_hand_classes(), *(one_bucket() for _ in range(3)))
    classes = BucketedGame(game, groups, "before the flop")
    table = TableStrategy.filled(game, classes.groups, [0.0, 1.0, 0.0])
    weak = np.arange(169) >= 100
    for betting in ("", "r", "cr"):
        row = table.row(betting)
        table.probabilities[row : row + 169][weak] = 1.0, 0.0, 0.0
    raiser = TableStrategy.filled(game, classes.groups, [0.0, 0.5, 0.5])
    cards, actions = Simulation(game, [table, raiser], 30_000, seed=1).play_hands(0, 30_000)
    hands = LimitHands.of_actions(game, cards, actions, np.arange(30_000) % 2, shown_only=True)
    model = estimate_limit_model(
        classes, hands, "bob", prior="uniform", prior_weight=1.0, threads=1
    )
    first = slice(int(classes.first_row[0]), int(classes.first_row[0]) + 169)
    counts, folds = model.counts[first].sum(axis=1), model.strategy.probabilities[first, 0]
    assert model.counts[first].sum() == pytest.approx(15_000, rel=1e-4)
    assert np.average(folds[weak], weights=counts[weak]) > 0.9
    assert np.average(folds[~weak], weights=counts[~weak]) < 0.1
    assert model.shown[first][weak].sum() < 1e-3


def test_a_file_gives_the_model_back_and_plays(tmp_path) -> None:
    from pokerlab.players.bots import make_bot

    kuhn = BucketedGame.of(load_betting_game("kuhn"), "each")
    hand = kuhn.game.replay("rc", kuhn.game.make_deal(["Ks", "Js"]))
    model = estimate_limit_model(kuhn, {observe(hand, 1): 3}, "bob", prior_weight=0.5)
    model.save(tmp_path / "bob")
    again = load_limit_model(tmp_path / "bob")
    assert again is not None
    for key in ("player", "hands", "prior", "prior_weight"):
        assert getattr(again, key) == getattr(model, key)
    for key in ("counts", "shown"):
        assert np.array_equal(getattr(again, key), getattr(model, key))
    for name in ("strategy", "limit2"):
        bot = make_bot(f"{name}:{tmp_path / 'bob'}")
        bot.reset(kuhn.game, np.random.default_rng(0))
        told = bot.probabilities(kuhn.game.replay("r", hand.deal).view(1))
        assert told["c"] == pytest.approx(3.25 / 3.5, abs=0.15)
        bot.close()
    model.strategy.save(tmp_path / "wrong", {"counts": -model.counts, "shown": model.shown})
    with pytest.raises(ValueError, match="tensor 'counts' holds -3, which is not at least 0"):
        load_limit_model(tmp_path / "wrong")
    model.strategy.save(tmp_path / "plain")
    assert load_limit_model(tmp_path / "plain") is None


def test_bad_input_is_one_line() -> None:
    with pytest.raises(ValueError, match="no hands"):
        LimitHands.of(GAME, {})
    three = load_betting_game("kuhn.3p")
    seen = observe(three.replay("ccc", three.make_deal(["Js", "Qs", "Ks"])), 0)
    with pytest.raises(ValueError, match=r"for two players; kuhn.3p has 3"):
        LimitHands.of(three, {seen: 1})
    with pytest.raises(ValueError, match="does not end a hand of leduc"):
        LimitHands.of(GAME, {seen: 1})
    hand = GAME.replay("crf", GAME.make_deal(["Ks", "Jh"], "Qs"))
    with pytest.raises(ValueError, match="prior weight: -1"):
        estimate_limit_model(LEDUC, {observe(hand, 0): 1}, "bob", prior_weight=-1.0)
    with pytest.raises(ValueError, match="prior: 'odd' is not known"):
        estimate_limit_model(LEDUC, {observe(hand, 0): 1}, "bob", prior="odd")

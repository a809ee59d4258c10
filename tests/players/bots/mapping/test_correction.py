import csv
from importlib.resources import files

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokerlab.cards.codes import parse_cards
from pokerlab.games import load_game
from pokerlab.players.bots.mapping import correction as mapping_correction
from pokerlab.players.bots.mapping.correction import (
    COLUMNS,
    RAISES,
    STREETS,
    Correction,
    Example,
    chance_against_two,
    fit_correction,
    learned_correction,
)


def triples():
    weights = st.tuples(*[st.floats(0.0, 1.0)] * 3).filter(lambda weights: sum(weights) > 0.1)
    return weights.map(lambda weights: tuple(weight / sum(weights) for weight in weights))


def spread(coefficients, mapped, win, can_raise, can_fold):
    """The formula of the module, written with arrays: (fold, call, raise)."""
    fold, call, raise_ = mapped
    if not can_raise:
        raise_, call = 0.0, call + raise_
    if not can_fold:
        call, fold = call + fold, 0.0
    win = np.clip(win, 0.01, 0.99)
    logs = np.log(np.array([raise_, call, fold]) + 0.02)
    seen = np.array([1.0, logs[0] - logs[1], logs[2] - logs[1], np.log(win / (1 - win))])
    odds = np.exp(coefficients @ seen)
    weights = np.array([odds[1] * can_fold, 1.0, odds[0] * can_raise])
    return weights / weights.sum()


def made_up(rng):
    return Correction(rng.normal(0.0, 0.7, (STREETS, RAISES, 2, len(COLUMNS))))


@given(
    triples(),
    st.floats(0.0, 1.0),
    st.booleans(),
    st.booleans(),
    st.integers(0, 3),
    st.integers(0, 4),
    st.integers(0, 5),
)
def test_it_is_the_formula(mapped, win, can_raise, can_fold, street, raises, seed):
    correction = made_up(np.random.default_rng(seed))
    found = correction.triple(street, raises, mapped, win, can_raise=can_raise, can_fold=can_fold)
    expected = spread(correction.coefficients[street, raises], mapped, win, can_raise, can_fold)
    assert found == pytest.approx(expected.tolist(), abs=1e-12)
    assert sum(found) == pytest.approx(1.0)


@given(triples(), st.floats(0.0, 1.0))
def test_the_identity_changes_little(mapped, win):
    assert Correction.identity().triple(1, 2, mapped, win) == pytest.approx(mapped, abs=0.05)


def test_odds_beyond_all_numbers_are_certain():
    correction = Correction.identity()
    correction.coefficients[0, 0, 1, 0] = 5000.0
    assert correction.triple(0, 0, (0.2, 0.4, 0.4), 0.5) == (1.0, 0.0, 0.0)


# Learning


def examples_of(correction, street, raises, count, rng):
    for _ in range(count):
        mapped = tuple(rng.dirichlet(np.ones(3)).tolist())
        win = float(rng.uniform(0.05, 0.95))
        can_raise, can_fold = bool(rng.random() < 0.9), bool(rng.random() < 0.7)
        options = {"can_raise": can_raise, "can_fold": can_fold}
        wanted = correction.triple(street, raises, mapped, win, **options)
        yield Example(street, raises, mapped, win, wanted, **options)


def test_what_made_the_examples_is_found_again(monkeypatch):
    monkeypatch.setattr(mapping_correction, "_PRIOR_WEIGHT", 1e-4)  # nothing holds it back
    rng = np.random.default_rng(3)
    truth = made_up(rng)
    cells = ((0, 0), (1, 2), (3, 4))
    examples = [example for cell in cells for example in examples_of(truth, *cell, 400, rng)]
    found = fit_correction(examples)
    for cell in cells:
        assert found.coefficients[cell] == pytest.approx(truth.coefficients[cell], abs=0.01)


def test_without_examples_a_street_plays_as_the_street_before():
    rng = np.random.default_rng(4)
    found = fit_correction(examples_of(made_up(rng), 1, 2, 500, rng)).coefficients
    identity = Correction.identity().coefficients
    assert np.array_equal(found[2, 2], found[1, 2])
    assert np.array_equal(found[3, 2], found[1, 2])
    assert not np.allclose(found[1, 2], identity[1, 2], atol=0.1)
    assert np.array_equal(found[0], identity[0])
    assert np.array_equal(found[:, 3], identity[:, 3])


def test_a_few_examples_move_it_less_than_many():
    example = Example(0, 1, (0.1, 0.6, 0.3), 0.2, (0.9, 0.1, 0.0), True, True)
    folds = [
        fit_correction([example] * count).triple(0, 1, example.mapped, example.win)[0]
        for count in (1, 10, 1000)
    ]
    assert 0.1 < folds[0] < folds[1] < folds[2] < 0.91


# What comes with pokerlab


def test_the_table_is_read_as_it_is_written():
    source = files("pokerlab.players.bots.mapping") / "data" / "three_player_correction.csv"
    rows = list(csv.DictReader(source.read_text("utf-8").splitlines()))
    assert len(rows) == 2 * STREETS * RAISES
    assert learned_correction().rows() == rows


@pytest.mark.parametrize(("weak", "strong"), [(0.18, 0.5), (0.25, 0.6)])
@pytest.mark.parametrize(("street", "raises"), [(0, 1), (1, 1), (2, 1), (3, 1), (1, 2)])
def test_weaker_hands_fold_more(street, raises, weak, strong):
    correction = learned_correction()
    folds = [correction.triple(street, raises, (0.2, 0.6, 0.2), win)[0] for win in (weak, strong)]
    assert folds[0] > folds[1] + 0.1


def test_at_a_decision_it_asks_for_the_chance_against_two_and_what_is_possible():
    game = load_game("holdem.limit.3p")
    hole, mapped = parse_cards("QhQc"), (0.2, 0.5, 0.3)
    correction = learned_correction()
    capped = game.replay("rrr").node
    chance = chance_against_two(capped, hole, ())
    assert 0.55 < chance < 0.7
    assert correction.at(capped, hole, (), mapped) == correction.triple(
        0, 3, mapped, chance, can_raise=False
    )
    board = parse_cards("2s7d9h")
    checked = game.replay("rcc/c").node
    chance = chance_against_two(checked, hole, board)
    assert correction.at(checked, hole, board, mapped) == correction.triple(
        1, 0, mapped, chance, can_fold=False
    )

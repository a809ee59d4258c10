import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pokerlab.cards.hand_classes import CLASS_NAMES, CLASS_SIZES
from pokerlab.games import load_game
from pokerlab.players.bots.mapping.bias import (
    class_table,
    expected_folds,
    reference_actions,
    with_fold,
)


@pytest.fixture(scope="module")
def first():
    return load_game("holdem.limit.3p").first_betting


def test_the_reference_is_whole_and_sums_to_one():
    table = reference_actions()
    assert table.shape == (169, 3)
    assert table.sum(axis=1) == pytest.approx(np.ones(169), abs=0.002)  # three decimals each
    assert table[CLASS_NAMES.index("AA"), 0] == 0.0
    assert table[CLASS_NAMES.index("72o"), 0] > 0.9


def test_the_reference_agrees_with_the_published_frequencies():
    """Pre-flop with three in: .545 folds, .107 calls, .347 raises, free checks among them."""
    mean = CLASS_SIZES @ reference_actions() / CLASS_SIZES.sum()
    assert mean == pytest.approx([0.545, 0.107, 0.347], abs=0.02)


def test_expected_folds_of_a_player_who_only_folds_to_a_raise(first):
    """Facing blinds alone it calls; so the frequency is the share of decisions after a raise."""

    def decide(node):
        return {"f": 1.0} if "r" in node.text else {"c": 1.0}

    share = expected_folds(first, decide)
    fold, call, raise_ = CLASS_SIZES @ reference_actions() / CLASS_SIZES.sum()
    total = fold + call + raise_
    call, raise_ = call / total, raise_ / total
    bets = raise_ / (call + raise_)  # the big blind cannot fold where nobody has raised
    # Button: first to act for the blinds; after its call the blinds may raise.
    button = (1.0, raise_ * (call + raise_) + call * bets)
    # Small blind: unraised after the button's call; raised by it, or later by the big blind.
    small = (call, raise_ + call * bets * (call + raise_))
    # Big blind: nothing to pay after two calls, then nobody can raise any more.
    big = (0.0, raise_ * (call + raise_) + call * raise_)
    raised = button[1] + small[1] + big[1]
    assert share == pytest.approx(raised / (raised + button[0] + small[0]))


def test_more_folds_give_a_greater_frequency(first):
    frequencies = [
        expected_folds(first, lambda node, fold=fold: {"f": fold, "c": 1.0 - fold})
        for fold in (0.0, 0.3, 1.0)
    ]
    assert frequencies == pytest.approx([0.0, 0.3, 1.0])


@given(
    st.tuples(*[st.floats(0.0, 1.0)] * 3).filter(lambda weights: sum(weights) > 0.01),
    st.floats(0.0, 1.0),
)
@example((1.0, 5e-324, 0.0), 0.5)
def test_with_fold_keeps_the_proportion_of_the_others(weights, fold):
    triple = tuple(weight / sum(weights) for weight in weights)
    folds, call, raise_ = with_fold(triple, fold)
    assert folds == fold
    assert raise_ + call + folds == pytest.approx(1.0)
    assert raise_ * triple[1] == pytest.approx(call * triple[2], abs=1e-9)


def test_bad_frequencies_are_named():
    with pytest.raises(ValueError, match="'AKx' is not a hand class"):
        class_table({"AKx": 0.1})
    with pytest.raises(ValueError, match=r"AA: 1.5 is not a frequency of folds \(0 to 1\)"):
        class_table({"AA": 1.5})

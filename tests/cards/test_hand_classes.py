"""The 13×13 grid of hand classes and the order of the best hands."""

from pathlib import Path

import numpy as np
import pytest

from pokerlab.cards import hand_classes
from pokerlab.cards.codes import COMBO_CARDS, RANKS
from pokerlab.cards.hand_classes import (
    CLASS_NAMES,
    CLASS_OF_COMBO,
    CLASS_SIZES,
    best_first,
    class_combos,
    class_number,
    top_classes,
)


def test_every_combo_is_in_the_class_of_its_ranks_and_suits() -> None:
    for (high, low), number in zip(COMBO_CARDS.tolist(), CLASS_OF_COMBO.tolist(), strict=True):
        name = RANKS[high >> 2] + RANKS[low >> 2]
        if high >> 2 != low >> 2:
            name += "s" if high & 3 == low & 3 else "o"
        assert CLASS_NAMES[number] == name


def test_grid_has_aces_first_and_suited_hands_above_the_diagonal() -> None:
    assert CLASS_NAMES[:3] == ("AA", "AKs", "AQs")
    assert CLASS_NAMES[13:15] == ("AKo", "KK")
    assert CLASS_NAMES[-1] == "22"
    assert CLASS_NAMES[class_number(3, 0, suited=True)] == "52s"


def test_classes_share_out_the_combos() -> None:
    assert sorted(np.concatenate(class_combos()).tolist()) == list(range(1326))
    assert [len(combos) for combos in class_combos()] == CLASS_SIZES.tolist()
    assert [CLASS_SIZES[CLASS_NAMES.index(name)] for name in ("TT", "T9s", "T9o")] == [6, 4, 12]


def test_order_is_by_equity_against_a_random_hand() -> None:
    text = (Path(hand_classes.__file__).parent / "data" / "preflop_order.txt").read_text()
    equity = {
        name: float(value)
        for name, value in (line.split() for line in text.splitlines() if line[0] != "#")
    }
    assert sorted(equity) == sorted(CLASS_NAMES)
    assert sorted(equity.values(), reverse=True) == list(equity.values())
    assert [CLASS_NAMES[number] for number in best_first()] == list(equity)
    # Known equities, and the sum over all hands: on average, half of the pots are won.
    assert (equity["AA"], equity["32o"]) == pytest.approx((0.85204, 0.32303), abs=1e-5)
    mean = sum(equity[name] * size for name, size in zip(CLASS_NAMES, CLASS_SIZES, strict=True))
    assert mean / 1326 == pytest.approx(0.5, abs=1e-8)


@pytest.mark.parametrize("percent", [0, 0.4, 0.5, 1, 5, 19.9, 20, 50, 99.9, 100])
def test_top_classes_fit_and_the_next_one_does_not(percent: float) -> None:
    taken = top_classes(percent)
    combos = CLASS_SIZES[list(taken)].sum()
    assert combos <= percent * 13.26
    assert taken == best_first()[: len(taken)]
    if len(taken) < 169:
        assert combos + CLASS_SIZES[best_first()[len(taken)]] > percent * 13.26


def test_a_share_that_classes_fill_exactly_holds_them() -> None:
    assert len(top_classes(100 * 6 / 1326)) == 1
    assert len(top_classes(100 * 12 / 1326)) == 2

"""Texts of other programs, pasted as they are: written here from random weights, and read back."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokerlab.cards.codes import COMBO_CARDS, RANKS, format_cards
from pokerlab.cards.hand_classes import CLASS_NAMES, CLASS_OF_COMBO
from pokerlab.cards.ranges.pasted import form_words
from pokerlab.cards.ranges.range import Range
from pokerlab.cards.ranges.text import parse_range

SOME = st.dictionaries(st.integers(0, 1325), st.integers(1, 10_000), max_size=300)
CLASSES = st.dictionaries(st.sampled_from(CLASS_NAMES), st.integers(1, 100), max_size=169)


def by_combo(shares, parts=10_000):
    weights = np.zeros(1326)
    for combo, share in shares.items():
        weights[combo] = share / parts
    return weights


def by_class(shares):
    return np.array([shares.get(name, 0) / 100 for name in CLASS_NAMES])[CLASS_OF_COMBO]


@pytest.mark.parametrize("between", [" ", "\n", ",", ", ", "  \r\n"])
@given(shares=SOME)
def test_pio_as_1326_weights(between, shares):
    weights = by_combo(shares)
    text = between.join(f"{each:.4f}".rstrip("0").rstrip(".") for each in weights)
    assert np.array_equal(parse_range(text), weights)
    assert np.array_equal(parse_range(f"\n{text} \n"), weights)
    assert form_words(text) == "1,326 weights (PioSOLVER)"
    assert np.array_equal(parse_range(Range(weights).pio_text()), weights)


@given(shares=CLASSES, places=st.integers(0, 3))
def test_pio_as_classes_with_weights(shares, places):
    text = ",".join(f"{name}:{share / 100:.{max(places, 2)}f}" for name, share in shares.items())
    assert np.array_equal(parse_range(text), by_class(shares))
    assert form_words(text) == ("weights after a colon (PioSOLVER)" if shares else None)


@given(shares=CLASSES)
def test_gto_plus_has_weights_in_brackets(shares):
    """Three digits each: ``[64.0]KTo[/64.0],[9.00]K8o[/9.00]``; whole hands stand alone."""
    weighed = {}
    for name, share in shares.items():
        weighed.setdefault(share, []).append(name)
    parts = [",".join(weighed.pop(100, []))]
    for share, names in sorted(weighed.items(), reverse=True):
        number = f"{share:.1f}" if share >= 10 else f"{share:.2f}"
        parts.append(f"[{number}]{','.join(names)}[/{number}]")
    text = ",".join(part for part in parts if part)
    assert np.array_equal(parse_range(text), by_class(shares))
    assert (form_words(text) == "weights in brackets (GTO+)") == bool(weighed)


def wizard(shares):
    """The higher card first, in PioSOLVER's order of hands: ``5d5c: 0.0221,5h5c: 0.0221``."""
    order = sorted(shares, key=lambda combo: tuple(COMBO_CARDS[combo])[::-1])
    hands = {combo: format_cards(sorted(COMBO_CARDS[combo].tolist())[::-1]) for combo in order}
    return ",".join(f"{hands[combo]}: {shares[combo] / 10_000:g}" for combo in order)


@given(shares=SOME)
def test_gto_wizard_has_combos_with_a_blank_before_the_weight(shares):
    text = wizard(shares)
    assert np.array_equal(parse_range(text), by_combo(shares))
    assert np.array_equal(parse_range(text.replace(",", ", ") + "\n"), by_combo(shares))
    wanted = "weights of single combos (GTO Wizard)" if shares else None
    assert form_words(text) == wanted


def test_the_longest_texts_fit():
    """All combos with the eight digits that GTO Wizard writes at most, and 18 of each weight."""
    combos = range(1326)
    text = ",".join(f"{format_cards(COMBO_CARDS[each].tolist())}: 0.34576542" for each in combos)
    assert parse_range(text).sum() == pytest.approx(1326 * 0.34576542)
    assert parse_range(" ".join(["0.333333333333333315"] * 1326)).sum() == pytest.approx(442)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("0 " * 1325, "bad range: 1,325 numbers; a list of weights has 1,326, from 2d2c to AsAh"),
        ("1 " * 30, "bad range: 30 numbers; a list of weights has 1,326"),
        ("0 " * 40 + "x " + "0 " * 1285, "bad range: weight 41, 'x', is not a number"),
        ("0 " * 40 + "1.5 " + "0 " * 1285, "bad range: weight 41, '1.5', is outside 0 to 1"),
        ("nan " + "0 " * 1325, "bad range: weight 1, 'nan', is not a number"),
        ("2 " + "0 " * 1325, "bad range: weight 1, '2', is outside 0 to 1"),
        ("0 0 0 1", "a number is no hand; did you mean 0%?"),
        ("AhAc: 1,AhAd 0,5", "a number is no hand"),
        ("AhAc: 1.2,AhAd: 0.5", "weight 1.2 is outside 0 to 1"),
        ("[50.0]AKs,AQs[/5.0]", "[50.0] is open here and must be closed first"),
        ("[50.0]AKs,AQs", "[50.0] is never closed"),
        ("[50.0]AKs:0.5[/50.0]", "it has a weight of its own between [50.0] and [/50.0]"),
    ],
)
def test_what_was_cut_or_broken_is_named_in_one_line(text, said):
    with pytest.raises(ValueError) as refused:
        parse_range(text)
    assert said in str(refused.value)
    assert str(refused.value).startswith("bad range") and "\n" not in str(refused.value)
    assert len(str(refused.value)) < 300


def test_hands_that_look_like_numbers_stay_hands():
    ranks = RANKS[::-1]
    names = [high + low for high, low in itertools.pairwise(ranks[5:])]
    pairs = [f"{rank}{rank}" for rank in "23456789"]
    text = " ".join(f"{hand} 1" for hand in [*pairs, *names])
    assert parse_range(text).sum() == 6 * len(pairs) + 16 * len(names)
    assert parse_range(" ".join(3 * [*pairs, *names])).sum() == parse_range(text).sum()
    assert form_words(text) is None

"""Range text in: every form of the grammar, and every kind of mistake."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pokerlab.cards.codes import combo_index, parse_cards
from pokerlab.cards.hand_classes import CLASS_NAMES, class_combos
from pokerlab.cards.ranges.text import parse_range

RANKS = "AKQJT98765432"


def classes(text: str) -> dict[str, float]:
    """The classes with a positive weight; every class must be uniform."""
    weights = parse_range(text)
    found = {}
    for number, name in enumerate(CLASS_NAMES):
        own = set(weights[class_combos()[number]].tolist())
        assert len(own) == 1
        if own != {0.0}:
            found[name] = own.pop()
    return found


def named(text: str) -> set[str]:
    return set(classes(text))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ""),
        (" ,;\n\t", ""),
        ("AA", "AA"),
        ("AKs", "AKs"),
        ("AKo", "AKo"),
        ("AK", "AKs AKo"),
        ("77+", "77 88 99 TT JJ QQ KK AA"),
        ("AA+", "AA"),
        ("KTo+", "KTo KJo KQo"),
        ("A9s+", "A9s ATs AJs AQs AKs"),
        ("QT+", "QTs QTo QJs QJo"),
        ("AK+", "AKs AKo"),
        ("A5s-A2s", "A5s A4s A3s A2s"),
        ("A2s-A5s", "A5s A4s A3s A2s"),
        ("AQ-AT", "AQs AQo AJs AJo ATs ATo"),
        ("55-22", "22 33 44 55"),
        ("22-55", "22 33 44 55"),
        ("JTs-87s", "JTs T9s 98s 87s"),
        ("87s-JTs", "JTs T9s 98s 87s"),
        ("K9o-J7o", "K9o Q8o J7o"),
        ("54-32", "54s 54o 43s 43o 32s 32o"),
        ("A5s-A5s", "A5s"),
        ("AKs, AKo; QQ\nJJ TT", "AKs AKo QQ JJ TT"),
    ],
)
def test_forms_of_hands(text: str, expected: str) -> None:
    assert named(text) == set(expected.split())


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("aks", "AKs"),
        ("AKS", "AKs"),
        ("akO", "AKo"),
        ("KAs", "AKs"),
        ("5As-2As", "A5s-A2s"),
        ("A10s", "ATs"),
        ("1010", "TT"),
        ("109s-32s", "T9s-32s"),
        ("TK+", "KT+"),
        ("A5s - A2s", "A5s-A2s"),
        ("A5s–A2s", "A5s-A2s"),
        ("AKs : 0.5", "AKs:0.5"),
        ("ahkd", "AhKd"),
        ("KdAh", "AhKd"),
        ("A♥K♦", "AhKd"),
        ("A♥️K♦️", "AhKd"),
        ("10h9c", "Th9c"),
        ("any", "random"),
        ("RANDOM", "random"),
        ("100%", "random"),
        ("top 100%", "random"),
        ("TOP20%", "20%"),
        ("top 20 %", "20%"),
        ("20.0%", "20%"),
        ("0%", ""),
        ("AA:.5", "AA:0.5"),
        ("AA:5e-1", "AA:0.5"),
        ("AA\u00a0KK", "AA,KK"),
        ("[50]AA,KK[/50]", "AA:0.5,KK:0.5"),
        ("[12.5]AA[/12.5]KK", "AA:0.125,KK"),
        ("QQ[50]AA KK[/50.0],JJ", "AA:0.5,KK:0.5,QQ,JJ"),
        ("[ 25 ]20%[/25]", "20%:0.25"),
        ("[50][/50]", ""),
        ("[100]AA[/100][0]KK[/0]", "AA"),
    ],
)
def test_other_spellings(text: str, same: str) -> None:
    np.testing.assert_array_equal(parse_range(text), parse_range(same))


def test_a_combo_is_one_combo() -> None:
    weights = parse_range("AhKd:0.25")
    assert np.flatnonzero(weights).tolist() == [combo_index(*parse_cards("AhKd"))]
    assert weights.sum() == 0.25


def test_later_items_replace_weights() -> None:
    assert classes("QQ+:0.5, KK") == {"AA": 0.5, "KK": 1.0, "QQ": 0.5}
    assert classes("KK, QQ+:0.5") == {"AA": 0.5, "KK": 0.5, "QQ": 0.5}
    assert named("random, AA:0") == set(CLASS_NAMES) - {"AA"}


def test_brackets_move_the_decimal_point_exactly() -> None:
    for percent, weight in (("12.3", 0.123), ("7", 0.07), ("33.3333", 0.333333), ("1e-3", 1e-5)):
        assert parse_range(f"[{percent}]AA[/{percent}]").max() == weight


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("AA 1", "AA"),
        ("AA 0.5, KK .25; AhKd 1.0", "AA:0.5, KK:0.25, AhKd"),
        ("AA\t0.5\nKK\t1\nQQ 0", "AA:0.5, KK, QQ:0"),
        ("77+ 0.5 A5s-A2s 0.25 AKo", "77+:0.5, A5s-A2s:0.25, AKo"),
        ("AA 1%", "AA, 1%"),
        ("AA 1 %", "AA, 1%"),
        ("AA 0.5%", "AA, 0.5%"),
        ("AA 1010", "AA, TT"),
        ("AA 22", "AA, 22"),
        ("AA\n\nKK 1", "AA, KK"),
    ],
)
def test_a_weight_may_follow_after_a_blank(text: str, same: str) -> None:
    assert np.array_equal(parse_range(text), parse_range(same))


@pytest.mark.parametrize("percent", [0.3, 0.5, 3, 20, 33.3, 99.5])
def test_a_share_takes_whole_classes_up_to_the_percentage(percent: float) -> None:
    weights = parse_range(f"top {percent}%:0.5")
    assert set(weights.tolist()) <= {0.0, 0.5}
    classes(f"{percent}%")  # every class is whole
    assert np.count_nonzero(weights) <= percent * 13.26
    assert np.count_nonzero(weights) > percent * 13.26 - 12


def test_top_twenty_percent_by_name() -> None:
    assert named("20%") == named("55+,A3s+,A7o+,K8s+,KTo+,QTs+,QJo")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("QQ, AKx", "bad range item 2 'AKx' (character 5): after AK stands 'x', not s, o, + or -"),
        ("77-AKs", "bad range item 1 '77-AKs' (character 1): both ends of a span must be pairs"),
        ("A5s-A2o", "both ends of a span must be pairs, or both suited (A5s-A2s)"),
        ("A5s-K2s", "a span runs over pairs (QQ-22), over the kickers of one high card"),
        ("AKs-", "a span has two ends"),
        ("AA:1.5", "bad range item 1 'AA:1.5' (character 1): weight 1.5 is outside 0 to 1"),
        ("AKs:50", "weight 50 is outside 0 to 1; 50% is 0.5, or [50]AKs[/50]"),
        ("AA:101", "(character 1): weight 101 is outside 0 to 1"),
        ("AA 0.5.5", "'0' is not a rank"),
        ("AA 1.5", "bad range item 2 '1.5' (character 4): a number is no hand"),
        ("[50]AA 1[/50]", "it has a weight of its own between [50] and [/50]"),
        ("AA:abc", "'abc' is not a weight; write a number from 0 to 1"),
        ("AA:-0.5", "'-0.5' is not a weight"),
        ("AA:nan", "'nan' is not a weight"),
        ("AA:", "'' is not a weight"),
        ("AA : x", "bad range item 1 'AA : x' (character 1): 'x' is not a weight"),
        ("AKs:0.5:0.5", "after AKs:0.5 stands ':'"),
        ("AAs", "a pair is neither suited nor offsuit; write AA"),
        ("AsAs", "card As stands twice in 'AsAs'"),
        ("A", "bad range item 1 'A' (character 1): a hand has two cards"),
        ("As", "a hand has two cards"),
        ("AsK", "after the first card comes a second one"),
        ("AhKd+", "after AhKd stands '+', not a comma or blank"),
        ("AAKK", "after AA stands 'K'"),
        ("A-K", "after A stands '-', not a rank"),
        ("xyz", "'x' is not a rank (2 to 9, T or 10, J, Q, K, A); accepted: AA, AKs"),
        ("20", "a number is no hand; did you mean 20%?"),
        ("top 20", "after 'top' comes a percentage: top 20%"),
        ("top 200%", "bad range item 1 'top 200%' (character 1): a share lies between 0% and 100%"),
        ("[50]AA", "[50] is never closed; write [50]AA,KK[/50]"),
        ("[50]AA[/40]", "bad range item 2 '[/40]' (character 7): [50] is open here"),
        ("[/50]", "nothing is open here"),
        ("[50]AA[40]KK", "[50] is still open"),
        ("[150]AA[/150]", "a percentage in brackets lies between 0 and 100"),
        ("[AsKd]", "'AsKd' is not a percentage"),
        ("[50", "a bracket is written [50]AA,KK[/50]"),
        ("[50]AA:0.5[/50]", "it has a weight of its own between [50] and [/50]"),
        ("K\u212as", "not a rank"),  # the Kelvin sign looks like K
    ],
)
def test_mistakes_are_named(text: str, message: str) -> None:
    with pytest.raises(ValueError) as caught:
        parse_range(text)
    assert message in str(caught.value)


def test_a_long_mistake_is_cut() -> None:
    with pytest.raises(ValueError) as caught:
        parse_range("x" * 10_000)
    assert len(str(caught.value)) < 250


@pytest.mark.parametrize(
    "text",
    [
        "9" * 99_999,
        "0." + "9" * 99_990 + "x",
        "AA:" + "9" * 99_990,
        "[" + "9" * 99_990,
        "[" * 99_999,
        "top" + " " * 99_990,
        "AK" + " " * 99_990 + "x",
        "A" * 99_999,
        "AA" + ":" * 99_990,
    ],
)
def test_long_garbage_is_refused_at_once(text: str) -> None:
    # Patterns that go back and forth over the text would take minutes.
    with pytest.raises(ValueError, match="bad range") as caught:
        parse_range(text)
    assert len(str(caught.value)) < 300


def test_a_text_that_is_too_long_is_not_read() -> None:
    with pytest.raises(ValueError, match="it has 1,000,000 characters, 100,000 are accepted"):
        parse_range("9" * 1_000_000)
    assert parse_range(",".join(["AA"] * 30_000)).sum() == 6


@pytest.mark.parametrize("text", ["٧٧+", "AA:٠.٥", "AA:0.٥", "٢٠%", "[٥٠]AA[/٥٠]", "A٥s"])
def test_digits_of_other_alphabets_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="bad range item"):
        parse_range(text)


PIECES = ["AA", "AK", "s", "o", "+", "-", ":", "0.5", "[50]", "[/50]", "%", "top", "10", ",", " "]


@settings(max_examples=600, deadline=None)
@given(
    st.one_of(
        st.text(max_size=30),
        st.text(alphabet="AKQT2105soh♥:+-.,;%[]/ \n\u2028etopanyrdm", max_size=20),
        st.lists(st.sampled_from(PIECES), max_size=12).map("".join),
    )
)
def test_any_text_is_read_or_rejected_in_one_line(text: str) -> None:
    try:
        weights = parse_range(text)
    except ValueError as error:
        assert str(error).startswith("bad range")
        assert len(str(error).splitlines()) == 1
    else:
        assert weights.shape == (1326,)
        assert (weights >= 0).all()
        assert (weights <= 1).all()


@pytest.mark.parametrize("kind", ["s", "o", ""])
def test_spans_of_kickers_count_their_combos(kind: str) -> None:
    size = {"s": 4, "o": 12, "": 16}[kind]
    for high, first, last in itertools.combinations(range(13), 3):
        upper, lower = (RANKS[high] + RANKS[kicker] + kind for kicker in (first, last))
        assert parse_range(f"{upper}-{lower}").sum() == size * (last - first + 1)
        assert parse_range(f"{lower}+").sum() == size * (last - high)

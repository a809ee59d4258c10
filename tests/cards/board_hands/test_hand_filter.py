"""Filters of hands: names, ranges, and what joins them; and the examples of the page."""

import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pokerlab.cards.board_hands.draws import DRAW_FAMILIES, DRAWS
from pokerlab.cards.board_hands.hand_filter import FILTER_NAMES, filter_hands
from pokerlab.cards.board_hands.made_hands import MADE_HAND_FAMILIES, MADE_HANDS
from pokerlab.cards.codes import combo_index, parse_cards
from pokerlab.cards.ranges.range import Range

FLOP = "Kh7h2d"
PAGE = Path(__file__).parents[3] / "docs" / "hands.md"
EXAMPLE = re.compile(r"\| `([a-z-]+)` \| [^|]+ \| (\w{6,10}) \| (\w{4}) \|")
CONDITIONS = st.sampled_from([*FILTER_NAMES, "AK", "77+", "T9s", "20%", "AhQh"])


def members(text, board=FLOP):
    return filter_hands(text, board)


@pytest.mark.parametrize(
    ("name", "board", "hand"), EXAMPLE.findall(PAGE.read_text(encoding="utf-8"))
)
def test_examples_of_the_page(name, board, hand):
    assert members(name, board)[combo_index(*parse_cards(hand))]


def test_the_page_defines_every_name():
    page = PAGE.read_text(encoding="utf-8")
    assert [name for name, _, _ in EXAMPLE.findall(page)] == [*MADE_HANDS, *DRAWS]
    for name in (*MADE_HAND_FAMILIES, *DRAW_FAMILIES):
        assert f"`{name}`" in page


@given(CONDITIONS, CONDITIONS)
def test_commas_and_ampersands_and_not(first, second):
    one, two = members(first), members(second)
    assert (members(f"{first}, {second}") == one | two).all()
    assert (members(f"{first} & {second}") == one & two).all()
    assert (members(f"{first}&!{second}") == one & ~two).all()
    spelt = first.upper().replace("-", " ") if first in FILTER_NAMES else first
    assert (members(spelt) == one).all()


def test_made_hands_share_out_the_hands_of_a_board():
    total = np.sum([members(name) for name in MADE_HANDS], axis=0)
    assert (total == members("random")).all()
    assert total.sum() == 49 * 48 / 2


@pytest.mark.parametrize("text", ["AK, QQ+", "random, AA:0", "[50]AA,KK[/50]", "AK QQ+; 76s", ""])
def test_a_range_text_means_what_it_means_as_a_range(text):
    assert (members(text) == (Range(text).remove(FLOP).weights > 0)).all()
    assert (filter_hands(text) == (Range(text).weights > 0)).all()
    assert (members(f"{text}, set") == members(text) | members("set")).all()


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("top-par", "'top-par' is neither .*did you mean top-pair"),
        ("set, flushdraw", "did you mean flush-draw"),
        ("set &", "a condition is missing"),
        ("!", "a condition is missing"),
        ("set & AKx", "bad range item 1 'AKx'"),
        ("foo", "'foo' .*; made hands and draws may be named too: set, top-pair, flush-draw"),
        ("x" * 500, "neither a made hand nor a draw"),
    ],
)
def test_bad_filters_are_named_in_one_line(text, wrong):
    with pytest.raises(ValueError, match=wrong) as error:
        members(text)
    assert len(str(error.value)) < 350
    assert "\n" not in str(error.value)


def test_names_need_a_board():
    with pytest.raises(ValueError, match="top-pair needs a board of three to five cards"):
        filter_hands("top pair")


@given(st.text(max_size=30))
@settings(max_examples=30)
def test_any_text_is_read_or_refused(text):
    try:
        members(text)
    except ValueError as error:
        assert "\n" not in str(error)


def test_long_filters_are_read_without_recursion_or_refused():
    assert np.array_equal(members("!" * 5_000 + "AA"), members("AA"))
    assert np.array_equal(members("!" * 5_001 + "AA"), members("!AA"))
    assert np.array_equal(members(" ! ! AA"), members("AA"))
    for text in ("(" * 15_000, "!" * 15_000, "&" * 15_000, "set&" * 1_000 + "(" * 5_000):
        with pytest.raises(ValueError, match=r"^[^\n]{1,300}$"):
            members(text)
    with pytest.raises(ValueError, match="the filter has 100,002 characters; it must have at most"):
        members("!" * 100_000 + "AA")

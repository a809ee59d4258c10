"""Textures of flops against brute force over hands, and the text that selects them."""

from functools import cache
from itertools import combinations, combinations_with_replacement, cycle, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokerlab.cards.board_hands.next_cards import card_textures
from pokerlab.cards.flops import all_flops
from pokerlab.cards.isomorphism.suits import SUIT_PERMUTATIONS, permute_cards
from pokerlab.cards.textures import CONNECTEDNESS, RIVERS, TURNS, TextureFilter, texture

WORDS = {"turn": TURNS, "river": RIVERS}


@cache
def has_straight(bits):
    """Five ranks in a row, each a bit; the ace is low, too."""
    bits = bits << 1 | bits >> 12
    return any(bits >> low & 31 == 31 for low in range(10))


def plain_connectedness(ranks):
    """By every hand of two ranks and every rank that may come."""
    board = sum(1 << rank for rank in set(ranks))
    most = 0
    for low, high in combinations(range(13), 2):
        held = board | 1 << low | 1 << high
        if has_straight(held):
            return "connected"
        most = max(most, sum(has_straight(held | 1 << rank) for rank in range(13)))
    return CONNECTEDNESS[min(most, 2)]


def test_connectedness_by_every_hand():
    """All 455 triples of ranks; A26 and AK9 have one out that completes two straights."""
    for ranks in combinations_with_replacement(range(13), 3):
        cards = [4 * rank + suit for suit, rank in enumerate(ranks)]
        assert texture(cards).connectedness == plain_connectedness(ranks), ranks
    assert texture("As2h6d").connectedness == texture("AsKh9d").connectedness == "gutshot"


def test_names_of_suits_and_order_do_not_matter():
    """All deals of all flops, the order of the cards a different one each time."""
    orders = cycle(permutations(range(3)))
    for flop in all_flops():
        for suits in SUIT_PERMUTATIONS.tolist():
            renamed = permute_cards(flop.cards, suits)
            assert texture([renamed[place] for place in next(orders)]) == flop.texture


def test_how_many_deals_have_each_value():
    deals = {}
    for flop in all_flops():
        for word in str(flop.texture).split():
            deals[word] = deals.get(word, 0) + flop.multiplicity
    # 13 · 4 trips, 13 · 6 · 48 pairs; 4 · C(13,3) monotone, C(13,1)·C(4,3)·… rainbow = 13³ · 4
    assert (deals["trips"], deals["paired"]) == (52, 3744)
    assert (deals["monotone"], deals["rainbow"]) == (4 * 286, 4 * 13**3)
    assert deals["A-high"] == 22100 - 48 * 47 * 46 // 6
    assert deals["2-high"] == 4
    assert sum(deals[word] for word in CONNECTEDNESS) == 22100


@pytest.mark.parametrize(
    ("text", "flop", "matched"),
    [
        ("monotone", "As7s2s", True),
        ("monotone", "As7s2h", False),
        ("MONOTONE, a-HIGH Paired", "AsAh2d", True),
        ("A-high paired", "KsKh2d", False),
        ("T-high+", "Ts5h2d", True),
        ("T-high+", "9s5h2d", False),
        ("9-high-", "9s5h2d", True),
        ("9-high-", "Ts5h2d", False),
        ("2-broadway", "AsKhTd", False),
        ("2-broadway+", "AsKhTd", True),
        ("1-broadway-", "As5h2d", True),
        ("connected", "5s4h2dAs", True),  # a turn: its flop counts
        ("disconnected", "Ks7h2d", True),
        ("gutshot", "AsKh7d", True),
        ("open-ended", "7s3h2d", True),
        ("paired", "AsAhAd", False),
        ("paired|trips A-high", "AsAhAd", True),
        ("paired|trips A-high", "AsKhQd", False),
        ("two-tone flush-turn", "Ks7s2h4s", True),
        ("two-tone flush-turn", "Ks7s2h4h", False),
        ("flush-turn|flush-draw-turn", "Ks7s2h4h9c", True),
        ("pair-river", "Ks7s2h4h", False),
        ("no-river", "Ks7s2h4h", True),
    ],
)
def test_filters(text, flop, matched):
    assert TextureFilter(text).matches(flop) is matched


@pytest.mark.parametrize(
    "text",
    [
        "",
        ",",
        "paired,",
        "wet",
        "A-low",
        "4-broadway",
        "1-high",
        "10-high",
        "paired+",
        "²",
        "paired|",
        "paired|A-high",
    ],
)
def test_bad_filters_are_one_line(text):
    with pytest.raises(ValueError, match=r"^bad texture") as error:
        TextureFilter(text)
    assert "\n" not in str(error.value)


def test_a_texture_needs_a_flop():
    board = "AsKh7d2c3c4c"
    for count in (0, 1, 2, 6):
        with pytest.raises(ValueError, match=f"three cards, not {count} "):
            texture(board[: 2 * count])
    flop, turn, river = (texture(board[:length]) for length in (6, 8, 10))
    assert flop[:5] == turn[:5] == river[:5]
    assert (flop.turn, flop.river) == ("no-turn", "no-river")
    assert (turn.turn, turn.river) == (river.turn, "no-river") == ("blank-turn", "no-river")
    assert river.river == "straight-river"  # A, 2 and 3 of the wheel


@given(st.lists(st.integers(0, 51), min_size=4, max_size=5, unique=True))
def test_a_later_street_has_the_first_word_of_its_card(cards):
    kind = texture(cards)
    for street, before in (("turn", 3), ("river", 4)):
        if len(cards) <= before:
            assert getattr(kind, street) == f"no-{street}"
            continue
        first = card_textures(cards[:before], cards[before])[0]
        assert getattr(kind, street) == f"{first}-{street}"
        matched = [word for word in WORDS[street] if TextureFilter(word).matches(cards)]
        assert matched == [f"{first}-{street}"]  # exactly one
    assert str(kind).split()[4:] == [f"{card_textures(cards[:at], cards[at])[0]}-{name}"
        for name, at in (("turn", 3), ("river", 4)) if len(cards) > at]  # fmt: skip


@given(st.text(max_size=30) | st.text("tpairedmono-high29TA+, ", max_size=30))
def test_any_text_is_read_or_refused(text):
    try:
        chosen = TextureFilter(text)
    except ValueError as error:
        assert len(str(error)) < 400
        assert "\n" not in str(error)
    else:
        assert isinstance(chosen.matches("AsKh7d"), bool)

import re
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokerlab.cards.codes import (
    COMBO_CARDS,
    N_COMBOS,
    card_mask,
    combo_cards,
    combo_index,
    format_cards,
    parse_card,
    parse_cards,
    to_cards,
)
from pokerlab.runtime.errors import shorten

hands = st.lists(st.integers(0, 51), unique=True, max_size=9)


def test_the_ends_of_the_deck():
    assert parse_card("2c") == 0
    assert parse_card("As") == 51
    assert parse_card("Td") == parse_card("10d") == 8 * 4 + 1


@pytest.mark.parametrize(
    "text",
    ["AsKd", "As Kd", "[As Kd]", "A♠K♦", "askd", "ASKD", "As,Kd", "A♤ K♢", "A♠️K♦️", " AsKd\n"],
)
def test_spellings(text):
    assert parse_cards(text) == (51, 45)


@given(hands, st.sampled_from(["", " ", ", "]), st.booleans())
def test_text_round_trip(cards, separator, symbols):
    text = format_cards(cards, separator=separator, symbols=symbols)
    assert parse_cards(text) == tuple(cards)
    assert parse_cards(text.swapcase()) == tuple(cards)
    assert parse_cards(f"[{text}]") == tuple(cards)


@given(st.text(max_size=40))
def test_any_text_is_cards_or_one_clear_line(text):
    try:
        cards = parse_cards(text)
    except ValueError as error:
        assert "\n" not in str(error)
        assert repr(shorten(text)) in str(error)
    else:
        assert len(set(cards)) == len(cards)
        assert all(0 <= card < 52 for card in cards)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Ax", "bad card 'Ax': 'x' is not a suit (c, d, h, s or ♣ ♦ ♥ ♠)"),
        ("1s", "bad card '1s': '1' is not a rank (2 to 9, T or 10, J, Q, K, A)"),
        ("AsK", "bad card 'AsK': 'K' at the end has no suit (c, d, h or s)"),
        ("AsKdAs", "card As stands twice in 'AsKdAs'"),
    ],
)
def test_errors_name_the_text(text, message):
    with pytest.raises(ValueError, match=re.escape(message)) as error:
        parse_cards(text)
    assert str(error.value) == message


def test_one_card_is_wanted():
    with pytest.raises(ValueError, match="expected one card such as 'As', got 'AsKd'"):
        parse_card("AsKd")


@pytest.mark.parametrize("bad", [[-1], [52], [1.5], [3, 3]])
def test_codes_are_checked(bad):
    with pytest.raises(ValueError, match=r"is not a card code|stands twice"):
        to_cards(bad)


def test_long_garbage_is_cut():
    with pytest.raises(ValueError, match=r"\.\.\.") as error:
        parse_cards("z" * 10_000)
    assert len(str(error.value)) < 200


def test_combos_are_numbered_without_gaps():
    numbers = [combo_index(high, low) for low, high in combinations(range(52), 2)]
    assert sorted(numbers) == list(range(N_COMBOS))
    for number in range(N_COMBOS):
        high, low = combo_cards(number)
        assert high > low
        assert combo_index(low, high) == number
        assert tuple(COMBO_CARDS[number]) == (high, low)


def test_combos_of_the_first_cards_come_first():
    for deck in range(2, 53):
        numbers = {combo_index(low, high) for low, high in combinations(range(deck), 2)}
        assert numbers == set(range(deck * (deck - 1) // 2))


@pytest.mark.parametrize("pair", [(3, 3), (-1, 5), (5, 52)])
def test_bad_combos(pair):
    with pytest.raises(ValueError, match="do not make a hand"):
        combo_index(*pair)
    with pytest.raises(ValueError, match="is not a combo"):
        combo_cards(1326)


def test_masks():
    assert card_mask([]) == 0
    assert card_mask(range(52)) == 2**52 - 1

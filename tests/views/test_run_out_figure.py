"""Heat maps of cards."""

import pytest

from pokerlab.cards.codes import parse_cards
from pokerlab.views.run_out_figure import draw_card_map


def test_a_map_of_cards_says_what_it_shows():
    numbers = dict(zip(parse_cards("AsKhQd2c"), (12.34, -5.0, 120.0, None), strict=True))
    picture = draw_card_map(numbers, title="QhJh2c: EV").decode()
    for text in ("QhJh2c: EV", ">12.3<", ">-5.0<", ">120<"):
        assert text in picture
    assert picture == draw_card_map(numbers, title="QhJh2c: EV").decode()
    shares = draw_card_map({51: 0.256}, title="equity", percent=True).decode()
    assert ">26<" in shares


def test_nothing_to_draw():
    with pytest.raises(ValueError, match="no number to draw"):
        draw_card_map({51: None}, title="EV")

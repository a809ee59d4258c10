"""The map of flops: every flop has a field of its own."""

import numpy as np
import pytest

from pokerlab.cards.codes import parse_cards
from pokerlab.cards.flops import all_flops
from pokerlab.views.flop_figure import draw_flop_map, flop_panels


def test_every_flop_has_a_field_of_its_own():
    numbers = {flop.cards: float(place) for place, flop in enumerate(all_flops())}
    panels = flop_panels(numbers)
    shown = panels[~np.isnan(panels)]
    assert set(shown.tolist()) == set(numbers.values())
    # Two-tone flops of three ranks have one field each, all others a row of three.
    thirds = sum(
        1 if flop.texture.suits == "two-tone" and flop.texture.pairing == "unpaired" else 3
        for flop in all_flops()
    )
    assert len(shown) == thirds


@pytest.mark.parametrize(
    ("flop", "place"),
    [
        ("AsKh7d", (12, 4 * 7, 4)),  # rainbow: the top row of high card A, low card 7, middle K
        ("As Ks 7s", (12, 4 * 7 + 2, 4)),
        ("AdKd7c", (12, 4 * 7 + 1, 4)),
        ("AdKc7d", (12, 4 * 7 + 1, 5)),
        ("AdKc7c", (12, 4 * 7 + 1, 6)),
        ("9c9d9h", (7, 0, 0)),
        ("9c2d2c", (7, 4 * 7 + 1, 4 * 7)),
    ],
)
def test_where_a_flop_stands(flop, place):
    assert flop_panels({parse_cards(flop): 7.0})[place] == 7.0


def test_nothing_to_draw():
    with pytest.raises(ValueError, match="no number to draw"):
        draw_flop_map({}, title="")

import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

from pokerlab.arena.logs.statistics import win_curve
from pokerlab.views.play_figures import draw_class_tables, draw_win_curves


def curves(hands=500):
    rng = np.random.default_rng(1)
    won = rng.normal(0.5, 3.0, hands)
    return [win_curve("ann", won), win_curve("bob", -won)]


def test_win_curves_as_png_and_svg():
    assert draw_win_curves(curves()).startswith(b"\x89PNG")
    picture = draw_win_curves(curves(), unit=10, of_unit="big blinds", kind="svg")
    text = " ".join(ElementTree.fromstring(picture).itertext())
    assert "ann" in text and "bob" in text and "big blinds won" in text
    assert picture == draw_win_curves(curves(), unit=10, of_unit="big blinds", kind="svg")


def test_long_curves_are_thinned():
    long = draw_win_curves(curves(100_000), kind="svg")
    assert len(long) < 1_000_000


def test_class_tables():
    table = np.full((13, 13), np.nan)
    table[0, 0], table[0, 1] = 1.0, 0.25
    picture = draw_class_tables([("ann: fold", table)] * 4, kind="svg")
    text = " ".join(ElementTree.fromstring(picture).itertext()).split()
    assert text.count("100") == 4 and text.count("25") == 4
    assert text.count("AKs") == 4 and text.count("ann:") == 4


def test_bad_input():
    with pytest.raises(ValueError, match="no picture format 'gif': there are png and svg"):
        draw_win_curves(curves(), kind="gif")
    with pytest.raises(ValueError, match="no hands to draw"):
        draw_win_curves([])
    with pytest.raises(ValueError, match="no hands to draw"):
        draw_win_curves([win_curve("ann", [])])
    with pytest.raises(ValueError, match=r"table 'x' has the shape \(2, 2\), not \(13, 13\)"):
        draw_class_tables([("x", np.zeros((2, 2)))])
    with pytest.raises(ValueError, match="no tables"):
        draw_class_tables([])

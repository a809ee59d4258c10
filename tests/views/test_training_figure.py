import pytest

from pokerlab.views import draw_trainings


def test_curves_and_their_names_are_there():
    curves = {"one": [(1.0, 300.0), (60.0, 20.0)], "two": [(0.0, 5.0), (2.0, -1.0)]}
    text = draw_trainings(curves, title="two trainings").decode()
    assert "two trainings" in text
    assert ">one<" in text
    assert ">two<" not in text  # nothing of it can be drawn on these axes
    assert draw_trainings(curves, title="two trainings").decode() == text


def test_nothing_to_draw():
    with pytest.raises(ValueError, match="no measurements to draw"):
        draw_trainings({"two": [(0.0, 5.0), (2.0, -1.0)]}, title="none")

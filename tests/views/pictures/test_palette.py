"""The colours of actions."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from pokerlab.views.pictures import PALETTES, action_slots, heat_colour, ink_on, palettes_css
from pokerlab.views.pictures.palette import css, luminance

# How a colour looks to people who lack one kind of cone, on linear light (Machado and others 2009).
PROTAN = [
    0.152286,
    1.052583,
    -0.204868,
    0.114503,
    0.786281,
    0.099216,
    -0.003882,
    -0.048116,
    1.051998,
]
DEUTAN = [
    0.367322,
    0.860646,
    -0.227968,
    0.280085,
    0.672501,
    0.047413,
    -0.011820,
    0.042940,
    0.968881,
]
TRITAN = [
    1.255528,
    -0.076749,
    -0.178779,
    -0.078411,
    0.930809,
    0.147602,
    0.004733,
    0.691367,
    0.303900,
]
SEEN = {
    "nobody": np.eye(3),
    "protan": np.reshape(PROTAN, (3, 3)),
    "deutan": np.reshape(DEUTAN, (3, 3)),
    "tritan": np.reshape(TRITAN, (3, 3)),
}
TO_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])


def lab(colour, seen):
    """Where an eye puts a colour: distances there are differences that it sees (CIELAB)."""
    light = np.array(colour) / 255
    light = np.where(light <= 0.04045, light / 12.92, ((light + 0.055) / 1.055) ** 2.4)
    xyz = TO_XYZ @ np.clip(np.array(seen) @ light, 0, 1) / [0.95047, 1, 1.08883]
    x, y, z = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def least_difference(palette, seen):
    colours = [lab(each, seen) for each in palette.slots().values()]
    return min(float(np.linalg.norm(one - other)) for one, other in combinations(colours, 2))


@pytest.mark.parametrize("seen", SEEN)
def test_the_second_palette_is_told_apart_with_any_colour_vision(seen):
    assert least_difference(PALETTES[1], SEEN[seen]) > 16


def test_the_first_palette_is_not():
    assert least_difference(PALETTES[0], SEEN["deutan"]) < 11


def test_larger_bets_are_darker():
    for palette in PALETTES:
        lights = [luminance(colour) for colour in palette.sizes]
        assert lights == sorted(lights, reverse=True)


def test_letters_can_be_read_on_every_colour():
    colours = [each for palette in PALETTES for each in palette.slots().values()]
    colours += [heat_colour(share) for share in np.linspace(0, 1, 9)]
    for colour in colours:
        light, dark = sorted((luminance(colour), luminance(ink_on(colour))), reverse=True)
        assert (light + 0.05) / (dark + 0.05) >= 4.5


def test_pages_get_the_colours_of_the_terminal():
    text = palettes_css()
    assert text.count("{") == text.count("}") == 3
    for palette in PALETTES:
        for slot, colour in palette.slots().items():
            assert f"--action-{slot}:{css(colour)}" in text
    # The second palette stands last, so that it holds on dark pages too.
    assert text.index(css(PALETTES[1].call)) > text.index('[data-theme="dark"]')
    assert set(action_slots(["f", "x", "c", "b1", "b2", "b3", "b4", "b5", "a"])) == {
        *PALETTES[0].slots()
    }

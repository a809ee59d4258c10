"""Letters of the pages can be read: the contrast of each text with each colour below it."""

import re

import pytest

from pokerlab.views.pictures import PALETTES, palettes_css
from pokerlab.views.pictures.palette import Colour, luminance, mix
from pokerlab.web.app import STATIC

LEAST = 4.5
STYLE = (STATIC / "style.css").read_text(encoding="utf-8")
BLOCK = re.compile(r':root((?:\[data-[\w-]+="\w+"\])?) ?\{(.*?)\}', re.DOTALL)
VALUE = re.compile(r"(--[\w-]+): ?(#[0-9a-f]{6})\b")
SLOTS = tuple(f"--action-{slot}" for slot in PALETTES[0].slots())
SURFACES = ("--background", "--surface", "--surface-2")
PAIRS = [
    *(("--text", surface) for surface in (*SURFACES, "--surface-3", "--warning-soft")),
    *(("--text-quiet", surface) for surface in SURFACES),
    *(("--danger", surface) for surface in (*SURFACES, "--danger-soft")),
    *(("--accent", surface) for surface in ("--surface", "--accent-soft")),
    ("--warning", "--warning-soft"),
    ("--text", "--accent-soft"),
    ("--accent-text", "--accent"),
    ("--matrix-text", "--matrix-hollow"),
    ("--matrix-text-empty", "--matrix-empty"),
    *((f"--suit-{suit}", "--card") for suit in "shdc"),
]


def colours(theme: str, palette: str) -> dict[str, Colour]:
    """The variables of a theme and a palette, in the order in which browsers take them."""
    chosen = {"", f'[data-theme="{theme}"]', f'[data-palette="{palette}"]'}
    found: dict[str, Colour] = {}
    for text in (STYLE, palettes_css()):
        for selector, body in BLOCK.findall(text):
            if selector in chosen:
                for name, value in VALUE.findall(body):
                    found[name] = tuple(int(value[place : place + 2], 16) for place in (1, 3, 5))
    return found


def contrast(one: Colour, other: Colour) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def plate() -> float:
    """How much of its own colour the plate below the letters of a cell has."""
    found = re.search(r"background: color-mix\(in srgb, var\(--matrix-hollow\) (\d+)%", STYLE)
    return int(found[1]) / 100


@pytest.mark.parametrize("palette", ["plain", "safe"])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_text_can_be_read(theme, palette):
    known = colours(theme, palette)
    for text, below in PAIRS:
        assert contrast(known[text], known[below]) >= LEAST, (text, below)
    # Hands and numbers of a cell, on bars of any action, of a painted range, and on heat maps.
    bars = [known[slot] for slot in SLOTS] + [known["--range-fill"]]
    stripes = [mix(bar, (0, 0, 0), 0.22) for bar in bars]
    low, middle, high = (known[f"--heat-{name}"] for name in ("low", "middle", "high"))
    heat = [mix(middle, end, share / 10) for end in (low, high) for share in range(11)]
    for below in (*bars, *stripes, *heat):
        seen = mix(below, known["--matrix-hollow"], plate())
        assert contrast(known["--matrix-text"], seen) >= LEAST, below
    for below in heat:  # the next-card report has no plates
        assert contrast(known["--matrix-text"], below) >= LEAST, below

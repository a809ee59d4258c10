"""Letters of the pages can be read: the contrast of each text with each colour below it."""

import re
from itertools import product

import numpy as np
import pytest

from pokerlab.views.pictures import PALETTES, palettes_css
from pokerlab.views.pictures.palette import Colour, luminance, mix
from pokerlab.web.app import STATIC

LEAST = 4.5
SHEETS = {
    path.relative_to(STATIC).as_posix(): path.read_text(encoding="utf-8")
    for path in sorted(STATIC.rglob("*.css"))
    if "vendor" not in path.parts
}
BLOCK = re.compile(r':root((?:\[data-[\w-]+="\w+"\])?) ?\{(.*?)\}', re.DOTALL)
VALUE = re.compile(r"(--[\w-]+): ?(#[0-9a-f]{6})\b")
SLOTS = tuple(f"--action-{slot}" for slot in PALETTES[0].slots())

TEXTS = (
    *("--text", "--text-quiet", "--danger", "--accent", "--warning"),
    *(f"--suit-{suit}" for suit in "shdc"),
)
SURFACES = (
    *("--background", "--surface", "--surface-2", "--surface-3"),
    *("--accent-soft", "--danger-soft", "--warning-soft", "--card"),
)
PAIRS = [
    *product(TEXTS, SURFACES),
    ("--accent-text", "--accent"),
    ("--matrix-text", "--matrix-hollow"),
    ("--matrix-text", "--matrix-empty"),
    ("--matrix-text-empty", "--matrix-empty"),
]
NO_LETTERS = {
    *("--line", "--line-strong", "--danger", "--act", "--heat-low", "--heat-high"),
    *("--action-call", "--action-size-1", "--action-size-4"),
}
"""Backgrounds of bars, keys and lines."""
GRADES = ("best", "good", "inaccuracy", "mistake", "blunder")
OWN = {"--accent-text", "--matrix-text", "--matrix-text-empty", "--felt-text"}
"""Texts with backgrounds of their own."""
OWN_SURFACES = {"--accent", "--matrix-hollow", "--matrix-empty", "--range-fill", "--grade"}


def colours(theme: str, palette: str) -> dict[str, Colour]:
    """The variables of a theme and a palette, in the order in which browsers take them."""
    chosen = {"", f'[data-theme="{theme}"]', f'[data-palette="{palette}"]'}
    found: dict[str, Colour] = {}
    for text in (SHEETS["style.css"], SHEETS["pages/train.css"], palettes_css()):
        for selector, body in BLOCK.findall(text):
            if selector in chosen:
                found |= {name: colour(value) for name, value in VALUE.findall(body)}
    return found


def colour(text: str) -> Colour:
    red, green, blue = (int(text[place : place + 2], 16) for place in (1, 3, 5))
    return red, green, blue


def contrast(one: Colour, other: Colour) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


TO_CONES = np.array(
    [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
)


def seen_mix(first: Colour, second: Colour, share: float) -> Colour:
    """``color-mix(in oklab, …)``, as browsers mix: between the cube roots of what cones see."""

    def roots(each: Colour) -> np.ndarray:
        light = np.array(each) / 255
        light = np.where(light <= 0.04045, light / 12.92, ((light + 0.055) / 1.055) ** 2.4)
        return np.cbrt(TO_CONES @ light)

    mixed = (roots(first) * (1 - share) + roots(second) * share) ** 3
    light = np.clip(np.linalg.solve(TO_CONES, mixed), 0, 1)
    parts = np.where(light <= 0.0031308, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055)
    red, green, blue = np.rint(255 * parts).astype(int).tolist()
    return red, green, blue


def plate() -> float:
    """How much of its own colour the plate below the letters of a cell has."""
    plates = r"background: color-mix\(in srgb, var\(--matrix-hollow\) (\d+)%"
    found = re.search(plates, SHEETS["style.css"])
    return int(found[1]) / 100


def faults(known: dict[str, Colour], plated: float) -> set[tuple[str, str]]:
    """What cannot be read: the name of a text, and of the colour below it."""
    found = {pair for pair in PAIRS if contrast(known[pair[0]], known[pair[1]]) < LEAST}

    def check(text: str, name: str, below: Colour) -> None:
        if contrast(known[text], below) < LEAST:
            found.add((text, name))

    # Hands and numbers of a cell stand on a plate: on bars of any action, and of a painted range.
    for name in (*SLOTS, "--range-fill"):
        for bar in (known[name], mix(known[name], (0, 0, 0), 0.22)):  # and its stripes
            check("--matrix-text", name, mix(bar, known["--matrix-hollow"], plated))
    # On heat maps, and on the map of next cards, they stand on the colour itself.
    for end in ("--heat-low", "--heat-high"):
        for share in np.linspace(0, 1, 21):
            check("--matrix-text", end, seen_mix(known["--heat-middle"], known[end], float(share)))
    check("--accent-text", "primary:hover", seen_mix(known["--text"], known["--accent"], 0.88))
    for grade in GRADES:
        rule = re.search(rf"\.grade-{grade} {{([^}}]*)}}", SHEETS["pages/train.css"])[1]
        own = re.search(r"--grade-text: (#\w{6})", rule)
        if contrast(colour(own[1] if own else "#ffffff"), known[f"--grade-{grade}"]) < LEAST:
            found.add(("--grade-text", grade))
    return found


LOOKS = [
    pytest.param(theme, palette, id=f"{theme}-{palette}")
    for theme in ("light", "dark")
    for palette in ("plain", "safe")
]


@pytest.mark.parametrize(("theme", "palette"), LOOKS)
def test_every_text_can_be_read(theme, palette):
    assert faults(colours(theme, palette), plate()) == set()


@pytest.mark.parametrize(("theme", "palette"), LOOKS)
def test_a_colour_that_is_too_near_is_found(theme, palette):
    known = colours(theme, palette)
    for text, below in PAIRS:
        assert (text, below) in faults(known | {text: known[below]}, plate())
    for end in ("--heat-low", "--heat-middle", "--heat-high"):
        found = faults(known | {end: known["--matrix-text"]}, plate())
        assert any(below.startswith("--heat") for _, below in found)
    for grade in GRADES:
        found = faults(known | {f"--grade-{grade}": (128, 128, 128)}, plate())
        assert ("--grade-text", grade) in found or grade in ("good", "inaccuracy", "mistake")
    assert faults(known, plated=0.0)  # without the plate some bars are too dark, or too light


def test_a_browser_mixes_as_we_do():
    """Half of white and blue, and a quarter of red with black, as Chromium computes them."""
    assert seen_mix((255, 255, 255), (0, 0, 255), 0.5) == pytest.approx((116, 163, 255), abs=1)
    assert seen_mix((0, 0, 0), (255, 0, 0), 0.25) == pytest.approx((34, 0, 0), abs=1)


def named(what: str) -> dict[str, set[str]]:
    """The variables that the style sheets use as some property, each with its sheets."""
    found: dict[str, set[str]] = {}
    for sheet, text in SHEETS.items():
        for rule in re.findall(rf"[{{; ]{what}: ([^;}}]+)", text):
            for name in re.findall(r"^var\((--[\w-]+)", rule):
                found.setdefault(name, set()).add(sheet)
    return found


def test_no_colour_is_forgotten():
    texts, below = named("color"), named("background(?:-color)?")
    assert texts.keys() <= {*TEXTS, *OWN, "--grade-text"}, texts
    assert below.keys() <= {*SURFACES, *OWN_SURFACES, *NO_LETTERS}, below
    assert len(texts) > 10 and len(below) > 15


def test_letters_on_the_felt():
    """The table of Train and Play is green in all themes; pots and players stand on plates."""
    sheet = SHEETS["pages/poker-table.css"]
    known = {name: colour(value) for name, value in VALUE.findall(sheet)}
    light = seen_mix((255, 255, 255), known["--felt"], 0.88)
    for felt in (light, known["--felt"], known["--felt-edge"]):
        pot = mix(felt, (0, 0, 0), 0.22)
        for below, part in ((pot, 0.85), (mix(felt, (10, 20, 15), 0.55), 0.82), (pot, 1.0)):
            assert contrast(mix(below, known["--felt-text"], part), below) >= LEAST
        assert contrast((0xFF, 0xE9, 0xA8), pot) >= LEAST
    for part, words in ((0.22, "felt .pot"), (0.26, "table-bet"), (0.55, "plate")):
        rule = re.search(rf"\.{words} {{([^}}]*)}}", sheet)[1]
        assert f"/ {100 * part:.0f}%)" in rule, words

"""Make the pictures of the web pages for README and docs: ``python docs/web/make_screenshots.py``.

Some example spots are solved into a folder (a few minutes; with a name after the command they are
kept there for the next time), served, and looked at with a headless Chromium. The pictures are
written beside this file. It is run by hand, whenever the pages have changed.
"""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from io import BytesIO
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "src")]

from PIL import Image  # noqa: E402
from tests.web.browser.conftest import Browser, open_browser  # noqa: E402
from tests.web.running_server import start_server  # noqa: E402

from pokerlab.cards.flops import parse_flops  # noqa: E402
from pokerlab.holdem.batches import plan_batch, read_question, run_batch  # noqa: E402
from pokerlab.holdem.spots import Spot, solve_spot  # noqa: E402

WIDTH, HEIGHT = 1400, 875
SPOTS = {
    "three-bet-pot": "1%",
    "single-raised-turn": "0.3%",
    "s1-flop": "1%",
    "s3-river": "0.2%",
}
SMALL_MENUS = """\
board = "As8d3h"
oop = "TT+, AJs+, A5s, KQs, AQo+"
ip = "JJ-66, AQs-ATs, KQs, QJs, JTs, T9s, AQo"
pot = 225
stack = 890
bet = "flop: 33%, 75%; turn: 66%; river: 66%"
raise = ""
aggressor = "oop"
"""
"""A flop of it is solved in seconds."""
PICTURES = {
    # name: (address, dark, what must be there)
    "library": ("/", False, ".library-file"),
    "study": ("/solution/{s1-flop.safetensors}?line=x&show=ev", False, '[data-values="here"]'),
    "study-dark": (
        "/solution/{s1-flop.safetensors}?line=x/x/5c&show=ev&tab=breakdown",
        True,
        '[data-values="here"]',
    ),
    "train": ("/train/{single-raised-turn.safetensors}", False, "#start"),
    "editor": ("/spot/{three-bet-pot.toml}", False, ".matrix .cell:not(.empty)"),
    "heat": (
        "/solution/{single-raised-turn.safetensors}?line=x&show=ev",
        False,
        '[data-values="here"]',
    ),
    "preflop": (
        "/preflop?chart=100bb&line=r2.5&show=ev&hand=A5s",
        False,
        ".preflop .matrix",
    ),
    "simple": ("/solution/{s3-river.safetensors}?line=x&tab=simple", False, "#simplify"),
    "pushfold": (
        "/pushfold?stacks=10,8&payouts=50,30,20&others=12",
        False,
        ".pushfold-form button:enabled",
    ),
    "batch": ("/batch/{three-bet flops}?group=suits", False, '.batch[data-ready="true"]'),
}


def solve_examples(folder: Path) -> None:
    """Solve what is not in the folder yet."""
    for name, target in SPOTS.items():
        spot, solution = folder / f"{name}.toml", folder / f"{name}.safetensors"
        if not spot.exists():
            shutil.copy(ROOT / "examples" / "spots" / spot.name, spot)
        if not solution.exists():
            print(f"solving {name} to {target}")
            solve_spot(Spot.from_file(spot), target=target).save(solution)
    boards = {flop.name: flop.weight for flop in parse_flops("25")}
    (folder / "small-menus.toml").write_text(SMALL_MENUS, encoding="utf-8")
    question = read_question(
        folder / "small-menus.toml", boards, up_to_suits=True, keep="root", target="1%"
    )
    print("solving 25 flops")
    run_batch(question, folder / "three-bet flops", plan_batch(question))


def take_pictures(folder: Path, wanted: list[str]) -> None:
    """Serve the folder and take the pictures."""
    server = start_server(folder)
    driver = open_browser()
    try:
        browser = Browser(driver, server)
        browser.go("/api/library")
        files = json.loads(browser.find("body").text)["files"]
        for name, (address, dark, there) in PICTURES.items():
            if wanted and name not in wanted:
                continue
            path = address
            for file in files:
                path = path.replace(f"{{{file['name']}}}", file["id"])
            browser.size(WIDTH, HEIGHT)
            browser.dark(dark)
            browser.go(path)
            browser.find(there, seconds=120)
            if name == "editor":
                browser.find("main", "Peak memory")
                browser.find(".cuts button", seconds=120)
            if name == "train":
                play_to_a_judgement(browser)
            if name in ACTS:
                ACTS[name](browser)
            browser.script("document.documentElement.style.scrollbarWidth = 'none'")
            size = write_small(driver.get_screenshot_as_png(), HERE / f"{name}.png")
            print(f"{name}.png {size / 1000:.0f} kB")
    finally:
        driver.quit()
        server.stop()


def write_small(picture: bytes, path: Path) -> int:
    """Write a PNG in 256 colours, of which no pixel differs visibly; its size."""
    with Image.open(BytesIO(picture)) as image:
        few = image.convert("RGB").quantize(
            256, method=Image.Quantize.MAXCOVERAGE, kmeans=3, dither=Image.Dither.NONE
        )
        few.save(path, format="png", optimize=True)
    return path.stat().st_size


def play_to_a_judgement(browser: Browser) -> None:
    """Begin to train, and do something that is judged."""
    browser.find("#start").click()
    browser.find(".action-bar .act:enabled").click()
    browser.find(".judged")
    browser.wait(lambda _: browser.all("#next") or browser.all(".action-bar .act:enabled"))


def draw_heat(browser: Browser) -> None:
    """Colour the cells by the number in them."""
    browser.find("[aria-label='How cells are drawn'] button", "Heat").click()
    browser.find(".heat-legend")


def find_rules(browser: Browser) -> None:
    """Write rules in words for the decision."""
    browser.find("[aria-label='How cells are drawn'] button", "Weight").click()
    browser.find(".simple .segments button", "Rules").click()
    browser.find("#simplify").click()
    browser.find(".rule-sheet", seconds=300)


def solve_table(browser: Browser) -> None:
    """Solve push or fold."""
    browser.find(".pushfold-form button").click()
    browser.find("table[aria-label=Decisions]", seconds=300)


ACTS = {"heat": draw_heat, "simple": find_rules, "pushfold": solve_table}
"""What is done on a page before its picture is taken."""


def main(arguments: list[str]) -> None:
    """Take all pictures, or those that are named after the folder."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(arguments[0]) if arguments else Path(temporary, "spots")
        folder.mkdir(parents=True, exist_ok=True)
        solve_examples(folder)
        take_pictures(folder, arguments[1:])


if __name__ == "__main__":
    main(sys.argv[1:])

"""How long does a click in the pages take: at the server, on the wire, and in a real browser?

Two solved flops, written to files and opened as `pokerlab web` opens them: S1
(``examples/spots/s1-flop.toml``, 180 and 265 hands, a tree of 1.0 GB at the peak of a solve) and
every hand against every hand on Qs8h3s (1,176 each, 2.7 GB; left out where less than 6 GB are
free). Rows are the slowest of all decisions of the flop and of some on turns and rivers, in
processor time, each turn board asked for the first time:

- *strategy*: `decision_data` and its JSON. It reads the line's strategies and multiplies them; no
  walk. Floor: reading, rounding and writing as many numbers as the answer holds; beside it, in the
  same run, JSON and gzip of as many random numbers of the same length.
- *EVs*: `value_data` and its JSON. On a flop all EVs are in the file, so that the floor is the
  equity of each hand against the other range, on all run-outs: beside it `hand_strength` of both
  ranges. On a turn a walk over its own rivers comes on top, once for each board.
- *bytes* of both after gzip, as the server sends them, beside the limit of 60 kB.
- *click to repaint* in Chromium, where it is installed: from the click on an action to the second
  animation frame after the matrix of the next decision, server and all. Beside it, in the same
  page, the time to the second frame after writing 169 cells of three bars as one text; and the
  same in processor time of the page alone, which other work on the machine does not change.

Goals on an idle machine: strategy under 100 ms, EVs under 200 ms, the first page under 60 kB.

Measured 2026-11-16 on 2 cores of a shared Xeon with six times as much other work beside it, S1 and
all hands: strategy 17 and 15 ms (ratios 0.14 and 0.39), EVs on the flop 145 and 76 ms (0.8 and
1.1), on turns and rivers 69 and 149 ms (1.7 and 0.5), at most 7 and 20 kB, click to repaint 170 to
560 and 205 to 360 ms of that busy machine's time, for which the page itself works 60 to 110 ms.

Measured 2026-11-19 on 2 cores of a 2.5 GHz Xeon that did nothing else, on S1 and on
``examples/spots/s2-turn.toml``: strategy after 153 and 171 ms (the fastest 128 and 139), EVs after
214 and 249 ms (184 and 198), for which the page itself works 181 and 211 ms; the first page 55 kB.
"""

from __future__ import annotations

import gzip
import json
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np

from benchmarks.common import Row
from pokerlab.cards.equities.strength import hand_strength
from pokerlab.cards.ranges.range import Range
from pokerlab.games.betting_trees import EdgeKind
from pokerlab.holdem.spots import PostflopSolution, Spot, load_postflop, solve_spot
from pokerlab.holdem.spots.reports.study import decision_data, value_data
from pokerlab.runtime.machine import free_memory

S1 = Path(__file__).parent.parent / "examples" / "spots" / "s1-flop.toml"
WIDE = Spot(
    "Qs8h3s",
    "random",
    "random",
    pot=60,
    stack=300,
    bet="66%",
    raise_="50%",
    add_allin=1.0,
    force_allin=0.2,
    max_bets=2,
)
NEEDED = 6_000_000_000
CARDS = ("Ac", "7d", "2h")
LIMIT_BYTES = 60_000
CLICKS = 12
GOAL_STRATEGY, GOAL_VALUES = 100, 200


def lines_of(spot: Spot) -> list[str]:
    """All decisions of the flop, and the first ones below the flop's calm ends on some cards."""
    found = [line for level, _, line in spot.tree.walk() if level == 0]
    ends = []
    for line in found:
        for action in ("x", "c"):
            longer = f"{line}/{action}" if line else action
            try:
                place = spot.find(longer)
            except ValueError:
                continue
            if place.kind == EdgeKind.NEXT_STREET:
                ends.append(longer)
    for end, card in zip(ends, CARDS * len(ends), strict=False):
        found += [f"{end}/{card}", f"{end}/{card}/x/x/Kd"]
    return found


def seconds_of(job: Callable[[], Any]) -> tuple[float, Any]:
    began = process_time()
    made = job()
    return process_time() - began, made


def packed(data: Any) -> bytes:
    return gzip.compress(json.dumps(data, separators=(",", ":")).encode(), 5)


def numbers_of(data: Any) -> int:
    """How many numbers plain data hold."""
    if isinstance(data, dict):
        return sum(map(numbers_of, data.values()))
    if isinstance(data, list):
        return sum(map(numbers_of, data))
    return int(isinstance(data, int | float))


def writing_seconds(count: int) -> float:
    """JSON and gzip of so many random numbers of four digits."""
    numbers = np.random.default_rng(1).random(count)
    return min(seconds_of(lambda: packed(numbers.round(4).tolist()))[0] for _ in range(5))


def equity_seconds(solution: PostflopSolution) -> float:
    """The equity of each hand of both players on the flop."""
    ranges = [Range(each.weights / each.weights.max()) for each in solution.spot.ranges]
    # Weights that differ by suit, as strategies do: nothing can be merged.
    rng = np.random.default_rng(2)
    ranges = [Range(each.weights * rng.uniform(0.5, 1, 1326)) for each in ranges]

    def both() -> None:
        for opposing in ranges:
            hand_strength(solution.spot.board, opposing)

    both()
    return min(seconds_of(both)[0] for _ in range(3))


def server_rows(name: str, solution: PostflopSolution) -> Iterator[Row]:
    """The slowest answers of a solution."""
    for line in ("", "x"):  # compile, and fill what is filled once
        decision_data(solution, line)
        value_data(solution, line)
    answers: dict[str, list[tuple[float, Any]]] = {"strategy": [], "flop": [], "later": []}
    for line in lines_of(solution.spot):
        seconds, data = seconds_of(lambda here=line: packed(decision_data(solution, here)))
        answers["strategy"].append((seconds, data))
        seconds, data = seconds_of(lambda here=line: packed(value_data(solution, here)))
        answers["later" if solution.spot.find(line).cards else "flop"].append((seconds, data))
    count = numbers_of(decision_data(solution, "x"))
    slowest = {kind: max(seconds for seconds, _ in found) for kind, found in answers.items()}
    writing, equity = writing_seconds(count), equity_seconds(solution)
    yield Row(
        f"{name}: strategy of a decision, the slowest of {len(answers['strategy'])}",
        1e3 * slowest["strategy"],
        "ms",
        "writing as many numbers",
        writing / slowest["strategy"],
    )
    for kind, where in (("flop", "on the flop"), ("later", "on turns and rivers, first time")):
        yield Row(
            f"{name}: EVs of a decision {where}, the slowest of {len(answers[kind])}",
            1e3 * slowest[kind],
            "ms",
            "equity of both ranges on the flop",
            equity / slowest[kind],
        )
    for kind, words in (("strategy", "strategy"), ("flop", "EVs")):
        largest = max(len(data) for _, data in answers[kind])
        yield Row(
            f"{name}: largest answer, {words}",
            largest / 1e3,
            "kB",
            "the limit of 60 kB",
            LIMIT_BYTES / largest,
        )


_CLICK = """
const done = arguments[0];
const study = document.querySelector(".study");
const option = document.querySelector(".step.current .option");
const took = [null, null];
const began = performance.now();
const painted = (place) => requestAnimationFrame(() => requestAnimationFrame(() => {
  took[place] = performance.now() - began;
  if (took.every((each) => each !== null)) done(took);
}));
let strategy = false;
const watch = new MutationObserver(() => {
  if (study.dataset.line !== "x") return;
  if (!strategy) painted(0);
  strategy = true;
  if (study.dataset.values !== "here") return;
  watch.disconnect();
  painted(1);
});
watch.observe(study, { attributes: true });
option.click();
"""
_BYTES = """
const entries = ["navigation", "resource"].flatMap((kind) => performance.getEntriesByType(kind));
return entries.reduce((sum, each) => sum + each.transferSize, 0);
"""
_DRAW = """
const done = arguments[0];
const place = document.createElement("div");
document.body.append(place);
const began = performance.now();
place.innerHTML = "<p class='cell'><b>AKs</b><i></i><i></i><i></i></p>".repeat(169);
requestAnimationFrame(() => requestAnimationFrame(() => {
  const took = performance.now() - began;
  place.remove();
  done(took);
}));
"""


def browser_rows(name: str, folder: Path, file: Path) -> Iterator[Row]:
    """Clicks in a real browser; nothing where there is none."""
    try:
        from tests.web.browser.conftest import Browser, open_browser
        from tests.web.running_server import start_server
    except ImportError:
        return
    if shutil.which("chromedriver") is None:
        return
    from pokerlab.web.files.library import Library

    server, driver = start_server(folder), open_browser()
    try:
        browser = Browser(driver, server)
        address = f"/solution/{Library(folder).id_of(file)}"
        driver.execute_cdp_cmd("Performance.enable", {"timeDomain": "threadTicks"})
        found = []
        for turn in range(CLICKS):
            browser.go(f"{address}?tab=hands&turn={turn}")
            browser.find('.study[data-line=""][data-values=here]', seconds=60)
            busy = [main_thread(driver)]
            took = []
            for script in (_DRAW, _CLICK):
                took.append(driver.execute_async_script(script))
                busy.append(main_thread(driver))
            found.append([took[0], *took[1], *(1e3 * np.diff(busy))])
        draw, click, values, draw_busy, click_busy = np.median(found[2:], axis=0).tolist()
        fastest = np.min(found, axis=0)
        driver.execute_cdp_cmd("Network.enable", {})
        driver.get("about:blank")
        driver.execute_cdp_cmd("Network.clearBrowserCache", {})
        browser.go("/")
        browser.find(".library-file")
        first = driver.execute_script(_BYTES)
    finally:
        driver.quit()
        server.stop()
    peer = "169 plain cells drawn"
    yield Row(f"{name}: click to repaint in Chromium", click, "ms", peer, draw / click)
    for what, goal, median, least in (
        ("strategy", GOAL_STRATEGY, click, fastest[1]),
        ("EVs", GOAL_VALUES, values, fastest[2]),
    ):
        yield Row(
            f"{name}: click to repaint with the {what}, median of {CLICKS - 2}",
            median,
            "ms",
            f"the goal of {goal} ms",
            goal / median,
            f"the fastest {least:.0f} ms",
        )
    yield Row(
        f"{name}: processor time of the page for a click, EVs and all",
        click_busy,
        "ms",
        peer,
        draw_busy / click_busy,
    )
    yield Row(
        f"{name}: first page, transferred",
        first / 1e3,
        "kB",
        "the goal of 60 kB",
        LIMIT_BYTES / first,
    )


def main_thread(driver: Any) -> float:
    """Seconds for which the page has kept the processor busy."""
    metrics = driver.execute_cdp_cmd("Performance.getMetrics", {})["metrics"]
    return float({each["name"]: each["value"] for each in metrics}["TaskDuration"])


@contextmanager
def solved_file(spot: Spot, **until: Any) -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "flop.safetensors"
        solve_spot(spot, precision=16, **until).save(path)
        yield path


def run() -> list[Row]:
    rows: list[Row] = []
    cases: list[tuple[str, Spot, dict[str, Any]]] = [
        ("S1", Spot.from_file(S1), {"target": "1%"}),
        ("all hands", WIDE, {"iterations": 4}),
    ]
    for name, spot, until in cases:
        if name != "S1" and free_memory() < NEEDED:
            rows.append(Row(f"{name}: left out", 0, "", note="less than 6 GB of memory are free"))
            continue
        with solved_file(spot, **until) as path:
            rows += server_rows(name, load_postflop(path))
            rows += browser_rows(name, path.parent, path)
    return rows

"""Every page can be read, reached and hit, in each theme and palette, also on a telephone."""

from functools import partial
from pathlib import Path

import pytest
from tests.holdem.spots.solved_spots import SPOTS, solved
from tests.web.conftest import RIVER
from tests.web.made_batch import make_batch
from tests.web.test_strategies import save_strategy

from pokerlab.holdem.spots import solve_spot
from pokerlab.web.jobs import queue

AUDIT = Path(__file__).with_name("audit.js").read_text(encoding="utf-8")
LEAST = 4.5
FINGER = 40
MOST_SHIFT = 0.1
DESK = [["light", "plain"], ["dark", "plain"], ["light", "safe"], ["dark", "safe"]]
NAMED = (
    *("button", "link", "textbox", "searchbox", "combobox", "checkbox", "radio", "slider"),
    *("spinbutton", "tab", "gridcell", "image", "dialog"),
)
TABS = ("hand", "breakdown", "graphs", "ranges", "tree", "lock", "simple")
PAGES = {
    "library": ("/", ".library-file"),
    "editor": ("/spot/{river.toml}", ".cost .figures"),
    "new spot": ("/spot/new", "#fill-in:enabled"),
    "new batch": ("/batch/new?spot={flop.toml}", ".new-batch .plan"),
    "batch": ("/batch/{flops}", '.batch[data-ready="true"]'),
    "run": ("/job/{job}", ".run-facts"),
    "study": ("/solution/{turn.safetensors}?line=x&show=ev", ".study[data-values=here]"),
    "study, a card comes": ("/solution/{turn.safetensors}?line=x/x", ".step.coming"),
    "report": ("/solution/{turn.safetensors}/report?line=x/x", ".report[data-done=true]"),
    "compare": ("/compare/{turn.safetensors}/{locked.safetensors}?line=x", ".compare .three"),
    "train": ("/train/{turn.safetensors}?seed=5", "#start"),
    "train, a hand": ("/train/{turn.safetensors}?seed=5", "#start", ".felt"),
    "preflop": ("/preflop?chart=100bb&line=r2.5", ".preflop .matrix"),
    "play": ("/play?seed=3", "#start:enabled"),
    "play, a hand": ("/play?seed=3", "#start:enabled", ".felt"),
    "push or fold": ("/pushfold", ".pushfold-form"),
    "games": ("/games", ".game-tree .node"),
    "strategy": ("/strategy/{leduc.safetensors}", ".strategy table"),
    "no page": ("/no/such/page", "h1"),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """One file of each kind."""
    place = tmp_path_factory.mktemp("all")
    solved("turn").save(place / "turn.safetensors")
    locked = solve_spot(SPOTS["turn"], iterations=10, threads=1, locks={"x": {"x": "100%"}})
    locked.save(place / "locked.safetensors")
    make_batch(place / "flops", "25")
    save_strategy(place / "leduc.safetensors", "leduc", "each")
    (place / "river.toml").write_text(RIVER.to_toml(), encoding="utf-8")
    flop = 'board = "QhJh2c"\noop = "AA, KQs, JTs"\nip = "QQ, AJs"\npot = 100\nstack = 80\n'
    (place / "flop.toml").write_text(flop, encoding="utf-8")
    return place


@pytest.fixture(scope="module")
def ids(browser):
    """The id of each file, and of a solve that waits."""
    with pytest.MonkeyPatch.context() as patches:
        patches.setattr(queue, "free_memory", lambda: 0)  # it stays in the queue
        found = browser.driver.execute_async_script(
            """
            const done = arguments[0], json = (answer) => answer.json();
            const { files } = await fetch("/api/library").then(json);
            const ids = Object.fromEntries(files.map((file) => [file.name, file.id]));
            const body = JSON.stringify({ spot: ids["river.toml"], target: "0.3%" });
            const headers = { "Content-Type": "application/json" };
            const job = await fetch("/api/jobs", { method: "POST", headers, body }).then(json);
            done({ ...ids, job: job.id });
            """
        )
        yield found


def run(browser, call, *arguments):
    """What a function of audit.js finds in the page."""
    return browser.script(f"{AUDIT}\nreturn {call}", *arguments)


def contrasts(browser, themes, within="body", *, width, height=3000):
    """Texts that cannot be read; in a high window, so that nothing is below its edge."""
    browser.size(width, height)
    found = run(browser, "contrastFaults(...arguments)", themes, LEAST, within)
    assert found["count"] > 1
    return found["faults"]


def fits(browser, widths=(390, 360)):
    """What is wider than the window, once charts have followed its size."""
    for width in widths:
        browser.size(width, 800)
        for _ in range(10):
            wide = run(browser, "tooWide()")
            if not wide:
                break
        else:
            return wide
    return []


def nameless(browser):
    """Controls and pictures that readers of the screen say nothing about."""
    nodes = browser.driver.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
    return [
        f"no name: {node['role']['value']}"
        for node in nodes
        if not node["ignored"] and node["role"]["value"] in NAMED and not node["name"]["value"]
    ]


@pytest.fixture(scope="module")
def open_page(browser, ids):
    """Open a page of the list."""

    def open_one(name):
        path, there, *later = PAGES[name]
        for file, id_ in ids.items():
            path = path.replace(f"{{{file}}}", id_)
        browser.go(path)
        browser.find(there)
        if later:
            browser.find("#start").click()
            browser.find(later[0])
        return partial(run, browser)

    return open_one


@pytest.mark.parametrize("name", PAGES)
def test_a_page(browser, open_page, name):
    browser.size(1400)
    audit = open_page(name)
    script = f"{AUDIT}\nlayoutShift().then(arguments[0])"
    shift, moved = browser.driver.execute_async_script(script)
    assert shift < MOST_SHIFT, moved
    assert audit("formFaults()") == []
    assert nameless(browser) == []
    browser.press("\ue004")  # Tab: from here on the ring is shown
    assert audit("focusFaults()") == []
    assert contrasts(browser, DESK, width=1400) == []
    assert fits(browser) == []
    assert audit("smallTargets(arguments[0])", FINGER) == []
    assert contrasts(browser, DESK[:2], "main", width=390) == []
    assert browser.errors() == []


def test_the_tabs_of_study(browser, open_page):
    open_page("study")
    for tab in TABS:
        browser.size(1400)
        browser.script(
            "const query = `?line=x&hand=JJ&tab=${arguments[0]}`;"
            "history.replaceState({}, '', location.pathname + query);"
            "dispatchEvent(new PopStateEvent('popstate'))",
            tab,
        )
        browser.find(f".study[data-view={tab}][data-values=here]")
        browser.wait(lambda _: "…" not in browser.find("#study-tab").text[:1])
        assert nameless(browser) == [], tab
        assert contrasts(browser, DESK, "#study-tab", width=1400) == [], tab
        assert fits(browser) == [], tab
        assert run(browser, "smallTargets(arguments[0])", FINGER) == [], tab
    assert browser.errors() == []

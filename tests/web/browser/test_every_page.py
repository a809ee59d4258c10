"""Every page can be read, reached and hit, in each theme and palette, also on a telephone."""

import re
from pathlib import Path

import pytest
from tests.histories import NIGHT
from tests.holdem.spots.solved_spots import SPOTS, solved
from tests.web.conftest import RIVER
from tests.web.made_batch import make_batch
from tests.web.test_strategies import save_strategy

from pokerlab import web
from pokerlab.drills import (
    DrillSession,
    Programme,
    ProgrammeSource,
    Setup,
    SolutionSource,
    own_log,
)
from pokerlab.holdem.spots import solve_spot
from pokerlab.web.jobs import queue

from .audited import DESK, FINGER, audit_page, contrasts, fits, nameless, run

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
    "before the flop": ("/preflop?show=ev", ".chart-hand"),
    "before the flop, a flop comes": ("/preflop?chart=50bb&line=r2.5/c", ".choose-flop"),
    "train, all files": ("/train", ".programme", ".grade-stack"),
    "train": ("/train/{turn.safetensors}?seed=5", "#start"),
    "train, a hand": ("/train/{turn.safetensors}?seed=5", "#start", ".felt"),
    "play": ("/play?seed=3", "#start:enabled"),
    "play, a hand": ("/play?seed=3", "#start:enabled", ".felt"),
    "push or fold": ("/pushfold", ".pushfold-form"),
    "games": ("/games", ".game-tree .node"),
    "strategy": ("/strategy/{leduc.safetensors}", ".strategy table"),
    "hands": ("/hands", "table[aria-label=Hands] tbody tr"),
    "hands, players": ("/hands?tab=players", "table[aria-label=Players] tbody tr"),
    "hands, to judge": ("/hands?tab=judge", ".judge-cost:not(.stale)"),
    "a hand": ("/hands/of/{hands/night.phhs}/1", ".felt"),
    "no page": ("/no/such/page", "h1"),
}
QUICK = ("library", "editor", "study", "batch", "train, a hand", "before the flop", "a hand")
"""The pages that `make test` looks at; `make test-all` looks at all."""
ELSEWHERE = {"/solution/live-0a": "test_live.py", "/hands/judged/0a": "test_hands.py"}
"""Pages of work under way, and the tests that look at them."""


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
    practise(place)
    (place / "hands").mkdir()
    (place / "hands" / "night.phhs").write_text(NIGHT, encoding="utf-8")
    return place


def practise(place):
    """Some results, mistakes among them, and a programme."""
    source = SolutionSource(solved("turn"), "turn.safetensors")
    session = DrillSession(source, Setup(seed=1), own_log(place / source.name))
    for _ in range(6):
        hand = session.deal()
        while hand.decision is not None:
            session.act(hand.decision.actions[-1], 2.0)
    evening = Programme((ProgrammeSource(source.name),), Setup(close=1, seconds=10))
    evening.save(place / "evening.programme.json")


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


@pytest.fixture(scope="module")
def open_page(browser, ids):
    """Open a page of the list."""

    def open_one(name):
        path, there, *later = PAGES[name]
        for file, id_ in ids.items():
            path = path.replace(f"{{{file}}}", id_)
        browser.go(path)
        browser.find(there)
        if later and there.startswith("#start"):
            browser.find("#start").click()
        for each in later:
            browser.find(each)

    return open_one


@pytest.mark.parametrize(
    "name",
    [each if each in QUICK else pytest.param(each, marks=pytest.mark.slow) for each in PAGES],
)
def test_a_page(browser, open_page, name):
    browser.size(1400)
    open_page(name)
    audit_page(browser)
    assert browser.errors() == []


def test_no_page_is_forgotten():
    """Each address of app.js is looked at here, or where a process is at work for it."""
    source = (Path(web.__file__).parent / "static" / "app.js").read_text(encoding="utf-8")
    found = re.findall(r"^  \[/(\^.*\$)/, \(\) =>", source, re.MULTILINE)
    assert len(found) == source.count("() => import(") > 15
    patterns = [each.replace("\\/", "/").replace("(?<", "(?P<") for each in found]
    paths = [path.partition("?")[0] for path, *_ in PAGES.values()]
    seen = set()
    for path in (*(re.sub(r"\{[^}]*\}", "0a", path) for path in paths), *ELSEWHERE):
        seen.add(next((each for each in patterns if re.search(each, path)), path))
    assert seen == {*patterns, "/no/such/page"}
    for file in ELSEWHERE.values():
        assert "audit_page(browser)" in Path(__file__).with_name(file).read_text(encoding="utf-8")


@pytest.mark.slow
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

"""A mixed session in a browser: close decisions, a timer, what is due, Study, progress."""

import shutil
import time

import pytest
from tests.players.bots.nolimit.small_menus import SMALL

from pokerlab.holdem.batches import Batch, BatchQuestion
from pokerlab.holdem.batches.rows import make_row
from pokerlab.holdem.spots import load_postflop
from pokerlab.players.bots.nolimit import street

from ..running_server import serve_here

WIDE = "return document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.fixture(scope="module")
def server(tmp_path_factory, river_file):
    """A folder with two solutions and a batch of one board."""
    place = tmp_path_factory.mktemp("practice")
    for name in ("river", "again"):
        shutil.copy(river_file, place / f"{name}.safetensors")
    solution = load_postflop(river_file)
    batch = Batch.begin(place / "rivers", BatchQuestion.of(solution.spot, {"QhJh2c4d7h": 1.0}))
    path = batch.solution_path("QhJh2c4d7h")
    solution.save(path)
    batch.store.add("QhJh2c4d7h", make_row(solution, "QhJh2c4d7h", 1.0, 1.0, path.stat().st_size))
    running = serve_here(place)
    yield running
    running.stop()


def choose(browser, *names):
    for name in names:
        row = next(each for each in browser.all(".source") if each.text.startswith(name))
        box = row.find_element("css selector", "input[type=checkbox]")
        if not box.is_selected():
            box.click()


def narrow(browser):
    browser.size(390, 844)
    assert browser.script(WIDE) <= 0
    browser.size(1400)


def test_a_programme_of_two_solutions_and_a_batch(browser, server):
    browser.go("/train?seed=4")
    browser.find(".source", "rivers")
    assert browser.find("nav a[aria-current]").text == "Train"
    assert browser.find("#play-due").text == "Nothing due today"
    choose(browser, "river", "again", "rivers")
    browser.find(".segments button", "Close").click()
    gap = browser.find("#gap")
    gap.clear()
    gap.send_keys("20")
    browser.find(".segments button", "20 s").click()
    browser.find("#save").click()
    browser.find("dialog input").send_keys("Evening")
    browser.find("dialog .primary").click()
    browser.find(".programme", "Evening")
    narrow(browser)
    browser.find("#start", "Deal from 3").click()
    browser.find(".timer b", " s")
    assert "close decisions" in browser.find(".page-head .badge").text
    narrow(browser)

    # Play each decision by its last action until something went wrong.
    for _ in range(12):
        browser.wait(lambda _: browser.all("#next:enabled") or browser.all(".act:enabled"))
        if browser.all(".worst a"):
            break
        if browser.all("#next"):
            browser.press("n")
            browser.wait(lambda _: browser.all(".act:enabled"))
        else:
            before = browser.find(".history-list").text
            browser.press(str(len(browser.all(".act"))))
            browser.wait(lambda _, old=before: browser.find(".history-list").text != old)
    link = browser.find(".worst a")
    assert browser.find(".train-score", "again").is_displayed()
    link.click()
    browser.find(".matrix")
    assert "/solution/" in browser.driver.current_url and "filter=" in browser.driver.current_url

    browser.go("/train")
    browser.find("#play-due", "due today")
    browser.find("#streak", "1")
    browser.find(".progress-charts .u-over")
    assert browser.find(".grade-stack span") and browser.find('[aria-label="By file"] tbody tr')
    assert browser.all(".progress-view .worst a")
    narrow(browser)
    browser.dark()
    assert browser.script(WIDE) <= 0
    browser.dark(False)

    browser.find("#play-due").click()
    browser.find(".badge.warn", "due")
    browser.driver.back()
    browser.find(".programme button", "Begin").click()
    browser.find(".timer")
    assert "table=" in browser.driver.current_url
    assert browser.errors() == []


def test_the_time_runs_out(browser, server):
    """With a second for each decision the hand ends by itself, and the next one can be dealt."""
    browser.go("/train")
    browser.find(".source", "rivers")
    sat_down = """
      const rows = await (await fetch('/api/train/folder')).json();
      const id = rows.sources.find((each) => each.name === 'river.safetensors').id;
      const body = JSON.stringify({ sources: [{ id }], seconds: 1, seat: 'oop', seed: 1 });
      const headers = { 'Content-Type': 'application/json' };
      const answer = await fetch('/api/train/folder', { method: 'POST', headers, body });
      return (await answer.json()).table;"""
    table = browser.driver.execute_async_script(
        f"const done = arguments[0]; (async () => {{ {sat_down} }})().then(done);"
    )
    browser.go(f"/train?table={table}")
    assert browser.find(".felt .outcome", "Too slow")
    assert "nothing was done in time" in browser.find(".judgement").text
    assert "too slow" in browser.find(".train-score").text
    browser.press("n")
    browser.find(".timer")
    browser.find(".felt .outcome", "Too slow")
    assert browser.errors() == []


@pytest.mark.slow
def test_a_whole_hand_against_nolimit(browser, server, monkeypatch):
    """From before the flop to the showdown, judged, explained; then it is the turn of a file."""
    monkeypatch.setattr(street, "LADDERS", SMALL)
    browser.go("/train")
    browser.script("localStorage.clear()")
    browser.go("/train?seed=3")
    browser.find(".source", "rivers")
    choose(browser, "nolimit", "river")
    browser.find(".nolimit-row select").send_keys("25 bb")
    browser.find("#start", "Deal from 2").click()
    browser.find(".felt")
    whole = False
    for _ in range(2):
        while not browser.all("#next:enabled"):
            whole = whole or bool(browser.all(".play-page"))
            for each in browser.all(".action-bar .act:enabled, .action-bar button:enabled"):
                if each.text.strip().split("\n")[-1].startswith(("Call", "Check")):
                    each.click()
                    break
            else:
                browser.press("1")
            time.sleep(0.2)
        if browser.all(".play-page .judged-head"):
            assert browser.find("table[aria-label='Your decisions'] .grade")
            browser.find("#why").click()
            assert browser.find(".whole-why table")
        if browser.find("#hands-played").text == "2":
            break
        browser.find("#next").click()
        browser.wait(lambda _: "hand 2" in browser.find(".page-head").text)
    assert whole and browser.find("#hands-played").text == "2"
    assert browser.errors() == []

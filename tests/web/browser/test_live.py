"""Study of a solve that has not ended: the state reached last, newer ones, and the solution."""

import time
from urllib.parse import urlsplit

import pytest

from pokerlab.web.jobs.job_folder import JobFolder

from ..running_server import serve_here
from ..test_jobs import LONG, NEVER, here
from .audited import audit_page
from .conftest import Browser

__all__ = ["here"]


@pytest.fixture
def running(one_browser, tmp_path, here):
    (tmp_path / "turn.toml").write_text(LONG.to_toml(), encoding="utf-8")
    server = serve_here(tmp_path)
    browser = Browser(one_browser, server)
    yield browser
    browser.driver.get("about:blank")
    for each in (tmp_path / ".pokerlab" / "jobs").glob("*/state.json"):  # after a failure
        job = JobFolder(each.parent)
        job.write_control(action="stop")
        while job.state()["status"] == "running":
            time.sleep(0.05)
    server.stop()


def post(browser, address, data):
    return browser.script(
        "return fetch(arguments[0], {method: 'POST', body: JSON.stringify(arguments[1]), "
        "headers: {'Content-Type': 'application/json'}}).then((answer) => answer.json())",
        address,
        data,
    )


def begin(browser):
    """Begin a solve that does not reach its target."""
    (spot,) = browser.script(
        "return fetch('/api/library').then((answer) => answer.json()).then((found) => found.files)"
    )
    return post(browser, "/api/jobs", {"spot": spot["id"], **NEVER})["id"]


def test_a_solve_is_studied_while_it_runs_and_when_it_has_ended(running):
    browser = running
    id_ = begin(browser)
    browser.go(f"/job/{id_}")
    browser.find("#study-now", seconds=60)
    browser.press("o")
    # In plain sight: how good it is, of which iteration, and that it is not certified.
    first = state(browser)
    text = browser.find("#live-epsilon").text
    assert text.startswith("ε ") and f"% of the pot at iteration {first:,}" in text
    assert "not certified" in browser.find(".live-bar .badge").text
    assert browser.find(".study-foot .badge").text == "not certified"
    # To a line, a filter and a tab: all views have what a solution has.
    browser.find(".step.current .option", "Check").click()
    browser.wait(lambda _: browser.find(".study").get_attribute("data-line") == "x")
    browser.find("#hand-filter").send_keys("QQ")
    browser.find("#tab-breakdown").click()
    browser.find(".study[data-values=here]")
    here_now = browser.driver.current_url
    assert "line=x" in here_now and "filter=QQ" in here_now and "tab=breakdown" in here_now
    # A newer state by a click; line, filter and tab stay.
    browser.find("#show-newer").click()
    second = browser.wait(lambda _: state(browser) > first and state(browser))
    assert browser.driver.current_url == here_now
    assert browser.find("#tab-breakdown").get_attribute("aria-selected") == "true"
    # What is not offered says why.
    browser.press("l")
    assert "only to look at" in browser.find("#study-tab .nothing").text
    assert not browser.find(".study-head button", "Train").is_enabled()
    assert not browser.find(".study-head button", "Compare").is_enabled()
    browser.press("l")
    # It follows by itself.
    browser.find("#follow").click()
    third = browser.wait(lambda _: state(browser) > second and state(browser), 60)
    browser.find("#follow").click()
    audit_page(browser)
    browser.size(1400)
    browser.find(".live-bar a", "To the solve").click()
    browser.find("button", "Stop and keep").click()
    browser.find("a.button.primary", "Study", seconds=60)
    # The states are gone with the solve: their address opens the solution with the same view.
    browser.driver.back()
    browser.wait(lambda driver: "/solution/live-" not in driver.current_url, 60)
    assert "line=x" in browser.driver.current_url
    assert browser.find(".study-foot .badge").text == "certified"
    assert third > second > first
    assert browser.errors() == []


@pytest.mark.slow
def test_a_link_leads_to_the_finished_solution_with_the_same_view(running):
    from selenium.webdriver.common.keys import Keys

    browser = running
    id_ = begin(browser)
    browser.go(f"/solution/live-{id_}?line=x/b50&show=ev")
    state(browser)
    browser.find(".study[data-line='x/b50'][data-values=here]")
    # Another tab has asked for a newer state, and the one that is shown is gone: this tab shows it.
    first = state(browser)
    post(browser, f"/api/jobs/{id_}/look", {})
    states = browser.server.folder / ".pokerlab" / "jobs" / id_
    browser.wait(lambda _: not (states / f"state-{first}.safetensors").exists())
    browser.press(Keys.BACKSPACE)
    browser.find(".study[data-line='x'][data-values=here]")
    assert state(browser) > first
    browser.errors()  # the answer that it is gone
    browser.press("2")
    browser.find(".study[data-line='x/b50'][data-values=here]")
    post(browser, f"/api/jobs/{id_}/stop", {})
    link = browser.find(".live-bar a.primary", "finished", seconds=60)
    assert urlsplit(link.get_attribute("href")).query == "line=x/b50&show=ev"
    link.click()
    assert browser.find(".study-foot .badge", "certified").text == "certified"
    assert browser.driver.current_url.endswith("?line=x/b50&show=ev")
    # An address of a solve that is not there says so.
    browser.go("/solution/live-000000000000")
    browser.find("h1", "There is no such solve")


def state(browser):
    """The iteration of the state that is shown."""
    return int(browser.find(".live-bar[data-state]", seconds=60).get_attribute("data-state"))

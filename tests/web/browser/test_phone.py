"""A telephone: tabs at the bottom, the way in one line, zoom; and installed pages."""

import socket
import threading

import pytest
from tests.holdem.spots.solved_spots import solved

from pokerlab.holdem.spots import report_run_outs
from pokerlab.views.report_tables import report_data
from pokerlab.web import make_app
from pokerlab.web.files.library import Library
from pokerlab.web.server import kept_token, make_server

from .conftest import Browser

WIDTH, HEIGHT = 390, 844


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("phone")
    solved("turn").save(place / "turn.safetensors")
    return place


@pytest.fixture
def phone(browser, folder):
    """The address of a solution, on a telephone."""
    browser.size(WIDTH, HEIGHT)
    return f"/solution/{Library(folder).id_of(folder / 'turn.safetensors')}"


def box(browser, selector):
    code = "return document.querySelector(arguments[0]).getBoundingClientRect().toJSON()"
    return browser.script(code, selector)


def tap(browser, selector, text=None):
    """Tap an element where a finger can: in the window, with nothing above it."""
    element = browser.find(selector, text)
    browser.driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", element)
    element.click()


def test_one_view_at_a_time_and_the_way_stays(browser, phone):
    browser.go(f"{phone}?line=x")
    browser.find(".study[data-view=matrix][data-values=here]")
    bar = box(browser, ".bottom-bar")
    assert (bar["bottom"], bar["width"]) == (HEIGHT, WIDTH)
    assert [each.text for each in browser.all(".bottom-bar > button")] == [
        *("Matrix", "Hands", "Breakdown", "Line", "More"),
    ]
    assert browser.find(".study-left .matrix").is_displayed()
    for tab, there in (("Hands", "table[aria-label=Hands]"), ("Breakdown", ".breakdown")):
        tap(browser, ".bottom-bar button", tab)
        assert browser.find(there).is_displayed()
        assert not browser.find(".study-left").is_displayed()
    browser.script("scrollTo(0, 400)")
    way = box(browser, ".study > .steps")
    assert (way["top"], way["height"] < 70) == (0, True)
    tap(browser, ".study > .steps .current .option", "Check")  # still in its place, and hit
    browser.find('.study[data-line="x/x"][data-view=breakdown]')
    tap(browser, ".study > .steps .step.decision .step-head", "IP")
    browser.find('.study[data-line="x"]')
    tap(browser, ".bottom-bar button", "Line")
    assert "stack 300" in browser.find(".line-view .current").text
    tap(browser, ".bottom-bar button", "More")
    tap(browser, "dialog .sheet-list button", "Lock")
    assert browser.find(".lock").is_displayed() and browser.find(".study-left").is_displayed()
    browser.find(".bottom-bar [aria-current]", "Lock")
    assert browser.errors() == []


def test_a_matrix_zooms_until_hands_are_read_and_hit(browser, phone):
    browser.go(f"{phone}?line=x&show=equity")
    browser.find(".study[data-values=here]")
    small = box(browser, ".study-left .cell")
    numbers = [each.text for each in browser.all(".study-left .cell-text")]
    assert numbers and all(number.isdecimal() for number in numbers)  # whole percents
    tap(browser, ".study-left .zoom")
    browser.wait(lambda _: box(browser, ".study-left .cell")["width"] > 40)
    cell = box(browser, ".study-left .cell")
    assert min(cell["width"], cell["height"]) >= 40 > small["width"]
    name = "document.querySelector('.study-left .cell-name')"
    assert browser.script(f"return parseFloat(getComputedStyle({name}).fontSize)") >= 11
    assert browser.script("return document.documentElement.scrollWidth") <= WIDTH
    tap(browser, ".study-left .cell[aria-label^='55:']")
    assert browser.find(".hand-sheet .hand-card[data-hand='55']").is_displayed()


def test_the_card_map_has_whole_percents_that_stay_apart(browser, phone):
    browser.size(360, HEIGHT)
    browser.go(f"{phone}/report?line=x/x")
    browser.find(".report[data-done=true]")
    rows = report_data(report_run_outs(solved("turn"), "x/x"))["rows"]
    king = next(row["actions"] for row in rows if row["card"] == "Ks")
    shown = browser.find(".heat[aria-label^='king of spades'] .brief").text
    assert shown == str(round(100 * next(iter(king.values()))))
    tap(browser, ".report .segments button", "EV OOP")
    wider = """
        return [...document.querySelectorAll(".heat")].filter((cell) => {
          const text = cell.querySelector(".brief").getBoundingClientRect();
          return text.width > cell.getBoundingClientRect().width - 2;
        }).length
    """
    browser.wait(lambda _: "EV OOP" in browser.find(".heat-map").get_attribute("aria-label"))
    assert browser.script(wider) == 0


def test_the_pages_are_at_the_bottom_and_in_the_menu(browser, phone):
    browser.go("/")
    browser.find(".library-file")
    bar = box(browser, ".top nav")
    assert (bar["bottom"], bar["width"]) == (HEIGHT, WIDTH)
    shown = [each for each in browser.all(".top nav a") if each.is_displayed()]
    assert 4 <= len(shown) <= 5 and shown[0].get_attribute("aria-current") == "page"
    tap(browser, "#menu")
    assert len(browser.all("dialog nav a")) == len(browser.all(".top nav a"))
    tap(browser, "dialog #palette-switch")
    assert browser.script("return document.documentElement.dataset.palette") == "safe"
    tap(browser, "dialog #palette-switch")
    tap(browser, "dialog nav a", "Games")
    browser.find(".game-tree")
    browser.wait(lambda _: not browser.all("dialog"))
    assert browser.driver.title == "Games · pokerlab"


def test_installed_pages_open_after_a_restart(one_browser, folder):
    listening = socket.create_server(("127.0.0.1", 0))

    def start():
        token = kept_token(folder)
        server = make_server(make_app(folder, token=token))
        thread = threading.Thread(target=server.run, args=([listening.dup()],), daemon=True)
        thread.start()

        def stop():
            server.should_exit = True
            thread.join(20)

        return token, stop

    token, stop = start()
    try:
        server = type("Server", (), {"url": f"http://127.0.0.1:{listening.getsockname()[1]}"})
        server.token = token
        browser = Browser(one_browser, server)
        browser.go("/")
        browser.find(".library-file")
        wrong = one_browser.execute_cdp_cmd("Page.getInstallabilityErrors", {})
        assert wrong["installabilityErrors"] == []
        found = one_browser.execute_cdp_cmd("Page.getAppManifest", {})
        assert found["errors"] == [] and '"start_url": "/"' in found["data"]
        stop()
        token, stop = start()
        browser.go("/")  # as the icon does: no token in the address
        assert browser.find(".library-file", "turn.safetensors")
        assert browser.errors() == []
    finally:
        stop()
        listening.close()

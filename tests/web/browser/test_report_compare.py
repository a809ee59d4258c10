"""The next-card report and the comparison in a browser."""

import pytest
from tests.holdem.spots.solved_spots import SPOTS, solved

from pokerlab.holdem.spots import report_run_outs, solve_spot
from pokerlab.web.files.library import Library

Keys = pytest.importorskip("selenium.webdriver.common.keys").Keys


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("cards")
    solved("turn").save(place / "turn.safetensors")
    locked = solve_spot(SPOTS["turn"], iterations=30, threads=1, locks={"x": {"x": "100%"}})
    locked.save(place / "locked.safetensors")
    return place


@pytest.fixture(scope="module")
def ids_of(folder):
    library = Library(folder)
    return {name: library.id_of(folder / f"{name}.safetensors") for name in ("turn", "locked")}


def test_a_report_fills_and_a_click_deals_the_card(browser, ids_of):
    browser.go(f"/solution/{ids_of['turn']}?line=x/x")
    browser.find(".step.coming")
    browser.press("r")
    browser.find(".report[data-done=true]")
    assert f"/solution/{ids_of['turn']}/report?line=x/x" in browser.driver.current_url
    rows = report_run_outs(solved("turn"), "x/x").rows
    assert len(browser.all(".report tbody tr")) == len(rows) == 48
    king = next(row for row in rows if row.name == "Ks")
    browser.find(".segments button", "Equity OOP").click()
    cell = browser.find(".heat[aria-label^='king of spades']", f"{100 * king.equity[0]:.1f}%")
    browser.find("th button", "EV OOP").click()
    browser.wait(lambda _: browser.find("th[aria-sort=descending]"))
    cell.click()
    browser.find('.study[data-line="x/x/Ks"]')
    assert browser.errors() == []


@pytest.mark.slow
def test_the_way_back_from_a_line_that_goes_on_after_the_card(browser, ids_of):
    browser.go(f"/solution/{ids_of['turn']}?line=x/x/Ks/x")
    browser.find('.study[data-line="x/x/Ks/x"]')
    browser.press("r")
    browser.find(".report[data-done=true]")
    assert "report?line=x/x/x" in browser.driver.current_url
    browser.find(".page-head a.button", "Back").click()
    browser.find('.study[data-line="x/x"] .step.coming')
    assert browser.errors() == []


@pytest.mark.slow
def test_a_report_that_cannot_be_made_says_why(browser, ids_of):
    browser.go(f"/solution/{ids_of['turn']}/report?line=x")
    assert "no card is left out" in browser.find(".narrow .error").text
    browser.errors()


@pytest.mark.slow
def test_nothing_is_wider_than_a_telephone(browser, ids_of):
    browser.size(390)
    for path, there in (
        (f"/solution/{ids_of['turn']}/report?line=x/x", ".report[data-done=true]"),
        (f"/compare/{ids_of['turn']}/{ids_of['locked']}?line=x", ".compare .three"),
        (f"/solution/{ids_of['turn']}?line=x&tab=lock", ".lock"),
        (f"/solution/{ids_of['turn']}?line=x/x", ".step.coming"),
    ):
        browser.go(path)
        browser.find(there)
        assert browser.script("return document.documentElement.scrollWidth") <= 390, path
        if "report" in path:  # numbers stay in their cells
            cut = "return [...document.querySelectorAll('.heat')].filter((cell) => "
            assert browser.script(f"{cut}cell.scrollWidth > cell.clientWidth).length") == 0
    browser.size(1400)
    assert browser.errors() == []


def test_two_solutions_beside_each_other(browser, ids_of):
    browser.go(f"/solution/{ids_of['turn']}?line=x")
    browser.find('.study[data-line="x"]')
    browser.press("c")
    browser.find("dialog .choice", "locked").click()
    browser.find('.compare[data-line="x"]')
    total = browser.find("table[aria-label='The whole range']").text
    assert "100.0%" in total
    assert len(browser.all(".compare .matrix")) == 3
    marked = browser.all(".compare .matrix[aria-label='Hands of B'] .cell.marked")
    assert marked and all(each.get_attribute("aria-label").endswith("; locked") for each in marked)
    assert not browser.all(".compare .matrix[aria-label='Hands of A'] .cell.marked")
    browser.find(".segments button", "EV").click()
    browser.wait(lambda driver: "show=ev" in driver.current_url)
    browser.press(Keys.BACKSPACE)
    browser.find('.compare[data-line=""]')
    assert browser.errors() == []

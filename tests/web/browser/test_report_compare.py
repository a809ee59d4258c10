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
    assert len(browser.all("table[aria-label=Cards] tbody tr")) == len(rows) == 48
    king = next(row for row in rows if row.name == "Ks")
    browser.find(".segments button", "Equity OOP").click()
    cell = browser.find(".heat[aria-label^='king of spades']", f"{100 * king.equity[0]:.1f}%")
    equities = [row.equity[0] for row in rows]
    legend = browser.find(".heat-legend").text.split()
    assert legend[-2:] == [f"{100 * each:.1f}%" for each in (min(equities), max(equities))]
    assert float(cell.value_of_css_property("font-size").removesuffix("px")) >= 12
    browser.find("th button", "EV OOP").click()
    browser.wait(lambda _: browser.find("th[aria-sort=descending]"))
    cell.click()
    browser.find('.study[data-line="x/x/Ks"]')
    assert browser.errors() == []


def test_a_report_is_walked_by_its_line(browser, ids_of):
    """From the first decision to the answer on all rivers, and back, without leaving the report."""
    report = f"/solution/{ids_of['turn']}/report"
    browser.go(report)
    browser.find(".no-report", "No card comes here yet")
    for line, name in (("x", "Check"), ("x/b50", "Bet 50"), ("x/b50/c", "Call 50")):
        browser.find(".step.current .option", name).click()
        browser.find(f'.report[data-line="{line}"]')
    browser.find('.report[data-line="x/b50/c"][data-done=true]')
    assert [each.text for each in browser.all(".step.any-card h3")] == ["RIVER"]
    whole = report_run_outs(solved("turn"), "x/b50/c")
    mean = f"{100 * whole.mean().frequencies[0]:.1f}%"
    assert browser.find(".step.current .option", "Check").text.endswith(mean)
    browser.find(".step.current .option", "Check").click()
    browser.find('.report[data-line="x/b50/c/x"][data-done=true]')
    bars = browser.all("table[aria-label=Cards] tbody .play-bar")
    answers = report_run_outs(solved("turn"), "x/b50/c/x")
    assert len(bars) == len(answers.rows) == 48
    words = bars[0].get_attribute("aria-label")  # the ace of spades
    row = answers.rows[0]
    for name, share in zip(("Check", "Bet 150"), row.frequencies, strict=True):
        assert (f"{name} {100 * share:.0f}%" in words) == (share > 0)
    assert browser.find(".step.decision .chosen .option-share", mean)  # of the report before

    groups = {group.name: group for group in answers.groups("texture")}
    table = "table[aria-label='By texture'] tbody tr"
    assert [row.text.split("\n")[0] for row in browser.all(f"{table} button")] == list(groups)
    browser.find(f"{table} button", "completes a flush").click()
    listed = browser.wait(lambda driver: browser.all("table[aria-label=Cards] tbody tr"))
    browser.wait(
        lambda _: (
            len(browser.all("table[aria-label=Cards] tbody tr"))
            == groups["completes a flush"].count
        )
    )
    assert listed and "texture=flush" in browser.driver.current_url
    browser.press("1")
    browser.find('.report[data-line="x/b50/c/x/x"][data-done=true]', "Nobody acts after each card")
    browser.press(Keys.BACKSPACE)
    browser.find('.report[data-line="x/b50/c/x"][data-done=true]')
    browser.press("r")
    browser.find('.study[data-line="x/b50/c"] .step.coming')
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
    browser.go(f"/solution/{ids_of['turn']}/report?line=x/b51")
    assert "'b51'" in browser.find(".narrow .error").text
    browser.errors()


@pytest.mark.slow
def test_nothing_is_wider_than_a_telephone(browser, ids_of):
    browser.size(390)
    for path, there in (
        (f"/solution/{ids_of['turn']}/report?line=x/x", ".report[data-done=true]"),
        (f"/solution/{ids_of['turn']}/report?line=x", ".no-report"),
        (f"/compare/{ids_of['turn']}/{ids_of['locked']}?line=x", ".compare .three"),
        (f"/solution/{ids_of['turn']}?line=x&tab=lock", ".lock"),
        (f"/solution/{ids_of['turn']}?line=x/x", ".step.coming"),
    ):
        browser.go(path)
        browser.find(there)
        assert browser.script("return document.documentElement.scrollWidth") <= 390, path
        if "report?line=x/x" in path:  # numbers stay in their cells
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

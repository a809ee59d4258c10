"""Hands in a browser: dropped, filtered, played again, made a spot; a night judged."""

import pytest
from tests.histories import NIGHT

from ..running_server import serve_here
from .audited import audit_page


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("night")


@pytest.fixture(scope="module")
def server(folder):
    running = serve_here(folder)
    yield running
    running.stop()


@pytest.fixture
def night(folder):
    """The history that the first test drops, where that test was left out."""
    file = folder / "hands" / "night.phhs"
    if not file.exists():
        file.parent.mkdir(exist_ok=True)
        file.write_text(NIGHT, encoding="utf-8")


DROP = """
const [text, name, folder] = arguments;
const data = new DataTransfer();
data.items.add(new File([text], name));
for (const kind of ["dragover", "drop"]) {
  dispatchEvent(new DragEvent(kind, { dataTransfer: data, bubbles: true }));
}
"""


def rows(browser):
    return [each.text for each in browser.all("table[aria-label='Hands'] tbody tr.opens a")]


def test_a_history_is_dropped_filtered_and_made_a_spot(browser):
    browser.go("/hands")
    assert "nothing leaves this machine" in browser.find(".library-empty").text
    browser.script(DROP, NIGHT, "night.phhs")
    browser.wait(lambda _: rows(browser) == ["4711", "4712", "4713", "4714", "4715"])
    assert "ann: −3.5 bb" in browser.find(".hands-sums").text
    browser.find("th button", "Won, bb").click()
    browser.wait(lambda _: rows(browser)[0] == "4711" and rows(browser)[-1] in ("4713", "4714"))
    browser.find("#filter-two").click()
    browser.wait(lambda _: len(rows(browser)) == 3)
    browser.find("#filter-cards").send_keys("87s")
    browser.wait(lambda _: rows(browser) == ["4711"])
    assert "cards=87s" in browser.driver.current_url
    browser.driver.back()  # the address is replaced while filters are chosen
    browser.driver.forward()
    browser.wait(lambda _: rows(browser) == ["4711"])
    browser.find("#filter-cards").send_keys("x")
    assert browser.find(".hands-filters .error").text
    browser.find("#no-filters").click()
    browser.wait(lambda _: len(rows(browser)) == 5)
    browser.find("table[aria-label='Hands'] a", "4711").click()
    browser.find(".table-seat.own .plate-name", "ann")
    browser.find("#next").click()
    browser.wait(lambda _: "bob raises" in browser.find(".hand-steps").text)
    browser.press("\ue010")  # End
    browser.wait(lambda _: "ann +500" in browser.find(".felt .outcome").text)
    colours = browser.script(
        "return [...document.querySelectorAll('.table-seat .plate-name')]"
        ".map((name) => getComputedStyle(name).color)"
    )
    assert len(colours) == 2 and len(set(colours)) == 1  # the winner's name is readable, too
    browser.find(".hand-list button", "flop").click()
    browser.wait(lambda _: len(browser.all(".board-large .card:not(.gap)")) == 3)
    browser.find("#make-spot").click()
    board = browser.find(".editor .board, .board")
    assert board.text.replace("\n", "").startswith("K♥7♦2♣")
    browser.wait(lambda _: "20 big blinds" in browser.driver.page_source or browser.all("#solve"))
    assert browser.errors() == [] or all("400" in each for each in browser.errors())


@pytest.mark.slow
def test_a_night_is_judged_and_its_worst_decision_studied(browser, night):
    browser.go("/hands?tab=judge")
    browser.find(".hands-judge .segments button", "River").click()
    browser.find("#judge-keep option", "of all hands").click()
    browser.wait(lambda _: "2 hands can be judged" in browser.find(".judge-cost").text)
    browser.wait(lambda _: browser.find("#judge").is_enabled())
    browser.find("#judge").click()
    worst = "table[aria-label='Worst decisions'] tbody tr"
    browser.wait(lambda _: len(browser.all(worst)) == 3, 90)
    browser.wait(lambda _: "2 of 2" in browser.find(".judged-sums").text.replace("\n", " "), 60)
    audit_page(browser)
    browser.size(1400)
    first = browser.find(worst)
    assert "Blunder" in first.text
    first.find_element("link text", "Study").click()
    browser.wait(lambda driver: "/solution/" in driver.current_url)
    assert browser.find(".matrix")
    browser.driver.back()
    browser.find(worst + " a").click()
    assert browser.find(".decision .grade", "Blunder").is_displayed()
    assert browser.find("#hand-solution")
    browser.find("#keep-mistakes").click()
    browser.find("#keep-mistakes", "Kept for practice")
    assert browser.errors() == []


def test_the_pages_of_hands_fit_a_phone(browser, night):
    browser.size(390, 844)
    for path in ("/hands", "/hands?tab=players", "/hands?tab=judge"):
        browser.go(path)
        browser.find(".hands-page .panel.flush")
        browser.find("[role=tab][aria-selected=true]")
        assert browser.script("return document.documentElement.scrollWidth") <= 390
    browser.find("#more-filters").click()
    browser.find("#filter-text")
    unnamed = browser.script(
        "return [...document.querySelectorAll('button, a, input, select')].filter((each) =>"
        " !each.closest('.hidden') && !(each.textContent.trim() || each.ariaLabel || each.title ||"
        " each.labels?.length)).map((each) => each.outerHTML)"
    )
    assert [each for each in unnamed if 'type="file"' not in each] == []
    assert browser.errors() == []


@pytest.mark.slow
def test_a_model_of_all_players_is_counted(browser, night):
    browser.go("/hands?tab=players")
    browser.find("table[aria-label='Players'] button.link", "ann")
    browser.find("#model-pool").click()
    browser.find("dialog button.primary", "Count").click()
    assert browser.find("[role=status]", "The model of pool is in pool.toml", 60)
    assert browser.errors() == []

"""Small games in a browser."""

import pytest

Select = pytest.importorskip("selenium.webdriver.support.ui").Select


@pytest.fixture(autouse=True)
def nothing_said_before(browser):
    """Leave what the pages of other tests complained about when their server ended."""
    browser.errors()


def test_a_tree_is_drawn_and_a_click_shows_what_follows(browser):
    browser.go("/games")
    browser.wait(lambda _: "−0.055556" in browser.find("#value").text)
    browser.wait(lambda _: len(browser.all(".game-tree .node")) == 58)
    Select(browser.find("#played-as")).select_by_value("lp")
    browser.wait(lambda _: "0.667" in browser.find(".game-tree svg").text)
    browser.find("#node1").click()
    browser.wait(lambda driver: "path=0d" in driver.current_url)
    browser.wait(lambda _: len(browser.all(".game-tree .node")) < 58)
    browser.driver.back()
    browser.wait(lambda _: len(browser.all(".game-tree .node")) == 58)


@pytest.mark.slow
def test_a_strategy_and_what_is_wrong_with_a_number(browser):
    browser.go("/games?game=kuhn&tab=strategy&rule=cfr%2B&iterations=50")
    assert len(browser.wait(lambda _: browser.all(".plays"))) == 12
    browser.go("/games?game=kuhn&tab=strategy&rule=cfr%2B&iterations=0")
    assert browser.find(".game .error", "is not a number from 1")
    assert all("400" in error for error in browser.errors())


@pytest.mark.slow
def test_a_race_runs_and_ends(browser):
    browser.go("/games?game=kuhn&tab=race&iterations=100")
    browser.find("#race").click()
    assert browser.find("table[aria-label=Standings] tr", "dcfr")
    browser.wait(lambda _: browser.all("#race"))
    rows = browser.all("table[aria-label=Standings] tbody tr")
    assert len(rows) == 4
    assert all("100" in row.text for row in rows)
    assert browser.find(".chart canvas")


@pytest.mark.slow
def test_a_large_game_shows_its_top(browser):
    browser.go("/games?game=holdem.limit.2p")
    assert browser.find(".game-tree .node")
    assert browser.find(".stat", "only its top")
    # Branch by branch: each click opens two more moves, and the way back is shown.
    browser.find(".game-tree #node2").click()
    browser.wait(lambda _: len(browser.all(".branch-path button")) == 2)
    browser.wait(lambda _: len(browser.all(".game-tree .node")) == 9)
    browser.find(".game-tree #node2").click()
    browser.wait(lambda _: len(browser.all(".branch-path button")) == 3)
    browser.find(".branch-path button", "root").click()
    browser.wait(lambda _: not browser.all(".branch-path"))
    assert browser.errors() == []


@pytest.mark.slow
@pytest.mark.parametrize("width", [390, 1400])
def test_nothing_is_wider_than_the_page(browser, width):
    browser.size(width)
    browser.go("/games?game=kuhn")
    browser.find(".game-tree .node")
    assert browser.script("return document.documentElement.scrollWidth") <= width
    fits = (
        "const box = document.querySelector('.game-tree'); return box.scrollWidth - box.clientWidth"
    )
    assert browser.script(fits) <= 0
    browser.size(1400)
    assert browser.errors() == []

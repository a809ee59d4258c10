"""A trained strategy in a browser: from the Library to a decision, a board and one deal."""

import pytest
from tests.web.test_strategies import save_strategy


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("trained")
    save_strategy(place / "holdem.safetensors")
    save_strategy(place / "leduc.safetensors", "leduc", "each")
    return place


def test_from_the_library_to_a_deal(browser):
    browser.go("/")
    row = browser.find(".library-file[data-name='holdem.safetensors']")
    assert "strategy" in row.text and "holdem.limit.2p" in row.text
    row.find_element("css selector", ".name a").click()
    assert browser.find(".strategy .matrix")
    assert len(browser.all(".strategy .cell:not(.empty)")) == 169
    browser.find(".strategy .option", "raise").click()
    browser.find(".strategy[data-line='r']")
    browser.press("2")  # the other player calls
    browser.find(".strategy[data-line='rc/']")
    assert browser.find("table[aria-label=Groups]")
    browser.press("b")
    browser.press("QhJh2c\n")
    assert browser.find("table[aria-label=Hands]")
    assert "board=QhJh2c" in browser.driver.current_url
    browser.script("document.activeElement.blur()")
    browser.press("t")
    browser.wait(lambda driver: "tab=tree" in driver.current_url)
    # As little is left out as can be read; who asks for more is told, and led back.
    assert browser.find(".deal-tree .deal-row")
    assert browser.find(".deal-form select").get_attribute("value") in ("5", "10", "20")
    browser.go(f"{browser.script('return location.pathname + location.search')}&least=0")
    assert browser.find(".deal-tab .error", "more than 800 nodes are played")
    assert all("400" in error and "/deal?" in error for error in browser.errors())
    browser.find("#deal-fewer").click()
    assert browser.find(".deal-tree .deal-row")
    shown = browser.find(".deal-form input").get_attribute("value")
    browser.find("#deal-random").click()
    browser.wait(lambda _: browser.find(".deal-form input").get_attribute("value") != shown)
    assert browser.errors() == []


@pytest.mark.slow
@pytest.mark.parametrize("width", [390, 1400])
def test_nothing_is_wider_than_the_page(browser, width):
    browser.size(width)
    browser.go("/")
    address = browser.find("[data-name='leduc.safetensors'] .name a").get_attribute("href")
    browser.driver.get(f"{address}?tab=tree&line=cc/")
    browser.find(".deal-tree")
    assert browser.script("return document.documentElement.scrollWidth") <= width
    assert browser.errors() == []


@pytest.mark.slow
def test_what_is_wrong_is_said(browser):
    browser.go("/")
    address = browser.find("[data-name='leduc.safetensors'] .name a").get_attribute("href")
    browser.driver.get(f"{address}?line=xyz")
    assert browser.find(".error", "line 'xyz'")
    browser.find("button", "To the first decision").click()
    assert browser.find(".strategy[data-line='']")
    assert all("400" in error and "line=xyz" in error for error in browser.errors())

"""Five hands of Kuhn poker, one of limit hold'em, a draw and a size, in a browser."""

import pytest
from tests.players.bots.nolimit.small_menus import SMALL

from pokerlab.players.bots.nolimit import street


def sit(browser, game, *bots):
    from selenium.webdriver.support.ui import Select

    browser.go("/play?seed=3")
    Select(browser.find("#game")).select_by_value(game)
    browser.wait(
        lambda _: len(browser.all(".opponent")) == len(bots) and browser.all("#start:enabled")
    )
    for field, name in zip(browser.all(".opponent"), bots, strict=True):
        Select(field).select_by_value(name)
    browser.find("#start").click()
    browser.find(".felt")


def seen(browser):
    return browser.script("return document.querySelector('.play-page').textContent")


def press(browser, *keys):
    """Press keys, and wait for what they change."""
    before = seen(browser)
    browser.press(*keys)
    browser.wait(lambda _: seen(browser) != before and not browser.all(".action-bar :disabled"))


def play_hand(browser, key="1"):
    """To the end of the hand, always with one key."""
    while not browser.all("#next"):
        press(browser, *(("1", "3", "d") if browser.all("#exchange") else (key,)))


@pytest.mark.slow
def test_five_hands_of_kuhn_and_one_of_limit_holdem(browser):
    sit(browser, "kuhn", "caller")
    for number in range(1, 6):
        browser.wait(lambda _, n=number: f"hand {n}" in browser.find(".page-head").text)
        play_hand(browser, "2")
        assert browser.find(".felt .outcome").text.startswith(("You", "Nobody"))
        if number < 5:
            press(browser, "n")
    assert "after 5 hands" in browser.find(".page-head .badge").text
    assert not browser.all(".felt .card.back")  # what the other held is shown
    browser.find("[role=tab]", "Hands").click()
    browser.wait(lambda _: len(browser.all(".played-hand")) == 5)
    browser.find("[role=tab]", "Statistics").click()
    browser.find(".statistics td", "caller")
    address = browser.driver.current_url
    browser.driver.refresh()
    browser.find(".page-head .badge", "after 5 hands")
    assert browser.driver.current_url == address
    log = "return fetch(document.querySelector('#log').href).then((answer) => answer.text())"
    assert browser.script(log).count("STATE:") == 5

    sit(browser, "holdem.limit.2p", "fair")
    browser.find("[role=tab]", "This hand").click()
    play_hand(browser, "2")
    assert "variant = 'FT'" in browser.script(log)
    assert browser.errors() == []


def test_cards_to_exchange_and_a_size(browser):
    sit(browser, "draw", "caller")
    while not browser.all("#exchange"):
        press(browser, "1" if browser.all(".act") else "n")
    browser.find(".felt .pick").click()
    assert "Exchange 1 card" in browser.find("#exchange").text
    press(browser, "d")
    assert "exchange 1 card" in seen(browser)

    sit(browser, "holdem.nolimit.3p", "caller", "caller")
    field = browser.find(".size-form input[type=number]")
    browser.script("arguments[0].value = ''", field)
    field.send_keys("275\n")
    browser.find(".events li.you", "275")
    browser.size(390, 844)
    wide = "return document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert browser.script(wide) <= 0
    browser.size(1400)
    assert browser.errors() == []


def test_blinds_are_chosen_and_refused(browser):
    browser.go("/play?seed=3")
    field = browser.find("#blinds")
    field.send_keys("2/1")
    browser.find("#start:enabled").click()
    assert "write small and big blind" in browser.find("[role=alert]").text
    browser.script("arguments[0].select()", field)
    field.send_keys("10/20/5")
    browser.find("[aria-label=Stacks] button", "25").click()
    sit(browser, "holdem.nolimit.2p", "caller")
    assert "stacks of 500" in browser.find(".page-head h1").get_attribute("title")
    browser.script("localStorage.clear()")
    assert all("400" in error for error in browser.errors())  # the first blinds


@pytest.mark.slow
def test_a_hand_against_nolimit_is_explained_and_studied(browser, monkeypatch):
    monkeypatch.setattr(street, "LADDERS", SMALL)
    browser.go("/play?seed=3")
    browser.find("#game")
    browser.find("[aria-label=Stacks] button", "25").click()
    sit(browser, "holdem.nolimit.2p", "nolimit")
    assert "2,500" in seen(browser) or "2,450" in seen(browser) or "2,400" in seen(browser)
    while not browser.all("#next"):
        passive = [each for each in browser.all(".act:enabled") if "C" in each.text]
        if passive:
            passive[0].click()
        browser.wait(lambda _: browser.all("#next") or browser.all(".act:enabled"), 60)
    browser.find("[role=tab]", "Why").click()
    browser.wait(lambda _: len(browser.all(".why-ranges .matrix")) == 2)
    browser.script("document.querySelectorAll('.why-list button')[2].click()")
    browser.find(".study-this")
    row = ".why-list tbody tr:last-child td:nth-child(2)"
    chips = browser.find(row).text
    unit = browser.find("#unit-switch")
    unit.send_keys("bb")
    browser.wait(lambda _: "EV, bb" in browser.find(".why-list").text)
    if chips != "–":
        number = float(chips.replace("≥", "").replace(",", ""))
        shown = float(browser.find(row).text.replace("≥", ""))
        assert shown == pytest.approx(number / 100, abs=0.011)
    browser.size(390, 844)
    wide = "return document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert browser.script(wide) <= 0
    browser.size(1400)
    browser.find(".study-this").click()
    browser.wait(lambda driver: "/solution/" in driver.current_url)
    browser.wait(lambda _: browser.all(".matrix .cell:not(.empty)"))
    browser.script("localStorage.clear()")
    assert browser.errors() == []

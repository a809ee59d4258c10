"""Train ten hands in a browser, with the keyboard alone; then again only the mistakes."""


def history(browser):
    return browser.script("return document.querySelector('.history-list')?.textContent ?? ''")


def play_hand(browser, key):
    """Answer with a key (or 1 where there are fewer actions) until the hand is over."""
    while True:
        browser.wait(lambda _: browser.all("#next") or browser.all(".action-bar .act:enabled"))
        acts = len(browser.all(".action-bar .act"))
        if not acts:
            return
        before = history(browser)
        browser.press(key if int(key) <= acts else "1")
        browser.wait(lambda _, before=before: history(browser) != before)


def test_ten_hands_and_the_mistakes_again(browser, server):
    library = "return fetch('/api/library').then((answer) => answer.json())"
    files = {entry["name"]: entry["id"] for entry in browser.script(library)["files"]}
    browser.go(f"/train/{files['river.safetensors']}?seed=5")
    browser.find(".segments button", "Out of position").click()
    browser.find("#start").click()
    for number in range(1, 11):
        play_hand(browser, "3" if number % 2 else "2")
        browser.wait(lambda _, n=number: browser.find("#hands-played").text == str(n))
        assert browser.find(".felt .outcome").text.startswith(("You win", "You lose", "Nothing"))
        if number < 10:
            browser.press("n")
            browser.wait(lambda _, n=number: f"hand {n + 1}," in browser.find(".page-head").text)
    assert browser.find(".judged tr.your-action") and browser.find(".matrix .cell.chosen")
    assert "/solution/" in browser.find(".worst a").get_attribute("href")
    lines = (server.folder / "river.training.jsonl").read_text().splitlines()
    assert sum('"result"' in line for line in lines) == 10

    score, address = browser.find("#mean-loss").text, browser.driver.current_url
    browser.driver.refresh()  # the table is in the address
    assert browser.find("#mean-loss").text == score and browser.driver.current_url == address

    browser.find(".train-score button", "Again only my mistakes").click()
    waiting = browser.find(".badge.warn").text
    assert waiting.endswith("to play again") and int(waiting.split()[0]) > 0
    browser.driver.back()
    browser.find("#hands-played", "10")

    browser.size(390, 844)
    wide = "return document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert browser.script(wide) <= 0
    box = "const box = document.querySelector('.judgement .table-box');"
    assert browser.script(f"{box} return box.scrollWidth - box.clientWidth") <= 0
    browser.size(1400)
    assert browser.errors() == []

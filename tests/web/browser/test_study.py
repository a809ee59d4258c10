"""Study in a browser: from decision to decision, filters, keys, ranges, and what the URL keeps."""

import re
import shutil

import pytest
from tests.holdem.spots.solved_spots import solved
from tests.web.conftest import RIVER

from pokerlab.cards.codes import RANKS
from pokerlab.holdem.spots import load_postflop, report_run_outs
from pokerlab.views.payloads.node_payload import node_payload
from pokerlab.views.report_tables import report_data
from pokerlab.web.files.library import Library

Keys = pytest.importorskip("selenium.webdriver.common.keys").Keys

VALUES = ".study[data-values=here]"


@pytest.fixture(scope="module")
def folder(tmp_path_factory, river_file):
    """A river, and a turn after which cards come."""
    place = tmp_path_factory.mktemp("study")
    (place / "river.toml").write_text(RIVER.to_toml(), encoding="utf-8")
    shutil.copy(river_file, place / "river.safetensors")
    solved("turn").save(place / "turn.safetensors")
    return place


@pytest.fixture(scope="module")
def address(folder):
    library = Library(folder)
    return {
        name: f"/solution/{library.id_of(folder / f'{name}.safetensors')}"
        for name in ("river", "turn")
    }


def at(browser, line):
    """Wait until a line is shown with its EVs."""
    return browser.find(f'.study[data-line="{line}"][data-values=here]')


def cell(browser, name):
    return browser.find(f".study-left .cell[aria-label^='{name}:']")


def test_numbers_are_those_of_show(browser, address, folder):
    browser.go(f"{address['turn']}?line=x")
    at(browser, "x")
    solution = load_postflop(folder / "turn.safetensors")
    shown = node_payload(solution, solution.at("x"))
    for name, row in shown["classes"].items():
        title = cell(browser, name).get_attribute("aria-label")
        written = [float(each) for each in re.findall(r"([0-9.]+)%", title.split(";")[0])]
        assert written == pytest.approx([100 * share for share in row["strategy"]], abs=0.051)
        assert f"EV {row['ev']:.{1 if abs(row['ev']) >= 100 else 2}f}" in title
        assert f"equity {100 * row['equity']:.1f}%" in title
    grey = cell(browser, "72o")
    assert "empty" in grey.get_attribute("class")
    rows = browser.all("table[aria-label=Hands] tbody tr")
    assert len(rows) == len(shown["hands"])
    shares = [each.text for each in browser.all(".step.current .option-share")]
    assert shares == [f"{100 * share:.1f}%" for share in shown["frequencies"]]
    browser.find("#tab-breakdown").click()
    parts = browser.find("table[aria-label='Made hands']").text.replace("\n", " ")
    for name, row in shown["made"].items():
        assert f"{name.replace('-', ' ')} {100 * row['weight'] / shown['combos'][1]:.1f}%" in parts
    for name in shown["equity_buckets"]:
        assert name.replace("-", "–") in browser.find("table[aria-label=Equity]").text
    assert browser.errors() == []


def test_clicks_go_down_and_back(browser, address):
    browser.go(address["turn"])
    at(browser, "")
    browser.find(".step.current .option", "Check").click()
    at(browser, "x")
    browser.find(".step.current .option", "Bet 50").click()
    at(browser, "x/b50")
    assert "odds 25%" in browser.find(".step.current .step-foot").text
    browser.find(".step.current .option", "Call").click()
    browser.find(".step.coming button[aria-label='king of spades']").click()
    at(browser, "x/b50/c/Ks")
    assert "line=x/b50/c/Ks" in browser.driver.current_url
    browser.find("button[aria-label='A lower card']").click()
    browser.wait(lambda driver: "line=x/b50/c/Qs" in driver.current_url)
    at(browser, "x/b50/c/Qs")
    browser.driver.back()
    at(browser, "x/b50/c/Ks")
    browser.all(".step.decision .step-head")[1].click()
    at(browser, "x")
    assert browser.errors() == []


def test_a_hand_has_a_panel(browser, address, folder):
    browser.go(f"{address['turn']}?line=x")
    at(browser, "x")
    solution = load_postflop(folder / "turn.safetensors")
    view = solution.at("x")
    rows = node_payload(solution, view)["classes"]
    first, second = list(rows)[:2]
    cell(browser, first).click()
    card = browser.find(f".hand-card[data-hand='{first}'][data-state=here] table")
    assert f"EV {view.actions[0]}" in card.text
    assert (
        f" {100 * rows[first]['equity']:.1f}% "
        in card.find_element("css selector", "tbody tr").text
    )
    browser.find(".hand-card button", "Pin").click()
    browser.find(".hand-card button", "Pinned")
    cell(browser, second).send_keys(Keys.ENTER)  # a hand is reached and opened without a mouse
    browser.find(f".hand-card[data-hand='{second}'][data-state=here] table")
    assert len(browser.all(".hand-card")) == 2
    assert f"hand={second}&pin={first}" in browser.driver.current_url
    assert "Loses to" in browser.find(".hand-card section", "Against the range").text
    browser.size(375, 812)
    box = browser.find(".hand-sheet").rect
    assert browser.script("return scrollX + document.documentElement.scrollWidth") <= 375
    bottom = browser.script(
        "return document.querySelector('.hand-sheet').getBoundingClientRect().bottom"
    )
    assert (round(bottom), round(box["width"])) == (812, 375)
    browser.press(Keys.ESCAPE)
    browser.wait(
        lambda driver: "hand=" not in driver.current_url and not browser.all(".hand-sheet")
    )
    assert browser.errors() == []


@pytest.mark.slow
def test_next_cards_stay_open_and_are_coloured(browser, address, folder):
    browser.go(f"{address['turn']}?line=x/x/Ks")
    at(browser, "x/x/Ks")
    browser.find(".run-outs-box summary").click()
    browser.find(".run-outs[data-done=true]")
    rows = {row["card"]: row for row in report_data(report_run_outs(solved("turn"), "x/x"))["rows"]}

    def texts():
        return [each.get_attribute("aria-label") for each in browser.all(".heat:not(.missing)")]

    action = next(iter(rows["Ks"]["actions"]))
    assert len(texts()) == len(rows) == 48
    assert f"king of spades: {100 * rows['Ks']['actions'][action]:.1f}%" in texts()
    assert browser.find(".heat[aria-current]").get_attribute("aria-label") in texts()
    assert browser.find("#run-outs-show option", "Check") and browser.find(".run-outs .heat-legend")
    browser.find("#run-outs-show").send_keys("EV OOP")
    browser.wait(lambda _: f"king of spades: {rows['Ks']['ev'][0]:.2f}" in texts())
    browser.find(".heat[aria-label^='ace of hearts']").click()
    at(browser, "x/x/Ah")
    chosen = browser.find(".run-outs[data-done=true] .heat[aria-current]")
    name, number = chosen.get_attribute("aria-label").split(": ")
    assert (name, float(number)) == ("ace of hearts", pytest.approx(rows["Ah"]["ev"][0], abs=0.051))
    browser.press("1")  # the map goes along with the line
    at(browser, "x/x/Ah/x")
    browser.find(".run-outs[data-done=true]")
    browser.find(".run-outs-box summary").click()
    browser.wait(lambda _: not browser.all(".run-outs"))
    assert browser.errors() == []


@pytest.mark.slow
def test_keys(browser, address):
    browser.go(f"{address['turn']}?line=x/x/Ks")
    at(browser, "x/x/Ks")
    browser.press("1")
    at(browser, "x/x/Ks/x")
    browser.press(Keys.BACKSPACE)
    at(browser, "x/x/Ks")
    browser.press(Keys.ARROW_RIGHT)
    at(browser, "x/x/Qs")
    browser.press(Keys.ARROW_DOWN)
    at(browser, "x/x/Qd")
    browser.press("e")
    browser.wait(lambda driver: "show=ev" in driver.current_url)
    browser.press("p")
    browser.wait(lambda driver: "player=ip" in driver.current_url)
    browser.press("/")
    browser.press("set", Keys.ENTER)
    browser.wait(lambda driver: "filter=set" in driver.current_url)
    browser.press(Keys.ESCAPE)
    browser.press("?")
    assert "one step back" in browser.find("dialog").text
    browser.press(Keys.ESCAPE)
    assert browser.errors() == []


@pytest.mark.slow
def test_a_filter_holds_everywhere(browser, address):
    browser.go(f"{address['river']}?tab=breakdown")
    at(browser, "")
    browser.find(".breakdown button.part", "nothing").click()
    browser.wait(lambda driver: "filter=nothing" in driver.current_url)
    browser.find("#tab-hands").click()
    count = browser.find("#hand-count").text
    assert count.startswith("2 hands")
    assert "empty" in cell(browser, "AA").get_attribute("class")
    field = browser.find("#hand-filter")
    field.clear()
    field.send_keys("AA, set, KQ &")  # it holds while it is typed
    browser.wait(lambda driver: browser.find("#hand-count").text.startswith("3 hands"))
    assert field.get_attribute("value") == "AA, set, KQ &" and not browser.all(".study .error")
    field.send_keys(Keys.CONTROL, "a")
    field.send_keys(Keys.DELETE, Keys.TAB)
    browser.wait(lambda driver: browser.find("#hand-count").text.startswith("9 hands"))
    assert field.get_attribute("value") == "" and "filter" not in browser.driver.current_url
    field.send_keys("top-par", Keys.ENTER)
    assert "did you mean top-pair" in browser.find(".study .error", "top-par").text
    browser.errors()  # the answer 400 is what was wanted


@pytest.mark.slow
def test_the_command_says_what_the_page_shows(browser, address):
    browser.go(f"{address['turn']}?line=x&tab=breakdown&filter=AA, set")
    at(browser, "x")
    found = browser.find(".study-foot code").text
    assert found == "pokerlab show turn.safetensors x --hands 'AA, set' --by made"
    browser.go(f"{address['turn']}?line=x/x")
    browser.find(".step.coming")
    assert browser.find(".study-foot code").text == "pokerlab report turn.safetensors x/x"


@pytest.mark.slow
def test_hands_stand_in_order_and_no_number_is_hidden(browser, address, folder):
    solution = load_postflop(folder / "river.safetensors")
    browser.go(f"{address['river']}?line=b51&show=ev")
    at(browser, "b51")
    view = node_payload(solution, solution.at("b51"))
    assert len(view["actions"]) == 4
    shown = [each.get_attribute("aria-label") for each in browser.all(".hands-tab .pin")]
    strong = sorted(view["hands"], key=lambda hand: [-RANKS.index(hand[0]), -RANKS.index(hand[2])])
    assert [each.removeprefix("Pin ")[::2] for each in shown] == [hand[::2] for hand in strong]
    box = "const box = document.querySelector('.hands-tab .table-box');"
    assert browser.script(f"{box} return box.scrollWidth - box.clientWidth") <= 0  # at 1400 pixels
    # Numbers in the cells can be read: not tiny, and on a plate of their own.
    look = browser.script(
        "const look = getComputedStyle(document.querySelector('.study-left .cell-text'));"
        "return [parseFloat(look.fontSize), look.backgroundColor]"
    )
    assert look[0] >= 10 and look[1] != "rgba(0, 0, 0, 0)"


@pytest.mark.slow
def test_the_lock_can_be_solved_without_scrolling(browser, address):
    browser.size(1400, 900)
    browser.go(f"{address['river']}?line=x&tab=lock")
    browser.find(".lock")
    sliders = [each.text for each in browser.all(".lock section:nth-of-type(3) .slider b")]
    assert sliders == [each.text for each in browser.all(".step.current .option-share")]
    cell(browser, "TT").click()
    words = browser.find(".lock-list li", "locked here")
    apart = (
        "const [line, words] = arguments[0].children;"
        "return words.getBoundingClientRect().left - line.getBoundingClientRect().right"
    )
    assert browser.script(apart, words) >= 4
    bottom = "return arguments[0].getBoundingClientRect().bottom - innerHeight"
    assert browser.script(bottom, browser.find("#solve-again")) <= 0
    browser.script("sessionStorage.clear()")


@pytest.mark.slow
def test_hands_are_sorted_pinned_and_copied(browser, address):
    browser.go(f"{address['river']}?line=x")
    at(browser, "x")
    browser.find("table[aria-label=Hands] th button", "Equity").click()
    first = browser.find("table[aria-label=Hands] tbody tr .hand").text
    assert first == "9♥8♥"
    browser.find("button[aria-label='Pin TsTd']").click()
    assert browser.find("table[aria-label='Pinned hands'] .hand").text == "T♠T♦"
    browser.find(".hands-tab button", "Copy as range").click()
    copied = browser.find(".copied").get_attribute("data-range")
    assert "TsTd" in copied.replace(" ", "")


@pytest.mark.slow
def test_graphs_and_ranges(browser, address):
    browser.go(f"{address['turn']}?tab=graphs")
    at(browser, "")
    browser.find(".graphs canvas")
    browser.find(".graphs .segments button", "EV").click()
    browser.find(".graphs canvas")
    browser.find("#tab-ranges").click()
    assert len(browser.all(".ranges .matrix")) == 2
    assert browser.errors() == []


@pytest.mark.slow
def test_a_line_that_is_not_there_says_so(browser, address):
    browser.go(f"{address['turn']}?line=x/b7")
    assert "not possible here" in browser.find(".narrow .error").text
    browser.find("button", "To the first decision").click()
    at(browser, "")
    browser.errors()


@pytest.mark.slow
def test_lock_solve_again_and_compare(browser, address):
    browser.go(f"{address['river']}?line=x")
    at(browser, "x")
    browser.press("l")
    browser.find(".lock")
    browser.find(".lock .segments button", "Bet 51").click()
    for name in ("TT", "AA"):
        cell(browser, name).click()
    assert browser.find("#lock-count").text == "2 hands are locked here"
    assert "Bet 51 100.0%" in cell(browser, "TT").get_attribute("aria-label")
    slider = browser.all(".lock section:nth-of-type(3) input[type=range]")[0]
    browser.script(
        "arguments[0].value = 90; arguments[0].dispatchEvent(new Event('input', {bubbles: true}))",
        slider,
    )
    browser.wait(lambda _: browser.find("#lock-count").text == "10 hands are locked here")
    browser.script("arguments[0].click()", browser.find("#solve-again"))
    compare = browser.find("#lock-job a.button", "Compare", seconds=60)
    browser.script("arguments[0].click()", compare)
    browser.find('.compare[data-line="x"]')
    second = browser.all("table[aria-label='The whole range'] tbody tr")[1].text
    assert 88 < float(second.split("\n")[-1].split("%")[0]) < 92
    # The lock of the new solution can be taken away again.
    locked = browser.script("return location.pathname.split('/').at(-1)")
    browser.go(f"/solution/{locked}?line=x&tab=lock")
    assert browser.find("#lock-count", "10 hands are locked in this solution")
    remove = browser.find(".lock-list button[aria-label='Remove the lock of x']")
    browser.script("arguments[0].click()", remove)
    assert browser.find(".lock-list", "free from now on")
    assert browser.find("#lock-count").text == "No hand is locked here"
    assert browser.find("#solve-again").text == "Solve without locks"
    keep = browser.find(".lock-list button[aria-label='Keep the lock of x']")
    browser.script("arguments[0].click()", keep)
    browser.wait(lambda _: not browser.find("#solve-again").is_enabled())
    assert browser.errors() == []


@pytest.mark.slow
def test_a_late_answer_for_another_line_is_dropped(browser, address):
    browser.go(address["turn"])
    at(browser, "")
    browser.script("""
      const plain = window.fetch;
      const held = new Promise((resolve) => { window.letGo = resolve; });
      window.fetch = async (url, options) => {
        const answer = await plain(url, { ...options, signal: undefined });
        if (String(url).endsWith("node?line=x")) { await held; window.wasLate = true; }
        return answer;
      };""")
    browser.find(".step.current .option", "Check").click()
    browser.wait(lambda driver: "line=x" in driver.current_url)
    browser.find(".step.current .option", "Bet 50").click()
    at(browser, "b50")
    browser.script("window.letGo()")
    browser.wait(lambda _: browser.script("return window.wasLate"))
    browser.script("return new Promise(r => requestAnimationFrame(() => requestAnimationFrame(r)))")
    assert browser.find(".study").get_attribute("data-line") == "b50"
    assert browser.errors() == []


@pytest.mark.slow
def test_narrow_and_dark(browser, address):
    browser.size(390)
    browser.dark()
    browser.go(f"{address['turn']}?line=x")
    at(browser, "x")
    wide = browser.script("return document.documentElement.scrollWidth")
    assert wide <= 390
    cut = "return arguments[0].scrollWidth - arguments[0].clientWidth"
    assert browser.script(cut, browser.find(".study-left .tools .segments")) <= 0
    browser.size(1400)
    browser.dark(False)


def test_no_request_leaves_the_host(browser, address):
    browser.go(address["turn"])
    at(browser, "")
    hosts = browser.script(
        "const all = performance.getEntriesByType('resource').map(e => new URL(e.name).host);"
        "return [...new Set(all)]"
    )
    assert hosts == [browser.script("return location.host")]


def test_the_tree_of_one_deal(browser, address, folder):
    browser.go(f"{address['turn']}?tab=tree")
    browser.find(".deal-tree")
    command = browser.find(".deal-foot code").text
    browser.find("#deal-random").click()
    browser.wait(lambda driver: "seed=1" in driver.current_url)
    browser.wait(lambda _: browser.find(".deal-foot code").text != command)
    deal = browser.find(".deal-foot code").text.split("--deal '")[1].split("'")[0]
    tree = load_postflop(folder / "turn.safetensors").picture_of_deal(deal)
    rows = browser.wait(lambda _: browser.all(".deal-row"))
    assert len(rows) == len(tree) - 1
    first = [node for node in tree.nodes if node.depth == 1]
    tops = browser.all(".deal-tree > ul > li > * > summary .deal-share")
    tops += browser.all(".deal-tree > ul > li > .deal-row .deal-share")
    assert {each.text for each in tops} == {f"{node.probability:.1%}" for node in first}
    # By keys: closed and opened again, and on to the next row.
    branch = browser.find(".deal-tree summary")
    browser.script("arguments[0].focus()", branch)
    browser.press(Keys.ARROW_LEFT)
    browser.wait(lambda _: not browser.script("return arguments[0].parentElement.open", branch))
    browser.press(Keys.ARROW_RIGHT, Keys.ARROW_DOWN)
    assert browser.script("return document.activeElement !== arguments[0]", branch)
    assert "line=" not in browser.driver.current_url
    # A button goes to the line, and the tree begins there.
    browser.find(".deal-open").click()
    browser.wait(lambda driver: "line=" in driver.current_url)
    assert browser.find(".deal-tree p", "After")
    browser.go(f"{address['turn']}?tab=tree&deal=2s2d+3c3d")
    assert browser.find(".deal-tab .error", "is not in the range")
    assert all("400" in error for error in browser.errors())


@pytest.mark.slow
@pytest.mark.parametrize("width", [390, 1400])
def test_the_tree_is_not_wider_than_the_page(browser, address, width):
    browser.size(width)
    browser.go(f"{address['turn']}?tab=tree")
    browser.find(".deal-tree")
    assert browser.script("return document.documentElement.scrollWidth") <= width
    browser.size(1400)

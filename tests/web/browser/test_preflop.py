"""Before the flop in a browser: from a chart to a solve, six-max, the slider, pasted texts."""

import numpy as np
import pytest

from pokerlab.cards import Range
from pokerlab.cards.codes import COMBO_CARDS, format_cards
from pokerlab.holdem.charts import shipped_chart
from pokerlab.holdem.preflop import save_preflop, solve_push_fold
from pokerlab.holdem.spots import Spot

Keys = pytest.importorskip("selenium.webdriver.common.keys").Keys

PASTE = """
const [field, text] = arguments, data = new DataTransfer();
data.setData("text", text);
field.focus();
field.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true }));
field.value = text;
field.dispatchEvent(new Event("input", { bubbles: true }));
"""


@pytest.fixture(autouse=True)
def nothing_said_before(browser):
    """Leave what the pages of other tests complained about when their server ended."""
    browser.errors()


def value(browser, selector):
    return browser.find(selector).get_attribute("value")


def fill(browser, selector, text):
    """Replace what stands in a field."""
    field = browser.find(selector)
    field.send_keys(Keys.CONTROL, "a")
    field.send_keys(text or Keys.DELETE)


def at(browser, line, chart="100bb"):
    return browser.find(f'.preflop[data-line="{line}"][data-chart="{chart}"]')


@pytest.mark.slow
def test_from_a_chart_to_a_solved_spot(browser):
    browser.script("sessionStorage.clear()")
    browser.go("/")
    browser.find("nav a", "Preflop").click()
    at(browser, "")
    first = shipped_chart(100).decisions[0]
    assert len(browser.all(".step.current .option")) == len(first.actions)
    assert "50.3%" in browser.find(".step.current .option", "Raise to 2.5").text
    browser.press("3")
    at(browser, "r2.5")
    browser.find(".step.current .option", "Call 1.5").click()
    at(browser, "r2.5/c")
    browser.press(Keys.BACK_SPACE)
    at(browser, "r2.5")
    browser.driver.back()
    at(browser, "r2.5/c")
    # Another stack is at the same line; back is where it was.
    browser.press("]")
    at(browser, "r2.5/c", "200bb")
    browser.driver.back()
    at(browser, "r2.5/c")
    browser.find(".choose-flop [aria-label='queen of spades']").click()
    assert not browser.find("#to-editor").is_enabled()
    browser.find(
        ".choose-flop [aria-label='seven of hearts'], .choose-flop [aria-label='7 of hearts']"
    ).click()
    browser.find(".choose-flop [aria-label='2 of diamonds']").click()
    browser.wait(lambda _: browser.find("#to-editor").is_enabled())
    browser.find("#to-editor").click()
    told = {"preflop": "SB raise 2.5, BB call", "ranges": "100bb", "big_blind": 10}
    spot = Spot.from_fields({"board": "Qs7h2d", **told})
    browser.wait(lambda _: value(browser, "#board") == "Qs7h2d")
    assert Range(value(browser, "#range-oop")) == spot.oop
    assert Range(value(browser, "#range-ip")) == spot.ip
    assert (value(browser, "#pot"), value(browser, "#stack")) == (f"{spot.pot:g}", "975")
    assert value(browser, '[data-menu="bet.flop.oop"]') == "33%"
    browser.wait(lambda _: browser.find("#solve").is_enabled())
    # Back is the chart with the flop, forward the Editor again.
    browser.driver.back()
    at(browser, "r2.5/c")
    assert len(browser.all(".choose-flop .card-picker .chosen")) == 3
    browser.driver.forward()
    browser.wait(lambda _: value(browser, "#board") == "Qs7h2d")
    # Cut to a river and few hands, so that the solve takes a second.
    fill(browser, "#board", "Qs7h2d5c9s")
    fill(browser, "#range-oop", "AQo, 99, 87s, J9s")
    fill(browser, "#range-ip", "AA, KQs, T8s, A9s")
    fill(browser, '.solve-options input[list="targets"]', "5%")
    browser.wait(lambda _: "Time to 5%" in browser.find(".cost").text)
    browser.wait(lambda _: browser.find("#solve").is_enabled())
    browser.find("#solve").click()
    browser.wait(lambda driver: "/job/" in driver.current_url)
    browser.find("a", "Study", seconds=60).click()
    assert browser.find(".study .matrix")
    assert browser.errors() == []
    browser.script("sessionStorage.clear()")


def test_hands_heat_and_a_chart_of_the_folder(browser, folder):
    save_preflop(folder / "pushes.safetensors", solve_push_fold(10))
    whole = bytearray((folder / "pushes.safetensors").read_bytes())
    whole[-100] ^= 1
    (folder / "broken.safetensors").write_bytes(whole)
    browser.go("/")
    row = browser.find(".library-file[data-name='pushes.safetensors']")
    row.find_element("css selector", ".name a").click()
    browser.find(".preflop .matrix")
    assert "broken.safetensors" in browser.find(".preflop .error").text
    browser.find(".step.current .option", "All-in 10").click()
    name = browser.find(".preflop").get_attribute("data-chart")
    at(browser, "a", name)
    browser.find('.chart-range [aria-label^="K7s:"]').click()
    assert "100.0%" in browser.find(".chart-hand tr", "Call 9").text
    browser.press("e")
    browser.find(".tools button", "Heat").click()
    assert len(browser.all(".matrix.heated")) == 2 and browser.find(".heat-legend")
    browser.find(".tools button", "Weight").click()
    browser.find(".preflop .segments button", "20 bb").click()
    browser.wait(lambda driver: "chart=20bb" in driver.current_url)
    browser.go("/preflop?chart=100bb&line=zz")
    assert "not an action" in browser.find(".error").text
    browser.find("button", "To the first decision").click()
    at(browser, "")
    browser.go("/preflop?chart=nothing")
    assert browser.find("main a", "To the charts of the package")
    assert all("400" in error or "404" in error for error in browser.errors())
    for name in ("pushes", "broken"):
        (folder / f"{name}.safetensors").unlink()


@pytest.mark.parametrize("width", [390, 1400])
def test_nothing_is_wider_than_the_page(browser, width):
    browser.size(width)
    for line in ("", "r2.5/c", "r2.5/f"):
        browser.go(f"/preflop?chart=100bb&line={line}&flop=Qs7h2d")
        at(browser, line)
        if line == "r2.5/c":
            browser.find(".choose-flop")
        assert browser.script("return document.documentElement.scrollWidth") <= width
    unnamed = browser.script(
        "return [...document.querySelectorAll('button, input, select')].filter((each) => "
        "!each.textContent.trim() && !each.ariaLabel && !each.labels?.length).length"
    )
    assert unnamed == 0
    assert browser.errors() == []


def test_six_max_in_three_choices(browser):
    browser.script("sessionStorage.clear()")
    browser.go("/spot/new")
    browser.find("[data-choice=table] button", "Six-max").click()
    browser.find("[data-choice=opener] button", "CO").click()
    browser.find("[data-choice=other] button", "BTN").click()
    browser.find("[data-choice=pot] button", "3-bet").click()
    assert [each.text for each in browser.all("[data-choice=stack] button")] == ["100"]
    words = browser.find(".ready .quiet-text", "CO raise 2.5, BTN raise 7.5, CO call").text
    assert "100 big blinds alone" in words
    browser.find("#fill-in").click()
    told = {"preflop": "CO raise 2.5, BTN raise 7.5, CO call", "ranges": "six-max"}
    spot = Spot.from_fields({"board": "Qs7h2d", "big_blind": 10, **told})
    browser.wait(lambda _: value(browser, "#pot") == f"{spot.pot:g}")
    assert Range(value(browser, "#range-oop")) == spot.oop
    assert Range(value(browser, "#range-ip")) == spot.ip
    browser.wait(lambda _: browser.find("#solve").is_enabled())
    assert browser.errors() == []


def test_the_best_hands_by_a_slider_and_by_keys(browser):
    slider = browser.find("[aria-label='Out of position: top hands, percent']")
    browser.script(
        "arguments[0].value = 20; arguments[0].dispatchEvent(new Event('input', {bubbles: true}))",
        slider,
    )
    browser.wait(lambda _: value(browser, "#range-oop") == "top 20%")
    expected = Range("20%")
    browser.wait(lambda _: f"{expected.combos:.0f} combos" in browser.find(".painter-count").text)
    slider.send_keys(Keys.ARROW_RIGHT)
    browser.wait(lambda _: value(browser, "#range-oop") == "top 21%")
    browser.script("scrollTo(0, 0)")
    # Steps of the slider in quick succession are undone together, on a busy machine one by one.
    for _ in range(2):
        if (before := value(browser, "#range-oop")).startswith("top"):
            browser.find("button[title='Ctrl+Z']").click()
            browser.wait(lambda _, old=before: value(browser, "#range-oop") != old)
    assert not value(browser, "#range-oop").startswith("top")


def wizard(weights):
    return ",".join(
        f"{format_cards(COMBO_CARDS[combo].tolist()[::-1])}: {weights[combo]:g}"
        for combo in np.flatnonzero(weights)
    )


@pytest.mark.parametrize(
    ("form", "write"),
    [
        ("1,326 weights (PioSOLVER)", lambda weights: " ".join(f"{each:g}" for each in weights)),
        ("weights after a colon (PioSOLVER)", lambda _: "AA:1,AKs:0.25,72o:0.5"),
        ("weights in brackets (GTO+)", lambda _: "AA,[25.0]AKs[/25.0],[50.0]72o[/50.0]"),
        ("weights of single combos (GTO Wizard)", wizard),
    ],
)
def test_a_text_of_another_program_is_pasted_as_it_is(browser, form, write):
    expected = Range("AA, AKs:0.25, 72o:0.5")
    browser.script(PASTE, browser.find("#range-ip"), write(expected.weights))
    assert f"{form}, 13 combos" in browser.find(".pasted", form).text
    browser.wait(lambda _: browser.find("#solve").is_enabled())
    browser.find(".pasted button", "Write it short").click()
    browser.wait(lambda _: value(browser, "#range-ip") == str(expected))


def test_what_was_cut_off_is_said_beside_the_field(browser):
    browser.script(PASTE, browser.find("#range-ip"), "0 " * 1000)
    assert (
        "1,000 numbers; a list of weights has 1,326" in browser.find("#range-ip-error", "bad").text
    )
    assert all("400" in error for error in browser.errors())
    browser.script("sessionStorage.clear()")

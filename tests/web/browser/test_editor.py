"""The Editor in a browser: paint, type, edit the tree, save, solve, by mouse and by keyboard."""

import pytest
from tests.web.conftest import RIVER

from pokerlab.cards import Range
from pokerlab.holdem.spots import Spot, load_postflop
from pokerlab.holdem.spots.reports.export import arriving_range

ActionChains = pytest.importorskip("selenium.webdriver").ActionChains
Keys = pytest.importorskip("selenium.webdriver.common.keys").Keys
OOP, IP = '[aria-label="Out of position: painter"]', '[aria-label="In position: painter"]'


@pytest.fixture(autouse=True)
def nothing_said_before(browser):
    """Leave what the pages of other tests complained about when their server ended."""
    browser.errors()


def page_of(browser, name):
    """The address of a spot of the folder."""
    browser.go("/")
    found = browser.script(
        "return fetch('/api/library').then((answer) => answer.json()).then((data) => "
        "data.files.find((file) => file.name === arguments[0]).id)",
        name,
    )
    return f"/spot/{found}"


@pytest.fixture(scope="module")
def spot_page(browser, folder):
    """The address of a copy of the river, which tests may change."""
    (folder / "edited.toml").write_text(RIVER.to_toml(), encoding="utf-8")
    return page_of(browser, "edited.toml")


def cell(browser, grid, name):
    return browser.find(f'{grid} [aria-label^="{name}:"]')


def fill(browser, selector, text):
    """Replace what stands in a field."""
    field = browser.find(selector)
    field.send_keys(Keys.CONTROL, "a")
    field.send_keys(text or Keys.DELETE)


def value(browser, selector):
    return browser.find(selector).get_attribute("value")


def open_spot(browser, page):
    browser.script("sessionStorage.clear()")
    browser.go(page)
    browser.find(".cost .big")


@pytest.mark.slow
def test_ranges_are_painted_by_dragging_and_by_suits(browser, spot_page):
    open_spot(browser, spot_page)
    fill(browser, "#range-oop", "AA")
    browser.wait(lambda _: "6 combos" in browser.find(".painter-count").text)
    first, last = cell(browser, OOP, "KK"), cell(browser, OOP, "K9s")
    ActionChains(browser.driver).click_and_hold(first).move_to_element(
        cell(browser, OOP, "KTs")
    ).move_to_element(last).release().perform()
    browser.wait(lambda _: "K9s" in value(browser, "#range-oop"))
    painted = Range(value(browser, "#range-oop"))
    assert painted.weight("KK") == painted.weight("KTs") == painted.weight("K9s") == 1
    # A second stroke over what has the weight of the brush takes it away.
    cell(browser, OOP, "KK").click()
    browser.wait(lambda _: "KK" not in value(browser, "#range-oop"))
    ActionChains(browser.driver).key_down(Keys.CONTROL).send_keys("z").key_up(
        Keys.CONTROL
    ).perform()
    browser.wait(lambda _: Range(value(browser, "#range-oop")) == painted)
    cell(browser, OOP, "KK").click()
    browser.wait(lambda _: "KK" not in value(browser, "#range-oop"))
    # One combo of a class.
    browser.find(".painter button", "Suits").click()
    browser.find(".suits button", "K♠K♥").click()
    browser.wait(lambda _: Range(value(browser, "#range-oop")).weight("KsKh") == 1)
    assert Range(value(browser, "#range-oop")).weight("KK") == pytest.approx(1 / 6)


@pytest.mark.slow
def test_a_finger_paints_what_it_touches_and_scrolls_without_painting(browser, spot_page):
    open_spot(browser, spot_page)
    fill(browser, "#range-ip", "QQ")
    browser.wait(lambda _: cell(browser, IP, "AA").get_attribute("aria-selected") == "false")
    touch = (
        "const at = document.querySelector(arguments[0] + ' [data-place=\"0\"]');"
        "for (const type of arguments[1]) at.dispatchEvent(new PointerEvent(type,"
        " {bubbles: true, pointerType: 'touch', button: 0, clientX: 1, clientY: 1}));"
    )
    browser.script(touch, IP, ["pointerdown", "pointercancel"])
    browser.script(touch, IP, ["pointerdown", "pointerup"])
    browser.wait(lambda _: Range(value(browser, "#range-ip")) == Range("QQ, AA"))


@pytest.mark.slow
def test_a_range_is_painted_by_keyboard_alone(browser, spot_page):
    open_spot(browser, spot_page)
    fill(browser, "#range-ip", "QQ")  # painted on at once, before the server has read it
    browser.press(Keys.ESCAPE)
    browser.press("i")
    browser.press(Keys.ARROW_RIGHT, "5")
    browser.wait(lambda _: Range(value(browser, "#range-ip")).weight("AKs") == 0.5)
    browser.press(Keys.ARROW_DOWN, Keys.ENTER)
    browser.wait(lambda _: Range(value(browser, "#range-ip")).weight("KK") == 1)
    assert Range(value(browser, "#range-ip")) == Range("QQ, AKs:0.5, KK")


def test_faults_stand_beside_their_fields_and_solving_waits(browser, spot_page):
    open_spot(browser, spot_page)
    fill(browser, "#range-oop", "6x")
    assert "not a rank" in browser.find("#range-oop-error", "bad range item").text
    fill(browser, "#board", "Qh")
    assert browser.find("#board-error", "a board has 3")
    fill(browser, '[data-menu="bet.flop.ip"]', "33")
    assert browser.find(".menu-cell .error", "is not a size")
    assert not browser.find("#solve").is_enabled()
    assert browser.find(".cost", "3 things to be mended first: ")
    for words in ("the range out of position", "the board", "the bet (flop, ip)"):
        assert words in browser.find(".cost").text
    browser.script("scrollTo(0, 0)")
    browser.find("button", "Discard").click()
    browser.wait(lambda _: browser.find("#solve").is_enabled())
    assert browser.find(".cost", "that nobody else uses; a busy machine takes longer")


@pytest.mark.slow
def test_menus_show_chips_and_the_cost_follows(browser, spot_page):
    open_spot(browser, spot_page)
    nodes = browser.find(".cost .big").text
    fill(browser, '[data-menu="bet.river.oop"]', "25%, 50%, 75%, a")
    browser.wait(lambda _: browser.find(".cost .big").text != nodes)
    assert "25 51 76 260" in browser.find(".menu-cell .preview", "25").text.replace("\n", " ")
    browser.find(".cuts button", "Cut").click()
    browser.wait(lambda _: value(browser, '[data-menu="bet.river.oop"]') != "25%, 50%, 75%, a")


@pytest.mark.slow
def test_lines_of_the_tree_are_added_removed_and_restored(browser, spot_page):
    open_spot(browser, spot_page)
    browser.find('[aria-label="After x"]').click()
    field = browser.find('[aria-label="Add a bet after x"]')
    field.send_keys("77", Keys.ENTER)
    assert browser.find(".edits code", "x/b77")
    assert browser.find(".action-row", "bet 77")
    browser.find('[aria-label="Remove b51"]').click()
    assert browser.find(".edits code", "b51")
    assert browser.find(".action-row.removed s", "b51")
    browser.find('[aria-label="Add a bet after the beginning"]').send_keys("9999", Keys.ENTER)
    assert browser.find(".edits .error", "can be added here")
    browser.find('[aria-label="Take back: added b9999"]').click()
    browser.find('[aria-label="Restore b51"]').click()
    browser.wait(lambda _: not browser.all(".action-row.removed"))


@pytest.mark.slow
def test_a_draft_survives_a_reload_and_is_saved(browser, spot_page, folder):
    open_spot(browser, spot_page)
    fill(browser, "#pot", "123")
    browser.find(".badge.warn", "not saved")
    fill(browser, '.solve-options input[list="targets"]', "0.01%")
    browser.driver.refresh()
    browser.wait(lambda _: value(browser, "#pot") == "123")
    browser.find("button[title='Ctrl+Z']").click()  # what came before is there as well
    browser.wait(lambda _: value(browser, "#pot") != "123")
    fill(browser, "#pot", "123")
    browser.wait(lambda _: browser.find("button[title='Ctrl+S']").is_enabled())
    browser.find("#pot").send_keys(Keys.CONTROL, "s")
    browser.wait(lambda _: not browser.all(".badge.warn"))
    assert Spot.from_file(folder / "edited.toml").pot == 123
    # The target is that of this spot, and of no other.
    browser.find(".cost dt", "Time to 0.01%")
    browser.go("/spot/new")
    browser.find(".cost dt", "Time to 0.3%")
    browser.go(spot_page)
    browser.find(".cost dt", "Time to 0.01%")
    # Somebody else saves the file: that is said at Save.
    (folder / "edited.toml").write_text(RIVER.to_toml(), encoding="utf-8")
    fill(browser, "#pot", "124")
    browser.wait(lambda _: browser.find("button[title='Ctrl+S']").is_enabled())
    browser.find("button[title='Ctrl+S']").click()
    assert "changed elsewhere" in browser.find(".editor-head .save-problem", "Open it").text
    browser.find("button", "Discard").click()
    browser.wait(lambda _: not browser.all(".save-problem"))
    browser.wait(lambda _: browser.find("button", "Save as…").is_enabled())
    browser.find("button", "Save as…").click()
    fill(browser, "dialog input", "river")
    browser.press(Keys.ENTER)
    assert browser.find("dialog", "already")
    browser.press(Keys.ESCAPE)
    assert all("400" in error for error in browser.errors())


@pytest.mark.slow
def test_big_blinds_saved_ranges_and_a_story(browser, spot_page, folder):
    (folder / "ranges").mkdir(exist_ok=True)
    (folder / "ranges" / "calls.txt").write_text("JJ-99, AQs", encoding="utf-8")
    (folder / "six-max.toml").write_text(
        '[ranges]\n"BTN raise 2.5" = "22+"\n"BTN raise 2.5, BB call" = "@ranges/calls.txt"\n',
        encoding="utf-8",
    )
    open_spot(browser, spot_page)
    browser.find(".painter button", "Saved").click()
    browser.find(".saved-range", "calls").click()
    browser.wait(lambda _: Range(value(browser, "#range-oop")) == Range("JJ-99, AQs"))
    fill(browser, "#big_blind", "10")
    unit = browser.find(".chip-fields select")
    before = float(value(browser, "#stack"))
    unit.send_keys("big")
    browser.wait(lambda _: float(value(browser, "#stack")) == before / 10)
    browser.find(".segments button", "Pre-flop story").click()
    fill(browser, "#preflop", "BTN raise 2.5, BB call")
    browser.wait(lambda _: "JJ-99" in value(browser, "#range-oop"))
    assert browser.find(".chips-side", "Pot 55, 975 behind")
    browser.script("scrollTo(0, 0)")
    browser.find("button", "Discard").click()


@pytest.mark.slow
def test_nothing_that_a_file_says_is_lost(browser, folder):
    (folder / "calls.txt").write_text("JJ-99, AQs", encoding="utf-8")
    (folder / "story.toml").write_text(
        '[ranges]\n"BTN raise 2.5" = "22+"\n"BTN raise 2.5, BB call" = "@calls.txt"\n',
        encoding="utf-8",
    )
    (folder / "told.toml").write_text(
        'board = "QhJh2c4d7h"\npreflop = "BTN raise 2.5, BB call"\nranges = "story.toml"\n'
        "pot = 70\nrum = 3\n",
        encoding="utf-8",
    )
    browser.go(page_of(browser, "told.toml"))
    assert browser.find(".chips-side", "The file itself says: pot 70")
    browser.find(".error button", "Remove").click()
    browser.wait(lambda _: browser.find("button[title='Ctrl+S']").is_enabled())
    browser.find("#board").send_keys(Keys.CONTROL, "s")
    browser.wait(lambda _: not browser.all(".badge.warn"))
    saved = (folder / "told.toml").read_text(encoding="utf-8")
    assert "pot = 70" in saved
    assert 'preflop = "BTN raise 2.5, BB call"' in saved
    assert "rum" not in saved
    assert "oop" not in saved


@pytest.mark.slow
def test_the_editor_solves_what_it_shows(browser, spot_page):
    open_spot(browser, spot_page)
    browser.wait(lambda _: browser.find("#solve").is_enabled())
    browser.find("#solve").click()
    browser.wait(lambda driver: "/job/" in driver.current_url)


@pytest.mark.slow
@pytest.mark.parametrize("width", [390, 1400])
def test_nothing_is_wider_than_the_page(browser, spot_page, width):
    browser.size(width)
    open_spot(browser, spot_page)
    assert browser.script("return document.documentElement.scrollWidth") <= width
    browser.size(1400)
    assert browser.errors() == []


def test_a_new_spot_in_three_choices(browser, folder):
    browser.script("sessionStorage.clear()")
    browser.go("/spot/new")
    browser.find(".ready .segments button", "200").click()
    browser.find(".ready .segments button", "3-bet").click()
    browser.find(".ready .segments button", "BB").click()
    story = browser.find(".ready .quiet-text", "BB raise").text.split(":")[0]
    browser.find("#fill-in").click()
    told = {"board": "Qs7h2d", "preflop": story, "ranges": "200bb", "big_blind": 10}
    spot = Spot.from_fields(told)
    browser.wait(lambda _: value(browser, "#pot") == f"{spot.pot:g}")
    assert Range(value(browser, "#range-oop")) == spot.oop
    assert Range(value(browser, "#range-ip")) == spot.ip
    assert {float(each) for each in value(browser, "#stack").split(",")} == {spot.effective_stack}
    assert browser.find(".chip-fields select[aria-invalid=false]")
    assert browser.all(".chip-fields select")[-1].get_attribute("value") == "oop"
    browser.wait(lambda _: browser.find("#solve").is_enabled())
    fill(browser, "#line-text", "x")
    browser.find("#line-player").send_keys("IP")
    browser.find("#take-range").click()
    expected = load_postflop(folder / "river.safetensors").decision("x")
    arriving = arriving_range(expected, 1)
    browser.find(".ready [role=status]", f"{arriving.combos:.1f} combos")
    browser.wait(lambda _: Range(value(browser, "#range-oop")) == arriving)
    browser.find("button[title='Ctrl+Z']").click()
    browser.wait(lambda _: Range(value(browser, "#range-oop")) == spot.oop)
    assert browser.errors() == []
    browser.script("sessionStorage.clear()")

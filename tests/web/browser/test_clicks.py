"""Clicks for the most frequent tasks, each begun in the Library: the table of docs/web.md."""

import pytest
from tests.holdem.spots.solved_spots import SPOTS, solved
from tests.web.conftest import RIVER

from pokerlab.holdem.spots import solve_spot

COUNTER = """
    addEventListener("pointerdown", (event) => {
      if (event.isTrusted) sessionStorage.presses = Number(sessionStorage.presses ?? 0) + 1;
    }, true);
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("clicks")
    solved("turn").save(place / "turn.safetensors")
    locked = solve_spot(SPOTS["turn"], iterations=10, threads=1, locks={"x": {"x": "100%"}})
    locked.save(place / "locked.safetensors")
    (place / "river.toml").write_text(RIVER.to_toml(), encoding="utf-8")
    flop = 'board = "QhJh2c"\noop = "AA, KQs, JTs"\nip = "QQ, AJs"\npot = 100\nstack = 80\n'
    (place / "flop.toml").write_text(flop, encoding="utf-8")
    return place


class Counted:
    """A person who begins in the Library, and whose presses are counted by the pages."""

    def __init__(self, browser):
        self.browser = browser

    def begin(self):
        self.browser.go("/")
        self.browser.find(".library-file")
        self.browser.script("sessionStorage.clear()")

    @property
    def count(self):
        return self.browser.script("return Number(sessionStorage.presses ?? 0)")

    def click(self, selector, text=None, seconds=20):
        element = self.browser.find(selector, text, seconds)
        self.browser.script("arguments[0].scrollIntoView({block: 'center'})", element)
        element.click()

    def row(self, name, selector, text=None):
        self.click(f".library-file[data-name='{name}'] {selector}", text)

    def see(self, selector, text=None, seconds=20):
        return self.browser.find(selector, text, seconds)


@pytest.fixture
def person(browser):
    added = browser.driver.execute_cdp_cmd(
        "Page.addScriptToEvaluateOnNewDocument", {"source": COUNTER}
    )
    someone = Counted(browser)
    someone.begin()
    yield someone
    browser.script("sessionStorage.clear(); localStorage.clear()")
    browser.driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", added)


def test_study_a_line_and_another_card(person):
    person.row("turn.safetensors", ".button", "Study")
    for action in ("Check", "Bet 50", "Call"):
        person.click(".step.current .option", action)
    person.click(".step.coming button[aria-label='king of spades']")
    person.see('.study[data-line="x/b50/c/Ks"]')
    assert person.count <= 5
    person.click("button[aria-label='A lower card']")
    person.see('.study[data-line="x/b50/c/Qs"]')
    assert person.count <= 5 + 1


def test_train_a_hand(person):
    person.row("turn.safetensors", ".button", "Train")
    person.click("#start")
    person.see(".felt")
    assert person.count <= 2
    decisions = 0
    while not person.browser.all("#next"):
        before = person.see(".history-list").text
        person.click(".action-bar .act")
        decisions += 1
        person.browser.wait(lambda _, b=before: person.see(".history-list").text != b)
        person.browser.wait(lambda driver: person.browser.all("#next, .act:enabled"))
    person.click("#next")
    person.see(".page-head", "hand 2")
    assert person.count <= 2 + decisions + 1


def test_a_batch_of_a_spot(person):
    person.row("flop.toml", ".file-menu summary")
    person.row("flop.toml", ".file-menu button", "On many boards")
    assert person.see(".new-batch .plan b") and person.see(".new-batch button.primary:enabled")
    assert person.count + 1 <= 3  # the button begins it


def test_a_new_spot_of_a_usual_pot(person):
    person.click("a.button", "New spot")
    person.click("#fill-in:enabled")
    person.click("button", "Random flop")
    person.browser.wait(lambda _: person.see("#solve").is_enabled())
    assert person.count + 1 <= 4  # the button solves it


def test_what_a_hand_earns_the_next_cards_and_a_comparison(person):
    person.row("turn.safetensors", ".button", "Study")
    person.click(".study-left .cell[aria-label^='AA:']")
    person.see(".hand-card[data-hand=AA] table")
    assert person.count <= 2
    person.begin()
    person.row("turn.safetensors", ".button", "Study")
    person.click(".study-head a.button", "Next cards")
    person.see(".report .heat:enabled")
    assert person.count <= 2
    person.begin()
    for name in ("turn", "locked"):
        person.row(f"{name}.safetensors", ".check input")
    person.click("a.button.primary", "Compare")
    person.see(".compare")
    assert person.count <= 3


@pytest.mark.slow
def test_solve_a_listed_spot_and_open_it_then_lock_and_compare(person):
    person.row("river.toml", "button", "Solve")
    person.click("dialog button.primary", "Solve")
    person.click("a.button, button", "Study", 60)
    person.see(".study[data-values=here]")
    assert person.count <= 3
    person.begin()
    person.row("river.safetensors", ".button", "Study")
    person.click("#tab-lock")
    person.click(".study-left .cell[aria-label^='AA:']")  # the drag
    person.click("#solve-again")
    person.click("#lock-job a.button", "Compare", 60)
    person.see(".compare")
    assert person.count <= 4 + 1

"""Clicks for the ten most frequent tasks, each begun in the Library: the table of docs/web.md."""

import re
from pathlib import Path

import pytest
from tests.holdem.spots.solved_spots import SPOTS, solved
from tests.web.conftest import RIVER

from pokerlab.holdem.spots import solve_spot

TABLE = {
    cells[1].strip(): [int(number) for number in re.findall(r"\d+", cells[2])]
    for line in Path(__file__).parents[3].joinpath("docs/web.md").read_text("utf-8").splitlines()
    if (cells := line.split("|"))[0] == "" and len(cells) == 6 and re.search(r"\d", cells[2])
}
"""Each task of the table, and the numbers of its clicks."""
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
        def press(_):  # again if the page was drawn anew just then
            element = self.browser.find(selector, text, seconds)
            self.browser.script("arguments[0].scrollIntoView({block: 'center'})", element)
            element.click()
            return True

        self.browser.wait(press, seconds)

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
    assert [person.count] == TABLE["study check, bet, call and a turn card"]
    person.click("button[aria-label='A lower card']")
    person.see('.study[data-line="x/b50/c/Qs"]')
    assert [person.count - 5] == TABLE["the same line on another turn card"]


def test_train_a_hand(person):
    person.row("turn.safetensors", ".button", "Train")
    person.click("#start")
    person.see(".felt")
    first, each, following = TABLE["train a hand"]
    assert person.count == first
    decisions = 0
    while not person.browser.all("#next"):
        before = person.see(".history-list").text
        person.click(".action-bar .act")
        decisions += 1
        person.browser.wait(lambda _, b=before: person.see(".history-list").text != b)
        person.browser.wait(lambda driver: person.browser.all("#next, .act:enabled"))
    person.click("#next")
    person.see(".page-head", "hand 2")
    assert person.count == first + each * decisions + following


def test_a_batch_of_a_spot(person):
    person.row("flop.toml", ".file-menu summary")
    person.row("flop.toml", ".file-menu button", "On many boards")
    assert person.see(".new-batch .plan b") and person.see(".new-batch button.primary:enabled")
    assert [person.count + 1] == TABLE["solve a spot on many boards"]  # the button begins it


def test_a_new_spot_of_a_usual_pot(person):
    person.click("a.button", "New spot")
    person.click("#fill-in:enabled")
    person.click("button", "Random flop")
    person.browser.wait(lambda _: person.see("#solve").is_enabled())
    task = "solve a usual pot: ranges, stacks, sizes, random flop"
    assert [person.count + 1] == TABLE[task]  # the button solves it


def test_what_a_hand_earns_the_next_cards_and_a_comparison(person):
    person.row("turn.safetensors", ".button", "Study")
    person.click(".study-left .cell[aria-label^='AA:']")
    person.see(".hand-card[data-hand=AA] table")
    assert [person.count] == TABLE["what a hand earns, beats and blocks"]
    person.begin()
    person.row("turn.safetensors", ".button", "Study")
    person.click(".study-head a.button", "Next cards")
    person.see(".report .heat:enabled")
    assert [person.count] == TABLE["a line on all next cards"]
    person.begin()
    for name in ("turn", "locked"):
        person.row(f"{name}.safetensors", ".check input")
    person.click("a.button.primary", "Compare")
    person.see(".compare")
    assert [person.count] == TABLE["compare two solutions"]


def test_the_table_has_ten_tasks_and_none_takes_more_than_before():
    assert len(TABLE) == 10
    before = {
        "solve a listed spot and open it": 3,
        "study check, bet, call and a turn card": 5,
        "the same line on another turn card": 1,
        "lock a decision, solve, compare": 4,
        "train a hand": 2,
        "solve a spot on many boards": 3,
    }
    assert {task: TABLE[task][0] for task in before} == before  # the review of the pages


@pytest.mark.slow
def test_solve_a_listed_spot_and_open_it_then_lock_and_compare(person):
    person.row("river.toml", "button", "Solve")
    person.click("dialog button.primary", "Solve")
    person.click("a.button, button", "Study", 60)
    person.see(".study[data-values=here]")
    assert [person.count] == TABLE["solve a listed spot and open it"]
    person.begin()
    person.row("river.safetensors", ".button", "Study")
    person.click("#tab-lock")
    person.click(".study-left .cell[aria-label^='AA:']")  # the drag
    person.click("#solve-again")
    person.click("#lock-job a.button", "Compare", 60)
    person.see(".compare")
    assert [person.count - 1] == TABLE["lock a decision, solve, compare"]

"""A batch in a browser: a report over flops, and from the form to the study of a board."""

from urllib.parse import unquote

import pytest
from tests.web.conftest import RIVER
from tests.web.made_batch import make_batch
from tests.web.running_server import serve_here

from pokerlab.cards import TextureFilter
from pokerlab.cards.flops import parse_flops
from pokerlab.holdem.batches import (
    Batch,
    BatchQuestion,
    load_batch,
    plan_batch,
    report_boards,
    run_batch,
)
from pokerlab.holdem.batches.question import flop_boards
from pokerlab.holdem.spots import Spot
from pokerlab.views.pictures import action_slots
from pokerlab.web.files.library import Library

from .conftest import Browser

PAIRED = TextureFilter("A-high paired")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("batches")
    make_batch(place / "flops", "184")
    (place / "river.toml").write_text(RIVER.to_toml(), encoding="utf-8")
    return place


@pytest.fixture(scope="module")
def batch(browser):
    """The address of the batch."""
    browser.go("/")
    found = browser.script(
        "return fetch('/api/library').then((answer) => answer.json()).then((data) => "
        "data.files.find((each) => each.kind === 'batch').id)"
    )
    return f"/batch/{found}"


@pytest.fixture
def browser_of(one_browser):
    """A browser on a server over another folder."""
    running = []

    def start(folder):
        running.append(serve_here(folder))
        return Browser(one_browser, running[-1])

    yield start
    for server in running:
        server.stop()


def ready(browser):
    return browser.find('.batch[data-ready="true"]')


def test_flops_by_texture_as_bars_map_and_table(browser, batch):
    browser.go(batch)
    ready(browser)
    assert browser.find("#solved").text == "184 of 184 flops"
    assert len(browser.all(".bars-chart path")) >= 3
    browser.find(".batch-filters button", "Suits").click()
    assert browser.find('table[aria-label="Classes of boards"] tbody tr', "rainbow")
    assert "group=suits" in browser.driver.current_url
    assert [each.text for each in browser.all(".bar-groups span")] == [
        "rainbow",
        "two-tone",
        "monotone",
    ]
    means = [each.text for each in browser.all('table[aria-label="Boards"] tfoot td')]
    assert means[0] == "mean"
    assert means[2] == "100.0%"

    field = browser.find('input[name="flops"]')
    field.send_keys("A-high paired\n")
    fitting = [flop for flop in parse_flops("184") if PAIRED.matches(flop.texture)]
    browser.wait(lambda _: browser.find("#count").text == f"{len(fitting)} of 184 flops")
    browser.find(".batch-picture button", "Map").click()
    rects = browser.wait(lambda _: browser.all(".flop-map rect"))
    assert len(rects) == len(fitting)
    assert "view=map" in browser.driver.current_url
    browser.driver.back()
    browser.find(".bars-chart")
    assert browser.errors() == []


def test_a_group_lists_its_boards_and_is_practised(browser, batch, folder):
    browser.go(f"{batch}?group=suits,pairing")
    ready(browser)
    bars = browser.all('table[aria-label="Classes of boards"] tbody .play-bar')
    report = report_boards(load_batch(folder / "flops"))
    groups = {group.name: group for group in report.groups("pairing,suits")}
    assert len(bars) == len(groups)
    browser.find('table[aria-label="Classes of boards"] button', "monotone unpaired").click()
    group = groups["unpaired monotone"]
    browser.find("#picked", f"{group.count} flops")
    assert len(browser.all('table[aria-label="Boards"] tbody .board-link')) == group.count
    mean = [each.text for each in browser.all('table[aria-label="Boards"] tfoot td')]
    assert f"{100 * group.frequencies[1]:.1f}%" in mean
    assert browser.find("#practise").get_attribute("href").endswith(batch.replace("batch", "train"))
    browser.find("#picked a", "Practise this group").click()
    browser.find(".train-setup", f"{group.count} of 184 boards: monotone unpaired")
    # Boards that a condition leaves are named one by one.
    browser.go(f"{batch}?where=x > 65%")
    ready(browser)
    few = list(report.where("x > 65%").names)
    href = unquote(browser.find("#practise").get_attribute("href"))
    assert href.partition("~")[2].split() == few and 0 < len(few) < 184
    assert browser.errors() == []


@pytest.mark.slow
def test_a_filter_that_is_wrong_is_marked_and_the_report_stays(browser, batch):
    browser.go(f"{batch}?where=b99 > 1")
    browser.find(".error", "'b99' is not a column")
    assert browser.find('input[name="where"]').get_attribute("aria-invalid") == "true"
    browser.errors()  # the answer 400 is in the console


@pytest.mark.slow
def test_keys_and_a_telephone(browser, batch):
    browser.size(390)
    browser.go(batch)
    ready(browser)
    assert browser.script("return document.documentElement.scrollWidth") <= 390
    browser.press("m")
    browser.find(".flop-map")
    browser.press("b")
    browser.find(".bars-chart")
    browser.press("/")
    assert browser.script("return document.activeElement.name") == "flops"
    browser.size(1400)


@pytest.mark.slow
def test_the_pages_choose_colours_as_the_terminal_does(browser):
    browser.go("/")
    lists = [
        ["x", "b33", "b75", "a"],
        ["f", "c", "r60", "a"],
        ["x", "b1", "b2", "b3", "b4", "b5", "b6"],
        ["f", "c", "r1", "r2", "r3", "r4", "r5", "a"],
        ["x"],
        ["c", "f"],
    ]
    found = browser.driver.execute_async_script(
        "const [lists, done] = arguments;"
        "import('/static/parts/colours.js').then((part) => done(lists.map(part.actionColours)))",
        lists,
    )
    assert found == [action_slots(actions) for actions in lists]
    shown = browser.script(
        "return getComputedStyle(document.documentElement).getPropertyValue('--action-fold')"
    )
    assert shown.startswith("#")


@pytest.mark.slow
def test_a_batch_from_the_form_to_the_study_of_a_board(browser):
    browser.go("/batch/new")
    browser.find('[data-kind="boards"][aria-checked="true"]')  # its hands name suits: no red line
    browser.find(".new-batch p", "name the boards one by one")
    assert browser.all(".new-batch .error") == []
    browser.find('textarea[name="list"]').send_keys("QhJh2c4d7h, QhJh2c4d3s:2")
    browser.find(".plan b", "2 boards")
    assert browser.find('input[name="name"]').get_attribute("value").endswith(" boards")
    target = browser.find('input[name="target"]')
    target.clear()
    target.send_keys("2%")
    browser.find("#begin").click()
    browser.find("#solved", "2 of 2 rivers", seconds=60)
    ready(browser)
    browser.find('table[aria-label="Boards"] tbody .board-link', "Q").click()
    browser.wait(lambda driver: "/solution/" in driver.current_url)
    assert browser.find("[role=grid] .cell")
    # More boards, while the batch is solved or after it: its page answers all the time.
    browser.driver.back()
    browser.find("#add-boards").click()
    browser.find("dialog textarea").send_keys("QhJh2c4d3s")
    browser.find("dialog #add").click()
    browser.find("dialog [role=alert]", "in the batch already")
    browser.find("dialog textarea").send_keys(" QhJh2c4dTs\n8s8h2c4d5c")
    browser.find("dialog #add").click()
    browser.find("#solved", "4 of 4 rivers", seconds=60)
    browser.find(".batch-filters button", "River card").click()
    browser.find('table[aria-label="Classes of boards"] tbody tr', "straight-river")
    # The form asks while a person types, and what is half typed is answered with 400.
    assert [each for each in browser.errors() if "/api/batches/check" not in each] == []


def test_a_board_that_is_typed_opens_in_study(browser_of, tmp_path):
    """In Study, with the line, and what stands for it; and from the search of the Library."""
    spot = Spot("Kh7d2c", "AA, 77, A5s", "QQ, KJs", pot=10, stack=10, bet="50%", raise_="")
    question = BatchQuestion.of(
        spot, flop_boards("Ks7h2d, QsQh2d"), up_to_suits=True, iterations=6, keep="root"
    )
    run_batch(question, tmp_path / "flops", plan_batch(question, workers=1, threads=1))
    browser = browser_of(tmp_path)
    id_ = Library(tmp_path).id_of(tmp_path / "flops")
    browser.go(f"/solution/{id_}-QsQh2d?line=x/b5&show=ev")
    browser.find("#choose-board")
    browser.press("b")
    field = browser.find("dialog input")
    field.send_keys("Kh 7d 2c")
    browser.find("dialog .offer .button", "K♥7♦2♣ in flops")
    field.send_keys("\n")
    browser.find('.study[data-line="x/b5"] h1', "flops/Ks7h2d")
    browser.find(".stands-for", "This is K♠7♥2♦, which stands for K♥7♦2♣: hearts are spades here")
    for part in (f"{id_}-Ks7h2d", "line=x/b5", "show=ev", "as=Kh7d2c"):
        assert part in browser.driver.current_url
    assert browser.errors() == []

    browser.go("/")
    browser.find("input[type=search]").send_keys("7d2cKh")
    browser.find(".solved-boards a", "K♥7♦2♣ in flops").click()
    browser.find(".stands-for", "K♥7♦2♣")
    browser.press("b")
    browser.find("dialog input").send_keys("AsKd2c")
    browser.find("dialog [role=status]", "No batch of this spot has solved")
    browser.size(390)
    assert browser.script("return document.documentElement.scrollWidth") <= 390
    assert browser.errors() == []


@pytest.mark.slow
def test_boards_are_added_while_the_batch_is_solved(browser_of, tmp_path):
    boards = dict.fromkeys(("QhJh2c4d7h", "QhJh2c4d3s", "QhJh2c4dTs"), 1.0)
    question = BatchQuestion.of(RIVER, boards, target=None, seconds=2)
    Batch.begin(tmp_path / "slow", question)
    browser = browser_of(tmp_path)
    browser.go(f"/batch/{Library(tmp_path).id_of(tmp_path / 'slow')}")
    browser.find("#go-on").click()
    browser.find("#solved", "1 of 3 rivers", seconds=60)
    browser.find("#add-boards").click()
    browser.find("dialog", "after those that wait")
    browser.find("dialog textarea").send_keys("QhJh2c4d")
    browser.find("dialog #add").click()  # a board of another street may come, but this one twice
    browser.find("#solved", "of 4 boards", seconds=20)
    browser.find("#add-boards").click()
    browser.find("dialog textarea").send_keys("QhJh2c4d2s, QhJh2c4d4d")
    browser.find("dialog #add").click()
    browser.find("dialog .error", "twice")
    browser.find("dialog button", "Cancel").click()
    browser.find(".batch-progress", "of 4")
    browser.find("#solved", "4 of 4 boards", seconds=60)
    browser.wait(lambda _: not browser.all(".batch-progress"))
    ready(browser)
    assert len(browser.all('table[aria-label="Boards"] tbody tr')) == 4
    assert [each for each in browser.errors() if "go-on" not in each] == []

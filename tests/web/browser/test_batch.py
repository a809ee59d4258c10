"""A batch in a browser: a report over flops, and from the form to the study of a board."""

import pytest
from tests.web.conftest import RIVER
from tests.web.made_batch import make_batch

from pokerlab.cards import TextureFilter
from pokerlab.cards.flops import parse_flops
from pokerlab.views.pictures import action_slots

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


def ready(browser):
    return browser.find('.batch[data-ready="true"]')


def test_flops_by_texture_as_bars_map_and_table(browser, batch):
    browser.go(batch)
    ready(browser)
    assert browser.find("#solved").text == "184 of 184 flops"
    assert len(browser.all(".bars-chart path")) >= 3
    browser.find(".batch-filters button", "Suits").click()
    assert browser.find('table[aria-label="Classes of flops"] tbody tr', "rainbow")
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
    browser.find('[data-kind="boards"]').click()
    browser.find('textarea[name="list"]').send_keys("QhJh2c4d7h, QhJh2c4d3s:2")
    browser.find(".plan b", "2 boards")
    assert browser.find('input[name="name"]').get_attribute("value").endswith(" boards")
    target = browser.find('input[name="target"]')
    target.clear()
    target.send_keys("2%")
    browser.find("#begin").click()
    browser.find("#solved", "2 of 2 boards", seconds=60)
    ready(browser)
    browser.find('table[aria-label="Boards"] tbody .board-link', "Q").click()
    browser.wait(lambda driver: "/solution/" in driver.current_url)
    assert browser.find("[role=grid] .cell")
    # The form asks while a person types, and what is half typed is answered with 400.
    assert [each for each in browser.errors() if "/api/batches/check" not in each] == []

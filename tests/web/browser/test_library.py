"""The Library in a browser."""

import shutil

import pytest

from pokerlab.holdem.spots import Spot

from ..conftest import RIVER


def open_library(browser):
    browser.go("/")
    return browser.find(".library-file")


def menu(browser, name, action):
    row = f".library-file[data-name='{name}']"
    browser.find(f"{row} summary").click()
    browser.find(f"{row} .file-menu button", action).click()


def test_the_library_shows_the_folder_and_names_the_damaged_file(browser):
    open_library(browser)
    assert browser.find(".library-file", "river.toml")
    damaged = browser.find(".library-file[data-name='damaged.safetensors']")
    assert "damaged" in damaged.find_element("css selector", ".error").text
    assert damaged.find_elements("css selector", "a") == []
    assert "token" not in browser.driver.current_url
    browser.find("#order").send_keys("By name")
    names = lambda: [each.get_attribute("data-name") for each in browser.all(".library-file")]  # noqa: E731
    browser.wait(lambda _: names() == sorted(names()))
    browser.find("#order").send_keys("Newest first")
    browser.find(".segments button", "Ranges").click()
    assert browser.find(".nothing", "No range is here yet")
    assert browser.find("#new-batch")
    browser.find("nav a", "Batch").click()
    browser.wait(lambda driver: driver.current_url.endswith("/batch/new"))
    assert browser.find("nav a[aria-current]", "Batch") and browser.find(".new-batch")
    browser.go("/solution/nothing")
    assert browser.find("main a", "To the Library")
    assert all("404" in error for error in browser.errors())


@pytest.mark.slow
def test_search_and_keys(browser):
    open_library(browser)
    browser.press("/")
    browser.press("toml")
    browser.wait(lambda _: len(browser.all(".library-file")) == 1)
    browser.find("input[type=search]").clear()
    open_library(browser)
    browser.press("?")
    assert "search" in browser.find("dialog[open]").text
    browser.press("\ue00c")  # Escape
    browser.wait(lambda _: not browser.all("dialog[open]"))


@pytest.mark.slow
def test_folders_are_a_tree_that_can_be_closed(browser, server):
    deep = server.folder / "study" / "turns"
    deep.mkdir(parents=True)
    for place in (deep, deep.parent):
        (place / "one.toml").write_text(RIVER.to_toml(), encoding="utf-8")
    open_library(browser)
    shown = lambda: {each.get_attribute("data-name") for each in browser.all(".library-file")}  # noqa: E731
    below = {"study/one.toml", "study/turns/one.toml"}
    browser.wait(lambda _: below < shown())
    inner = browser.find("[data-folder='study/'] [data-folder='study/turns/']")
    assert inner.find_element("css selector", ".library-file .name a").text == "one.toml"
    browser.find("[data-folder='study/turns/'] button").click()
    browser.wait(lambda _: below & shown() == {"study/one.toml"})
    browser.find("[data-folder='study/'] button").click()
    browser.wait(lambda _: not below & shown())
    open_library(browser)  # they stay closed, and a search looks into them
    outer = browser.find("[data-folder='study/'] button", "2")
    assert not below & shown() and outer.get_attribute("aria-expanded") == "false"
    browser.find("input[type=search]").send_keys("turns/one")
    browser.wait(lambda _: shown() == {"study/turns/one.toml"})
    assert browser.find(".library-file .name a").text == "study/turns/one.toml"
    browser.find(".library-file .name a").click()
    browser.find("#board")
    browser.driver.back()  # the list is as it was
    browser.wait(lambda _: shown() == {"study/turns/one.toml"})
    menu(browser, "study/turns/one.toml", "Move")
    field = browser.find("dialog input")
    assert field.get_attribute("value") == "study/turns"
    assert {each.get_attribute("value") for each in browser.all("dialog option")} == {
        *("study", "study/turns"),
    }
    field.clear()
    field.send_keys("../out\n")
    assert "is not a name of a folder" in browser.find("dialog .error").text
    field.clear()
    field.send_keys("study/rivers\n")
    browser.go("/")
    browser.find("#fold", "Close folders").click()
    browser.find("#fold", "Open folders").click()
    browser.wait(lambda _: {"study/one.toml", "study/rivers/one.toml"} < shown())
    assert all("400" in error for error in browser.errors())
    browser.script("localStorage.clear()")
    shutil.rmtree(deep.parent)


@pytest.mark.slow
def test_the_time_that_is_left_reads_well(browser):
    job = '{id: "1", kind: "solve", status: "running", phase: "iterating", ended: false, '
    jobs = f'[{job}name: "a", left: null, left_text: "estimating…"}}, {job}name: "b", left: 0.2, '
    source = f"""
        const plain = window.fetch;
        const jobs = {jobs}left_text: "under a second"}}];
        window.fetch = (url, options) => String(url).endsWith("/api/jobs")
          ? Promise.resolve(new Response(JSON.stringify({{jobs}}))) : plain(url, options);
    """
    added = browser.driver.execute_cdp_cmd(
        "Page.addScriptToEvaluateOnNewDocument", {"source": source}
    )
    try:
        open_library(browser)
        assert browser.find(".library-job", "estimating…").text.endswith("estimating…")
        assert browser.find(".library-job", "under a second left")
    finally:
        browser.driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", added)


@pytest.mark.slow
def test_rename_duplicate_and_delete_ask_first(browser, server):
    spot = server.folder / "mine.toml"
    spot.write_text(RIVER.to_toml(), encoding="utf-8")
    open_library(browser)
    menu(browser, "mine.toml", "Rename")
    field = browser.find("dialog input")
    field.clear()
    field.send_keys("../secret\n")
    assert "is not a name" in browser.find("dialog .error").text
    field.clear()
    field.send_keys("yours\n")
    browser.find(".library-file[data-name='yours.toml']")
    menu(browser, "yours.toml", "Duplicate")
    browser.find(".library-file[data-name='yours-2.toml']")
    for name in ("yours-2.toml", "yours.toml"):
        menu(browser, name, "Delete")
        browser.find("dialog button.danger", "Delete").click()
        browser.wait(lambda _, name=name: not (server.folder / name).exists())
    browser.wait(lambda _: "yours" not in browser.find(".library-list").text)


@pytest.mark.slow
def test_files_are_added_and_what_is_not_ours_is_named(browser, server, tmp_path):
    good, bad = tmp_path / "added.toml", tmp_path / "bad.toml"
    good.write_text(RIVER.to_toml(), encoding="utf-8")
    bad.write_text("nonsense", encoding="utf-8")
    open_library(browser)
    browser.find("input[type=file]").send_keys(f"{good}\n{bad}")
    browser.find(".library-file[data-name='added.toml']")
    assert "bad.toml" in browser.find("[role=status].error").text
    assert Spot.from_file(server.folder / "added.toml") == RIVER
    assert not (server.folder / "bad.toml").exists()
    (server.folder / "added.toml").unlink()


@pytest.mark.slow
def test_a_file_is_dropped_on_the_page(browser, server):
    open_library(browser)
    drop = """
        const held = new DataTransfer();
        held.items.add(new File([arguments[0]], "dropped.toml"));
        const options = {dataTransfer: held, bubbles: true, cancelable: true};
        for (const kind of ["dragover", "drop"])
          document.body.dispatchEvent(new DragEvent(kind, options));
    """
    browser.script(drop, RIVER.to_toml())
    browser.find(".library-file[data-name='dropped.toml']")
    assert Spot.from_file(server.folder / "dropped.toml") == RIVER
    (server.folder / "dropped.toml").unlink()


@pytest.mark.slow
def test_themes_and_palettes_are_kept(browser):
    open_library(browser)
    browser.dark(False)

    def background():
        return browser.script("return getComputedStyle(document.body).backgroundColor")

    light = background()
    browser.dark(True)
    browser.wait(lambda _: background() != light)
    browser.find("#theme-switch").click()  # from the system's to light
    browser.wait(lambda _: background() == light)
    browser.find("#palette-switch").click()
    open_library(browser)
    assert background() == light
    assert browser.script("return document.documentElement.dataset.palette") == "safe"
    browser.find("#palette-switch").click()
    for _ in range(2):
        browser.find("#theme-switch").click()
    browser.dark(False)
    browser.script("localStorage.clear()")


@pytest.mark.slow
def test_a_spot_without_a_board_is_finished_in_the_editor(browser, server):
    spot = server.folder / "flops.toml"
    spot.write_text('oop = "AA"\nip = "KK"\npot = 10\nstack = 90\n', encoding="utf-8")
    open_library(browser)
    browser.errors()
    row = browser.find(".library-file[data-name='flops.toml']")
    assert "without board" in row.text
    assert row.find_elements("css selector", ".error") == []
    row.find_element("css selector", ".name a").click()
    assert browser.find("#board-error").text.startswith("missing")
    browser.find("#board").send_keys("QhJh2c4d7h")
    browser.wait(lambda _: browser.find("#solve").is_enabled())
    spot.unlink()
    assert browser.errors() == []


@pytest.mark.slow
def test_the_menu_of_the_last_file_can_be_reached(browser):
    open_library(browser)
    rows = browser.all(".library-file")
    rows[-1].find_element("css selector", "summary").click()
    delete = browser.find(".file-menu[open] button", "Delete")
    on_top = """
        const box = arguments[0].getBoundingClientRect();
        return document.elementFromPoint(box.x + 5, box.y + 5) === arguments[0];
    """
    assert browser.script(on_top, delete)


@pytest.mark.slow
def test_nothing_is_wider_than_a_telephone(browser):
    browser.size(390)
    open_library(browser)
    assert browser.script("return document.documentElement.scrollWidth") <= 390
    browser.size(1400)


@pytest.mark.slow
def test_a_page_that_is_none(browser):
    browser.go("/no/such/page")
    assert browser.find("h1").text == "There is no such page"

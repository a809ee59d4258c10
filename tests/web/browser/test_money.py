"""Prizes and units in a browser; push or fold; simple strategies; bet sizes."""

import csv
import io
import re
import shutil
from dataclasses import replace

import pytest
from tests.holdem.spots.solved_spots import solved
from tests.web.conftest import RIVER
from tests.web.made_batch import make_batch
from tests.web.test_contrast import colours, contrast

from pokerlab.cards.codes import combo_index, parse_cards
from pokerlab.cards.hand_classes import CLASS_NAMES, CLASS_OF_COMBO
from pokerlab.games.prizes import icm
from pokerlab.holdem.pushfold import PushFoldRules, solve_push_fold_table
from pokerlab.holdem.spots import Spot, load_postflop, solve_spot
from pokerlab.holdem.spots.reports.breakdown import breakdown
from pokerlab.holdem.spots.reports.export import hand_rows, range_totals
from pokerlab.holdem.spots.simple.origins import losses_between
from pokerlab.web.files.library import Library
from pokerlab.web.jobs import queue as jobs_module
from pokerlab.web.jobs.task_process import do_task

BUBBLE = replace(
    RIVER, big_blind=10, has_big_blind=True, payouts=(50, 30, 20), others=(300,), stack=(260, 400)
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory, river_file):
    place = tmp_path_factory.mktemp("money")
    (place / "bubble.toml").write_text(BUBBLE.to_toml(), encoding="utf-8")
    (place / "river.toml").write_text(RIVER.to_toml(), encoding="utf-8")
    shutil.copy(river_file, place / "river.safetensors")
    solve_spot(BUBBLE, iterations=60, threads=1).save(place / "bubble.safetensors")
    blinds = replace(RIVER, big_blind=10, has_big_blind=True)
    solve_spot(blinds, iterations=60, threads=1).save(place / "blinds.safetensors")
    make_batch(place / "batch", "AK7r, 652m")
    return place


@pytest.fixture(scope="module")
def at(folder):
    library = Library(folder)
    names = ["batch", "blinds.safetensors"]
    names += [f"{name}.{end}" for name in ("bubble", "river") for end in ("toml", "safetensors")]
    return {name: library.id_of(folder / name) for name in names}


@pytest.fixture(autouse=True)
def here(browser, monkeypatch):
    """Tasks in the thread of the queue, in this warm process; and the unit that nobody chose."""
    monkeypatch.setattr(jobs_module.Jobs, "_start", lambda self, job: do_task(job.path))
    monkeypatch.setattr(jobs_module, "_holds_memory", lambda state: state["status"] == "running")
    yield
    browser.script("localStorage.clear(); sessionStorage.clear()")


def choose(browser, unit):
    """Choose a unit by the switch in the head of every page."""
    browser.script(
        "const box = document.getElementById('unit-switch'); box.value = arguments[0];"
        "box.dispatchEvent(new Event('change', {bubbles: true}))",
        unit,
    )


def cell(browser, table, column, row=0):
    """The number in a column of a table, found by the beginning of its title."""
    found = browser.script(
        "const table = document.querySelector(`table[aria-label='${arguments[0]}']`);"
        "const place = [...table.tHead.rows[0].cells].findIndex("
        "  (each) => each.textContent.trim().startsWith(arguments[1]));"
        "return table.tBodies[0].rows[arguments[2]].cells[place].textContent",
        table,
        column,
        row,
    )
    return float(re.search(r"[−-]?[\d.,]+", found)[0].replace("−", "-").replace(",", ""))


def fill(browser, selector, text):
    field = browser.find(selector)
    browser.script(
        "arguments[0].value = arguments[1];"
        "arguments[0].dispatchEvent(new Event('input', {bubbles: true}));"
        "arguments[0].dispatchEvent(new Event('change', {bubbles: true}))",
        field,
        text,
    )


def fits_a_phone(browser):
    browser.size(375, 800)
    wide = "return document.documentElement.scrollWidth - document.documentElement.clientWidth"
    browser.wait(lambda _: browser.script(wide) <= 0, 3)
    browser.size(1400)


def csv_of(browser):
    """The table that the button gives: rows by hand."""
    text = browser.script(
        "return fetch(document.querySelector('.hands-tab a[download]').href)"
        ".then((answer) => answer.text())"
    )
    return {row["hand"]: row for row in csv.DictReader(io.StringIO(text))}


def test_study_shows_and_exports_the_unit_that_was_chosen(browser, at, folder):
    solution = load_postflop(folder / "bubble.safetensors")
    view = solution.at("x/b51")
    factors = {"chips": 1, "bb": 1 / 10, "pot": 100 / view.pot, "prizes": 100 / BUBBLE.prizes.chips}
    evs = {row.name: row.ev for row in hand_rows(view, view.player)}
    browser.go(f"/solution/{at['bubble.safetensors']}?line=x/b51")
    browser.find(".study[data-values=here]")
    for unit, factor in factors.items():
        choose(browser, unit)
        for seat in range(2):
            expected = factor * range_totals(view, seat).ev
            assert cell(browser, "Both ranges", "EV", seat) == pytest.approx(expected, abs=0.051)
        name = browser.find("table[aria-label=Hands] tbody tr .hand").text
        hand = name.translate(str.maketrans("♠♥♦♣", "shdc"))
        assert cell(browser, "Hands", "EV") == pytest.approx(factor * evs[hand], abs=0.051)
        column = "ev" if unit == "chips" else f"ev_{unit}"
        for each, row in csv_of(browser).items():
            assert float(row[column]) == pytest.approx(factor * evs[each])
    foot = browser.find(".study-foot").text
    shares = [f"{100 * share:.2f}%" for share in solution.prize_shares]
    assert f"of the prizes OOP {shares[0]}, IP {shares[1]}" in foot
    # At the beginning, what is there without the pot and the EV make the share of the prizes.
    first = solution.at("")
    for seat, share in enumerate(solution.prize_shares):
        taken = range_totals(first, seat).ev / BUBBLE.prizes.chips
        assert BUBBLE.prizes.share(seat, 0.0) + taken == pytest.approx(share, abs=1e-6)
    choose(browser, "bb")
    mbb = float(re.search(r"([\d.]+) mbb", browser.find(".study-foot").text)[1])
    assert mbb == pytest.approx(solution.exploitability.mbb, rel=0.01)
    assert "pot 10.1 bb" in browser.find(".step.deal").text
    assert "Bet 5.1 bb" in browser.find(".steps").text
    fits_a_phone(browser)
    assert browser.errors() == []


@pytest.mark.slow
def test_the_other_pages_obey_the_unit(browser, at, folder):
    solution = load_postflop(folder / "blinds.safetensors")
    browser.go(f"/compare/{at['blinds.safetensors']}/{at['blinds.safetensors']}?line=x")
    browser.find(".three")
    choose(browser, "bb")
    ev = range_totals(solution.at("x"), 1).ev
    assert cell(browser, "The whole range", "EV, bb") == pytest.approx(ev / 10, abs=0.006)
    assert f"{solution.exploitability.mbb:.3g} mbb" in browser.find(".three h2").text
    browser.go("/")  # it is kept
    entry = browser.find(".library-file[data-name='bubble.safetensors']")
    assert "pot 10.1 bb · stack 26 bb" in entry.text and "mbb" in entry.text
    other = browser.find(".library-file[data-name='river.safetensors']")
    assert "pot 101 · stack 260" in other.text and "%" in other.text
    browser.go(f"/solution/{at['river.safetensors']}")
    assert "Big blinds: not known here, so chips" in browser.find(".study-foot").text
    browser.go(f"/train/{at['blinds.safetensors']}?seed=5")
    browser.find("#start").click()
    assert browser.find(".felt .pot b").text.endswith(" bb")
    browser.find(".action-bar .act").click()
    judged = browser.find(".judged")
    values = [
        float(each.text.split()[0])
        for each in judged.find_elements("css selector", "td:nth-child(3)")
    ]
    assert "EV, bb" in judged.text and max(map(abs, values)) < 40
    browser.find("#mean-loss")
    assert "big blinds, luck included" in browser.find(".train-score").text
    choose(browser, "pot")
    browser.go(f"/batch/{at['batch']}")
    browser.find('.batch[data-ready="true"]')
    assert cell(browser, "Boards", "OOP EV") == pytest.approx(40 + 20 * bet_of(browser), abs=0.3)
    assert "EVs in percent of the pot" in browser.find(".batch-line").text
    address = browser.find("#csv").get_attribute("href")
    assert address.endswith("unit=pot")
    assert browser.errors() == []


def bet_of(browser):
    """How often the first board of the made-up batch bets."""
    return 1 - cell(browser, "Boards", "check") / 100


@pytest.mark.slow
def test_reports_obey_the_unit(browser, folder):
    solved("turn").save(folder / "turn.safetensors")
    id_ = Library(folder).id_of(folder / "turn.safetensors")
    browser.go(f"/solution/{id_}/report?line=x/x")
    browser.find(".report[data-done=true]")
    pot = float(browser.find(".page-head").text.rsplit("pot ", 1)[1].split()[0])
    chips = cell(browser, "Cards", "EV OOP")
    choose(browser, "pot")
    assert cell(browser, "Cards", "EV OOP, % pot") == pytest.approx(100 * chips / pot, abs=0.06)
    (folder / "turn.safetensors").unlink()


def test_units_that_mean_nothing_give_way_to_chips(browser):
    made = browser.driver.execute_async_script(
        "const done = arguments[0];"
        "import('/static/parts/units.js').then(({ makeUnits: make }) => {"
        "const bb = make('bb', { pot: 30, big_blind: 2 });"
        "done([make('bb', { pot: 30 }).text(15), make('prizes', { pot: 30 }).text(15),"
        " bb.text(-15), bb.words('raise to 1,350'), bb.gap(0.5), make('pot', { pot: 30 }).text(15),"
        " make('prizes', { pot: 3, prizes: { chips: 600 } }).signed(-15), make('bb').text(null),"
        " make('pot', { pot: 30 }).of(60).text(15), make('pot', { pot: 0 }).text(1),"
        " bb.text(-0.001)])})"
    )
    assert made == ["15.00", "15.00", "-7.50 bb", "raise to 675 bb", "250 mbb", "50.0%", "−2.50",
                    "–", "25.0%", "1.00", "0.00 bb"]  # fmt: skip


def test_prizes_are_typed_weighed_and_solved(browser, at, folder):
    browser.go(f"/spot/{at['river.toml']}")
    browser.find(".cost .big")
    browser.find(".prizes summary").click()
    fill(browser, "#payouts", "50, 30, 20")
    assert browser.find("#payouts-error", "3 prizes for 2 players")
    assert "the payouts" in browser.find(".cost").text and not browser.find("#solve").is_enabled()
    fill(browser, "#others", "300")
    fill(browser, "#stack", "260, 400")
    browser.wait(lambda _: len(browser.all("#worths tbody tr")) == 3)
    worth = icm([310.5, 450.5, 300], [50, 30, 20]).equities
    for row, share in enumerate(worth):
        assert cell(browser, "What stacks are worth", "Worth", row) == pytest.approx(
            100 * share, abs=0.006
        )
    fits_a_phone(browser)
    browser.wait(lambda _: browser.find("button[title='Ctrl+S']").is_enabled())
    browser.find("button[title='Ctrl+S']").click()
    browser.wait(lambda _: not browser.all(".badge.warn"))
    assert Spot.from_file(folder / "river.toml").payouts == (50, 30, 20)
    assert all("400" in error for error in browser.errors())


def test_few_bet_sizes_are_found_and_put_into_the_form(browser, at):
    browser.go(f"/spot/{at['bubble.toml']}")
    browser.find(".sizes-question summary").click()
    fill(browser, "[name=sizes-candidates]", "33%, 100%")
    fill(browser, "[name=sizes-target]", "1%")
    fill(browser, "[name=sizes-most]", "1")
    browser.find(".prizes summary", "100 in all")  # sizes are chosen for prizes too
    browser.wait(lambda _: browser.find("#ask-sizes").is_enabled())
    browser.find("#ask-sizes").click()
    found = browser.find(".sizes-found", "of the pot").text
    menus = re.findall(r"(33%|100%)\s+for (OOP|IP) loses (-?[\d.]+)% of the pot", found)
    assert [name for _, name, _ in menus] == ["OOP", "IP"]
    browser.find("#use-sizes").click()
    for menu, name, _ in menus:
        field = f'[data-menu="bet.river.{name.lower()}"]'
        browser.wait(lambda _, f=field, m=menu: browser.find(f).get_attribute("value") == m)
    fits_a_phone(browser)
    assert all("400" in error for error in browser.errors())


def test_a_simple_strategy_is_priced_saved_and_compared(browser, at, folder):
    browser.go(f"/solution/{at['river.safetensors']}?tab=simple")
    fill(browser, "[name=step]", "100%")
    fill(browser, "[name=loss]", "much")
    browser.find("#simplify").click()
    assert browser.find(".simple .error", "'much' is not 0.5%")
    fill(browser, "[name=loss]", "2%")
    browser.find("#simplify").click()
    browser.find("#simple-count")
    assert cell(browser, "What it loses", "Of the pot", 2) <= 2
    assert browser.find("table[aria-label^='What the opponent']")
    fits_a_phone(browser)
    browser.driver.refresh()  # the task is in the address
    browser.script("arguments[0].click()", browser.find("#keep-simple"))
    browser.find("dialog input").send_keys("\ue009a")
    browser.press("few", "\ue007")
    browser.script("arguments[0].click()", browser.find(".simple-found a", "Compare"))
    browser.find(".three")
    assert (folder / "few.safetensors").is_file()
    browser.script("arguments[0].click()", browser.find("details summary", "Where B loses"))
    browser.script("arguments[0].click()", browser.find("#find-losses"))
    assert browser.find(".losses table[aria-label='Given to the best response'] tbody tr")
    gives = re.findall(r"gives ([\d.]+) chips", browser.find(".losses").text)
    simple = load_postflop(folder / "few.safetensors")
    parts = losses_between(load_postflop(folder / "river.safetensors"), simple)
    for number, part in zip(gives, parts, strict=True):
        assert float(number) == pytest.approx(part.total, rel=0.01)
    # Rules in words for one decision, as a sheet.
    browser.go(f"/solution/{at['river.safetensors']}?line=x&tab=simple")
    browser.find(".simple .segments button", "Rules").click()
    browser.find("#simplify").click()
    assert browser.find(".rule-sheet li") and "Loses" in browser.find(".rule-sheet").text
    browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    assert browser.find(".rule-sheet").is_displayed() and not browser.find(".top").is_displayed()
    browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
    assert all("400" in error for error in browser.errors())


def test_push_or_fold_is_solved_and_opened_from_a_link(browser):
    browser.go("/pushfold?stacks=10,8&payouts=50,30&bounties=10&progressive=yes")
    browser.find("#positions", "SB 10 · BB 8")
    fill(browser, "[name=stacks]", "10")
    assert browser.find(".error", "push or fold is for 2 to 6 players")
    fill(browser, "[name=stacks]", "10, 8")
    browser.wait(lambda _: browser.find(".pushfold-form button").is_enabled())
    browser.find(".pushfold-form button").click()
    rows = lambda: browser.all("table[aria-label=Decisions] tbody tr")  # noqa: E731
    browser.wait(lambda _: len(rows()) == 2)
    rules = PushFoldRules((10, 8), (50, 30), bounties=(10,), progressive=True)
    direct = solve_push_fold_table(rules, target=1e-3)
    for row in range(2):
        share = 100 * direct.share(row)
        assert cell(browser, "Decisions", "Hands", row) == pytest.approx(share, abs=0.06)
        assert cell(browser, "Players", "With the hand", row) == pytest.approx(
            direct.values[row], abs=0.006
        )
    assert "push 100.0%" in browser.find(".cell[aria-label^='AA:']").get_attribute("aria-label")
    browser.press("]")
    assert browser.find(".pushfold-found h2", "BB after SB is all-in")
    address = browser.driver.current_url
    assert "stacks=10" in address and "chart=BB-SB" in address and "progressive=yes" in address
    assert browser.find("[name=progressive]").is_selected()
    assert "--bounties 10 --progressive" in browser.find(".pushfold .copyable").text
    jobs = "return fetch('/api/jobs').then((answer) => answer.json())"
    task = next(each for each in browser.script(jobs)["jobs"] if each["kind"] == "pushfold")
    browser.go(f"/job/{task['id']}")  # leads to the page of the task, and that to its table
    browser.wait(
        lambda driver: "stacks=10" in driver.current_url and "job=" not in driver.current_url
    )
    browser.find("table[aria-label=Decisions]")
    browser.driver.get(address)  # nothing is solved again
    assert browser.find(".pushfold-found h2", "BB after SB is all-in")
    fits_a_phone(browser)
    assert all("400" in error for error in browser.errors())


def test_the_first_page_is_small(browser):
    browser.driver.execute_cdp_cmd("Network.enable", {})
    browser.driver.execute_cdp_cmd("Network.setCacheDisabled", {"cacheDisabled": True})
    browser.go("/")
    browser.find(".library-file")
    size = browser.script(
        "return [...performance.getEntriesByType('resource'),"
        " ...performance.getEntriesByType('navigation')]"
        ".reduce((sum, each) => sum + each.encodedBodySize, 0)"
    )
    browser.driver.execute_cdp_cmd("Network.setCacheDisabled", {"cacheDisabled": False})
    assert 30_000 < size < 60_000


def rgb(text):
    """A colour as browsers compute it, from 0 to 255; mixed ones are said from 0 to 1."""
    numbers = [float(each) for each in re.findall(r"[\d.]+(?:e-?\d+)?", text.split("(")[1])[:3]]
    return tuple(round(255 * each) for each in numbers) if "srgb" in text else tuple(numbers)


def class_of(hand):
    return CLASS_NAMES[CLASS_OF_COMBO[combo_index(*parse_cards(hand))]]


def drawn(browser, name):
    """The colour of a cell, that of its number, the size of it, and the number."""
    return browser.script(
        "const cell = document.querySelector(`.study-left .cell[aria-label^='${arguments[0]}:']`);"
        "const text = cell.querySelector('.cell-text');"
        "const canvas = document.createElement('canvas').getContext('2d');"
        "canvas.fillStyle = getComputedStyle(cell.querySelector('.bar')).backgroundColor;"
        "canvas.fillRect(0, 0, 1, 1);"
        "return [[...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3),"
        " getComputedStyle(text).color, getComputedStyle(text).fontSize, text.textContent]",
        name,
    )


def test_heat_maps_have_one_scale_and_numbers_that_can_be_read(browser, at, folder):
    solution = load_postflop(folder / "river.safetensors")
    view = solution.at("x")
    rows = breakdown(view, "class")
    browser.go(f"/solution/{at['river.safetensors']}?line=x&show=ev")
    browser.find(".study[data-values=here]")
    browser.find("[aria-label='How cells are drawn'] button", "Heat").click()
    browser.find(".heat-legend")
    best, worst = (choose_by(rows, key=lambda row: row.ev) for choose_by in (max, min))
    legend = browser.find(".heat-legend").text.split()
    assert float(legend[-2]) == pytest.approx(worst.ev, abs=0.06)
    assert float(legend[-1]) == pytest.approx(best.ev, abs=0.06)
    for theme in (False, True):
        browser.dark(theme)
        seen = [drawn(browser, row.name) for row in rows]
        assert all(contrast(tuple(under), rgb(ink)) >= 4.5 for under, ink, _, _ in seen)
        assert {size for _, _, size, _ in seen} == {"12px"}
        ends = [drawn(browser, row.name)[0] for row in (worst, best)]
        known = colours("dark" if theme else "light", "plain")
        low, high = known["--heat-low"], known["--heat-high"]
        assert ends == [pytest.approx(low, abs=2), pytest.approx(high, abs=2)]
    # What the second-best action loses, from the values of each action.
    browser.find("[aria-label='What the matrix shows'] button", "EV lost").click()
    for row in rows:
        evs = [hand.action_ev for hand in hand_rows(view) if class_of(hand.name) == row.name]
        if len(evs) == 1:
            first, second = sorted(evs[0])[::-1][:2]
            assert float(drawn(browser, row.name)[3]) == pytest.approx(first - second, abs=0.51)
    browser.find("[aria-label='What the matrix shows'] button", "Strategy").click()
    browser.find(".study-left", "Choose a number for the colours")  # there is none to colour
    browser.find("[aria-label='How cells are drawn'] button", "Full").click()
    bars = (
        "return [...document.querySelectorAll('.study-left .bars')].map((bar) => bar.style.height)"
    )
    browser.wait(lambda _: set(browser.script(bars)) == {"100%"})
    fits_a_phone(browser)
    assert browser.errors() == []

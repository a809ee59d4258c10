"""Exploit study in a browser: locks by made hand, on other cards, from a player; what they win."""

import shutil

import pytest
from tests.web.conftest import RIVER
from tests.web.test_locks import MODEL, TURN

from pokerlab.cards import filter_hands
from pokerlab.holdem.spots import load_postflop, solve_spot
from pokerlab.holdem.spots.checks.verify import verify
from pokerlab.holdem.spots.reports.study import study_hands
from pokerlab.web.files.library import Library

Keys = pytest.importorskip("selenium.webdriver.common.keys").Keys
ActionChains = pytest.importorskip("selenium.webdriver").ActionChains


@pytest.fixture(scope="module")
def folder(tmp_path_factory, river_file):
    place = tmp_path_factory.mktemp("locks")
    (place / "river.toml").write_text(RIVER.to_toml(), encoding="utf-8")
    shutil.copy(river_file, place / "river.safetensors")
    solve_spot(TURN, target="0.3%", threads=1).save(place / "turn.safetensors")
    (place / "ann.toml").write_text(MODEL, encoding="utf-8")
    return place


@pytest.fixture(scope="module")
def ids(folder):
    library = Library(folder)
    return {name: library.id_of(folder / f"{name}.safetensors") for name in ("river", "turn")}


def click(browser, selector, text=None):
    browser.script("arguments[0].click()", browser.find(selector, text))


def kept(browser, id_):
    """The locks of the page."""
    return browser.script(f"return JSON.parse(sessionStorage.getItem('pokerlab-locks-{id_}'))")


def solved_again(browser):
    """Solve with the locks, go to Compare, and give the id of what was solved."""
    click(browser, "#solve-again")
    compare = browser.find("#lock-job a.button", "Compare", seconds=60)
    browser.script("arguments[0].click()", compare)
    browser.find(".compare")
    return browser.script("return location.pathname.split('/').at(-1)")


@pytest.mark.slow
def test_never_by_made_hand_undone_solved_and_compared(browser, ids, folder):
    solution = load_postflop(folder / "river.safetensors")
    decision = solution.decision("x")
    browser.go(f"/solution/{ids['river']}?line=x&tab=breakdown")
    browser.find('.study[data-values="here"]')
    click(browser, "#lock-rows")
    rows = [each.get_attribute("aria-label") for each in browser.all(".row-rule")]
    made = next(name.split(":")[0] for name in rows if name.endswith(": never Bet 51"))
    click(browser, f"button[aria-label='{made}: never Bet 51']")
    click(browser, f"button[aria-label='{made}: always Check']")
    always = f"button[aria-label='{made}: always Check'][aria-pressed=true]"
    assert browser.find(always)
    keys = ActionChains(browser.driver).key_down(Keys.CONTROL).send_keys("z").key_up(Keys.CONTROL)
    keys.perform()
    browser.wait(lambda _: not browser.all(always))
    pressed = f"button[aria-label='{made}: never Bet 51'][aria-pressed=true]"
    assert browser.find(pressed)
    # Bets went to the other actions in proportion; hands that only bet take the best one.
    order = study_hands(solution, decision.player)
    passed = filter_hands(made.replace(" ", "-"), decision.board)[order]
    arrives = decision.weights[decision.player][order] > 0
    view = solution.at("x")
    lock = kept(browser, ids["river"])["x"]["strategy"]
    changed = 0
    for place, combo in enumerate(order.tolist()):
        now = [row[place] for row in lock]
        if not (passed[place] and arrives[place]):
            assert now == [None] * len(now)
            continue
        before = decision.strategy[:, combo]
        rest = 1 - before[1]
        if rest >= 0.005:
            expected = [0 if action == 1 else share / rest for action, share in enumerate(before)]
        else:
            best = max((0, 2), key=lambda action: view.action_ev[action, combo])
            expected = [float(action == best) for action in range(3)]
        assert now == pytest.approx(expected, abs=2e-3), combo
        changed += 1
    assert changed > 0
    assert browser.all(".study-left .cell.marked")
    click(browser, f"button[aria-label='{made}: free again']")
    browser.wait(lambda _: not browser.all(".study-left .cell.marked"))
    click(browser, ".rule-tools button", "Undo")
    assert browser.find(pressed)
    click(browser, "#to-lock")
    locked = solved_again(browser)
    sentence = browser.find(".compare .gain").text
    library = Library(folder)
    after = verify(library.find(locked, "solution").path)
    change = after.values[0] - verify(folder / "river.safetensors").values[0]
    told = abs(change) > after.exploitability.chips + solution.exploitability.chips
    assert sentence.startswith("Locking IP after x" + (" wins OOP" if told else ": what"))
    assert f"{abs(change):.2g}" in sentence
    assert browser.find(".step.current .badge", "locked in B")
    assert browser.find(".locked-lines", "after x")
    assert len(browser.all(".three section:nth-of-type(2) .cell.marked")) >= 1
    assert not browser.all(".three section:nth-of-type(1) .cell.marked")
    assert browser.find(".corner-legend")
    browser.size(390, 844)
    assert browser.script("return document.documentElement.scrollWidth") <= 390
    browser.go(f"/solution/{locked}?line=x")
    assert browser.find(".gain b")
    assert browser.find(".gain").text.startswith(sentence)
    assert browser.find(".step.current .badge").text == "locked"
    assert browser.script("return document.documentElement.scrollWidth") <= 390
    assert browser.errors() == []


@pytest.mark.slow
def test_a_player_becomes_locks_and_is_copied_to_all_rivers(browser, ids):
    browser.go(f"/solution/{ids['turn']}?tab=lock")
    click(browser, "#from-player")
    assert browser.find("#model option").text == "ann, 400 hands (ann.toml)"
    table = browser.find("table[aria-label='Decisions of the player']")
    assert "0.80" in table.text  # 40 observations
    click(browser, "#use-model")
    assert browser.find(".lock-list li", "ann as OOP, turn")
    assert list(kept(browser, ids["turn"])) == [""]
    # A decision on the river, locked as it is played, on all rivers.
    browser.script("arguments[0].click()", browser.find(".option", "Check"))
    browser.find(".study[data-line=x]")
    browser.go(f"/solution/{ids['turn']}?line=x/x/5s&tab=lock")
    click(browser, ".lock-tools button", "Copy from the solution")
    click(browser, ".copy-lock button", "All rivers")
    assert browser.find("#copy-words").text.startswith("48 rivers by one lock")
    click(browser, ".copy-lock button", "By made hand")
    browser.wait(lambda _: "made hand, with its draws" in browser.find("#copy-words").text)
    click(browser, ".copy-lock button", "By hand")
    browser.wait(lambda _: "by one lock" in browser.find("#copy-words").text)
    assert browser.find("#copy-lock").text == "Lock on 48 rivers"
    click(browser, "#copy-lock")
    assert browser.find(".lock-list li", "x/x on all rivers")
    assert sorted(kept(browser, ids["turn"])) == ["", "x/x"]
    # It is seen on another river, and counted.
    browser.go(f"/solution/{ids['turn']}?line=x/x/9d&tab=lock")
    browser.wait(lambda _: "hands are locked here" in browser.find("#lock-count").text)
    assert browser.find(".step.current .badge", "to lock")
    browser.size(1400, 900)
    bottom = "return arguments[0].getBoundingClientRect().bottom - innerHeight"
    assert browser.script(bottom, browser.find("#solve-again")) <= 0
    assert browser.find("#solve-again").text == "Solve with 2 locks"
    solved_again(browser)
    sentence = browser.find(".compare .gain").text
    assert "Locking OOP at 2 decisions on the turn and river" in sentence and "IP" in sentence
    browser.go("/")
    assert browser.find("[data-name='ann.toml']", "ann, 400 hands, 160 decisions after the flop")
    assert browser.find("[data-name^='turn-locked'] .badge", "2 locked")
    assert browser.errors() == []

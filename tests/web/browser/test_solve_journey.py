"""From the Library to a solution: solve, reload, stop; killed servers; nothing leaves the host."""

import json
import os
import signal
from urllib.parse import urlsplit

import pytest

from pokerlab.holdem.spots import Spot, load_postflop

from ..running_server import start_server
from .conftest import Browser, open_browser

TURN = Spot(
    "QhJh2c4d",
    "AA, KQs, JTs, 98s",
    "QQ, AJs, T9s, 55",
    pot=100,
    stack=400,
    bet="50%, a",
    raise_="60%, a",
)


@pytest.fixture
def own_folder(tmp_path):
    (tmp_path / "turn.toml").write_text(TURN.to_toml(), encoding="utf-8")
    return tmp_path


@pytest.fixture
def own_browser():
    driver = open_browser(requests=True)
    yield driver
    driver.quit()


def hosts_asked(driver):
    """The hosts of all requests that pages have made."""
    found = set()
    for entry in driver.get_log("performance"):
        message = json.loads(entry["message"])["message"]
        if message["method"] == "Network.requestWillBeSent":
            url = urlsplit(message["params"]["request"]["url"])
            if url.scheme not in ("data", "blob", "chrome"):
                found.add(url.netloc)
    return found


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="kills as POSIX does")
def test_solve_reload_kill_the_server_kill_the_solver_stop_and_open(own_browser, own_folder):
    server = start_server(own_folder)
    browser = Browser(own_browser, server)
    hosts_asked(own_browser)
    browser.go("/")
    browser.find(".library-file button", "Solve").click()
    target = browser.find("dialog input[name=target]")
    target.clear()
    target.send_keys("none\n")
    assert "'none' is not" in browser.find("dialog .error").text
    target.clear()
    target.send_keys("0.0000001%\n")
    # Live, and after a reload still live.
    browser.find("#reached", "%", seconds=60)
    address = own_browser.current_url
    assert "/job/" in address
    own_browser.refresh()
    browser.find("#phase", "solving")
    browser.find(".chart canvas")
    # A second window on the same solve.
    first = own_browser.current_window_handle
    own_browser.switch_to.new_window("tab")
    own_browser.get(address)
    browser.find("#phase", "solving")
    own_browser.close()
    own_browser.switch_to.window(first)
    # The server dies: a banner says so. The solve goes on, and the next server finds it.
    server.stop(signal.SIGKILL)
    assert "does not answer" in browser.find(".banner", seconds=30).text
    server = start_server(own_folder)
    try:
        browser = Browser(own_browser, server)
        path = urlsplit(address).path
        browser.go(path)
        browser.find("#phase", "solving")
        # The solver dies as well: it begins again where it was saved last.
        (folder,) = (own_folder / ".pokerlab" / "jobs").glob("*/state.json")
        os.kill(int(json.loads(folder.read_bytes())["process"][0]), signal.SIGKILL)
        browser.find("#phase", "the process was killed", seconds=30)
        browser.find("button", "Go on").click()
        browser.find("#phase", "solving", seconds=60)
        browser.find("#reached", "%", seconds=60)
        browser.find(".chart canvas", seconds=60)
        browser.find("button", "Stop and keep").click()
        browser.find("a.button", "Study", seconds=60)
        # One button goes on, to what stands in the field; the curve and the time go on, too.
        (again,) = [each for each in browser.all("main button") if each.text == "Go on"]
        browser.find(".chart canvas")
        browser.find("input[name=target]").send_keys("50%")
        again.click()
        browser.find("#phase", "done: the target is reached", seconds=60)
        browser.find(".run-facts", "50.0%")
        browser.find(".chart canvas")
        browser.find("a.button", "Study", seconds=60).click()
        browser.wait(lambda driver: "/solution/" in driver.current_url)
        assert load_postflop(own_folder / "turn.safetensors").spot == TURN
        assert hosts_asked(own_browser) <= {urlsplit(address).netloc, urlsplit(server.url).netloc}
    finally:
        server.stop()

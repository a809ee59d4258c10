"""A real browser on real pages. Skipped where there is no browser, and the skip says so."""

import shutil

import pytest

from ..running_server import serve_here

pytest.importorskip("starlette")

CHROMIUM = (
    shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
)
DRIVER = shutil.which("chromedriver")
# One message to the browser, however many elements there are.
FIRST_ELEMENT = """
const [selector, text] = arguments;
const shown = (element) => (element.closest("select") ?? element).getClientRects().length > 0;
const says = (element) => (element.innerText ?? element.textContent).includes(text);
for (const element of document.querySelectorAll(selector))
  if (text === null || (shown(element) && says(element))) return element;
return null;
"""
MISSING = (
    "no browser: the tests in tests/web/browser need chromium and chromedriver "
    "(Debian: apt-get install chromium chromium-driver) and the Python package selenium"
)


@pytest.fixture(scope="module")
def server(folder):
    """A server over the folder of `tests/web/conftest.py`."""
    running = serve_here(folder)
    yield running
    running.stop()


def open_browser(*, requests=False):
    """A headless browser that keeps the errors of its pages, and their requests if asked to."""
    if CHROMIUM is None or DRIVER is None:
        pytest.skip(MISSING)
    webdriver = pytest.importorskip("selenium.webdriver", reason=MISSING)
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for argument in (
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--disable-background-networking",
        "--no-first-run",
        "--window-size=1400,900",
    ):
        options.add_argument(argument)
    kept = {"browser": "ALL"} | ({"performance": "ALL"} if requests else {})
    options.set_capability("goog:loggingPrefs", kept)
    return webdriver.Chrome(options=options, service=Service(DRIVER))


@pytest.fixture(scope="session")
def one_browser():
    driver = open_browser()
    yield driver
    driver.quit()


class Browser:
    """What journeys do with a browser."""

    def __init__(self, driver, server):
        self.driver = driver
        self.server = server
        driver.get(f"{server.url}/?token={server.token}")
        self.errors()  # those of the journeys before, on other servers

    def go(self, path):
        """Open a page."""
        self.driver.get(self.server.url + path)

    def wait(self, condition, seconds=20):
        """Wait until a function of the driver gives something true; gives it back."""
        from selenium.common.exceptions import StaleElementReferenceException
        from selenium.webdriver.support.ui import WebDriverWait

        ignored = (StaleElementReferenceException,)
        return WebDriverWait(self.driver, seconds, 0.05, ignored).until(condition)

    def find(self, selector, text=None, seconds=20):
        """The first element that a selector finds (with some text in it), once it is there."""

        def look(driver):
            return driver.execute_script(FIRST_ELEMENT, selector, text)

        return self.wait(look, seconds)

    def all(self, selector):
        """All elements that a selector finds now."""
        return self.driver.find_elements("css selector", selector)

    def script(self, code, *arguments):
        """Run JavaScript."""
        return self.driver.execute_script(code, *arguments)

    def press(self, *keys):
        """Press keys where the focus is."""
        from selenium.webdriver import ActionChains

        actions = ActionChains(self.driver)
        for key in keys:
            actions.send_keys(key)
        actions.perform()

    def size(self, width, height=900):
        """Make the window as wide as a telephone, or a desk."""
        self.driver.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500},
        )

    def dark(self, wanted=True):
        """Let the system prefer dark pages, or light ones."""
        value = "dark" if wanted else "light"
        self.driver.execute_cdp_cmd(
            "Emulation.setEmulatedMedia",
            {"features": [{"name": "prefers-color-scheme", "value": value}]},
        )

    def errors(self):
        """What the console complained about since the last call."""
        return [
            entry["message"]
            for entry in self.driver.get_log("browser")
            if entry["level"] == "SEVERE"
        ]


@pytest.fixture(scope="module")
def browser(one_browser, server):
    """A browser that has opened the address which the server printed."""
    return Browser(one_browser, server)


@pytest.fixture(autouse=True)
def as_opened(request):
    """Give the window back its size and its colours, which the journey before may have changed."""
    if "one_browser" in request.fixturenames:
        driver = request.getfixturevalue("one_browser")
        driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})

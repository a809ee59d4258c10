"""The site builds without a warning: every link, anchor and documented name exists."""

import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from importlib import import_module
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from tests.docs.snippets import PAGES, ROOT

pytest.importorskip("mkdocs")
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)],
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return folder


class Links(HTMLParser):
    def __init__(self):
        super().__init__()
        self.targets = []
        self.sources = []

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        if tag == "a" and found.get("href"):
            self.targets.append(found["href"])
        if tag in ("img", "script", "link"):
            self.sources.append(found.get("src") or found.get("href") or "")


def test_links_of_the_site_lead_somewhere_and_nothing_is_fetched(site):
    pages = sorted(site.rglob("*.html"))
    assert len(pages) > 25
    for page in pages:
        links = Links()
        links.feed(page.read_text(encoding="utf-8"))
        if page.name == "404.html":
            continue
        for target in links.targets:
            parts = urlsplit(target)
            if not parts.scheme and parts.path:
                assert (page.parent / unquote(parts.path)).exists(), f"{page.name}: {target}"
        remote = [source for source in links.sources if urlsplit(source).netloc]
        assert not remote, f"{page.name} loads {remote[0]}"


def test_the_reference_names_commands_and_public_things(site):
    commands = (site / "reference" / "commands.html").read_text(encoding="utf-8")
    assert 'id="pokerlab-solve"' in commands
    # Whole summaries, as long as they are.
    assert "Show how players play (VPIP, PFR, aggression, by street) and what they win" in commands
    cards = (site / "reference" / "cards.html").read_text(encoding="utf-8")
    assert 'id="pokerlab.cards.Range"' in cards
    solvers = (site / "reference" / "solvers.html").read_text(encoding="utf-8")
    places = [solvers.index(f'id="pokerlab.solvers.{name}"') for name in ("solve", "Step", "RULES")]
    assert places == sorted(places)
    step = solvers[places[1] : solvers.index('id="pokerlab.solvers.CfrSolver"')]
    assert all(
        f"<b>{name}" in step or f">{name}" in step for name in ("positive", "average", "trial")
    )


def test_every_public_name_is_in_the_reference(site):
    for page in (ROOT / "docs" / "reference").glob("*.md"):
        package = re.search(r"^::: (\S+)$", page.read_text(encoding="utf-8"), re.M)
        if package is None:
            continue
        html = (site / "reference" / f"{page.stem}.html").read_text(encoding="utf-8")
        for name in import_module(package[1]).__all__:
            assert name.startswith("_") or f'id="{package[1]}.{name}"' in html, name


def test_the_search_works_in_pages_that_are_opened_as_files(site):
    from selenium.webdriver.support.wait import WebDriverWait
    from tests.web.browser.conftest import open_browser

    browser = open_browser()
    try:
        browser.get((site / "tutorials" / "player.html").as_uri())
        browser.execute_script("document.querySelector('#__search').click()")
        box = browser.find_element("css selector", "input.md-search__input")
        WebDriverWait(browser, 30).until(lambda _: box.is_displayed())
        box.send_keys("exploitability")
        found = WebDriverWait(browser, 30).until(
            lambda driver: driver.find_elements("css selector", ".md-search-result__item a")
        )
        assert any("exploitability.html" in link.get_attribute("href") for link in found)
    finally:
        browser.quit()


LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)|!\[[^\]]*\]\(([^)\s]+)\)")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_between_files_hold(page):
    for target in (one or other for one, other in LINK.findall(page.read_text(encoding="utf-8"))):
        path = urlsplit(target).path
        if path and not urlsplit(target).scheme:
            assert (page.parent / unquote(path)).exists(), f"{page.name}: {target}"


def test_every_page_is_in_the_contents():
    contents = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    for page in (ROOT / "docs").rglob("*.md"):
        name = page.relative_to(ROOT / "docs").as_posix()
        assert name in contents or Path(name).parts[0] in ("abstraction", "bets", "mapping"), name

"""The site builds without a warning: every link, anchor and documented name exists."""

import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from tests.docs.snippets import PAGES, ROOT

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
    cards = (site / "reference" / "cards.html").read_text(encoding="utf-8")
    assert 'id="pokerlab.cards.Range"' in cards


LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)|!\[[^\]]*\]\(([^)\s]+)\)")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_between_files_hold(page):
    for target in (one or other for one, other in LINK.findall(page.read_text(encoding="utf-8"))):
        path = urlsplit(target).path
        if path and not urlsplit(target).scheme:
            assert (page.parent / unquote(path)).exists() or path.endswith(
                "reference/commands.md"  # written when the site is built
            ), f"{page.name}: {target}"


def test_every_page_is_in_the_contents():
    contents = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    for page in (ROOT / "docs").rglob("*.md"):
        name = page.relative_to(ROOT / "docs").as_posix()
        assert name in contents or Path(name).parts[0] in ("mapping",), name

"""The code blocks of a Markdown page, with what the page's comments say about them.

A comment right before a block is for these tests and invisible to readers:

- ``<!-- file: NAME -->``: the block is the content of a file that later blocks use;
- ``<!-- not run: WHY -->``: its commands take too long or need a person; only their options are
  checked;
- ``<!-- exact -->``: its numbers are the same in every run and on every processor, and are
  compared digit by digit; elsewhere numbers are masked.
"""

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])

_BLOCK = re.compile(
    r"(?:^<!-- (?P<note>[^>]*) -->\n+)?^```(?P<language>\w*)\n(?P<text>.*?)^```$", re.M | re.S
)


@dataclass(frozen=True)
class Snippet:
    page: Path
    line: int
    language: str
    text: str
    note: str = ""

    @property
    def file(self):
        return self.note.removeprefix("file: ") if self.note.startswith("file: ") else None

    @property
    def runs(self):
        return not self.note.startswith("not run: ")

    @property
    def exact(self):
        return self.note == "exact"

    @property
    def commands(self):
        """Each ``$`` line with the output that is shown below it."""
        found = []
        for line in self.text.splitlines():
            if line.startswith("$ "):
                found.append((line[2:], []))
            elif found:
                found[-1][1].append(line)
        return found


def snippets_of(page):
    text = page.read_text(encoding="utf-8")
    return [
        Snippet(
            page,
            text.count("\n", 0, match.start("text")),
            match["language"],
            match["text"],
            (match["note"] or "").strip(),
        )
        for match in _BLOCK.finditer(text)
    ]


_NUMBER = re.compile(r"[-+−±]?\d[\d,.]*(?:e[-+]?\d+)?%?")
_BARS = re.compile(r"[█▉▊▋▌▍▎▏]+")


def masked(line):
    """A line of output without its numbers, bars and spacing: these change from run to run."""
    return " ".join(_NUMBER.sub("#", _BARS.sub("", line)).split())


def spaced(line):
    """A line of output with single spaces."""
    return " ".join(line.split())


def missing_line(shown, printed, *, exact=False):
    """The first line that a page shows and a command did not print, in that order; or None.

    A line ``...`` stands for any lines. Numbers are compared where they are `exact`.
    """
    compared = spaced if exact else masked
    left = iter([compared(line) for line in printed])
    for line in shown:
        if line.strip() and line.strip() != "..." and compared(line) not in left:
            return line
    return None

"""Orders the pages of the reference: first what one begins with, then the rest, constants last.

A page with ``begin: [names]`` in its head is written out name by name; others stay as they are,
in the order of the alphabet. A test checks that every public name is on its page.
"""

from __future__ import annotations

import re
from importlib import import_module
from typing import Any

from mkdocs.structure.pages import Page

_PACKAGE = re.compile(r"^::: (pokerlab[.\w]*)$", re.M)
_ONE = """::: {path}
    options:
      heading_level: 3
      show_root_heading: true
      show_root_toc_entry: true
      show_root_full_path: false
"""


def on_page_markdown(markdown: str, page: Page, **_: Any) -> str:
    """Write out a page that says what to begin with."""
    begin = page.meta.get("begin")
    return (
        markdown
        if begin is None
        else _PACKAGE.sub(lambda found: written_out(found[1], begin), markdown)
    )


def written_out(package: str, begin: list[str]) -> str:
    """The docstring of a package, and its names in groups."""
    names = [name for name in import_module(package).__all__ if not name.startswith("_")]
    unknown = set(begin) - set(names)
    if unknown:
        raise ValueError(f"{package} has no {', '.join(sorted(unknown))}")
    rest = sorted(set(names) - set(begin), key=lambda name: (name.isupper(), name.lower()))
    parts = [f"::: {package}\n    options:\n      members: false\n"]
    for heading, group in (("Begin here", begin), ("The rest", rest)):
        parts.append(f"## {heading}\n")
        parts += [_ONE.format(path=f"{package}.{name}") for name in group]
    return "\n".join(parts)

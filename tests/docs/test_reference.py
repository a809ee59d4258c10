"""The reference tells about every public field; the slow tests of the site look at its pages."""

from __future__ import annotations

import dataclasses
import inspect
import re
from importlib import import_module

import pytest
from tests.docs.snippets import ROOT

PACKAGES = sorted(
    found[1]
    for page in (ROOT / "docs" / "reference").glob("*.md")
    if (found := re.search(r"^::: (\S+)$", page.read_text(encoding="utf-8"), re.M))
)


def fields_of(kind: type) -> list[str]:
    if dataclasses.is_dataclass(kind):
        return [field.name for field in dataclasses.fields(kind)]
    return list(getattr(kind, "_fields", ()))


@pytest.mark.parametrize("package", PACKAGES)
def test_every_public_field_is_explained(package):
    """In the docstring of its class or of a parent, or in a text below it."""
    module = import_module(package)
    for name in module.__all__:
        kind = getattr(module, name)
        if not inspect.isclass(kind) or not (own := fields_of(kind)):
            continue
        house = [each for each in kind.__mro__ if each.__module__.startswith("pokerlab")]
        text = " ".join(inspect.getdoc(each) or "" for each in house)
        source = "\n".join(map(inspect.getsource, house))
        below = re.findall(r'^    (\w+):[^\n]*\n    r?"""', source, re.M)
        for field in own:
            if not field.startswith("_"):
                known = field in below or re.search(rf"(?<!\w){field}(?!\w)", text)
                assert known, f"{package}.{name}.{field}"

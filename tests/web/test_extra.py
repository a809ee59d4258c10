"""What the extra `web` brings stays small, and the pages are shipped with their licences."""

import re
from importlib.metadata import PackageNotFoundError, distribution

from pokerlab.web.app import STATIC


def needed(name, found):
    """A package and all that it needs, without extras."""
    try:
        package = distribution(name)
    except PackageNotFoundError:  # for another system or version of Python
        return
    if package.name.lower() in found:
        return
    found[package.name.lower()] = package
    for text in package.requires or ():
        if "extra ==" not in text:
            needed(re.match(r"[\w.-]+", text)[0], found)


def test_the_extra_is_under_ten_packages_and_ten_megabytes():
    found = {}
    for name in ("starlette", "uvicorn"):
        needed(name, found)
    assert 2 < len(found) < 10
    size = sum(
        path.size or 0
        for package in found.values()
        for path in package.files or ()
        if path.suffix != ".pyc"
    )
    assert 100_000 < size < 10_000_000


def test_what_others_wrote_has_its_licence_beside_it():
    vendor = STATIC / "vendor"
    for name in ("preact", "htm", "uplot"):
        assert "MIT" in (vendor / f"LICENSE.{name}").read_text(encoding="utf-8") or (
            "Apache" in (vendor / f"LICENSE.{name}").read_text(encoding="utf-8")
        )
    code = sum(path.stat().st_size for path in vendor.glob("*.js"))
    assert code < 100_000

"""HTML that a parser has read: every tag is closed, and what it holds."""

from __future__ import annotations

from html.parser import HTMLParser

VOID = {"br", "img", "input", "meta"}


class Parsed(HTMLParser):
    """Fails where tags do not balance; keeps tags, attributes and texts."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self._open: list[str] = []
        self.feed(text)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self._open.pop() == tag

    def handle_data(self, data):
        if self._open[-1:] != ["style"]:
            self.texts.append(data)

    def count(self, tag: str) -> int:
        return sum(each == tag for each, _ in self.tags)

    @property
    def text(self) -> str:
        return " ".join(self.texts)


def check_safe(parsed: Parsed) -> None:
    """No script, nothing from elsewhere, and no handler but the one that sorts a table."""
    for tag, attributes in parsed.tags:
        assert tag not in ("script", "iframe", "link", "img", "object", "foreignobject")
        for name, value in attributes.items():
            assert name != "href"
            assert not name.startswith("on") or (tag, name) == ("thead", "onclick")
            if name != "xmlns":
                assert "http" not in (value or "")
                assert "url(" not in (value or "")

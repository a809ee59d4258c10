"""One voice: no source and no page says what the list of `tests.voice` bans."""

import pytest
from tests.docs.snippets import PAGES, ROOT
from tests.voice import BANNED, SOURCES, banned_words


@pytest.mark.parametrize("files", [SOURCES, PAGES], ids=["sources", "pages"])
def test_no_banned_words(files):
    assert len(files) > 40
    found = {
        str(file.relative_to(ROOT)): words
        for file in files
        if file.name != "CHANGELOG.md" and (words := banned_words(file.read_text("utf-8")))
    }
    assert not found


def test_all_banned_words_are_found():
    for listed in BANNED.values():
        for each in listed.split(", "):
            assert banned_words(f"They {each} say."), each


@pytest.mark.parametrize(
    "text",
    [
        "# After so\n    # many hands",
        '"""The player who\nsaw his hand."""',
        '"a match that was broken "\n"off"',
        "// it is\n// a number from 1 to 3",
    ],
)
def test_words_are_found_across_lines(text):
    assert len(banned_words(text)) == 1


def test_words_that_only_look_so_are_let_through():
    assert not banned_words("The history of a computer-poker laboratory: this is None.")

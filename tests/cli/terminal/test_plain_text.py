import io
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokerlab.cli.terminal.output import bold, new_console, print_json
from pokerlab.cli.terminal.plain_text import plain, visible


@given(st.text(alphabet=st.characters(codec=None)))
def test_no_control_character_is_left(text):
    shown = visible(text)
    assert not any(
        unicodedata.category(letter) in ("Cc", "Cs") for letter in shown if letter not in "\n\t"
    )
    assert visible(shown) == shown


@given(st.text(alphabet=st.characters(exclude_categories=("Cc", "Cs", "Cf", "Zl", "Zp"))))
def test_what_can_be_shown_is_left_alone(text):
    assert visible(text) == text


@pytest.mark.parametrize("mark", ["\u202e", "\u2066", "\u200f", "\u2028"])
def test_marks_that_turn_the_direction_are_escaped(mark):
    assert visible(f"a{mark}b") == f"a\\u{ord(mark):04x}b"


@given(st.text(alphabet=st.characters(codec=None)), st.sampled_from(["ascii", "latin-1", "utf-8"]))
def test_every_text_fits_the_encoding(text, encoding):
    plain(visible(text), encoding).encode(encoding)


@given(st.text())
def test_a_console_shows_text_as_it_is(text):
    """Brackets are no markup, words between colons no pictures."""
    console = new_console()
    console.file = io.StringIO()
    console.width = 10_000
    words = "".join(visible(text).split())
    console.print(f"{words}[bold]x[/bold] :smile: [/50]", soft_wrap=True)
    assert console.file.getvalue() == f"{words}[bold]x[/bold] :smile: [/50]\n"


def test_tables_are_measured_after_the_escapes():
    from rich.table import Table

    console = new_console()
    console.file = io.StringIO()
    table = Table("name [/x]", "number", box=None, pad_edge=False)
    table.add_row("\x1b[31m[bold]", "1")
    console.print(table)
    assert console.file.getvalue().splitlines() == [
        "name [/x]       number",
        "\\x1b[31m[bold]  1     ",
    ]


def test_styled_text_is_escaped_too():
    console = new_console()
    console.file = io.StringIO()
    console.print(bold("a\x1b[2Jb"), "[/x]")
    assert console.file.getvalue() == "a\\x1b[2Jb [/x]\n"


def test_json_is_never_changed(monkeypatch):
    import json

    data = {"name": "A♠ \x1b[31m \udc80"}
    for encoding in ("utf-8", "ascii"):
        stream = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
        monkeypatch.setattr("sys.stdout", stream)
        print_json(data)
        stream.flush()
        assert json.loads(stream.buffer.getvalue().decode(encoding)) == data

"""Values that are converted without Pydantic are what Typer would have made of them."""

import subprocess
import sys
from pathlib import Path
from typing import Annotated

import pytest
import typer
from hypothesis import given
from hypothesis import strategies as st

from pokerlab.cli.options import conversion
from pokerlab.cli.options.conversion import convert_without_pydantic


def got(
    text: Annotated[str | None, typer.Option()] = None,
    whole: Annotated[int, typer.Option()] = 7,
    positive: Annotated[int | None, typer.Option(min=0)] = None,
    number: Annotated[float | None, typer.Option()] = None,
    file: Annotated[Path | None, typer.Option()] = None,
    folder: Annotated[Path | None, typer.Option(file_okay=False)] = None,
    words: Annotated[list[str] | None, typer.Option()] = None,
    numbers: Annotated[list[int] | None, typer.Option()] = None,
    flag: Annotated[bool, typer.Option("--flag")] = False,
) -> None:
    """Takes one option of each kind."""


def outcome(arguments, *, plain):
    """What the values become, with their types, or what is said to be wrong with them."""
    app = typer.Typer(add_completion=False)
    app.command()(got)
    command = typer.main.get_command(app)
    if plain:
        convert_without_pydantic(command)
    try:
        values = command.make_context("got", list(arguments)).params
    except Exception as error:
        return type(error), error.format_message()
    return {name: (type(value), repr(value)) for name, value in values.items()}


def check(*arguments):
    expected = outcome(arguments, plain=False)
    if isinstance(expected, tuple):
        error, message = expected
        for theirs, ours in conversion._IN_OUR_WORDS.items():
            message = message.replace(theirs, ours)
        expected = error, message
    assert outcome(arguments, plain=True) == expected


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["--flag", "--text", "", "--whole", "12", "--number", "0.25"],
        ["--positive", "0"],
        ["--positive", "-1"],
        ["--whole", "1_000"],
        ["--whole", "9" * 40],
        ["--whole", "1.0"],
        ["--number", "1e3"],
        ["--number", "nan"],
        ["--number", "ten"],
        ["--file", ""],
        ["--file", "missing"],
        ["--file", __file__],
        ["--folder", __file__],
        ["--words", "a", "--words", "b", "--numbers", "1", "--numbers", "02"],
        ["--numbers", "1", "--numbers", "x"],
    ],
)
def test_typer_and_we_agree(arguments):
    check(*arguments)


@given(st.sampled_from(["--whole", "--number", "--positive"]), st.text("0123456789.-+e_ x٣"))
def test_typer_and_we_read_the_same_numbers(option, text):
    check(f"{option}={text}")


def test_what_cannot_be_read_is_refused_as_typer_does(tmp_path, monkeypatch):
    file = tmp_path / "secret"
    file.touch()
    monkeypatch.setattr("os.access", lambda *_: False)
    check("--file", str(file))


def test_the_options_of_a_solve_need_no_pydantic():
    script = (
        "import sys; from pokerlab.cli.main import main\n"
        "try: main(['solve', 'missing.toml', '--iterations', '3', '--lock', 'x: x=AA'])\n"
        "except SystemExit: pass\n"
        "sys.exit('pydantic' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", script], capture_output=True).returncode == 0

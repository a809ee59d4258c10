"""What marks of options do: help, panels, refusals; and that options are declared once."""

import inspect
from typing import Annotated, Any

import pytest
import typer

from pokerlab.cli.assembly import assemble
from pokerlab.cli.options.declared import (
    Needs,
    NotWith,
    OnlyFor,
    Rare,
    Threads,
    check_options,
    read_marks,
)

TABLE = {"board": Annotated[str | None, typer.Option("--board"), OnlyFor("spots")]}


def command(
    context: typer.Context,
    kind: Annotated[str, typer.Argument()],
    line: Annotated[str, typer.Argument(), OnlyFor("spots", "solutions")] = "",
    threads: Annotated[Threads, "For this one.", OnlyFor("spots")] = None,
    fine: Annotated[int, typer.Option("--fine", help="Finer."), Needs("--threads", "--rough")] = 3,
    rough: Annotated[bool, typer.Option("--rough"), NotWith("--fine", "--board"), Rare()] = False,
    **fields: Annotated[Any, TABLE],
) -> None:
    """Do nothing."""
    check_options(context, kind)


@pytest.fixture(scope="module")
def made():
    for _ in range(2):  # a command may be put together more than once
        read_marks(command)
    app = typer.Typer(add_completion=False)
    app.command()(command)
    return typer.main.get_command(app)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("games", None),
        ("spots x --threads 2 --board QhJh2c", None),
        ("solutions x", None),
        ("games x", "line applies only to spots and solutions, not to games"),
        ("games ''", None),
        ("games --threads 2", "--threads applies only to spots, not to games"),
        ("solutions --board QhJh2c", "--board applies only to spots, not to solutions"),
        ("games --fine 2", "--fine needs --threads or --rough"),
        ("games --fine 3", None),
        ("spots --fine 2 --threads 1", None),
        ("spots --fine 2 --rough", "--rough and --fine: give one or the other"),
        ("spots --rough --board QhJh2c", "--rough and --board: give one or the other"),
        ("games --rough", None),
    ],
)
def test_options_that_do_not_apply_are_refused(made, words, said):
    arguments = ["" if word == "''" else word for word in words.split()]
    if said is None:
        made.main(arguments, standalone_mode=False)
        return
    with pytest.raises(ValueError) as refused:
        made.main(arguments, standalone_mode=False)
    assert str(refused.value) == said


def test_help_comes_from_the_marks(made):
    options = {each.name: each for each in made.params}
    assert options["threads"].help == "Threads; all cores if not given. For this one."
    assert options["threads"].rich_help_panel == "Only for spots"
    assert options["rough"].hidden and not options["fine"].hidden
    assert options["fine"].rich_help_panel is None


def commands(group):
    for each in group.commands.values():
        yield from commands(each) if hasattr(each, "commands") else [each]


def test_marks_name_options_that_are_there():
    """A mark with a name that was misspelt would refuse everything, or nothing."""
    for each in commands(typer.main.get_command(assemble())):
        parameters = inspect.signature(each.callback).parameters.values()
        marks = [mark for one in parameters for mark in getattr(one.annotation, "__metadata__", ())]
        named = {
            name for mark in marks if isinstance(mark, Needs | NotWith) for name in mark.options
        }
        assert named <= {name for one in each.params for name in one.opts}, each.name


def test_all_options_of_a_solve_are_shown_when_they_are_wanted(run, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("TERMINAL_WIDTH", "80")
    short, whole = run("solve", "--help"), run("solve", "--help-all")
    assert whole.code == 0
    for rare in ("--merge", "--no-isomorphism", "--sampling", "--plot"):
        assert rare in whole.out
        assert rare not in short.out
    assert "--threads" in short.out
    assert max(map(len, whole.out.splitlines())) <= 80
    assert run("solve", "--help").out == short.out

"""What every command promises: help that can be read, one line for nonsense, JSON."""

import inspect
import re

import pytest
from tests.voice import banned_words

from pokerlab.cli.assembly import assemble


def commands(group, path=()):
    for each in group.registered_commands:
        yield (*path, each.name), each.callback
    for each in group.registered_groups:
        yield from commands(each.typer_instance, (*path, each.name))


def groups(group, path=()):
    yield path
    for each in group.registered_groups:
        yield from groups(each.typer_instance, (*path, each.name))


APP = assemble()
COMMANDS = dict(commands(APP))
GROUPS = list(groups(APP))

PRIVATE = ["alike", "questions?", "kept for", "HBB"]
"""Words of ours that sources and pages may have in some places, but no help; see `tests.voice`."""


def named(path):
    return " ".join(path) or "pokerlab"


def test_all_commands_are_found():
    expected = {
        *("evaluate", "equity", "range", "groups", "solve", "show", "verify", "diff", "play"),
        "batch",
        *(
            "match",
            "tournament",
            "simulate",
            "freeze-out",
            "statistics",
            "replay",
            "deals",
            "train",
        ),
        *("train", "game list", "game show", "game tree", "game value", "bot list", "acpc serve"),
        *("acpc play", "buckets build", "buckets show", "reproduce cgh", "reproduce mapping"),
    }
    assert expected <= {named(path) for path in COMMANDS}


@pytest.mark.parametrize("path", [*GROUPS, *COMMANDS], ids=named)
def test_help_can_be_read(run, monkeypatch, path):
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("TERMINAL_WIDTH", "80")
    outcome = run(*path, "--help")
    assert outcome.code == 0
    assert outcome.err == ""
    assert max(map(len, outcome.out.splitlines())) <= 80
    text = " ".join(re.sub("[─│╭╮╰╯]", " ", outcome.out).split())
    assert not banned_words(text)
    assert not [word for word in PRIVATE if re.search(rf"\b{word}\b", text)]
    assert run(*path, "-h").out == outcome.out


@pytest.mark.parametrize("path", COMMANDS, ids=named)
def test_help_says_what_it_does(path):
    first = inspect.getdoc(COMMANDS[path]).partition("\n\n")[0]
    assert first[0].isupper()
    assert first.endswith(".")


@pytest.mark.parametrize("path", COMMANDS, ids=named)
def test_nonsense_is_one_line(run, path):
    outcome = run(*path, "--nonsense")
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.startswith("pokerlab: ")
    assert outcome.err.count("\n") == 1
    assert "--nonsense" in outcome.err


@pytest.mark.parametrize("path", [path for path in GROUPS if path], ids=named)
def test_an_unknown_command_of_a_group_is_one_line(run, path):
    outcome = run(*path, "nonsense")
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.count("\n") == 1
    assert "nonsense" in outcome.err


@pytest.mark.parametrize("path", COMMANDS, ids=named)
def test_every_command_can_print_json(path):
    option = inspect.signature(COMMANDS[path]).parameters["as_json"]
    assert option.default is False


READING = [
    ["evaluate", "AsKsQsJsTs"],
    ["equity", "AsAd", "KsKd", "--samples", "1000"],
    ["range", "77+"],
    ["groups", "QhJh2c4d7h", "--show"],
    ["game", "list"],
    ["game", "show", "kuhn"],
    ["game", "tree", "kuhn"],
    ["game", "value", "kuhn"],
    ["bot", "list"],
    ["match", "kuhn", "caller", "raiser", "--hands", "4"],
    ["tournament", "kuhn", "caller", "raiser", "--hands", "4"],
    ["freeze-out", "draw", "caller", "raiser", "-n", "1", "--max-hands", "2"],
    ["deals", "kuhn"],
    ["solve", "kuhn", "--iterations", "10"],
]


@pytest.mark.parametrize("arguments", READING, ids=lambda words: " ".join(words[:2]))
def test_json_is_one_object_and_nothing_else(run, arguments, monkeypatch):
    """Warnings, wherever they come from, go to stderr."""
    import warnings
    from contextlib import contextmanager

    @contextmanager
    def warning():
        warnings.warn("something is odd", stacklevel=1)
        yield

    monkeypatch.setattr("pokerlab.cli.main.building_progress", warning)
    outcome = run(*arguments, "--json")
    assert outcome.code == 0, outcome.err
    assert isinstance(outcome.json, dict)
    assert outcome.out.count("\n") == 1

"""A small river spot on the command line, and what every test of it asks."""

from __future__ import annotations

from pathlib import Path

EXAMPLES = Path(__file__).parents[2] / "examples" / "spots"
SPOT = {
    "--board": "QhJh2c4d7h",
    "--oop": "AA, KQs, JTs",
    "--ip": "QQ, AJs, T9s",
    "--pot": "100",
    "--stack": "80",
}


def options(**replaced):
    """The options of a small river spot, some of them replaced (``add_allin=…``)."""
    given = SPOT | {f"--{name.replace('_', '-')}": str(value) for name, value in replaced.items()}
    return [word for option in given.items() for word in option]


def solved(run, *arguments):
    outcome = run("solve", *arguments, "--json")
    assert outcome.code == 0, outcome.err
    assert outcome.err == ""
    return outcome.json


def refused(outcome, message):
    assert outcome.code == 2
    assert outcome.out == ""
    assert outcome.err.startswith("pokerlab: ")
    assert outcome.err.count("\n") == 1
    assert message in outcome.err


def files(folder):
    return sorted(file.name for file in folder.iterdir())

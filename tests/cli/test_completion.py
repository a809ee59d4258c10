"""Shells complete commands and options."""

import os
import subprocess
import sys

import pytest


def answer(**question):
    done = subprocess.run(
        [sys.executable, "-m", "pokerlab"],
        env={**os.environ, "_POKERLAB_COMPLETE": "complete_bash", **question},
        capture_output=True,
        text=True,
    )
    assert done.stderr == ""
    return done.stdout.split()


@pytest.mark.parametrize(
    ("line", "words"),
    [("pokerlab prac", ["practise"]), ("pokerlab solve --thr", ["--threads"])],
)
def test_a_line_goes_on(line, words):
    assert answer(COMP_WORDS=line, COMP_CWORD=str(line.count(" "))) == words


def test_the_script_of_a_shell(run, monkeypatch):
    monkeypatch.setenv("_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION", "1")
    from pokerlab.cli.main import _command

    _command.cache_clear()
    shown = run("--show-completion", "zsh")
    _command.cache_clear()
    assert shown.code == 0
    assert "#compdef pokerlab" in shown.out
    assert "_POKERLAB_COMPLETE=complete_zsh" in shown.out

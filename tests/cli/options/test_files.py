"""A command never writes over what it reads, however the files are spelled."""

import os
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokerlab.cli.options.files import check_distinct, save_bytes


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def spellings(path):
    """Other names of the same file."""
    link = path.with_name(f"link-{path.name}")
    if not link.exists():
        link.symlink_to(path)
    hard = path.with_name(f"hard-{path.name}")
    if not hard.exists():
        os.link(path, hard)
    return [
        Path(path.name),
        path,
        path.parent / "." / path.name,
        path.parent / ".." / path.parent.name / path.name,
        link,
        hard,
    ]


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights on Windows")
def test_every_spelling_of_an_input_is_refused(folder):
    file = folder / "a.toml"
    file.write_text("x", encoding="utf-8")
    for spelling in spellings(file):
        for text in ("a.toml", file, f"cfr2:{file}", f"{file}:Class"):
            with pytest.raises(ValueError, match="read by the command"):
                check_distinct({"--output": spelling}, [text])
    check_distinct({"--output": folder / "b.toml"}, [file, "kuhn", None])


def test_two_outputs_that_are_not_there_yet(folder):
    with pytest.raises(ValueError, match="--svg is the same file"):
        check_distinct({"--svg": Path("a.svg"), "--png": folder / "a.svg"})
    check_distinct({"--svg": Path("a.svg"), "--png": Path("a.png"), "--dot": None})


@given(st.text())
def test_any_text_may_be_an_input(text):
    check_distinct({"--output": Path("no folder here") / "x"}, [text])


def test_a_picture_is_whole_or_not_there(folder, monkeypatch):
    file = folder / "a.svg"
    file.write_bytes(b"before")

    def fail(self, content):
        self.open("wb").write(content[:1])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", fail)
    with pytest.raises(ValueError, match=r"--figure .*: cannot be written: No space left"):
        save_bytes(file, b"after", "--figure")
    monkeypatch.undo()
    assert file.read_bytes() == b"before"
    assert [each.name for each in folder.iterdir()] == ["a.svg"]


@pytest.fixture
def game(run, folder):
    file = folder / "mine.toml"
    file.write_text(run("game", "show", "kuhn", "--json").json["rules"], encoding="utf-8")
    return file


COMMANDS = [
    ["solve", "mine.toml", "--iterations", "1", "-o", "{}"],
    ["match", "mine.toml", "caller", "caller", "--hands", "2", "--log", "{}"],
    ["tournament", "mine.toml", "caller", "raiser", "--hands", "2", "--results", "{}"],
    ["train", "mine.toml", "--iterations", "10", "-o", "{}"],
    ["train", "mine.toml", "--iterations", "10", "-o", "x.safetensors", "--resume", "{}"],
    ["game", "tree", "mine.toml", "--svg", "{}"],
    ["acpc", "serve", "mine.toml", "--hands", "1", "--log", "{}"],
]


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: " ".join(command[:2]))
def test_commands_keep_their_inputs(run, game, command):
    before = game.read_bytes()
    names = {"--log": "mine.log", "--svg": "mine.svg"}
    wanted = next((name for option, name in names.items() if option in command), "mine.toml")
    link = game.parent / wanted
    if link != game:
        link.symlink_to(game)
    outcome = run(*(word.replace("{}", str(link)) for word in command))
    assert outcome.code == 2
    assert "this file is read by the command" in outcome.err
    assert game.read_bytes() == before


def test_a_log_is_not_written_over_by_its_figure(run, folder):
    run("match", "kuhn", "caller", "raiser", "--hands", "5", "--log", "a.log")
    before = (folder / "a.log").read_bytes()
    (folder / "a.svg").symlink_to(folder / "a.log")
    outcome = run("statistics", "a.log", "--figure", "a.svg")
    assert outcome.code == 2
    assert (folder / "a.log").read_bytes() == before


def test_a_checkpoint_is_not_written_over_by_the_output(run, folder):
    outcome = run("solve", "kuhn", "--iterations", "9", "--resume", "c", "-o", folder / "c")
    assert outcome.code == 2
    assert "--resume is the same file" in outcome.err
    assert not (folder / "c").exists()

"""No text of a user is ever read as markup, and no control character of his reaches a terminal."""

import ast
import re
from pathlib import Path
from types import SimpleNamespace

import pytest
import typer
from rich.markup import escape
from rich.text import Text

import pokerlab.cli
from pokerlab.cli.assembly import assemble
from pokerlab.cli.options.help_text import keep_brackets

ROOT = Path(pokerlab.cli.__file__).parent
HOME_OF_CONSOLES = ROOT / "shared" / "terminal.py"
FILES = sorted(ROOT.rglob("*.py"))

TAG = re.compile(r"\[/?(bold|dim|italic|underline|reverse|red|green|yellow|blue|cyan|magenta)?\]")


def _strings(tree):
    """The strings of a module that are no docstrings, f-strings in pieces."""
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef)
    skipped = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, documented) and node.body and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        text = node.value if isinstance(node, ast.Constant) else None
        if isinstance(text, str) and id(node) not in skipped:
            yield text


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_file_holds_markup_or_makes_a_console(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    tags = [text for text in _strings(tree) if TAG.search(text) and text != "[]"]
    assert not tags
    makers = {"Console", "Progress", "TextColumn", "from_markup", "Prompt"}
    called = {
        getattr(node.func, "attr", None) or getattr(node.func, "id", None)
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
    }
    assert not called & makers


def _described(command, path=()):
    """The words that call each command, and all help texts of it as they are written."""
    texts = [command.help, *(getattr(each, "help", None) for each in command.params)]
    yield path, [text for text in texts if text]
    for name, inner in getattr(command, "commands", {}).items():
        yield from _described(inner, (*path, name))


DESCRIBED = dict(_described(typer.main.get_command(assemble())))


@pytest.mark.parametrize("path", DESCRIBED, ids=" ".join)
def test_help_is_shown_as_it_is_written(run, monkeypatch, path):
    monkeypatch.setattr("typer.rich_utils.MAX_WIDTH", 10_000)
    option = "--help-all" if path in (("solve",), ("sizes",)) else "--help"
    shown = " ".join(run(*path, option).out.split())
    for text in DESCRIBED[path]:
        assert " ".join(text.split()) in shown


def test_what_rich_takes_for_a_tag_is_escaped():
    texts = [
        "[bold]x[/bold]",
        "[/x]",
        '[a.b="c"]',
        "[50]AA[/50]",
        "x [@click=f]y",
        r"\[bold]",
        "[]",
    ]
    for text in texts:
        command = SimpleNamespace(help=text, short_help=None, params=[])
        keep_brackets(command)
        assert command.help == escape(text)
        assert Text.from_markup(command.help).plain == text


HOSTILE = [
    "[/50]",
    "[50]AA[/50]",
    "[bold]x[/bold]",
    "[/x]",
    "\x1b[31mred\x1b[0m",
    "\x1b]0;title\x07",
    "\u202egnp.exe",
    "x" * 5000,
    "[" * 400,
    ":smile: ♠",
]

COMMANDS = [
    ["evaluate", "{}"],
    ["equity", "{}", "KK"],
    ["equity", "AA", "KK", "--board", "{}"],
    ["range", "{}"],
    ["range", "AK", "--dead", "{}"],
    ["game", "show", "{}"],
    ["game", "tree", "{}"],
    ["game", "tree", "kuhn", "--strategy", "{}"],
    ["game", "tree", "kuhn", "--view", "{}"],
    ["game", "tree", "kuhn", "--svg", "{}"],
    ["game", "value", "{}"],
    ["game", "value", "kuhn", "--solver", "{}"],
    ["solve", "{}"],
    ["solve", "kuhn", "--rule", "{}"],
    ["solve", "kuhn", "--target", "{}"],
    ["solve", "kuhn", "--iterations", "1", "-o", "{}/x"],
    ["solve", "kuhn", "--iterations", "{}"],
    ["solve", "--board", "{}"],
    ["show", "{}"],
    ["show", "{}", "{}"],
    ["verify", "{}"],
    ["diff", "{}", "{}"],
    ["simplify", "{}"],
    ["sizes", "{}"],
    ["sizes", "--candidates", "{}"],
    ["report", "{}", "{}"],
    ["buckets", "show", "{}"],
    ["buckets", "compare", "{}", "{}"],
    ["train", "{}"],
    ["train", "holdem.limit.2p", "--buckets", "{}"],
    ["play", "{}"],
    ["play", "kuhn", "--against", "{}"],
    ["match", "{}", "caller", "caller"],
    ["match", "kuhn", "{}", "caller"],
    ["match", "kuhn", "caller", "caller", "--hands", "2", "--log", "{}/x"],
    ["tournament", "{}", "caller", "raiser"],
    ["tournament", "kuhn", "{}", "raiser"],
    ["simulate", "{}", "caller", "caller"],
    ["simulate", "kuhn", "{}", "caller"],
    ["freeze-out", "{}", "caller", "caller"],
    ["statistics", "{}"],
    ["replay", "{}"],
    ["deals", "{}"],
    ["acpc", "serve", "{}"],
    ["acpc", "play", "kuhn", "{}", "1", "--bot", "{}"],
    ["reproduce", "{}"],
    ["{}"],
    ["range", "AA", "--{}"],
]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_hostile_text_is_one_plain_line(run, tmp_path, monkeypatch, command):
    monkeypatch.chdir(tmp_path)
    for text in HOSTILE:
        outcome = run(*(word.replace("{}", text) for word in command))
        assert outcome.code in (0, 2), (command, text)
        if outcome.code:
            assert outcome.out == ""
            assert outcome.err.startswith("pokerlab: ")
            assert outcome.err.count("\n") == 1
        for letter in ("\x1b", "\x07", "\u202e"):
            assert letter not in outcome.out + outcome.err


def test_weights_of_a_range_are_no_markup(run):
    for text in ("A6o:0.75,K8o:0.5,T8o:0.5,53s:0.5,T6s:0.5,K2s:0.5", "[50]K8o,T8o[/50]"):
        outcome = run("range", text)
        assert outcome.code == 0
        assert "K8o:0.5" in outcome.out


def test_brackets_in_players_and_dead_cards(run):
    outcome = run("equity", "[50]AA[/50]", "KK", "--samples", "1000")
    assert outcome.code == 0
    assert "[50]AA[/50]" in outcome.out
    assert run("range", "AK", "--dead", "As").code == 0


def test_names_of_games_and_files(run, tmp_path):
    rules = run("game", "show", "kuhn", "--json").json["rules"]
    folder = tmp_path / "[bold][/x]"
    folder.mkdir(parents=True)
    file = folder / "g.toml"
    file.write_text(rules.replace('name = "kuhn"', r'name = "[/x]\u001b[31m"'), encoding="utf-8")
    saved = folder / "[bold].safetensors"
    commands = [
        ("game", "show", file),
        ("game", "value", file),
        ("solve", file, "--iterations", "10", "-o", saved),
        ("show", saved),
        ("verify", saved),
        ("match", file, "caller", "raiser", "--hands", "10"),
    ]
    for command in commands:
        outcome = run(*command)
        assert "\x1b" not in outcome.out + outcome.err
        assert outcome.code == 0 or "name" in outcome.err, command


def test_names_of_players_in_a_log(run, tmp_path):
    name = "[/x]\x1b[31m"
    log = tmp_path / "a.log"
    log.write_text(
        "# name/game/hands/seed night kuhn 2 1\n"
        f"STATE:0:rf:Ks|Js:1|-1:{name}|bob\n"
        f"STATE:1:rf:Ks|Js:1|-1:bob|{name}\n"
        f"SCORE:0|0:{name}|bob\n",
        encoding="utf-8",
    )
    for command in ("statistics", "replay"):
        outcome = run(command, log)
        assert outcome.code == 0, outcome.err
        assert "\x1b" not in outcome.out
        assert r"[/x]\x1b[31m" in outcome.out
    assert name in run("statistics", log, "--json").json["players"]
    assert name in run("replay", log, "--json").json["hands"][0]["players"]

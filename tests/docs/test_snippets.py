"""Every snippet of the README and of the pages runs and says what it gives."""

import ast
import doctest
import io
import math
import os
import shlex
import subprocess
import sys
import tokenize
from pathlib import Path

import pytest
from tests.docs.snippets import PAGES, ROOT, Snippet, masked, missing_line, snippets_of
from typer.main import get_command

from pokerlab.cli.assembly import COMMANDS, assemble
from pokerlab.cli.main import main

SLOW_PAGES = (
    "docs/arena.md",
    "docs/resolving.md",
    "docs/simple.md",
    "docs/exploitability.md",
    "docs/exploitation.md",
    "docs/games.md",
    "docs/how-to/own-rule.md",
    "docs/tutorials/bot-builder.md",
    "docs/tutorials/player.md",
    "docs/tutorials/researcher.md",
    "docs/batches.md",
    "docs/postflop.md",
)
WITH_SNIPPETS = [
    pytest.param(
        page,
        marks=[pytest.mark.slow] if page.relative_to(ROOT).as_posix() in SLOW_PAGES else [],
        id=str(page.relative_to(ROOT)),
    )
    for page in PAGES
    if snippets_of(page)
]
SHELL = set(";|<>&*`$")


@pytest.mark.parametrize("page", WITH_SNIPPETS)
def test_snippets_of_a_page(page, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    namespace = {"__name__": "__main__"}
    for snippet in snippets_of(page):
        where = f"{page.name}:{snippet.line}"
        if snippet.file:
            Path(snippet.file).write_text(snippet.text, encoding="utf-8")
        if snippet.language == "python" and snippet.runs:
            run_python(snippet, namespace, where)
        for command, shown in snippet.commands:
            run_command(command, shown, where, capsys, snippet)


def run_python(snippet, namespace, where):
    if ">>>" in snippet.text:
        examples = doctest.DocTestParser().get_doctest(
            snippet.text, namespace, where, str(snippet.page), snippet.line
        )
        report = io.StringIO()
        flags = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
        runner = doctest.DocTestRunner(optionflags=flags, verbose=False)
        runner.run(examples, out=report.write, clear_globs=False)
        namespace.update(examples.globs)
        assert not runner.failures, report.getvalue()
        return
    comments = {
        token.start[0]: token.string.removeprefix("#").strip()
        for token in tokenize.generate_tokens(io.StringIO(snippet.text).readline)
        if token.type == tokenize.COMMENT
    }
    for statement in ast.parse(snippet.text).body:
        code = ast.get_source_segment(snippet.text, statement)
        if not isinstance(statement, ast.Expr):
            exec(compile(ast.Module([statement], []), where, "exec"), namespace)
            continue
        value = eval(compile(ast.Expression(statement.value), where, "eval"), namespace)
        claim = claimed_value(comments.get(statement.end_lineno, ""))
        if claim is not None:
            assert same(value, claim), f"{where}: {code} is {value!r}, not {claim!r}"


def claimed_value(comment):
    """The number or text with which the comment behind an expression begins."""
    try:
        return ast.literal_eval(comment.split(":")[0].strip())
    except (SyntaxError, ValueError):
        return None


def same(value, claim):
    if isinstance(claim, float):
        return math.isclose(value, claim, rel_tol=1e-3)
    return value == claim


def run_command(command, shown, where, capsys, snippet):
    words = shlex.split(command, comments=True)
    if not SHELL.isdisjoint(command):
        if snippet.runs:
            check_output(run_in_shell(command), shown, where, command, snippet.exact)
        return
    assert words[0] == "pokerlab", f"{where}: {command}: what program is this?"
    check_options(words[1:], where)
    if snippet.runs:
        capsys.readouterr()
        with pytest.raises(SystemExit) as stopped:
            main(words[1:])
        output = capsys.readouterr()
        assert stopped.value.code == 0, f"{where}: {command}: {output.err}"
        check_output(output.out + output.err, shown, where, command, snippet.exact)


def run_in_shell(command):
    folder = Path(sys.executable).parent
    program = f'pokerlab() {{ {shlex.quote(sys.executable)} -m pokerlab.cli.main "$@"; }}\n'
    done = subprocess.run(
        ["bash", "-c", program + command],
        capture_output=True,
        text=True,
        env={**os.environ, "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"},
        check=False,
    )
    return done.stdout + done.stderr


def check_output(printed, shown, where, command, exact):
    missing = missing_line(shown, printed.splitlines(), exact=exact)
    assert missing is None, f"{where}: {command} does not print {missing!r} but\n{printed}"


def check_options(words, where):
    """That the command and its options exist, without running it."""
    command = get_command(assemble(words[0] if words[0] in COMMANDS else None))
    context = command.make_context("pokerlab", list(words), resilient_parsing=True)
    while hasattr(command, "resolve_command"):
        name, command, words = command.resolve_command(context, list(words))
        assert command is not None, f"{where}: there is no command {name}"
        group = hasattr(command, "resolve_command")
        context = command.make_context(name, list(words), parent=context, resilient_parsing=group)


@pytest.mark.parametrize(
    ("shown", "printed", "missing"),
    [
        (["a 1.5", "...", "b -2e-5"], ["a   27", "x", "b +1"], None),
        (["b 1", "a 1"], ["a 1", "b 1"], "a 1"),
        (["value ███ 3%"], ["value █ 99%"], None),
        (["value 3 chips"], ["value 3"], "value 3 chips"),
    ],
)
def test_missing_lines_are_noticed(shown, printed, missing):
    assert missing_line(shown, printed) == missing


@pytest.mark.parametrize("exact", [False, True])
def test_exact_numbers_are_compared(exact):
    shown, printed = ["exploitability 1.5", "...", "end"], ["exploitability   1.6", "x", "end"]
    assert missing_line(shown, printed, exact=exact) == (shown[0] if exact else None)
    assert missing_line(shown, ["exploitability   1.5", "end"], exact=exact) is None


def test_what_the_comments_of_blocks_may_say():
    """A misspelt comment would leave numbers unchecked."""
    for page in PAGES:
        for snippet in snippets_of(page):
            good = snippet.note in ("", "exact") or snippet.file or not snippet.runs
            assert good, f"{page.name}:{snippet.line}: {snippet.note}"
        text = page.read_text(encoding="utf-8")
        marks = text.count("\n<!-- exact -->\n")
        assert marks == sum(snippet.exact for snippet in snippets_of(page)), page.name


def test_masks_keep_words():
    assert masked("exploitability 0.591 chips,  0.295% of the pot") == (
        "exploitability # chips, # of the pot"
    )


def test_wrong_claims_are_noticed():
    wrong = Snippet(ROOT / "README.md", 1, "python", "1 + 1  # 3: a wrong sum\n")
    with pytest.raises(AssertionError, match="is 2, not 3"):
        run_python(wrong, {}, "here")

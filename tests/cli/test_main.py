import subprocess
import sys

import pytest

import pokerlab


def test_version(run):
    outcome = run("--version")
    assert outcome.code == 0
    assert outcome.out == f"pokerlab {pokerlab.__version__}\n"


def test_help_lists_the_commands(run):
    for option in ("--help", "-h"):
        outcome = run(option)
        assert outcome.code == 0
        for command in ("evaluate", "equity", "range"):
            assert command in outcome.out


def test_no_arguments_show_the_help(run):
    outcome = run()
    assert outcome.code == 2
    assert "Usage" in outcome.out
    assert outcome.err == ""


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nonsense"], "No such command 'nonsense'"),
        (["evaluate"], "Missing argument"),
        (["evaluate", "--bogus", "As"], "No such option"),
        (["equity", "AA", "KK", "--samples=many"], "got 'many'"),
        (["equity", "AA", "KK", "--samples", "many"], "got 'many'"),
    ],
)
def test_usage_errors_are_one_line(run, arguments, message):
    outcome = run(*arguments)
    assert outcome.code == 2
    assert outcome.out == ""
    assert outcome.err.startswith("pokerlab: ")
    assert outcome.err.count("\n") == 1
    assert message in outcome.err


def test_start_up_imports_nothing_heavy():
    """`pokerlab --help` answers at once because it imports neither NumPy nor Numba."""
    script = (
        "import sys; from pokerlab.cli.main import main\n"
        "try: main(['--version'])\n"
        "except SystemExit: pass\n"
        "heavy = {'numpy', 'numba', 'scipy', 'matplotlib'} & set(sys.modules)\n"
        "sys.exit(' '.join(sorted(heavy)) or 0)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_a_single_hand_needs_no_compiler():
    script = (
        "import sys, pokerlab\n"
        "assert pokerlab.evaluate('AsKsQsJsTs9h2d') == 1\n"
        "sys.exit('numba' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", script]).returncode == 0


def test_a_closed_pipe_is_no_error():
    command = f"{sys.executable} -m pokerlab.cli.main range random --json | head -c 10"
    done = subprocess.run(command, shell=True, capture_output=True, text=True)
    assert done.stdout.startswith('{"range"')
    assert "Traceback" not in done.stderr


def test_the_package_can_be_run():
    done = subprocess.run(
        [sys.executable, "-m", "pokerlab", "--version"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, f"pokerlab {pokerlab.__version__}\n")

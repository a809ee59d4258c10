"""One command is put together without the others."""

import subprocess
import sys

import pytest

from pokerlab.cli.assembly import COMMANDS, assemble


def names(app):
    return {each.name for each in (*app.registered_commands, *app.registered_groups)}


def test_every_command_is_in_the_table():
    assert names(assemble()) == set(COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_the_table_names_the_module_of_a_command(command):
    same_module = {name for name, module in COMMANDS.items() if module == COMMANDS[command]}
    assert names(assemble(command)) == same_module


def test_a_command_imports_no_other():
    script = (
        "import sys; from pokerlab.cli.main import main\n"
        "try: main(['range', 'AA', '--json'])\n"
        "except SystemExit: pass\n"
        "start = 'pokerlab.cli.commands.'\n"
        "found = [name.removeprefix(start) for name in sys.modules if name.startswith(start)]\n"
        "sys.exit(found != ['cards', 'cards.cards'] and str(found))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr

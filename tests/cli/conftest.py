import json
from dataclasses import dataclass

import pytest

from pokerlab.cli.main import main


@dataclass
class Outcome:
    code: int
    out: str
    err: str

    @property
    def json(self):
        return json.loads(self.out)


@pytest.fixture
def run(capsys):
    """Run the command line as a user would and give what it printed."""

    def call(*arguments):
        with pytest.raises(SystemExit) as stop:
            main([str(argument) for argument in arguments])
        printed = capsys.readouterr()
        return Outcome(stop.value.code, printed.out, printed.err)

    return call

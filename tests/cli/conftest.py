import json
import math
import signal
from dataclasses import dataclass

import pytest

from pokerlab.cli.main import main
from pokerlab.cli.progress.solve_status import SolveStatus
from pokerlab.holdem.spots import Spot, solve_spot


@dataclass
class Outcome:
    code: int
    out: str
    err: str

    @property
    def json(self):
        return json.loads(self.out)


@pytest.fixture
def interrupted(monkeypatch):
    """Press Ctrl-C, or send another signal, once a solve has made so many iterations."""

    def arrange(after, number=signal.SIGINT):
        report = SolveStatus.__call__
        pressed = []

        def press(status, progress):
            report(status, progress)
            if progress.iteration >= after and not pressed:
                pressed.append(progress.iteration)
                signal.raise_signal(number)

        monkeypatch.setattr(SolveStatus, "__call__", press)

    return arrange


@pytest.fixture
def run(capsys, monkeypatch):
    """Run the command line as a user would and give what it printed.

    However slow the machine is, the log of a solve stays empty.
    """
    monkeypatch.setattr("pokerlab.cli.progress.solve_status._LOG_BEGINS", math.inf)

    def call(*arguments):
        with pytest.raises(SystemExit) as stop:
            main([str(argument) for argument in arguments])
        printed = capsys.readouterr()
        return Outcome(stop.value.code, printed.out, printed.err)

    return call


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty folder to work in, so that whatever a command writes is seen."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(scope="module")
def river(tmp_path_factory):
    """The file of a solved river spot."""
    file = tmp_path_factory.mktemp("river") / "river.safetensors"
    spot = Spot("QhJh2c4d7h", "AA, KQs, JTs", "QQ, AJs, T9s", pot=100, stack=80)
    solve_spot(spot, iterations=200).save(file)
    return file

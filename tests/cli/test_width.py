"""Tables fit 80 columns, however long the names of the players are."""

import pytest

BOT = """
from pokerlab.players.bots import Caller

class Careful(Caller):
    pass
"""


@pytest.fixture
def bot(tmp_path):
    folder = tmp_path / "a_folder_with_quite_a_long_name_for_bots"
    folder.mkdir()
    (folder / "careful.py").write_text(BOT, encoding="utf-8")
    return f"{folder / 'careful.py'}:Careful"


def fits(outcome, *numbers):
    assert outcome.code == 0, outcome.err
    lines = outcome.out.splitlines()
    assert max(map(len, lines)) <= 80
    assert "…" not in outcome.out
    for number in numbers:
        assert number in outcome.out


def test_statistics(run, bot, tmp_path):
    log = tmp_path / "a.log"
    run("match", "holdem.limit.2p", bot, "raiser", "--hands", "30", "--log", log)
    fits(run("statistics", log), "won there", "aggression", "± error", "decisions", "raise")


def test_match(run, bot):
    outcome = run("match", "kuhn", bot, "raiser", "--hands", "30")
    fits(outcome, "mbb/hand", "± error")
    # The whole name can be read.
    assert bot.replace("\n", "") in "".join(
        line.split("  ")[0].strip() for line in outcome.out.splitlines()
    )


def test_freeze_out(run, bot):
    fits(run("freeze-out", "draw", bot, "raiser", "-n", "2", "--max-hands", "5"), "mean place")


def test_simulate(run):
    names = ["caller", "raiser", "random:1000000,2000000,3000000"]
    fits(run("simulate", "kuhn.3p", *names, "--hands", "10000"), "mbb/hand by position", "street")

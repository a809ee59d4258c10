import io
import logging
import os
import re
import subprocess
import sys

import pytest
from tests.players.bots.nolimit.small_menus import SMALL

from pokerlab.arena.person_words import read_action, street_base
from pokerlab.games import load_game
from pokerlab.holdem.spots import Spot, load_postflop, solve_spot
from pokerlab.players.bots.nolimit import street
from pokerlab.players.strategies import SpotGame
from pokerlab.solvers import solve


@pytest.fixture
def sit(run, monkeypatch):
    """Play with these lines as what a person types."""

    def call(typed, *arguments):
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in typed)))
        return run("play", *arguments)

    return call


def test_a_hand_of_kuhn(sit):
    outcome = sit(["r"], "kuhn", "--against", "caller", "--seed", "1", "--hands", "1")
    assert outcome.code == 0, outcome.err
    text = outcome.out
    assert "hand 1, you are in seat 0" in text
    assert re.search(r"you hold [JQK]♠  pot 2\n", text)
    assert "c checks, r bets 1, q leaves" in text
    assert "you bet 1" in text and "caller calls 1" in text
    assert re.search(r"you have [JQK]♠\n\s+caller has [JQK]♠\n\s+you (win|lose) 2", text)
    assert re.search(r"1 hand played: you [+-]2, caller [+-]2", text)


def test_leaving_and_the_end_of_input(sit):
    for typed in (["q"], [], ["c", "QUIT"]):
        outcome = sit(typed, "leduc", "--against", "caller", "--seed", "1")
        assert outcome.code == 0, outcome.err
        assert "you leave the table; this hand does not count" in outcome.out
        assert "0 hands played: you +0, caller +0" in outcome.out


def test_nonsense_is_asked_again(sit):
    typed = ["", "what", "f", "1", "999999", "12.5", "?", "300", "q"]
    outcome = sit(typed, "holdem.nolimit.2p", "--against", "caller", "--seed", "3")
    text = " ".join(outcome.out.split())
    assert "''? c checks" in text and "'what'? c checks" in text
    assert "there is nothing to pay: check with c" in text
    assert "1 is too small: raise to 200 at least, or 20,000 all-in" in text
    assert "999,999 is too much: raise to 20,000 at most" in text
    assert "12.5 is not a whole number of chips" in text
    assert "number bet or raise to this many chips on this street" in text
    assert "you raise to 300" in text and "caller calls 200" in text


def test_the_score_runs_and_seats_go_round(sit):
    outcome = sit(["c"] * 40, "holdem.limit.2p", "--against", "caller", "--hands", "3")
    assert [int(seat) for seat in re.findall(r"you are in seat (\d)", outcome.out)] == [0, 1, 0]
    results = re.findall(r"you (win|lose) (\d+)  score ([+-]\d+)", outcome.out)
    total = 0
    for word, amount, score in results:
        total += int(amount) if word == "win" else -int(amount)
        assert int(score) == total
    assert results
    assert f"3 hands played: you {total:+}, caller {-total:+}" in outcome.out


def test_a_fixed_seat_and_several_bots(sit):
    outcome = sit(
        ["c"] * 60, "holdem.limit.3p", "--against", "caller", "--seat", "2", "--hands", "2"
    )
    assert outcome.code == 0, outcome.err
    assert re.findall(r"you are in seat (\d)", outcome.out) == ["2", "2"]
    assert "caller#2 has" in outcome.out
    assert "(pair, " in outcome.out or "(high card" in outcome.out or "two pair" in outcome.out


def test_a_draw(sit):
    typed = ["c", "7 9", "1 3", *["c"] * 5]
    outcome = sit(typed, "draw", "--against", "caller", "--hands", "1", "--seed", "2")
    assert outcome.code == 0, outcome.err
    assert "which cards to exchange" in outcome.out
    assert "'7 9'? name up to 5 of your cards by place (1 to 5)" in " ".join(outcome.out.split())
    assert "you exchange 2 cards" in outcome.out and "caller stands pat" in outcome.out


def test_the_same_seed_gives_the_same_cards(sit):
    first, second, other = (
        sit(["c"] * 30, "leduc", "--against", "caller", "--hands", "4", "--seed", seed).out
        for seed in (5, 5, 6)
    )
    assert first == second != other


def test_json_keeps_the_talk_off_stdout(sit):
    outcome = sit(["c"] * 30, "leduc", "--against", "caller", "--hands", "4", "--json")
    assert outcome.json["hands"] == 4
    assert outcome.json["scores"]["you"] == -outcome.json["scores"]["caller"]
    assert "you hold" in outcome.err


def test_a_spot_counts_in_chips(sit, tmp_path):
    path = tmp_path / "spot.toml"
    path.write_text(Spot("QhJh2c4d7h", "AA, KQs", "QQ, AJs", pot=101, stack=80).to_toml())
    outcome = sit(["50", "q"], path, "--against", "caller", "--hands", "1", "--seat", "0")
    assert outcome.code == 0, outcome.err
    assert "river  Q♥ J♥ 2♣ 4♦ 7♥" in outcome.out
    assert "pot 101  you have 80 (caller 80)" in outcome.out
    assert "a number or 50% bets (1 to 80)" in outcome.out
    assert "you bet 50" in outcome.out and "caller calls 50" in outcome.out
    assert re.search(r"you (win|lose) 100.5", outcome.out)


@pytest.fixture(scope="module")
def folds_always(tmp_path_factory):
    """A solution whose second player gives up the nuts: nobody else would."""
    spot = Spot("QhJh2c4d7h", "AA, KQs", "QQ, JJ", pot=100, stack=80, bet="a", raise_="")
    locks = {"a": {"f": "QQ, JJ"}, "x": {"x": "QQ, JJ"}}
    file = tmp_path_factory.mktemp("folds") / "folds.safetensors"
    solve_spot(spot, iterations=20, locks=locks).save(file)
    return file


def test_a_solution_of_a_spot_plays_itself(sit, folds_always):
    typed = ["a"] * 5
    outcome = sit(typed, folds_always, "--seat", "0", "--hands", "5")
    assert outcome.code == 0, outcome.err
    assert outcome.out.count("solution folds") == 5
    assert "5 hands played: you +250, solution -250" in outcome.out
    other = sit(typed, folds_always, "--seat", "0", "--hands", "5", "--against", "caller")
    assert "folds" not in other.out and "caller" in other.out
    for each in (outcome.out, other.out):
        assert each.startswith("spot: QhJh2c4d7h, pot 100, stacks 80\n")
        assert "bets (1 to 80; the solution knows 80), a is all-in" in each


def test_where_the_solution_knows_no_bet_the_table_says_so(sit, tmp_path):
    chips = {"pot": 5.5, "stack": 97.5, "bet": "50%, a", "donk": "", "aggressor": "ip"}
    solve_spot(Spot("QhJh2c4d7h", "AA, KQs", "QQ, AJs", **chips), iterations=2).save(
        tmp_path / "river.safetensors"
    )
    text = sit(["c", "q"], tmp_path / "river.safetensors", "--hands", "2", "--seat", "0").out
    assert "(0.01 to 97.5; the solution knows none here)" in text


def test_a_solution_of_a_game_plays_itself(sit, tmp_path):
    solve("kuhn.3p", iterations=20).save(tmp_path / "three.safetensors")
    outcome = sit(["c"] * 20, tmp_path / "three.safetensors", "--hands", "2", "--json")
    assert outcome.code == 0, outcome.err
    assert set(outcome.json["scores"]) == {"you", "solution", "solution#2"}


@pytest.mark.skipif(os.name != "posix", reason="needs a shell")
def test_a_closed_stdin_ends_the_game():
    command = f"{sys.executable} -m pokerlab.cli.main play kuhn --against caller <&-"
    ended = subprocess.run(command, shell=True, capture_output=True, text=True, timeout=300)
    assert ended.returncode == 0, ended.stderr
    assert "0 hands played: you +0, caller +0" in ended.stdout
    assert ended.stderr == ""


def test_an_error_of_the_terminal_ends_the_game(sit, monkeypatch):
    monkeypatch.setattr("pokerlab.cli.terminal.human.choices_sentence", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        sit(["c"] * 5, "kuhn", "--against", "caller", "--hands", "3")


CRASHING = """
import json
from pokerlab.players.bots import Bot

class Crashing(Bot):
    def act(self, view):
        return json.loads("{")
"""


@pytest.fixture
def crashing(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my_bot.py").write_text(CRASHING, encoding="utf-8")
    yield "my_bot.py:Crashing"
    logging.getLogger("pokerlab.arena.table").handlers.clear()
    logging.getLogger("pokerlab.arena.table").setLevel(logging.NOTSET)


def test_a_bot_that_crashes_shows_file_and_line(sit, run, crashing):
    fault = "my_bot.py:7: JSONDecodeError: Expecting property name"
    arguments = ("kuhn", "--against", crashing, "--hands", "1", "--seat", "1")
    outcome = sit(["c"] * 3, *arguments)
    assert outcome.code == 0
    assert fault in " ".join(outcome.out.split())
    assert "Traceback" not in outcome.out + outcome.err
    match = run("match", "kuhn", crashing, "caller", "--hands", "2")
    assert fault in " ".join(match.out.split())
    assert "Traceback" not in match.out + match.err


def test_debug_prints_the_traceback(sit, run, crashing):
    arguments = ("kuhn", "--against", crashing, "--hands", "1", "--seat", "1", "--debug")
    outcome = sit(["c"] * 3, *arguments)
    assert outcome.err.startswith("a bot failed\nTraceback")
    assert 'return json.loads("{")' in outcome.err
    match = run("match", "kuhn", crashing, "caller", "--hands", "2", "--debug")
    assert 'return json.loads("{")' in match.err


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["kuhm"], "no game 'kuhm'"),
        (["kuhn", "--against", "cller"], "no bot 'cller', did you mean caller?"),
        (["kuhn", "--against", "caller", "--seat", "2"], "--seat 2: kuhn has the seats 0 to 1"),
        (
            ["holdem.limit.2p", "--against", "caller", "--against", "caller"],
            "--against: 2 bots and you are 3 players; holdem.limit.2p is a game for 2",
        ),
    ],
)
def test_bad_input(sit, arguments, complaint):
    outcome = sit([], *arguments)
    assert outcome.code == 2
    assert complaint in outcome.err
    assert len(outcome.err.splitlines()) == 1


def test_answers_in_many_words():
    view = load_game("holdem.nolimit.2p").replay("r300c/")
    assert street_base(view.node) == 300
    answers = {
        "bet 100": "r400",
        "b100": "r400",
        "50%": "r600",
        "0.5pot": "r600",
        "pot": "r900",
        "1%": "r400",
        "check": "c",
        "x": "c",
        "all-in": "r20000",
        "3bb": "r600",
        "raise 100 bb": "r10300",
    }
    assert {answer: read_action(view, answer) for answer in answers} == answers
    for answer in ("r", "bet"):
        with pytest.raises(ValueError, match=rf"{answer} to what\? name a size from 100 to 19,700"):
            read_action(view, answer)
    spot = Spot("QhJh2c4d7h", "AA, KQs", "QQ, AJs", pot=100, stack=80, big_blind=4)
    assert read_action(SpotGame.of(spot).replay(""), "10bb") == "r180"
    with pytest.raises(ValueError, match="spot has no big blind: name a number of chips"):
        read_action(SpotGame.of(Spot("QhJh2c4d7h", "AA", "QQ", 100, 80)).replay(""), "10bb")
    limit = load_game("leduc").replay("r")
    assert [read_action(limit, answer) for answer in ("raise", "c", "FOLD")] == ["r", "c", "f"]
    with pytest.raises(ValueError, match="no raise is possible here: f folds, c calls"):
        read_action(load_game("leduc").replay("rr"), "r")
    with pytest.raises(ValueError, match=r"'x{17}\.\.\.'"):
        read_action(view, "x" * 100)


@pytest.fixture
def small_menus(monkeypatch):
    monkeypatch.setattr(street, "LADDERS", SMALL)


def test_why_after_a_hand_against_nolimit(sit, small_menus, tmp_path):
    file = tmp_path / "turn.safetensors"
    typed = ["c"] * 8  # what is too much is asked again
    typed += [
        "hm",
        "why 3",
        f"why 3 -o {file}",
        f"why 1 -o {file}x",
        "why -o x",
        "why 99",
        "why",
        "",
    ]
    against = ["--against", "nolimit:iterations=3,threads=1", "--hands", "1", "--seed", "3"]
    outcome = sit(typed, *against, "--stack", "20bb", "--blinds", "1/2", "--json")
    assert outcome.code == 0, outcome.err
    text = outcome.err
    assert "nolimit solves each street as it comes, with 3 iterations" in " ".join(text.split())
    assert "No-limit hold'em for two: blinds 1 and 2, stacks of 40" in text
    assert "'hm'? Enter goes on" in text
    assert re.search(r"3  flop: you check\n", text)
    assert "your range" in text and "the range of nolimit" in text
    assert "exploitability" in text
    assert "kept; pokerlab show" in text and load_postflop(file).spot.pot == 4
    assert "the name must end in .safetensors" in text
    assert "name the decision to keep" in text
    assert "why 99: this hand has the decisions 1 to " in text
    assert re.search(r"\d+  turn +nolimit \w+", text)
    assert "1 hand played: you " in text
    found = outcome.json
    assert found["hands"] == 1 and found["scores"].keys() == {"you", "nolimit"}
    (hand,) = found["why"]
    assert hand["hand"] == 1
    for each in hand["decisions"]:
        assert each["who"] in ("you", "nolimit")
        assert sum(option["frequency"] for option in each["options"]) == pytest.approx(1, abs=0.01)
        assert len(each["ranges"]["you"]["weights"]) == 169
        assert each["solve"] is None or each["solve"]["iterations"] in (3, 30)  # a river: 30


@pytest.mark.parametrize(
    ("game", "text", "why"),
    [
        ("holdem.nolimit.2p", "2/1", "write small and big blind in chips"),
        ("holdem.nolimit.2p", "1-2", "write small and big blind in chips"),
        ("holdem.nolimit.2p", "1/2/3", "an ante is at most the big blind"),
        ("holdem.limit.2p", "1/2", "is not a no-limit game with two blinds"),
        ("kuhn", "1/2", "is not a no-limit game with two blinds"),
    ],
)
def test_blinds_that_cannot_be(sit, game, text, why):
    outcome = sit([], game, "--blinds", text)
    assert outcome.code == 2
    assert why in " ".join(outcome.err.split())

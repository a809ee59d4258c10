"""Solutions of spots and games, shown."""

from __future__ import annotations

from operator import mul

import numpy as np
import pytest
from tests.cli.spot_files import files, options, refused, solved

import pokerlab as pl
from pokerlab.cards import Range
from pokerlab.holdem.spots import load_postflop
from pokerlab.runtime.files.tensor_files import write_tensors
from pokerlab.runtime.files.tensor_map import read_tensors


def test_what_scripts_rely_on_in_show(run, river):
    found = run("show", river, "x/b80%", "--json").json
    view = load_postflop(river).at("x/a")
    assert (found["line"], found["player"], found["seat"]) == ("x/b80%", "oop", 0)
    assert (found["board"], found["pot"]) == ("QhJh2c4d7h", 180)
    assert found["actions"] == ["f", "c"]
    assert found["frequencies"] == pytest.approx(view.frequencies.tolist())
    assert set(found["hands"]) == {name for name, _ in Range(view.weights[0])}
    for hand in found["hands"].values():
        assert 0 < hand["weight"] <= 1
        assert sum(hand["strategy"]) == pytest.approx(1)
        assert 0 <= hand["equity"] <= 1
        assert -80 <= hand["ev"] <= 180
        assert hand["action_ev"][0] == pytest.approx(0)  # who folds takes nothing
        assert hand["ev"] == pytest.approx(
            sum(map(mul, hand["strategy"], hand["action_ev"])), abs=1e-6
        )
    assert set(found["classes"]) == {"AA", "KQs", "JTs"}
    assert sum(found["ev"]) == pytest.approx(180, abs=0.01)
    assert sum(found["equity"]) == pytest.approx(1)
    assert [each["line"] for each in found["next"]] == ["x/b80%/f", "x/b80%/c"]
    assert [each["kind"] for each in found["next"]] == ["fold", "showdown"]
    assert "Ts9s" in found["opponent"]


def test_the_first_decision_is_the_default(run, river):
    first = run("show", river, "--json").json
    assert first == run("show", river, "", "--json").json
    assert (first["line"], first["player"], first["pot"]) == ("", "oop", 100)
    assert run("show", river, "x", "--json").json["player"] == "ip"


def test_a_decision_for_people(run, river):
    outcome = run("show", river, "x", "--top", 4)
    assert outcome.code == 0
    lines = outcome.out.splitlines()
    assert lines[0] == "Q♥ J♥ 2♣ 4♦ 7♥  after x, ip acts, pot 100"
    words = [line.split() for line in lines]
    assert ["f", "fold"] not in [line[:2] for line in words]
    assert ["x", "check"] in [line[:2] for line in words]
    assert ["1", "bet", "50"] in [line[:3] for line in words]
    assert ["x/x", "showdown", "for", "100"] in [line[-4:] for line in words]
    assert ["range", "combos", "EV", "equity", "realised"] in words
    columns = ["hand", "weight", "x", "b50", "a", "EV", "equity", "EV", "x", "EV", "b50", "EV", "a"]
    assert columns in words
    assert ["AsJs", "1.000"] in [line[:2] for line in words]
    assert words[-1] == ["6", "more", "hands;", "--all", "lists", "them"]
    everything = run("show", river, "x", "--all").out.splitlines()
    assert len(everything) == len(lines) - 1 + 6


def test_hands_by_range_by_condition_and_in_order(run, river, folder):
    everything = run("show", river, "x", "--json").json["hands"]
    best = sorted(everything, key=lambda name: -everything[name]["ev"])
    assert list(run("show", river, "x", "--sort", "ev", "--json").json["hands"]) == best
    chosen = run("show", river, "x", "--hands", "QQ, AhJh", "--json").json["hands"]
    assert chosen == {name: row for name, row in everything.items() if name[0] == name[2] == "Q"}
    betting = run("show", river, "x", "--where", "x < 50%", "--sort", "equity asc", "--json").json
    assert betting["hands"] == {
        name: row for name, row in everything.items() if row["strategy"][0] < 0.5
    }
    equities = [row["equity"] for row in betting["hands"].values()]
    assert equities == sorted(equities)
    run("show", river, "x", "--hands", "QQ", "--csv", "queens.csv")
    assert len((folder / "queens.csv").read_text(encoding="utf-8").splitlines()) == 1 + 3
    shown = run("show", river, "x", "--hands", "QQ", "--sort", "a").out.splitlines()
    assert shown[-1] == "3 of 10 hands are chosen"
    refused(run("show", river, "x", "--where", "b60 > 1"), "where: 'b60' in 'b60 > 1' is not known")
    refused(run("show", river, "x", "--sort", "size"), "sort: 'size' is not known here")
    refused(run("show", river, "x", "--hands", "AAA"), "AAA")
    refused(
        run("show", river, "--range", "ip", "--sort", "ev"),
        "--sort and --range: give one",
    )


def test_made_hands_and_draws_as_filters_and_as_rows(run, river, folder):
    everything = run("show", river, "x", "--json").json
    assert set(everything["made"]) == {"lower-flush", "set", "second-pair", "nothing"}
    assert set(everything["draws"]) == {"no-draw"}
    pairs = run("show", river, "x", "--hands", "set, AJ & second-pair", "--json").json["hands"]
    kept = [name for name in everything["hands"] if name[0] in "QA"]
    assert list(pairs) == kept
    words = [line.split() for line in run("show", river, "x", "--by", "made").out.splitlines()]
    assert ["made", "share", "x", "b50", "a", "EV", "equity"] in [line[:7] for line in words]
    assert ["set", "30.0%"] in [line[:2] for line in words]
    assert run("show", river, "x", "--by", "made", "--csv", "made.csv").code == 0
    text = (folder / "made.csv").read_text(encoding="utf-8").splitlines()
    assert text[0].startswith("made,share,weight,x,b50,a,ev,")
    assert [line.split(",")[0] for line in text[1:]] == list(everything["made"])
    some = run("show", river, "x", "--by", "made", "--hands", "set, AA").out
    assert "second-pair" not in some
    refused(run("show", river, "x", "--by", "suits"), "by: 'suits' is not known")
    refused(run("show", river, "x", "--hands", "top-par"), "did you mean top-pair?")
    refused(
        run("show", river, "--range", "ip", "--by", "made"),
        "--by and --range: give one",
    )


def test_locked_hands_are_marked(run, folder):
    lock = "x: x=QQ, T9s"
    solved(run, *options(lock=lock), "--iterations", 20, "-o", "locked.safetensors")
    found = run("show", "locked.safetensors", "x", "--json").json
    assert found["locked"] is True
    assert len(found["locked_hands"]) == 3 + 4
    shown = run("show", "locked.safetensors", "x", "--all").out
    assert "locked: 7 of 10 hands\n" in shown
    assert "\nQsQd*  " in shown
    assert "\nAsJs   " in shown
    assert shown.endswith("* locked\n")
    other = run("show", "locked.safetensors", "x/b50", "--json").json
    assert (other["locked"], other["locked_hands"]) == (False, [])
    assert "locked" not in run("show", "locked.safetensors").out
    assert (found["lock_weight"], other["lock_weight"]) == (1, None)


def test_the_weight_of_a_lock_is_shown(run, folder):
    lock = "x: x=QQ, T9s @ 0.7"
    solved(run, *options(lock=lock), "--iterations", 20, "-o", "soft.safetensors")
    assert run("show", "soft.safetensors", "x", "--json").json["lock_weight"] == 0.7
    assert "locked: 7 of 10 hands @ 0.7\n" in run("show", "soft.safetensors", "x").out
    assert run("verify", "soft.safetensors", "--json").json["ok"] is True
    solved(
        run,
        *options(lock=lock.replace("0.7", "0.2")),
        "--iterations",
        20,
        "-o",
        "other.safetensors",
    )
    changes = run("diff", "soft.safetensors", "other.safetensors", "x", "--json").json
    assert changes


def test_a_decision_fits_into_80_columns(run, river, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    for line in ("", "x", "x/b50"):
        text = run("show", river, line, "--all").out
        assert all(len(row) <= 80 for row in text.splitlines())
        assert "…" not in text


def test_many_actions_have_their_values_in_a_table_of_their_own(run, folder, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    arguments = ("--bet", "20%, 40%, 60%, 80%, a", "--iterations", 20, "-o", "many.safetensors")
    solved(run, *options(stack=500), *arguments)
    text = run("show", "many.safetensors", "--hands", "AA").out
    rows = [row.split() for row in text.splitlines()]
    actions = ["x", "b20", "b40", "b60", "b80", "a"]
    assert ["hand", "weight", *actions, "EV", "equity"] in rows
    assert ["hand", *(word for action in actions for word in ("EV", action))] in rows
    assert sum(row[:1] == ["AsAh"] for row in rows) == 2
    assert all(len(row) <= 80 for row in text.splitlines())


def test_csv_and_parquet(run, river, folder):
    outcome = run("show", river, "x", "--csv", "hands.csv")
    assert outcome.out == "wrote hands.csv\n"
    text = (folder / "hands.csv").read_text(encoding="utf-8").splitlines()
    assert text[0] == "hand,class,made,draws,weight,x,b50,a,ev,equity,realisation,ev_x,ev_b50,ev_a"
    assert len(text) == 1 + 10
    data = run("show", river, "x", "--csv", "again.csv", "--json").json
    assert data["files"] == ["again.csv"]
    refused(run("show", river, "x", "--csv", "no/hands.csv"), "there is no folder no")
    try:
        import pyarrow  # noqa: F401
    except ImportError:
        both = ("--csv", "new.csv", "--parquet", "new.parquet")
        refused(run("show", river, "x", *both), "needs the package pyarrow")
        assert files(folder) == ["again.csv", "hands.csv"]


def test_range_texts(run, river):
    text = run("show", river, "b50", "--range", "ip").out
    view = load_postflop(river).at("b50")
    assert np.allclose(Range(text).weights, view.weights[1], atol=1e-4)
    parts = [
        run("show", river, "x", "--range", "ip", "--action", action, "--json").json
        for action in ("x", "b50", "a")
    ]
    assert sum(part["combos"] for part in parts) == pytest.approx(10, abs=0.01)
    assert [part["player"] for part in parts] == ["ip"] * 3
    nobody = run("show", river, "a", "--range", "oop")
    assert (nobody.code, nobody.out, nobody.err) == (0, "\n", "no hand is in this range\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["q"], "token 1, 'q': not an action"),
        (["x/b60"], "token 2, 'b60': not possible here; possible: x, b50, a"),
        (["x/x"], "line 'x/x': nobody decides here, the hand is over"),
        (["x/x/Qc"], "token 3, 'Qc'"),
        (["--range", "button"], "--range button: there is oop (acts first) and ip"),
        (["--range", "oop", "--action", "b60"], "'b60' is not possible here; possible: x, b50, a"),
        (["--range", "ip", "--action", "x"], "action 'x': oop acts here, not ip"),
        (["--action", "x"], "--action needs --range"),
        (["--top", "-1"], "--top"),
    ],
)
def test_what_cannot_be_shown(run, river, arguments, message):
    refused(run("show", river, *arguments), message)


@pytest.mark.parametrize("command", ["show", "verify"])
def test_what_is_no_solution_is_refused(run, river, folder, command):
    refused(run(command, "missing"), "there is no file 'missing'")
    whole = river.read_bytes()
    for size in (0, 5, 200, len(whole) - 1):
        (folder / "cut").write_bytes(whole[:size])
        refused(run(command, "cut"), "'cut' is damaged")
    solved(run, *options(), "--iterations", 1, "--resume", "checkpoint")
    if command == "verify":  # `show` says that it is not certified
        refused(run(command, "checkpoint"), "but pokerlab checkpoint ")
    newer = whole.replace(b"postflop solution 3", b"postflop solution 9")
    (folder / "newer").write_bytes(newer)
    refused(run(command, "newer"), "but pokerlab postflop solution 9")


def test_a_solution_of_a_game_is_shown(run, folder):
    run("solve", "kuhn", "--rule", "lp", "-o", "kuhn.safetensors")
    outcome = run("show", "kuhn.safetensors")
    rows = [line.split() for line in outcome.out.splitlines()]
    assert outcome.out.startswith("kuhn by lp, exploitability ")
    assert ["1", "Js:r", "f", "1.0000", "c", "0.0000"] in rows
    assert run("show", "kuhn.safetensors", "--top", 3).out.splitlines()[-1].startswith("9 more")
    found = run("show", "kuhn.safetensors", "--json").json
    assert found["strategy"]["Ks:r"] == pytest.approx({"f": 0, "c": 1})
    refused(run("show", "kuhn.safetensors", "x"), "line applies only to solutions of spots")


def test_a_spot_that_is_not_solved(run, folder, river):
    """Every command that reads a solution says what to do, and so does Python."""
    (folder / "srp.toml").write_text('board = "QhJh2c"\n', encoding="utf-8")
    for words in (["show"], ["verify"], ["report"], ["diff", river]):
        outcome = run(*words, "srp.toml")
        refused(
            outcome, "is a text file (TOML), not a solution: solve it first, `pokerlab solve srp"
        )
    with pytest.raises(ValueError, match="solve it first"):
        pl.load("srp.toml")


def test_a_range_as_numbers(run, river, folder):
    """PioSOLVER's file of 1,326 weights, which is read back."""
    text = run("show", river, "x", "--range", "ip", "--action", "b50").out.strip()
    numbers = run("show", river, "x", "--range", "ip", "--action", "b50", "--pio").out
    assert len(numbers.split()) == 1326 and numbers.count("\n") == 1
    (folder / "ip.txt").write_text(numbers, encoding="utf-8")
    assert Range("@ip.txt") == Range(text)
    refused(run("show", river, "x", "--pio"), "--pio needs --range")


def test_a_checkpoint_is_shown_as_what_is_not_certified(run, folder):
    spot = options()
    run("solve", *spot, "--iterations", "40", "--resume", "kept", "-o", "whole.safetensors")
    found = run("show", "kept", "x", "--json").json
    whole = run("show", "whole.safetensors", "x", "--json").json
    assert (found["certified"], whole["certified"]) == (False, True)
    assert found["iterations"] == whole["iterations"] == 40
    assert found["exploitability"] == pytest.approx(whole["exploitability"], abs=0.01)
    assert found["frequencies"] == whole["frequencies"]
    assert found["ev"] == pytest.approx(whole["ev"])
    text = run("show", "kept", "x").out
    assert "under way, not certified: ε" in text and "at iteration 40" in text
    assert "solved to" not in text and "solved to" in run("show", "whole.safetensors", "x").out
    # One that names no spot, as older versions wrote it, or that is of a game.
    tensors, metadata = read_tensors("kept", "pokerlab checkpoint 2")
    del metadata["game_text"]
    write_tensors("older", tensors, metadata)
    refused(run("show", "older"), "does not name its spot")
    run("solve", "kuhn", "--iterations", "3", "--resume", "game")
    refused(run("show", "game"), "is not a checkpoint of a spot")
    assert run("solve", *spot, "--iterations", "45", "--resume", "older").code == 0

"""`pokerlab show` of strategies that `pokerlab train` wrote."""

import csv

import numpy as np
import pytest

from pokerlab.games import load_betting_game
from pokerlab.holdem.limit.sampling.bucketed_game import BucketedGame
from pokerlab.players.strategies.limit_file import LimitStrategy


@pytest.fixture(scope="module")
def holdem(tmp_path_factory):
    """A hold'em strategy that raises pairs, calls suited hands and folds the others."""
    game = BucketedGame.of(load_betting_game("holdem.limit.2p"), "classes")
    probabilities = np.zeros((game.rows, 3), np.float16)
    row, column = np.divmod(np.arange(game.rows) % 169, 13)
    probabilities[
        np.arange(game.rows), np.where(row == column, 2, np.where(row < column, 1, 0))
    ] = 1
    path = tmp_path_factory.mktemp("trained") / "holdem.st"
    LimitStrategy(game, probabilities, 7, 1.0, "hand", "none", 12.5, 0.0, False).save(path)
    return path


@pytest.fixture(scope="module")
def leduc(tmp_path_factory):
    game = BucketedGame.of(load_betting_game("leduc"), "each")
    probabilities = np.tile(np.array([0.25, 0.5, 0.25], np.float16), (game.rows, 1))
    probabilities[:3] = np.nan
    path = tmp_path_factory.mktemp("trained") / "leduc.st"
    LimitStrategy(game, probabilities, 7, 1.0, "hand", "none", 0.5, 0.0, True).save(path)
    return path


def test_classes_before_the_flop(run, holdem):
    found = run("show", holdem, "r", "--json").json
    assert (found["game"], found["player"], found["line"], found["pot"]) == (
        "holdem.limit.2p",
        0,
        "r",
        30,
    )
    assert found["actions"] == ["f", "c", "r"]
    # 78 combos of pairs, 312 suited, 936 offsuit.
    assert found["frequencies"] == pytest.approx([936 / 1326, 312 / 1326, 78 / 1326])
    hands = found["hands"]
    assert len(hands) == 169 and sum(hand["combos"] for hand in hands.values()) == 1326
    assert hands["AA"]["strategy"] == [0, 0, 1] and hands["72o"]["strategy"] == [1, 0, 0]
    assert hands["AKs"]["group"] == 1 and hands["AKs"]["weight"] == 1
    assert [each["line"] for each in found["next"]] == ["rf", "rc/", "rr"]
    outcome = run("show", holdem, "r", "--top", 3)
    assert outcome.code == 0, outcome.err
    lines = outcome.out.splitlines()
    assert lines[0] == "holdem.limit.2p  after r, player 0 acts, pot 30"
    assert "AA    AKs   AQs" in outcome.out and "rrrrr ccccc ccccc" in outcome.out
    assert ["r", "raise", "5.9%", "rr", "pot", "50"] in [line.split() for line in lines]
    assert lines[-1] == "166 more hands; --all lists them"


def test_one_flop_and_what_arrives(run, holdem, tmp_path):
    found = run("show", holdem, "rc/", "--board", "Qh Jh 2c", "--json").json
    assert found["board"] == "QhJh2c" and found["sampled"] is False
    assert len(found["hands"]) == 1176
    # Suited hands called the raise, pairs raised again, the others folded.
    weights = {name: hand["weight"] for name, hand in found["hands"].items()}
    assert weights["AhKh"] == 1 and weights["AdAc"] == 0 and weights["7d2s"] == 0
    assert found["frequencies"] == [1, 0]
    file = tmp_path / "flop.csv"
    assert run("show", holdem, "rc/", "--board", "QhJh2c", "--csv", file).out.startswith("wrote ")
    rows = list(csv.DictReader(file.read_text().splitlines()))
    assert len(rows) == 1176 and set(rows[0]) == {
        "hand",
        "combos",
        "group",
        "weight",
        "c",
        "r",
        "strength",
    }
    strengths = [float(row["strength"]) for row in rows]
    assert strengths == sorted(strengths, reverse=True)
    assert "A♠" not in run("show", holdem, "rc/", "--board", "QhJh2c").out


def test_chosen_hands(run, holdem):
    everything = run("show", holdem, "r", "--json").json
    chosen = run("show", holdem, "r", "--hands", "AK, QQ+", "--json").json
    assert set(chosen["hands"]) == {"AKs", "AKo", "QQ", "KK", "AA"}
    assert chosen["frequencies"] == everything["frequencies"]  # those of the whole range
    assert {name: everything["hands"][name] for name in chosen["hands"]} == chosen["hands"]
    groups = run("show", holdem, "rc/", "--hands", "AKs", "--json").json["groups"]
    assert [row["group"] for row in groups] == [1]
    assert groups[0]["share"] == pytest.approx(4 / 1326, rel=0.5)
    pairs = ("--board", "Kh7c2d", "--hands", "set, AK & top-pair", "--json")
    names = set(run("show", holdem, "rc/", *pairs).json["hands"])
    assert len(names) == 9 + 12
    unknown = run("show", holdem, "rc/", "--hands", "set")
    assert unknown.code == 2
    assert "hands: set needs a board of three to five cards" in unknown.err
    none = run("show", holdem, "rc/", "--board", "AsAhAd", "--hands", "AsKs", "--json").json
    assert none["hands"] == {} and none["groups"] == []


def test_groups_after_the_flop(run, holdem, tmp_path):
    outcome = run("show", holdem, "rc/", "--top", 5)
    assert outcome.code == 0, outcome.err
    assert "seen on 50,000 random deals; --board shows one board" in outcome.out
    assert " more groups; --all lists them" in outcome.out
    file = tmp_path / "groups.csv"
    run("show", holdem, "rc/", "--csv", file)
    rows = list(csv.DictReader(file.read_text().splitlines()))
    assert len(rows) == 169 and sum(float(row["share"]) for row in rows) == pytest.approx(1)


def test_a_small_game(run, leduc):
    found = run("show", leduc, "--json").json
    assert found["frequencies"] == pytest.approx([7 / 8, 1 / 8])  # half of the rows only call
    assert found["hands"]["Js"]["trained"] is False and found["hands"]["Ks"]["trained"] is True
    out = run("show", leduc).out
    assert "Js*" in out and "* training never came here: a bot checks and calls" in out
    assert "a best response that knows the groups wins" in out
    assert "Qs Jh" in run("show", leduc, "cc/", "--all").out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["rx"], "line 'rx': 'x' after 'r': player 1 may f (fold)"),
        (["rf"], "line 'rf': the hand is over"),
        (["r", "--board", "Qs"], "board Qs: 1 card; after 'r' there are 0"),
        (["rc/", "--board", "Xh"], "Xh"),
        (["r", "--hands", "AA"], "hands 'AA': leduc has no hands of two cards of 52"),
        (
            ["r", "--sort", "ev"],
            "--sort applies only to solutions of spots, not to trained",
        ),
        (["r", "--range", "oop", "--json"], "--range applies only to solutions of spots"),
        (["r", "--csv", "none/x.csv"], "--csv none/x.csv: there is no folder none"),
    ],
)
def test_bad_input_is_one_line(run, leduc, arguments, message):
    outcome = run("show", leduc, *arguments)
    assert outcome.code == 2 and outcome.out == ""
    assert outcome.err.count("\n") == 1 and message in outcome.err


def test_a_damaged_file_is_one_line(run, leduc, tmp_path):
    content = bytearray(leduc.read_bytes())
    content[-1] ^= 1
    (tmp_path / "bad.st").write_bytes(content)
    outcome = run("show", tmp_path / "bad.st")
    assert outcome.code == 2 and "is damaged" in outcome.err and outcome.err.count("\n") == 1

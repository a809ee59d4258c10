"""`pokerlab replay`, `pokerlab deals` and `pokerlab freeze-out`."""

import io

import numpy as np
import pytest

from pokerlab.arena.freeze_out import play_freeze_out
from pokerlab.arena.logs.acpc_log import write_acpc_log
from pokerlab.arena.logs.phh_log import write_phh
from pokerlab.arena.table import play_hand
from pokerlab.games import load_betting_game
from pokerlab.players.bots.simple import Caller, RandomBot

HOLDEM = load_betting_game("holdem.nolimit.2p")


@pytest.fixture
def hands():
    rng = np.random.default_rng(1)
    bots = [Caller(), RandomBot(1, 2, 1)]
    for bot in bots:
        bot.reset(HOLDEM, rng)
    return [
        play_hand(
            HOLDEM,
            deal,
            bots if number % 2 == 0 else bots[::-1],
            names=["ann", "bob"] if number % 2 == 0 else ["bob", "ann"],
            number=number,
        )
        for number, deal in enumerate(HOLDEM.deals(rng, 8))
    ]


@pytest.fixture
def acpc(tmp_path, hands):
    file = tmp_path / "match.log"
    write_acpc_log(file, hands)
    file.write_text("# name/game/hands/seed night holdem.nolimit.2p 8 1\n" + file.read_text())
    return file


@pytest.fixture
def phh(tmp_path, hands):
    file = tmp_path / "match.phhs"
    write_phh(file, hands)
    return file


def test_replay_as_json(run, hands, acpc, phh):
    for file in (acpc, phh):
        result = run("replay", file, "--json").json
        assert [hand["betting"] for hand in result["hands"]] == [hand.betting for hand in hands]
        assert [hand["payoffs"] for hand in result["hands"]] == [
            list(hand.payoffs) for hand in hands
        ]
        one = run("replay", file, "--hand", 3, "--json").json["hands"]
        assert one == [result["hands"][3]]
        assert "".join(step["action"] for step in one[0]["steps"]) == hands[3].betting.replace(
            "/", ""
        )


def test_replay_in_words(run, tmp_path):
    file = tmp_path / "hand.phh"
    deal = HOLDEM.make_deal(["AsKd", "QhQc"], "2c3d4h5s6c")
    betting = "r300c/cr600c/cc/r1200f"
    state = HOLDEM.replay(betting, deal)
    from pokerlab.arena.hands import PlayedHand

    write_phh(file, [PlayedHand(HOLDEM, 5, deal, ("ann", "bob"), betting, state.payoffs())])
    out = run("replay", file).out
    lines = [line.strip() for line in out.splitlines() if line.strip()]
    assert lines == [
        "hand 5  holdem.nolimit.2p",
        "ann  A♠ K♦  20,000 chips",
        "bob  Q♥ Q♣  20,000 chips",
        "bob raises to 300  pot 400",
        "ann calls 200  pot 600",
        "board  2♣ 3♦ 4♥",
        "ann checks  pot 600",
        "bob bets 300  pot 900",
        "ann calls 300  pot 1,200",
        "board  2♣ 3♦ 4♥ 5♠",
        "ann checks  pot 1,200",
        "bob checks  pot 1,200",
        "board  2♣ 3♦ 4♥ 5♠ 6♣",
        "ann bets 600  pot 1,800",
        "bob folds  pot 1,200",
        "ann +600, bob -600",
    ]


def test_replay_step_by_step(run, phh, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("\n\nq\n"))
    out = run("replay", phh, "--step").out
    assert out.count("pot") == 3
    monkeypatch.setattr("sys.stdin", io.StringIO("\n" * 100))
    assert run("replay", phh, "--step", "--hand", 0).out == run("replay", phh, "--hand", 0).out
    monkeypatch.setattr("sys.stdin", io.StringIO(""))  # the end of the input ends the replay
    assert run("replay", phh, "--step", "--hand", 0).out.count("pot") == 1


def test_replay_against_the_same_and_another_bot(run, hands, acpc):
    same = run("replay", acpc, "--against", "caller", "--seat", 0, "--json").json
    assert same["player"] == "ann"
    assert same["replayed"] == same["recorded"]
    assert same["gain_per_hand"] == 0
    other = run("replay", acpc, "--against", "folder", "--seat", 0, "--json").json
    assert other["hands"] == len(hands)
    assert all(
        "r" not in entry["replayed"] or "f" in entry["replayed"] for entry in other["played"]
    )
    out = run("replay", acpc, "--against", "folder").out
    assert "folder for ann" in out
    assert "in 8 hands" in out


def test_a_cut_log_is_one_line_after_the_hands_before(run, acpc, phh):
    text = acpc.read_text()
    acpc.write_text(text[: text.index("STATE:5") + 20])
    outcome = run("replay", acpc)
    assert outcome.code == 2
    assert outcome.out.count("hand ") == 5
    assert outcome.err.count("\n") == 1
    assert "is cut" in outcome.err
    assert run("replay", acpc, "--json").out == ""
    phh.write_text(phh.read_text()[:-100])
    outcome = run("replay", phh)
    assert outcome.code == 2
    assert outcome.err.count("\n") == 1
    assert "cut in the middle" in outcome.err


def test_deals(run):
    result = run(
        "deals", "leduc", "--pocket", "0:Ks", "--board", "Kh", "--enumerate", "--json"
    ).json
    assert result["count"] == 4
    assert {deal["holes"][0] for deal in result["deals"]} == {"Ks"}
    assert sum(deal["weight"] for deal in result["deals"]) == pytest.approx(1)
    out = run("deals", "kuhn", "--enumerate").out
    assert len(out.splitlines()) == 6
    assert "Js|Ks  0.166667" in out


def test_deals_are_decided_by_the_seed(run):
    def sample(seed):
        arguments = ["-p", "0:AsKd", "-p", "1:QQ+", "-b", "2c3d4h", "-n", 5, "--seed", seed]
        return run("deals", "holdem.limit.2p", *arguments, "--json").json["deals"]

    assert sample(1) == sample(1) != sample(2)
    assert len(sample(1)) == 5
    assert len(run("deals", "draw", "--json").json["deals"][0]["stub"]) == 2 * 42


def test_freeze_out(run):
    arguments = ["freeze-out", "draw", "draw", "caller", "random", "-n", 6, "--seed", 3]
    result = run(*arguments, "--json").json
    assert result["tournaments"] == 6
    assert sum(result["wins"].values()) == pytest.approx(1)
    assert result["wins"].keys() == {"draw", "caller", "random"}
    assert run(*arguments, "--json").json == result
    out = run(*arguments).out
    assert "draw: 6 freeze-outs, seed 3" in out
    once = run("freeze-out", "draw", "caller", "caller", "-n", 1, "--max-hands", 3, "--json").json
    assert once["stderr"] == {"caller": None, "caller.2": None}
    assert once["unfinished"] == 1
    assert "were stopped after 3 hands" in (
        run("freeze-out", "draw", "caller", "caller", "-n", 1, "--max-hands", 3).out
    )


def test_a_freeze_out_can_be_read_and_played_again():
    draw = load_betting_game("draw")
    played = []
    play_freeze_out(draw, [Caller(), RandomBot()], 1, watch=played.append)
    assert all(hand.final.payoffs() == hand.payoffs for hand in played)


BAD = [
    (["replay", "none.log"], "none.log: cannot be read"),
    (["replay", "none.phh"], "none.phh: cannot be read"),
    (["replay", "none.phh", "--game", "poker"], "no game 'poker'"),
    (["deals", "poker"], "no game 'poker'"),
    (["deals", "leduc", "--pocket", "Ks"], "pocket 'Ks': write SEAT:CARDS"),
    (["deals", "leduc", "--pocket", "\u0661:Ks"], "pocket '\u0661:Ks': write SEAT:CARDS"),
    (["deals", "leduc", "--pocket", "5:Ks"], "pocket of seat 5: leduc has seats 0 to 1"),
    (["deals", "leduc", "-p", "0:Ks", "-p", "0:Kh"], "seat 0 has a pocket already"),
    (["deals", "leduc", "--board", "KsKsKs"], "card Ks stands twice"),
    (["deals", "holdem.limit.2p", "--enumerate"], "more than 1,000,000 deals; fix more cards"),
    (["deals", "draw", "--enumerate", "-p", "0:AsKsQsJsTs"], "draw has a draw"),
    (["deals", "leduc", "--enumerate", "--sample", "3"], "give one or the other"),
    (["deals", "leduc", "--sample", "0"], "'--sample'"),
    (
        ["freeze-out", "leduc", "caller", "caller"],
        "leduc cannot be played as a freeze-out of 2: it has no stacks; play draw",
    ),
    (["freeze-out", "draw", "caller"], "1 bots: a freeze-out needs two or more"),
    (["freeze-out", "draw", "caller", "riser"], "no bot 'riser'"),
    (["freeze-out", "draw", "caller", "caller", "-n", "0"], "must be from 1 to 10,000,000"),
]


@pytest.mark.parametrize("as_json", [[], ["--json"]])
@pytest.mark.parametrize(("arguments", "message"), BAD)
def test_bad_input_is_one_line_and_exit_code_2(run, arguments, message, as_json):
    outcome = run(*arguments, *as_json)
    assert outcome.code == 2
    assert outcome.out == ""
    assert outcome.err.count("\n") == 1
    assert message in outcome.err


def test_bad_choices_of_hands(run, phh):
    assert "has no such hand (the last one is 7)" in run("replay", phh, "--hand", 99).err
    assert "give one or the other" in run("replay", phh, "--step", "--against", "caller").err
    assert "seat 2 is not a position" in run("replay", phh, "--against", "caller", "--seat", 2).err

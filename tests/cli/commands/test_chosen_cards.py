"""`--deals`, `--pocket` and `--fixed-button` of `match`, `tournament` and `acpc serve`."""

import pytest


@pytest.fixture
def kings(run, tmp_path):
    outcome = run("deals", "leduc", "-p", "0:K", "-n", 6)
    assert outcome.code == 0
    file = tmp_path / "kings.txt"
    file.write_text(outcome.out)
    return file


def test_a_rank_is_enough_in_kuhn(run):
    assert run("deals", "kuhn", "-p", "0:K", "--enumerate").out == "Ks|Js  0.5\nKs|Qs  0.5\n"
    rows = run("deals", "kuhn", "-p", "1:K", "--enumerate", "--json").json["deals"]
    assert [row["holes"] for row in rows] == [["Js", "Ks"], ["Qs", "Ks"]]


def test_a_match_plays_a_file(run, kings, tmp_path):
    data = run("match", "leduc", "caller", "raiser", "--deals", kings, "--duplicate", "--json").json
    assert (data["hands"], data["deals"]) == (12, str(kings))
    assert data["scores"] == {"caller": 0.0, "raiser": 0.0}
    shown = run("match", "leduc", "caller", "raiser", "--deals", kings, "--hands", 4)
    assert f"leduc: 4 hands, deals of {kings}, seed 0" in " ".join(shown.out.split())
    copy = tmp_path / "kings.json"
    copy.write_text(run("deals", "leduc", "-p", "0:K", "-n", 6, "--json").out)
    again = run("match", "leduc", "caller", "raiser", "--deals", copy, "--duplicate", "--json").json
    assert again["deals_digest"] == data["deals_digest"]


def test_a_match_with_a_pocket(run):
    arguments = ["match", "kuhn", "raiser", "caller", "--hands", 20, "-p", "0:K"]
    data = run(*arguments, "--fixed-button", "--json").json
    assert data["scores"] == {"raiser": 40.0, "caller": -40.0}
    assert (data["pockets"], data["fixed_button"]) == (["0:K"], True)
    assert "20 hands, pockets 0:K, fixed button, seed 0" in run(*arguments, "--fixed-button").out


def test_a_tournament_on_a_file(run, kings):
    arguments = ["tournament", "leduc", "caller", "raiser", "folder"]
    data = run(*arguments, "--deals", kings, "--json").json
    assert (data["hands"], data["matches"], data["deals"]) == (12, 3, str(kings))
    assert run(*arguments, "-p", "0:K", "--hands", 8, "--json").json["pockets"] == ["0:K"]


def test_the_dealer_deals_a_file(run, tmp_path):
    file, log = tmp_path / "deals.txt", tmp_path / "match.log"
    file.write_text(run("deals", "holdem.limit.2p", "-p", "0:AsAd", "-n", 4).out)
    seats = ["--bot", "caller", "--bot", "raiser"]
    data = run("acpc", "serve", "holdem.limit.2p", *seats, "--deals", file, "--log", log, "--json")
    assert data.json["matches"][0]["hands"] == 4
    states = [line for line in log.read_text().splitlines() if line.startswith("STATE")]
    assert len(states) == 4
    assert all("AsAd|" in line for line in states)
    assert [line.split(":")[-1] for line in states[:2]] == ["caller|raiser", "raiser|caller"]
    fixed = ["-p", "1:AsAd", "--hands", 3, "--fixed-button", "--log", log]
    run("acpc", "serve", "holdem.limit.2p", *seats, *fixed)
    states = [line for line in log.read_text().splitlines() if line.startswith("STATE")]
    assert [line.split(":")[-1] for line in states] == ["caller|raiser"] * 3
    assert all("|AsAd" in line for line in states)


def test_bad_input_is_one_line(run, kings):
    for arguments, message in (
        (["match", "leduc", "caller", "raiser", "--hands", 7], "6 deals are enough for 6 hands"),
        (["tournament", "leduc", "caller", "raiser", "--hands", 14], "enough for 12 hands"),
        (["match", "kuhn", "caller", "raiser"], "line 1: the board"),
        (["match", "kuhn.3p", "caller", "raiser", "folder"], "deals 2 hands, kuhn.3p has 3"),
        (["acpc", "serve", "holdem.limit.2p"], "deals 2 private cards"),
        (["match", "leduc", "caller", "raiser", "-p", "0:K"], "deals and pockets"),
        (["match", "leduc", "caller", "raiser", "--log", kings], "--log"),
    ):
        outcome = run(*arguments, "--deals", kings)
        assert outcome.code == 2
        assert message in outcome.err
        assert outcome.err.count("\n") == 1
    outcome = run("match", "leduc", "caller", "raiser", "--deals", "missing.txt")
    assert outcome.code == 2
    assert outcome.err.startswith("pokerlab: missing.txt: cannot be read")

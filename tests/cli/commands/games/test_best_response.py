"""`pokerlab best-response`."""

import pytest

from pokerlab.holdem.spots import Spot, solve_spot
from pokerlab.holdem.spots.checks.hand_responses import hand_responses
from pokerlab.holdem.spots.checks.verify import verify


@pytest.fixture
def kuhn(run, tmp_path):
    file = tmp_path / "kuhn.safetensors"
    assert run("solve", "kuhn", "--iterations", 50, "-o", file).code == 0
    return file


def test_pockets_of_a_game(run, kuhn):
    data = run("best-response", kuhn, "--player", 1, "--json").json
    assert [row["pocket"] for row in data["pockets"]] == ["Js", "Qs", "Ks"]
    assert data["best"] == pytest.approx(sum(row["best"] for row in data["pockets"]) / 3)
    bound = run("verify", kuhn, "--json").json["bounds"][1]
    assert data["best"] == pytest.approx(bound)
    shown = run("best-response", kuhn, "--top", 2).out
    assert "pocket  probability" in shown
    assert "1 more; --all lists them" in shown


def test_one_pocket_is_written_and_played(run, kuhn, tmp_path):
    file = tmp_path / "king.safetensors"
    data = run("best-response", kuhn, "-p", "K", "-o", file, "--json").json
    assert [row["pocket"] for row in data["pockets"]] == ["Ks"]
    assert data["best"] == data["pockets"][0]["best"]
    assert data["strategy"].keys() == {"Ks", "Ks:cr"}
    assert run("verify", file).code == 0
    bots = [f"strategy:{file}", f"strategy:{kuhn}"]
    played = run(
        "match", "kuhn", *bots, *["-p", "0:K", "--fixed-button", "--hands", 2000, "--json"]
    ).json
    won, error = (played[key][bots[0]] / 1000 for key in ("mbb_per_hand", "stderr"))
    assert abs(won - data["best"]) < 4 * error + 1e-9


def test_hands_of_a_spot(run, tmp_path):
    spot = Spot("QhJh2c4d7h", "AA:0.5, KQs, JTs", "QQ, AJs, T9s", pot=100, stack=80)
    solution = solve_spot(spot, iterations=20)
    certificate = verify(solution)
    for player in range(2):
        hands = hand_responses(solution, player)
        blocked = [
            sum(
                other.weight
                for other in hand_responses(solution, 1 - player)
                if not {other.hand[:2], other.hand[2:]} & {hand.hand[:2], hand.hand[2:]}
            )
            for hand in hands
        ]
        shares = [hand.weight * met for hand, met in zip(hands, blocked, strict=True)]
        for name, expected in (("value", certificate.values), ("best", certificate.best_values)):
            mean = sum(
                share * getattr(hand, name) for share, hand in zip(shares, hands, strict=True)
            )
            assert mean / sum(shares) == pytest.approx(expected[player])
        assert all(hand.best >= hand.value - 1e-9 for hand in hands)
    file = tmp_path / "spot.safetensors"
    solution.save(file)
    data = run("best-response", file, "--player", "ip", "-p", "QQ", "--json").json
    assert {row["pocket"] for row in data["pockets"]} == {"QsQd", "QsQc", "QdQc"}
    assert "weight" in run("best-response", file).out
    outcome = run("best-response", file, "-p", "22")
    assert (outcome.code, outcome.err.count("\n")) == (2, 1)
    assert "oop has no such hand" in outcome.err


def test_bad_input_is_one_line(run, kuhn, tmp_path):
    for arguments, message in (
        (["--player", "2"], "--player 2: there is no such player (0, 1)"),
        (["--player", "oop"], "--player oop: there is no such player"),
        (["-p", "A"], "no pocket 'A' of player 0 in kuhn (Js, Qs, Ks)"),
        (["-o", kuhn], "--output"),
        (["--player", "9" * 5000], "--player 999999"),
        (["--team", "0," + "9" * 5000], "--team 0,999999"),
        (["--team", "0,[b]"], "--team 0,[b]: it takes seats, for example 0,1"),
        (["--team", "0", "--player", "1"], "--team and --player: give one or the other"),
        (["--team", "0", "-p", "K"], "--team and --pocket: give one or the other"),
        (["--team", "0", "-o", tmp_path / "new"], "--team and --output: give one or the other"),
        (["--team", "0", "--all"], "--team and --all: give one or the other"),
    ):
        outcome = run("best-response", kuhn, *arguments)
        assert (outcome.code, outcome.out) == (2, "")
        assert message in outcome.err
        assert outcome.err.count("\n") == 1
        assert len(outcome.err.replace(str(kuhn), "")) < 150

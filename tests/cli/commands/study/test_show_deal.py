import pytest

from pokerlab.holdem.spots import Spot, solve_spot
from pokerlab.solvers import solve


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    spot = Spot("KsTs7d4c2h", "77, 65s", "AA", pot=100, stack=100, bet="a", raise_="")
    path = tmp_path_factory.mktemp("deal") / "river.safetensors"
    solve_spot(spot, target="0.01%").save(path)
    return path


def test_a_tree_in_80_columns(run, file):
    outcome = run("show", file, "--deal", "6s5s AdAc")
    assert outcome.code == 0, outcome.err
    lines = outcome.out.splitlines()
    assert lines[0] == "K♠ T♠ 7♦ 4♣ 2♥: oop 6♠5♠, ip A♦A♣; actions below 2% left out"
    assert lines[1] == "first decision, oop acts, pot 100"
    assert "check  62." in lines[2] and "showdown: oop 0, ip 100 (62." in lines[3]
    assert max(map(len, lines)) <= 80


def test_ascii_where_nothing_else_can_be_written(run, file, monkeypatch):
    monkeypatch.setattr("pokerlab.cli.terminal.console.Terminal.encoding", "ascii")
    out = run("show", file, "--deal", "6s5s AdAc").out
    assert out.isascii() and "+-- oop  check" in out and "oop 6s5s" in out


def test_json_and_svg(run, file, tmp_path):
    data = run("show", file, "a", "--deal", "6s5s AdAc", "--json").json
    assert data["nodes"][0]["line"] == "a" and data["nodes"][0]["player"] == 1
    assert data["hands"] == ["6s5s", "AdAc"] and data["files"] == []
    assert [node["action"] for node in data["nodes"]] == ["", "f", "c"]
    picture = tmp_path / "deal.svg"
    assert run("show", file, "--deal", "6s5s AdAc", "--svg", picture).out == f"wrote {picture}\n"
    assert picture.read_text(encoding="utf-8").startswith("<svg")


def test_games(run, tmp_path):
    solve("leduc", "dcfr", iterations=20).save(tmp_path / "leduc.safetensors")
    out = run("show", tmp_path / "leduc.safetensors", "cc/", "--deal", "Ks Qs Jh").out
    assert "after cc/, player 0 acts, pot 2" in out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--deal", "6s5s AdAc", "--top", "3"], "--deal and --top: give one or the other"),
        (["--least", "3%"], "--least needs --deal"),
        (["--deal", "6s5s AdAc", "--least", "x"], "must be a share from 0% to 100%"),
        (["--deal", "6s5s AdAc", "--svg", "a.png"], "the name must end in .svg"),
        (["--deal", "6s5s KdKc"], "hand KdKc is not in the range of ip"),
    ],
)
def test_bad_input_is_one_line(run, file, options, message):
    outcome = run("show", file, *options)
    assert outcome.code == 2 and message in outcome.err and outcome.err.count("\n") == 1

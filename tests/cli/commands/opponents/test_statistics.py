import pytest

from pokerlab.arena.logs.acpc_log import write_acpc_log
from pokerlab.arena.matches import Match


@pytest.fixture
def ask(run):
    return lambda *arguments: run("statistics", *arguments)


@pytest.fixture
def log(tmp_path):
    path = tmp_path / "match.log"
    with Match("holdem.limit.2p", ["caller", "random"], 200, 1) as match:
        write_acpc_log(path, match)
    return path


def test_figures_of_a_log(ask, log):
    found = ask(log, "--game", "holdem.limit.2p", "--json").json["players"]
    assert set(found) == {"caller", "random"}
    assert found["caller"]["hands"] == 200
    assert found["caller"]["pfr"] == 0.0 and found["caller"]["aggression"] == 0.0
    assert found["caller"]["mean"] == -found["random"]["mean"]
    first = found["random"]["actions"][0]
    assert (first["street"], first["active"]) == (0, 2)
    assert first["fold"] > 0 and first["call"] > 0 and first["raise"] > 0


def test_five_card_draw_by_number_of_cards_drawn(ask, run, tmp_path):
    path = tmp_path / "draw.log"
    assert run("match", "draw", "caller", "random", "--hands", 30, "--log", path).code == 0
    rows = ask(path, "--json").json["players"]["random"]["draws"]
    assert [row["cards"] for row in rows] == sorted(row["cards"] for row in rows)
    assert len(rows) > 3 and sum(row["share"] for row in rows) == pytest.approx(1)
    assert "cards drawn" in ask(path).out
    shown = run("replay", path)
    assert "caller stands pat" in shown.out and "  throws " in shown.out
    drawn = [
        step
        for hand in run("replay", path, "--json").json["hands"]
        for step in hand["steps"]
        if "drawn" in step and step["player"] == "random"
    ]
    for row in rows:
        assert sum(step["drawn"] == row["cards"] for step in drawn) == row["draws"]
    assert all(len(step["thrown"]) == len(step["received"]) == 2 * step["drawn"] for step in drawn)


def test_tables_for_people(ask, log):
    outcome = ask(log, "--game", "holdem.limit.2p", "--classes", "raise")
    assert outcome.code == 0, outcome.err
    assert "VPIP" in outcome.out and "caller" in outcome.out
    assert "random: how often it plays raise first" in outcome.out


def test_less_luck(ask, log):
    plain, fair = (
        ask(log, "--game", "holdem.limit.2p", "--json", *options).json["players"]["caller"]
        for options in ([], ["--reduce", "cards"])
    )
    assert fair["stderr"] < 0.8 * plain["stderr"]
    assert fair["actions"] == plain["actions"]


def test_less_luck_of_a_known_bot(ask, run, tmp_path):
    """The bot of a player says what else it might have held and done."""
    path = tmp_path / "leduc.log"
    run("match", "leduc", "random", "caller", "--hands", "200", "--log", path)
    options = ["--reduce", "cards", "--json"]
    cards, known, both = (
        ask(path, *options, *bots).json["players"]["random"]
        for bots in (
            [],
            ["--bot", "random=random"],
            ["--bot", "random=random", "--bot", "caller=caller"],
        )
    )
    assert both["stderr"] < known["stderr"] < cards["stderr"]
    outcome = ask(path, "--bot", "ann=random", "--reduce", "cards")
    assert outcome.code == 2
    assert "--bot 'ann=random': must be a player of the log (random, caller), = and" in outcome.err


@pytest.mark.slow
def test_flops_of_a_list_are_no_luck(ask, run, tmp_path):
    """Values on the flop are others than values before it, and as right on average."""
    deals, path = tmp_path / "deals.txt", tmp_path / "flop.log"
    deals.write_text(run("deals", "holdem.limit.2p", "--flops", "Ks7h2d", "--sample", "30").out)
    played = ["--deals", deals, "--hands", "30", "--log", path]
    run("match", "holdem.limit.2p", "random", "caller", *played)
    options = ["--reduce", "cards", "--json"]
    options += ["--bot", "random=random", "--bot", "caller=caller"]
    any_flop, this_flop = (
        ask(path, *options, *more).json["players"]["random"] for more in ([], ["--flop-first"])
    )
    assert this_flop["actions"] == any_flop["actions"]
    error = this_flop["stderr"] + any_flop["stderr"]
    assert 1e-6 < abs(this_flop["mean"] - any_flop["mean"]) < 3 * error


def test_a_name_may_hold_the_options_of_a_bot(ask, run, tmp_path):
    path = tmp_path / "leduc.log"
    run("match", "leduc", "fair:caution=0.2", "caller", "--hands", "20", "--log", path)
    bots = ["--bot", "fair-caution=0.2=fair:caution=0.2"]
    assert ask(path, "--reduce", "cards", *bots).code == 0
    outcome = ask(path, "--reduce", "cards", "--bot", "fair-caution=fair")
    assert outcome.code == 2 and "must be a player of the log (fair-caution=0.2" in outcome.err


def test_hidden_cards(ask, tmp_path):
    path = tmp_path / "hidden.log"
    path.write_text(
        "# name/game/hands/seed hidden leduc 2 1\n"
        "STATE:0:rf:Ks|:1|-1:ann|bob\nSTATE:1:cc/cc:Js|Qh/Kh:-1|1:ann|bob\nSCORE:0|0:ann|bob\n"
    )
    found = ask(path, "--reduce", "cards", "--json").json
    assert found["hidden"] == ["bob"]
    assert found["players"]["ann"]["mean"] == pytest.approx(0.0)  # the king and the jack were luck
    assert "cards not known in all hands: bob" in ask(path, "--reduce", "cards").out


def test_pictures(ask, log, tmp_path):
    figure, table = tmp_path / "won.png", tmp_path / "hands.svg"
    outcome = ask(log, "--game", "holdem.limit.2p", "--figure", figure, "--table", table)
    assert outcome.code == 0, outcome.err
    assert figure.read_bytes().startswith(b"\x89PNG")
    assert b"random: fold" in table.read_bytes()


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--classes", "bluff"], "--classes bluff: there are fold, call, raise"),
        (["--reduce", "tilt"], "--reduce tilt: there are all-in, cards"),
        (["--bot", "random=random"], "--bot needs --reduce cards"),
        (["--flop-first"], "--flop-first needs --reduce cards"),
        (["--active", "2"], "--active needs --classes or --table"),
        (["--figure", "won.gif"], "--figure won.gif: a picture is a .png or .svg file"),
        (["--game", "kuhm"], "no game 'kuhm'"),
    ],
)
@pytest.mark.usefixtures("folder")
def test_bad_input(ask, log, options, complaint):
    outcome = ask(log, *options)
    assert outcome.code == 2
    assert complaint in outcome.err and len(outcome.err.splitlines()) == 1


def test_an_empty_log(ask, tmp_path):
    path = tmp_path / "empty.phhs"
    path.write_text("")
    outcome = ask(path)
    assert outcome.code == 2 and "empty.phhs" in outcome.err

import re
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

from pokerlab.games import game_names, load_game, read_toml
from pokerlab.solvers import find_errors, solve
from pokerlab.trees import GameTree

KUHN = """
players = 2
betting = "limit"
ranks = "JQK"
suits = "s"
showdown = "high-card"
ante = 1
[[streets]]
hole = 1
bet = 1
max_raises = 1
"""

# Player 1 holds K and player 0 has checked: the decision of the document's first figures.
MOVE = "1:0d{} 1d{K} 0c"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty folder to work in, so that whatever a command writes is seen."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_list(run):
    names = run("game", "list", "--json").json["games"]
    assert names == game_names()
    outcome = run("game", "list")
    assert outcome.code == 0
    words = outcome.out.split()
    for name, description in names.items():
        assert name in words
        assert description.split()[-1] in words


@pytest.mark.parametrize(
    ("name", "players", "nodes", "information_sets", "terminals"),
    [("kuhn", 2, 58, 12, 30), ("kuhn.3p", 3, 617, 48, 312), ("leduc", 2, 9457, 936, 5520)],
)
def test_show(run, name, players, nodes, information_sets, terminals):
    shown = run("game", "show", name, "--json").json
    assert (shown["name"], shown["players"]) == (name, players)
    assert shown["description"] == game_names()[name]
    assert read_toml(shown["rules"], "other") == load_game(name)
    tree = shown["tree"]
    assert (tree["nodes"], tree["information_sets"]) == (nodes, information_sets)
    assert tree["terminals"] == terminals
    assert 40 < tree["bytes_per_node"] < 80
    assert f"tree: {nodes:,} nodes, {information_sets:,} information sets, {terminals:,} ends" in (
        run("game", "show", name).out
    )


def test_shown_rules_can_be_copied_to_a_file(run, monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    first, *rules = run("game", "show", "holdem.limit.2p").out.splitlines()
    assert first == "holdem.limit.2p, 2 players"
    last = rules.index("tree: more than 100,000 nodes")
    assert read_toml("\n".join(rules[:last]), "other") == load_game("holdem.limit.2p")
    assert "319,365,922,522,608" in "".join(rules[last:])


def test_show_a_game_that_is_too_large_to_write_out(run):
    shown = run("game", "show", "rhodeisland", "--json").json
    assert shown["tree"] is None
    assert shown["size"]["information_sets"] == 52_128_128
    for name, why in (("holdem.nolimit.2p", "too many sizes"), ("draw", "cards are exchanged")):
        assert run("game", "show", name, "--json").json["size"] is None
        assert why in " ".join(run("game", "show", name).out.split())


def test_show_a_game_without_cards(run):
    shown = run("game", "show", "rps", "--json").json
    assert "rules" not in shown
    assert shown["tree"]["information_sets"] == 2
    assert run("game", "show", "rps").out.splitlines()[:2] == [
        "rps, 2 players",
        "Rock, paper, scissors",
    ]


def test_descriptions_with_brackets_and_colons_are_printed_as_they_are(run, folder):
    (folder / "mine.toml").write_text('description = "[a] :x: b[/c]"\n' + KUHN)
    shown = run("game", "show", "mine.toml").out
    assert shown.startswith('mine, 2 players\nname = "mine"\ndescription = "[a] :x: b[/c]"\n')


def test_the_top_of_a_tree_that_is_too_large_to_build(run, folder, monkeypatch):
    monkeypatch.setattr("pokerlab.cli.commands.games.games._MAX_NODES", 2000)
    (folder / "wide.toml").write_text(
        KUHN.replace('"limit"', '"no-limit"\nstacks = [40, 40]').replace("max_raises = 1", "")
    )
    out = run("game", "tree", "wide.toml", "--depth", "2").out
    assert out.startswith("wide, game tree\n#0: chance\n├─ 0d{Js} → #1: chance\n")
    assert "   └─ 1d{Qs} → #9: player 0; … 40 moves\n" in out
    outcome = run("game", "tree", "wide.toml", "--strategy", "lp")
    assert outcome.code == 2
    assert outcome.err.startswith("pokerlab: --strategy lp: wide has more than 2,000 nodes")
    assert run("game", "show", "wide.toml", "--json").json["tree"] is None


def test_limit_holdem_to_a_depth(run, folder):
    run("game", "tree", "holdem.limit.2p", "--view", "action", "--depth", 3, "--svg", "top.svg")
    drawn = (folder / "top.svg").read_text()
    assert "holdem.limit.2p, action tree" in drawn and "… 1,313 nodes" in drawn
    outcome = run("game", "tree", "holdem.limit.2p", "--view", "player:0")
    assert outcome.code == 2 and outcome.err.count("\n") == 1
    assert "limit them by a depth of 1 (1,327 nodes) or by a path" in outcome.err


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("kuhn", -1 / 18),
        ("kuhn2", -1 / 18),
        ("onecard", -5 / 78),
        ("onecard2", -3 / 76),
        ("leduc", -0.0856064240780514),
        ("rps", 0),
    ],
)
def test_value_by_linear_program(run, name, value):
    found = run("game", "value", name, "--solver", "lp", "--json").json
    assert found["value"] == pytest.approx(value, abs=1e-9)
    assert found["values"] == pytest.approx([value, -value], abs=1e-9)
    assert 0 <= found["exploitability"] < 1e-9
    assert found["game"] == name
    assert found["solver"] == "lp"
    assert found["stopped"] == "optimal"


def test_value_by_rule(run):
    found = run("game", "value", "kuhn", "--solver", "cfr+", "--target", 1e-3, "--json").json
    assert found["exploitability"] <= 1e-3
    # What both players together can gain bounds how far off the value is.
    assert abs(found["value"] + 1 / 18) <= 2 * found["exploitability"]
    assert found["stopped"] == "target"


def test_value_for_three_players(run):
    found = run("game", "value", "kuhn.3p", "--solver", "cfr", "--target", 1e-2, "--json").json
    assert len(found["values"]) == 3
    assert sum(found["values"]) == pytest.approx(0, abs=1e-12)
    assert found["exploitability"] <= 1e-2


def test_value_for_people(run):
    outcome = run("game", "value", "kuhn")
    assert outcome.code == 0
    assert outcome.err == ""
    assert outcome.out.startswith(
        "kuhn is worth -0.055555555556 to player 0, +0.055555555556 to player 1\nby lp in "
    )
    assert "exploitability" in outcome.out


@pytest.mark.parametrize(
    ("view", "title", "nodes"),
    [
        ("game", "kuhn, game tree", 58),
        ("player:0", "kuhn, tree of player 0", 31),
        ("player:1", "kuhn, tree of player 1", 29),
        ("observer", "kuhn, observer tree", 11),
        ("chance", "kuhn, chance tree", 10),
        ("action", "kuhn, action tree", 9),
    ],
)
def test_tree_from_every_side(run, view, title, nodes):
    outcome = run("game", "tree", "kuhn", "--view", view)
    assert outcome.code == 0
    first, *rest = outcome.out.splitlines()
    assert first == title
    # A line for each node, numbered from the root.
    assert [int(re.search(r"#(\d+):", line)[1]) for line in rest] == list(range(nodes))
    assert run("game", "tree", "kuhn", "--view", view, "--json").json == {
        "game": "kuhn",
        "view": view,
        "text": outcome.out.rstrip("\n"),
        "files": [],
    }


def test_tree_is_not_wrapped(run, monkeypatch):
    wide = run("game", "tree", "kuhn", "--show", "infosets").out
    monkeypatch.setenv("COLUMNS", "20")
    assert run("game", "tree", "kuhn", "--show", "infosets").out == wide


def test_tree_with_the_equilibrium(run):
    text = run("game", "tree", "kuhn", "--strategy", "lp", "--show", "values,reach,infosets").out
    root, *_ = text.splitlines()[1:]
    assert root == "#0: chance; v −0.0556; reach 1"
    assert "#18: end; 1 −1" in text
    assert "player 1; Ks:c;" in text
    # Player 1 always bets K after a check, and the move has its probability on the edge.
    edges = run("game", "tree", "kuhn", "--strategy", "lp", "--path", "0d{J}1d{K}0c1r").out
    assert "1r 1 → #14: player 0" in edges


def test_tree_of_values_for_the_other_seat(run):
    for seat, value in ((0, "−0.0556"), (1, "0.0556")):
        shown = ("--strategy", "lp", "--show", "values", "--seat", seat, "--depth", 0)
        assert f"#0: chance; v {value};" in run("game", "tree", "kuhn", *shown).out


def test_tree_with_a_rule_and_differences(run):
    shown = ("--strategy", "cfr+", "--show", "deltas", "--compare", "lp", "--view", "action")
    text = run("game", "tree", "kuhn", *shown).out
    assert len(re.findall(r"Δ (0|[+−]\d\.\d{4})", text)) >= 6
    nothing = run("game", "tree", "kuhn", *shown[2:], "--strategy", "lp").out
    assert set(re.findall(r"Δ (\S+?)(?:;|$)", nothing, re.MULTILINE)) == {"0"}


@pytest.mark.parametrize("name", ["kuhn.safetensors", "kuhn", "cfr.solution"])
def test_tree_with_a_saved_solution(run, folder, name):
    assert run("solve", "kuhn", "--rule", "cfr", "--iterations", 50, "-o", name).code == 0
    file = folder / name
    by_file = run("game", "tree", "kuhn", "--strategy", file, "--view", "player:0").out
    assert re.search(r"0r 0\.\d+ →", by_file)
    assert by_file != run("game", "tree", "kuhn", "--strategy", "lp", "--view", "player:0").out


def test_tree_refuses_the_solution_of_another_game(run, folder):
    assert run("solve", "kuhn", "--iterations", 5, "-o", "kuhn.safetensors").code == 0
    solution = ("--strategy", "kuhn.safetensors", "--depth", 1)
    refused(run("game", "tree", "leduc", *solution), "is a solution of kuhn, not of leduc")
    (folder / "kuhn.toml").write_text(KUHN.replace("ante = 1", "ante = 2"))
    refused(run("game", "tree", "kuhn.toml", *solution), "of other rules than this game has now")


def test_depth_and_path_limit_the_tree(run):
    text = run("game", "tree", "kuhn", "--depth", 1).out
    assert text.splitlines() == [
        "kuhn, game tree",
        "#0: chance",
        "├─ 0d{Js} → #1: chance; … 18 nodes",
        "├─ 0d{Qs} → #20: chance; … 18 nodes",
        "└─ 0d{Ks} → #39: chance; … 18 nodes",
    ]
    text = run("game", "tree", "kuhn", "--path", "0d{J}1d{K}0c*").out
    assert re.findall(r"#(\d+)", text) == ["0", "1", "11", "12", "13", "14", "15", "16"]
    text = run("game", "tree", "kuhn", "--path", "0d{J}1d{K}0c*", "--depth", 4).out
    assert re.findall(r"#(\d+)", text) == ["0", "1", "11", "12", "13", "14"]


def test_a_large_tree_is_drawn_in_part(run):
    outcome = run("game", "tree", "leduc", "--depth", 1)
    assert outcome.code == 0
    assert len(outcome.out.splitlines()) == 1 + 1 + 6


@pytest.mark.parametrize(
    ("view", "marked"), [("player:1", 4), ("game", 8), ("player:0", 8), ("observer", 4)]
)
def test_what_a_move_influences(run, view, marked):
    text = run("game", "tree", "kuhn", "--view", view, "--move", MOVE).out
    assert text.count("[influenced by player 1]") == marked


def test_pictures(run, folder):
    image = pytest.importorskip("matplotlib.image")
    kinds = ("--svg", "tree.svg", "--png", "tree.png", "--dot", "tree.dot")
    found = run("game", "tree", "kuhn", "--strategy", "lp", *kinds, "--json").json
    assert found["files"] == ["tree.svg", "tree.png", "tree.dot"]
    assert found["text"].startswith("kuhn, game tree\n#0: chance")
    assert sorted(file.name for file in folder.iterdir()) == ["tree.dot", "tree.png", "tree.svg"]

    svg = ElementTree.parse(folder / "tree.svg").getroot()
    assert svg.tag == "{http://www.w3.org/2000/svg}svg"
    assert len(svg.findall(".//{*}g[@class='node']")) == 58

    picture = image.imread(folder / "tree.png")
    height, width, _ = picture.shape
    assert height > 500
    assert width > 500
    shades = picture[:, :, :3].mean(axis=2)
    assert 0.01 < np.mean(shades < 0.9) < 0.9  # neither empty nor black

    dot = (folder / "tree.dot").read_text()
    assert dot.startswith('digraph "kuhn, game tree" {')
    assert dot.rstrip().endswith("}")
    assert len(re.findall(r"^  n\d+ \[label=", dot, re.MULTILINE)) == 58
    assert len(re.findall(r"^  n\d+ -> n\d+ \[label=", dot, re.MULTILINE)) == 57


def test_pictures_are_named_for_people(run, folder, monkeypatch):
    monkeypatch.setenv("COLUMNS", "20")
    name = "a-tree-with-a-long-name-[bold].svg"
    outcome = run("game", "tree", "kuhn", "--svg", name)
    assert outcome.out == f"wrote {name}\n"
    assert (folder / name).is_file()


def test_pictures_show_the_chosen_part(run, folder):
    chosen = ("--view", "player:1", "--path", "0d{}1d{K}*", "--move", MOVE)
    assert run("game", "tree", "kuhn", *chosen, "--svg", "part.svg").code == 0
    svg = (folder / "part.svg").read_text()
    text = run("game", "tree", "kuhn", *chosen).out
    assert svg.count('class="node"') == len(text.splitlines()) - 1
    assert "influenced by player 1" in svg


BAD = [
    (["show", "kuhm"], "no game 'kuhm', did you mean kuhn"),
    (["show", "missing.toml"], "missing.toml: cannot be read: No such file"),
    (["value", "kuhm"], "no game 'kuhm'"),
    (["value", "kuhn.3p"], "a linear program solves two-player games; kuhn.3p has 3 players"),
    (["value", "kuhn", "--solver", "magic"], "unknown rule 'magic'; known rules are cfr"),
    (["value", "kuhn", "--solver", "cfr", "--target", "-1"], "Invalid value for '--target'"),
    (["value", "kuhn", "--target", "soon"], "got 'soon'"),
    (["tree", "kuhm"], "no game 'kuhm'"),
    (["tree", "kuhn", "--view", "side"], "unknown view 'side' of kuhn: game, player:0"),
    (["tree", "kuhn", "--view", "player:2"], "unknown view 'player:2'"),
    (["tree", "leduc"], "9,457 nodes are too many to draw (more than 2,000); limit them by"),
    (["tree", "kuhn", "--path", "0d{A}"], "no path '0d{A}' in kuhn, game tree: it starts with"),
    (["tree", "kuhn", "--path", "0d{J}1d{J}"], "after '0d{Js}' comes 1d{Qs}, 1d{Ks}"),
    (["tree", "kuhn", "--depth", "-1"], "Invalid value for '--depth'"),
    (["tree", "kuhn", "--show", "colour"], "cannot show 'colour' in a tree: strategy, values"),
    (["tree", "kuhn", "--show", "values"], "to show values a strategy is needed"),
    (["tree", "kuhn", "--strategy", "lp", "--show", "deltas"], "a strategy to compare with"),
    (["tree", "kuhn", "--compare", "lp"], "--compare needs --show deltas"),
    (["tree", "kuhn", "--strategy", "magic"], "no strategy 'magic': it is lp, a rule (cfr,"),
    (["tree", "kuhn", "--strategy", "no.safetensors"], "no strategy 'no.safetensors'"),
    (["tree", "kuhn", "--strategy", "dcfr(fast)"], "'fast' is not a number"),
    (["tree", "kuhn.3p", "--strategy", "lp", "--depth", "1"], "kuhn.3p has 3 players"),
    (["tree", "kuhn", "--seat", "2"], "no player 2: kuhn has 2, from 0"),
    (["tree", "kuhn", "--move", "0d{J}"], "--move '0d{J}': write SEAT:PATH"),
    (["tree", "kuhn", "--move", "²:0d{J}"], "write SEAT:PATH"),
    (["tree", "kuhn", "--move", "2:0d{J}"], "--move '2:0d{J}': there is no player 2 of 2"),
    (["tree", "kuhn", "--move", "1:0d{}"], "'0d{}' is no move of player 1"),
    (["tree", "kuhn", "--move", "1:0d{} 1d{} 0c"], "fits 3 nodes"),
    (["tree", "kuhn", "--svg", "tree.png"], "--svg tree.png: the name must end in .svg"),
    (["tree", "kuhn", "--svg", "a.svg", "--png", "b.jpg"], "--png b.jpg: the name must end in"),
    (["tree", "kuhn", "--svg", "a.svg", "--dot", "no/b.dot"], "there is no folder no"),
    (["tree", "kuhn", "--svg", "a.svg", "--path", "0d{A}"], "no path '0d{A}'"),
]


def refused(outcome, message):
    assert outcome.code == 2
    assert outcome.out == ""
    assert outcome.err.startswith("pokerlab: ")
    assert outcome.err.count("\n") == 1
    assert message in outcome.err


@pytest.mark.parametrize(("arguments", "message"), BAD)
def test_bad_input_is_one_line_and_nothing_is_written(run, folder, arguments, message):
    refused(run("game", *arguments), message)
    assert list(folder.iterdir()) == []


def test_a_picture_never_replaces_a_folder(run, folder):
    (folder / "tree.svg").mkdir()
    outcome = run("game", "tree", "kuhn", "--png", "tree.png", "--svg", "tree.svg")
    refused(outcome, "--svg tree.svg: this is a folder")
    assert [file.name for file in folder.iterdir()] == ["tree.svg"]


FAULTS = [
    ("players = 2", "", "players: missing (2 to 10)"),
    ('betting = "limit"', "", "betting: missing (limit, pot-limit, no-limit)"),
    ("bet = 1", "", "streets[0].bet: missing, a limit game needs a bet size"),
    ("hole = 1", "", "streets[0].hole: a player needs a private card"),
    ('betting = "limit"', 'betting = "no-limit"', "stacks: missing"),
    ('betting = "limit"', 'betting = "spread"', "betting: 'spread' is not known (limit,"),
    ("players = 2", "players = 4", "do not fit into a deck of 3"),
    ("ante = 1", "ante = 1\nblinds = [1, 2, 3]", "blinds: 3 given, 2 players need one each"),
    ("ante = 1", 'ante = 1\nmenu = "50%"', "menu: a limit game has one bet size"),
    ('"high-card"', '"five-card"', "showdown: five-card ranks"),
    ("max_raises", "max_raise", "unknown field, did you mean max_raises?"),
    ("ante = 1", "ante =", "not a TOML file"),
]


@pytest.mark.parametrize(("field", "fault", "message"), FAULTS)
def test_a_faulty_game_file_is_one_line(run, folder, field, fault, message):
    assert KUHN.count(field) == 1
    (folder / "mine.toml").write_text(KUHN.replace(field, fault))
    for arguments in (
        ["game", "show", "mine.toml"],
        ["game", "value", "mine.toml", "--json"],
        ["game", "tree", "mine.toml", "--svg", "tree.svg"],
    ):
        outcome = run(*arguments)
        refused(outcome, message)
        assert "mine.toml: " in outcome.err
    assert [file.name for file in folder.iterdir()] == ["mine.toml"]


def test_a_faulty_acpc_file_is_one_line(run, folder):
    (folder / "mine.game").write_text("GAMEDEF\nlimit\nnumPlayers = 2\nEND GAMEDEF\n")
    outcome = run("game", "show", "mine.game")
    refused(outcome, "mine.game: ")
    (folder / "binary.toml").write_bytes(b"\xff\xfe")
    refused(run("game", "show", "binary.toml"), "binary.toml: not a text file in UTF-8")


def test_a_game_file_is_a_game_like_those_of_the_catalogue(run, folder):
    (folder / "mine.toml").write_text(KUHN)
    assert run("game", "value", "mine.toml", "--json").json["value"] == pytest.approx(-1 / 18)
    text = run("game", "tree", "mine.toml").out
    assert text.splitlines()[0] == "mine, game tree"
    assert text.splitlines()[1:] == run("game", "tree", "kuhn").out.splitlines()[1:]


def test_errors_are_those_of_the_library(run, tmp_path):
    rules = solve("rps.dynamite", "fp", iterations=30)
    rules.save(tmp_path / "fp.st")
    data = run("game", "errors", "rps.dynamite", tmp_path / "fp.st", "--json").json
    tree = GameTree.of(load_game("rps.dynamite"))
    found = find_errors(tree, rules.strategy, 0)
    assert {(each["action"], each["loss"]) for each in data["errors"]} == {
        (each.action, each.loss) for each in found
    }
    assert [each["loss"] for each in data["errors"]] == sorted(
        (each.loss for each in found), reverse=True
    )
    shown = run("game", "errors", "rps.dynamite", tmp_path / "fp.st").out
    assert "dominated by paper" in shown and "1 of them dominated" in shown
    assert run("game", "errors", "kuhn", "lp").out == "player 0 makes no error\n"


def test_errors_of_other_games_are_one_line(run):
    refused(
        run("game", "errors", "kuhn.3p", "cfr"),
        "errors are found in two-player games; kuhn.3p has 3 players",
    )
    for strategy, what in (("lp", "a linear program solves"), ("cfr", "errors are found in")):
        refused(
            run("game", "errors", "seminar1", strategy),
            f"{what} zero-sum games; payoffs of seminar1 do not sum to 0",
        )
    assert "no strategy 'nothing'" in run("game", "errors", "kuhn", "nothing").err

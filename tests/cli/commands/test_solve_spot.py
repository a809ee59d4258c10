"""Spots on the command line: solve."""

from __future__ import annotations

import os

import numpy as np
import pytest
from tests.cli.spot_files import EXAMPLES, files, options, refused, solved

from pokerlab.cli.shared.progress import SolveStatus
from pokerlab.cli.shared.spots import make_spot
from pokerlab.postflop import PostflopSolution, Spot, load_postflop


def test_what_scripts_rely_on(run, folder):
    result = solved(run, *options(), "--target", "0.1%", "-o", "river.safetensors")
    assert result["iterations"] > 10
    assert result["seconds"] > 0
    found = result["exploitability"]
    assert 0 < found["percent"] <= 0.1
    assert found["chips"] == pytest.approx(found["percent"])  # the pot is 100
    assert found["mbb"] == pytest.approx(1000 * found["chips"])
    assert sum(result["values"]) == pytest.approx(100)
    assert sum(result["equities"]) == pytest.approx(1)
    gained = sum(result["bounds"]) - sum(result["values"])
    assert gained / 2 == pytest.approx(found["chips"])
    assert result["stopped"] == "target"
    assert result["rule"] == "dcfr(1.3,0.5,3,0.1)"
    assert result["file"] == "river.safetensors"
    assert files(folder) == ["river.safetensors"]
    assert load_postflop("river.safetensors").values == tuple(result["values"])


def test_mbb_are_thousandths_of_the_big_blind(run):
    one = solved(run, *options(), "--iterations", 20)["exploitability"]
    two = solved(run, *options(), "--iterations", 20, "--big-blind", 2)["exploitability"]
    assert (two["chips"], two["percent"]) == (one["chips"], one["percent"])
    assert two["mbb"] == pytest.approx(one["mbb"] / 2)


def test_mbb_are_shown_where_there_is_a_big_blind(run):
    """Scripts have the number in any case, and are told whether it means anything."""
    for given, known in (([], None), (["--big-blind", 2], 2), (["--bet", "5bb"], 1)):
        arguments = (*options(), "--iterations", 20, *given)
        assert ("mbb" in run("solve", *arguments).out) == (known is not None)
        assert solved(run, *arguments)["big_blind"] == known


def test_a_lock_is_kept_and_costs_the_one_who_has_it(run, folder):
    free = solved(run, *options(), "--iterations", 300)
    locked = solved(
        run, *options(lock=": x=AA, KQs, JTs"), "--iterations", 300, "-o", "a.safetensors"
    )
    assert locked["values"][0] < free["values"][0] + 0.01
    shown = run("show", "a.safetensors", "--json").json
    assert shown["frequencies"][shown["actions"].index("x")] == pytest.approx(1)


def test_what_a_partial_file_leaves_out_is_valued_by_the_solver(run, folder, monkeypatch):
    """On the device of the solve, that is: `first_streets` walks on the processor."""
    monkeypatch.setattr(PostflopSolution, "first_streets", None)
    turn = options(board="QhJh2c4d", bet="a")
    solved(run, *turn, "--target", "1%", "--partial", "-o", "a.safetensors")
    kept = load_postflop("a.safetensors")
    assert kept.partial and len(kept.strategies) == 1
    whole = solved(run, *turn, "--target", "1%", "-o", "b.safetensors")
    assert kept.values == pytest.approx(whole["values"])
    first, second = kept.at("x").action_ev, load_postflop("b.safetensors").at("x").action_ev
    np.testing.assert_allclose(first, second, atol=1e-3)


def test_a_spot_file_and_options_beside_it(run):
    result = solved(run, EXAMPLES / "s3-river.toml", "--target", "0.1%")
    assert result["values"][0] == pytest.approx(92.774, abs=0.1)
    smaller = solved(run, EXAMPLES / "s3-river.toml", "--pot", 100, "--stack", "300,400")
    assert sum(smaller["values"]) == pytest.approx(100)
    assert smaller["equities"] == result["equities"]
    board = ("--board", "Td9d6hQc3s", "--oop", "TT", "--raise", "60%", "--bet", "a")
    other = solved(run, EXAMPLES / "s3-river.toml", *board, "--iterations", 1)
    assert other["equities"] != result["equities"]


def test_menus_by_texture_are_those_of_the_board(run, folder):
    fields = {name.strip("-"): value for name, value in zip(*[iter(options())] * 2, strict=True)}
    text = "".join(f'{name} = "{value}"\n' for name, value in fields.items() if name != "board")
    menus = '[textures.monotone]\nbet = "a"\n[textures.two-tone]\nbet = "25%"\n'
    (folder / "spot.toml").write_text(text + menus)

    def actions(board, **given):
        spot = make_spot("spot.toml", {"board": board, **given}, quiet=True)
        return spot.tree.streets[0].labels(0)

    assert actions("QhJh2c4d7h") == ["x", "b25"]
    assert actions("QhJh2h4d7h") == ["x", "a"]
    assert actions("QhJs2c4d7h") == ["x", "b50", "a"]
    assert actions("QhJh2c4d7h", bet="75%") == ["x", "b75"]  # an option replaces all
    (folder / "whole.toml").write_text(f'board = "QhJh2c4d7h"\n{text}{menus}')
    assert Spot.from_file("whole.toml") == make_spot("spot.toml", {"board": "QhJh2c4d7h"})
    given = ("solve", "spot.toml", "--dry-run", "--board")
    assert "spot.toml: the menus of its texture 'two-tone'" in run(*given, "QhJh2c4d7h").err
    assert "spot.toml: none of its textures fits" in run(*given, "QhJs2c4d7h").err
    assert run(*given, "QhJs2c4d7h", "--json").err == ""
    (folder / "spot.toml").write_text(text + '[textures.wet]\nbet = "a"\n')
    refused(run("solve", "spot.toml", "--board", "QhJh2c4d7h"), "spot.toml: bad texture 'wet'")
    (folder / "spot.toml").write_text(text + "textures = 3\n")
    refused(run("solve", "spot.toml", "--board", "QhJh2c4d7h"), "write a table for each texture")


def test_every_field_of_a_spot_has_an_option(run, monkeypatch):
    seen = []
    monkeypatch.setattr(
        "pokerlab.cli.commands.solve.count_spot", lambda spot, *_: seen.append(spot)
    )
    replaced = {
        "bet": "33%",
        "raise": "2.5x",
        "donk": "",
        "aggressor": "ip",
        "add_allin": 1.5,
        "force_allin": 0.15,
        "merge": 0.1,
        "max_bets": 3,
        "rake": 0.05,
        "rake_cap": 30,
        "big_blind": 2,
        "smallest_chip": 0.1,
        "add_line": "b77",
        "remove_line": "x/b33",
        "stack": "80,90",
    }
    assert run("solve", "--dry-run", *options(**replaced)).code == 0
    expected = Spot(
        "QhJh2c4d7h",
        "AA, KQs, JTs",
        "QQ, AJs, T9s",
        pot=100,
        stack=[80, 90],
        bet="33%",
        raise_="2.5x",
        donk="",
        aggressor="ip",
        add_allin=1.5,
        force_allin=0.15,
        merge=0.1,
        max_bets=3,
        rake=0.05,
        rake_cap=30,
        big_blind=2,
        smallest_chip=0.1,
        added="b77",
        removed="x/b33",
    )
    assert seen == [expected]


@pytest.mark.parametrize(
    ("rule", "used"),
    [
        (None, "dcfr(1.3,0.5,3,0.1)"),
        ("DCFR", "dcfr(1.5,0,2)"),
        ("dcfr(1.5,0,2)", "dcfr(1.5,0,2)"),
        ("cfr+", "cfr+(1)"),
        ("pcfr+", "pcfr+(2)"),
        ("cgh(0.1)", "cgh(0.1)"),
    ],
)
def test_rules(run, rule, used):
    chosen = ["--rule", rule] if rule else []
    result = solved(run, *options(), *chosen, "--iterations", 100)
    assert (result["rule"], result["iterations"]) == (used, 100)
    assert result["exploitability"]["percent"] < 3


@pytest.mark.parametrize("extra", [["--precision", 16], ["--threads", 1], ["--no-isomorphism"]])
def test_how_the_engine_runs_changes_little(run, extra):
    usual = solved(run, *options(), "--iterations", 200)
    other = solved(run, *options(), "--iterations", 200, *extra)
    assert other["values"] == pytest.approx(usual["values"], abs=0.1)


def test_a_resumed_solve_is_the_uninterrupted_one(run, folder):
    whole = solved(run, *options(), "--iterations", 60)
    half = solved(run, *options(), "--iterations", 25, "--resume", "checkpoint")
    rest = solved(run, *options(), "--iterations", 60, "--resume", "checkpoint")
    assert (half["iterations"], rest["iterations"]) == (25, 60)
    assert rest["values"] == whole["values"] != half["values"]
    assert files(folder) == ["checkpoint"]


def test_the_phases_of_a_solve(run, folder, monkeypatch):
    seen = []
    line = SolveStatus.line

    def see(status):
        seen.append(line(status, 0.0))

    report, enter = SolveStatus.__call__, SolveStatus.enter
    monkeypatch.setattr(SolveStatus, "__call__", lambda self, new: (report(self, new), see(self)))
    monkeypatch.setattr(SolveStatus, "enter", lambda self, new: (enter(self, new), see(self)))
    solved(run, *options(), "--iterations", 20, "-o", "river.safetensors")
    phases = [text.split(",")[0] for text in seen]
    assert phases[0] == "preparing"
    assert phases[1].startswith("iteration ")
    parts = [f"certifying {part}%" for part in (0, 25, 50, 75)]
    assert phases[-5:-1] == parts
    assert phases[-1] == "saving 640 bytes"


def test_going_on_from_a_solution(run, folder):
    solved(run, *options(), "--iterations", 10, "-o", "rough.safetensors")
    rough = load_postflop("rough.safetensors")
    better = solved(run, "rough.safetensors", "--target", "0.1%", "-o", "better.safetensors")
    assert better["exploitability"]["percent"] <= 0.1 < rough.exploitability.percent
    assert better["iterations"] > rough.iterations
    assert better["rule"] == rough.rule
    assert better["history"][-1]["iteration"] == better["iterations"]
    assert load_postflop("better.safetensors").spot == rough.spot
    assert load_postflop("rough.safetensors").iterations == 10
    # The same file is replaced only where it is named.
    before = (folder / "better.safetensors").read_bytes()
    more = ("--iterations", better["iterations"] + 20)
    solved(run, "better.safetensors", *more)
    assert (folder / "better.safetensors").read_bytes() == before
    solved(run, "better.safetensors", *more, "-o", "./better.safetensors")
    assert load_postflop("better.safetensors").iterations == better["iterations"] + 20
    assert files(folder) == ["better.safetensors", "rough.safetensors"]


def test_what_a_solution_says_itself_is_refused(run, folder, river):
    for option in (("--pot", "7"), ("--lock", "x: x=QQ"), ("--no-isomorphism",)):
        refused(run("solve", river, *option), f"{option[0]} applies only to spots, not to sol")
    refused(run("solve", river, "--plot", river), "a picture is a .png or .svg file")
    refused(run("solve", river, "--resume", river), "this file is read by the command")
    refused(run("solve", "missing.safetensors"), "there is no file 'missing.safetensors'")
    run("solve", "kuhn", "--rule", "lp", "-o", "kuhn.safetensors")
    refused(run("solve", "kuhn.safetensors"), "is a solution of kuhn: solve continues solutions")
    assert run("solve", river, "--dry-run", "--json").json["nodes"]["river"] > 0


def test_ctrl_c_keeps_what_has_been_reached(run, folder, interrupted):
    interrupted(after=10)
    arguments = ("--target", "1e-9%", "-o", "river.safetensors", "--json")
    outcome = run("solve", *options(), *arguments)
    assert outcome.code == 130
    assert " iterations are saved to river.safetensors\n" in outcome.err
    result = outcome.json
    assert result["stopped"] == "interrupted"
    assert load_postflop("river.safetensors").iterations == result["iterations"] >= 10


def test_the_measurements_are_in_the_json_and_in_a_picture(run, folder):
    result = solved(run, *options(), "--iterations", 30, "--plot", "river.svg")
    assert [point["iteration"] for point in result["history"]][-1] == 30
    assert "exploitability (chips)" in (folder / "river.svg").read_text(encoding="utf-8")


def test_the_result_for_people(run, folder):
    outcome = run("solve", *options(), "--target", "0.1%", "-o", "river.safetensors")
    assert outcome.code == 0
    lines = [line.split() for line in outcome.out.splitlines()]
    assert outcome.out.startswith("Q♥ J♥ 2♣ 4♦ 7♥, pot 100, stacks 80\n")
    assert ["out", "of", "position", "12.0", "51.52%"] in [line[:5] for line in lines]
    assert ["in", "position", "10.0", "48.48%"] in [line[:4] for line in lines]
    assert "% of the pot\n" in outcome.out
    assert "iterations of dcfr(1.3,0.5,3,0.1) in" in outcome.out
    assert ["b50", "pot", "150"] in [line[-3:] for line in lines]
    assert lines[-1] == [
        "saved",
        "to",
        "river.safetensors;",
        "pokerlab",
        "show",
        "river.safetensors",
    ]


def test_dry_run_counts_the_reference_tree(run, folder):
    arguments = ("solve", EXAMPLES / "thesis-qhjh2c.toml", "--dry-run", "--no-isomorphism")
    found = run(*arguments, "--json").json
    assert found["nodes"] == {
        "flop": 57,
        "turn": 18_081,
        "river": 3_577_392,
        "total": 3_595_530,
    }
    assert (found["player_nodes"], found["dealer_nodes"]) == (1_333_016, 2_802)
    assert (found["leaves"], found["information_sets"]) == (2_259_712, 1_567_626_816)
    assert found["actions"] == 4_070_164_224
    assert found["bytes"]["32"] == 2 * found["bytes"]["16"] > 5e9
    low, high = found["expected_range"]
    assert 0 < low < found["expected_seconds"]["32"] < high
    assert found["expected_seconds"]["16"] == found["expected_seconds"]["32"]
    assert found["bytes"]["32"] < found["peak_bytes"]["32"] < 1.5 * found["bytes"]["32"]
    assert found["free_bytes"] > 0
    shown = run(*arguments).out
    assert "1,567,626,816 information sets, 4,070,164,224 actions" in shown
    assert "river   2,352  1,326,528       0  2,250,864  3,577,392" in shown
    assert "32 bits: 6.2 GB of tables, 8.1 GB of memory at the peak" in shown
    assert "16 bits: 3.1 GB of tables, 5.0 GB of memory at the peak" in shown
    merged = run(*arguments[:-1], "--json").json
    assert merged["nodes"]["total"] < found["nodes"]["total"]
    assert files(folder) == []


BAD = [
    (options(oop="JJ", board="QhJhJsJd7h"), "oop: every hand holds a card of the board"),
    (options(oop=""), "oop: no hands; write a range such as"),
    (options(oop="AA:nan"), "'nan' is not a weight; write a number from 0 to 1"),
    (options(ip="AK:2"), "ip: bad range item"),
    (options(oop="AsKs", ip="AsKs"), "oop, ip: no hand of 'AsKs' can be dealt together with one"),
    (options(pot=0), "pot: '0' is not a number of chips above 0"),
    (options(pot="nan"), "pot: 'nan' is not a number of chips"),
    (options(pot=5.00001), "pot: '5.00001' has a part smaller than a thousandth of a chip"),
    (options(pot="much"), "pot: 'much' is not a number of chips"),
    (options(stack=-5), "stack: '-5' is not a number of chips from 0"),
    (options(stack="much"), "stack: 'much' is not a number of chips from 0"),
    (options(stack="1,2,3"), "stack: ['1', '2', '3'] is not one number of chips or two (oop, ip)"),
    (options(bet="50"), "bet: '50' is not a size; write 33% (of the pot)"),
    (options(board="QhJh2c4d7h8h"), "'QhJh2c4d7h8h' has 6 cards; a board has 3 (flop)"),
    (options(board="QhJh"), "'QhJh' has 2 cards"),
    (options(board="QhQh2c"), "board: card Qh stands twice"),
    (options(rake=2), "rake: 2.0 is not a number from 0 to 1"),
    (options(max_bets=-1), "max_bets: -1 is not a number of bets"),
    (options(add_line="x/c"), "added: line 'x/c': token 2, 'c'"),
    (options(rule="lp"), "unknown rule 'lp'"),
    (options(target="1x"), "target: '1x' is not 0.3% (of the pot) or a number of chips"),
    (options(target="-1%"), "target: '-1%' is not 0.3%"),
    (options(iterations=-1), "'--iterations': must be 0 or more, got '-1'"),
    (options(precision=8), "'--precision': must be from 16 to 64, got '8'"),
    (options(precision=20), "precision: 20 is not a number of bits (16, 32 or 64)"),
    (options(threads=0), "'--threads': must be from 1 to 1,024, got '0'"),
    (options(big_blind=0), "big_blind: 0.0 is not a number of chips above 0"),
    (options(sampling="external"), "--sampling applies only to games, not to spots"),
    (options(lock="x"), "lock 'x': give the line, a colon and actions"),
    (options(lock="x: x=QQ:0.5"), "lock 'x': the actions of QdQc sum to 0.5, not to 1"),
    (options(lock=": b9=AA"), "lock ''"),
    (options(lock="x: x=QQ @ 2"), "lock 'x': '2' is not a weight, above 0 and up to 1 (or 100%)"),
    (options(lock="x: @ 0.5"), "lock 'x: @ 0.5': give the line, a colon and actions"),
    ([*options(), "--partial"], "--partial needs --output or --dry-run"),
    (["--board", "QhJh2c"], "--oop: missing, a range such as 'TT+, AQs+'"),
    ([], "nothing to solve: name a game (`pokerlab game list`) or a spot file, or give --board"),
    (["kuhn", "--board", "QhJh2c"], "--board applies only to spots, not to games"),
    (["kuhn", "--dry-run"], "--dry-run applies only to spots and solutions, not to games"),
    (["kuhn", "--lock", "x: x=QQ"], "--lock applies only to spots, not to games"),
    (["kuhn", "--target", "1%"], "--target: '1%' is not a number"),
    (["missing.toml", "--pot", "10"], "missing.toml: cannot be read: No such file"),
]


@pytest.mark.parametrize(("arguments", "message"), BAD)
def test_bad_input_is_one_line_and_nothing_is_written(run, folder, arguments, message):
    refused(run("solve", *arguments, "--resume", "checkpoint"), message)
    refused(run("solve", *arguments, "--json"), message)
    assert files(folder) == []


def test_a_faulty_spot_file_is_one_line(run, folder):
    good = (EXAMPLES / "s3-river.toml").read_text(encoding="utf-8")
    for text, message in [
        (good.replace("board", "bord"), "spot.toml: bord: unknown field, did you mean board?"),
        (good.replace("pot = 200", ""), "spot.toml: pot: missing"),
        (good.replace("pot = 200", "pot = [}"), "spot.toml: not a TOML file"),
        (good.replace('"2.5x"', '"2.5y"'), "spot.toml: raise: '2.5y' is not a size"),
    ]:
        (folder / "spot.toml").write_text(text, encoding="utf-8")
        refused(run("solve", "spot.toml", "-o", "out.safetensors"), message)
        refused(run("solve", "spot.toml", "--dry-run"), message)
    assert files(folder) == ["spot.toml"]


def test_what_is_probably_not_meant_is_one_line_on_stderr(run, folder):
    """And it is solved all the same."""
    for changed, said in [
        ({"donk": ""}, "donk: nobody is the aggressor on the river, so it changes nothing there;"),
        ({"pot": "9.2", "stack": "956"}, "pot 9.2, stack 956: are both in chips, or both in big"),
        ({"donk": "", "aggressor": "ip"}, ""),
        ({"donk": "turn: 50%"}, ""),
    ]:
        outcome = run("solve", *options(**changed), "--dry-run", "--json")
        assert outcome.code == 0 and outcome.json["actions"] > 0
        assert outcome.err.startswith(said) and outcome.err.count("\n") == bool(said)
    text = (EXAMPLES / "s3-river.toml").read_text(encoding="utf-8").replace("pot = 200", "pot = 2")
    (folder / "spot.toml").write_text(text, encoding="utf-8")
    assert "are both in chips" in run("solve", "spot.toml", "--dry-run").err
    boards = ("--boards", "QhJh2c4d7h", "--dry-run")
    assert "are both in chips" in run("batch", "spot.toml", *boards).err


def test_files_that_the_solve_needs_are_not_overwritten(run, folder):
    text = (EXAMPLES / "s3-river.toml").read_text(encoding="utf-8")
    (folder / "spot.toml").write_text(text, encoding="utf-8")
    refused(run("solve", "spot.toml", "-o", "spot.toml"), "this file is read by the")
    refused(run("solve", *options(), "-o", "ck", "--resume", "ck"), "--resume is the same file")
    refused(run("solve", *options(), "-o", "no/r"), "--output no/r: there is no folder no")
    refused(run("solve", *options(), "-o", folder), "this is a folder; name a file to write")
    if os.name == "posix":
        refused(run("solve", *options(), "-o", "/dev/null"), "this is not a plain file")
    assert files(folder) == ["spot.toml"]

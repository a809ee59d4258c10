"""Post-flop spots on the command line: solve, show and verify."""

from __future__ import annotations

import io
import os
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from rich.console import Console

from pokerlab.cards import Range
from pokerlab.cli.shared import cost
from pokerlab.cli.shared.compiling import announce_compiling
from pokerlab.cli.shared.files import check_output
from pokerlab.cli.shared.matrix import StrategyMatrix
from pokerlab.postflop import Spot, load_postflop, solve_spot

EXAMPLES = Path(__file__).parents[2] / "examples" / "spots"
SPOT = {
    "--board": "QhJh2c4d7h",
    "--oop": "AA, KQs, JTs",
    "--ip": "QQ, AJs, T9s",
    "--pot": "100",
    "--stack": "80",
}


def options(**replaced):
    """The options of a small river spot, some of them replaced (``add_allin=…``)."""
    given = SPOT | {f"--{name.replace('_', '-')}": str(value) for name, value in replaced.items()}
    return [word for option in given.items() for word in option]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty folder to work in, so that whatever a command writes is seen."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(scope="module")
def river(tmp_path_factory):
    """The file of a solved river spot."""
    file = tmp_path_factory.mktemp("river") / "river.safetensors"
    spot = Spot("QhJh2c4d7h", "AA, KQs, JTs", "QQ, AJs, T9s", pot=100, stack=80)
    solve_spot(spot, iterations=200).save(file)
    return file


def solved(run, *arguments):
    outcome = run("solve", *arguments, "--json")
    assert outcome.code == 0, outcome.err
    assert outcome.err == ""
    return outcome.json


def refused(outcome, message):
    assert outcome.code == 2
    assert outcome.out == ""
    assert outcome.err.startswith("pokerlab: ")
    assert outcome.err.count("\n") == 1
    assert message in outcome.err


def files(folder):
    return sorted(file.name for file in folder.iterdir())


# solve


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
    assert result["rule"] == "dcfr(1.5,0.25,3)"
    assert result["file"] == "river.safetensors"
    assert files(folder) == ["river.safetensors"]
    assert load_postflop("river.safetensors").values == tuple(result["values"])


def test_mbb_are_thousandths_of_the_big_blind(run):
    one = solved(run, *options(), "--iterations", 20)["exploitability"]
    two = solved(run, *options(), "--iterations", 20, "--big-blind", 2)["exploitability"]
    assert (two["chips"], two["percent"]) == (one["chips"], one["percent"])
    assert two["mbb"] == pytest.approx(one["mbb"] / 2)


def test_a_lock_is_kept_and_costs_the_one_who_has_it(run, folder):
    free = solved(run, *options(), "--iterations", 300)
    locked = solved(
        run, *options(lock=": x=AA, KQs, JTs"), "--iterations", 300, "-o", "a.safetensors"
    )
    assert locked["values"][0] < free["values"][0] + 0.01
    shown = run("show", "a.safetensors", "--json").json
    assert shown["frequencies"][shown["actions"].index("x")] == pytest.approx(1)


def test_a_spot_file_and_options_beside_it(run):
    result = solved(run, EXAMPLES / "s3-river.toml", "--target", "0.1%")
    assert result["values"][0] == pytest.approx(92.774, abs=0.1)
    smaller = solved(run, EXAMPLES / "s3-river.toml", "--pot", 100, "--stack", "300,400")
    assert sum(smaller["values"]) == pytest.approx(100)
    assert smaller["equities"] == result["equities"]
    board = ("--board", "Td9d6hQc3s", "--oop", "TT", "--raise", "60%", "--bet", "a")
    other = solved(run, EXAMPLES / "s3-river.toml", *board, "--iterations", 1)
    assert other["equities"] != result["equities"]


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
        (None, "dcfr(1.5,0.25,3)"),
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
    assert "% of the pot, " in outcome.out
    assert "mbb" in outcome.out
    assert "iterations of dcfr(1.5,0.25,3) in" in outcome.out
    assert ["b50", "pot", "150"] in [line[-3:] for line in lines]
    assert lines[-1] == [
        "saved",
        "to",
        "river.safetensors;",
        "pokerlab",
        "show",
        "river.safetensors",
    ]


# solve --dry-run


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
    assert 10 < low < found["expected_seconds"]["32"] < high
    assert found["expected_seconds"]["16"] == found["expected_seconds"]["32"]
    assert found["bytes"]["32"] < found["peak_bytes"]["32"] < 1.5 * found["bytes"]["32"]
    assert found["free_bytes"] > 0
    shown = run(*arguments).out
    assert "1,567,626,816 information sets, 4,070,164,224 actions" in shown
    assert "river   2,352  1,326,528       0  2,250,864  3,577,392" in shown
    assert "32 bits: 6.2 GB of tables, 8.1 GB of memory at the peak" in shown
    assert "16 bits: 3.1 GB of tables, 4.9 GB of memory at the peak" in shown
    merged = run(*arguments[:-1], "--json").json
    assert merged["nodes"]["total"] < found["nodes"]["total"]
    assert files(folder) == []


# Bad input


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
    (options(iterations=-1), "iterations is -1; it must be at least 0"),
    (options(precision=8), "precision: 8 is not a number of bits (16, 32 or 64)"),
    (options(threads=0), "threads: 0 is not a number of threads"),
    (options(big_blind=0), "big_blind: 0.0 is not a number of chips above 0"),
    (options(sampling="external"), "--sampling: it goes with games of the catalogue"),
    (options(lock="x"), "lock 'x': give the line, a colon and actions"),
    (options(lock="x: x=QQ:0.5"), "lock 'x': the actions of QdQc sum to 0.5, not to 1"),
    (options(lock=": b9=AA"), "lock ''"),
    ([*options(), "--partial"], "--partial: it goes with --output"),
    (["--board", "QhJh2c"], "--oop: missing, a range such as 'TT+, AQs+'"),
    ([], "nothing to solve: name a game (`pokerlab game list`) or a spot file, or give --board"),
    (["kuhn", "--board", "QhJh2c"], "--board: it goes with spots, and 'kuhn' is a game"),
    (["kuhn", "--dry-run"], "--dry-run: it goes with spots, and 'kuhn' is a game"),
    (["kuhn", "--lock", "x: x=QQ"], "--lock: it goes with spots, and 'kuhn' is a game"),
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
    assert files(folder) == ["spot.toml"]


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


def test_too_much_memory_is_refused_before_anything_is_allocated(run, folder, monkeypatch):
    def allocate(*arguments, **named):
        raise AssertionError("something was allocated")

    monkeypatch.setattr("pokerlab.postflop.solving.PostflopSolver", allocate)
    monkeypatch.setattr(cost, "free_memory", lambda: 200_000_000)
    flop = EXAMPLES / "s1-flop.toml"
    refused(
        run("solve", flop, "-o", "s1.safetensors"),
        "memory: this solve needs about 1.0 GB, and 200 MB are free; offer fewer bet sizes, "
        "narrow the ranges, or use --precision 16",
    )
    refused(run("solve", flop, "--precision", 16), "needs about 727 MB")
    refused(run("solve", flop, "--rule", "pcfr+"), "needs about 1.4 GB")
    assert files(folder) == []


def test_what_would_fit_is_named(run, monkeypatch):
    monkeypatch.setattr(cost, "free_memory", lambda: 800_000_000)
    flop = EXAMPLES / "s1-flop.toml"
    refused(
        run("solve", flop),
        "and 800 MB are free; what fits: --precision 16 (727 MB), "
        "without the bet e on the turn (769 MB)",
    )
    shown = " ".join(run("solve", flop, "--dry-run").out.split())
    assert "32 bits: 625 MB of tables, 1.0 GB of memory at the peak" in shown
    assert "free now: 800 MB 32 bits do not fit; what fits: --precision 16 (727 MB)" in shown
    # What it says is what a solve of that tree asks for.
    smaller = ("--bet", "flop: 60%, e, a; turn: 60%, a; river: 60%, e, a")
    assert run("solve", flop, *smaller, "--dry-run", "--json").json["peak_bytes"]["32"] == (
        pytest.approx(769e6, abs=1e6)
    )


def test_memory_that_is_not_there_after_all_is_one_line(run, folder, monkeypatch):
    def allocate(*arguments, **named):
        raise MemoryError

    monkeypatch.setattr("pokerlab.postflop.solving.PostflopSolver", allocate)
    refused(
        run("solve", *options(), "-o", "r"), "memory: there is not enough for this solve; offer"
    )
    assert files(folder) == []


def test_a_full_disk_is_found_before_the_solve(run, folder, monkeypatch):
    usage = SimpleNamespace(total=10_000, used=9_000, free=1_000)
    monkeypatch.setattr("shutil.disk_usage", lambda path: usage)
    check_output(Path("file"), "--output", size=1_000)
    for option in ("--output", "--resume"):
        refused(
            run("solve", EXAMPLES / "s2-turn.toml", option, "file"),
            f"{option} file: the file needs up to ",
        )
    assert files(folder) == []


@pytest.mark.skipif(os.name != "posix", reason="needs a limit on the size of files")
def test_a_file_that_cannot_be_written_leaves_nothing_behind(run, folder):
    import resource

    solved(run, *options(), "--iterations", 5, "-o", "river.safetensors")
    before = (folder / "river.safetensors").read_bytes()
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, limits[1]))
    try:
        outcome = run("solve", *options(), "--iterations", 9, "-o", "river.safetensors", "--json")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    refused(outcome, "--output river.safetensors: cannot be written: ")
    assert files(folder) == ["river.safetensors"]
    assert (folder / "river.safetensors").read_bytes() == before


def test_a_checkpoint_of_another_spot_is_refused_and_kept(run, folder):
    solved(run, *options(), "--iterations", 5, "--resume", "checkpoint")
    before = (folder / "checkpoint").read_bytes()
    for arguments, message in [
        (options(pot=120), "belongs to another solve: its spot is "),
        (options(rule="cfr+"), "its rule is dcfr(1.5,0.25,3), not cfr+(1)"),
        (options(precision=16), "its precision is 32, not 16"),
    ]:
        refused(run("solve", *arguments, "--resume", "checkpoint"), message)
    assert (folder / "checkpoint").read_bytes() == before
    (folder / "checkpoint").write_bytes(before[:-10])
    refused(run("solve", *options(), "--resume", "checkpoint"), "is damaged")
    assert (folder / "checkpoint").read_bytes() == before[:-10]


# show


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
    assert ["hand", "weight", "x", "b50", "a", "EV", "equity"] in words
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
    refused(run("show", river, "--range", "ip", "--sort", "ev"), "--sort: it goes with the list")


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


def test_a_decision_fits_into_80_columns(run, river, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    for line in ("", "x", "x/b50"):
        text = run("show", river, line, "--all").out
        assert all(len(row) <= 80 for row in text.splitlines())
        assert "…" not in text


def test_csv_and_parquet(run, river, folder):
    outcome = run("show", river, "x", "--csv", "hands.csv")
    assert outcome.out == "wrote hands.csv\n"
    text = (folder / "hands.csv").read_text(encoding="utf-8").splitlines()
    assert text[0] == "hand,class,weight,x,b50,a,ev,equity,realisation"
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
        (["--action", "x"], "--action x: it goes with --range"),
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
    refused(run(command, "checkpoint"), "but pokerlab checkpoint ")
    newer = whole.replace(b"postflop solution 1", b"postflop solution 2")
    (folder / "newer").write_bytes(newer)
    refused(run(command, "newer"), "but pokerlab postflop solution 2")


def test_a_solution_of_a_game_is_shown(run, folder):
    run("solve", "kuhn", "--rule", "lp", "-o", "kuhn.safetensors")
    outcome = run("show", "kuhn.safetensors")
    rows = [line.split() for line in outcome.out.splitlines()]
    assert outcome.out.startswith("kuhn by lp, exploitability ")
    assert ["1", "Js:r", "f", "1.0000", "c", "0.0000"] in rows
    assert run("show", "kuhn.safetensors", "--top", 3).out.splitlines()[-1].startswith("9 more")
    found = run("show", "kuhn.safetensors", "--json").json
    assert found["strategy"]["Ks:r"] == pytest.approx({"f": 0, "c": 1})
    refused(run("show", "kuhn.safetensors", "x"), "is a solution of kuhn: lines, ranges and")


# The picture


def drawn(matrix, **settings):
    console = Console(file=io.StringIO(), width=80, **settings)
    console.print(matrix)
    return console.file.getvalue().splitlines()


def matrix_of(shares, weight=1.0):
    """A picture in which aces do something, and no other hand is there."""
    every = np.zeros((len(shares), 169))
    every[:, 0] = shares
    weights = np.zeros(169)
    weights[0] = weight
    actions = ["f", "c", "r300", "a"][: len(shares)]
    return StrategyMatrix(actions, every, weights)


def test_a_bar_without_colours():
    for shares, bar in [
        ([0.6, 0.4], "fffcc"),
        ([0, 1], "ccccc"),
        ([0.2, 0.2, 0.2, 0.4], "fc1aa"),
    ]:
        lines = drawn(matrix_of(shares), no_color=True)
        assert lines[0].split()[0] == "AA"
        assert lines[1] == bar
        assert len(lines) == 14


def test_a_bar_in_colours_is_split_in_proportion():
    lines = drawn(
        matrix_of([0.5, 0.5]), force_terminal=True, color_system="truecolor", no_color=False
    )
    fold, call = "74;134;200", "92;168;108"
    # Five places wide: the third one is half and half.
    assert f"\x1b[48;2;{fold}m \x1b[0m\x1b[48;2;{fold}m \x1b[0m" in lines[1]
    assert f"\x1b[38;2;{fold};48;2;{call}m▌\x1b[0m" in lines[1]
    assert "A" in lines[0]
    assert fold in lines[0]


def test_the_picture_of_a_solution(river):
    lines = drawn(StrategyMatrix.of(load_postflop(river).at("x/a")), no_color=True)
    words = [line.split() for line in lines]
    assert words[0][:2] == ["AA", "·"]
    assert words[2][1] == "·"
    assert "KQs" in words[2]
    assert words[3] == ["ccccc"]  # top pair calls


# Compiling


def test_compiling_is_announced_once_and_only_for_the_engine(capsys):
    from numba.core import event

    def broadcast(module):
        function = SimpleNamespace(__module__=module)
        data = {"dispatcher": SimpleNamespace(py_func=function)}
        event.broadcast(event.Event("numba:compile", event.EventStatus.START, data))

    with announce_compiling():
        broadcast("pokerlab.cards.equities.equity_kernels")
        assert capsys.readouterr().err == ""
        broadcast("pokerlab.postflop.cpu.solve_kernels")
        broadcast("pokerlab.postflop.cpu.solve_kernels")
        assert capsys.readouterr().err == "compiling (first time, about a minute)\n"
        assert capsys.readouterr().err == ""
    broadcast("pokerlab.postflop.cpu.solve_kernels")
    with announce_compiling(quiet=True):
        broadcast("pokerlab.postflop.cpu.solve_kernels")
    assert capsys.readouterr().err == ""


# verify


def test_a_saved_solution_is_verified(run, river):
    found = run("verify", river, "--json").json
    solution = load_postflop(river)
    assert found["ok"] is True
    assert found["exploitability"]["chips"] == pytest.approx(
        solution.exploitability.chips, abs=0.01
    )
    assert found["bounds"] == pytest.approx(solution.best_values, abs=0.01)
    for value, (low, high) in zip(found["values"], found["intervals"], strict=True):
        assert low <= value <= high
    shown = run("verify", river)
    assert shown.code == 0
    text = " ".join(shown.out.split())
    assert "% of the pot: ok" in text
    assert "oop takes 36.6" in text


def test_a_changed_solution_is_found(run, river, folder):
    whole = bytearray(river.read_bytes())
    whole[-1] ^= 1
    (folder / "changed").write_bytes(whole)
    refused(run("verify", "changed", "--json"), "has been changed")
    renamed = river.read_bytes().replace(b"dcfr(1.5,0.25,3)", b"dcfr(1.5,0.25,4)")
    (folder / "renamed").write_bytes(renamed)
    refused(run("verify", "renamed"), "has been changed")


# diff


@pytest.fixture(scope="module")
def other_sizes(tmp_path_factory):
    """The same river with another bet size."""
    file = tmp_path_factory.mktemp("other") / "other.safetensors"
    spot = Spot("QhJh2c4d7h", "AA, KQs, JTs", "QQ, AJs, T9s", pot=100, stack=80, bet="30%")
    solve_spot(spot, iterations=200).save(file)
    return file


def test_what_changed(run, river, other_sizes):
    found = run("diff", river, other_sizes, "x", "--json").json
    # Of the ten hands those that do the same in both are not listed.
    assert 5 <= found["hands"] == len(found["changes"]) <= 10
    assert 0 < found["exceeding"] <= found["hands"]
    assert found["epsilon"] == pytest.approx(
        sum(load_postflop(file).exploitability.chips for file in (river, other_sizes))
    )
    change = found["changes"][0]
    assert (change["line"], change["player"], change["seat"]) == ("x", "ip", 1)
    assert change["actions"] == ["x", "b50", "a", "b30"]
    assert change["ev_change"] == pytest.approx(change["evs"][1] - change["evs"][0])
    assert abs(change["ev_change"]) > found["epsilon"]
    assert change["exceeds"] is True
    shown = run("diff", river, other_sizes, "x", "--top", 2)
    count = found["hands"]
    assert f"{count} hands changed, " in shown.out
    assert "! more than both exploitabilities together" in shown.out
    assert shown.out.endswith(f"{count - 2} more hands; --all lists them\n")
    assert len(run("diff", river, other_sizes, "x", "--all").out.splitlines()) > count + 2


def test_frequencies_by_class_of_both_solutions(run, river, other_sizes):
    found = run("diff", river, other_sizes, "x", "--json").json["lines"]
    assert [each["line"] for each in found] == ["x"]
    line = found[0]
    assert (line["player"], line["actions"]) == ("ip", ["x", "b50", "a", "b30"])
    for side, file in enumerate((river, other_sizes)):
        shown = run("show", file, "x", "--json").json
        played = dict(zip(line["actions"], line["frequencies"][side], strict=True))
        assert [played[action] for action in shown["actions"]] == pytest.approx(
            shown["frequencies"]
        )
    assert line["change"] == pytest.approx(
        [new - old for old, new in zip(*line["frequencies"], strict=True)]
    )
    assert set(line["classes"]) == {"QQ", "AJs", "T9s"}
    assert line["classes"]["QQ"]["combos"] == [3, 3]
    text = run("diff", river, other_sizes, "x").out
    rows = [row.split() for row in text.splitlines()]
    assert ["action", "before", "after", "change"] in rows
    assert ["class", "combos", "x", "b50", "a", "b30"] in rows
    assert any(row[0] == "b50" and row[2] == "0.0%" for row in rows if len(row) == 4)
    assert all(len(row) <= 80 for row in text.splitlines()[2:])
    street = run("diff", river, other_sizes)
    assert ["line", "player", "combos", "plays"] in [row.split() for row in street.out.splitlines()]


def test_nothing_changed(run, river):
    outcome = run("diff", river, river, "--json")
    assert (outcome.json["hands"], outcome.json["changes"]) == (0, [])
    assert "0 hands changed, " in run("diff", river, river).out


def test_what_cannot_be_compared(run, river, folder):
    run("solve", "kuhn", "--rule", "lp", "-o", "kuhn.safetensors")
    run("solve", *options(pot=120), "--iterations", 1, "-o", "larger.safetensors")
    refused(run("diff", river, "kuhn.safetensors"), "is a solution of kuhn: diff compares")
    refused(run("diff", river, "larger.safetensors"), "different spots: pot 100 and 120")
    refused(run("diff", river, "missing"), "there is no file 'missing'")
    refused(run("diff", river, river, "x/x"), "line 'x/x': nobody decides here")

from types import SimpleNamespace

import pytest


def test_push_or_fold(run):
    outcome = run("preflop", "--stack", "10", "--json")
    found = outcome.json
    assert found["value"] == pytest.approx(-0.045371, abs=1e-6)
    assert found["exploitability"]["bb"] < 1e-9
    assert list(found["lines"]) == ["", "a"]
    first = found["lines"][""]
    assert (first["player"], first["actions"]) == ("sb", ["f", "a"])
    assert first["frequencies"] == pytest.approx([0.4172, 0.5828], abs=1e-4)
    assert first["hands"]["A2o"]["strategy"] == pytest.approx([0, 1])
    assert first["hands"]["72o"]["ev"][0] == pytest.approx(-0.5)
    shown = run("preflop", "--stack", "10")
    assert "push or fold" in shown.out
    assert "big blind after a" in shown.out
    assert max(map(len, shown.out.splitlines())) <= 80


def test_a_tree_without_bets_after_the_flop(run):
    words = ["--flops", "none", "--rule", "dcfr", "--target", "0.01", "--line", "c/r2"]
    outcome = run("preflop", "--stack", "3", *words)
    assert "nobody bets after the flop" in outcome.out
    assert "small blind after c/r2" in outcome.out


def test_menus_that_are_not_given_are_those_of_the_nearest_chart(run, monkeypatch):
    asked = []

    def solve(rules, boards, bets, *_, **__):
        asked.append((rules, bets))
        raise ValueError("no time")

    monkeypatch.setattr("pokerlab.cli.commands.cards.preflop._solve_with_flops", solve)
    chosen = ["--sizes", "3x; a", "--bet", "a", "--force-allin", "0", "--donk", "50%"]
    for words in (["90", "--runouts", "12x10"], ["90", *chosen], ["90", "--no-limp"], ["10"]):
        run("preflop", "--flops", "25", "--stack", *words)
    (usual, bets), (rules, other), (no_limps, _), (short, few) = asked
    assert (usual.stack, usual.raises, usual.limp_raises) == (
        90,
        "2.5x, 3.5x; 4x, a; 2.3x, a; a",
        "3x; 3x; a",
    )
    assert (bets.bet, bets.runouts) == ("flop: 50%; turn: 75%; river: 100%", "12x10")
    assert (bets.donk, bets.force_allin, bets.max_bets) == ("", 0.25, 2)
    assert (rules.raises, rules.limp_raises) == ("3x; a", None)
    assert (other.bet, other.force_allin, other.donk) == ("a", 0, "50%")
    assert (other.raise_, other.max_bets, other.runouts) == (bets.raise_, 2, None)
    assert (no_limps.limp, no_limps.limp_raises) == (False, None)
    assert (short.raises, short.limp_raises) == ("2x, a; a", None)
    assert (few.bet, few.force_allin) == ("flop: 50%; turn: a; river: a", 0)


@pytest.mark.slow
def test_flops(run, monkeypatch):
    rivers = [("QhJh2c4d7h", 1.0), ("AsKd7c7h2s", 2.0)]
    monkeypatch.setattr("pokerlab.cli.commands.cards.preflop._weighted", lambda flops: rivers)
    words = ["--stack", "4", "--sizes", "a", "--flops", "25", "--bet", "a"]
    outcome = run("preflop", *words, "--iterations", "5")
    assert outcome.out.startswith("4 big blinds, 2 flops after 1 line\n")
    assert "mbb from the flop solves" in outcome.out
    assert "mbb from the subset of flops" in outcome.out
    found = run("preflop", *words, "--iterations", "5", "--json").json
    parts = found["exploitability"]["parts"]
    assert parts["flop_solves"] + parts["before_flop"] == found["exploitability"]["bb"]
    assert (found["iterations"], found["stopped"]) == (5, "iterations")
    assert len(found["lines"]["c"]["hands"]["AA"]["ev"]) == 2


@pytest.mark.slow
def test_groups(run, monkeypatch, folder):
    rivers = [("QhJh2c4d7h", 1.0), ("AsKd7c7h2s", 2.0)]
    monkeypatch.setattr("pokerlab.cli.commands.cards.preflop._weighted", lambda flops: rivers)
    words = ["preflop", "--stack", "4", "--sizes", "a", "--flops", "25", "--bet", "a"]
    words += ["--iterations", "5"]
    outcome = run(*words)
    assert "price of the groups view/river: " in outcome.out
    assert max(map(len, outcome.out.splitlines())) <= 80
    found = run(*words, "--json").json
    real, inside = found["exploitability"], found["exploitability_abstract"]
    assert found["groups"] == "view/river"
    assert inside["mbb"] == pytest.approx(real["mbb"] - 1000 * real["parts"]["groups"])
    alone = run(*words, "--memory", "1GB", "--resume", "state")
    assert alone.err.splitlines()[0].startswith("32 bits, each hand on its own, fit: ")
    assert "price of the groups" not in alone.out
    found = run(*words, "--precision", "32", "--groups", "none", "--resume", "state", "--json").json
    assert (found["groups"], found["exploitability_abstract"]) == (None, None)
    other = run(*words, "--precision", "32", "--groups", "rank", "--resume", "state")
    assert (other.code, other.err.count("\n")) == (2, 1)
    assert "belongs to another solve: its groups is none, not rank/river" in other.err
    monkeypatch.setattr("pokerlab.holdem.preflop.flop_subtrees.free_memory", lambda: 1000)
    refused = run(*words)
    assert (refused.code, refused.err.count("\n")) == (2, 1)
    assert "--groups, or --memory to choose them" in refused.err


def test_a_full_disk_costs_one_line_and_not_the_answer(run, monkeypatch, folder):
    rivers = [("QhJh2c4d7h", 1.0)]
    monkeypatch.setattr("pokerlab.cli.commands.cards.preflop._weighted", lambda flops: rivers)
    words = ["preflop", "--stack", "4", "--sizes", "a", "--flops", "25", "--iterations", "2"]
    words += ["--precision", "32", "--groups", "none", "--resume", "state"]

    def full(*_):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr("pokerlab.solvers.loop.save_checkpoint", full)
        outcome = run(*words)
    assert outcome.code == 0
    assert "2 iterations of" in outcome.out
    assert outcome.err == (
        "warning: checkpoint 'state' could not be written: No space left on device\n"
    )
    monkeypatch.setattr("shutil.disk_usage", lambda path: SimpleNamespace(free=1000))
    refused = run(*words)
    assert (refused.code, refused.err.count("\n")) == (2, 1)
    assert "--resume state: the file needs up to" in refused.err


def test_nothing_is_won_by_less_than_nothing(run):
    """Rounding put the exploitability of the exact solution below zero."""
    words = run("preflop", "--stack", "12").out.splitlines()[1].split()
    assert words[-3::2] == ["exploitability", "mbb"] and not words[-2].startswith("-")


def test_big_blinds_may_be_named(run):
    plain = run("preflop", "--stack", "2.5", "--ante", "0.1", "--json").json
    assert run("preflop", "--stack", "2.5bb", "--ante", "0.1 BB", "--json").json == plain


def test_a_chart(run):
    found = run("preflop", "--stack", "1.6", "--chart", "--json").json
    assert found["stacks"] == [1.1, 1.2, 1.3, 1.4, 1.5, 1.6]
    assert (found["push"]["32o"], found["push"]["52o"], found["push"]["AA"]) == (1.4, 1.5, 1.6)
    shown = run("preflop", "--stack", "1.6", "--chart").out
    assert shown.splitlines()[14].split()[-2:] == ["1.4", "1.6+"]
    assert max(map(len, shown.splitlines())) <= 80


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--stack", "1"], "stack: 1.0 is not a number of big blinds above 1"),
        (["--stack", "nan"], "--stack: 'nan' is not a number of big blinds from 1 to 1,000, for"),
        (["--stack", "12 chips"], "'12 chips' is not a number of big blinds"),
        (["--stack", "10", "--small-blind", "2"], "--small-blind: '2' is not a number of big"),
        (["--stack", "10", "--ante", "x"], "--ante: 'x' is not a number of big blinds from 0 to"),
        (["--stack", "10", "-o", "pf.csv"], "--output pf.csv: must be a .toml file, of the"),
        (["--stack", "10", "--iterations", "x"], "'--iterations': must be a whole number, got 'x'"),
        (["--stack", "10", "--target", "x"], "'--target': must be a number, got 'x'"),
        (["--stack", "10", "--line", "r3"], "line 'r3': token 1, 'r3': not possible here"),
        (["--stack", "10", "--flops", "none", "--sizes", "2"], "raises: '2' is not a size"),
        (["--stack", "10", "--rule", "fp"], "takes rules of regret"),
        (["--stack", "10", "--rule", "x"], "unknown rule 'x'"),
        (["--stack", "10", "--no-limp"], "--no-limp needs --flops"),
        (["--stack", "10", "--sizes", "2x"], "--sizes needs --flops"),
        (["--stack", "10", "--flops", "none", "--bet", "a"], "(--flops), not to --flops none"),
        (["--stack", "10", "--flops", "26"], "no subset of 26 flops"),
        (["--stack", "10", "--flops", "25", "--bet", "1"], "bet: '1' is not a size"),
        (
            ["--stack", "10", "--memory", "2GB"],
            "--memory applies only to bets after the",
        ),
        (["--stack", "10", "--flops", "25", "--groups", "x"], "groups 'x': no measure 'x'"),
        (["--stack", "10", "--flops", "25", "--memory", "x"], "--memory: 'x' is not a size"),
        (["--stack", "10", "--flops", "AKQr", "--memory", "1MB"], "memory: 1.0 MB are too little"),
        (
            ["--stack", "10", "--flops", "25", "--memory", "2GB", "--groups", "view"],
            "--memory and --groups: give one or the other",
        ),
        (["--stack", "10", "--line", "f"], "line 'f': nobody acts there"),
        (["--stack", "1", "--chart"], "begins at 1.1"),
        (["--stack", "10", "--device", "tpu", "--flops", "25"], "'tpu' is not auto, cpu or gpu"),
        (
            ["--stack", "10", "--device", "gpu", "--flops", "25", "--memory", "2GB"],
            "--memory: this option is for --device cpu",
        ),
        (["--stack", "10", "--flops", "none", "--limp-sizes", "3"], "limp_raises: '3' is not a"),
        (
            ["--stack", "9", "--flops", "none", "--no-limp", "--limp-sizes", "3x"],
            "limp_raises: there are no limps that could be raised",
        ),
        (["--stack", "10", "--flops", "AKQr", "--runouts", "x"], "runouts: 'x' is not"),
        (["--stack", "30", "--push-fold", "--flops", "25"], "--push-fold and --flops: give one"),
        (
            ["--stack", "400"],
            "--stack: 400 big blinds: the charts of the package are for 15 to 300",
        ),
        (
            ["--stack", "20", "--rule", "cfr+"],
            "--rule: from 20 big blinds on a chart of the package",
        ),
        (["--stack", "99", "--target", "0.1"], "--target: from 20 big blinds on a chart of the"),
        (["--stack", "2", "--chart", "--line", "a"], "--chart and --line: give one or the other"),
    ],
)
def test_bad_words_are_one_line(run, arguments, said):
    outcome = run("preflop", *arguments)
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.count("\n") == 1
    assert said in outcome.err


def test_ranges_are_written_for_spots(run, folder):
    outcome = run(
        "preflop", "--stack", "10", "--flops", "none", "--sizes", "a", "-o", "ranges.toml", "--json"
    )
    assert outcome.json["file"] == "ranges.toml"
    spot = ["--board", "QhJh2c4d7h", "--bet", "50%", "--raise", "a", "--iterations", "1"]
    story = ["--preflop", "SB limp, BB check", "--ranges", "ranges.toml"]
    lines = run("solve", *spot, *story).out.splitlines()
    assert lines[0] == "Q♥ J♥ 2♣ 4♦ 7♥, pot 2, stacks 9"
    outcome = run("solve", *spot, "--preflop", "SB raise 3, BB call", "--ranges", "ranges.toml")
    assert outcome.err.startswith(
        "pokerlab: preflop: no range for 'SB raise 3, BB call'; for BB there are"
    )


def test_a_chart_of_the_package(run, folder):
    shown = run("preflop", "--stack", "140", "-o", "mine.safetensors", "--line", "r2.5")
    assert shown.err.startswith("140 big blinds: this is the chart of 100, the nearest of the")
    assert shown.out.startswith("100 big blinds, 49 flops after 9 lines\n")
    assert "\nbets after it flop: 50%; turn: 75%; river: 100%\nraises after it flop:" in shown.out
    assert "big blind after r2.5" in shown.out
    assert max(map(len, shown.out.splitlines())) <= 80
    assert run("show", "mine.safetensors", "r2.5").out == shown.out
    wrong = run("show", "mine.safetensors", "r2.5/c")
    assert (wrong.code, wrong.err.count("\n")) == (2, 1)
    assert "nobody acts there" in wrong.err
    found = run("preflop", "--stack", "100", "--json").json
    gains = found["exploitability"]
    assert gains["preflop"] + gains["flops"] == pytest.approx(gains["mbb"])
    assert (found["chart"], found["button_wins"]) == (100, 1000 * found["value"])
    assert found["bets"]["bet"] == "flop: 50%; turn: 75%; river: 100%"
    assert len(found["lines"][""]["hands"]["AA"]["ev"]) == 4
    pushed = run("preflop", "--stack", "20", "--push-fold", "--json").json
    assert list(pushed["lines"]) == ["", "a"]
    assert run("preflop", "--stack", "20", "--ante", "0.1", "--json").json["method"] == "lp"
    wrong = run("preflop", "--stack", "100", "--line", "r3")
    assert (wrong.code, wrong.err.count("\n")) == (2, 1)
    spot = ["--board", "Td9d6h", "--preflop", "SB raise 2.5, BB call", "--dry-run"]
    assert run("solve", *spot).out.startswith("T♦ 9♦ 6♥, pot 5, stacks 97.5, ")

"""Groups of hands and a given memory on the command line."""

from __future__ import annotations

import pytest
from tests.cli.spot_files import options, refused, solved

from pokerlab.cli.progress.solve_status import SolveStatus
from pokerlab.holdem.spots import load_postflop
from pokerlab.solvers import Point, Progress
from pokerlab.views.texts import number_text

WIDE = {"oop": "22+, A2s+, KTs+", "ip": "22+, A2s+, QTs+, JTs"}


def grouped(**replaced):
    return [*options(**WIDE | replaced), "--groups", "rank", "--threads", 1]


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    """The file of a solve with groups."""
    from pokerlab.holdem.spots import Spot, solve_spot

    path = tmp_path_factory.mktemp("groups") / "groups.safetensors"
    spot = Spot("QhJh2c4d7h", WIDE["oop"], WIDE["ip"], pot=100, stack=80)
    solve_spot(spot, iterations=40, threads=1, groups="rank").save(path)
    return path


def test_what_scripts_rely_on(run, folder):
    result = solved(run, *grouped(), "--iterations", 50, "-o", "a.safetensors")
    inside, real = result["exploitability_abstract"], result["exploitability"]
    assert sorted(inside) == ["chips", "mbb", "percent"]
    assert 0 <= inside["percent"] < real["percent"]
    assert result["groups"]["text"] == "rank/river"
    assert (result["groups"]["measure"], result["groups"]["identity"]) == ("rank", "river")
    for groups, hands in zip(
        result["groups"]["counts"]["river"], result["groups"]["hands"]["river"], strict=True
    ):
        assert 2 < groups < hands / 2
    assert result["history"][-1]["exploitability_abstract"] == pytest.approx(
        inside["chips"], abs=0.01
    )
    assert load_postflop("a.safetensors").groups.text == "rank/river"
    plain = solved(run, *options(), "--iterations", 2)
    assert (plain["groups"], plain["exploitability_abstract"], plain["memory"]) == (None,) * 3


def test_what_people_read(run, folder):
    outcome = run("solve", *grouped(), "--iterations", 50, "--plot", "a.svg")
    assert "% inside them\n" in outcome.out
    assert "\ngroups rank/river: river 38 for 116 hands\n" in outcome.out
    assert all(len(line) <= 80 for line in outcome.out.split("\n"))
    assert "inside the groups" in (folder / "a.svg").read_text()


def test_groups_are_counted_in_a_phase_of_its_own(run, monkeypatch):
    seen = []
    monkeypatch.setattr(SolveStatus, "enter", lambda self, phase: seen.append(phase))
    solved(run, *grouped(), "--iterations", 2)
    assert seen == ["counting groups", "preparing"]


def test_the_price_of_groups_ends_a_solve(run):
    outcome = run("solve", *grouped(), "--target", "0.05%")
    assert " s (groups)\n" in outcome.out
    text = " ".join(outcome.out.split())
    assert "stopped before the target: inside the groups ε is an eighth of it" in text


def test_a_solution_goes_on_with_its_groups(run, folder, file):
    more = solved(run, file, "--iterations", 60, "-o", "b.safetensors", "--threads", 1)
    assert (more["iterations"], more["groups"]["text"]) == (60, "rank/river")
    for option, value in (("--groups", "view"), ("--memory", "2GB")):
        refused(run("solve", file, option, value), f"{option} applies only to spots, not to sol")


def test_it_is_verified_shown_and_compared(run, folder, file):
    found = run("verify", file, "--json").json
    solution = load_postflop(file)
    assert found["ok"] is True
    assert found["groups"] == "rank/river"
    inside = solution.exploitability_abstract.chips
    assert found["exploitability_abstract"]["chips"] == pytest.approx(inside, abs=0.03)
    printed = " ".join(run("verify", file).out.split())
    assert "groups rank/river: " in printed
    assert "by responses that play one strategy for each group" in printed
    shown = run("show", file, "x")
    assert "\ngroups rank/river: hands of a group share a strategy (" in shown.out
    assert run("show", file, "x", "--json").json["groups"] == "rank/river"
    solved(run, *options(**WIDE), "--iterations", 40, "-o", "hands.safetensors")
    compared = run("diff", file, "hands.safetensors", "x")
    assert ", groups rank/river\n" in compared.out
    assert run("diff", file, "hands.safetensors", "--json").json["groups"] == ["rank/river", None]
    assert run("verify", "hands.safetensors", "--json").json["exploitability_abstract"] is None


def test_a_checkpoint_belongs_to_its_groups(run, folder):
    solved(run, *grouped(), "--iterations", 10, "--resume", "checkpoint")
    rest = solved(run, *grouped(), "--iterations", 50, "--resume", "checkpoint")
    whole = solved(run, *grouped(), "--iterations", 50)
    assert rest["values"] == whole["values"]
    outcome = run("solve", *options(**WIDE), "--iterations", 50, "--resume", "checkpoint")
    refused(outcome, "groups")
    assert "rank/river" in outcome.err


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("colour", "groups 'colour': no measure 'colour'; write a measure (rank, strength,"),
        ("view/sea", "no identity 'sea'; there are river, hierarchical, global"),
        ("kmeans:0", "'0' is not a number of groups (1 or more)"),
        ("kmeans", "say how many groups for each street, as kmeans:50,50,50"),
        ("", "no measure ''"),
    ],
)
@pytest.mark.parametrize("extra", [[], ["--dry-run"]])
def test_unknown_groups(run, text, message, extra):
    refused(run("solve", *options(), "--groups", text, *extra), message)


def test_games_and_doubled_choices_are_refused(run):
    for option, value in (("--groups", "view"), ("--memory", "2GB")):
        refused(run("solve", "kuhn", option, value), f"{option} applies only to spots, not")
    for option, value in (("--groups", "view"), ("--precision", "16")):
        refused(
            run("solve", *options(), "--memory", "2GB", option, value),
            f"--memory and {option}: give one or the other",
        )


def test_the_dry_run_counts_groups(run):
    plain = run("solve", *options(**WIDE), "--dry-run", "--json").json
    counted = run("solve", *grouped(), "--dry-run", "--json").json
    assert counted["bytes"]["32"] < plain["bytes"]["32"] / 2
    assert counted["groups"]["counts"]["river"] == [38, 37]
    assert plain["groups"] is None
    assert counted["nodes"] == plain["nodes"]
    assert "groups rank/river: river 38 for 116 hands" in run("solve", *grouped(), "--dry-run").out


TURN = options(
    board="QhJh2c4d",
    oop="22+, A2s+, KTs+, QTs+, J9s+, T8s+, 97s+, ATo+",
    ip="22+, A2s+, KTs+, QTs+, J9s+, T8s+, 97s+, KJo+",
    stack=3000,
    bet="33%, 60%, 120%, a",
    **{"raise": "50%, 100%, a"},
)


def test_a_memory_to_stay_within(run):
    """A choice for every budget between what the candidates need."""
    counted = run("solve", *TURN, "--dry-run", "--json").json["peak_bytes"]
    view, clusters = (
        run("solve", *TURN, "--groups", groups, "--dry-run", "--json").json["peak_bytes"]["16"]
        for groups in ("view", "kmeans:32,32")
    )
    for memory, precision, groups in (
        ("2.5GiB", 32, None),
        (str(counted["32"] - 1), 16, None),
        (str(counted["16"] - 1), 16, "view/river"),
        (f"{(view - 1) / 1e6} MB", 16, "strength/river"),
        (str(clusters), 16, "kmeans:32,32"),
    ):
        found = run("solve", *TURN, "--memory", memory, "--dry-run", "--json").json["memory"]
        assert (found["precision"], found["groups"]) == (precision, groups)
        assert found["peak_bytes"] <= 2.5 * 2**30
    text = " ".join(run("solve", *TURN, "--memory", clusters, "--dry-run").out.split())
    assert "16 bits and groups kmeans:32,32 fit: 3" in text
    assert "(too large: 32 bits 890 MB, 16 bits 630 MB, view/river 388 MB, " in text
    refused(
        run("solve", *TURN, "--memory", "100MB"),
        "memory: 100 MB are too little: even 16 bits and groups kmeans:16,16 need 308 MB; offer",
    )


def test_a_solve_within_a_memory(run, monkeypatch):
    """The choice is what is solved, and is said before the solve."""
    arguments = [*options(**WIDE), "--iterations", 3, "--memory", "1GB"]
    outcome = run("solve", *arguments)
    assert outcome.code == 0
    assert outcome.err == "32 bits, each hand on its own, fit: 240 MB\n"
    asked = []

    def choose(*_, **__):
        from pokerlab.holdem.spots import MemoryChoice

        asked.append(1)
        return MemoryChoice(32, "rank/river", 1, "because")

    monkeypatch.setattr("pokerlab.holdem.spots.budget.fit_memory", choose)
    result = solved(run, *arguments)
    assert asked == [1]
    assert result["groups"]["text"] == "rank/river"
    assert result["memory"] == {
        "precision": 32,
        "groups": "rank/river",
        "peak_bytes": 1,
        "reason": "because",
    }


@pytest.mark.parametrize("text", ["", "much", "-2GB", "0", "0.4", "2 GBB", "1e9", "2..5GB", "nan"])
def test_sizes_that_are_none(run, text):
    refused(
        run("solve", *options(), "--memory", text),
        f"--memory: {text!r} is not a size: write 800MB, 2GB, 2.5GiB or a number of bytes",
    )


def test_both_exploitabilities_fit_into_a_line():
    def progress(iteration, real, inside, target=0.001):
        history = tuple(
            Point(count, count / 10, real * iteration / count, inside * iteration / count)
            for count in range(iteration // 8, iteration + 1, iteration // 8)
        )
        return Progress(iteration, iteration / 10, history, None, target, None)

    def percent(chips):
        return f"{number_text(chips)}%"

    status = SolveStatus(lambda chips: f"{percent(chips)} of the pot", percent)
    status(progress(64, 0.42, 0.1, 0.2))
    assert status.line(7.0).startswith(
        "iteration 64, 0.42% of the pot (0.10% inside the groups), 7 s, about "
    )
    status(progress(80_000, 12.3, 0.00123))
    line = status.line(7000.0)
    assert "12.3% of the pot (0.0012% inside), 1.9 h, about " in line
    assert len(line) <= 79
    log = status.line(7000.0, 1000, curved=False)
    assert "12.3% of the pot (0.0012% inside the groups), 1.9 h, " in log
    status.enter("certifying 40%")
    assert status.line(8000.0) == (
        "certifying 40%, 12.3% of the pot (0.0012% inside the groups), 2.2 h"
    )

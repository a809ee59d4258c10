"""`pokerlab model` and `pokerlab respond`."""

import pytest

from pokerlab.cli.main import main


def call(*arguments):
    with pytest.raises(SystemExit) as stop:
        main([str(argument) for argument in arguments])
    assert stop.value.code == 0


@pytest.fixture(scope="module")
def log(tmp_path_factory):
    """A match between fair and random, played once for all tests."""
    file = tmp_path_factory.mktemp("model") / "kuhn.log"
    call("match", "kuhn", "fair", "random", "--hands", 200, "--log", file)
    return file


@pytest.fixture(scope="module")
def model(log):
    file = log.with_name("random.model")
    call("model", log, "--player", "random", "-o", file)
    return file


def test_a_model_of_a_player(run, log, tmp_path):
    file = tmp_path / "m"
    data = run("model", log, "--player", "random", "-o", file, "--json").json
    assert (data["game"], data["player"], data["hands"]) == ("kuhn", "random", 200)
    assert data["file"] == str(file)
    rows = {row["name"]: row for row in data["information_sets"]}
    assert len(rows) == 12
    assert sum(rows[name]["observations"] for name in ("Js", "Qs", "Ks")) == 100
    assert all(row["shown"] == row["observations"] for row in rows.values())
    hidden = run("model", log, "--player", "random", "--shown-only", "--json").json
    shown = sum(row["shown"] for row in hidden["information_sets"])
    assert 0 < shown < sum(row["observations"] for row in hidden["information_sets"])


def test_two_logs_count_twice(run, log):
    data = run("model", log, log, "--player", "fair", "--json").json
    assert data["hands"] == 400


def test_people_see_a_table_of_80_columns(run, log):
    outcome = run("model", log, "--player", "random", "--top", 3)
    assert "information set  seat  observations  shown  strategy" in outcome.out
    assert "9 more; --all lists them" in outcome.out
    assert max(map(len, outcome.out.splitlines())) <= 80
    assert "more" not in run("model", log, "--player", "random", "--all").out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "whose play? name the player: fair, random"),
        (["--player", "bob"], "player bob: the hands know fair, random"),
        (["--player", "fair", "--prior", "x"], "prior x: there are uniform, equilibrium"),
        (["--player", "fair", "--prior-weight", "-1"], "--prior-weight"),
        (["--player", "fair", "--game", "leduc"], "bad state"),
        (["--player", "fair", "--game", "rps"], "rps"),
    ],
)
def test_bad_input_of_a_model(run, log, words, said):
    outcome = run("model", log, *words)
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.count("\n") == 1
    assert said in outcome.err


def test_logs_that_do_not_fit(run, log, tmp_path):
    empty = tmp_path / "empty.log"
    empty.write_text("")
    outcome = run("model", empty)
    assert outcome.code == 2
    assert outcome.err.count("\n") == 1
    empty.write_text("SCORE:0|0:fair|random\n")
    outcome = run("model", empty, "--game", "kuhn")
    assert outcome.code == 2
    assert "there are no hands in it" in outcome.err
    leduc = tmp_path / "leduc.log"
    run("match", "leduc", "fair", "random", "--hands", 2, "--log", leduc)
    outcome = run("model", log, leduc, "--player", "random")
    assert outcome.code == 2
    assert "a hand of leduc with other rules than those before, of kuhn" in outcome.err
    holdem = tmp_path / "holdem.log"
    bots = ("caller", "raiser", "folder")
    run("match", "holdem.limit.3p", *bots, "--hands", 3, "--log", holdem)
    outcome = run("model", holdem, "--player", "caller")
    assert outcome.code == 2
    assert "deals, too many for a model of every information set" in outcome.err


@pytest.mark.slow
def test_a_model_by_groups_and_its_responses(run, log, tmp_path):
    file, answer = tmp_path / "groups", tmp_path / "answer"
    words = ("model", log, "--player", "random", "--buckets", "each", "-o", file)
    data = run(*words, "--json").json
    assert (data["buckets"], data["rows"], data["hands"]) == ("each", 12, 200)
    assert data["spots"][0]["betting"] == ""
    assert data["spots"][0]["observations"] == pytest.approx(100)
    shown = run(*words, "--shown-only", "--top", 2)
    assert "street  betting  observations  shown" in shown.out
    assert shown.out.splitlines()[-1].startswith("wrote ")
    assert "2 more; --all lists them" in shown.out
    assert max(map(len, shown.out.splitlines()[:-1])) <= 80  # a path may be long
    stop = ("--iterations", 20_000, "--threads", 1)
    bold = run("respond", file, *stop, "-o", answer, "--json").json
    assert bold["won_mbb"] == pytest.approx(bold["won"] * 1000)
    assert bold["exact"]
    careful = run("respond", file, *stop, "--data-biased", "--half-at", 500, "--json").json
    assert careful["exploitability"] < bold["exploitability"]
    assert "wins from the model: " in run("respond", file, *stop, "--p", "0.5").out
    bots = f"strategy:{answer}", f"strategy:{file}"
    score = run("match", "kuhn", *bots, "--hands", 400, "--json").json
    assert score["scores"][bots[0]] > 0
    again = run(*words[:-2], "--prior", answer, "--json").json
    assert again["prior"] == "a strategy by external"


@pytest.mark.parametrize(
    ("command", "words", "said"),
    [
        ("model", ["--buckets", "odd"], "odd"),
        ("model", ["--buckets", "ehs2:5,5,5,5"], "are for hold'em"),
        ("model", ["--buckets", "each", "--prior", "equilibrium"], "name the file of one"),
        ("model", ["--prior", "similar"], "without buckets there are uniform, equilibrium"),
        ("respond", [], "nothing says when to stop"),
        (
            "respond",
            ["--iterations", 1, "--risk", "0.1"],
            "--risk applies only to models of",
        ),
        ("respond", ["--iterations", 1, "--method", "outcome"], "outcome learns no responses"),
        ("respond", ["--iterations", 1, "--method", "odd"], "'odd' is not known"),
        ("respond", ["--iterations", 1, "--rule", "dcfr"], "does not work with sampling"),
        ("respond", ["--p", "1.5"], "--p"),
    ],
)
def test_bad_input_of_groups(run, log, tmp_path, command, words, said):
    target = log
    if command == "respond":
        target = log.with_name("by-groups.model")
        if not target.is_file():
            run("model", log, "--player", "random", "--buckets", "each", "-o", target)
    outcome = run(command, target, *words, *([] if command == "respond" else ["--player", "fair"]))
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.count("\n") == 1
    assert said in outcome.err


def test_limit_holdem_has_200_groups_a_street_by_default(run, tmp_path, monkeypatch):
    def planned(rules, buckets):
        raise ValueError(f"chosen: {buckets}")

    log = tmp_path / "limit.log"
    run("match", "holdem.limit.2p", "caller", "raiser", "--hands", 2, "--log", log)
    monkeypatch.setattr("pokerlab.players.opponents.player_hands.planned_rows", planned)
    outcome = run("model", log, "--player", "raiser")
    assert outcome.code == 2
    assert "chosen: 169/kmeans:200,200,200" in outcome.err


def test_options_of_groups_need_groups(run, model):
    for words in (["--minutes", 1], ["--method", "public"], ["--threads", 1]):
        outcome = run("respond", model, *words)
        assert outcome.code == 2
        assert f"{words[0]} applies only to models by groups of cards" in outcome.err


def test_a_response_lies_between_equilibrium_and_best_response(run, model, tmp_path):
    found = [run("respond", model, "--p", p, "--json").json for p in ("0", "0.5", "1")]
    won, lost = ([data[key] for data in found] for key in ("won", "exploitability"))
    assert won == sorted(won)
    assert lost == sorted(lost)
    assert lost[0] == pytest.approx(0.0, abs=1e-9)
    assert found[1]["game_value_by_seat"][0] == pytest.approx(-1 / 18)
    file = tmp_path / "answer"
    shown = run("respond", model, "-o", file)
    assert "wins from the model" in shown.out
    assert "can lose (exploitability): " in shown.out
    score = run("match", "kuhn", f"strategy:{file}", "random", "--hands", 400, "--json").json
    assert score["scores"][f"strategy:{file}"] > 0


def test_a_data_biased_response(run, model):
    bold = run("respond", model, "--json").json
    careful = run("respond", model, "--data-biased", "--half-at", 500, "--json").json
    assert careful["response"] == "data-biased response"
    assert careful["exploitability"] < bold["exploitability"]
    rule = run(
        "respond",
        model,
        "--data-biased",
        "--half-at",
        500,
        "--rule",
        "pcfr+",
        "--iterations",
        500,
        "--json",
    ).json
    assert 0.0 <= rule["gap"] <= 1e-4
    assert rule["game_value_by_seat"] is None
    assert rule["exploitability"] == pytest.approx(careful["exploitability"], abs=1e-2)


def test_a_safe_response(run, model):
    data = run("respond", model, "--risk", "0.05", "--json").json
    assert (data["response"], data["risk"], data["p"]) == ("safe response", 0.05, None)
    value, least = data["game_value_by_seat"], data["guaranteed_by_seat"]
    for seat in (0, 1):
        assert value[seat] - least[seat] <= 0.05 + 1e-8
    safest = run("respond", model, "--risk", "0", "--json").json
    assert safest["exploitability"] == pytest.approx(0.0, abs=1e-8)
    assert data["won"] > safest["won"]
    assert "safe response, risk 0.05" in run("respond", model, "--risk", "0.05").out


def test_a_solution_in_place_of_a_model(run, tmp_path):
    file = tmp_path / "kuhn.safetensors"
    run("solve", "kuhn", "--iterations", 5, "-o", file)
    assert run("respond", file, "--json").json["won"] > 0
    outcome = run("respond", file, "--data-biased")
    assert outcome.code == 2
    assert "which has no observations" in outcome.err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--p", "1.5"], "--p"),
        (["--p", "nan"], "--p"),
        (["--half-at", "3"], "--half-at needs --data-biased"),
        (["--data-biased", "--half-at", "0"], "half_at: 0"),
        (["--iterations", "3"], "--iterations needs another --rule than lp"),
        (["--rule", "simplex"], "simplex"),
        (["--risk", "-1"], "--risk"),
        (["--risk", "0.1", "--p", "0.5"], "--risk and --p: give one or the other"),
        (["--risk", "0.1", "--rule", "dcfr"], "--risk needs the rule lp"),
    ],
)
def test_bad_input_of_a_response(run, model, words, said):
    outcome = run("respond", model, *words)
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.count("\n") == 1
    assert said in outcome.err

"""A new spot in three choices is the spot that the command line makes of the same story."""

import pytest
from typer.testing import CliRunner

from pokerlab.cards.hand_classes import CLASS_SIZES
from pokerlab.cli.assembly import assemble
from pokerlab.holdem.charts import DEPTHS, shipped_chart
from pokerlab.holdem.spots import Spot, load_postflop


@pytest.fixture(scope="module")
def choices(client):
    return client.get("/api/spots/ready").json()["choices"]


def filled(client, choice):
    asked = {name: choice[name] for name in ("stack", "pot", "raiser")}
    answer = client.get("/api/spots/ready", params=asked)
    assert answer.status_code == 200, answer.text
    return answer.json()["fields"]


def test_every_choice_is_its_story_with_the_charts(client, choices):
    assert {choice["stack"] for choice in choices} == set(DEPTHS)
    for choice in choices:
        fields = filled(client, choice)
        sizes = {name: fields[name] for name in ("bet", "raise", "force_allin", "max_bets")}
        told = {"preflop": choice["story"], "ranges": f"{choice['stack']}bb", "big_blind": 10}
        spot = Spot.from_fields({"board": "Qs7h2d", **fields})
        assert spot.fields() == Spot.from_fields({"board": "Qs7h2d", **told, **sizes}).fields()
        # All chips are there: those in the pot and those behind.
        behind = spot.stack if isinstance(spot.stack, tuple) else (spot.stack,) * 2
        assert spot.pot + sum(behind) == 2 * 10 * choice["stack"]
        raises = choice["story"].count("raise")
        assert choice["pot"] == ["limped", "single-raised", "3-bet", "4-bet"][raises]
        raised = {"nobody": None, "SB": "ip", "BB": "oop"}[choice["raiser"]]
        assert fields.get("aggressor") == raised


def test_shares_are_those_of_the_play_of_the_chart(choices):
    """Counted from the strategies of the decisions, not from what the file keeps of its ends."""
    for choice in choices:
        chart = shipped_chart(choice["stack"])
        letters = {"limp": "c", "call": "c", "check": "x"}
        line = "/".join(
            f"r{words[2]}" if words[1] == "raise" else letters[words[1]]
            for words in (act.split() for act in choice["story"].split(", "))
        )
        share = 1.0
        for player in range(2):
            share *= float(chart.reach(line, player) @ CLASS_SIZES) / 1326
        assert choice["share"] == pytest.approx(share, rel=1e-3)


def test_the_command_line_makes_the_same(client, choices, tmp_path):
    choice = next(each for each in choices if each["pot"] == "4-bet" and each["stack"] == 100)
    fields = filled(client, choice)
    menus = {
        name: "; ".join(
            f"{player} {street}: {text}"
            for street, texts in fields[name].items()
            for player, text in texts.items()
        )
        for name in ("bet", "raise")
    }
    words = [
        *("solve", "--board", "Qs7h2d5c9s", "--preflop", choice["story"], "--ranges", "100bb"),
        *("--big-blind", "10", "--bet", menus["bet"], "--raise", menus["raise"]),
        *("--force-allin", "0.2", "--max-bets", "2", "--iterations", "2"),
        *("--output", str(tmp_path / "made.safetensors")),
    ]
    done = CliRunner().invoke(assemble("solve"), words)
    assert done.exit_code == 0, done.output
    made = load_postflop(tmp_path / "made.safetensors").spot
    assert made.fields() == Spot.from_fields({"board": "Qs7h2d5c9s", **fields}).fields()


@pytest.mark.parametrize(
    ("asked", "field", "said"),
    [
        ({"stack": "20", "pot": "4-bet", "raiser": "SB"}, "pot", "with 20 big blinds"),
        ({"stack": "100", "pot": "../..", "raiser": "SB"}, "pot", "single-raised, SB"),
        ({"stack": "100"}, "pot", "limped, nobody"),
        ({"stack": "1e3"}, "stack", "is not a number"),
        ({"stack": "77", "pot": "3-bet", "raiser": "BB"}, "stack", "20, 30, 50, 100, 200"),
    ],
)
def test_other_choices_are_one_line(client, asked, field, said):
    answer = client.get("/api/spots/ready", params=asked)
    assert (answer.status_code, answer.json()["field"]) == (400, field)
    assert said in answer.json()["error"]

"""A new spot in three choices is the spot that the command line makes of the same story."""

import pytest
from typer.testing import CliRunner

from pokerlab.cards.hand_classes import CLASS_SIZES
from pokerlab.cli.assembly import assemble
from pokerlab.holdem.charts import DEPTHS, shipped_chart
from pokerlab.holdem.spots import Spot, load_postflop
from pokerlab.holdem.spots.question.preflop_ranges import PreflopRanges

CHOICE = ("table", "opener", "other", "stack", "pot", "raiser")


@pytest.fixture(scope="module")
def choices(client):
    return client.get("/api/spots/ready").json()["choices"]


def filled(client, choice):
    answer = client.get("/api/spots/ready", params={name: choice[name] for name in CHOICE})
    assert answer.status_code == 200, answer.text
    return answer.json()["fields"]


def told(choice):
    ranges = f"{choice['stack']}bb" if choice["table"] == "heads-up" else "six-max"
    return {"preflop": choice["story"], "ranges": ranges, "big_blind": 10}


def test_every_choice_is_its_story_with_the_ranges_of_the_package(client, choices):
    assert len({tuple(choice[name] for name in CHOICE) for choice in choices}) == len(choices)
    for choice in choices:
        fields = filled(client, choice)
        sizes = {name: fields[name] for name in ("bet", "raise", "force_allin", "max_bets")}
        spot = Spot.from_fields({"board": "Qs7h2d", **fields})
        by_story = Spot.from_fields({"board": "Qs7h2d", **told(choice), **sizes})
        assert spot.fields() == by_story.fields()
        raises = choice["story"].count("raise")
        assert choice["pot"] == ["limped", "single-raised", "3-bet", "4-bet"][raises]
        # All chips of both are there: those in the pot and those behind.
        behind = spot.stack if isinstance(spot.stack, tuple) else (spot.stack,) * 2
        blinds = 15 - sum({"SB": 5, "BB": 10}.get(choice[name], 0) for name in ("opener", "other"))
        assert spot.pot + sum(behind) == 2 * 10 * choice["stack"] + blinds
        order = ["SB", "BB", "UTG", "HJ", "CO", "BTN"]
        if choice["table"] == "heads-up":
            order = ["BB", "SB"]
        first = min(choice["opener"], choice["other"], key=order.index)
        raised = {"nobody": None, first: "oop"}.get(choice["raiser"], "ip")
        assert fields.get("aggressor") == raised


def test_six_max_has_every_pair_of_positions_and_three_kinds_of_pots(choices):
    six = [choice for choice in choices if choice["table"] == "six-max"]
    seats = ["UTG", "HJ", "CO", "BTN", "SB", "BB"]
    pairs = {(one, other) for place, one in enumerate(seats) for other in seats[place + 1 :]}
    for pot in ("single-raised", "3-bet", "4-bet"):
        found = {(each["opener"], each["other"]) for each in six if each["pot"] == pot}
        assert found == pairs
    assert {each["stack"] for each in six} == {100}
    assert {each["stack"] for each in choices if each["table"] == "heads-up"} == set(DEPTHS)
    # Ranges are those of the file, by the story without sizes.
    known = PreflopRanges.named("six-max")
    for each in six:
        _, ranges = known.spot(each["story"])
        assert all(hands.count for hands in ranges.values())


def test_shares_are_those_of_the_play_of_the_chart(choices):
    """Counted from the strategies of the decisions, not from what the file keeps of its ends."""
    for choice in choices:
        if choice["table"] == "six-max":
            assert choice["share"] is None
            continue
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


@pytest.mark.parametrize("table", ["heads-up", "six-max"])
def test_the_command_line_makes_the_same(client, choices, tmp_path, table):
    wanted = {"pot": "4-bet", "stack": 100, "table": table}
    choice = next(each for each in choices if wanted.items() <= each.items())
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
        *("solve", "--board", "Qs7h2d5c9s", "--preflop", choice["story"]),
        *("--ranges", told(choice)["ranges"]),
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
        ({"stack": "50", "table": "six-max"}, "stack", "are for 100 big blinds alone"),
        ({"stack": "100", "table": "nine"}, "table", "'nine' is not heads-up or six-max"),
        ({"stack": "100", "table": "six-max", "opener": "BB"}, "pot", "none for these players"),
    ],
)
def test_other_choices_are_one_line(client, asked, field, said):
    answer = client.get("/api/spots/ready", params=asked)
    assert (answer.status_code, answer.json()["field"]) == (400, field)
    assert said in answer.json()["error"]

"""A night's hands judged: each against a solve of its own, and the sums by hand."""

import re
from pathlib import Path

import pytest
from tests.histories import NIGHT, played_hand

from pokerlab.arena.logs.hand_spot import RARE, spot_of_history
from pokerlab.arena.logs.histories import HandFilter, hand_at
from pokerlab.arena.logs.phh_text import read_hand
from pokerlab.cards.codes import combo_index, parse_cards
from pokerlab.drills.log import default_log, open_log
from pokerlab.drills.played import judged_histories
from pokerlab.drills.played.judged_histories import (
    HandJudging,
    hands_to_judge,
    judge_hands,
    judged_rows,
    judged_summary,
)
from pokerlab.drills.played.played_hands import fits, judge_played
from pokerlab.holdem import charts
from pokerlab.holdem.spots import Spot, load_postflop, solve_spot

RIVERS = HandJudging("ann", street="river", target="0.5%", keep="all")


@pytest.fixture(scope="module")
def night(tmp_path_factory):
    path = tmp_path_factory.mktemp("night") / "night.phhs"
    path.write_text(NIGHT, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def judged(night, tmp_path_factory):
    """The rows of a night, their file, and the folder of the solutions."""
    place = tmp_path_factory.mktemp("judged")
    asked = hands_to_judge({night: None}, RIVERS)
    told = []
    rows = list(
        judge_hands(
            asked,
            RIVERS,
            store=place / "rows.jsonl",
            solutions=place / "kept",
            keep_mistakes=True,
            report=lambda *each: told.append(each),
        )
    )
    assert told[0] == ("hands judged", 0, 2) and told[-1] == ("hands judged", 2, 2)
    return rows, place


def test_only_hands_that_make_a_spot_are_judged(night):
    asked = hands_to_judge({night: None}, RIVERS)
    assert [each.place for each in asked.hands] == [1, 4] and asked.looked_at == 5
    assert asked.passed == {
        "the player and one other did not see the flop": 2,
        "the cards of the player are not known": 1,
    }
    low, high = asked.seconds(RIVERS)
    assert 0 < low < high < 10
    assert hands_to_judge({night: {2, 3}}, RIVERS).looked_at == 2
    none = hands_to_judge({night: None}, RIVERS, HandFilter.parse(pot="3-bet"))
    assert none.looked_at == 0 and none.seconds(RIVERS) == (0.0, 0.0)


def test_decisions_are_those_of_a_solve_of_its_own(judged, night):
    rows, place = judged
    for row in rows:
        hand = hand_at(night, row["place"]).hand
        solution = load_postflop(place / "kept" / row["solution"])
        again = judge_played(hand, solution)
        assert [each.judgement.to_json()["ev"] for each in again.moves] == [
            each["ev"] for each in row["decisions"]
        ]
        plain = solve_spot(RIVERS.spot(hand).spot, target="0.1%")
        for each, other in zip(row["decisions"], judge_played(hand, plain).moves, strict=True):
            found = other.judgement
            if each["line"] == "":  # what is seldom played differs from solve to solve
                assert max(each["ev"]) == pytest.approx(max(found.ev), abs=0.05 * found.pot)
        assert row["exploitability"] <= 0.5 and row["note"].startswith("ranges: the charts")
    assert [each["street"] for row in rows for each in row["decisions"]] == ["river"] * 3


def test_mistakes_come_back_in_practice(judged):
    rows, place = judged
    for row in rows:
        log = open_log(default_log(place / "kept" / row["solution"]))
        kept = [entry.decision.to_json() for entry in log.entries()]
        assert [each["ev"] for each in kept] == [each["ev"] for each in row["decisions"]]


def test_a_run_that_was_killed_goes_on(judged, night, tmp_path, monkeypatch):
    rows, place = judged
    lines = (place / "rows.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    store = tmp_path / "rows.jsonl"
    store.write_text(lines[0] + lines[1][:50], encoding="utf-8")  # killed as it wrote
    assert len(judged_rows(store)) == 1 and judged_rows(tmp_path / "none") == []
    solved = []
    judge_one = judged_histories.judge_one
    monkeypatch.setattr(
        judged_histories,
        "judge_one",
        lambda asked, *rest, **more: solved.append(asked.place) or judge_one(asked, *rest, **more),
    )
    asked = hands_to_judge({night: None}, RIVERS)
    again = list(judge_hands(asked, RIVERS, store=store))
    assert solved == [4] and again[0] == rows[0] and len(judged_rows(store)) == 2


def test_names_of_solutions_are_names_of_files_and_differ(night, tmp_path, monkeypatch):
    """A file may say any number of a hand, and the same one twice."""
    text = night.read_text(encoding="utf-8").replace("hand = 4714", "hand = '../../4711'")
    path = tmp_path / "night.phhs"
    path.write_text(text, encoding="utf-8")
    names = []

    def judge_one(asked, judging, name, **more):
        names.append(name)
        return {"decisions": [], "again": len(names) == 1}

    monkeypatch.setattr(judged_histories, "judge_one", judge_one)
    asked, store = hands_to_judge({path: None}, RIVERS), tmp_path / "rows.jsonl"
    assert [each.name for each in asked.hands] == ["night-4711"] * 2
    list(judge_hands(asked, RIVERS, store=store))
    first, second = names
    assert first != second and all(name.startswith("night-4711-") for name in names)
    assert re.fullmatch(r"[\w-]+", first + second)
    list(judge_hands(asked, RIVERS, store=store))
    assert names == [first, second, first]  # for want of memory: tried again
    assert [row["again"] for row in judged_rows(store)] == [False, False]


def test_the_sums_are_those_of_the_rows(judged):
    rows, _ = judged
    found = judged_summary(rows)
    losses = [
        0.0 if each["grade"] == "best" else each["loss"] / 100
        for row in rows
        for each in row["decisions"]
    ]
    assert found["lost"] == pytest.approx(sum(losses)) and found["decisions"] == 3
    assert found["per_hundred"] == pytest.approx(50 * sum(losses))
    assert found["per_hand"] == pytest.approx(sum(losses) / 2)
    (street,) = found["by_street"]
    assert street["name"] == "river" and street["lost"] == pytest.approx(found["lost"])
    (kind,) = found["by_kind"]
    assert kind["name"] == "single-raised" and kind["decisions"] == 3
    assert sum(found["grades"].values()) == 3
    worst = [each["loss_bb"] for each in found["worst"]]
    assert worst == sorted(worst, reverse=True)
    first, second = (row["lost"] for row in rows)
    assert found["error"] == pytest.approx(50 * abs(first - second))


def test_a_hand_outside_of_the_range_is_judged_as_a_rare_one():
    acts = ["d dh p1 7c2d", "d dh p2 ????", "p2 cbr 250", "p1 cc", "d db Kh9d3c", "p1 cc", "p2 cc"]
    river = [*acts, "d db 2s", "p1 cc", "p2 cc", "d db 9h", "p1 cc", "p2 cc"]
    hand = read_hand(played_hand(1, river))
    plain, judging = spot_of_history(hand, street="river"), RIVERS.spot(hand)
    combo = combo_index(*parse_cards("7c2d"))
    assert plain.spot.ranges[0].weights[combo] == 0
    assert judging.spot.ranges[0].weights[combo] == pytest.approx(RARE)
    others = [each for each in range(1326) if each != combo]
    assert (plain.spot.ranges[0].weights == judging.spot.ranges[0].weights)[others].all()
    assert plain.spot.pot == 500 and plain.spot.effective_stack == 1750


def test_spots_of_later_streets_and_sizes_of_the_hand(night):
    hand = hand_at(night, 1).hand
    flop, turn, river = (
        spot_of_history(hand, street=street, played_sizes=True).spot
        for street in ("flop", "turn", "river")
    )
    assert (flop.pot, turn.pot, river.pot) == (500, 1000, 1000)
    assert (flop.effective_stack, turn.effective_stack) == (1750, 1500)
    assert (flop.aggressor, turn.aggressor, river.aggressor) == ("ip", "ip", None)
    assert flop.fields()["bet"] == "flop: 50%; turn: 66%; river: 75%, a"
    for spot in (flop, turn, river):
        assert fits(hand, spot)
    short = ["p2 cbr 250", "p1 cc", "d db Kh7d2c", "p1 cc", "p2 cbr 250", "p1 f"]
    with pytest.raises(ValueError, match="no two players saw the turn"):
        spot_of_history(read_hand(played_hand(1, short)), street="turn")


def test_solutions_fit_by_board_and_stack(night):
    hand = hand_at(night, 1).hand
    spot = Spot("Kh7d2c", "any", "any", pot=5, stack=17.5)
    assert fits(hand, spot)
    for board, stack in (("7dKh2c", 20), ("Kh7d2c2s9h", 7)):
        assert fits(hand, Spot(board, "any", "any", pot=5, stack=stack))
    for board, stack in (("Kh7d3c", 17.5), ("Kh7d2c", 40), ("Kh7d2c2s9d", 7.5)):
        assert not fits(hand, Spot(board, "any", "any", pot=5, stack=stack))


def test_limit_hands_make_no_spots():
    text = played_hand(1, ["p2 cc", "p1 cc", "d db Kh7d2c", "p1 cbr 100", "p2 f"])
    text = text.replace("'NT'", "'FT'").replace("min_bet = 100", "small_bet = 100\nbig_bet = 200")
    hand = read_hand(text)
    with pytest.raises(ValueError, match="limit"):
        spot_of_history(hand)
    assert not fits(hand, Spot("Kh7d2c", "any", "any", pot=200, stack=1900))


@pytest.mark.parametrize(
    ("settings", "field"),
    [
        ({"street": "preflop"}, "street"),
        ({"keep": "some"}, "keep"),
        ({"runouts": "twelve"}, "runouts"),
        ({"target": "no"}, "target"),
        ({"target": "0"}, "target"),
        ({"seconds": 0}, "seconds"),
    ],
)
def test_bad_settings_are_named(settings, field):
    with pytest.raises(ValueError, match=field):
        HandJudging("ann", **settings)


def test_fuller_tables_have_the_six_max_ranges():
    path = Path(__file__).parents[1] / "data" / "histories" / "pluribus.phhs"
    asked = hands_to_judge({path: None}, HandJudging("MrWhite"))
    assert len(asked.hands) == 3
    file = Path(charts.__file__).parent / "data" / "six-max.toml"
    named = hands_to_judge({path: None}, HandJudging("MrWhite", ranges=str(file)))
    assert [each.place for each in named.hands] == [each.place for each in asked.hands]
    for each in asked.hands:
        spot = HandJudging("MrWhite").spot(each.hand)
        assert spot.note.startswith("ranges: six-max")
        assert all(hands.count < 1326 for hands in spot.spot.ranges)

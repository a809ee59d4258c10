"""Boards that are typed: which solution of a batch is opened, and what it stands for."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.web.made_batch import make_batch

from pokerlab.cards import combo_cards, combo_index, format_cards, parse_cards
from pokerlab.cards.flops import all_flops
from pokerlab.cards.isomorphism.suits import permute_cards
from pokerlab.holdem.batches import BatchQuestion, plan_batch, run_batch
from pokerlab.holdem.batches.question import flop_boards
from pokerlab.holdem.batches.standing import inverse, line_on, standing_for
from pokerlab.holdem.spots import Spot, load_postflop, solve_spot

SPOT = Spot("Kh7d2c", "AA, 77, A5s", "QQ, KJs", pot=10, stack=10, bet="50%", raise_="")
SUITS = {"c": 1, "d": 2, "h": 3, "s": 0}  # how Kh7d2c becomes Ks7h2d


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("boards")
    boards = flop_boards("Ks7h2d, QsQh2d")
    question = BatchQuestion.of(SPOT, boards, up_to_suits=True, iterations=16, keep="root")
    run_batch(question, place / "flops", plan_batch(question, workers=1, threads=1))
    turns = BatchQuestion.of(SPOT, {"Kh7d2c5h": 1.0, "Kh7d2c9s": 1.0}, iterations=4)
    run_batch(turns, place / "turns", plan_batch(turns, workers=1, threads=1))
    make_batch(place / "others", "184", without=20)
    (place / "damaged").mkdir()
    (place / "damaged" / "batch.toml").write_text("format = 3")
    solve_spot(SPOT, iterations=16, threads=1).save(place / "alone.safetensors")
    return place


@pytest.fixture(scope="module")
def ids(client):
    return {entry["name"]: entry["id"] for entry in client.get("/api/library").json()["files"]}


def ask(client, **query):
    return client.get("/api/boards", params=query)


def test_the_search_offers_the_solved_board_of_each_batch(client, ids):
    found = {each["name"]: each for each in ask(client, board="kh 7d,2C").json()["found"]}
    assert found["flops"] == {
        "id": f"{ids['flops']}-Ks7h2d",
        "batch": ids["flops"],
        "name": "flops",
        "board": "Ks7h2d",
        "wanted": "Kh7d2c",
        "line": "",
        "whole_line": True,
        "text": "hearts are spades here, diamonds are hearts, clubs are diamonds, spades are clubs",
    }
    exact = ask(client, board="7hKs2d").json()["found"]
    assert {(each["board"], each["wanted"], each["text"]) for each in exact} == {
        ("Ks7h2d", "Ks7h2d", "")
    }
    turn = ask(client, board="Kh7d2c5h").json()["found"]
    assert [(each["name"], each["board"]) for each in turn] == [("turns", "Kh7d2c5h")]
    assert ask(client, board="Ks7h2d5s").json()["found"] == []  # boards stand for themselves
    for entry in (found["flops"], *turn):
        assert client.get(f"/api/solutions/{entry['id']}").json()["board"] == [
            entry["board"][place : place + 2] for place in range(0, len(entry["board"]), 2)
        ]


def test_near_a_solution_only_its_own_spot_counts(client, ids):
    for near in (ids["alone.safetensors"], f"{ids['flops']}-Ks7h2d", f"{ids['turns']}-Kh7d2c9s"):
        batches = ask(client, near=near).json()["batches"]
        assert {each["name"]: len(each["boards"]) for each in batches} == {"flops": 2, "turns": 2}
        assert batches[0]["up_to_suits"] and "Ks7h2d" in batches[0]["boards"]
        found = ask(client, near=near, board="QsQd2h").json()["found"]
        assert [(each["name"], each["board"]) for each in found] == [("flops", "QsQh2d")]
    assert ask(client, near=ids["alone.safetensors"], board="AsKh7d").json()["found"] == []


def test_the_line_stays_with_its_cards_renamed(client, ids):
    near = f"{ids['flops']}-Ks7h2d"

    def line(line, board, **query):
        found = ask(client, near=near, board=board, line=line, **query).json()["found"][0]
        return found["line"], found["whole_line"]

    assert line("x/b5/c/9s/x", "QcQd2s") == ("x/b5/c/9d/x", True)  # canonical: c s d h
    assert line("x/b5/c/9s/x", "Ks7h2d") == ("x/b5/c/9s/x", True)
    # From Kh7d2c, as which the flop was opened: its 9h is called 9s there.
    assert line("x/x/9s", "Kh7d2c9s"[:6], **{"as": "Kh7d2c"}) == ("x/x/9s", True)
    assert line("x/x/9s", "7dKh2c") == ("x/x/9c", True)  # as typed: 9s of Kh7d2c is a club there
    assert line("x/x/Qs", "QsQh2d") == ("x/x", False)  # it lies on the board
    assert line("x/x/9s", "Ks7h2d", **{"as": "Kh7d2c"})[0] == "x/x/9h"
    found = ask(client, near=near, board="Kh7d2c5h", line="b5/c/5h").json()["found"][0]
    assert (found["line"], found["whole_line"]) == ("b5/c", False)


@pytest.mark.parametrize(
    ("query", "field", "message"),
    [
        ({"board": "Kh7d"}, "board", "is not a flop, turn or river"),
        ({"board": "Kh7d2x"}, "board", "2x"),
        ({"board": "KhKh2d"}, "board", "twice"),
        ({"board": "x" * 5000}, "board", ""),
        ({}, "board", "name one"),
        ({"board": "Kh7d2c", "line": "q/q"}, "line", "q"),
    ],
)
def test_bad_boards_and_lines(client, query, field, message):
    answer = ask(client, **query)
    assert (answer.status_code, answer.json()["field"]) == (400, field)
    assert message in answer.json()["error"] and len(answer.json()["error"]) < 400
    assert "\n" not in answer.json()["error"]


def test_what_is_not_there(client, ids):
    assert ask(client, near="nothing").status_code == 404
    assert ask(client, near=ids["flops"]).status_code == 404
    answer = ask(client, near=f"{ids['flops']}-Ks7h2d", board="Kh7d2c", **{"as": "zz"})
    assert (answer.status_code, answer.json()["field"]) == (400, "as")


def test_a_flop_that_stands_for_another_has_its_strategy(folder):
    """The spot solved on Kh7d2c itself, hand by hand, with the suits renamed as the page says."""
    stored = load_postflop(folder / "flops" / "solutions" / "Ks7h2d.safetensors")
    alone = load_postflop(folder / "alone.safetensors")
    assert alone.values == pytest.approx(stored.values, abs=1e-3)
    for line in ("", "x"):
        one, other = alone.at(line), stored.at(line)
        seat = one.player
        for hand in alone.spot.ranges[seat].weights.nonzero()[0].tolist():
            cards = combo_cards(hand)
            there = combo_index(*permute_cards(cards, [SUITS[suit] for suit in "cdhs"]))
            assert other.weights[seat][there] == pytest.approx(one.weights[seat][hand], abs=1e-3)
            if one.weights[seat][hand] > 0:
                assert other.equity[seat][there] == pytest.approx(one.equity[seat][hand], abs=1e-3)
                assert other.ev[seat][there] == pytest.approx(one.ev[seat][hand], abs=1e-2)


FLOPS = BatchQuestion.of(
    SPOT, {flop.name: flop.weight for flop in all_flops()}, up_to_suits=True, keep="root"
)


@given(st.lists(st.integers(0, 51), min_size=3, max_size=3, unique=True))
def test_each_flop_has_one_that_stands_for_it(cards):
    found = standing_for(FLOPS, format_cards(cards))
    assert {*permute_cards(cards, found.suits)} == {*parse_cards(found.board)}
    assert found.board in FLOPS.boards
    back = inverse(found.suits)
    assert [back[suit] for suit in found.suits] == [0, 1, 2, 3]
    card = next(card for card in range(52) if card not in cards)
    line = f"x/x/{format_cards([card])}/x"
    renamed = line_on(SPOT.with_board(parse_cards(found.board)), line, found.suits)
    assert renamed == f"x/x/{format_cards(permute_cards([card], found.suits))}/x"

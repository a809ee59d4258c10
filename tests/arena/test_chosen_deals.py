import json
import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pokerlab.arena.chosen_deals import (
    MatchCards,
    parse_pockets,
    pocket_texts,
    read_deals,
)
from pokerlab.arena.deal_generator import DealGenerator
from pokerlab.arena.matches import Match, play_match
from pokerlab.arena.results import ResultsFile
from pokerlab.arena.tournaments import plan_tournament, play_matches
from pokerlab.cards import Range
from pokerlab.cards.codes import format_cards
from pokerlab.games import load_betting_game
from pokerlab.holdem.spots import Spot
from pokerlab.players.strategies import SpotGame

KUHN = load_betting_game("kuhn")
LEDUC = load_betting_game("leduc")
HOLDEM = load_betting_game("holdem.limit.2p")
DRAW = load_betting_game("draw")


def as_json(game, deals):
    rows = [
        {
            "holes": [format_cards(hole) for hole in deal.holes],
            "board": format_cards(deal.board),
            "stub": format_cards(deal.stub),
            "weight": 0.5,
            "reshuffled": format_cards(deal.reshuffled),
        }
        for deal in deals
    ]
    return json.dumps({"game": game.name, "count": len(rows), "deals": rows})


@settings(
    deadline=None, max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.sampled_from([KUHN, LEDUC, HOLDEM]), st.integers(0, 2**32), st.integers(1, 20))
def test_what_was_printed_is_read(tmp_path, game, seed, count):
    generated = DealGenerator(game).sample(count, np.random.default_rng(seed))
    deals = tuple(deal for deal, _ in generated)
    file = tmp_path / "deals"
    file.write_text("# mine\n\n" + "".join(f"{deal}  0.5\n" for deal in deals))
    assert read_deals(file, game) == deals
    file.write_text("\n".join(str(deal) for deal in deals))
    assert read_deals(file, game) == deals
    file.write_text(as_json(game, deals))
    assert read_deals(file, game) == deals


def test_deals_with_a_draw_need_the_cards_to_draw(tmp_path):
    deals = tuple(deal for deal, _ in DealGenerator(DRAW).sample(3, np.random.default_rng(1)))
    file = tmp_path / "deals"
    file.write_text(as_json(DRAW, deals))
    assert read_deals(file, DRAW) == deals
    result = play_match("draw", ["random", "caller"], deals=file)
    assert (result.hands, sum(result.faults)) == (3, 0)
    file.write_text("\n".join(map(str, deals)))
    with pytest.raises(ValueError, match=r"line 1: .* has no cards to draw; .*--json"):
        read_deals(file, DRAW)
    file.write_text(as_json(DRAW, [deals[0]._replace(reshuffled=(1, 2))]))
    with pytest.raises(ValueError, match="reshuffled cards are not the deck of draw"):
        read_deals(file, DRAW)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "there is no deal in this file"),
        ("# only words\n", "there is no deal in this file"),
        ("Ks\n", "line 1: Ks deals 1 hands, leduc has 2"),
        ("Ks|Jh\n", "line 1: Ks|Jh is not complete: leduc deals 1 private and 1 public cards"),
        ("Ks|/Jh\n", "line 1: Ks|/Jh is not complete"),
        ("Ks|Jh/Kh  0.5\nKs|Jh/Ks  0.5\n", "line 2: card Ks is dealt twice"),
        ("As|Jh/Kh", "As is not in the deck of leduc"),
        ("AsKd|QsQc/2c3d4h5s7h  0.5", "line 1: seat 0 gets AsKd, leduc deals 1 private cards"),
        ("Ks|Jh/Kh  much", "line 1: 'Ks|Jh/Kh much' is not a deal and its weight"),
        ("Ks|Jh/Kh  nan", "is not a deal and its weight"),
        ("Ks|Jh/Kh  -1", "is not a deal and its weight"),
        ("Ks|Jh/Kh 0.5 more", "is not a deal and its weight"),
        ("nonsense", "line 1: 'nonsense' is not a deal and its weight"),
        ("Ks|Jh/Kh  0.5\nKs|Js/Kh  0.25\n", "different weights (0.25 to 0.5)"),
        ("{", "is damaged: it is not the JSON object"),
        ('{"deals": 3}', "is damaged: it is not the JSON object"),
        ("{" + '"deals": ' + "[" * 100_000, "is damaged: it is not the JSON object"),
        ('{"deals": []}', "there is no deal in this file"),
        ('{"deals": [7]}', "deal 0: 7 has no holes, board, stub and weight"),
        (
            '{"deals": [{"holes": [1, 2], "board": "", "stub": "", "weight": 1}]}',
            "has no holes, board, stub and weight",
        ),
        (
            '{"deals": [{"holes": ["Ks", "Jh"], "board": "Kh", "stub": "", "weight": -1}]}',
            "weight -1 is not a number above 0",
        ),
    ],
)
def test_files_that_cannot_be_played_are_one_line(tmp_path, text, message):
    file = tmp_path / "deals.txt"
    file.write_text(text)
    with pytest.raises(ValueError, match=re.escape(message)) as error:
        read_deals(file, LEDUC)
    assert "deals.txt" in str(error.value)
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 600


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_damaged_files_are_read_or_one_line(tmp_path, data):
    deals = [deal for deal, _ in DealGenerator(LEDUC).sample(3, np.random.default_rng(2))]
    text = data.draw(
        st.sampled_from(["\n".join(f"{deal}  0.5" for deal in deals), as_json(LEDUC, deals)])
    )
    place = data.draw(st.integers(0, len(text) - 1))
    text = text[:place] + data.draw(st.text(max_size=3)) + text[place + 1 :]
    file = tmp_path / "deals.txt"
    file.write_text(text, encoding="utf-8", errors="replace")
    try:
        found = read_deals(file, LEDUC)
    except ValueError as error:
        assert "\n" not in str(error)
    else:
        for deal in found:
            assert len(deal.holes) == 2
            assert len(deal.board) == 1


def test_pockets_as_text_and_back():
    texts = ("0:AsKd", "1:QQ+, AKs:0.5")
    assert pocket_texts(parse_pockets(texts)) == texts
    assert pocket_texts({1: Range("QQ+"), 0: (51, 45)}) == ("0:AsKd", "1:QQ+")
    assert pocket_texts(None) == ()
    for bad in ("", "AsKd", "x:AsKd", "0:", "-1:AsKd", "\u0660:Ks", "123456:As"):
        with pytest.raises(ValueError, match=f"pocket {bad!r}: write SEAT:CARDS"):
            parse_pockets([bad])
    with pytest.raises(ValueError, match="seat 0 has a pocket already"):
        parse_pockets(["0:As", "0:Ks"])


def played(game, bots, *arguments, **options):
    hands = []
    result = play_match(game, bots, *arguments, on_hand=hands.append, **options)
    return hands, result


def test_a_match_plays_the_deals_in_their_order():
    deals = list(LEDUC.deals(np.random.default_rng(4), 7))
    hands, result = played("leduc", ["raiser", "caller"], deals=deals)
    assert [hand.deal for hand in hands] == deals
    assert [hand.players[0] for hand in hands[:3]] == ["raiser", "caller", "raiser"]
    hands, result = played("leduc", ["raiser", "caller"], deals=deals, duplicate=True)
    assert result.hands == 14
    assert [hand.deal for hand in hands] == deals * 2
    assert result.chips == (0.0, 0.0)  # both get the same cards at both places
    hands, _ = played("leduc", ["raiser", "caller"], 4, deals=deals)
    assert [hand.deal for hand in hands] == deals[:4]


def test_too_few_deals_are_one_line():
    deals = list(LEDUC.deals(np.random.default_rng(4), 7))
    with pytest.raises(ValueError, match="deals: 7 deals are enough for 7 hands, not for 8"):
        Match("leduc", ["raiser", "caller"], 8, deals=deals)
    message = "7 deals, each in 2 seatings, are enough for 14 hands, not for 16"
    with pytest.raises(ValueError, match=message):
        Match("leduc", ["raiser", "caller"], 16, deals=deals, duplicate=True)
    with pytest.raises(ValueError, match="say how many"):
        Match("leduc", ["raiser", "caller"])
    with pytest.raises(ValueError, match="deals: none are given"):
        Match("leduc", ["raiser", "caller"], deals=[])
    with pytest.raises(ValueError, match="deals and pockets: a match has one of them"):
        Match("leduc", ["raiser", "caller"], deals=deals, pockets={0: "K"})
    with pytest.raises(
        ValueError, match=r"seat 0 gets .*, holdem\.limit\.2p deals 2 private cards"
    ):
        Match("holdem.limit.2p", ["raiser", "caller"], deals=deals)
    with pytest.raises(ValueError, match=r"deals 2 hands, kuhn\.3p has 3"):
        Match("kuhn.3p", ["raiser", "caller", "folder"], deals=deals)


def test_a_pocket_is_dealt_to_its_seat_in_every_hand():
    hands, result = played("kuhn", ["raiser", "caller"], 40, 3, pockets={0: "K"})
    assert {str(hand.deal) for hand in hands} == {"Ks|Js", "Ks|Qs"}
    assert {hand.players[0] for hand in hands} == {"raiser", "caller"}
    assert result.plan.pockets == ("0:K",)
    again, _ = played("kuhn", ["caller", "caller"], 20, 3, pockets={0: "K"})
    assert [hand.deal for hand in again] == [hand.deal for hand in hands[:20]]
    _, duplicate = played("kuhn", ["raiser", "caller"], 40, 3, pockets={0: "K"}, duplicate=True)
    assert duplicate.chips == (0.0, 0.0)
    with pytest.raises(ValueError, match="card Ks is given twice"):
        Match("kuhn", ["raiser", "caller"], 40, pockets={0: "K", 1: "Ks"})
    with pytest.raises(ValueError, match="they need the same cards"):
        Match("holdem.limit.2p", ["raiser"] * 2, 40, pockets={0: "AsAd, AsAh", 1: "AsKs, AsQs"})


def test_a_button_that_stays_gives_one_bot_the_pocket():
    hands, result = played("kuhn", ["raiser", "caller"], 9, pockets={0: "K"}, fixed_button=True)
    assert {hand.players for hand in hands} == {("raiser", "caller")}
    assert result.chips == (18.0, -18.0)
    assert result.stderr == (0.0, 0.0)


def test_chosen_cards_are_part_of_the_plan(tmp_path):
    file, copy = tmp_path / "deals.txt", tmp_path / "copy.txt"
    file.write_text("Ks|Jh/Kh\nQs|Jh/Kh\n")
    copy.write_text("Ks|Jh/Kh  1\nQs|Jh/Kh  1\n")
    plans = plan_tournament("leduc", ["caller", "raiser", "folder"], deals=file)
    assert [plan.hands for plan in plans] == [4, 4, 4]
    results = ResultsFile(tmp_path / "results.jsonl")
    first = list(play_matches(plans, results=results))
    assert all(result.chips == (0.0, 0.0) for result in first if "folder" not in result.plan.bots)
    copies = plan_tournament("leduc", ["caller", "raiser", "folder"], deals=copy)
    assert copies == plans
    assert results.read().keys() == set(copies)
    file.write_text("Ks|Jh/Kh\nJs|Jh/Kh\n")
    others = plan_tournament("leduc", ["caller", "raiser", "folder"], deals=file)
    assert not results.read().keys() & set(others)
    assert others[0].key != plans[0].key
    with pytest.raises(ValueError, match="the deals have changed since the tournament was planned"):
        list(play_matches(plans))
    pockets = plan_tournament("leduc", ["caller", "raiser"], 10, pockets={0: "K"})
    assert next(iter(play_matches(pockets))).plan == pockets[0]
    assert replace(pockets[0], pockets=()).key != pockets[0].key
    with pytest.raises(ValueError, match="hands: say how many"):
        plan_tournament("kuhn.3p", ["caller", "raiser"], twins=True, deals=file)


def test_cards_from_the_seed_are_those_of_the_game():
    rng, same = np.random.default_rng(1), np.random.default_rng(1)
    assert list(MatchCards(LEDUC).deal(5, rng)) == list(LEDUC.deals(same, 5))


def test_in_a_spot_the_board_and_the_ranges_stay():
    spot = SpotGame.of(Spot("QhJh2c4d", "AA, KQs:0.5", "QQ, AJs", pot=100, stack=80))
    hands, _ = played(spot, ["caller", "caller"], 40, 1, pockets={0: "KQs, AsKs"})
    for hand in hands:
        assert hand.deal.board[:4] == spot.spot.board
        assert format_cards(hand.deal.holes[0]) in {"KsQs", "KdQd", "KcQc"}
        assert spot.spot.ranges[1].weight(format_cards(hand.deal.holes[1])) == 1.0
    again, _ = played(spot, ["caller", "caller"], deals=[hand.deal for hand in hands[:5]])
    assert [hand.deal for hand in again] == [hand.deal for hand in hands[:5]]
    deal = hands[0].deal
    for bad, message in (
        (deal._replace(board=(*deal.board[:3], 24, 25)), "does not begin with the board QhJh2c4d"),
        (deal._replace(holes=((5, 6), deal.holes[1])), "3d3h is not in the range of seat 0"),
    ):
        with pytest.raises(ValueError, match=message):
            Match(spot, ["caller", "caller"], deals=[bad])
    with pytest.raises(ValueError, match="pocket '22' of seat 0: no such hand is in its range"):
        Match(spot, ["caller", "caller"], 4, pockets={0: "22"})
    with pytest.raises(ValueError, match="pocket of seat 2"):
        Match(spot, ["caller", "caller"], 4, pockets={2: "22"})

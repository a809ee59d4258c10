"""Columns of hands: the same as the hands one by one say, and filters against a plain loop."""

from pathlib import Path

import numpy as np
import pytest
from tests.histories import NIGHT

from pokerlab.arena.logs.counting import HandCounts
from pokerlab.arena.logs.hand_index import HandIndex, index_file, index_hands
from pokerlab.arena.logs.hand_query import (
    ORDERS,
    HandQuery,
    own_plays,
    played_statistics,
    rows_of,
    select,
    totals,
)
from pokerlab.arena.logs.histories import POTS, FoundHand, hand_at, read_hands
from pokerlab.cards.codes import combo_index, parse_cards
from pokerlab.cards.ranges.range import Range

DATA = Path(__file__).parents[2] / "data" / "histories"
FILES = [DATA / "online.phhs", DATA / "pluribus.phhs"]


@pytest.fixture(scope="module")
def night(tmp_path_factory):
    path = tmp_path_factory.mktemp("night") / "night.phhs"
    path.write_text(NIGHT + "\n[6]\nvariant = 'PO'\n[7]\nvariant = 'NT'\n", encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def index(night):
    return HandIndex.join([index_file(file) for file in (*FILES, night)])


@pytest.fixture(scope="module")
def hands(night):
    return [
        found.hand
        for file in (*FILES, night)
        for found in read_hands(file)
        if isinstance(found, FoundHand)
    ]


def test_statistics_are_those_that_are_counted(index, hands):
    counts = HandCounts()
    counts.add_all(hands)
    expected = counts.statistics()
    found = {each.player: each for each in played_statistics(index)}
    assert set(found) == set(expected)
    for name, one in expected.items():
        other = found[name]
        for fact in ("hands", "vpip", "pfr", "bets", "calls", "showdowns", "showdowns_won"):
            assert getattr(one, fact) == getattr(other, fact), (name, fact)
        assert one.mean == pytest.approx(other.mean, nan_ok=True)
        assert one.stderr == pytest.approx(other.stderr, nan_ok=True)


PLAIN = {
    "position": lambda hand, seat: hand.positions[seat] == "SB",
    "flop": lambda hand, seat: len(hand.board) >= 6 and seat in hand.before(1)[1],
    "two": lambda hand, seat: hand.two_on_flop,
    "pot": lambda hand, seat: POTS[min(hand.raises, 4)] == "single-raised",
    "stakes": lambda hand, seat: hand.blinds == (50, 100),
    "seats": lambda hand, seat: len(hand.spent) == 2,
    "least": lambda hand, seat: hand.pot / hand.big_blind >= 10,
    "result": lambda hand, seat: hand.payoffs is not None and hand.payoffs[seat] > 1e-6,
    "reached": lambda hand, seat: len(hand.live) == 1 and len(hand.board) == 10,
    "cards": lambda hand, seat: bool(
        hand.holes[seat]
        and Range("22+, A2s+, K9s+, 87s").weights[combo_index(*parse_cards(hand.holes[seat]))]
    ),
}
ASKED = {
    "position": "SB",
    "flop": "1",
    "two": "1",
    "pot": "single-raised",
    "stakes": "50/100",
    "seats": "2",
    "least": "10",
    "result": "won",
    "reached": "river",
    "cards": "22+, A2s+, K9s+, 87s",
}


@pytest.mark.parametrize("player", ["ann", "bob", "Pluribus", "MrWhite"])
def test_each_filter_is_that_of_a_plain_loop(index, hands, player):
    for name, fits in PLAIN.items():
        query = HandQuery.of({"player": player, name: ASKED[name]})
        expected = [
            row
            for row, hand in enumerate(hands)
            if player in hand.players and fits(hand, hand.players.index(player))
        ]
        assert select(index, query).tolist() == expected, name
    everything = HandQuery.of({"player": player, **ASKED})
    both = set.intersection(
        *(
            set(select(index, HandQuery.of({"player": player, name: text})).tolist())
            for name, text in ASKED.items()
        )
    )
    assert set(select(index, everything).tolist()) == both


def test_every_order_is_a_permutation_and_sorted(index):
    for order in ORDERS:
        for descending in ("", "1"):
            asked = {"player": "Pluribus", "order": order, "descending": descending}
            found = select(index, HandQuery.of(asked))
            assert sorted(found.tolist()) == sorted(
                select(index, HandQuery.of({"player": "Pluribus"})).tolist()
            )
    pots = index.hands["pot"][select(index, HandQuery.of({"order": "pot", "descending": "1"}))]
    assert (np.diff(pots) <= 0).all()
    won = HandQuery.of({"player": "ann", "order": "won"})
    rows = [row["won"] for row in rows_of(index, select(index, won), "ann")]
    assert rows == sorted(rows)


def test_rows_numbers_dates_and_totals(index, night):
    found = select(index, HandQuery.of({"player": "ann"}))
    rows = rows_of(index, found, "ann")
    assert [row["number"] for row in rows] == [str(4711 + each) for each in range(5)]
    first = rows[0]
    assert first["when"] == "2024-01-01 20:15" and first["board"] == "Kh7d2c2s9h"
    assert (first["cards"], first["position"], first["won"]) == ("8s7s", "BB", 5.0)
    assert hand_at(night, first["place"]).hand.record.number == first["number"]
    numbered = select(index, HandQuery.of({"text": "4712"}))
    assert rows_of(index, numbered)[0]["board"] == ""
    dated = select(index, HandQuery.of({"player": "ann", "text": "2024-01-03"}))
    assert [row["number"] for row in rows_of(index, dated)] == ["4713"]
    whole = totals(index, found, "ann")
    won = sum(row["won"] for row in rows)
    assert whole["hands"] == whole["known"] == 5 and whole["won"] == pytest.approx(won)
    assert whole["per_hundred"] == pytest.approx(20 * won)


def test_what_was_not_read_is_named(night):
    found = index_file(night)
    assert found.left_out == 1 and found.other_games == {"pot-limit Omaha (PO)": 1}
    ((file, place, reason),) = found.unread
    assert (file, place) == (0, 7) and "antes" in reason


def test_whose_histories_these_are(night, index):
    assert index_file(night).hero() == "ann"
    assert index_file(FILES[0]).hero() == index_file(FILES[1]).hero() == ""
    assert (own_plays(index, "nobody") == -1).all()


def test_columns_are_saved_and_loaded(index, tmp_path):
    path = tmp_path / "a.safetensors"
    index.save(path)
    found = HandIndex.load(path)
    assert found.names == index.names and found.unread == index.unread
    for own, others in ((index.hands, found.hands), (index.plays, found.plays)):
        assert set(own) == set(others)
        for name, column in own.items():
            assert np.array_equal(column, others[name], equal_nan=column.dtype.kind == "f")
    content = path.read_bytes()
    for size in (0, 100, len(content) - 1):
        path.write_bytes(content[:size])
        with pytest.raises(ValueError, match=path.name):
            HandIndex.load(path)


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        ({"position": "UNDER", "player": "ann"}, "position"),
        ({"position": "SB"}, "position"),
        ({"cards": "AA"}, "cards"),
        ({"cards": "ZZ", "player": "ann"}, "cards"),
        ({"result": "maybe", "player": "ann"}, "result"),
        ({"reached": "heaven"}, "reached"),
        ({"least": "nan"}, "least"),
        ({"most": "x"}, "most"),
        ({"order": "luck"}, "order"),
        ({"pot": "6-bet"}, "pot"),
        ({"stakes": "0/0"}, "stakes"),
        ({"seats": "1-99"}, "seats"),
        ({"text": "yesterday"}, "text"),
    ],
)
def test_bad_filters_name_the_field(asked, field):
    with pytest.raises(ValueError, match=f"^{field}[: ]"):
        HandQuery.of(asked)


def test_an_empty_index_answers():
    empty = index_hands([], "")
    assert len(empty) == 0 and empty.hero() == "" and played_statistics(empty) == []
    assert select(empty, HandQuery.of({"flop": "1", "order": "won"})).tolist() == []
    assert totals(empty, np.array([], int), "ann")["per_hundred"] is None

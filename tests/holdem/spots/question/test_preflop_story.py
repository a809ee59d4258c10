from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cli.spot_files import EXAMPLES as SPOT_EXAMPLES

from pokerlab.holdem.batches.question import read_question
from pokerlab.holdem.spots import Spot
from pokerlab.holdem.spots.question.preflop_ranges import PreflopRanges
from pokerlab.holdem.spots.question.preflop_story import (
    POSITIONS,
    StoryTable,
    parse_story,
    play_story,
)
from pokerlab.runtime.files.confined import confined_to

SIX = StoryTable()


def end_of(story, table=SIX):
    return play_story(parse_story(story, table), table)


@pytest.mark.parametrize(
    ("story", "table", "players", "pot", "behind", "aggressor"),
    [
        ("BTN raise 2.5, BB call", SIX, ("BB", "BTN"), 5.5, (97.5, 97.5), "BTN"),
        ("BTN raise 2.5, SB fold, BB call", SIX, ("BB", "BTN"), 5.5, (97.5, 97.5), "BTN"),
        ("UTG raise 2, CO raise 3x, UTG call", SIX, ("LJ", "CO"), 13.5, (94, 94), "CO"),
        ("SB limp, BB check", SIX, ("SB", "BB"), 2, (99, 99), None),
        ("SB call, BB raise 4, SB call", SIX, ("SB", "BB"), 8, (96, 96), "BB"),
        ("BTN raise 2, BB call", StoryTable(2, 20), ("BB", "SB"), 4, (18, 18), "SB"),
        ("SB raise 2, BB call", StoryTable(3, 20, ante=0.1), ("SB", "BB"), 4.3, (17.9, 17.9), "SB"),
        ("CO raise 2, BB all-in, CO call", StoryTable(6, {
            "LJ": 9, "HJ": 9, "CO": 30, "BTN": 9, "SB": 9, "BB": 12
        }), ("BB", "CO"), 24.5, (0, 18), "BB"),
        ("HJ limp, BTN limp, BB raise 5, HJ call", SIX, ("BB", "HJ"), 11.5, (95, 95), "BB"),
        ("CO raise 2.2, SB 3bet 10, CO call", SIX, ("SB", "CO"), 21, (90, 90), "SB"),
        ("UTG+1 raise 3, BB call", StoryTable(9, 50), ("BB", "UTG1"), 6.5, (47, 47), "UTG1"),
        # A player who is all-in with the blind has nothing to say, and stays in.
        ("SB call", StoryTable(2, {"SB": 20, "BB": 0.7}), ("BB", "SB"), 1.4, (0, 19.3), None),
        ("SB call, BB call", StoryTable(2, {"SB": 20, "BB": 0.7}), ("BB", "SB"), 1.4, (0, 19.3),
        None), ("SB limp, BB check", StoryTable(2, {"SB": 1, "BB": 9}), ("BB", "SB"), 2, (8, 0),
        None),
        # Against a player who is all-in, all-in is a call.
        ("SB all-in, BB all-in", StoryTable(2, {"SB": 9, "BB": 30}), ("BB", "SB"), 18, (21, 0),
        "SB"), ("SB raise 2.125, BB raise 2.5x, SB call", StoryTable(2), ("BB", "SB"), 10.625,
         (94.6875, 94.6875), "BB"),
    ],
)  # fmt: skip
def test_what_follows_from_a_story(story, table, players, pot, behind, aggressor):
    end = end_of(story, table)
    assert (end.players, end.pot, end.behind, end.aggressor) == (players, pot, behind, aggressor)


@pytest.mark.parametrize(
    ("story", "said"),
    [
        ("", "'' is not a position and an action"),
        ("BTN", "'BTN' is not a position and an action, as in 'BTN raise 2.5'"),
        ("BTN raise", "BTN raise: say to what, as in 'BTN raise 2.5'"),
        ("BTN raise two, BB call", "'two' is not an amount such as 2.5, 2.5bb or 3x"),
        ("UTG1 raise 2, BB call", "'UTG1' is no position of 6 players (LJ, HJ, CO, BTN, SB, BB)"),
        ("BTN raise 1.5, BB call", "BTN raise 1.5: a raise is at least to 2 here"),
        ("BTN raise 3, BB raise 4, BTN call", "BB raise 4: a raise is at least to 5 here"),
        ("BTN raise 200, BB call", "BTN raise 200: BTN has 100 big blinds"),
        ("BTN raise 2.5", "everybody folds to BTN"),
        ("BTN raise 2.5, BB raise 11", "everybody folds to BB"),
        ("BTN raise 2.5, SB call, BB call", "BTN, SB, BB see the flop: spots have two players"),
        ("BB check", "everybody folds to BB"),
        ("SB limp", "BB has not acted: end with 'BB check'"),
        ("BTN raise 2.5, CO call", "CO call: CO has folded"),
        ("BTN raise 2.5, BB call, BTN call", "it is not BTN's turn"),
        ("BTN check, BB check", "there is a bet of 1 to call"),
        ("SB limp, BB call", "there is nothing to call"),
        ("BTN raise 2.5, BB limp", "after a raise one calls"),
        ("BTN call 2.5, BB check", "only a raise has an amount"),
        ("BTN sings, BB call", "'sings' is no action before the flop"),
        ("SB fold, BB raise 3", "everybody folds to BB"),
        ("SB fold, BB fold", "everybody folds to BB"),
        ("BTN raise 10, BB raise 1.5x", "BB raise 1.5x: a raise is at least to 19 here"),
        (
            "BTN all-in, BB raise 100",
            "BB raise 100: no raise is possible here, only 'BB call' or a fold",
        ),
    ],
)
def test_stories_that_cannot_be(story, said):
    with pytest.raises(ValueError, match="") as refused:
        end_of(story)
    assert said in str(refused.value)


def test_a_short_all_in_lets_nobody_raise_again():
    table = StoryTable(3, {"BTN": 100, "SB": 12, "BB": 100})
    with pytest.raises(ValueError, match=r"^BTN raise 40: no raise is possible here"):
        end_of("BTN raise 10, SB all-in, BB call, BTN raise 40, BB call", table)
    with pytest.raises(ValueError, match=r"^BB raise 20: a raise is at least to 21 here"):
        end_of("BTN raise 10, SB all-in, BB raise 20", table)
    assert end_of("BTN raise 10, SB all-in, BB raise 21, BTN fold", table).pot == 34


ACTS = st.tuples(
    st.sampled_from(POSITIONS),
    st.sampled_from(["fold", "check", "call", "raise 2", "raise 2.5x", "raise 9", "all-in"]),
)


@given(
    st.integers(2, 9),
    st.lists(ACTS, min_size=1, max_size=8),
    st.sampled_from([1, 7, 100]),
    st.sampled_from([0, 0.12, 1]),
)
def test_no_chip_is_lost(players, acts, stack, ante):
    table = StoryTable(players, stack, ante=ante)
    try:
        end = end_of(", ".join(map(" ".join, acts)), table)
    except ValueError as error:
        assert "\n" not in str(error)
        return
    # Who folded lost his ante and what he had put in; the rest is in the pot or behind.
    everybody = Decimal(str(stack)) * players
    there = Decimal(str(end.pot)) + sum(Decimal(str(each)) for each in end.behind)
    others = everybody - there
    assert 0 <= others <= Decimal(str(stack)) * (players - 2)
    assert set(end.players) <= set(table.positions)
    assert end.pot >= 2 * min(1, stack) - 1
    assert play_story(end.acts, table) == end


@given(st.text(max_size=60))
def test_any_text_is_a_story_or_one_error(text):
    try:
        end_of(text)
    except ValueError as error:
        assert "\n" not in str(error)


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"players": 1}, "players: 1 is not a number from 2 to 9"),
        ({"players": 6.0}, "players: 6.0"),
        ({"stack": 0}, "stack: 0 is not"),
        ({"players": 2, "stack": {"SB": 10}}, "stack: nothing is said of BB"),
        ({"players": 2, "stack": {"SB": 10, "BB": 10, "CO": 1}}, "'CO' is no position"),
        ({"small_blind": 3}, "small_blind: 3 is more than a big blind"),
    ],
)
def test_bad_tables(fields, said):
    with pytest.raises(ValueError, match="") as refused:
        StoryTable(**fields)
    assert said in str(refused.value)


RANGES = {
    "BTN raise 2.5": "22+, A2s+",
    "BTN raise 2.5, BB call": "TT-22",
    "BTN raise, BB call": "99-22",
    "BTN raise 2.5, BB raise 11": "QQ+, AK",
    "BTN raise 2.5, BB raise 11, BTN call": "JJ-99:0.5",
    "SB call, BB check": "any",
    "SB limp": "JTs",
}


def test_ranges_are_found_by_story():
    known = PreflopRanges.of(SIX, RANGES)
    assert known.spot("BTN raise 2.5, BB call")[1]["BB"].combos == 54
    with pytest.raises(
        ValueError, match=r"no range for 'BTN raise 3'; for BTN there are: BTN raise 2.5;"
    ):
        known.spot("BTN raise 3, BB call")
    _, ranges = known.spot("BTN raise 2.5, BB raise 4.4x, BTN call")
    assert (str(ranges["BTN"]), ranges["BB"].combos) == ("JJ-99:0.5", 34)
    assert known.spot("SB limp, BB check")[1]["BB"].combos == 1326
    sizeless = PreflopRanges.of(SIX, {"BTN raise": "AA", "BTN raise, BB call": "KK"})
    assert str(sizeless.spot("BTN raise 7, BB call")[1]["BB"]) == "KK"


def test_frequencies_are_multiplied_and_too_many_hands_are_refused():
    stories = {**RANGES, "BTN raise 2.5": "22+:0.5, A2s+"}
    multiplied = PreflopRanges.of(SIX, stories, multiplied=True)
    _, ranges = multiplied.spot("BTN raise 2.5, BB raise 11, BTN call")
    assert str(ranges["BTN"]) == "JJ-99:0.25"
    stories["BTN raise 2.5, BB raise 11, BTN call"] = "JJ-99"
    with pytest.raises(ValueError, match=r"9d9c is there more often .* .frequency."):
        PreflopRanges.of(SIX, stories).spot("BTN raise 2.5, BB raise 11, BTN call")


def test_one_story_twice_and_ranges_that_are_none():
    with pytest.raises(ValueError, match=r"ranges: 'BTN raise 2.5x': the same story stands twice"):
        PreflopRanges.of(SIX, {"BTN raise 2.5": "AA", "BTN raise 2.5x": "KK"})
    with pytest.raises(ValueError, match="ranges: 'BTN raise 2': 3 is not a range"):
        PreflopRanges.of(SIX, {"BTN raise 2": 3})
    with pytest.raises(ValueError, match=r"ranges: 'BTN raise 1': .*at least to 2"):
        PreflopRanges.of(SIX, {"BTN raise 1": "AA"})


@pytest.fixture
def file(tmp_path):
    (tmp_path / "call.csv").write_text("hand,call,raise\n99,1,0\nAA,0,1\n")
    file = tmp_path / "ranges.toml"
    file.write_text(
        'players = 6\nstack = 40\n[ranges]\n"BTN raise 2.5" = "AA, KK"\n'
        '"BTN raise 2.5, BB call" = "@call.csv#call"\n'
    )
    return file


def test_a_spot_from_its_story(tmp_path, file):
    spot = tmp_path / "spot.toml"
    spot.write_text(
        'board = "QhJh2c4d7h"\npreflop = "BTN raise 2.5, BB call"\nranges = "ranges.toml"\n'
        "big_blind = 10\nbet = '50%'\n"
    )
    assert Spot.from_file(spot) == Spot(
        "QhJh2c4d7h", "99", "AA, KK", pot=55, stack=375, bet="50%", big_blind=10, aggressor="ip"
    )
    fields = {"board": "QhJh2c", "preflop": "BTN raise 2.5, BB call", "ranges": str(file)}
    mine = Spot.from_fields({**fields, "oop": "22", "pot": 7})
    assert (str(mine.oop), str(mine.ip), mine.pot, mine.stack) == ("22", "KK+", 7, 37.5)


def test_a_batch_from_its_story(tmp_path, file):
    spot = tmp_path / "spot.toml"
    spot.write_text('preflop = "BTN raise 2.5, BB call"\nranges = "ranges.toml"\n')
    question = read_question(spot, {"AsKh7d": 24.0})
    assert question.spot("AsKh7d") == Spot(
        "AsKh7d", "99", "AA, KK", 5.5, 37.5, aggressor="ip", big_blind=1
    )


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"preflop": None}, "preflop: missing"),
        ({"ranges": 3}, "ranges: 3 is not a file of ranges by position and action (.toml), 100bb"),
        (
            {"ranges": " "},
            "ranges: ' ' is not a file of ranges by position and action (.toml), 100bb",
        ),
        ({"ranges": "5bb"}, "ranges: 5 big blinds: the charts of the package are for 15 to 300"),
        ({"ranges": "301bb"}, "ranges: 301 big blinds: the charts of the package are for 15 to"),
        ({"ranges": "100bb", "preflop": "CO raise 2, BB call"}, "SB, BB); for six players say six"),
        ({"ranges": "100bb", "preflop": "SB raise 9, BB call"}, "the charts have no r9 first; th"),
        ({"preflop": "BTN raise 2.5"}, "preflop: everybody folds to BTN"),
        ({"preflop": 3}, "preflop: 3 is not a story"),
        ({"ranges": "none.toml"}, "ranges: none.toml: cannot be read: No such file"),
    ],
)
def test_spots_whose_story_is_wrong(file, change, said):
    fields = {"board": "QhJh2c", "preflop": "BTN raise 2.5, BB call", "ranges": str(file)} | change
    with pytest.raises(ValueError, match="") as refused:
        Spot.from_fields({name: value for name, value in fields.items() if value is not None})
    assert said in str(refused.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[ranges]", "ranges: missing, a table of stories"),
        ("ranges = 3", "ranges: missing, a table of stories"),
        ("player = 6", "player: unknown field (players, stack"),
        ("weights = 'all'", "weights: 'all' is not range or frequency"),
        ('[ranges]\n"BTN raise 2" = "AX"', "ranges: 'BTN raise 2': bad range item 1"),
        ("players = ", "not a TOML file"),
    ],
)
def test_bad_files_of_ranges(tmp_path, text, said):
    file = tmp_path / "ranges.toml"
    file.write_text(text)
    with pytest.raises(ValueError, match="") as refused:
        PreflopRanges.from_file(file)
    assert said in str(refused.value)
    assert str(refused.value).startswith(str(file))


EXAMPLE = PreflopRanges.named("six-max")
OPENERS = ("UTG", "MP", "CO", "BTN", "SB")


@pytest.mark.parametrize("opener", OPENERS)
@pytest.mark.parametrize("size", ["2", "2.5", "3bb"])
def test_the_example_has_every_position_and_size(opener, size):
    seats = (*OPENERS, "BB")
    for other in seats[seats.index(opener) + 1 :]:
        opened = f"{opener} raise {size}, {other}"
        for story in (
            f"{opened} flat",
            f"{opened} 3bet 4x, {opener} call",
            f"{opened} 3bet 10, {opener} raise 22, {other} call",
        ):
            end, ranges = EXAMPLE.spot(story)
            assert set(ranges) == set(end.players) and all(ranges.values())


def test_the_ranges_of_the_package_need_no_file(tmp_path, monkeypatch):
    """As charts do: in Python, in a spot file, and where only a folder may be read."""
    monkeypatch.chdir(tmp_path)
    told = {"board": "Qs7h2d", "preflop": "BTN raise 2.5, BB call", "ranges": "Six-Max"}
    spot = Spot.from_fields(told)
    assert (spot.pot, spot.stack, spot.aggressor) == (5.5, 97.5, "ip")
    _, ranges = EXAMPLE.spot(told["preflop"])
    assert (spot.oop, spot.ip) == (ranges["BB"], ranges["BTN"])
    (tmp_path / "spots").mkdir()
    file = tmp_path / "spots" / "told.toml"
    file.write_text('board = "Qs7h2d"\npreflop = "BTN raise 2.5, BB call"\nranges = "six-max"\n')
    with confined_to(tmp_path / "spots"):
        assert Spot.from_file(file).fields() == spot.fields()
    question = read_question(file, {"AsKh7d": 24.0})
    assert question.fields["oop"] == str(spot.oop)
    with pytest.raises(ValueError, match="preflop: no range for 'HJ limp, BB check'"):
        Spot.from_fields(told | {"preflop": "HJ limp, BB check"})


def test_no_hand_of_the_example_does_more_than_one_thing():
    """What a player does after one story comes to at most one; limps are another way to play."""
    totals = {}
    for (*before, last), hands in EXAMPLE.ranges.items():
        if before:
            place = totals.setdefault((*before, last.position), np.zeros(1326))
            place += hands.weights
            assert place.max() <= 1, (before, last)
    assert len(totals) > 40
    for story in ("SB limp, BB check", "SB limp, BB raise 4, SB call"):
        assert EXAMPLE.spot(story)


def test_stories_that_are_not_there_list_those_that_are():
    """Whole ones, first those of the same player."""
    with pytest.raises(ValueError, match="no range for 'HJ limp, BB check'; ") as refused:
        EXAMPLE.spot("HJ limp, BB check")
    said = str(refused.value)
    assert "; for BB there are: LJ raise, BB call; LJ raise, BB raise; " in said
    assert said.endswith(" more") and len(said) < 400
    few = PreflopRanges.of(SIX, {"BTN raise 2.5": "AA", "BTN raise 2.5, BB call": "KK"})
    with pytest.raises(ValueError, match=r"; for BB there are: BTN raise 2.5, BB call$"):
        few.spot("BTN raise 2.2, BB call")
    with pytest.raises(ValueError, match=r"; there are: BTN raise 2.5; BTN raise 2.5, BB call$"):
        few.spot("CO raise 2.5, BTN raise 8, CO call")


def test_the_valuation_of_1999_and_its_opening_table():
    folder = SPOT_EXAMPLES.parent / "ranges"
    rows = [line.split(",") for line in (folder / "valuation-1999.csv").read_text().split()[1:]]
    values = {hand: int(value) for hand, value, *_ in rows}
    assert len(values) == len(rows) == 169
    counts = [list(values.values()).count(value) for value in range(1, 10)]
    assert counts == [5, 5, 6, 8, 18, 10, 18, 15, 84]
    for hand, _, early, middle, late in rows:
        assert [early, middle, late] == [str(int(values[hand] <= most)) for most in (4, 5, 7)]
    ranges = PreflopRanges.from_file(folder / "opening-1999.toml")
    _, both = ranges.spot("BTN raise 2.5, BB call")
    assert len(both) == 2 and all(both.values())

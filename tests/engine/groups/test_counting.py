import csv
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from pokerlab.cards.codes import format_cards, parse_cards
from pokerlab.engine.groups import HandGrouping, count_groups, find_groups, list_groups
from pokerlab.engine.groups.counting import merge_boards


def test_counts_are_weighted_means_over_all_boards():
    cards = parse_cards("KsKd7c2h")
    rivers = [(*cards, card) for card in range(52) if card not in cards]
    boards = [np.array([cards], np.uint8), np.array(rivers, np.uint8)]
    everything = np.ones(1326)
    labelled = find_groups(HandGrouping.parse("strength"), boards, (everything, everything))
    turn, river = (labels.max(axis=1) + 1 for labels, _ in labelled)
    counted = count_groups("KsKd7c2h", "strength")
    assert counted["turn"].mean == counted["turn"].max == turn[0]
    assert int(counted["river"].times.sum()) == 48 > len(counted["river"].boards)
    assert counted["river"].mean == pytest.approx(river.mean())
    assert (counted["river"].min, counted["river"].max) == (river.min(), river.max())


def test_only_hands_of_the_range_are_counted():
    few = count_groups("QhJh2c4d7h", hands="QQ+, AK")["river"]
    assert few.mean == 9
    against = count_groups("QhJh2c4d7h", "strength-range", hands="QQ+, AK", opponent="AcAd")
    assert against["river"].mean == 4  # beats it, ties, loses, or never meets it


@pytest.mark.parametrize(
    ("board", "options", "said"),
    [
        ("QhJh", {}, "hands are grouped on a board of 3, 4 or 5 cards, 'QhJh' has 2"),
        ("", {}, "'' has 0"),
        ("QhJhQh", {}, "card Qh stands twice"),
        ("QhJh2c", {"measure": "colour"}, "no measure 'colour'; there are rank, strength, "),
        ("QhJh2c", {"identity": "turn"}, "no identity 'turn'; there are river, "),
        ("QhJh2c", {"hands": "QhQd"}, "the range 'QhQd' has no hand left on QhJh2c"),
        ("QhJh2c", {"opponent": "QhQd"}, "the range 'QhQd' has no hand left on QhJh2c"),
    ],
)
def test_bad_words(board, options, said):
    for function in (count_groups, list_groups):
        with pytest.raises(ValueError, match=said[:12]) as caught:
            function(board, **options)
        assert said in str(caught.value)


def test_merged_boards_tell_suits_apart_that_can_make_a_flush():
    assert [len(boards) for boards in merge_boards(parse_cards("9h8h7h"))] == [1, 23, 519]
    assert [len(boards) for boards in merge_boards(parse_cards("QhJs5cQd"))] == [1, 13]
    turns = merge_boards(parse_cards("QhJh2c"))[1]
    suits = Counter(format_cards(board.members[0])[-1] for board in turns)
    assert suits == {"h": 11, "c": 12, "s": 13}
    assert sum(len(board.members) for board in turns) == 49


def test_groups_on_merged_boards_are_those_of_the_thesis():
    """Its largest numbers, and its means as those of three rainbow and four two-tone flops."""
    rainbow, two_tone, paired = (
        count_groups(flop, "rank", "hierarchical", merged=True)["flop"].max
        for flop in ("Th6s3c", "QhJh2c", "9c7c9h")
    )
    assert (rainbow, two_tone, paired) == (289, 631, 620)
    assert round((3 * rainbow + 3 * two_tone + paired) / 7) == 483


def test_a_merged_board_has_more_groups_than_each_of_its_boards():
    merged = count_groups("9c7c9h", "view", merged=True)["river"]
    names = [format_cards(board) for board in merged.boards]
    assert merged.counts[names.index("9c7c9h4s6c")] == merged.max == 288
    assert count_groups("9c7c9h4s6c", "view")["river"].max == 266


def test_groups_are_listed_from_the_strongest_with_all_hands_once():
    groups = list_groups("QhJh2c4d7h", "view", hands="QQ+, AK")
    assert [group.text for group in groups[:3]] == ["AhKh", "QQ", "AsAh, AhAd, AhAc"]
    assert [group.strength for group in groups] == sorted(
        (group.strength for group in groups), reverse=True
    )
    combos = [combo for group in groups for combo in group.combos]
    assert len(combos) == len(set(combos)) == 3 + 6 + 6 + 16
    ranks = list_groups("AhAsAcAd2h", "rank")
    assert [group.text for group in ranks][:2] == ["KK, K2+", "QQ, Q2+"]
    assert sum(len(group.combos) for group in ranks) == 1081


def test_kickers_that_do_not_play_on_two_pair():
    """The thesis takes A9 and A2 for equal by all measures here; their views differ."""
    by_strength = [group.text for group in list_groups("QhJhJcQd7s", "strength")]
    assert "AT-A8, A6-A2" in by_strength
    by_view = [group.text for group in list_groups("QhJhJcQd7s", "view")]
    assert {"AT", "A9", "A8", "A6-A2"} <= set(by_view)


def test_the_table_of_all_flops_has_what_we_count():
    path = Path(__file__).parents[3] / "docs" / "abstraction" / "flop-groups.csv"
    with path.open(encoding="utf-8", newline="") as file:
        rows = {row["flop"]: row for row in csv.DictReader(file)}
    assert len(rows) == 1755
    assert sum(int(row["times"]) for row in rows.values()) == 22_100
    for identity in ("river", "global"):
        counted = count_groups("9s7s6h", "strength", identity)
        row = rows["9s7s6h"]
        assert int(row[f"strength_{identity}"]) == counted["flop"].max
        for street, name in (("turn", f"strength_turn_{identity}"), ("river", "strength_board")):
            assert float(row[name]) == round(counted[street].mean, 2)
            assert int(row[f"{name}_min"]) == counted[street].min
            assert int(row[f"{name}_max"]) == counted[street].max

from collections import Counter

import numpy as np
import pytest

from pokerlab.cards.codes import format_cards, parse_cards
from pokerlab.groups import HandGrouping, count_groups, label_hands, list_groups, merged_boards


def test_counts_are_weighted_means_over_all_boards():
    cards = parse_cards("KsKd7c2h")
    rivers = np.array([(*cards, card) for card in range(52) if card not in cards], np.uint8)
    everything = np.ones(1326)
    ((labels, _),) = label_hands(
        HandGrouping.parse("strength"), [np.array([cards], np.uint8)], (everything, everything)
    )
    counted = count_groups("KsKd7c2h", "strength")
    assert counted["turn"].mean == counted["turn"].max == labels.max() + 1
    counts = [count_groups(river.tolist(), "strength")["river"].max for river in rivers]
    river = counted["river"]
    assert int(river.times.sum()) == 48 > len(river.boards)
    assert river.mean == pytest.approx(np.mean(counts))
    assert (river.min, river.max) == (min(counts), max(counts))


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
    assert [len(boards) for boards in merged_boards("9h8h7h")] == [1, 23, 519]
    assert [len(boards) for boards in merged_boards("QhJs5cQd")] == [1, 13]
    turns = merged_boards("QhJh2c")[1]
    suits = Counter(format_cards(board)[-1] for board in turns.tolist())
    assert suits == {"h": 11, "c": 12, "s": 13}
    merged = count_groups("QhJh2c4d", "rank", merged=True)
    assert len(merged["river"].counts) == 11 + 13
    assert merged["turn"].mean == count_groups("QhJh2c4d", "rank")["turn"].mean


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

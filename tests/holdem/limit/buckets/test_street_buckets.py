"""Groups are found as their definition says, and those that do not fit a game are refused."""

from itertools import pairwise

import numpy as np
import pytest

from pokerlab.cards.isomorphism.hand_index import HandIndexer
from pokerlab.games import load_betting_game
from pokerlab.holdem.limit import (
    StreetBuckets,
    card_buckets,
    each_hand,
    one_bucket,
    starting_hand_classes,
)
from pokerlab.holdem.limit.buckets.look_up_kernels import bucket_on_street, buckets_of_cards
from pokerlab.holdem.limit.buckets.street_buckets import (
    all_hands,
    bucket_look_up,
    check_buckets,
    count_hands,
    hand_indexer,
    look_up_buckets,
)

LEDUC = load_betting_game("leduc")
HOLDEM = load_betting_game("holdem.limit.2p")


def by_definition(game, groups, cards):
    """The groups of some cards on all streets, from the tables alone."""
    found = []
    for street, each in enumerate(groups):
        hole, board = game.hole_cards[street], game.board_cards[street]
        seen = cards[: hole + board]
        value = 0
        if len(each.values) and each.numbers == "hand":
            value = each.values[HandIndexer((hole, board) if board else (hole,)).index(seen)]
        elif len(each.values):
            number = 0
            for card in seen:
                number = number * len(game.deck) + game.deck.index(card)
            value = each.values[number]
        if each.next_bucket is not None:
            value = each.next_bucket[found[-1] if found else 0, value]
        found.append(int(value))
    return found


def mixed_holdem():
    """Every kind of street: by cards, by hand, by hand after a group, and blind after a group."""
    rng = np.random.default_rng(5)
    flop, turn = (
        rng.integers(0, count, hand_indexer(HOLDEM, street).size, dtype=np.uint16)
        for street, count in ((1, 7), (2, 3))
    )
    return [
        starting_hand_classes(),
        card_buckets(flop),
        card_buckets(turn, rng.permutation(21).reshape(7, 3)),
        card_buckets(np.zeros(0, np.uint16), np.arange(21).reshape(21, 1)),
    ]


@pytest.mark.parametrize(
    ("game", "groups"),
    [
        (LEDUC, [each_hand(LEDUC, 0), each_hand(LEDUC, 1)]),
        (LEDUC, [one_bucket(), each_hand(LEDUC, 1)]),
        (LEDUC, [each_hand(LEDUC, 0), card_buckets(np.zeros(0, np.uint16), np.eye(6)[:, :1])]),
        (LEDUC, [one_bucket(), one_bucket()]),
        (HOLDEM, mixed_holdem()),
    ],
)
def test_the_look_up_is_the_definition(game, groups):
    check_buckets(game, groups)
    look_up = bucket_look_up(game, groups)
    rng = np.random.default_rng(1)
    found = np.zeros(len(groups), np.int64)
    for _ in range(300):
        seen = game.hole_cards[-1] + game.board_cards[-1]
        cards = rng.permutation(np.array(game.deck))[:seen].astype(np.uint8)
        buckets_of_cards(cards, look_up, found)
        expected = by_definition(game, groups, cards.tolist())
        assert found.tolist() == expected
        first = np.full(1, -1, np.int64)
        buckets_of_cards(cards[: game.hole_cards[0]], look_up, first)
        assert first.tolist() == expected[:1]
        for street, (before, group) in enumerate(pairwise(expected), 1):
            assert bucket_on_street(look_up, street, cards, before) == group


def test_more_streets_than_most_games_have():
    """The first four are looked up by other code than the rest."""
    rng = np.random.default_rng(2)
    streets = [
        StreetBuckets(40, rng.integers(0, 40, 6, dtype=np.uint16)),
        *(
            StreetBuckets(
                40, np.empty(0, np.uint16), "cards", rng.integers(0, 40, (40, 1), np.int32)
            )
            for _ in range(5)
        ),
    ]
    look_up = look_up_buckets(streets, range(6), [1] * 6, [HandIndexer((1,))])
    found = np.zeros(6, np.int64)
    buckets_of_cards(np.array([3], np.uint8), look_up, found)
    expected = [int(streets[0].values[3])]
    for each in streets[1:]:
        expected.append(int(each.next_bucket[expected[-1], 0]))
    assert found.tolist() == expected


def test_each_hand_has_a_group_of_its_own():
    hands = list(all_hands(LEDUC, 1))
    assert len(hands) == count_hands(LEDUC, 1) == each_hand(LEDUC, 1).groups == 30


def test_a_digest_tells_groups_apart():
    values = np.array([0, 1, 0, 1, 0, 1], np.uint16)
    digests = {
        StreetBuckets(2, values).digest,
        StreetBuckets(3, values).digest,
        StreetBuckets(2, values[::-1]).digest,
        StreetBuckets(2, values, "hand").digest,
        StreetBuckets(2, values, "cards", np.array([[0, 1]], np.int32)).digest,
        StreetBuckets(2, values, "cards", np.array([[1, 0]], np.int32)).digest,
    }
    assert len(digests) == 6


@pytest.mark.parametrize(
    ("groups", "message"),
    [
        ([one_bucket()], "groups for 1 streets were given, leduc has 2"),
        (
            [StreetBuckets(2, each_hand(LEDUC, 0).values), one_bucket()],
            "value 5 is not one of 2 groups",
        ),
        (
            [card_buckets(np.zeros(4, np.uint16), numbers="cards"), one_bucket()],
            "4 values of type uint16, leduc needs 6",
        ),
        (
            [each_hand(LEDUC, 0), card_buckets(np.zeros(0, np.uint16), [[0], [1], [2]])],
            "for 3 groups and 1 values; the street before has 6",
        ),
        (
            [
                each_hand(LEDUC, 0),
                StreetBuckets(2, np.zeros(0, np.uint16), next_bucket=np.full((6, 1), 2, np.int32)),
            ],
            "lead to a group that is not one of 2",
        ),
    ],
)
def test_groups_that_do_not_fit(groups, message):
    with pytest.raises(ValueError, match=message):
        check_buckets(LEDUC, groups)


def test_bad_input():
    with pytest.raises(ValueError, match=r"numbers: 'suit' is not known \(cards, hand\)"):
        card_buckets(np.zeros(4, np.uint16), numbers="suit")
    with pytest.raises(ValueError, match="too many hands on street 2"):
        each_hand(HOLDEM, 2)

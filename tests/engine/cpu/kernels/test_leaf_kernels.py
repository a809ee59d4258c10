"""All leaves of a board at once, against a loop over pairs of hands."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import pytest
from numba import njit

from pokerlab.engine.cpu.kernels.leaf_kernels import (
    LEAVES,
    BoardHands,
    LeafWorkspace,
    Leaves,
    evaluate_block,
)
from pokerlab.engine.cpu.kernels.sweep_kernels import (
    OPPOSING_PLACES,
    OWN_PLACES,
    OneSide,
    Sweep,
    count_sum_rows,
    write_places,
)
from pokerlab.runtime.vector_kernels import IS_ARM64

FLOATS = [np.float32, np.float64]

Hand = tuple[int, int]

"""Whatever is asked for does not change what is computed."""


def padded(count: int) -> int:
    return -(-count // 16) * 16


@dataclass
class Side:
    """A player's hands on a board, weakest first, and what the kernel gets of them."""

    hands: list[Hand]
    strength: dict[Hand, int]

    def __post_init__(self) -> None:
        self.hands = sorted(self.hands, key=lambda hand: self.strength[hand])

    def __len__(self) -> int:
        return padded(len(self.hands))

    @property
    def cards(self) -> list[int]:
        padding = [52, 52] * (len(self) - len(self.hands))
        return [card * LEAVES for hand in self.hands for card in hand] + [
            card * LEAVES for card in padding
        ]

    def cards_after(self, skip: int) -> np.ndarray:
        return np.array([52 * LEAVES] * 2 * skip + self.cards, np.int32)

    def run(self, strength: int) -> tuple[int, int]:
        """From where to where the hands of a strength stand."""
        before = sum(self.strength[hand] < strength for hand in self.hands)
        return before, before + sum(self.strength[hand] == strength for hand in self.hands)

    def same(self, other: Side) -> list[int]:
        """Where each hand stands among the other's; one past the end if it is not there."""
        places = [
            other.hands.index(hand) if hand in other.hands else len(other) for hand in self.hands
        ]
        return [place * LEAVES for place in places + [len(other)] * (len(self) - len(self.hands))]


def make_board(own: Side, other: Side, skip: int) -> BoardHands:
    """The tables of a board whose entries begin after `skip` others."""
    strengths = sorted(own.strength.values())
    groups: list[int] = []
    for strength in sorted(set(strengths)):
        run = (*own.run(strength), *other.run(strength))
        if run[0] < run[1] or run[2] < run[3]:
            groups += run
    places = Sweep(
        np.zeros(OWN_PLACES * (skip + len(own)), np.uint16),
        np.zeros(OPPOSING_PLACES * (2 * skip + len(other)), np.uint16),
    )
    # The boards before are empty but for their hands, which belong to no group.
    write_places(
        OneSide(np.array([0, skip, skip + len(own)]), own.cards_after(skip)),
        OneSide(np.array([0, 2 * skip, 2 * skip + len(other)]), other.cards_after(2 * skip)),
        np.array([0] * skip + own.same(other), np.int32),
        np.array(groups, np.int32),
        np.array([0, 0, len(groups) // 4]),
        LEAVES,
        places,
    )
    return BoardHands(len(own), len(other), places, skip, 2 * skip)


def brute_force(own: Side, other: Side, reach: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """For each leaf and own hand: the reach it beats less what beats it, and all it meets."""
    apart = np.array(
        [[not set(mine) & set(theirs) for theirs in other.hands] for mine in own.hands]
    )
    sign = np.sign(
        [
            [own.strength[mine] - own.strength[theirs] for theirs in other.hands]
            for mine in own.hands
        ]
    )
    return reach @ (apart * sign).T, reach @ apart.T


def random_sides(rng: np.random.Generator, sizes: tuple[int, int], strengths: int, deck: int):
    pairs = [(high, low) for low, high in combinations(range(52 - deck, 52), 2)]
    strength = {pair: int(rng.integers(strengths)) for pair in pairs}
    chosen = [rng.choice(len(pairs), size, replace=False) for size in sizes]
    own, other = (Side([pairs[number] for number in numbers], strength) for numbers in chosen)
    return own, other


@pytest.mark.parametrize("kind", FLOATS)
@pytest.mark.parametrize(("showdowns", "folds"), [(True, True), (True, False), (False, True)])
@pytest.mark.parametrize(
    ("sizes", "strengths", "deck"),
    [
        ((30, 41), 12, 12),  # many ties, much card removal, the same hands on both sides
        ((16, 16), 1000, 12),  # no ties, no padding
        ((1, 1), 1, 4),  # a hand each
        ((45, 45), 1, 10),  # all hands tie, and both have all of them
        ((150, 97), 60, 50),
    ],
)
def test_blocks(kind, showdowns, folds, sizes, strengths, deck):
    rng = np.random.default_rng([*sizes, strengths])
    own, other = random_sides(rng, sizes, strengths, deck)
    hands = make_board(own, other, skip=rng.integers(0, 5))
    width, own_width, rows = len(other) + 16, len(own) + 16, 9
    reach = np.zeros((rows, width), kind)
    reach[:, : len(other.hands)] = rng.random((rows, len(other.hands)))
    reach[3] = 0
    reach[4, 1:] = 0
    # Two blocks, of which the second is evaluated. Leaves share rows of reach; the rows of
    # values that a leaf does not need go to the last row.
    leaf_rows = rng.integers(0, rows, 2 * LEAVES)
    has_showdown = rng.random(2 * LEAVES) < 0.7
    has_fold = rng.random(2 * LEAVES) < 0.7
    scratch = 4 * LEAVES
    order = rng.permutation(scratch)
    showdown_rows = np.where(has_showdown, order[: 2 * LEAVES], scratch)
    fold_rows = np.where(has_fold, order[2 * LEAVES :], scratch)
    leaves = Leaves(
        leaf_rows * width, showdown_rows * own_width, fold_rows * own_width, leaf_rows[:0]
    )
    values = np.full((scratch + 1, own_width), 9, kind)
    space = LeafWorkspace(
        np.full((len(other) + 1) * LEAVES, 5, kind),
        np.full(count_sum_rows(len(other)) * LEAVES, 5, kind),
    )
    flat = values.reshape(-1)
    evaluate_block(reach.reshape(-1), flat, LEAVES, showdowns, folds, leaves, hands, space)

    row_values = reach[:, : len(other.hands)].astype(float)
    beaten, unblocked = brute_force(own, other, row_values)
    close = 20 * np.finfo(kind).eps * row_values.sum(axis=1).max()
    written = set()
    for leaf in range(LEAVES, 2 * LEAVES):
        for wanted, has, starts, expected in (
            (showdowns, has_showdown, showdown_rows, beaten),
            (folds, has_fold, fold_rows, unblocked),
        ):
            if wanted and has[leaf]:
                found = values[starts[leaf], : len(own.hands)]
                np.testing.assert_allclose(found, expected[leaf_rows[leaf]], atol=close)
                written.add(starts[leaf])
    untouched = sorted(set(range(scratch)) - written)
    assert (values[untouched] == 9).all()
    assert (values[:, len(own) :] == 9).all()


@pytest.mark.skipif(not IS_ARM64, reason="names of registers")
def test_columns_fit_into_the_registers_of_arm():
    """Sixteen hands at once were put aside and taken back 800 times in the three loops."""
    own, other = random_sides(np.random.default_rng(1), (20, 20), 5, 12)
    reach, starts = np.zeros(16 * LEAVES, np.float32), np.zeros(LEAVES, np.int64)
    space = LeafWorkspace(
        np.zeros((len(other) + 1) * LEAVES, np.float32),
        np.zeros(count_sum_rows(len(other)) * LEAVES, np.float32),
    )
    # Compiled here: a kernel from a file has no text.
    block = njit(evaluate_block.py_func)
    leaves = Leaves(starts, starts, starts, starts[:0])
    block(reach, reach.copy(), 0, True, True, leaves, make_board(own, other, 0), space)
    (code,) = block.inspect_asm().values()
    assert len(re.findall(r"\b(?:ld|st)[rp]\s+q.*\[sp", code)) < 40


def test_reach_of_zero_is_worth_exactly_nothing():
    """Rounding must not give a value to a leaf that the opponent never comes to."""
    rng = np.random.default_rng(3)
    own, other = random_sides(rng, (40, 40), 9, 12)
    hands = make_board(own, other, skip=0)
    reach = np.zeros(len(other), np.float32)
    values = np.full((2, len(own)), 9, np.float32)
    starts = np.zeros(LEAVES, np.int64)
    leaves = Leaves(starts, starts, starts + len(own), starts[:0])
    space = LeafWorkspace(
        np.empty((len(other) + 1) * LEAVES, np.float32),
        np.empty(count_sum_rows(len(other)) * LEAVES, np.float32),
    )
    evaluate_block(reach, values.reshape(-1), 0, True, True, leaves, hands, space)
    assert (values[:, : len(own.hands)] == 0).all()


@pytest.mark.parametrize("kind", FLOATS)
def test_what_was_in_the_scratch_space_does_not_matter(kind):
    """Not even to the padding: it is stored with the rest, and files are to be the same."""
    rng = np.random.default_rng(4)
    own, other = random_sides(rng, (40, 40), 9, 12)
    hands = make_board(own, other, skip=0)
    reach = np.zeros(len(other), kind)
    reach[: len(other.hands)] = rng.random(len(other.hands))
    starts = np.zeros(LEAVES, np.int64)
    leaves = Leaves(starts, starts, starts + len(own), starts[:0])
    found = []
    for filling in (0, 5):
        values = np.zeros((2, len(own)), kind)
        space = LeafWorkspace(
            np.full((len(other) + 1) * LEAVES, filling, kind),
            np.full(count_sum_rows(len(other)) * LEAVES, filling, kind),
        )
        evaluate_block(reach, values.reshape(-1), 0, True, True, leaves, hands, space)
        found.append(values)
    np.testing.assert_array_equal(*found)

"""Suit isomorphism: deals that differ only by the names of the suits, and what to merge.

A *suit permutation* is four numbers: suit s (c, d, h, s = 0 … 3) becomes suit ``permutation[s]``.
Suits have no order in poker, so a permutation of them changes no result. This module gives

- `canonical`: one standard form for all deals that are alike, with the permutation that leads
  to it;
- `symmetries`: the suit permutations that change neither the board nor any range of a spot;
- `card_classes`: the next cards that a solver may merge under such a group, and `board_orbits`:
  all boards of five cards up to such a group;
- `HandIndexer`: a number 0 … N − 1 for each class of (hand, board), and back.

A deal is told as *rounds*: the order of the cards inside a round does not matter, the order of
the rounds does. ``("AhKh", "QhJs5cQd")`` is a hand and a board of four cards as one set;
``("AhKh", "QhJs5c", "Qd")`` remembers which card was the turn.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement, permutations, product
from math import comb, prod
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pokerlab.cards.codes import (
    COMBO_CARDS,
    N_CARDS,
    N_COMBOS,
    Cards,
    card_mask,
    format_cards,
    to_cards,
)
from pokerlab.cards.isomorphism_kernels import (
    IndexTables,
    count_below,
    deals_of_indices,
    extend_orbits,
    index_deals,
)

__all__ = [
    "SUIT_PERMUTATIONS",
    "Canonical",
    "CardClass",
    "HandIndexer",
    "board_orbits",
    "canonical",
    "card_classes",
    "permute_cards",
    "permute_combos",
    "symmetries",
]

Group = npt.NDArray[np.uint8]


def _all_permutations() -> Group:
    table = np.array(list(permutations(range(4))), dtype=np.uint8)
    table.flags.writeable = False
    return table


SUIT_PERMUTATIONS: Group = _all_permutations()
"""All 24 suit permutations, the identity first: shape (24, 4)."""


def permute_cards(cards: Cards, permutation: npt.ArrayLike) -> tuple[int, ...]:
    """Give the cards another suit each: suit s becomes ``permutation[s]``.

    Examples
    --------
    >>> format_cards(permute_cards("AsKd", [0, 2, 1, 3]))
    'AsKh'
    """
    suits = _check_permutation(permutation)
    return tuple(card & ~3 | suits[card & 3] for card in to_cards(cards))


def permute_combos(permutation: npt.ArrayLike) -> npt.NDArray[np.intp]:
    """Give for each of the 1,326 combos the number of its image.

    With ``image = permute_combos(p)``, ``permuted[image] = values`` carries an array by combo
    along with the cards.

    Examples
    --------
    >>> from pokerlab.cards.codes import combo_cards, combo_index, parse_cards
    >>> image = permute_combos([0, 2, 1, 3])[combo_index(*parse_cards("AsKd"))]
    >>> format_cards(combo_cards(image))
    'AsKh'
    """
    return _combo_images(_check_permutation(permutation))


class Canonical(NamedTuple):
    """The standard form of a deal, and how to get there."""

    rounds: tuple[tuple[int, ...], ...]
    """The cards of each round, in falling order."""
    permutation: tuple[int, ...]
    """The suit permutation that turns the deal into this form."""

    @property
    def cards(self) -> tuple[int, ...]:
        """The cards of all rounds in one row."""
        return tuple(card for cards in self.rounds for card in cards)


def canonical(*rounds: Cards) -> Canonical:
    """Give the standard form of a board, of (hand, board), or of any deal in rounds.

    Two deals have the same form exactly when one becomes the other by renaming suits. Of all
    deals that are alike, the form is the one with the highest cards, spades above hearts,
    diamonds and clubs: the largest 52-bit mask of the first round, then of the second, and so on.

    Examples
    --------
    >>> flop = canonical("5c Jd Qh")
    >>> format_cards(flop.cards), flop.permutation
    ('QsJh5d', (1, 2, 3, 0))
    >>> [format_cards(cards) for cards in canonical("KhAh", "QcJs5h").rounds]
    ['AsKs', 'QhJd5s']

    A board as one set, and as flop and turn:

    >>> canonical("QhJs5cQd").cards == canonical("QdJs5cQh").cards
    True
    >>> canonical("QhJs5c", "Qd").cards == canonical("QdJs5c", "Qh").cards
    True
    >>> canonical("QhJh5c", "Qd").cards == canonical("QdJh5c", "Qh").cards
    False
    """
    codes = [to_cards(cards) for cards in rounds]
    to_cards([card for cards in codes for card in cards])  # no card in two rounds
    holdings = [
        tuple(card_mask(card >> 2 for card in cards if card & 3 == suit) for cards in codes)
        for suit in range(4)
    ]
    # The suit that holds most becomes spades. Sorting is stable: suits that hold the same keep
    # their order, and a canonical deal is left as it is.
    permutation = [0, 0, 0, 0]
    for place, suit in enumerate(sorted(range(4), key=holdings.__getitem__)):
        permutation[suit] = place
    return Canonical(
        tuple(
            tuple(sorted((card & ~3 | permutation[card & 3] for card in cards), reverse=True))
            for cards in codes
        ),
        tuple(permutation),
    )


def symmetries(board: Cards, weights: npt.ArrayLike | None = None, dead: Cards = ()) -> Group:
    """Find the suit permutations that change neither the board nor any range.

    Parameters
    ----------
    board
        The known cards, as one set: a permutation may exchange two of them.
    weights
        The ranges, shape (players, 1326) or (1326,); they must be equal to their images exactly.
        Combos that hold a card of the board or a dead card are ignored. Without ranges, only
        the cards count.
    dead
        Cards that are out of play, as one set.

    Returns
    -------
    The group as an array of shape (g, 4), the identity first.

    Examples
    --------
    Diamonds and spades are alike on a board that has neither; a range that holds AdKd but not
    AsKs tells them apart:

    >>> symmetries("QhJh2c")
    array([[0, 1, 2, 3], [0, 3, 2, 1]], dtype=uint8)
    >>> from pokerlab.cards.codes import combo_index
    >>> weights = np.zeros(1326)
    >>> weights[combo_index(*to_cards("AdKd"))] = 1
    >>> symmetries("QhJh2c", weights)
    array([[0, 1, 2, 3]], dtype=uint8)
    """
    board_cards, dead_cards = _check_known(board, dead)
    ranges = _live_weights(weights, board_cards + dead_cards)
    group = [
        suits
        for suits in map(tuple, SUIT_PERMUTATIONS.tolist())
        if _keeps(suits, board_cards)
        and _keeps(suits, dead_cards)
        and np.array_equal(ranges[:, _combo_images(suits)], ranges)
    ]
    return np.array(group, dtype=np.uint8)


@dataclass(frozen=True)
class CardClass:
    """Next cards that lead to the same game up to the names of the suits.

    Attributes
    ----------
    card
        The card that stands for the class: its highest one.
    members
        All cards of the class, falling, `card` first.
    permutations
        For each member, a suit permutation that carries `card` to it and keeps the board and
        the ranges. A value by combo on `card` becomes the one on the member by
        ``value_on_member[permute_combos(permutation)] = value_on_card``.
    group
        What remains of the symmetries once `card` lies on the board; the group for the classes
        of the card after it.
    """

    card: int
    members: tuple[int, ...]
    permutations: Group
    group: Group

    @property
    def multiplicity(self) -> int:
        """How many cards the class has."""
        return len(self.members)


def card_classes(board: Cards, group: npt.ArrayLike, dead: Cards = ()) -> list[CardClass]:
    """Sort the cards that may come next into classes that a group of symmetries makes alike.

    For the turn, `group` is ``symmetries(flop, ranges)``. For the river of a solve that began
    on the flop it is `CardClass.group` of the turn card, not the symmetries of the four cards
    as one set: the players have acted on the flop, and a permutation that exchanges the turn
    card with a card of the flop does not respect that.

    Only suit permutations merge cards. On QhJs5cQd no flush is possible any more: the class of
    a hand depends on ranks alone, and one could think that the 48 river cards fall into 13
    classes, one for each rank. That is exact only where all ranges give the suited and the
    offsuit combos of two ranks the same weight. Otherwise it is not, because the river card
    takes combos away: As leaves three combos of AJs, but Ac only two, since the Js of AsJs lies
    on the board. The two symmetries of that board give 36 classes.

    Examples
    --------
    >>> classes = card_classes("QhJh2c", symmetries("QhJh2c"))
    >>> len(classes), sum(each.multiplicity for each in classes)
    (36, 49)
    >>> format_cards(classes[0].members), classes[0].permutations.tolist()
    ('AsAd', [[0, 1, 2, 3], [0, 3, 2, 1]])
    >>> len(card_classes("QhJs5c", symmetries("QhJs5c")))
    49
    >>> len(card_classes("QhJs5cQd", symmetries("QhJs5cQd")))
    36
    """
    board_cards, dead_cards = _check_known(board, dead)
    elements = _check_group(group, board_cards, dead_cards)
    known = {*board_cards, *dead_cards}
    classes = []
    waiting = [card for card in range(N_CARDS - 1, -1, -1) if card not in known]
    while waiting:
        card = waiting[0]
        # Reversed, so that each member keeps the first permutation of the group that leads to it.
        carriers = {card & ~3 | suits[card & 3]: suits for suits in reversed(elements)}
        members = tuple(sorted(carriers, reverse=True))
        classes.append(
            CardClass(
                card=card,
                members=members,
                permutations=np.array([carriers[member] for member in members], dtype=np.uint8),
                group=np.array(
                    [suits for suits in elements if suits[card & 3] == card & 3], dtype=np.uint8
                ),
            )
        )
        waiting = [other for other in waiting if other not in carriers]
    return classes


def board_orbits(
    board: Cards = (),
    group: npt.ArrayLike = SUIT_PERMUTATIONS,
    dead: Cards = (),
    *,
    size: int = 5,
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64]]:
    """Complete a board in every way, up to a group of suit permutations.

    Parameters
    ----------
    board
        The known cards.
    group
        The symmetries, shape (g, 4): a group that keeps `board` and `dead`, such as
        `symmetries` gives.
    dead
        Cards that cannot come.
    size
        The number of cards of a complete board.

    Returns
    -------
    boards : (n, size)
        One board of each class: first the known cards, then the new ones in falling order.
    multiplicities : (n,)
        How many boards each stands for.

    Examples
    --------
    >>> boards, multiplicities = board_orbits()
    >>> boards.shape, int(multiplicities.sum())
    ((134459, 5), 2598960)
    >>> flops, multiplicities = board_orbits(size=3)
    >>> len(flops), format_cards(flops[0]), int(multiplicities[0])
    (1755, 'AsAhAd', 4)
    """
    board_cards, dead_cards = _check_known(board, dead)
    elements = _check_group(group, board_cards, dead_cards)
    known = {*board_cards, *dead_cards}
    deck = np.array([card for card in range(51, -1, -1) if card not in known], dtype=np.uint8)
    missing = size - len(board_cards)
    if not 0 <= missing <= len(deck):
        raise ValueError(
            f"no board of {size} cards is possible: {len(board_cards)} cards are on the board "
            f"and {len(deck)} are left to come"
        )
    cards = np.arange(N_CARDS)
    images = cards & ~3 | np.array(elements, dtype=np.int64)[:, cards & 3]
    moved = np.left_shift(np.int64(1), images)
    sets = np.empty((1, 0), dtype=np.uint8)
    multiplicities = np.ones(1, dtype=np.int64)
    for _ in range(missing):
        room = count_below(sets, deck)
        extended = np.empty((room, sets.shape[1] + 1), dtype=np.uint8)
        multiplicities = np.empty(room, dtype=np.int64)
        found = extend_orbits(sets, deck, moved, extended, multiplicities)
        sets, multiplicities = extended[:found], multiplicities[:found].copy()
    boards = np.empty((len(sets), size), dtype=np.uint8)
    boards[:, : len(board_cards)] = board_cards
    boards[:, len(board_cards) :] = sets
    return boards, multiplicities


class HandIndexer:
    """Numbers for the classes of deals that differ only by the names of the suits.

    The classes get the numbers 0 … `size` − 1 without gaps, so that an array by number holds
    one value for each. A look-up takes about 0.1 microseconds in a kernel: pass `tables` to
    `pokerlab.cards.isomorphism_kernels.deal_index`.

    Parameters
    ----------
    cards_per_round
        The number of cards of each round, for example (2, 3) for hand and flop, (2, 5) for hand
        and board as one set, (2, 3, 1) for hand, flop and turn. Up to four rounds and seven
        cards.

    Attributes
    ----------
    size : int
        The number of classes.
    tables : IndexTables
        The arrays that the kernels need.

    Examples
    --------
    >>> HandIndexer((2,)).size, HandIndexer((3,)).size, HandIndexer((2, 3)).size
    (169, 1755, 1286792)
    >>> indexer = HandIndexer((2, 3))
    >>> indexer.index("KhAh QcJs5h") == indexer.index("AdKd JhQs5d")
    True
    >>> format_cards(indexer.unindex(indexer.index("KhAh QcJs5h")))
    'AsKsQhJd5s'
    """

    def __init__(self, cards_per_round: Sequence[int]) -> None:
        self.cards_per_round = tuple(cards_per_round)
        if (
            not 1 <= len(self.cards_per_round) <= 4
            or min(self.cards_per_round) < 1
            or sum(self.cards_per_round) > 7
        ):
            raise ValueError(
                f"bad rounds {self.cards_per_round}: expected one to four rounds of at least "
                "one card, at most seven cards in all"
            )
        self.tables = _index_tables(self.cards_per_round)
        self.size = int(self.tables.patterns[-1, 0])

    def __repr__(self) -> str:
        return f"HandIndexer({self.cards_per_round})"

    def index(self, cards: Cards) -> int:
        """Number the class of a deal, given as the cards of the first round, then of the next."""
        codes = to_cards(cards)
        if len(codes) != sum(self.cards_per_round):
            raise ValueError(
                f"{format_cards(codes)!r} has {len(codes)} cards; "
                f"rounds of {self.cards_per_round} cards need {sum(self.cards_per_round)}"
            )
        return int(self.index_batch(np.array([codes]))[0])

    def unindex(self, number: int) -> tuple[int, ...]:
        """Give the `canonical` deal of a class."""
        deals, _ = self.unindex_batch([number])
        return tuple(deals[0].tolist())

    def index_batch(self, deals: npt.ArrayLike) -> npt.NDArray[np.int64]:
        """Number many deals: an array of card codes of shape (n, cards) gives n numbers."""
        rows = np.asarray(deals)
        cards = sum(self.cards_per_round)
        if rows.ndim != 2 or rows.shape[1] != cards:
            raise ValueError(f"deals of shape {rows.shape}: expected (n, {cards})")
        if rows.dtype.kind not in "iu" or (rows.size and not 0 <= rows.min() <= rows.max() < 52):
            raise ValueError("deals hold something that is not a card code (0 to 51)")
        codes = np.require(rows, np.uint8, ["C", "W"])  # one type for the compiler
        numbers = np.empty(len(codes), dtype=np.int64)
        wrong = index_deals(self.tables, codes, numbers)
        if wrong >= 0:
            raise ValueError(
                f"row {wrong} of the deals, {format_cards(codes[wrong])}, has a card twice"
            )
        return numbers

    def unindex_batch(
        self, numbers: npt.ArrayLike
    ) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64]]:
        """Give the canonical deals of many classes, and how many deals each class has."""
        chosen = np.require(numbers, np.int64, ["C", "W"])
        if chosen.ndim != 1:
            raise ValueError(f"numbers of shape {chosen.shape}: expected one row of them")
        if chosen.size and not 0 <= chosen.min() <= chosen.max() < self.size:
            wrong = chosen[(chosen < 0) | (chosen >= self.size)][0]
            raise ValueError(f"{wrong} is not the number of a class (0 to {self.size - 1})")
        deals = np.empty((len(chosen), sum(self.cards_per_round)), dtype=np.uint8)
        sizes = np.empty(len(chosen), dtype=np.int64)
        deals_of_indices(self.tables, chosen, deals, sizes)
        return deals, sizes


@cache
def _index_tables(round_sizes: tuple[int, ...]) -> IndexTables:
    """Find the patterns of some rounds and give each its block of numbers."""
    # The number of a shape is a mixed radix of its counts: `_add_round` computes the same.
    shapes = list(product(*(range(size + 1) for size in round_sizes)))
    shape_holdings = [
        prod(comb(13 - sum(counts[:before]), count) for before, count in enumerate(counts))
        for counts in shapes
    ]
    pattern_shapes = _patterns(round_sizes, shapes)
    prefixes: dict[tuple[int, ...], int] = {(): 0}
    for pattern in pattern_shapes:
        for length in (1, 2, 3):
            prefixes.setdefault(pattern[:length], len(prefixes))
    next_prefix = np.full((len(prefixes), len(shapes)), -1, dtype=np.int32)
    patterns = np.zeros((len(pattern_shapes) + 1, 9), dtype=np.int64)
    for number, pattern in enumerate(pattern_shapes):
        for length in (0, 1, 2):
            step = prefixes[pattern[:length]], pattern[length]
            next_prefix[step] = prefixes[pattern[: length + 1]]
        next_prefix[prefixes[pattern[:3]], pattern[3]] = number
        classes = weight = 1
        for place in (3, 2, 1, 0):
            # Holdings of one shape share a digit, whose weight is the size of what follows.
            if place == 3 or pattern[place] != pattern[place + 1]:
                weight = classes
                suits = pattern.count(pattern[place])
                classes *= comb(shape_holdings[pattern[place]] + suits - 1, suits)
            patterns[number, 1 + place] = weight
            patterns[number, 5 + place] = pattern[place:].count(pattern[place])
        patterns[number + 1, 0] = patterns[number, 0] + classes
    return IndexTables(
        round_sizes=np.array(round_sizes, dtype=np.int64),
        shape_counts=np.array(shapes, dtype=np.int64),
        shape_holdings=np.array(shape_holdings, dtype=np.int64),
        next_prefix=next_prefix,
        pattern_shapes=np.array(pattern_shapes, dtype=np.int64),
        patterns=patterns,
    )


def _patterns(round_sizes: tuple[int, ...], shapes: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """All falling rows of four shapes that have the cards of all rounds between them."""
    number_of = {counts: shape for shape, counts in enumerate(shapes)}
    patterns: list[tuple[int, ...]] = []
    for three in combinations_with_replacement(reversed(range(len(shapes))), 3):
        used = (shapes[shape] for shape in three)
        left = tuple(size - sum(counts) for size, *counts in zip(round_sizes, *used, strict=True))
        if min(left) >= 0 and number_of[left] <= three[-1]:
            patterns.append((*three, number_of[left]))
    return patterns


@cache
def _combo_images(suits: tuple[int, ...]) -> npt.NDArray[np.intp]:
    images = COMBO_CARDS & 0xFC | np.array(suits, dtype=np.uint8)[COMBO_CARDS & 3]
    low, high = images.min(axis=1).astype(np.intp), images.max(axis=1).astype(np.intp)
    numbers: npt.NDArray[np.intp] = high * (high - 1) // 2 + low
    numbers.flags.writeable = False
    return numbers


def _keeps(suits: tuple[int, ...], cards: tuple[int, ...]) -> bool:
    return {card & ~3 | suits[card & 3] for card in cards} == set(cards)


def _live_weights(weights: npt.ArrayLike | None, known: tuple[int, ...]) -> npt.NDArray[np.float64]:
    """The ranges as rows, with weight 0 for the combos that a known card makes impossible."""
    if weights is None:
        return np.zeros((0, N_COMBOS))
    rows = np.atleast_2d(np.array(weights, dtype=np.float64))
    if rows.ndim != 2 or rows.shape[1] != N_COMBOS:
        raise ValueError(
            f"weights of shape {np.shape(weights)}: expected (1326,) or (players, 1326)"
        )
    if not np.isfinite(rows).all():
        raise ValueError("weights hold a value that is not a finite number")
    rows[:, np.isin(COMBO_CARDS, known).any(axis=1)] = 0
    return rows


def _check_known(board: Cards, dead: Cards) -> tuple[tuple[int, ...], tuple[int, ...]]:
    board_cards, dead_cards = to_cards(board), to_cards(dead)
    both = set(board_cards) & set(dead_cards)
    if both:
        raise ValueError(f"{format_cards(sorted(both))} is both on the board and dead")
    return board_cards, dead_cards


def _check_permutation(permutation: npt.ArrayLike) -> tuple[int, ...]:
    suits = tuple(np.asarray(permutation).ravel().tolist())
    if sorted(suits) != [0, 1, 2, 3]:
        raise ValueError(f"{list(suits)} is not a suit permutation (0, 1, 2, 3 in any order)")
    return suits


def _check_group(
    group: npt.ArrayLike, board: tuple[int, ...], dead: tuple[int, ...]
) -> list[tuple[int, ...]]:
    rows = np.asarray(group)
    if rows.ndim != 2 or len(rows) == 0:
        raise ValueError(f"a group of suit permutations has the shape (g, 4), not {rows.shape}")
    elements = [_check_permutation(row) for row in rows]
    products = {tuple(after[suit] for suit in first) for first in elements for after in elements}
    if products != set(elements) or len(set(elements)) < len(elements):
        raise ValueError(
            "the suit permutations are not a group: one stands twice, or two of them in "
            "succession make one that is missing"
        )
    for suits in elements:
        for cards, name in ((board, "board"), (dead, "dead cards")):
            if not _keeps(suits, cards):
                raise ValueError(
                    f"the suit permutation {list(suits)} changes the {name} {format_cards(cards)}"
                )
    return elements

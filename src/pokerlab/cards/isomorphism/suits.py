"""Suit isomorphism: deals that differ only by the names of the suits, and what to merge.

A *suit permutation* is four numbers: suit s (c, d, h, s = 0 … 3) becomes suit ``permutation[s]``.
Suits have no order in poker, so a permutation of them changes no result. This module gives

- `canonical`: one standard form for all deals that differ by suits alone, with the permutation
  that leads to it;
- `symmetries`: the suit permutations that change neither the board nor any range of a spot;
- `card_classes`: the next cards that a solver may merge under such a group, and `board_orbits`:
  all boards of five cards up to such a group.

`pokerlab.cards.isomorphism.hand_index` numbers the classes of (hand, board).

A deal is given as *rounds*: the order of the cards inside a round does not matter, the order of
the rounds does. ``("AhKh", "QhJs5cQd")`` is a hand and a board of four cards as one set;
``("AhKh", "QhJs5c", "Qd")`` remembers which card was the turn.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import permutations
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
from pokerlab.cards.isomorphism.isomorphism_kernels import count_below, extend_orbits
from pokerlab.runtime.arrays import Bytes, Floats, Indices, Int64s


def _all_permutations() -> Bytes:
    table = np.array(list(permutations(range(4))), dtype=np.uint8)
    table.flags.writeable = False
    return table


SUIT_PERMUTATIONS: Bytes = _all_permutations()
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


def permute_combos(permutation: npt.ArrayLike) -> Indices:
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
    these deals, the form is the one with the highest cards, spades above hearts,
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


def symmetries(board: Cards, weights: npt.ArrayLike | None = None, dead: Cards = ()) -> Bytes:
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
    Diamonds and spades are the same on a board that has neither; a range that holds AdKd but not
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


def average_over_suits(rows: Floats, group: Bytes) -> Floats:
    """The mean of each row (rows, 1326) over all combos that a group of permutations makes equal.

    Exactly the same number for all of these.

    Examples
    --------
    >>> from pokerlab.cards.codes import combo_index
    >>> rows = np.zeros((1, 1326))
    >>> rows[0, combo_index(*to_cards("AdKd"))] = 1
    >>> average_over_suits(rows, symmetries("QhJh2c"))[0, combo_index(*to_cards("AsKs"))]
    np.float64(0.5)
    """
    orbit = np.min([permute_combos(suits) for suits in group], axis=0)
    counts = np.bincount(orbit, minlength=N_COMBOS)
    sums = np.array([np.bincount(orbit, row, N_COMBOS) for row in rows])
    return np.asarray((sums / np.maximum(counts, 1))[:, orbit])


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
    permutations: Bytes
    group: Bytes

    @property
    def multiplicity(self) -> int:
        """How many cards the class has."""
        return len(self.members)


def card_classes(board: Cards, group: npt.ArrayLike, dead: Cards = ()) -> list[CardClass]:
    """Sort the cards that may come next into classes that a group of symmetries makes equal.

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
    # What a permutation does to a card depends on its suit alone.
    by_suit = [_suit_class(elements, suit) for suit in range(4)]
    classes = []
    for card in range(N_CARDS - 1, -1, -1):
        suits, permutations, kept = by_suit[card & 3]
        if suits[0] == card & 3 and card not in known:  # the highest card stands for the class
            members = tuple([card & ~3 | suit for suit in suits])
            classes.append(CardClass(card, members, permutations, kept))
    return classes


def _suit_class(elements: list[tuple[int, ...]], suit: int) -> tuple[list[int], Bytes, Bytes]:
    """The suits that a group carries a suit to, falling, how, and what keeps the suit."""
    # Reversed, so that each suit keeps the first permutation of the group that leads to it.
    carriers = {suits[suit]: suits for suits in reversed(elements)}
    reached = sorted(carriers, reverse=True)
    permutations = np.array([carriers[each] for each in reached], dtype=np.uint8)
    kept = np.array([suits for suits in elements if suits[suit] == suit], dtype=np.uint8)
    for array in (permutations, kept):  # all cards of the suit share them
        array.flags.writeable = False
    return reached, permutations, kept


def board_orbits(
    board: Cards = (),
    group: npt.ArrayLike = SUIT_PERMUTATIONS,
    dead: Cards = (),
    *,
    size: int = 5,
) -> tuple[Bytes, Int64s]:
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
    # In C order whatever NumPy chose: the kernel is compiled once for each order.
    moved = np.ascontiguousarray(np.left_shift(np.int64(1), images))
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


@cache
def _combo_images(suits: tuple[int, ...]) -> Indices:
    images = COMBO_CARDS & 0xFC | np.array(suits, dtype=np.uint8)[COMBO_CARDS & 3]
    low, high = images.min(axis=1).astype(np.intp), images.max(axis=1).astype(np.intp)
    numbers: Indices = high * (high - 1) // 2 + low
    numbers.flags.writeable = False
    return numbers


def _keeps(suits: tuple[int, ...], cards: tuple[int, ...]) -> bool:
    return {card & ~3 | suits[card & 3] for card in cards} == set(cards)


def _live_weights(weights: npt.ArrayLike | None, known: tuple[int, ...]) -> Floats:
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

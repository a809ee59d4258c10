"""The 7,462 classes of five-card hands in words: category, deciding ranks, name."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations

from pokerlab.cards.codes import RANKS

N_CLASSES = 7462

CATEGORIES = (
    "straight flush",
    "four of a kind",
    "full house",
    "flush",
    "straight",
    "three of a kind",
    "two pair",
    "pair",
    "high card",
)

_WORDS = (
    "two three four five six seven eight nine ten jack queen king ace".split()  # noqa: SIM905
)
_DOWN = range(12, -1, -1)


def category(hand_class: int) -> str:
    """The category of a class.

    Examples
    --------
    >>> category(1), category(7462)
    ('straight flush', 'high card')
    """
    return CATEGORIES[_describe(hand_class)[0]]


def hand_ranks(hand_class: int) -> tuple[int, ...]:
    """The ranks that decide (0 = deuce … 12 = ace), the most important first.

    A straight is given by its highest card alone.

    Examples
    --------
    >>> hand_ranks(1), hand_ranks(7462)
    ((12,), (5, 3, 2, 1, 0))
    """
    return _describe(hand_class)[1]


def hand_name(hand_class: int) -> str:
    """A class as players say it.

    Examples
    --------
    >>> hand_name(1), hand_name(166), hand_name(7462)
    ('royal flush', 'four twos, 3 kicker', 'seven high, 5 4 3 2 kickers')
    """
    kind = category(hand_class)
    ranks = hand_ranks(hand_class)
    first = _WORDS[ranks[0]]
    match kind:
        case "straight flush":
            return "royal flush" if ranks[0] == 12 else f"straight flush, {first} high"
        case "four of a kind":
            return f"four {_plural(ranks[0])}{_kickers(ranks[1:])}"
        case "full house":
            return f"full house, {_plural(ranks[0])} full of {_plural(ranks[1])}"
        case "flush":
            return f"flush, {_letters(ranks)}"
        case "straight":
            return f"straight, {first} high"
        case "three of a kind":
            return f"three {_plural(ranks[0])}{_kickers(ranks[1:])}"
        case "two pair":
            return f"two pair, {_plural(ranks[0])} and {_plural(ranks[1])}{_kickers(ranks[2:])}"
        case "pair":
            return f"pair of {_plural(ranks[0])}{_kickers(ranks[1:])}"
        case _:
            return f"{first} high{_kickers(ranks[1:])}"


def _plural(rank: int) -> str:
    return "sixes" if rank == 4 else _WORDS[rank] + "s"


def _letters(ranks: tuple[int, ...]) -> str:
    return " ".join(RANKS[rank] for rank in ranks)


def _kickers(ranks: tuple[int, ...]) -> str:
    return f", {_letters(ranks)} kicker{'s' if len(ranks) > 1 else ''}"


def _describe(hand_class: int) -> tuple[int, tuple[int, ...]]:
    if not 1 <= hand_class <= N_CLASSES:
        raise ValueError(f"{hand_class} is not a hand class (1 is best, {N_CLASSES} worst)")
    return all_hands()[hand_class - 1]


@cache
def all_hands() -> list[tuple[int, tuple[int, ...]]]:
    """Category number and deciding ranks of every class, best first."""
    return [(number, ranks) for number, kind in enumerate(_KINDS) for ranks in kind()]


def _straights() -> Iterator[tuple[int, ...]]:
    return ((top,) for top in range(12, 2, -1))


def _one_and_others(others: int) -> Iterator[tuple[int, ...]]:
    for first in _DOWN:
        rest = [rank for rank in _DOWN if rank != first]
        yield from ((first, *kickers) for kickers in combinations(rest, others))


def _two_pairs() -> Iterator[tuple[int, ...]]:
    for pairs in combinations(_DOWN, 2):
        yield from ((*pairs, kicker) for kicker in _DOWN if kicker not in pairs)


def _no_pair() -> Iterator[tuple[int, ...]]:
    wheel = (12, 3, 2, 1, 0)
    for ranks in combinations(_DOWN, 5):
        if ranks[0] - ranks[4] != 4 and ranks != wheel:
            yield ranks


_KINDS = (
    _straights,
    lambda: _one_and_others(1),
    lambda: _one_and_others(1),
    _no_pair,
    _straights,
    lambda: _one_and_others(2),
    _two_pairs,
    lambda: _one_and_others(3),
    _no_pair,
)

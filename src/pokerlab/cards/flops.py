"""Flops up to the names of the suits: 1,755 of them stand for all 22,100.

A flop is named by its cards in the standard form of `pokerlab.cards.canonical`: falling, spades
before hearts before diamonds (``AsKh7d``). Its *multiplicity* is the number of deals that it
stands for: 24 for three ranks and three suits, 12 for two suits or for a pair, 4 for one suit or
for three of a kind.

`parse_flops` reads a list of items with commas or line ends between them:

=========================  =========================================================================
``Td9d6h``                 one flop, given by any three cards
``AK7r``                   ranks and suits: ``r`` rainbow, ``tt`` two-tone, ``m`` monotone; two
                           ranks of three may share the suit, so ``987tt`` is three flops
``QQ2``                    ranks: every flop of them
``monotone``,              a texture: every flop that has it (`pokerlab.cards.textures`)
``A-high paired``
``AK7r:2.5``               any item with a weight, which its flops share as their multiplicities
                           are; either all items have one or none
=========================  =========================================================================

Without weights, a flop weighs its multiplicity. A list that names a flop twice is refused. In
a file, what follows ``#`` on a line is left out.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement
from pathlib import Path

from pokerlab.cards.codes import RANKS, Cards, format_cards, parse_cards
from pokerlab.cards.isomorphism.suits import canonical
from pokerlab.cards.textures import SUIT_COUNTS, Texture, TextureFilter, texture
from pokerlab.errors import shorten, source_named
from pokerlab.files.text_lines import text_lines

N_FLOPS = 1755
SUBSET_SIZES = (25, 49, 85, 184)
"""Weighted subsets that stand for all flops; each holds the smaller ones."""
MAX_LENGTH = 200_000
"""Characters of a list: several times the longest that names each flop with its weight."""


@dataclass(frozen=True, slots=True)
class Flop:
    """A flop up to the names of the suits, with its weight."""

    cards: tuple[int, int, int]
    """In the standard form."""
    weight: float
    """Its multiplicity, if nobody said otherwise."""

    @property
    def name(self) -> str:
        """Its cards: ``AsKh7d``."""
        return format_cards(self.cards)

    @property
    def multiplicity(self) -> int:
        """How many of the 22,100 deals it stands for."""
        return _multiplicity(self.cards)

    @property
    def texture(self) -> Texture:
        """The texture of the flop."""
        return _texture(self.cards)


@cache
def all_flops() -> tuple[Flop, ...]:
    """All 1,755 flops, each weighing its multiplicity; high ranks first, rainbow before suited.

    Examples
    --------
    >>> flops = all_flops()
    >>> len(flops), sum(flop.weight for flop in flops)
    (1755, 22100.0)
    >>> [flop.name for flop in flops[:5]]
    ['AsAhAd', 'AsAhKd', 'AsAhKs', 'AsAhQd', 'AsAhQs']
    """
    return tuple(
        Flop(cards, float(_multiplicity(cards)))
        for ranks in combinations_with_replacement(range(12, -1, -1), 3)
        for cards in _flops_of_ranks(ranks)
    )


def canonical_flop(flop: Cards) -> tuple[int, int, int]:
    """The standard form of three cards.

    Examples
    --------
    >>> format_cards(canonical_flop("6h Td 9d"))
    'Ts9s6h'
    """
    cards = canonical(flop).cards
    if len(cards) != 3:
        raise ValueError(f"a flop has three cards, not {len(cards)}")
    first, second, third = cards
    return first, second, third


def parse_flops(text: str) -> tuple[Flop, ...]:
    """Read a list of flops, the name of a file with a list, ``all``, or the size of a subset.

    The subsets of 25, 49, 85 and 184 flops have weights with which the means over them are close
    to the means over all flops (docs/flops.md says how close).

    Examples
    --------
    >>> [(flop.name, flop.weight) for flop in parse_flops("AK7r, 987tt")]
    [('AsKh7d', 24.0), ('9s8h7h', 12.0), ('9s8h7s', 12.0), ('9s8s7h', 12.0)]
    >>> subset = parse_flops("25")
    >>> len(subset), round(sum(flop.weight for flop in subset))
    (25, 22100)
    >>> len(parse_flops("QQ2, monotone"))
    288
    >>> parse_flops("AsKh7d:1, AK7:2")
    Traceback (most recent call last):
    ValueError: bad flops 'AsKh7d:1, AK7:2': AsKh7d stands twice, in 'AsKh7d:1' and 'AK7:2'
    >>> parse_flops("AKX")
    Traceback (most recent call last):
    ValueError: bad flop 'AKX': accepted: AsKh7d, AK7r, 987tt, 872m, QQ2, or a texture such as ...
    """
    name = text.strip()
    if name.lower() == "all":
        return all_flops()
    if re.fullmatch("[0-9]{1,20}", name, re.ASCII) and not _RANKED.fullmatch(name):
        if int(name) not in SUBSET_SIZES:
            sizes = ", ".join(map(str, SUBSET_SIZES))
            raise ValueError(f"there is no subset of {int(name):,} flops ({sizes}, or all)")
        return _read_flops(subset_file(int(name)))
    if name.startswith("@") or _is_file(name):
        return _read_flops(Path(name.removeprefix("@")))
    return _parse_list(text)


def subset_file(size: int) -> Path:
    """The list of a subset, which `parse_flops` reads for its size."""
    return Path(__file__).parent / "data" / f"flops_{size}.txt"


_RANKED = re.compile(
    r"(10|[2-9TJQKA])(10|[2-9TJQKA])(10|[2-9TJQKA])(r|tt|m)?", re.IGNORECASE | re.ASCII
)
_BEGINS_WITH_CARD = re.compile(r"(10|[2-9TJQKA])[cdhs♣♦♥♠♧♢♡♤]", re.IGNORECASE | re.ASCII)
_SUITS_OF = {"r": "rainbow", "tt": "two-tone", "m": "monotone"}
_WEIGHT = re.compile(r"(?:[0-9]{1,12}(?:\.[0-9]*)?|\.[0-9]+)(?:e[+-]?[0-9]{1,2})?", re.ASCII)


def _is_file(name: str) -> bool:
    try:
        return Path(name).is_file()
    except (OSError, ValueError):  # too long, or characters that no name may have
        return False


def _read_flops(path: Path) -> tuple[Flop, ...]:
    lines, length = [], 0
    for line in text_lines(path):
        lines.append(line.partition("#")[0])
        length += len(line)
        if length > MAX_LENGTH:
            raise ValueError(f"{path}: more than {MAX_LENGTH:,} characters, too long for flops")
    with source_named(path):
        return _parse_list("\n".join(lines))


def _parse_list(text: str) -> tuple[Flop, ...]:
    if len(text) > MAX_LENGTH:
        raise ValueError(f"bad flops {shorten(text)!r}: more than {MAX_LENGTH:,} characters")
    items = [item.strip() for item in re.split(r"[,;\n\r]", text) if item.strip()]
    if not items:
        raise ValueError(f"bad flops {shorten(text)!r}: no flop is named (for example AK7r, QQ2)")
    weighted = [item for item in items if ":" in item]
    if weighted and len(weighted) < len(items):
        bare = next(item for item in items if ":" not in item)
        raise ValueError(
            f"bad flops {shorten(text)!r}: {shorten(weighted[0], 30)!r} has a weight and "
            f"{shorten(bare, 30)!r} has none"
        )
    flops: list[Flop] = []
    named_by: dict[tuple[int, ...], str] = {}
    for item in items:
        for flop in _parse_item(item):
            if flop.cards in named_by:
                first, second = shorten(named_by[flop.cards], 30), shorten(item, 30)
                raise ValueError(
                    f"bad flops {shorten(text)!r}: {flop.name} stands twice, "
                    f"in {first!r} and {second!r}"
                )
            named_by[flop.cards] = item
            flops.append(flop)
    return tuple(flops)


def _parse_item(item: str) -> list[Flop]:
    named, colon, weight_text = (part.strip() for part in item.partition(":"))
    flops = [Flop(cards, float(_multiplicity(cards))) for cards in _named_flops(named)]
    if not flops:
        raise ValueError(f"bad flop {shorten(item)!r}: there is no such flop")
    if not colon:
        return flops
    weight = float(weight_text) if _WEIGHT.fullmatch(weight_text.lower()) else 0.0
    if not 0 < weight < math.inf:
        raise ValueError(
            f"bad flop {shorten(item)!r}: the weight {shorten(weight_text, 30)!r} "
            "is not a positive number"
        )
    total = sum(flop.weight for flop in flops)
    return [Flop(flop.cards, weight * (flop.weight / total)) for flop in flops]


def _named_flops(text: str) -> Iterable[tuple[int, int, int]]:
    if matched := _RANKED.fullmatch(text):
        *rank_texts, suits = matched.groups()
        texts = ["T" if each == "10" else each.upper() for each in rank_texts]
        found = _flops_of_ranks(tuple(sorted(map(RANKS.index, texts), reverse=True)))
        if suits is None:
            return found
        wanted = _SUITS_OF[suits.lower()]
        return [cards for cards in found if _texture(cards).suits == wanted]
    if _BEGINS_WITH_CARD.match(text):
        cards = parse_cards(text)
        if len(cards) != 3:
            raise ValueError(f"bad flop {shorten(text)!r}: a flop has 3 cards, not {len(cards)}")
        return [canonical_flop(cards)]
    try:
        chosen = TextureFilter(text)
    except ValueError:
        raise ValueError(
            f"bad flop {shorten(text)!r}: accepted: AsKh7d, AK7r, 987tt, 872m, QQ2, "
            f"or a texture such as 'monotone' or 'A-high paired'"
        ) from None
    return [flop.cards for flop in all_flops() if chosen.matches(flop.texture)]


# The suits of falling ranks, one flop each before equal ranks make some of them impossible or
# the same: spades 3, hearts 2, diamonds 1.
_SUIT_PATTERNS = ((3, 2, 1), (3, 2, 2), (3, 2, 3), (3, 3, 2), (3, 3, 3))


@cache
def _flops_of_ranks(ranks: tuple[int, ...]) -> tuple[tuple[int, int, int], ...]:
    found: dict[tuple[int, int, int], None] = {}
    for suits in _SUIT_PATTERNS:
        cards = [4 * rank + suit for rank, suit in zip(ranks, suits, strict=True)]
        if len(set(cards)) == 3:
            found[canonical_flop(cards)] = None
    return tuple(found)


@cache
def _texture(cards: tuple[int, int, int]) -> Texture:
    return texture(cards)


def _multiplicity(cards: tuple[int, int, int]) -> int:
    kind = _texture(cards)
    if kind.pairing == "unpaired":
        return (24, 12, 4)[SUIT_COUNTS.index(kind.suits)]
    return 12 if kind.pairing == "paired" else 4

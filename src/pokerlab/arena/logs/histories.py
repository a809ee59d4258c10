"""Histories: the hands of files and folders, whoever wrote them, one by one.

PHH files, the text of poker sites, and logs in the form of the ACPC dealer give the same
`HistoryHand`; a hand that cannot be read comes as an `UnreadHand` that says why, and the next one
follows.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import NamedTuple

from pokerlab.arena.logs.history_hand import HistoryHand, UnreadHandError
from pokerlab.arena.logs.phh_text import HandText, hand_texts, read_hand
from pokerlab.arena.logs.site_text import (
    PokerSite,
    read_site_hand,
    site_hand_texts,
    site_of_file,
)
from pokerlab.runtime.errors import shorten

PHH = (".phh", ".phhs")
POTS = ("unraised", "single-raised", "3-bet", "4-bet", "5-bet")
"""Kinds of pots, by the number of raises before the flop."""
_TEXTS = (*PHH, ".txt", ".xml", ".log")


class UnreadHand(NamedTuple):
    """A hand of a file that could not be read.

    Attributes
    ----------
    number
        Its place in the file, from 1.
    reason
        One line.
    variant
        The game, if it is one other than hold'em; else empty.
    """

    number: int
    reason: str
    variant: str


class FoundHand(NamedTuple):
    """A hand of a file.

    Attributes
    ----------
    number
        Its place in the file, from 1.
    hand
        What was seen of it.
    """

    number: int
    hand: HistoryHand


def history_files(paths: Iterable[str | Path]) -> list[Path]:
    """The files of paths; of folders, all histories below them, in the order of their names."""
    found: list[Path] = []
    for path in map(Path, paths):
        if not path.is_dir():
            found.append(path)
            continue
        inside = sorted(
            each
            for each in path.rglob("*")
            if each.suffix.lower() in _TEXTS and each.is_file() and is_history(each)
        )
        if not inside:
            raise ValueError(f"{path}: there are no histories in this folder (.phh, .phhs, .txt)")
        found += inside
    return found


def is_history(path: Path) -> bool:
    """Whether hands of a file can be read one by one: PHH, or the text of a poker site."""
    return path.suffix.lower() in PHH or site_of_file(path) is not None


def read_hands(
    path: str | Path, places: Collection[int] | None = None
) -> Iterator[FoundHand | UnreadHand]:
    r"""Read the hands of a PHH file or of a site's text; with `places`, from 1, only those.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "two.phhs")
    ...     _ = path.write_text("[1]\nvariant = 'PO'\n[2]\nvariant = 'NT'\n")
    ...     for each in read_hands(path):
    ...         print(each.number, each.reason)
    1 pot-limit Omaha (PO) is not hold'em
    2 antes: nothing is not a list of amounts
    """
    site, texts = _texts(Path(path))
    last = None if places is None else max(places, default=0)
    for each in texts:
        if last is not None and each.number > last:
            return
        if places is None or each.number in places:
            yield _read(each, site)


def hand_at(path: str | Path, place: int) -> FoundHand | UnreadHand:
    r"""The hand at a place of a file, from 1; the others are not read.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "two.phhs")
    ...     _ = path.write_text("[1]\nvariant = 'PO'\n[2]\nvariant = 'NT'\n")
    ...     hand_at(path, 1).reason
    "pot-limit Omaha (PO) is not hold'em"
    """
    for found in read_hands(path, (place,)):
        return found
    raise ValueError(f"{path} has no hand {place:,}")


def _texts(path: Path) -> tuple[PokerSite | None, Iterator[HandText]]:
    """The texts of the hands of a file, and the site that wrote them if it is not PHH."""
    if path.suffix.lower() in PHH:
        return None, hand_texts(path)
    if not path.is_file():
        raise ValueError(f"{path}: there is no such file")
    site = site_of_file(path)
    if site is None:
        raise ValueError(
            f"{path}: not a history: PHH (.phh, .phhs) and the texts of PokerStars, GGPoker,"
            " PartyPoker, iPoker, Ongame, Full Tilt and Absolute Poker are read"
        )
    return site, site_hand_texts(path, site)


def _read(text: HandText, site: PokerSite | None) -> FoundHand | UnreadHand:
    try:
        if text.fault:
            raise UnreadHandError(text.fault)
        hand = read_hand(text.text) if site is None else read_site_hand(text.text, site)
    except UnreadHandError as error:
        return UnreadHand(text.number, str(error), error.variant)
    return FoundHand(text.number, hand)


@dataclass(frozen=True)
class HandFilter:
    """Which hands count.

    Attributes
    ----------
    stakes
        Pairs of small and big blind; a small blind of None stands for any. Empty: all.
    seats
        The smallest and the largest number of players.
    raises
        The number of raises before the flop; None: any.

    Examples
    --------
    >>> HandFilter.parse("0.5/1, 2", "6").stakes
    ((Decimal('0.5'), Decimal('1')), (None, Decimal('2')))
    >>> HandFilter.parse(pot="3-bet").raises
    2
    """

    stakes: tuple[tuple[Decimal | None, Decimal], ...] = ()
    seats: tuple[int, int] = (2, 10)
    raises: int | None = None

    @classmethod
    def parse(
        cls, stakes: str | None = None, seats: str | None = None, pot: str | None = None
    ) -> HandFilter:
        """Read ``0.5/1`` or ``1`` (the big blind), ``6`` or ``2-6``, and one of `POTS`."""
        pairs = []
        for each in stakes.split(",") if stakes else ():
            small, slash, big = each.strip().rpartition("/")
            pairs.append((_amount(small, each) if slash else None, _amount(big, each)))
        least, most = 2, 10
        if seats is not None:
            low, dash, high = seats.strip().partition("-")
            try:
                least, most = int(low[:9]), int((high if dash else low)[:9])
            except ValueError:
                least, most = 0, 0
            if not 2 <= least <= most <= 10:
                raise ValueError(
                    f"seats {shorten(seats)!r}: must be a number of players from 2 to 10, or two"
                    " as in 2-6"
                )
        if pot is not None and pot not in POTS:
            raise ValueError(f"pot {shorten(pot)!r}: there are {', '.join(POTS)}")
        return cls(tuple(pairs), (least, most), None if pot is None else POTS.index(pot))

    def takes(self, hand: HistoryHand) -> bool:
        """Whether a hand counts."""
        if not self.seats[0] <= len(hand.spent) <= self.seats[1]:
            return False
        if self.raises is not None and self.raises != hand.raises:
            return False
        if not self.stakes:
            return True
        small, big = (Decimal(str(blind)) for blind in hand.blinds)
        return any(big == high and low in (None, small) for low, high in self.stakes)


def _amount(text: str, whole: str) -> Decimal:
    try:
        amount = Decimal(text.strip()) if len(text) < 20 else Decimal("nan")
    except InvalidOperation:
        amount = Decimal("nan")
    if not amount.is_finite() or amount <= 0:
        raise ValueError(
            f"stakes {shorten(whole)!r}: must be blinds as in 0.5/1, or a big blind as in 1"
        )
    return amount

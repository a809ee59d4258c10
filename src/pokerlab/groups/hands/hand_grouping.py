"""`HandGrouping`: how the hands of a board are grouped, and the text for it."""

from __future__ import annotations

from dataclasses import dataclass

from pokerlab.errors import shorten

MEASURES = ("rank", "strength", "strength-range", "view")
"""What a hand is worth on a complete board; see `pokerlab.groups.hands.measures`."""
BY_CARDS_ALONE = ("rank", "strength", "view")
"""Measures that are the same for both players, whatever their ranges."""
IDENTITIES = ("river", "hierarchical", "global")
"""When two hands are the same; see `pokerlab.groups.hands.identities`."""
NUMBERED = ("kmeans", "percentile")
"""Groups of similar hands, as many as asked for; see `pokerlab.groups.hands.labelling`."""

_MOST = 1326
_ACCEPTED = (
    "a measure (rank, strength, strength-range, view), with /river, /hierarchical or /global "
    "behind it if you like, or kmeans:F,T,R or percentile:F,T,R"
)


@dataclass(frozen=True)
class HandGrouping:
    """How the hands of a board are grouped.

    Attributes
    ----------
    kind
        One of `MEASURES` or of `NUMBERED`.
    identity
        One of `IDENTITIES`; empty for numbered groups.
    counts
        Groups by street for numbered groups, the river last; empty for identities.

    Examples
    --------
    >>> HandGrouping.parse("view")
    HandGrouping(kind='view', identity='river', counts=())
    >>> HandGrouping.parse("strength/global").text
    'strength/global'
    >>> HandGrouping.parse("kmeans:400,400,200").counts
    (400, 400, 200)
    >>> HandGrouping.parse("colour")
    Traceback (most recent call last):
    ValueError: groups 'colour': no measure 'colour'; write a measure (rank, strength, ...
    """

    kind: str
    identity: str = ""
    counts: tuple[int, ...] = ()

    @classmethod
    def parse(cls, text: str) -> HandGrouping:
        """Read a text such as ``view``, ``rank/global`` or ``percentile:50,50,50``.

        The identity is ``river`` if none is given. Numbered groups have a number for each street
        of the spot, the river last; a spot that begins on a later street uses the last ones.
        """
        if not isinstance(text, str):
            raise _bad(str(text), f"it is no text; write {_ACCEPTED}")
        words = text.strip().lower()
        kind, colon, numbers = words.partition(":")
        kind = kind.strip()
        if kind in NUMBERED:
            if not colon:
                raise _bad(text, f"say how many groups for each street, as {kind}:50,50,50")
            return cls(kind, counts=_parse_counts(text, numbers))
        measure, slash, identity = (each.strip() for each in words.partition("/"))
        if measure not in MEASURES:
            raise _bad(text, f"no measure {shorten(measure)!r}; write {_ACCEPTED}")
        return cls.of(measure, identity if slash else IDENTITIES[0])

    @classmethod
    def of(cls, measure: str, identity: str) -> HandGrouping:
        """Hands that are identical by a measure.

        Examples
        --------
        >>> HandGrouping.of("view", "turn")
        Traceback (most recent call last):
        ValueError: no identity 'turn'; there are river, hierarchical, global
        """
        for word, what, known in (
            (measure, "measure", MEASURES),
            (identity, "identity", IDENTITIES),
        ):
            if word not in known:
                raise ValueError(f"no {what} {shorten(word)!r}; there are {', '.join(known)}")
        return cls(measure, identity)

    @property
    def text(self) -> str:
        """The text that `parse` reads back, with everything spelled out."""
        if self.identity:
            return f"{self.kind}/{self.identity}"
        return f"{self.kind}:{','.join(map(str, self.counts))}"

    def __str__(self) -> str:
        return self.text

    def count_for(self, cards: int) -> int:
        """The number of groups that is asked for on a board of `cards` cards.

        Examples
        --------
        >>> HandGrouping.parse("kmeans:400,300,200").count_for(4)
        300
        """
        streets = 6 - cards
        if len(self.counts) < streets:
            raise _bad(
                self.text,
                f"{streets} streets are left to play, so it needs {streets} numbers, the river's "
                "last",
            )
        return self.counts[-streets]


def _parse_counts(text: str, numbers: str) -> tuple[int, ...]:
    words = [word.strip() for word in numbers.split(",")]
    if not 1 <= len(words) <= 3:
        raise _bad(text, "write one number for each street, at most three, the river's last")
    for word in words:
        if not (word.isascii() and word.isdigit() and len(word) <= 9 and int(word) > 0):
            raise _bad(text, f"{shorten(word)!r} is not a number of groups (1 or more)")
    # More groups than hands are the same as one for each hand.
    return tuple(min(int(word), _MOST) for word in words)


def _bad(text: str, why: str) -> ValueError:
    return ValueError(f"groups {shorten(text)!r}: {why}")

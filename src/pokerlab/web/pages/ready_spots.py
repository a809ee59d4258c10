"""Spots in three choices: the table, who plays, and the stack and kind of the pot.

Ranges, pot and stacks are those of a story before the flop, as `pokerlab solve --preflop "SB raise
2.5, BB call" --ranges 100bb` makes them. For two players the ranges are those of the charts of the
package, and the story of a choice is the line of the chart that comes most often. For six they are
its ranges ``six-max``, for 100 big blinds alone, and the sizes of raises are usual ones: an open to
2.5 big blinds (3 from the small blind, 3.5 over its limp), a 3-bet to three times that in position
and four times out of it, a 4-bet to about 2.4 times the 3-bet.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from functools import cache
from typing import Any, NamedTuple

from pokerlab.holdem.charts import DEPTHS, shipped_chart
from pokerlab.holdem.spots.question.preflop_ranges import PreflopRanges, fill_from_story
from pokerlab.holdem.spots.question.preflop_story import Act
from pokerlab.web.pages.preflop.line_spots import (
    BIG_BLIND,
    POTS,
    line_shares,
    line_story,
    sizes_of,
)

TABLES = ("heads-up", "six-max")
_NOBODY = "nobody"
_LEAST = 5e-4
"""Lines of charts that come less often are not offered: next to no hand is left of the ranges."""
SIX_MAX_STACK = 100
"""The big blinds that the ranges of six players are for."""
_AFTER_FLOP = ("SB", "BB", "UTG", "HJ", "CO", "BTN")
"""Who acts first after the flop, to last."""


class ReadySpot(NamedTuple):
    """A choice that there are ranges for."""

    table: str
    """One of `TABLES`."""
    opener: str
    """Who puts chips into the pot first."""
    other: str
    """Who plays against the opener."""
    stack: int
    """In big blinds, before the hand."""
    pot: str
    """One of `POTS`."""
    raiser: str
    """Who raised last, or ``nobody``."""
    story: str
    """As spots have it: ``SB raise 2.5, BB call``."""
    share: float | None
    """How often hands of these players come to this flop; None where no chart knows."""


@cache
def ready_spots() -> tuple[ReadySpot, ...]:
    """All choices, those of two players first, the shortest stack first.

    Examples
    --------
    >>> found = [each for each in ready_spots() if each.stack == 100]
    >>> [(each.pot, each.raiser) for each in found][:4]
    [('limped', 'nobody'), ('single-raised', 'SB'), ('single-raised', 'BB'), ('3-bet', 'SB')]
    >>> found[1].story, f"{found[1].share:.0%}"
    ('SB raise 2.5, BB call', '26%')
    >>> [each.story for each in found if (each.opener, each.other) == ("CO", "BTN")]
    ['CO raise 2.5, BTN call', 'CO raise 2.5, BTN raise 7.5, CO call', ...]
    """
    return tuple(_heads_up() + _six_max())


def _heads_up() -> list[ReadySpot]:
    found = []
    for depth in DEPTHS:
        chart = shipped_chart(depth)
        likely: dict[tuple[str, str], ReadySpot] = {}
        for line, share in line_shares(chart).items():
            story = line_story(chart, line)
            if share < _LEAST or story.raises >= len(POTS):
                continue
            key = POTS[story.raises], story.raiser
            if key not in likely or share > likely[key].share:  # type: ignore[operator]
                likely[key] = ReadySpot("heads-up", "SB", "BB", depth, *key, story.text, share)
        order = [(pot, raiser) for pot in POTS for raiser in (_NOBODY, "SB", "BB")]
        found += [likely[key] for key in order if key in likely]
    return found


def _six_max() -> list[ReadySpot]:
    """The stories of the file that end with a call or a check, in its order of positions."""
    known = PreflopRanges.named("six-max")
    utg = known.table.positions[0]
    found = []
    for acts in known.ranges:
        if acts[-1].action not in ("call", "check"):
            continue
        story = _with_sizes(
            [Act("UTG" if act.position == utg else act.position, act.action) for act in acts]
        )
        raisers = [act.position for act in story if act.action == "raise"]
        opener = story[0].position
        other = next(act.position for act in story if act.position != opener)
        found.append(
            ReadySpot(
                "six-max",
                opener,
                other,
                SIX_MAX_STACK,
                POTS[len(raisers)],
                raisers[-1] if raisers else _NOBODY,
                ", ".join(map(str, story)),
                None,
            )
        )
    seats = ("UTG", "HJ", "CO", "BTN", "SB", "BB")
    return sorted(
        found,
        key=lambda each: (
            seats.index(each.opener),
            seats.index(each.other),
            POTS.index(each.pot),
        ),
    )


def _with_sizes(acts: Sequence[Act]) -> list[Act]:
    """A story with usual amounts in the place of those that it does not say."""
    sized: list[Act] = []
    before: Act | None = None
    raises = 0
    for act in acts:
        if act.action != "raise":
            sized.append(act)
            continue
        raises += 1
        if before is None:
            limped = any(each.action == "limp" for each in acts)
            amount = Decimal("3.5" if limped else "3" if act.position == "SB" else "2.5")
        elif raises == 2:
            first = min(act.position, before.position, key=_AFTER_FLOP.index)
            amount = (before.amount or Decimal(0)) * (4 if act.position == first else 3)
        else:
            amount = Decimal(round(float(before.amount or 0) * 2.4))
        before = Act(act.position, "raise", Decimal(amount).normalize() + 0)
        sized.append(before)
    return sized


def ready_fields(
    table: str, opener: str, other: str, stack: int, pot: str, raiser: str
) -> dict[str, Any]:
    """The fields of a spot for a choice; the board is the player's.

    Examples
    --------
    >>> fields = ready_fields("heads-up", "SB", "BB", 100, "3-bet", "BB")
    >>> fields["pot"], fields["stack"], fields["aggressor"], fields["big_blind"]
    (200, [900, 900], 'oop', 10)
    >>> ready_fields("six-max", "BTN", "BB", 100, "single-raised", "BTN")["pot"]
    55
    >>> ready_fields("heads-up", "SB", "BB", 20, "4-bet", "SB")
    Traceback (most recent call last):
    ValueError: with 20 big blinds there are: limped, nobody; single-raised, SB; ...
    """
    wanted = (table, opener, other, stack, pot, raiser)
    chosen = next((each for each in ready_spots() if each[:6] == wanted), None)
    if chosen is None:
        known = "; ".join(
            f"{each.pot}, {each.raiser}" for each in ready_spots() if each[:4] == wanted[:4]
        )
        raise ValueError(f"with {stack} big blinds there are: {known or 'none for these players'}")
    ranges = f"{stack}bb" if table == "heads-up" else table
    told = {"preflop": chosen.story, "ranges": ranges, "big_blind": BIG_BLIND}
    return fill_from_story(told) | sizes_of(POTS.index(pot))

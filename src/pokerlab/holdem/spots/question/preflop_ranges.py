"""Ranges before the flop by position and action, and the spot that a story makes of them.

A file of ranges is TOML. Its keys are stories (see `pokerlab.holdem.spots.question.preflop_story`),
each for the last player in it::

    players = 6                 # 2 to 9; all of these have defaults
    stack = 100                 # big blinds before the hand, or a table: { BTN = 100, BB = 60 }
    small_blind = 0.5
    ante = 0
    weights = "range"           # or "frequency"

    [ranges]
    "BTN raise 2.5" = "22+, A2s+, K5s+, A5o+, KTo+"
    "BTN raise 2.5, BB call" = "@bb-call.txt"
    "BTN raise 2.5, BB raise 11" = "@bb.csv#raise"
    "BTN raise 2.5, BB raise 11, BTN call" = "JJ-88, AQs, AKo:0.5"
    "SB limp, BB check" = "any"

A key may leave out the sizes: ``BTN raise, BB call`` is for every raise that has no key of its own.
With ``weights = "range"`` the weight of a hand is how often the player is there with it: after a
second action it includes the first one. With ``"frequency"`` it is how often the hand takes this
action, and the ranges of all actions of the player are multiplied.

A spot names the file and the story, beside its board: ``preflop = "BTN raise 2.5, BB call"`` and
``ranges = "mine.toml"``. Ranges, pot, stacks and the aggressor follow; what the spot says itself
comes first. In place of a file, ``ranges = "200bb"`` names the charts of the package for two
players with that stack, and ``ranges = "six-max"`` its ranges of six with 100 big blinds
(`pokerlab.holdem.charts`); without ``ranges`` there are two, with 100.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from pokerlab.cards.codes import COMBO_CARDS, format_cards
from pokerlab.cards.ranges.range import Range
from pokerlab.games.betting_trees.chips import exact, plain_number, read_amount
from pokerlab.holdem.charts.chart import PreflopChart
from pokerlab.holdem.charts.shipped import (
    parse_depth,
    shipped_chart,
    shipped_depth,
    shipped_ranges,
)
from pokerlab.holdem.spots.question.preflop_story import (
    Act,
    StoryEnd,
    StoryTable,
    parse_story,
    play_story,
    settle_acts,
)
from pokerlab.runtime.errors import shorten, source_named
from pokerlab.runtime.files.confined import allowed_path
from pokerlab.runtime.files.toml_text import parse_toml

_STACK = 100
"""What players have where no ranges are named, in big blinds."""
_LETTERS = {"check": "x", "call": "c", "limp": "c", "fold": "f", "all-in": "a"}
"""Actions as charts write them; a raise is another thing."""
_FIELDS = ("players", "stack", "small_blind", "ante", "weights", "ranges")
_WEIGHTS = ("range", "frequency")
_MAX_BYTES = 10_000_000
_MAX_KNOWN = 250
"""Letters of the stories that an error lists."""


@dataclass(frozen=True)
class PreflopRanges:
    """Ranges by what led to them.

    Attributes
    ----------
    table
        Who plays, and what is posted.
    ranges
        By story, the range of the last player in it.
    multiplied
        Whether weights are frequencies of single actions.

    Examples
    --------
    >>> table = StoryTable(players=2, stack=20)
    >>> found = PreflopRanges.of(table, {"SB raise": "22+, A2+", "SB raise, BB call": "JJ-22"})
    >>> end, ranges = found.spot("SB raise 2, BB call")
    >>> end.players, end.pot, str(ranges["BB"])
    (('BB', 'SB'), 4, 'JJ-22')
    """

    table: StoryTable
    ranges: Mapping[tuple[Act, ...], Range]
    multiplied: bool = False

    @classmethod
    def of(
        cls, table: StoryTable, ranges: Mapping[str, str], *, multiplied: bool = False
    ) -> PreflopRanges:
        """Ranges by stories as texts."""
        found: dict[tuple[Act, ...], Range] = {}
        for text, hands in ranges.items():
            with source_named(f"ranges: {shorten(text)!r}"):
                if not isinstance(hands, str):
                    raise ValueError(f"{shorten(repr(hands))} is not a range such as 'TT+, AQs+'")
                acts = _key(settle_acts(parse_story(text, table), table))
                if acts in found:
                    raise ValueError("the same story stands twice")
                found[acts] = Range(hands)
        return cls(table, found, multiplied)

    @classmethod
    def from_file(cls, path: str | os.PathLike[str]) -> PreflopRanges:
        """Read a file; names of range files in it are relative to it."""
        with source_named(path):
            return cls._from_fields(parse_toml(_read(Path(path))), Path(path).parent)

    @classmethod
    def named(cls, name: str | os.PathLike[str]) -> PreflopRanges:
        """The ranges of the package by their name, such as ``six-max``, or those of a file.

        Examples
        --------
        >>> _, ranges = PreflopRanges.named("six-max").spot("CO raise 2.5, BTN raise 7.5, CO call")
        >>> str(ranges["CO"])
        'JJ-66,AKo:0.5,AQs-ATs,AQo,KJs+,QJs,JTs'
        """
        shipped = shipped_ranges(str(name))
        return cls.from_file(name) if shipped is None else _read_shipped(shipped)

    @classmethod
    def _from_fields(cls, fields: Mapping[str, Any], folder: Path) -> PreflopRanges:
        for name in fields:
            if name not in _FIELDS:
                raise ValueError(f"{shorten(name)}: unknown field ({', '.join(_FIELDS)})")
        weights = fields.get("weights", "range")
        if weights not in _WEIGHTS:
            raise ValueError(f"weights: {shorten(repr(weights))} is not {' or '.join(_WEIGHTS)}")
        given = fields.get("ranges")
        if not isinstance(given, dict) or not given:
            raise ValueError("ranges: missing, a table of stories and ranges")
        texts = {
            text: f"@{folder / hands.strip()[1:].strip()}"
            if isinstance(hands, str) and hands.strip().startswith("@")
            else hands
            for text, hands in given.items()
        }
        table = StoryTable(
            **{
                name: fields[name]
                for name in ("players", "stack", "small_blind", "ante")
                if name in fields
            }
        )
        return cls.of(table, texts, multiplied=weights == "frequency")

    def spot(self, story: str) -> tuple[StoryEnd, dict[str, Range]]:
        """What the flop begins with, and the ranges of the two players by position."""
        end = play_story(parse_story(story, self.table), self.table)
        return end, {name: self._range(name, end.acts) for name in end.players}

    def _range(self, player: str, acts: tuple[Act, ...]) -> Range:
        own = [place for place, act in enumerate(acts) if act.position == player]
        if not own:
            raise ValueError(f"{player} does nothing, so no range is known")
        if not self.multiplied:
            last = self._find(acts[: own[-1] + 1])
            for place in own[:-1]:
                self._check_fewer(acts[: place + 1], acts[: own[-1] + 1])
            return last
        weights = np.ones(len(COMBO_CARDS))
        for place in own:
            weights = weights * self._find(acts[: place + 1]).weights
        return Range(weights)

    def _find(self, acts: tuple[Act, ...]) -> Range:
        found = self._look_up(acts)
        if found is None:
            shown = ", ".join(map(str, _key(acts)))
            raise ValueError(f"no range for '{shown}'; {self._known(acts)}")
        return found

    def _known(self, acts: tuple[Act, ...]) -> str:
        """Which stories there are: those of the same player if any, as many as fit a line."""
        player = acts[-1].position
        own = [key for key in self.ranges if key[-1].position == player]
        stories = [", ".join(map(str, key)) for key in own or self.ranges]
        shown: list[str] = []
        for story in stories:
            if shown and sum(map(len, shown)) + len(story) > _MAX_KNOWN:
                break
            shown.append(story)
        more = f"; and {len(stories) - len(shown):,} more" if len(shown) < len(stories) else ""
        whose = f"for {player} there are" if own else "there are"
        return f"{whose}: {'; '.join(shown)}{more}"

    def _look_up(self, acts: tuple[Act, ...]) -> Range | None:
        key = _key(acts)
        if key in self.ranges:
            return self.ranges[key]
        return self.ranges.get(tuple(Act(act.position, act.action) for act in key))

    def _check_fewer(self, before: tuple[Act, ...], after: tuple[Act, ...]) -> None:
        """A hand cannot be there more often after a second action than after the first."""
        first = self._look_up(before)
        if first is None:
            return
        more = self._find(after).weights > first.weights + 1e-6
        if more.any():
            hand = format_cards(COMBO_CARDS[int(np.argmax(more))].tolist())
            raise ValueError(
                f"{hand} is there more often after '{', '.join(map(str, after))}' than before it; "
                'if the weights are those of single actions, say weights = "frequency"'
            )


def _key(acts: tuple[Act, ...]) -> tuple[Act, ...]:
    """A story as ranges are looked up by: without folds, and all-ins without their size."""
    return tuple(
        Act(act.position, act.action) if act.action == "all-in" else act
        for act in acts
        if act.action != "fold"
    )


@cache
def _read_shipped(path: Path) -> PreflopRanges:
    """A file of the package, wherever files may be read from else."""
    return PreflopRanges._from_fields(parse_toml(path.read_text(encoding="utf-8")), path.parent)


def _read(path: Path) -> str:
    try:
        path = allowed_path(path)
        if path.stat().st_size > _MAX_BYTES:
            raise ValueError(f"too long for ranges, at most {_MAX_BYTES:,} bytes")
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise ValueError("not a text file in UTF-8") from None
    except OSError as error:
        raise ValueError(f"cannot be read: {error.strerror}") from None


def chart_spot(chart: PreflopChart, story: str, stack: float) -> tuple[StoryEnd, dict[str, Range]]:
    """The end of a story of two players with a stack, and their ranges by a chart.

    Pot and stacks are those of the story; a raise that the chart does not have stands for the
    nearest one.
    """
    table = StoryTable(2, stack, chart.small_blind, chart.ante)
    try:
        acts = parse_story(story, table)
    except ValueError as error:
        try:
            parse_story(story, StoryTable(9))
        except ValueError:
            raise error from None
        raise ValueError(f"{error}; for six players say six-max, or name a file (ranges)") from None
    end = play_story(acts, table)
    line = chart.follow([_chart_act(act) for act in end.acts])
    return end, {name: _chart_range(chart, line, name) for name in end.players}


def _chart_act(act: Act) -> tuple[str, float | None]:
    if act.action == "raise" and act.amount is not None:
        return "r", float(act.amount)
    return _LETTERS[act.action], None


def _chart_range(chart: PreflopChart, line: str, player: str) -> Range:
    found = chart.range_after(line, chart.players.index(player))
    if not found:
        raise ValueError(f"in the charts {player} never plays {line}")
    return found


def fill_from_story(fields: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a spot, with those that follow from its story.

    ``preflop`` and ``ranges`` are replaced by ``oop``, ``ip``, ``pot``, ``stack``, ``big_blind``
    and ``aggressor``, unless the fields say these themselves.
    """
    rest = {name: value for name, value in fields.items() if name not in ("preflop", "ranges")}
    if len(rest) == len(fields):
        return rest
    story, file = fields.get("preflop"), fields.get("ranges")
    if story is None:
        raise ValueError("preflop: missing beside ranges, as in 'BTN raise 2.5, BB call'")
    file = f"{_STACK}bb" if file is None else file
    if not isinstance(file, str) or not file.strip():
        raise ValueError(
            f"ranges: {shorten(repr(file))} is not a file of ranges by position and action (.toml),"
            " 100bb for the charts of two players, or six-max"
        )
    stack = parse_depth(file)
    if stack is None:
        with source_named("ranges"):
            known = PreflopRanges.named(file)
        with source_named("preflop"):
            end, ranges = known.spot(story)
    else:
        with source_named("ranges"):
            chart = shipped_chart(shipped_depth(stack))
        with source_named("preflop"):
            end, ranges = chart_spot(chart, story, stack)
    return spot_fields(end, ranges, fields.get("big_blind", 1)) | rest


def spot_fields(end: StoryEnd, ranges: Mapping[str, Range], blind: float = 1) -> dict[str, Any]:
    """The fields of a spot that follow from the end of a story, in chips of a big blind."""
    big_blind = exact(read_amount("big_blind", blind, above=True))

    def chips(amount: float) -> float:
        return plain_number(exact(amount) * big_blind)

    first, second = end.players
    found: dict[str, Any] = {
        "oop": str(ranges[first]),
        "ip": str(ranges[second]),
        "pot": chips(end.pot),
        "stack": [chips(each) for each in end.behind],
        "big_blind": plain_number(big_blind),  # stories are in big blinds
    }
    if end.aggressor is not None:
        found["aggressor"] = "oop" if end.aggressor == first else "ip"
    return found

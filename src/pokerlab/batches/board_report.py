"""`BoardReport`: what happens at a line on all boards of a batch, board by board and on average.

A mean over boards counts them as they are dealt and played: a board counts its weight times the
deals that reach the line on it (the ranges miss the cards of the board, and a line such as
check–bet is played more often on some boards than on others).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any

import numpy as np

from pokerlab.arrays import Floats, Indices
from pokerlab.cards.codes import RANKS, parse_cards
from pokerlab.cards.textures import (
    CONNECTEDNESS,
    PAIRINGS,
    SUIT_COUNTS,
    Texture,
    TextureFilter,
    texture,
)
from pokerlab.errors import shorten, source_named
from pokerlab.files.columns import make_frame
from pokerlab.pictures.shown import Shown
from pokerlab.postflop.answer.conditions import read_conditions, read_order

FEATURES: Mapping[str, Callable[[Texture], str]] = {
    "high": lambda kind: kind.high_card,
    "pairing": lambda kind: kind.pairing,
    "suits": lambda kind: kind.suits,
    "connectedness": lambda kind: kind.connectedness,
    "broadways": lambda kind: f"{kind.broadways}-broadway",
}
"""What boards are grouped by, and the value of a flop; see `pokerlab.cards.textures`."""

FEATURE_VALUES: Mapping[str, tuple[str, ...]] = {
    "high": tuple(f"{rank}-high" for rank in RANKS),
    "pairing": PAIRINGS,
    "suits": SUIT_COUNTS,
    "connectedness": CONNECTEDNESS,
    "broadways": tuple(f"{count}-broadway" for count in range(4)),
}
"""The values of each feature in their order."""

_PLAYERS = ("oop", "ip")
_KINDS = ("ev", "equity", "realisation")


@dataclass(frozen=True)
class BoardsMean:
    """Means over boards as they are dealt and played.

    Attributes
    ----------
    boards, share
        How many boards, and their part of all deals that reach the line.
    ev, equity
        Of each player, in chips and as a chance; None where nobody arrives.
    realisation
        The EV of each player over its equity's part of the pot; None without equity.
    frequencies, action_evs
        By action; None where nobody arrives, and an EV where the action is never taken.
    """

    boards: int
    share: float
    ev: tuple[float | None, float | None]
    equity: tuple[float | None, float | None]
    realisation: tuple[float | None, float | None]
    frequencies: Mapping[str, float | None]
    action_evs: Mapping[str, float | None]

    def numbers(self) -> dict[str, float | None]:
        """The same by the names of the columns of a report."""
        found: dict[str, float | None] = {"weight": self.share}
        for kind in _KINDS:
            for player, name in enumerate(_PLAYERS):
                found[f"{name}_{kind}"] = getattr(self, kind)[player]
        for action, often in self.frequencies.items():
            found[action] = often
            found[f"{action}_ev"] = self.action_evs[action]
        return found


@dataclass(frozen=True, eq=False)
class BoardReport(Shown):
    """What happens at a line on many boards; the arrays are by board.

    Attributes
    ----------
    line, player
        Where, and who acts there (0: out of position).
    boards, weights
        The boards, and what each weighs.
    deals
        How many deals of two hands reach the line on a board, weights multiplied.
    pot
        The chips in the middle.
    ev, equity
        (boards, 2): of the players' ranges, as they arrive; NaN where nobody arrives.
    actions
        What the player may do, on any board.
    frequencies, action_evs
        (boards, actions): how often, and what it earns; NaN where a board does not have the
        action, and for the EV of what is never done.
    left_out
        Boards that have no such line.
    unsolved
        How many boards of the batch are not solved, or leave a player no hand.

    Examples
    --------
    >>> report = BoardReport(
    ...     "", 0, ("AsKh7d", "6s5s2s"), np.array([24.0, 4.0]), np.array([1.0, 2.0]),
    ...     pot=np.array([100.0, 100.0]), ev=np.array([[40.0, 60.0], [60.0, 40.0]]),
    ...     equity=np.array([[0.4, 0.6], [0.6, 0.4]]), actions=("x", "a"),
    ...     frequencies=np.array([[0.0, 1.0], [1.0, 0.0]]),
    ...     action_evs=np.array([[np.nan, 40.0], [60.0, np.nan]]),
    ... )
    >>> report.mean().ev, report.mean().frequencies
    ((45.0, 55.0), {'x': 0.25, 'a': 0.75})
    >>> {value: group.share for value, group in report.groups(["suits"]).items()}
    {('rainbow',): 0.75, ('monotone',): 0.25}
    >>> report.of_texture("6-high").boards, report.sorted_by("oop_ev").boards
    (('6s5s2s',), ('6s5s2s', 'AsKh7d'))
    """

    _picture = "pokerlab.batches.report_picture:report_html"

    line: str
    player: int
    boards: tuple[str, ...]
    weights: Floats
    deals: Floats
    pot: Floats
    ev: Floats
    equity: Floats
    actions: tuple[str, ...]
    frequencies: Floats
    action_evs: Floats
    left_out: tuple[str, ...] = ()
    unsolved: int = 0

    @cached_property
    def shares(self) -> Floats:
        """The part of a board of all deals that reach the line."""
        counted = self.weights * self.deals
        return np.asarray(counted / max(float(counted.sum()), 1e-300))

    @cached_property
    def textures(self) -> tuple[Texture, ...]:
        """The textures of the flops."""
        return tuple(texture(parse_cards(board)) for board in self.boards)

    @property
    def realisation(self) -> Floats:
        """(boards, 2): what of its equity a player gets, 1 for all of it."""
        owned = self.equity * self.pot[:, None]
        return np.divide(self.ev, owned, out=np.full_like(self.ev, np.nan), where=owned > 0)

    def column(self, name: str) -> Floats:
        """A column of numbers by its name; ``ev`` and the like are of the player who acts."""
        return self.numbers()[self.column_name(name)]

    def column_name(self, name: str) -> str:
        """The whole name of a column; `ValueError` names those that there are."""
        numbers = self.numbers()
        full = f"{_PLAYERS[self.player]}_{name}" if name in _KINDS else name
        if full not in numbers:
            raise ValueError(f"{shorten(name)!r} is not a column; there are {', '.join(numbers)}")
        return full

    def numbers(self) -> dict[str, Floats]:
        """The columns of numbers by name; ``weight`` is the share of a board, as it is played."""
        found = {"weight": self.shares}
        for kind in _KINDS:
            for player, name in enumerate(_PLAYERS):
                found[f"{name}_{kind}"] = getattr(self, kind)[:, player]
        for place, action in enumerate(self.actions):
            found[action] = self.frequencies[:, place]
            found[f"{action}_ev"] = self.action_evs[:, place]
        return found

    def table(self) -> dict[str, list[Any]]:
        """All columns by name, for files: None is a number that is not known."""
        named: dict[str, list[Any]] = {"board": list(self.boards)}
        for feature, value in FEATURES.items():
            named[feature] = [value(kind) for kind in self.textures]
        for name, numbers in self.numbers().items():
            named[name] = [None if number != number else number for number in numbers.tolist()]
        return named

    def is_share(self, column: str) -> bool:
        """Whether the numbers of a column are shown in percent."""
        return column in self.actions or column.endswith(("weight", "equity", "realisation"))

    def by_two_cards(self, column: str) -> dict[tuple[int, int], float]:
        """The means of a column over flops of the same high and middle card, by their ranks."""
        places: dict[tuple[int, int], list[int]] = {}
        for place, board in enumerate(self.boards):
            high, middle, _ = sorted((card >> 2 for card in parse_cards(board)[:3]), reverse=True)
            places.setdefault((high, middle), []).append(place)
        means = {ranks: self._mean_of(np.array(found)) for ranks, found in places.items()}
        numbers = {ranks: mean.numbers()[column] for ranks, mean in means.items()}
        return {ranks: number for ranks, number in numbers.items() if number is not None}

    def to_frame(self) -> Any:
        """A row for each board, as a ``pandas.DataFrame``; the columns are those of `table`."""
        return make_frame(self.table())

    def take(self, places: Sequence[int] | Indices) -> BoardReport:
        """The report of some boards, in this order."""
        chosen = np.asarray(places, dtype=np.intp)
        arrays = {
            each.name: getattr(self, each.name)[chosen]
            for each in fields(self)
            if isinstance(getattr(self, each.name), np.ndarray)
        }
        return replace(self, boards=tuple(self.boards[place] for place in chosen), **arrays)

    def of_texture(self, text: str) -> BoardReport:
        """The boards of a texture, given by its words (`pokerlab.cards.TextureFilter`)."""
        chosen = TextureFilter(text)
        places = [place for place, kind in enumerate(self.textures) if chosen.matches(kind)]
        if not places:
            raise ValueError(f"no board of this batch is {shorten(text)!r}")
        return self.take(places)

    def where(self, text: str) -> BoardReport:
        """The boards that fulfil conditions on columns, as ``b50 > 0.5 and ev < 20``."""
        fulfilled = np.ones(len(self.boards), dtype=bool)
        for condition in read_conditions(text, f"{self.actions[-1]} > 0.5 and ev < 20"):
            with source_named("where"):
                values = self.column(condition.name)
            fulfilled &= ~np.isnan(values) & condition.compare(values, condition.limit)
        if not fulfilled.any():
            raise ValueError(f"where: no board fulfils {shorten(text)!r}")
        return self.take(np.flatnonzero(fulfilled))

    def sorted_by(self, text: str) -> BoardReport:
        """In the order of a column, the largest number first; ``ev asc`` for the smallest.

        Boards whose number is not known come last.
        """
        name, descending = read_order(text)
        with source_named("sort"):
            values = self.column(name)
        return self.take(np.lexsort((-values if descending else values, np.isnan(values))))

    def mean(self) -> BoardsMean:
        """Means over all boards of the report."""
        return self._mean_of(np.arange(len(self.boards)))

    def groups(self, by: Sequence[str]) -> dict[tuple[str, ...], BoardsMean]:
        """Means over the boards that have the same values of some features.

        High cards come first, then the values in their order.
        """
        for name in by:
            if name not in FEATURES:
                raise ValueError(
                    f"{shorten(name)!r} is not a feature of flops: {', '.join(FEATURES)}"
                )
        places: dict[tuple[str, ...], list[int]] = {}
        for place, kind in enumerate(self.textures):
            places.setdefault(tuple(FEATURES[name](kind) for name in by), []).append(place)

        def order(value: tuple[str, ...]) -> list[int]:
            ranks = [FEATURE_VALUES[name].index(each) for name, each in zip(by, value, strict=True)]
            return [-rank if name == "high" else rank for name, rank in zip(by, ranks, strict=True)]

        return {
            value: self._mean_of(np.array(places[value])) for value in sorted(places, key=order)
        }

    def _mean_of(self, places: Indices) -> BoardsMean:
        shares = self.shares[places]
        total = float(shares.sum())
        if total <= 0:
            nothing: dict[str, float | None] = dict.fromkeys(self.actions)
            pair = (None, None)
            return BoardsMean(len(places), 0.0, pair, pair, pair, nothing, nothing)
        reached = shares > 0
        counted = shares[reached] / total

        def average(values: Floats) -> Floats:
            return np.asarray(counted @ values[places][reached])

        played = np.nan_to_num(self.frequencies)
        paid = average(np.where(np.isnan(self.action_evs), 0.0, played))
        earned = average(played * np.nan_to_num(self.action_evs))
        ev, owned = average(self.ev), average(self.equity * self.pot[:, None])
        return BoardsMean(
            boards=len(places),
            share=total,
            ev=_pair(ev),
            equity=_pair(average(self.equity)),
            realisation=(_ratio(ev[0], owned[0]), _ratio(ev[1], owned[1])),
            frequencies=dict(zip(self.actions, average(played).tolist(), strict=True)),
            action_evs={
                action: _ratio(earned[place], paid[place])
                for place, action in enumerate(self.actions)
            },
        )


def _pair(values: Floats) -> tuple[float | None, float | None]:
    first, second = (None if np.isnan(value) else float(value) for value in values)
    return first, second


def _ratio(part: float, whole: float) -> float | None:
    return float(part) / float(whole) if whole > 0 and not np.isnan(part) else None

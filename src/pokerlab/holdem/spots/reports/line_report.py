"""`LineReport`: one line on many boards, row by row and on average.

The rows are the cards that may come after a solution's line, or the boards of a batch. A mean over
rows counts them as they are dealt and played: the ranges miss the cards of a board, and a line such
as check–bet is played more often on some boards than on others.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from pokerlab.cards.board_hands.next_cards import CARD_EFFECTS, CARD_TEXTURES
from pokerlab.cards.codes import RANKS, SUITS, parse_cards
from pokerlab.cards.textures import (
    CONNECTEDNESS,
    PAIRINGS,
    RIVERS,
    SUIT_COUNTS,
    TURNS,
    Texture,
    TextureFilter,
    texture,
)
from pokerlab.games.betting_trees.chips import plain_number
from pokerlab.games.betting_trees.menus import PLAYERS
from pokerlab.holdem.spots.reports.conditions import read_conditions, read_order
from pokerlab.runtime.arrays import Floats, Indices
from pokerlab.runtime.errors import shorten, source_named
from pokerlab.runtime.files.columns import make_frame
from pokerlab.runtime.shown import Shown

Pair: TypeAlias = "tuple[float | None, float | None]"

KINDS = ("ev", "equity", "realisation")
"""What a report says of both players."""

FEATURES: Mapping[str, Callable[[Texture], str]] = {
    "high": lambda kind: kind.high_card,
    "pairing": lambda kind: kind.pairing,
    "suits": lambda kind: kind.suits,
    "connectedness": lambda kind: kind.connectedness,
    "broadways": lambda kind: f"{kind.broadways}-broadway",
    "turn": lambda kind: kind.turn,
    "river": lambda kind: kind.river,
}
"""What boards are grouped by, and the value of a board; see `pokerlab.cards.textures`."""

FEATURE_VALUES: Mapping[str, tuple[str, ...]] = {
    "high": tuple(f"{rank}-high" for rank in RANKS),
    "pairing": PAIRINGS,
    "suits": SUIT_COUNTS,
    "connectedness": CONNECTEDNESS,
    "broadways": tuple(f"{count}-broadway" for count in range(4)),
    "turn": TURNS,
    "river": RIVERS,
}
"""The values of each feature in their order."""

_WORDS = list(CARD_TEXTURES)

_CARDS_FOR = {"turn": 4, "river": 5}
"""The cards that a board must have for a feature, where a flop has none of it."""

_EFFECT_NAMES = {
    "pair": "pairs the board",
    "flush": "flush",
    "straight": "straight",
    "overcard": "overcard",
    "blank": "blank",
}


@dataclass(frozen=True)
class ReportRow:
    """A card or a board of a report, or several of them together.

    Attributes
    ----------
    name
        The cards, as ``Qc``, ``Qc2d`` or ``AsKh7d``; of a group, what they have in common.
    weight
        How often they come, of all times that the line is played: the sum over all rows is 1.
    ev
        For each player (oop, ip) the chips taken from there on, on average.
    equity, realisation
        The equities, and EV divided by equity times pot.
    frequencies, action_ev
        How often the player to act takes each action, and what it earns the hands that take it.
        Empty where nobody acts.
    completes
        What each card does to the board, the cards together: see `card_effects`. Empty for groups.
    count
        How many cards or boards.
    texture
        The first of `CARD_TEXTURES` that is true of one of the cards. Empty for groups and boards.

    What is not known is None: where nothing arrives, the EV of an action that nobody takes, and an
    action that a board does not have.
    """

    name: str
    weight: float
    ev: Pair
    equity: Pair
    realisation: Pair
    frequencies: tuple[float | None, ...]
    action_ev: tuple[float | None, ...]
    completes: tuple[str, ...] = ()
    count: int = 1
    texture: str = ""


@dataclass(frozen=True, slots=True)
class LineTotals:
    """A line on one board; None is a number that is not known, as where nobody arrives.

    `deals` counts the deals of two hands that reach the line, weights multiplied. The player is
    None where nobody acts; frequencies and EVs are by action.
    """

    player: int | None
    pot: float
    deals: float
    ev: Pair
    equity: Pair
    actions: tuple[str, ...]
    frequencies: tuple[float | None, ...]
    action_evs: tuple[float | None, ...]


_ARRAYS = ("deals", "pot", "ev", "equity", "frequencies", "action_evs", "weights")


@dataclass(frozen=True, eq=False)
class LineReport(Shown):
    """The report of a line on many boards; the arrays are by row, NaN is not known.

    Attributes
    ----------
    line, player
        Where, without the cards that come, and who acts there (0: out of position); None after an
        all-in.
    names
        The cards of each row: those that come, or a whole board.
    deals
        How many deals of two hands reach the line on a board, weights multiplied.
    pot
        The chips in the middle.
    ev, equity
        (rows, 2): of the players' ranges, as they arrive.
    actions
        What the player may do, on any board.
    frequencies, action_evs
        (rows, actions): how often, and what it earns the hands that do it.
    weights
        What each board of a batch weighs; 1 for each of the cards that may come.
    board
        The cards before those that come; empty where the rows are boards.
    completes, card_textures
        By row, what the cards that come do (`card_effects`), and their texture, as a row has it;
        empty where the rows are boards.
    left_out
        Boards that have no such line.
    unsolved
        How many boards of a batch are not solved, or leave a player no hand.

    Examples
    --------
    >>> report = LineReport(
    ...     "", 0, ("AsKh7d", "6s5s2s"), np.array([1.0, 2.0]),
    ...     pot=np.array([100.0, 100.0]), ev=np.array([[40.0, 60.0], [60.0, 40.0]]),
    ...     equity=np.array([[0.4, 0.6], [0.6, 0.4]]), actions=("x", "a"),
    ...     frequencies=np.array([[0.0, 1.0], [1.0, 0.0]]),
    ...     action_evs=np.array([[np.nan, 40.0], [60.0, np.nan]]), weights=np.array([24.0, 4.0]),
    ... )
    >>> report.mean().ev, report.mean().frequencies
    ((45.0, 55.0), (0.25, 0.75))
    >>> [(row.name, row.weight) for row in report.groups("suits")]
    [('rainbow', 0.75), ('monotone', 0.25)]
    >>> report.of_texture("6-high").names, report.sorted_by("oop_ev").names
    (('6s5s2s',), ('6s5s2s', 'AsKh7d'))
    """

    _picture = "pokerlab.views.pictures.report_picture:report_html"

    line: str
    player: int | None
    names: tuple[str, ...]
    deals: Floats
    pot: Floats
    ev: Floats
    equity: Floats
    actions: tuple[str, ...]
    frequencies: Floats
    action_evs: Floats
    weights: Floats
    board: tuple[int, ...] = ()
    completes: tuple[tuple[str, ...], ...] = ()
    card_textures: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    unsolved: int = 0

    @classmethod
    def of(
        cls,
        line: str,
        names: Sequence[str],
        totals: Sequence[LineTotals],
        weights: Sequence[float] | None = None,
        **more: Any,
    ) -> LineReport:
        """Put what happens on single boards together; `more` are further attributes."""
        actions = tuple(dict.fromkeys(action for each in totals for action in each.actions))

        def by_action(name: str) -> Floats:
            tables = [dict(zip(each.actions, getattr(each, name), strict=True)) for each in totals]
            # None becomes NaN, and so does an action that a board does not have.
            return np.array([[table.get(action) for action in actions] for table in tables], float)

        def by_row(name: str) -> Floats:
            return np.array([getattr(each, name) for each in totals], float)

        return cls(
            line=line,
            player=totals[0].player,
            names=tuple(names),
            deals=by_row("deals"),
            pot=by_row("pot"),
            ev=by_row("ev"),
            equity=by_row("equity"),
            actions=actions,
            frequencies=by_action("frequencies"),
            action_evs=by_action("action_evs"),
            weights=np.ones(len(totals)) if weights is None else np.array(weights, float),
            **more,
        )

    def joined(self, others: Sequence[LineReport]) -> LineReport:
        """Add the rows of other reports of the same line and actions."""
        reports = [self, *others]
        arrays: dict[str, Any] = {
            name: np.concatenate([getattr(each, name) for each in reports]) for name in _ARRAYS
        }
        return replace(
            self,
            names=tuple(name for each in reports for name in each.names),
            completes=tuple(effects for each in reports for effects in each.completes),
            card_textures=tuple(word for each in reports for word in each.card_textures),
            **arrays,
        )

    @property
    def of_cards(self) -> bool:
        """Whether the rows are cards that may come, not boards."""
        return bool(self.board)

    @property
    def chips(self) -> float:
        """The pot where it is the same on all boards, as it is when cards come."""
        return plain_number(float(self.pot[0]))

    @cached_property
    def shares(self) -> Floats:
        """The part of a row of all deals that reach the line."""
        counted = self.weights * self.deals
        # Sums without rounding: the same on every processor.
        return np.asarray(counted / max(math.fsum(counted.tolist()), 1e-300))

    @property
    def realisation(self) -> Floats:
        """(rows, 2): what of its equity a player gets, 1 for all of it."""
        owned = self.equity * self.pot[:, None]
        return np.divide(self.ev, owned, out=np.full_like(self.ev, np.nan), where=owned > 0)

    @cached_property
    def textures(self) -> tuple[Texture, ...]:
        """The textures of boards."""
        return tuple(texture(parse_cards(board)) for board in self.names)

    @cached_property
    def features(self) -> tuple[str, ...]:
        """The names of `FEATURES` that some board has: a flop has no ``turn``."""
        longest = max(map(len, self.names), default=0) // 2
        return tuple(name for name in FEATURES if longest >= _CARDS_FOR.get(name, 0))

    @cached_property
    def rows(self) -> tuple[ReportRow, ...]:
        """A row for each card or board, in their order."""
        tables = (*KINDS, "frequencies", "action_evs")
        known = [_known(getattr(self, name)) for name in tables]
        completes = self.completes or [()] * len(self.names)
        words = self.card_textures or [""] * len(self.names)
        together = zip(self.names, self.shares.tolist(), *known, completes, words, strict=True)
        return tuple(
            ReportRow(name, weight, ev, equity, realised, played, earned, effects, texture=word)
            for name, weight, ev, equity, realised, played, earned, effects, word in together
        )

    def mean(self) -> ReportRow:
        """All rows together, each as often as it comes."""
        return self._together(range(len(self.names)), "all")

    def groups(self, by: str) -> list[ReportRow]:
        """Rows together that have the same value of a feature, or of several with commas between.

        Cards by ``rank``, ``suit``, what they do first of `CARD_EFFECTS` (``completes``) or of
        `CARD_TEXTURES` (``texture``); boards by `features`, where ``texture`` stands for what the
        last card does, and on flops for ``suits, pairing``. High cards come first, then the values
        in their order.
        """
        return [self._together(places, name) for name, places in self.group_places(by).items()]

    def group_places(self, by: str) -> dict[str, list[int]]:
        """The rows of each group, by its name; see `groups`."""
        known: Mapping[str, _GetValue] = _BY_CARD
        if not self.of_cards:
            known = {name: _BY_BOARD[name] for name in self.features}
        features = [name.strip() for name in by.split(",")]
        if not self.of_cards:
            features = [each for name in features for each in self._feature_names(name)]
        for name in features:
            if name not in known:
                listed = [*known, *([] if self.of_cards else ["texture"])]
                raise ValueError(
                    f"group: {shorten(name)!r} is not known; known are {', '.join(listed)}"
                )
        places: dict[tuple[_Value, ...], list[int]] = {}
        for place in range(len(self.names)):
            values = tuple(known[name](self, place) for name in features)
            places.setdefault(values, []).append(place)
        return {
            " ".join(value.text for value in values): places[values]
            for values in sorted(places, key=lambda values: [value.order for value in values])
        }

    def _feature_names(self, name: str) -> list[str]:
        if name != "texture":
            return [name]
        return [self.features[-1]] if "turn" in self.features else ["suits", "pairing"]

    def means_by(self, key: Callable[[str], Any], column: str) -> dict[Any, float | None]:
        """The means of a column over the rows whose names have the same key."""
        places: dict[Any, list[int]] = {}
        for place, name in enumerate(self.names):
            places.setdefault(key(name), []).append(place)
        rows = [self._together(each, "") for each in places.values()]
        return dict(zip(places, self.numbers(rows)[column], strict=True))

    def numbers(self, rows: Iterable[ReportRow]) -> dict[str, list[float | None]]:
        """The columns of numbers of some rows, by name."""
        rows = list(rows)
        found: dict[str, list[float | None]] = {"weight": [row.weight for row in rows]}
        for kind in KINDS:
            for seat, player in enumerate(PLAYERS):
                found[f"{player}_{kind}"] = [getattr(row, kind)[seat] for row in rows]
        for place, action in enumerate(self.actions):
            found[action] = [row.frequencies[place] for row in rows]
            found[f"{action}_ev"] = [row.action_ev[place] for row in rows]
        return found

    def columns(self, groups: Sequence[ReportRow] | None = None) -> dict[str, list[Any]]:
        """All columns by name, for files: the rows, or groups of them; None is not known.

        Examples
        --------
        >>> from pokerlab.holdem.spots import Spot, report_run_outs, solve_spot
        >>> spot = Spot("KsTs7d4c", "77, 65s", "AA", pot=100, stack=100, bet="a", raise_="")
        >>> list(report_run_outs(solve_spot(spot, target="1%"), "x/x").columns())[:8]
        ['card', 'weight', 'oop_ev', 'ip_ev', 'oop_equity', 'ip_equity', 'oop_realisation', ...]
        """
        rows = self.rows if groups is None else groups
        names = [row.name for row in rows]
        if self.of_cards:
            completes = [" ".join(row.completes) for row in rows]
            return {"card": names, **self.numbers(rows), "completes": completes}
        if groups is not None:
            return {"flops": names, "boards": [row.count for row in rows], **self.numbers(rows)}
        kinds = {name: [FEATURES[name](kind) for kind in self.textures] for name in self.features}
        return {"board": names, **kinds, **self.numbers(rows)}

    def to_frame(self) -> Any:
        """The columns as a ``pandas.DataFrame``, a row for each card or board."""
        return make_frame(self.columns())

    def column(self, name: str) -> Floats:
        """A column of numbers by its name, NaN where not known; see `column_name`."""
        return np.array(self.numbers(self.rows)[self.column_name(name)], dtype=np.float64)

    def column_name(self, name: str) -> str:
        """The whole name of a column of numbers: ``ev`` and the like are of the player who acts."""
        numbers = self.numbers(())
        full = f"{PLAYERS[self.player or 0]}_{name}" if name in KINDS else name
        if full not in numbers:
            raise ValueError(f"{shorten(name)!r} is not a column; there are {', '.join(numbers)}")
        return full

    def is_share(self, column: str) -> bool:
        """Whether the numbers of a column are shown in percent."""
        return column in self.actions or column.endswith(("weight", "equity", "realisation"))

    def take(self, places: Sequence[int] | Indices) -> LineReport:
        """The report of some rows, in this order."""
        chosen = np.asarray(places, dtype=np.intp)
        arrays = {name: getattr(self, name)[chosen] for name in _ARRAYS}
        return replace(
            self,
            names=tuple(self.names[place] for place in chosen),
            completes=tuple(self.completes[place] for place in chosen if self.completes),
            card_textures=tuple(
                self.card_textures[place] for place in chosen if self.card_textures
            ),
            **arrays,
        )

    def of_texture(self, text: str) -> LineReport:
        """The boards of a texture, given by its words (`pokerlab.cards.TextureFilter`)."""
        chosen = TextureFilter(text)
        places = [place for place, kind in enumerate(self.textures) if chosen.matches(kind)]
        if not places:
            raise ValueError(f"no board of this batch is {shorten(text)!r}")
        return self.take(places)

    def where(self, text: str) -> LineReport:
        """The rows that fulfil conditions on columns, as ``b50 > 0.5 and ev < 20``."""
        fulfilled = np.ones(len(self.names), dtype=bool)
        for condition in read_conditions(text, f"{self.actions[-1]} > 0.5 and ev < 20"):
            with source_named("where"):
                values = self.column(condition.name)
            fulfilled &= ~np.isnan(values) & condition.compare(values, condition.limit)
        if not fulfilled.any():
            raise ValueError(f"where: no board fulfils {shorten(text)!r}")
        return self.take(np.flatnonzero(fulfilled))

    def sorted_by(self, text: str) -> LineReport:
        """In the order of a column, the largest number first; ``ev asc`` for the smallest.

        Rows whose number is not known come last.
        """
        return self.take(self._order(self.rows, text))

    def sort_groups(self, groups: Sequence[ReportRow], text: str) -> list[ReportRow]:
        """Groups in the order of a column, as for `sorted_by`."""
        return [groups[place] for place in self._order(groups, text)]

    def _order(self, rows: Sequence[ReportRow], text: str) -> list[int]:
        name, descending = read_order(text)
        with source_named("sort"):
            column = self.numbers(rows)[self.column_name(name)]
        values = np.array(column, dtype=np.float64)
        order = np.lexsort((-values if descending else values, np.isnan(values)))
        found: list[int] = order.tolist()
        return found

    def _together(self, places: Sequence[int], name: str) -> ReportRow:
        """Several rows as one; what is not known on a row does not count there."""
        chosen = np.asarray(places, dtype=np.intp)
        shares = self.shares[chosen]
        chosen, counted = chosen[shares > 0], shares[shares > 0]
        played = np.nan_to_num(self.frequencies[chosen])
        owned = _means(self.equity[chosen] * self.pot[chosen, None], counted)
        ev = _means(self.ev[chosen], counted)
        ratios = [
            None if chips is None or not part else chips / part
            for chips, part in zip(ev, owned, strict=True)
        ]
        earned = zip(self.action_evs[chosen].T, counted * played.T, strict=True)
        return ReportRow(
            name,
            math.fsum(shares.tolist()),
            _pair(ev),
            _pair(_means(self.equity[chosen], counted)),
            _pair(ratios),
            tuple(_means(played, counted)),
            tuple(_mean(values, often) for values, often in earned),
            count=len(shares),
        )


class _Value(NamedTuple):
    order: tuple[int, ...]
    text: str


def _rank(report: LineReport, place: int) -> _Value:
    ranks = report.names[place][::2]
    return _Value(tuple(-RANKS.index(rank) for rank in ranks), ranks)


def _suit(report: LineReport, place: int) -> _Value:
    suits = report.names[place][1::2]
    return _Value(tuple(-SUITS.index(suit) for suit in suits), suits)


def _first_effect(report: LineReport, place: int) -> _Value:
    number = min(CARD_EFFECTS.index(effect) for effect in report.completes[place])
    return _Value((number,), _EFFECT_NAMES[CARD_EFFECTS[number]])


def _texture(report: LineReport, place: int) -> _Value:
    word = report.card_textures[place]
    return _Value((_WORDS.index(word),), CARD_TEXTURES[word])


_GetValue: TypeAlias = Callable[[LineReport, int], _Value]


def _feature(name: str) -> _GetValue:
    def value(report: LineReport, place: int) -> _Value:
        text = FEATURES[name](report.textures[place])
        number = FEATURE_VALUES[name].index(text)
        return _Value((-number if name == "high" else number,), text)

    return value


_BY_CARD = {"rank": _rank, "suit": _suit, "completes": _first_effect, "texture": _texture}
_BY_BOARD = {name: _feature(name) for name in FEATURES}


def _known(table: Floats) -> list[Any]:
    """The rows of a table as tuples, with None for NaN."""
    return [tuple(None if each != each else each for each in row) for row in table.tolist()]


def _pair(values: Sequence[float | None]) -> Pair:
    return values[0], values[1]


def _means(table: Floats, weights: Floats) -> list[float | None]:
    return [_mean(column, weights) for column in table.T]


def _mean(values: Floats, weights: Floats) -> float | None:
    known = ~np.isnan(values) & (weights > 0)
    total = math.fsum(weights[known].tolist())
    return math.fsum((values[known] * weights[known]).tolist()) / total if total > 0 else None

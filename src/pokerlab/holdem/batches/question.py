"""The input of a batch: a spot without its board, boards with weights, and settings.

Spot, boards and settings are kept in ``batch.toml`` of the folder::

    format = "pokerlab batch 2"
    digest = "5b7c…"              # of all that follows
    keep = "root"                 # of each solution: "full", "partial" (no rivers) or "root"
    rule = "dcfr(1.3,0.5,3,0.1)"
    target = "0.5%"               # and iterations, seconds, groups, where they were given
    precision = 32
    isomorphism = true
    up_to_suits = true            # a flop stands for those of other suits

    [spot]                        # the fields of a spot
    oop = "66+, A8s+"

    [textures.monotone]           # menus of some flops: the first texture that fits a flop
    bet = "33%"

    [boards]                      # and what each weighs
    AsKh7d = 24.0
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
import tomli_w

from pokerlab.cards.codes import format_cards, parse_cards
from pokerlab.cards.flops import parse_flops
from pokerlab.cards.isomorphism.suits import SUIT_PERMUTATIONS, symmetries
from pokerlab.cards.ranges.range import Range
from pokerlab.engine.groups import HandGrouping
from pokerlab.holdem.spots.question.spot import Spot
from pokerlab.holdem.spots.question.spot_file import read_spot_file
from pokerlab.holdem.spots.question.texture_menus import (
    Textures,
    check_textures,
    find_texture,
    read_textures,
)
from pokerlab.holdem.spots.solver import DEFAULT_RULE, PRECISIONS
from pokerlab.holdem.spots.solving import parse_target
from pokerlab.runtime.errors import shorten, source_named
from pokerlab.runtime.files.hashes import digest
from pokerlab.runtime.files.toml_text import parse_toml
from pokerlab.solvers.rules import parse_rule

BATCH_FORMAT = "pokerlab batch 2"

KEEPS = ("full", "partial", "root")
"""What is kept of a solution: all, all but the rivers, or the first street alone."""

DEFAULT_TARGET = "0.3%"

MAX_BOARDS = 100_000

_FLOPS_DEALT = comb(52, 3)
_SETTINGS = ("target", "iterations", "seconds", "groups")
_TYPES: dict[str, tuple[type, ...]] = {
    "keep": (str,),
    "rule": (str,),
    "target": (str, float, int, type(None)),
    "iterations": (int, type(None)),
    "seconds": (float, int, type(None)),
    "precision": (int,),
    "isomorphism": (bool,),
    "up_to_suits": (bool,),
    "groups": (str, type(None)),
}
_WEIGHT_LIMIT = 1e12


@dataclass(frozen=True)
class BatchQuestion:
    """One spot on many boards.

    Attributes
    ----------
    fields
        The spot as `Spot.fields` has it, without its board.
    boards
        What each board weighs, by name (``AsKh7d``).
    keep
        What is kept of a solution: ``full``, ``partial`` (without rivers), or ``root`` (the first
        street, with what lies below it as values).
    textures
        Fields that differ on some flops.
    up_to_suits
        Whether a board stands for all that renaming the suits makes of it.
    rule, target, iterations, seconds, precision, isomorphism, groups
        How each board is solved; see `pokerlab.holdem.spots.solve_spot`. A target is a text in
        percent of the pot, or chips. Without any limit it is 0.3%.

    Examples
    --------
    >>> spot = Spot("QhJh2c", "AA, KQs", "QQ, AJs", pot=100, stack=80)
    >>> question = BatchQuestion.of(spot, {"QhJh2c": 12, "AsKh7d": 24}, keep="root")
    >>> question.spot("AsKh7d").board == tuple(parse_cards("AsKh7d"))
    True
    >>> BatchQuestion.from_toml(question.to_toml()) == question
    True
    """

    fields: Mapping[str, Any]
    boards: Mapping[str, float]
    keep: str = "full"
    textures: Textures = ()
    up_to_suits: bool = False
    rule: str = DEFAULT_RULE
    target: str | float | None = None
    iterations: int | None = None
    seconds: float | None = None
    precision: int = 32
    isomorphism: bool = True
    groups: str | None = None
    _spots: dict[tuple[int, int], Spot] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def __post_init__(self) -> None:
        for name, kinds in _TYPES.items():
            value = getattr(self, name)
            if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
                raise ValueError(f"{name}: {shorten(repr(value))} does not fit this field")
        if self.target is None and self.iterations is None and self.seconds is None:
            object.__setattr__(self, "target", DEFAULT_TARGET)
        boards = {board_name(name): _weight(name, each) for name, each in self.boards.items()}
        object.__setattr__(self, "boards", boards)
        object.__setattr__(self, "rule", str(parse_rule(self.rule)))
        if self.groups is not None:
            object.__setattr__(self, "groups", HandGrouping.parse(self.groups).text)
        self._check()

    @classmethod
    def of(
        cls, spot: Spot, boards: Mapping[str, float], textures: Textures = (), **settings: Any
    ) -> BatchQuestion:
        """The batch of a spot, whose own board does not count."""
        fields = {name: value for name, value in spot.fields().items() if name != "board"}
        return cls(fields, boards, textures=textures, **settings)

    def _check(self) -> None:
        if self.keep not in KEEPS:
            raise ValueError(f"keep: {shorten(self.keep)!r} must be one of {', '.join(KEEPS)}")
        if self.precision not in PRECISIONS:
            raise ValueError(f"precision: {self.precision!r} is not a number of bits (16, 32, 64)")
        if not self.boards:
            raise ValueError("boards: none is named")
        for name, limit in (("iterations", self.iterations), ("seconds", self.seconds)):
            if limit is not None and not 0 <= limit < math.inf:
                raise ValueError(f"{name}: {limit!r} must be 0 or more")
        parse_target(self.target, 1.0)
        if self.up_to_suits:
            self._check_suits()
        check_textures(self.textures)

    def spot(self, board: str) -> Spot:
        """The spot on a board."""
        cards = tuple(parse_cards(board))
        rule = find_texture(self.textures, cards)
        key = rule, len(cards)
        if key not in self._spots:
            self._spots[key] = Spot.from_fields(self.spot_fields(board))
        return self._spots[key].with_board(cards)

    def spot_fields(self, board: str) -> dict[str, Any]:
        """The fields of the spot on a board, as a file has them."""
        rule = find_texture(self.textures, parse_cards(board))
        changed = self.textures[rule][1] if rule >= 0 else {}
        return {**self.fields, **changed, "board": board}

    def kind(self, board: str) -> tuple[Any, ...]:
        """The kind of a board: boards of a kind have games of about the same size."""
        cards = tuple(parse_cards(board))
        ranks, suits = ([card // 4 for card in cards], [card % 4 for card in cards])
        pattern = tuple(sorted(suits.count(suit) for suit in set(suits)))
        return len(cards), pattern, len(set(ranks)), find_texture(self.textures, cards)

    def joined(self, named: BatchQuestion) -> BatchQuestion:
        """The batch of a folder after another one, of the same `solve_digest`, is added to it.

        It may name more boards (see `join_boards`), and a lower target; a higher one
        changes nothing.
        """
        boards = join_boards(self.boards, named.boards, up_to_suits=self.up_to_suits)
        lower = named._target_chips < self._target_chips
        return replace(self, boards=boards, target=named.target if lower else self.target)

    @property
    def _target_chips(self) -> float:
        """The target in chips; without one, other limits end a solve, and it counts as 0."""
        pot = self.fields.get("pot")
        if not isinstance(pot, int | float):
            raise ValueError(f"pot: {shorten(repr(pot))} is not a number")
        return parse_target(self.target, pot) or 0.0

    @cached_property
    def digest(self) -> str:
        """A hash of spot, boards and settings."""
        return _hash(self.data())

    @cached_property
    def solve_digest(self) -> str:
        """A hash of all but the boards and the target, which may change in a folder."""
        kept = {
            name: value for name, value in self.data().items() if name not in ("boards", "target")
        }
        return _hash(kept)

    def data(self) -> dict[str, Any]:
        """The content of ``batch.toml``, without format and digest."""
        given = {name: getattr(self, name) for name in _SETTINGS}
        found: dict[str, Any] = {
            "keep": self.keep,
            "rule": self.rule,
            **{name: value for name, value in given.items() if value is not None},
            "precision": self.precision,
            "isomorphism": self.isomorphism,
            "up_to_suits": self.up_to_suits,
            "spot": dict(self.fields),
            "boards": dict(self.boards),
        }
        if self.textures:
            found["textures"] = {text: dict(fields) for text, fields in self.textures}
        return found

    def to_toml(self) -> str:
        """The text of ``batch.toml``."""
        return tomli_w.dumps({"format": BATCH_FORMAT, "digest": self.digest, **self.data()})

    @classmethod
    def from_toml(cls, text: str) -> BatchQuestion:
        """Read ``batch.toml``; `ValueError` says what is wrong with it."""
        found = parse_toml(text)
        given, digest = found.pop("format", None), found.pop("digest", None)
        if given != BATCH_FORMAT:
            raise ValueError(f"its format is {shorten(repr(given))}, not {BATCH_FORMAT!r}")
        fields, boards = found.pop("spot", None), found.pop("boards", None)
        textures = found.pop("textures", {})
        tables = {"spot": fields, "boards": boards, "textures": textures}
        for name, table in tables.items():
            if not isinstance(table, dict):
                raise ValueError(f"{name} is {shorten(repr(table))}, not a table")
        for name in found:
            if name not in _TYPES:
                raise ValueError(f"{shorten(name)}: unknown field")
        question = cls(fields, boards, textures=read_textures(textures), **found)
        if question.digest != digest:
            raise ValueError("its content does not fit its digest")
        return question

    def _check_suits(self) -> None:
        """`ValueError` if a range treats suits differently: a flop then stands for itself alone."""
        for name in ("oop", "ip"):
            weights = Range(self.fields.get(name, "")).weights
            if len(symmetries((), np.stack([weights]))) < len(SUIT_PERMUTATIONS):
                raise ValueError(
                    f"{name}: the range treats suits differently, so a flop cannot stand for those "
                    "of other suits; name the boards one by one"
                )


def _hash(data: Mapping[str, Any]) -> str:
    ordered = {**data, "textures": list(data.get("textures", {}).items())}  # the first that fits
    return digest(json.dumps(ordered, sort_keys=True, default=str), length=32)


def read_question(
    path: str | Path, boards: Mapping[str, float], *, runouts: str | None = None, **settings: Any
) -> BatchQuestion:
    """The batch of a spot file on some boards; its table ``textures`` is read too.

    A board in the file does not count. `runouts` replaces that of the file; `settings` are those of
    `BatchQuestion`.
    """
    with source_named(path):
        fields = read_spot_file(path)
        if runouts is not None:
            fields["runouts"] = runouts
        textures = read_textures(fields.pop("textures", {}))
        spot = any_spot(fields, boards)
    return BatchQuestion.of(spot, boards, textures, **settings)


def any_spot(fields: Mapping[str, Any], boards: Iterable[str]) -> Spot:
    """The spot on the first board that leaves both players a hand."""
    failure: ValueError | None = None
    for board in boards:
        try:
            return Spot.from_fields({**fields, "board": board})
        except ValueError as error:
            failure = failure or error
            if not str(error).startswith(("oop", "ip")):
                break
    raise failure or ValueError("boards: none is named")


def flop_boards(text: str) -> dict[str, float]:
    """Flops up to suits and what each stands for: a number of them, or a list (`parse_flops`)."""
    return {flop.name: flop.weight for flop in parse_flops(text)}


_FLOP_LETTERS = 6


def parse_boards(text: str) -> dict[str, float]:
    """Read boards of three to five cards, with commas, blanks or line ends between.

    Each weighs 1; another weight may follow after a colon. The cards of a flop may stand in any
    order.

    Examples
    --------
    >>> parse_boards("2cJhQh, Td9d6hQc:2.5")
    {'QhJh2c': 1.0, 'Td9d6hQc': 2.5}
    >>> parse_boards("QhJh2c Td9d6h:2, As Kd 2c")
    {'QhJh2c': 1.0, 'Td9d6h': 2.0, 'AsKd2c': 1.0}
    >>> parse_boards("QhJh2c, JhQh2c")
    Traceback (most recent call last):
    ValueError: boards: QhJh2c stands twice
    """
    found: dict[str, float] = {}
    items = (item for line in text.splitlines() for item in line.split(","))
    for item in chain.from_iterable(map(_split_boards, items)):
        cards, colon, weight = item.partition(":")
        name = board_name(cards)
        if name in found:
            raise ValueError(f"boards: {name} stands twice")
        found[name] = _weight(item, weight) if colon else 1.0
    if not 1 <= len(found) <= MAX_BOARDS:
        raise ValueError(f"boards: {shorten(text)!r} names {len(found)} boards, 1 to {MAX_BOARDS}")
    return found


def _split_boards(item: str) -> list[str]:
    """What stands between two commas: boards with blanks between, or one whose cards have some."""
    words = item.split()
    whole = all(len(word.partition(":")[0]) >= _FLOP_LETTERS for word in words)
    return words if whole else [item.strip()]


def board_name(text: str) -> str:
    """The name of a board in a batch: the flop from the highest card down, then turn and river.

    Examples
    --------
    >>> board_name("2c jh QH 4d")
    'QhJh2c4d'
    """
    try:
        cards = parse_cards(text)
    except ValueError as error:
        raise ValueError(f"boards: {error}") from None
    if not 3 <= len(cards) <= 5 or len(set(cards)) < len(cards):
        raise ValueError(
            f"boards: {shorten(text)!r} is not 3 (flop), 4 (turn) or 5 (river) different cards"
        )
    return format_cards([*sorted(cards[:3], reverse=True), *cards[3:]])


def _weight(name: str, given: Any) -> float:
    try:
        weight = math.nan if isinstance(given, bool) else float(given)
    except (TypeError, ValueError, OverflowError):
        weight = math.nan
    if not 0 < weight <= _WEIGHT_LIMIT:
        raise ValueError(
            f"boards: {shorten(name)!r}: {shorten(str(given))!r} is not a weight above 0"
        )
    return weight


def join_boards(
    before: Mapping[str, float], named: Mapping[str, float], *, up_to_suits: bool = False
) -> dict[str, float]:
    """The boards of a folder, and what each weighs, once more of them are named.

    A list that names all boards of the folder takes the place of the old one, weights and all: the
    subsets of flops hold each other, so 25 grow to 49. So does one that stands for all flops, but
    the boards that it leaves out keep their weights. A part of the folder's boards changes nothing.
    Of any other list the boards that are new come to the others.

    Examples
    --------
    >>> join_boards({"AsKh7d": 900.0}, {"AsKh7d": 24.0, "QsQh2d": 12.0})
    {'AsKh7d': 24.0, 'QsQh2d': 12.0}
    >>> join_boards({"AsKh7d": 900.0, "6s5s2s": 80.0}, {"AsKh7d": 24.0})
    {'AsKh7d': 900.0, '6s5s2s': 80.0}
    >>> join_boards({"AsKh7d": 900.0, "6s5s2s": 80.0}, {"AsKh7d": 24.0, "QsQh2d": 12.0})
    {'AsKh7d': 900.0, '6s5s2s': 80.0, 'QsQh2d': 12.0}
    """
    if before.keys() <= named.keys():
        return dict(named)
    if named.keys() <= before.keys():
        return dict(before)
    if up_to_suits and abs(sum(named.values()) - _FLOPS_DEALT) < 1:
        return {**before, **named}
    return {**before, **{board: each for board, each in named.items() if board not in before}}

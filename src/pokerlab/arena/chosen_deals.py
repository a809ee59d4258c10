"""The cards of a match: from its seed, with fixed pockets, or deals that were generated before.

A pocket is written ``SEAT:CARDS`` everywhere, for example ``0:AsKd``, ``1:QQ+`` or, in games with
one private card, ``0:K``. A seat is a position of the deal: who sits there changes from hand to
hand unless the button stays.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NoReturn, TypeAlias

import numpy as np

from pokerlab.arena.deal_generator import DealGenerator
from pokerlab.cards.codes import Cards, combo_index, format_cards, to_cards
from pokerlab.cards.ranges.range import Range
from pokerlab.games import BettingGame, Deal
from pokerlab.games.deal import check_deal
from pokerlab.players.strategies.spot_game import SpotGame
from pokerlab.runtime.errors import DamagedFileError, shorten, source_named
from pokerlab.runtime.files.hashes import digest
from pokerlab.runtime.files.text_lines import text_lines, whole_text

Pockets: TypeAlias = "Mapping[int, Cards | Range]"
"""By seat: private cards, or a range of them."""
DealsLike: TypeAlias = "str | os.PathLike[str] | Sequence[Deal]"
"""Deals, or the file that holds them."""

MAX_DEALS = 1_000_000
"""The most deals of a file, which are kept in memory."""


class MatchCards:
    """Which cards a match is played with.

    Parameters
    ----------
    game
        What is played.
    deals
        The deals in their order, or the file that holds them (see `read_deals`).
    pockets
        By seat: private cards, or a range of them (see `DealGenerator`).

    Attributes
    ----------
    deals
        The deals; None where they come from the seed.
    source
        Their file, if they have one.

    Examples
    --------
    >>> from pokerlab.games import load_betting_game
    >>> cards = MatchCards(load_betting_game("kuhn"), pockets={0: "K"})
    >>> sorted({str(deal) for deal in cards.deal(20, np.random.default_rng(1))})
    ['Ks|Js', 'Ks|Qs']
    """

    def __init__(
        self, game: BettingGame, deals: DealsLike | None = None, pockets: Pockets | None = None
    ) -> None:
        if deals is not None and pockets:
            raise ValueError("deals and pockets: a match has one of them (deals may have pockets)")
        self.game = game
        self.source = ""
        self.deals: tuple[Deal, ...] | None = None
        if isinstance(deals, str | os.PathLike):
            self.source = os.fspath(deals)
            self.deals = read_deals(self.source, game)
        elif deals is not None:
            self.deals = tuple(deals)
            if not self.deals:
                raise ValueError("deals: none are given")
            for deal in self.deals:
                _check_complete(game, deal)
        self._generator = _generator(game, pockets) if pockets else None
        if self._generator is not None:  # pockets that need the same card are an error now
            next(self._generator.sample(1, np.random.default_rng(0)))

    @property
    def count(self) -> int | None:
        """How many deals there are; None where cards are dealt without end."""
        return None if self.deals is None else len(self.deals)

    @property
    def digest(self) -> str:
        """A fingerprint of the deals; empty where they come from the seed."""
        if self.deals is None:
            return ""
        return digest("\n".join(_deal_text(deal) for deal in self.deals), length=16)

    def check_enough(self, hands: int, seatings: int = 1) -> None:
        """Refuse a match that needs more deals than there are."""
        if self.count is not None and hands > self.count * seatings:
            where = f"{self.source}: " if self.source else "deals: "
            most = self.count * seatings
            each = f", each in {seatings} seatings," if seatings > 1 else ""
            raise ValueError(
                f"{where}{self.count:,} deals{each} are enough for {most:,} hands, not for"
                f" {hands:,}"
            )

    def deal(self, count: int, rng: np.random.Generator) -> Iterator[Deal]:
        """The first deals of a match; the first ones are the same however many are dealt."""
        if self.deals is not None:
            return iter(self.deals[:count])
        if self._generator is not None:
            return (deal for deal, _ in self._generator.sample(count, rng))
        return self.game.deals(rng, count)


def _generator(game: BettingGame, pockets: Pockets) -> DealGenerator:
    """Deals with fixed pockets; in a spot the board and the ranges stay what they are."""
    if not isinstance(game, SpotGame):
        return DealGenerator(game, pockets)
    ranges: dict[int, Cards | Range] = dict(enumerate(game.spot.ranges))
    for seat, pocket in pockets.items():
        if seat not in ranges:
            raise ValueError(f"pocket of seat {seat}: {game.name} has seats 0 to 1")
        wanted = pocket
        if not isinstance(wanted, Range):
            wanted = Range(wanted if isinstance(wanted, str) else format_cards(to_cards(wanted)))
        both = Range(wanted.weights * game.spot.ranges[seat].weights)
        if not both:
            raise ValueError(
                f"pocket {shorten(str(pocket))!r} of seat {seat}: no such hand is in its range"
            )
        ranges[seat] = both
    return DealGenerator(game, ranges, game.spot.board)


def parse_pockets(texts: Iterable[str]) -> dict[int, str]:
    """Read fixed pockets, ``SEAT:CARDS`` each.

    Examples
    --------
    >>> parse_pockets(["0:AsKd", "1:QQ+, AK"])
    {0: 'AsKd', 1: 'QQ+, AK'}
    >>> parse_pockets(["AsKd"])
    Traceback (most recent call last):
    ValueError: pocket 'AsKd': write SEAT:CARDS, for example 0:AsKd
    """
    pockets: dict[int, str] = {}
    for text in texts:
        seat, colon, cards = text.partition(":")
        known = seat.isascii() and seat.strip().isdecimal() and len(seat) < 5
        if not colon or not known or not cards.strip():
            raise ValueError(f"pocket {shorten(text)!r}: write SEAT:CARDS, for example 0:AsKd")
        if int(seat) in pockets:
            raise ValueError(f"pocket {shorten(text)!r}: seat {int(seat)} has a pocket already")
        pockets[int(seat)] = cards.strip()
    return pockets


def pocket_texts(pockets: Pockets | None) -> tuple[str, ...]:
    """Pockets as `parse_pockets` reads them, by seat.

    Examples
    --------
    >>> pocket_texts({1: "QQ+", 0: [51, 45]})
    ('0:AsKd', '1:QQ+')
    """
    return tuple(
        f"{seat}:{cards if isinstance(cards, str | Range) else format_cards(to_cards(cards))}"
        for seat, cards in sorted((pockets or {}).items())
    )


def read_deals(path: str | os.PathLike[str], game: BettingGame) -> tuple[Deal, ...]:
    r"""Read deals that ``pokerlab deals`` printed, as text or as JSON.

    A line is a deal, ``AsKd|QsQc/2c3d4h5s7h``, and its weight, which may be left out; lines that
    begin with ``#`` are passed over. The weights must all be the same, as a match counts all its
    deals the same.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from pokerlab.games import load_betting_game
    >>> leduc = load_betting_game("leduc")
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder, "deals.txt")
    ...     _ = file.write_text("Ks|Jh/Kh  0.5\nKs|Js/Kh  0.5\n")
    ...     print(*read_deals(file, leduc))
    Ks|Jh/Kh Ks|Js/Kh
    """
    name = os.fspath(path)
    first = next((line.lstrip() for line in text_lines(name) if line.strip()), "")
    weighted = _from_json(name, game) if first.startswith("{") else _from_lines(name, game)
    deals: list[Deal] = []
    weights: list[float] = []
    for deal, weight in weighted:
        if len(deals) == MAX_DEALS:
            raise ValueError(f"{name}: more than {MAX_DEALS:,} deals; take fewer of them")
        deals.append(deal)
        weights.append(weight)
    if not deals:
        raise ValueError(f"{name}: there is no deal in this file")
    low, high = min(weights), max(weights)
    if not math.isclose(low, high, rel_tol=1e-4):
        raise ValueError(
            f"{name}: the deals have different weights ({low:g} to {high:g}), and a match counts"
            " all deals the same; let `pokerlab deals --sample` draw them"
        )
    return tuple(deals)


def _from_lines(name: str, game: BettingGame) -> Iterator[tuple[Deal, float]]:
    for number, line in enumerate(text_lines(name), start=1):
        fields = line.split()
        if not fields or line.lstrip().startswith("#"):
            continue
        with source_named(f"{name}, line {number}"):
            if len(fields) > 2:
                _not_a_deal(line)
            holes, _, board = fields[0].partition("/")
            try:
                deal = Deal(tuple(map(to_cards, holes.split("|"))), to_cards(board))
                weight = float(fields[1]) if len(fields) == 2 else 1.0
            except ValueError:
                _not_a_deal(line)
            if not 0.0 < weight < math.inf:
                _not_a_deal(line)
            _check_complete(game, deal)
        yield deal, weight


def _not_a_deal(line: str) -> NoReturn:
    raise ValueError(
        f"{shorten(line)!r} is not a deal and its weight, for example 'AsKd|QsQc/2c3d4h5s7h  0.5'"
    )


def _from_json(name: str, game: BettingGame) -> Iterator[tuple[Deal, float]]:
    try:
        rows = json.loads(whole_text(name))["deals"]
        if not isinstance(rows, list):
            raise TypeError
    except (KeyError, TypeError, RecursionError, json.JSONDecodeError):
        raise DamagedFileError(
            name, "it is not the JSON object that `pokerlab deals --json` prints"
        ) from None
    for number, row in enumerate(rows):
        with source_named(f"{name}, deal {number}"):
            deal, weight = _json_deal(row)
            _check_complete(game, deal)
        yield deal, weight


def _json_deal(row: Any) -> tuple[Deal, float]:
    try:
        holes = tuple(to_cards(_text(hole)) for hole in row["holes"])
        board, stub = to_cards(_text(row["board"])), to_cards(_text(row["stub"]))
        again = to_cards(_text(row.get("reshuffled", "")))
        weight = row["weight"]
        if isinstance(weight, bool) or not isinstance(weight, int | float):
            raise TypeError
    except (KeyError, TypeError, AttributeError):
        raise ValueError(
            f"{shorten(json.dumps(row))} has no holes, board, stub and weight"
        ) from None
    if not 0.0 < weight < 1e300:
        raise ValueError(f"weight {weight:g} is not a number above 0")
    return Deal(holes, board, stub, again), float(weight)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _check_complete(game: BettingGame, deal: Deal) -> None:
    """Refuse a deal of another game, and one that lacks cards."""
    check_deal(game, deal)
    if not all(deal.holes) or len(deal.board) < game.board_cards[-1]:
        raise ValueError(
            f"{deal} is not complete: {game.name} deals {game.hole_cards[-1]} private and"
            f" {game.board_cards[-1]} public cards"
        )
    if isinstance(game, SpotGame):
        _check_in_spot(game, deal)
    if any(street.draw for street in game.streets):
        dealt = game.players * game.hole_cards[-1] + game.board_cards[-1]
        if len(deal.stub) < len(game.deck) - dealt:
            raise ValueError(
                f"{deal} has no cards to draw; `pokerlab deals {game.name} --json` writes them"
            )
        if deal.reshuffled and sorted(deal.reshuffled) != sorted(game.deck):
            raise ValueError(f"{deal}: the reshuffled cards are not the deck of {game.name}")


def _check_in_spot(game: SpotGame, deal: Deal) -> None:
    board = to_cards(game.spot.board)
    if set(deal.board[: len(board)]) != set(board):
        raise ValueError(f"{deal} does not begin with the board {format_cards(board)} of the spot")
    for seat, (hole, hands) in enumerate(zip(deal.holes, game.spot.ranges, strict=True)):
        if hands.weights[combo_index(*hole)] == 0.0:
            raise ValueError(f"{deal}: {format_cards(hole)} is not in the range of seat {seat}")


def _deal_text(deal: Deal) -> str:
    return f"{deal} {format_cards(deal.stub)} {format_cards(deal.reshuffled)}"

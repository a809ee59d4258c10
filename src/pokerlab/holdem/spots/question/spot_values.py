"""The fields of a spot as users give them: each is checked, and errors name the field."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias, cast

from pokerlab.cards.codes import Cards, format_cards, to_cards
from pokerlab.cards.ranges.range import Range, RangeLike
from pokerlab.engine.subsets.run_out_counts import RunOutCounts
from pokerlab.games.betting_trees.chips import (
    is_in_big_blinds,
    read_amount,
    read_number,
    units_needed,
)
from pokerlab.games.betting_trees.lines import Line, LineLike, to_line
from pokerlab.games.betting_trees.menus import PLAYERS
from pokerlab.games.prizes.chip_model import MOST_PLAYERS, read_bounties, read_payouts
from pokerlab.runtime.errors import shorten

AmountLike: TypeAlias = "float | str"
"""What a public function takes as an amount: chips, or text in chips or big blinds (``5.5bb``)."""


def read_board(board: Cards) -> tuple[int, ...]:
    """A flop, turn or river."""
    try:
        cards = to_cards(board)
    except TypeError:
        raise ValueError(
            f"board: {shorten(repr(board))} is not a row of cards such as 'Td9d6h'"
        ) from None
    except ValueError as error:
        raise ValueError(f"board: {error}") from None
    if not 3 <= len(cards) <= 5:
        raise ValueError(
            f"board: {format_cards(cards)!r} has {len(cards)} cards; a board has 3 (flop), "
            "4 (turn) or 5 (river)"
        )
    return cards


def read_range(name: str, hands: RangeLike) -> Range:
    """A range; the error names the field."""
    try:
        return Range(hands)
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None


def each_stack(stack: AmountLike | Sequence[AmountLike]) -> Sequence[AmountLike]:
    """One stack or two as they were given."""
    return stack if isinstance(stack, list | tuple) else [cast("AmountLike", stack)]


def read_stack(
    stack: AmountLike | Sequence[AmountLike], big_blind: float
) -> float | tuple[float, float]:
    """One stack in chips, or two that differ."""
    given = each_stack(stack)
    if given is stack and len(given) != 2:
        shown = shorten(str(list(given)))
        raise ValueError(f"stack: {shown} is not one number of chips or two (oop, ip)")
    stacks = [read_amount("stack", chips, big_blind) for chips in given]
    return stacks[0] if stacks[0] == stacks[-1] else (stacks[0], stacks[1])


def read_smallest_chip(
    given: float | None, amounts: Sequence[AmountLike], big_blind: float
) -> float | None:
    """As given; a hundredth of a chip where amounts are in big blinds. None: see `Spot.units`."""
    if given is None:
        if not any(map(is_in_big_blinds, amounts)):
            return None
        chips = [read_amount("pot", amount, big_blind) for amount in amounts]
        return 1 / max(units_needed(*chips), 100)
    if isinstance(given, bool) or given not in (1, 0.1, 0.01, 0.001):
        raise ValueError(f"smallest_chip: {shorten(repr(given))} is not 1, 0.1, 0.01 or 0.001")
    return given


def read_prizes(
    payouts: str | float | Sequence[float],
    others: AmountLike | Sequence[AmountLike],
    bounty: str | float | Sequence[float],
    progressive: bool,
    big_blind: float,
) -> dict[str, Any]:
    """The fields of prizes: see `Spot`."""
    stacks = [read_amount("others", each, big_blind, above=True) for each in _split(others)]
    prizes, heads = _numbers("payouts", payouts), _numbers("bounty", bounty)
    if not isinstance(progressive, bool):
        raise ValueError(f"progressive: {shorten(repr(progressive))} is not true or false")
    for name, given in (("others", stacks), ("bounty", heads), ("progressive", progressive)):
        if given and not prizes:
            raise ValueError(f"{name}: needs payouts, such as payouts = [50, 30, 20]")
    if prizes:
        players = 2 + len(stacks)
        prizes = read_payouts(prizes, players).tolist()
        if len(stacks) > MOST_PLAYERS - 2:
            raise ValueError(f"others: {len(stacks)} stacks; at most {MOST_PLAYERS - 2:,}")
        try:
            heads = read_bounties(heads, players).tolist() if any(heads) else []
        except ValueError as error:
            raise ValueError(str(error).replace("bounties", "bounty", 1)) from None
    return {
        "payouts": tuple(prizes),
        "others": tuple(stacks),
        "bounty": tuple(heads),
        "progressive": progressive and bool(heads),
    }


def _split(values: Any) -> list[Any]:
    """One value, a list, or a text with commas."""
    if isinstance(values, str):
        return [part.strip() for part in values.split(",") if part.strip()]
    return list(values) if isinstance(values, Iterable) else [values]


def _numbers(name: str, values: Any) -> list[float]:
    found = []
    for value in _split(values):
        number = read_number(value.removesuffix("%")) if isinstance(value, str) else value
        if number is None:
            raise ValueError(f"{name}: {shorten(repr(value))} is not a number such as 50")
        found.append(number)
    return found


def read_rake_cap(value: AmountLike, big_blind: float) -> float:
    """Chips, or text in chips or big blinds."""
    if isinstance(value, str):
        return float(read_amount("rake_cap", value, big_blind))
    return read_share("rake_cap", value)


def read_share(name: str, value: float, most: float = math.inf) -> float:
    """A number from 0 up."""
    good = isinstance(value, int | float) and not isinstance(value, bool)
    if not good or not 0 <= value <= min(most, 1e300):  # NaN too
        accepted = "from 0 up" if most == math.inf else f"from 0 to {most:g}"
        shown = shorten(repr(value))
        raise ValueError(f"{name}: {shown} is not a number {accepted} (0 for off)")
    return float(value)


def read_player(name: str, value: str | None) -> str | None:
    """``"oop"``, ``"ip"`` or nobody."""
    if value is None or (isinstance(value, str) and value in PLAYERS):
        return value
    raise ValueError(f"{name}: {shorten(repr(value))} is not a player, oop or ip")


def read_cap(max_bets: int | None) -> int | None:
    """A cap on bets and raises, or None."""
    if max_bets is None:
        return None
    if isinstance(max_bets, bool) or not isinstance(max_bets, int) or max_bets < 0:
        raise ValueError(
            f"max_bets: {shorten(repr(max_bets))} is not a number of bets and raises, 0, 1, 2, …"
        )
    return max_bets


def read_run_outs(value: str | None, board: tuple[int, ...]) -> str | None:
    """The numbers of turns and rivers of a subset, such as ``12x10``; None for all."""
    if value is None:
        return None
    if not isinstance(value, str):
        raise ValueError(f"runouts: {shorten(repr(value))} is not a text such as 12x10")
    counts = RunOutCounts.parse(value)
    if len(board) != 3:
        raise ValueError(
            f"runouts: {counts} is for flops; the board {format_cards(board)} has "
            f"{len(board)} cards"
        )
    return None if counts.all else str(counts)


def read_lines(field: str, lines: LineLike | Iterable[LineLike]) -> tuple[Line, ...]:
    """Lines that change a tree."""
    try:
        each = [lines] if isinstance(lines, str | Line) else list(lines)
        return tuple(map(to_line, each))
    except TypeError:
        raise ValueError(
            f"{field}: {shorten(repr(lines))} is not a list of lines such as x/b50"
        ) from None
    except ValueError as error:
        raise ValueError(f"{field}: {error}") from None

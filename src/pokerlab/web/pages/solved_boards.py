"""The solved boards of batches as one library: the board that somebody types opens its solution."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from pokerlab.cards.codes import SUITS, format_cards, parse_cards
from pokerlab.cards.isomorphism.suits import canonical
from pokerlab.holdem.batches import Batch
from pokerlab.holdem.batches.question import board_name
from pokerlab.holdem.batches.standing import SAME_SUITS, inverse, line_on, standing_for
from pokerlab.holdem.spots import Spot
from pokerlab.runtime.errors import shorten
from pokerlab.web.files.library import Listed

_NAMES = {"s": "spades", "h": "hearts", "d": "diamonds", "c": "clubs"}


def batches_of(batches: Iterable[tuple[Listed, Batch]], spot: Spot) -> list[tuple[Listed, Batch]]:
    """The batches that solve a spot on many boards: all of it but its board is the same."""
    board = format_cards(spot.board)
    return [(listed, batch) for listed, batch in batches if _solves(batch, board, spot)]


def _solves(batch: Batch, board: str, spot: Spot) -> bool:
    fields, own = batch.question.fields, spot.fields()
    if any(fields.get(name) != own.get(name) for name in ("oop", "ip", "pot", "stack")):
        return False  # before a tree is built
    try:
        return batch.question.spot(board).fields() == own
    except ValueError:  # a board that leaves a player no hand, or menus that this street has not
        return False


def batch_data(listed: Listed, batch: Batch) -> dict[str, Any]:
    """A batch with the boards that are solved."""
    solved = {path.stem for path in (batch.folder / "solutions").glob("*.json")}
    return {
        "id": listed.id,
        "name": listed.name,
        "up_to_suits": batch.question.up_to_suits,
        "boards": [board for board in batch.question.boards if board in solved],
    }


def offers(
    batches: Iterable[tuple[Listed, Batch]],
    board: str,
    line: str = "",
    suits_before: Sequence[int] = SAME_SUITS,
) -> list[dict[str, Any]]:
    """The solutions of a board in batches.

    Parameters
    ----------
    batches
        Where to look.
    board
        The board that is wanted.
    line
        A line of the solution that is open; as far as it exists, it is that of the offer, too.
    suits_before
        How that solution renames the suits of the board that was wanted there (`renaming`).
    """
    wanted = board_name(board)
    found = []
    for listed, batch in batches:
        standing = standing_for(batch.question, wanted)
        if standing is None or batch.row(standing.board) is None:
            continue
        renamed = [standing.suits[suit] for suit in inverse(suits_before)]
        kept = line_on(batch.question.spot(standing.board), line, renamed)
        found.append(
            {
                "id": f"{listed.id}-{standing.board}",
                "batch": listed.id,
                "name": listed.name,
                "board": standing.board,
                "wanted": wanted,
                "line": kept,
                "whole_line": kept.count("/") == line.count("/") and bool(kept) == bool(line),
                "text": suits_text(standing.suits, wanted),
            }
        )
    return found


def renaming(spot: Spot, board: str) -> Sequence[int]:
    """How a solution renames the suits of a board that it stands for; not at all, if it is another.

    Examples
    --------
    >>> renaming(Spot("Ks7h2d", "AA, KQs", "QQ", pot=100, stack=80), "Kh7d2c")
    (1, 2, 3, 0)
    """
    form = canonical(parse_cards(board)) if len(parse_cards(board)) == len(spot.board) else None
    if form is None or board_name(board) == board_name(format_cards(spot.board)):
        return SAME_SUITS
    return form.permutation if set(form.cards) == set(spot.board) else SAME_SUITS


def suits_text(suits: Sequence[int], board: str = "") -> str:
    """How suits are renamed, in words, those of a board first; empty if they are not.

    Examples
    --------
    >>> suits_text((0, 1, 3, 2)), suits_text((0, 1, 2, 3))
    ('spades are hearts here, hearts are spades', '')
    >>> suits_text((1, 2, 3, 0), "Kh7d2c")
    'hearts are spades here, diamonds are hearts, clubs are diamonds, spades are clubs'
    """
    order = dict.fromkeys([*board[1::2], *_NAMES])
    words = [
        f"{_NAMES[suit]} are {_NAMES[SUITS[suits[SUITS.index(suit)]]]}"
        for suit in order
        if suits[SUITS.index(suit)] != SUITS.index(suit)
    ]
    return ", ".join([f"{words[0]} here", *words[1:]]) if words else ""


def check_board(text: str) -> str:
    """The name of a board that somebody typed, without the words of a list of boards.

    Examples
    --------
    >>> check_board("kh 7d 2c")
    'Kh7d2c'
    >>> check_board("Kh7d")
    Traceback (most recent call last):
    ValueError: 'Kh7d' is not a flop, turn or river of 3, 4 or 5 different cards
    """
    if not 3 <= len(parse_cards(text)) <= 5:
        raise ValueError(
            f"{shorten(text)!r} is not a flop, turn or river of 3, 4 or 5 different cards"
        )
    return board_name(text)

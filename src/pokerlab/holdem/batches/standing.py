"""Which board of a batch stands for a board: itself, or the flop with its suits renamed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from pokerlab.cards.codes import format_cards, parse_cards
from pokerlab.cards.isomorphism.suits import canonical, permute_cards
from pokerlab.games.betting_trees.lines import Line, LineLike, to_line
from pokerlab.holdem.batches.question import BatchQuestion, board_name
from pokerlab.holdem.spots.question.spot import Spot

_FLOP = 3
SAME_SUITS = (0, 1, 2, 3)
"""The suit permutation that changes nothing."""


class StandIn(NamedTuple):
    """A board of a batch that stands for another one."""

    board: str
    """Its name in the batch."""
    suits: tuple[int, ...]
    """The suit permutation that makes it of the other board: suit s becomes ``suits[s]``."""


def standing_for(question: BatchQuestion, board: str) -> StandIn | None:
    """The board of a batch that stands for a board; None if there is none.

    Examples
    --------
    >>> spot = Spot("QhJh2c", "AA, KQs", "QQ, AJs", pot=100, stack=80)
    >>> question = BatchQuestion.of(spot, {"Ks7h2d": 24.0}, up_to_suits=True)
    >>> standing_for(question, "7d Kh 2c")
    StandIn(board='Ks7h2d', suits=(1, 2, 3, 0))
    >>> standing_for(question, "Kh7h2c")
    """
    name = board_name(board)
    if name in question.boards:
        return StandIn(name, SAME_SUITS)
    cards = parse_cards(name)
    if not question.up_to_suits or len(cards) != _FLOP:
        return None
    form = canonical(cards)
    name = format_cards(form.cards)
    return StandIn(name, form.permutation) if name in question.boards else None


def inverse(suits: Sequence[int]) -> tuple[int, ...]:
    """The permutation that takes back another one.

    Examples
    --------
    >>> inverse((1, 2, 3, 0))
    (3, 0, 1, 2)
    """
    return tuple(sorted(range(len(suits)), key=suits.__getitem__))


def line_on(spot: Spot, line: LineLike, suits: Sequence[int] = SAME_SUITS) -> str:
    """A line with its cards renamed, as far as it exists in a spot.

    Examples
    --------
    >>> spot = Spot("Ks7h2d", "AA, KQs", "QQ, AJs", pot=100, stack=80, bet="50%", raise_="")
    >>> line_on(spot, "x/x/Qc/b50"), line_on(spot, "x/x/Qc/x", (1, 2, 3, 0)), line_on(spot, "b33/c")
    ('x/x/Qc/b50', 'x/x/Qd/x', '')
    """
    tokens = [
        permute_cards([token], suits)[0] if isinstance(token, int) else token
        for token in to_line(line).tokens
    ]
    found = Line()
    for number in range(len(tokens)):
        longer = Line(tuple(tokens[: number + 1]))
        try:
            spot.find(longer)
        except ValueError:
            break
        found = longer
    return str(found)

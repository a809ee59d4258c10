"""Who wins: hand strengths by named rules, and the pot (side pots included) shared out.

A rule maps a player's cards and the board to a number; the greater number wins, equal numbers
share. To add a rule, write a function of these two arguments and enter it in `SHOWDOWN_RULES`
with the number of cards it takes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from pokerlab.cards.evaluator.evaluation import evaluate_cards


@dataclass(frozen=True)
class ShowdownRule:
    """How hands compare.

    Attributes
    ----------
    strength
        Maps the cards of a player and the board to a number; greater wins.
    cards
        The smallest and the greatest number of cards, board included, that it can rank.
    description
        One line for people.
    suits
        Whether suits count; where they do not, all cards of a rank are equal.
    """

    strength: Callable[[tuple[int, ...], tuple[int, ...]], int]
    cards: tuple[int, int]
    description: str
    suits: bool = True


def _high_card(hole: tuple[int, ...], board: tuple[int, ...]) -> int:
    return max(hole) >> 2


def _kinds(hole: tuple[int, ...], board: tuple[int, ...]) -> int:
    ranks = [card >> 2 for card in hole + board]
    groups = sorted(((ranks.count(rank), rank) for rank in set(ranks)), reverse=True)
    # First what groups there are (two pairs beat one), then their ranks, the biggest first.
    groups += [(0, 0)] * (4 - len(groups))
    strength = 0
    for digit in [count for count, _ in groups] + [rank for _, rank in groups]:
        strength = strength << 4 | digit
    return strength


def _three_cards(hole: tuple[int, ...], board: tuple[int, ...]) -> int:
    cards = hole + board
    low, middle, high = sorted(card >> 2 for card in cards)
    if (low, middle, high) == (0, 1, 12):  # A-2-3 is the lowest straight
        low, middle, high = -1, 0, 1
    straight = high - middle == middle - low == 1
    flush = len({card & 3 for card in cards}) == 1
    if straight and flush:
        return _three_card_value(5, high)
    if low == high:
        return _three_card_value(4, high)
    if straight:
        return _three_card_value(3, high)
    if flush:
        return _three_card_value(2, high, middle, low)
    if middle in (low, high):
        return _three_card_value(1, middle, low + high - middle)
    return _three_card_value(0, high, middle, low)


def _three_card_value(category: int, *ranks: int) -> int:
    value = category
    for rank in (*ranks, 0, 0, 0)[:3]:
        value = value << 4 | rank
    return value


def _five_cards(hole: tuple[int, ...], board: tuple[int, ...]) -> int:
    return -evaluate_cards(hole + board)


SHOWDOWN_RULES: dict[str, ShowdownRule] = {
    "high-card": ShowdownRule(
        _high_card,
        (1, 52),
        "the highest private card wins, whatever the board (Kuhn poker)",
        suits=False,
    ),
    "kinds": ShowdownRule(
        _kinds,
        (1, 4),
        "four, three or two of a kind, then high cards; no straights or flushes (Leduc)",
        suits=False,
    ),
    "three-card": ShowdownRule(
        _three_cards,
        (3, 3),
        "straight flush, three of a kind, straight, flush, pair, high card (Rhode Island)",
    ),
    "five-card": ShowdownRule(
        _five_cards, (5, 7), "the best poker hand of five cards out of private cards and board"
    ),
}
"""The rules by name. Rhode Island's order is that of Shi and Littman (2001): with three cards a
straight is rarer than a flush, and three of a kind rarer than either."""


def share_pot(
    spent: Sequence[int], strengths: Mapping[int, int], *, whole_chips: bool = False
) -> tuple[float, ...]:
    """The payoff of each seat at the end of a hand.

    The pot is cut at the totals of the players still in: each layer goes to the strongest of
    those who paid for it. A bet that nobody called is a layer with one owner, and so goes back.

    Parameters
    ----------
    spent
        What each seat has put in.
    strengths
        The strength of each seat that has not folded.
    whole_chips
        Where a layer does not divide evenly: give the odd chips to the winner in the lowest
        seat, rather than fractions of a chip to all.

    Examples
    --------
    A short stack wins the main pot from both, the side pot goes to the better of the others:

    >>> share_pot([50, 100, 100], {0: 9, 1: 5, 2: 7})
    (100.0, -100.0, 0.0)
    >>> share_pot([5, 5, 5], {0: 9, 1: 9}), share_pot([5, 5, 5], {0: 9, 1: 9}, whole_chips=True)
    ((2.5, 2.5, -5.0), (3.0, 2.0, -5.0))
    """
    if len(spent) == len(strengths) == 2:  # most hands: no side pots, no odd chips
        stake = float(min(spent))
        lead = strengths[0] - strengths[1]
        return (0.0, 0.0) if lead == 0 else (stake, -stake) if lead > 0 else (-stake, stake)
    won = [-float(chips) for chips in spent]
    if len(strengths) == 1:
        (winner,) = strengths
        won[winner] += sum(spent)
        return tuple(won)
    paid_for = 0
    for level in sorted({spent[seat] for seat in strengths}):
        layer = sum(min(chips, level) - min(chips, paid_for) for chips in spent)
        paid_for = level
        entitled = [seat for seat in strengths if spent[seat] >= level]
        best = max(strengths[seat] for seat in entitled)
        winners = [seat for seat in entitled if strengths[seat] == best]
        odd = layer % len(winners) if whole_chips else 0
        won[min(winners)] += odd
        for seat in winners:
            won[seat] += (layer - odd) / len(winners)
    return tuple(won)

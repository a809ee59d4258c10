"""The shares of a pot that known hands win on average, over all cards still to come."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations

import numpy as np

from pokerlab.cards.codes import N_CARDS, card_mask, combo_index
from pokerlab.games import SHOWDOWN_RULES, BettingGame
from pokerlab.players.bots.winning_chances import completed_boards

Cards = tuple[int, ...]

_SAMPLES = 10_000


def showdown_shares(
    game: BettingGame, holes: Sequence[Cards], board: Cards, dead: Cards = ()
) -> tuple[float, ...]:
    """The share of the pot that each of some known hands wins on average.

    Every way to complete the board is played; in hold'em before the flop 10,000 of them, always
    the same for the same hands.

    Parameters
    ----------
    game
        Whose deck and showdown.
    holes
        The hands that are still in.
    board
        The public cards so far.
    dead
        Cards that cannot be dealt: those of hands that were folded.

    Examples
    --------
    >>> from pokerlab.cards.codes import parse_cards
    >>> from pokerlab.games import load_game
    >>> leduc = load_game("leduc")
    >>> showdown_shares(leduc, [parse_cards("Ks"), parse_cards("Js")], ())
    (0.75, 0.25)
    """
    # One order for the same hands, so that sampling cannot favour a seat.
    order = sorted(range(len(holes)), key=lambda place: sorted(holes[place]))
    ordered = tuple(tuple(sorted(holes[place])) for place in order)
    rules = (game.showdown, game.deck, game.board_cards[-1])
    found = _shares(rules, ordered, tuple(sorted(board)), tuple(sorted(dead)))
    shares = [0.0] * len(holes)
    for place, share in zip(order, found, strict=True):
        shares[place] = share
    return tuple(shares)


@lru_cache(maxsize=1 << 14)
def _shares(
    rules: tuple[str, Cards, int], holes: tuple[Cards, ...], board: Cards, dead: Cards
) -> tuple[float, ...]:
    showdown, deck, full = rules
    if showdown == "five-card" and full == 5 and len(deck) == N_CARDS and len(holes[0]) == 2:
        return _holdem_shares(holes, board, dead)
    gone = {*board, *dead, *(card for hole in holes for card in hole)}
    left = [card for card in deck if card not in gone]
    strength = SHOWDOWN_RULES[showdown].strength
    won = np.zeros(len(holes))
    run_outs = list(combinations(left, full - len(board)))
    for cards in run_outs:
        strengths = np.array([strength(hole, board + cards) for hole in holes])
        winners = strengths == strengths.max()
        won += winners / winners.sum()
    return tuple((won / len(run_outs)).tolist())


def _holdem_shares(holes: tuple[Cards, ...], board: Cards, dead: Cards) -> tuple[float, ...]:
    from pokerlab.cards.equities.equity_kernels import Seats, add_deals, sample_deals
    from pokerlab.cards.equities.showdowns import COMBO_MASKS
    from pokerlab.cards.evaluator import tables as evaluator_tables

    tables = evaluator_tables.load()
    combos = np.array([combo_index(*hole) for hole in holes])
    seats = Seats(
        np.arange(len(holes) + 1),
        COMBO_MASKS[combos],
        tables.combo_key[combos],
        tables.combo_bit[combos],
        np.ones(len(holes)),
    )
    deal = np.arange(len(holes), dtype=np.int32)[None]
    sums = np.zeros((len(holes) + 1, 3))
    if len(board) < 3:
        seed = np.uint64(card_mask(card for hole in holes for card in hole))
        gone = np.uint64(card_mask(dead))
        known = np.array(board, np.uint8)
        sample_deals(_SAMPLES, seed, known, gone, seats, np.ones(1), deal, sums, tables)
    else:
        cards = (*board, *dead, *(card for hole in holes for card in hole))
        boards = completed_boards(board, card_mask(cards))
        ones = np.ones(len(boards), np.int64)
        add_deals(boards, ones, seats, deal, np.ones(1), sums, tables)
    return tuple(((sums[:-1, 0] + sums[:-1, 1]) / sums[-1, 0]).tolist())

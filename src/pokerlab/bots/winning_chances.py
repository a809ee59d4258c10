"""How likely a hand is to win against hands that nobody knows: what thinking bots ask first.

Nothing here is random to its caller: where deals are sampled, the seed is made from the cards. So
the same cards have the same answer, in every process, and a bot that decides by it can tell
its strategy.

- Hold'em before the flop: a table of 169 classes for each number of opponents, filled as it is
  asked for.
- Hold'em after it: every deal against one opponent on turn and river, sampled deals elsewhere.
- Five-card draw: the share of all hands that a hand beats; after the draw, of hands that have
  been improved by a plain way to draw.
- Any other game of cards: every deal if there are few, else sampled ones.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import combinations, pairwise
from math import comb

import numpy as np

from pokerlab.arrays import Bytes, Floats, Uint16s
from pokerlab.cards.codes import N_CARDS, SUITS, card_mask, combo_index
from pokerlab.cards.equities.equity_kernels import Seats, add_duels, sample_deals
from pokerlab.cards.equities.showdowns import COMBO_MASKS
from pokerlab.cards.evaluator import tables as evaluator_tables
from pokerlab.cards.evaluator.batch_kernels import count_classes
from pokerlab.cards.evaluator.evaluation import evaluate_batch, evaluate_cards
from pokerlab.cards.hand_classes import CLASS_OF_COMBO, class_combos
from pokerlab.cards.isomorphism.suits import canonical
from pokerlab.games import SHOWDOWN_RULES, BettingGame
from pokerlab.games.rules import GameRules

Cards = tuple[int, ...]

SAMPLES = 1000
"""Deals that are sampled by default: an error of about 1.5% in 0.07 ms."""

_TABLE_SAMPLES = 20_000
_FEW_DEALS = 5_000
_DRAWN_HANDS = 10_000
_WORST_STRAIGHT = 1609
_CLASSES = 7462


def winning_chance(
    game: GameRules,
    hole: Cards,
    board: Cards = (),
    opponents: int = 1,
    *,
    drawn: bool = False,
    samples: int = SAMPLES,
    exact: bool = False,
) -> float:
    """The share of the pot that a hand wins on average against hands dealt at random.

    Parameters
    ----------
    game
        Whose deck, streets and showdown.
    hole, board
        The cards that are known.
    opponents
        How many of them are still in.
    drawn
        In a draw game, whether cards have been exchanged.
    samples
        How many deals to play where not all are.
    exact
        In hold'em on the flop against one opponent, play all deals (2 ms rather than 0.07).

    Examples
    --------
    >>> from pokerlab.cards.codes import parse_cards
    >>> from pokerlab.games import load_game
    >>> winning_chance(load_game("leduc"), parse_cards("Ks"), parse_cards("Kh"))
    1.0
    >>> holdem = load_game("holdem.limit.2p")
    >>> aces, flop = parse_cards("AsAd"), parse_cards("4h5h6h")
    >>> round(winning_chance(holdem, aces, flop, exact=True), 5)
    0.60105
    >>> 0.7 < winning_chance(holdem, aces, opponents=2) < 0.75
    True
    """
    hole, board = tuple(sorted(hole)), tuple(sorted(board))
    if is_holdem(game):
        combo = combo_index(*hole)
        if not board:
            return _before_flop(int(CLASS_OF_COMBO[combo]), opponents)
        if opponents == 1 and (exact or len(board) > 3):
            return _against_one(combo, board)
        return _sampled(combo, board, opponents, samples)
    if is_draw(game):
        return float(_five_card_ranks(drawn)[evaluate_cards(hole)]) ** opponents
    if game.suits == SUITS:  # hands that differ by suits alone win as often: ask for one
        hole, board = canonical(hole, board).rounds
    return _any_game(game, hole, board, opponents, samples)


def is_holdem(game: GameRules) -> bool:
    """Whether two private and five public cards of a full deck make the best five.

    Examples
    --------
    >>> from pokerlab.games import load_game
    >>> is_holdem(load_game("holdem.limit.3p")), is_holdem(load_game("leduc"))
    (True, False)
    """
    return (
        game.showdown == "five-card"
        and game.hole_cards[0] == game.hole_cards[-1] == 2
        and game.board_cards[-1] == 5
        and len(game.deck) == N_CARDS
        and not any(street.draw for street in game.streets)
    )


def is_draw(game: GameRules) -> bool:
    """Whether five private cards of a full deck are the hand.

    Examples
    --------
    >>> from pokerlab.games import load_game
    >>> is_draw(load_game("draw"))
    True
    """
    return (
        game.showdown == "five-card"
        and game.hole_cards[0] == game.hole_cards[-1] == 5
        and game.board_cards[-1] == 0
        and len(game.deck) == N_CARDS
    )


def plain_discards(hole: Cards, most: int = 5) -> Cards:
    """The discards of a sensible player of five cards, without any calculation.

    Nothing from a straight or better; what does not belong to pairs or three of a kind; the odd
    card beside four of a suit or four in a row; else all but the two highest cards.

    Examples
    --------
    >>> from pokerlab.cards.codes import format_cards, parse_cards
    >>> [
    ...     format_cards(plain_discards(parse_cards(hand)))
    ...     for hand in ("KsKd7h4c2s", "As9s7s4s2d", "9c8d7h6s2s", "AhQd9c5s2h", "KsKdKh4c4s")
    ... ]
    ['2s4c7h', '2d', '2s', '2h5s9c', '']
    """
    keep = set(hole) if evaluate_cards(hole) <= _WORST_STRAIGHT else _worth_keeping(hole)
    thrown = sorted(card for card in hole if card not in keep)
    return tuple(thrown[:most])


def _worth_keeping(hole: Cards) -> set[int]:
    ranks = Counter(card >> 2 for card in hole)
    if len(ranks) < len(hole):
        return {card for card in hole if ranks[card >> 2] > 1}
    for four in combinations(sorted(hole), 4):
        in_a_row = four[3] >> 2 == (four[0] >> 2) + 3 and four[3] >> 2 < 12
        if in_a_row or len({card & 3 for card in four}) == 1:
            return set(four)
    return set(sorted(hole)[-2:])


@cache
def _before_flop(hand_class: int, opponents: int) -> float:
    combo = int(class_combos()[hand_class][0])
    return _play_sampled(combo, (), opponents, _TABLE_SAMPLES)


@lru_cache(maxsize=1 << 12)
def _against_one(combo: int, board: Cards) -> float:
    known = np.uint64(card_mask(board)) | COMBO_MASKS[combo]
    boards = completed_boards(board, int(known))
    opposing = np.where(COMBO_MASKS & known == 0, 1.0, 0.0)[None]
    sums = np.zeros((3, 1))
    ones = np.ones(len(boards), np.int64)
    hero = np.array([combo], np.int64)
    add_duels(boards, ones, hero, opposing, sums, evaluator_tables.load())
    beaten, tied, unblocked = sums[:, 0].tolist()
    return float((beaten + tied / 2) / unblocked)


def completed_boards(board: Cards, gone: int) -> Bytes:
    """Every way to complete a board of three cards or more without some cards: (ways, 5).

    Examples
    --------
    >>> from pokerlab.cards.codes import parse_cards
    >>> flop = parse_cards("4h5h6h")
    >>> completed_boards(flop, card_mask(flop)).shape
    (1176, 5)
    """
    missing = 5 - len(board)
    cards = np.array([card for card in range(N_CARDS) if not gone >> card & 1], np.uint8)
    if missing == 2:
        come = np.stack([cards[places] for places in np.triu_indices(len(cards), 1)], axis=1)
    else:
        come = cards[:, None] if missing else np.empty((1, 0), np.uint8)
    known = np.tile(np.array(board, np.uint8), (len(come), 1))
    return np.concatenate([known, come], axis=1)


@lru_cache(maxsize=1 << 12)
def _sampled(combo: int, board: Cards, opponents: int, samples: int) -> float:
    return _play_sampled(combo, board, opponents, samples)


def _play_sampled(combo: int, board: Cards, opponents: int, samples: int) -> float:
    tables = evaluator_tables.load()
    hero = np.array([combo])
    seats = Seats(
        np.array([0, 1], np.int64),
        COMBO_MASKS[hero],
        tables.combo_key[hero],
        tables.combo_bit[hero],
        np.ones(1),
    )
    sums = np.zeros((opponents + 2, 3))
    seed = np.uint64(card_mask(board)) ^ COMBO_MASKS[combo] ^ np.uint64(opponents << 56)
    only_deal = np.zeros((1, 1), np.int32)
    cards = np.array(board, np.uint8)
    sample_deals(samples, seed, cards, np.uint64(0), seats, np.ones(1), only_deal, sums, tables)
    return float((sums[0, 0] + sums[0, 1]) / sums[-1, 0])


@cache
def _five_card_ranks(drawn: bool) -> Floats:
    """For each class, the chance to beat one opponent, ties counted half."""
    counts = np.zeros(_CLASSES + 1, np.int64)
    if drawn:
        classes, found = np.unique(_improved_hands(), return_counts=True)
        counts[classes] = found
    else:
        count_classes(5, counts, evaluator_tables.load())
    worse = counts.sum() - np.cumsum(counts)
    return np.asarray((worse + counts / 2) / counts.sum())


def _improved_hands() -> Uint16s:
    """Classes of random hands after a plain draw."""
    rng = np.random.default_rng(52)
    decks = rng.permuted(np.tile(np.arange(N_CARDS), (_DRAWN_HANDS, 1)), axis=1)[:, :10].tolist()
    hands = []
    for deck in decks:
        hole = tuple(deck[:5])
        thrown = plain_discards(hole)
        kept = [card for card in hole if card not in thrown]
        hands.append(kept + deck[5 : 5 + len(thrown)])
    return evaluate_batch(hands)


@lru_cache(maxsize=1 << 14)
def _any_game(game: BettingGame, hole: Cards, board: Cards, opponents: int, samples: int) -> float:
    """Deal what is missing: own cards, hands of all opponents, public cards."""
    known = {*hole, *board}
    left = [card for card in game.deck if card not in known]
    cards = game.hole_cards[-1]
    sizes = [cards - len(hole), *[cards] * opponents, game.board_cards[-1] - len(board)]
    ways, free = 1, len(left)
    for size in sizes:
        ways *= comb(free, size)
        free -= size
    few = ways <= _FEW_DEALS
    deals = _all_deals(left, sizes) if few else _some_deals(left, sizes, samples)
    strength = SHOWDOWN_RULES[game.showdown].strength
    won = played = 0.0
    for own, *others, public in deals:
        full_board = board + public
        mine = strength(hole + own, full_board)
        best = [strength(other, full_board) for other in others]
        played += 1
        if max(best) <= mine:
            won += 1 / (1 + best.count(mine))
    return won / played


def _all_deals(left: list[int], sizes: list[int]) -> Iterator[tuple[Cards, ...]]:
    """Every way to deal groups of cards of these sizes."""
    if not sizes:
        yield ()
        return
    for cards in combinations(left, sizes[0]):
        rest = [card for card in left if card not in cards]
        for others in _all_deals(rest, sizes[1:]):
            yield (cards, *others)


def _some_deals(left: list[int], sizes: list[int], samples: int) -> Iterator[tuple[Cards, ...]]:
    rng = np.random.default_rng([len(sizes), *left])
    ends = np.cumsum([0, *sizes]).tolist()
    decks = rng.permuted(np.tile(np.array(left), (samples, 1)), axis=1)[:, : ends[-1]]
    for deck in decks.tolist():
        yield tuple(tuple(deck[first:last]) for first, last in pairwise(ends))

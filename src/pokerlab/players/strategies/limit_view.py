"""A decision of a trained limit strategy: what each hand or group does, and how often it arrives.

A strategy knows groups of cards. What is in them is seen on hands: on all of a street where there
are few (before the flop, in small games), on those of one board, or else on random deals. The
*weight* of a hand is how likely its player has played to get here with it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import NamedTuple

import numpy as np

from pokerlab.cards.board_hands.hand_filter import filter_hands
from pokerlab.cards.codes import Cards, combo_index, format_cards, to_cards
from pokerlab.cards.equities.strength import hand_strength
from pokerlab.games import Betting, BettingGame
from pokerlab.holdem.limit.buckets.bucket_kernels import find_buckets
from pokerlab.holdem.limit.buckets.buckets import random_deals
from pokerlab.holdem.limit.buckets.look_up_kernels import buckets_of_cards
from pokerlab.holdem.limit.buckets.street_buckets import all_hands, count_hands
from pokerlab.holdem.limit.sampling.bucketed_game import is_holdem
from pokerlab.holdem.limit.strength.tables import hand_indexers, strength_tables, tables_path
from pokerlab.players.strategies.limit_file import LimitStrategy
from pokerlab.runtime.arrays import Bools, Bytes, Floats, Int32s
from pokerlab.runtime.errors import shorten
from pokerlab.trees.limit.betting import ACTIONS

_MOST_HANDS = 20_000
"""Hands of a street that are all looked at; of more, random deals."""
_EXAMPLES = 3
_WORDS = {"f": "fold", "c": "call or check", "r": "raise or bet"}


class GroupRow(NamedTuple):
    """A group of hands, with its strategy.

    Attributes
    ----------
    group
        Its number.
    share
        Which part of the hands that were looked at is in it.
    weight
        How likely its hands arrive, on average.
    strategy
        How likely each action of the view is.
    trained
        Whether training ever came here with it; a bot checks and calls where it did not.
    strength
        The mean strength of its hands against any other hand; None where it is not known.
    examples
        Up to three of its hands, as ``AsKd QhJh2c``.
    """

    group: int
    share: float
    weight: float
    strategy: tuple[float, ...]
    trained: bool
    strength: float | None
    examples: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class LimitView:
    """A decision, seen with some hands.

    Attributes
    ----------
    line
        The betting so far.
    node
        The same in the rules: who acts, what is in the pot.
    actions
        What may be done, of ``f``, ``c`` and ``r``.
    board
        The public cards, where one board was asked for.
    cards
        (hands, cards): private cards first, then the board.
    groups
        (hands,): the group of each.
    weights
        (hands,): how likely the player has played to get here.
    strategy
        (hands, actions): how likely each does what; a call where training never came.
    trained
        (hands,): whether training came here.
    strengths
        (hands,): against any other hand; empty where it is not known.
    complete
        Whether these are all hands there are, and not a sample.
    dealt
        How many hands were looked at, before some were chosen with `only`.
    """

    line: str
    node: Betting
    actions: tuple[str, ...]
    board: tuple[int, ...] | None
    cards: Bytes
    groups: Int32s
    weights: Floats
    strategy: Floats
    trained: Bools
    strengths: Floats
    complete: bool
    dealt: int

    def __len__(self) -> int:
        return len(self.cards)

    @cached_property
    def frequencies(self) -> tuple[float, ...]:
        """How often the whole range takes each action; evenly weighted if nothing arrives."""
        weights = self.weights if self.weights.sum() > 0 else np.ones(len(self))
        return tuple((weights @ self.strategy / weights.sum()).tolist())

    @property
    def arriving(self) -> float:
        """How likely the player has played to get here, over all hands."""
        return float(self.weights.mean())

    @property
    def hole_cards(self) -> int:
        """How many private cards a hand has."""
        return self.node.game.hole_cards[self.node.street]

    def only(self, hands: str) -> LimitView:
        """The same decision with some hands only: a range, and on one board made hands and draws.

        See `pokerlab.cards.filter_hands`; weights of a range do not count.
        """
        game = self.node.game
        if self.hole_cards != 2 or len(game.deck) != 52:
            shown = shorten(hands)
            raise ValueError(f"hands {shown!r}: {game.name} has no hands of two cards of 52")
        public = self.cards[:, 2:]
        one_board = len(public) and (public == public[0]).all()
        wanted = filter_hands(hands, public[0].tolist() if one_board else ())
        combos = [combo_index(*hand) for hand in self.cards[:, :2].tolist()]
        kept = np.flatnonzero(wanted[combos])
        return replace(
            self,
            cards=self.cards[kept],
            groups=self.groups[kept],
            weights=self.weights[kept],
            strategy=self.strategy[kept],
            trained=self.trained[kept],
            strengths=self.strengths[kept] if len(self.strengths) else self.strengths,
        )

    def private_text(self, hand: int) -> str:
        """The private cards of a hand, the highest first."""
        return format_cards(sorted(self.cards[hand, : self.hole_cards].tolist(), reverse=True))

    def hand_text(self, hand: int) -> str:
        """All cards of a hand, as ``AsKd QhJh2c``."""
        public = format_cards(self.cards[hand, self.hole_cards :].tolist())
        return f"{self.private_text(hand)} {public}".strip()

    def group_rows(self) -> list[GroupRow]:
        """The groups that occur, in their order."""
        if not len(self):
            return []
        order = np.argsort(self.groups, kind="stable")
        found, starts = np.unique(self.groups[order], return_index=True)
        rows = []
        for group, hands in zip(found.tolist(), np.split(order, starts[1:]), strict=True):
            first = int(hands[0])
            strength = float(self.strengths[hands].mean()) if len(self.strengths) else None
            rows.append(
                GroupRow(
                    group,
                    len(hands) / self.dealt,
                    float(self.weights[hands].mean()),
                    tuple(self.strategy[first].tolist()),
                    bool(self.trained[first]),
                    strength,
                    tuple(self.hand_text(int(hand)) for hand in hands[:_EXAMPLES]),
                )
            )
        return rows


def find_decision(game: BettingGame, line: str) -> Betting:
    """The node of the rules after a line; `ValueError` names the part that is wrong.

    Examples
    --------
    >>> from pokerlab.games import load_betting_game
    >>> game = load_betting_game("holdem.limit.2p")
    >>> find_decision(game, "rc/").player, find_decision(game, "rc/cr").pot
    (0, 50)
    >>> find_decision(game, "cx")
    Traceback (most recent call last):
    ValueError: line 'cx': 'x' after 'c': player 0 may c (call or check) or r (raise or bet)
    """
    node = game.first_betting
    for part in re.findall(r"/|[^/]", line.strip()):
        shown = f"line {shorten(line.strip())!r}: {part!r} after {shorten(node.text)!r}"
        if part == "/":
            if not node.text.endswith("/"):
                raise ValueError(f"{shown}: a street does not end here; {_accepted(node)}")
            continue
        if part not in node.actions():
            raise ValueError(f"{shown}: {_accepted(node)}")
        node = node.after(part)
    if node.player < 0:
        raise ValueError(
            f"line {shorten(line.strip())!r}: the hand is over, nobody decides; leave out the end"
        )
    return node


def view_limit(
    strategy: LimitStrategy,
    line: str = "",
    board: Cards | None = None,
    *,
    deals: int = 50_000,
    rng: np.random.Generator | None = None,
) -> LimitView:
    """Look at a decision of a strategy.

    Parameters
    ----------
    strategy
        The strategy.
    line
        The betting so far, as ``rc/c``; ``rc/`` before anybody has acted on the second street.
    board
        The public cards; then all hands on this board are looked at.
    deals, rng
        Without a board, where there are too many hands for all: how many random deals.

    Examples
    --------
    >>> from pokerlab.holdem.limit.sampling.bucketed_game import BucketedGame
    >>> from pokerlab.holdem.limit.training.training import train
    >>> from pokerlab.games import load_betting_game
    >>> kuhn = BucketedGame.of(load_betting_game("kuhn"), "each")
    >>> view = view_limit(LimitStrategy.of(train(kuhn, iterations=50_000, threads=1)), "r")
    >>> for row in view.group_rows():
    ...     print(row.examples, [round(chance, 1) for chance in row.strategy])
    ('Js',) [1.0, 0.0]
    ('Qs',) [0.7, 0.3]
    ('Ks',) [0.0, 1.0]
    """
    game = strategy.game.game
    node = find_decision(game, line)
    known = None if board is None else _board(game, node, board)
    cards, groups, complete = _hands(strategy, node, known, deals, rng or np.random.default_rng(0))
    rows, trained = _chances(strategy, node, groups[:, node.street])
    weights = np.ones(len(cards))
    for earlier, action in node.path():
        before = len(earlier.text) < len(strategy.game.line)  # an expert knows nothing of that
        if earlier.player == node.player and not before:
            played, _ = _chances(strategy, earlier, groups[:, earlier.street])
            weights *= played[:, ACTIONS.index(action)]
    legal = [ACTIONS.index(action) for action in node.actions()]
    return LimitView(
        node.text,
        node,
        tuple(node.actions()),
        known,
        cards,
        groups[:, node.street].copy(),
        weights,
        rows[:, legal],
        trained,
        _strengths(game, node, known, cards),
        complete,
        len(cards),
    )


def _accepted(node: Betting) -> str:
    if node.player < 0:
        return "the hand is over"
    words = [f"{action} ({_WORDS[action]})" for action in node.actions()]
    return f"player {node.player} may {', '.join(words[:-1])}{' or ' * (len(words) > 1)}{words[-1]}"


def _board(game: BettingGame, node: Betting, board: Cards) -> tuple[int, ...]:
    cards = to_cards(board)
    needed = game.board_cards[node.street]
    if len(cards) != needed:
        raise ValueError(
            f"board {format_cards(cards)}: {len(cards)} card{'' if len(cards) == 1 else 's'}; after"
            f" {shorten(node.text)!r} there are {needed}"
        )
    for card in cards:
        if card not in game.deck:
            text = f"board {format_cards(cards)}: {format_cards([card])}"
            raise ValueError(f"{text} is not in the deck of {game.name}")
    return cards


def _hands(
    strategy: LimitStrategy,
    node: Betting,
    board: tuple[int, ...] | None,
    deals: int,
    rng: np.random.Generator,
) -> tuple[Bytes, Int32s, bool]:
    """Cards, their groups on all streets so far, and whether these are all hands."""
    game, street = strategy.game.game, node.street
    seen = game.hole_cards[street] + game.board_cards[street]
    if board is None and count_hands(game, street) > _MOST_HANDS:
        if is_holdem(game):
            dealt = random_deals(deals, rng)
            found = np.empty((deals, 4), np.int32)
            find_buckets(strategy.game.look_up, dealt, found)
            return np.ascontiguousarray(dealt[:, :seen]), found[:, : street + 1], False
        drawn = [rng.permutation(game.deck)[:seen] for _ in range(min(deals, _MOST_HANDS))]
        cards = np.array(drawn, np.uint8)
        return cards, _groups(strategy, cards, street), False
    if board is None:
        rows = [[card for part in rounds for card in part] for rounds in all_hands(game, street)]
    else:
        left = [card for card in game.deck if card not in board]
        rows = [[*hand, *board] for hand in combinations(left, game.hole_cards[street])]
    cards = np.array(rows, np.uint8)
    return cards, _groups(strategy, cards, street), True


def _groups(strategy: LimitStrategy, cards: Bytes, street: int) -> Int32s:
    found = np.empty((len(cards), street + 1), np.int32)
    groups = np.zeros(street + 1, np.int64)
    for hand, row in enumerate(cards):
        buckets_of_cards(row, strategy.game.look_up, groups)
        found[hand] = groups
    return found


def _chances(strategy: LimitStrategy, node: Betting, groups: Int32s) -> tuple[Floats, Bools]:
    """(hands, 3): to fold, call and raise as a bot does it, and where training came."""
    game = strategy.game
    number = game.betting.find(node)
    first = int(game.first_row[number])
    # Only the rows of this node are read from the file.
    table = np.asarray(strategy.probabilities[first : first + game.counts[node.street]], np.float64)
    rows = table[groups]
    trained = ~np.isnan(rows[:, 0])
    rows[~trained] = (0.0, 1.0, 0.0)
    for column, action in enumerate(ACTIONS):
        if action not in node.actions():
            rows[:, ACTIONS.index("c")] += rows[:, column]
            rows[:, column] = 0.0
    return rows / rows.sum(axis=1, keepdims=True), trained


def _strengths(
    game: BettingGame,
    node: Betting,
    board: tuple[int, ...] | None,
    cards: Bytes,
) -> Floats:
    """The strength of each hand; empty for other games, and where its table was never built."""
    if not is_holdem(game):
        return np.empty(0)
    if board is not None:
        return hand_strength(board)[[combo_index(*hand) for hand in cards[:, :2].tolist()]]
    if not tables_path().is_file():
        return np.empty(0)
    numbers = hand_indexers()[node.street].index_batch(cards)
    return strength_tables().strength_of(node.street, numbers)

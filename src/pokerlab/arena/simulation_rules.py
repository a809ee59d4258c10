"""The rules of a limit game as arrays, for the compiled loop: betting tree, deck and showdown."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import permutations

import numpy as np
import numpy.typing as npt

from pokerlab.arena.simulation_kernels import CardRules, FlatTree
from pokerlab.cards import evaluator_tables
from pokerlab.cards.hand_index import HandIndexer
from pokerlab.games import Betting, BettingGame
from pokerlab.games.showdown import SHOWDOWN_RULES

__all__ = ["ACTIONS", "FlatBetting", "card_rules", "flatten_betting", "hand_indexer"]

ACTIONS = "fcr"
"""The columns of a table: fold, call (or check), raise (or bet)."""

MOST_NODES = 100_000
"""Betting nodes of the biggest game that is played by tables; heads-up hold'em has 6,378."""
MOST_NUMBERS = 1_000_000
"""Orders of cards that a street can tell apart one by one."""
PADDED_STREETS = 4
"""Tables have room for so many streets: games with fewer share the compiled loop."""


@dataclass(frozen=True, eq=False)
class FlatBetting:
    """The betting tree of a limit game as arrays.

    Attributes
    ----------
    game
        The rules.
    nodes, leaves
        The nodes of the rules engine where somebody decides, in preorder, and where the hand is
        over. A strategy has its rows in the order of `nodes`.
    tree
        What kernels take.
    """

    game: BettingGame
    nodes: tuple[Betting, ...]
    leaves: tuple[Betting, ...]
    tree: FlatTree

    @cached_property
    def streets(self) -> npt.NDArray[np.int64]:
        """The street of each node."""
        return self.tree.nodes[:, 4].astype(np.int64)

    @cached_property
    def number_of(self) -> dict[str, int]:
        """The number of a node by its betting text (``"rc/c"``)."""
        return {node.text: number for number, node in enumerate(self.nodes)}

    @cached_property
    def longest(self) -> int:
        """The most actions of a hand."""
        return max(len(leaf.text.replace("/", "")) for leaf in self.leaves)


@lru_cache(maxsize=8)
def flatten_betting(game: BettingGame) -> FlatBetting:
    """Walk the betting tree of a game and write it into arrays.

    Examples
    --------
    >>> from pokerlab.games import load_betting_game
    >>> betting = flatten_betting(load_betting_game("kuhn"))
    >>> [node.text for node in betting.nodes], [leaf.text for leaf in betting.leaves]
    (['', 'c', 'cr', 'r'], ['cc', 'crf', 'crc', 'rf', 'rc'])
    >>> betting.tree.nodes[2].tolist()
    [5, 6, -1, 0, 0]
    >>> flatten_betting(load_betting_game("holdem.nolimit.2p"))
    Traceback (most recent call last):
    ValueError: holdem.nolimit.2p is a no-limit game: only limit games are played by tables
    """
    if game.betting != "limit":
        raise ValueError(
            f"{game.name} is a {game.betting} game: only limit games are played by tables"
        )
    if any(street.draw for street in game.streets):
        raise ValueError(f"{game.name} exchanges cards: it is not played by tables")
    if len(set(game.hole_cards)) > 1:
        raise ValueError(
            f"{game.name} deals private cards on several streets: it is not played by tables"
        )
    nodes: list[Betting] = []
    leaves: list[Betting] = []
    links: list[tuple[int, str, int, bool]] = []  # from a node by an action to a node or leaf
    waiting: list[tuple[Betting, int, str]] = [(game.first_betting, -1, "")]
    while waiting:
        node, parent, action = waiting.pop()
        over = node.player < 0
        found = leaves if over else nodes
        if parent >= 0:
            links.append((parent, action, len(found), over))
        if not over:
            waiting += [(node.after(each), len(nodes), each) for each in reversed(node.actions())]
        found.append(node)
        if len(nodes) > MOST_NODES:
            raise ValueError(
                f"the betting of {game.name} has more than {MOST_NODES:,} nodes: too many for"
                " tables"
            )
    table = np.full((len(nodes), 5), -1, np.int32)
    table[:, 3] = [node.player for node in nodes]
    table[:, 4] = [node.street for node in nodes]
    for parent, action, number, over in links:
        table[parent, ACTIONS.index(action)] = number + len(nodes) * over
    spent = np.array([leaf.spent for leaf in leaves], np.int64)
    live = ~np.array([leaf.folded for leaf in leaves])
    for leaf in leaves:
        if len({leaf.spent[seat] for seat in leaf.live}) > 1:
            raise ValueError(
                f"{game.name} has side pots (after {leaf.text!r}): it is not played by tables"
            )
    return FlatBetting(game, tuple(nodes), tuple(leaves), FlatTree(table, spent, live))


def hand_indexer(game: BettingGame, street: int) -> HandIndexer:
    """What numbers private cards and board, as two sets, on a street.

    Examples
    --------
    >>> from pokerlab.games import load_betting_game
    >>> hand_indexer(load_betting_game("holdem.limit.2p"), 1)
    HandIndexer((2, 3))
    """
    board = game.board_cards[street]
    return HandIndexer((game.hole_cards[street], board) if board else game.hole_cards[:1])


def card_rules(game: BettingGame) -> CardRules:
    """What kernels need to deal the cards of a game and to compare hands."""
    place = np.zeros(52, np.int64)
    place[list(game.deck)] = np.arange(len(game.deck))
    streets = range(len(game.streets))[:PADDED_STREETS]
    indexers = [hand_indexer(game, street).tables for street in streets]
    return CardRules(
        np.array(game.deck, np.uint8),
        place,
        game.hole_cards[-1],
        np.array(game.board_cards),
        _strengths(game),
        evaluator_tables.load(),
        tuple(indexers + indexers[:1] * (PADDED_STREETS - len(indexers))),
        game.odd_chips == "first",
        float(game.unit),
    )


def _strengths(game: BettingGame) -> npt.NDArray[np.int32]:
    """The strength of all cards by their number; empty for hands of five cards."""
    if game.showdown == "five-card":
        return np.empty(0, np.int32)
    hole, seen = game.hole_cards[-1], game.hole_cards[-1] + game.board_cards[-1]
    base = len(game.deck)
    if base**seen > MOST_NUMBERS:
        raise ValueError(f"{game.name} has too many hands for a table of their strengths")
    rule = SHOWDOWN_RULES[game.showdown].strength
    strengths = np.zeros(base**seen, np.int32)
    for places in permutations(range(base), seen):
        cards = tuple(game.deck[place] for place in places)
        number = 0
        for place in places:
            number = number * base + place
        strengths[number] = rule(cards[:hole], cards[hole:])
    return strengths

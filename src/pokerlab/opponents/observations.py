"""What hands tell about a player: the lines they took, and the cards that they may have held.

A hand is an `Observation`: betting, board, and private cards as far as they are known. `Evidence`
is many of them in the terms of a tree: for each different observation, all deals that fit it, and
for each of those the last slot of every seat. All deals that fit are equally likely before the
actions are looked at.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import NamedTuple, TypeAlias

import numpy as np

from pokerlab.arrays import Bools, Floats, Int32s
from pokerlab.errors import shorten
from pokerlab.games import BettingGame, Deal, SuitIsomorphic, split_betting
from pokerlab.games.protocol import TERMINAL
from pokerlab.games.state import HandState
from pokerlab.strategies.merged_hands import merged_state
from pokerlab.trees.game_tree import GameTree

Cards: TypeAlias = tuple[int, ...]


class Observation(NamedTuple):
    """A hand, as far as it is known.

    Attributes
    ----------
    seat
        Where the player sat whom it tells about.
    betting
        What all did.
    board
        The public cards.
    holes
        The private cards of each seat; empty where they are not known.
    """

    seat: int
    betting: str
    board: Cards
    holes: tuple[Cards, ...]


def observe(final: HandState, seat: int, *, shown_only: bool = False) -> Observation:
    """The observation of a finished hand about the player in a seat.

    Parameters
    ----------
    final
        The end of the hand.
    seat
        Whose play it is about.
    shown_only
        Whether to forget the player's cards if they were not shown at the end, as the opponents
        must; a player knows their own.

    Examples
    --------
    >>> from pokerlab.games import load_game
    >>> kuhn = load_game("kuhn")
    >>> hand = kuhn.replay("crf", kuhn.make_deal(["Js", "Ks"]))
    >>> observe(hand, 0).holes, observe(hand, 0, shown_only=True).holes
    (((39,), (47,)), ((), (47,)))
    """
    if final.player != TERMINAL:
        raise ValueError(f"the hand is not over after {shorten(final.betting)!r}")
    holes = final.holes
    showdown = sum(not folded for folded in final.folded) > 1
    if shown_only and not (showdown and not final.folded[seat]):
        holes = (*holes[:seat], (), *holes[seat + 1 :])
    return Observation(seat, final.node.text, final.board, tuple(map(tuple, holes)))


@dataclass(frozen=True, eq=False)
class Evidence:
    """Observations in the terms of a tree.

    Attributes
    ----------
    counts
        How often each different observation was made.
    shown
        Whether the player's cards are known in it.
    observation
        For each deal that fits an observation: which one.
    own
        For each deal: the last slot of the player, -1 where they never acted.
    others
        For each deal: the last slots of the others, one column for each.

    Examples
    --------
    A hand in which the jack or the queen was folded, and one in which the king called:

    >>> from pokerlab.games import load_game
    >>> kuhn = load_game("kuhn")
    >>> tree = GameTree.build(kuhn)
    >>> folded = observe(kuhn.replay("crf", kuhn.make_deal(["", "Ks"])), 0)
    >>> called = observe(kuhn.replay("crc", kuhn.make_deal(["Ks", "Js"])), 0)
    >>> evidence = Evidence.of(tree, {folded: 10, called: 5})
    >>> evidence.observation.tolist(), evidence.shown.tolist()
    ([0, 0, 1], [False, True])
    """

    counts: Floats
    shown: Bools
    observation: Int32s
    own: Int32s
    others: Int32s

    @classmethod
    def of(cls, tree: GameTree, observations: Mapping[Observation, float]) -> Evidence:
        """Find the deals that fit, and where each leads in the tree."""
        if not observations:
            raise ValueError("there are no hands to learn from")
        last_slot = cache(_LastSlot(tree))
        game = _rules_of(tree)
        number, own, others = [], [], []
        for place, (seen, _) in enumerate(observations.items()):
            for holes in _deals(game, seen):
                slots = [
                    last_slot(seat, seen.betting, hole, seen.board)
                    for seat, hole in enumerate(holes)
                ]
                number.append(place)
                own.append(slots.pop(seen.seat))
                others.append(slots)
        return cls(
            np.array(list(observations.values()), np.float64),
            np.array([bool(seen.holes[seen.seat]) for seen in observations]),
            np.array(number, np.int32),
            np.array(own, np.int32),
            np.array(others, np.int32),
        )


def _rules_of(tree: GameTree) -> BettingGame:
    game = tree.game.game if isinstance(tree.game, SuitIsomorphic) else tree.game
    if not isinstance(game, BettingGame) or any(street.draw for street in game.streets):
        raise ValueError(
            f"no model of {game.name} can be made: it is not a card game, or cards are drawn"
        )
    return game


def _deals(game: BettingGame, seen: Observation) -> Iterator[tuple[Cards, ...]]:
    """All private cards that fit an observation."""
    known = {card for cards in (*seen.holes, seen.board) for card in cards}
    street = seen.betting.count("/")
    hole = game.hole_cards[min(street, len(game.hole_cards) - 1)]

    def deal(seat: int, holes: tuple[Cards, ...], left: Cards) -> Iterator[tuple[Cards, ...]]:
        if seat == game.players:
            yield holes
        elif seen.holes[seat]:
            yield from deal(seat + 1, (*holes, seen.holes[seat]), left)
        else:
            for cards in combinations(left, hole):
                rest = tuple(card for card in left if card not in cards)
                yield from deal(seat + 1, (*holes, cards), rest)

    return deal(0, (), tuple(card for card in game.deck if card not in known))


class _LastSlot:
    """Finds the last slot of a seat in a hand; -1 if it never acted."""

    def __init__(self, tree: GameTree) -> None:
        self._infosets = tree.infosets
        self._merged = tree.game if isinstance(tree.game, SuitIsomorphic) else None
        self._game = _rules_of(tree)

    def __call__(self, seat: int, betting: str, hole: Cards, board: Cards) -> int:
        node, last = self._game.first_betting, None
        for action in split_betting(betting):
            if node.player == seat:
                last = node, action
            node = node.after(action)
        if last is None:
            return -1
        before, action = last
        known = board[: self._game.board_cards[before.street]]
        if self._merged is None:
            holes = tuple(hole if each == seat else () for each in range(self._game.players))
            name = self._game.replay(before.text, Deal(holes, known)).seen_by(seat)
        else:
            name = merged_state(self._merged, before, hole, known).seen_by(seat)
        infosets = self._infosets
        number = infosets.number(name if name in infosets else f"{seat}:{name}")
        actions = infosets.actions[number]
        if action not in actions:
            raise ValueError(
                f"{shorten(betting)!r}: {action} after {shorten(before.text)!r} is not in the"
                f" tree of {self._game.name}, which has {', '.join(actions)} there"
            )
        return int(infosets.offset[number]) + actions.index(action)

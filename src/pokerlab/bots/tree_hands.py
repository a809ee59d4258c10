"""Hands at a table in the terms of the tree of a game: what bots that learn remember of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from pokerlab.games import DealtState, SuitIsomorphic
from pokerlab.opponents.observations import Evidence, observe
from pokerlab.strategies.merged_hands import merged_state
from pokerlab.trees.game_tree import GameTree


class SeenHand(NamedTuple):
    """A hand as a player saw it.

    Attributes
    ----------
    seat
        Where the player sat.
    own
        The player's last slot, -1 if they never acted.
    foe
        The last slots of the opponent, one for each deal that fits: a single one if the cards were
        shown.
    showdown
        Whether cards were shown.
    payoff
        What the player won.
    """

    seat: int
    own: int
    foe: tuple[int, ...]
    showdown: bool
    payoff: float


class TreeHands:
    """Finds information sets and hands of a two-player game in its tree.

    Parameters
    ----------
    tree
        The game, up to suits where there are several (`pokerlab.opponents.model_tree`).

    Examples
    --------
    >>> from pokerlab.games import load_betting_game
    >>> from pokerlab.opponents import model_tree
    >>> kuhn = load_betting_game("kuhn")
    >>> hands = TreeHands(model_tree(kuhn))
    >>> folded = kuhn.replay("crf", kuhn.make_deal(["Js", "Ks"]))
    >>> seen = hands.see(folded.view(1), 1)
    >>> [hands.tree.infosets.action(slot) for slot in seen.foe], seen.payoff
    (['f', 'f'], 1.0)
    """

    def __init__(self, tree: GameTree) -> None:
        self.tree = tree
        self._merged = tree.game if isinstance(tree.game, SuitIsomorphic) else None
        self._infosets: dict[tuple[str, tuple[int, ...], tuple[int, ...]], int] = {}

    def infoset(self, view: DealtState) -> int | None:
        """The information set of the player who acts; None if the tree has no such betting."""
        key = view.node.text, view.holes[view.player], view.board
        if key not in self._infosets:
            self._infosets[key] = self._find(view)
        found = self._infosets[key]
        return None if found < 0 else found

    def see(self, final: DealtState, seat: int) -> SeenHand | None:
        """A finished hand as the player in a seat saw it; None if it is not in the tree."""
        seen = observe(final, 1 - seat)
        try:
            evidence = Evidence.of(self.tree, {seen: 1})
        except ValueError:
            return None
        showdown = bool(seen.holes[1 - seat])
        foe = tuple(sorted(evidence.own.tolist()))
        own = int(evidence.others[0, 0])
        return SeenHand(seat, own, foe, showdown, float(final.payoffs()[seat]))

    def _find(self, view: DealtState) -> int:
        seat = view.player
        infosets = self.tree.infosets
        if self._merged is None:
            name = view.seen_by(seat)
        else:
            try:
                state = merged_state(self._merged, view.node, view.holes[seat], view.board)
            except ValueError:  # a bet of a size that the tree does not have
                return -1
            name = state.seen_by(seat)
        for known in (name, f"{seat}:{name}"):
            if known in infosets and infosets.player[infosets.number(known)] == seat:
                return infosets.number(known)
        return -1


def evidence_of(counts: Mapping[SeenHand, int]) -> Evidence:
    """Hands with their counts, as the evidence for a model of the opponent."""
    sizes = [len(hand.foe) for hand in counts]
    return Evidence(
        np.array(list(counts.values()), np.float64),
        np.array([hand.showdown for hand in counts]),
        np.repeat(np.arange(len(counts), dtype=np.int32), sizes),
        np.array([slot for hand in counts for slot in hand.foe], np.int32),
        np.repeat(np.array([hand.own for hand in counts], np.int32), sizes)[:, None],
    )

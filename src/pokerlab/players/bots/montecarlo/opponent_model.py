"""The model of an opponent: frequencies of fold, call and raise, and the hands behind them.

Two things are learned in a match. How often each action is taken, by street and by whether there
was something to pay; and, from hands that were shown, how well these actions tell what is held.
From both follows how an action changes the hands that a player may hold: a player who raises three
times in ten is taken to raise with the best three tenths of their remaining hands, as far as their
actions have matched their hands so far.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import lru_cache
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from pokerlab.games import Betting, BettingGame, Deal, DealtState
from pokerlab.games.dealt import replay
from pokerlab.players.bots.tree_hands import SeenHand, TreeHands, evidence_of
from pokerlab.players.opponents.estimation import estimate_strategy
from pokerlab.players.opponents.player_model import model_tree
from pokerlab.runtime.arrays import Floats
from pokerlab.solvers import Strategy

Cards: TypeAlias = tuple[int, ...]

FOLD, CALL, RAISE = range(3)

# What is believed before anything was seen: numbers of actions of an average player.
_PAYING = (2.0, 5.0, 3.0)
_FREE = (0.0, 6.0, 4.0)
_SENSIBLE, _SHOWN = 6.0, 10.0
"""Raises shown that were made with a good hand, and all raises shown."""
_FIRST_MODEL = 20
_SMALL_DECK = 12


class OpponentModel:
    """One opponent, as far as it is known.

    Examples
    --------
    >>> model = OpponentModel()
    >>> model.frequencies(0, True)
    (0.2, 0.5, 0.3)
    >>> for _ in range(90):
    ...     model.note(0, True, RAISE)
    >>> model.frequencies(0, True)
    (0.02, 0.05, 0.93)
    """

    def __init__(self) -> None:
        self._free: dict[int, list[float]] = defaultdict(lambda: list(_FREE))
        self._paying: dict[int, list[float]] = defaultdict(lambda: list(_PAYING))
        self._sensible = _SENSIBLE
        self._shown = _SHOWN

    @property
    def trust(self) -> float:
        """How well its actions tell its hand: 1 if they always do, 0 if they tell nothing."""
        return self._sensible / self._shown

    def note(self, street: int, paying: bool, action: int) -> None:
        """Count an action, `FOLD`, `CALL` or `RAISE`."""
        self._counts(street, paying)[action] += 1.0

    def frequencies(self, street: int, paying: bool) -> tuple[float, float, float]:
        """How often it folds, calls and raises in such a place."""
        fold, call, raise_ = self._counts(street, paying)
        total = fold + call + raise_
        return fold / total, call / total, raise_ / total

    def likelihood(self, street: int, paying: bool, action: int, standing: Floats) -> Floats:
        """How likely each hand takes an action, given where it stands among its hands.

        Examples
        --------
        >>> OpponentModel().likelihood(0, True, RAISE, np.array([0.1, 0.5, 0.9])).round(2)
        array([0.12, 0.12, 0.72])
        """
        fold, call, raise_ = self.frequencies(street, paying)
        if action == RAISE:
            told, mean = standing >= 1 - raise_, raise_
        elif action == FOLD:
            told, mean = standing < fold, fold
        else:
            told, mean = (standing >= fold) & (standing < 1 - raise_), call
        return np.asarray(self.trust * told + (1 - self.trust) * mean)

    def note_shown_raise(self, street: int, paying: bool, standing: float) -> None:
        """Learn from a hand that was shown after a raise: whether it was among the best.

        Raises by chance would be among the best as often as they are made; only what is beyond that
        counts as telling.
        """
        raise_ = self.frequencies(street, paying)[RAISE]
        if raise_ > 0.9:
            return  # who raises with nearly everything tells nothing, one way or the other
        was_good = standing >= 1 - raise_
        self._sensible += 1.0 if was_good else -raise_ / (1 - raise_)
        self._sensible = max(self._sensible, 0.0)
        self._shown += 1.0

    def _counts(self, street: int, paying: bool) -> list[float]:
        return (self._paying if paying else self._free)[street]


def standings(weights: Floats, strengths: npt.NDArray[np.integer]) -> Floats:
    """For each hand, the share of the weight that is worse: 0 for the worst, 1 for the best.

    Hands of the same strength stand in the middle of theirs.

    Examples
    --------
    >>> standings(np.array([1.0, 2.0, 1.0]), np.array([5, 7, 5]))
    array([0.25, 0.75, 0.25])
    """
    _, group = np.unique(strengths, return_inverse=True)
    mass = np.bincount(group, weights)
    total = mass.sum()
    if total <= 0:
        return np.full(len(weights), 0.5)
    return np.asarray(((np.cumsum(mass) - mass / 2) / total)[group])


@lru_cache(maxsize=8)
def small_tree(game: BettingGame) -> TreeHands | None:
    """The tree of a game for two with few cards; None for other games."""
    drawn = any(street.draw for street in game.streets)
    if game.players != 2 or game.betting != "limit" or drawn or len(game.deck) > _SMALL_DECK:
        return None
    return TreeHands(model_tree(game))


class TreeModel:
    """The strategy of an opponent by hand and betting, in a small game for two.

    The shared model of `pokerlab.players.opponents`, made again whenever twice as many hands have
    been seen. In games that can be written out it tells more than how often somebody raises on a
    street: against the fair bot in Leduc, 0.33 ± 0.02 chips a game are won with it and 0.01 ± 0.04
    without.

    Parameters
    ----------
    tree
        The game.

    Examples
    --------
    Somebody who folds the jack and calls with the king:

    >>> from pokerlab.games import load_betting_game
    >>> kuhn = load_betting_game("kuhn")
    >>> model = TreeModel(small_tree(kuhn))
    >>> for betting, cards in [("rf", "Qs Js"), ("rc", "Qs Ks")] * 10:
    ...     model.learn(kuhn.replay(betting, kuhn.make_deal(cards.split())).view(0), 0)
    >>> node, hands = kuhn.replay("r").node, [(39,), (47,)]
    >>> model.known, model.probabilities(node, (), "c", hands).round(1).tolist()
    (True, [0.1, 0.8])
    """

    def __init__(self, tree: TreeHands) -> None:
        self._tree = tree
        self._counts: Counter[SeenHand] = Counter()
        self._hands = 0
        self._next_model = _FIRST_MODEL
        self._strategy: Strategy | None = None
        self._probabilities: dict[tuple[str, Cards, str], Floats] = {}

    @property
    def known(self) -> bool:
        """Whether enough was seen."""
        return self._strategy is not None

    def learn(self, final: DealtState, seat: int) -> None:
        """Note the end of a hand, as the player in a seat saw it."""
        seen = self._tree.see(final, seat)
        if seen is None:
            return
        self._counts[seen] += 1
        self._hands += 1
        if self._hands == self._next_model:
            self._next_model *= 2
            evidence = evidence_of(self._counts)
            self._strategy = estimate_strategy(self._tree.tree, evidence).strategy
            self._probabilities = {}

    def probabilities(
        self, node: Betting, board: Cards, action: str, hands: Sequence[Cards]
    ) -> Floats:
        """How likely the player of a node takes an action with each of some hands.

        `hands` are the same at every call; those that the board rules out get 0.
        """
        key = node.text, board, action
        if key not in self._probabilities:
            self._probabilities[key] = np.array(
                [self._chance(node, board, action, hand) for hand in hands]
            )
        return self._probabilities[key]

    def _chance(self, node: Betting, board: Cards, action: str, hand: Cards) -> float:
        if set(hand) & set(board):
            return 0.0
        assert self._strategy is not None
        holes = tuple(hand if seat == node.player else () for seat in range(2))
        view = replay(node.game, node.text, Deal(holes, board)).view(node.player)
        infoset = self._tree.infoset(view)
        if infoset is None:
            return 1.0
        return self._strategy[self._tree.tree.infosets.names[infoset]].get(action, 0.0)

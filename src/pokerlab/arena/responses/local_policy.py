"""What a local best response does with every hand that it might hold.

At each decision it takes the action of the largest value, as if both checked and called from then
on, against the range of the bot by Bayes' rule. That is a strategy like any other: with all hands
at once a result can be averaged over what the responder was dealt.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import lru_cache
from typing import NamedTuple, Protocol

import numpy as np

from pokerlab.arena.responses.shares import shares_by_hand
from pokerlab.arena.variance.margins import ShowdownCards, board_margins
from pokerlab.cards.codes import card_mask
from pokerlab.games import TERMINAL, BettingGame, Deal, DealtState
from pokerlab.players.bots.fair import pot_sized_raise
from pokerlab.players.bots.hand_strategy import Hand, HandStrategy, private_hands
from pokerlab.players.strategies import SpotGame
from pokerlab.runtime.arrays import Bools, Floats, Indices, Uint64s

_SIZES = 56
_COARSE = 8
"""How many of the 56 sizes are tried first."""

Answers = Callable[[DealtState, Floats], HandStrategy]
"""What the bot does with every hand at a state, given how likely it holds each."""


class Rows(Protocol):
    """The hands of the responder that are looked at."""

    @property
    def places(self) -> Indices:
        """Their numbers in `private_hands`."""

    def ahead(self, board: Hand, weights: Floats) -> Floats:
        """(rows,): the sums of the margins against weighted hands: won less lost, if all call."""

    def met(self, weights: Floats) -> Floats:
        """(rows,): the sums of the weights that share no card with a row."""


class AllRows(NamedTuple):
    """All hands, by one matrix for each board."""

    rules: ShowdownCards

    @property
    def places(self) -> Indices:
        """Every number."""
        return np.arange(len(self.rules.hands))

    def ahead(self, board: Hand, weights: Floats) -> Floats:
        """By the margins of the board."""
        return board_margins(self.rules, board).against(weights)

    def met(self, weights: Floats) -> Floats:
        """By the cards that are left."""
        return self.rules.met(weights)


class OneRow:
    """One hand: for games with too many hands to compare all, and bots that do not tell.

    Examples
    --------
    >>> from pokerlab.games import load_game
    >>> row = OneRow(load_game("kuhn"), (47,))
    >>> row.ahead((), np.ones(3)), row.met(np.ones(3))
    (array([2.]), array([2.]))
    """

    def __init__(self, game: BettingGame, hand: Hand) -> None:
        self._game, self._hand = game, hand
        self.places = np.array([private_hands(game).index(hand)])
        self._apart = without(game, np.ones(len(private_hands(game))), hand)

    def ahead(self, board: Hand, weights: Floats) -> Floats:
        """By the shares of the pot that the hand wins."""
        margins = 2 * shares_by_hand(self._game, self._hand, board) - 1
        return np.array([(weights * self._apart) @ margins])

    def met(self, weights: Floats) -> Floats:
        """Of the one hand."""
        return np.array([weights @ self._apart])


class LocalPolicy:
    """The strategy of a local best response in one hand.

    Parameters
    ----------
    game, seat
        Where it plays.
    menu, streets
        As of `LocalBestResponse`; the streets from 0.
    rows
        The hands of the responder that are looked at; the others get no strategy.
    answers
        The bot.
    """

    def __init__(
        self,
        game: BettingGame,
        seat: int,
        menu: str,
        streets: Collection[int],
        rows: Rows,
        answers: Answers,
    ) -> None:
        self.game, self.seat, self.menu, self.streets = game, seat, menu, streets
        self.rows = rows
        self._answers = answers
        self._told: dict[tuple[str, Hand], HandStrategy] = {}
        self._ranges: dict[tuple[str, Hand], tuple[Floats, Floats]] = {}

    def ranges(self, state: DealtState) -> tuple[Floats, Floats]:
        """How likely the responder, and the bot, come to a state with each hand.

        The largest weight of the bot is 1 after each of its actions.
        """
        key = state.node.text, state.board
        if key not in self._ranges:
            found = self._after_last(state)
            mine, theirs = (without(self.game, each, state.board) for each in found)
            self._ranges[key] = mine, theirs
        return self._ranges[key]

    def _after_last(self, state: DealtState) -> tuple[Floats, Floats]:
        *_, last = (None, *state.node.path())
        if last is None:
            return first_range(self.game, self.seat), first_range(self.game, 1 - self.seat)
        before, action = self._before(state), last[1]
        mine, theirs = self.ranges(before)
        if before.player == self.seat:
            return mine * column(self.strategy(before), action), theirs
        return mine, narrowed(theirs, self.answer(before), action)

    def _before(self, state: DealtState) -> DealtState:
        """The state before the last action, without anybody's cards."""
        *_, (node, _) = state.node.path()
        found = self.game.start(Deal(((), ()), state.board))
        for _, action in node.path():
            found = found.apply(action)
        return found

    def answer(self, state: DealtState) -> HandStrategy:
        """What the bot does at a state."""
        return self._answers(state, self.ranges(state)[1])

    def strategy(self, state: DealtState) -> HandStrategy:
        """What every hand of the rows does: the action of the largest value."""
        key = state.node.text, state.board
        if key not in self._told:
            self._told[key] = self._choose(state)
        return self._told[key]

    def _choose(self, state: DealtState) -> HandStrategy:
        mine, theirs = self.ranges(state)
        actions, choice = ["c"], np.zeros(len(self.rows.places), np.int64)
        if state.street in self.streets:
            met = self.rows.met(theirs)
            ahead = self.rows.ahead(state.board, theirs)
            best = _ratio(ahead, met) * min(state.node.after("c").spent)
            likely = mine[self.rows.places] * met
            for size, value in self._raises(state, theirs, best, likely).items():
                choice[value > best] = len(actions)
                best = np.maximum(best, value)
                actions.append(size)
            if state.to_call:
                choice[-state.node.spent[self.seat] > best] = len(actions)
                actions.append("f")
        table = np.zeros((len(mine), len(actions)))
        table[self.rows.places, choice] = 1.0
        table[~possible(self.game, state.board)] = 0.0
        return HandStrategy(tuple(actions), table)

    def _raises(
        self, state: DealtState, theirs: Floats, without_raise: Floats, likely: Floats
    ) -> dict[str, Floats]:
        """The sizes that are looked at, and what each is worth to every row."""
        found: dict[str, Floats] = {}
        if state.to_call:
            without_raise = np.maximum(without_raise, -state.node.spent[self.seat])

        def gain(size: str) -> float:
            found[size] = self._value_of_raise(state, size, theirs)
            more = np.maximum(found[size], without_raise) - without_raise
            return float(likely @ more)

        search(self._sizes(state), gain)
        return found

    def _sizes(self, state: DealtState) -> list[str]:
        bounds = state.raise_bounds()
        if bounds is None or self.menu == "fc":
            return []
        if self.game.betting == "limit" or self.game.menu:
            return [action for action in state.actions() if action[0] == "r"]
        lowest, highest = bounds
        if self.menu == "fcpa":
            return list(dict.fromkeys([pot_sized_raise(state), f"r{highest}"]))
        price = state.node.price
        steps = np.geomspace(lowest - price, highest - price, _SIZES).round().astype(int)
        return [f"r{price + step}" for step in dict.fromkeys(steps.tolist())]

    def _value_of_raise(self, state: DealtState, size: str, theirs: Floats) -> Floats:
        after = state.apply(size)
        if after.player == TERMINAL or after.player == self.seat:
            return np.full(len(self.rows.places), -np.inf)
        told = self._answers(after, theirs)
        known = theirs * told.probabilities.sum(axis=1)
        folding = theirs * column(told, "f")
        called = min(after.node.after("c").spent)
        won = self.rows.met(folding) * state.node.spent[1 - self.seat]
        played = self.rows.ahead(state.board, known - folding) * called
        met = self.rows.met(known)
        return np.where(met > 0, _ratio(won + played, met), -np.inf)


def search(sizes: Sequence[str], value: Callable[[str], float]) -> dict[str, float]:
    """Look for the best of some sizes in growing order; of many, only some are tried.

    Every answer may be a solve of the bot. So of more than 8 sizes, 8 at equal distances are
    tried, then those half-way between the best so far and its nearest tried neighbours, until
    these are next to it: at most 14 of 56. The sizes that were tried, with their values.

    Examples
    --------
    >>> tried = search([str(size) for size in range(1, 57)], lambda size: -abs(int(size) - 37))
    >>> max(tried, key=tried.get), len(tried)
    ('37', 14)
    """
    count = min(len(sizes), _COARSE)
    places = np.linspace(0, len(sizes) - 1, count).round().astype(int).tolist()
    tried: dict[int, float] = {}
    while places:
        tried.update((place, value(sizes[place])) for place in places)
        best = max(tried, key=tried.__getitem__)
        below = max((place for place in tried if place < best), default=best)
        above = min((place for place in tried if place > best), default=best)
        places = sorted({(below + best) // 2, (best + above + 1) // 2} - tried.keys())
    return {sizes[place]: tried[place] for place in sorted(tried)}


def first_range(game: BettingGame, seat: int) -> Floats:
    """How likely a seat is dealt each hand; all the same outside of spots."""
    if isinstance(game, SpotGame):
        return np.asarray(game.spot.ranges[seat].weights, np.float64)
    return np.ones(len(private_hands(game)))


def without(game: BettingGame, weights: Floats, cards: Hand) -> Floats:
    """A range without the hands that hold one of some cards."""
    return np.where(possible(game, cards), weights, 0.0)


def possible(game: BettingGame, cards: Hand) -> Bools:
    """(hands,): which hands hold none of some cards."""
    return np.asarray(_masks(game) & np.uint64(card_mask(cards)) == 0)


def column(told: HandStrategy, action: str) -> Floats:
    """How likely each hand takes an action; a size that nobody was seen to take is any raise."""
    same = [place for place, each in enumerate(told.actions) if each == action]
    same = same or [place for place, each in enumerate(told.actions) if each[0] == action[0]]
    return np.asarray(told.probabilities[:, same].sum(axis=1))


def narrowed(weights: Floats, told: HandStrategy, action: str) -> Floats:
    """The range after an action; as it was, if an estimate says that nobody does that."""
    after = weights * column(told, action)
    if after.sum() > 0.0:
        return np.asarray(after / after.max())
    known = weights * told.probabilities.sum(axis=1)
    return known if known.sum() > 0.0 else weights


def _ratio(sums: Floats, met: Floats) -> Floats:
    return np.divide(sums, met, out=np.zeros(len(met)), where=met > 0)


@lru_cache(maxsize=16)
def _masks(game: BettingGame) -> Uint64s:
    return np.array([card_mask(hand) for hand in private_hands(game)], np.uint64)

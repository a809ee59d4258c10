"""A responder that knows a bot's strategy and looks no further than its next action.

After Lisý and Bowling, "Equilibrium approximation quality of current no-limit poker bots" (2017).
The responder holds a hand, keeps the range of the bot by Bayes' rule (`Bot.hand_strategy`), and at
each decision takes the action of the largest value, as if both checked and called from then on:

- a fold: the chips put in are lost;
- a call: the pot, by the chance to win against the range;
- a raise: the pot if the bot folds, else the larger pot against the range that does not fold.

So it is no best response, and its winnings are a lower bound of what one wins. Chances to win are
exact over all run-outs from the flop on, and those of classes of hands before it. They decide what
it does; what it wins is counted by the rules.

Differences from the paper: a hand is scored by its mean over everything that the bot may hold at
its end, and, after an all-in, over the cards to come (2,000 random boards before the flop).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import permutations
from typing import NamedTuple

import numpy as np

from pokerlab.arena.responses.sampled_strategy import sampled_strategy
from pokerlab.arena.responses.shares import drawn_shares, shares_by_hand
from pokerlab.arena.table import legal_answer
from pokerlab.cards.codes import card_mask
from pokerlab.games import TERMINAL, Betting, BettingGame, Deal, DealtState
from pokerlab.players.bots.bot import Bot
from pokerlab.players.bots.failures import close_bot
from pokerlab.players.bots.fair import pot_sized_raise
from pokerlab.players.bots.hand_strategy import Hand, HandStrategy, private_hands
from pokerlab.players.bots.winning_chances import is_holdem
from pokerlab.players.strategies import SpotGame
from pokerlab.runtime.arrays import Floats, Uint64s

MENUS = ("fc", "fcpa", "56")
"""Fold and call; also raises by the pot and all-in; also 56 sizes from the smallest to all-in."""

_SIZES = 56
_COARSE = 8
"""How many of the 56 sizes are tried first."""


class LocalHand(NamedTuple):
    """A hand that the responder has played."""

    won: float
    """As the game counts payoffs, on average over what the bot may have held."""
    street: int
    """The street of the last decision, 0 for the first."""
    showdown: bool
    """Whether nobody folded."""
    estimated: bool
    """Whether the bot did not tell its strategy: then `won` is against the hand it was dealt."""


class LocalBestResponse:
    """The responder at a table of two.

    Parameters
    ----------
    game
        A game for two in which hands are dealt at once and stay hidden; also a `SpotGame`.
    bot
        Whom it plays; it has been `reset`.
    menu
        One of `MENUS`. Limit games, and games with a menu of their own, have the raises of the
        game instead of the pot, all-in or 56 sizes.
    streets
        The streets (0 for the first) on which it chooses; elsewhere it checks and calls. All by
        default.
    twin
        Makes another instance of the bot, which is asked if it does not tell its strategy.
    samples, among
        How often the twin is asked with a hand, and with how many random hands of its range: the
        range of a bot that does not tell is these.

    Examples
    --------
    >>> from pokerlab.games import load_game
    >>> from pokerlab.players.bots import Folder
    >>> game = load_game("leduc")
    >>> LocalBestResponse(game, Folder()).expected()
    1.0
    """

    def __init__(
        self,
        game: BettingGame,
        bot: Bot,
        menu: str = "fcpa",
        streets: Sequence[int] | None = None,
        *,
        twin: Callable[[], Bot] | None = None,
        samples: int = 3,
        among: int = 100,
    ) -> None:
        if game.players != 2:
            raise ValueError(
                f"{game.name}: local best responses are for two players, not {game.players}"
            )
        if menu not in MENUS:
            raise ValueError(f"menu: {menu!r} is not known ({', '.join(MENUS)})")
        self.game, self.bot, self.menu = game, bot, menu
        self.hands = private_hands(game)
        self.streets = frozenset(range(len(game.streets)) if streets is None else streets)
        self.samples, self.among = samples, among
        self._make_twin = twin
        self._twin: Bot | None = None

    @property
    def twin(self) -> Bot:
        """The instance that is asked, made when it is first needed."""
        if self._twin is None:
            if self._make_twin is None:
                raise ValueError(
                    f"{type(self.bot).__name__} does not tell its strategy; a second instance of"
                    " it is needed to estimate one"
                )
            self._twin = self._make_twin()
        return self._twin

    def close(self) -> None:
        """Close the bots."""
        for bot in (self.bot, self._twin):
            if bot is not None:
                close_bot(bot)

    def play(self, deal: Deal, seat: int, rng: np.random.Generator) -> LocalHand:
        """Play a hand from `seat`; the bot holds the other hand of the deal."""
        hand = _Hand(self, deal.holes[seat], seat, rng, {})
        weights = hand.first_weights()
        held = self.hands.index(_ordered(deal.holes[1 - seat]))
        self.bot.begin(1 - seat, (0, 1))
        state = before = self.game.start(deal)
        while state.player != TERMINAL:
            weights = hand.possible(weights, state.board)
            if state.player == seat:
                action = hand.choose(state, weights)
            else:
                told = hand.strategy(state, weights)
                if hand.estimated:
                    action = legal_answer(state, self.bot.act(state.view(1 - seat)))
                else:
                    action = _draw(told, held, rng)
                weights = _narrowed(weights, told, action)
            before, state = state, state.apply(action)
        payoffs = hand.payoffs(before.board, state.node)
        won = payoffs[held] if hand.estimated else weights @ payoffs / weights.sum()
        self.bot.end(state.view(1 - seat))
        return LocalHand(float(won), before.street, len(state.node.live) > 1, hand.estimated)

    def expected(self, seats: Sequence[int] = (0, 1)) -> float:
        """The exact mean of what it wins over all deals and some seats; only in small games.

        In spots, too, whose board is complete. The bot must tell its strategy.
        """
        total = count = 0.0
        told: dict[tuple[str, Hand], HandStrategy] = {}
        for seat in seats:
            own = first_range(self.game, seat)
            for place in np.flatnonzero(own):
                hand = _Hand(self, self.hands[place], seat, np.random.default_rng(0), told)
                for board in self._boards(self.hands[place]):
                    holes: list[Hand] = [(), ()]
                    holes[seat] = self.hands[place]
                    state = self.game.start(Deal(tuple(holes), board))
                    weights = hand.first_weights()
                    total += own[place] * _expected(hand, state, state, weights, board)
                    count += own[place] * hand.possible(weights, board).sum()
        return float(total / count)

    def _boards(self, hand: Hand) -> Sequence[Hand]:
        known = self.game.spot.board if isinstance(self.game, SpotGame) else ()
        left = [card for card in self.game.deck if card not in (*hand, *known)]
        missing = self.game.board_cards[-1] - len(known)
        if len(left) ** missing > 10_000:
            raise ValueError(f"{self.game.name} has too many boards to play all of them")
        if set(known) & set(hand):
            return []
        return [(*known, *come) for come in permutations(left, missing)]


class _Hand:
    """What the responder knows and thinks in one hand."""

    def __init__(
        self,
        responder: LocalBestResponse,
        hand: Hand,
        seat: int,
        rng: np.random.Generator,
        told: dict[tuple[str, Hand], HandStrategy],
    ) -> None:
        self.responder, self.game = responder, responder.game
        self.hand, self.seat, self.rng = hand, seat, rng
        self.estimated = False
        self._asked: list[int] = []
        self._told = told

    def first_weights(self) -> Floats:
        """The range of the bot before anybody has acted."""
        return self.possible(first_range(self.game, 1 - self.seat), self.hand)

    def possible(self, weights: Floats, cards: Hand) -> Floats:
        """A range without the hands that hold one of some cards."""
        blocked = _masks(self.game) & np.uint64(card_mask(cards)) != 0
        return np.where(blocked, 0.0, weights)

    def strategy(self, state: DealtState, weights: Floats) -> HandStrategy:
        """What the bot does with every hand, told or estimated."""
        key = state.node.text, state.board
        if key not in self._told:
            view = state.view(state.player)
            told = self.responder.bot.hand_strategy(view)
            self._told[key] = self._estimate(view, weights) if told is None else told
        return self._told[key]

    def _estimate(self, view: DealtState, weights: Floats) -> HandStrategy:
        responder = self.responder
        if not self.estimated:
            self.estimated = True
            there = np.flatnonzero(weights)
            count = min(responder.among, len(there))
            self._asked = self.rng.choice(there, count, replace=False).tolist()
        return sampled_strategy(
            responder.twin, self.game, view, responder.samples, self.rng, self._asked
        )

    def choose(self, state: DealtState, weights: Floats) -> str:
        """The action of the largest value if both check and call afterwards."""
        if state.street not in self.responder.streets:
            return "c"
        node = state.node
        margins = 2 * shares_by_hand(self.game, self.hand, state.board) - 1
        best = float(weights @ margins / weights.sum()) * min(node.after("c").spent)
        action = "c"
        sizes = self._raises(state)
        if sizes:
            size, value = search(
                sizes, lambda size: self._value_of_raise(state, size, weights, margins)
            )
            if value > best:
                best, action = value, size
        return "f" if state.to_call and -node.spent[self.seat] > best else action

    def _raises(self, state: DealtState) -> list[str]:
        bounds = state.raise_bounds()
        menu = self.responder.menu
        if bounds is None or menu == "fc":
            return []
        if self.game.betting == "limit" or self.game.menu:
            return [action for action in state.actions() if action[0] == "r"]
        lowest, highest = bounds
        if menu == "fcpa":
            return list(dict.fromkeys([pot_sized_raise(state), f"r{highest}"]))
        price = state.node.price
        steps = np.geomspace(lowest - price, highest - price, _SIZES).round().astype(int)
        return [f"r{price + step}" for step in dict.fromkeys(steps.tolist())]

    def _value_of_raise(
        self, state: DealtState, size: str, weights: Floats, margins: Floats
    ) -> float:
        after = state.apply(size)
        if after.player == TERMINAL or after.player == self.seat:
            return -np.inf
        told = self.strategy(after, weights)
        known = weights * told.probabilities.sum(axis=1)
        folding = weights * _column(told, "f")
        if known.sum() <= 0.0:
            return -np.inf
        called = min(after.node.after("c").spent)
        won = folding.sum() * state.node.spent[1 - self.seat] + (known - folding) @ margins * called
        return float(won / known.sum())

    def payoffs(self, board: Hand, end: Betting) -> Floats:
        """What the responder wins against each hand, given the board of the last decision."""
        stake = min(end.spent) / self.game.unit
        if len(end.live) == 1:
            return np.full(len(self.responder.hands), stake if self.seat in end.live else -stake)
        if not board and is_holdem(self.game):
            shares = drawn_shares(self.hand, self.rng)
        else:
            shares = shares_by_hand(self.game, self.hand, board)
        return (2 * shares - 1) * stake


def _expected(
    hand: _Hand, before: DealtState, state: DealtState, weights: Floats, board: Hand
) -> float:
    """The sum over what the bot may hold of its weight, times what the responder wins."""
    if state.player == TERMINAL:
        return float(hand.possible(weights, board) @ hand.payoffs(before.board, state.node))
    weights = hand.possible(weights, state.board)
    if not weights.any():
        return 0.0
    if state.player == hand.seat:
        return _expected(hand, state, state.apply(hand.choose(state, weights)), weights, board)
    told = hand.strategy(state, weights)
    if hand.estimated:
        raise ValueError("the bot does not tell its strategy: there is no exact mean")
    return sum(
        _expected(hand, state, state.apply(action), weights * chances, board)
        for action, chances in zip(told.actions, told.probabilities.T, strict=True)
        if (weights * chances).any()
    )


def search(sizes: Sequence[str], value: Callable[[str], float]) -> tuple[str, float]:
    """The best of some sizes in growing order; of many, only some are tried.

    Every answer may be a solve of the bot. So of more than 8 sizes, 8 at equal distances are
    tried, then those half-way between the best so far and its nearest tried neighbours, until
    these are next to it: at most 14 of 56.

    Examples
    --------
    >>> tried = []
    >>> def value(size):
    ...     tried.append(size)
    ...     return -abs(int(size) - 37)
    >>> search([str(size) for size in range(1, 57)], value), len(tried)
    (('37', 0), 14)
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
    return sizes[best], tried[best]


def first_range(game: BettingGame, seat: int) -> Floats:
    """How likely a seat is dealt each hand; all the same outside of spots."""
    if isinstance(game, SpotGame):
        return np.asarray(game.spot.ranges[seat].weights, np.float64)
    return np.ones(len(private_hands(game)))


@lru_cache(maxsize=16)
def _masks(game: BettingGame) -> Uint64s:
    return np.array([card_mask(hand) for hand in private_hands(game)], np.uint64)


def _ordered(hand: Hand) -> Hand:
    return tuple(sorted(hand, reverse=True))


def _draw(told: HandStrategy, held: int, rng: np.random.Generator) -> str:
    chances = told.probabilities[held]
    return told.actions[rng.choice(len(chances), p=chances / chances.sum())]


def _column(told: HandStrategy, action: str) -> Floats:
    """How likely each hand takes an action; a size that nobody was seen to take is any raise."""
    same = [place for place, each in enumerate(told.actions) if each == action]
    same = same or [place for place, each in enumerate(told.actions) if each[0] == action[0]]
    return np.asarray(told.probabilities[:, same].sum(axis=1))


def _narrowed(weights: Floats, told: HandStrategy, action: str) -> Floats:
    """The range after an action; as it was, if an estimate says that nobody does that."""
    after = weights * _column(told, action)
    if after.sum() > 0.0:
        return np.asarray(after / after.max())
    known = weights * told.probabilities.sum(axis=1)
    return known if known.sum() > 0.0 else weights

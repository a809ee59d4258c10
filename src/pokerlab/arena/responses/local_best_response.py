"""A responder that knows a bot's strategy and looks no further than its next action.

After Lisý and Bowling, "Equilibrium approximation quality of current no-limit poker bots" (2017).
The responder holds a hand, keeps the range of the bot by Bayes' rule (`Bot.hand_strategy`), and at
each decision takes the action of the largest value, as if both checked and called from then on:

- a fold: the chips put in are lost;
- a call: the pot, by the chance to win against the range;
- a raise: the pot if the bot folds, else the larger pot against the range that does not fold.

So it is no best response, and its winnings are a lower bound of what one wins. Chances to win are
exact over all run-outs from the flop on, and those of classes of hands before it. They decide what
it does (`pokerlab.arena.responses.local_policy`); what it wins is counted by the rules.

Differences from the paper: what the responder does with every hand is known, as it is of the bot.
So a hand is scored by its mean over everything that both may hold at its end, and corrected for the
luck of cards and choices (`pokerlab.arena.variance`). Both leave the mean as it is. Against bots
that do not tell, the hands are those that were dealt.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import permutations
from typing import NamedTuple

import numpy as np

from pokerlab.arena.hands import PlayedHand
from pokerlab.arena.responses.local_policy import (
    AllRows,
    LocalPolicy,
    OneRow,
    Rows,
    first_range,
    without,
)
from pokerlab.arena.responses.sampled_strategy import sampled_strategy
from pokerlab.arena.responses.shares import drawn_shares, shares_by_hand
from pokerlab.arena.table import legal_answer
from pokerlab.arena.variance.all_hands import KnownPlayer, averaged_payoffs
from pokerlab.arena.variance.call_down import GROWTH_OF_RANGES, CallDown
from pokerlab.arena.variance.margins import ShowdownCards
from pokerlab.games import TERMINAL, Betting, BettingGame, Deal, DealtState
from pokerlab.players.bots.bot import Bot
from pokerlab.players.bots.failures import close_bot
from pokerlab.players.bots.hand_strategy import Hand, HandStrategy, private_hands
from pokerlab.players.bots.winning_chances import is_holdem
from pokerlab.players.strategies import SpotGame
from pokerlab.runtime.arrays import Floats

MENUS = ("fc", "fcpa", "56")
"""Fold and call; also raises by the pot and all-in; also 56 sizes from the smallest to all-in."""


class LocalHand(NamedTuple):
    """A hand that the responder has played."""

    won: float
    """As the game counts payoffs, on average over what both may have held, corrected for luck."""
    street: int
    """The street of the last decision, 0 for the first."""
    showdown: bool
    """Whether nobody folded."""
    estimated: bool
    """Whether the bot did not tell its strategy: then `won` is with the hands that were dealt."""
    plain: float
    """With the hand that the responder was dealt, on average over what the bot may have held."""


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
        own = _ordered(deal.holes[seat])
        hand = _Hand(self, own, seat, rng)
        held = self.hands.index(_ordered(deal.holes[1 - seat]))
        self.bot.begin(1 - seat, (0, 1))
        state = before = self.game.start(deal)
        while state.player != TERMINAL:
            if state.player == seat:
                action = hand.choose(state)
            else:
                told = hand.policy.answer(state)
                if hand.estimated:
                    action = legal_answer(state, self.bot.act(state.view(1 - seat)))
                else:
                    action = _draw(told, held, rng)
            before, state = state, state.apply(action)
        payoffs = hand.payoffs(before.board, state.node)
        weights = without(self.game, hand.policy.ranges(state)[1], own)
        plain = payoffs[held] if hand.estimated else weights @ payoffs / weights.sum()
        won = plain if hand.estimated else hand.corrected(state, plain)
        self.bot.end(state.view(1 - seat))
        street, showdown = before.street, len(state.node.live) > 1
        return LocalHand(float(won), street, showdown, hand.estimated, float(plain))

    def expected(self, seats: Sequence[int] = (0, 1)) -> float:
        """The exact mean of what it wins over all deals and some seats; only in small games.

        In spots, too, whose board is complete. The bot must tell its strategy.
        """
        total = count = 0.0
        for seat in seats:
            own = first_range(self.game, seat)
            for place in np.flatnonzero(own):
                held = self.hands[place]
                hand = _Hand(self, held, seat, np.random.default_rng(0))
                for board in self._boards(held):
                    holes: list[Hand] = [(), ()]
                    holes[seat] = held
                    state = self.game.start(Deal(tuple(holes), board))
                    weights = without(self.game, first_range(self.game, 1 - seat), held)
                    total += own[place] * _expected(hand, state, state, weights, board)
                    count += own[place] * without(self.game, weights, board).sum()
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
        self, responder: LocalBestResponse, hand: Hand, seat: int, rng: np.random.Generator
    ) -> None:
        self.responder, self.game = responder, responder.game
        self.hand, self.seat, self.rng = hand, seat, rng
        self.place = responder.hands.index(hand)
        self.estimated = False
        self._asked: list[int] = []
        self._told: dict[tuple[str, Hand], HandStrategy] = {}
        self.rules = None if is_silent(responder.bot, self.game) else ShowdownCards.of(self.game)
        rows: Rows = OneRow(self.game, hand) if self.rules is None else AllRows(self.rules)
        self.policy = LocalPolicy(
            self.game, seat, responder.menu, responder.streets, rows, self.answers
        )

    def answers(self, state: DealtState, weights: Floats) -> HandStrategy:
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
            there = np.flatnonzero(without(self.game, weights, self.hand))
            count = min(responder.among, len(there))
            self._asked = self.rng.choice(there, count, replace=False).tolist()
        return sampled_strategy(
            responder.twin, self.game, view, responder.samples, self.rng, self._asked
        )

    def choose(self, state: DealtState) -> str:
        """The action of the largest value if both check and call afterwards."""
        told = self.policy.strategy(state)
        return told.actions[int(told.probabilities[self.place].argmax())]

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

    def corrected(self, end: DealtState, plain: float) -> float:
        """What the responder wins on average over both ranges, less luck; `plain` if unknown."""
        if self.rules is None:
            return plain
        hand = PlayedHand(self.game, 0, end.deal, ("", ""), end.betting, end.payoffs())
        asked, seats = _Asked(self), []
        for seat in range(2):
            ahead = asked.knows_responder if seat == self.seat else asked.knows_bot
            seats.append(KnownPlayer(asked, averaged=True, held=None, ahead=ahead))
        values = CallDown(self.game, GROWTH_OF_RANGES)
        return averaged_payoffs(hand, seats, self.rules, values, flop_first=True)[self.seat]


class _Asked(Bot):
    """Both players of a hand as the reduction of variance asks them.

    A responder that never raises is known everywhere. Else nobody is asked what the responder would
    do where it did not come to, which may be solves of the bot; there the bot says what hands are
    worth. What it would do against a raise, the responder has asked already.
    """

    def __init__(self, hand: _Hand) -> None:
        self._hand, self._free = hand, hand.responder.menu == "fc"

    def act(self, view: DealtState) -> str:
        """It does not play."""
        raise NotImplementedError

    def knows_responder(self, state: DealtState) -> bool:
        """Whether what the responder does is looked at before it came to a state."""
        return self._free

    def knows_bot(self, state: DealtState) -> bool:
        """Whether what the bot does is."""
        return self._free or state.betting[-1:].isdigit() or state.betting.endswith("r")

    def hand_strategy(self, view: DealtState) -> HandStrategy | None:
        """What the responder does, or the bot."""
        policy = self._hand.policy
        mine = view.player == self._hand.seat
        return policy.strategy(view) if mine else policy.answer(view)

    def hand_values(self, view: DealtState, seat: int) -> Floats | None:
        """What the bot tells; while the actions of a street are known, at its beginning alone."""
        if seat == self._hand.seat or (self._free and not view.betting.endswith("/")):
            return None
        return self._hand.responder.bot.hand_values(view, seat)

    def card_values(self, view: DealtState, seat: int) -> Floats | None:
        """What the bot tells."""
        return None if seat == self._hand.seat else self._hand.responder.bot.card_values(view, seat)


def is_silent(bot: Bot, game: BettingGame) -> bool:
    """Whether a bot does not tell its strategy: it has not said how.

    Examples
    --------
    >>> from pokerlab.games import load_game
    >>> from pokerlab.players.bots import Caller, MonteCarloBot
    >>> [is_silent(bot, load_game("holdem.limit.2p")) for bot in (Caller(), MonteCarloBot())]
    [False, True]
    """
    kind = type(bot)
    return kind.hand_strategy is Bot.hand_strategy and kind.probabilities is Bot.probabilities


def _expected(
    hand: _Hand, before: DealtState, state: DealtState, weights: Floats, board: Hand
) -> float:
    """The sum over what the bot may hold of its weight, times what the responder wins."""
    if state.player == TERMINAL:
        return float(without(hand.game, weights, board) @ hand.payoffs(before.board, state.node))
    weights = without(hand.game, weights, state.board)
    if not weights.any():
        return 0.0
    if state.player == hand.seat:
        return _expected(hand, state, state.apply(hand.choose(state)), weights, board)
    told = hand.policy.answer(state)
    if hand.estimated:
        raise ValueError("the bot does not tell its strategy: there is no exact mean")
    return sum(
        _expected(hand, state, state.apply(action), weights * chances, board)
        for action, chances in zip(told.actions, told.probabilities.T, strict=True)
        if (weights * chances).any()
    )


def _ordered(hand: Hand) -> Hand:
    return tuple(sorted(hand, reverse=True))


def _draw(told: HandStrategy, held: int, rng: np.random.Generator) -> str:
    chances = told.probabilities[held]
    return told.actions[rng.choice(len(chances), p=chances / chances.sum())]

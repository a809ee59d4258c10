"""What a best response from one street on wins against a bot, exactly, street by street.

Both players come to the street by the bot's own play, so the hands that each may hold are known.
From there on one of them, the *responder*, knows the bot's strategy and plays a best response to
it with bet sizes of their own; the bot answers whatever it is asked, sizes that it does not have
too. Nothing is approximated from the street on: every hand, every card, every line of the
responder's menu. What the responder wins more than the bot itself would have won in their seat is
the *gain*; over streets that were reached by chance it is an estimate with an error.

The bot must tell its strategy of all hands (`Bot.hand_strategy`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import comb
from typing import NamedTuple

import numpy as np

from pokerlab.cards.codes import N_CARDS, N_COMBOS, combo_index
from pokerlab.cards.equities.strength import showdown_sums
from pokerlab.cards.isomorphism.suits import SUIT_PERMUTATIONS
from pokerlab.cards.ranges.blockers import met_weights, unblocked_weights
from pokerlab.engine.subsets.run_out_counts import TURNS, RunOutCounts
from pokerlab.engine.subsets.run_subsets import deal_subset
from pokerlab.games import BettingGame, Deal, DealtState
from pokerlab.games.betting_trees.menus import Menu, parse_menu
from pokerlab.games.dealt import replay
from pokerlab.games.rules import GameRules
from pokerlab.holdem.spots.question.gadget import allowed_combos
from pokerlab.players.bots.bot import Bot
from pokerlab.players.bots.failures import failure_text
from pokerlab.players.bots.hand_strategy import HandStrategy
from pokerlab.runtime.arrays import Floats

_BOARD = 5
_HIDDEN: tuple[tuple[int, ...], ...] = ((), ())


class ReachedStreet(NamedTuple):
    """A public state at which a street begins, and what each player may hold there.

    Attributes
    ----------
    state
        Without anybody's cards.
    weights : (2, 1326)
        How likely each hand of a seat got there; scales do not matter.
    """

    state: DealtState
    weights: Floats


class LocalGain(NamedTuple):
    """What a responder wins from a street on, in chips a hand that gets there."""

    best: float
    """By a best response."""
    own: float
    """By what the bot would do in their seat."""

    @property
    def gain(self) -> float:
        """What the best response wins more."""
        return self.best - self.own


@dataclass(frozen=True)
class LocalResponder:
    """Best responses to a bot from a street on.

    Parameters
    ----------
    bot
        Has been `reset` for the game.
    menus
        The sizes of the responder: ``%`` of the pot after a call, and ``a`` for all-in. While the
        responder has done only what the bot might do in their seat, the bot's actions there are
        added; later on, the bot would have to solve for that seat only to say sizes. One menu
        for all streets, or one for each of the last ones.
    raises
        How often a street the responder may bet or raise by the menu.
    rivers
        From a turn on, how many rivers are dealt, chosen to stand for all; None for all of them.
        The responder then knows which come, so the gain is rather too large than too small.

    Examples
    --------
    >>> from pokerlab.games import load_game
    >>> from pokerlab.players.bots import Caller
    >>> game, bot = load_game("holdem.nolimit.2p"), Caller()
    >>> bot.reset(game, np.random.default_rng(1))
    >>> responder = LocalResponder(bot, parse_responder("a"))
    >>> root = public_state(game, "cc/cc/cc/", (0, 5, 18, 39, 47))
    >>> weights = np.ones((2, N_COMBOS))
    >>> gain = responder.respond(ReachedStreet(root, weights), seat=0)
    >>> round(gain.best), abs(round(gain.own, 9))
    (5121, 0.0)
    """

    bot: Bot
    menus: tuple[Menu, ...]
    raises: int = 2
    rivers: int | None = None

    def respond(self, root: ReachedStreet, seat: int) -> LocalGain:
        """What the player in a seat wins from a street on, by a best response and as the bot."""
        weights = root.weights * allowed_combos(root.state.board)
        weights = weights / weights.max(axis=1, keepdims=True)
        met = float(weights[seat] @ met_weights(weights[1 - seat]))
        if met <= 0.0:
            raise ValueError("the hands of both players share all their cards")
        rivers = {}
        if self.rivers is not None and len(root.state.board) == _BOARD - 1:
            rivers = choose_rivers(root.state.board, (weights[0], weights[1]), self.rivers)
        found = [
            _Walk(self, seat, best, rivers).value(root.state, weights[1 - seat])
            for best in (True, False)
        ]
        return LocalGain(*(float(weights[seat] @ values) / met for values in found))

    def actions(self, state: DealtState, own: Sequence[str], raised: int) -> list[str]:
        """What the responder may do: `own` are the actions of the bot in their seat."""
        chosen = ["f", "c"] if state.to_call else ["c"]
        bounds = state.raise_bounds()
        if bounds is not None and raised < self.raises:
            node = state.node
            lowest, highest = bounds
            pot = node.pot + node.price - node.spent[node.player]
            before_last = len(state.game.streets) - 1 - state.street
            for size in self.menus[max(len(self.menus) - 1 - before_last, 0)]:
                total = highest if size.unit == "a" else node.price + size.number * pot / 100
                chosen.append(f"r{min(max(round(total), lowest), highest)}")
        return list(dict.fromkeys((*chosen, *own)))


@dataclass(frozen=True)
class _Walk:
    """The walk of one responder: by a best response, or by what the bot would do in their seat."""

    responder: LocalResponder
    seat: int
    best: bool
    rivers: Mapping[int, float]
    """How many cards each river stands for; empty for all of them."""

    def value(
        self, state: DealtState, opposing: Floats, raised: int = 0, alike: bool = True
    ) -> Floats:
        """(1326,): what each hand of the responder wins, summed over the bot's hands it meets.

        `alike` says whether the responder has only done what the bot might do in their seat.
        """
        if state.player < 0:
            return _end(state, self.seat, opposing)
        if state.game.board_cards[state.street] > len(state.deal.board):
            return self._over_cards(state, opposing, alike)
        if state.player != self.seat:
            return self._over_answers(state, opposing, raised, alike)
        if not self.best:
            told = tell(self.responder.bot, state)
            values = np.zeros(N_COMBOS)
            for number, action in enumerate(told.actions):
                won = self.value(state.apply(action), opposing, raised)
                values += told.probabilities[:, number] * won
            return values
        own = tell(self.responder.bot, state).actions if alike else ()
        values = np.full(N_COMBOS, -np.inf)
        for action in self.responder.actions(state, own, raised):
            more = raised + (action[0] == "r")
            won = self.value(state.apply(action), opposing, more, action in own)
            np.maximum(values, won, out=values)
        return values

    def _over_answers(
        self, state: DealtState, opposing: Floats, raised: int, alike: bool
    ) -> Floats:
        """The sum over what the bot does."""
        told = tell(self.responder.bot, state)
        values = np.zeros(N_COMBOS)
        for number, action in enumerate(told.actions):
            left = opposing * told.probabilities[:, number]
            if left.any():
                values += self.value(state.apply(action), left, raised, alike)
        return values

    def _over_cards(self, state: DealtState, opposing: Floats, alike: bool) -> Floats:
        """The mean over the cards that may come next; the responder's bets are counted anew.

        Where a few rivers stand for all, the rest of the hand without bets is taken over all
        rivers: the few say only what betting adds.
        """
        board = state.deal.board
        few = self.rivers if len(board) == _BOARD - 1 else {}
        cards = few or {card: 1.0 for card in range(N_CARDS) if card not in board}
        values = np.zeros(N_COMBOS)
        for card, stands_for in cards.items():
            child = public_state(state.game, state.betting, (*board, card))
            free = allowed_combos((card,))
            won = self.value(child, opposing * free, 0, alike)
            if few:
                won = won - checked_down(child, self.seat, opposing * free)
            values += stands_for * free * won
        values /= N_CARDS - len(board) - 4
        return values + checked_down(state, self.seat, opposing) if few else values


def choose_rivers(
    board: tuple[int, ...], ranges: tuple[Floats, Floats], count: int
) -> dict[int, float]:
    """Choose rivers that stand for all of a turn, and how many cards each stands for.

    Examples
    --------
    >>> from pokerlab.cards import parse_cards
    >>> rivers = choose_rivers(parse_cards("Ks7h2d5c"), (np.ones(1326), np.ones(1326)), 3)
    >>> len(rivers), round(sum(rivers.values()), 9)
    (3, 48.0)
    """
    one = SUIT_PERMUTATIONS[:1]
    _, turns, rivers = deal_subset(board[:-1], one, ranges, RunOutCounts(TURNS, count))
    turn = int(np.flatnonzero(turns.cards[:, -1] == board[-1])[0])
    begin, end = turns.child_first[turn : turn + 2]
    weights = np.ones(len(rivers.cards)) if rivers.weights is None else rivers.weights
    dealt = rivers.cards[begin:end, -1].tolist()
    return dict(zip(dealt, weights[begin:end].tolist(), strict=True))


def parse_responder(text: str) -> tuple[Menu, ...]:
    """The menus of a responder: one for all streets, or with ``;`` one for each of the last ones.

    Examples
    --------
    >>> [str(size) for size in parse_responder("33%, 75%, a")[0]]
    ['33%', '75%', 'a']
    >>> [len(menu) for menu in parse_responder("33%, 75%, a; a")]
    [3, 1]
    >>> parse_responder("2x")
    Traceback (most recent call last):
    ValueError: responder: '2x' must be a percentage of the pot, as 75%, or a (all-in)
    """
    menus = tuple(parse_menu(each, "raise") for each in text.split(";"))
    for size in (size for menu in menus for size in menu):
        if size.unit not in ("%", "a"):
            raise ValueError(
                f"responder: {str(size)!r} must be a percentage of the pot, as 75%, or a (all-in)"
            )
    return menus


def public_state(game: GameRules, betting: str, board: tuple[int, ...]) -> DealtState:
    """The state after some betting, without anybody's cards."""
    return replay(game, betting, Deal(_HIDDEN, board))


def tell(bot: Bot, state: DealtState) -> HandStrategy:
    """What a bot would do with every hand at a state of its seat; ValueError if it does not."""
    try:
        told = bot.hand_strategy(state.view(state.player))
    except BaseException as error:
        raise ValueError(f"bot {type(bot).__name__}: {failure_text(error)}") from error
    if told is None:
        raise ValueError(f"{type(bot).__name__} does not tell what it would do with every hand")
    return told


def play_to_street(
    bot: Bot, game: BettingGame, street: int, deal: Deal, rng: np.random.Generator
) -> ReachedStreet | None:
    """Let the bot play both seats of a deal up to a street; None if the hand ends before.

    Parameters
    ----------
    street
        1 for the flop, 2 for the turn, 3 for the river.
    """
    weights = np.ones((2, N_COMBOS))
    state = public_state(game, "", deal.board[: game.board_cards[0]])
    while state.player >= 0 and state.street < street:
        seat = state.player
        told = tell(bot, state)
        row = told.probabilities[combo_index(*deal.holes[seat])]
        number = int(rng.choice(len(row), p=row / row.sum()))
        weights[seat] *= told.probabilities[:, number]
        action = told.actions[number]
        betting = state.apply(action).betting
        after = public_state(game, betting, deal.board)
        state = public_state(game, betting, deal.board[: game.board_cards[after.street]])
    return ReachedStreet(state, weights) if state.player >= 0 else None


def _end(state: DealtState, seat: int, opposing: Floats) -> Floats:
    """(1326,): what each hand of a seat wins at the end of the betting, summed over `opposing`."""
    if len(state.node.live) > 1:
        return checked_down(state, seat, opposing)
    free = allowed_combos(state.deal.board)
    return state.payoffs()[seat] * unblocked_weights(opposing) * free


def checked_down(state: DealtState, seat: int, opposing: Floats) -> Floats:
    """(1326,): what each hand of a seat wins if nobody bets any more, summed over `opposing`."""
    node, board = state.node, state.deal.board
    beaten, tied, unblocked = showdown_sums(board, opposing)
    stake = node.spent[seat] / state.game.unit
    boards = comb(N_CARDS - len(board) - 4, _BOARD - len(board))
    return stake * (2 * beaten + tied - unblocked) / boards

"""The document's rules in small draw games, where an equilibrium is known exactly.

Two cards each from a deck of six, one card is drawn, one or two bets a round. Pairs beat high
cards. Classes and strengths are as the document has them: class 1 is best, the strength of class r
of n is 1 − r/n.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from itertools import combinations

import numpy as np

from pokerlab.cards.codes import format_cards
from pokerlab.games import BettingGame
from pokerlab.games.formats.toml_game import read_toml
from pokerlab.games.protocol import State
from pokerlab.games.showdown import SHOWDOWN_RULES
from pokerlab.games.state import HandState
from pokerlab.players.bots.draw.bot import position_factor
from pokerlab.solvers import Strategy
from pokerlab.trees import GameTree

Hand = tuple[int, ...]
Choose = Callable[[BettingGame, Hand], Hand]
"""The cards of a hand that are thrown away."""
GAMES = ("six_cards", "six_cards_two_bets")
"""The games of this study."""


def small_game(name: str) -> BettingGame:
    """One of `GAMES`.

    Examples
    --------
    >>> [len(small_game(name).deck) for name in GAMES]
    [6, 6]
    """
    text = (files("pokerlab.studies.draw") / f"{name}.toml").read_text("utf-8")
    return read_toml(text, name)


@lru_cache(maxsize=4096)
def hand_strength(game: BettingGame, hand: Hand) -> float:
    """1 − r/n for class r of n.

    Examples
    --------
    A pair of kings is the best of six classes, jack and queen the worst:

    >>> game = small_game("six_cards")
    >>> round(hand_strength(game, (44, 45)), 3), hand_strength(game, (36, 41))
    (0.833, 0.0)
    """
    order = _order(game)
    return 1.0 - (order.index(_value(game, hand)) + 1) / len(order)


@lru_cache(maxsize=16)
def _order(game: BettingGame) -> list[int]:
    """The values of all hands at showdown, the best first."""
    return sorted({_value(game, hand) for hand in combinations(game.deck, 2)}, reverse=True)


def _value(game: BettingGame, hand: Hand) -> int:
    return SHOWDOWN_RULES[game.showdown].strength(hand, ())


def ways_to_draw(game: BettingGame, hand: Hand) -> Iterator[Hand]:
    """All sets of cards that a hand may throw away, the smallest first."""
    most = max(street.draw for street in game.streets)
    for count in range(most + 1):
        yield from combinations(sorted(hand), count)


def results_of(game: BettingGame, hand: Hand, thrown: Hand, gone: Hand = ()) -> list[Hand]:
    """The hands that come of a draw, all equally likely; `gone` cannot be drawn."""
    kept = tuple(card for card in hand if card not in thrown)
    left = [card for card in game.deck if card not in hand and card not in gone]
    return [kept + drawn for drawn in combinations(left, len(thrown))]


@lru_cache(maxsize=4096)
def by_mean_class(game: BettingGame, hand: Hand) -> Hand:
    """The document's discard: the best mean strength, the fewest cards of equals."""

    def mean(thrown: Hand) -> float:
        return float(
            np.mean([hand_strength(game, each) for each in results_of(game, hand, thrown)])
        )

    return max(ways_to_draw(game, hand), key=lambda way: (round(mean(way), 12), -len(way)))


@lru_cache(maxsize=4096)
def by_chance_to_win(game: BettingGame, hand: Hand) -> Hand:
    """The discard that wins most often against an opponent who draws by mean class.

    The opponent has any two of the cards that the player does not see, and draws first.
    """

    def chance(thrown: Hand) -> float:
        won, count = 0.0, 0.0
        unseen = [card for card in game.deck if card not in hand]
        for other in combinations(unseen, 2):
            theirs = results_of(game, other, by_mean_class(game, other), hand)
            for ended in theirs:
                gone = tuple({*other, *ended})
                mine = results_of(game, hand, thrown, gone)
                value = _value(game, ended)
                for each in mine:
                    own = _value(game, each)
                    won += ((own > value) + (own == value) / 2) / len(theirs) / len(mine)
                count += 1 / len(theirs)
        return won / count

    return max(ways_to_draw(game, hand), key=lambda way: (round(chance(way), 12), -len(way)))


@dataclass(frozen=True)
class RuledDraws:
    """A draw game in which some seats throw their cards away by a rule.

    Examples
    --------
    Nothing is left to choose at the draw:

    >>> game = RuledDraws(small_game("six_cards"), (0,), by_mean_class)
    >>> state = game.start()
    >>> for action in ("JhKs", "QhQs", "c", "c"):
    ...     state = state.apply(action)
    >>> state.player, state.actions()
    (0, ('dJh',))
    """

    rules: BettingGame
    seats: tuple[int, ...]
    choose: Choose

    @property
    def name(self) -> str:
        """That of the game."""
        return self.rules.name

    @property
    def players(self) -> int:
        """How many seats it has."""
        return self.rules.players

    def start(self) -> RuledState:
        """The state before anything has happened."""
        return RuledState(self, self.rules.start())


@dataclass(frozen=True)
class RuledState:
    """A state of `RuledDraws`."""

    game: RuledDraws
    state: HandState

    @property
    def player(self) -> int:
        """As in the game itself."""
        return self.state.player

    def actions(self) -> Sequence[str]:
        """One discard where the rule holds; else as in the game itself."""
        state = self.state
        if state.player in self.game.seats and state.node.drawing:
            thrown = self.game.choose(self.game.rules, tuple(sorted(state.holes[state.player])))
            return ("d" + format_cards(thrown),)
        return state.actions()

    def chances(self) -> Sequence[float]:
        """As in the game itself."""
        return self.state.chances()

    def apply(self, action: str) -> RuledState:
        """The state after an action."""
        return RuledState(self.game, self.state.apply(action))

    def payoffs(self) -> Sequence[float]:
        """As in the game itself."""
        return self.state.payoffs()

    def seen_by(self, seat: int) -> str:
        """As in the game itself."""
        return self.state.seen_by(seat)

    def public(self) -> str:
        """As in the game itself."""
        return self.state.public()


def document_rule(tree: GameTree, base: float, choose: Choose = by_mean_class) -> Strategy:
    """The document's rule at every information set of a small game.

    It is ready to pay `base` times the strength of the hand (before the draw: of the best mean
    after it) times the factor of position. It bets or raises if the stake covers that, calls if it
    covers the call, else it folds.
    """
    choices: dict[str, dict[str, float]] = {}
    names = tree.infosets.names
    for node, state in tree.states():
        number = int(tree.infoset[node])
        if number >= 0 and names[number] not in choices:
            choices[names[number]] = {_decision(state, base, choose): 1.0}
    return Strategy.of(tree.infosets, choices)


def _decision(state: State, base: float, choose: Choose) -> str:
    assert isinstance(state, HandState) and isinstance(state.game, BettingGame)
    game, hand = state.game, tuple(sorted(state.holes[state.player]))
    thrown = choose(game, hand)
    if state.node.drawing:
        return "d" + format_cards(thrown)
    strength = hand_strength(game, hand)
    if state.street == 0:
        after = [
            hand_strength(game, each) for each in results_of(game, hand, by_mean_class(game, hand))
        ]
        strength = max(strength, float(np.mean(after)))
    is_last = state.node.to_call > 0 or state.player == 1
    stake = base * strength * position_factor(0 if is_last else 1)
    actions = state.actions()
    cost = state.node.to_call
    if "r" in actions and stake >= cost + game.streets[state.street].bet:
        return "r"
    return "c" if stake >= cost or "f" not in actions else "f"

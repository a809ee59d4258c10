"""Views of cards, counted one by one: games with one private card, such as Leduc.

The definition, card by card: boards that differ in suits alone are counted each by itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from pokerlab.cards.codes import to_cards
from pokerlab.games import BettingGame, Game, State
from pokerlab.games.showdown import SHOWDOWN_RULES

Label: TypeAlias = Hashable
Seen: TypeAlias = tuple[int, tuple[int, ...]]
"""A private card, and the public cards in their order."""


def card_views(game: BettingGame, *, view: bool) -> dict[Seen, Label]:
    """What is equal for identical hands, by hand and board of every street.

    On the last street it is the strength (half wins against all cards that the opponent can hold),
    in a view with the strengths of these cards; before, how often each of these comes.

    Examples
    --------
    All boards of Leduc have the same strengths, so the view tells nothing that strength does not.

    >>> from pokerlab.games import load_betting_game
    >>> leduc = load_betting_game("leduc")
    >>> [len(set(card_views(leduc, view=view).values())) for view in (False, True)]
    [6, 6]
    """
    deck, length = game.deck, game.board_cards[-1]
    strength = SHOWDOWN_RULES[game.showdown].strength
    found: dict[Seen, Label] = {}

    def label_all(board: tuple[int, ...]) -> None:
        left = [card for card in deck if card not in board]
        if len(board) < length:
            for card in left:
                label_all((*board, card))
            for hand in left:
                labels = [found[hand, (*board, card)] for card in left if card != hand]
                found[hand, board] = frozenset(Counter(labels).items())
            return
        ranks = {card: strength((card,), board) for card in left}
        halves = {
            hand: sum((ranks[hand] > other) + (ranks[hand] >= other) for other in ranks.values())
            - 1
            for hand in left
        }
        for hand in left:
            opposing = Counter(half for card, half in halves.items() if card != hand)
            label = halves[hand], frozenset(opposing.items())
            found[hand, board] = label if view else halves[hand]

    label_all(())
    return found


@dataclass(frozen=True)
class BlurredGame:
    """A game of one private card in which players see labels in place of cards.

    Attributes
    ----------
    game
        The game.
    look
        What a player sees of all that was seen by them so far, as text.
    """

    game: Game
    look: Callable[[str], str]

    @property
    def name(self) -> str:
        """The name of the game."""
        return f"{self.game.name}, blurred"

    @property
    def players(self) -> int:
        """How many seats it has."""
        return self.game.players

    def start(self) -> State:
        """The state before anything has happened."""
        return _BlurredState(self.game.start(), self.look)


@dataclass(frozen=True)
class _BlurredState:
    state: State
    look: Callable[[str], str]

    @property
    def player(self) -> int:
        return self.state.player

    def actions(self) -> Sequence[str]:
        return self.state.actions()

    def chances(self) -> Sequence[float]:
        return self.state.chances()

    def apply(self, action: str) -> State:
        return _BlurredState(self.state.apply(action), self.look)

    def payoffs(self) -> Sequence[float]:
        return self.state.payoffs()

    def seen_by(self, seat: int) -> str:
        return self.look(self.state.seen_by(seat))

    def public(self) -> str:
        return self.state.public()


def look_through(labels: dict[Seen, Label]) -> Callable[[str], str]:
    """What a player sees who remembers the labels of all streets: numbers in place of cards.

    Examples
    --------
    >>> from pokerlab.games import load_betting_game
    >>> look = look_through(card_views(load_betting_game("leduc"), view=True))
    >>> look("Ks:cc/Js:r") == look("Ks:cc/Qs:r"), look("Ks:cc/Js:r") == look("Ks:cc/Kh:r")
    (True, False)
    """
    numbers = {label: number for number, label in enumerate(dict.fromkeys(labels.values()))}

    def look(text: str) -> str:
        first, *streets = text.split("/")
        private, colon, betting = first.partition(":")
        if not private:
            return text  # no card was dealt yet
        (hand,) = to_cards(private)
        board: tuple[int, ...] = ()
        seen = [f"{numbers[labels[hand, board]]}{colon}{betting}"]
        for street in streets:
            cards, colon, betting = street.partition(":")
            board = (*board, *to_cards(cards))
            seen.append(f"{numbers[labels[hand, board]]}{colon}{betting}")
        return "/".join(seen)

    return look

"""`merge_suits`: a card game in which deals that differ by suits alone are one deal.

Suits have no order in poker. Renaming them turns a deal into another one with the same betting,
the same results and the same probability; where the showdown does not look at suits at all
(Leduc), so does exchanging any two cards of a rank. `SuitIsomorphic` deals one deal of each such
class, with the probability of the whole class: Leduc hold'em shrinks from 936 information sets
to 288. Nothing is lost.

Two standard forms are at work, and they must not be mixed up:

- Chance merges cards that a renaming turns into each other *without changing any card dealt
  before, to anybody*. That is a matter of the whole deal.
- What a seat has seen is written in the standard form of *the cards that the seat itself has seen*.
  A form of the whole deal would reveal hidden cards. Seat 0 holds Ks and seat 1 Qh: if seat 1
  saw that its queen is of the second suit, it would know that seat 0 has no heart.

So an information set of the merged game is a class of information sets of the game, and a
strategy for it is a strategy for the game that plays the same in all of a class. Some equilibrium
is of this kind: the mean of any one over all renamings. Against a strategy of this kind, no answer
is better than the best answer of this kind. Therefore the two games have the same value and such a
strategy has the same exploitability in both; and CFR, which begins with such a strategy and keeps
to them, goes through the same strategies in both.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, combinations
from typing import TypeAlias

from pokerlab.cards.codes import SUITS, format_cards
from pokerlab.cards.isomorphism.suits import canonical
from pokerlab.games.chance import ChanceState
from pokerlab.games.definition import BettingGame
from pokerlab.games.protocol import CHANCE, Game
from pokerlab.games.rules import GameRules
from pokerlab.games.showdown import SHOWDOWN_RULES

Cards: TypeAlias = tuple[int, ...]
Rounds: TypeAlias = tuple[Cards, ...]
"""Cards dealt together are a round: the order of rounds counts, the order inside one does not."""

_KEPT = 1 << 16
"""How many results are kept: the betting returns to the same cards again and again."""


def merge_suits(game: Game) -> SuitIsomorphic:
    """The same game, with deals that differ by suits alone merged into one.

    Any number of players, streets and cards; no draws, where players name the cards they throw
    away. Each state has as many outcomes of chance as there are classes of cards, with the
    probability of the class.

    Examples
    --------
    >>> from pokerlab.games import load_game
    >>> state = merge_suits(load_game("leduc")).start().apply("Ks")
    >>> state.actions(), state.chances()
    (('Js', 'Qs', 'Kh'), (0.4, 0.4, 0.2))

    Where flushes count, seat 1 may get the suit of seat 0 or another one; it sees no difference:

    >>> state = merge_suits(load_game("rhodeisland")).start().apply("Ks")
    >>> state.actions()[-5:], [round(51 * chance) for chance in state.chances()[-5:]]
    (('Qh', 'Qs', 'Kh', 'Ah', 'As'), [3, 1, 3, 3, 1])
    >>> state.apply("Qh").seen_by(1), state.apply("Qs").seen_by(1)
    ('Qs', 'Qs')
    """
    if not isinstance(game, BettingGame):
        raise ValueError(f"suits of {game.name} cannot be merged: it is not a card game")
    return SuitIsomorphic(game)


@dataclass(frozen=True)
class SuitIsomorphic:
    """A card game up to suits (see `merge_suits`).

    Attributes
    ----------
    game
        The game with all its deals.
    """

    game: BettingGame

    def __post_init__(self) -> None:
        for number, street in enumerate(self.game.streets):
            if street.up:
                raise ValueError(
                    f"suits of {self.game.name} cannot be merged: streets[{number}].up is"
                    f" {street.up}, and only games without up-cards can"
                )
            if street.draw:
                raise ValueError(
                    f"suits of {self.game.name} cannot be merged: streets[{number}].draw is"
                    f" {street.draw}, and only games without draws can (players name the cards"
                    " they throw away)"
                )

    @property
    def name(self) -> str:
        """The name of the game, with a note that suits are merged."""
        return f"{self.game.name} up to suits"

    @property
    def players(self) -> int:
        """How many seats it has."""
        return self.game.players

    def start(self) -> ChanceState:
        """The state before any card has been dealt."""
        return MergedState.first(self.game)


class MergedState(ChanceState):
    """A state of a hand in which chance offers one deal of each class.

    `apply` takes every card that may come, not only those that `actions` lists. So a hand can be
    replayed with the cards it was dealt, and `seen_by` then names the information set to look up.

    Examples
    --------
    >>> from pokerlab.games import load_game
    >>> state = merge_suits(load_game("rhodeisland")).start()
    >>> for action in ("9h", "Ac", "c", "c", "Kh"):
    ...     state = state.apply(action)
    >>> state.seen_by(0), state.seen_by(1), state.public()
    ('9s:cc/Ks', 'As:cc/Kh', ':cc/Ks')
    """

    __slots__ = ()

    def actions(self) -> Sequence[str]:
        """The legal actions, or the next cards, one set of each class."""
        return tuple(self._classes()) if self.player == CHANCE else super().actions()

    def chances(self) -> Sequence[float]:
        """The probability of each class of cards, at a chance node."""
        if self.player != CHANCE:
            return ()
        sizes = self._classes().values()
        return tuple(size / sum(sizes) for size in sizes)

    def _classes(self) -> Mapping[str, int]:
        _, choice, count = self._next_cards()
        return _classes(_rounds(self.game, self.holes, self.board), choice, count, self._rule())

    def _seen(self, seat: int | None) -> str:
        hand = () if seat is None else self.holes[seat]
        hand, board = _view(_rounds(self.game, [hand], self.board), self._rule())
        holes = self.holes if seat is None else (*self.holes[:seat], hand, *self.holes[seat + 1 :])
        return ChanceState._make(self.node, holes, board, (), self._pending)._seen(seat)

    def _rule(self) -> tuple[str, bool]:
        """The suits of the deck, and whether they count at the showdown."""
        game = self.game
        return game.suits, SHOWDOWN_RULES[game.showdown].suits


def _rounds(game: GameRules, hands: Sequence[Cards], board: Cards) -> Rounds:
    """The cards in the order of dealing: on each street those of each hand, then the board."""
    rounds: list[Cards] = []
    hole_before = board_before = 0
    for hole, public in zip(game.hole_cards, game.board_cards, strict=True):
        rounds += [hand[hole_before:hole] for hand in hands]
        rounds.append(board[board_before:public])
        hole_before, board_before = hole, public
    return tuple(rounds)


@lru_cache(_KEPT)
def _classes(rounds: Rounds, choice: Cards, count: int, rule: tuple[str, bool]) -> dict[str, int]:
    """The sets of `count` cards that may come, one of each class, and how many it stands for.

    Two sets are of a class where the deals that they lead to have the same standard form: then
    a renaming turns one into the other and leaves all rounds before as they are. The highest
    set stands for the class.
    """
    highest: dict[Rounds, Cards] = {}
    sizes: Counter[Rounds] = Counter()
    for cards in combinations(choice, count):
        form = _standard_form((*rounds, cards), *rule)
        highest[form] = cards
        sizes[form] += 1
    return {format_cards(highest[form]): size for form, size in sizes.items()}


@lru_cache(_KEPT)
def _view(rounds: Rounds, rule: tuple[str, bool]) -> tuple[Cards, Cards]:
    """The hand and the board of a seat that has seen `rounds`, in standard form."""
    form = _standard_form(rounds, *rule)
    return tuple(chain(*form[::2])), tuple(chain(*form[1::2]))


def _standard_form(rounds: Rounds, suits: str, suits_count: bool) -> Rounds:
    """Rename the suits of a deck so that the cards are as high as can be, the first ones first.

    Later cards do not change the form of earlier ones: they only decide between suits
    that were equal until then. So what a seat has seen grows along a path, as it must.
    """
    deck = [SUITS.index(suit) for suit in reversed(suits)]
    if suits_count:
        name = dict(zip(reversed(range(len(SUITS))), deck, strict=False))
        return tuple(
            tuple(card & ~3 | name[card & 3] for card in cards)
            for cards in canonical(*rounds).rounds
        )
    # Each rank has a renaming of its own: its cards become those of the highest suits in turn.
    seen: Counter[int] = Counter()
    form = []
    for cards in rounds:
        renamed = []
        for rank in sorted((card >> 2 for card in cards), reverse=True):
            renamed.append(4 * rank + deck[seen[rank]])
            seen[rank] += 1
        form.append(tuple(renamed))
    return tuple(form)

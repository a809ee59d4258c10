"""Small games without cards: matrix games and written-out trees.

Players who choose at the same time are modelled as choosing one after the other without seeing
what came before. The games of the catalogue are at the end.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TypeAlias

from pokerlab.games.protocol import TERMINAL


@dataclass(frozen=True)
class MatrixGame:
    """A game in which each player chooses once, without seeing the others' choices.

    Attributes
    ----------
    name, description
        As in the catalogue.
    moves
        What each seat may choose.
    table
        The payoffs for every combination of moves.

    Examples
    --------
    >>> state = PENNIES.start()
    >>> state.actions(), state.apply("heads").seen_by(1), state.apply("heads").seen_by(0)
    (('heads', 'tails'), '', 'heads')
    >>> state.apply("heads").apply("tails").payoffs()
    (-1.0, 1.0)
    """

    name: str
    description: str
    moves: tuple[tuple[str, ...], ...]
    table: Mapping[tuple[str, ...], tuple[float, ...]]

    def __repr__(self) -> str:
        return f"<MatrixGame {self.name}: {self.players} players>"

    def __post_init__(self) -> None:
        for played in product(*self.moves):
            if len(self.table.get(played, ())) != len(self.moves):
                raise ValueError(
                    f"{self.name}: table: {played} needs {len(self.moves)} payoffs, one a player"
                )

    @property
    def players(self) -> int:
        """How many seats it has."""
        return len(self.moves)

    def start(self) -> MatrixState:
        """The state before anybody has chosen."""
        return MatrixState(self, ())


@dataclass(frozen=True)
class MatrixState:
    """Some of the players have chosen."""

    game: MatrixGame
    played: tuple[str, ...]

    @property
    def player(self) -> int:
        """The seat that chooses, or `TERMINAL`."""
        return len(self.played) if len(self.played) < self.game.players else TERMINAL

    def actions(self) -> Sequence[str]:
        """The player's choices."""
        return self.game.moves[self.player] if self.player >= 0 else ()

    def chances(self) -> Sequence[float]:
        """Nothing: there is no chance in these games."""
        return ()

    def apply(self, action: str) -> MatrixState:
        """The state after a choice."""
        if action not in self.actions():
            raise _illegal(action, self.actions())
        return MatrixState(self.game, (*self.played, action))

    def payoffs(self) -> tuple[float, ...]:
        """The payoff of each seat."""
        if self.player != TERMINAL:
            raise ValueError(f"{self.game.name} is not over: seat {self.player} has not chosen")
        return self.game.table[self.played]

    def seen_by(self, seat: int) -> str:
        """A player's own choice."""
        return self.played[seat] if seat < len(self.played) else ""

    def public(self) -> str:
        """Nothing: all choices are hidden."""
        return ""


@dataclass(frozen=True)
class Choice:
    """A decision in a written-out game.

    Attributes
    ----------
    player
        The seat that decides.
    moves
        What follows each move: another decision, or the payoffs.
    shown
        What the others see of a move, if that is not the move itself.
    """

    player: int
    moves: Mapping[str, Choice | tuple[float, ...]]
    shown: Mapping[str, str] | None = None


Node: TypeAlias = "Choice | tuple[float, ...]"


@dataclass(frozen=True)
class WrittenGame:
    """A game given by its tree.

    Attributes
    ----------
    name, description
        As in the catalogue.
    players
        How many seats it has.
    root
        The first decision.

    Examples
    --------
    >>> state = SEMINAR2.start().apply("X")
    >>> state.player, state.seen_by(1), SEMINAR2.start().apply("Y").seen_by(1)
    (1, 'X or Y', 'X or Y')
    """

    name: str
    description: str
    players: int
    root: Choice

    def __repr__(self) -> str:
        return f"<WrittenGame {self.name}: {self.players} players>"

    def start(self) -> WrittenState:
        """The state before anybody has moved."""
        return WrittenState(self, self.root, ("",) * self.players, "")


@dataclass(frozen=True)
class WrittenState:
    """A node of a written-out tree, and what each seat knows of the way there."""

    game: WrittenGame
    node: Node
    known: tuple[str, ...]
    shown: str

    @property
    def player(self) -> int:
        """The seat that decides, or `TERMINAL`."""
        return self.node.player if isinstance(self.node, Choice) else TERMINAL

    def actions(self) -> Sequence[str]:
        """The moves of the player."""
        return tuple(self.node.moves) if isinstance(self.node, Choice) else ()

    def chances(self) -> Sequence[float]:
        """Nothing: there is no chance in these games."""
        return ()

    def apply(self, action: str) -> WrittenState:
        """The state after a move."""
        if not isinstance(self.node, Choice) or action not in self.node.moves:
            raise _illegal(action, self.actions())
        sign = (self.node.shown or {}).get(action, action)
        known = tuple(
            _joined(text, action if seat == self.node.player else sign)
            for seat, text in enumerate(self.known)
        )
        return WrittenState(self.game, self.node.moves[action], known, _joined(self.shown, sign))

    def payoffs(self) -> tuple[float, ...]:
        """The payoff of each seat."""
        if isinstance(self.node, Choice):
            raise ValueError(f"{self.game.name} is not over: seat {self.player} has not moved")
        return self.node

    def seen_by(self, seat: int) -> str:
        """The own moves, and the visible moves of others."""
        return self.known[seat]

    def public(self) -> str:
        """The moves as far as they show."""
        return self.shown


def _joined(text: str, more: str) -> str:
    return f"{text}, {more}" if text else more


def _illegal(action: str, legal: Sequence[str]) -> ValueError:
    return ValueError(
        f"illegal action {action!r}: " + (" or ".join(legal) if legal else "the game is over")
    )


def _duel(name: str, description: str, beats: Mapping[str, str]) -> MatrixGame:
    """A game for two in which some moves beat others, for 1 chip: ``beats`` lists victims."""
    moves = tuple(beats)
    table: dict[tuple[str, ...], tuple[float, ...]] = {
        (mine, theirs): (float(result), float(-result))
        for mine in moves
        for theirs in moves
        for result in [(theirs in beats[mine].split()) - (mine in beats[theirs].split())]
    }
    return MatrixGame(name, description, (moves, moves), table)


RPS = _duel(
    "rps",
    "Rock, paper, scissors",
    {"rock": "scissors", "paper": "rock", "scissors": "paper"},
)

DYNAMITE = _duel(
    "rps.dynamite",
    "Rock, paper, scissors and dynamite, which beats one and loses to two: a dominated error",
    {
        "rock": "scissors",
        "paper": "rock dynamite",
        "scissors": "paper dynamite",
        "dynamite": "rock",
    },
)

_COIN = ("heads", "tails")

PENNIES = MatrixGame(
    "pennies",
    "Matching pennies: seat 0 wins when both show the same side",
    (_COIN, _COIN),
    {
        (first, second): (1.0, -1.0) if first == second else (-1.0, 1.0)
        for first, second in product(_COIN, _COIN)
    },
)

COINS = MatrixGame(
    "coins.3p",
    "Three coins: the two others share the chip of the odd one out",
    (_COIN,) * 3,
    {
        shown: tuple(
            0.0 if len(set(shown)) == 1 else -1.0 if shown.count(side) == 1 else 0.5
            for side in shown
        )
        for shown in product(_COIN, repeat=3)
    },
)

SEMINAR1 = WrittenGame(
    "seminar1",
    "The seminar's example 1: X or Y, then w or x, y or z; perfect information",
    2,
    Choice(
        0,
        {
            "X": Choice(1, {"w": (2.0, 1.0), "x": (0.0, 0.0)}),
            "Y": Choice(1, {"y": (1.0, 2.0), "z": (0.0, 0.0)}),
        },
    ),
)
"""The seminar names the moves and the pure equilibria (X,wy), (X,wz), (Y,xy) and leaves the
payoffs to a figure. These, a textbook's battle of the sexes with the second player informed,
have exactly these equilibria; the last rests on the empty threat to answer X by x."""

SEMINAR2 = WrittenGame(
    "seminar2",
    "The seminar's example 2: the second player cannot tell X from Y, but sees Z",
    2,
    Choice(
        0,
        {
            "X": Choice(1, {"x": (3.0, 1.0), "y": (0.0, 0.0)}),
            "Y": Choice(1, {"x": (0.0, 0.0), "y": (1.0, 3.0)}),
            "Z": Choice(1, {"w": (2.0, 2.0), "z": (0.0, 0.0)}),
        },
        shown={"X": "X or Y", "Y": "X or Y"},
    ),
)
"""The seminar gives moves and information sets, not payoffs; these are the textbook's outside
option before a battle of the sexes. Pure equilibria: (X,xw), (X,xz), (Y,yz), (Z,yw)."""

THEORY_GAMES: dict[str, MatrixGame | WrittenGame] = {
    game.name: game for game in (RPS, DYNAMITE, PENNIES, COINS, SEMINAR1, SEMINAR2)
}
"""The games of the catalogue that are not poker."""

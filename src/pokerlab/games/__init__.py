"""The rules: game definitions (data files), one betting state machine, showdown.

`load_game` takes a name of the catalogue (`game_names`), a TOML file or an ACPC ``.game`` file.
A game is something with a name, seats and a first `State`; trees and solvers ask for no more
(see `protocol`). `merge_suits` makes deals that differ by suits alone one deal. There are two ways
to add a game.

A poker game is a file (see `toml_file` for its form, `definition` for every field)::

    description = "Leduc hold'em with three suits"
    players = 2
    betting = "limit"
    ranks = "JQK"
    suits = "dhs"
    showdown = "kinds"
    ante = 1

    [[streets]]
    hole = 1
    bet = 2
    max_raises = 2

    [[streets]]
    board = 1
    bet = 4
    max_raises = 2

Any other game is a class. Here two players hide 1 to 3 fingers, and the second wins if the sum
is even; the second chooses last, but must not know what the first chose:

>>> from dataclasses import dataclass
>>> from pokerlab.games import TERMINAL, Game
>>> @dataclass(frozen=True)
... class Morra:
...     hidden: tuple[int, ...] = ()
...     name = "morra"
...     players = 2
...
...     def start(self):
...         return self
...
...     @property
...     def player(self):
...         return len(self.hidden) if len(self.hidden) < 2 else TERMINAL
...
...     def actions(self):
...         return ("1", "2", "3") if self.player >= 0 else ()
...
...     def chances(self):
...         return ()
...
...     def apply(self, action):
...         if action not in self.actions():
...             raise ValueError(f"illegal action {action!r}")
...         return Morra((*self.hidden, int(action)))
...
...     def payoffs(self):
...         return (-1.0, 1.0) if sum(self.hidden) % 2 == 0 else (1.0, -1.0)
...
...     def seen_by(self, seat):
...         return str(self.hidden[seat]) if seat < len(self.hidden) else ""
...
...     def public(self):
...         return ""
>>> isinstance(Morra(), Game), Morra().start().apply("1").apply("3").payoffs()
(True, (-1.0, 1.0))
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pokerlab.lazy import lazy_names

if TYPE_CHECKING:
    from pokerlab.games.acpc_file import read_acpc, write_acpc
    from pokerlab.games.betting import Betting, split_betting
    from pokerlab.games.chance import ChanceState
    from pokerlab.games.deal import Deal
    from pokerlab.games.dealt import DealtState
    from pokerlab.games.definition import BettingGame, Street
    from pokerlab.games.loading import game_names, load_betting_game, load_game
    from pokerlab.games.match_state import MatchState, format_match_state, parse_match_state
    from pokerlab.games.protocol import CHANCE, TERMINAL, Game, State
    from pokerlab.games.showdown import SHOWDOWN_RULES, ShowdownRule
    from pokerlab.games.state import HandState
    from pokerlab.games.suit_isomorphic import SuitIsomorphic, merge_suits
    from pokerlab.games.theory import Choice, MatrixGame, WrittenGame
    from pokerlab.games.toml_file import read_toml, write_toml

__all__ = [
    "CHANCE",
    "SHOWDOWN_RULES",
    "TERMINAL",
    "Betting",
    "BettingGame",
    "ChanceState",
    "Choice",
    "Deal",
    "DealtState",
    "Game",
    "HandState",
    "MatchState",
    "MatrixGame",
    "ShowdownRule",
    "State",
    "Street",
    "SuitIsomorphic",
    "WrittenGame",
    "format_match_state",
    "game_names",
    "load_betting_game",
    "load_game",
    "merge_suits",
    "parse_match_state",
    "read_acpc",
    "read_toml",
    "split_betting",
    "write_acpc",
    "write_toml",
]

__getattr__ = lazy_names(
    __name__,
    {
        "acpc_file": ["read_acpc", "write_acpc"],
        "betting": ["Betting", "split_betting"],
        "chance": ["ChanceState"],
        "deal": ["Deal"],
        "dealt": ["DealtState"],
        "definition": ["BettingGame", "Street"],
        "loading": ["game_names", "load_betting_game", "load_game"],
        "match_state": ["MatchState", "format_match_state", "parse_match_state"],
        "protocol": ["CHANCE", "TERMINAL", "Game", "State"],
        "showdown": ["SHOWDOWN_RULES", "ShowdownRule"],
        "state": ["HandState"],
        "suit_isomorphic": ["SuitIsomorphic", "merge_suits"],
        "theory": ["Choice", "MatrixGame", "WrittenGame"],
        "toml_file": ["read_toml", "write_toml"],
    },
)

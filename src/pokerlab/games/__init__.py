"""The rules: game definitions (data files), one betting state machine, showdown.

`load_game` takes a name of the catalogue (`game_names`), a TOML file or an ACPC ``.game`` file.
A game is something with a name, seats and a first `State`; trees and solvers ask for no more
(see `protocol`). `merge_suits` makes deals that differ by suits alone one deal. There are two ways
to add a game.

A poker game is a file (see `formats.toml_game` for its form, `definition` for every field)::

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

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

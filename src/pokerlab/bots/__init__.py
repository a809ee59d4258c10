"""Players: each is a policy from what a seat can see to an action.

A player is a `Bot`: write `act`, and it can sit at any table of the arena. `make_bot` makes one
from its name (`bot_names` lists them), `my_bot.py:Simple` being the name of your own::

    from pokerlab.bots import Bot

    class Simple(Bot):
        def act(self, view):
            high, low = sorted((card // 4 for card in view.holes[view.player]), reverse=True)
            if high == low or high == 12:
                return "r" if "r" in view.actions() else "c"
            return "f" if view.to_call else "c"

It plays with ``pokerlab match holdem.limit.2p my_bot.py:Simple caller --hands 10000``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pokerlab.lazy import lazy_names

if TYPE_CHECKING:
    from pokerlab.bots.bot import Bot, PolicyBot
    from pokerlab.bots.catalogue import bot_names, make_bot
    from pokerlab.bots.discards import Discard, best_discard, rank_discards
    from pokerlab.bots.draw import DrawBot
    from pokerlab.bots.fair import FairBot
    from pokerlab.bots.montecarlo import MonteCarloBot
    from pokerlab.bots.parrot import ParrotBot
    from pokerlab.bots.process import ProcessBot
    from pokerlab.bots.simple import Caller, Folder, FoldToRaise, Raiser, RandomBot
    from pokerlab.bots.strategy_bot import StrategyBot

__all__ = [
    "Bot",
    "Caller",
    "Discard",
    "DrawBot",
    "FairBot",
    "FoldToRaise",
    "Folder",
    "MonteCarloBot",
    "ParrotBot",
    "PolicyBot",
    "ProcessBot",
    "Raiser",
    "RandomBot",
    "StrategyBot",
    "best_discard",
    "bot_names",
    "make_bot",
    "rank_discards",
]

__getattr__ = lazy_names(
    __name__,
    {
        "bot": ["Bot", "PolicyBot"],
        "catalogue": ["bot_names", "make_bot"],
        "discards": ["Discard", "best_discard", "rank_discards"],
        "draw": ["DrawBot"],
        "fair": ["FairBot"],
        "montecarlo": ["MonteCarloBot"],
        "parrot": ["ParrotBot"],
        "process": ["ProcessBot"],
        "simple": ["Caller", "FoldToRaise", "Folder", "Raiser", "RandomBot"],
        "strategy_bot": ["StrategyBot"],
    },
)

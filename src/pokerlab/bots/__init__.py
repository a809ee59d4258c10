"""Players: each is a policy from what a seat can see to an action.

A player is a `Bot`: write `act`, and it can sit at any table of the arena.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pokerlab.lazy import lazy_names

if TYPE_CHECKING:
    from pokerlab.bots.bot import Bot, PolicyBot
    from pokerlab.bots.simple import Caller, Folder, FoldToRaise, Raiser, RandomBot

__all__ = ["Bot", "Caller", "FoldToRaise", "Folder", "PolicyBot", "Raiser", "RandomBot"]

__getattr__ = lazy_names(
    __name__,
    {
        "bot": ["Bot", "PolicyBot"],
        "simple": ["Caller", "FoldToRaise", "Folder", "Raiser", "RandomBot"],
    },
)

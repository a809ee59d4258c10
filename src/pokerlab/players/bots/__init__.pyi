from .bot import Bot, PolicyBot
from .cases import CaseBot
from .catalogue import bot_aliases, bot_names, make_bot
from .draw.bot import DrawBot
from .draw.discards import Discard, best_discard, rank_discards
from .exploiter.bot import ExploiterBot
from .external.process import ProcessBot
from .fair import FairBot
from .hand_strategy import HandStrategy, private_hands
from .montecarlo.bot import MonteCarloBot
from .nolimit.bot import NolimitBot
from .parrot import ParrotBot
from .simple import Caller, Folder, FoldToRaise, Raiser, RandomBot
from .stitched import StitchedBot
from .strategy_bot import StrategyBot

__all__ = [
    "Bot",
    "Caller",
    "CaseBot",
    "Discard",
    "DrawBot",
    "ExploiterBot",
    "FairBot",
    "FoldToRaise",
    "Folder",
    "HandStrategy",
    "MonteCarloBot",
    "NolimitBot",
    "ParrotBot",
    "PolicyBot",
    "ProcessBot",
    "Raiser",
    "RandomBot",
    "StitchedBot",
    "StrategyBot",
    "best_discard",
    "bot_aliases",
    "bot_names",
    "make_bot",
    "private_hands",
    "rank_discards",
]

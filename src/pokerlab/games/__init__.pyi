from .betting import Betting, split_betting
from .chance import ChanceState
from .deal import Deal
from .dealt import DealtState
from .definition import BettingGame
from .formats.acpc_game import read_acpc, write_acpc
from .formats.match_state import MatchState, format_match_state, parse_match_state
from .formats.toml_game import read_toml, write_toml
from .loading import game_names, load_betting_game, load_game
from .protocol import CHANCE, TERMINAL, Game, State
from .rules import Street
from .showdown import SHOWDOWN_RULES, ShowdownRule
from .state import HandState
from .suit_isomorphic import SuitIsomorphic, merge_suits
from .theory import Choice, MatrixGame, WrittenGame

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

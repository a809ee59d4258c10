from .board_hands.draws import DRAWS, draws
from .board_hands.hand_filter import filter_hands
from .board_hands.made_hands import MADE_HANDS, made_hands
from .codes import COMBO_CARDS, combo_cards, combo_index, format_cards, parse_card, parse_cards
from .equities.equity import Equity, equity
from .equities.strength import RiverDistribution, hand_strength, river_distribution
from .evaluator.evaluation import evaluate, evaluate_batch, evaluate_cards
from .evaluator.hand_names import category, hand_name
from .flops import Flop, all_flops, parse_flops
from .isomorphism.hand_index import HandIndexer
from .isomorphism.suits import board_orbits, canonical, card_classes, permute_combos, symmetries
from .ranges.range import Range
from .textures import Texture, TextureFilter, texture

__all__ = [
    "COMBO_CARDS",
    "DRAWS",
    "MADE_HANDS",
    "Equity",
    "Flop",
    "HandIndexer",
    "Range",
    "RiverDistribution",
    "Texture",
    "TextureFilter",
    "all_flops",
    "board_orbits",
    "canonical",
    "card_classes",
    "category",
    "combo_cards",
    "combo_index",
    "draws",
    "equity",
    "evaluate",
    "evaluate_batch",
    "evaluate_cards",
    "filter_hands",
    "format_cards",
    "hand_name",
    "hand_strength",
    "made_hands",
    "parse_card",
    "parse_cards",
    "parse_flops",
    "permute_combos",
    "river_distribution",
    "symmetries",
    "texture",
]

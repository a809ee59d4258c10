"""What a deck is: card and combo codes, the evaluator, ranges, equity, suit isomorphism.

Cards are numbers 0 (2c) to 51 (As), two-card hands are numbers 0 to 1325, hands are classes
1 (royal flush) to 7462 (seven high). Text such as ``"AsKd"`` is taken wherever cards are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pokerlab.lazy import lazy_names

if TYPE_CHECKING:
    from pokerlab.cards.codes import (
        COMBO_CARDS,
        combo_cards,
        combo_index,
        format_cards,
        parse_card,
        parse_cards,
    )
    from pokerlab.cards.equities import Equity, equity
    from pokerlab.cards.evaluator import evaluate, evaluate_batch, evaluate_cards
    from pokerlab.cards.hand_index import HandIndexer
    from pokerlab.cards.hand_names import category, hand_name
    from pokerlab.cards.isomorphism import (
        board_orbits,
        canonical,
        card_classes,
        permute_combos,
        symmetries,
    )
    from pokerlab.cards.ranges import Range
    from pokerlab.cards.strength import RiverDistribution, hand_strength, river_distribution

__all__ = [
    "COMBO_CARDS",
    "Equity",
    "HandIndexer",
    "Range",
    "RiverDistribution",
    "board_orbits",
    "canonical",
    "card_classes",
    "category",
    "combo_cards",
    "combo_index",
    "equity",
    "evaluate",
    "evaluate_batch",
    "evaluate_cards",
    "format_cards",
    "hand_name",
    "hand_strength",
    "parse_card",
    "parse_cards",
    "permute_combos",
    "river_distribution",
    "symmetries",
]

__getattr__ = lazy_names(
    __name__,
    {
        "codes": [
            "COMBO_CARDS",
            "combo_cards",
            "combo_index",
            "format_cards",
            "parse_card",
            "parse_cards",
        ],
        "equities": ["Equity", "equity"],
        "evaluator": ["evaluate", "evaluate_batch", "evaluate_cards"],
        "hand_names": ["category", "hand_name"],
        "hand_index": ["HandIndexer"],
        "isomorphism": [
            "board_orbits",
            "canonical",
            "card_classes",
            "permute_combos",
            "symmetries",
        ],
        "ranges": ["Range"],
        "strength": ["RiverDistribution", "hand_strength", "river_distribution"],
    },
)

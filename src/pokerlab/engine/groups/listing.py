"""Which hands of a board go together, as people would write them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pokerlab.cards.codes import COMBO_CARDS, Cards, format_cards
from pokerlab.cards.equities.strength import hand_strength
from pokerlab.cards.hand_classes import CLASS_NAMES, CLASS_OF_COMBO
from pokerlab.cards.ranges.range import RangeLike
from pokerlab.cards.ranges.writer import range_text
from pokerlab.engine.groups.counting import group_board, possible_weights
from pokerlab.engine.groups.finding import find_groups
from pokerlab.engine.groups.hand_grouping import HandGrouping
from pokerlab.runtime.arrays import Bools, Indices


@dataclass(frozen=True, eq=False)
class HandGroup:
    """Hands of a board that go together.

    Attributes
    ----------
    combos
        Their numbers.
    strength
        Their mean strength against all opposing hands, from 0 to 1.
    text
        Their names: classes and spans such as ``AKo`` or ``K2+`` where all combos that the board
        and the range leave belong to the group, single combos otherwise.
    """

    combos: tuple[int, ...]
    strength: float
    text: str


def list_groups(
    board: Cards,
    measure: str = "view",
    identity: str = "river",
    *,
    hands: RangeLike = "random",
    opponent: RangeLike = "random",
    threads: int | None = None,
) -> list[HandGroup]:
    """List the groups of identical hands of a board, the strongest first.

    Examples
    --------
    >>> for group in list_groups("AhAsAcAd2h", "rank")[:3]:
    ...     print(f"{group.strength:.1%} {len(group.combos)} {group.text}")
    93.6% 178 KK, K2+
    77.0% 162 QQ, Q2+
    62.0% 146 JJ, J2+
    """
    grouping = HandGrouping.of(measure, identity)
    cards = group_board(board)
    own, other = possible_weights(hands, cards), possible_weights(opponent, cards)
    boards = [np.array([cards], np.uint8)]
    ((group_of, _),) = find_groups(grouping, boards, (own, other), threads)
    strengths = hand_strength(cards)
    groups = []
    for number in range(int(group_of.max()) + 1):
        combos = np.flatnonzero(group_of[0] == number)
        strength = float(strengths[combos].mean())
        groups.append(HandGroup(tuple(combos.tolist()), strength, _names(combos, own > 0)))
    return sorted(groups, key=lambda group: (-group.strength, -max(group.combos)))


def _names(combos: Indices, chosen: Bools) -> str:
    """Classes that are complete, in spans, then single combos; the highest cards first."""
    in_group = np.bincount(CLASS_OF_COMBO[combos], minlength=len(CLASS_NAMES))
    in_all = np.bincount(CLASS_OF_COMBO[chosen], minlength=len(CLASS_NAMES))
    complete = (in_group > 0) & (in_group == in_all)
    spans = range_text(complete[CLASS_OF_COMBO].astype(np.float64))
    single = [
        format_cards(COMBO_CARDS[combo].tolist())
        for combo in combos[::-1]
        if not complete[CLASS_OF_COMBO[combo]]
    ]
    return ", ".join([*filter(None, spans.split(",")), *single])

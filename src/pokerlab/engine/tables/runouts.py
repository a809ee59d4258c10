"""From the cards of a line to the board that was solved for them, and back.

A board stands for all boards that suit permutations make of it. A line names real cards; the
strategy for them is that of the representative board, with the suits of the hands renamed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pokerlab.cards.codes import N_COMBOS, format_cards
from pokerlab.cards.isomorphism.card_maps import combo_images, to_card_map
from pokerlab.engine.tables.boards import Boards
from pokerlab.runtime.arrays import Indices


@dataclass(frozen=True, eq=False)
class RunOut:
    """A real board of a street, and the board that stands for it.

    Attributes
    ----------
    cards
        The real cards, all of them.
    number
        The representative board's number among those of its street.
    level
        Streets after the first of the spot.
    image
        For each combo on the representative board, the real combo.
    """

    cards: tuple[int, ...]
    number: int
    level: int
    image: Indices

    def combos(self, boards: Boards, player: int) -> Indices:
        """The real combos of a player in the order in which the board keeps them; −1: none."""
        hands = boards.tables[self.level].hands[player]
        order = hands.order[hands.first[self.number] : hands.first[self.number + 1]]
        kept = boards.combos[player]
        known = order < len(kept)
        found = np.full(len(order), -1, np.intp)
        found[known] = self.image[kept[order[known]]]
        return found


def find_run_out(boards: Boards, cards: Sequence[int]) -> list[RunOut]:
    """The boards on the way of some cards that come, the spot's own board first."""
    known = tuple(int(card) for card in boards.cards[0][0])
    run_outs = [RunOut(known, 0, 0, np.arange(N_COMBOS))]
    carry: Indices | None = None  # from the representative board to the real one, suits or cards
    for card in cards:
        above = run_outs[-1]
        if card in above.cards:
            raise ValueError(
                f"the card {format_cards([card])} lies on the board {format_cards(above.cards)}"
            )
        # The real card as the representative board above would have it.
        representative = card
        if carry is not None:
            representative = int(np.argsort(to_card_map(carry))[card])
        tables = boards.tables[above.level]
        children = range(tables.child_first[above.number], tables.child_first[above.number + 1])
        for number in children:
            found = boards.classes[above.level + 1][number]
            if found is not None and representative in found.members:
                carried = np.asarray(found.permutations)[list(found.members).index(representative)]
                carry = carried if carry is None else carry[carried]
                run_outs.append(
                    RunOut(
                        (*above.cards, card),
                        number,
                        above.level + 1,
                        combo_images(carry),
                    )
                )
                break
    return run_outs

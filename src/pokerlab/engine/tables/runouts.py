"""From the cards of a line to the board that was solved for them, and back.

A board stands for all boards that suit permutations make of it. A line names real cards; the
strategy for them is that of the representative board, with the suits of the hands renamed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pokerlab.cards.codes import N_CARDS, N_COMBOS, format_cards
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
    card_image
        For each card on the representative board, the real card.
    """

    cards: tuple[int, ...]
    number: int
    level: int
    card_image: Indices

    @cached_property
    def image(self) -> Indices:
        """For each combo on the representative board, the real combo."""
        return combo_images(self.card_image)

    def combos(self, boards: Boards, player: int) -> Indices:
        """The real combos of a player in the order in which the board keeps them; −1: none."""
        hands = boards.tables[self.level].hands[player]
        order = hands.order[hands.first[self.number] : hands.first[self.number + 1]]
        kept = boards.combos[player]
        known = order < len(kept)
        found = np.full(len(order), -1, np.intp)
        found[known] = self.image[kept[order[known]]]
        return found


def board_combos(boards: Boards, player: int, level: int, number: int) -> Indices:
    """The combos of a player in the order in which a representative board keeps them; −1: none."""
    return RunOut((), number, level, np.arange(N_CARDS)).combos(boards, player)


def places(combos: Indices) -> Indices:
    """(1327,): where each combo stands in a row of them; −1: nowhere, also for the combo −1.

    Examples
    --------
    >>> places(np.array([5, 7, -1, -1]))[[7, 3, 5, -1]]
    array([ 1, -1,  0, -1])
    """
    found = np.full(N_COMBOS + 1, -1, np.intp)
    known = np.flatnonzero(combos >= 0)
    found[combos[known]] = known
    return found


def find_run_out(boards: Boards, cards: Sequence[int]) -> list[RunOut]:
    """The boards on the way of some cards that come, the spot's own board first.

    `ValueError` for a card that lies on the board or was left out.
    """
    if len(cards) >= len(boards.cards):
        raise ValueError(f"{len(cards)} cards come after a board that has room for fewer")
    run_outs = find_solved(boards, cards)
    if len(run_outs) <= len(cards):
        last, card = run_outs[-1], cards[len(run_outs) - 1]
        solved = sorted(following_cards(boards, last), reverse=True)
        raise ValueError(
            f"the card {format_cards([card])} was left out of this solve; after "
            f"{format_cards(last.cards)} it has {format_cards(solved, separator=' ')}"
        )
    return run_outs


def find_solved(boards: Boards, cards: Sequence[int]) -> list[RunOut]:
    """As `find_run_out`, up to the first card that was left out of a subset."""
    known = tuple(int(card) for card in boards.cards[0][0])
    run_outs = [RunOut(known, 0, 0, np.arange(N_CARDS))]
    for card in cards:
        above = run_outs[-1]
        if card in above.cards:
            raise ValueError(
                f"the card {format_cards([card])} lies on the board {format_cards(above.cards)}"
            )
        found = next((each for come, each in _following(boards, above) if come == card), None)
        if found is None:
            break
        number, carried = found
        image = above.card_image[to_card_map(carried)]
        run_outs.append(RunOut((*above.cards, card), number, above.level + 1, image))
    return run_outs


def following_cards(boards: Boards, run_out: RunOut) -> dict[int, float]:
    """The real cards that may come after a board, and how many cards each stands for.

    All that may come, with 1, unless the solve leaves some out.
    """
    weights = boards.board_weights[run_out.level + 1]
    return {
        card: 1.0 if weights is None else float(weights[number])
        for card, (number, _) in _following(boards, run_out)
    }


def _following(boards: Boards, above: RunOut) -> Iterator[tuple[int, tuple[int, Indices]]]:
    """The real cards after a board; for each its board and what carries cards to it."""
    tables = boards.tables[above.level]
    for number in range(tables.child_first[above.number], tables.child_first[above.number + 1]):
        found = boards.classes[above.level + 1][number]
        if found is not None:
            for member, carried in zip(found.members, np.asarray(found.permutations), strict=True):
                yield int(above.card_image[member]), (number, carried)

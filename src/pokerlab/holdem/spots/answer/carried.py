"""Strategies carried to other boards of the same betting: more hands, other suits, another flop."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pokerlab.cards.codes import N_CARDS
from pokerlab.cards.isomorphism.card_maps import combo_images
from pokerlab.engine.tables.boards import Boards
from pokerlab.engine.tables.layout import StrategyLayout
from pokerlab.engine.tables.runouts import board_combos, find_run_out, places
from pokerlab.engine.walker import Probabilities
from pokerlab.holdem.spots.prepared import PreparedSpot
from pokerlab.runtime.arrays import Halves


def carry_strategies(
    boards: Boards,
    layout: StrategyLayout,
    strategies: Probabilities,
    prepared: PreparedSpot,
    cards: Sequence[int] = range(N_CARDS),
) -> Probabilities:
    """Strategies on some boards, on those of a spot with the same betting tree.

    Hands that the boards do not have take all actions equally. `cards` has for each of the 52 cards
    the one that it stands for there; hands that are not there are looked up by their own cards.
    """
    card, images = np.array(cards), combo_images(cards)
    known_cards = len(prepared.spot.board)
    found: list[tuple[Halves, Halves]] = []
    for level, dealt in enumerate(prepared.boards.cards):
        pair = [np.zeros(prepared.layout.at(level, player).size, np.float16) for player in (0, 1)]
        for number, board in enumerate(dealt):
            coming = card[board[known_cards:].astype(np.intp)].tolist()
            run_out = find_run_out(boards, coming)[-1]
            for player, array in enumerate(pair):
                combos = board_combos(prepared.boards, player, level, number)
                known = np.flatnonzero(combos >= 0)
                own = combos[known]
                there = places(run_out.combos(boards, player))
                place = np.where(there[images[own]] >= 0, there[images[own]], there[own])
                own_layout = prepared.layout.at(level, player)
                rows = layout.at(level, player).board(strategies[level][player], run_out.number)
                actions = own_layout.own_actions
                to = own_layout.board(array, number)
                to[:, known] = np.repeat(1 / actions, actions)[:, None]
                to[:, known[place >= 0]] = rows[:, place[place >= 0]]
        found.append((pair[0], pair[1]))
    return tuple(found)

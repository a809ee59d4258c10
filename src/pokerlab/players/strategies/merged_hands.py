"""A hand of a real deck in the game up to suits: the state that names its information set."""

from __future__ import annotations

from collections.abc import Sequence

from pokerlab.cards.codes import format_cards
from pokerlab.games import CHANCE, Betting, SuitIsomorphic, split_betting
from pokerlab.games.state import HandState


def merged_state(
    merged: SuitIsomorphic, node: Betting, hole: Sequence[int], board: Sequence[int]
) -> HandState:
    """The state at a betting node whose player holds `hole`; others get what is left.

    The others' cards do not matter to what the player sees.

    Examples
    --------
    >>> from pokerlab.cards.codes import parse_cards
    >>> from pokerlab.games import load_betting_game, merge_suits
    >>> leduc = load_betting_game("leduc")
    >>> node = leduc.replay("cc/c").node
    >>> merged_state(merge_suits(leduc), node, parse_cards("Kh"), parse_cards("Ks")).seen_by(1)
    'Ks:cc/Kh:c'
    """
    game = merged.game
    own, public = list(hole), list(board)
    left = [card for card in game.deck if card not in own and card not in public]
    actions = split_betting(node.text)
    state: HandState = merged.start()
    receivers: list[list[int]] = []
    while state.player == CHANCE or actions:
        if state.player != CHANCE:
            state = state.apply(actions.pop(0))
            continue
        rules = game.streets[state.street]
        if not receivers and rules.hole:
            receivers = [own if seat == node.player else left for seat in state.node.live]
        count = rules.hole if receivers else rules.board
        source = receivers.pop(0) if receivers else public
        state = state.apply(format_cards(sorted(source[:count])))
        del source[:count]
    return state

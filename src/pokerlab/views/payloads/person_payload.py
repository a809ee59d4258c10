"""A table with a person as plain data, for JSON: from this a page draws all of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pokerlab.arena.hands import PlayedHand
from pokerlab.arena.person_table import PersonTable
from pokerlab.arena.person_words import (
    action_sentence,
    chips_text,
    describe_hand,
    read_action,
    street_base,
    street_name,
)
from pokerlab.cards.codes import format_cards
from pokerlab.games import TERMINAL, BettingGame, DealtState

_SHARES = ("50%", "75%", "pot")
_LAST_HANDS = 50
_DIGITS = 9


def table_data(table: PersonTable) -> dict[str, Any]:
    """The current hand, the person's legal actions, and the hands before.

    Examples
    --------
    >>> from pokerlab.players.bots import Caller
    >>> from pokerlab.games import load_game
    >>> table = PersonTable(load_game("leduc"), [Caller()], ["caller"], seed=1)
    >>> table.deal()
    >>> found = table_data(table)
    >>> [choice["words"] for choice in found["decision"]["choices"]]
    ['Check', 'Bet 2']
    >>> [seat["name"] for seat in found["seats"]], found["seats"][1]["cards"]
    (['you', 'caller'], '')
    """
    state = table.view
    game, unit = table.game, table.game.unit
    order = [(table.position + step) % game.players for step in range(game.players)]
    over = state.player == TERMINAL
    last = table.hands[-1] if over else None
    return {
        "game": game.name,
        "description": game.description,
        "number": len(table.hands) + (not over),
        "hands": len(table.hands),
        "betting": state.betting,
        "scores": dict(zip(table.names, table.scores, strict=True)),
        "board": format_cards(state.board),
        "board_cards": game.board_cards[-1],
        "pot": state.pot / unit,
        "street": street_name(game, state.street),
        "seats": [_seat(table, state, position, last) for position in order],
        "events": list(_events(table, state)),
        "decision": _decision(state) if table.waiting else None,
        "result": None if last is None else _result(table, last),
        "last_hands": [hand_row(table, hand) for hand in table.hands[: -_LAST_HANDS - 1 : -1]],
    }


def _seat(
    table: PersonTable, state: DealtState, position: int, last: PlayedHand | None
) -> dict[str, Any]:
    game, unit = table.game, table.game.unit
    hole = state.holes[position]
    shown = last is not None and len(state.node.live) > 1 and not state.folded[position]
    base = street_base(state.node)
    return {
        "name": table.names[table.at_table[position]],
        "position": position,
        "cards": format_cards(hole),
        "hidden": 0 if hole else game.hole_cards[state.street],
        "stack": state.stacks[position] / unit if game.stacks else None,
        "bet": 0.0 if last is not None else max(state.spent[position] - base, 0) / unit,
        "folded": state.folded[position],
        "active": last is None and state.player == position,
        "dealer": position == game.players - 1,
        "worth": describe_hand(game, hole, state.board) if shown else "",
        "won": last is not None and last.payoffs[position] > 0,
    }


def _events(table: PersonTable, state: DealtState) -> Iterator[dict[str, Any]]:
    """Actions, and the cards of the board where they come."""
    game, lying = table.game, 0
    for node, action in state.node.path():
        yield from _board_event(game, state, node.street, lying)
        lying = max(lying, game.board_cards[node.street])
        player = table.at_table[node.player]
        words = action_sentence(node, action, second_person=player == 0)
        yield {"who": table.names[player], "words": words, "street": node.street}
    yield from _board_event(game, state, state.street, lying)


def _board_event(
    game: BettingGame, state: DealtState, street: int, lying: int
) -> Iterator[dict[str, Any]]:
    count = game.board_cards[street]
    if lying < count <= len(state.board):
        cards = format_cards(state.board[lying:count])
        yield {"who": "board", "text": cards, "words": street_name(game, street), "street": street}


def _decision(state: DealtState) -> dict[str, Any]:
    """The person's choices as `read_action` takes them, and the bounds of a size."""
    node, unit = state.node, state.game.unit
    if node.drawing:
        most = state.game.streets[state.street].draw
        return {"drawing": True, "most": most, "choices": [], "sizes": None}
    price = chips_text(node, node.to_call)
    choices = [{"answer": "f", "words": "Fold", "kind": "f"}] if node.to_call else []
    words = f"Call {price}" if node.to_call else "Check"
    choices.append({"answer": "c", "words": words, "kind": "c"})
    bounds = state.raise_bounds()
    if bounds is None:
        return {"drawing": False, "most": 0, "choices": choices, "sizes": None}
    base = street_base(node)
    what = "Raise to" if node.price > base else "Bet"
    low, high = ((bound - base) / unit for bound in bounds)
    if state.game.betting == "limit":
        choices.append({"answer": "r", "words": f"{what} {low:,.12g}", "kind": "r"})
        return {"drawing": False, "most": 0, "choices": choices, "sizes": None}
    sizes: dict[int, str] = {}
    for answer in _SHARES:
        sizes.setdefault(int(read_action(state, answer)[1:]), answer)

    def share(total: int) -> str:
        # As everywhere: the chips beyond a call, of the pot after calling.
        return f"{(total - node.price) / (state.pot + node.to_call):.0%} of the pot"

    for total, answer in sizes.items():
        if total < bounds[1]:
            words = f"{what} {(total - base) / unit:,.12g}"
            choices.append({"answer": answer, "words": words, "kind": "r", "help": share(total)})
    words = f"All-in {high:,.12g}"
    choices.append({"answer": "a", "words": words, "kind": "a", "help": share(bounds[1])})
    step = 1 / unit if unit > 1 else 1
    return {
        "drawing": False,
        "most": 0,
        "choices": choices,
        "sizes": {"low": low, "high": high, "what": what, "step": step},
    }


def _result(table: PersonTable, hand: PlayedHand) -> dict[str, Any]:
    won = round(table.won(hand)[hand.players.index("you")], _DIGITS)
    words = "You win" if won > 0 else "You lose" if won < 0 else "Nothing won or lost"
    return {
        "won": won,
        "words": words if won == 0 else f"{words} {abs(won):,.10g}",
        "faults": [
            f"{hand.players[fault.position]} made a fault: {fault.why}" for fault in hand.faults
        ],
    }


def hand_row(table: PersonTable, hand: PlayedHand) -> dict[str, Any]:
    """A finished hand, for a list: everybody's cards, and the winnings."""
    final = hand.final
    return {
        "number": hand.number + 1,
        "position": hand.players.index("you"),
        "cards": {
            name: format_cards(hole) for name, hole in zip(hand.players, final.holes, strict=True)
        },
        "folded": [name for name, gone in zip(hand.players, final.folded, strict=True) if gone],
        "board": format_cards(final.board),
        "betting": hand.betting,
        "won": table.won(hand)[hand.players.index("you")],
    }

"""A hand of a history for people: in words, and step by step for a table that plays it again."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pokerlab.arena.logs.history_hand import CALL, RAISE, UNKNOWN_STACK, HandMove, HistoryHand
from pokerlab.runtime.errors import one_line

STREETS = ("before the flop", "flop", "turn", "river")


def move_words(hand: HistoryHand, move: HandMove) -> str:
    """A decision in words: `raises 75% of the pot`."""
    what = ("folds", "calls" if move.owed else "checks", "raises" if move.owed else "bets")
    words = what[move.kind]
    if move.kind == CALL and move.owed:
        words += f" {move.owed / hand.record.unit:g}"
    elif move.kind == RAISE:
        words += f" {100 * move.share:.0f}% of the pot"
    return words


def outcome_words(hand: HistoryHand) -> str:
    """Who won what, as far as it is known."""
    payoffs = hand.payoffs
    if payoffs is None:
        return "nobody knows who won"
    results = zip(hand.players, payoffs, strict=True)
    won = [f"{one_line(name, 40)} {each:+.6g}" for name, each in results if abs(each) > 1e-9]
    return ", ".join(won) or "the pot is split, nobody wins"


def hand_words(hand: HistoryHand) -> Iterator[str]:
    """A hand in words, a line for each player and each decision.

    Examples
    --------
    >>> from pokerlab.arena.logs.following import follow
    >>> from pokerlab.arena.logs.history_hand import HistoryRecord
    >>> record = HistoryRecord(
    ...     False, 1, (0, 0), (1, 2), (200, 200), 2, ["d dh p2 AsKd", "p2 f"], ("ann", "bob")
    ... )
    >>> list(hand_words(follow(record)))
    ['BB   ann  ????  200 chips', 'SB   bob  AsKd  200 chips', 'bob folds', 'ann +1, bob -1']
    """
    unit, places = hand.record.unit, hand.positions
    names = [one_line(name, 40) for name in hand.players]
    for seat, name in enumerate(names):
        stack = hand.record.stacks[seat]
        chips = "stack not known" if stack == UNKNOWN_STACK else f"{stack / unit:g} chips"
        yield f"{places[seat]:<5}{name}  {hand.holes[seat] or '????'}  {chips}"
    street, shown = 0, 0
    for move in hand.moves:
        if move.street != street:
            street = move.street
            yield f"{STREETS[street]} {hand.board[shown : 4 + 2 * street]}"
            shown = 4 + 2 * street
        yield f"{names[move.seat]} {move_words(hand, move)}"
    if shown < len(hand.board):
        yield f"run-out {hand.board[shown:]}"
    yield outcome_words(hand)


def history_hand_data(hand: HistoryHand) -> dict[str, Any]:
    """A hand for a page: its players, and what lies on the table after each step.

    Examples
    --------
    >>> from pokerlab.arena.logs.following import follow
    >>> from pokerlab.arena.logs.history_hand import HistoryRecord
    >>> acts = ["p2 cc", "p1 cc", "d db QhJh2c", "p1 cbr 4", "p2 f"]
    >>> record = HistoryRecord(False, 1, (0, 0), (1, 2), (200, 200), 2, acts, ("ann", "bob"))
    >>> data = history_hand_data(follow(record))
    >>> [(step["words"], step["pot"], step["bets"]) for step in data["steps"]][-3:]
    [('flop', 4.0, [0.0, 0.0]), ('ann bets 100% of the pot', 8.0, [4.0, 0.0]), \
('bob folds', 8.0, [4.0, 0.0])]
    """
    unit, names = hand.record.unit, hand.players
    payoffs = hand.payoffs
    small, big = hand.blinds
    stacks = hand.record.stacks
    spent, before = list(hand.posted), hand.record.dead
    folded = [False] * len(spent)
    steps: list[dict[str, Any]] = []

    def show(words: str, street: int, seat: int | None = None, move: int | None = None) -> None:
        steps.append(
            {
                "words": words,
                "street": street,
                "seat": seat,
                "move": move,
                "board": hand.board[: 2 * street + 4] if street else "",
                "pot": sum(spent) / unit,
                "bets": [(now - then) / unit for now, then in zip(spent, before, strict=True)],
                "stacks": [
                    None if stack == UNKNOWN_STACK else (stack - gone) / unit
                    for stack, gone in zip(stacks, spent, strict=True)
                ],
                "folded": list(folded),
            }
        )

    show("blinds", 0)
    street = 0
    for number, move in enumerate(hand.moves):
        if move.street != street:
            street, before = move.street, list(spent)
            show(STREETS[street], street)
        spent[move.seat] = move.to
        folded[move.seat] = move.kind == 0
        words = f"{names[move.seat]} {move_words(hand, move)}"
        show(words, street, move.seat, number)
    last = max(len(hand.board) // 2 - 2, 0)
    if last > street:
        before = list(spent)
        show("run-out", last)
    return {
        "number": hand.record.number,
        "blinds": f"{small:g}/{big:g}",
        "big_blind": hand.big_blind,
        "limit": hand.record.limit,
        "board": hand.board,
        "pot": hand.pot,
        "players": [
            {
                "name": name,
                "position": hand.positions[seat],
                "cards": hand.holes[seat],
                "stack": None if stacks[seat] == UNKNOWN_STACK else stacks[seat] / unit,
                "won": None if payoffs is None else payoffs[seat],
            }
            for seat, name in enumerate(names)
        ],
        "steps": steps,
        "outcome": outcome_words(hand),
    }

"""Endgames of Libratus as spots: the text files on which papers on CFR compare their rules.

Such a file (``.libratus``) has four lines::

    -round 4                       3 for the turn, 4 for the river
    -board 4s8hTc9h2s
    -pot 500
    -reach 0.0 0.7437517 …         of 1,326 hands out of position, then of those in position

Hands stand in the order 2s2h, 2s2d, 2s2c, 2s3s, …, AdAc. The program played with stacks of 20,000;
bet sizes are not in the file: the spot has the usual ones, or those that are given.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any, Final

from pokerlab.cards.codes import RANKS, format_cards, to_cards

SUFFIX: Final = ".libratus"
STACK: Final = 20_000
"""What both players begin a hand with."""
BIG_BLIND: Final = 100
_CARDS = tuple(rank + suit for rank in RANKS for suit in "shdc")
_HANDS = tuple(first + second for first, second in combinations(_CARDS, 2))
_BOARDS = {"3": 4, "4": 5}
_FIELDS = ("round", "board", "pot", "reach")


def endgame_fields(text: str) -> dict[str, Any]:
    r"""The fields of a spot; weights are relative to the likeliest hand of the player.

    Examples
    --------
    >>> reach = ["0"] * 2652
    >>> reach[0], reach[1326], reach[2651] = "0.5", "1e-3", "2e-3"
    >>> lines = "-round 4", "-board 4s8hTc9h3s", "-pot 500", f"-reach {' '.join(reach)}"
    >>> fields = endgame_fields("\n".join(lines))
    >>> fields["oop"], fields["ip"], fields["stack"]
    ('2s2h:1', '2s2h:0.5, AdAc:1', 19750.0)
    """
    found = {}
    for line in filter(None, map(str.strip, text.splitlines())):
        name, _, value = line.partition(" ")
        if name.removeprefix("-") not in _FIELDS or not name.startswith("-"):
            raise ValueError(f"{name[:20]!r} is no line of an endgame (-{', -'.join(_FIELDS)})")
        if name[1:] in found:
            raise ValueError(f"the line {name} stands twice")
        found[name[1:]] = value.strip()
    for name in _FIELDS:
        if name not in found:
            raise ValueError(f"the line -{name} is missing")
    if found["round"] not in _BOARDS:
        raise ValueError(f"-round {found['round'][:20]} must be 3 (turn) or 4 (river)")
    board = format_cards(to_cards(found["board"]))
    if len(board) != 2 * _BOARDS[found["round"]]:
        cards = _BOARDS[found["round"]]
        raise ValueError(f"-board {board[:20]} must have {cards} cards in round {found['round']}")
    pot = _number(found["pot"], "-pot")
    if not 0 < pot < 2 * STACK:
        raise ValueError(f"-pot {pot:g} must be above 0 and below {2 * STACK:,}, both stacks")
    reach = [_number(each, "-reach") for each in found["reach"].split()]
    if len(reach) != 2 * len(_HANDS):
        raise ValueError(f"-reach must have {2 * len(_HANDS):,} numbers, not {len(reach):,}")
    dealt = {board[place : place + 2] for place in range(0, len(board), 2)}
    first, second = (
        _range(reach[start : start + len(_HANDS)], dealt) for start in (0, len(_HANDS))
    )
    return {
        "board": board,
        "oop": first,
        "ip": second,
        "pot": pot,
        "stack": STACK - pot / 2,
        "big_blind": BIG_BLIND,
    }


def _range(reach: list[float], dealt: set[str]) -> str:
    held = {
        hand: weight
        for hand, weight in zip(_HANDS, reach, strict=True)
        if weight > 0 and dealt.isdisjoint((hand[:2], hand[2:]))
    }
    most = max(held.values(), default=0.0)
    if most == 0.0:
        raise ValueError("-reach: a player has no hand")
    return ", ".join(f"{hand}:{weight / most:.9g}" for hand, weight in held.items())


def _number(text: str, name: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value < 1e9:
        raise ValueError(f"{name} {text[:20]!r} must be a number of 0 or more")
    return value

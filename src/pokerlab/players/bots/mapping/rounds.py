"""Betting rounds of three players as rounds of two: the table of the mapping HBB1.

A round is text of ``f``, ``c`` and ``r``. The table holds every round that three players begin
and at least two of them are left in, under way or over, with at most four raises: 370. Folds
where checking is free are among them, though our games do not allow these.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations

MAX_RAISES = 4


@cache
def betting_rounds(players: int) -> dict[str, bool]:
    """Every round that `players` begin and two or more are left in, and whether it is over.

    Examples
    --------
    >>> rounds = betting_rounds(2)
    >>> len(rounds), rounds["cr"], rounds["crc"]
    (19, False, True)
    """
    found: dict[str, bool] = {}

    def walk(text: str, to_act: tuple[int, ...], live: tuple[int, ...], raises: int) -> None:
        found[text] = not to_act
        if not to_act:
            return
        seat, after = to_act[0], to_act[1:]
        walk(text + "c", after, live, raises)
        if raises < MAX_RAISES:
            place = live.index(seat)
            walk(text + "r", live[place + 1 :] + live[:place], live, raises + 1)
        if len(live) > 2:
            walk(text + "f", after, tuple(other for other in live if other != seat), raises)

    everybody = tuple(range(players))
    walk("", everybody, everybody, 0)
    return found


@cache
def round_table() -> dict[str, str]:
    """The round of two players for every round of three: all 370.

    As few actions as possible are deleted. Where several deletions are as short, the one that
    begins earliest in the round is taken, as in the thesis's program.

    Examples
    --------
    >>> table = round_table()
    >>> len(table), table["rfc"], table["ccr"]
    (370, 'rc', 'cr')
    """
    return {text: _shortened(text, over) for text, over in betting_rounds(3).items()}


def map_round(actions: str, players: int) -> str:
    """The round of two players for a round that `players` (2 or 3) began.

    Examples
    --------
    >>> map_round("rfc", 3), map_round("crrc", 2), map_round("", 2)
    ('rc', 'crrc', '')
    >>> map_round("ff", 3)
    Traceback (most recent call last):
    ValueError: no mapping of the betting round 'ff' of 3 players: two must be left in it, after
    at most 4 raises
    """
    rounds = {2: {text: text for text in betting_rounds(2)}, 3: round_table()}.get(players)
    if rounds is None:
        raise ValueError(f"no mapping of betting rounds of {players} players (2 or 3)")
    if actions not in rounds:
        raise ValueError(
            f"no mapping of the betting round {actions[:40]!r} of {players} players: two must be"
            f" left in it, after at most {MAX_RAISES} raises"
        )
    return rounds[actions]


def _shortened(text: str, over: bool) -> str:
    two_players = betting_rounds(2)
    for deletions in range(len(text) + 1):
        for deleted in combinations(range(len(text)), deletions):
            left = "".join(action for place, action in enumerate(text) if place not in deleted)
            if two_players.get(left) == over:
                return left
    raise AssertionError(f"{text!r} does not become a round of two players")

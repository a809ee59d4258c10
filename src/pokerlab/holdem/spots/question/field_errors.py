"""What is wrong with a spot, field by field: for forms that show every fault at once.

`Spot` ends at the first fault. `check_fields` goes on: a field that is wrong is left out, or a
plain value stands in for it, so that the others can be judged. The texts are those of `Spot`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from pokerlab.games.betting_trees.menus import PLAYERS, STREETS, Menus
from pokerlab.holdem.spots.question.preflop_ranges import fill_from_story
from pokerlab.holdem.spots.question.spot import REQUIRED_FIELDS, SPOT_FIELDS, Spot
from pokerlab.holdem.spots.question.spot_file import place_range_files

_STAND_INS = {"board": "2c7dJh4sKc", "oop": "any", "ip": "any", "pot": 100, "stack": 100}
_STORY = ("preflop", "ranges")
_MENUS = ("bet", "raise", "donk")
_FIRST = ("big_blind", "smallest_chip", "board", "oop", "ip", "pot", "stack", "aggressor")
"""What other fields are judged by."""
_PRIZES = ("payouts", "others", "bounty", "progressive")
"""What is judged together: the number of prizes and bounties by the number of stacks."""
_LAST = ("added", "removed", "locks")
"""What can only be judged once all other fields are good."""


class CheckedFields(NamedTuple):
    """The spot, or why there is none."""

    spot: Spot | None
    errors: dict[str, str]
    """By field. A fault of one menu stands under ``bet.flop.oop``, that of a line under ``added.0``
    or ``locks.LINE``, one of no field under ``spot``."""
    missing: tuple[str, ...] = ()
    """Those of them that every spot needs and that are not given."""


def check_fields(fields: Mapping[str, Any], *, beside: Path | None = None) -> CheckedFields:
    """Make a spot of its fields, named as in a file, or say what is wrong with each of them.

    Parameters
    ----------
    fields
        As for `Spot.from_fields`; one that is None counts as left out.
    beside
        The folder in which names of range files are looked up; by default the current one.

    Examples
    --------
    >>> checked = check_fields({"board": "Td9d", "oop": "66+", "pot": -1, "stack": 900,
    ...                         "bet": {"flop": {"oop": "33", "ip": "33%"}, "turn": "a"}})
    >>> list(checked.errors), checked.missing
    (['ip', 'board', 'pot', 'bet.flop.oop'], ('ip',))
    >>> checked.errors["board"]
    "'Td9d' has 2 cards; a board has 3 (flop), 4 (turn) or 5 (river)"
    """
    given = {name: value for name, value in fields.items() if value is not None}
    placed = given if beside is None else place_range_files(given, beside)
    try:
        return CheckedFields(Spot.from_fields(placed), {})
    except ValueError as error:
        faults = _Faults()
        found = faults.find(placed)
        return CheckedFields(None, found or {"spot": str(error)}, tuple(faults.missing))


class _Faults:
    """Fields are tried one after the other on a spot that is good without them."""

    def __init__(self) -> None:
        self.base: dict[str, Any] = dict(_STAND_INS)
        self.errors: dict[str, str] = {}
        self.missing: list[str] = []

    def find(self, given: Mapping[str, Any]) -> dict[str, str]:
        filled = self.filled(given)
        names = [*(name for name in _FIRST if name in filled), *filled]
        self.take_prizes({name: filled.pop(name) for name in _PRIZES if name in filled})
        for name in dict.fromkeys(names):
            if (
                name not in filled
                or name in _LAST
                or (name in _MENUS and not self.menus_are_good(name, filled[name]))
            ):
                continue
            self.accepts(name, filled[name])
        for name in _LAST if not self.errors else ():
            if isinstance(filled.get(name), list | dict):
                self.try_parts(name, filled[name])
            elif name in filled:
                self.accepts(name, filled[name])
        if "board" in self.errors:  # what the stand-in takes away is no fault of a range
            for name in PLAYERS:
                if "a card of the board" in self.errors.get(name, ""):
                    del self.errors[name]
        return self.errors

    def filled(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """The fields with those that follow from the story; what is missing is noted."""
        told = not given.keys().isdisjoint(_STORY)
        try:
            filled = fill_from_story(given)
        except ValueError as error:
            self.note(error, "preflop")
            filled = {name: value for name, value in given.items() if name not in _STORY}
        for name, accepted in REQUIRED_FIELDS.items():
            if name not in filled and (name == "board" or not told):
                self.errors[name] = f"missing ({accepted})"
                self.missing.append(name)
        return filled

    def take_prizes(self, given: dict[str, Any]) -> None:
        """Take payouts, other stacks and bounties over if they are good together."""
        try:
            Spot.from_fields({**_STAND_INS, **given})
        except ValueError as error:
            self.note(error, "payouts")
        else:
            self.base |= given

    def menus_are_good(self, kind: str, value: object) -> bool:
        """Whether each menu of a table by street and player can be read."""
        good = True
        for key, cell in _cells(value):
            try:
                Menus.of(kind, cell)
            except ValueError as error:
                self.note(error, kind, f"{kind}.{key}")
                good = False
        return good

    def try_parts(self, name: str, value: list[Any] | dict[str, Any]) -> None:
        """Lines and locks one by one; a line may need another one that follows."""
        kind = type(value)
        waiting: dict[Any, Any] = dict(value if isinstance(value, dict) else enumerate(value))
        good: dict[Any, Any] = {}
        found = True
        while waiting and found:
            found = False
            for key, part in list(waiting.items()):
                tried = {**good, key: part}
                whole = tried if kind is dict else [tried[each] for each in sorted(tried)]
                self.errors.pop(f"{name}.{key}", None)
                if self.accepts(name, whole, f"{name}.{key}"):
                    good[key] = waiting.pop(key)
                    found = True

    def accepts(self, name: str, value: object, key: str = "") -> bool:
        """Take a field over if there is a spot with it; otherwise note why there is none."""
        try:
            Spot.from_fields({**self.base, name: value})
        except ValueError as error:
            self.note(error, name, key)
            return False
        if name in SPOT_FIELDS:
            self.base[name] = value
        return True

    def note(self, error: ValueError, name: str, key: str = "") -> None:
        """Put the text of an error under the fields that it names, or under the key."""
        opening, _, text = str(error).partition(": ")
        named = opening.split(", ")
        if not all(each in SPOT_FIELDS or each in _STORY or each == name for each in named):
            named, text = [name if name in SPOT_FIELDS else "spot"], str(error)
        for each in [key] if key else named:
            self.errors.setdefault(each, text)


def _cells(value: object) -> Iterator[tuple[str, dict[str, Any]]]:
    """The menus of a table by street, or by street and player."""
    if not isinstance(value, dict):
        return
    for street in STREETS:
        cell = value.get(street)
        if isinstance(cell, str):
            yield street, {street: cell}
        elif isinstance(cell, dict):
            for player in PLAYERS:
                if isinstance(cell.get(player), str):
                    yield f"{street}.{player}", {street: {player: cell[player]}}

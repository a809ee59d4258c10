"""`Gadget`: what the hands of a player were worth before a spot, for which they may stop.

A spot that is solved by itself forgets how it was reached: its answer may be weak against hands
that the opponent's range does not hold, and an opponent who knows it comes with those. A gadget
says for each hand of one player what it was worth in the solve before; see
`pokerlab.solvers.resolving.kinds` for what each kind makes of it.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

import pokerlab
from pokerlab.cards.codes import COMBO_CARDS, N_COMBOS, Cards, combo_cards, format_cards, to_cards
from pokerlab.cards.isomorphism.suits import symmetries
from pokerlab.cards.ranges.range import Range, RangeLike
from pokerlab.engine.locks import parse_locks
from pokerlab.games.betting_trees.chips import read_amount
from pokerlab.games.betting_trees.lines import LineLike
from pokerlab.games.betting_trees.menus import PLAYERS
from pokerlab.holdem.spots.question.spot import Spot
from pokerlab.holdem.spots.question.spot_values import read_range, read_share
from pokerlab.runtime.arrays import Bools, Floats
from pokerlab.runtime.errors import damage_named, shorten
from pokerlab.runtime.files.hashes import digest
from pokerlab.runtime.files.reader import read_checked
from pokerlab.runtime.files.tensor_files import write_hashed
from pokerlab.runtime.shown import function_named
from pokerlab.solvers.resolving.kinds import REACH, check_kind

GADGET_FORMAT = "pokerlab gadget 1"
DEFAULT_KIND = "combined"
VALUES = ("response", "average")
"""What a hand was worth: to a best response, or to the average strategy."""

_LARGEST = 1e9
"""Chips; a pot has no more."""


@dataclass(frozen=True, eq=False, init=False)
class Gadget:
    """The choice that a player has at the root of a spot, hand by hand.

    Parameters
    ----------
    player
        Whose hands may stop, ``"oop"`` or ``"ip"`` (or 0, 1): the opponent of the one whose
        strategy is wanted.
    values
        (1326,): the chips that each hand takes from the pot on average if it stops. Every hand that
        the board allows needs one, hands outside of the range too; others may be NaN.
    prior
        The range of the player, which replaces that of the spot; None: that of the spot.
    kind
        ``unsafe``, ``resolve``, ``maxmargin`` or ``combined``, each with ``reach-`` before it.
    gifts
        (1326,): the chips that each hand gave away on the way to the spot, for ``reach-``.
    reach
        The part of the gifts that is added to the values with ``reach-``, from 0 to 1.
    board, pot
        Those of the spot that the values are of, if they are known: another spot is then refused.

    Examples
    --------
    >>> from pokerlab.holdem.spots import Spot, solve_spot
    >>> spot = Spot("QhJh2c4d7h", "AA, KQs, JTs", "QQ, AJs, T9s", pot=100, stack=80)
    >>> solution = solve_spot(spot, gadget=Gadget("ip", np.full(1326, 60.0), kind="maxmargin"))
    >>> round(solution.margin.chips)  # some hand always takes the whole pot
    -40
    """

    player: int
    values: Floats
    prior: Range | None = None
    kind: str = DEFAULT_KIND
    gifts: Floats | None = None
    reach: float = 0.5
    board: tuple[int, ...] | None = None
    pot: float | None = None

    def __init__(
        self,
        player: int | str,
        values: npt.ArrayLike,
        prior: RangeLike | None = None,
        kind: str = DEFAULT_KIND,
        gifts: npt.ArrayLike | None = None,
        reach: float = 0.5,
        board: Cards | None = None,
        pot: float | None = None,
    ) -> None:
        check_kind(kind)
        read = {
            "player": read_gadget_player(player),
            "values": _read_chips("values", values),
            "prior": None if prior is None else read_range("gadget: prior", prior),
            "kind": kind,
            "gifts": None if gifts is None else _read_chips("gifts", gifts),
            "reach": read_share("gadget: reach", reach, most=1.0),
            "board": None if board is None else to_cards(board),
            "pot": None if pot is None else read_amount("gadget: pot", pot, above=True),
        }
        for name, value in read.items():
            object.__setattr__(self, name, value)
        if kind.startswith(REACH) and gifts is None:
            raise ValueError(
                f"gadget: {kind} needs gifts, which this one does not have; take {self.plain_kind}"
            )

    @property
    def plain_kind(self) -> str:
        """The kind without ``reach-``."""
        return check_kind(self.kind)

    @property
    def worth(self) -> Floats:
        """(1326,): what each hand gets if it stops, gifts included where they count."""
        if self.gifts is None or not self.kind.startswith(REACH):
            return self.values
        return self.values + self.reach * self.gifts

    @property
    def everyone(self) -> tuple[int, ...]:
        """The player who may come with every hand; nobody in ``unsafe``, which is a plain solve."""
        return () if self.plain_kind == "unsafe" else (self.player,)

    @property
    def alike(self) -> Floats | None:
        """(1, 1326): what suit permutations must keep if boards are to be merged."""
        return np.nan_to_num(self.worth)[None] if self.everyone else None

    def keeps_suits(self, board: tuple[int, ...]) -> bool:
        """Whether the values are the same under all suit permutations that keep a board."""
        return self.alike is None or len(symmetries(board, self.alike)) == len(symmetries(board))

    def with_kind(self, kind: str) -> Gadget:
        """The same values for another kind."""
        return dataclasses.replace(self, kind=kind)

    def pose(self, spot: Spot) -> Spot:
        """The spot with the prior as the player's range; `ValueError` if this does not fit it."""
        if self.prior is not None:
            spot = self._with_range(spot, self.prior)
        if self.board is not None and set(self.board) != set(spot.board):
            raise ValueError(
                f"gadget: it is of the board {format_cards(self.board)}, "
                f"not of {format_cards(spot.board)}"
            )
        if self.pot is not None and abs(self.pot - spot.pot) > 1e-9 * spot.pot:
            raise ValueError(f"gadget: it is of a pot of {self.pot:g} chips, not of {spot.pot:g}")
        missing = np.flatnonzero(allowed_combos(spot.board) & ~np.isfinite(self.worth))
        if len(missing):
            hand = format_cards(combo_cards(int(missing[0])))
            raise ValueError(
                f"gadget: {len(missing)} hands that the board allows have no value, the first is"
                f" {hand}"
            )
        spot.check_pays_chips("a gadget")
        if spot.rake:
            raise ValueError(
                "gadget: the spot has a rake; values before and after can be compared only without"
            )
        own = [
            lock.line
            for lock in parse_locks(spot, spot.locks)
            if spot.tree.streets[lock.level].player[lock.node] == self.player
        ]
        if own:
            raise ValueError(
                f"gadget: {PLAYERS[self.player]} is locked at {own[0]!r}; only decisions of"
                f" {PLAYERS[1 - self.player]} may be locked"
            )
        return spot

    def widen(self, spot: Spot) -> Spot:
        """The spot with the hands that a solve has, which cost as much whatever their weights."""
        spot = self.pose(spot)
        if not self.everyone:
            return spot
        return self._with_range(spot, Range("random"))

    def _with_range(self, spot: Spot, hands: Range) -> Spot:
        if self.player == 0:
            return dataclasses.replace(spot, oop=hands)
        return dataclasses.replace(spot, ip=hands)

    @classmethod
    def from_solution(
        cls,
        solution: Any,
        line: LineLike,
        card: Cards = (),
        *,
        player: int | str,
        values: str = VALUES[0],
        kind: str = DEFAULT_KIND,
        reach: float = 0.5,
    ) -> Gadget:
        """The gadget of a later street of a solution, for each hand of a player.

        Parameters
        ----------
        solution
            A `PostflopSolution`, or its file.
        line, card
            The actions up to the end of a street, and the card that comes; the card may also stand
            at the end of the line.
        player
            Whose hands may stop.
        values
            ``response``: what a hand is worth to a best response, the most that it can win against
            the solution: the safe choice. ``average``: what it is worth to the solution's own
            strategy; hands outside of the range get what a best response wins.
        kind, reach
            As of `Gadget`.

        Examples
        --------
        >>> from pokerlab.holdem.spots import Spot, solve_spot
        >>> spot = Spot("QhJh2c4d", "AA, KQs, JTs", "QQ, AJs, T9s", pot=100, stack=80, bet="a")
        >>> turn = solve_spot(spot, target="0.5%")
        >>> gadget = Gadget.from_solution(turn, "x/x", "7h", player="ip", kind="maxmargin")
        >>> gadget.pot, bool(np.isfinite(gadget.values).sum() == 1081)
        (100, True)
        >>> river = solve_spot(turn.below("x/x/7h").spot, gadget=gadget, target="0.1%")
        >>> river.margin.chips > -0.1
        True
        """
        if isinstance(solution, str | Path):
            load = function_named("pokerlab.holdem.spots.answer.solution:load_postflop")
            solution = load(solution)
        found: Gadget = solution.below(line, card).gadget(
            player, values=values, kind=kind, reach=reach, gifts=not solution.partial
        )
        return found

    @property
    def identity(self) -> str:
        """A text that differs for gadgets that differ."""
        arrays = [self.worth] if self.prior is None else [self.worth, self.prior.weights]
        return f"{self.kind} {PLAYERS[self.player]} {digest(*arrays, length=16)}"

    def fields(self) -> dict[str, Any]:
        """Texts, numbers and lists that `from_fields` reads; hands without a value have null."""
        return {
            "player": PLAYERS[self.player],
            "kind": self.kind,
            "reach": self.reach,
            "values": [None if np.isnan(chips) else chips for chips in self.values.tolist()],
            "gifts": None if self.gifts is None else self.gifts.tolist(),
            "prior": None if self.prior is None else str(self.prior),
            "board": None if self.board is None else format_cards(self.board),
            "pot": self.pot,
        }

    @classmethod
    def from_fields(cls, fields: object) -> Gadget:
        """Made of `fields`; `ValueError` for anything else."""
        if not isinstance(fields, Mapping) or {*fields} != _FIELDS:
            raise ValueError(f"gadget: its fields must be {', '.join(sorted(_FIELDS))}")
        texts = {name: fields[name] for name in ("player", "kind", "prior", "board")}
        for name, text in texts.items():
            if not isinstance(text, str) and (text is not None or name in ("player", "kind")):
                raise ValueError(f"gadget: {name} {shorten(repr(text))} is not a text")
        values = fields["values"]
        if isinstance(values, list):
            values = [np.nan if chips is None else chips for chips in values]
        gifts, reach, pot = (fields[name] for name in ("gifts", "reach", "pot"))
        return cls(**texts, values=values, gifts=gifts, reach=reach, pot=pot)

    def save(self, path: str | Path) -> None:
        """Write a file that `Gadget.load` and `pokerlab.load` read."""
        fields = json.dumps(self.fields())
        metadata = {"format": GADGET_FORMAT, "version": pokerlab.__version__, "gadget": fields}
        write_hashed(path, {}, metadata)

    @classmethod
    def load(cls, path: str | Path) -> Gadget:
        """Read a gadget; `DamagedFileError` if the file is not as it was written.

        Examples
        --------
        >>> import tempfile
        >>> path = Path(tempfile.mkdtemp()) / "river.gadget"
        >>> Gadget("ip", np.arange(1326.0), "AA, KK:0.5", board="QhJh2c4d7h").save(path)
        >>> gadget = Gadget.load(path)
        >>> gadget.player, str(gadget.prior), float(gadget.values[1325])
        (1, 'AA,KK:0.5', 1325.0)
        """
        _, metadata = read_checked(path, GADGET_FORMAT, {}, verify=True)
        with damage_named(path):
            return cls.from_fields(metadata.json("gadget"))


_FIELDS = {field.name for field in dataclasses.fields(Gadget)}


def load_gadget(path: str | Path) -> Gadget:
    """Read a gadget: `Gadget.load`."""
    return Gadget.load(path)


def allowed_combos(board: tuple[int, ...]) -> Bools:
    """Which combos hold no card of a board (1326)."""
    return np.asarray(~np.isin(COMBO_CARDS, board).any(axis=1))


def read_gadget_player(player: int | str) -> int:
    """The number of a player; `ValueError` for anything else."""
    if player in PLAYERS:
        return PLAYERS.index(str(player))
    if isinstance(player, int) and player in (0, 1):
        return int(player)
    raise ValueError(f"gadget: {shorten(repr(player))} is not a player, oop or ip")


def _read_chips(name: str, numbers: npt.ArrayLike) -> Floats:
    try:
        found = np.array(numbers, np.float64)
    except (TypeError, ValueError):
        found = np.zeros(0)
    if found.shape != (N_COMBOS,):
        raise ValueError(
            f"gadget: {name} {shorten(repr(numbers))} must be {N_COMBOS:,} numbers, one a hand"
        )
    if (np.abs(found) > _LARGEST).any() or (name == "gifts" and not np.isfinite(found).all()):
        raise ValueError(f"gadget: {name} must be numbers of chips, at most {_LARGEST:g}")
    return found
